"""Converts a scenario of TCP and WRED to the model's classes, and its results to rows."""

from math import ceil, isfinite
from statistics import fmean

from msgspec import Struct

from advisor.predict.scenario import NotModelledError, beyond_model
from advisor.settings.scenario import (
    Arrival,
    Cbr,
    DiscreteSizes,
    FixedSize,
    OnOff,
    Poisson,
    PoissonBursts,
    PriorityQueue,
    Queue,
    Saturated,
    Scenario,
    SharedQueue,
    Sizes,
    Stream,
    TcpGroup,
    UniformSizes,
    wred_of,
)
from advisor.theory.wire import particles
from advisor.theory.wred import interface as model
from advisor.theory.wred.interface import (
    Bottleneck,
    Regime,
    WredClass,
    WredForecast,
    WredModelError,
)
from advisor.theory.wred.solver import solve_wred
from advisor.units import bps_from_kbps

_WHOLE_PERCENT = 100.0


class GroupRow(Struct, frozen=True):
    """Prediction for one group of one scenario; None where there is no such figure.

    `share` is a ratio of the wire bytes of all TCP groups, None for traffic that is not TCP.
    `mean_aqs_packets` is the average queue size of the group's class, None without WRED.
    `converged` is False if the figures show one of several states: use only the interval.
    """

    scenario_id: str
    group: str
    share: float | None
    share_low: float | None
    share_high: float | None
    mean_ms: float | None
    loss_ratio: float | None
    mean_aqs_packets: float | None
    regimes: tuple[Regime, ...]
    converged: bool


def is_of_wred(scenario: Scenario) -> bool:
    """Whether traffic reacts to loss (TCP) or meets WRED."""
    return any(
        isinstance(traffic, TcpGroup) or wred_of(scenario.queue_named(traffic.queue)) is not None
        for traffic in scenario.traffic
    )


def predict_wred_scenario(scenario: Scenario) -> tuple[GroupRow, ...]:
    """Predict every group of a scenario of TCP or WRED, in the order of its traffic.

    Parameters
    ----------
    scenario : Scenario
        The interface, its queues and its traffic.

    Raises
    ------
    NotModelledError
        If the interface or its traffic is of a kind that the model has no answer to.
    """
    _, forecast = solved_scenario(scenario)
    return _rows(scenario, forecast)


def solved_scenario(scenario: Scenario) -> tuple[tuple[WredClass, ...], WredForecast]:
    """The classes of the model that a scenario has, and what becomes of them.

    Raises
    ------
    NotModelledError
        If the interface or its traffic is of a kind that the model has no answer to.
    """
    bottleneck, classes = wred_interface_of(scenario)
    try:
        return classes, solve_wred(bottleneck, classes)
    except WredModelError as error:
        raise NotModelledError(str(error)) from error


def wred_interface_of(scenario: Scenario) -> tuple[Bottleneck, tuple[WredClass, ...]]:
    """The model's bottleneck and classes of a scenario; queues without traffic are left out.

    Raises
    ------
    NotModelledError
        If there is LFI, traffic in a priority queue, fair-queue, delayed acknowledgements or a
        stream without a rate.
    """
    if scenario.fragmentation is not None:
        raise NotModelledError("fragmentation: not predicted beside TCP or WRED")
    if why := next(beyond_model(scenario), None):
        raise NotModelledError(why)
    used = {traffic.queue for traffic in scenario.traffic}
    classes = tuple(_class(queue, scenario) for queue in scenario.queues if queue.name in used)
    link = scenario.link
    bottleneck = Bottleneck(
        bps_from_kbps(link.rate_kbps),
        link.l2_overhead_bytes_per_packet,
        link.atm_cell_tax,
        _ring_packets(scenario, classes),
    )
    return bottleneck, classes


def _ring_packets(scenario: Scenario, classes: tuple[WredClass, ...]) -> float:
    ring = scenario.tx_ring
    if ring.unit == "packets":
        return ring.limit
    overhead_bytes = scenario.link.l2_overhead_bytes_per_packet
    units = fmean(
        particles(group.packet_bytes, overhead_bytes, ring.particle_bytes)
        for wred_class in classes
        for group in wred_class.groups
    )
    return ceil(ring.limit / units)  # one more is admitted while fewer than the limit are used


def _class(queue: Queue, scenario: Scenario) -> WredClass:
    if isinstance(queue, PriorityQueue):
        raise NotModelledError(f"queue {queue.name}: priority beside TCP or WRED is not predicted")
    if isinstance(queue, SharedQueue) and queue.fair_queue is not None:
        raise NotModelledError(f"queue {queue.name}: fair-queue with TCP or WRED is not predicted")
    wred = wred_of(queue)
    profiles = {
        profile.name: model.DropProfile(
            profile.min_threshold_packets,
            profile.max_threshold_packets,
            profile.mark_probability_denominator,
        )
        for profile in (wred.profiles if wred else ())
    }
    return WredClass(
        queue.name,
        queue.weight if isinstance(queue, SharedQueue) else _WHOLE_PERCENT,
        queue.queue_limit_packets,
        tuple(
            _group(traffic, profiles.get(traffic.wred_profile or ""))
            for traffic in scenario.traffic
            if traffic.queue == queue.name
        ),
        wred.exponential_weighting_constant if wred else None,
    )


def _group(
    traffic: Stream | TcpGroup, profile: model.DropProfile | None
) -> model.TcpFlows | model.Unresponsive:
    if isinstance(traffic, Stream):
        streams = traffic.independent_identical_streams
        rate_pps = _packets_per_second(traffic.class_name, traffic.arrival) * streams
        size_bytes = _mean_bytes(traffic.ip_packet_bytes)
        return model.Unresponsive(traffic.class_name, rate_pps, size_bytes, profile)
    if traffic.delayed_ack:
        raise NotModelledError(f"group {traffic.class_name}: delayed_ack is not predicted")
    return model.TcpFlows(
        traffic.class_name,
        traffic.tcp_flows,
        traffic.base_rtt_ms,
        traffic.ip_packet_bytes,
        traffic.receiver_window_packets,
        profile,
        traffic.transfer_size_packets,
        traffic.initial_window_packets,
        traffic.minimum_rto_ms,
        traffic.limited_transmit,
    )


def _packets_per_second(name: str, arrival: Arrival) -> float:
    match arrival:
        case Cbr(rate) | Poisson(rate):
            return rate
        case PoissonBursts(bursts, packets):
            return bursts * packets
        case OnOff(peak, on_ms, off_ms):
            return peak * on_ms / (on_ms + off_ms)
        case Saturated():
            raise NotModelledError(
                f"group {name}: a saturated stream beside TCP or WRED is not predicted"
            )


def _mean_bytes(sizes: Sizes) -> int:
    match sizes:
        case FixedSize(size):
            return size
        case DiscreteSizes(pairs):
            total = sum(weight for _, weight in pairs)
            return round(sum(size * weight for size, weight in pairs) / total)
        case UniformSizes(least, most):
            return round((least + most) / 2)


def _rows(scenario: Scenario, forecast: WredForecast) -> tuple[GroupRow, ...]:
    groups = {group.name: group for group in forecast.groups}
    classes = {queue.name: queue for queue in forecast.classes}
    rows = []
    for traffic in scenario.traffic:
        group, class_forecast = groups[traffic.class_name], classes[traffic.queue]
        share, aqs = group.share, class_forecast.aqs_packets
        rows.append(
            GroupRow(
                scenario.id,
                group.name,
                share=_finite(share.estimate) if share else None,
                share_low=_finite(share.low) if share else None,
                share_high=_finite(share.high) if share else None,
                mean_ms=_finite(group.mean_ms.estimate),
                loss_ratio=_finite(group.loss_ratio.estimate),
                mean_aqs_packets=_finite(aqs.estimate) if aqs else None,
                regimes=class_forecast.regimes,
                converged=forecast.converged,
            )
        )
    return tuple(rows)


def _finite(value: float) -> float | None:
    return float(value) if isfinite(value) else None
