"""Shapers in force, and their traffic: `show frame-relay pvc` and `show traffic-shape`."""

import re
from collections.abc import Callable
from itertools import chain
from typing import Final, NamedTuple, TypeVar

from msgspec import Struct

from advisor.ground.units import whole
from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.shows.bundles import FragmentedCircuit
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    Row,
    ShownLine,
    blocks_of,
    count,
    declined,
    present,
    read_blocks,
    read_table,
    record_of,
    take_facts,
)
from advisor.shows.policy_map import Circuit, ObservedPolicy
from advisor.shows.policy_map.counted import read_policies_at

_LAYOUT: Final = layout("shows/shaping.txt")
_EXPECTED_CIRCUIT: Final = "show frame-relay pvc"
_EXPECTED: Final = "show traffic-shape"


class SeenShaper(Struct, frozen=True):
    """A shaper in force, of an interface or of a circuit of it: a DLCI.

    `access_list` names the packets that it shapes; None where it shapes all. `min_rate_bps` is the
    least rate of an adaptive one, None where it is not printed.
    """

    interface: str
    circuit: str | None
    access_list: str | None
    rate_bps: int
    min_rate_bps: int | None
    bc_bits: int | None
    be_bits: int | None
    at: Location
    limit_bytes: int | None = None
    interval_ms: int | None = None
    increment_bytes: int | None = None


class CircuitCounters(Struct, frozen=True):
    """Other counters of a Frame Relay circuit; None: not printed. Ages are as printed: `6d02h`."""

    received_packets: int | None
    received_bytes: int | None
    sent_bytes: int | None
    dropped_both_ways: int | None
    in_drops: int | None
    out_dropped_bytes: int | None
    late_drops: int | None
    late_dropped_bytes: int | None
    in_fecn: int | None
    in_becn: int | None
    out_fecn: int | None
    out_becn: int | None
    in_de: int | None
    out_de: int | None
    out_broadcasts: int | None
    out_broadcast_bytes: int | None
    shaped_packets: int | None
    shaped_bytes: int | None
    delayed_bytes: int | None
    input_rate_bps: int | None
    input_rate_pps: int | None
    output_rate_pps: int | None
    queue_limit_packets: int | None
    queue_drops: int | None
    created: str | None
    changed: str | None


class ShapedTraffic(Struct, frozen=True):
    """Packets that a circuit, or an interface with a shaper, sent, delayed and dropped.

    `access_list` names its packets; None where they are all. `status` is that of the circuit
    (`ACTIVE`). `dropped_packets` are those for output. A circuit with fragments counts them where
    it counts what passed its shaper and what that delayed.
    """

    interface: str
    circuit: str | None
    access_list: str | None
    status: str | None
    output_rate_bps: int | None
    sent_packets: int | None
    delayed_packets: int | None
    dropped_packets: int | None
    depth_packets: int | None
    is_active: bool | None
    at: Location
    counters: CircuitCounters | None = None

    @property
    def delayed_ratio(self) -> float | None:
        """The part that the shaper delayed of all that passed it, both in packets or fragments."""
        passed = self.counters.shaped_packets if self.counters is not None else None
        passed = self.sent_packets if passed is None else passed
        return (
            self.delayed_packets / passed if passed and self.delayed_packets is not None else None
        )


# `show frame-relay pvc`: labels with figures, and the policy of the circuit among them.

_DLCI: Final = _LAYOUT.part("DLCI")
_ABOVE: Final = _LAYOUT.part("ABOVE")
_LABELS: Final = _LAYOUT.fields("circuit")
_FACTS: Final = _LAYOUT.patterns("facts").values()
_UNUSED: Final = _LAYOUT.any_of("unused")
_PAIR: Final = re.compile(
    r"(?:^|(?<=\d)\s++)([A-Za-z][A-Za-z-]*+(?:[ ]++[A-Za-z-]++)*+)\s++(\d++)(?!\S)"
)
# Words behind the figures of a line, which tell how the shaper adapts its rate.
_ADAPTS: Final = re.compile(
    r"(?<!\s)\s++(?:[BF]ECN response|IF_CONG|Adaptive Shaping|Foresight)\s.*"
)
_BEGINS_POLICY: Final = re.compile(r"service policy \S+|Service-policy (?:in|out)put ?: ?\S+")


class _Pvc(NamedTuple):
    """A circuit: its figures by field, the lines of its policies, and its place."""

    fields: dict[str, str]
    policy_lines: tuple[ShownLine, ...]
    at: Location


Record = TypeVar("Record")


def read_shaped_circuits(text: str, file: str, first_line: int = 1) -> OutputReading[ShapedTraffic]:
    """Packets that the circuits of a `show frame-relay pvc` output sent and dropped, in order.

    A circuit with an unknown line is declined; where a filter left no figure of it, none is one.
    Without records also if no circuit is printed.

    Raises
    ------
    LayoutError
        If lines of another layout are printed, and no circuit begins.
    """
    return _read_circuits(Output(text, file, first_line, _EXPECTED_CIRCUIT), _traffic)


def read_circuit_shapers(text: str, file: str, first_line: int = 1) -> OutputReading[SeenShaper]:
    """The shapers of the circuits of a `show frame-relay pvc` output, in order."""
    return _read_circuits(Output(text, file, first_line, _EXPECTED_CIRCUIT), _shaper)


def read_circuit_fragments(
    text: str, file: str, first_line: int = 1
) -> OutputReading[FragmentedCircuit]:
    """The fragment sizes of the circuits of a `show frame-relay pvc` output, in order."""
    return _read_circuits(Output(text, file, first_line, _EXPECTED_CIRCUIT), _fragments)


def read_circuit_policies(
    text: str, file: str, first_line: int = 1
) -> OutputReading[ObservedPolicy]:
    """The policies of the circuits of a `show frame-relay pvc` output, with their counters."""
    output = Output(text, file, first_line, _EXPECTED_CIRCUIT)

    def read(pvc: _Pvc) -> OutputReading[ObservedPolicy] | None:
        if not pvc.policy_lines:
            return None
        circuit = Circuit("DLCI", pvc.fields["dlci"])
        return read_policies_at(output, pvc.policy_lines, pvc.fields["interface"], circuit)

    reading = _read_circuits(output, read)
    records = chain.from_iterable(policies.records for policies in reading.records)
    parts = chain.from_iterable(policies.declined for policies in reading.records)
    return OutputReading(tuple(records), (*reading.declined, *parts))


def _read_circuits(output: Output, read: Callable[[_Pvc], Record | None]) -> OutputReading[Record]:
    lines = (line for line in output.lines() if not _ABOVE.fullmatch(line.text))
    blocks = blocks_of(lines, _DLCI, name=lambda head: f"{head['interface']} DLCI {head['dlci']}")
    if not blocks.blocks and not blocks.before:
        return OutputReading(())
    reading = read_blocks(
        output, OutputPart.CIRCUIT, blocks, lambda block: read(_pvc(output, block))
    )
    records = tuple(record for record in reading.records if record is not None)
    return OutputReading(records, reading.declined)


def _pvc(output: Output, block: Block) -> _Pvc:
    fields = present(block.match)
    of_policy: list[ShownLine] = []
    is_in_policy = False
    for line in block.lines:
        is_in_policy = is_in_policy or _BEGINS_POLICY.fullmatch(line.text) is not None
        if _take(line.text, fields):
            continue
        if not is_in_policy:
            raise output.unknown(line)
        of_policy.append(line)
    if not output.is_filtered:
        _require_whole(output, block, fields, has_policy=bool(of_policy))
    return _Pvc(fields, tuple(of_policy), output.at(block.head))


def _take(text: str, fields: dict[str, str]) -> bool:
    """Add what a line says of a circuit; False of a line of its policy, and of no circuit."""
    body = _ADAPTS.sub("", text)
    pairs = _PAIR.findall(body)
    if pairs and _PAIR.sub("", body) == "" and all(label in _LABELS for label, _ in pairs):
        fields.update((_LABELS[label], figure) for label, figure in pairs if _LABELS[label])
        return True
    return take_facts(text, fields, _FACTS, _UNUSED)


def _require_whole(
    output: Output, block: Block, fields: dict[str, str], *, has_policy: bool
) -> None:
    """Refuse a circuit that was cut: IOS prints its age, and the drops of a shaper."""
    missing = None
    if "created" not in fields:
        missing = "the age of the circuit"
    elif "rate_bps" in fields and "shaping_drops" not in fields:
        missing = "the drops of its shaper"
    elif "policy" in fields and not has_policy:
        missing = "its service policy"
    if missing is not None:
        raise output.ends((block.head, *block.lines)[-1], missing)


def _traffic(pvc: _Pvc) -> ShapedTraffic | None:
    fields = pvc.fields
    # Each counts at another point; one of 0 says nothing of the others.
    named = ("shaping_drops", "out_drops", "queue_drops")
    dropped = max((whole(fields[name]) for name in named if name in fields), default=None)
    if dropped is None and "sent_packets" not in fields:
        return None
    return record_of(
        ShapedTraffic,
        fields,
        circuit=fields["dlci"],
        dropped_packets=dropped,
        is_active=fields["shaping"] == "active" if "shaping" in fields else None,
        at=pvc.at,
        counters=record_of(CircuitCounters, fields),
    )


def _shaper(pvc: _Pvc) -> SeenShaper | None:
    if "rate_bps" not in pvc.fields:
        return None
    return record_of(SeenShaper, pvc.fields, circuit=pvc.fields["dlci"], at=pvc.at)


def _fragments(pvc: _Pvc) -> FragmentedCircuit | None:
    if "fragment_bytes" not in pvc.fields:
        return None
    return record_of(FragmentedCircuit, pvc.fields, at=pvc.at)


# `show traffic-shape`: tables of shapers and of their traffic, and the queues behind them.

_QUEUE: Final = _LAYOUT.part("QUEUE")
_QUEUE_FACTS: Final = _LAYOUT.patterns("queue facts").values()
_QUEUE_UNUSED: Final = _LAYOUT.any_of("queue unused")
_HEAD_OF_TABLE: Final = _LAYOUT.part("HEAD")
_WAITING: Final = re.compile(r"\(depth/weight(?:/[a-z -]+)*\) (\d+)/\S+")


def read_shapers(text: str, file: str, first_line: int = 1) -> OutputReading[SeenShaper]:
    """The shapers of a `show traffic-shape` output, in order. An unknown row is declined.

    Without records only if nothing is printed: nothing is shaped.

    Raises
    ------
    LayoutError
        If no row is known, and where nothing follows a head.
    """
    output = Output(text, file, first_line, _EXPECTED)

    def read(row: Row) -> SeenShaper:
        cells, line = row
        fields = {name: cell for name, cell in cells.items() if cell not in ("", "-")}
        home = fields.get("interface") or fields.get("home")
        if home is None:
            raise output.unknown(line)
        return record_of(SeenShaper, fields, interface=home, at=output.at(line))

    return _read_rows(output, "traffic_shape", read)


def read_shaped_traffic(text: str, file: str, first_line: int = 1) -> OutputReading[ShapedTraffic]:
    """The rows of a `show traffic-shape statistics` output, in order.

    Without records only if nothing is printed: nothing is shaped.

    Raises
    ------
    LayoutError
        If no row is known, and where nothing follows a head.
    """
    output = Output(text, file, first_line, f"{_EXPECTED} statistics")

    def read(row: Row) -> ShapedTraffic:
        cells, line = row
        fields = {name: cell for name, cell in cells.items() if cell}
        is_active = fields["is_active"] == "yes"
        place = output.at(line)
        return record_of(ShapedTraffic, fields, is_active=is_active, counters=None, at=place)

    return _read_rows(output, "traffic_shape_statistics", read)


def _read_rows(
    output: Output, template: str, read: Callable[[Row], Record]
) -> OutputReading[Record]:
    """The rows of a table that ends in a row: one that ends in its head was cut."""
    lines = tuple(output.lines())
    reading = read_table(template, output, lines, read)
    if not lines:
        return reading
    last = lines[-1]
    if not reading.records:
        raise output.ends(last, "its rows")
    if _HEAD_OF_TABLE.fullmatch(last.text) is None:
        return reading
    cut = declined(OutputPart.ROW, "", output.at(last), output.ends(last, "its last rows"))
    return OutputReading(reading.records, (*reading.declined, cut))


def read_shaping_queues(text: str, file: str, first_line: int = 1) -> OutputReading[ShapedTraffic]:
    """Packets that wait in the queues of a `show traffic-shape queue` output, in order.

    Without records only if nothing is printed: nothing waits.

    Raises
    ------
    LayoutError
        If lines are printed, and no queue begins.
    """
    output = Output(text, file, first_line, f"{_EXPECTED} queue")

    def read(block: Block) -> ShapedTraffic:
        fields = present(block.match)
        waiting: list[int] = []
        for line in block.lines:
            conversation = _WAITING.fullmatch(line.text)
            if conversation is not None:
                waiting.append(whole(conversation[1]))
            elif not take_facts(line.text, fields, _QUEUE_FACTS, _QUEUE_UNUSED):
                raise output.unknown(line)
        if "depth_packets" not in fields and not waiting:
            raise output.ends((block.head, *block.lines)[-1], "its depth")
        depth = count(fields.get("depth_packets"))
        return record_of(
            ShapedTraffic,
            fields,
            counters=None,
            depth_packets=sum(waiting) if depth is None else depth,
            is_active=True,
            at=output.at(block.head),
        )

    blocks = blocks_of(output.lines(), _QUEUE, name=lambda head: head[0].partition(" on ")[2])
    if not blocks.blocks and not blocks.before:
        return OutputReading(())
    return read_blocks(output, OutputPart.CIRCUIT, blocks, read)
