"""An edit of a configuration as changes of the rows of its text."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ios.syntax import ConfigTree, Line

_ENDS: Final = "\r\n"


class TextChange(Struct, frozen=True):
    """Rows `first` to `end` (not included, from 0) of a text, and the text that replaces them."""

    first: int
    end: int
    text: str


def text_changes(
    rows: Sequence[str], before: ConfigTree, after: ConfigTree
) -> tuple[TextChange, ...] | None:
    """The changes of a text that make one tree the other; None where its lines are not as read.

    Parameters
    ----------
    rows
        The text in lines, with their ends. The tree may have been read without marks of a paste.
    before, after
        The tree of the text, and that of the edit: lines that it left keep their numbers.
    """
    end = rows[0][len(rows[0].rstrip(_ENDS)) :] if rows else "\n"
    rows = [_ended(row) for row in rows]  # as the tree has them
    kept = list(_spans(after))
    numbers = [line.number for line, _ in kept if line.number]
    if numbers != sorted(numbers) or not all(_is_as_read(rows, line) for line in before.walk()):
        return None
    gone = {row for line, count in _spans(before) for row in _rows_of(line, count)}
    gone -= {row for line, count in kept if line.number for row in _rows_of(line, count)}
    changes = _joined(_changes(rows, kept, gone))
    return tuple(replace(item, text=item.text.replace("\n", end or "\n")) for item in changes)


def _ended(row: str) -> str:
    """A row with a line feed for its end, if it has one."""
    body = row.rstrip(_ENDS)
    return row if body == row else f"{body}\n"


def _spans(tree: ConfigTree) -> Iterator[tuple[Line, int]]:
    """Each line with the number of its rows."""
    return ((line, max(1, line.raw.count("\n"))) for line in tree.walk())


def _rows_of(line: Line, count: int) -> range:
    return range(line.number - 1, line.number - 1 + count)


def _is_as_read(rows: Sequence[str], line: Line) -> bool:
    return _text_at(rows, _rows_of(line, max(1, line.raw.count("\n")))) == line.raw


def _text_at(rows: Sequence[str], places: range) -> str:
    return "".join(rows[places.start : places.stop])


def _changes(
    rows: Sequence[str], kept: Sequence[tuple[Line, int]], gone: set[int]
) -> Iterator[TextChange]:
    """Rows to delete, and new lines behind the row that stands above them."""
    for row in gone:
        yield TextChange(row, row + 1, "")
    end = kept[0][0].number - 1 if kept and kept[0][0].number else 0
    for line, count in kept:
        if line.number:
            places = _rows_of(line, count)
            end = places.stop
            if _text_at(rows, places) != line.raw:  # the last line of a text got its end
                yield TextChange(places.start, end, line.raw)
        else:
            yield TextChange(end, end, line.raw)


def _joined(changes: Iterator[TextChange]) -> Iterator[TextChange]:
    """Changes in the order of the text, those that touch as one."""
    last: TextChange | None = None
    for change in sorted(changes, key=lambda item: (item.first, item.end)):
        if last is not None and change.first <= last.end:
            last = TextChange(last.first, max(last.end, change.end), last.text + change.text)
            continue
        if last is not None:
            yield last
        last = change
    if last is not None:
        yield last
