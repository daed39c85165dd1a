"""Sections of a capture to observations: their records name the readers, errors are kept beside."""

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any, Final

from msgspec import Struct, field

from advisor.capture import Section, SectionKind
from advisor.capture.masking import mask_captured
from advisor.capture.outputs import outputs
from advisor.capture.show_output import Read
from advisor.ios.syntax.tree import Location
from advisor.shows.layout import LayoutError
from advisor.shows.observations import Observations, Taken
from advisor.units import NumeralError

Reader = Callable[[str, str, int], Any]  # text, file, number of the first line

_SHOWN_DIGITS: Final = 30  # of a number that is too long


class _Seen(Struct):
    """Observations while they are gathered."""

    by_field: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, name: str, value: Any) -> int:  # noqa: ANN401 -- each reader has its own type
        values = value if isinstance(value, tuple) else () if value is None else (value,)
        self.by_field.setdefault(name, []).extend(values)
        return len(values)


def observe(sections: Iterable[Section], file: str) -> Observations:
    """Read the show outputs of a capture.

    A section whose layout is not known gives no observation and a `Taken` that says so, with the
    line; nothing is raised and the others are still read.
    """
    seen = _Seen()
    for section in sections:
        if section.kind is SectionKind.SHOW:
            seen.add("taken", _observe(section, section.file or file, seen))
    return Observations(**{name: tuple(many) for name, many in seen.by_field.items()})


def _observe(section: Section, file: str, seen: _Seen) -> Taken:
    command = section.command or "show output"
    time = str(section.time) if section.time is not None else None
    at = Location(file, section.first_line)
    output = outputs().get(section.taken_for or "")
    reads = [read for read in output.reads if _is_read(read, section)] if output else []
    is_part = section.line_filter is not None
    if output is None or not (reads or (output.reads and not is_part)):
        return _not_read(command, time, at, is_part=is_part)
    try:
        count = _read(section, file, reads, seen)
    except NumeralError as error:
        beyond = _beyond(section, file, error)
        return Taken(command, str(beyond), time, understood=False, at=beyond.at)
    except LayoutError as error:
        if is_part:
            return _not_read(command, time, at, is_part=is_part)
        return Taken(command, str(error), time, understood=False, at=error.at)
    if is_part and not count:
        return _not_read(command, time, at, is_part=is_part)
    return Taken(command, str(section), time, understood=True, at=at)


def _not_read(command: str, time: str | None, at: Location, *, is_part: bool) -> Taken:
    """An output that is kept alone; `is_part` where a filter took lines out of it."""
    why = "filtered, not read" if is_part else "kept, not read"
    said = f"{mask_captured(command)}: {why}"
    return Taken(command, said, time, understood=True, at=at, is_read=False)


def _read(section: Section, file: str, reads: Iterable[Read], seen: _Seen) -> int:
    """Read an output; count the observations."""
    text = section.shown
    return sum(
        seen.add(read.field, reader_of(read)(text, file, section.first_line)) for read in reads
    )


def _beyond(section: Section, file: str, error: NumeralError) -> LayoutError:
    """A number that no counter holds, as the line of an unknown layout that it stands in."""
    start = max(section.text.find(error.text), 0)
    line = section.first_line + section.text.count("\n", 0, start)
    said = f"{error.text[:_SHOWN_DIGITS]}…" if len(error.text) > _SHOWN_DIGITS else error.text
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
