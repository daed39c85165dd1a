"""One show output while it is read: its lines, and the errors that point to a line."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from advisor.ios.exec.prompts import prompt_of
from advisor.ios.syntax.tree import Location
from advisor.shows.indent import ShownLine, shown_lines
from advisor.shows.layout import CutError, LayoutError
from advisor.units import NumeralError

# A log taken with `terminal monitor`, or by a test tool, also holds lines of the logger.
_SESSION: Final = re.compile(
    r"""(?:\d+:\s)? [*.]? [A-Z][a-z]{2} \s+ \d+ \s+ [\d:.] [^%]* : \s %[A-Z]
      | %[A-Z][A-Z0-9_-]*-\d-[A-Z] | \[ [\d\ :,.-]+ \] \s \+\+\+ \s""",
    re.VERBOSE,
)
_SESSION_STARTS: Final = frozenset("%[*.0123456789JFMASOND")


_SHOWN_DIGITS: Final = 30  # of a number that is too long


def shown_digits(text: str) -> str:
    """A number that is too long to be one, cut."""
    return f"{text[:_SHOWN_DIGITS]}…" if len(text) > _SHOWN_DIGITS else text


class Output(Struct, frozen=True):
    """The output of a command, its place in the file, and the name of the expected layout."""

    text: str
    file: str
    first_line: int
    expected: str

    def lines(self) -> Iterator[ShownLine]:
        """Lines that the command printed: no prompt, echo, pager, comment or syslog message."""
        for line in shown_lines(self.text, self.first_line):
            if line.text[0] not in _SESSION_STARTS or not _SESSION.match(line.text):
                yield line

    def at(self, line: ShownLine) -> Location:
        return Location(self.file, line.number)

    def unknown(self, line: ShownLine) -> LayoutError:
        """Error for a line that does not fit the expected layout."""
        return LayoutError(self.at(line), line.text, self.expected)

    def beyond(self, lines: Iterable[ShownLine], error: NumeralError) -> LayoutError:
        """Error for the line with a number that no counter holds."""
        lines = tuple(lines)
        line = next((line for line in lines if error.text in line.text), lines[0])
        return LayoutError(self.at(line), shown_digits(error.text), self.expected)

    @property
    def typed(self) -> str | None:
        """The command typed at a prompt in the text; None if the text has no prompt."""
        for row in self.text.splitlines():
            prompt = prompt_of(row.strip()) if "#" in row or ">" in row else None
            if prompt is not None and prompt.command:
                return prompt.command
        return None

    @property
    def is_filtered(self) -> bool:
        """Whether a filter was typed after the command: lines may be missing anywhere."""
        return "|" in (self.typed or "")

    def ends(self, last: ShownLine, missing: str) -> CutError:
        """Error for an output whose last line is not the last one that IOS prints."""
        return CutError(self.at(last), last.text, self.expected, missing)

    def nothing(self) -> LayoutError:
        """Error for an output without any expected line."""
        return LayoutError(Location(self.file, self.first_line), "", self.expected)
