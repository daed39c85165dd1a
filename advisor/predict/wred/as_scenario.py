"""Line and classes of WRED's model as the scenario that a simulation takes."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from msgspec.structs import replace

from advisor.predict.classes.interface_scenario import scenario_of
from advisor.settings import scenario as scenarios
from advisor.settings.scenario import Scenario, SharedQueue, Stream, TcpGroup
from advisor.theory.interface import Interface
from advisor.theory.wred.interface import TcpFlows, WredClass
from advisor.theory.wred.layout import interface_of_wred, packet_wire_ms


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


def _wred(line: Interface, wred_class: WredClass) -> scenarios.Wred:
    return scenarios.Wred(
        exponential_weighting_constant=wred_class.exponent or 0,
        profiles=tuple(
            scenarios.WredProfile(
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
