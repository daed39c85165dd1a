"""Plots as SVG text: marks, lines and bands on two axes. Knows nothing of what is plotted.

Colours are attributes, so that a picture stands alone; classes let a page choose its own.
"""

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Final

from msgspec import Struct

COLORS: Final = ("#1f5fa8", "#c2571a", "#3a7d34", "#6b6b6b", "#8a3f99", "#0f7c80")
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 40, 48
_MIDDLE: Final = 'text-anchor="middle"'
_DASHES: Final = 'stroke-dasharray="4 3"'
_OUTLINE: Final = 'stroke-width="2" vector-effect="non-scaling-stroke"'
_LEGEND_PX: Final = 18  # height of an entry
_DIVISIONS: Final = 6  # of an axis, about


class PlotMark(Struct, frozen=True):
    """A point with the interval that stands for it; None: no such end."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    name: str = ""


class Series(Struct, frozen=True):
    """Marks of one kind: joined by a line or each for itself, their intervals as a band or bars."""

    title: str
    marks: tuple[PlotMark, ...]
    joined: bool = False
    band: bool = False
    dashed: bool = False
    dots: bool = True


class PlotRule(Struct, frozen=True):
    """A straight line across the plot at a value of one axis, with its words."""

    title: str
    value: float
    is_upright: bool = False


class PlotAxis(Struct, frozen=True):
    """One axis; `ticks` are values with their words, where round figures would not do.

    With `is_whole` there is nothing between two whole numbers, and no tick.
    """

    title: str
    low: float
    high: float
    logarithmic: bool = False
    ticks: tuple[tuple[float, str], ...] = ()
    is_whole: bool = False

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
        step = _round_step((self.high - self.low) / _DIVISIONS)
        step = max(step, 1.0) if self.is_whole else step
        first = ceil(self.low / step)
        count = floor(self.high / step + 1e-9) - first + 1
        return tuple(((first + i) * step, f"{(first + i) * step:g}") for i in range(count))


def _round_step(step: float) -> float:
    power = 10.0 ** floor(log10(step))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= step)


class _Area(Struct, frozen=True):
    """The axes on a picture of a size in pixels."""

    x_axis: PlotAxis
    y_axis: PlotAxis
    width: int
    height: int

    def x(self, value: float) -> float:
        return _LEFT + self._inside(self.x_axis, value) * (self.width - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        used = self._inside(self.y_axis, value) * (self.height - _TOP - _BOTTOM)
        return self.height - _BOTTOM - used

    def _inside(self, axis: PlotAxis, value: float) -> float:
        return axis.ratio(min(max(value, axis.low), axis.high))

    def at(self, x: float, y: float) -> str:
        return f"{self.x(x):.1f} {self.y(y):.1f}"


def plot(
    title: str,
    x_axis: PlotAxis,
    y_axis: PlotAxis,
    series: Sequence[Series],
    *,
    diagonal: bool = False,
    rules: Sequence[PlotRule] = (),
    size: tuple[int, int] = (720, 440),
) -> str:
    """SVG text of a plot.

    Parameters
    ----------
    title
        What the plot shows; also its accessible name.
    x_axis, y_axis
        The axes. What lies beyond their ends is drawn at the end.
    series
        What is drawn, at most as many as there are colours.
    diagonal
        Whether to draw the line on which both axes agree.
    rules
        Straight lines, like a budget.
    size
        Width and height in pixels.
    """
    area = _Area(x_axis, y_axis, *size)
    parts = [*_frame(title, area)]
    if diagonal:
        low, high = max(x_axis.low, y_axis.low), min(x_axis.high, y_axis.high)
        parts.append(_path(f"M{area.at(low, low)}L{area.at(high, high)}", "rule", "#999", _DASHES))
    colored = list(zip(series, COLORS, strict=False))
    parts += (part for place, known in enumerate(colored) for part in _band(area, *known, place))
    parts += (part for rule in rules for part in _rule(area, rule))
    parts += (part for place, known in enumerate(colored) for part in _drawn(area, *known, place))
    for place, (line, color) in enumerate(colored):
        x, y = _LEFT + 12, _TOP + 16 + _LEGEND_PX * place
        parts.append(f'<circle class="dot c{place}" cx="{x}" cy="{y - 4}" r="4" fill="{color}"/>')
        parts.append(f'<text x="{x + 10}" y="{y}">{escape(line.title)}</text>')
    return "\n".join((*parts, "</svg>")) + "\n"


def _frame(title: str, area: _Area) -> Iterator[str]:
    width, height = area.width, area.height
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(title)}" font-family="sans-serif" font-size="12">'
    )
    yield f'<rect class="paper" width="{width}" height="{height}" fill="white"/>'
    yield f'<text x="{width / 2:g}" y="22" font-size="14" {_MIDDLE}>{escape(title)}</text>'
    bottom, left = area.height - _BOTTOM, float(_LEFT)
    for value, word in area.x_axis.marked():
        x = area.x(value)
        yield _path(f"M{x:.1f} {bottom:.1f}L{x:.1f} {_TOP:.1f}", "grid", "#e4e4e4")
        yield _tick(x, bottom + 16, word, _MIDDLE)
    for value, word in area.y_axis.marked():
        y = area.y(value)
        yield _path(f"M{left:.1f} {y:.1f}L{width - _RIGHT:.1f} {y:.1f}", "grid", "#e4e4e4")
        yield _tick(left - 6, y + 4, word, 'text-anchor="end"')
    yield (
        f'<rect class="frame" x="{_LEFT}" y="{_TOP}" width="{width - _LEFT - _RIGHT}" '
        f'height="{height - _TOP - _BOTTOM}" fill="none" stroke="#333"/>'
    )
    x, y = (_LEFT + width - _RIGHT) / 2, (_TOP + height - _BOTTOM) / 2
    yield f'<text x="{x:.1f}" y="{height - 8}" {_MIDDLE}>{escape(area.x_axis.title)}</text>'
    yield (
        f'<text transform="translate(16 {y:.1f}) rotate(-90)" {_MIDDLE}>'
        f"{escape(area.y_axis.title)}</text>"
    )


def _tick(x: float, y: float, word: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {anchor} font-size="10">{escape(word)}</text>'


def _rule(area: _Area, rule: PlotRule) -> Iterator[str]:
    axis = area.x_axis if rule.is_upright else area.y_axis
    if not axis.low <= rule.value <= axis.high:
        return
    if rule.is_upright:
        x = area.x(rule.value)
        yield _path(f"M{x:.1f} {area.height - _BOTTOM}L{x:.1f} {_TOP}", "rule", "#777", _DASHES)
        is_right = rule.value > (axis.low + axis.high) / 2
        anchor, x = ('text-anchor="end"', x - 4) if is_right else ("", x + 4)
        yield _tick(x, area.height - _BOTTOM - 6, rule.title, anchor)
        return
    y = area.y(rule.value)
    yield _path(f"M{_LEFT} {y:.1f}L{area.width - _RIGHT} {y:.1f}", "rule", "#777", _DASHES)
    yield _tick(area.width - _RIGHT - 4, y - 4, rule.title, 'text-anchor="end"')


def _band(area: _Area, series: Series, color: str, place: int) -> Iterator[str]:
    spans = [
        (mark.x, mark.low, mark.high)
        for mark in series.marks
        if mark.low is not None and mark.high is not None
    ]
    if series.band and spans:
        upper = [area.at(x, high) for x, _, high in spans]
        lower = [area.at(x, low) for x, low, _ in reversed(spans)]
        outline = "L".join((*upper, *lower))
        yield f'<path class="band c{place}" d="M{outline}Z" fill="{color}" fill-opacity="0.18"/>'


def _drawn(area: _Area, series: Series, color: str, place: int) -> Iterator[str]:
    kind, dashes = f"line c{place}", _DASHES if series.dashed else ""
    if series.joined and len(series.marks) > 1:
        way = "L".join(area.at(mark.x, mark.y) for mark in series.marks)
        yield _path(f"M{way}", kind, color, dashes)
    for mark in series.marks:
        if not series.band and mark.low is not None and mark.high is not None:
            ends = f"M{area.at(mark.x, mark.low)}L{area.at(mark.x, mark.high)}"
            yield _path(ends, kind, color)
        if series.dots:
            name = f"<title>{escape(mark.name)}</title>" if mark.name else ""
            yield (
                f'<circle class="dot c{place}" cx="{area.x(mark.x):.1f}" cy="{area.y(mark.y):.1f}" '
                f'r="3.5" fill="{color}">{name}</circle>'
            )


def _path(way: str, kind: str, color: str, more: str = "") -> str:
    return f'<path class="{kind}" d="{way}" stroke="{color}" fill="none" {more}/>'.replace(
        " />", "/>"
    )


def bar(
    title: str,
    parts: Sequence[tuple[str, float]],
    most: float,
    width: int = 420,
    *,
    first_color: int = 0,
    is_after: bool = False,
) -> str:
    """SVG text of one bar of parts side by side; `most` is the value of the full width.

    One of after a change is pale within an outline: paper without colours tells it from the other.
    """
    height, drawn, x = 22, [], 0.0
    kind = "after" if is_after else "dot"
    outline = ' fill-opacity="0.3"' if is_after else ""
    for place, ((name, value), color) in enumerate(
        zip(parts, COLORS[first_color:], strict=False), first_color
    ):
        wide = width * value / most if most > 0 else 0.0
        stroke = f' stroke="{color}" {_OUTLINE}' if is_after and wide else ""
        drawn.append(
            f'<rect class="{kind} c{place}" x="{x:.1f}" width="{wide:.1f}" height="{height}" '
            f'fill="{color}"{outline}{stroke}><title>{escape(name)}</title></rect>'
        )
        x += wide
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(title)}">{"".join(drawn)}</svg>\n'
    )
