"""Traffic in the numbers of the mathematics: times on the wire, groups, load, variance."""

from collections.abc import Sequence
from functools import lru_cache
from math import expm1, inf

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.records import picked
from advisor.ground.units import bps_from_bytes, bytes_in_ms, s_from_ms
from advisor.model import (
    Bursts,
    Fragmentation,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    RingUnit,
    Saturated,
    Shaper,
    Tcp,
    Traffic,
    TxRing,
    counted_framing,
)
from advisor.theory.shape import (
    Extremes,
    PacketShape,
    Wire,
    extremes_of,
    shape_of,
    times_of,
    weighted,
)
from advisor.theory.solution import (
    MOST_GAP_S,
    MOST_ON_TIMES,
    Feature,
    ModelError,
    bounded,
    bounded_traffic,
    features_of,
)

# Traffic in the numbers of the mathematics: times on the wire, ring units, rates per ms.

MS_PER_S = 1000.0  # a definition


class Flow(PacketShape, frozen=True, eq=False):
    """One class of traffic on the wire; tuples run over its packet sizes."""

    traffic: Traffic
    queue: Queue
    packets_per_ms: float | None  # all streams together; None: never empty
    extremes: Extremes

    @property
    def priority(self) -> bool:
        return self.queue.kind is QueueKind.PRIORITY

    @property
    def rate_per_ms(self) -> float:
        """Packets per ms of all streams, 0 for a class that is never empty."""
        return self.packets_per_ms or 0.0

    @property
    def load(self) -> float:
        return 0.0 if self.packets_per_ms is None else self.packets_per_ms * self.mean_ms

    @property
    def fixed(self) -> bool:
        return len(self.times_ms) == 1

    @property
    def cut(self) -> bool:
        return any(len(pieces) > 1 for pieces in self.piece_ms)


Flows = tuple[Flow, ...]


def flows_of(interface: Interface) -> Flows:
    """Every class of traffic of the interface, in its order.

    Raises
    ------
    ModelError
        If a class names a queue that does not exist, has no sizes, or no rate over 0; if there
        are more classes, sizes or fragments than are solved.
    """
    wire, cut = Wire.of(interface), interface.fragmentation
    return _flows_on(wire, interface.queues, interface.traffic, cut)


@lru_cache(maxsize=32)
def _flows_on(
    wire: Wire,
    queues: tuple[Queue, ...],
    traffic: tuple[Traffic, ...],
    cut: Fragmentation | None,
) -> Flows:
    """The flows; interfaces that differ in the limit of the ring have the same ones."""
    bounded_traffic(traffic, cut)
    by_name = {queue.name: queue for queue in queues}
    return tuple(_flow(wire, item, by_name.get(item.queue), cut) for item in traffic)


def _flow(wire: Wire, traffic: Traffic, queue: Queue | None, cut: Fragmentation | None) -> Flow:
    if queue is None:
        raise ModelError(f"class {traffic.name}: no queue named {traffic.queue}")
    if not traffic.sizes.bytes_and_weights:
        raise ModelError(f"class {traffic.name}: no packet sizes")
    times = times_of(wire, queue, cut)
    return picked(
        Flow,
        shape_of(traffic.sizes, *times),
        traffic=traffic,
        queue=queue,
        packets_per_ms=_packets_per_ms(traffic),
        extremes=extremes_of(traffic.sizes, *times),
    )


def _packets_per_ms(traffic: Traffic) -> float | None:
    match traffic.arrival:
        case Saturated() | Tcp():
            return None
        case Periodic() | Poisson():
            per_s = traffic.arrival.packets_per_s
        case Bursts():
            per_s = traffic.arrival.bursts_per_s * traffic.arrival.packets_per_burst
        case OnOff(peak, on_ms, off_ms):
            per_s = peak * on_ms / (on_ms + off_ms)
            times = MS_PER_S / (peak * on_ms) if per_s else 0.0
            bounded(f"class {traffic.name}: on times to a packet", MOST_ON_TIMES, times)
    if not 0 < per_s < inf:
        raise ModelError(f"class {traffic.name}: {per_s} packets/s; a rate must be over 0")
    bounded(f"class {traffic.name}: seconds between packets", MOST_GAP_S, 1 / per_s)
    return per_s * traffic.streams / MS_PER_S


def conversations_of(flow: Flow) -> int:
    """Conversations of all streams of a flow."""
    return flow.traffic.streams * flow.traffic.conversations


# Offers: how much of the wire, in what groups, and how much it varies.

# Packets per on time up to which on/off sources are taken as independent packets: one or two
# packets are no train.
FEW_PACKETS = 2.0
# Load of periodic packets of one size up to which no queue lasts longer than a period: 1, less the
# rounding error of a sum of floats.
CRITICAL_LOAD = 1 - 1e-9


def batch_of(flow: Flow) -> int:
    """Packets of one burst that come faster than they are sent and pass; 1 without bursts."""
    arrival = flow.traffic.arrival
    if isinstance(arrival, Bursts) and arrival.spacing_ms < flow.mean_ms:
        return max(1, round(arrival.packets_per_burst * passed_share(flow)))
    return 1


def batch_of_all(flows: Sequence[Flow]) -> int:
    """Packets of equal bursts that bring the residual work of all flows together."""
    rate = sum(flow.rate_per_ms for flow in flows)
    if not rate:
        return 1
    others_ms2 = sum(flow.rate_per_ms * (batch_of(flow) - 1) * flow.mean_ms**2 for flow in flows)
    return max(1, round(1 + others_ms2 / rate / mean_ms_of(flows) ** 2))


def mean_ms_of(flows: Sequence[Flow]) -> float:
    """Mean time on the wire of the packets of flows of known rate."""
    return sum(flow.load for flow in flows) / sum(flow.rate_per_ms for flow in flows)


def packets_per_on_time(flow: Flow) -> float | None:
    """Mean number of packets that an on/off source sends while on; None for other sources."""
    arrival = flow.traffic.arrival
    if not isinstance(arrival, OnOff):
        return None
    return s_from_ms(arrival.mean_on_ms) * arrival.peak_packets_per_s


def sends_trains(flow: Flow) -> bool:
    """Whether a flow is on/off in trains: with few packets per on time it is nearly Poisson."""
    packets = packets_per_on_time(flow)
    return packets is not None and packets > FEW_PACKETS


def passed_share(flow: Flow) -> float:
    """Most of a flow that its token buckets pass over a long time, as a part of its work.

    A packet that is larger than a bucket never passes. Of a train of packets passes what the
    bucket holds when it is full and gets meanwhile. Of a burst to the LLQ passes what its queue
    holds, and what is sent meanwhile.
    """
    if not flow.rate_per_ms:
        return 1.0
    arrival, queue = flow.traffic.arrival, flow.queue
    policers = [item for item in (queue.priority_policer, queue.class_policer) if item is not None]
    shares = [_passed_by(policer, flow) for policer in policers]
    if flow.priority and isinstance(arrival, Bursts):
        packets = arrival.packets_per_burst
        sent = 1 + (packets - 1) * arrival.spacing_ms / flow.mean_ms
        shares.append((queue.limit_packets + sent) / packets)
    return min(1.0, *shares) if shares else 1.0


def _passed_by(policer: Policer, flow: Flow) -> float:
    mean_bytes = weighted(flow.weights, flow.frame_bytes)
    offered_bps = bps_from_bytes(mean_bytes * flow.rate_per_ms, 1.0)
    fits = [
        weight * time_ms
        for weight, time_ms, frame_bytes in zip(
            flow.weights, flow.times_ms, flow.frame_bytes, strict=True
        )
        if frame_bytes <= policer.burst_bytes
    ]
    passed = min(policer.rate_bps / offered_bps, sum(fits) / flow.mean_ms)
    match flow.traffic.arrival:
        case Bursts(_, packets, spacing_ms):
            held = policer.burst_bytes + bytes_in_ms(policer.rate_bps, (packets - 1) * spacing_ms)
            return min(passed, held / (packets * mean_bytes))
        case OnOff(peak_per_s, on_ms, _):
            offered = peak_per_s * s_from_ms(on_ms) * mean_bytes
            got = bytes_in_ms(policer.rate_bps, on_ms)
            if got >= offered:
                return passed
            lacks = offered - got  # in a mean on time; those are exponential
            held = got + lacks * -expm1(-policer.burst_bytes / lacks)
            return min(passed, held / offered)
        case _:
            return passed


def residual_ms(flow: Flow) -> float:
    """Half the variance of a flow's work per ms; periodic flows as if they were random.

    What token buckets drop does not count.
    """
    return (
        flow.rate_per_ms
        * passed_share(flow)
        * (
            (flow.second_ms2 - flow.mean_ms**2) / 2
            + (_gap_variance(flow) / 2 + (batch_of(flow) - 1) / 2) * flow.mean_ms**2
        )
    )


def remembered_residual_ms(flow: Flow, relaxation_ms: float) -> float:
    """As `residual_ms`, of a queue that remembers `relaxation_ms`.

    The variance of n periodic streams over a time t is that of Poisson arrivals times
    ``1 - t / period`` (a Brownian bridge), so it vanishes where the queue remembers a period.
    """
    if not isinstance(flow.traffic.arrival, Periodic):
        return residual_ms(flow)
    period_ms = flow.traffic.streams / flow.rate_per_ms
    return residual_ms(flow) * max(0.0, 1 - relaxation_ms / period_ms)


def _gap_variance(flow: Flow) -> float:
    """Variance of the gaps of an on/off source over their squared mean; 1 for any other flow.

    A gap holds a Poisson number of exponential off times.
    """
    arrival = flow.traffic.arrival
    if not isinstance(arrival, OnOff):
        return 1.0
    gap_ms = 1 / s_from_ms(arrival.peak_packets_per_s)
    on_ms, off_ms = arrival.mean_on_ms, arrival.mean_off_ms
    return 2 * off_ms**2 * on_ms / (gap_ms * (on_ms + off_ms) ** 2)


# An interface with its traffic sorted: it decides the regime, and it is the input of a solver.


class SortedTraffic(Struct, frozen=True, eq=False):
    """The LLQ's flows and the lower flows of one interface; with a FIFO all flows are lower."""

    interface: Interface
    parts: frozenset[Feature]
    llq: tuple[Flow, ...]
    lower: tuple[Flow, ...]

    @property
    def flows(self) -> tuple[Flow, ...]:
        return (*self.llq, *self.lower)

    @property
    def lower_queues(self) -> frozenset[str]:
        return frozenset(flow.queue.name for flow in self.lower)

    @property
    def llq_load(self) -> float:
        return sum(flow.load for flow in self.llq)

    @property
    def passed_llq_load(self) -> float:
        """Load of the LLQ behind its policers, at most."""
        return sum(flow.load * passed_share(flow) for flow in self.llq)

    @property
    def load(self) -> float:
        return self.llq_load + sum(flow.load for flow in self.lower)

    @property
    def is_fifo(self) -> bool:
        """Whether one queue holds everything."""
        return _is_fifo(self.lower)

    @property
    def is_never_empty(self) -> bool:
        """Whether a class always has packets waiting."""
        return any(flow.packets_per_ms is None for flow in self.lower)

    @property
    def is_periodic(self) -> bool:
        return _are_periodic(self.lower) and _are_periodic(self.llq)

    @property
    def is_even(self) -> bool:
        """Whether all is periodic and every flow of one size."""
        return self.is_periodic and all(flow.fixed for flow in self.flows)

    @property
    def has_on_off(self) -> bool:
        return any(isinstance(flow.traffic.arrival, OnOff) for flow in self.flows)

    @property
    def has_trains(self) -> bool:
        return any(map(sends_trains, self.flows))

    @property
    def has_bursts(self) -> bool:
        """Whether the lower packets come in bursts, in the mean weighted by their work."""
        return batch_of_all(self.lower) > 1

    @property
    def llq_fills_wire(self) -> bool:
        """Whether the LLQ leaves nothing to other classes: no policer takes enough of it."""
        return self.passed_llq_load >= 1


def case_of(interface: Interface, flows: Sequence[Flow]) -> SortedTraffic:
    """Sort the flows of an interface.

    A FIFO with traffic that is never empty is one lower queue.

    Raises
    ------
    ModelError
        If a priority class is never empty.
    """
    parts = features_of(interface)
    if _is_fifo(flows):
        return SortedTraffic(interface, parts, (), tuple(flows))
    llq = tuple(flow for flow in flows if flow.priority)
    if any(flow.packets_per_ms is None for flow in llq):
        raise ModelError("a priority class that is never empty leaves nothing to the others")
    return SortedTraffic(interface, parts, llq, tuple(flow for flow in flows if not flow.priority))


def _are_periodic(flows: Sequence[Flow]) -> bool:
    return all(isinstance(flow.traffic.arrival, Periodic) for flow in flows)


def _is_fifo(flows: Sequence[Flow]) -> bool:
    is_closed = any(flow.packets_per_ms is None for flow in flows)
    return not is_closed and any(flow.queue.kind is QueueKind.FIFO for flow in flows)


def line_of(interface: Interface, shaper: Shaper) -> Interface:
    """The shaper as a wire that sends one packet at a time, in the bytes that it counts."""
    return replace(
        interface,
        rate_bps=shaper.rate_bps,
        framing=counted_framing(shaper, interface.framing),
        ring=TxRing(1, RingUnit.PACKETS),
        fragmentation=None,
        shaper=None,
    )
