"""Captures without secrets that read as before: what a reader lost behind the mask comes back."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Final

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.capture.masking import document
from advisor.capture.masking.outputs import mask_output
from advisor.capture.masking.words import paged, with_demanded
from advisor.capture.sections import Capture, Section, SectionKind
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.shows.observe import observe

_DIGITS: Final = re.compile(r"\d+")
_MOST_READINGS: Final = 400
_MOST_CHARACTERS: Final = 10_000_000  # that are read again for one output
_MOST_ROWS: Final = 3  # of a line that the terminal or IOS broke
_WHOLE: Final = -1  # the part of an output that is not understood from its start


def redact_text(text: str, name: str, secrets: Iterable[str] = ()) -> str:
    """Return a file without secrets; see `document.redact_text`."""
    return document.redact_text(text, name, secrets, as_it_was_read)


def redact_capture(
    capture: Capture, secrets: Iterable[str] = (), before_each: Callable[[], None] = lambda: None
) -> Capture:
    """Return a capture without secrets; see `document.redact_capture`."""
    return document.redact_capture(capture, secrets, before_each, as_it_was_read)


def as_it_was_read(section: Section, masked: str) -> str:
    """Return the masked text of a section, its lost lines with the words that their reader demands.

    A line is lost if its reader understood it and no longer does, or the other way round. Of a part
    of an output that was not understood as it was captured, nothing comes back.
    """
    lines, kept = section.text.split("\n"), masked.split("\n")
    is_config = section.kind is SectionKind.CONFIG
    is_output = section.kind is SectionKind.SHOW and section.taken_for is not None
    if masked == section.text or len(lines) != len(kept) or not (is_config or is_output):
        return masked
    reading = (_ConfigReading if is_config else _OutputReading)(section, lines)
    if is_output and not reading.lost(kept):
        return masked
    reading.unread = frozenset(reading.not_understood("\n".join(lines)).values())
    masked_rows = {row for row, line in enumerate(lines) if kept[row] != line}
    while True:
        lost = ((row, range(row, row + reading.most_rows)) for row in reading.lost(kept))
        firsts = ((next((at for at in rows if at in masked_rows), None), row) for row, rows in lost)
        broken = {at: row for at, row in firsts if at is not None}
        if not broken:
            return "\n".join(kept)
        for at, row in broken.items():
            masked_rows.remove(at)
            kept[at] = reading.mended(at, row, kept[at]) or kept[at]


class _Rereading(Struct):
    """Reads a section again and again, with one line or another in it, within limits.

    Lines that differ in their numbers alone are asked about once.
    """

    section: Section
    lines: list[str]
    unread: frozenset[int] = frozenset()  # where parts begin that were not understood as captured
    left: int = _MOST_READINGS
    _answers: dict[tuple[int, str, str], bool] = field(default_factory=dict)

    most_rows: ClassVar[int] = 1
    is_output: ClassVar[bool] = False

    def not_understood(self, text: str) -> Mapping[int, int]:
        """Rows of the lines that are not understood, each with the row where its part begins."""
        raise NotImplementedError

    def lost(self, lines: list[str]) -> Mapping[int, int]:
        """The rows that are not understood, and were as they were captured."""
        if self.left <= 0 or _WHOLE in self.unread:
            return {}
        text = "\n".join(lines)
        self.left -= 1 + len(text) * _MOST_READINGS // _MOST_CHARACTERS
        return self.changed(self.not_understood(text))

    def loses(self, at: int, row: int, line: str) -> bool:
        """Whether a line in the place of a captured one is lost, or the row that it is part of."""
        return bool(self.lost([*self.lines[:at], line, *self.lines[at + 1 :]]).keys() & {row, at})

    def changed(self, rows: Mapping[int, int]) -> Mapping[int, int]:
        return {row: start for row, start in rows.items() if start not in self.unread}

    def shown(self, _masked: str, text: str) -> Sequence[str]:
        """The words of a line, from its first, that may be shown, the others replaced."""
        return mask_output(text).split()

    def mended(self, at: int, row: int, masked: str) -> str | None:
        """A row, masked so that the line that it is a part of is understood; else None."""
        text = paged(self.lines[at])
        if not text.rstrip("\r").replace("\t", " ").isprintable():
            return None  # what hides a word is not written
        numbers, shape = _DIGITS.findall(text), _DIGITS.sub("0", text)

        def accepts(line: str) -> bool:
            own = iter(numbers)
            same = _DIGITS.sub(lambda found: "0" if found[0] == next(own, "") else "1", line)
            key = at - row, shape, same
            if key not in self._answers:
                self._answers[key] = self.left > 0 and not self.loses(at, row, line)
            return self._answers[key]

        words, shown = text.split(), self.shown(masked, text)
        hidden = [word != as_shown for word, as_shown in zip(words, shown, strict=False)]
        hidden += [True] * (len(words) - len(hidden))
        mended = with_demanded(text, hidden, accepts, is_output=self.is_output)
        return mended if self.left > 0 else None  # beyond the limits nothing is known of a word


class _OutputReading(_Rereading):
    """Reads a show output: a line is understood unless it costs its part."""

    most_rows: ClassVar[int] = _MOST_ROWS
    is_output: ClassVar[bool] = True

    def not_understood(self, text: str) -> Mapping[int, int]:
        first = self.section.first_line
        (taken,) = observe([replace(self.section, text=text)], self.section.file).taken
        if taken.understood or taken.at is None:
            return {}
        if not taken.declined:
            return {taken.at.line - first: _WHOLE}
        return {part.at.line - first: part.start.line - first for part in taken.declined}


class _ConfigReading(_Rereading):
    """Reads a configuration: a line in doubt must stay in doubt, and no other may get into it.

    A line is tried in its section alone, where that reads as it does in its configuration.
    """

    _starts: list[int] = field(default_factory=list)  # first rows of the sections
    _reads_alone: dict[int, bool] = field(default_factory=dict)  # by first row

    def not_understood(self, text: str) -> Mapping[int, int]:
        rows = self._in_doubt(text, 0)
        return dict(zip(rows, rows, strict=True))

    def loses(self, at: int, row: int, line: str) -> bool:
        self._starts = self._starts or [
            top.number - 1 for top in parse_config("\n".join(self.lines)).lines
        ]
        place = bisect_right(self._starts, at)
        first, end = self._starts[place - 1], (*self._starts, len(self.lines))[place]
        own = self.lines[first:end]
        if first not in self._reads_alone:
            doubted = self._in_doubt("\n".join(own), first)
            self._reads_alone[first] = self.unread.intersection(range(first, end)) == {*doubted}
        if not self._reads_alone[first]:
            return super().loses(at, row, line)
        self.left -= 1
        own[at - first] = line
        return (at in self._in_doubt("\n".join(own), first)) != (at in self.unread)

    def _in_doubt(self, text: str, first: int) -> list[int]:
        """Rows of the lines in doubt in a text that begins at a row."""
        start = self.section.first_line
        facts = read_facts(parse_config(text, self.section.file, start + first))
        return [line.at.line - start for line in facts.unread]

    def changed(self, rows: Mapping[int, int]) -> Mapping[int, int]:
        differing = sorted(self.unread.symmetric_difference(rows))
        return dict(zip(differing, differing, strict=True))

    def shown(self, masked: str, _text: str) -> Sequence[str]:
        return masked.split()
