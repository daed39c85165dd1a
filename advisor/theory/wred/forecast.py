"""Forecasts from replications: shares, delays and losses with their ranges, and regimes."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from advisor.theory.wred.curve import shares_by_flows_over_p
from advisor.theory.wred.interface import (
    ClassForecast,
    GroupForecast,
    Range,
    TcpFlows,
    WredForecast,
)
from advisor.theory.wred.regimes import regimes_of
from advisor.theory.wred.runs import Estimate, GroupSeen, ratio
from advisor.theory.wred.view import ClassView, GroupView
from advisor.units import ms_from_s

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
    tcp = _work(group.seen for group in groups if isinstance(group.group, TcpFlows))
    rules = _rules_of_thumb(views, sum(tcp))
    found = tuple(_group(group, tcp, everything, rules.get(group.group.name)) for group in groups)
    return WredForecast(
        found,
        tuple(_class(view) for view in views),
        min(sum(view.used_ratio for view in views), 1.0),
        converged=all(_agree(group.share) for group in found if group.share is not None),
    )


def _agree(share: Range) -> bool:
    return max(share.estimate - share.low, share.high - share.estimate) <= _WIDE


def _work(rows: Iterable[tuple[GroupSeen, ...]]) -> list[float]:
    """Time on the wire of all groups, for each replication."""
    return [sum(row.work_ms for row in one) for one in zip(*rows, strict=True)]


def _rules_of_thumb(views: Sequence[ClassView], tcp_ms: float) -> dict[str, float]:
    """flows/p inside each class, scaled to the class's part of all TCP."""
    shares = {}
    for view in views:
        members = [group for group, _ in view.tcp]
        if not members:
            continue
        part = sum(row.work_ms for _, group in view.tcp for row in group.seen)
        if view.wred_class.exponent is None:
            members = [replace(group, profile=None) for group in members]
        for group, share in zip(members, shares_by_flows_over_p(members), strict=True):
            shares[group.name] = share * part / max(tcp_ms, 1e-12)
    return shares


def _range(estimate: Estimate, least: float, low: float = 0.0, high: float = float("inf")) -> Range:
    distance = max(estimate.half_width, least)
    return Range(
        estimate.value, max(estimate.value - distance, low), min(estimate.value + distance, high)
    )


def _group(
    view: GroupView, tcp: Sequence[float], everything: Sequence[float], rule: float | None
) -> GroupForecast:
    work_ms = [row.work_ms for row in view.seen]
    share = None
    if isinstance(view.group, TcpFlows):
        share = _range(ratio(work_ms, tcp), _SHARE_ERROR, high=1.0)
    return GroupForecast(
        view.group.name,
        share,
        _range(ratio(work_ms, everything), _SHARE_ERROR, high=1.0),
        rule,
        _range(view.loss, max(_LOSS_ERROR * view.loss.value, _LEAST_LOSS_ERROR), high=1.0),
        _delay(view),
        view.packets_per_ms * ms_from_s(1),
    )


def _delay(view: GroupView) -> Range:
    """Mean time in the interface; where nothing gets through, at least the time on the wire."""
    delay = view.delay_ms
    if delay is None:
        return Range(view.wire_ms, view.wire_ms, float("inf"))
    return _range(delay, _DELAY_ERROR * delay.value, low=view.wire_ms)


def _class(view: ClassView) -> ClassForecast:
    packets = view.of_queue([queue.packets for queue in view.queues])
    average = view.of_queue([queue.average_packets for queue in view.queues])
    limit = float(view.wred_class.queue.limit_packets)
    return ClassForecast(
        view.wred_class.name,
        _range(packets, _QUEUE_ERROR, high=limit),
        None if view.wred_class.exponent is None else _range(average, _QUEUE_ERROR, high=limit),
        view.time_constant_ms,
        regimes_of(view),
        view.utilization_ratio,
        view.tail_drop_ratio,
        view.round_trip_ms,
    )
