"""Plots as SVG text: marks on two axes, linear or logarithmic. Knows nothing of what is plotted."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import ceil, floor, log10

from msgspec import Struct

WIDTH, HEIGHT = 720, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 40, 48
COLORS = ("#1f5fa8", "#c2571a", "#3a7d34", "#6b6b6b")


class Mark(Struct, frozen=True):
    """A point with the interval that stands for it; None: no such end."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    name: str = ""


class Series(Struct, frozen=True):
    """Marks of one kind: joined by a line, or each for itself."""

    title: str
    marks: tuple[Mark, ...]
    joined: bool = False


class Axis(Struct, frozen=True):
    """One axis; `ticks` are values with their words, where round figures would not do."""

    title: str
    low: float
    high: float
    logarithmic: bool = False
    ticks: tuple[tuple[float, str], ...] = ()

    def ratio(self, value: float) -> float:
        """Place of a value on the axis, 0 at its low end."""
        if self.logarithmic:
            return log10(value / self.low) / log10(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def marked(self) -> tuple[tuple[float, str], ...]:
        if self.ticks:
            return self.ticks
        if self.logarithmic:
            powers = range(ceil(log10(self.low) - 1e-9), floor(log10(self.high) + 1e-9) + 1)
            return tuple((10.0**power, f"{10.0**power:g}") for power in powers)
        step = _round_step((self.high - self.low) / 6)
        first = ceil(self.low / step)
        count = floor(self.high / step + 1e-9) - first + 1
        return tuple(((first + i) * step, f"{(first + i) * step:g}") for i in range(count))


def _round_step(step: float) -> float:
    power = 10.0 ** floor(log10(step))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= step)


def plot(
    title: str, x_axis: Axis, y_axis: Axis, series: Sequence[Series], *, diagonal: bool = False
) -> str:
    """SVG text of a plot.

    Parameters
    ----------
    title : str
        What the plot shows; also its accessible name.
    across, up : Axis
        The axes.
    series : sequence of Series
        What is drawn, at most as many as there are colours.
    diagonal : bool
        Whether to draw the line on which both axes agree.
    """
    parts = [*_frame(title, x_axis, y_axis)]
    if diagonal:
        low, high = max(x_axis.low, y_axis.low), min(x_axis.high, y_axis.high)
        parts.append(_line(x_axis, y_axis, (low, low), (high, high), _DASHED))
    for place, (line, color) in enumerate(zip(series, COLORS, strict=False)):
        parts += _drawn(x_axis, y_axis, line, color)
        x, y = _LEFT + 12, _TOP + 16 + 18 * place
        parts.append(f'<circle cx="{x}" cy="{y - 4}" r="4" fill="{color}"/>')
        parts.append(f'<text x="{x + 10}" y="{y}">{escape(line.title)}</text>')
    return "\n".join((*parts, "</svg>")) + "\n"


def _frame(title: str, x_axis: Axis, y_axis: Axis) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(title)}" font-family="sans-serif" font-size="12">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    yield f'<text x="{WIDTH / 2:g}" y="22" font-size="14" {_MIDDLE}>{escape(title)}</text>'
    yield from _ticks(x_axis, lambda ratio: (_x(ratio), _y(0)), (0, 16), _MIDDLE)
    yield from _ticks(y_axis, lambda ratio: (_x(0), _y(ratio)), (-6, 4), 'text-anchor="end"')
    yield (
        f'<rect x="{_LEFT}" y="{_TOP}" width="{WIDTH - _LEFT - _RIGHT}" '
        f'height="{HEIGHT - _TOP - _BOTTOM}" fill="none" stroke="#333"/>'
    )
    middle_x, middle_y = _x(0.5), _y(0.5)
    yield f'<text x="{middle_x:.1f}" y="{HEIGHT - 8}" {_MIDDLE}>{escape(x_axis.title)}</text>'
    yield (
        f'<text transform="translate(16 {middle_y:.1f}) rotate(-90)" {_MIDDLE}>'
        f"{escape(y_axis.title)}</text>"
    )


_DASHED = 'stroke="#999" stroke-dasharray="4 3"'
_MIDDLE = 'text-anchor="middle"'


def _ticks(
    axis: Axis,
    place: Callable[[float], tuple[float, float]],
    shift: tuple[int, int],
    anchor: str,
) -> Iterator[str]:
    for value, word in axis.marked():
        x, y = place(axis.ratio(value))
        to_x = WIDTH - _RIGHT if x == _LEFT and shift[0] else x
        to_y = y if shift[0] else _TOP
        yield f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="#e4e4e4"/>'
        yield (
            f'<text x="{x + shift[0]:.1f}" y="{y + shift[1]:.1f}" {anchor} '
            f'font-size="10">{escape(word)}</text>'
        )


def _drawn(x_axis: Axis, y_axis: Axis, series: Series, color: str) -> Iterator[str]:
    if series.joined:
        for mark, following in zip(series.marks, series.marks[1:], strict=False):
            yield _line(
                x_axis, y_axis, (mark.x, mark.y), (following.x, following.y), f'stroke="{color}"'
            )
    for mark in series.marks:
        if mark.low is not None and mark.high is not None:
            yield _line(
                x_axis, y_axis, (mark.x, mark.low), (mark.x, mark.high), f'stroke="{color}"'
            )
        x, y = _x(x_axis.ratio(mark.x)), _y(y_axis.ratio(mark.y))
        name = f"<title>{escape(mark.name)}</title>" if mark.name else ""
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{color}">{name}</circle>'


def _line(
    x_axis: Axis, y_axis: Axis, start: tuple[float, float], end: tuple[float, float], stroke: str
) -> str:
    (x1, y1), (x2, y2) = (
        (_x(x_axis.ratio(x)), _y(y_axis.ratio(min(max(y, y_axis.low), y_axis.high))))
        for x, y in (start, end)
    )
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" {stroke} fill="none"/>'


def _x(ratio: float) -> float:
    return _LEFT + ratio * (WIDTH - _LEFT - _RIGHT)


def _y(ratio: float) -> float:
    return HEIGHT - _BOTTOM - ratio * (HEIGHT - _TOP - _BOTTOM)
