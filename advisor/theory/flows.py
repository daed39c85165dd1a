"""Traffic in the numbers of the mathematics: times on the wire, ring units, rates per ms."""

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import Self

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
    RingUnit,
    Saturated,
    SizeMix,
    Traffic,
)
from advisor.theory.wire import Framing, particles, wire_bytes, wire_ms

Floats = tuple[float, ...]

MS_PER_S = 1000.0  # a definition
MOST_SIZES = 24  # numeric: beyond it neighbouring sizes are merged


class Extremes(Struct, frozen=True):
    """Ends of what the packets of a flow count, over all its sizes: what bounds need.

    `frame_bytes` is what the scheduler counts; the times are the most that a counted byte takes on
    the wire, for the scheduler, the policer of a full ring and the `police` statement.
    """

    least_frame_bytes: float
    most_frame_bytes: float
    ms_per_frame_byte: float
    ms_per_policer_byte: float
    ms_per_police_byte: float


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


class _Wire(Struct, frozen=True):
    """What gives a packet its time and its units; `unit` and `particle_bytes` are of the ring."""

    framing: Framing
    rate_bps: float
    unit: RingUnit
    particle_bytes: int


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
    wire = _Wire(interface.framing, interface.rate_bps, ring.unit, ring.particle_bytes)
    return _flows_on(wire, interface.queues, interface.traffic, interface.fragmentation)


@lru_cache(maxsize=32)
def _flows_on(
    wire: _Wire,
    queues: tuple[Queue, ...],
    traffic: tuple[Traffic, ...],
    cut: Fragmentation | None,
) -> Flows:
    """The flows; interfaces that differ in the limit of the ring have the same ones."""
    bounded_traffic(traffic, cut)
    by_name = {queue.name: queue for queue in queues}
    return tuple(_flow(wire, each, by_name.get(each.queue), cut) for each in traffic)


def _flow(wire: _Wire, traffic: Traffic, queue: Queue | None, cut: Fragmentation | None) -> Flow:
    if queue is None:
        raise ModelError(f"class {traffic.name}: no queue named {traffic.queue}")
    if not traffic.sizes.bytes_and_weights:
        raise ModelError(f"class {traffic.name}: no packet sizes")
    cut = cut if queue.kind is not QueueKind.PRIORITY else None
    link = _Link.of(wire, queue)
    shape = _shape(traffic.sizes, link, cut)
    return Flow(
        traffic, queue, _packets_per_ms(traffic), *shape, _extremes(traffic.sizes, link, cut)
    )


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


Pieces = tuple[tuple[float, ...], tuple[int, ...]]
Shape = tuple[
    Floats,
    Floats,
    tuple[int, ...],
    Floats,
    Floats,
    tuple[tuple[float, ...], ...],
    tuple[tuple[int, ...], ...],
    float,
    float,
    float,
]


class _Link(Struct, frozen=True):
    """What gives the packets of a queue their times, ring units and counted bytes."""

    wire: _Wire
    counted: Framing  # by the policer of a full ring, else by the scheduler
    policed: Framing  # by the `police` statement

    @classmethod
    def of(cls, wire: _Wire, queue: Queue) -> Self:
        bare = Framing(wire.framing.overhead_bytes)
        counted, policed = (
            (bucket.framing if bucket is not None else None) or bare
            for bucket in (queue.policer, queue.police)
        )
        return cls(wire, counted, policed)


@lru_cache(maxsize=256)
def _shape(sizes: SizeMix, link: _Link, cut: Fragmentation | None) -> Shape:
    """Sizes merged if they are equal on the wire and in the ring; many sizes cost little."""
    weights: dict[Pieces, list[float]] = {}
    every = _every_piece(sizes, link, cut)
    for (ip_bytes, weight), pieces in zip(sizes.bytes_and_weights, every, strict=True):
        entry = weights.setdefault(pieces, [0.0, 0.0, 0.0])
        entry[0] += weight
        entry[1] += weight * wire_bytes(ip_bytes, link.counted)
        entry[2] += weight * ip_bytes
    return _numbers(weights)


@lru_cache(maxsize=256)
def _extremes(sizes: SizeMix, link: _Link, cut: Fragmentation | None) -> Extremes:
    """Of all sizes, not only of those that are kept apart."""
    bare = Framing(link.wire.framing.overhead_bytes)
    frames = [wire_bytes(ip_bytes, bare) for ip_bytes, _ in sizes.bytes_and_weights]
    times = [sum(pieces) for pieces, _ in _every_piece(sizes, link, cut)]
    counts = (bare, link.counted, link.policed)
    most = {
        counted: max(
            time_ms / max(wire_bytes(ip_bytes, counted), 1)
            for time_ms, (ip_bytes, _) in zip(times, sizes.bytes_and_weights, strict=True)
        )
        for counted in set(counts)
    }
    return Extremes(min(frames), max(frames), *(most[counted] for counted in counts))


@lru_cache(maxsize=256)
def _every_piece(sizes: SizeMix, link: _Link, cut: Fragmentation | None) -> tuple[Pieces, ...]:
    """Pieces of a packet of each size."""
    return tuple(_pieces(ip_bytes, link.wire, cut) for ip_bytes, _ in sizes.bytes_and_weights)


def weighted(weights: Sequence[float], values: Sequence[float]) -> float:
    """Sum of values, each times its weight."""
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def conversations_of(flow: Flow) -> int:
    """Conversations of all streams of a flow."""
    return flow.traffic.streams * flow.traffic.conversations


def _numbers(weights: dict[Pieces, list[float]]) -> Shape:
    """Numbers of a flow from its kinds of packets: weight, weight x frame and x IP bytes."""
    if len(weights) > MOST_SIZES:
        weights = _fewer(weights)
    total = sum(entry[0] for entry in weights.values())
    times = tuple(sum(times) for times, _ in weights)
    units = tuple(sum(units) for _, units in weights)
    shares = tuple(entry[0] / total for entry in weights.values())
    frames = tuple(entry[1] / entry[0] for entry in weights.values())
    ip_bytes = tuple(entry[2] / entry[0] for entry in weights.values())
    piece_ms = tuple(times for times, _ in weights)
    piece_units = tuple(units for _, units in weights)
    means = weighted(shares, times), weighted(shares, [ms**2 for ms in times]), max(times)
    return shares, times, units, frames, ip_bytes, piece_ms, piece_units, *means


def _fewer(weights: dict[Pieces, list[float]]) -> dict[Pieces, list[float]]:
    """Neighbouring sizes merged at their mean, the largest of each number of units kept apart.

    A bound needs the largest itself; the mean of neighbours moves the second moment by less than
    one part in `MOST_SIZES` squared.
    """
    fewer: dict[Pieces, list[float]] = {}
    members_by_kind: dict[tuple[int, ...], list[tuple[tuple[float, ...], list[float]]]] = {}
    for (times, units), entry in weights.items():
        members_by_kind.setdefault(units, []).append((times, entry))
    group = -(-len(weights) // MOST_SIZES)
    for units, members in members_by_kind.items():
        members.sort()
        fewer[members[-1][0], units] = members[-1][1]
        for first in range(0, len(members) - 1, group):
            neighbours = members[first : min(first + group, len(members) - 1)]
            weight = sum(entry[0] for _, entry in neighbours)
            parts = zip(*(times for times, _ in neighbours), strict=True)
            means = (
                sum(
                    time_ms * entry[0] for time_ms, (_, entry) in zip(part, neighbours, strict=True)
                )
                for part in parts
            )
            merged = fewer.setdefault((tuple(mean / weight for mean in means), units), [0.0] * 3)
            for place, total in enumerate(zip(*(entry for _, entry in neighbours), strict=True)):
                merged[place] += sum(total)
    return fewer


def _pieces(ip_bytes: int, wire: _Wire, cut: Fragmentation | None) -> Pieces:
    framing, rate_bps = wire.framing, wire.rate_bps
    if cut is None or ip_bytes <= cut.fragment_bytes:
        time_ms = wire_ms(ip_bytes, framing, rate_bps)
        return (time_ms,), (_units(ip_bytes, framing.overhead_bytes, wire),)
    whole, rest = divmod(ip_bytes, cut.fragment_bytes)
    parts = [cut.fragment_bytes] * whole + ([rest] if rest else [])
    cut_framing = Framing(cut.overhead_bytes, framing.cells)
    times = tuple(wire_ms(part, cut_framing, rate_bps) for part in parts)
    return times, tuple(_units(part, cut.overhead_bytes, wire) for part in parts)


def _units(ip_bytes: int, overhead_bytes: int, wire: _Wire) -> int:
    if wire.unit is RingUnit.PACKETS:
        return 1
    return particles(ip_bytes, overhead_bytes, wire.particle_bytes)
