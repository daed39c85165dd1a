"""Packet sizes in the numbers of the mathematics: times on the wire, ring units, counted bytes."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import inf
from operator import mul
from typing import NamedTuple, Self

from msgspec import Struct

from advisor.ground.units import serialization_ms
from advisor.model import (
    AAL5_TRAILER_BYTES,
    CELL_PAYLOAD_BYTES,
    Fragmentation,
    Framing,
    Interface,
    Queue,
    QueueKind,
    RingUnit,
    SizeMix,
    Traffic,
    particles,
    wire_bytes,
    wire_ms,
)

Floats = tuple[float, ...]

MOST_SIZES = 24  # numeric: beyond it neighbouring sizes are merged


class Wire(Struct, frozen=True):
    """Inputs of a packet's time and units; `unit` and `particle_bytes` are of the ring."""

    framing: Framing
    rate_bps: float
    unit: RingUnit
    particle_bytes: int

    @classmethod
    def of(cls, interface: Interface) -> Self:
        ring = interface.ring
        return cls(interface.framing, interface.rate_bps, ring.unit, ring.particle_bytes)


class PacketTimes(Struct, frozen=True):
    """Inputs of the times, ring units and counted bytes of a queue's packets."""

    wire: Wire
    counted: Framing  # by the policer of a full ring, else by the scheduler
    policed: Framing  # by the `police` statement

    @classmethod
    def of(cls, wire: Wire, queue: Queue) -> Self:
        bare = Framing(wire.framing.overhead_bytes)
        counted, policed = (
            (bucket.framing if bucket is not None else None) or bare
            for bucket in (queue.priority_policer, queue.class_policer)
        )
        return cls(wire, counted, policed)


def times_of(
    wire: Wire, queue: Queue, cut: Fragmentation | None
) -> tuple[PacketTimes, Fragmentation | None]:
    """Inputs of the packets of a queue, and how they are cut: those of the LLQ are sent whole."""
    return PacketTimes.of(wire, queue), None if queue.kind is QueueKind.PRIORITY else cut


def on_wire_ms(interface: Interface, traffic: Traffic) -> float:
    """Mean time on the wire of the packets of a class of an interface that was solved."""
    queue = next(queue for queue in interface.queues if queue.name == traffic.queue)
    times = times_of(Wire.of(interface), queue, interface.fragmentation)
    return shape_of(traffic.sizes, *times).mean_ms


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


class PacketShape(Struct, frozen=True, eq=False):
    """Kinds of packets: each field but the last three has a number or a tuple for each kind.

    `times_ms` is the time on the wire of all fragments together, `units` their units of the ring,
    `frame_bytes` what scheduler and policer count; a piece is a fragment.
    """

    weights: Floats
    times_ms: Floats
    units: tuple[int, ...]
    frame_bytes: Floats
    ip_bytes: Floats
    piece_ms: tuple[Floats, ...]
    piece_units: tuple[tuple[int, ...], ...]
    mean_ms: float
    second_ms2: float
    longest_ms: float


class _Sizes(NamedTuple):
    """Sizes of a mix in order, each once."""

    ip_bytes: Sequence[int]
    weights: Sequence[float]

    def between(self, begin: int, end: int) -> Self:
        return self._replace(ip_bytes=self.ip_bytes[begin:end], weights=self.weights[begin:end])


class _Kind(NamedTuple):
    """Packets that are alike on the wire and in the ring, or are taken as such."""

    piece_ms: Floats
    piece_units: tuple[int, ...]
    weight: float
    frame_bytes: float
    ip_bytes: float


class _Stretch(NamedTuple):
    """Sizes from `starts[0]` to before `end`: of as many pieces, the last one with as many units.

    All pieces but the last are of `before_bytes`. From each of `starts` to the next, sizes are
    alike on the wire.
    """

    starts: Sequence[int]
    end: int
    before_bytes: int
    last: Framing


@lru_cache(maxsize=512)  # of all points of a sweep
def shape_of(sizes: SizeMix, link: PacketTimes, cut: Fragmentation | None) -> PacketShape:
    """Kinds of packets of a mix.

    Neighbouring sizes of a mix of many are merged at their mean, the largest of each number of
    units kept apart: a bound needs the largest itself. The mean of neighbours moves the second
    moment by less than one part in `MOST_SIZES` squared.
    """
    ordered = _ordered(sizes)
    stretches = tuple(_stretches(ordered.ip_bytes, link.wire, cut))
    count = sum(len(stretch.starts) for stretch in stretches)
    group = -(-count // MOST_SIZES)
    kinds = [
        _kind(ordered.between(begin, end), stretch, link, cut)
        for stretch in stretches
        for begin, end in _merged(stretch, group)
    ]
    total = sum(kind.weight for kind in kinds)
    weights = tuple(kind.weight / total for kind in kinds)
    times = tuple(sum(kind.piece_ms) for kind in kinds)
    return PacketShape(
        weights,
        times,
        tuple(sum(kind.piece_units) for kind in kinds),
        tuple(kind.frame_bytes for kind in kinds),
        tuple(kind.ip_bytes for kind in kinds),
        tuple(kind.piece_ms for kind in kinds),
        tuple(kind.piece_units for kind in kinds),
        weighted(weights, times),
        weighted(weights, [ms**2 for ms in times]),
        max(times),
    )


@lru_cache(maxsize=256)
def extremes_of(sizes: SizeMix, link: PacketTimes, cut: Fragmentation | None) -> Extremes:
    """Ends of all sizes, not only of those that are kept apart.

    Between the ends of a stretch, and of sizes of as many cells, the time of a counted byte only
    rises or only falls.
    """
    ip_bytes, wire = _ordered(sizes).ip_bytes, link.wire
    bare = Framing(wire.framing.overhead_bytes)
    counts = (bare, link.counted, link.policed)
    ends = set(ip_bytes)
    if not any(counted.cells for counted in counts):
        stretches = tuple(_stretches(ip_bytes, wire, cut))
        begins = [
            place
            for stretch in stretches
            for place in (stretch.starts if wire.framing.cells else stretch.starts[:1])
        ]
        ends = {ip_bytes[place] for place in (*begins, *(item.end - 1 for item in stretches))}
    times = {size: sum(_pieces(size, wire, cut)[0]) for size in ends}
    most = {
        counted: max(times[size] / max(wire_bytes(size, counted), 1) for size in ends)
        for counted in set(counts)
    }
    return Extremes(
        wire_bytes(ip_bytes[0], bare),
        wire_bytes(ip_bytes[-1], bare),
        *(most[counted] for counted in counts),
    )


def weighted(weights: Sequence[float], values: Sequence[float]) -> float:
    """Sum of values, each times its weight."""
    return float(sum(map(mul, weights, values)))


@lru_cache(maxsize=256)
def _ordered(sizes: SizeMix) -> _Sizes:
    pairs = sizes.bytes_and_weights
    weights = dict(pairs)
    if len(weights) < len(pairs):  # a size is named twice
        weights = dict.fromkeys(weights, 0.0)
        for size, weight in pairs:
            weights[size] += weight
    ip_bytes = sorted(weights)
    return _Sizes(ip_bytes, [weights[size] for size in ip_bytes])


def _stretches(
    ip_bytes: Sequence[int], wire: Wire, cut: Fragmentation | None
) -> Iterator[_Stretch]:
    """The stretches of sizes in order."""
    begin = 0
    while begin < len(ip_bytes):
        size = ip_bytes[begin]
        before, last = _before_last(size, wire.framing, cut)
        most = inf if cut is None else before + cut.fragment_bytes
        overhead = last.overhead_bytes
        if wire.unit is RingUnit.PARTICLES:
            held = particles(size - before, overhead, wire.particle_bytes) * wire.particle_bytes
            most = min(most, before + held - overhead)
        end = bisect_right(ip_bytes, most, begin)
        starts: Sequence[int] = range(begin, end)
        if last.cells:
            starts = _by_cells(ip_bytes, begin, end, before - overhead)
        yield _Stretch(starts, end, before, last)
        begin = end


def _by_cells(ip_bytes: Sequence[int], begin: int, end: int, less_bytes: int) -> list[int]:
    """Sizes at which the number of cells rises; `less_bytes` of a size are in none of them."""
    starts = []
    while begin < end:
        starts.append(begin)
        framed = ip_bytes[begin] - less_bytes + AAL5_TRAILER_BYTES
        most = -(-framed // CELL_PAYLOAD_BYTES) * CELL_PAYLOAD_BYTES
        begin = bisect_right(ip_bytes, most - AAL5_TRAILER_BYTES + less_bytes, begin, end)
    return starts


def _before_last(ip_bytes: int, framing: Framing, cut: Fragmentation | None) -> tuple[int, Framing]:
    """Bytes of a packet before its last piece, and how that is framed."""
    if cut is None or ip_bytes <= cut.fragment_bytes:
        return 0, framing
    before = (ip_bytes - 1) // cut.fragment_bytes * cut.fragment_bytes
    return before, Framing(cut.overhead_bytes, framing.cells)


def _merged(stretch: _Stretch, group: int) -> Iterator[tuple[int, int]]:
    """Ends of sizes that are one kind: the last start alone, so many others together."""
    starts, last = stretch.starts, len(stretch.starts) - 1
    for first in range(0, last, group):
        yield starts[first], starts[min(first + group, last)]
    yield starts[last], stretch.end


def _kind(sizes: _Sizes, stretch: _Stretch, link: PacketTimes, cut: Fragmentation | None) -> _Kind:
    """Sizes of a stretch as one kind, at their means."""
    ip_bytes, weights = sizes
    piece_ms, piece_units = _pieces(ip_bytes[0], link.wire, cut)
    if len(ip_bytes) == 1:
        size, counted = ip_bytes[0], wire_bytes(ip_bytes[0], link.counted)
        return _Kind(piece_ms, piece_units, weights[0], counted, size)
    weight = sum(weights)
    last_bytes = _mean_bytes(ip_bytes, weights, weight, stretch.last, stretch.before_bytes)
    return _Kind(
        (*piece_ms[:-1], serialization_ms(last_bytes, link.wire.rate_bps)),
        piece_units,
        weight,
        _mean_bytes(ip_bytes, weights, weight, link.counted),
        weighted(weights, ip_bytes) / weight,
    )


def _mean_bytes(
    ip_bytes: Sequence[int],
    weights: Sequence[float],
    weight: float,
    framing: Framing,
    less_bytes: int = 0,
) -> float:
    """Mean bytes on the wire of sizes in order, without the first `less_bytes` of each."""
    if not framing.cells:
        return weighted(weights, ip_bytes) / weight - less_bytes + framing.overhead_bytes
    first, last = (wire_bytes(ip_bytes[end] - less_bytes, framing) for end in (0, -1))
    if first == last:
        return first
    on_wire = [wire_bytes(size - less_bytes, framing) for size in ip_bytes]
    return weighted(weights, on_wire) / weight


def _pieces(ip_bytes: int, wire: Wire, cut: Fragmentation | None) -> tuple[Floats, tuple[int, ...]]:
    """Time and ring units of each piece of a packet."""
    framing, rate_bps = wire.framing, wire.rate_bps
    if cut is None or ip_bytes <= cut.fragment_bytes:
        time_ms = wire_ms(ip_bytes, framing, rate_bps)
        return (time_ms,), (_units(ip_bytes, framing.overhead_bytes, wire),)
    whole, rest = divmod(ip_bytes, cut.fragment_bytes)
    parts = [cut.fragment_bytes] * whole + ([rest] if rest else [])
    cut_framing = Framing(cut.overhead_bytes, framing.cells)
    times = tuple(wire_ms(part, cut_framing, rate_bps) for part in parts)
    return times, tuple(_units(part, cut.overhead_bytes, wire) for part in parts)


def _units(ip_bytes: int, overhead_bytes: int, wire: Wire) -> int:
    if wire.unit is RingUnit.PACKETS:
        return 1
    return particles(ip_bytes, overhead_bytes, wire.particle_bytes)
