"""Arrival curves: the most that queues are offered within a closed window of time.

Source: R. L. Cruz, "A calculus for network delay", IEEE Trans. Inf. Theory 37 (1991) 114-141.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import floor, inf

from msgspec import Struct

from advisor.theory.flows import MS_PER_S, Flow
from advisor.theory.interface import OnOff, Periodic, Policer, Saturated
from advisor.theory.offered import CRITICAL_LOAD
from advisor.units import bytes_in_ms

MOST_ROUNDS = 4000  # numeric: steps to a fixed point, beyond which no bound is known
_STEP = 1e-9  # numeric: a packet that comes at the very end of a window is in it


class Bucket(Struct, frozen=True):
    """What a token bucket lets pass: at once and per ms, as work and in bytes of the scheduler."""

    burst_ms: float
    rate: float
    burst_bytes: float
    bytes_per_ms: float


class Curve(Struct, frozen=True):
    """Flows of one queue, and the token buckets that all their packets pass."""

    flows: tuple[Flow, ...]
    buckets: tuple[Bucket, ...] = ()

    @property
    def peak_load(self) -> float:
        """Work per ms that is never exceeded over a long time."""
        offered = sum(map(_peak_load, self.flows))
        return min([offered, *(bucket.rate for bucket in self.buckets)])

    @property
    def slope(self) -> float:
        """Work per ms of a curve that is a straight line; 0 of one that goes in steps."""
        if all(_gap_ms(flow) is not None for flow in self.flows):
            return 0.0
        return min((bucket.rate for bucket in self.buckets), default=0.0)

    def work_ms(self, window_ms: float) -> float:
        """Most work within the window; infinite if nothing bounds it."""
        came = sum(_packets(flow, window_ms) * flow.longest_ms for flow in self.flows)
        passed = (bucket.burst_ms + bucket.rate * window_ms for bucket in self.buckets)
        return min([came, *passed])

    def sent_bytes(self, window_ms: float) -> float:
        """Most bytes, as the scheduler counts them, within the window."""
        came = sum(
            _packets(flow, window_ms) * flow.extremes.most_frame_bytes for flow in self.flows
        )
        passed = (bucket.burst_bytes + bucket.bytes_per_ms * window_ms for bucket in self.buckets)
        return min([came, *passed])

    def most_packets(self, window_ms: float) -> float:
        """Most packets within the window."""
        return sum(_packets(flow, window_ms) for flow in self.flows)

    def bends_ms(self, until_ms: float) -> Iterator[float]:
        """Windows at which the curve steps up, or at which another bound takes over."""
        steps = {0.0, *(at_ms for flow in self.flows for at_ms in _steps_ms(flow, until_ms))}
        yield from steps
        for bucket in self.buckets:
            for at_ms in steps:
                came = sum(_packets(flow, at_ms) * flow.longest_ms for flow in self.flows)
                if bucket.burst_ms < came < bucket.burst_ms + bucket.rate * until_ms:
                    yield (came - bucket.burst_ms) / bucket.rate


def curves_of(flows: Iterable[Flow], *, metered: bool = False) -> tuple[Curve, ...]:
    """The curve of each queue; where the ring stays full, `metered` by its policer too."""
    queues: dict[str, list[Flow]] = {}
    for flow in flows:
        queues.setdefault(flow.queue.name, []).append(flow)
    return tuple(curve_of(members, metered=metered) for members in queues.values())


def curve_of(flows: Sequence[Flow], *, metered: bool = False) -> Curve:
    """The curve of flows of one queue; no bucket meters a backlog that is always kept."""
    queue, buckets = flows[0].queue, []
    if any(isinstance(flow.traffic.arrival, Saturated) for flow in flows):
        return Curve(tuple(flows))
    if queue.police is not None:
        per_byte = max(flow.extremes.ms_per_police_byte for flow in flows)
        buckets.append(_bucket(queue.police, per_byte))
    if metered and queue.policer is not None:
        per_byte = max(flow.extremes.ms_per_policer_byte for flow in flows)
        buckets.append(_bucket(queue.policer, per_byte))
    return Curve(tuple(flows), tuple(buckets))


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
    return sum(curve.peak_load for curve in curves)


def fit_wire(curves: Iterable[Curve]) -> bool:
    """Whether a wire sends all that these curves bring, so that its busy periods end."""
    return peak_load(curves) < CRITICAL_LOAD


def work_ms(curves: Iterable[Curve], window_ms: float) -> float:
    """Most work of all curves within the window."""
    return sum(curve.work_ms(window_ms) for curve in curves)


def bends_ms(curves: Iterable[Curve], until_ms: float) -> list[float]:
    """Windows, in order, between which all curves are straight lines."""
    bends = {0.0, *(at_ms for curve in curves for at_ms in curve.bends_ms(until_ms))}
    return sorted(at_ms for at_ms in bends if at_ms <= until_ms)


def bends_to(curves: Iterable[Curve], until_ms: float) -> float:
    """About how many windows `bends_ms` would give."""
    gaps = [_gap_ms(flow) for curve in curves for flow in curve.flows]
    return sum(until_ms / gap_ms + 1 for gap_ms in gaps if gap_ms)


def busy_ms(curves: Sequence[Curve], before_ms: float = 0.0) -> float:
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


def backlog_ms(curves: Sequence[Curve]) -> float:
    """Most work that can wait on a wire that has only this work; infinite if nothing bounds it."""
    until_ms = busy_ms(curves)
    if until_ms == inf or bends_to(curves, until_ms) > MOST_ROUNDS:
        return until_ms
    return max(work_ms(curves, at_ms) - at_ms for at_ms in bends_ms(curves, until_ms))


def _peak_load(flow: Flow) -> float:
    gap_ms = _gap_ms(flow)
    return inf if gap_ms is None else flow.traffic.streams * flow.longest_ms / gap_ms


def _gap_ms(flow: Flow) -> float | None:
    """Least mean time between packets of a stream; None where nothing bounds it."""
    match flow.traffic.arrival:
        case Periodic(packets_per_s):
            return MS_PER_S / packets_per_s
        case OnOff(peak_packets_per_s):
            return MS_PER_S / peak_packets_per_s
    return None


def _early_ms(flow: Flow) -> float:
    """How much earlier than a period a packet may follow: the one before was that late."""
    arrival = flow.traffic.arrival
    return arrival.jitter_ms if isinstance(arrival, Periodic) else 0.0


def _packets(flow: Flow, window_ms: float) -> float:
    gap_ms = _gap_ms(flow)
    if gap_ms is None:
        return inf
    in_stream = floor((window_ms + _early_ms(flow)) / gap_ms + _STEP) + 1
    return flow.traffic.streams * in_stream


def _steps_ms(flow: Flow, until_ms: float) -> Iterator[float]:
    gap_ms, early_ms = _gap_ms(flow), _early_ms(flow)
    if gap_ms is None:
        return
    for count in range(1 + floor(early_ms / gap_ms), 1 + floor((until_ms + early_ms) / gap_ms)):
        yield count * gap_ms - early_ms
