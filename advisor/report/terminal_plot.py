"""A curve in plain characters: values with their interval over one axis, a bound, a budget."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.quantity import Figure, number

_HEIGHT, _WIDTH, _LEAST = 16, 64, 20
_LABEL: Final = 11  # columns left of the plot
_MEAN, _RANGE, _BOUND, _BUDGET = "*", ":", "-", "="


class Curve(Struct, frozen=True):
    """Figures over values, optionally with bounds; names of the axes and of the marks."""

    values: tuple[float, ...]
    figures: tuple[Figure, ...]
    bounds: tuple[float | None, ...]
    across: str
    up: str
    mean: str = "mean"
    bound: str = "bound"
    budget: float | None = None


def drawn(curve: Curve, terminal: int | None = None) -> Iterator[str]:
    """The lines of a plot, its legend last; as wide as the terminal where that is known."""
    width = _WIDTH if terminal is None else max(_LEAST, terminal - _LABEL - 1)
    tops = [figure.high for figure in curve.figures]
    tops += [bound for bound in curve.bounds if bound is not None]
    tops += [curve.budget] if curve.budget is not None else []
    top = max(tops) or 1.0
    left, right = curve.values[0], curve.values[-1]
    grid = [[" "] * (width + 1) for _ in range(_HEIGHT + 1)]
    if curve.budget is not None:
        grid[_row(curve.budget, top)] = [_BUDGET] * (width + 1)
    triples = zip(curve.values, curve.figures, curve.bounds, strict=True)
    for value, figure, bound in triples:
        column = round(width * (value - left) / (right - left)) if right > left else 0
        for row in range(_row(figure.low, top), _row(figure.high, top) + 1):
            grid[row][column] = _RANGE
        if bound is not None:
            grid[_row(bound, top)][column] = _BOUND
        grid[_row(figure.value, top)][column] = _MEAN
    yield f"{curve.up:>9}"
    for row in range(_HEIGHT, -1, -1):
        label = number(top * row / _HEIGHT) if row % 4 == 0 else ""
        yield f"{label:>9} |" + "".join(grid[row]).rstrip()
    yield " " * 10 + "+" + "-" * width
    ends = f"{number(left)}{curve.across:^{width - len(number(left)) - len(number(right))}}"
    yield " " * _LABEL + f"{ends}{number(right)}"
    budget = "" if curve.budget is None else f", {_BUDGET} budget {number(curve.budget)}"
    yield " " * 2 + f"{_MEAN} {curve.mean}, {_RANGE} interval, {_BOUND} {curve.bound}{budget}"


def _row(value: float, top: float) -> int:
    return min(_HEIGHT, round(_HEIGHT * value / top))
