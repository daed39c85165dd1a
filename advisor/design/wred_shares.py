"""Shares of the groups of a class under WRED settings, and words on what they lack."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.wred_plan import (
    DEFAULT_FLOWS,
    LEAST_MAX_PACKETS,
    DemandGroup,
    DesignRow,
    WredDemand,
    WredPlan,
    delay_ms,
    drop_levels,
    drop_orders,
    exponent_of,
    max_threshold_packets,
)
from advisor.ground.quantity import Basis, Input, exact
from advisor.ground.units import percent_from_ratio
from advisor.model import (
    UNSCALED_WINDOW_BYTES,
    DropProfile,
    Framing,
    Interface,
    Queue,
    QueueKind,
    SizeMix,
    Tcp,
    Traffic,
    TxRing,
    WredAverage,
    window_packets,
)
from advisor.theory.wred import Regime, WredForecast
from advisor.theory.wred.solver import solve_wred

# Shares of the groups of a class under WRED settings, by the model of TCP and WRED.

_NO_LIMIT_PACKETS = 100_000  # before HQF a class with WRED has no queue-limit
_RING_PACKETS = 1  # the packet on the wire; the rest of the ring is shared with other classes


class Share(Struct, frozen=True):
    """Predicted share of one group of the bytes of its class, as ratios.

    `by_flows_over_p` is the rule of thumb, flows over drop probability, for comparison.
    """

    group: str
    flows: int
    share: float
    low: float
    high: float
    by_flows_over_p: float | None
    floor: float | None
    loss_ratio: float


class WhatIf(Struct, frozen=True):
    """Shares in the order of the groups, with the flows of one group changed.

    `converged` False: replications do not agree.
    """

    group: str
    flows: int
    shares: tuple[float, ...]
    converged: bool


def forecast(
    demand: WredDemand, rows: Sequence[DesignRow], exponent: int, limit_packets: int | None
) -> WredForecast:
    """The model's answer for the class alone on its rate."""
    by_code = {row.code: row for row in rows}
    limit = _NO_LIMIT_PACKETS if limit_packets is None else limit_packets
    queue = Queue("class", QueueKind.BANDWIDTH, limit_packets=limit, wred=WredAverage(exponent))
    flows = tuple(_flows(demand, group, by_code, queue) for group in demand.groups)
    return solve_wred(
        Interface(demand.rate_bps, Framing(0), TxRing(_RING_PACKETS), (queue,), flows)
    )


def _flows(
    demand: WredDemand, group: DemandGroup, by_code: Mapping[int, DesignRow], queue: Queue
) -> Traffic:
    row, size = by_code[demand.code(group)], demand.packet_bytes
    profile = DropProfile(row.min_threshold, row.max_threshold, row.denominator)
    return Traffic(
        group.name,
        queue.name,
        Tcp(demand.rtt_ms, window_packets(UNSCALED_WINDOW_BYTES, size)),
        SizeMix(((size, 1.0),)),
        group.flows,
        profile=profile,
    )


def shares_of(demand: WredDemand, prediction: WredForecast) -> tuple[Share, ...]:
    """Shares of the groups in their order."""
    shares = []
    for group, predicted in zip(demand.groups, prediction.groups, strict=True):
        share = predicted.share if predicted.share is not None else predicted.share_of_link
        shares.append(
            Share(
                group.name,
                group.flows,
                share.estimate,
                share.low,
                share.high,
                predicted.share_by_flows_over_p,
                group.floor_ratio,
                predicted.loss_ratio.estimate,
            )
        )
    return tuple(shares)


def slack(shares: Sequence[Share], *, at_least: bool) -> float | None:
    """Smallest margin of a share over its floor, by low ends or estimates; None without a floor."""
    room = [
        (share.low if at_least else share.share) - share.floor
        for share in shares
        if share.floor is not None
    ]
    return min(room) if room else None


def sensitivity(
    demand: WredDemand, rows: Sequence[DesignRow], exponent: int, limit_packets: int | None
) -> tuple[WhatIf, ...]:
    """Shares with the flows of each group halved and doubled."""
    what_ifs = []
    for index, group in enumerate(demand.groups):
        for flows in dict.fromkeys((max(1, group.flows // 2), group.flows * 2)):
            groups = list(demand.groups)
            groups[index] = replace(group, flows=flows)
            variant = replace(demand, groups=tuple(groups))
            answer = forecast(variant, rows, exponent, limit_packets)
            shares = tuple(share.share for share in shares_of(variant, answer))
            what_ifs.append(WhatIf(group.name, flows, shares, answer.converged))
    return tuple(what_ifs)


# Denominators between those of the candidates, if no candidate keeps every floor.

ROUNDS = 6
_LEAST_OF_LAST = 4.0  # whole numbers from here on are fine enough steps
_MOST = 100.0  # beyond, a row hardly drops before its maximum
_DAMPED = 0.7
_TINY = 1e-3


def refined(demand: WredDemand, plan: WredPlan, shares: Sequence[Share]) -> WredPlan | None:
    """The plan with denominators moved towards shares that keep every floor with room.

    A share is nearly proportional to flows over drop probability. None if the floors exceed the
    whole, or no denominator changes.
    """
    target_shares = _wanted(shares)
    if target_shares is None or len(plan.rows) == 1:
        return None
    ratios: dict[int, float] = {}
    for group, share, target_share in zip(demand.groups, shares, target_shares, strict=True):
        ratios.setdefault(demand.code(group), (target_share / max(share.share, _TINY)) ** _DAMPED)
    unscaled = {row.code: row.denominator * ratios.get(row.code, 1.0) for row in plan.rows}
    scale = max(1.0, _LEAST_OF_LAST / min(unscaled.values()))
    scale = min(scale, _MOST / max(unscaled.values()))
    denominators = {
        code: max(1, round(denominator * scale)) for code, denominator in unscaled.items()
    }
    denominators |= dict(_in_order(denominators, drop_orders(demand)))
    rows = tuple(replace(row, denominator=denominators[row.code]) for row in plan.rows)
    if rows == plan.rows or _are_equal(rows):
        return None
    return replace(plan, rows=rows)


def _wanted(shares: Sequence[Share]) -> list[float] | None:
    """Each floor plus an equal part of the rest; groups without a floor keep half of the rest."""
    floors = [share.floor for share in shares if share.floor is not None]
    free_share = sum(share.share for share in shares if share.floor is None)
    rest = 1.0 - sum(floors)
    if rest <= 0 or not floors:
        return None
    reserve = rest / 2 if len(floors) < len(shares) else 0.0
    return [
        share.floor + (rest - reserve) / len(floors)
        if share.floor is not None
        else reserve * share.share / max(free_share, _TINY)
        for share in shares
    ]


def _in_order(
    denominators: dict[int, int], orders: Sequence[Sequence[int]]
) -> Iterator[tuple[int, int]]:
    """Denominators of each order of drop, never lower for a code that is dropped later."""
    for codes in orders:
        least = 1
        for code in reversed([code for code in codes if code in denominators]):
            least = max(least, denominators[code])
            yield code, least


def _are_equal(rows: Sequence[DesignRow]) -> bool:
    treatments = {(row.min_threshold, row.max_threshold, row.denominator) for row in rows}
    return len(treatments) == 1


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
