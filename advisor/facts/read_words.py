"""A cursor over the words of one command; a word that it cannot take is a GrammarError."""

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final, NoReturn, TypeVar

from advisor.facts import Stated, ranges
from advisor.facts.config import Area, Unread
from advisor.facts.ranges import Range
from advisor.ground.units import bps_from_kbps, decimal, whole
from advisor.ios.grammar import headed_rows
from advisor.ios.syntax import Line, Location
from advisor.ios.syntax.abbreviations import Doubt

T = TypeVar("T")

_LONGEST_NUMBER = 15  # digits; settings of IOS are shorter, and `whole` takes more
_RATE = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)([kmg]?)", re.ASCII | re.IGNORECASE)
_DECIMAL = re.compile(r"\d{1,15}(?:\.\d{1,9})?", re.ASCII)
_REMOVERS = ("no", "default")
MAX_RATE_BPS = 1e12


class GrammarError(Exception):
    """The words are not a command that is read here; `takes` is the range of a number."""

    takes: Range | None = None


class RangeError(GrammarError):
    """A number is outside of the range that IOS takes."""

    def __init__(self, word: str, takes: Range) -> None:
        super().__init__(f"{word}: not a number from {takes.low} to {takes.high}")
        self.takes = takes


def whole_number(word: str, low: int, high: int) -> int:
    """Whole number within bounds, as IOS checks them.

    Raises
    ------
    GrammarError
        If `word` is not a decimal number or is outside `low`..`high`.
    """
    if word.isdecimal() and word.isascii():
        if len(word) <= _LONGEST_NUMBER:
            number = whole(word)
            if low <= number <= high:
                return number
        raise RangeError(word, Range(low, high))
    raise GrammarError(f"{word}: not a number")


class Words:
    """The words of a command, read from left to right; a leading `no` is `negated`."""

    __slots__ = ("at", "line", "lower", "negated", "position", "words")

    def __init__(self, line: Line, at: Location) -> None:
        self.line = line
        self.at = at
        self.words = line.text.split()
        self.lower = line.text.lower().split()
        self.lower.append("")  # the end
        self.negated = self.lower[0] in _REMOVERS
        self.position = 1 if self.negated else 0

    def peek(self) -> str | None:
        """The next word in lower case, None at the end."""
        return self.lower[self.position] or None

    def take(self) -> str:
        """Take any word as it is written."""
        position = self.position
        if not self.lower[position]:
            raise GrammarError("a word is missing")
        self.position = position + 1
        return self.words[position]

    def accept(self, *keywords: str) -> str | None:
        """Take the next word if it is one of `keywords`; None otherwise."""
        word = self.lower[self.position]
        if word not in keywords:
            return None
        self.position += 1
        return word

    def expect(self, *keywords: str) -> str:
        word = self.accept(*keywords)
        if word is None:
            raise GrammarError(f"needs one of {', '.join(keywords)}")
        return word

    def whole(self, low: int, high: int) -> int:
        return whole_number(self.take(), low, high)

    def within(self, takes: Range) -> int:
        """Take a whole number of a range."""
        return self.whole(takes.low, takes.high)

    def maybe_within(self, takes: Range) -> int | None:
        """Take a whole number of a range if the next word is a number."""
        return self.maybe_whole(takes.low, takes.high)

    def maybe_whole(self, low: int, high: int) -> int | None:
        """Take a whole number if the next word is one; None at the end or before a keyword."""
        number = self.lower[self.position][:1].isdecimal()
        return self.whole(low, high) if number else None

    def decimal(self, takes: Range) -> float:
        """Take a number that may have a fraction: `percent 12.5`."""
        word = self.take()
        if not _DECIMAL.fullmatch(word):
            raise GrammarError(f"{word}: not a number")
        if takes.low <= decimal(word) <= takes.high:
            return decimal(word)
        raise RangeError(word, takes)

    def rate_bps(self) -> float:
        """Take a rate in bit/s: `512000`, `10m`, `8000 bps`, `10 mbps`."""
        match = _RATE.fullmatch(self.take())
        if match is None:
            raise GrammarError("not a rate")
        unit = match[2].lower() or (self.accept("bps", "kbps", "mbps", "gbps") or "b")[0]
        rate = decimal(match[1])
        for _ in range("bkmg".index(unit)):
            rate = bps_from_kbps(rate)
        if not 0 < rate <= MAX_RATE_BPS:
            raise GrammarError("rate out of range")
        return rate

    def rest(self) -> tuple[str, ...]:
        """Take all remaining words."""
        remaining = tuple(self.words[self.position :])
        self.position = len(self.words)
        return remaining

    def end(self) -> None:
        """Refuse words that nothing has read."""
        if self.lower[self.position]:
            raise GrammarError(f"{self.words[self.position]}: not known here")

    def stated(self, number: int | None) -> Stated[int] | None:
        """A number with its line; None for 0, for no number, and where the command is negated."""
        return Stated(number, self.at) if number and not self.negated else None

    def stated_within(self, takes: Range) -> Stated[int] | None:
        """Whole number of a range with its line; None where the command is negated."""
        return self.stated_whole(takes.low, takes.high)

    def stated_whole(self, low: int, high: int) -> Stated[int] | None:
        """Whole number with its line; None where the command is negated."""
        if self.negated:
            return None
        stated = Stated(self.whole(low, high), self.at)
        self.end()
        return stated


class Ledger:
    """Counts the lines of QoS and DLSw sections, and keeps those that were not understood."""

    __slots__ = ("_read", "doubts", "file", "seen", "understood", "unread")

    def __init__(self, file: str) -> None:
        self.file = file
        self.doubts: dict[int, Doubt] = {}  # by the identity of the line
        self._read: set[int] = set()
        self.seen = 0
        self.understood = 0
        self.unread: list[Unread] = []

    def at(self, line: Line) -> Location:
        return Location(self.file, line.number)

    def read(
        self, line: Line, under: str, reader: Callable[[Words], T], area: Area = Area.QOS
    ) -> T | None:
        """Result of `reader` for the line; None, and the line is unread, on a GrammarError.

        IOS refuses a line with a word in doubt, which a reader might take for a name.
        """
        self.seen += 1
        self._read.add(id(line))
        at = Location(self.file, line.number)
        doubt = self.doubts.get(id(line))
        try:
            result = (reader if doubt is None else unknown)(Words(line, at))
        except GrammarError as error:
            self.unread.append(Unread(area, line.text, under, at, error.takes, doubt))
            return None
        self.understood += 1
        return result

    def has(self, line: Line) -> bool:
        """Whether a reader had the line."""
        return id(line) in self._read

    def refused(self, line: Line, under: str, error: RangeError) -> None:
        """Keep a line of an interface that IOS would refuse; coverage does not count it."""
        where = Location(self.file, line.number)
        self.unread.append(Unread(Area.INTERFACE, line.text, under, where, error.takes))


QUEUEING_TYPES: Final = frozenset(("queueing", "queuing", "qos", "network-qos"))


def read_typed(line: Line, under: str, ledger: Ledger) -> bool:
    """Whether a line has a `type`; a type that queues is reported with all lines below it.

    `type inspect`, `access-control` and others are not QoS: they are neither read nor counted.
    """
    words = line.text.lower().split()
    if "type" not in words[1:-1]:
        return False
    if words[words.index("type") + 1] in QUEUEING_TYPES:
        for member in line.walk():
            if member.is_command:
                ledger.read(member, under if member is line else line.text, unknown)
    return True


def known(words: Words) -> None:
    """A command of the grammar whose setting is not used."""
    words.rest()


def unknown(words: Words) -> NoReturn:
    """A QoS command that is deliberately not read: it is reported."""
    raise GrammarError(words.line.text)


# Readers of commands: the rows of `ios/grammar/facts.txt`.

_ROWS: Final = headed_rows("facts")


def meanings(section: str) -> Iterator[tuple[str, str]]:
    """Each command of a section, and what is done with the words behind it."""
    for row in _ROWS[section]:
        names, _, meaning = row.partition(" > ")
        for name in names.split(", "):
            yield name, meaning


def named_reader(name: str) -> Callable[..., Any]:
    """The function of this package that a row names."""
    module, _, function = name.partition(":")
    reader: Callable[..., Any] = getattr(import_module(f"advisor.facts.{module}"), function)
    return reader


def readers_of(section: str) -> Mapping[str, Callable[..., Any]]:
    """The reader of each command of a section; it takes the draft and the words."""
    return MappingProxyType({name: _reader(meaning) for name, meaning in meanings(section)})


def _reader(meaning: str) -> Callable[..., Any]:
    match meaning.split():
        case ["known"]:
            return lambda _, words: known(words)
        case ["unknown"]:
            return lambda _, words: unknown(words)
        case ["number", field, takes]:
            return _setter(field, lambda words: words.stated_within(getattr(ranges, takes)))
        case ["text", field]:
            return _setter(field, _text)
        case ["flag", field]:
            return _setter(field, _flag)
        case _:
            return named_reader(meaning)


def _setter(field: str, read: Callable[[Words], object]) -> Callable[[object, Words], None]:
    return lambda draft, words: setattr(draft, field, read(words))


def _text(words: Words) -> Stated[str] | None:
    text = " ".join(words.rest())
    return None if words.negated else Stated(text, words.at)


def _flag(words: Words) -> Stated[bool] | None:
    words.end()
    return None if words.negated else Stated(value=True, at=words.at)
