"""Tables of interfaces: drops of queues, policers, and the protocols that NBAR counts."""

import re
from typing import Final, Literal

from msgspec import Struct

from advisor.ios.syntax import Location
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    Row,
    blocks_of,
    declined,
    read_blocks,
    read_table,
    record_of,
    take_facts,
)

# `show interfaces summary`: a row for each interface.

_EXPECTED_SUMMARY: Final = "show interfaces summary"
_HEAD: Final = re.compile(r"\*: interface.*|[A-Z]{3,4}: .*|Interface\s+IHQ\b.*|-+")


class InterfaceSummary(Struct, frozen=True):
    """The hold queues of an interface, their drops, and the rates of both directions.

    `drops_packets` and `waiting_packets` are those of the output queue.
    """

    interface: str
    drops_packets: int | None
    output_rate_bps: int | None
    at: Location
    input_waiting_packets: int | None = None
    input_drops_packets: int | None = None
    waiting_packets: int | None = None
    input_rate_bps: int | None = None
    input_rate_pps: int | None = None
    output_rate_pps: int | None = None
    throttles: int | None = None


def read_interface_summary(
    text: str, file: str, first_line: int = 1
) -> OutputReading[InterfaceSummary]:
    """Rows of a `show interfaces summary` output, in order. An unknown row is declined.

    Raises
    ------
    LayoutError
        If no row is known.
    """
    output = Output(text, file, first_line, _EXPECTED_SUMMARY)
    lines = tuple(output.lines())

    def read(row: Row) -> InterfaceSummary:
        cells, line = row
        return record_of(InterfaceSummary, cells, at=output.at(line))

    reading = read_table("interfaces_summary", output, lines, read)
    if not lines:
        raise output.nothing()
    if not reading.records or _HEAD.fullmatch(lines[-1].text):
        raise output.ends(lines[-1], "its rows")
    return reading


# `show interfaces rate-limit`: the policers of committed access rate.

_EXPECTED_LIMIT: Final = "show interfaces rate-limit"
_INTERFACE: Final = re.compile(r"([A-Z][A-Za-z-]*\d+(?:[/.:]\d+)*)(?: \S.*)?")
_DIRECTION: Final = re.compile(r"(Input|Output)")
_MATCHES: Final = re.compile(r"matches: (.+)")
_TERMS: Final = (
    re.compile(
        r"params:\s+(?P<rate_bps>\d+) bps, (?P<limit_bytes>\d+) limit, "
        r"(?P<extended_limit_bytes>\d+) extended limit"
    ),
    re.compile(
        r"conformed (?P<conformed_packets>\d+) packets, (?P<conformed_bytes>\d+) bytes; "
        r"action: (?P<conform_action>\S.*)"
    ),
    re.compile(
        r"exceeded (?P<exceeded_packets>\d+) packets, (?P<exceeded_bytes>\d+) bytes; "
        r"action: (?P<exceed_action>\S.*)"
    ),
    re.compile(r"last packet: (?P<last_packet>\S+) ago, current burst: (?P<burst_bytes>\d+) bytes"),
    re.compile(
        r"last cleared (?P<cleared>\S+) ago, conformed (?P<conformed_bps>\d+) bps, "
        r"exceeded (?P<exceeded_bps>\d+) bps"
    ),
)

LimitDirection = Literal["input", "output"]


class RateLimit(Struct, frozen=True):
    """One policer of committed access rate: its packets, in words, its rate and what it counted."""

    interface: str
    direction: LimitDirection
    matches: str
    rate_bps: int
    conformed_packets: int | None
    exceeded_packets: int | None
    exceed_action: str
    at: Location
    limit_bytes: int | None = None
    extended_limit_bytes: int | None = None
    conformed_bytes: int | None = None
    conform_action: str | None = None
    exceeded_bytes: int | None = None
    burst_bytes: int | None = None
    conformed_bps: int | None = None
    exceeded_bps: int | None = None
    last_packet: str | None = None
    cleared: str | None = None

    @property
    def dropped_packets(self) -> int:
        """Packets that it dropped: what exceeds may be marked and sent too."""
        return (self.exceeded_packets or 0) if self.exceed_action == "drop" else 0

    @property
    def limits_all(self) -> bool:
        """Whether it drops what exceeds its rate, of all packets."""
        return self.matches == "all traffic" and self.exceed_action == "drop"

    @property
    def seen_packets(self) -> int:
        return (self.conformed_packets or 0) + (self.exceeded_packets or 0)


def read_rate_limits(text: str, file: str, first_line: int = 1) -> OutputReading[RateLimit]:
    """Policers of a `show interfaces rate-limit` output, in order.

    An unknown line costs its policer, and as far left as an interface all below it up to the next
    one. Without records only if nothing is printed: no interface has a policer.

    Raises
    ------
    LayoutError
        If lines are printed, and no interface begins.
    """
    output = Output(text, file, first_line, _EXPECTED_LIMIT)
    lines = tuple(output.lines())
    if not lines:
        return OutputReading(())
    place = _Place()
    blocks = blocks_of(lines, _INTERFACE, _DIRECTION, _MATCHES)
    reading = read_blocks(output, OutputPart.ROW, blocks, lambda block: place.read(output, block))
    last = blocks.blocks[-1]
    if last.match.re is not _MATCHES:
        cut = declined(
            OutputPart.ROW, "", output.at(last.head), output.ends(lines[-1], "its policers")
        )
        reading = OutputReading(reading.records, (*reading.declined, cut))
    records = tuple(record for record in reading.records if record is not None)
    return OutputReading(records, reading.declined)


class _Place(Struct):
    """The interface and the direction of the policers that follow; None where not known."""

    interface: str | None = None
    direction: LimitDirection | None = None
    column: int = 0
    direction_column: int = 0

    def read(self, output: Output, block: Block) -> RateLimit | None:
        """The policer of a block; None where its head names the place of those below."""
        if block.match.re is _INTERFACE:
            self.interface, self.direction = block.name, None
            self.column = block.head.column
        elif block.match.re is _DIRECTION and self.interface is not None:
            self.direction = "input" if block.name == "Input" else "output"
            self.direction_column = block.head.column
        elif block.match.re is _DIRECTION or self.interface is None or self.direction is None:
            raise output.unknown(block.head)
        fields: dict[str, str] = {}
        for line in block.lines:
            if block.match.re is not _MATCHES or not take_facts(line.text, fields, _TERMS):
                self.lose(line.column)
                raise output.unknown(line)
        if block.match.re is not _MATCHES:
            return None
        if "cleared" not in fields:
            raise output.ends((block.head, *block.lines)[-1], "the rates of the policer")
        return record_of(
            RateLimit,
            fields,
            interface=self.interface,
            direction=self.direction,
            matches=block.name,
            at=output.at(block.head),
        )

    def lose(self, column: int) -> None:
        """Forget the place behind an unknown line, which may be the head of another."""
        if column <= self.direction_column:
            self.direction = None
        if column <= self.column:
            self.interface = None


# `show ip nbar protocol-discovery`: packets, bytes and rates of each protocol.
#
# Source: Cisco, Network-Based Application Recognition, protocol discovery.

_EXPECTED_PROTOCOLS: Final = "show ip nbar protocol-discovery"
_ALL_PROTOCOLS: Final = "Total"
_CLEARED: Final = re.compile(r"Last clearing of \"show ip nbar [a-z-]+\" counters (?P<cleared>\S+)")


class ProtocolTraffic(Struct, frozen=True):
    """Counters of a protocol by NBAR; `Total` are all, `unknown` the rest."""

    protocol: str
    input_packets: int | None
    output_packets: int | None
    input_bytes: int | None
    output_bytes: int | None
    input_rate_bps: int | None
    output_rate_bps: int | None
    input_most_bps: int | None
    output_most_bps: int | None


class InterfaceProtocols(Struct, frozen=True):
    """The protocols of an interface, and how long NBAR has counted: `01:20:00`, `never`."""

    interface: str
    cleared: str | None
    protocols: tuple[ProtocolTraffic, ...]
    at: Location


def read_protocols(text: str, file: str, first_line: int = 1) -> OutputReading[InterfaceProtocols]:
    """Interfaces of a `show ip nbar protocol-discovery` output, in order.

    An unknown line costs its interface.

    Raises
    ------
    LayoutError
        If no interface begins.
    """
    output = Output(text, file, first_line, _EXPECTED_PROTOCOLS)

    def read(block: Block) -> InterfaceProtocols:
        cleared: dict[str, str] = {}
        lines = [line for line in block.lines if not take_facts(line.text, cleared, (_CLEARED,))]
        rows = read_table("nbar_protocols", output, lines, _protocol)
        for part in rows.declined:
            raise output.unknown(next(line for line in lines if output.at(line) == part.at))
        if not rows.records or rows.records[-1].protocol != _ALL_PROTOCOLS:
            raise output.ends((block.head, *lines)[-1], f"its rows of {_ALL_PROTOCOLS}")
        at = output.at(block.head)
        return InterfaceProtocols(block.name, cleared.get("cleared"), rows.records, at)

    blocks = blocks_of(output.lines(), _INTERFACE)
    return read_blocks(output, OutputPart.INTERFACE, blocks, read)


def _protocol(row: Row) -> ProtocolTraffic:
    return record_of(ProtocolTraffic, {name: text for name, text in row[0].items() if text})
