"""Bottleneck and classes in the order of numbers that the kernel reads."""

from array import array
from collections.abc import Iterator, Sequence
from math import log1p
from statistics import fmean

from advisor.theory.interface import (
    Arrival,
    Bursts,
    OnOff,
    Periodic,
    Poisson,
    Saturated,
    SizeMix,
)
from advisor.theory.wire import Framing, wire_ms
from advisor.theory.wred.interface import Bottleneck, TcpFlows, Unresponsive, WredClass

_PRIORITY, _SHARED = 0, 1  # QueueKind of the kernel
_PERIODIC, _POISSON, _BURSTS, _ON_OFF, _SATURATED, _TCP = range(6)  # its ArrivalKind
_FLIGHTS = 2  # go-back-N may repeat a window while the one before is still on its way


def numbers_of(bottleneck: Bottleneck, classes: Sequence[WredClass]) -> "array[float]":
    """The interface as the kernel reads it: flows are the groups, in the order of the classes."""
    groups = [
        (index, wred_class, group)
        for index, wred_class in enumerate(classes)
        for group in wred_class.groups
    ]
    sizes = sum(len(_sizes(group)) for _, _, group in groups)
    numbers = [bottleneck.ring_packets, 0.0, len(classes), len(groups), sizes, sizes]
    for wred_class in classes:
        numbers += _queue(wred_class)
    for index, _, group in groups:
        numbers += _flow(bottleneck, index, group)
    for wred_class in classes:
        numbers += _average(bottleneck, wred_class)
    for _, wred_class, group in groups:
        numbers += _profile(wred_class, group)
    for _, _, group in groups:
        numbers += _loop(group)
    return array("d", numbers)


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


def _queue(wred_class: WredClass) -> list[float]:
    kind = _PRIORITY if wred_class.priority else _SHARED
    limit = float(wred_class.queue_limit_packets)
    if all(isinstance(group, TcpFlows) for group in wred_class.groups):
        # what lies beyond all windows is never reached
        flights = sum(
            group.flows * (group.receiver_window_packets + 2)
            for group in wred_class.groups
            if isinstance(group, TcpFlows)
        )
        limit = min(limit, _FLIGHTS * flights)
    policer, flow_limit = wred_class.policer, wred_class.flow_limit_packets or 0
    bucket = (0.0, 0.0) if policer is None else (policer.rate_bps / 8000, policer.burst_bytes)
    return [kind, 0.0, wred_class.weight, limit, flow_limit, *bucket]


def _sizes(group: TcpFlows | Unresponsive) -> tuple[tuple[int, float], ...]:
    if isinstance(group, Unresponsive) and group.sizes is not None:
        return group.sizes.bytes_and_weights
    return ((group.packet_bytes, 1.0),)


def _flow(
    bottleneck: Bottleneck, index: int, group: TcpFlows | Unresponsive
) -> Iterator[float]:
    yield index
    if isinstance(group, TcpFlows):
        yield from (_TCP, 0.0, 0.0, 0.0, group.flows)
    else:
        yield from _arrival(group.arrival or Poisson(group.packets_per_second), group.streams)
        yield group.streams
    yield 1 if isinstance(group, TcpFlows) else group.conversations
    yield from (1.0, 0.0, 0.0, 0.0)  # weight of a conversation, backlog at the start, target
    sizes = _sizes(group)
    yield len(sizes)
    for packet_bytes, weight in sizes:
        frame_bytes = packet_bytes + bottleneck.overhead_bytes
        yield from (weight, frame_bytes, 1.0, packet_wire_ms(bottleneck, packet_bytes))
        yield bottleneck.units(packet_bytes)


def _arrival(arrival: Arrival, streams: int) -> tuple[float, float, float, float]:
    """Kind, rate per ms and two numbers more: `sources.c` says which."""
    match arrival:
        case Periodic(rate_per_s, jitter_ms):
            return _PERIODIC, streams * rate_per_s / 1000, jitter_ms, 0.0
        case Poisson(rate_per_s):
            return _POISSON, streams * rate_per_s / 1000, 0.0, 0.0
        case Bursts(bursts_per_s, packets, spacing_ms):
            return _BURSTS, streams * bursts_per_s / 1000, packets, spacing_ms
        case OnOff(peak_per_s, on_ms, off_ms):
            return _ON_OFF, peak_per_s / 1000, on_ms, off_ms
        case Saturated(backlog):
            return _SATURATED, 0.0, backlog, 0.0


def _average(bottleneck: Bottleneck, wred_class: WredClass) -> tuple[float, float]:
    """Weight of a sample, and the decay of the average's logarithm while the queue is idle."""
    if wred_class.exponent is None:
        return 0.0, 0.0
    weight = 2.0**-wred_class.exponent
    packet_ms = wred_class.idle_packet_ms
    if packet_ms is None:
        packet_ms = fmean(packet_wire_ms(bottleneck, group.packet_bytes) for group in wred_class.groups)
    return weight, -log1p(-weight) / packet_ms


def _profile(
    wred_class: WredClass, group: TcpFlows | Unresponsive
) -> tuple[float, float, float]:
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
