"""Lines that fit a terminal: words go to the next line, and what is to be pasted stays whole."""

import re
from collections.abc import Iterable, Iterator
from typing import Final
from unicodedata import combining, east_asian_width

LEAST_WIDTH: Final = 40  # a narrower terminal wraps by itself
_HANGING: Final = 2  # columns that the next lines of a paragraph are further in
# A number stays with its unit.
_WORD = re.compile(r"(\(?\d[\d.]* (?:ms|s|kb/s|Mb/s|bytes|packets|%)(?![\w/])[^ ]*|[^ ]+)( *)")
_COLOUR = re.compile("\x1b\\[[0-9;]*m")


class Verbatim(str):
    """A line that stays as it is: a command, or an excerpt."""

    __slots__ = ()


def columns_of(text: str) -> int:
    """Columns of a terminal that a text takes; colour takes none.

    >>> columns_of("→ 5 ms"), columns_of("漢字")
    (6, 4)
    """
    plain = _COLOUR.sub("", text)
    if plain.isascii():
        return len(plain)
    wide = sum(east_asian_width(char) in "WF" for char in plain)
    return len(plain) + wide - sum(combining(char) > 0 for char in plain)


def wrapped(lines: Iterable[str], width: int | None) -> Iterator[str]:
    """Lines of at most `width` columns; no word is cut, and None leaves all as they are.

    >>> list(wrapped(["  given: a bandwidth of 512 kb/s"], 20))
    ['  given: a bandwidth', '    of 512 kb/s']
    """
    for line in lines:
        if width is None or isinstance(line, Verbatim) or columns_of(line) <= width:
            yield line
        else:
            yield from _parts(line, max(width, LEAST_WIDTH // 2))


def fitted(lines: Iterable[str], width: int | None) -> str:
    """The text of `wrapped` lines, each with its end."""
    return "".join(f"{line}\n" for line in wrapped(lines, width))


def paragraphs(text: str, width: int | None) -> Iterator[str]:
    r"""Lines of a text whose paragraphs are set anew where one is wider; None leaves all.

    >>> list(paragraphs("one two\nthree\n\nfour", 10))
    ['one two', 'three', '', 'four']
    >>> list(paragraphs("one two three\nfour", 10))
    ['one two', 'three four']
    """
    for place, block in enumerate(text.split("\n\n")):
        yield from () if place == 0 else ("",)
        lines = block.split("\n")
        if width is None or all(columns_of(line) <= width for line in lines):
            yield from lines
        else:
            yield from _parts(" ".join(lines), width, hanging=0)


def _parts(line: str, width: int, hanging: int = _HANGING) -> Iterator[str]:
    words = line.lstrip(" ")
    lead = len(line) - len(words)
    text, gap = " " * lead, ""
    is_empty = True
    for word, space in _WORD.findall(words):
        if not is_empty and columns_of(text) + len(gap) + columns_of(word) > width:
            yield text
            text, gap = " " * (lead + hanging), ""
        text, gap, is_empty = text + gap + word, space, False
    yield text
