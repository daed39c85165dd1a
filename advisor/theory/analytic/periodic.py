"""Wait among periodic streams of one period and one size: nD/D/1.

A packet sees the work of the others at a random time, because phases are uniform. Source: J.
Roberts, J. Virtamo, IEEE Trans. Commun. 39 (1991) 298-303, by a theorem of V. Benes.
"""

from collections.abc import Iterator
from math import comb, floor

from advisor.theory.analytic.number import NumberLaw
from advisor.theory.analytic.result import Part

_STEPS = 8  # numeric: points of the distribution within the time of one packet
_LEAST = 1e-7  # numeric: probability of the tail that is cut off


def exceeds(work: float, streams: int, period: float) -> float:
    """Probability that the unfinished work exceeds `work`; work and period are in packet times.

    >>> round(exceeds(0.0, 1, 4.0), 6)
    0.25
    """
    if work >= streams or not streams:
        return 0.0
    total = 0.0
    for number in range(floor(work) + 1, streams + 1):
        share = (number - work) / period
        if share > 1:
            break
        before = comb(streams, number) * share**number * (1 - share) ** (streams - number)
        total += before * (period - streams + work) / (period - number + work)
    return min(max(total, 0.0), 1.0)


def wait_parts(streams: int, period_ms: float, packet_ms: float) -> Iterator[Part]:
    """Distribution of the wait behind `streams` other streams, whose load is below 1."""
    period = period_ms / packet_ms
    above = exceeds(0.0, streams, period)
    yield Part(1 - above, 0.0, 0.0, 0.0)
    step = 0
    while above > _LEAST:
        step += 1
        after = exceeds(step / _STEPS, streams, period)
        begin_ms = (step - 1) / _STEPS * packet_ms
        yield Part(max(above - after, 0.0), begin_ms, 0.0, packet_ms / _STEPS)
        above = after


def periodic_numbers(streams: int, period_ms: float, packet_ms: float, most: int) -> NumberLaw:
    """Distribution of the number of packets in the system, for a load below 1.

    Its last entry is the probability of `most` packets or more. With each number stands the mean
    remaining time of the packet on the wire, integrated by the trapezoidal rule.
    """
    period = period_ms / packet_ms
    least = [exceeds(number, streams, period) for number in range(most + 1)]
    at, rests = [1 - least[0]], [0.0]
    for number in range(1, most):
        inside = [exceeds(number - 1 + step / _STEPS, streams, period) for step in range(1, _STEPS)]
        mean = (least[number - 1] + least[number] + 2 * sum(inside)) / 2 / _STEPS
        at.append(max(least[number - 1] - least[number], 0.0))
        rests.append(max(mean - least[number], 0.0) * packet_ms)
    at.append(max(1 - sum(at), 0.0))
    load = streams / period
    return NumberLaw(tuple(at), tuple(rests), load * packet_ms / 2, load, streams / period_ms)
