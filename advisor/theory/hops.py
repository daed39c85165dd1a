"""Delay over several hops: means and bounds add, distributions convolve.

Hops are taken as independent. Only the least delay, three quantiles and the bound of a hop are
known: between them its distribution is taken as even.
"""

from collections.abc import Sequence
from math import hypot, prod

from msgspec import Struct

_POINTS = 2048  # numeric
_LEVELS = (0.0, 0.50, 0.95, 0.99, 1.0)  # of the known quantiles of a hop


class HopDelay(Struct, frozen=True):
    """One hop in ms: least delay, quantiles, bound (None: unknown), mean |ipdv|; loss 0 to 1."""

    least_ms: float
    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    bound_ms: float | None
    ipdv_ms: float
    loss_ratio: float = 0.0


class PathDelay(Struct, frozen=True):
    """All hops together; all packets except a negligible part have a delay below `most_ms`."""

    least_ms: float
    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    most_ms: float
    bound_ms: float | None
    ipdv_ms: float
    loss_ratio: float


def fixed(delay_ms: float) -> HopDelay:
    """A hop with a constant delay: propagation, a provider's core."""
    return HopDelay(delay_ms, delay_ms, delay_ms, delay_ms, delay_ms, delay_ms, 0.0)


def along(hops: Sequence[HopDelay]) -> PathDelay:
    """Delay of hops one after the other.

    Notes
    -----
    Quantiles come from the convolution of the hops' distributions on a lattice. The differences
    of consecutive packets are symmetric and independent from hop to hop, so their mean sizes add
    as root of the sum of squares (exact for normal ones).

    Examples
    --------
    >>> path = along([fixed(10.0), fixed(20.0)])
    >>> path.mean_ms, path.bound_ms, round(path.p99_ms, 6)
    (30.0, 30.0, 30.0)
    """
    least_ms = sum(hop.least_ms for hop in hops)
    bounds = [hop.bound_ms for hop in hops]
    known_ms = [bound_ms for bound_ms in bounds if bound_ms is not None]
    p50_ms, p95_ms, p99_ms, most_ms = _quantiles_ms(hops, least_ms)
    return PathDelay(
        least_ms=least_ms,
        mean_ms=sum(hop.mean_ms for hop in hops),
        p50_ms=p50_ms,
        p95_ms=p95_ms,
        p99_ms=p99_ms,
        most_ms=most_ms,
        bound_ms=sum(known_ms) if len(known_ms) == len(bounds) else None,
        ipdv_ms=hypot(*(hop.ipdv_ms for hop in hops)),
        loss_ratio=1 - prod(1 - hop.loss_ratio for hop in hops),
    )


def _quantiles_ms(hops: Sequence[HopDelay], least_ms: float) -> tuple[float, float, float, float]:
    """50, 95, 99 and 100 % of the convolution."""
    import numpy as np  # noqa: PLC0415 -- only paths need it

    spans = [_top_ms(hop) - hop.least_ms for hop in hops]
    step_ms = sum(spans) / (_POINTS - len(hops) - 1)
    if step_ms <= 0:
        return (least_ms,) * 4
    total = np.ones(1)
    for hop in hops:
        knots = (hop.least_ms, hop.p50_ms, hop.p95_ms, hop.p99_ms, _top_ms(hop))
        waits = np.maximum.accumulate(np.array(knots) - hop.least_ms) / step_ms
        # half a step below the least: its mass falls on the first point
        edges = np.arange(-1, int(waits[-1]) + 2) + 0.5
        distribution = np.interp(edges, waits, _LEVELS, left=0.0, right=1.0)
        total = np.convolve(total, np.diff(distribution))
    cumulated = np.cumsum(total) / total.sum()
    places = np.searchsorted(cumulated, (0.50, 0.95, 0.99, 1 - 1e-9)).clip(max=len(total) - 1)
    p50_ms, p95_ms, p99_ms, most_ms = (least_ms + places * step_ms).tolist()
    return p50_ms, p95_ms, p99_ms, most_ms


def _top_ms(hop: HopDelay) -> float:
    """End of the last percent: as far beyond p99 as p99 is beyond p95, within the bound."""
    top_ms = hop.p99_ms + (hop.p99_ms - hop.p95_ms)
    return top_ms if hop.bound_ms is None else max(hop.p99_ms, min(top_ms, hop.bound_ms))
