"""Nest the rows of an indented configuration."""

from bisect import bisect_left
from typing import Final

from msgspec import Struct

from advisor.ios.syntax.modes import GLOBAL, SUBCOMMANDS, belongs, opens_mode
from advisor.ios.syntax.scan import Scan
from advisor.ios.syntax.tree import Kind

_STRAY_WORDS: Final = frozenset().union(*SUBCOMMANDS.values()) - SUBCOMMANDS[GLOBAL] - {"exit"}


class Nesting(Struct, frozen=True):
    """The row under which each row stands, -1 at the top.

    `nested` counts the commands that stand under another; `strays` those at the top whose first
    word global configuration mode does not know: more strays than nested commands is the mark
    of a text that lost its indentation.
    """

    parents: list[int]
    nested: int
    strays: int


def nest_by_indentation(scan: Scan) -> Nesting:
    """Nest rows by their columns.

    A row stands under the nearest row before it that starts further left. A comment, blank or
    noise row between two rows of a block is in the block; after the block's last command it is
    in the block only where it is indented. Where a line is indented below a command that opens
    no mode, and the mode around knows them both, the indentation is an accident.
    """
    parents = [-1] * len(scan.texts)
    pending: list[tuple[int, int]] = []  # row, and its column if that has a meaning
    nested = strays = 0
    columns, texts = scan.columns, scan.texts
    open_rows: list[int] = []  # the commands that the next row may stand under, outermost first
    open_columns: list[int] = []
    modes: dict[int, str | None] = {}
    for row, kind in enumerate(scan.kinds):
        if kind is not Kind.COMMAND and kind is not Kind.OPAQUE:
            pending.append((row, columns[row] if kind is Kind.COMMENT else 0))
            continue
        column = columns[row]
        if pending:
            depth = bisect_left(open_columns, column)
            _place(pending, depth, open_rows, open_columns, parents)
        while open_columns and open_columns[-1] >= column:
            del open_columns[-1], open_rows[-1]
        if len(open_rows) > 1 and _is_accident(open_rows, modes, texts, row):
            del open_columns[-1], open_rows[-1]
        if open_rows:
            parents[row] = open_rows[-1]
            nested += 1
        elif texts[row].partition(" ")[0] in _STRAY_WORDS:
            strays += 1
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
    """Put rows that are no commands where the document order allows and their column asks."""
    for row, column in reversed(pending):
        if column:
            depth = max(depth, bisect_left(open_columns, column))
        if depth:
            parents[row] = open_rows[depth - 1]
    pending.clear()


def _is_accident(
    open_rows: list[int], modes: dict[int, str | None], texts: list[str], row: int
) -> bool:
    """Say whether a row is a sibling of the command that it is indented below.

    `modes` remembers the mode that each open row leads into; None is "not known".
    """
    known = len(open_rows)
    while known and open_rows[known - 1] not in modes:
        known -= 1
    for depth in range(known, len(open_rows)):
        around = modes[open_rows[depth - 1]] if depth else GLOBAL
        opened = None if around is None else opens_mode(around, texts[open_rows[depth]])
        modes[open_rows[depth]] = opened
    around = modes[open_rows[-2]]
    if around is None or modes[open_rows[-1]] is not None:
        return False
    return belongs(around, texts[open_rows[-1]]) and belongs(around, texts[row])
