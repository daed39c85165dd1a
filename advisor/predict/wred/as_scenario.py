"""Bottleneck and classes of WRED's model as the scenario that a simulation takes."""

from collections.abc import Iterator, Sequence

from advisor.settings import scenario as scenarios
from advisor.settings.scenario import Scenario, Stream, TcpGroup
from advisor.theory.wire import Framing, wire_bytes
from advisor.theory.wred.interface import Bottleneck, TcpFlows, Unresponsive, WredClass
from advisor.units import kbps_from_bps, serialization_ms


def scenario_of_wred(
    name: str, bottleneck: Bottleneck, classes: Sequence[WredClass]
) -> tuple[Scenario, tuple[tuple[str, str], ...]]:
    """The scenario, and class and group of each entry of its traffic, in its order.

    Traffic that does not react to loss is a Poisson process. While the queue is idle, the average
    decays at the rate of the class's mean packet on the line.
    """
    names = tuple(
        (wred_class.name, group.name) for wred_class in classes for group in wred_class.groups
    )
    return (
        Scenario(
            id=name,
            link=scenarios.Link(
                kbps_from_bps(bottleneck.rate_bps), bottleneck.overhead_bytes, bottleneck.cells
            ),
            tx_ring=scenarios.TxRing("packets", round(bottleneck.ring_packets)),
            scheduler="cbwfq",
            queues=tuple(_queue(wred_class, bottleneck) for wred_class in classes),
            traffic=tuple(_traffic(classes)),
        ),
        names,
    )


def _queue(wred_class: WredClass, bottleneck: Bottleneck) -> scenarios.SharedQueue:
    return scenarios.SharedQueue(
        name=wred_class.name,
        queue_limit_packets=wred_class.queue_limit_packets,
        bandwidth_percent=wred_class.weight,
        wred=_wred(wred_class, bottleneck) if _has_wred(wred_class) else None,
    )


def _has_wred(wred_class: WredClass) -> bool:
    """Whether WRED applies; an assumed load meets no row, its class only keeps the line busy."""
    return wred_class.exponent is not None and all(group.profile for group in wred_class.groups)


def _wred(wred_class: WredClass, bottleneck: Bottleneck) -> scenarios.Wred:
    framing = Framing(bottleneck.overhead_bytes, cells=bottleneck.cells)
    sizes = [wire_bytes(group.packet_bytes, framing) for group in wred_class.groups]
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
        idle_decay_packet_time_ms=serialization_ms(sum(sizes) / len(sizes), bottleneck.rate_bps),
    )


def _traffic(classes: Sequence[WredClass]) -> Iterator[Stream | TcpGroup]:
    for index, wred_class in enumerate(classes):
        for group in wred_class.groups:
            profile = group.name if _has_wred(wred_class) else None
            yield _group_traffic(f"{index} {group.name}", wred_class.name, group, profile)


def _group_traffic(
    name: str, queue: str, group: TcpFlows | Unresponsive, profile: str | None
) -> Stream | TcpGroup:
    if isinstance(group, Unresponsive):
        return Stream(
            class_name=name,
            queue=queue,
            arrival=scenarios.Poisson(group.packets_per_second),
            ip_packet_bytes=scenarios.FixedSize(group.packet_bytes),
            wred_profile=profile,
        )
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
    )
