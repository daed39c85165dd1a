"""Bottleneck and classes in the order of numbers that the kernel reads."""

from collections.abc import Iterator, Sequence
from math import log1p
from statistics import fmean

from advisor.theory.interface import (
    Arrival,
    Bursts,
    OnOff,
    Periodic,
    Poisson,
    Queue,
    QueueKind,
    Saturated,
    SizeMix,
)
from advisor.theory.kernel.layout import (
    CLOSED_LOOP,
    NONE_WAITS,
    arrival_numbers,
    queue_numbers,
    start_numbers,
)
from advisor.theory.wire import Framing, wire_ms
from advisor.theory.wred.interface import Bottleneck, TcpFlows, Unresponsive, WredClass

_FLIGHTS = 2  # go-back-N may repeat a window while the one before is still on its way
_LEVEL = 1


def numbers_of(bottleneck: Bottleneck, classes: Sequence[WredClass]) -> list[float]:
    """The interface as the kernel reads it: flows are the groups, in the order of the classes."""
    groups = [
        (index, wred_class, group)
        for index, wred_class in enumerate(classes)
        for group in wred_class.groups
    ]
    sizes = sum(len(_sizes(group)) for _, _, group in groups)
    numbers = [bottleneck.ring_packets, 0.0, len(classes), len(groups), sizes, sizes]
    for wred_class in classes:
        numbers += queue_numbers(_queue(wred_class), [_LEVEL])
    for index, _, group in groups:
        numbers += _flow(bottleneck, index, group)
    for wred_class in classes:
        numbers += _average(bottleneck, wred_class)
    for _, wred_class, group in groups:
        numbers += _profile(wred_class, group)
    for _, _, group in groups:
        numbers += _loop(group)
    return numbers


def packet_wire_ms(bottleneck: Bottleneck, packet_bytes: int) -> float:
    """Time of an IP packet on the wire."""
    return wire_ms(
        packet_bytes, Framing(bottleneck.overhead_bytes, bottleneck.cells), bottleneck.rate_bps
    )


def mean_packets_per_ms(arrival: Arrival) -> float:
    """Mean rate of one stream; 0 for a backlog that never ends."""
    match arrival:
        case Periodic(rate_per_s) | Poisson(rate_per_s):
            return rate_per_s / 1000
        case Bursts(bursts_per_s, packets):
            return bursts_per_s * packets / 1000
        case OnOff(peak_per_s, on_ms, off_ms):
            return peak_per_s * on_ms / (on_ms + off_ms) / 1000
        case Saturated():
            return 0.0


def mean_bytes(sizes: SizeMix) -> float:
    """Mean size of the packets."""
    total = sum(weight for _, weight in sizes.bytes_and_weights)
    return sum(size * weight for size, weight in sizes.bytes_and_weights) / total


def _queue(wred_class: WredClass) -> Queue:
    limit = wred_class.queue_limit_packets
    if all(isinstance(group, TcpFlows) for group in wred_class.groups):
        # what lies beyond all windows is never reached
        flights = sum(
            group.flows * (group.receiver_window_packets + 2)
            for group in wred_class.groups
            if isinstance(group, TcpFlows)
        )
        limit = min(limit, _FLIGHTS * flights)
    return Queue(
        wred_class.name,
        QueueKind.PRIORITY if wred_class.priority else QueueKind.BANDWIDTH,
        wred_class.weight,
        limit,
        wred_class.policer,
        wred_class.flow_limit_packets,
        _LEVEL,
    )


def _sizes(group: TcpFlows | Unresponsive) -> tuple[tuple[int, float], ...]:
    if isinstance(group, Unresponsive) and group.sizes is not None:
        return group.sizes.bytes_and_weights
    return ((group.packet_bytes, 1.0),)


def _flow(bottleneck: Bottleneck, index: int, group: TcpFlows | Unresponsive) -> Iterator[float]:
    yield index
    if isinstance(group, TcpFlows):
        yield from (*CLOSED_LOOP, group.flows, 1)
    else:
        arrival = group.arrival or Poisson(group.packets_per_second)
        yield from (*arrival_numbers(arrival, group.streams), group.streams, group.conversations)
    yield 1  # weight of a conversation
    yield from start_numbers(NONE_WAITS, target=0.0)
    sizes = _sizes(group)
    yield len(sizes)
    for packet_bytes, weight in sizes:
        frame_bytes = packet_bytes + bottleneck.overhead_bytes
        yield from (weight, frame_bytes, 1, packet_wire_ms(bottleneck, packet_bytes))
        yield bottleneck.units(packet_bytes)


def _average(bottleneck: Bottleneck, wred_class: WredClass) -> tuple[float, float]:
    """Weight of a sample, and the decay of the average's logarithm while the queue is idle."""
    if wred_class.exponent is None:
        return 0.0, 0.0
    weight = 2.0**-wred_class.exponent
    packet_ms = wred_class.idle_packet_ms
    if packet_ms is None:
        packet_ms = fmean(
            packet_wire_ms(bottleneck, group.packet_bytes) for group in wred_class.groups
        )
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
