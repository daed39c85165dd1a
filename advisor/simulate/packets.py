"""Packets of a simulation: their forms on the way out, their arrivals, and how long a run lasts."""

from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from msgspec import Struct

from advisor.settings.scenario import (
    Arrival,
    Cbr,
    DiscreteSizes,
    FixedSize,
    Fragmentation,
    OnOff,
    Poisson,
    PoissonBursts,
    PriorityQueue,
    Saturated,
    Scenario,
    ScenarioLink,
    Sizes,
    Stream,
    TcpGroup,
    TxRing,
)
from advisor.units import bps_from_kbps, bytes_in_ms, ms_from_s, serialization_ms

# The forms of an IP packet on its way out: frame, fragments, cells, places in the ring.

_CELL_BYTES = 53
_CELL_PAYLOAD_BYTES = 48
_AAL5_TRAILER_BYTES = 8


class Piece(NamedTuple):
    """A packet, or a fragment of one, that enters the ring as a unit."""

    wire_ms: float
    ring_units: int


class Frame(NamedTuple):
    """A packet for queues, ring and wire; scheduler and policer count `frame_bytes`.

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

    def __init__(
        self, link: ScenarioLink, ring: TxRing, fragmentation: Fragmentation | None
    ) -> None:
        self._link = link
        self._rate_bps = bps_from_kbps(link.rate_kbps)
        self._particle_bytes = ring.particle_bytes if ring.unit == "particles" else None
        self._fragmentation = fragmentation
        self._seen: dict[int, Frame] = {}

    def frame(self, ip_bytes: int) -> Frame:
        """The frame of a packet with this number of IP bytes."""
        frame = self._seen.get(ip_bytes)
        if frame is None:
            frame = self._seen[ip_bytes] = self._cut(ip_bytes)
        return frame

    def _cut(self, ip_bytes: int) -> Frame:
        overhead_bytes = self._link.l2_overhead_bytes_per_packet
        framed = [ip_bytes + overhead_bytes]
        lfi = self._fragmentation
        if lfi is not None and ip_bytes > lfi.fragment_ip_bytes:
            whole, rest = divmod(ip_bytes, lfi.fragment_ip_bytes)
            carried = [lfi.fragment_ip_bytes] * whole + [rest] * (rest > 0)
            framed = [part_bytes + lfi.overhead_bytes_per_fragment for part_bytes in carried]
        on_wire = [self._wire_bytes(frame) for frame in framed]
        pieces = tuple(
            Piece(serialization_ms(wire, self._rate_bps), self._ring_units(frame))
            for wire, frame in zip(on_wire, framed, strict=True)
        )
        return Frame(ip_bytes + overhead_bytes, ip_bytes, sum(on_wire), pieces)

    def _wire_bytes(self, frame_bytes: int) -> int:
        if not self._link.atm_cell_tax:
            return frame_bytes
        return cells_bytes(frame_bytes)

    def _ring_units(self, frame_bytes: int) -> int:
        return 1 if self._particle_bytes is None else -(-frame_bytes // self._particle_bytes)


def cells_bytes(frame_bytes: int) -> int:
    """Bytes of the ATM cells that carry a frame and its AAL5 trailer.

    >>> cells_bytes(40)
    53
    """
    return _CELL_BYTES * -(-(frame_bytes + _AAL5_TRAILER_BYTES) // _CELL_PAYLOAD_BYTES)


# Random arrivals: when the packets of a stream come, and how large they are.


def mean_rate_per_ms(arrival: Arrival) -> float:
    """Packets per ms of one stream in the long run; 0 for a saturated stream, which has no rate.

    >>> mean_rate_per_ms(OnOff(100, mean_on_ms=300, mean_off_ms=700))
    0.03
    """
    match arrival:
        case Cbr() | Poisson():
            return 1 / ms_from_s(1 / arrival.packets_per_second)
        case PoissonBursts():
            return arrival.packets_per_burst / ms_from_s(1 / arrival.bursts_per_second)
        case OnOff():
            on_ratio = arrival.mean_on_ms / (arrival.mean_on_ms + arrival.mean_off_ms)
            return on_ratio / ms_from_s(1 / arrival.packets_per_second_while_on)
        case Saturated():
            return 0.0


def arrival_times_ms(arrival: Arrival, until_ms: float, random: Random) -> list[float]:
    """Ordered arrival times of one stream from 0 to `until_ms`; none for a saturated stream."""
    match arrival:
        case Cbr():
            times_ms = _cbr(arrival, until_ms, random)
        case Poisson():
            times_ms = _poisson(arrival.packets_per_second, until_ms, random)
        case PoissonBursts():
            spacing_ms = arrival.spacing_within_burst_ms
            starts_ms = _poisson(arrival.bursts_per_second, until_ms, random)
            burst = range(arrival.packets_per_burst)
            times_ms = [start_ms + index * spacing_ms for start_ms in starts_ms for index in burst]
        case OnOff():
            times_ms = _on_off(arrival, until_ms, random)
        case Saturated():
            times_ms = []
    # jitter above the period and bursts that overlap change the order
    return sorted(time_ms for time_ms in times_ms if time_ms < until_ms)


def _cbr(arrival: Cbr, until_ms: float, random: Random) -> list[float]:
    period_ms = ms_from_s(1 / arrival.packets_per_second)
    phase_ms = period_ms * random.random()
    jitter_ms, draw = arrival.uniform_jitter_ms, random.random
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
    period_ms = ms_from_s(1 / arrival.packets_per_second_while_on)
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


def mean_size_bytes(sizes: Sizes) -> float:
    """Mean IP bytes of a packet.

    >>> mean_size_bytes(DiscreteSizes(((40, 1), (1500, 1))))
    770.0
    """
    match sizes:
        case FixedSize():
            return sizes.bytes
        case DiscreteSizes():
            total = sum(weight for _, weight in sizes.bytes_and_weights)
            return sum(size * weight for size, weight in sizes.bytes_and_weights) / total
        case _:
            return (sizes.min_bytes + sizes.max_bytes) / 2


def size_draw(sizes: Sizes, random: Random) -> Callable[[], int]:
    """A function that draws the IP bytes of the next packet."""
    match sizes:
        case FixedSize():
            fixed_bytes = sizes.bytes
            return lambda: fixed_bytes
        case DiscreteSizes():
            choices = [size for size, _ in sizes.bytes_and_weights]
            *thresholds, total = accumulate(weight for _, weight in sizes.bytes_and_weights)
            return lambda: choices[bisect(thresholds, total * random.random())]
        case _:
            low_bytes, count = sizes.min_bytes, sizes.max_bytes - sizes.min_bytes + 1
            return lambda: low_bytes + int(count * random.random())


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
    def until_ms(self) -> float:
        return self.warm_up_ms + self.measured_ms + self.run_out_ms


def duration_of(scenario: Scenario, packets: float) -> Duration:
    """Duration of a replication that measures about so many packets of all classes together.

    Warm-up and run-out both take a tenth of the measured time, at least the time to send five full
    queues or rings (at most the measured time). The warm-up also lasts until the bucket of an LLQ
    that is offered more than its rate has emptied, and until what is offered beyond the rate has
    filled the queues and has been sent (at most 60 s). TCP gets 40 s to find its windows.
    """
    link_kbps = scenario.link.rate_kbps
    rate_kbps = link_kbps if scenario.shape is None else min(link_kbps, scenario.shape.rate_kbps)
    link_bytes_per_ms = bytes_in_ms(bps_from_kbps(rate_kbps), 1.0)
    wire_bytes = [_mean_wire_bytes(scenario, traffic) for traffic in scenario.traffic]
    sizes = list(zip(scenario.traffic, wire_bytes, strict=True))
    measured_ms = packets / _packets_per_ms(scenario, wire_bytes, link_bytes_per_ms)
    full_bytes = sum(
        queue.queue_limit_packets
        * max(
            (size_bytes for traffic, size_bytes in sizes if traffic.queue == queue.name), default=0
        )
        for queue in scenario.queues
    )
    rings = max(1, len(scenario.link.member_rates_kbps))
    full_bytes = max(full_bytes, rings * scenario.tx_ring.limit * max(wire_bytes))
    queues_ms = min(measured_ms, _SETTLE_QUEUES * full_bytes / link_bytes_per_ms)
    settle_ms = max(_SETTLE_RATIO * measured_ms, queues_ms)
    excess = _offered_bytes_per_ms(scenario, wire_bytes) - link_bytes_per_ms
    fill_ms = full_bytes / excess + full_bytes / link_bytes_per_ms if excess > 0 else 0.0
    filling_ms = max(fill_ms, _buckets_ms(scenario))
    warm_up_ms = max(settle_ms, min(_MOST_FILLING_MS, filling_ms))
    tcp = any(isinstance(traffic, TcpGroup) for traffic in scenario.traffic)
    return Duration(max(warm_up_ms, _TCP_WARM_UP_MS) if tcp else warm_up_ms, measured_ms, settle_ms)


def _buckets_ms(scenario: Scenario) -> float:
    """Time until the fullest bucket has emptied: none lasts where the rate is not exceeded."""
    overhead_bytes = scenario.link.l2_overhead_bytes_per_packet
    longest_ms = 0.0
    for queue in scenario.queues:
        if not isinstance(queue, PriorityQueue) or not queue.policed_under_congestion:
            continue
        offered_bytes_per_ms = sum(
            traffic.independent_identical_streams
            * mean_rate_per_ms(traffic.arrival)
            * (mean_size_bytes(traffic.ip_packet_bytes) + overhead_bytes)
            for traffic in scenario.traffic
            if isinstance(traffic, Stream) and traffic.queue == queue.name
        )
        excess = offered_bytes_per_ms - bytes_in_ms(bps_from_kbps(queue.priority_kbps), 1.0)
        if excess > 0:
            longest_ms = max(longest_ms, queue.burst_bytes / excess)
    return longest_ms


def _offered_bytes_per_ms(scenario: Scenario, wire_bytes: Sequence[int]) -> float:
    """Sum the offered bytes per ms of streams of known rate."""
    return sum(
        traffic.independent_identical_streams * mean_rate_per_ms(traffic.arrival) * size_bytes
        for traffic, size_bytes in zip(scenario.traffic, wire_bytes, strict=True)
        if isinstance(traffic, Stream) and not isinstance(traffic.arrival, Saturated)
    )


def _packets_per_ms(
    scenario: Scenario, wire_bytes: Sequence[int], link_bytes_per_ms: float
) -> float:
    """Packets that arrive per ms; traffic that fills the link shares the remaining rate."""
    open_per_ms, spare_bytes_per_ms = 0.0, link_bytes_per_ms
    filling_bytes = []
    for traffic, size_bytes in zip(scenario.traffic, wire_bytes, strict=True):
        if isinstance(traffic, TcpGroup) or isinstance(traffic.arrival, Saturated):
            filling_bytes.append(size_bytes)
        else:
            streams = traffic.independent_identical_streams
            rate_per_ms = streams * mean_rate_per_ms(traffic.arrival)
            open_per_ms += rate_per_ms
            spare_bytes_per_ms -= rate_per_ms * size_bytes
    if not filling_bytes:
        return open_per_ms
    mean_bytes = sum(filling_bytes) / len(filling_bytes)
    return open_per_ms + max(0.0, spare_bytes_per_ms) / mean_bytes


def _mean_wire_bytes(scenario: Scenario, traffic: Stream | TcpGroup) -> int:
    sizes = traffic.ip_packet_bytes
    ip_bytes = sizes if isinstance(sizes, int) else round(mean_size_bytes(sizes))
    return Framer(scenario.link, scenario.tx_ring, None).frame(ip_bytes).wire_bytes
