"""Inputs of the hard delay bounds: arrival curves, and the most work in ring and queues.

An arrival curve gives the most traffic that a queue is offered within a window of time. Work is
time on the wire, in ms.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import floor, inf

from msgspec import Struct

from advisor.ground.units import bytes_in_ms
from advisor.model import OnOff, Periodic, Policer, RingUnit, Saturated, TxRing
from advisor.theory.flows import CRITICAL_LOAD, MS_PER_S, Flow, Flows
from advisor.theory.ring import Ring, Size, bound_ms

# Arrival curves, over closed windows of time.
#
# Source: R. L. Cruz, "A calculus for network delay", IEEE Trans. Inf. Theory 37 (1991) 114-141.

MOST_ROUNDS = 4000  # numeric: steps to a fixed point, beyond which no bound is known
_STEP = 1e-9  # numeric: a packet that comes at the very end of a window is in it


class Bucket(Struct, frozen=True):
    """Burst and rate of a token bucket, as work and as bytes that the scheduler counts."""

    burst_ms: float
    rate: float
    burst_bytes: float
    bytes_per_ms: float


class FlowSource(Struct, frozen=True):
    """The contribution of one flow to an arrival curve.

    `gap_ms` is the least mean time between packets of a stream; None: unbounded. A packet may
    follow the last one up to `early_ms` sooner, because the last one had jitter.
    """

    streams: int
    gap_ms: float | None
    early_ms: float
    longest_ms: float
    most_bytes: float

    def packets(self, window_ms: float) -> float:
        """Most packets within the window."""
        if self.gap_ms is None:
            return inf
        return self.streams * (floor((window_ms + self.early_ms) / self.gap_ms + _STEP) + 1)

    def steps_ms(self, until_ms: float) -> Iterator[float]:
        """Windows at which one more packet of a stream may have come."""
        gap_ms, early_ms = self.gap_ms, self.early_ms
        if gap_ms is None:
            return
        for count in range(1 + floor(early_ms / gap_ms), 1 + floor((until_ms + early_ms) / gap_ms)):
            yield count * gap_ms - early_ms


class Curve(Struct, frozen=True, eq=False):
    """Flows of one queue, and the token buckets that all their packets pass.

    `peak_load` is the highest work per ms over a long time. `slope` is the work per ms of a
    straight curve, 0 of a curve with steps. The other fields are extremes over all
    packets: the longest time on the wire, the least and most bytes that the scheduler counts.
    """

    sources: tuple[FlowSource, ...]
    buckets: tuple[Bucket, ...]
    is_bounded: bool  # by the sources alone
    peak_load: float
    slope: float
    longest_ms: float
    least_bytes: float
    most_bytes: float
    ms_per_byte: float

    def work_ms(self, window_ms: float) -> float:
        """Most work within the window; infinite if nothing bounds it."""
        came = self._came_ms(window_ms)
        if not self.buckets:
            return came
        passed = (bucket.burst_ms + bucket.rate * window_ms for bucket in self.buckets)
        return min([came, *passed])

    def sent_bytes(self, window_ms: float) -> float:
        """Most bytes, as the scheduler counts them, within the window."""
        came = sum(source.packets(window_ms) * source.most_bytes for source in self.sources)
        passed = (bucket.burst_bytes + bucket.bytes_per_ms * window_ms for bucket in self.buckets)
        return min([came, *passed])

    def most_packets(self, window_ms: float) -> float:
        """Most packets within the window."""
        return sum(source.packets(window_ms) for source in self.sources)

    def bends_ms(self, until_ms: float) -> Iterator[float]:
        """Windows at which the curve steps up, or at which another bound takes over."""
        steps = {0.0, *(at_ms for source in self.sources for at_ms in source.steps_ms(until_ms))}
        yield from steps
        for bucket in self.buckets:
            for at_ms in steps:
                came = self._came_ms(at_ms)
                if bucket.burst_ms < came < bucket.burst_ms + bucket.rate * until_ms:
                    yield (came - bucket.burst_ms) / bucket.rate

    def _came_ms(self, window_ms: float) -> float:
        if not self.is_bounded:
            return inf
        return sum([source.packets(window_ms) * source.longest_ms for source in self.sources])


Curves = tuple[Curve, ...]


@lru_cache(maxsize=256)
def queues_of(flows: Flows) -> tuple[Flows, ...]:
    """The flows of each queue."""
    queues: dict[str, list[Flow]] = {}
    for flow in flows:
        queues.setdefault(flow.queue.name, []).append(flow)
    return tuple(map(tuple, queues.values()))


@lru_cache(maxsize=256)
def curves_of(flows: Flows, *, metered: bool = False) -> tuple[Curve, ...]:
    """The curve of each queue; with `metered`, also limited by the policer of its LLQ.

    That policer meters only while the ring is full; `Queue.class_policer` always meters.
    """
    return tuple(curve_of(members, metered=metered) for members in queues_of(flows))


@lru_cache(maxsize=256)
def curve_of(flows: Flows, *, metered: bool = False) -> Curve:
    """The curve of the flows of one queue; token buckets do not apply to saturated flows."""
    queue, buckets = flows[0].queue, []
    sources, extremes = tuple(map(_source, flows)), [flow.extremes for flow in flows]
    if not any(isinstance(flow.traffic.arrival, Saturated) for flow in flows):
        if queue.class_policer is not None:
            per_byte = max(extreme.ms_per_police_byte for extreme in extremes)
            buckets.append(_bucket(queue.class_policer, per_byte))
        if metered and queue.priority_policer is not None:
            per_byte = max(extreme.ms_per_policer_byte for extreme in extremes)
            buckets.append(_bucket(queue.priority_policer, per_byte))
    is_bounded = all(source.gap_ms is not None for source in sources)
    rates = [bucket.rate for bucket in buckets]
    return Curve(
        sources,
        tuple(buckets),
        is_bounded,
        min([sum(map(_peak_load, sources)), *rates]),
        0.0 if is_bounded else min(rates, default=0.0),
        max(source.longest_ms for source in sources),
        min(extreme.least_frame_bytes for extreme in extremes),
        max(extreme.most_frame_bytes for extreme in extremes),
        max(extreme.ms_per_frame_byte for extreme in extremes),
    )


def _bucket(policer: Policer, ms_per_byte: float) -> Bucket:
    per_ms, burst = bytes_in_ms(policer.rate_bps, 1.0), policer.burst_bytes
    is_scheduled = policer.framing is None  # counts the bytes that the scheduler counts
    return Bucket(
        burst * ms_per_byte,
        per_ms * ms_per_byte,
        burst if is_scheduled else inf,
        per_ms if is_scheduled else inf,
    )


def peak_load(curves: Iterable[Curve]) -> float:
    """Work per ms of all curves that is never exceeded over a long time."""
    return sum([curve.peak_load for curve in curves])


def fit_wire(curves: Iterable[Curve]) -> bool:
    """Whether a wire sends all that these curves bring, so that its busy periods end."""
    return peak_load(curves) < CRITICAL_LOAD


def work_ms(curves: Iterable[Curve], window_ms: float) -> float:
    """Most work of all curves within the window."""
    return sum([curve.work_ms(window_ms) for curve in curves])


@lru_cache(maxsize=16)
def bends_ms(curves: Curves, until_ms: float) -> tuple[float, ...]:
    """Windows, in order, between which all curves are straight lines."""
    bends = {0.0, *(at_ms for curve in curves for at_ms in curve.bends_ms(until_ms))}
    return tuple(sorted(at_ms for at_ms in bends if at_ms <= until_ms))


def bends_to(curves: Iterable[Curve], until_ms: float) -> float:
    """About how many windows `bends_ms` would give."""
    gaps = [source.gap_ms for curve in curves for source in curve.sources]
    return sum(until_ms / gap_ms + 1 for gap_ms in gaps if gap_ms)


@lru_cache(maxsize=256)
def busy_ms(curves: Curves, before_ms: float = 0.0) -> float:
    """Longest busy period of a wire that has only this work; infinite if it may never end.

    `before_ms` of other work is there at its start.
    """
    if not fit_wire(curves):
        return inf
    slope, until_ms = sum(curve.slope for curve in curves), 0.0
    for _ in range(MOST_ROUNDS):
        longer_ms = before_ms + work_ms(curves, until_ms)
        if longer_ms <= until_ms * (1 + 1e-12):  # numeric: sums of times
            return longer_ms
        until_ms += (longer_ms - until_ms) / (1 - slope)
    return inf


@lru_cache(maxsize=256)
def backlog_ms(curves: Curves) -> float:
    """Most work that can wait on a wire that has only this work; infinite if nothing bounds it."""
    until_ms = busy_ms(curves)
    if until_ms == inf or bends_to(curves, until_ms) > MOST_ROUNDS:
        return until_ms
    return max(work_ms(curves, at_ms) - at_ms for at_ms in bends_ms(curves, until_ms))


def _peak_load(source: FlowSource) -> float:
    gap_ms = source.gap_ms
    return inf if gap_ms is None else source.streams * source.longest_ms / gap_ms


def _source(flow: Flow) -> FlowSource:
    gap_ms, early_ms = None, 0.0
    match flow.traffic.arrival:
        case Periodic(packets_per_s, jitter_ms):
            gap_ms, early_ms = MS_PER_S / packets_per_s, jitter_ms
        case OnOff(peak_packets_per_s):
            gap_ms = MS_PER_S / peak_packets_per_s
    most_bytes = flow.extremes.most_frame_bytes
    return FlowSource(flow.traffic.streams, gap_ms, early_ms, flow.longest_ms, most_bytes)


# How much work ring and queues can hold; all classes of an interface ask for the same.


@lru_cache(maxsize=256)
def ring_work_ms(ring: TxRing, flows: Flows) -> float:
    """Most work in a full ring, in ms, when the packet on the wire has just begun."""
    kinds = {
        (time_ms, unit)
        for flow in flows
        for times, units in zip(flow.piece_ms, flow.piece_units, strict=True)
        for time_ms, unit in zip(times, units, strict=True)
    }
    sizes = [Size(0.0, time_ms, unit) for time_ms, unit in kinds]
    return bound_ms(Ring(ring.limit, ring.beside_wire), sizes)


@lru_cache(maxsize=256)
def least_work_ms(ring: TxRing, flows: Flows) -> float:
    """Least work ahead of a packet that takes the place that just became free in a full ring.

    If the packet on the wire occupies the ring, its place became free; the others fill the rest. If
    it does not (`beside_wire`), the next packet has just left the ring for the wire: it and the
    rest of the ring are ahead.
    """
    pieces = [
        (time_ms, unit)
        for flow in flows
        for times, units in zip(flow.piece_ms, flow.piece_units, strict=True)
        for time_ms, unit in zip(times, units, strict=True)
    ]
    left = ring.limit
    if not ring.beside_wire:
        left -= 1 if ring.unit is RingUnit.PACKETS else max(unit for _, unit in pieces)
    return max(left, 0) * min(time_ms / unit for time_ms, unit in pieces)


@lru_cache(maxsize=256)
def held_ms(flows: Flows) -> float:
    """Most work that the queues of these flows can hold."""
    limits = {flow.queue.name: flow.queue.limit_packets for flow in flows}
    return sum(
        limit * max(flow.longest_ms for flow in flows if flow.queue.name == name)
        for name, limit in limits.items()
    )


@lru_cache(maxsize=256)
def rest_of_cut_ms(flows: Flows) -> float:
    """Most remaining work of a packet whose first fragment has left its queue for the ring."""
    return max(sum(times[1:]) for flow in flows for times in flow.piece_ms)


@lru_cache(maxsize=256)
def closed_packets(flows: Flows) -> int:
    """Number of packets that saturated streams always keep waiting."""
    return sum(
        flow.traffic.streams * flow.traffic.arrival.backlog_packets
        for flow in flows
        if isinstance(flow.traffic.arrival, Saturated)
    )
