"""A curve in plain characters: values with their interval over one axis, and a bound."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.quantity import Figure, number

_HEIGHT, _WIDTH = 16, 64
_MEAN, _RANGE, _BOUND = "*", ":", "-"


class Curve(Struct, frozen=True):
    """Figures over values, optionally with bounds; names of the axes and of the marks."""

    values: tuple[float, ...]
    figures: tuple[Figure, ...]
    bounds: tuple[float | None, ...]
    across: str
    up: str
    mean: str = "mean"
    bound: str = "bound"


def drawn(curve: Curve) -> Iterator[str]:
    """The lines of a plot, its legend last."""
    tops = [figure.high for figure in curve.figures]
    tops += [bound for bound in curve.bounds if bound is not None]
    top = max(tops) or 1.0
    left, right = curve.values[0], curve.values[-1]
    grid = [[" "] * (_WIDTH + 1) for _ in range(_HEIGHT + 1)]
    triples = zip(curve.values, curve.figures, curve.bounds, strict=True)
    for value, figure, bound in triples:
        column = round(_WIDTH * (value - left) / (right - left)) if right > left else 0
        for row in range(_row(figure.low, top), _row(figure.high, top) + 1):
            grid[row][column] = _RANGE
        if bound is not None:
            grid[_row(bound, top)][column] = _BOUND
        grid[_row(figure.value, top)][column] = _MEAN
    for row in range(_HEIGHT, -1, -1):
        label = number(top * row / _HEIGHT) if row % 4 == 0 else ""
        yield f"{label:>9} |" + "".join(grid[row]).rstrip()
    yield " " * 10 + "+" + "-" * _WIDTH
    ends = f"{number(left)}{number(right).rjust(_WIDTH - len(number(left)))}"
    yield " " * 11 + ends
    legend = f"{_MEAN} {curve.mean}, {_RANGE} interval, {_BOUND} {curve.bound}"
    yield " " * 11 + f"{curve.across}; {curve.up}: {legend}"


def _row(value: float, top: float) -> int:
    return min(_HEIGHT, round(_HEIGHT * value / top))
