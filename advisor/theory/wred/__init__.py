"""Input and output of the WRED and TCP model, and the numbers that the kernel reads."""

from collections.abc import Sequence
from enum import StrEnum
from math import fsum, log1p

from msgspec import Struct
from msgspec.structs import replace

from advisor.model import (
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
from advisor.model.wire import Framing, wire_ms
from advisor.theory.flows import flows_of
from advisor.theory.kernel.layout import numbers_of

# Input and output of the WRED and TCP model: numbers with units, no IOS text.


class WredModelError(ValueError):
    """The numbers describe no interface that could be modelled."""


class DropProfile(Struct, frozen=True):
    """Thresholds in packets of average queue size; one packet in `denominator` drops at max."""

    min_threshold_packets: float
    max_threshold_packets: float
    mark_probability_denominator: float


class TcpFlows(Struct, frozen=True):
    """Identical TCP flows that share one drop profile.

    `profile` None: WRED never drops them. `transfer_packets` None: they always have something to
    send; else each flow sends such transfers for ever, one round trip apart, over new connections.
    """

    name: str
    flows: int
    base_rtt_ms: float
    packet_bytes: int
    receiver_window_packets: int
    profile: DropProfile | None = None
    transfer_packets: int | None = None
    initial_window_packets: int = 2
    minimum_rto_ms: float = 1000.0
    limited_transmit: bool = False
    precedence: int = 0


class Unresponsive(Struct, frozen=True):
    """Traffic that does not react to loss; rate and packet are the means of the whole group.

    `arrival` is that of each of its streams, None for one Poisson process. `sizes` None: all
    packets are alike.
    """

    name: str
    packets_per_second: float
    packet_bytes: int
    profile: DropProfile | None = None
    arrival: Arrival | None = None
    streams: int = 1
    sizes: SizeMix | None = None
    conversations: int = 1
    precedence: int = 0


class WredClass(Struct, frozen=True):
    """A queue of the interface with its traffic. `exponent` None: no WRED.

    While the queue is idle, the average decays as if packets of `idle_packet_ms` had found it
    empty; None: the mean time of the packets of its groups.
    """

    queue: Queue
    groups: tuple[TcpFlows | Unresponsive, ...]
    exponent: int | None = 9
    idle_packet_ms: float | None = None

    @property
    def name(self) -> str:
        return self.queue.name


class Regime(StrEnum):
    """The mechanism that decides how a class with WRED shares its bandwidth."""

    DIFFERENTIATION = "differentiation"
    TAIL_DROP_FIRST = "tail drop before WRED"
    WINDOWS_END_FIRST = "windows end before the thresholds"
    UNDER_USE = "thresholds too low to keep the line busy"
    COLLAPSE = "average too slow for the flows: oscillation up to collapse"
    SYNCHRONIZATION = "average faster than a round trip: flows may slow down together"
    NO_WRED = "no WRED"
    NO_CONGESTION = "no congestion"


class EstimateRange(Struct, frozen=True):
    """An estimate with its lowest and highest possible value."""

    estimate: float
    low: float
    high: float


class GroupForecast(Struct, frozen=True):
    """One group. Shares are ratios of wire bytes: of all TCP groups, and of the link.

    `share_by_flows_over_p` is the rule of thumb flows times denominator, for comparison; None where
    it says nothing (no TCP). `mean_ms` is the time in the interface; None: nothing gets through.
    """

    name: str
    share: EstimateRange | None
    share_of_link: EstimateRange
    share_by_flows_over_p: float | None
    loss_ratio: EstimateRange
    mean_ms: EstimateRange
    packets_per_second: float


class ClassForecast(Struct, frozen=True):
    """One class; `aqs_packets` None without WRED. Time constant: that of the average, in ms.

    `utilization_ratio` is of the rate that the class can count on, `tail_drop_ratio` is the loss by
    a full queue, `round_trip_ms` the mean of its TCP flows with queueing, None without TCP.
    """

    name: str
    queue_packets: EstimateRange
    aqs_packets: EstimateRange | None
    time_constant_ms: float | None
    regimes: tuple[Regime, ...]
    utilization_ratio: float
    tail_drop_ratio: float
    round_trip_ms: float | None


class WredForecast(Struct, frozen=True):
    """All groups and classes in the order given.

    `converged` False: the replications do not agree well enough for one figure, use only the
    ranges.
    """

    groups: tuple[GroupForecast, ...]
    classes: tuple[ClassForecast, ...]
    utilization_ratio: float
    converged: bool


# Line and classes as the model's interface, and in the numbers that the kernel reads.

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
