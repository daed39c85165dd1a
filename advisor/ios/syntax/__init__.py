"""The syntax tree of an IOS configuration: every line of the file, nested as IOS nests it."""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct


class LineKind(StrEnum):
    """Kinds of lines of a file."""

    COMMAND = "command"
    OPAQUE = "opaque"  # a command with a body that is not IOS grammar: banner, certificate, key
    COMMENT = "comment"  # starts with "!"
    BLANK = "blank"
    NOISE = "noise"  # header, prompt, pager residue, an error that IOS printed


class Location(Struct, frozen=True, gc=False):
    """A line of an input file; line 0 is a flag of the command line, named by `file`."""

    file: str
    line: int

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
        return self.kind in (LineKind.COMMAND, LineKind.OPAQUE)

    def commands(self) -> Iterator["Line"]:
        """Nested commands, one level down, in document order."""
        return (child for child in self.children if child.is_command)

    def walk(self) -> Iterator["Line"]:
        """The line and all lines below it, in document order; iterative, so depth has no limit."""
        stack = [self]
        while stack:
            line = stack.pop()
            yield line
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


class ConfigTree(Struct, frozen=True):
    """A parsed configuration.

    `is_capture` is true if the text proves that a device printed it (`Building configuration`,
    `Current configuration : N bytes`, `ntp clock-period`, `boot-start-marker`, a comment with the
    time of the last change, a RANCID or Oxidized header, a prompt); otherwise it is a draft.
    """

    file: str
    lines: tuple[Line, ...]
    flat: bool = False
    is_capture: bool = False
    problems: tuple[Problem, ...] = ()

    def walk(self) -> Iterator[Line]:
        for line in self.lines:
            yield from line.walk()

    def commands(self) -> Iterator[Line]:
        """Top-level commands in document order."""
        return (line for line in self.lines if line.is_command)

    def at(self, line: Line) -> Location:
        return Location(self.file, line.number)

    def text(self) -> str:
        """Print the tree: the text of the file, byte for byte if nothing was edited."""
        return "".join(line.raw for line in self.walk())
