"""WRED and TCP on one interface: shares, drops and delay of every group, with their ranges."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.units import ms_from_s, percent_from_ratio
from advisor.model import DropProfile, Interface, Saturated, Tcp, Traffic
from advisor.theory.solution import ModelError
from advisor.theory.wred import (
    ClassForecast,
    EstimateRange,
    GroupForecast,
    Regime,
    WredForecast,
    in_queue_order,
)
from advisor.theory.wred.runs import FULL, Effort, GroupCounts, RatioEstimate, ratio, replications
from advisor.theory.wred.view import (
    RARE_DROP,
    ClassView,
    GroupView,
    shares_by_flows_over_p,
    views_of,
)

# The table of WRED's regimes: how a class shares its bandwidth, and the figure that shows it.
#
# A class may be in several regimes; a class without TCP is in no regime or in `NO_WRED`. The
# limits below separate names, not figures: in every regime shares, drops and delays come from the
# same replications.

# A class that sends less than this part of its rate is not congested: swings of the flight leave
# 3 % idle on a line that is never without a queue for long.
_BUSY_RATIO = 0.97
# If more than this part of all drops are tail drops, they decide the shares instead of WRED.
_TAIL_PART = 0.2
# A class collapses if it sends less than this part of its rate, which no swing of the flight leaves
# idle, and more than this part of its drops find the average above every maximum.
_COLLAPSE_RATIO, _ABOVE_PART = 0.9, 0.5
_BELOW_BUSY = f"less than {percent_from_ratio(_BUSY_RATIO):g} % of its rate"
_BELOW_COLLAPSE = f"less than {percent_from_ratio(_COLLAPSE_RATIO):g} % of its rate"
_RARELY = f"every group loses less than {percent_from_ratio(RARE_DROP):g} %"


class WredRegimeRow(Struct, frozen=True):
    """One regime: `when` is `applies` in words, `shown_by` the figure that reports print."""

    regime: Regime
    when: str
    applies: Callable[[ClassView], bool]
    shown_by: str
    source: str


def _has_wred(view: ClassView) -> bool:
    return view.queue.wred is not None


def _is_idle(view: ClassView) -> bool:
    return view.utilization_ratio < _BUSY_RATIO


def _drops_rarely(view: ClassView) -> bool:
    return all(group.loss.value < RARE_DROP for group in view.tcp)


def _drops(view: ClassView) -> bool:
    return bool(view.tcp) and not _drops_rarely(view)


def _is_tail_drop_first(view: ClassView) -> bool:
    if not _drops(view) or not _has_wred(view):
        return False
    highest = max((profile.max_threshold_packets for profile in _profiles(view)), default=0.0)
    is_short = view.queue.limit_packets < highest and view.tail_drop_ratio > 0
    return view.tail_drop_ratio > _TAIL_PART * view.loss_ratio or is_short


def _is_told_apart(view: ClassView) -> bool:
    is_unlike = len(_profiles(view)) > 1
    return _drops(view) and _has_wred(view) and is_unlike and not _is_tail_drop_first(view)


def _profiles(view: ClassView) -> set[DropProfile]:
    profiles = (group.traffic.profile for group in view.tcp)
    return {profile for profile in profiles if profile is not None}


def _is_slow(view: ClassView) -> bool:
    constant_ms, round_trip_ms = view.time_constant_ms, view.round_trip_ms
    if constant_ms is None or round_trip_ms is None:
        return False
    return _drops(view) and constant_ms >= round_trip_ms


def _follows_bursts(view: ClassView) -> bool:
    return _drops(view) and _has_wred(view) and not _is_slow(view)


def _collapses(view: ClassView) -> bool:
    return (
        _is_slow(view)
        and view.utilization_ratio < _COLLAPSE_RATIO
        and view.above_max_ratio > _ABOVE_PART * view.loss_ratio
    )


_CSELT = '"Test of WRED for Bottleneck Link" (CSELT)'
_ROWS = (
    WredRegimeRow(
        Regime.NO_WRED,
        when="no WRED in the class",
        applies=lambda view: not _has_wred(view),
        shown_by="that tail drop is alone",
        source="definition",
    ),
    WredRegimeRow(
        Regime.COLLAPSE,
        when="the average is slower than a round trip, more than half of the drops are of packets "
        f"that find it above every maximum, and the class sends {_BELOW_COLLAPSE}",
        applies=_collapses,
        shown_by="time constant of the average beside the round trip",
        source="the replications; timers of RFC 6298",
    ),
    WredRegimeRow(
        Regime.NO_CONGESTION,
        when=f"{_RARELY}, the class sends {_BELOW_BUSY}",
        applies=lambda view: bool(view.tcp) and _drops_rarely(view) and _is_idle(view),
        shown_by="part of its rate that the class sends",
        source="definition",
    ),
    WredRegimeRow(
        Regime.WINDOWS_END_FIRST,
        when=f"{_RARELY}, and the class is busy",
        applies=lambda view: bool(view.tcp) and _drops_rarely(view) and not _is_idle(view),
        shown_by="queue that all windows make, beside the lowest minimum threshold",
        source="window and pipe: V. Jacobson, ACM SIGCOMM 1988",
    ),
    WredRegimeRow(
        Regime.TAIL_DROP_FIRST,
        when="more than a fifth of the drops are tail drops, or there are any and the "
        "queue-limit is below the highest maximum threshold",
        applies=_is_tail_drop_first,
        shown_by="queue-limit and the loss by the full queue",
        source=_CSELT,
    ),
    WredRegimeRow(
        Regime.UNDER_USE,
        when=f"groups lose packets, and the class sends {_BELOW_BUSY}",
        applies=lambda view: _drops(view) and _is_idle(view),
        shown_by="part of its rate that the class sends",
        source="C. Villamizar, C. Song, ACM CCR 24 (1994) 45-60",
    ),
    WredRegimeRow(
        Regime.DIFFERENTIATION,
        when="groups of several profiles lose packets, and not by a full queue first",
        applies=_is_told_apart,
        shown_by="drops of each group at the average queue",
        source=_CSELT,
    ),
    WredRegimeRow(
        Regime.SYNCHRONIZATION,
        when="groups lose packets, and the average follows the queue within a round trip",
        applies=_follows_bursts,
        shown_by="time constant of the average beside the round trip",
        source="S. Floyd, V. Jacobson, IEEE/ACM Trans. Networking 1 (1993) 397-413: the weight "
        "keeps bursts of a round trip out of the average",
    ),
)
WRED_REGIMES = {row.regime: row for row in _ROWS}


def regimes_of(view: ClassView) -> tuple[Regime, ...]:
    """Mechanisms that decide how the class shares its bandwidth; empty for WRED without TCP."""
    return tuple(row.regime for row in _ROWS if row.applies(view))


# Forecasts from replications: shares, delays and losses with their ranges, and regimes.

# Least half-widths, of a share, and relative of a delay and a loss ratio: replications that agree
# by chance are no nearer than this. Experiment: `python -m tools.validation.score`, the rows
# "within low-high" of TCP and WRED; `benchmarks/random_scenarios.py` draws scenarios that check it.
_SHARE_ERROR, _DELAY_ERROR, _LOSS_ERROR, _LEAST_LOSS_ERROR = 0.015, 0.02, 0.08, 5e-4
_QUEUE_ERROR = 0.5  # packets
_WIDE = 0.1  # of a share: beyond it one figure says nothing of the interval


def forecast(views: Sequence[ClassView]) -> WredForecast:
    """Join the classes: shares of TCP and of the link."""
    groups = [group for view in views for group in view.groups]
    everything = _work(group.seen for group in groups)
    tcp = _work(group.seen for view in views for group in view.tcp)
    rules = _rules_of_thumb(views, sum(tcp))
    found = tuple(_group(group, tcp, everything, rules.get(group.traffic.name)) for group in groups)
    return WredForecast(
        found,
        tuple(_class(view) for view in views),
        min(sum(view.used_ratio for view in views), 1.0),
        converged=all(_agree(group.share) for group in found if group.share is not None),
    )


def _agree(share: EstimateRange) -> bool:
    return max(share.estimate - share.low, share.high - share.estimate) <= _WIDE


def _work(rows: Iterable[tuple[GroupCounts, ...]]) -> list[float]:
    """Time on the wire of all groups, for each replication."""
    return [sum(row.work_ms for row in one) for one in zip(*rows, strict=True)]


def _rules_of_thumb(views: Sequence[ClassView], tcp_ms: float) -> dict[str, float]:
    """flows/p inside each class, scaled to the class's part of all TCP."""
    shares = {}
    for view in views:
        members = [group.traffic for group in view.tcp]
        if not members:
            continue
        part = sum(row.work_ms for group in view.tcp for row in group.seen)
        if view.queue.wred is None:
            members = [replace(group, profile=None) for group in members]
        for group, share in zip(members, shares_by_flows_over_p(members), strict=True):
            shares[group.name] = share * part / max(tcp_ms, 1e-12)
    return shares


def _range(
    estimate: RatioEstimate, least: float, low: float = 0.0, high: float = float("inf")
) -> EstimateRange:
    distance = max(estimate.half_width, least)
    return EstimateRange(
        estimate.value, max(estimate.value - distance, low), min(estimate.value + distance, high)
    )


def _group(
    view: GroupView, tcp: Sequence[float], everything: Sequence[float], rule: float | None
) -> GroupForecast:
    work_ms = [row.work_ms for row in view.seen]
    share = None
    if isinstance(view.traffic.arrival, Tcp):
        share = _range(ratio(work_ms, tcp), _SHARE_ERROR, high=1.0)
    return GroupForecast(
        view.traffic.name,
        share,
        _range(ratio(work_ms, everything), _SHARE_ERROR, high=1.0),
        rule,
        _range(view.loss, max(_LOSS_ERROR * view.loss.value, _LEAST_LOSS_ERROR), high=1.0),
        _delay(view),
        view.packets_per_ms * ms_from_s(1),
    )


def _delay(view: GroupView) -> EstimateRange:
    """Mean time in the interface; where nothing gets through, at least the time on the wire."""
    delay = view.delay_ms
    if delay is None:
        return EstimateRange(view.wire_ms, view.wire_ms, float("inf"))
    return _range(delay, _DELAY_ERROR * delay.value, low=view.wire_ms)


def _class(view: ClassView) -> ClassForecast:
    packets = view.of_queue([queue.packets for queue in view.queues])
    average = view.of_queue([queue.average_packets for queue in view.queues])
    limit = float(view.queue.limit_packets)
    return ClassForecast(
        view.queue.name,
        _range(packets, _QUEUE_ERROR, high=limit),
        None if view.queue.wred is None else _range(average, _QUEUE_ERROR, high=limit),
        view.time_constant_ms,
        regimes_of(view),
        view.utilization_ratio,
        view.tail_drop_ratio,
        view.round_trip_ms,
    )


# `solve_wred` runs the interface packet by packet. Numbers in, numbers out: `advisor.predict`
# translates the configuration of a router.

_SOLUTIONS = 512  # of a sweep


def solve_wred(interface: Interface, effort: Effort = FULL) -> WredForecast:
    """Shares, loss and delay of TCP and other traffic behind one interface.

    Parameters
    ----------
    interface : Interface
        The LLQ and the CBWFQ classes, or the only queue; queues without traffic are left out.
    effort : Effort
        How long to run it: a brief run has wider ranges.

    Returns
    -------
    WredForecast
        In the order of the queues, and of the traffic of each.

    Raises
    ------
    ModelError
        If a rate, window, count or threshold can describe no interface.

    Notes
    -----
    NewReno flows, WRED, CBWFQ and the transmit ring packet by packet (`theory/kernel`), in
    replications that are measured until shares, delays and losses are known. Not modelled: delayed
    acknowledgements, SACK, ECN. The same numbers give the same answer on every machine.
    """
    _check(interface)
    return _solved(in_queue_order(interface), effort)


@lru_cache(maxsize=_SOLUTIONS)
def _solved(interface: Interface, effort: Effort) -> WredForecast:
    return forecast(views_of(interface, replications(interface, effort)))


def _check(interface: Interface) -> None:
    if interface.rate_bps <= 0 or interface.ring.limit < 1:
        raise ModelError("the rate must be above 0 and the ring hold at least 1 packet")
    if not interface.traffic:
        raise ModelError("there is no class")
    for queue in interface.queues:
        if queue.share_percent <= 0 or queue.limit_packets < 1:
            raise ModelError(f"class {queue.name}: weight and queue-limit must be above 0")
        if queue.wred is not None and not 1 <= queue.wred.exponent <= 16:  # noqa: PLR2004
            raise ModelError(f"class {queue.name}: exponent {queue.wred.exponent}, must be 1 to 16")
    for traffic in interface.traffic:
        _check_group(traffic)


def _check_group(traffic: Traffic) -> None:
    place, arrival = f"class {traffic.queue}, group {traffic.name}", traffic.arrival
    if isinstance(arrival, Tcp):
        counts = (traffic.streams, arrival.receiver_window_packets, arrival.initial_window_packets)
        if min(counts) < 1 or arrival.base_rtt_ms <= 0 or arrival.minimum_rto_ms <= 0:
            raise ModelError(f"{place}: flows, windows, RTT and RTO must be above 0")
    elif traffic.packets_per_s <= 0 and not isinstance(arrival, Saturated):
        raise ModelError(f"{place}: packets per second must be above 0")
    if traffic.packet_bytes < 1:
        raise ModelError(f"{place}: packets of {traffic.packet_bytes} bytes")
    profile = traffic.profile
    if profile is None:
        return
    if not 0 <= profile.min_threshold_packets <= profile.max_threshold_packets:
        raise ModelError(f"{place}: thresholds must be min <= max, and not below 0")
    if profile.mark_probability_denominator < 1:
        raise ModelError(f"{place}: the denominator must be at least 1")
