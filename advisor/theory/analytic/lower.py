"""Delay of the one lower queue under an LLQ, and of classes that share one FIFO.

Under an LLQ a lower packet is sent in a completion time: its own, and that of the LLQ packets that
come meanwhile. So the number law of M/G/1 with completion times is that of the lower queue, below
saturation and above it, where the queue has few free places. A ring lets lower packets pass
those of the LLQ; by the conservation law (L. Kleinrock, Queueing Systems 2, 3.4) the sum of waits,
each times its load, stays: what the LLQ waits longer the lower packets wait shorter.
"""

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

from advisor.theory.analytic.number import NumberLaw, completions, number_law
from advisor.theory.analytic.packets import Arrivals, Pairs, merged
from advisor.theory.analytic.result import Law, Part, Terms, Values, stretched

_NEAR = 1e-9  # numeric


class Slowed(Struct, frozen=True):
    """How an LLQ slows the lower queue: its load, the variance of its work per ms, its residual.

    `waits_longer_ms` is the wait of the LLQ behind its ring, less its wait with one place.
    """

    load: float
    variance_ms: float
    residual_ms: float
    waits_longer_ms: float


class QueueDelay(Struct, frozen=True):
    """Delay of a queue, and the part of its packets that find it full."""

    terms: Terms
    law: Law
    loss_ratio: float
    values: Values


def lower_delay(arrivals: Arrivals, slowed: Slowed, places: float) -> QueueDelay:
    """Delay of the packets of the lower queue.

    Parameters
    ----------
    arrivals : Arrivals
        Its packets.
    slowed : Slowed
        The LLQ above it.
    places : float
        Packets of the queue that queue and ring hold together.
    """
    services = completions(arrivals.sizes, slowed.load, slowed.variance_ms)
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
    wait_ms += slowed.residual_ms / (1 - slowed.load) ** 2
    wait_ms = max(wait_ms - shift_ms, 0.0)
    terms = Terms(wait_ms, 0.0, arrivals.mean_ms)
    law = _law(numbers, services, arrivals)
    values = (
        ("L", numbers.mean),
        ("b", numbers.busy),
        ("p", numbers.passed_per_ms),
        ("R_v", slowed.residual_ms),
        ("rho_v", slowed.load),
        ("c", shift_ms),
        ("s", arrivals.mean_ms),
    )
    return QueueDelay(terms, stretched(law.parts, terms.mean_ms), 1 - passed, values)


def _law(numbers: NumberLaw, services: Pairs, arrivals: Arrivals) -> Law:
    """Distribution of the work ahead of an accepted packet; a burst keeps its order."""
    mean_ms = sum(weight * ms for weight, ms in services)
    variance = sum(weight * ms**2 for weight, ms in services) - mean_ms**2
    own_ms = arrivals.mean_ms
    second = sum(part * packets**2 for packets, part in arrivals.bursts)
    before = (second / arrivals.burst - 1) / 2  # packets of the same burst
    spread = before * (before + 1) / 3
    parts = []
    for number, weight in enumerate(numbers.at[:-1]):
        rest_ms = numbers.residual_ms[number] / weight if weight > _NEAR else 0.0
        behind = max(number - 1, 0) + before
        deviation_ms = sqrt(max(behind * variance + spread * mean_ms**2, 0.0))
        parts.append(Part(weight, own_ms + behind * mean_ms, deviation_ms, 2 * rest_ms))
    return Law(tuple(parts))


def fifo_delay(own_ms: float, arrivals: Arrivals, places: int, before: float) -> QueueDelay:
    """Delay of a class in one FIFO.

    Parameters
    ----------
    own_ms : float
        Time of its packets on the wire.
    arrivals : Arrivals
        All packets of the queue.
    places : int
        Packets that queue and ring hold.
    before : float
        Packets of the own burst that stand before one of it.
    """
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
    law = _law_of_fifo(numbers, services, own_ms, before)
    passed = min(numbers.passed_per_ms / arrivals.packets_per_ms, 1.0)
    return QueueDelay(terms, stretched(law, terms.mean_ms), 1 - passed, values)


def _law_of_fifo(
    numbers: NumberLaw, services: Pairs, own_ms: float, before: float
) -> Sequence[Part]:
    mean_ms = sum(weight * ms for weight, ms in services)
    variance = max(sum(weight * ms**2 for weight, ms in services) - mean_ms**2, 0.0)
    parts = []
    for number, weight in enumerate(numbers.at[:-1]):
        rest_ms = numbers.residual_ms[number] / weight if weight > _NEAR else 0.0
        behind = max(number - 1, 0)
        deviation_ms = sqrt(behind * variance + before * (before + 1) / 3 * own_ms**2)
        begin_ms = own_ms * (1 + before) + behind * mean_ms
        parts.append(Part(weight, begin_ms, deviation_ms, 2 * rest_ms))
    return parts
