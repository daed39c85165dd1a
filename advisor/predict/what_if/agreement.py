"""Whether a simulation contradicts a prediction: figure by figure, with both intervals."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct

from advisor.quantity import Figure


class Figured(StrEnum):
    """A figure that a prediction and its simulation both have."""

    MEAN = "mean"
    P95 = "p95"
    P99 = "p99"
    LOSS = "loss"
    SHARE = "share"
    DROPS = "drops"
    DELAY = "delay"
    MAX = "longest delay"


class Span(Struct, frozen=True):
    """An interval: the predicted one, or the 95 % confidence interval of a simulation."""

    low: float
    high: float


class Pair(Struct, frozen=True):
    """One figure, predicted and simulated; None where one of them has no such figure."""

    name: Figured
    predicted: Figure | Span | None
    simulated: Figure | Span | None


def apart(
    pairs: Iterable[Pair], bound_ms: float | None = None, max_ms: float | None = None
) -> tuple[Figured, ...]:
    """Figures whose two intervals do not meet, and a longest delay above the bound.

    Empty: model and simulation agree. At 95 % confidence about one of twenty figures at the edge of
    its interval is apart by chance.
    """
    return tuple(_apart(pairs, bound_ms, max_ms))


def _apart(
    pairs: Iterable[Pair], bound_ms: float | None, max_ms: float | None
) -> Iterator[Figured]:
    for pair in pairs:
        predicted, simulated = pair.predicted, pair.simulated
        if predicted is None or simulated is None:
            continue
        if simulated.high < predicted.low or simulated.low > predicted.high:
            yield pair.name
    if bound_ms is not None and max_ms is not None and max_ms > bound_ms * (1 + _ROUNDING):
        yield Figured.MAX


_ROUNDING = 1e-9  # a delay that reaches its bound exactly
