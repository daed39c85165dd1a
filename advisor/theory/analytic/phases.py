"""Arrivals at a full ring in a phase: packets of an LLQ, and lower packets in their order.

The phases of calls, jitter, gaps of random packets and sizes of lower ones are unknown. Each is a
sequence of levels between 0 and 1 that has every level equally often and no order that repeats:
nothing is drawn at random, and the same question has the same sequence.
"""

from bisect import bisect, bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain, count, cycle, islice, pairwise
from math import ceil, isqrt, log, sqrt
from operator import itemgetter
from threading import Lock

from msgspec import Struct

from advisor.ground.questions import question
from advisor.ground.units import bytes_in_ms
from advisor.model import Policer
from advisor.theory.analytic.packets import Pieces, Stream
from advisor.theory.analytic.seen import Places

DELAYS, PHASES = 1000, 10  # numeric: delays in all, and phases, at least
_MOST_PACKETS, _MOST_LOWER = 20_000, 40_000  # numeric: of the LLQ, and lower ones, in all, at most
# Numeric: times of a ring until it settles; few calls keep the pattern of their first packets
# longer, and longest where so many come while a lower packet is sent that each pass repeats it.
_SETTLES, _SETTLES_OF_FEW, _SETTLES_OF_SWINGS, FEW_CALLS, _SWINGS = 1.4, 5.0, 20.0, 3, 0.7
_TURNS, _LEAST_MOVED = (
    1.5,
    0.005,
)  # numeric: of phases until a ring settles; a part of one, at least
_LEAST_LEFT = 0.2  # numeric: part of the wire beside an LLQ, for which a ring settles more slowly
_OVERLAP, _APART = 4, 800  # numeric: phases that share lower pieces, and pieces between them
_BLOCK = 4096  # numeric: levels of a block, in which each comes once
_PRIME = 2**31 - 1  # numeric: points of a Weyl sequence, and the golden ratio among them
_TURN = 1_327_217_884
_LOWER, _CLASS = 2**22, 2**18  # numeric: begins of the levels of lower packets, and of each class
_PRIMES = 256  # numeric: roots that are made at once
# Primes whose roots come first, as in the kernel: no multiple of a difference of two is nearly a
# whole number. That of the roots of 3 and 5 is, twice: two calls would meet in two ways only.
FIRST_PRIMES = (31, 37, 103, 131, 149, 283, 313, 479)
_SPARE, _FEW = 1.1, 50  # numeric: gaps, or lower pieces, beyond the mean number

Arrival = tuple[float, int]  # when a packet comes, and its call


class LowerQueue(Struct, frozen=True):
    """Lower packets of one queue: weight, time of the scheduler's clock, and pieces of each.

    The weights of all queues add up to 1. A queue that is not `backlogged` sends now and then; one
    that is `endless` has filled the ring before the LLQ begins.
    """

    packets: tuple[tuple[float, float, Pieces], ...]
    backlogged: bool
    endless: bool = False


class Clock(Struct, frozen=True):
    """Packets of one class of an LLQ; its queue holds `limit` of them.

    Calls and the trains of a probe have a period; others come at random, in bursts of so many
    packets with a spacing between them.
    """

    stream: Stream
    ms: float
    period_ms: float
    jitter_ms: float
    units: int
    frame_bytes: float
    limit: int
    policer: Policer | None = None
    burst: int = 1
    spacing_ms: float = 0.0

    @property
    def per_ms(self) -> float:
        """Packets per ms; of trains, while one comes."""
        return self.stream.per_ms if self.stream.train is None else 1 / self.period_ms


class Plan(Struct, frozen=True):
    """Extent of the computation: at most `most` phases; delays count from one time to another.

    Lower pieces of phases begin `apart` from each other. `share` of the ring is filled with LLQ
    packets at the start, nothing of it where few calls find an endless queue; a train begins in the
    `slot_ms` after `from_ms`. The lower queue holds `kept`.
    """

    most: int
    apart: int
    from_ms: float
    until_ms: float
    slot_ms: float
    share: float
    kept: int


def plan_of(
    clocks: Sequence[Clock], lower: Sequence[LowerQueue], places: Places, kept: int
) -> Plan:
    """Choose the extent; `most` is 0 if enough delays would cost too many steps."""
    period_ms = max(clock.period_ms for clock in clocks)
    per_ms = sum(clock.per_ms for clock in clocks)
    load = min(sum(clock.per_ms * clock.ms for clock in clocks), 1.0)
    packets = [(weight, pieces) for queue in lower for weight, _, pieces in queue.packets]
    pieces = sum(weight * len(each) for weight, each in packets)
    ms = sum(weight * ms for weight, each in packets for ms, _ in each) / pieces
    units = sum(weight * units for weight, each in packets for _, units in each) / pieces
    of_ring = (places.limit + 1) / (1 if places.is_packets else units)
    left = max(1 - load, _LEAST_LEFT)
    trains = [clock.stream.train or 0 for clock in clocks]
    is_endless = any(queue.endless for queue in lower)
    is_few = not any(trains) and are_few([clock.stream for clock in clocks])
    passes_ms = of_ring * ms / left
    settles = _SETTLES_OF_FEW if is_few else _SETTLES
    from_ms = max(settles * passes_ms, sum(map(_residual_ms, clocks)) / left**2)
    if is_few:
        swings_ms = _SETTLES_OF_SWINGS * passes_ms if per_ms * ms > _SWINGS else 0.0
        turns_ms = _TURNS * _turn_ms(clocks, ms) if len(packets) == 1 else 0.0
        affordable_ms = _MOST_PACKETS / PHASES / per_ms / 2
        from_ms = max(from_ms, min(max(swings_ms, turns_ms), affordable_ms))
    counted_ms = max(DELAYS / PHASES / per_ms, period_ms)
    if any(trains):
        counted_ms = max(trains) * period_ms
    until_ms = from_ms + counted_ms + kept * ms / left
    pieces_of_phase = ceil(until_ms / ms * _SPARE + of_ring) + _FEW
    apart = _steady(min(pieces_of_phase, max(pieces_of_phase // _OVERLAP, _APART)))
    most = int(min(_MOST_PACKETS / until_ms / per_ms, _MOST_LOWER / apart))
    if most < PHASES or counted_ms * per_ms * most < DELAYS:
        if kept:
            return plan_of(clocks, lower, places, 0)
        most = 0
    share = 0.0 if any(trains) or (is_few and is_endless) else per_ms / (per_ms + (1 - load) / ms)
    return Plan(most, apart, from_ms, until_ms, ms, share, kept)


def _turn_ms(clocks: Sequence[Clock], slot_ms: float) -> float:
    """Time in which calls of one period pass through all phases to lower packets of one size.

    While none of them passes from one packet to the next, they keep the pattern of their first
    ones: a period is so many lower packets, and the part of one by which the phase moves. 0 where
    jitter moves it.
    """
    period_ms = clocks[0].period_ms
    if any(clock.jitter_ms or clock.period_ms != period_ms for clock in clocks):
        return 0.0
    slots = (period_ms - sum(clock.ms * clock.stream.number for clock in clocks)) / slot_ms
    moved = abs(slots - round(slots))
    return period_ms / max(moved, _LEAST_MOVED)


def are_few(streams: Sequence[Stream]) -> bool:
    """Whether an LLQ is a few calls."""
    is_periodic = all(stream.period_ms for stream in streams)
    return is_periodic and sum(stream.number for stream in streams) <= FEW_CALLS


def _residual_ms(clock: Clock) -> float:
    """Mean rest of a burst of random packets, times its load: by it a queue settles."""
    return 0.0 if clock.period_ms else clock.stream.per_ms * clock.burst * clock.ms**2 / 2


# Levels.


@lru_cache(maxsize=32)
def _block(number: int) -> tuple[int, ...]:
    """Ranks of points of a cubic Weyl sequence: any three in a row are independent."""
    begin = number * _BLOCK + 1
    points = [rank**3 * _TURN % _PRIME for rank in range(begin, begin + _BLOCK)]
    ranks = [0] * _BLOCK
    for rank, place in enumerate(sorted(range(_BLOCK), key=points.__getitem__)):
        ranks[place] = rank
    return tuple(ranks)


def _ranks(begin: int) -> Iterator[int]:
    """Ranks from a place on, without end."""
    block, before = divmod(begin, _BLOCK)
    return islice(chain.from_iterable(map(_block, count(block))), before, None)


_LEVELS = tuple((rank + 0.5) / _BLOCK for rank in range(_BLOCK))


@lru_cache(maxsize=1)
def _gaps() -> tuple[float, ...]:
    """The mean of each rank in the exponential law with a mean of 1."""
    lefts = [1 - rank / _BLOCK for rank in range(_BLOCK)]
    beyond = [*(left - left * log(left) for left in lefts), 0.0]
    return tuple((now - after) * _BLOCK for now, after in pairwise(beyond))


@lru_cache(maxsize=8)
def _roots(blocks: int) -> tuple[float, ...]:
    """Roots of primes: no combination is rational, so phases are independent."""
    found: list[int] = []
    for candidate in count(2):
        if len(found) == blocks * _PRIMES:
            break
        if all(candidate % prime for prime in found[: bisect(found, isqrt(candidate))]):
            found.append(candidate)
    return tuple(map(sqrt, dict.fromkeys((*FIRST_PRIMES, *found))))


# Packets of the LLQ.


def classes_of(clocks: Sequence[Clock]) -> list[int]:
    """The class of each call; random packets of a class are a call."""
    return [index for index, clock in enumerate(clocks) for _ in range(clock.stream.number)]


def arrivals_of(
    clocks: Sequence[Clock], phase: int, plan: Plan, dropped: list[int]
) -> list[Arrival]:
    """Packets that come in a phase and pass their policers; `dropped` counts others by class."""
    calls = sum(clock.stream.number for clock in clocks)
    roots = iter(_roots(ceil(calls / _PRIMES)))
    packets: list[Arrival] = []
    first = 0
    for index, clock in enumerate(clocks):
        begins = [(phase + 0.5) * root % 1.0 for root in islice(roots, clock.stream.number)]
        number = _most(clock, plan)
        ranks = _ranks(index * _CLASS + phase * _steady(number))
        if clock.period_ms:
            firsts = [(begin, first + place) for place, begin in enumerate(begins)]
            own = _of_calls(clock, firsts, ranks, plan)
        else:
            own = [(ms, first) for ms in _random_times(clock, islice(ranks, number), plan)]
        if clock.policer is not None:
            every, own = own, list(_passed(clock, clock.policer, own))
            dropped[index] += _counted(every, plan) - _counted(own, plan)
        packets += own
        first += clock.stream.number
    return sorted(packets) if len(clocks) > 1 else packets


def _most(clock: Clock, plan: Plan) -> int:
    """Gaps, or packets with a jitter, of a class in a phase, at most."""
    if clock.period_ms:
        return ceil(plan.until_ms / clock.period_ms) * clock.stream.number
    return ceil(plan.until_ms * clock.stream.per_ms / clock.burst * _SPARE) + _FEW


def _steady(number: int) -> int:
    """The next number with three digits of 2: nearly the same questions take the same levels."""
    unit = 1 << max(number.bit_length() - 3, 0)
    return -(-number // unit) * unit


def _counted(packets: Sequence[Arrival], plan: Plan) -> int:
    return len(packets) - bisect_left(packets, (plan.from_ms, 0))


def _of_calls(
    clock: Clock, firsts: Sequence[tuple[float, int]], ranks: Iterator[int], plan: Plan
) -> list[Arrival]:
    """Packets of calls; each begins in its own part of a period."""
    if clock.stream.train is not None:
        ((begin, call),) = firsts
        begin_ms = plan.from_ms + begin * plan.slot_ms
        return [(begin_ms + turn * clock.period_ms, call) for turn in range(clock.stream.train)]
    rows = sorted((begin * clock.period_ms, call) for begin, call in firsts)
    turns_ms = [turn * clock.period_ms for turn in range(ceil(plan.until_ms / clock.period_ms))]
    jitter_ms = clock.jitter_ms
    times = [(turn_ms + ms, call) for turn_ms in turns_ms for ms, call in rows]
    if not jitter_ms:
        return times
    late_ms = (jitter_ms * _LEVELS[rank] for rank in ranks)
    return sorted([(ms + late, call) for (ms, call), late in zip(times, late_ms, strict=False)])


def _random_times(clock: Clock, ranks: Iterator[int], plan: Plan) -> list[float]:
    """When the packets of random bursts come."""
    gap_ms = clock.burst / clock.stream.per_ms
    times_ms = [gap * gap_ms for gap in accumulate(map(_gaps().__getitem__, ranks))]
    del times_ms[bisect(times_ms, plan.until_ms) :]
    if clock.burst == 1:
        return times_ms
    apart_ms = [packet * clock.spacing_ms for packet in range(clock.burst)]
    return sorted(ms + after_ms for ms in times_ms for after_ms in apart_ms)


def _passed(clock: Clock, policer: Policer, packets: Iterable[Arrival]) -> Iterator[Arrival]:
    """Packets that pass a policer; one that is offered more than its rate starts empty."""
    per_ms, burst_bytes = bytes_in_ms(policer.rate_bps, 1.0), policer.burst_bytes
    frame_bytes, last_ms = clock.frame_bytes, 0.0
    is_over = clock.stream.per_ms * frame_bytes > per_ms
    held = frame_bytes if is_over else burst_bytes
    for packet in packets:
        came_ms = packet[0]
        held += per_ms * (came_ms - last_ms)
        held, last_ms = min(held, burst_bytes), came_ms
        if held >= frame_bytes:
            held -= frame_bytes
            yield packet


# Lower packets.


class LowerOrder:
    """Time on the wire, and units, of the first 0, 1, … lower pieces: as many as were asked for.

    It is kept for other rings, and several threads may ask: its lists only ever grow.
    """

    def __init__(self, lower: tuple[LowerQueue, ...]) -> None:
        self.is_fixed = sum(len(queue.packets) for queue in lower) == 1
        self.pieces = cycle(lower[0].packets[0][2]) if self.is_fixed else pieces_of(lower)
        self.ms, self.units = [0.0], [0]
        self.growing = Lock()

    def reach(self, begin: int, until_ms: float, spare: int) -> None:
        """Have pieces from a number on that last so long, and some to spare."""
        self._grow(begin)
        while self.ms[-1] - self.ms[begin] < until_ms:
            self._grow(2 * len(self.ms))
        self._grow(bisect(self.ms, self.ms[begin] + until_ms) + spare)

    def _grow(self, number: int) -> None:
        with self.growing:
            more = list(islice(self.pieces, max(number + 1 - len(self.ms), 0)))
            self.units += islice(
                accumulate(map(itemgetter(1), more), initial=self.units[-1]), 1, None
            )
            self.ms += islice(accumulate(map(itemgetter(0), more), initial=self.ms[-1]), 1, None)


@question(16)
def order_of(lower: tuple[LowerQueue, ...]) -> LowerOrder:
    """The order of lower packets, kept for other rings."""
    return LowerOrder(lower)


def pieces_of(lower: Sequence[LowerQueue]) -> Iterator[tuple[float, int]]:
    """Yield pieces of lower packets in the order of a self-clocked fair queue (S. Golestani, 1994).

    Queues with a backlog go by their clocks, each packet a time; others send between them.
    """
    heavy = [queue.packets for queue in lower if queue.backlogged]
    light = [packet for queue in lower if not queue.backlogged for packet in queue.packets]
    if len(heavy) <= 1:
        table = _by_rank([packet for queue in lower for packet in queue.packets], _BLOCK)
        return chain.from_iterable(table[rank][2] for rank in _ranks(_LOWER))
    return chain.from_iterable(_by_clocks(light, heavy))


Packet = tuple[float, float, Pieces]  # weight, time of the scheduler's clock, pieces


def _by_clocks(light: Sequence[Packet], heavy: Sequence[Sequence[Packet]]) -> Iterator[Pieces]:
    first = round(sum(weight for weight, _, _ in light) * _BLOCK)  # rank of a heavy one
    own = _by_rank(light, first)
    tables = [_by_rank(packets, _BLOCK - first) for packets in heavy]
    clocks = [0.0 for _ in heavy]
    for rank in _ranks(_LOWER):
        if rank < first:
            yield own[rank][2]
            continue
        queue = clocks.index(min(clocks))
        _, clock, pieces = tables[queue][rank - first]
        clocks[queue] += clock
        yield pieces


def _by_rank(packets: Sequence[Packet], number: int) -> list[Packet]:
    """So many packets, each in proportion to its weight."""
    total = sum(weight for weight, _, _ in packets)
    ends = [round(end / total * number) for end in accumulate(weight for weight, _, _ in packets)]
    found: list[Packet] = []
    for end, packet in zip(ends, packets, strict=True):
        found += [packet] * (end - len(found))
    return found
