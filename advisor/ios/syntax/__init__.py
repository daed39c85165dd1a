"""An IOS text in lines, split once, and its syntax tree: every line, nested as IOS nests it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Final

from msgspec import Struct

from advisor.ios.terminal import typed_text


class LineKind(StrEnum):
    """Kinds of lines of a file."""

    COMMAND = "command"
    OPAQUE = "opaque"  # a command with a body that is not IOS grammar: banner, certificate, key
    COMMENT = "comment"  # starts with "!"
    BLANK = "blank"
    NOISE = "noise"  # header, prompt, pager residue, an error that IOS printed


_COMMANDS: Final = (LineKind.COMMAND, LineKind.OPAQUE)


class Location(Struct, frozen=True, gc=False):
    """A line of an input file; line 0 is an edit, or a flag of the command line in `file`."""

    file: str
    line: int

    @property
    def is_of_an_edit(self) -> bool:
        """Whether an edit made the line: what outputs showed before does not include it."""
        return self.line == 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


class Line(Struct, frozen=True, cache_hash=True, gc=False):
    """One command, comment, blank or noise line, with the lines nested under it.

    It keeps its hash: what is known of a section is kept by its line.

    `text` is the command as IOS reads it: stripped, and without terminal residue. `raw` is the
    text of the file with indentation and line end; for an opaque block, all its physical lines.
    `number` is the 1-based line of the file, 0 for a line that an edit made.
    """

    text: str
    number: int
    raw: str
    kind: LineKind = LineKind.COMMAND
    children: tuple["Line", ...] = ()

    @property
    def words(self) -> list[str]:
        return self.text.split()

    @property
    def is_command(self) -> bool:
        return self.kind in _COMMANDS

    def commands(self) -> Iterator["Line"]:
        """Nested commands, one level down, in document order."""
        return (child for child in self.children if child.is_command)

    def walk(self) -> Iterator["Line"]:
        """The line and all lines below it, in document order."""
        return _walk((self,))


def _walk(lines: tuple[Line, ...]) -> Iterator[Line]:
    """Lines and all lines below them; iterative, so depth has no limit."""
    stack = list(reversed(lines))
    while stack:
        line = stack.pop()
        yield line
        if line.children:
            stack.extend(reversed(line.children))


class ProblemKind(StrEnum):
    """The defects of a text itself."""

    UNTERMINATED = "unterminated"  # cut inside a banner, certificate or key
    REJECTED = "rejected"  # IOS printed "% Invalid input" and the like
    NO_END = "no end"  # starts as a complete config and has no `end`
    SHORT = "short"  # much shorter than `Current configuration : N bytes`
    OMITTED = "omitted"  # `<output omitted>`: whoever passed it on left a part out
    MISPLACED = "misplaced"  # a command of a section stands outside of every section
    CONFLICT = "conflict"  # a mark that version control left where two texts were not merged
    UNPLACED = "unplaced"  # not indented, and no known mode has the command


class Problem(Struct, frozen=True, gc=False):
    """A defect of the text that a rule reports."""

    kind: ProblemKind
    number: int
    detail: str

    @property
    def quotes(self) -> bool:
        """Whether `detail` is a line of the text; else it is words of this tool."""
        return self.kind not in (ProblemKind.NO_END, ProblemKind.SHORT, ProblemKind.OMITTED)

    @property
    def is_cut(self) -> bool:
        """Whether lines of the configuration are lost."""
        return self.kind is ProblemKind.UNTERMINATED or not self.quotes


class ConfigTree(Struct, frozen=True, dict=True):
    """A parsed configuration.

    `is_capture` is true if the text proves that a device printed it (`Building configuration`,
    `Current configuration : N bytes`, `ntp clock-period`, a comment with the time of the last
    change, a RANCID or Oxidized header, a prompt); otherwise it is a draft.
    """

    file: str
    lines: tuple[Line, ...]
    flat: bool = False
    is_capture: bool = False
    problems: tuple[Problem, ...] = ()

    def walk(self) -> Iterator[Line]:
        return _walk(self.lines)

    def may_hold(self, *parts: str) -> bool:
        """Whether a line holds one of these parts of words; asked ahead of a look at each line.

        The parts are in lower case, and the case of the lines does not count.
        """
        return any(part in self._lower for part in parts)

    @cached_property
    def _lower(self) -> str:
        return "\n".join(line.text for line in self.walk()).lower()

    def commands(self) -> Iterator[Line]:
        """Top-level commands in document order."""
        return iter(self._commands)

    @cached_property
    def _commands(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.is_command)

    def starting(self, *words: str) -> Iterator[Line]:
        """Top-level commands that begin with one of these words, in document order."""
        places = (place for word in words for place in self._by_first_word.get(word, ()))
        return (self._commands[place] for place in sorted(places))

    @cached_property
    def _by_first_word(self) -> Mapping[str, Sequence[int]]:
        places: dict[str, list[int]] = {}
        for place, line in enumerate(self._commands):
            places.setdefault(line.text.partition(" ")[0], []).append(place)
        return places

    def at(self, line: Line) -> Location:
        return Location(self.file, line.number)

    def text(self) -> str:
        """Print the tree: the text of the file, byte for byte if nothing was edited."""
        return "".join(line.raw for line in self.walk())


# The lines of a text, split once for every stage that reads it.
#
# Most lines of most texts matter to a few stages only. A stage asks for the rows that begin with
# its words, or that may hold a prompt, and matches its expressions on those alone.

_TAB_COLUMNS: Final = 8


class TextLines(Struct, frozen=True, dict=True, eq=False):
    """A text in lines, which keep their ends; rows count from 0. Compared by identity: large."""

    text: str
    lines: list[str]

    @cached_property
    def width(self) -> int:
        """Length of the longest line, without its line feed."""
        return max(map(len, self.text.split("\n")))

    @cached_property
    def bodies(self) -> list[str]:
        """Each line without the blanks around it."""
        return [line.strip() for line in self.lines]

    @cached_property
    def words(self) -> list[str]:
        """Return the text ahead of the first blank of each body."""
        return [body.partition(" ")[0] for body in self.bodies]

    @cached_property
    def rows_of(self) -> Mapping[str, list[int]]:
        """The rows that begin with each word, indented or not."""
        rows: dict[str, list[int]] = {}
        for row, word in enumerate(self.words):
            if word in rows:
                rows[word].append(row)
            else:
                rows[word] = [row]
        return rows

    def count_of(self, word: str) -> int:
        """How many rows begin with a word and go on behind it."""
        return sum(self.bodies[row] != word for row in self.rows_of.get(word, ()))

    @cached_property
    def marked(self) -> list[int]:
        """The rows with the last character of a prompt: no other row holds one."""
        if "#" not in self.text and ">" not in self.text:
            return []
        return [row for row, line in enumerate(self.lines) if "#" in line or ">" in line]

    @cached_property
    def typed(self) -> Mapping[int, str]:
        """Return the text typed at the prompts of configuration mode, by row."""
        typed = ((row, typed_text(self.lines[row])) for row in self.marked)
        return {row: command for row, command in typed if command != self.bodies[row]}

    def part(self, first: int, end: int) -> "TextLines":
        """The lines from one row to another, as a text of its own."""
        if not first and end >= len(self.lines):
            return self
        lines = self.lines[first:end]
        return TextLines("".join(lines), lines)

    def starting(self, words: Iterable[str]) -> list[int]:
        """The rows that begin with one of the words, in order."""
        rows_of = self.rows_of
        found = [rows_of[word] for word in words if word in rows_of]
        return found[0] if len(found) == 1 else sorted(row for rows in found for row in rows)

    def starting_so(self, is_meant: Callable[[str], bool]) -> list[int]:
        """The rows whose first word is meant, in order."""
        return self.starting([word for word in self.rows_of if is_meant(word)])

    def at_prompts_or(self, words: Collection[str]) -> list[int]:
        """The rows that begin with one of the words, and those typed at a prompt, in order."""
        rows = self.starting(words)
        return sorted({*rows, *self.typed}) if self.typed else rows

    def command(self, row: int) -> str:
        """A line without its indentation, and without the prompt that it may be typed at."""
        return self.typed.get(row, self.bodies[row])


@lru_cache(maxsize=4)  # a text is asked for by one stage after the other; most are short-lived
def lines_of(text: str) -> TextLines:
    """Split a text, for all stages that ask for its lines."""
    return TextLines(text, physical_lines(text))


def physical_lines(text: str) -> list[str]:
    """Split at line feeds only and keep them: other line separators of Unicode are text."""
    lines = text.split("\n")
    last = lines.pop()
    lines = [line + "\n" for line in lines]
    if last:
        lines.append(last)
    return lines


def indentation(line: str) -> int:
    """Count the columns before the first character of a line."""
    lead = line[: len(line) - len(line.lstrip())]
    return len(lead.expandtabs(_TAB_COLUMNS)) if "\t" in lead else len(lead)
