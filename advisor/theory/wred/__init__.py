"""Results of the WRED and TCP model, and the numbers that the kernel reads."""

from enum import StrEnum
from math import fsum, log1p

from msgspec import Struct
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Interface,
    Queue,
    Shaper,
    Tcp,
    Traffic,
    WredAverage,
    counted_framing,
    wire_ms,
)
from advisor.theory.flows import flows_of
from advisor.theory.kernel.layout import numbers_of


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


# The interface in the numbers that the kernel reads.

_FLIGHTS = 2  # go-back-N may repeat a window while the one before is still on its way


def numbers_of_wred(interface: Interface) -> list[float]:
    """The interface as the kernel reads it."""
    interface = within_windows(interface)
    flows = flows_of(interface)
    numbers = numbers_of(interface, flows, [0.0] * len(flows), {})
    for queue in interface.queues:
        numbers += _average(interface, queue)
    under_wred = {queue.name for queue in interface.queues if queue.wred is not None}
    for traffic in interface.traffic:
        numbers += _profile(traffic) if traffic.queue in under_wred else (0.0, 0.0, 0.0)
    for traffic in interface.traffic:
        numbers += _loop(traffic.arrival)
    return numbers


def in_queue_order(interface: Interface) -> Interface:
    """The interface without queues that no traffic is for; traffic in the order of its queue."""
    traffic = tuple(item for queue in interface.queues for item in interface.offered_to(queue))
    queues = tuple(queue for queue in interface.queues if interface.offered_to(queue))
    return replace(interface, queues=queues, traffic=traffic)


def within_windows(interface: Interface) -> Interface:
    """The interface with no places in a queue of TCP that all its windows never reach."""
    queues = tuple(_cut(queue, interface.offered_to(queue)) for queue in interface.queues)
    return replace(interface, queues=queues)


def _cut(queue: Queue, offered: tuple[Traffic, ...]) -> Queue:
    windows = [
        traffic.streams * (traffic.arrival.receiver_window_packets + 2)
        for traffic in offered
        if isinstance(traffic.arrival, Tcp)
    ]
    if len(windows) < len(offered):
        return queue
    return replace(queue, limit_packets=min(queue.limit_packets, _FLIGHTS * sum(windows)))


def packet_wire_ms(line: Interface, packet_bytes: int) -> float:
    """Time of an IP packet on the wire, whole."""
    return wire_ms(packet_bytes, line.framing, line.rate_bps)


def shaped_ratio(line: Interface, shaper: Shaper | None, packet_bytes: int) -> float:
    """Part of the wire's time that a shaper leaves to packets of one size; 1 without one."""
    if shaper is None:
        return 1.0
    counted_ms = wire_ms(packet_bytes, counted_framing(shaper, line.framing), shaper.rate_bps)
    return min(packet_wire_ms(line, packet_bytes) / counted_ms, 1.0)


def _average(interface: Interface, queue: Queue) -> tuple[float, float]:
    """Weight of a sample, and the decay of the average's logarithm while the queue is idle."""
    if queue.wred is None:
        return 0.0, 0.0
    weight = 2.0**-queue.wred.exponent
    return weight, -log1p(-weight) / idle_packet_ms(interface, queue, queue.wred)


def idle_packet_ms(interface: Interface, queue: Queue, wred: WredAverage) -> float:
    """Time of the packets by which the average decays while the queue is idle."""
    if wred.idle_packet_ms is not None:
        return wred.idle_packet_ms
    own_ms = [
        packet_wire_ms(interface, traffic.packet_bytes) for traffic in interface.offered_to(queue)
    ]
    return fsum(own_ms) / len(own_ms)  # `statistics` takes longer to import than this room


def _profile(traffic: Traffic) -> tuple[float, float, float]:
    profile = traffic.profile
    if profile is None:
        return 0.0, 0.0, 0.0
    return (
        profile.min_threshold_packets,
        profile.max_threshold_packets,
        profile.mark_probability_denominator,
    )


def _loop(arrival: Arrival) -> tuple[float, ...]:
    if not isinstance(arrival, Tcp):
        return ()
    return (
        arrival.base_rtt_ms,
        arrival.receiver_window_packets,
        arrival.initial_window_packets,
        arrival.transfer_packets or 0,
        arrival.limited_transmit,
        arrival.minimum_rto_ms,
    )
