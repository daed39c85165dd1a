"""The lesson of `advisor demo` for the terminal."""

from collections.abc import Iterator, Sequence
from math import floor
from typing import Final

from advisor.ground.quantity import cell, count, number
from advisor.ground.units import percent_from_ratio
from advisor.predict.what_if.lesson import Lesson, LessonPoint
from advisor.report.terminal import Column, Style, TableRow, Verbatim, fitted, table_lines

_HISTOGRAMS: Final = (1, 3, 10, 40)  # rings whose delays are drawn
_TABLE: Final = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40)
_BARS: Final = " ▁▂▃▄▅▆▇█"
_ROWS: Final = 3  # of a histogram
_COLUMNS: Final = (
    Column("tx-ring-limit", 0),
    Column("model: mean ms", 1),
    Column("worst case", 3),
    Column("simulated: mean ms", 2),
    Column("p99", 5),
    Column("longest", 4),
    Column("they agree", 6),
    Column("method", 7, is_text=True),
)
_WHY: Final = (
    "LLQ decides which packet enters the transmit ring next.",
    "The ring itself is a FIFO: once a packet is in it, no scheduler can overtake it.",
    "While data wait, the ring is always full, so a voice packet waits for what stands in it.",
    "It waits least if the ring is full of voice, and longest if it is full of data of 1500 bytes.",
)
_STARVED: Final = (
    "The calls need more than the link: no data are sent, voice fills its queue and the ring, and "
    "waits for voice; {lost} of it is lost."
)
_NO_LOSS: Final = 1e-3  # beside data, of calls that come in clumps
_LEFT: Final = (
    "What is left then is the serialization of one packet; only fragments (LFI) make it shorter.",
    "Without data the ring is empty, and its length costs nothing: see `predict --set load=10`.",
)


def render(asked: Lesson, points: Sequence[LessonPoint], style: Style) -> str:
    """The table, the histograms, and why it is so."""
    return fitted(_lines(asked, points, style), style.width)


def _lines(asked: Lesson, points: Sequence[LessonPoint], style: Style) -> Iterator[str]:
    calls = count(asked.calls, "call")
    yield style.bold(
        f"{number(asked.rate_kbps)} kb/s, {calls} of {asked.codec} in the LLQ, data of 1500 bytes "
        "that always wait"
    )
    chosen = [point for point in points if point.ring in _TABLE] or list(points)
    yield from table_lines(_COLUMNS, [_row(point) for point in chosen], style.width)
    agreeing = sum(point.agrees for point in points)
    yield ""
    yield (
        f"Model and simulation agree at {agreeing} of {count(len(points), 'ring')}: the intervals "
        "of both means meet, and no packet waited longer than the bound."
    )
    shown = [point for point in points if point.ring in _HISTOGRAMS] or list(points[:1])
    for point in shown:
        yield ""
        yield from _histogram(point, style)
    yield ""
    yield from (f"- {line}" for line in _why(asked, points))


def _row(point: LessonPoint) -> TableRow:
    bound = "none" if point.mean.bound is None else number(point.mean.bound)
    return TableRow(
        (
            str(point.ring),
            cell(point.mean),
            bound,
            f"{number(point.simulated_ms)} ({number(point.low_ms)}–{number(point.high_ms)})",
            number(point.p99_ms),
            number(point.longest_ms),
            "yes" if point.agrees else "no",
            point.method,
        )
    )


def _histogram(point: LessonPoint, style: Style) -> Iterator[str]:
    """Bars of the simulated delays, with the model's mean and bound below."""
    bins, levels = len(point.counts), len(_BARS) - 1
    heights = [-(-packets * levels * _ROWS // max(point.counts)) for packets in point.counts]
    yield style.bold(f"tx-ring-limit {point.ring}: delay of {count(sum(point.counts), 'packet')}")
    for row in range(_ROWS - 1, -1, -1):
        cells = (_BARS[min(max(height - row * levels, 0), levels)] for height in heights)
        yield Verbatim(f"  {''.join(cells).rstrip()}")
    marks = [" "] * bins
    marks[_place(point.mean.value, point)] = "M"
    if point.mean.bound is not None:
        marks[_place(point.mean.bound, point)] = "B"
    yield Verbatim(f"  {''.join(marks).rstrip()}")
    bound = "" if point.mean.bound is None else f", B its bound {number(point.mean.bound)} ms"
    yield (
        f"  0 to {number(bins * point.bin_ms)} ms; M the model's mean "
        f"{number(point.mean.value)} ms{bound}"
    )


def _place(value_ms: float, point: LessonPoint) -> int:
    return min(floor(value_ms / point.bin_ms), len(point.counts) - 1)


def _why(asked: Lesson, points: Sequence[LessonPoint]) -> Iterator[str]:
    first, last = points[0], points[-1]
    is_starved = min(point.loss_ratio for point in points) > _NO_LOSS
    yield from _WHY[:1] if is_starved else _WHY
    if is_starved:
        yield _STARVED.format(lost=f"{number(percent_from_ratio(first.loss_ratio))} %")
    if first.ring < last.ring:
        slope = (last.mean.value - first.mean.value) / (last.ring - first.ring)
        yield f"The mean grows by about {number(slope)} ms with each place of the ring."
    if is_starved:
        yield "No ring is short enough: fewer calls, a smaller codec or a faster link are."
        return
    longest = number(asked.data_ms)
    yield f"A ring of 1 leaves the packet on the wire alone: on this link up to {longest} ms."
    yield from _LEFT
