"""Delay of the one lower queue under an LLQ, and of classes that share one FIFO.

Under an LLQ a lower packet is sent in a completion time: its own, and that of the LLQ packets that
come meanwhile. So the number law of M/G/1 with completion times is that of the lower queue, below
saturation and above it, where the queue has few free places. A ring lets lower packets pass
those of the LLQ; by the conservation law (L. Kleinrock, Queueing Systems 2, 3.4) the sum of waits,
each times its load, stays: what the LLQ waits longer the lower packets wait shorter.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.analytic.number import (
    NumberLaw,
    completions,
    found_full,
    number_law,
    rests_of,
)
from advisor.theory.analytic.packets import Arrivals, Pairs, merged
from advisor.theory.analytic.result import Law, Part, Terms, Values, stretched

_NEAR = 1e-9  # numeric


class Slowed(Struct, frozen=True):
    """How an LLQ slows the lower queue: its load, the moments of its random packets, its residual.

    `waits_longer_ms` is the wait of the LLQ behind its ring, less its wait with one place.
    """

    load: float
    random: tuple[float, float]
    residual_ms: float
    waits_longer_ms: float


class QueueDelay(Struct, frozen=True):
    """Delay of a queue, and the part of its packets that find it full."""

    terms: Terms
    law: Law
    loss_ratio: float
    values: Values


def lower_delay(
    arrivals: Arrivals, slowed: Slowed, places: float, before_last_ms: float
) -> QueueDelay:
    """Delay of the packets of the lower queue.

    Parameters
    ----------
    arrivals : Arrivals
        Its packets.
    slowed : Slowed
        The LLQ above it.
    places : float
        Packets of the queue that queue and ring hold together.
    before_last_ms : float
        Mean time of the fragments of a packet before its last one: LLQ packets pass between them.
    """
    services = completions(arrivals.sizes, slowed.load, slowed.random)
    numbers = number_law(
        arrivals.per_ms, dict(arrivals.bursts), merged(services), max(round(places), 2)
    )
    passed = min(numbers.passed_per_ms / arrivals.packets_per_ms, 1.0)
    # where packets are lost, the limit of the queue holds the work, and the ring saves none of it
    idle = max(1 - slowed.load - arrivals.load, 0.0)
    kept = idle / (idle + 1 - passed) if idle else 0.0
    shift_ms = kept * slowed.waits_longer_ms * slowed.load / max(arrivals.load * passed, _NEAR)
    wait_ms = (numbers.mean - numbers.busy) / numbers.passed_per_ms
    # a packet that finds no lower one may find the LLQ busy
    busy_ms = slowed.residual_ms / (1 - slowed.load) ** 2
    wait_ms += busy_ms
    passing_ms = before_last_ms * slowed.load / (1 - slowed.load)
    wait_ms = max(wait_ms - shift_ms, 0.0) + passing_ms
    terms = Terms(wait_ms, 0.0, arrivals.mean_ms)
    behind_llq = _behind_busy(_law(numbers, services, arrivals), slowed.load, busy_ms)
    waits = stretched(list(behind_llq), wait_ms - passing_ms)
    law = of_sizes(waits.parts, arrivals.sizes).later(passing_ms)
    values = (
        ("L", numbers.mean),
        ("b", numbers.busy),
        ("p", numbers.passed_per_ms),
        ("R_v", slowed.residual_ms),
        ("rho_v", slowed.load),
        ("c", shift_ms - passing_ms),
        ("s", arrivals.mean_ms),
    )
    return QueueDelay(terms, law, 1 - passed, values)


def _law(numbers: NumberLaw, services: Pairs, arrivals: Arrivals) -> list[Part]:
    """Distribution of the work ahead of an accepted packet; a burst keeps its order."""
    mean_ms = sum(weight * ms for weight, ms in services)
    variance = sum(weight * ms**2 for weight, ms in services) - mean_ms**2
    second = sum(part * packets**2 for packets, part in arrivals.bursts)
    before = (second / arrivals.burst - 1) / 2  # packets of the same burst
    spread = before * (before + 1) / 3
    parts: list[Part] = []
    for number, weight in enumerate(numbers.at[:-1]):
        behind = max(number - 1, 0) + before
        deviation_ms = sqrt(max(behind * variance + spread * mean_ms**2, 0.0))
        parts += _after_rest(
            Part(weight, behind * mean_ms, deviation_ms, 0.0), numbers.residual_ms[number], services
        )
    return parts


def _behind_busy(parts: Sequence[Part], load: float, busy_ms: float) -> Iterator[Part]:
    """The parts, the LLQ being busy with the probability of its load."""
    for part in parts:
        yield replace(part, weight=part.weight * (1 - load))
        if load:
            rest_ms = busy_ms / load
            deviation_ms = sqrt(part.deviation_ms**2 + rest_ms**2 / 3)
            begin_ms = part.begin_ms + rest_ms
            yield Part(part.weight * load, begin_ms, deviation_ms, part.width_ms)


def _after_rest(part: Part, rest_ms: float, services: Pairs) -> Iterator[Part]:
    """The part after the rest of a packet on the wire, each size as often as it is there."""
    mean_ms = rest_ms / part.weight if part.weight > _NEAR else 0.0
    if part.weight <= _NEAR or not mean_ms:
        yield part
        return
    for rest in rests_of(services, mean_ms):
        yield replace(part, weight=part.weight * rest.weight, width_ms=rest.width_ms)


def of_sizes(waits: Iterable[Part], sizes: Pairs) -> Law:
    """Waits, then the sending of a packet of one of these sizes."""
    own = merged(sizes)
    return Law(
        tuple(
            replace(part, weight=part.weight * weight, begin_ms=part.begin_ms + ms)
            for part in waits
            if part.weight > _NEAR
            for weight, ms in own
        )
    )


class OneOf(Struct, frozen=True):
    """A periodic stream in a FIFO, and all packets but its own."""

    period_ms: float
    others: Arrivals


def fifo_delay(
    own: Pairs, arrivals: Arrivals, places: int, before: float, one: OneOf | None = None
) -> QueueDelay:
    """Delay of a class in one FIFO.

    Parameters
    ----------
    own : sequence of pairs
        Weights, adding up to 1, and times of its packets on the wire.
    arrivals : Arrivals
        All packets of the queue.
    places : int
        Packets that queue and ring hold.
    before : float
        Packets of the own burst that stand before one of it.
    one : OneOf or None
        The own periodic stream, where it is one.
    """
    own_ms = sum(weight * ms for weight, ms in own)
    services = merged(arrivals.sizes)
    numbers = number_law(arrivals.per_ms, dict(arrivals.bursts), services, max(places, 2))
    mean_ms = arrivals.mean_ms
    let_in = 1 - numbers.at[-1]
    wait_ms = sum(
        rest_ms + max(number - 1, 0) * weight * mean_ms
        for number, (weight, rest_ms) in enumerate(
            zip(numbers.at[:-1], numbers.residual_ms, strict=True)
        )
    )
    values = (("V", wait_ms), ("P", numbers.at[-1]), ("k", before), ("s", own_ms))
    wait_ms = wait_ms / let_in + before * own_ms
    terms = Terms(wait_ms, 0.0, own_ms)
    law = of_sizes(_law_of_fifo(numbers, services, own_ms, before), own)
    lost = 1 - min(numbers.passed_per_ms / arrivals.packets_per_ms, 1.0)
    if one is not None:
        lost = found_full(numbers, one.others, services, one.period_ms)
    return QueueDelay(terms, stretched(law.parts, terms.mean_ms), lost, values)


def _law_of_fifo(numbers: NumberLaw, services: Pairs, own_ms: float, before: float) -> list[Part]:
    mean_ms = sum(weight * ms for weight, ms in services)
    variance = max(sum(weight * ms**2 for weight, ms in services) - mean_ms**2, 0.0)
    parts: list[Part] = []
    for number, weight in enumerate(numbers.at[:-1]):
        behind = max(number - 1, 0)
        deviation_ms = sqrt(behind * variance + before * (before + 1) / 3 * own_ms**2)
        part = Part(weight, own_ms * before + behind * mean_ms, deviation_ms, 0.0)
        parts += _after_rest(part, numbers.residual_ms[number], services)
    return parts
