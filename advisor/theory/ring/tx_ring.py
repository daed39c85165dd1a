"""The transmit ring: a FIFO between the scheduler and the wire, in which no class overtakes.

A ring counts packets or particles. `limit` is the limit of IOS; `beside_wire` is 1 if the packet in
transmission has left the ring (packet rings of IOS serial interfaces), 0 if it still counts.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import gcd, sqrt

from msgspec import Struct


class Size(Struct, frozen=True):
    """A kind of packet: its rate (packets/s), time on the wire (ms) and ring units it takes."""

    packets_per_ms: float
    wire_ms: float
    units: int = 1


class Ring(Struct, frozen=True):
    """A ring of `limit` units; a packet is admitted while fewer than `limit` are used."""

    limit: int
    beside_wire: int = 0


class Wait(Struct, frozen=True):
    """Wait of an LLQ packet before its own transmission, mean and standard deviation, in ms."""

    mean_ms: float
    ring_ms: float  # the part of the mean in ring and wire
    deviation_ms: float


def units_held(ring: Ring, sizes: Sequence[Size]) -> float:
    """Mean units in a ring that is kept full by packets of these sizes.

    A packet that finds `limit - 1` units used is admitted whole, so the ring overshoots: the
    stationary overshoot of a renewal process with steps of the packets' units. On the lattice of
    their common divisor g its mean is ``g (E[q^2] / E[q] - 1) / 2`` with ``q = units / g``.

    Source: W. Feller, An Introduction to Probability Theory, vol. 1, XIII.10 (residual waiting
    times of recurrent events).

    >>> units_held(Ring(40), [Size(1.0, 8.0, units=3)])
    42.0
    """
    step = gcd(*(size.units for size in sizes))
    rate = sum(size.packets_per_ms for size in sizes)
    first = sum(size.packets_per_ms * size.units for size in sizes) / step / rate
    second = sum(size.packets_per_ms * size.units**2 for size in sizes) / step**2 / rate
    return step * -(-ring.limit // step) + step * (second / first - 1) / 2


def saturated_wait(ring: Ring, llq: Sequence[Size], lower: Sequence[Size], streams: int) -> Wait:
    r"""Mean wait of an LLQ packet while a lower class always has packets waiting.

    Parameters
    ----------
    ring : Ring
        The transmit ring.
    llq : sequence of Size
        Offer of the LLQ; may be empty for a sparse probe. Its load must be under 1.
    others : sequence of Size
        Lower classes. Only the ratio of their rates matters: they fill the rest of the wire.
    streams : int
        Number of independent LLQ streams of periodic packets, 0 for Poisson arrivals. A stream
        whose period is longer than any packet's time on the wire never waits for its own packets
        before the ring.

    Returns
    -------
    Wait
        Its own transmission excluded.

    Raises
    ------
    ValueError
        If the LLQ alone fills the wire, or nothing else is offered.

    Notes
    -----
    With rates :math:`\lambda_i` that fill the wire (:math:`\sum \lambda_i s_i = 1`), U units in
    the ring and R the mean work before a packet that enters it, Little's law gives
    :math:`U = \sum \lambda_i u_i (R + s_i)`. At a random time the ring holds the work
    :math:`R + \sum \lambda_i s_i^2 / 2`. For a ring of N packets this is
    :math:`(N - 1) E[s] + E[s^2] / 2 E[s]`. While an LLQ packet waits for its place, others of the
    LLQ may be ahead of it (A. Cobham, Oper. Res. 2 (1954) 70-76).

    The mix in the ring is taken as that of the rates. If LLQ packets come in clumps, because
    several arrive while one long packet is sent, the result is up to 50 % low; then
    `sparse_wait_ms` is the upper end.
    """
    own_load = sum(size.packets_per_ms * size.wire_ms for size in llq)
    content = _held(llq, lower, own_load)
    before_ms, mean_ms, residual_ms = in_ring_ms(ring, content)
    ring_ms = before_ms + ring.beside_wire * mean_ms + residual_ms
    meets = _share_that_meets(llq, max(size.wire_ms for size in content), streams)
    ahead_ms = _llq_ahead_ms(own_load, residual_ms, meets)
    variance = _residual_variance(content, residual_ms) + _content_variance(
        content, before_ms, mean_ms
    )
    return Wait(ring_ms + ahead_ms, ring_ms, sqrt(variance))


def sparse_wait_ms(ring: Ring, llq: Sequence[Size], lower: Sequence[Size]) -> float:
    """Mean wait in ms when LLQ packets displace nothing: the upper end of `saturated_wait`.

    A ring full of the other classes' packets, and Cobham's factor for the LLQ's own queue.
    """
    own_load = sum(size.packets_per_ms * size.wire_ms for size in llq)
    before_ms, mean_ms, residual_ms = in_ring_ms(ring, _held((), lower, 0.0))
    return (before_ms + ring.beside_wire * mean_ms + residual_ms) / (1 - own_load)


def _held(llq: Sequence[Size], lower: Sequence[Size], own_load: float) -> list[Size]:
    """Packets that pass the ring: the LLQ, and others that fill the rest of the wire."""
    offered = sum(size.packets_per_ms * size.wire_ms for size in lower)
    if own_load >= 1 or offered <= 0:
        raise ValueError(f"LLQ load {own_load:.2f} must be under 1 and others offered over 0")
    fill = (1 - own_load) / offered
    return [*llq, *(Size(size.packets_per_ms * fill, size.wire_ms, size.units) for size in lower)]


def in_ring_ms(ring: Ring, content: Sequence[Size]) -> tuple[float, float, float]:
    """Time in the ring before the wire, mean time of a packet on it, and mean residual."""
    unit_rate = sum(size.packets_per_ms * size.units for size in content)
    in_service = sum(size.packets_per_ms * size.wire_ms * size.units for size in content)
    residual_ms = sum(size.packets_per_ms * size.wire_ms**2 for size in content) / 2
    before_ms = max(0.0, (units_held(ring, content) - in_service) / unit_rate)
    return before_ms, 1 / sum(size.packets_per_ms for size in content), residual_ms


def _share_that_meets(llq: Sequence[Size], longest_ms: float, streams: int) -> float:
    """Share of the LLQ's packets that an LLQ packet can find waiting before the ring."""
    packets_per_ms = sum(size.packets_per_ms for size in llq)
    if not streams or packets_per_ms == 0 or streams / packets_per_ms < longest_ms:
        return 1.0
    return 1 - 1 / streams


def _llq_ahead_ms(own_load: float, residual_ms: float, meets: float) -> float:
    """Work of LLQ packets that wait for a place ahead of an arriving one (Cobham's formula)."""
    return residual_ms * meets * own_load / (1 - meets * own_load)


def _residual_variance(content: Sequence[Size], residual_ms: float) -> float:
    third = sum(size.packets_per_ms * size.wire_ms**3 for size in content) / 3
    return max(0.0, third - residual_ms**2)


def _content_variance(content: Sequence[Size], before_ms: float, mean_ms: float) -> float:
    """Variance of the packets behind the one on the wire, drawn independently by their rates."""
    second = sum(size.packets_per_ms * size.wire_ms**2 for size in content) * mean_ms
    return before_ms / mean_ms * max(0.0, second - mean_ms**2)


def mean_ipdv_ms(wait: Wait) -> float:
    """Mean difference of two independent delays: between uniform (1.155) and normal (1.128).

    Consecutive packets that are in the ring together have a smaller difference.

    >>> round(mean_ipdv_ms(Wait(10.0, 10.0, 3.0)), 2)
    3.42
    """
    return 1.14 * wait.deviation_ms


def bound_ms(ring: Ring, kinds: Sequence[Size]) -> float:
    """Longest wait in ring and wire, in ms, over all mixtures of these packets.

    A packet is admitted while fewer than `limit` units are used: the worst content is the one with
    the most wire time in `limit - 1` units (an unbounded knapsack), and one more packet. With one
    kind it is ``ceil(limit / units)`` packets. Above a limit of 256 the best wire time per unit
    bounds the knapsack.

    >>> bound_ms(Ring(10), [Size(0.0, 23.5)])
    235.0
    >>> bound_ms(Ring(5), [Size(0.0, 8.0, units=2)])
    24.0
    >>> bound_ms(Ring(1, beside_wire=1), [Size(0.0, 23.5)])
    47.0
    """
    longest = max(kind.wire_ms for kind in kinds)
    pairs = tuple(sorted({(kind.units, kind.wire_ms) for kind in kinds}))
    places = ring.limit - 1
    if places < _KNAPSACK_UNITS:
        filled = _fullest_ms(pairs)[places]
    else:
        filled = places * max(wire_ms / units for units, wire_ms in pairs)
    return filled + (1 + ring.beside_wire) * longest


_KNAPSACK_UNITS = 256  # numeric: beyond it the best time per unit bounds the filling


@lru_cache(maxsize=64)
def _fullest_ms(pairs: tuple[tuple[int, float], ...]) -> tuple[float, ...]:
    """Most wire time that 0, 1, 2, … units can hold."""
    best = [0.0] * _KNAPSACK_UNITS
    for room in range(1, _KNAPSACK_UNITS):
        fits = [best[room - units] + wire_ms for units, wire_ms in pairs if units <= room]
        best[room] = max([best[room - 1], *fits])
    return tuple(best)


def deepest_limit(budget_ms: float, minimum: int, bound: Callable[[int], float]) -> int | None:
    """Largest ring limit whose bound meets a budget; None if even the smallest does not.

    `bound` gives the wait in ms of a limit and must not fall as the limit grows.

    >>> deepest_limit(25.0, 1, lambda limit: 7.9 * limit)
    3
    >>> deepest_limit(25.0, 1, lambda limit: 30.0 * limit) is None
    True
    """
    if bound(minimum) > budget_ms:
        return None
    low, high = minimum, minimum + 1
    while high <= MAX_LIMIT and bound(high) <= budget_ms:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        if middle <= MAX_LIMIT and bound(middle) <= budget_ms:
            low = middle
        else:
            high = middle
    return low


MAX_LIMIT = 32_767  # range of tx-ring-limit in IOS
