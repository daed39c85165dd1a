"""The lines of a show output, without what the session put around them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from advisor.ios.prompts import prompt_of
from advisor.ios.scan import indentation
from advisor.ios.terminal import has_residue, render, without_pager
from advisor.ios.tree import Location
from advisor.observed.layout import LayoutError

# IOS XE prints the load and the clock ahead of every output after `terminal exec prompt
# timestamp`; a logged session holds syslog messages and the marks of the tool that logged it.
_AROUND: Final = re.compile(
    r"""Load \s for \s five \s secs: | Time \s source \s is \b | No \s time \s source
      | (?:\d+:\s)? [*.]? [A-Z][a-z]{2} \s+ \d+ \s+ [\d:.]+ [^%]* : \s %[A-Z] | %[A-Z][A-Z0-9_-]*-\d-
      | \[ [\d\ :,.-]+ \] \s \+\+\+ \s""",
    re.VERBOSE,
)
_AROUND_STARTS: Final = frozenset("LTN%[*.0123456789JFMASOND")
_ECHO: Final = re.compile(r"(?:do )?sh(?:o|ow)?\s+[a-z]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One line as the terminal showed it; `body` has no blanks at its ends."""

    body: str
    text: str
    number: int
    file: str

    @property
    def at(self) -> Location:
        return Location(self.file, self.number)

    @property
    def column(self) -> int:
        """Blanks before the first character."""
        return indentation(self.text)


def shown_lines(text: str, file: str, first_line: int = 1) -> Iterator[ShownLine]:
    """Lines that the command printed, in order.

    Left out: blank lines, comments (`!`), prompts with what was typed after them, the echo of
    the command, the pager, syslog messages, and the two lines that IOS XE prints first.

    >>> [line.body for line in shown_lines("r1#sh proc cpu | inc CPU\\r\\n\\n 8%\\nr1#", "a")]
    ['8%']
    """
    residue, paged, started = has_residue(text), "ore" in text, False
    for number, raw in enumerate(text.split("\n"), first_line):
        line = render(raw) if residue and has_residue(raw) else raw
        if paged and "ore" in line:
            line = without_pager(line)[0]
        body = line.strip()
        if not body or body[0] == "!" or _is_around(body):
            continue
        if not started and _ECHO.match(body):
            continue
        started = True
        yield ShownLine(body, line.rstrip(), number, file)


def _is_around(body: str) -> bool:
    if body[0] in _AROUND_STARTS and _AROUND.match(body):
        return True
    return ("#" in body or ">" in body) and prompt_of(body) is not None


def unknown(line: ShownLine, expected: str) -> LayoutError:
    """Error for a line that the reader of `expected` does not know."""
    return LayoutError(line.at, line.body, expected)


def nothing_shown(file: str, first_line: int, expected: str) -> LayoutError:
    """Error for an output without a single line to read."""
    return LayoutError(Location(file, first_line), "", expected)
