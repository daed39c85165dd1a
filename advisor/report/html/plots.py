"""The plots of a report: the ring over its lengths, WRED with its flows, where the delay is."""

from collections.abc import Sequence
from typing import Final

from advisor.predict.classes.breakdown import Part
from advisor.predict.what_if.ring_sweep import RingSweep
from advisor.predict.wred.shares import GroupShare, WredShares
from advisor.quantity import number
from advisor.report.mask import mask_path
from advisor.report.svg import COLORS, Axis, Mark, Rule, Series, plot
from advisor.report.svg import bar as svg_bar
from advisor.wording import load_words

_SIZE: Final = (560, 340)
_ROOM: Final = 1.08  # of an axis beyond what is drawn
_FULL_PERCENT: Final = 100.0
_PARTS: Final = ("shaper", "ring", "own queue", "serialization")


def ring_plot(sweep: RingSweep) -> str:
    """Delay of the first priority class behind rings of all lengths, the one in force marked."""
    means = tuple(
        Mark(
            point.limit,
            point.mean.value,
            point.mean.low,
            point.mean.high,
            f"ring {point.limit}: {number(point.mean.value)} ms",
        )
        for point in sweep.points
    )
    bounds = tuple(Mark(point.limit, point.ring_bound_ms) for point in sweep.points)
    known = [point.mean.high for point in sweep.points] + [mark.y for mark in bounds]
    first, last = sweep.points[0].limit, sweep.points[-1].limit
    rules = [] if sweep.budget_ms is None else [Rule("budget of the ring", sweep.budget_ms)]
    if sweep.limit_low == sweep.limit_high:
        rules.append(Rule(f"now {sweep.limit_low}", sweep.limit_low, is_upright=True))
    if sweep.advised is not None and sweep.advised != sweep.limit_low:
        rules.append(Rule(f"advised {sweep.advised}", sweep.advised, is_upright=True))
    name = mask_path(f"class {sweep.class_name}").removeprefix("class ")
    return plot(
        f"{name}: delay by tx-ring-limit, lower classes {load_words(sweep.lower)}",
        Axis(f"tx-ring-limit, {sweep.unit}", min(first, 1), last, is_whole=True),
        Axis("delay, ms", 0, max(known) * _ROOM),
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
        Axis("average queue, packets", 0, most),
        Axis("drop probability, %", 0, min(_FULL_PERCENT, highest * 1.6)),
        series,
        rules=(Rule(f"average {number(shares.aqs.value)}", shares.aqs.value, is_upright=True),),
        size=_SIZE,
    )


def _named(group: GroupShare) -> str:
    share = "" if group.share is None else f", share {number(group.share.value)} %"
    return f"{group.name}: drops {number(group.drops.value)} %{share}"


def _curve(group: GroupShare, most: float) -> tuple[Mark, ...]:
    row = group.profile
    if row is None:
        return ()
    top = _FULL_PERCENT / row.mark_probability_denominator
    return (
        Mark(0, 0),
        Mark(row.min_threshold_packets, 0),
        Mark(row.max_threshold_packets, top),
        Mark(row.max_threshold_packets, _FULL_PERCENT),
        Mark(most, _FULL_PERCENT),
    )


def breakdown_bar(title: str, parts: Sequence[Part], most_ms: float) -> str:
    """Where the delay of a class is, on the scale of another bar."""
    by_name = {part.name: part.ms for part in parts}
    shown = [
        (f"{name} {number(by_name.get(name, 0.0))} ms", by_name.get(name, 0.0)) for name in _PARTS
    ]
    return svg_bar(title, shown, most_ms)


def legend(parts: Sequence[Part]) -> tuple[str, ...]:
    """The parts in the order of their colours."""
    by_name = {part.name: part.ms for part in parts}
    return tuple(f"{name} {number(by_name[name])} ms" if name in by_name else "" for name in _PARTS)


def value_bar(value: float, most: float) -> str:
    """One value on a scale."""
    return svg_bar(number(value), [(number(value), value)], most)
