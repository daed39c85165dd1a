"""The `show queueing` family: per interface, fair, random-detect, or all of it.

Sources: ipSpace QoS pages (interface, 12.4), the Cisco IOS Quality of Service Solutions Command
Reference 12.2 and 12.3, `show queueing` and `show queueing interface` (VC, random-detect, fair).
"""

import re
from collections.abc import Iterable
from typing import Final

from advisor.ios.syntax.tree import Location
from advisor.shows.figures import count
from advisor.shows.flat_table import read_table
from advisor.shows.indent import ShownLine
from advisor.shows.interfaces.queue_lines import queue_state, take_queue_line
from advisor.shows.output import Output
from advisor.shows.queueing.records import (
    CircuitId,
    FairQueueing,
    InterfaceQueueing,
    Queueing,
    RandomDetect,
)
from advisor.shows.queueing.wred import RandomDetectDraft
from advisor.units import whole

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
_UNREAD_SECTIONS: Final = frozenset({"DLCI priority queue", "priority queue", "custom queue"})


def read_queueing_interface(
    text: str, file: str, first_line: int = 1
) -> tuple[InterfaceQueueing, ...]:
    """Interfaces and VCs of a `show queueing interface` output.

    Raises
    ------
    LayoutError
        At a line of another layout, and if the output names no interface.
    """
    output = Output(text, file, first_line, "show queueing interface")
    drafts: list[_InterfaceDraft] = []
    for line in output.lines():
        started = _started(line, output.at(line))
        if started is not None:
            drafts.append(started)
        elif not drafts or not drafts[-1].take(line.text, output.at(line)):
            raise output.unknown(line)
    if not drafts:
        raise output.nothing()
    return tuple(draft.finished() for draft in drafts)


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


def read_random_detect(text: str, file: str, first_line: int = 1) -> tuple[RandomDetect, ...]:
    """Interfaces and VCs of a `show queueing random-detect` output.

    Empty only if IOS prints its head without an interface: no interface has WRED.

    Raises
    ------
    LayoutError
        At a line of another layout, and if the head is missing.
    """
    return _only("random-detect", text, file, first_line).random_detect


def read_fair_queueing(text: str, file: str, first_line: int = 1) -> tuple[FairQueueing, ...]:
    """Rows of a `show queueing fair` output.

    Empty only if IOS prints its head without a row: no interface has a fair queue.

    Raises
    ------
    LayoutError
        At a line of another layout, and if the head is missing.
    """
    return _only("fair", text, file, first_line).fair


def _only(part: str, text: str, file: str, first_line: int) -> Queueing:
    return _queueing(Output(text, file, first_line, f"show queueing {part}"))


def read_fair_part(text: str, file: str, first_line: int = 1) -> tuple[FairQueueing, ...]:
    """Rows of the fair part of a `show queueing` output."""
    return read_queueing(text, file, first_line).fair


def read_random_detect_part(text: str, file: str, first_line: int = 1) -> tuple[RandomDetect, ...]:
    """Interfaces and VCs of the random-detect part of a `show queueing` output."""
    return read_queueing(text, file, first_line).random_detect


def read_queueing(text: str, file: str, first_line: int = 1) -> Queueing:
    """Read `show queueing`: the fair and random-detect parts. The lists are skipped.

    Raises
    ------
    LayoutError
        At a line of another layout, and if no part begins.
    """
    return _queueing(Output(text, file, first_line, "show queueing"))


def _queueing(output: Output) -> Queueing:
    sections: list[tuple[str, ShownLine, list[ShownLine]]] = []
    for line in output.lines():
        head = _SECTION.fullmatch(line.text)
        if head is not None:
            sections.append((head[1], line, []))
        elif not sections:
            raise output.unknown(line)
        else:
            sections[-1][2].append(line)
    if not sections:
        raise output.nothing()
    fair: list[FairQueueing] = []
    random_detect: list[RandomDetect] = []
    for name, head_line, lines in sections:
        if name == "fair queue":
            fair += _fair(output, lines)
        elif name in ("random-detect", "RED queue"):
            random_detect += _random_detect(output, lines)
        elif name in _UNREAD_SECTIONS:
            _pass_over(output, lines)
        else:
            raise output.unknown(head_line)
    return Queueing(tuple(fair), tuple(random_detect), output.at(sections[0][1]))


def _pass_over(output: Output, lines: Iterable[ShownLine]) -> None:
    for line in lines:
        if not _LIST_ROW.fullmatch(line.text):
            raise output.unknown(line)


def _random_detect(output: Output, lines: Iterable[ShownLine]) -> list[RandomDetect]:
    drafts: list[RandomDetectDraft] = []
    for line in lines:
        head = _WRED_INTERFACE.fullmatch(line.text)
        if head is not None:
            circuit = None if head[3] is None else _circuit(head[2], head[3])
            drafts.append(RandomDetectDraft(head[1], circuit, output.at(line)))
        elif not drafts or not drafts[-1].take(line.text, output.at(line)):
            raise output.unknown(line)
    return [draft.finished() for draft in drafts]


def _fair(output: Output, lines: Iterable[ShownLine]) -> list[FairQueueing]:
    return [
        FairQueueing(
            interface=row["interface"],
            discard_threshold_packets=whole(row["discard_threshold"]),
            dynamic_queues=whole(row["dynamic_queues"]),
            reserved_queues=whole(row["reserved_queues"]),
            link_queues=count(row["link_queues"] or None),
            priority_queues=count(row["priority_queues"] or None),
            at=output.at(line),
        )
        for row, line in read_table("queueing_fair", output, lines)
    ]
