"""Sections of a capture to observations, and pairs of observations of outputs taken twice."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.capture.masking import mask_captured
from advisor.capture.outputs import Read, ShowOutput, outputs
from advisor.capture.sections import Capture, Section, SectionKind
from advisor.ground.units import NumeralError
from advisor.ios.syntax import Location
from advisor.shows.observations import Observations, TakenOutput
from advisor.shows.output import (
    Declined,
    LayoutError,
    Output,
    OutputPart,
    OutputReading,
    declined,
    shown_digits,
)

if TYPE_CHECKING:
    from advisor.shows.cpu import CpuLoad
    from advisor.shows.policy_map import ObservedPolicy

# Sections of a capture to observations: their records name the readers, errors are kept beside.

_FIGURE: Final = re.compile(r"(?<![\w./:-])\d+(?:\.\d+|(?:/\d+)+)?%?(?![\w./:-])")
_FREE_TEXT: Final = re.compile(r"\s*Description: ")
_LOAD_AHEAD: Final = "Load for five secs: "
_CPU: Final = "cpu"
_WITHOUT_COUNTERS: Final = ("versions", "inventory", "neighbors")

Reader = Callable[[str, str, int], Any]  # text, file, number of the first line


class _Gathered(Struct):
    """Observations while they are gathered."""

    by_field: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, name: str, records: Iterable[Any]) -> None:
        self.by_field.setdefault(name, []).extend(records)


def observe(sections: Iterable[Section], file: str) -> Observations:
    """Read the show outputs of a capture.

    A section whose layout is not known gives no observation and a `Taken` that says so, with the
    line; a part of a section that is not known costs the observations of this part. Nothing is
    raised, and all else is read.
    """
    seen = _Gathered()
    loaded: list[Section] = []
    for section in sections:
        if section.kind is SectionKind.SHOW:
            seen.add("taken", (_observe(section, section.file or file, seen),))
        if _LOAD_AHEAD in section.text and section.other_system is None:
            loaded.append(section)
    if loaded and not seen.by_field.get(_CPU):
        seen.add(_CPU, _busiest_ahead(loaded, file))
    if any(policy.is_part for policy in seen.by_field.get(_COUNTED, ())):
        seen.by_field[_COUNTED] = _with_parts_joined(seen.by_field[_COUNTED])
    return Observations(**{name: tuple(many) for name, many in seen.by_field.items()})


def _busiest_ahead(sections: Iterable[Section], file: str) -> Iterator["CpuLoad"]:
    """The highest load that `terminal exec prompt timestamp` printed, where no output has one."""
    from advisor.shows.cpu import read_load_ahead  # noqa: PLC0415 -- few logs have such lines

    loads = (
        read_load_ahead(section.shown, section.file or file, section.first_line)
        for section in sections
    )
    known = [load for load in loads if load is not None]
    if known:
        yield max(known, key=lambda load: load.one_minute_percent)


# Outputs of single classes: `show policy-map interface serial0/0 output class VOICE`.

_CLASS: Final = "class"
_COUNTED: Final = "policies"
_BY_CLASS: Final = (_COUNTED, "shown_policies")


def _with_parts_joined(policies: Sequence["ObservedPolicy"]) -> list["ObservedPolicy"]:
    """The policies of a device; a later output of single classes adds them to what is known."""
    joined: list[ObservedPolicy] = []
    for policy in policies:
        place = next((n for n, known in enumerate(joined) if _is_same(known, policy)), None)
        if place is None or not policy.is_part:
            joined.append(policy)
        else:
            joined[place] = _joined(joined[place], policy)
    return joined


def _is_same(known: "ObservedPolicy", policy: "ObservedPolicy") -> bool:
    own, other = (
        (item.interface, item.circuit, item.direction, item.policy) for item in (known, policy)
    )
    return own == other


def _joined(known: "ObservedPolicy", part: "ObservedPolicy") -> "ObservedPolicy":
    """A policy with the classes of a later part of it in place of the older ones."""
    later = {item.name: item for item in part.classes}
    classes = [later.pop(item.name, item) for item in known.classes]
    return replace(
        known,
        classes=(*classes, *later.values()),
        priority_queues=part.priority_queues or known.priority_queues,
        unread=tuple(dict.fromkeys((*known.unread, *part.unread))),
    )


def _observe(section: Section, file: str, seen: _Gathered) -> TakenOutput:
    command = section.command or "show output"
    time = str(section.time) if section.time is not None else None
    at = Location(file, section.first_line)
    system = section.other_system
    if system is not None:
        said = f"{at}: {mask_captured(command)} of {system}, not read"
        return TakenOutput(command, said, time, understood=False, at=at, is_read=False)
    output = outputs().get(section.taken_for or "")
    reads = [read for read in output.reads if _is_read(read, section)] if output else []
    is_part = section.line_filter is not None
    if output is None or not (reads or (output.reads and not is_part)):
        return _not_read(command, time, at, section if is_part else None)
    fault: LayoutError | None = None
    try:
        reading = _read(section, file, reads, seen)
    except NumeralError as error:
        fault = _beyond(section, file, error)
    except LayoutError as error:
        fault = None if is_part else error
    else:
        parts = (*reading.declined, *_cut(section, file, output, reading.declined))
        if reading.records or not is_part:
            return TakenOutput(
                command, str(section), time, understood=not parts, at=at, declined=parts
            )
    if fault is None:
        return _not_read(command, time, at, section if is_part else None)
    return TakenOutput(command, str(fault), time, understood=False, at=fault.at)


def _not_read(command: str, time: str | None, at: Location, part: Section | None) -> TakenOutput:
    """An output that is kept alone: `part` is the rest of one whose lines a filter took out."""
    why = "kept, not read" if part is None else "filtered, not read"
    said = f"{mask_captured(command)}: {why}"
    counts = part is not None and _counts(part)
    return TakenOutput(command, said, time, understood=True, at=at, is_read=False, counts=counts)


def _counts(section: Section) -> bool:
    """Whether lines of an output that is read as a whole hold figures: names of ports are none."""
    output = outputs().get(section.taken_for or "")
    is_count = (section.line_filter or "").startswith("count")
    if output is None or is_count or all(r.field in _WITHOUT_COUNTERS for r in output.reads):
        return False
    lines = section.output.splitlines()
    return any(_FIGURE.search(line) and not _FREE_TEXT.match(line) for line in lines)


def _read(
    section: Section, file: str, reads: Iterable[Read], seen: _Gathered
) -> OutputReading[Any]:
    """Read an output: its records, and the parts of it that are not understood."""
    text = section.shown
    records: list[Any] = []
    parts: dict[Declined, None] = {}  # two readers of one output decline the same part once
    for read in reads:
        reading = _as_reading(reader_of(read)(text, file, section.first_line))
        if read.field in _BY_CLASS and _CLASS in section.arguments[:-1]:
            parts_of = tuple(replace(record, is_part=True) for record in reading.records)
            reading = replace(reading, records=parts_of)
        seen.add(read.field, reading.records)
        records += reading.records
        parts |= dict.fromkeys(reading.declined)
    return OutputReading(tuple(records), tuple(parts))


def _cut(
    section: Section, file: str, output: ShowOutput | None, parts: Iterable[Declined]
) -> Iterator[Declined]:
    """An output whose last line is one behind which IOS prints another; a reader may say it too."""
    if output is None or section.line_filter is not None or any(part.is_cut for part in parts):
        return
    shown = Output(section.shown, file, section.first_line, mask_captured(section.command or ""))
    last = next(iter(deque(shown.lines(), maxlen=1)), None)
    if last is not None and any(re.fullmatch(end, last.text) for end in output.goes_on):
        error = shown.ends(last, "the line that follows this one")
        yield declined(OutputPart.LINES, "", error.at, error)


def _as_reading(result: Any) -> OutputReading[Any]:  # noqa: ANN401 -- each reader has its own records
    if isinstance(result, OutputReading):
        return result
    if isinstance(result, tuple):
        return OutputReading(result)
    return OutputReading(() if result is None else (result,))


def _beyond(section: Section, file: str, error: NumeralError) -> LayoutError:
    """A number that no counter holds, as the line of an unknown layout that it stands in."""
    start = max(section.text.find(error.text), 0)
    line = section.first_line + section.text.count("\n", 0, start)
    said = shown_digits(error.text)
    return LayoutError(Location(file, line), said, mask_captured(section.command or "show output"))


def _is_read(read: Read, section: Section) -> bool:
    """Whether an output is read: what begins late is whole from there, other parts are not."""
    line_filter = section.line_filter
    is_whole = line_filter is None or line_filter.startswith("begin")
    return read.mark in section.text and (is_whole or read.by_line)


@cache
def reader_of(read: Read) -> Reader:
    """The function that a record names; its module is imported now."""
    module, _, name = read.reader.partition(":")
    reader: Reader = getattr(import_module(f"advisor.shows.{module}"), name)
    return reader


# Outputs that were taken twice, as pairs of observations with the time between them.

_LEAST_S: Final = 0.9  # samples that are closer together give no usable rate


class SamplePair(Struct, frozen=True):
    """Observations of one command, and those of the same command `over_s` seconds later."""

    before: Observations
    after: Observations
    over_s: float


def sample_pairs(capture: Capture) -> Iterator[SamplePair]:
    """The outputs that a capture has twice; none where a time is not known."""
    for earlier in capture.earlier:
        later = next(
            (section for section in capture.sections if section.command == earlier.command), None
        )
        over_s = None if later is None else _between_s(earlier, later)
        if later is not None and over_s is not None:
            yield SamplePair(observe([earlier], earlier.file), observe([later], later.file), over_s)


def _between_s(earlier: Section, later: Section) -> float | None:
    if earlier.time is None or later.time is None:
        return None
    seconds = (later.time.local - earlier.time.local).total_seconds()
    return seconds if seconds >= _LEAST_S else None
