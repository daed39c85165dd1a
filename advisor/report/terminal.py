"""Text for terminals: colour, lines that fit the width, tables and plots of plain characters."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from unicodedata import combining, east_asian_width

from msgspec import Struct

from advisor.ground.quantity import Figure, number
from advisor.lint.cards import Rule
from advisor.lint.findings import Finding, Severity, is_failure

_RESET = "\x1b[0m"
_COLORS = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.INFO: "\x1b[1;36m",
}
_BOLD, _FRAME = "\x1b[1m", "\x1b[34m"

LEAST_WIDTH: Final = 40  # a narrower terminal wraps by itself
_HANGING: Final = 2  # columns that the next lines of a paragraph are further in
# A number stays with its unit.
_WORD = re.compile(r"(\(?\d[\d.]* (?:ms|s|kb/s|Mb/s|bytes|packets|%)(?![\w/])[^ ]*|[^ ]+)( *)")
_COLOUR = re.compile("\x1b\\[[0-9;]*m|\x1b\\]8;;[^\x1b]*\x1b\\\\")  # and hyperlinks
_GAP = "  "
_LEAD = "  "
_HEIGHT, _PLOT_WIDTH, _LEAST = 16, 64, 20
_LABEL: Final = 11  # columns left of the plot
_MEAN, _INTERVAL, _BOUND, _BUDGET = "*", ":", "-", "="


class Style(Struct, frozen=True):
    """ANSI colour where `color` is true, plain text else; the columns of the terminal, if known.

    `pages` is the address of the documentation where the terminal follows links (OSC 8).
    """

    color: bool = False
    width: int | None = None
    pages: str | None = None

    def rule(self, text: str, rule: str) -> str:
        """A text that leads to the page of a rule."""
        if self.pages is None:
            return text
        return f"\x1b]8;;{self.pages}/rules/{rule}/\x1b\\{text}\x1b]8;;\x1b\\"

    def severity(self, text: str, severity: Severity) -> str:
        return self._in(_COLORS[severity], text)

    def bold(self, text: str) -> str:
        return self._in(_BOLD, text)

    def frame(self, text: str) -> str:
        return self._in(_FRAME, text)

    def _in(self, code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if self.color else text


class RenderOptions(Struct, frozen=True):
    """Colour and width, how much is told, the rules in force, and what fails a run.

    If `is_quiet`, only findings are shown. `fail_on` is the mildest severity that fails, None where
    none does.
    """

    style: Style = Style()
    is_quiet: bool = False
    is_verbose: bool = False
    rules: tuple[Rule, ...] = ()
    fail_on: Severity | None = Severity.WARNING

    def fails(self, finding: Finding) -> bool:
        """Whether a finding fails the run, as the exit code says it."""
        incomplete = [rule.card.id for rule in self.rules if rule.card.incomplete]
        return is_failure(finding, incomplete, self.fail_on)


PLAIN: Final = RenderOptions()


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


def aligned(rows: Sequence[Sequence[str]], indent: int = 2) -> Iterator[str]:
    """Lines of a small table: the first column on the left, the others on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield f"{' ' * indent}{'  '.join((first.ljust(widths[0]), *cells))}".rstrip()


class Column(Struct, frozen=True):
    """A column; of those that do not fit together, the ones with the highest `rank` go first."""

    title: str
    rank: int
    is_text: bool = False


class TableRow(Struct, frozen=True):
    """The cells of a row, and lines that belong below it."""

    cells: tuple[str, ...]
    below: tuple[str, ...] = ()


def table_lines(
    columns: Sequence[Column], rows: Sequence[TableRow], width: int | None
) -> Iterator[str]:
    """The lines of a table at most `width` wide; empty columns are left out, None is any width."""
    filled = [place for place in range(len(columns)) if any(row.cells[place] for row in rows)]
    shown = _fitting(columns, rows, filled, width)
    widths = {place: _column_width(columns[place], rows, place) for place in shown}
    head = [columns[place].title for place in shown]
    yield _table_line(columns, shown, head, widths)
    for row in rows:
        yield _table_line(columns, shown, [row.cells[place] for place in shown], widths)
        left = [place for place in filled if place not in shown and row.cells[place]]
        named = ", ".join(f"{columns[place].title} {row.cells[place]}" for place in left)
        yield from wrapped((f"{_LEAD}{_LEAD}{line}" for line in (named, *row.below) if line), width)


def _fitting(
    columns: Sequence[Column], rows: Sequence[TableRow], filled: Sequence[int], width: int | None
) -> list[int]:
    shown = list(filled)
    while width is not None and len(shown) > 1:
        needed = len(_LEAD) + sum(_column_width(columns[place], rows, place) for place in shown)
        if needed + len(_GAP) * (len(shown) - 1) <= width:
            break
        shown.remove(max(shown, key=lambda place: columns[place].rank))
    return shown


def _column_width(column: Column, rows: Sequence[TableRow], place: int) -> int:
    return max(columns_of(column.title), *(columns_of(row.cells[place]) for row in rows))


def _table_line(
    columns: Sequence[Column], shown: Sequence[int], cells: Sequence[str], widths: dict[int, int]
) -> str:
    padded = []
    for place, cell in zip(shown, cells, strict=True):
        blank = " " * (widths[place] - columns_of(cell))
        padded.append(cell + blank if columns[place].is_text else blank + cell)
    return _LEAD + _GAP.join(padded).rstrip()


class TerminalCurve(Struct, frozen=True):
    """Figures over values, optionally with bounds; names of the axes and of the marks."""

    values: tuple[float, ...]
    figures: tuple[Figure, ...]
    bounds: tuple[float | None, ...]
    across: str
    up: str
    mean: str = "mean"
    bound: str = "bound"
    budget: float | None = None


class Grid:
    """Marks in a grid of characters: values across, figures from 0 up to `top`."""

    def __init__(self, values: Sequence[float], top: float, height: int, width: int) -> None:
        self._left, self._right = values[0], values[-1]
        self._top, self._height, self._width = top, height, width
        self._cells = [[" "] * (width + 1) for _ in range(height + 1)]

    def row(self, figure: float) -> int:
        return min(self._height, round(self._height * figure / self._top))

    def _column(self, value: float) -> int:
        length = self._right - self._left
        return round(self._width * (value - self._left) / length) if length > 0 else 0

    def put(self, value: float, figure: float, mark: str) -> None:
        self._cells[self.row(figure)][self._column(value)] = mark

    def fill(self, value: float, figure: Figure, mark: str) -> None:
        """Mark the interval of a figure."""
        for row in range(self.row(figure.low), self.row(figure.high) + 1):
            self._cells[row][self._column(value)] = mark

    def across(self, figure: float, mark: str) -> None:
        self._cells[self.row(figure)] = [mark] * (self._width + 1)

    def lines(self) -> Iterator[str]:
        """The rows from the top, with the figures of some of them."""
        for row in range(self._height, -1, -1):
            label = number(self._top * row / self._height) if row % 4 == 0 else ""
            yield f"{label:>9} |{''.join(self._cells[row]).rstrip()}"


def drawn(curve: TerminalCurve, terminal: int | None = None) -> Iterator[str]:
    """The lines of a plot, its legend last; as wide as the terminal where that is known."""
    width = _PLOT_WIDTH if terminal is None else max(_LEAST, terminal - _LABEL - 1)
    tops = [figure.high for figure in curve.figures]
    tops += [bound for bound in curve.bounds if bound is not None]
    tops += [curve.budget] if curve.budget is not None else []
    grid = Grid(curve.values, max(tops) or 1.0, _HEIGHT, width)
    if curve.budget is not None:
        grid.across(curve.budget, _BUDGET)
    for value, figure, bound in zip(curve.values, curve.figures, curve.bounds, strict=True):
        grid.fill(value, figure, _INTERVAL)
        if bound is not None:
            grid.put(value, bound, _BOUND)
        grid.put(value, figure.value, _MEAN)
    yield f"{curve.up:>9}"
    yield from grid.lines()
    yield f"{' ' * 10}+{'-' * width}"
    left, right = number(curve.values[0]), number(curve.values[-1])
    yield f"{' ' * _LABEL}{left}{curve.across:^{width - len(left) - len(right)}}{right}"
    budget = "" if curve.budget is None else f", {_BUDGET} budget {number(curve.budget)}"
    has_bound = any(bound is not None for bound in curve.bounds)
    bound_words = f", {_BOUND} {curve.bound}" if has_bound else ""
    yield f"  {_MEAN} {curve.mean}, {_INTERVAL} interval{bound_words}{budget}"
