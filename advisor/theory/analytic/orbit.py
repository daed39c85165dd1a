"""Computes the delays of calls behind a full ring packet by packet, without random numbers.

Lower packets always wait, so every place of the ring is taken at once: packets leave in the order
in which they entered, and their position in that order says when. A packet of the LLQ that comes
while position k is sent gets the first position that is not taken yet: k + N + b in a ring of N
packets (b is 1 where the packet on the wire has left the ring), or the one behind the last packet
of the LLQ. Its delay ends when all positions up to its own are sent. So only packets of the LLQ are
counted one by one (D. Lindley's recursion, with a ring); of lower packets only sums are needed.
The mean is taken over phases (`phases.py`), until it scatters little. The method is valid too if a
ring alternates between data and voice, if a packet meets earlier ones of its stream, and behind a
policer.
"""

from bisect import bisect, bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from math import ceil, sqrt
from operator import sub

from msgspec import Struct

from advisor.ground.questions import question
from advisor.theory.analytic.phases import (
    DELAYS,
    PHASES,
    Arrival,
    Clock,
    LowerQueue,
    Plan,
    arrivals_of,
    classes_of,
    order_of,
    plan_of,
)
from advisor.theory.analytic.result import Law, Part, Terms, variation
from advisor.theory.analytic.seen import Places

_ENOUGH = 0.5  # numeric: part of the scatter that is asked for, at which phases are enough
_ENOUGH_BELOW = 0.8  # numeric: the same of the lower packets
# Numeric: of the scatter asked for, that is not worth more phases, by so many phases.
_HOPELESS = {PHASES // 2: 2.0, PHASES: 1.4}
# Numeric: parts of a law, finer where it is rare.
_LEVELS = (*(step / 40 for step in range(36)), *(0.9 + step / 200 for step in range(20)), 1.0)
_PAIRS = 24  # numeric: consecutive lower packets that are looked at in a phase
_FEW = 50  # numeric: lower pieces beyond those that a phase sends


class Delays(Struct, frozen=True):
    """Delay of a class, the mean difference of consecutive ones, and the part that is dropped.

    `scatter` is the standard error of the mean over the phases, as a part of it; `unlike` the
    standard deviation of the difference over the phases, as a part of that.
    """

    terms: Terms
    law: Law
    ipdv_ms: float
    loss_ratio: float
    scatter: float
    unlike: float = 0.0


@question(64)  # figures and explanations ask for the same
def delays_of(
    clocks: tuple[Clock, ...],
    lower: tuple[LowerQueue, ...],
    places: Places,
    kept: int = 0,
    scatter: float = 0.015,
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
    scatter : float
        Standard error of the mean over the phases, as a part of it, that is asked for.
    """
    plan = plan_of(clocks, lower, places, kept)
    if not plan.most:
        return None
    found = [_Found() for _ in clocks]
    lower_found = _Found()
    for phase in range(plan.most):
        sent = _follow(clocks, (places, lower), phase, plan, found)
        lower_found.add_pairs(_lower_delays(sent, plan))
        most = _HOPELESS.get(phase + 1)
        reached = sqrt((phase + 1) / plan.most)  # part of the scatter that more phases leave
        if most and any(own.scatter * reached > most * scatter for own in found):
            break
        if phase + 1 < PHASES or lower_found.scatter > _ENOUGH_BELOW * scatter:
            continue
        if all(own.is_enough(scatter) for own in found):
            break
    if not all(delays.delays_ms for delays in found):
        return None
    own = [(clock.ms, each) for clock, each in zip(clocks, found, strict=True)]
    below = [(0.0, lower_found)] if lower_found.delays_ms else []
    return tuple(_delays(ms, each) for ms, each in (*own, *below))


class _Found:
    """Delays of a class, waits before the ring, and differences of consecutive delays of a call."""

    def __init__(self) -> None:
        self.delays_ms: list[float] = []
        self.queue_ms = self.difference_ms = 0.0
        self.differences = self.dropped = 0
        self.means_ms: list[float] = []
        self.differences_ms: list[float] = []  # in the mean of a phase
        self.ended = 0  # delays of phases that have ended
        self.before = 0.0, 0  # their differences

    def add_pairs(self, pairs: Sequence[tuple[float, float]]) -> None:
        """Add delays of packets that follow each other."""
        for pair_ms in pairs:
            self.add_call(pair_ms, 0.0)
        self.end_phase()

    def add_call(self, delays_ms: Sequence[float], queue_ms: float) -> None:
        """Add consecutive delays of a call; `queue_ms` of them are waits before the ring."""
        self.delays_ms += delays_ms
        self.queue_ms += queue_ms
        self.difference_ms += sum(map(abs, map(sub, delays_ms, islice(delays_ms, 1, None))))
        self.differences += max(len(delays_ms) - 1, 0)

    def end_phase(self) -> None:
        """Keep the means of the delays that a phase has added, and of their differences."""
        of_phase = self.delays_ms[self.ended :]
        if of_phase:
            self.means_ms.append(sum(of_phase) / len(of_phase))
            self.ended = len(self.delays_ms)
            sums_ms, numbers = (
                self.difference_ms - self.before[0],
                self.differences - self.before[1],
            )
            self.differences_ms.append(sums_ms / max(numbers, 1))
            self.before = self.difference_ms, self.differences

    def is_enough(self, scatter: float) -> bool:
        """Whether there are delays enough, with a mean that is known well enough."""
        return len(self.delays_ms) >= DELAYS and self.scatter <= _ENOUGH * scatter

    @property
    def scatter(self) -> float:
        """Standard error of the mean over phases, as a part of it."""
        return variation(self.means_ms) / sqrt(max(len(self.means_ms), 1))


class _Sent(Struct):
    """Packets as they are sent: positions of those of the LLQ, and the time of the first 0, 1, …

    `lower_ms` is that of the first lower pieces; `first` of them were sent before; `reach` are the
    positions of the ring. `ends_ms` is when each packet of the LLQ is sent.
    """

    lower_ms: list[float]
    first: int
    reach: int
    at: list[int]
    llq_ms: list[float]
    ends_ms: list[float]

    def add(self, position: int, ms: float) -> None:
        """Put a packet of the LLQ at a position."""
        self.at.append(position)
        self.llq_ms.append(self.llq_ms[-1] + ms)
        self.ends_ms.append(self.end_ms(position))

    def end_ms(self, position: int) -> float:
        """When all positions up to this one are sent."""
        before = bisect(self.at, position)
        return self.lower_ms[self.first + position - before] + self.llq_ms[before]


def _lower_delays(sent: _Sent, plan: Plan) -> list[tuple[float, float]]:
    """Delays of lower packets, in pairs that follow each other, from the whole phase.

    One comes to its queue when the one that is `kept` packets before it enters the ring.
    """
    if not plan.kept:
        return []
    before = [position - index for index, position in enumerate(sent.at)]  # first lower one after
    last_ms = sent.lower_ms[sent.first] + plan.until_ms
    known = min(bisect(sent.lower_ms, last_ms, sent.first), len(sent.lower_ms) - 1)
    last = known - sent.first - plan.kept
    pairs: list[tuple[float, float]] = []
    for entering in range(sent.reach, last, max(last // _PAIRS, 1)):
        delays_ms: list[float] = []
        for number in (entering, entering + 1):
            came_ms = sent.end_ms(number + bisect(before, number) - sent.reach)
            sent_ms = sent.end_ms(number + plan.kept + bisect(before, number + plan.kept))
            if plan.from_ms <= came_ms and sent_ms <= plan.until_ms:
                delays_ms.append(sent_ms - came_ms)
        if len(delays_ms) > 1:
            pairs.append((delays_ms[0], delays_ms[1]))
    return pairs


class _Room:
    """Positions that a ring of particles gives to packets of the LLQ, by the units up to them.

    `begin` is the number of lower pieces before the first position, `at` are the positions of LLQ
    packets.
    """

    def __init__(self, places: Places, lower: Sequence[int], begin: int, at: Sequence[int]) -> None:
        self.limit, self.beside = places.limit, places.beside_wire
        self.lower, self.begin, self.at = lower, begin, at
        self.of_llq = [-lower[begin]]  # of 0, 1, … LLQ packets
        self.ends: list[int] = []  # up to each of them
        self.afters: list[int] = []  # positions after which they enter
        self.sent = self.entering = self.entered = 0  # LLQ packets before the last answers
        self.filling = bisect_left(lower, lower[begin] + self.limit, begin) - begin

    def free(self, sending: int) -> int:
        """First position that is not taken while this one is sent; it never decreases."""
        if self.afters and self.afters[-1] > sending:
            return self.at[-1]  # one waits: none is free before it
        position, at, before = sending - 1 + self.beside, self.at, self.sent
        while before < len(at) and at[before] <= position:
            before += 1
        self.sent = before
        held = self.lower[self.begin + position - before] + self.of_llq[before] + self.limit
        found, self.entering = self._first_with(held, self.entering)
        return found + 1

    def after(self, position: int, sending: int, units: int) -> int:
        """The position after which a packet of the LLQ with this one enters the ring."""
        before = self.of_llq[-1] + self.lower[self.begin + position - len(self.of_llq)]
        self.of_llq.append(self.of_llq[-1] + units)
        self.ends.append(before + units)
        found, self.entered = self._first_with(before - self.limit + 1, self.entered)
        self.afters.append(max(found - self.beside, sending))
        return self.afters[-1]

    def waiting(self, sending: int) -> int:
        """Packets of the LLQ that enter after a position."""
        return len(self.afters) - bisect_left(self.afters, sending)

    def _first_with(self, wanted: int, before: int) -> tuple[int, int]:
        """The first position with so many units up to it, and the LLQ packets before it.

        At least `before` of them are.
        """
        ends = self.ends
        while before < len(ends) and ends[before] < wanted:
            before += 1
        place = bisect_left(self.lower, wanted - self.of_llq[before], self.begin) - self.begin
        position = place + before
        if before < len(ends) and self.at[before] < position:
            position = self.at[before]
        return position, before


def _follow(
    clocks: Sequence[Clock],
    ring: tuple[Places, tuple[LowerQueue, ...]],
    phase: int,
    plan: Plan,
    found: Sequence[_Found],
) -> _Sent:
    """Compute the delays for one set of phases of the calls; `ring` has the queues before it."""
    (places, queues), dropped = ring, [0 for _ in clocks]
    arrivals = arrivals_of(clocks, phase, plan, dropped)
    order = order_of(queues)
    begin = 0 if order.is_fixed else plan.apart * phase
    reach = places.limit + places.beside_wire
    order.reach(begin, arrivals[-1][0] if arrivals else 0.0, reach + _FEW)
    sent = _Sent(order.ms, begin, reach, [], [-order.ms[begin]], [])
    room = None if places.is_packets else _Room(places, order.units, begin, sent.at)
    for number in range(1, int((reach if room is None else room.filling) * plan.share) + 1):
        position = ceil(number / plan.share)
        sent.add(position, clocks[0].ms)
        if room is not None:
            room.after(position, 0, clocks[0].units)
    held = len(sent.at)
    entered_ms, lost = _send(arrivals, clocks, sent, room)
    if lost:
        arrivals = list(without_lost(arrivals, lost))
    rows = zip(arrivals, entered_ms, sent.ends_ms[held:], strict=True)
    _add_phase(list(rows), clocks, plan, found)
    for own, packets in zip(found, dropped, strict=True):
        own.dropped += packets
    classes = classes_of(clocks)
    for came_ms, call in lost:
        found[classes[call]].dropped += came_ms >= plan.from_ms
    return sent


def without_lost(arrivals: Sequence[Arrival], lost: Sequence[Arrival]) -> Iterator[Arrival]:
    """The arrivals that were kept: of packets of one call at one moment, as many as were not lost.

    >>> list(without_lost([(1.0, 0), (1.0, 0), (2.0, 0)], [(1.0, 0)]))
    [(1.0, 0), (2.0, 0)]
    """
    left = Counter(lost)
    for packet in arrivals:
        if left[packet]:
            left[packet] -= 1
        else:
            yield packet


def _add_phase(
    rows: Sequence[tuple[Arrival, float, float]],
    clocks: Sequence[Clock],
    plan: Plan,
    found: Sequence[_Found],
) -> None:
    """Add delays by the arrival, entry and end of each packet, from the time on that counts."""
    classes = classes_of(clocks)
    delays_ms: list[list[float]] = [[] for _ in classes]
    queue_ms = [0.0 for _ in classes]
    first = bisect_left(rows, plan.from_ms, key=_came_ms)
    for (came_ms, call), entered_ms, sent_ms in islice(rows, first, None):
        delays_ms[call].append(sent_ms - came_ms)
        queue_ms[call] += entered_ms - came_ms
    for index, of_call_ms, waits_ms in zip(classes, delays_ms, queue_ms, strict=True):
        found[index].add_call(of_call_ms, waits_ms)
    for own in found:
        own.end_phase()


def _came_ms(row: tuple[Arrival, float, float]) -> float:
    return row[0][0]


def _send(
    arrivals: Sequence[Arrival], clocks: Sequence[Clock], sent: _Sent, room: _Room | None
) -> tuple[list[float], list[Arrival]]:
    """Give LLQ packets their positions; when they enter the ring, and which find a full queue.

    `room` is None in a ring of packets. This is the innermost loop: its names are local.
    """
    lower_ms, first, reach, at, llq_ms = sent.lower_ms, sent.first, sent.reach, sent.at, sent.llq_ms
    ends_ms, number, whole_ms, last = sent.ends_ms, len(at), llq_ms[-1], at[-1] if at else 0
    classes = classes_of(clocks)
    of_call = [clocks[index] for index in classes]
    sizes_ms, units = [clock.ms for clock in of_call], [clock.units for clock in of_call]
    limits = [clock.limit for clock in of_call]  # of those that wait, with the class of each
    found = [0 for _ in at]  # class of each LLQ packet
    gone, entered, place = 0, 0, first
    entries_ms: list[float] = []
    lost: list[Arrival] = []
    for packet in arrivals:
        came_ms, call = packet
        while gone < number and ends_ms[gone] < came_ms:
            gone += 1
        place = bisect_left(lower_ms, came_ms - llq_ms[gone], place)
        sending, entry_ms = place - first + gone, lower_ms[place] + llq_ms[gone]
        if gone < number and at[gone] <= sending:
            sending, entry_ms = at[gone], ends_ms[gone]
        free = sending + reach if room is None else room.free(sending)
        if last < free:
            last = free
        else:
            waiting = last - free + 1 if room is None else room.waiting(sending)
            if waiting >= limits[call] and found[-waiting:].count(classes[call]) >= limits[call]:
                lost.append(packet)
                continue
            last += 1
        at.append(last)
        found.append(classes[call])
        number += 1
        whole_ms += sizes_ms[call]
        llq_ms.append(whole_ms)
        ends_ms.append(lower_ms[first + last - number] + whole_ms)
        after = last - reach if room is None else room.after(last, sending, units[call])
        if after > sending:
            entered = max(entered, gone)
            while at[entered] <= after:
                entered += 1
            entry_ms = lower_ms[first + after - entered] + llq_ms[entered]
        entries_ms.append(entry_ms)
    return entries_ms, lost


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
        variation(found.differences_ms),
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
