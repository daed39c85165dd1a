"""Traffic in the numbers of the mathematics: times on the wire, ring units, rates per ms."""

from functools import lru_cache
from math import inf

from msgspec import Struct

from advisor.theory.extent import MOST_GAP_S, MOST_ON_TIMES, bounded, bounded_traffic
from advisor.theory.interface import (
    Bursts,
    Fragmentation,
    Interface,
    ModelError,
    OnOff,
    Periodic,
    Poisson,
    Queue,
    QueueKind,
    Saturated,
    Traffic,
)
from advisor.theory.shape import Extremes, Floats, Link, Wire, extremes_of, shape_of

MS_PER_S = 1000.0  # a definition


class Flow(Struct, frozen=True, eq=False):
    """One class of traffic on the wire; tuples run over its packet sizes."""

    traffic: Traffic
    queue: Queue
    packets_per_ms: float | None  # all streams together; None: never empty
    weights: Floats
    times_ms: Floats  # on the wire, all fragments of the packet together
    units: tuple[int, ...]  # ring units of the whole packet, fragments together
    frame_bytes: Floats  # what scheduler and policer count
    ip_bytes: Floats
    piece_ms: tuple[tuple[float, ...], ...]  # time of each fragment, per size
    piece_units: tuple[tuple[int, ...], ...]
    mean_ms: float
    second_ms2: float
    longest_ms: float
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
    ring = interface.ring
    wire = Wire(interface.framing, interface.rate_bps, ring.unit, ring.particle_bytes)
    return _flows_on(wire, interface.queues, interface.traffic, interface.fragmentation)


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
    return tuple(_flow(wire, each, by_name.get(each.queue), cut) for each in traffic)


def _flow(wire: Wire, traffic: Traffic, queue: Queue | None, cut: Fragmentation | None) -> Flow:
    if queue is None:
        raise ModelError(f"class {traffic.name}: no queue named {traffic.queue}")
    if not traffic.sizes.bytes_and_weights:
        raise ModelError(f"class {traffic.name}: no packet sizes")
    cut = cut if queue.kind is not QueueKind.PRIORITY else None
    link = Link.of(wire, queue)
    shape, extremes = shape_of(traffic.sizes, link, cut), extremes_of(traffic.sizes, link, cut)
    return Flow(traffic, queue, _packets_per_ms(traffic), *shape, extremes)


def _packets_per_ms(traffic: Traffic) -> float | None:
    match traffic.arrival:
        case Saturated():
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
