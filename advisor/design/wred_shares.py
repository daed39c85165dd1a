"""Shares of the groups of a class under WRED settings, and denominators that keep floors."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.wred_demand import DemandGroup, WredDemand
from advisor.design.wred_plan import DesignRow, WredPlan, drop_orders
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
from advisor.theory.wred import WredForecast
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
