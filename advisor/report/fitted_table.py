"""A table that fits the terminal: cells of columns that do not fit stand below their row, named."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from advisor.report.wrapping import columns_of, wrapped

_GAP = "  "
_LEAD = "  "


class Column(Struct, frozen=True):
    """A column; of those that do not fit together, the ones with the highest `rank` go first."""

    title: str
    rank: int
    is_text: bool = False


class Row(Struct, frozen=True):
    """The cells of a row, and lines that belong below it."""

    cells: tuple[str, ...]
    below: tuple[str, ...] = ()


def table_lines(columns: Sequence[Column], rows: Sequence[Row], width: int | None) -> Iterator[str]:
    """The lines of a table at most `width` wide; empty columns are left out, None is any width."""
    filled = [place for place in range(len(columns)) if any(row.cells[place] for row in rows)]
    shown = _fitting(columns, rows, filled, width)
    widths = {place: _width(columns[place], rows, place) for place in shown}
    head = [columns[place].title for place in shown]
    yield _line(columns, shown, head, widths)
    for row in rows:
        yield _line(columns, shown, [row.cells[place] for place in shown], widths)
        left = [place for place in filled if place not in shown and row.cells[place]]
        named = ", ".join(f"{columns[place].title} {row.cells[place]}" for place in left)
        yield from wrapped((f"{_LEAD}{_LEAD}{line}" for line in (named, *row.below) if line), width)


def _fitting(
    columns: Sequence[Column], rows: Sequence[Row], filled: Sequence[int], width: int | None
) -> list[int]:
    shown = list(filled)
    while width is not None and len(shown) > 1:
        needed = len(_LEAD) + sum(_width(columns[place], rows, place) for place in shown)
        if needed + len(_GAP) * (len(shown) - 1) <= width:
            break
        shown.remove(max(shown, key=lambda place: columns[place].rank))
    return shown


def _width(column: Column, rows: Sequence[Row], place: int) -> int:
    return max(columns_of(column.title), *(columns_of(row.cells[place]) for row in rows))


def _line(
    columns: Sequence[Column], shown: Sequence[int], cells: Sequence[str], widths: dict[int, int]
) -> str:
    padded = []
    for place, cell in zip(shown, cells, strict=True):
        blank = " " * (widths[place] - columns_of(cell))
        padded.append(cell + blank if columns[place].is_text else blank + cell)
    return _LEAD + _GAP.join(padded).rstrip()
