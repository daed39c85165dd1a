"""From bytes to the text that a terminal shows."""

import re
from typing import Final

from advisor.units import whole

_BACKSPACE, _RETURN, _ESCAPE, _BELL, _MARK = "\b", "\r", "\x1b", "\a", "\ufeff"

# A byte-order mark that remains after decoding is as invisible as a bell.
_RESIDUE: Final = re.compile("[\b\x1b\a\ufeff]|\r(?!\n|\r|\\Z)")
_SEQUENCE: Final = re.compile(
    r"\x1b(?:\[([0-9;?]*)([@-~])|\][^\a\x1b]*\a?|[()][A-Za-z0-9]|.?)", re.DOTALL
)

# IOS erases ` --More-- ` with nine backspaces, eight blanks and nine backspaces; a log without
# the backspaces keeps the blanks.
_PAGER: Final = re.compile(r"\s*(?:--More--|-+ ?More ?-+|<-+ ?More ?-+>)\s?(?: {8})?")

_BOMS: Final = (
    (b"\xef\xbb\xbf", ("utf-8-sig",)),
    (b"\xff\xfe", ("utf-16", "utf-16-le")),
    (b"\xfe\xff", ("utf-16", "utf-16-be")),
)


def decode(payload: bytes) -> tuple[str, str]:
    """Decode a file.

    A byte-order mark decides. Without one it is UTF-8 if the bytes are valid UTF-8, else Latin-1,
    which takes any byte.

    Returns
    -------
    tuple[str, str]
        The text and the name of its encoding: `text.encode(encoding)` gives the payload back.
    """
    candidates = next((names for mark, names in _BOMS if payload.startswith(mark)), ())
    for encoding in (*candidates, "utf-8"):
        try:
            text = payload.decode(encoding)
            if text.encode(encoding) == payload:
                return text, encoding
        except UnicodeError:
            continue
    return payload.decode("latin-1"), "latin-1"


def has_residue(text: str) -> bool:
    """Say whether a text needs a terminal to resolve it: backspaces, lone CRs, escapes."""
    return _RESIDUE.search(text) is not None


def render(line: str) -> str:
    """Show one line as a terminal would: later characters overwrite earlier ones."""
    if not has_residue(line):
        return line.rstrip("\r\n")
    cells: list[str] = []
    column = position = 0
    line = line.rstrip("\r\n")
    while position < len(line):
        char = line[position]
        position += 1
        if char == _BACKSPACE:
            column = max(0, column - 1)
        elif char == _RETURN:
            column = 0
        elif char == _ESCAPE:
            sequence = _SEQUENCE.match(line, position - 1)
            if sequence is not None:
                position = sequence.end()
                column = _moved(cells, column, sequence[1] or "", sequence[2] or "")
        elif char not in (_BELL, _MARK):
            cells[column : column + 1] = char
            column += 1
    return "".join(cells)


def _moved(cells: list[str], column: int, argument: str, letter: str) -> int:
    """Apply one escape sequence; ignore it if it does not move the cursor or erase."""
    is_count = argument.isascii() and argument.isdecimal() and len(argument) < 4  # noqa: PLR2004
    count = whole(argument) if is_count else 1
    if letter == "D":
        return max(0, column - count)
    if letter == "C":
        return min(len(cells), column + count)
    if letter == "G":
        return min(len(cells), max(0, count - 1))
    if letter == "K":
        del cells[0 if argument == "2" else column :]
        return min(column, len(cells))
    return column


def without_pager(line: str) -> tuple[str, bool]:
    """Remove the prompt of the pager from the start of a line; say whether there was one."""
    pager = _PAGER.match(line)
    if pager is None:
        return line, False
    return line[pager.end() :], True
