"""The `show queueing` family: per interface, fair, random-detect, or all of it.

Sources: ipSpace QoS pages (interface, 12.4), the Cisco IOS Quality of Service Solutions Command
Reference 12.2 and 12.3, `show queueing` and `show queueing interface` (VC, random-detect, fair).
"""

import re
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final, TypeVar

from advisor.ios.syntax.tree import Location
from advisor.shows.blocks import Block, blocks_of, read_blocks
from advisor.shows.figures import count
from advisor.shows.flat_table import Row, read_table
from advisor.shows.indent import ShownLine
from advisor.shows.interfaces.queue_lines import queue_state, take_queue_line
from advisor.shows.layout import Part, Reading
from advisor.shows.output import Output
from advisor.shows.queueing.records import (
    CircuitId,
    FairQueueing,
    InterfaceQueueing,
    RandomDetect,
)
from advisor.shows.queueing.wred import RandomDetectDraft
from advisor.units import whole

Record = TypeVar("Record")

_INTERFACE: Final = re.compile(r"Interface (\S+) queueing strategy:\s*(\S.*)")
_CIRCUIT: Final = re.compile(r"Interface (\S+) VC (?:(\d+)/)?(\d+)")
_SECTION: Final = re.compile(r"Current (.+) configuration:")
_WRED_INTERFACE: Final = re.compile(
    r"(?:Interface )?([A-Z](?>[\w-]*\d)\S*)(?: VC (?:(\d+)/)?(\d+))?"
)
# Rows of the priority-list and custom-list parts; no rule judges these mechanisms.
_LIST_ROW: Final = re.compile(
    r"List\s+Queue\s+Args|\d+\s+(?:high|medium|normal|low|\d+|default)\s+\S.*|Queue \d+ .*"
    r"|DLCI\s+.*|\d+\s+(?:low|high)\s+priority.*",
    re.IGNORECASE,
)
_EXPECTED: Final = "show queueing"
_FAIR: Final = frozenset({"fair queue"})
_WRED: Final = frozenset({"random-detect", "RED queue"})
_UNREAD_SECTIONS: Final = frozenset({"DLCI priority queue", "priority queue", "custom queue"})


def read_queueing_interface(
    text: str, file: str, first_line: int = 1
) -> Reading[InterfaceQueueing]:
    """Interfaces and VCs of a `show queueing interface` output.

    One with a line of another layout is declined.

    Raises
    ------
    LayoutError
        If the output names no interface.
    """
    output = Output(text, file, first_line, "show queueing interface")

    def read(block: Block) -> InterfaceQueueing:
        draft = _started(block.head, output.at(block.head))
        for line in block.lines:
            if draft is None or not draft.take(line.text, output.at(line)):
                raise output.unknown(line)
        if draft is None:
            raise output.unknown(block.head)
        return draft.finished()

    return read_blocks(output, Part.INTERFACE, blocks_of(output.lines(), _name), read)


def _name(line: ShownLine) -> str | None:
    match = _INTERFACE.fullmatch(line.text) or _CIRCUIT.fullmatch(line.text)
    if match is None:
        return None
    return match[1] if match.re is _INTERFACE else line.text.removeprefix("Interface ")


class _InterfaceDraft:
    def __init__(
        self, interface: str, circuit: CircuitId | None, strategy: str | None, at: Location
    ) -> None:
        self._interface, self._circuit, self._strategy = interface, circuit, strategy
        self._at = at
        self._fields: dict[str, str] = {}
        self._wred = RandomDetectDraft(interface, circuit, at)
        self._has_wred = False

    def take(self, body: str, at: Location) -> bool:
        if self._wred.take(body, at):
            # Both kinds of block have the strategy line; alone it does not make a WRED block.
            self._has_wred |= not take_queue_line(body, self._fields)
            return True
        return take_queue_line(body, self._fields)

    def finished(self) -> InterfaceQueueing:
        return InterfaceQueueing(
            interface=self._interface,
            circuit=self._circuit,
            strategy=self._strategy,
            queues=queue_state(self._fields) if self._fields else None,
            random_detect=self._wred.finished() if self._has_wred else None,
            at=self._at,
        )


def _started(line: ShownLine, at: Location) -> _InterfaceDraft | None:
    match = _INTERFACE.fullmatch(line.text)
    if match is not None:
        return _InterfaceDraft(match[1], None, match[2], at)
    match = _CIRCUIT.fullmatch(line.text)
    if match is not None:
        return _InterfaceDraft(match[1], _circuit(match[2], match[3]), None, at)
    return None


def _circuit(vpi: str | None, vci: str) -> CircuitId:
    return CircuitId(whole(vpi or "0"), whole(vci))  # IOS omits a VPI of 0


def read_random_detect(text: str, file: str, first_line: int = 1) -> Reading[RandomDetect]:
    """Interfaces and VCs of `show queueing random-detect`, or of that part of `show queueing`.

    One with an unknown line is declined. Without records only if IOS prints its head without an
    interface: no interface has WRED.

    Raises
    ------
    LayoutError
        If no part of `show queueing` begins.
    """
    return _read_sections(Output(text, file, first_line, _EXPECTED), _WRED, _random_detect)


def read_fair_queueing(text: str, file: str, first_line: int = 1) -> Reading[FairQueueing]:
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
    read: Callable[[Output, Block], Reading[Record]],
) -> Reading[Record]:
    """Read the parts with these names, and judge the lines of the parts that are not read."""

    def read_part(block: Block) -> Reading[Record]:
        if block.name in names:
            return read(output, block)
        if block.name in _UNREAD_SECTIONS:
            _pass_over(output, block.lines)
        elif block.name not in _FAIR | _WRED:
            raise output.unknown(block.head)
        return Reading(())

    sections = read_blocks(
        output, Part.SECTION, blocks_of(output.lines(), _section_name), read_part
    )
    records = chain.from_iterable(section.records for section in sections.records)
    parts = chain.from_iterable(section.declined for section in sections.records)
    return Reading(tuple(records), (*sections.declined, *parts))


def _section_name(line: ShownLine) -> str | None:
    head = _SECTION.fullmatch(line.text)
    return None if head is None else head[1]


def _pass_over(output: Output, lines: Iterable[ShownLine]) -> None:
    for line in lines:
        if not _LIST_ROW.fullmatch(line.text):
            raise output.unknown(line)


def _random_detect(output: Output, section: Block) -> Reading[RandomDetect]:
    blocks = blocks_of(section.lines, _wred_name)
    if not blocks.blocks and not blocks.before:
        return Reading(())

    def read(block: Block) -> RandomDetect:
        head = _WRED_INTERFACE.fullmatch(block.head.text)
        if head is None:
            raise output.unknown(block.head)
        circuit = None if head[3] is None else _circuit(head[2], head[3])
        draft = RandomDetectDraft(head[1], circuit, output.at(block.head))
        for line in block.lines:
            if not draft.take(line.text, output.at(line)):
                raise output.unknown(line)
        return draft.finished()

    return read_blocks(output, Part.INTERFACE, blocks, read)


def _wred_name(line: ShownLine) -> str | None:
    head = _WRED_INTERFACE.fullmatch(line.text)
    return None if head is None else head[0].removeprefix("Interface ")


def _fair(output: Output, section: Block) -> Reading[FairQueueing]:
    def read(row: Row) -> FairQueueing:
        cells, line = row
        return FairQueueing(
            interface=cells["interface"],
            discard_threshold_packets=whole(cells["discard_threshold"]),
            dynamic_queues=whole(cells["dynamic_queues"]),
            reserved_queues=whole(cells["reserved_queues"]),
            link_queues=count(cells["link_queues"] or None),
            priority_queues=count(cells["priority_queues"] or None),
            at=output.at(line),
        )

    return read_table("queueing_fair", output, section.lines, read)
