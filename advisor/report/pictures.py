"""The pictures of reports as SVG: rings, WRED, sweeps, CPU of DLSw+, and where the delay is."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.ground.quantity import number
from advisor.ground.wording import load_words
from advisor.predict.classes.congested import Part
from advisor.predict.what_if.moves import is_whole, with_unit
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.sweeps import Point, RingSweep
from advisor.predict.wred.shares import GroupShare, WredShares
from advisor.report.mask import mask_class, mask_path
from advisor.report.svg import COLORS, PlotAxis, PlotMark, PlotRule, Series, plot
from advisor.report.svg import bar as svg_bar
from advisor.theory.dlsw import DESIGN_LIMIT_PERCENT

_SIZE: Final = (560, 340)
_ROOM: Final = 1.08  # of an axis beyond what is drawn
_FLAT: Final = 4  # times the mean: a bound beyond is not drawn, or the mean would be flat
_BEFORE, _AFTER = 1, 0  # colours of one value
_FULL_PERCENT: Final = 100.0
_LEGEND_PERCENT: Final = 130.0  # room for the legend above a curve that ends at 100 %
_QUARTERS: Final = tuple((25.0 * number, f"{25 * number}") for number in range(5))
_PARTS: Final = ("shaper", "ring", "own queue", "serialization")


def ring_plot(sweep: RingSweep) -> str:
    """Delay of the first priority class behind rings of all lengths, the one in force marked."""
    means = tuple(
        PlotMark(
            point.limit,
            point.mean.value,
            point.mean.low,
            point.mean.high,
            f"ring {point.limit}: {number(point.mean.value)} ms",
        )
        for point in sweep.points
    )
    bounds = tuple(PlotMark(point.limit, point.ring_bound_ms) for point in sweep.points)
    known = [point.mean.high for point in sweep.points] + [mark.y for mark in bounds]
    first, last = sweep.points[0].limit, sweep.points[-1].limit
    rules = [] if sweep.budget_ms is None else [PlotRule("budget of the ring", sweep.budget_ms)]
    if sweep.limit_low == sweep.limit_high:
        rules.append(PlotRule(f"now {sweep.limit_low}", sweep.limit_low, is_upright=True))
    if sweep.advised is not None and sweep.advised != sweep.limit_low:
        rules.append(PlotRule(f"advised {sweep.advised}", sweep.advised, is_upright=True))
    name = mask_class(sweep.class_name)
    return plot(
        f"{name}: delay by tx-ring-limit, lower classes {load_words(sweep.lower)}",
        PlotAxis(f"tx-ring-limit, {sweep.unit}", min(first, 1), last, is_whole=True),
        PlotAxis("delay, ms", 0, max(known) * _ROOM),
        (
            Series("mean, low to high", means, joined=True, band=True, dots=False),
            Series("bound of the ring", bounds, joined=True, dashed=True, dots=False),
        ),
        rules=rules,
        size=_SIZE,
    )


def wred_plot(shares: WredShares) -> str | None:
    """Drop probability over the average queue, with the point at which the class works."""
    rows = [group for group in shares.groups if group.profile is not None]
    if not rows or shares.aqs is None:
        return None
    furthest = max(group.profile.max_threshold_packets for group in rows if group.profile)
    most = max(furthest, shares.aqs.high) * 1.15
    drawn = rows[: len(COLORS)]
    series = tuple(
        Series(_named(group), _curve(group, most), joined=True, dots=False) for group in drawn
    )
    highest = max(
        _FULL_PERCENT / group.profile.mark_probability_denominator
        for group in drawn
        if group.profile
    )
    return plot(
        f"WRED of {mask_path(f'class {shares.class_name}')}",
        PlotAxis("average queue, packets", 0, most),
        PlotAxis("drop probability, %", 0, min(_FULL_PERCENT, highest * 1.6)),
        series,
        rules=(PlotRule(f"average {number(shares.aqs.value)}", shares.aqs.value, is_upright=True),),
        size=_SIZE,
    )


def _named(group: GroupShare) -> str:
    share = "" if group.share is None else f", share {number(group.share.value)} %"
    return f"{group.name}: drops {number(group.drops.value)} %{share}"


def _curve(group: GroupShare, most: float) -> tuple[PlotMark, ...]:
    row = group.profile
    if row is None:
        return ()
    top = _FULL_PERCENT / row.mark_probability_denominator
    return (
        PlotMark(0, 0),
        PlotMark(row.min_threshold_packets, 0),
        PlotMark(row.max_threshold_packets, top),
        PlotMark(row.max_threshold_packets, _FULL_PERCENT),
        PlotMark(most, _FULL_PERCENT),
    )


def delay_plot(
    title: str, prediction: ClassPrediction, words: str, before: tuple[str, ClassPrediction] | None
) -> str | None:
    """Packets of a class that are through within a time; None of a queue that never empties.

    Straight lines join what is known: the least delay, p50, p95, p99, and the bound, where it is
    near enough to be drawn.
    """
    drawn = [(words, prediction)] if before is None else [(words, prediction), before]
    known = [(name, each) for name, each in drawn if not each.never_empty]
    if prediction.never_empty:
        return None
    furthest = max(each.p99.value for _, each in known)
    bounds = [each.bound_ms for _, each in known if each.bound_ms is not None]
    near = [bound for bound in bounds if bound <= _FLAT * furthest]
    furthest = max(furthest, *near) if near else furthest
    series = tuple(
        Series(name, _shares(each, furthest), joined=True, dashed=each is not prediction)
        for name, each in known
    )
    mean = prediction.mean.value
    return plot(
        title,
        PlotAxis("delay, ms", 0, furthest * _ROOM or 1),
        PlotAxis("packets through, %", 0, _LEGEND_PERCENT, ticks=_QUARTERS),
        series,
        rules=(PlotRule(f"mean {number(mean)}", mean, is_upright=True),),
        size=_SIZE,
    )


def _shares(prediction: ClassPrediction, furthest_ms: float) -> tuple[PlotMark, ...]:
    points = [
        ("least", prediction.least_ms, 0.0),
        ("p50", prediction.p50.value, 50.0),
        ("p95", prediction.p95.value, 95.0),
        ("p99", prediction.p99.value, 99.0),
    ]
    if prediction.bound_ms is not None and prediction.bound_ms <= furthest_ms:
        points.append(("worst case", prediction.bound_ms, _FULL_PERCENT))
    return tuple(
        PlotMark(ms, percent, name=f"{name} {number(ms)} ms") for name, ms, percent in points
    )


def breakdown_bar(
    title: str, parts: Sequence[Part], most_ms: float, *, is_after: bool = False
) -> str:
    """The parts of the delay of a class, on the scale of another bar."""
    by_name = {part.name: part.ms for part in parts}
    shown = [
        (f"{name} {number(by_name.get(name, 0.0))} ms", by_name.get(name, 0.0)) for name in _PARTS
    ]
    return svg_bar(title, shown, most_ms, is_after=is_after)


def legend(parts: Sequence[Part]) -> tuple[str, ...]:
    """The parts in the order of their colours."""
    by_name = {part.name: part.ms for part in parts}
    return tuple(f"{name} {number(by_name[name])} ms" if name in by_name else "" for name in _PARTS)


def value_bar(value: float, most: float, *, is_after: bool = False) -> str:
    """One value on a scale, in another colour after a change."""
    parts, color = [(number(value), value)], _AFTER if is_after else _BEFORE
    return svg_bar(number(value), parts, most, first_color=color, is_after=is_after)


def sweep_plots(points: Sequence[Point], budget_ms: float | None) -> Iterator[str]:
    """A plot for each class that is predicted at several points."""
    key = points[0].settings[0].key
    by_class: dict[tuple[str, str], list[tuple[float, ClassPrediction]]] = {}
    for point in points:
        for prediction in point.predictions:
            if isinstance(prediction, ClassPrediction):
                named = by_class.setdefault((prediction.object, prediction.class_name), [])
                named.append((point.settings[0].value, prediction))
    for (place, name), known in by_class.items():
        if len(known) > 1:
            title = f"{mask_path(place)}, {mask_class(name)}"
            is_first = known[0][1].kind == "priority"
            yield _sweep_plot(key, title, known, budget_ms if is_first else None)


def _sweep_plot(
    key: str,
    title: str,
    known: Sequence[tuple[float, ClassPrediction]],
    budget_ms: float | None,
) -> str:
    means = tuple(
        PlotMark(at, prediction.mean.value, prediction.mean.low, prediction.mean.high)
        for at, prediction in known
    )
    highest = max(mark.high or mark.y for mark in means)
    series = [Series("mean, low to high", means, joined=True, band=True)]
    bounds = [
        PlotMark(at, prediction.bound_ms)
        for at, prediction in known
        if prediction.bound_ms is not None
    ]
    if bounds and max(mark.y for mark in bounds) <= _FLAT * highest:
        highest = max(highest, *(mark.y for mark in bounds))
        series.append(Series("bound", tuple(bounds), joined=True, dashed=True, dots=False))
    rules = () if budget_ms is None else (PlotRule("budget of the ring", budget_ms),)
    ends = min(at for at, _ in known), max(at for at, _ in known)
    x_axis = PlotAxis(with_unit(key), *ends, is_whole=is_whole(key))
    y_axis = PlotAxis("delay, ms", 0, highest * _ROOM or 1)
    return plot(title, x_axis, y_axis, series, rules=rules, size=_SIZE)


class CpuCurve(Struct, frozen=True):
    """CPU in percent of a platform over frames per second; `states` are rates with their names."""

    title: str
    points: tuple[PlotMark, ...]
    states: tuple[tuple[str, float], ...]


def cpu_plot(curve: CpuCurve) -> str:
    """SVG text of a curve; what is over 100 % is drawn at 100 %."""
    marks = tuple(map(_drawable, curve.points))
    rules = (
        PlotRule(f"limit {DESIGN_LIMIT_PERCENT:g} %", DESIGN_LIMIT_PERCENT),
        *(PlotRule(name, fps, is_upright=True) for name, fps in curve.states),
    )
    furthest = max(curve.points[-1].x, *(fps for _, fps in curve.states))
    return plot(
        curve.title,
        PlotAxis("frames per second, in and out", 0, furthest or 1),
        PlotAxis("CPU, %", 0, _FULL_PERCENT),
        (Series("CPU, low to high", marks, joined=True, band=True, dots=False),),
        rules=rules,
        size=_SIZE,
    )


def _drawable(point: PlotMark) -> PlotMark:
    low, high = (min(end or 0.0, _FULL_PERCENT) for end in (point.low, point.high))
    return PlotMark(point.x, min(point.y, _FULL_PERCENT), low, high)
