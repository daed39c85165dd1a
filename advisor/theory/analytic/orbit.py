"""Computes the delays of calls behind a full ring packet by packet, without random numbers.

Lower packets always wait, so every place of the ring is taken at once: packets leave in the order
in which they entered, and their position in that order says when. A packet of the LLQ that comes
while position k is sent gets the first position that is not taken yet: k + N + b in a ring of N
packets (b is 1 where the packet on the wire has left the ring), or the one behind the last packet
of the LLQ. Its delay ends when all positions up to its own are sent. So only packets of the LLQ are
counted one by one (D. Lindley's recursion, with a ring); of lower packets only sums are needed.
The phases of the calls, jitter and the sizes of lower packets are unknown. The mean over them
is taken on Weyl sequences, whose points fill a cube evenly. The method is valid too if a ring
alternates between data and voice, if a packet meets earlier ones of its stream, and behind a
policer.
"""

from bisect import bisect, bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, count, cycle, islice, pairwise
from math import ceil, inf, log, sqrt
from threading import Lock

from msgspec import Struct

from advisor.ground.questions import question
from advisor.ground.units import bytes_in_ms
from advisor.model import Policer
from advisor.theory.analytic.packets import Pieces, Stream
from advisor.theory.analytic.result import Law, Part, Terms
from advisor.theory.analytic.seen import Places

# Numeric: delays in all, at least; packets of the LLQ, and lower ones, in all, at most.
_DELAYS, _LEAST_DELAYS, _MOST_PACKETS, _MOST_LOWER = 1500, 1000, 20_000, 40_000
_PHASES, _SCATTER = 12, 0.01  # numeric: phases at least; scatter at which they are enough
_HOPELESS = 0.03  # numeric: scatter that is not worth more phases
_SETTLES = 2.0  # numeric: times of a ring until it settles
_LEAST_LEFT = 0.2  # numeric: part of the wire beside an LLQ, for which a ring settles more slowly
# Numeric: parts of a law, finer where it is rare.
_LEVELS = (*(step / 40 for step in range(36)), *(0.9 + step / 200 for step in range(20)), 1.0)
_PRIME = 2**31 - 1  # numeric: points of a Weyl sequence, and the golden ratio among them
_TURN = 1_327_217_884
_APART, _PHASES_APART = 20_011, 1009  # numeric: points between those of phases, of classes
_PAIRS = 24  # numeric: consecutive lower packets that are looked at in a phase
_SPARE, _FEW = 1.1, 50  # numeric: lower pieces beyond those that a phase sends

Lower = tuple[tuple[float, Pieces], ...]  # weights of packets, adding up to 1
Arrival = tuple[float, int, int]  # when a packet comes, its call, and its class


class LowerQueue(Struct, frozen=True):
    """Lower packets of one queue: weight, time of the scheduler's clock, and pieces of each.

    The weights of all queues add up to 1. A queue that is not `backlogged` sends now and then.
    """

    packets: tuple[tuple[float, float, Pieces], ...]
    backlogged: bool

    @property
    def share(self) -> float:
        """Part of all lower packets."""
        return sum(weight for weight, _, _ in self.packets)

    @property
    def levels(self) -> list[float]:
        """Its distribution, with its share at the end."""
        return list(accumulate(weight for weight, _, _ in self.packets))


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

    At most `most` phases are computed, each with `lower` pieces; `share` of the ring is filled with
    LLQ packets at the start. A train begins in the `slot_ms` after `from_ms`. The queue of lower
    packets holds `kept`.
    """

    most: int
    lower: int
    from_ms: float
    until_ms: float
    share: float
    slot_ms: float
    kept: int


@question(64)  # figures and explanations ask for the same
def delays_of(
    clocks: tuple[Clock, ...], lower: tuple[LowerQueue, ...], places: Places, kept: int = 0
) -> tuple[Delays, ...] | None:
    """Delay of each class of an LLQ above lower packets, which never end.

    The last one is that of lower packets, where `kept` asks for it. None where too few phases are
    affordable, or where nothing of a class passes.

    Parameters
    ----------
    clocks : tuple of Clock
        All classes of the LLQ.
    lower : tuple of LowerQueue
        The queues below it.
    places : Places
        The ring.
    kept : int
        Packets that the only queue below always holds, in a ring of packets.
    """
    plan = _plan(clocks, lower, places, kept)
    if not plan.most:
        return None
    found = [_Found() for _ in clocks]
    lower_found = _Found()
    for phase in range(plan.most):
        sent = _follow(clocks, (places, lower), phase, plan, found)
        lower_found.add_phase(list(_lower_delays(sent, plan)), 0.0)
        if phase + 1 >= _PHASES and all(delays.is_enough for delays in found):
            break
        reached = sqrt((phase + 1) / plan.most)  # part of the scatter that more phases leave
        if phase + 1 == _PHASES and any(own.scatter * reached > _HOPELESS for own in found):
            break
    if not all(delays.delays_ms for delays in found):
        return None
    own = [(clock.ms, each) for clock, each in zip(clocks, found, strict=True)]
    below = [(0.0, lower_found)] if lower_found.delays_ms else []
    return tuple(_delays(ms, each) for ms, each in (*own, *below))


def _plan(clocks: Sequence[Clock], lower: Sequence[LowerQueue], places: Places, kept: int) -> Plan:
    """Choose the extent; `most` is 0 if enough delays would cost too many steps."""
    period_ms = max(clock.period_ms for clock in clocks)
    per_ms = sum(clock.per_ms for clock in clocks)
    load = min(sum(clock.per_ms * clock.ms for clock in clocks), 1.0)
    packets = [(weight, pieces) for queue in lower for weight, _, pieces in queue.packets]
    pieces = sum(weight * len(each) for weight, each in packets)
    ms = sum(weight * ms for weight, each in packets for ms, _ in each) / pieces
    units = sum(weight * units for weight, each in packets for _, units in each) / pieces
    of_ring = (places.limit + 1) / (1 if places.is_packets else units)
    from_ms = _SETTLES * of_ring * ms / max(1 - load, _LEAST_LEFT)
    trains = [clock.stream.train or 0 for clock in clocks]
    counted_ms = max(_DELAYS / _PHASES / per_ms, period_ms)
    if any(trains):
        counted_ms = max(trains) * period_ms
    until_ms = from_ms + counted_ms + kept * ms / max(1 - load, _LEAST_LEFT)
    pieces_of_phase = ceil(until_ms / ms * _SPARE + of_ring) + _FEW
    most = int(min(_MOST_PACKETS / until_ms / per_ms, _MOST_LOWER / pieces_of_phase))
    if most < _PHASES or counted_ms * per_ms * most < _LEAST_DELAYS:
        if kept:
            return _plan(clocks, lower, places, 0)
        most = 0
    share = 0.0 if any(trains) else per_ms / (per_ms + (1 - load) / ms)
    return Plan(most, pieces_of_phase, from_ms, until_ms, share, ms, kept)


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
        self.means_ms: list[float] = []

    def add_phase(self, rows: Sequence[tuple[int, float]], queue_ms: float) -> None:
        """Add the delays of calls in one phase; `queue_ms` of them are waits before the ring."""
        if not rows:
            return
        of_phase = [delay_ms for _, delay_ms in rows]
        self.delays_ms += of_phase
        self.queue_ms += queue_ms
        self.means_ms.append(sum(of_phase) / len(rows))
        by_call: dict[int, list[float]] = {}
        for call, delay_ms in rows:
            by_call.setdefault(call, []).append(delay_ms)
        for own in by_call.values():
            self.difference_ms += sum(abs(after - before) for before, after in pairwise(own))
            self.differences += len(own) - 1

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


def _pieces(lower: Sequence[LowerQueue]) -> Iterator[tuple[float, int]]:
    """Yield pieces of lower packets in the order of a self-clocked fair queue (S. Golestani, 1994).

    Queues with a backlog go by their clocks, each packet a time; others send between them.
    """
    light = [packet for queue in lower if not queue.backlogged for packet in queue.packets]
    mixed = LowerQueue(tuple(light), backlogged=False)
    queues = [mixed, *(queue for queue in lower if queue.backlogged)]
    levels = [queue.levels for queue in queues]
    share = levels[0][-1] if light else 0.0
    clocks = [inf, *(0.0 for _ in queues[1:])]
    if not queues[1:]:
        share = 1.0
    for number in count(1):
        level, queue = weyl(number), 0
        if level < share:
            level /= share
        else:
            level = (level - share) / (1 - share)
            queue = min(range(len(queues)), key=clocks.__getitem__)
        own = levels[queue]
        place = min(bisect(own, level * own[-1]), len(own) - 1)
        _, clock, pieces = queues[queue].packets[place]
        clocks[queue] += clock
        yield from pieces


class _Order:
    """Time on the wire, and units, of the first 0, 1, … lower pieces: as many as were asked for.

    It is kept for other rings, and several threads may ask: its lists only ever grow.
    """

    def __init__(self, lower: tuple[LowerQueue, ...]) -> None:
        self.is_fixed = sum(len(queue.packets) for queue in lower) == 1
        self.pieces = cycle(lower[0].packets[0][2]) if self.is_fixed else _pieces(lower)
        self.ms, self.units = [0.0], [0]
        self.growing = Lock()

    def reach(self, begin: int, until_ms: float, spare: int) -> None:
        """Have pieces from a number on that last so long, and some to spare."""
        self.grow(begin)
        while self.ms[-1] - self.ms[begin] < until_ms:
            self.grow(2 * len(self.ms))
        self.grow(bisect(self.ms, self.ms[begin] + until_ms) + spare)

    def grow(self, number: int) -> None:
        """Have so many pieces at least."""
        with self.growing:
            more = list(islice(self.pieces, max(number + 1 - len(self.ms), 0)))
            self.units += islice(
                accumulate((units for _, units in more), initial=self.units[-1]), 1, None
            )
            self.ms += islice(accumulate((ms for ms, _ in more), initial=self.ms[-1]), 1, None)


@question(16)
def _order_of(lower: tuple[LowerQueue, ...]) -> _Order:
    return _Order(lower)


class _Units:
    """Ring units up to a position, where they decide which position a packet gets.

    `begin` is the number of lower pieces before the first position, `at` are the positions of LLQ
    packets.
    """

    def __init__(self, lower: Sequence[int], begin: int, at: Sequence[int]) -> None:
        self.lower, self.begin, self.at = lower, begin, at
        self.of_llq = [-lower[begin]]  # of 0, 1, … LLQ packets
        self.ends: list[int] = []  # up to each of them
        self.asked = self.reached = 0  # LLQ packets before the last answers

    def add(self, position: int, units: int) -> int:
        """Put an LLQ packet of so many units at a position; the units up to it."""
        before = len(self.ends)
        whole = self.of_llq[-1] + units
        self.of_llq.append(whole)
        end = self.lower[self.begin + position - before - 1] + whole
        self.ends.append(end)
        return end

    def first_with(self, wanted: int) -> int:
        """The first position with so many units up to it; later questions ask for more."""
        before, ends = self.reached, self.ends
        while before < len(ends) and ends[before] < wanted:
            before += 1
        self.reached = before
        place = bisect_left(self.lower, wanted - self.of_llq[before], self.begin) - self.begin
        position = place + before
        return min(position, self.at[before]) if before < len(ends) else position

    def up_to(self, position: int) -> int:
        """The units up to a position; later questions ask for later ones."""
        before, at = self.asked, self.at
        while before < len(at) and at[before] <= position:
            before += 1
        self.asked = before
        return self.lower[self.begin + position - before] + self.of_llq[before]


class _Sent(Struct):
    """Packets as they are sent: positions of those of the LLQ, and the time of the first 0, 1, …

    `lower_ms` is that of the first lower pieces; `first` of them were sent before; `reach` are the
    positions of the ring.
    """

    lower_ms: list[float]
    first: int
    reach: int
    at: list[int]
    llq_ms: list[float]

    def end_ms(self, position: int) -> float:
        """When all positions up to this one are sent."""
        before = bisect(self.at, position)
        return self.lower_ms[self.first + position - before] + self.llq_ms[before]


def _lower_delays(sent: _Sent, plan: Plan) -> Iterator[tuple[int, float]]:
    """Yield delays of lower packets, in pairs that follow each other, from the whole phase.

    One comes to its queue when the one that is `kept` packets before it enters the ring.
    """
    if not plan.kept:
        return
    before = [position - index for index, position in enumerate(sent.at)]  # first lower one after
    last_ms = sent.lower_ms[sent.first] + plan.until_ms
    last = bisect(sent.lower_ms, last_ms, sent.first) - sent.first - plan.kept
    for entering in range(sent.reach, last, max(last // _PAIRS, 1)):
        for number in (entering, entering + 1):
            came_ms = sent.end_ms(number + bisect(before, number) - sent.reach)
            sent_ms = sent.end_ms(number + plan.kept + bisect(before, number + plan.kept))
            if plan.from_ms <= came_ms and sent_ms <= plan.until_ms:
                yield entering, sent_ms - came_ms


class _Room:
    """Positions that a ring of particles gives to packets of the LLQ."""

    def __init__(self, places: Places, lower: Sequence[int], begin: int, at: list[int]) -> None:
        self.limit, self.beside = places.limit, places.beside_wire
        self.entering, self.entered = (_Units(lower, begin, at) for _ in range(2))
        self.filling = bisect_left(lower, lower[begin] + self.limit, begin) - begin

    def free(self, sending: int) -> int:
        """First position that is not taken while this one is sent."""
        held = self.entering.up_to(sending - 1 + self.beside) + self.limit
        return self.entering.first_with(held) + 1

    def after(self, position: int, sending: int, units: int) -> int:
        """The position after which a packet of the LLQ with this one enters the ring."""
        before = self.entering.add(position, units) - units
        self.entered.add(position, units)
        return max(self.entered.first_with(before - self.limit + 1) - self.beside, sending)


def _entries(
    sizes: Sequence[tuple[float, int, int]],
    sent: _Sent,
    room: _Room | None,
    share: float,
    arrivals: Iterable[Arrival],
) -> Iterator[tuple[Arrival, float, float]]:
    """Yield each LLQ packet that comes, when it enters the ring, and when it is sent.

    One that finds its queue full is never sent. `sizes` are the time, units and queue limit of each
    class; `room` is None in a ring of packets. At first, the ring holds lower packets and a share
    of LLQ packets; their positions are added to `sent`. This is the innermost loop: its names are
    local.
    """
    lower_ms, first, reach, at, llq_ms = sent.lower_ms, sent.first, sent.reach, sent.at, sent.llq_ms
    ends_ms: list[float] = []  # when each LLQ packet is sent
    place = first
    for position in _held(share, reach if room is None else room.filling):
        llq_ms.append(llq_ms[-1] + sizes[0][0])
        ends_ms.append(lower_ms[first + position - len(llq_ms) + 1] + llq_ms[-1])
        at.append(position)
        if room is not None:
            room.after(position, 0, sizes[0][1])
    waiting: list[deque[int]] = [deque() for _ in sizes]
    number, gone, entered, last = len(at), 0, 0, at[-1] if at else 0
    for packet in arrivals:
        came_ms, _, index = packet
        while gone < number and ends_ms[gone] < came_ms:
            gone += 1
        place = bisect_left(lower_ms, came_ms - llq_ms[gone], place)
        sending = place - first + gone
        if gone < number and at[gone] < sending:
            sending = at[gone]
        ms, units, limit = sizes[index]
        own = waiting[index]
        while own and own[0] < sending:
            own.popleft()
        if len(own) >= limit:
            yield packet, came_ms, inf
            continue
        last = max(last + 1, sending + reach if room is None else room.free(sending))
        at.append(last)
        after = last - reach if room is None else room.after(last, sending, units)
        while entered < number and at[entered] <= after:
            entered += 1
        own.append(after)
        llq_ms.append(llq_ms[-1] + ms)
        number += 1
        sent_ms = lower_ms[first + last - number] + llq_ms[-1]
        ends_ms.append(sent_ms)
        yield packet, lower_ms[first + after - entered] + llq_ms[entered], sent_ms


def _held(share: float, filling: int) -> Iterator[int]:
    """Positions of the LLQ packets in a ring that holds so many packets."""
    yield from (ceil(number / share) for number in range(1, int(filling * share) + 1))


def _follow(
    clocks: Sequence[Clock],
    ring: tuple[Places, tuple[LowerQueue, ...]],
    phase: int,
    plan: Plan,
    found: Sequence[_Found],
) -> _Sent:
    """Compute the delays for one set of phases of the calls; `ring` has the queues before it."""
    places, queues = ring
    ordered = sorted(_arrivals(clocks, phase, plan))
    order = _order_of(queues)
    begin = 0 if order.is_fixed else plan.lower * phase
    last_ms = ordered[-1][0] if ordered else 0.0
    reach = places.limit + places.beside_wire
    order.reach(begin, last_ms, reach + _FEW)
    sent = _Sent(order.ms, begin, reach, [], [-order.ms[begin]])
    room = None if places.is_packets else _Room(places, order.units, begin, sent.at)
    sizes = [(clock.ms, clock.units, clock.limit) for clock in clocks]
    arrivals = _passed(ordered, clocks, plan, found)
    rows: list[list[tuple[int, float]]] = [[] for _ in clocks]
    queues_ms = [0.0 for _ in clocks]
    for packet, entered_ms, sent_ms in _entries(sizes, sent, room, plan.share, arrivals):
        came_ms, call, index = packet
        if came_ms < plan.from_ms:
            continue
        if sent_ms == inf:
            found[index].dropped += 1
            continue
        rows[index].append((call, sent_ms - came_ms))
        queues_ms[index] += entered_ms - came_ms
    for delays, own, queue_ms in zip(found, rows, queues_ms, strict=True):
        delays.add_phase(own, queue_ms)
    return sent


def _arrivals(clocks: Sequence[Clock], phase: int, plan: Plan) -> Iterator[Arrival]:
    owners = [index for index, clock in enumerate(clocks) for _ in range(clock.stream.number)]
    for call, (index, prime) in enumerate(zip(owners, primes(len(owners)), strict=True)):
        clock = clocks[index]
        if not clock.period_ms:
            times_ms = _random_times(clock, phase + index * _PHASES_APART, plan.until_ms)
            yield from ((ms, call, index) for ms in times_ms)
            continue
        begin, train = (phase + 0.5) * sqrt(prime) % 1.0, clock.stream.train
        begin_ms = plan.from_ms + begin * plan.slot_ms if train else begin * clock.period_ms
        for number in range(train or ceil(plan.until_ms / clock.period_ms)):
            jitter_ms = clock.jitter_ms and clock.jitter_ms * weyl(number + prime * (phase + 1))
            yield number * clock.period_ms + begin_ms + jitter_ms, call, index


def _random_times(clock: Clock, phase: int, until_ms: float) -> Iterator[float]:
    """When the packets of random bursts come: their gaps are points of the exponential law."""
    gap_ms, now_ms = clock.burst / clock.stream.per_ms, 0.0
    for number in count(1 + phase * _APART):
        now_ms -= gap_ms * log(1 - weyl(number))
        if now_ms > until_ms:
            return
        yield from (now_ms + packet * clock.spacing_ms for packet in range(clock.burst))


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
