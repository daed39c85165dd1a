"""Forecasts from fixed points: shares, delays, ranges and regimes.

The ranges come from comparison with packet-level simulation (`benchmarks/wred_vs_truth.py`): how
far the fixed point was off where the loop is calm, and how much more where it swings.
"""

from collections.abc import Sequence
from math import inf

from msgspec.structs import replace

from advisor.theory.wred.curve import shares_by_flows_over_p
from advisor.theory.wred.interface import (
    ClassForecast,
    GroupForecast,
    Range,
    Regime,
    TcpFlows,
    WredClass,
    WredForecast,
)
from advisor.theory.wred.point import GroupPoint
from advisor.theory.wred.regimes import regimes_of
from advisor.theory.wred.view import ClassView

# Half-widths, absolute of a share, relative of loss and delay: `benchmarks/wred_vs_truth.py`.
_SHARE_ERROR = 0.02
_SHARE_ERROR_SWINGING = 0.04
_SHARE_ERROR_DROP_TAIL = 0.15  # phase effects decide whose packets find the queue full
_SHARE_ERROR_COLLAPSED = 0.06
_SHARE_ERROR_UNSETTLED = 0.1
_LOSS_ERROR = 0.2
_LOSS_ERROR_SWINGING = 0.6
_DELAY_ERROR = 0.1
_DELAY_ERROR_SWINGING = 0.2
_LARGEST_LOSS = 0.5  # near collapse half of the packets may be lost
_LEAST_LOAD = 1e-6  # numeric: of the link: shares of next to nothing are still shares


def forecast(views: Sequence[ClassView]) -> WredForecast:
    """Join the classes: shares of TCP and of the link."""
    loads = [_loads(view) for view in views]
    link = sum(map(sum, loads))
    tcp = sum(
        load
        for view, row in zip(views, loads, strict=True)
        for group, load in zip(view.wred_class.groups, row, strict=True)
        if isinstance(group, TcpFlows)
    )
    rules = _rules_of_thumb(views, loads, tcp)
    unsteady_rate = sum(
        view.capacity_ratio * (1 - view.herd.utilization_ratio)
        for view in views
        if view.herd is not None
    )
    groups = tuple(
        _group(view, index, row, (tcp, link, unsteady_rate if len(views) > 1 else 0.0), rules)
        for view, row in zip(views, loads, strict=True)
        for index in range(len(row))
    )
    classes = tuple(_class(view) for view in views)
    converged = all(view.point.converged and not view.collapsed for view in views)
    return WredForecast(groups, classes, min(link, 1.0), converged)


def _loads(view: ClassView) -> list[float]:
    """Parts of the link that the groups use."""
    loads = [
        point.through_per_s * wire_s
        for point, wire_s in zip(view.point.groups, view.wire_s, strict=True)
    ]
    if not view.collapsed:
        return loads
    # above max every profile drops alike: the rest is shared in proportion to the flows
    flows = [group.flows if isinstance(group, TcpFlows) else 0 for group in view.wred_class.groups]
    rest = max(view.through_ratio, _LEAST_LOAD)
    return [rest * count / max(sum(flows), 1) for count in flows]


def _rules_of_thumb(
    views: Sequence[ClassView], loads: Sequence[Sequence[float]], tcp: float
) -> dict[str, float]:
    """flows/p inside each class, scaled to the class's part of all TCP."""
    shares = {}
    for view, row in zip(views, loads, strict=True):
        members = [group for group in view.wred_class.groups if isinstance(group, TcpFlows)]
        if not members:
            continue
        part = sum(
            load
            for group, load in zip(view.wred_class.groups, row, strict=True)
            if isinstance(group, TcpFlows)
        )
        if view.wred_class.exponent is None:
            members = [replace(group, profile=None) for group in members]
        for group, share in zip(members, shares_by_flows_over_p(members), strict=True):
            shares[group.name] = share * part / max(tcp, 1e-12)
    return shares


def _around(estimate: float, distance: float, low: float, high: float) -> Range:
    return Range(estimate, max(estimate - distance, low), min(estimate + distance, high))


def _span(first: Range, end: float, limit: float) -> Range:
    return Range(first.estimate, min(first.low, end), min(max(first.high, end), limit))


def _group(
    view: ClassView,
    index: int,
    row: Sequence[float],
    totals: tuple[float, float, float],
    rules: dict[str, float],
) -> GroupForecast:
    group, point = view.wred_class.groups[index], view.point.groups[index]
    tcp, link, unsteady_rate = totals
    error = _SHARE_ERROR_SWINGING if view.swinging else _SHARE_ERROR
    if view.drop_tail and _unlike(view.wred_class):
        error = _SHARE_ERROR_DROP_TAIL
    if Regime.TAIL_DROP_FIRST in regimes_of(view):
        error = max(error, _SHARE_ERROR_SWINGING)
    if not view.point.converged:
        error = max(error, _SHARE_ERROR_UNSETTLED)
    if view.collapsed:
        error = _SHARE_ERROR_COLLAPSED
    # the other classes take the rate that a class near collapse leaves
    error += unsteady_rate / 2
    share = None
    if isinstance(group, TcpFlows):
        share = _around(row[index] / max(tcp, 1e-12), error, 0.0, 1.0)
        share = _with_collapse(view, index, row, share, sum(row) / max(tcp, 1e-12))
    link_share = _around(row[index] / max(link, 1e-12), error, 0.0, 1.0)
    return GroupForecast(
        group.name,
        share,
        _with_collapse(view, index, row, link_share, sum(row) / max(link, 1e-12)),
        rules.get(group.name),
        _loss(view, point),
        _delay(view, index),
        row[index] / view.wire_s[index],
        point.flight_packets if isinstance(group, TcpFlows) else None,
    )


def _unlike(wred_class: WredClass) -> bool:
    """Whether round trips or windows differ inside the class."""
    kinds = {
        (group.base_rtt_ms, group.receiver_window_packets)
        for group in wred_class.groups
        if isinstance(group, TcpFlows)
    }
    return len(kinds) > 1


def _with_collapse(
    view: ClassView, index: int, row: Sequence[float], share: Range, part: float
) -> Range:
    """The range, widened by the shares of the other state (collapsed or not)."""
    if view.herd is None:
        return share
    flows = [group.flows if isinstance(group, TcpFlows) else 0 for group in view.wred_class.groups]
    throughputs = [point.through_per_s for point in view.point.groups]
    equal_share = part * flows[index] / max(sum(flows), 1)
    calm_share = part * throughputs[index] / max(sum(throughputs), 1e-12)
    if not isinstance(view.wred_class.groups[index], TcpFlows) or len(row) == 1:
        return share
    return _span(_span(share, equal_share, 1.0), calm_share, 1.0)


def _loss(view: ClassView, point: GroupPoint) -> Range:
    error = (_LOSS_ERROR_SWINGING if view.swinging else _LOSS_ERROR) * point.drop
    if view.drop_tail:
        error = point.drop
    loss = _around(point.drop, max(error, 1e-3), 0.0, 1.0)
    if view.herd is None:
        return loss
    worst = _span(loss, max(_LARGEST_LOSS, view.herd.loss_ratio), 1.0)
    return replace_estimate(worst, view.herd.loss_ratio) if view.collapsed else worst


def replace_estimate(interval: Range, estimate: float) -> Range:
    """The range with another estimate, widened to include it."""
    return Range(estimate, min(interval.low, estimate), max(interval.high, estimate))


def _delay(view: ClassView, index: int) -> Range:
    point = view.point
    own_s = view.wire_s[index] - view.packet_s
    longest = view.wred_class.queue_limit_packets / view.capacity_per_s
    has_no_ring = view.ring_s == 0
    queue_packets = point.backlog_packets if has_no_ring else point.queue_packets
    wait_s = queue_packets / view.capacity_per_s + view.ring_s
    if point.backlog_packets == 0:
        wait_s = view.packet_s
    wait_ms = max(wait_s + own_s, view.wire_s[index]) * 1000
    error = (_DELAY_ERROR_SWINGING if view.swinging else _DELAY_ERROR) * wait_ms
    most = longest * 1000 + 2 * wait_ms
    delay = _around(wait_ms, error, view.wire_s[index] * 1000, most)
    if not point.converged:
        # any queue up to one whose average is at the highest maximum
        full_s = (_highest(view.wred_class) + view.ring_packets) / view.capacity_per_s
        delay = _span(delay, (full_s + own_s) * 1000, longest * 1000 + 2 * full_s * 1000)
    if view.herd is None:
        return delay
    # Little's law: mean waiting packets over the carried rate, all packets in bursts
    herd, ring = view.herd, 0.0 if not has_no_ring else view.ring_packets
    throughput = max(herd.utilization_ratio, 1e-3) * view.capacity_per_s
    burst_s = herd.queue_packets / throughput + ring / view.capacity_per_s + view.ring_s
    burst_ms = min(burst_s * 1000, most)
    interval = _span(_span(delay, burst_ms * (1 + _DELAY_ERROR_SWINGING), most), burst_ms / 2, most)
    return replace_estimate(interval, burst_ms) if view.collapsed else interval


def _highest(wred_class: WredClass) -> float:
    """The highest maximum threshold, the queue-limit without WRED."""
    profiles = [group.profile for group in wred_class.groups if group.profile is not None]
    if wred_class.exponent is None or not profiles:
        return float(wred_class.queue_limit_packets)
    return max(profile.max_threshold_packets for profile in profiles)


def _class(view: ClassView) -> ClassForecast:
    point, wred_class = view.point, view.wred_class
    error = _DELAY_ERROR_SWINGING if view.swinging else _DELAY_ERROR
    queue_packets = point.queue_packets
    if view.collapsed and view.herd is not None:
        queue_packets = view.herd.queue_packets
    queue = _around(
        queue_packets,
        max(error * queue_packets, 0.5),
        0.0,
        float(wred_class.queue_limit_packets),
    )
    if view.herd is not None:
        queue = _span(queue, view.herd.queue_packets / 2, float(wred_class.queue_limit_packets))
    margin = point.swing.margin
    return ClassForecast(
        wred_class.name,
        queue,
        None if wred_class.exponent is None else queue,
        None if wred_class.exponent is None else point.swing.average_packets,
        view.time_constant_ms,
        None if margin == inf else margin,
        regimes_of(view),
        view.through_ratio / view.capacity_ratio,
        point.tail_drop,
        view.round_trip_ms,
    )
