"""Sweeps as SVG: the delay of a class over the first setting, with its interval and its bound."""

from collections.abc import Iterator, Sequence
from typing import Final

from advisor.predict.what_if import ClassPrediction
from advisor.predict.what_if.moves import is_whole, with_unit
from advisor.predict.what_if.sweep import Point
from advisor.report.mask import mask_path
from advisor.report.svg import Axis, Mark, Rule, Series, plot
from advisor.report.sweep_text import Swept
from advisor.report.terminal import PLAIN, RenderOptions

_SIZE: Final = (560, 340)
_ROOM: Final = 1.08
_FLAT: Final = 4  # times the mean: a bound beyond is not drawn, or the mean would be flat
_CLASS: Final = "class "


def class_name(name: str) -> str:
    """Name of a class without secrets."""
    return mask_path(_CLASS + name).removeprefix(_CLASS)


def render(swept: Swept, _options: RenderOptions = PLAIN) -> str:
    """The plot of the first class that is predicted at several points; empty where none is."""
    return next(plots(swept.points, swept.budget_ms), "")


def plots(points: Sequence[Point], budget_ms: float | None) -> Iterator[str]:
    """A plot for each class that is predicted at several points."""
    key = points[0].settings[0].key
    by_class: dict[tuple[str, str], list[tuple[float, ClassPrediction]]] = {}
    for point in points:
        for each in point.predictions:
            if isinstance(each, ClassPrediction):
                named = by_class.setdefault((each.object, each.class_name), [])
                named.append((point.settings[0].value, each))
    for (place, name), known in by_class.items():
        if len(known) > 1:
            title = f"{mask_path(place)}, {class_name(name)}"
            is_first = known[0][1].kind == "priority"
            yield _plot(key, title, known, budget_ms if is_first else None)


def _plot(
    key: str,
    title: str,
    known: Sequence[tuple[float, ClassPrediction]],
    budget_ms: float | None,
) -> str:
    means = tuple(Mark(at, each.mean.value, each.mean.low, each.mean.high) for at, each in known)
    highest = max(mark.high or mark.y for mark in means)
    series = [Series("mean, low to high", means, joined=True, band=True)]
    bounds = [Mark(at, each.bound_ms) for at, each in known if each.bound_ms is not None]
    if bounds and max(mark.y for mark in bounds) <= _FLAT * highest:
        highest = max(highest, *(mark.y for mark in bounds))
        series.append(Series("bound", tuple(bounds), joined=True, dashed=True, dots=False))
    rules = () if budget_ms is None else (Rule("budget of the ring", budget_ms),)
    ends = min(at for at, _ in known), max(at for at, _ in known)
    x_axis = Axis(with_unit(key), *ends, is_whole=is_whole(key))
    y_axis = Axis("delay, ms", 0, highest * _ROOM or 1)
    return plot(title, x_axis, y_axis, series, rules=rules, size=_SIZE)
