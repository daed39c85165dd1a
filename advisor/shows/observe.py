"""Sections of a capture to observations: their records name the readers, errors are kept beside."""

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any

from msgspec import Struct, field

from advisor.capture import Section, SectionKind
from advisor.capture.masking import mask_captured
from advisor.capture.outputs import outputs
from advisor.capture.show_output import Read
from advisor.ios.syntax.tree import Location
from advisor.shows.layout import Declined, LayoutError, Reading
from advisor.shows.observations import Observations, Taken
from advisor.shows.output import shown_digits
from advisor.units import NumeralError

Reader = Callable[[str, str, int], Any]  # text, file, number of the first line


class _Seen(Struct):
    """Observations while they are gathered."""

    by_field: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, name: str, found: Any) -> tuple[Declined, ...]:  # noqa: ANN401 -- any record
        """Add what a reader found, and return the parts of the output that it declined."""
        if isinstance(found, Reading):
            self.add(name, found.records)
            return found.declined
        many = found if isinstance(found, tuple) else () if found is None else (found,)
        self.by_field.setdefault(name, []).extend(many)
        return ()


def observe(sections: Iterable[Section], file: str) -> Observations:
    """Read the show outputs of a capture.

    A section whose layout is not known gives no observation and a `Taken` that says so, with the
    line; a part of a section that is not known costs the observations of this part. Nothing is
    raised, and all else is read.
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
    system = section.other_system
    if system is not None:
        said = f"{at}: {mask_captured(command)} of {system}, not read"
        return Taken(command, said, time, understood=False, at=at, is_read=False)
    output = outputs().get(section.taken_for or "")
    if output is None or not output.reads:
        said = f"{mask_captured(command)}: kept, not read"
        return Taken(command, said, time, understood=True, at=at, is_read=False)
    parts: dict[Declined, None] = {}  # two readers of one output decline the same part once
    try:
        for read in output.reads:
            if _is_there(read, section):
                found = reader_of(read)(section.text, file, section.first_line)
                parts |= dict.fromkeys(seen.add(read.field, found))
    except NumeralError as error:
        beyond = _beyond(section, file, error)
        return Taken(command, str(beyond), time, understood=False, at=beyond.at)
    except LayoutError as error:
        return Taken(command, str(error), time, understood=False, at=error.at)
    return Taken(command, str(section), time, understood=not parts, at=at, declined=tuple(parts))


def _beyond(section: Section, file: str, error: NumeralError) -> LayoutError:
    """A number that no counter holds, as the line of an unknown layout that it stands in."""
    start = max(section.text.find(error.text), 0)
    line = section.first_line + section.text.count("\n", 0, start)
    said = shown_digits(error.text)
    return LayoutError(Location(file, line), said, mask_captured(section.command or "show output"))


def _is_there(read: Read, section: Section) -> bool:
    return read.mark in section.text and not (read.whole and section.line_filter is not None)


@cache
def reader_of(read: Read) -> Reader:
    """The function that a record names; its module is imported now."""
    module, _, name = read.reader.partition(":")
    reader: Reader = getattr(import_module(f"advisor.shows.{module}"), name)
    return reader
