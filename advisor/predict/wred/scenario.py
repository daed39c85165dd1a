"""Scenarios of TCP and WRED: to the model's classes and back, and to a simulation."""

from collections.abc import Iterator, Sequence
from math import isfinite
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from advisor.model import Interface
from advisor.model import Queue as ModelQueue
from advisor.predict.scenario import NotModelledError, arrival_of, line_of, sizes_of
from advisor.predict.scenario_queues import model_queues, scenario_of
from advisor.settings import scenario as scenarios
from advisor.settings.scenario import Queue, Scenario, SharedQueue, Stream, TcpGroup, wred_of
from advisor.theory import wred as model
from advisor.theory.solution import SAMPLED
from advisor.theory.wred import (
    Regime,
    TcpFlows,
    WredClass,
    WredForecast,
    WredModelError,
    interface_of_wred,
    mean_bytes,
    mean_packets_per_s,
    packet_wire_ms,
)
from advisor.theory.wred.solver import solve_wred

# Converts a scenario of TCP and WRED to the model's classes, and its results to rows.


class GroupRow(Struct, frozen=True):
    """Prediction for one group of one scenario; None where there is no such figure.

    `share` is a ratio of the wire bytes of all TCP groups, None for traffic that is not TCP.
    `mean_aqs_packets` is the average queue size of the group's class, None without WRED.
    `converged` is False if replications do not agree: use only the interval. Every figure is
    sampled, which is its `method`.
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
    method: str = SAMPLED


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


# Line and classes of WRED's model as the scenario that a simulation takes.


def scenario_of_wred(
    name: str, line: Interface, classes: Sequence[WredClass]
) -> tuple[Scenario, tuple[tuple[str, str], ...]]:
    """The scenario, and class and group of each entry of its traffic, in its order.

    While the queue is idle, the average decays at the rate of the class's mean packet on the line.
    """
    names = tuple(
        (wred_class.name, group.name) for wred_class in classes for group in wred_class.groups
    )
    scenario = scenario_of(name, interface_of_wred(line, classes))
    return (
        replace(
            scenario,
            queues=tuple(
                replace(queue, wred=_wred(line, wred_class))
                if isinstance(queue, SharedQueue) and _has_wred(wred_class)
                else queue
                for queue, wred_class in zip(scenario.queues, classes, strict=True)
            ),
            traffic=tuple(_traffic(scenario, classes)),
        ),
        names,
    )


def _has_wred(wred_class: WredClass) -> bool:
    """Whether WRED applies; an assumed load meets no row, its class only keeps the line busy."""
    return wred_class.exponent is not None and all(group.profile for group in wred_class.groups)


def _wred(line: Interface, wred_class: WredClass) -> scenarios.ScenarioWred:
    return scenarios.ScenarioWred(
        exponential_weighting_constant=wred_class.exponent or 0,
        profiles=tuple(
            scenarios.ScenarioWredProfile(
                group.name,
                group.profile.min_threshold_packets,
                group.profile.max_threshold_packets,
                group.profile.mark_probability_denominator,
            )
            for group in wred_class.groups
            if group.profile is not None
        ),
        idle_decay_packet_time_ms=fmean(
            packet_wire_ms(line, group.packet_bytes) for group in wred_class.groups
        ),
    )


def _traffic(scenario: Scenario, classes: Sequence[WredClass]) -> Iterator[Stream | TcpGroup]:
    groups = [(wred_class, group) for wred_class in classes for group in wred_class.groups]
    for place, (traffic, (wred_class, group)) in enumerate(
        zip(scenario.traffic, groups, strict=True)
    ):
        profile, name = group.name if _has_wred(wred_class) else None, f"{place} {group.name}"
        if isinstance(group, TcpFlows):
            yield _tcp_group(name, traffic.queue, group, profile)
        elif isinstance(traffic, Stream):
            yield replace(traffic, class_name=name, wred_profile=profile)


def _tcp_group(name: str, queue: str, group: TcpFlows, profile: str | None) -> TcpGroup:
    return TcpGroup(
        class_name=name,
        queue=queue,
        tcp_flows=group.flows,
        base_rtt_ms=group.base_rtt_ms,
        ip_packet_bytes=group.packet_bytes,
        receiver_window_packets=group.receiver_window_packets,
        initial_window_packets=group.initial_window_packets,
        minimum_rto_ms=group.minimum_rto_ms,
        transfer_size_packets=group.transfer_packets,
        wred_profile=profile,
        limited_transmit=group.limited_transmit,
        precedence=group.precedence,
    )
