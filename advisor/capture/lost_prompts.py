"""Where an output starts whose prompt is lost: behind a configuration or another output."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.capture.commands import command_parts
from advisor.capture.outputs import CPU, RUNNING_CONFIG, VERSION
from advisor.capture.recognise import recognise
from advisor.ios.syntax.lines import TextLines
from advisor.ios.syntax.opaque import outside_free_text

_POLICIES: Final = "show policy-map"
_MOST_AHEAD: Final = 4  # lines between the name of an interface and its policy
_NAME_AHEAD: Final = re.compile(
    r"\s*$|\s{0,2}(?:[A-Z][A-Za-z-]{1,30} ?\d\S*|VC \d\S*|Control Plane)\s*(?:[:-].*)?$"
)


class _Opening(Struct, frozen=True):
    """A line that begins an output of `command` and stands in no other but those of `inside`.

    `mark` is a part of it that is cheap to look for; `behind` must be in the line that follows.
    """

    command: str
    mark: str
    line: re.Pattern[str]
    behind: str = ""
    inside: tuple[str, ...] = ()


_SLA: Final = ("show ip sla", "show rtr")
# Outputs that repeat what others print, or other layouts that begin alike.
_HOLD_OTHERS: Final = (
    *("show archive", "show file", "show history", "show logging", "show policy-map "),
    *("show interfaces ", "show processes", "show dlsw", "show queueing", "show crashinfo"),
)
_OPENINGS: Final = tuple(
    _Opening(command, mark, re.compile(line), behind, inside)
    for command, mark, line, behind, inside in (
        (
            *("show policy-map interface", "ervice-policy "),
            *(r"\s*Service-policy (?:\(?\w+\)? )?(?:input|output) ?: ?\S", "", (_POLICIES,)),
        ),
        (
            *("show interfaces", ", line protocol is ", r"\S.{0,60}? is .*, line protocol is "),
            *("Hardware is ", ()),
        ),
        (CPU, "CPU utilization", r"CPU utilization for five seconds:[^,]*;", "", ()),
        (
            *(VERSION, "Cisco I", r"Cisco (?:IOS(?: XE)?|Internetwork Operating System) Software"),
            *("", ("show cdp", "show dlsw")),
        ),
        (RUNNING_CONFIG, "Building config", r"Building configuration\.\.\.", "", ()),
        ("show ip sla statistics", "PSLA", r"IPSLAs? (?:Latest|[Aa]ggregated)", "", _SLA),
        (
            *("show ip sla statistics", "Trip"),
            *(r"Round [Tt]rip [Tt]ime \(RTT\)(?: for)?\s+Index", "", _SLA),
        ),
        (
            *("show queueing interface", "strategy:", r"Interface \S+ queueing strategy:"),
            *("", ("show queue",)),
        ),
        ("show dlsw peers", "Peers:", r"Peers:\s+state", "", ()),
        ("show dlsw circuits", "local addr(lsap)", r"Index\s+local addr\(lsap\)", "", ()),
    )
)


def output_starts(text: TextLines, command: str | None, file: str) -> Iterator[int]:
    """Yield the row where another output starts in the text that stands below a command.

    Lines of banners, and of outputs that are filtered, do not count. An output that
    goes on with another of its kind is one. `command` is None where none is typed: the first lines
    tell it.
    """
    lines = text.lines
    openings = [opening for opening in _OPENINGS if opening.mark in text.text]
    if not openings:
        return
    current = command or recognise(text, file).command or ""
    if not _may_end(current):
        return
    if current.startswith("show ") and command_parts(current).output is None:
        openings = [opening for opening in openings if opening.command != VERSION]
    start = -1
    for row, opening in _opened(text, openings):
        if current.startswith((opening.command, *opening.inside)):
            continue
        current = opening.command
        head = _with_name_ahead(lines, row, start) if opening.inside == (_POLICIES,) else row
        start = row
        if any(line.strip()[:1] not in ("", "!") for line in lines[:head]):
            yield head


def _opened(text: TextLines, openings: Sequence[_Opening]) -> Iterator[tuple[int, _Opening]]:
    """The rows outside of free text that begin an output, with the first opening that fits."""
    by_row: dict[int, _Opening] = {}
    for opening in openings:
        for row, line in enumerate(text.lines):
            if opening.mark in line and row not in by_row and _opens(opening, text.lines, row):
                by_row[row] = opening
    return ((row, by_row[row]) for row in outside_free_text(text, sorted(by_row)))


def _may_end(command: str) -> bool:
    """Whether what stands below a command may be more than its output."""
    if not command.startswith("show "):
        return True
    parts = command_parts(command)
    is_own = parts.output is not None or not command.startswith(_HOLD_OTHERS)
    return is_own and parts.line_filter is None


def _opens(opening: _Opening, lines: Sequence[str], index: int) -> bool:
    if opening.line.match(lines[index]) is None:
        return False
    behind = lines[index + 1] if index + 1 < len(lines) else ""
    return opening.behind in behind


def _with_name_ahead(lines: Sequence[str], index: int, start: int) -> int:
    """First of the lines that name the interface or the circuit of a policy."""
    head = index
    for ahead in range(index - 1, max(index - 1 - _MOST_AHEAD, start), -1):
        if not _NAME_AHEAD.match(lines[ahead]):
            break
        head = ahead if lines[ahead].strip() else head
    return head
