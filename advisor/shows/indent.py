"""Lines of a show output as a terminal shows them, with their indentation.

The lines around an output are removed: prompts and typed commands, the pager, the load and time
lines of IOS XE, comments of a fixture.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from advisor.ios.exec.prompts import prompt_of
from advisor.ios.exec.terminal import has_residue, render, without_pager
from advisor.ios.syntax.scan import indentation

_AROUND: Final = re.compile(
    r"!|sho?w? \S|Load for five secs|Time source is|No time source|Building configuration"
)


class ShownLine(NamedTuple):
    """One line that is not blank: its stripped text, its column, its number in the file."""

    text: str
    column: int
    number: int


def shown_lines(text: str, first_line: int = 1) -> Iterator[ShownLine]:
    r"""Yield the lines of an output, without blank lines and the lines around it.

    Parameters
    ----------
    text
        The output, as captured. It may hold CR LF, `--More--`, backspaces and prompts.
    first_line
        Number that the first line of `text` has in its file.

    Examples
    --------
    >>> list(shown_lines("a1#sh pol int\r\n  Class-map: x\r\n"))
    [ShownLine(text='Class-map: x', column=2, number=2)]
    """
    residue = has_residue(text)
    for number, raw in enumerate(text.split("\n"), first_line):
        line = render(raw) if residue else raw.rstrip("\r")
        body = line.strip()
        if not body:
            continue
        if "More" in body:
            line, _ = without_pager(line)
            body = line.strip()
        if not body or _AROUND.match(body):
            continue
        if ("#" in body or ">" in body) and prompt_of(body) is not None:
            continue
        yield ShownLine(body, indentation(line), number)
