"""Classes whose reserved rate is raised: what that takes from others is its cost."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from advisor.facts.policy import CLASS_DEFAULT
from advisor.lint.change.changes import Direction, PredictionChange
from advisor.lint.change.snapshot import Snapshot
from advisor.lint.findings import Metric
from advisor.lint.moved import rises
from advisor.units import kbps_from_bps

_NEEDS_MORE: Final = "LLQ012"  # more calls admitted than the priority classes carry
_ROUNDED: Final = 1.05  # a rate is rounded up
_OF_BYTES: Final = 1.1  # goodput is of IP packets, a reserved rate of frames

_Rates = Mapping[tuple[str, str, str], float]  # of a class by device, output and name


def with_costs(
    changes: Iterable[PredictionChange], old: Snapshot, new: Snapshot
) -> Iterator[PredictionChange]:
    """The changes, where these are costs: they do not count.

    A longer bound, and no longer mean, of a priority class that is raised to no more than its
    admitted calls need; goodput that class-default loses to classes whose rates are raised.
    """
    was, has = _rates(old), _rates(new)
    needs = {
        (each.device, each.object): each.figure.value
        for each in old.findings
        if each.rule == _NEEDS_MORE and each.figure is not None
    }
    for change in changes:
        before = change.output_before or change.output
        if change.metric is Metric.DELAY:
            key = change.device, before, change.class_name
            now = has.get((change.device, change.output, change.class_name), 0.0)
            need_kbps = needs.get((change.device, f"{before} > class {change.class_name}"), 0.0)
            is_needed = was.get(key, now) < now and kbps_from_bps(now) <= need_kbps * _ROUNDED
            is_cost = is_needed and _is_of_bound(change)
        else:
            is_cost = _goes_to_raised(change, was, has, before)
        yield (
            replace(change, direction=Direction.COST, counts=False)
            if is_cost and change.direction is Direction.WORSE
            else change
        )


def _rates(state: Snapshot) -> _Rates:
    return {
        (order.device, order.path, taker.name): taker.reserved_bps
        for order in state.orders
        for taker in order.takers
        if taker.reserved_bps is not None
    }


def _is_of_bound(change: PredictionChange) -> bool:
    before, now = change.before, change.now
    if before is None or now is None or change.bound_now_ms is None:
        return False
    return not rises(before, now)


def _goes_to_raised(change: PredictionChange, was: _Rates, has: _Rates, before: str) -> bool:
    if change.metric is not Metric.GOODPUT or change.class_name != CLASS_DEFAULT:
        return False
    raised_bps = sum(
        max(0.0, rate_bps - was.get((device, before, name), rate_bps))
        for (device, output, name), rate_bps in has.items()
        if (device, output) == (change.device, change.output) and name != CLASS_DEFAULT
    )
    return 0 < -change.difference <= kbps_from_bps(raised_bps) * _OF_BYTES
