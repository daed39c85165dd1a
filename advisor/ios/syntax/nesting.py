"""Nest the rows of an indented configuration."""

from bisect import bisect_left
from typing import Final

from msgspec import Struct

from advisor.ios.syntax.modes import GLOBAL, belongs, is_local, opens_mode
from advisor.ios.syntax.scan import Scan
from advisor.ios.syntax.tree import Kind

_LEAVE: Final = ("exit", "quit")


class Nesting(Struct, frozen=True):
    """The parent row of each row, -1 at the top.

    `nested` counts the commands under another command. `strays` are the rows of commands at the
    top that only another mode knows. A text with more strays than nested commands has lost its
    indentation.
    """

    parents: list[int]
    nested: int
    strays: list[int]


def nest_by_indentation(scan: Scan) -> Nesting:
    """Nest rows by their columns.

    The parent of a row is the nearest row before it with a smaller column. A comment, blank or
    noise row between two rows of a block is in the block; after the last command of the block it
    is in the block only if it is indented. The indentation below a command is an accident if that
    command opens no mode and the outer mode knows both lines.
    """
    parents = [-1] * len(scan.texts)
    pending: list[tuple[int, int]] = []  # row, and its column if that has a meaning
    nested = 0
    strays: list[int] = []
    columns, texts = scan.columns, scan.texts
    open_rows: list[int] = []  # possible parents of the next row, outermost first
    open_columns: list[int] = []
    modes: dict[int, str | None] = {}
    for row, kind in enumerate(scan.kinds):
        if kind is not Kind.COMMAND and kind is not Kind.OPAQUE:
            pending.append((row, columns[row] if kind is Kind.COMMENT else 0))
            continue
        column = columns[row]
        left = _left_mode(open_rows, modes, texts) if texts[row] in _LEAVE else None
        if pending:
            depth = bisect_left(open_columns, column) if left is None else left + 1
            _place(pending, depth, open_rows, open_columns, parents)
        if left is not None:
            parents[row] = open_rows[left]
            nested += 1
            del open_columns[left:], open_rows[left:]
            continue
        while open_columns and open_columns[-1] >= column:
            del open_columns[-1], open_rows[-1]
        if len(open_rows) > 1 and _is_accident(open_rows, modes, texts, row):
            del open_columns[-1], open_rows[-1]
        if open_rows:
            parents[row] = open_rows[-1]
            nested += 1
        elif is_local(texts[row]):
            strays.append(row)
        if kind is Kind.COMMAND:
            open_rows.append(row)
            open_columns.append(column)
    _place(pending, 0, open_rows, open_columns, parents)
    return Nesting(parents, nested, strays)


def _place(
    pending: list[tuple[int, int]],
    depth: int,
    open_rows: list[int],
    open_columns: list[int],
    parents: list[int],
) -> None:
    """Nest rows that are not commands, by document order and their column."""
    for row, column in reversed(pending):
        if column:
            depth = max(depth, bisect_left(open_columns, column))
        if depth:
            parents[row] = open_rows[depth - 1]
    pending.clear()


def _is_accident(
    open_rows: list[int], modes: dict[int, str | None], texts: list[str], row: int
) -> bool:
    """Say whether an indented row is a sibling of the command above it, not a child."""
    _settle_modes(open_rows, modes, texts)
    around = modes[open_rows[-2]]
    if around is None or modes[open_rows[-1]] is not None:
        return False
    return belongs(around, texts[open_rows[-1]]) and belongs(around, texts[row])


def _left_mode(open_rows: list[int], modes: dict[int, str | None], texts: list[str]) -> int | None:
    """Return the depth of the mode that an `exit` leaves, wherever the `exit` is printed."""
    _settle_modes(open_rows, modes, texts)
    depths = range(len(open_rows) - 1, max(len(open_rows) - 3, -1), -1)
    return next((depth for depth in depths if modes[open_rows[depth]] is not None), None)


def _settle_modes(open_rows: list[int], modes: dict[int, str | None], texts: list[str]) -> None:
    """Find the mode that each open row opens; `modes` remembers it, None means "unknown"."""
    settled = len(open_rows)
    while settled and open_rows[settled - 1] not in modes:
        settled -= 1
    for depth in range(settled, len(open_rows)):
        around = modes[open_rows[depth - 1]] if depth else GLOBAL
        opened = None if around is None else opens_mode(around, texts[open_rows[depth]])
        modes[open_rows[depth]] = opened
