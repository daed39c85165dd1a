"""A mean of few samples: its interval is wider than the budget that it must prove."""

from collections.abc import Iterator
from math import sqrt

from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast, ObjectKind
from advisor.quantity import Basis, enclosing, exact
from advisor.shows.sla.draft import SlaResult, Spread

_NORMAL_95 = 1.96  # half-width of a two-sided 95 % interval, in standard errors


class Params(Struct, frozen=True):
    """Budget of the profile that the interval must not be wider than; None: not judged."""

    jitter_ms: float | None


class Evidence(Struct, frozen=True):
    """The figure, its samples, and the width of the interval of its mean."""

    metric: str
    mean_ms: float
    samples: int
    width_ms: float
    budget_ms: float


class _Wide(Struct, frozen=True):
    metric: str
    spread: Spread
    samples: int
    width_ms: float
    at: Location


def width_ms(spread: Spread, samples: int) -> float:
    """Width in ms of the 95 % interval of a mean, from its minimum and maximum.

    The variance is at most (max - mean) (mean - min): the interval is no wider than this. With
    few samples the normal interval is too narrow, so one that is too wide is certainly too wide.

    Source: R. Bhatia and C. Davis, A better bound on the variance, Amer. Math. Monthly 107
    (2000) 353-357.

    Examples
    --------
    >>> round(width_ms(Spread(6.0, 15.0, 31.0, 387), 387), 1)
    2.4
    """
    above_ms = max(0.0, spread.maximum_ms - spread.mean_ms)
    below_ms = max(0.0, spread.mean_ms - spread.minimum_ms)
    return 2 * _NORMAL_95 * sqrt(above_ms * below_ms / samples)


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each operation whose mean has a wider interval than the jitter budget."""
    if params.jitter_ms is None:
        return
    by_number: dict[int, list[SlaResult]] = {}
    for result in device.seen.sla:
        by_number.setdefault(result.number, []).append(result)
    for number, results in by_number.items():
        label = f"ip sla {number}"
        means = [(name, spread, result.at) for result in results for name, spread in _means(result)]
        if any(spread.samples is None for _, spread, _ in means):
            yield Skip(label, "the number of samples is not printed")
        wide = [
            _Wide(name, spread, spread.samples, width_ms(spread, spread.samples), at)
            for name, spread, at in means
            if spread.samples
        ]
        worst = max(wide, key=lambda metric: metric.width_ms, default=None)
        if worst is not None and worst.width_ms > params.jitter_ms:
            yield _hit(label, worst, params.jitter_ms)


def _means(result: SlaResult) -> Iterator[tuple[str, Spread]]:
    spreads = (
        ("RTT", result.rtt),
        ("jitter to the destination", result.jitter_to_destination),
        ("jitter to the source", result.jitter_to_source),
    )
    return ((name, spread) for name, spread in spreads if spread is not None)


def _hit(label: str, worst: _Wide, budget_ms: float) -> Hit[Evidence]:
    spread, half_ms = worst.spread, worst.width_ms / 2
    low_ms, high_ms = max(0.0, spread.mean_ms - half_ms), spread.mean_ms + half_ms
    figure = enclosing(spread.mean_ms, low_ms, high_ms, "ms", bound=spread.maximum_ms)
    samples = exact("samples", worst.samples, Basis.MEASURED, str(worst.at))
    evidence = Evidence(worst.metric, spread.mean_ms, worst.samples, worst.width_ms, budget_ms)
    return Hit(
        label,
        (worst.at,),
        evidence,
        Confidence.LIKELY,
        Forecast(f"mean {worst.metric}", figure, None, (samples,)),
    )


CHECK = Check(
    Params,
    Evidence,
    find,
    is_measured=True,
    object_kind=ObjectKind.NAME,
)
