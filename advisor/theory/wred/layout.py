"""Line and classes as the model's interface, and in the numbers that the kernel reads."""

from collections.abc import Sequence
from math import fsum, log1p

from msgspec.structs import replace

from advisor.theory.flows import flows_of
from advisor.theory.interface import (
    Arrival,
    Bursts,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    Queue,
    Saturated,
    Shaper,
    SizeMix,
    Traffic,
)
from advisor.theory.kernel.layout import numbers_of
from advisor.theory.wire import Framing, wire_ms
from advisor.theory.wred.interface import TcpFlows, Unresponsive, WredClass

_FLIGHTS = 2  # go-back-N may repeat a window while the one before is still on its way


def numbers_of_wred(line: Interface, classes: Sequence[WredClass]) -> list[float]:
    """The interface as the kernel reads it: flows are the groups, in the order of the classes."""
    groups = [(wred_class, group) for wred_class in classes for group in wred_class.groups]
    interface = interface_of_wred(line, classes)
    flows = flows_of(interface)
    closed = {
        traffic.name
        for traffic, (_, group) in zip(interface.traffic, groups, strict=True)
        if isinstance(group, TcpFlows)
    }
    numbers = numbers_of(interface, flows, [0.0] * len(flows), {}, closed)
    for wred_class in classes:
        numbers += _average(line, wred_class)
    for wred_class, group in groups:
        numbers += _profile(wred_class, group)
    for _, group in groups:
        numbers += _loop(group)
    return numbers


def interface_of_wred(line: Interface, classes: Sequence[WredClass]) -> Interface:
    """The interface without WRED; TCP flows are streams whose arrivals come from outside."""
    groups = [(wred_class, group) for wred_class in classes for group in wred_class.groups]
    return replace(
        line,
        queues=tuple(_queue(wred_class) for wred_class in classes),
        traffic=tuple(
            _traffic(f"{place} {group.name}", wred_class, group)
            for place, (wred_class, group) in enumerate(groups)
        ),
    )


def packet_wire_ms(line: Interface, packet_bytes: int) -> float:
    """Time of an IP packet on the wire, whole."""
    return wire_ms(packet_bytes, line.framing, line.rate_bps)


def shaped_ratio(line: Interface, shaper: Shaper | None, packet_bytes: int) -> float:
    """Part of the wire's time that a shaper leaves to packets of one size; 1 without one."""
    if shaper is None:
        return 1.0
    counted = shaper.framing or Framing(line.framing.overhead_bytes)
    counted_ms = wire_ms(packet_bytes, counted, shaper.rate_bps)
    return min(packet_wire_ms(line, packet_bytes) / counted_ms, 1.0)


def mean_packets_per_s(arrival: Arrival) -> float:
    """Mean rate of one stream; 0 for a backlog that never ends."""
    match arrival:
        case Periodic(rate_per_s) | Poisson(rate_per_s):
            return rate_per_s
        case Bursts(bursts_per_s, packets):
            return bursts_per_s * packets
        case OnOff(peak_per_s, on_ms, off_ms):
            return peak_per_s * on_ms / (on_ms + off_ms)
        case Saturated():
            return 0.0


def mean_bytes(sizes: SizeMix) -> float:
    """Mean size of the packets."""
    total = sum(weight for _, weight in sizes.bytes_and_weights)
    return sum(size * weight for size, weight in sizes.bytes_and_weights) / total


def _queue(wred_class: WredClass) -> Queue:
    flows = [group for group in wred_class.groups if isinstance(group, TcpFlows)]
    if len(flows) < len(wred_class.groups):
        return wred_class.queue
    # what lies beyond all windows is never reached
    flights = sum(group.flows * (group.receiver_window_packets + 2) for group in flows)
    limit = min(wred_class.queue.limit_packets, _FLIGHTS * flights)
    return replace(wred_class.queue, limit_packets=limit)


def _traffic(name: str, wred_class: WredClass, group: TcpFlows | Unresponsive) -> Traffic:
    fixed = SizeMix(((group.packet_bytes, 1.0),))
    if isinstance(group, TcpFlows):
        return Traffic(
            name,
            wred_class.name,
            Saturated(0),
            fixed,
            group.flows,
            precedence=group.precedence,
        )
    return Traffic(
        name,
        wred_class.name,
        group.arrival or Poisson(group.packets_per_second),
        group.sizes or fixed,
        group.streams,
        group.conversations,
        group.precedence,
    )


def _average(line: Interface, wred_class: WredClass) -> tuple[float, float]:
    """Weight of a sample, and the decay of the average's logarithm while the queue is idle."""
    if wred_class.exponent is None:
        return 0.0, 0.0
    weight = 2.0**-wred_class.exponent
    packet_ms = wred_class.idle_packet_ms
    if packet_ms is None:
        own_ms = [packet_wire_ms(line, group.packet_bytes) for group in wred_class.groups]
        packet_ms = fsum(own_ms) / len(own_ms)  # `statistics` takes longer to import than this room
    return weight, -log1p(-weight) / packet_ms


def _profile(wred_class: WredClass, group: TcpFlows | Unresponsive) -> tuple[float, float, float]:
    profile = group.profile
    if profile is None or wred_class.exponent is None:
        return 0.0, 0.0, 0.0
    return (
        profile.min_threshold_packets,
        profile.max_threshold_packets,
        profile.mark_probability_denominator,
    )


def _loop(group: TcpFlows | Unresponsive) -> tuple[float, ...]:
    if isinstance(group, Unresponsive):
        return ()
    return (
        group.base_rtt_ms,
        group.receiver_window_packets,
        group.initial_window_packets,
        group.transfer_packets or 0,
        group.limited_transmit,
        group.minimum_rto_ms,
    )
