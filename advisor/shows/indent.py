"""Lines of a show output as a terminal shows them, with their indentation.

The lines around an output are removed: prompts and typed commands, the load and time lines of
IOS XE, comments of a fixture. What a log adds, the capture takes off.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from advisor.ios.exec.prompts import prompt_of
from advisor.ios.syntax.lines import indentation

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
        The output as the device printed it, the prompt included.
    first_line
        Number that the first line of `text` has in its file.

    Examples
    --------
    >>> list(shown_lines("a1#sh pol int\r\n  Class-map: x\r\n"))
    [ShownLine(text='Class-map: x', column=2, number=2)]
    """
    for number, line in enumerate(text.split("\n"), first_line):
        body = line.strip()
        if not body or _AROUND.match(body):
            continue
        if ("#" in body or ">" in body) and prompt_of(body) is not None:
            continue
        yield ShownLine(body, indentation(line), number)
