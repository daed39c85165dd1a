"""Bottleneck and classes of WRED's model as the scenario that a simulation takes."""

from collections.abc import Iterator, Sequence

from advisor.settings import scenario as given
from advisor.settings.scenario import Scenario, Stream, TcpGroup
from advisor.theory.wire import Framing, wire_bytes
from advisor.theory.wred.interface import Bottleneck, TcpFlows, Unresponsive, WredClass
from advisor.units import kbps_from_bps, serialization_ms


def scenario_of_wred(
    name: str, bottleneck: Bottleneck, classes: Sequence[WredClass]
) -> tuple[Scenario, tuple[tuple[str, str], ...]]:
    """The scenario, and class and group of each entry of its traffic, in its order.

    What does not react to loss comes as a Poisson process. The average decays while idle by the
    class's mean packet on the line.
    """
    names = tuple((each.name, group.name) for each in classes for group in each.groups)
    return (
        Scenario(
            id=name,
            link=given.Link(
                kbps_from_bps(bottleneck.rate_bps), bottleneck.overhead_bytes, bottleneck.cells
            ),
            tx_ring=given.TxRing("packets", round(bottleneck.ring_packets)),
            scheduler="cbwfq",
            queues=tuple(_queue(each, bottleneck) for each in classes),
            traffic=tuple(_traffic(classes)),
        ),
        names,
    )


def _queue(each: WredClass, bottleneck: Bottleneck) -> given.SharedQueue:
    return given.SharedQueue(
        name=each.name,
        queue_limit_packets=each.queue_limit_packets,
        bandwidth_percent=each.weight,
        wred=_wred(each, bottleneck) if _has_wred(each) else None,
    )


def _has_wred(each: WredClass) -> bool:
    """A load that was assumed meets no row: its class only keeps the line busy."""
    return each.exponent is not None and all(group.profile for group in each.groups)


def _wred(each: WredClass, bottleneck: Bottleneck) -> given.Wred:
    framing = Framing(bottleneck.overhead_bytes, cells=bottleneck.cells)
    sizes = [wire_bytes(group.packet_bytes, framing) for group in each.groups]
    return given.Wred(
        exponential_weighting_constant=each.exponent or 0,
        profiles=tuple(
            given.WredProfile(
                group.name,
                group.profile.min_threshold_packets,
                group.profile.max_threshold_packets,
                group.profile.mark_probability_denominator,
            )
            for group in each.groups
            if group.profile is not None
        ),
        idle_decay_packet_time_ms=serialization_ms(sum(sizes) / len(sizes), bottleneck.rate_bps),
    )


def _traffic(classes: Sequence[WredClass]) -> Iterator[Stream | TcpGroup]:
    for place, each in enumerate(classes):
        for group in each.groups:
            profile = group.name if _has_wred(each) else None
            yield _of_group(f"{place} {group.name}", each.name, group, profile)


def _of_group(
    name: str, queue: str, group: TcpFlows | Unresponsive, profile: str | None
) -> Stream | TcpGroup:
    if isinstance(group, Unresponsive):
        return Stream(
            class_name=name,
            queue=queue,
            arrival=given.Poisson(group.packets_per_second),
            ip_packet_bytes=given.FixedSize(group.packet_bytes),
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
