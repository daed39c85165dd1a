"""Packets of a simulation: their forms on the way out, their arrivals, and how long a run lasts."""

from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from msgspec import Struct

from advisor.ground.units import bytes_in_ms, ms_from_s, serialization_ms
from advisor.model import (
    Arrival,
    Bursts,
    Fragmentation,
    Framing,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    QueueKind,
    RingUnit,
    Saturated,
    SizeMix,
    Tcp,
)

# The forms of an IP packet on its way out: frame, fragments, cells, places in the ring.

_CELL_BYTES = 53
_CELL_PAYLOAD_BYTES = 48
_AAL5_TRAILER_BYTES = 8


class Piece(NamedTuple):
    """A packet, or a fragment of one, that enters the ring as a unit."""

    wire_ms: float
    ring_units: int


class Frame(NamedTuple):
    """A packet for queues, ring and wire; the scheduler counts `frame_bytes`: as the shaper does.

    With more than one piece, LFI cuts it.
    """

    frame_bytes: int
    ip_bytes: int
    wire_bytes: int
    pieces: tuple[Piece, ...]


class ArrivedPacket(NamedTuple):
    """A packet that has arrived; `stream` is the simulated stream, `number` counts TCP packets."""

    arrival_ms: float
    stream: int
    frame: Frame
    conversation: int
    number: int = 0


class Framer:
    """Frames of the packets of one queue, remembered by size."""

    def __init__(self, line: Interface, fragmentation: Fragmentation | None) -> None:
        self._framing, self._rate_bps, ring = line.framing, line.rate_bps, line.ring
        shaped = line.shaper.framing if line.shaper is not None else None
        self._scheduled = shaped or Framing(line.framing.overhead_bytes)
        self._particle_bytes = ring.particle_bytes if ring.unit is RingUnit.PARTICLES else None
        self._fragmentation = fragmentation
        self._seen: dict[int, Frame] = {}

    def frame(self, ip_bytes: int) -> Frame:
        """The frame of a packet with this number of IP bytes."""
        frame = self._seen.get(ip_bytes)
        if frame is None:
            frame = self._seen[ip_bytes] = self._cut(ip_bytes)
        return frame

    def _cut(self, ip_bytes: int) -> Frame:
        overhead_bytes = self._framing.overhead_bytes
        framed = [ip_bytes + overhead_bytes]
        lfi = self._fragmentation
        if lfi is not None and ip_bytes > lfi.fragment_bytes:
            whole, rest = divmod(ip_bytes, lfi.fragment_bytes)
            carried = [lfi.fragment_bytes] * whole + [rest] * (rest > 0)
            framed = [part_bytes + lfi.overhead_bytes for part_bytes in carried]
        on_wire = [cells_bytes(frame) if self._framing.cells else frame for frame in framed]
        pieces = tuple(
            Piece(serialization_ms(wire, self._rate_bps), self._ring_units(frame))
            for wire, frame in zip(on_wire, framed, strict=True)
        )
        return Frame(counted_bytes(ip_bytes, self._scheduled), ip_bytes, sum(on_wire), pieces)

    def _ring_units(self, frame_bytes: int) -> int:
        return 1 if self._particle_bytes is None else -(-frame_bytes // self._particle_bytes)


def counted_bytes(ip_bytes: int, framing: Framing) -> int:
    """Bytes of a packet that a token bucket counts."""
    frame_bytes = max(1, ip_bytes + framing.overhead_bytes)
    return cells_bytes(frame_bytes) if framing.cells else frame_bytes


def cells_bytes(frame_bytes: int) -> int:
    """Bytes of the ATM cells that carry a frame and its AAL5 trailer.

    >>> cells_bytes(40)
    53
    """
    return _CELL_BYTES * -(-(frame_bytes + _AAL5_TRAILER_BYTES) // _CELL_PAYLOAD_BYTES)


# Random arrivals: when the packets of a stream come, and how large they are.


def mean_rate_per_ms(arrival: Arrival) -> float:
    """Packets per ms of one stream in the long run; 0 for a saturated stream and for TCP.

    >>> mean_rate_per_ms(OnOff(100, mean_on_ms=300, mean_off_ms=700))
    0.03
    """
    match arrival:
        case Periodic() | Poisson():
            return 1 / ms_from_s(1 / arrival.packets_per_s)
        case Bursts():
            return arrival.packets_per_burst / ms_from_s(1 / arrival.bursts_per_s)
        case OnOff():
            on_ratio = arrival.mean_on_ms / (arrival.mean_on_ms + arrival.mean_off_ms)
            return on_ratio / ms_from_s(1 / arrival.peak_packets_per_s)
        case Saturated() | Tcp():
            return 0.0


def arrival_times_ms(arrival: Arrival, until_ms: float, random: Random) -> list[float]:
    """Ordered arrival times of one stream from 0 to `until_ms`; none for a saturated stream."""
    match arrival:
        case Periodic():
            times_ms = _periodic(arrival, until_ms, random)
        case Poisson():
            times_ms = _poisson(arrival.packets_per_s, until_ms, random)
        case Bursts():
            spacing_ms = arrival.spacing_ms
            starts_ms = _poisson(arrival.bursts_per_s, until_ms, random)
            burst = range(arrival.packets_per_burst)
            times_ms = [start_ms + index * spacing_ms for start_ms in starts_ms for index in burst]
        case OnOff():
            times_ms = _on_off(arrival, until_ms, random)
        case Saturated() | Tcp():
            times_ms = []
    # jitter above the period and bursts that overlap change the order
    return sorted(time_ms for time_ms in times_ms if time_ms < until_ms)


def _periodic(arrival: Periodic, until_ms: float, random: Random) -> list[float]:
    period_ms = ms_from_s(1 / arrival.packets_per_s)
    phase_ms = period_ms * random.random()
    jitter_ms, draw = arrival.jitter_ms, random.random
    count = range(int(until_ms / period_ms) + 1)
    if not jitter_ms:
        return [phase_ms + index * period_ms for index in count]
    return [phase_ms + index * period_ms + jitter_ms * draw() for index in count]


def _poisson(per_second: float, until_ms: float, random: Random) -> list[float]:
    rate_per_ms, draw = 1 / ms_from_s(1 / per_second), random.expovariate
    times_ms, now_ms = [], draw(rate_per_ms)
    while now_ms < until_ms:
        times_ms.append(now_ms)
        now_ms += draw(rate_per_ms)
    return times_ms


def _on_off(arrival: OnOff, until_ms: float, random: Random) -> list[float]:
    """One packet per period of accumulated on-time, started in the stationary state."""
    period_ms = ms_from_s(1 / arrival.peak_packets_per_s)
    on_ms, off_ms = arrival.mean_on_ms, arrival.mean_off_ms
    times_ms: list[float] = []
    now_ms, until_packet_ms = 0.0, period_ms * random.random()
    if random.random() * (on_ms + off_ms) >= on_ms:
        now_ms = random.expovariate(1 / off_ms)
    while now_ms < until_ms:
        end_ms = now_ms + random.expovariate(1 / on_ms)
        packet_ms = now_ms + until_packet_ms
        while packet_ms < end_ms:
            times_ms.append(packet_ms)
            packet_ms += period_ms
        until_packet_ms = packet_ms - end_ms
        now_ms = end_ms + random.expovariate(1 / off_ms)
    return times_ms


def size_draw(sizes: SizeMix, random: Random) -> Callable[[], int]:
    """A function that draws the IP bytes of the next packet."""
    choices = [size for size, _ in sizes.bytes_and_weights]
    if len(choices) == 1:
        return lambda: choices[0]
    *thresholds, total = accumulate(weight for _, weight in sizes.bytes_and_weights)
    return lambda: choices[bisect(thresholds, total * random.random())]


# How long a replication has to run, and which part of it is measured.

_TCP_WARM_UP_MS = ms_from_s(40)
_SETTLE_RATIO = 0.1
_SETTLE_QUEUES = 5  # full queues or rings that the wire can send in the settling time
_MOST_FILLING_MS = ms_from_s(60)


class Duration(Struct, frozen=True):
    """Times of one replication: packets that arrive between warm-up and run-out are measured.

    Traffic continues in the run-out, so that earlier packets are delivered under the same load.
    """

    warm_up_ms: float
    measured_ms: float
    run_out_ms: float

    @property
    def measured_until_ms(self) -> float:
        return self.warm_up_ms + self.measured_ms

    @property
    def until_ms(self) -> float:
        return self.measured_until_ms + self.run_out_ms


def duration_of(line: Interface, packets: float) -> Duration:
    """Duration of a replication that measures about so many packets of all classes together.

    Warm-up and run-out both take a tenth of the measured time, at least the time to send five full
    queues or rings (at most the measured time). The warm-up also lasts until the bucket of an LLQ
    that is offered more than its rate has emptied, and until what is offered beyond the rate has
    filled the queues and has been sent (at most 60 s). TCP gets 40 s to find its windows.
    """
    shaped_bps = line.rate_bps if line.shaper is None else line.shaper.rate_bps
    link_bytes_per_ms = bytes_in_ms(min(line.rate_bps, shaped_bps), 1.0)
    framer = Framer(line, None)
    wire_bytes = [framer.frame(traffic.packet_bytes).wire_bytes for traffic in line.traffic]
    sizes = list(zip(line.traffic, wire_bytes, strict=True))
    measured_ms = packets / _packets_per_ms(line, wire_bytes, link_bytes_per_ms)
    full_bytes = sum(
        queue.limit_packets
        * max(
            (size_bytes for traffic, size_bytes in sizes if traffic.queue == queue.name), default=0
        )
        for queue in line.queues
    )
    rings = max(1, len(line.members_bps))
    full_bytes = max(full_bytes, rings * line.ring.limit * max(wire_bytes))
    queues_ms = min(measured_ms, _SETTLE_QUEUES * full_bytes / link_bytes_per_ms)
    settle_ms = max(_SETTLE_RATIO * measured_ms, queues_ms)
    excess = _offered_bytes_per_ms(line, wire_bytes) - link_bytes_per_ms
    fill_ms = full_bytes / excess + full_bytes / link_bytes_per_ms if excess > 0 else 0.0
    filling_ms = max(fill_ms, _buckets_ms(line))
    warm_up_ms = max(settle_ms, min(_MOST_FILLING_MS, filling_ms))
    tcp = any(isinstance(traffic.arrival, Tcp) for traffic in line.traffic)
    return Duration(max(warm_up_ms, _TCP_WARM_UP_MS) if tcp else warm_up_ms, measured_ms, settle_ms)


def _buckets_ms(line: Interface) -> float:
    """Time until the fullest bucket has emptied: none lasts where the rate is not exceeded."""
    longest_ms = 0.0
    for queue in line.queues:
        policer = queue.priority_policer
        if queue.kind is not QueueKind.PRIORITY or policer is None:
            continue
        offered_bytes_per_ms = sum(
            traffic.streams
            * mean_rate_per_ms(traffic.arrival)
            * (traffic.sizes.mean_bytes + line.framing.overhead_bytes)
            for traffic in line.offered_to(queue)
        )
        excess = offered_bytes_per_ms - bytes_in_ms(policer.rate_bps, 1.0)
        if excess > 0:
            longest_ms = max(longest_ms, policer.burst_bytes / excess)
    return longest_ms


def _offered_bytes_per_ms(line: Interface, wire_bytes: Sequence[int]) -> float:
    """Sum the offered bytes per ms of streams of known rate."""
    return sum(
        traffic.streams * mean_rate_per_ms(traffic.arrival) * size_bytes
        for traffic, size_bytes in zip(line.traffic, wire_bytes, strict=True)
    )


def _packets_per_ms(line: Interface, wire_bytes: Sequence[int], link_bytes_per_ms: float) -> float:
    """Packets that arrive per ms; traffic that fills the link shares the remaining rate."""
    open_per_ms, spare_bytes_per_ms = 0.0, link_bytes_per_ms
    filling_bytes = []
    for traffic, size_bytes in zip(line.traffic, wire_bytes, strict=True):
        if isinstance(traffic.arrival, Tcp | Saturated):
            filling_bytes.append(size_bytes)
        else:
            rate_per_ms = traffic.streams * mean_rate_per_ms(traffic.arrival)
            open_per_ms += rate_per_ms
            spare_bytes_per_ms -= rate_per_ms * size_bytes
    if not filling_bytes:
        return open_per_ms
    mean_bytes = sum(filling_bytes) / len(filling_bytes)
    return open_per_ms + max(0.0, spare_bytes_per_ms) / mean_bytes
