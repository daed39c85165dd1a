"""Converts a scenario of TCP and WRED to the model's classes, and its results to rows."""

from math import isfinite

from msgspec import Struct

from advisor.predict.scenario import (
    NotModelledError,
    arrival_of,
    line_of,
    sizes_of,
)
from advisor.predict.scenario_queues import model_queues
from advisor.settings.scenario import (
    Queue,
    Scenario,
    Stream,
    TcpGroup,
    wred_of,
)
from advisor.theory.interface import Interface
from advisor.theory.interface import Queue as ModelQueue
from advisor.theory.wred import interface as model
from advisor.theory.wred.interface import (
    Regime,
    WredClass,
    WredForecast,
    WredModelError,
)
from advisor.theory.wred.layout import mean_bytes, mean_packets_per_s
from advisor.theory.wred.solver import solve_wred


class GroupRow(Struct, frozen=True):
    """Prediction for one group of one scenario; None where there is no such figure.

    `share` is a ratio of the wire bytes of all TCP groups, None for traffic that is not TCP.
    `mean_aqs_packets` is the average queue size of the group's class, None without WRED.
    `converged` is False if replications do not agree: use only the interval.
    """

    scenario_id: str
    group: str
    share: float | None
    share_low: float | None
    share_high: float | None
    mean_ms: float | None
    mean_low_ms: float | None
    mean_high_ms: float | None
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
    line, classes = wred_interface_of(scenario)
    try:
        return classes, solve_wred(line, classes)
    except WredModelError as error:
        raise NotModelledError(str(error)) from error


def wred_interface_of(scenario: Scenario) -> tuple[Interface, tuple[WredClass, ...]]:
    """The line and the classes of a scenario; queues without traffic are left out.

    Raises
    ------
    NotModelledError
        If there are delayed acknowledgements.
    """
    used = {traffic.queue for traffic in scenario.traffic}
    classes = tuple(
        _class(queue, known, scenario)
        for queue, known in zip(scenario.queues, model_queues(scenario), strict=True)
        if queue.name in used
    )
    return line_of(scenario), classes


def _class(queue: Queue, known: ModelQueue, scenario: Scenario) -> WredClass:
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
        known,
        tuple(
            _group(traffic, profiles.get(traffic.wred_profile or ""))
            for traffic in scenario.traffic
            if traffic.queue == queue.name
        ),
        wred.exponential_weighting_constant if wred else None,
        wred.idle_decay_packet_time_ms if wred else None,
    )


def _group(
    traffic: Stream | TcpGroup, profile: model.DropProfile | None
) -> model.TcpFlows | model.Unresponsive:
    if isinstance(traffic, Stream):
        arrival, sizes = arrival_of(traffic.arrival), sizes_of(traffic.ip_packet_bytes)
        streams = traffic.independent_identical_streams
        return model.Unresponsive(
            traffic.class_name,
            streams * mean_packets_per_s(arrival),
            round(mean_bytes(sizes)),
            profile,
            arrival,
            streams,
            sizes,
            traffic.conversations_per_stream,
            traffic.precedence,
        )
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
        traffic.precedence,
    )


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
                mean_low_ms=_finite(group.mean_ms.low),
                mean_high_ms=_finite(group.mean_ms.high),
                loss_ratio=_finite(group.loss_ratio.estimate),
                mean_aqs_packets=_finite(aqs.estimate) if aqs else None,
                regimes=class_forecast.regimes,
                converged=forecast.converged,
            )
        )
    return tuple(rows)


def _finite(value: float) -> float | None:
    return float(value) if isfinite(value) else None
