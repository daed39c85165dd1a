"""Predictions of a design that are too poor to paste it without a thought."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.design.wred_demand import WredDemand
from advisor.design.wred_plan import Plan, drop_levels
from advisor.design.wred_shares import Share
from advisor.theory.wred.interface import Regime, WredForecast
from advisor.units import percent_from_ratio

# Engineering choices: a class that leaves a twentieth of its rate unused, or loses a twentieth of
# the packets that it is to protect, is not what WRED is configured for.
LEAST_UTILIZATION_RATIO: Final = 0.95
MOST_LOSS_RATIO: Final = 0.05
_BY_WINDOWS: Final = frozenset((Regime.NO_CONGESTION, Regime.WINDOWS_END_FIRST))


class PoorKind(StrEnum):
    """What is poor in a prediction."""

    UNDER_USE = "rate that the thresholds leave unused"
    NOT_FILLED = "rate that the windows of the flows leave unused"
    LOSS = "loss of a protected group"
    DELAY = "mean delay over the target"


class Poor(Struct, frozen=True):
    """A predicted figure beyond its limit; `group` is None if it is of the whole class.

    `unit` is that of both figures: `%` or `ms`.
    """

    kind: PoorKind
    group: str | None
    predicted: float
    limit: float
    unit: str


def poor_of(
    demand: WredDemand,
    plan: Plan,
    shares: Sequence[Share],
    prediction: WredForecast,
    mean_delay_ms: float,
) -> Iterator[Poor]:
    """Yield what is poor: rate left unused, loss of a protected group, delay over the target.

    Protected groups are those with a stated share; where none is stated, those that are dropped
    last. `mean_delay_ms` is the time in the queue and on the wire.
    """
    used_ratio = prediction.utilization_ratio
    if used_ratio < LEAST_UTILIZATION_RATIO:
        regimes = prediction.classes[0].regimes
        is_not_filled = not _BY_WINDOWS.isdisjoint(regimes)
        kind = PoorKind.NOT_FILLED if is_not_filled else PoorKind.UNDER_USE
        yield _in_percent(kind, None, used_ratio, LEAST_UTILIZATION_RATIO)
    protected = _protected(demand, plan)
    for share in shares:
        if share.group in protected and share.loss_ratio > MOST_LOSS_RATIO:
            yield _in_percent(PoorKind.LOSS, share.group, share.loss_ratio, MOST_LOSS_RATIO)
    if mean_delay_ms > demand.target_ms:
        yield Poor(PoorKind.DELAY, None, mean_delay_ms, demand.target_ms, "ms")


def _in_percent(kind: PoorKind, group: str | None, ratio: float, limit_ratio: float) -> Poor:
    return Poor(kind, group, percent_from_ratio(ratio), percent_from_ratio(limit_ratio), "%")


def _protected(demand: WredDemand, plan: Plan) -> set[str]:
    stated = {group.name for group in demand.groups if group.floor_ratio is not None}
    if stated:
        return stated
    levels = drop_levels(demand)
    last = {row.code for row in plan.rows if levels[row.code] == 0}
    return {group.name for group in demand.groups if demand.code(group) in last}
