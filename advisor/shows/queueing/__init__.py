"""The `show queueing` family: per interface, fair, random-detect, or all of it."""

import re
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final, TypeVar

from msgspec import Struct, field

from advisor.ground.units import whole
from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.shows.interfaces import QueueState, queue_state, take_queue_line
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    Row,
    ShownLine,
    blocks_of,
    present,
    read_blocks,
    read_table,
    record_of,
    take_facts,
)

# Typed records of the `show queueing` family.


class CircuitId(Struct, frozen=True):
    """VPI and VCI of an ATM virtual circuit."""

    vpi: int
    vci: int


class RandomDetectRow(Struct, frozen=True):
    """WRED of one precedence, DSCP or class; None for bytes that IOS does not print.

    `mark_probability_denominator` is the n of `1/n`: one packet in n is dropped at the maximum
    threshold.
    """

    name: str
    random_drops_packets: int | None
    random_drops_bytes: int | None
    tail_drops_packets: int | None
    tail_drops_bytes: int | None
    min_threshold_packets: int
    max_threshold_packets: int
    mark_probability_denominator: int
    output_packets: int | None
    at: Location


class RandomDetect(Struct, frozen=True):
    """WRED of an interface or VC.

    `weight_exponent` is the n of `Exp-weight-constant: n (1/2^n)`.
    """

    interface: str
    circuit: CircuitId | None
    strategy: str | None
    weight_exponent: int | None
    mean_queue_depth_packets: int | None
    total_output_drops_packets: int | None
    rows: tuple[RandomDetectRow, ...]
    at: Location


class InterfaceQueueing(Struct, frozen=True):
    """One interface of `show queueing interface`.

    `strategy` is the word of its first line (`none` is FIFO, `fair` WFQ or CBWFQ). It is None
    for a VC, which has no such line. `queues` is None if IOS prints only that line.
    """

    interface: str
    circuit: CircuitId | None
    strategy: str | None
    queues: QueueState | None
    random_detect: RandomDetect | None
    at: Location


class FairQueueing(Struct, frozen=True):
    """One row of `show queueing fair`; IOS prints the last two columns since 12.3."""

    interface: str
    discard_threshold_packets: int
    dynamic_queues: int
    reserved_queues: int
    link_queues: int | None
    priority_queues: int | None
    at: Location


# The WRED block of the `show queueing` family: three heads, three tables.

_LAYOUT: Final = layout("shows/queueing/lines.txt")
_FACTS: Final = _LAYOUT.patterns("facts", re.IGNORECASE).values()
_HEADS: Final = _LAYOUT.patterns("heads", re.IGNORECASE).values()
_ROW: Final = _LAYOUT.part("ROW", re.IGNORECASE)


class RandomDetectDraft(Struct):
    """A WRED block while its lines are read."""

    interface: str
    circuit: CircuitId | None
    at: Location
    facts: dict[str, str] = field(default_factory=dict)
    rows: list[RandomDetectRow] = field(default_factory=list)

    def take(self, body: str, at: Location) -> bool:
        """Read one line; False if it does not belong to a WRED block."""
        row = _ROW.fullmatch(body)
        if row is not None:
            self.rows.append(record_of(RandomDetectRow, present(row), at=at))
            return True
        return take_facts(body, self.facts, (*_FACTS, *_HEADS))

    def finished(self) -> RandomDetect:
        """Return the typed block."""
        return record_of(
            RandomDetect,
            self.facts,
            interface=self.interface,
            circuit=self.circuit,
            rows=tuple(self.rows),
            at=self.at,
        )


# The parts of an output, and the interfaces and circuits in them.

Record = TypeVar("Record")

_INTERFACE: Final = re.compile(r"Interface (\S+) queueing strategy:\s*(\S.*)")
_CIRCUIT: Final = re.compile(r"Interface (\S+) VC (?:(\d+)/)?(\d+)")
_SECTION: Final = re.compile(r"Current (.+) configuration:")
_WRED_INTERFACE: Final = re.compile(
    r"(?:Interface )?([A-Z](?>[\w-]*\d)\S*)(?: VC (?:(\d+)/)?(\d+))?"
)
_LIST_ROW: Final = _LAYOUT.part("LIST_ROW", re.IGNORECASE)
_EXPECTED: Final = "show queueing"
_FAIR: Final = frozenset({"fair queue"})
_WRED: Final = frozenset({"random-detect", "RED queue"})
_UNREAD_SECTIONS: Final = frozenset({"DLCI priority queue", "priority queue", "custom queue"})


def read_queueing_interface(
    text: str, file: str, first_line: int = 1
) -> OutputReading[InterfaceQueueing]:
    """Interfaces and VCs of a `show queueing interface` output.

    One with a line of another layout is declined.

    Raises
    ------
    LayoutError
        If the output names no interface.
    """
    output = Output(text, file, first_line, "show queueing interface")

    blocks = blocks_of(output.lines(), _INTERFACE, _CIRCUIT, name=_name)

    def read(block: Block) -> InterfaceQueueing:
        draft = _started(block.match, output.at(block.head))
        for line in block.lines:
            if not draft.take(line.text, output.at(line)):
                raise output.unknown(line)
        return draft.finished()

    return read_blocks(output, OutputPart.INTERFACE, blocks, read)


def _name(head: re.Match[str]) -> str:
    return head[1] if head.re is _INTERFACE else head[0].removeprefix("Interface ")


class _InterfaceDraft(Struct):
    wred: RandomDetectDraft
    strategy: str | None
    fields: dict[str, str] = field(default_factory=dict)
    has_wred: bool = False

    def take(self, body: str, at: Location) -> bool:
        if self.wred.take(body, at):
            # Both kinds of block have the strategy line; alone it does not make a WRED block.
            self.has_wred |= not take_queue_line(body, self.fields)
            return True
        return take_queue_line(body, self.fields)

    def finished(self) -> InterfaceQueueing:
        return InterfaceQueueing(
            interface=self.wred.interface,
            circuit=self.wred.circuit,
            strategy=self.strategy,
            queues=queue_state(self.fields) if self.fields else None,
            random_detect=self.wred.finished() if self.has_wred else None,
            at=self.wred.at,
        )


def _started(head: re.Match[str], at: Location) -> _InterfaceDraft:
    if head.re is _INTERFACE:
        return _InterfaceDraft(RandomDetectDraft(head[1], None, at), head[2])
    circuit = _circuit(head[2], head[3])
    return _InterfaceDraft(RandomDetectDraft(head[1], circuit, at), None)


def _circuit(vpi: str | None, vci: str) -> CircuitId:
    return CircuitId(whole(vpi or "0"), whole(vci))  # IOS omits a VPI of 0


def read_random_detect(text: str, file: str, first_line: int = 1) -> OutputReading[RandomDetect]:
    """Interfaces and VCs of `show queueing random-detect`, or of that part of `show queueing`.

    One with an unknown line is declined. Without records only if IOS prints its head without an
    interface: no interface has WRED.

    Raises
    ------
    LayoutError
        If no part of `show queueing` begins.
    """
    return _read_sections(Output(text, file, first_line, _EXPECTED), _WRED, _random_detect)


def read_fair_queueing(text: str, file: str, first_line: int = 1) -> OutputReading[FairQueueing]:
    """Rows of `show queueing fair`, or of that part of `show queueing`.

    An unknown row is declined. Without records only if IOS prints its head without a row: no
    interface has a fair queue.

    Raises
    ------
    LayoutError
        If no part of `show queueing` begins.
    """
    return _read_sections(Output(text, file, first_line, _EXPECTED), _FAIR, _fair)


def _read_sections(
    output: Output,
    names: frozenset[str],
    read: Callable[[Output, Block], OutputReading[Record]],
) -> OutputReading[Record]:
    """Read the parts with these names, and judge the lines of the parts that are not read."""

    def read_part(block: Block) -> OutputReading[Record]:
        if block.name in names:
            return read(output, block)
        if block.name in _UNREAD_SECTIONS:
            _pass_over(output, block.lines)
        elif block.name not in _FAIR | _WRED:
            raise output.unknown(block.head)
        return OutputReading(())

    sections = read_blocks(
        output, OutputPart.SECTION, blocks_of(output.lines(), _SECTION), read_part
    )
    records = chain.from_iterable(section.records for section in sections.records)
    parts = chain.from_iterable(section.declined for section in sections.records)
    return OutputReading(tuple(records), (*sections.declined, *parts))


def _pass_over(output: Output, lines: Iterable[ShownLine]) -> None:
    for line in lines:
        if not _LIST_ROW.fullmatch(line.text):
            raise output.unknown(line)


def _random_detect(output: Output, section: Block) -> OutputReading[RandomDetect]:
    blocks = blocks_of(section.lines, _WRED_INTERFACE, name=_wred_name)
    if not blocks.blocks and not blocks.before:
        return OutputReading(())

    def read(block: Block) -> RandomDetect:
        head = block.match
        circuit = None if head[3] is None else _circuit(head[2], head[3])
        draft = RandomDetectDraft(head[1], circuit, output.at(block.head))
        for line in block.lines:
            if not draft.take(line.text, output.at(line)):
                raise output.unknown(line)
        return draft.finished()

    return read_blocks(output, OutputPart.INTERFACE, blocks, read)


def _wred_name(head: re.Match[str]) -> str:
    return head[0].removeprefix("Interface ")


def _fair(output: Output, section: Block) -> OutputReading[FairQueueing]:
    def read(row: Row) -> FairQueueing:
        cells, line = row
        shown = {name: text for name, text in cells.items() if text}
        return record_of(FairQueueing, shown, at=output.at(line))

    return read_table("queueing_fair", output, section.lines, read)


# `show interfaces random-detect`: distributed WRED.

_VIP: Final = _LAYOUT.part("VIP")
_VIP_ROW: Final = _LAYOUT.part("VIP_ROW", re.IGNORECASE)
_VIP_COUNTS: Final = _LAYOUT.part("VIP_COUNTS", re.IGNORECASE)
_VIP_IDLE: Final = _LAYOUT.part("VIP_IDLE", re.IGNORECASE)
_VIP_FACTS: Final = _LAYOUT.patterns("vip", re.IGNORECASE).values()
_NO_TRAFFIC: Final = dict.fromkeys(
    ("output_packets", "random_drops_packets", "tail_drops_packets"), "0"
)


def read_vip_random_detect(
    text: str, file: str, first_line: int = 1
) -> OutputReading[RandomDetect]:
    """Interfaces of `show interfaces random-detect`. One with an unknown line is declined.

    Raises
    ------
    LayoutError
        If no interface begins.
    """
    output = Output(text, file, first_line, "show interfaces random-detect")

    def read(block: Block) -> RandomDetect:
        fields, rows = present(block.match), list[RandomDetectRow]()
        open_row: tuple[dict[str, str], ShownLine] | None = None
        for line in block.lines:
            row, counts = _VIP_ROW.fullmatch(line.text), _VIP_COUNTS.fullmatch(line.text)
            if row is not None and open_row is None:
                open_row = (present(row), line)
            elif open_row is not None and (counts or _VIP_IDLE.fullmatch(line.text)):
                shown = open_row[0] | (present(counts) if counts else _NO_TRAFFIC)
                rows.append(record_of(RandomDetectRow, shown, at=output.at(open_row[1])))
                open_row = None
            elif open_row is not None or not take_facts(line.text, fields, _VIP_FACTS):
                raise output.unknown(line)
        if open_row is not None or not rows:
            raise output.ends((block.head, *block.lines)[-1], "its counters")
        weight = whole(fields.pop("weight", "0"))
        return record_of(
            RandomDetect,
            fields,
            weight_exponent=weight.bit_length() - 1 if weight else None,
            rows=tuple(rows),
            circuit=None,
            at=output.at(block.head),
        )

    return read_blocks(output, OutputPart.INTERFACE, blocks_of(output.lines(), _VIP), read)
