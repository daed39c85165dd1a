"""`show processes cpu history`: the numbers behind the three character charts.

Source: printouts of IOS 12.2 to 15.x. The digits above a chart, read downwards, are the maxima.
`*` and `#` draw maximum and average in rounded rows of ten: the row of 20 begins at 15.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.ios.syntax.tree import Location
from advisor.shows.indent import ShownLine
from advisor.shows.output import Output
from advisor.units import whole

_EXPECTED: Final = "show processes cpu history"
_ROW_PERCENT: Final = 10
_HALF_ROW_PERCENT: Final = 5
_LABEL_COLUMNS: Final = 5  # the samples and the digits begin to the right of the label


class CpuSample(Struct, frozen=True):
    """One column of a chart. Only the row of the average is known: low ≤ average ≤ high.

    None stands for a column without digits (no record), and for a chart without averages.
    """

    max_percent: int | None
    average_low_percent: int | None
    average_high_percent: int | None


class CpuChart(Struct, frozen=True):
    """Samples of one chart, the newest first, as far back as the router remembers.

    Without samples, the router has not yet run long enough for the first one.
    """

    samples: tuple[CpuSample, ...]
    at: Location


class CpuHistory(Struct, frozen=True):
    """The charts of the last 60 seconds, 60 minutes and 72 hours; None for a missing chart."""

    per_second: CpuChart | None
    per_minute: CpuChart | None
    per_hour: CpuChart | None


_TITLE: Final = re.compile(r"CPU% per (second|minute|hour) \(last \d+ (?:seconds|minutes|hours)\)")
_ROW: Final = re.compile(r"(\s*(100|[1-9]0)) ?([ *#]*)")
_DIGITS: Final = re.compile(r"[\s\d]+")
_UNUSED: Final = re.compile(
    r"0\.{4}5\.{4}[\d.]*|\* = maximum CPU%(?:\s+# = average CPU%)?"
    r"|\S+\s+\d{1,2}:\d\d:\d\d [AP]M \w+ \w+ \d+ \d{4}(?: \S+)?"
)
_AXIS: Final = re.compile(r"0\.{4}5\.{4}")


class _Draft(Struct):
    """A chart while its lines are read: digit rows, then ten rows of stars, then its title."""

    digits: list[str]
    rows: list[tuple[int, str]]
    next_level: int = 100
    margin: int = 0  # column of the newest sample
    is_drawn: bool = False


def read_cpu_history(text: str, file: str, first_line: int = 1) -> CpuHistory:
    """Charts of a `show processes cpu history` output.

    Raises
    ------
    LayoutError
        At a line outside all charts, at the title of a chart that lost rows, and if no chart
        has a title.
    """
    output = Output(text, file, first_line, _EXPECTED)
    charts: dict[str, CpuChart] = {}
    draft = _Draft([], [])
    for line in output.lines():
        title = _TITLE.fullmatch(line.text)
        if title is not None:
            samples = tuple(_samples(draft, title[1]))
            if draft.next_level or not _is_drawn_so(draft, samples):
                raise output.unknown(line)
            charts[title[1]] = CpuChart(samples, output.at(line))
            draft = _Draft([], [])
        elif not _take(draft, line):
            raise output.unknown(line)
    if not charts:
        raise output.nothing()
    return CpuHistory(charts.get("second"), charts.get("minute"), charts.get("hour"))


def _take(draft: _Draft, line: ShownLine) -> bool:
    if _UNUSED.fullmatch(line.text):
        draft.is_drawn |= _AXIS.match(line.text) is not None
        return True
    text = " " * line.column + line.text
    row = _ROW.fullmatch(text)
    if row is not None and whole(row[2]) == draft.next_level and len(row[1]) <= _LABEL_COLUMNS:
        draft.rows.append((draft.next_level, text))
        draft.next_level -= _ROW_PERCENT
        draft.margin = len(row[1]) + 1
        return True
    if not _DIGITS.fullmatch(text):
        return False
    if draft.is_drawn:
        return True  # the scale under the axis
    draft.digits.append(text)
    return not draft.rows and _is_whole(draft.digits)


def _is_whole(digits: list[str]) -> bool:
    """Say whether the lowest row has a digit below every digit of the row above it.

    A cut row does not.
    """
    *above, last = digits
    return not above or len(above[-1].rstrip()) <= len(last)


def _samples(draft: _Draft, unit: str) -> Iterator[CpuSample]:
    columns = max((len(text) for text in draft.digits), default=0)
    for column in range(draft.margin, columns):
        digits = "".join(text[column : column + 1].strip() for text in draft.digits)
        maximum = whole(digits) if digits else None
        if maximum is None or unit == "second":  # the chart of seconds draws no averages
            yield CpuSample(maximum, None, None)
        else:
            yield CpuSample(maximum, *_average(draft, column, maximum))


def _top(draft: _Draft, column: int, marks: str) -> int:
    """Highest row with one of the marks in a column; 0 without a mark."""
    return max(
        (level for level, text in draft.rows if text[column : column + 1].strip() in (*marks,)),
        default=0,
    )


def _average(draft: _Draft, column: int, maximum: int) -> tuple[int, int]:
    """Bounds of the average from the highest `#` of a column. Without `#` it is below row 10."""
    top = _top(draft, column, "#")
    low = max(0, top - _HALF_ROW_PERCENT)
    return low, max(low, min(maximum, top + _HALF_ROW_PERCENT - 1))


def _is_drawn_so(draft: _Draft, samples: Sequence[CpuSample]) -> bool:
    """Say whether digits and drawing agree. They disagree if a row of digits is lost."""
    drawn = max((len(text) for _, text in draft.rows), default=0) - draft.margin
    if drawn > len(samples):
        return False
    tops = (_top(draft, draft.margin + index, "*#") for index in range(drawn))
    return all(
        not top
        or (sample.max_percent is not None and abs(top - sample.max_percent) <= _ROW_PERCENT)
        for top, sample in zip(tops, samples, strict=False)
    )
