"""Notes, unmet demands and inputs of a WRED design, and predictions that are too poor."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.design.wred_demand import DEFAULT_FLOWS, WredDemand
from advisor.design.wred_plan import (
    LEAST_MAX_PACKETS,
    WredPlan,
    delay_ms,
    drop_levels,
    exponent_of,
    max_threshold_packets,
)
from advisor.design.wred_shares import Share
from advisor.model import UNSCALED_WINDOW_BYTES
from advisor.quantity import Basis, Input, exact
from advisor.theory.wred import Regime, WredForecast
from advisor.units import percent_from_ratio

# Predictions of a design that are too poor to paste it without a thought.

# Engineering choices: a class that leaves a twentieth of its rate unused, or loses a twentieth of
# the packets that it is to protect, is not what WRED is configured for.
LEAST_UTILIZATION_RATIO: Final = 0.95
MOST_LOSS_RATIO: Final = 0.05
_BY_WINDOWS: Final = frozenset((Regime.NO_CONGESTION, Regime.WINDOWS_END_FIRST))


class PoorKind(StrEnum):
    """Weakness of a prediction."""

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
    plan: WredPlan,
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


def _protected(demand: WredDemand, plan: WredPlan) -> set[str]:
    stated = {group.name for group in demand.groups if group.floor_ratio is not None}
    if stated:
        return stated
    levels = drop_levels(demand)
    last = {row.code for row in plan.rows if levels[row.code] == 0}
    return {group.name for group in demand.groups if demand.code(group) in last}


# Notes, unmet demands and inputs of a design, in words.

_NEAR_RATIO = 0.5  # part of the target that rounding to packets may cost


def notes_of(
    demand: WredDemand, plan: WredPlan, shares: Sequence[Share], prediction: WredForecast
) -> Iterator[str]:
    """Tell the user the limits of a design that is within reach."""
    by_rule = exponent_of(demand, max_threshold_packets(demand))
    if plan.exponent != by_rule:
        yield (
            f"a constant of {by_rule} is one to two round trips, but with so slow an average these"
            f" flows fall in step: {plan.exponent} avoids this"
        )
    by_code: dict[int, list[str]] = {}
    for group in demand.groups:
        by_code.setdefault(demand.code(group), []).append(group.name)
    for code, names in by_code.items():
        if len(names) > 1:
            yield (
                f"{', '.join(names)} are all precedence {code}: they share one row, and the shares"
                " follow their flows; use --basis dscp to tell them apart"
            )
    for share in shares:
        if share.floor is not None and share.low < share.floor <= share.share:
            low, floor = percent_from_ratio(share.low), percent_from_ratio(share.floor)
            yield f"{share.group}: {floor:g} % is met, but the interval goes down to {low:.1f} %"
    if Regime.COLLAPSE in prediction.classes[0].regimes:
        yield (
            "these flows may lose packets together and wait for time-outs: use only the intervals;"
            " a longer --target-delay or fewer flows avoid this"
        )


def unmet_of(demand: WredDemand, top: int, shares: Sequence[Share]) -> Iterator[str]:
    """Demands that no setting of WRED meets, and the nearest that it gives."""
    reached_ms = delay_ms(demand, top)
    if abs(reached_ms - demand.target_ms) > _NEAR_RATIO * demand.target_ms:
        bound = "smallest" if top <= LEAST_MAX_PACKETS else "largest"
        yield (
            f"a target delay of {demand.target_ms:g} ms: the {bound} maximum threshold is"
            f" {top} packets, {reached_ms:.0f} ms"
        )
    for share in shares:
        if share.floor is not None and share.share < share.floor:
            yield (
                f"a share of {percent_from_ratio(share.floor):g} % for {share.group}: the best"
                f" settings give {percent_from_ratio(share.share):.1f} %"
                f" ({percent_from_ratio(share.low):.1f} to {percent_from_ratio(share.high):.1f})"
            )


def inputs_of(demand: WredDemand) -> tuple[Input, ...]:
    """The demand as inputs with their basis, and the window that the forecast assumes."""
    stated, assumed = Basis.CONFIGURED, Basis.ASSUMED
    inputs = [
        exact("class_rate_bps", demand.rate_bps, stated, "--rate"),
        exact("target_delay_ms", demand.target_ms, stated, "--target-delay")
        if demand.target_stated
        else exact("target_delay_ms", demand.target_ms, Basis.DEFAULT, "as in WRD001"),
        exact("packet_ip_bytes", demand.packet_bytes, stated, "--packet")
        if demand.packet_stated
        else exact("packet_ip_bytes", demand.packet_bytes, assumed, "--packet states it"),
        exact("rtt_ms", demand.rtt_ms, stated, "--rtt")
        if demand.rtt_stated
        else exact("rtt_ms", demand.rtt_ms, assumed, "without queueing; --rtt states it"),
        exact("receiver_window_bytes", UNSCALED_WINDOW_BYTES, assumed, "no window scaling"),
    ]
    for group in demand.groups:
        source = "--flows" if group.flows_stated else f"{DEFAULT_FLOWS} of each; --flows states it"
        basis = stated if group.flows_stated else assumed
        inputs.append(exact(f"flows of {group.name}", group.flows, basis, source))
    return tuple(inputs)
