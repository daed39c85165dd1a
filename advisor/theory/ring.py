"""The transmit ring: a FIFO between the scheduler and the wire, in which no class overtakes."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import gcd

from msgspec import Struct

# A ring counts packets or particles. `limit` is the limit of IOS; `beside_wire` is 1 if the
# packet in transmission has left the ring (packet rings of IOS serial interfaces), 0 if it still
# counts.


class Size(Struct, frozen=True):
    """A kind of packet: its rate (packets/s), time on the wire (ms) and ring units it takes."""

    packets_per_ms: float
    wire_ms: float
    units: int = 1


class Ring(Struct, frozen=True):
    """A ring of `limit` units; a packet is admitted while fewer than `limit` are used."""

    limit: int
    beside_wire: int = 0


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


def sparse_wait_ms(ring: Ring, lower: Sequence[Size]) -> float:
    r"""Mean wait in ms of a sparse LLQ probe, behind a ring that lower classes keep full.

    Parameters
    ----------
    ring : Ring
        The transmit ring.
    lower : sequence of Size
        Packets of the lower classes. Only the ratio of their rates matters: they fill the wire.

    Returns
    -------
    float
        Its own transmission excluded.

    Raises
    ------
    ValueError
        If nothing is offered.

    Notes
    -----
    With rates :math:`\lambda_i` that fill the wire (:math:`\sum \lambda_i s_i = 1`), U units in
    the ring and R the mean work before a packet that enters it, Little's law gives
    :math:`U = \sum \lambda_i u_i (R + s_i)`. At a random time the ring holds the work
    :math:`R + \sum \lambda_i s_i^2 / 2`. For a ring of N packets this is
    :math:`(N - 1) E[s] + E[s^2] / 2 E[s]`. Packets of an LLQ that carries more than a probe take
    places of the ring: the recursion of the ring answers then.
    """
    offered = sum(size.packets_per_ms * size.wire_ms for size in lower)
    if offered <= 0:
        raise ValueError("nothing is offered below the LLQ")
    content = [Size(size.packets_per_ms / offered, size.wire_ms, size.units) for size in lower]
    before_ms, mean_ms, residual_ms = _in_ring_ms(ring, content)
    return before_ms + ring.beside_wire * mean_ms + residual_ms


def _in_ring_ms(ring: Ring, content: Sequence[Size]) -> tuple[float, float, float]:
    """Time in the ring before the wire, mean time of a packet on it, and mean residual."""
    unit_rate = sum(size.packets_per_ms * size.units for size in content)
    in_service = sum(size.packets_per_ms * size.wire_ms * size.units for size in content)
    residual_ms = sum(size.packets_per_ms * size.wire_ms**2 for size in content) / 2
    before_ms = max(0.0, (units_held(ring, content) - in_service) / unit_rate)
    return before_ms, 1 / sum(size.packets_per_ms for size in content), residual_ms


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
    most_ms: dict[int, float] = {}
    for kind in kinds:
        most_ms[kind.units] = max(kind.wire_ms, most_ms.get(kind.units, 0.0))
    pairs = tuple(sorted(most_ms.items()))
    places = ring.limit - 1
    if len(pairs) == 1:
        filled = places // pairs[0][0] * longest
    elif places < _KNAPSACK_UNITS:
        filled = _fullest_ms(pairs, 1 << places.bit_length())[places]
    else:
        filled = places * max(wire_ms / units for units, wire_ms in pairs)
    return filled + (1 + ring.beside_wire) * longest


_KNAPSACK_UNITS = 256  # numeric: beyond it the best time per unit bounds the filling


@lru_cache(maxsize=64)
def _fullest_ms(pairs: tuple[tuple[int, float], ...], most: int) -> tuple[float, ...]:
    """Most wire time that 0, 1, 2, … units can hold; rings of nearly as many share the answer."""
    best = [0.0] * most
    for room in range(1, most):
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
    deepest = bisect_right(range(minimum, MAX_LIMIT + 1), budget_ms, key=bound) + minimum - 1
    return deepest if deepest >= minimum else None


MAX_LIMIT = 32_767  # range of tx-ring-limit in IOS
