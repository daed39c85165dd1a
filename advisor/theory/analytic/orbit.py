"""Computes the delays of calls behind a full ring packet by packet, without random numbers.

Lower packets always wait, and calls come by their clocks. So what is on the wire, in the ring and
in the queue of the LLQ follows from one packet to the next (D. Lindley's recursion, with a ring).
The delay of a packet is the rest of the slot in which it comes, the ring, its queue and itself.
Only the phases of the calls, jitter and the sizes of lower packets are unknown. The mean over them
is taken on Weyl sequences, whose points fill a cube evenly. The method is valid too if a ring
alternates between data and voice, if a packet meets earlier ones of its stream, and behind a
policer.
"""

from bisect import bisect
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, count, cycle, pairwise
from math import ceil, inf, sqrt

from msgspec import Struct

from advisor.ground.questions import question
from advisor.ground.units import bytes_in_ms
from advisor.model import Policer
from advisor.theory.analytic.packets import Pieces, Stream
from advisor.theory.analytic.result import Law, Part, Terms
from advisor.theory.analytic.seen import Places

# Numeric: delays in all, at least; packets on the wire in all, at most.
_DELAYS, _LEAST_DELAYS, _MOST_PACKETS = 2500, 1000, 15_000
_PHASES, _SCATTER = 12, 0.01  # numeric: phases at least; scatter at which they are enough
_SETTLES = 2.0  # numeric: times of a ring until it settles
_LEAST_LEFT = 0.2  # numeric: part of the wire beside an LLQ, for which a ring settles more slowly
_APART = 10_000  # numeric: lower packets between those of two phases
# Numeric: parts of a law, finer where it is rare.
_LEVELS = (*(step / 40 for step in range(36)), *(0.9 + step / 200 for step in range(20)), 1.0)
_PRIME = 2**31 - 1  # numeric: points of a Weyl sequence, and the golden ratio among them
_TURN = 1_327_217_884

Lower = tuple[tuple[float, Pieces], ...]  # weights of packets, adding up to 1
Arrival = tuple[float, int, int]  # when a packet comes, its call, and its class


class Clock(Struct, frozen=True):
    """Calls of one class of an LLQ, or a probe of trains; its queue holds `limit` packets."""

    stream: Stream
    ms: float
    period_ms: float
    jitter_ms: float
    units: int
    frame_bytes: float
    limit: int
    policer: Policer | None = None

    @property
    def per_ms(self) -> float:
        """Packets per ms; of trains, while one comes."""
        return self.stream.per_ms if self.stream.train is None else 1 / self.period_ms


class Delays(Struct, frozen=True):
    """Delay of a class, the mean difference of consecutive ones, and the part that is dropped.

    `scatter` is the standard error of the mean over the phases, as a part of it.
    """

    terms: Terms
    law: Law
    ipdv_ms: float
    loss_ratio: float
    scatter: float


class Plan(Struct, frozen=True):
    """Extent of the computation: delays count from `from_ms` to `until_ms` of each phase.

    At most `most` phases are computed; `share` of the ring is filled with LLQ packets at the start.
    A train begins in the `slot_ms` after `from_ms`.
    """

    most: int
    from_ms: float
    until_ms: float
    share: float
    slot_ms: float


@question(64)  # figures and explanations ask for the same
def delays_of(clocks: tuple[Clock, ...], lower: Lower, places: Places) -> tuple[Delays, ...] | None:
    """Delay of each class of calls above lower packets of these weights, which never end.

    None where too few phases are affordable, or where nothing of a class passes.

    Parameters
    ----------
    clocks : tuple of Clock
        All classes of the LLQ.
    lower : tuple
        Weights of lower packets, and their fragments in order.
    places : Places
        The ring.
    """
    plan = _plan(clocks, lower, places)
    if not plan.most:
        return None
    found = [_Found() for _ in clocks]
    for phase in range(plan.most):
        _follow(clocks, (places, _pieces(lower, phase * _APART)), phase, plan, found)
        if phase + 1 >= _PHASES and all(delays.is_enough for delays in found):
            break
    if not all(delays.delays_ms for delays in found):
        return None
    return tuple(_delays(clock.ms, each) for clock, each in zip(clocks, found, strict=True))


def _plan(clocks: Sequence[Clock], lower: Lower, places: Places) -> Plan:
    """Choose the extent; `most` is 0 if enough delays would cost too many steps."""
    period_ms = max(clock.period_ms for clock in clocks)
    per_ms = sum(clock.per_ms for clock in clocks)
    load = min(sum(clock.per_ms * clock.ms for clock in clocks), 1.0)
    pieces = sum(weight * len(packet) for weight, packet in lower)
    ms = sum(weight * ms for weight, packet in lower for ms, _ in packet)
    units = sum(weight * units for weight, packet in lower for _, units in packet)
    of_ring = (places.limit + 1) / (pieces if places.is_packets else units)
    lower_per_ms = (1 - load) * pieces / ms
    from_ms = _SETTLES * of_ring * ms / max(1 - load, _LEAST_LEFT)
    steps_per_ms = per_ms + lower_per_ms
    most_ms = _MOST_PACKETS / _PHASES / steps_per_ms - from_ms
    counted_ms = min(max(_DELAYS / _PHASES / per_ms, period_ms), most_ms)
    trains = [clock.stream.train or 0 for clock in clocks]
    if any(trains):
        counted_ms = max(trains) * period_ms
    until_ms = from_ms + counted_ms
    most = max(int(_MOST_PACKETS / until_ms / steps_per_ms), _PHASES)
    if counted_ms * per_ms * (most if any(trains) else _PHASES) < _LEAST_DELAYS:
        most = 0
    share = 0.0 if any(trains) else per_ms / steps_per_ms
    return Plan(most, from_ms, until_ms, share, ms)


def weyl(number: int) -> float:
    """A number between 0 and 1; any three in a row are independent, as the degree is three.

    >>> round(weyl(2), 4)
    0.9443
    """
    return number * number * number * _TURN % _PRIME / _PRIME


class _Found:
    """Delays of a class, waits before the ring, and differences of consecutive delays of a call."""

    def __init__(self) -> None:
        self.delays_ms: list[float] = []
        self.queue_ms = self.difference_ms = 0.0
        self.differences = self.dropped = 0
        self.last_ms: dict[int, float] = {}
        self.means_ms: list[float] = []
        self.before = 0  # delays of earlier phases

    def add(self, call: int, delay_ms: float, queue_ms: float) -> None:
        """Add a delay; `queue_ms` of it is the wait before the ring."""
        self.delays_ms.append(delay_ms)
        self.queue_ms += queue_ms
        if call in self.last_ms:
            self.difference_ms += abs(delay_ms - self.last_ms[call])
            self.differences += 1
        self.last_ms[call] = delay_ms

    def next_phase(self) -> None:
        """End a phase."""
        delays_ms = self.delays_ms[self.before :]
        if delays_ms:
            self.means_ms.append(sum(delays_ms) / len(delays_ms))
        self.before += len(delays_ms)
        self.last_ms.clear()

    @property
    def is_enough(self) -> bool:
        """Whether there are delays enough, with a mean that is known well enough."""
        return len(self.delays_ms) >= _LEAST_DELAYS and self.scatter <= _SCATTER

    @property
    def scatter(self) -> float:
        """Standard error of the mean over phases, as a part of it."""
        number = len(self.means_ms)
        if number <= 1:
            return 0.0
        mean_ms = sum(self.means_ms) / number
        squares = sum((each_ms - mean_ms) ** 2 for each_ms in self.means_ms)
        return sqrt(squares / (number - 1) / number) / mean_ms


def _pieces(lower: Lower, number: int) -> Iterator[tuple[float, int]]:
    """Yield fragments of lower packets, whose sizes are drawn from behind a number on."""
    packets = [packet for _, packet in lower]
    if len(packets) == 1:
        yield from cycle(packets[0])
    levels = list(accumulate(weight for weight, _ in lower))
    for drawn in count(number + 1):
        place = bisect(levels, weyl(drawn) * levels[-1])
        yield from packets[min(place, len(packets) - 1)]


def _follow(
    clocks: Sequence[Clock],
    ring: tuple[Places, Iterator[tuple[float, int]]],
    phase: int,
    plan: Plan,
    found: Sequence[_Found],
) -> None:
    """Compute the delays for one set of phases of the calls; `ring` has its lower packets."""
    ordered = sorted(_arrivals(clocks, phase, plan))
    for packet, now_ms, content_ms in _entries(clocks, ring, ordered, plan, found):
        came_ms, call, clock = packet
        if came_ms >= plan.from_ms:
            queue_ms = now_ms - came_ms
            found[clock].add(call, queue_ms + content_ms, queue_ms)
    for delays in found:
        delays.next_phase()


def _entries(
    clocks: Sequence[Clock],
    ring: tuple[Places, Iterator[tuple[float, int]]],
    ordered: Sequence[Arrival],
    plan: Plan,
    found: Sequence[_Found],
) -> Iterator[tuple[Arrival, float, float]]:
    """Yield each LLQ packet that enters the ring, the time, and the work in the ring then.

    First the ring is filled with lower packets and a share of calls, evenly mixed. All of its state
    is local: this is the innermost loop.
    """
    (places, pieces), arrivals = ring, deque(_passed(ordered, clocks, plan, found))
    calls = [(clock.ms, clock.units, clock.limit) for clock in clocks]
    held: deque[tuple[float, int]] = deque()
    queue: deque[Arrival] = deque()
    queued = [0 for _ in clocks]
    limit, beside_wire = places.limit, places.beside_wire
    used, now_ms, content_ms, owed, share = 0, 0.0, 0.0, plan.share, plan.share
    while True:
        while True:
            if owed >= 1:
                owed -= 1
                queue.append((-inf, 0, 0))
                queued[0] += 1
            if held and used - (held[0][1] if beside_wire else 0) >= limit:
                break
            packet = queue.popleft() if queue else None
            if packet is None:
                ms, units = next(pieces)
            else:
                queued[packet[2]] -= 1
                ms, units, _ = calls[packet[2]]
            held.append((ms, units))
            content_ms += ms
            used += units
            owed += share
            if packet is not None:
                yield packet, now_ms, content_ms
        if not arrivals and not queue:
            return
        owed = share = 0.0
        ms, units = held.popleft()
        used -= units
        content_ms -= ms
        now_ms += ms
        while arrivals and arrivals[0][0] <= now_ms:
            packet = arrivals.popleft()
            if queued[packet[2]] < calls[packet[2]][2]:
                queue.append(packet)
                queued[packet[2]] += 1
            else:
                found[packet[2]].dropped += packet[0] >= plan.from_ms


def _arrivals(clocks: Sequence[Clock], phase: int, plan: Plan) -> Iterator[Arrival]:
    owners = [index for index, clock in enumerate(clocks) for _ in range(clock.stream.number)]
    for call, (index, prime) in enumerate(zip(owners, primes(len(owners)), strict=True)):
        clock = clocks[index]
        begin, train = (phase + 0.5) * sqrt(prime) % 1.0, clock.stream.train
        begin_ms = plan.from_ms + begin * plan.slot_ms if train else begin * clock.period_ms
        for number in range(train or ceil(plan.until_ms / clock.period_ms)):
            jitter_ms = clock.jitter_ms and clock.jitter_ms * weyl(number + prime * (phase + 1))
            yield number * clock.period_ms + begin_ms + jitter_ms, call, index


@lru_cache(maxsize=8)
def primes(number: int) -> tuple[int, ...]:
    """The first primes: no combination of their roots is rational, so phases are independent.

    >>> primes(4)
    (2, 3, 5, 7)
    """
    found: list[int] = []
    for candidate in count(2):
        if len(found) == number:
            break
        if all(candidate % prime for prime in found):
            found.append(candidate)
    return tuple(found)


def _passed(
    arrivals: Sequence[Arrival], clocks: Sequence[Clock], plan: Plan, found: Sequence[_Found]
) -> Iterable[Arrival]:
    """Packets that pass the policers; a policer that is offered more than its rate starts empty."""
    policers = [clock.policer for clock in clocks]
    return _policed(arrivals, clocks, plan, found) if any(policers) else arrivals


def _policed(
    arrivals: Sequence[Arrival], clocks: Sequence[Clock], plan: Plan, found: Sequence[_Found]
) -> Iterator[Arrival]:
    held = [_first_tokens(clock) for clock in clocks]
    last_ms = [0.0 for _ in clocks]
    for packet in arrivals:
        came_ms, _, index = packet
        clock = clocks[index]
        if clock.policer is not None:
            got = bytes_in_ms(clock.policer.rate_bps, came_ms - last_ms[index])
            held[index] = min(held[index] + got, clock.policer.burst_bytes)
            last_ms[index] = came_ms
            if held[index] < clock.frame_bytes:
                found[index].dropped += came_ms >= plan.from_ms
                continue
            held[index] -= clock.frame_bytes
        yield packet


def _first_tokens(clock: Clock) -> float:
    if clock.policer is None:
        return 0.0
    per_ms = clock.stream.per_ms * clock.frame_bytes
    is_over = per_ms > bytes_in_ms(clock.policer.rate_bps, 1.0)
    return clock.frame_bytes if is_over else clock.policer.burst_bytes


def _delays(own_ms: float, found: _Found) -> Delays:
    delays_ms = found.delays_ms
    number = len(delays_ms)
    mean_ms = sum(delays_ms) / number
    queue_ms = found.queue_ms / number
    return Delays(
        Terms(queue_ms, max(mean_ms - queue_ms - own_ms, 0.0), own_ms),
        _law(sorted(delays_ms)),
        found.difference_ms / max(found.differences, 1),
        found.dropped / (found.dropped + number),
        found.scatter,
    )


def _law(delays_ms: Sequence[float]) -> Law:
    """Delays between quantiles are uniform."""
    last = len(delays_ms) - 1
    at = [delays_ms[round(level * last)] for level in _LEVELS]
    rows = zip(pairwise(_LEVELS), pairwise(at), strict=True)
    return Law(
        tuple(
            Part(after - level, begin_ms, 0.0, end_ms - begin_ms)
            for (level, after), (begin_ms, end_ms) in rows
        )
    )
