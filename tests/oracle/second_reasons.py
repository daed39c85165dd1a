"""Why this reader and ciscoconfparse2 differ in a line: by its kind, its column and its mode."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from advisor.device.second_parser import banner_mark
from advisor.ios.syntax import Line, LineKind, indentation
from advisor.ios.syntax.abbreviations import spelled_out
from advisor.ios.syntax.modes import GLOBAL, opens_mode
from advisor.ios.syntax.reader import without_directive
from advisor.ios.terminal import has_residue, prompt_of, render, without_pager

TOP: Final = 0  # in place of the number of the line above, and of a line that an edit made
_LEAVE: Final = ("exit", "quit")


class Reason(StrEnum):
    """Why the two differ in a line."""

    BANNER = "banner"  # body of a text up to a delimiter: banner, menu, message of a line
    CERTIFICATE = "certificate"
    KEY = "key"
    MACRO = "macro"
    BLOCK_END = "end of a block"  # what only the other parser takes for a part of one
    TERMINAL = "terminal"  # what a terminal or a device printed around the configuration
    PROMPT = "prompt"
    RESIDUE = "residue"  # backspaces, escapes, a pager that a terminal overwrites
    FLAT = "flat"
    EXIT = "exit"
    TABS = "tabs"
    NOT_INDENTED = "not indented"  # a line of a section, in an indented text
    UNEVEN = "uneven indentation"
    COMMENT = "comment"  # to this tool, behind a command
    ABBREVIATION = "abbreviation"
    UNEXPLAINED = "unexplained"


# First word of a block whose body ends at a word of its own; every other one has a delimiter.
_BODIES: Final[Mapping[str, Reason]] = {
    "certificate": Reason.CERTIFICATE,
    "key-string": Reason.KEY,
    "macro": Reason.MACRO,
}


class Row(Struct, frozen=True):
    """A physical line of the text.

    `line` is the line of the tree that holds it, `parent` the number of the command that it stands
    under, TOP where there is none. A line of the body of a block stands under the head of that
    block.
    """

    line: Line
    raw: str
    parent: int
    is_body: bool = False

    @property
    def column(self) -> int:
        return indentation(self.raw)

    @property
    def is_command(self) -> bool:
        return self.line.is_command and not self.is_body

    @property
    def is_compared(self) -> bool:
        """Whether both parsers have something to say of it: no blank line and no comment."""
        kind, body = self.line.kind, self.raw.strip()
        is_said = kind not in (LineKind.BLANK, LineKind.COMMENT)
        return is_said and bool(body) and not body.startswith("!")


class Judge(Struct, frozen=True):
    """Finds reasons in the rows of one text, by their line numbers.

    `is_flat` says that the columns of the text say nothing of its sections.
    """

    rows: Mapping[int, Row]
    is_flat: bool
    _modes: dict[int, str | None] = field(default_factory=lambda: {TOP: GLOBAL})
    _exits: dict[int, int | None] = field(default_factory=dict)  # first of a section, by its head

    def not_a_command(self, row: Row) -> Reason:
        """Why a line that is an object of the other parser is no command here."""
        if row.line.kind is LineKind.NOISE:
            return Reason.TERMINAL
        return _BODIES.get(row.line.text.split(None, 1)[0].lower(), Reason.BANNER)

    def other_place(self, row: Row, theirs: int) -> Reason:
        """Why a command stands under another line than it does in the other parser."""
        above = self.rows.get(theirs)
        if above is not None and not above.is_command:
            return Reason.TERMINAL if above.line.kind is LineKind.NOISE else Reason.BLOCK_END
        if above is not None and _takes_lines_in(above):
            return Reason.BLOCK_END
        if _prompted(row) or any(_prompted(self.rows[at]) for at in (theirs, row.parent) if at):
            return Reason.PROMPT
        if row.line.text in _LEAVE or self._is_left(theirs, row.line.number):
            return Reason.EXIT
        if self.is_flat:
            return Reason.FLAT
        return self._by_column(row, theirs)

    def _is_left(self, above: int, number: int) -> bool:
        """Whether an `exit` left the section of a command before a line, or the command is one."""
        if above == TOP:
            return False
        if above not in self._exits:
            line = self.rows[above].line
            exits = (each.number for each in (line, *line.commands()) if each.text in _LEAVE)
            self._exits[above] = next(exits, None)
        left = self._exits[above]
        return left is not None and left < number

    def _by_column(self, row: Row, theirs: int) -> Reason:
        places = [self.rows[at] for at in (theirs, row.parent) if at]
        if any(_has_residue(place.raw) for place in (row, *places)):
            return Reason.RESIDUE
        if any("\t" in place.raw[: -len(place.raw.lstrip())] for place in (row, *places)):
            return Reason.TABS
        if row.parent != TOP and row.column <= self.rows[row.parent].column:
            return Reason.NOT_INDENTED
        return Reason.UNEVEN if self._is_uneven(row, theirs) else Reason.UNEXPLAINED

    def _is_uneven(self, row: Row, theirs: int) -> bool:
        """Whether a line stands deeper than one that has no lines of its own."""
        if theirs == TOP or self.mode(theirs) is not None:
            return False
        above = self.rows[theirs]
        return above.parent == row.parent and row.column > above.column

    def other_words(self, row: Row) -> Reason:
        """Why the words of a command are not those of its line, by what the reader does first."""
        shown = without_pager(render(row.raw))[0].strip()
        if shown != row.raw.strip():
            return Reason.RESIDUE
        if _prompted(row):
            return Reason.PROMPT
        said, directive = without_directive(shown)
        if directive is not None:
            return Reason.COMMENT
        mode = self.mode(row.parent)
        is_completed = mode is not None and spelled_out(mode, said) == row.line.text
        return Reason.ABBREVIATION if is_completed else Reason.UNEXPLAINED

    def mode(self, number: int) -> str | None:
        """The mode that a command opens; None where it opens none, or none that is known."""
        path = []
        while number not in self._modes:
            path.append(number)
            number = self.rows[number].parent
        for inner in reversed(path):
            around = self._modes[self.rows[inner].parent]
            text = self.rows[inner].line.text
            self._modes[inner] = None if around is None else opens_mode(around, text)
        return self._modes[path[0] if path else number]


def _takes_lines_in(row: Row) -> bool:
    """Whether the other parser looks for a delimiter behind a command."""
    return row.line.kind is LineKind.OPAQUE or banner_mark(row.line.text) is not None


def _has_residue(raw: str) -> bool:
    """Whether a terminal shows a line in another way than the file holds it."""
    return has_residue(raw) or without_pager(raw)[1]


def _prompted(row: Row) -> bool:
    """Whether a command was typed at a prompt."""
    shown = without_pager(render(row.raw))[0]
    return indentation(shown) == 0 and prompt_of(shown.strip()) is not None
