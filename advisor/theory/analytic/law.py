"""Law of the wait of an LLQ packet: a residual of what is on the wire, then what stands behind it.

With one place the law is exact for Poisson packets: a residual of a lower packet, if one is found,
and a geometric number of residuals of the own kind (L. Kleinrock, Queueing Systems 2, 3.6). Behind
it stand so many lower packets and LLQ packets as fill the ring, drawn independently.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil, comb, sqrt

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.questions import question
from advisor.theory.analytic.number import KINDS, rests_of
from advisor.theory.analytic.packets import Met, Mix, Pairs, Stream, merged
from advisor.theory.analytic.result import Law, Part
from advisor.theory.analytic.seen import Seen

_NEAR = 1e-9  # numeric
_MOST_ATOMS = 6  # numeric: LLQ packets in a ring that are told apart
_MOST_QUEUED, _RARE = 12, 1e-3  # numeric: packets before a full ring that are told apart
_MOST_GEOMETRIC = 24  # numeric: packets of a queue that are told apart
_MOST_APART = 4  # numeric: packets in a ring that is not full, whose sizes are told apart
_DIGITS = 9  # numeric: times in ms that are the same


class Waiting(Struct, frozen=True):
    """Mean wait, that before the ring, and packets of the LLQ found: in its queue, in the ring."""

    ms: float
    queue_ms: float
    queued: float
    in_ring: float


def law_of(met: Met, lower: Mix, seen: Seen, waiting: Waiting) -> Law:
    """Law of the delay with this mean wait."""
    before_ms = met.own.before * met.own.ms
    if seen.places <= 1 and seen.place_ms == lower.mean_ms:
        parts = list(_of_one_place(met, seen, waiting.ms))
    else:
        parts = list(_not_full(met, seen))
        parts += full_parts(met, lower, seen, waiting)
    sizes = merged(met.own.sizes, KINDS)
    return Law(
        tuple(
            replace(part, weight=part.weight * weight, begin_ms=part.begin_ms + ms + before_ms)
            for part in parts
            for weight, ms in sizes
            if part.weight > _NEAR
        )
    )


def _of_one_place(met: Met, seen: Seen, wait_ms: float) -> Iterator[Part]:
    """A residual of a lower packet, then those of a queue, whose mean is what is left."""
    load = min(met.load, 1 - _NEAR)
    nothing = min(seen.idle / (1 - load), 1.0)
    residual_ms = min(seen.lower_residual_ms / (1 - load), wait_ms)
    residuals = rests_of(seen.lower_kinds, residual_ms / max(1 - nothing, _NEAR))
    starts = [Part(nothing, 0.0, 0.0, 0.0)]
    starts += [replace(part, weight=part.weight * (1 - nothing)) for part in residuals]
    for queue in _queues(met.sizes if met.per_ms else met.own.sizes, wait_ms - residual_ms):
        for start in starts:
            weight = start.weight * queue.weight
            yield Part(weight, queue.begin_ms, queue.deviation_ms, start.width_ms)


def _queues(sizes: Pairs, mean_ms: float) -> Iterator[Part]:
    """Wait for packets of the queue with this mean: a geometric number of residuals."""
    first, second, third = (sum(weight * ms**power for weight, ms in sizes) for power in (1, 2, 3))
    residual_ms = second / 2 / first
    variance = third / 3 / first - residual_ms**2
    going_on = max(mean_ms, 0.0) / (max(mean_ms, 0.0) + residual_ms)
    share = 1.0
    for number in range(_MOST_GEOMETRIC):
        last = number == _MOST_GEOMETRIC - 1 or share < _NEAR
        weight = share if last else share * (1 - going_on)
        yield Part(weight, number * residual_ms, sqrt(number * variance), 0.0)
        share *= going_on
        if last:
            return


def _not_full(met: Met, seen: Seen) -> Iterator[Part]:
    """Waits with 0, 1, … packets in a ring that is not full."""
    kinds = [*seen.lower_kinds, *met.sizes]
    for number, (weight, rest_ms) in enumerate(seen.not_full):
        if weight <= _NEAR:
            continue
        before_ms = max(number - 1, 0) * seen.mean_ms
        deviation_ms = sqrt(seen.variance_ms2 * max(number - 1, 0))
        rests, behind = (
            [Part(1.0, 0.0, 0.0, 2 * rest_ms)],
            [Part(1.0, before_ms, deviation_ms, 0.0)],
        )
        if 0 < number <= _MOST_APART:
            rests = rests_of(kinds, rest_ms)
            behind = _several(kinds, number - 1) if seen.variance_ms2 else behind
        for rest in rests:
            for part in behind:
                yield replace(
                    part, weight=weight * rest.weight * part.weight, width_ms=rest.width_ms
                )


def _several(kinds: Pairs, number: int) -> list[Part]:
    """Time of so many packets, drawn independently of these kinds."""
    times = {0.0: 1.0}
    each = merged(kinds, KINDS)
    for _ in range(number):
        more: dict[float, float] = {}
        for before_ms, part in times.items():
            for weight, ms in each:
                after_ms = round(before_ms + ms, _DIGITS)
                more[after_ms] = more.get(after_ms, 0.0) + part * weight
        times = more
    return [Part(part, ms, 0.0, 0.0) for ms, part in times.items()]


@question(4)  # what a packet finds of its own stream, and the law, ask for the same
def full_parts(met: Met, lower: Mix, seen: Seen, waiting: Waiting) -> tuple[Part, ...]:
    """Waits with a full ring."""
    if seen.full <= _NEAR:
        return ()
    residual_ms = seen.full_residual_ms / seen.full
    contents = list(_contents(met, lower, seen, waiting.in_ring / seen.full))
    mean_ms = residual_ms + sum(content.weight * content.begin_ms for content in contents)
    most_ms = 2 * mean_ms + waiting.queued / seen.full * met.ms  # of a ring that is rarely full
    full_ms = min(max(waiting.ms - seen.not_full_ms, 0.0) / seen.full, most_ms)
    queues = list(_queue_parts(met, waiting.queued / seen.full))
    residuals = rests_of([*seen.lower_kinds, *met.sizes], residual_ms)
    return tuple(
        Part(
            seen.full * residual.weight * content.weight * queue.weight,
            content.begin_ms + queue.begin_ms + full_ms - mean_ms,
            sqrt(content.deviation_ms**2 + queue.deviation_ms**2),
            residual.width_ms,
        )
        for residual, content, queue in product(residuals, contents, queues)
    )


def _queue_parts(met: Met, queued: float) -> Iterator[Part]:
    """Work in the LLQ queue less its mean: geometric, or binomial among the other calls."""
    others = met.own.number - 1
    if met.own.period_ms is not None and not met.others:
        variance = queued * max(1 - queued / others, 0.0) if others else 0.0
        yield Part(1.0, 0.0, sqrt(variance) * met.ms, 0.0)
        return
    going_on = queued / (1 + queued)
    size_ms2 = max(met.second_ms2 - met.ms**2, 0.0)
    share = 1.0
    for number in range(_MOST_QUEUED):
        last = number == _MOST_QUEUED - 1 or share * going_on < _RARE
        weight = share if last else share * (1 - going_on)
        yield Part(weight, (number - queued) * met.ms, sqrt(number * size_ms2), 0.0)
        share *= going_on
        if last:
            return


def _contents(met: Met, lower: Mix, seen: Seen, in_ring: float) -> Iterator[Part]:
    """Distribution of the work behind the wire in a full ring; its LLQ packets are binomial."""
    held = max(seen.places - 1, 0.0)
    trials = held * lower.mean_ms / seen.place_ms
    voices = min(in_ring, trials)
    if met.own.period_ms is not None and not met.others:
        trials = min(trials, max(met.own.number - 1, 0) + met.own_found)
    shorter_ms = seen.place_ms - met.ms
    whole = max(ceil(trials), 1)
    probability = min(voices / whole, 1.0)
    atoms = [
        probability**number * (1 - probability) ** (whole - number) * comb(whole, number)
        for number in range(min(whole, _MOST_ATOMS) + 1)
    ]
    if 1 - sum(atoms) > _RARE:
        spread = voices * max(1 - voices / trials, 0.0)
        variance = (
            max(held - voices * seen.place_ms / lower.mean_ms, 0.0) * lower.variance_ms2
            + spread * shorter_ms**2
        )
        yield Part(1.0, held * lower.mean_ms - voices * shorter_ms, sqrt(variance), 0.0)
        return
    for number, weight in enumerate(atoms):
        deviation_ms = sqrt(
            max(held - number * seen.place_ms / lower.mean_ms, 0.0) * lower.variance_ms2
        )
        yield Part(weight, held * lower.mean_ms - number * shorter_ms, deviation_ms, 0.0)


def found_of_own(parts: Sequence[Part], own: Stream) -> tuple[float, float]:
    """Earlier packets of a stream, one a period, that are found; those that are being sent."""
    law = Law(tuple(part for part in parts if part.weight > 0))
    if not law.parts or own.period_ms is None:
        return 0.0, 0.0
    waiting = law.packets_still_waiting(own.period_ms, own.train)
    found = law.packets_still_waiting(own.period_ms, own.train, own.ms)
    return found, max(found - waiting, 0.0)
