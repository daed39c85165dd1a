"""Analytic results of a class: terms of its mean delay, distribution, method and validity."""

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from math import erf, exp, pi, sqrt

from msgspec import Struct
from msgspec.structs import replace


class Method(StrEnum):
    """The formula that answers a class; `docs/model.md` derives each of them."""

    RING_FULL = "Little's law on the full ring"
    FOLLOWED = "recursion of the full ring"
    RING = "Little's law on the ring and the number law of M/G/1"
    ALONE = "unfinished work of the class itself"
    FIFO = "number law of M/G/1 in one queue"
    LOWER = "conservation law and completion times"
    BACKLOG = "Little's law on the full queue"
    SHAPED = "tokens that a full shaper leaves"
    SHAPED_BACKLOG = "Little's law on a full queue before a shaper"


class Validity(StrEnum):
    """How far a method may be off, by measurement on scenarios drawn after its last change."""

    EXACT = "exact"
    WITHIN_5 = "within 5 %"
    WITHIN_20 = "within 20 %"
    OUTSIDE = "outside"


class Terms(Struct, frozen=True):
    """Parts of a mean delay in ms: wait in the own queue, then in the ring, then sending.

    `shaper_ms` is what a shaper adds before the ring.
    """

    queue_ms: float
    ring_ms: float
    sending_ms: float
    shaper_ms: float = 0.0

    @property
    def mean_ms(self) -> float:
        return self.shaper_ms + self.queue_ms + self.ring_ms + self.sending_ms


class Part(Struct, frozen=True):
    """Part of a law: its probability, and a uniform time of `width_ms` after a normal one."""

    weight: float
    begin_ms: float
    deviation_ms: float
    width_ms: float


class Law(Struct, frozen=True):
    """Distribution of a time in ms as a mixture of parts.

    >>> round(Law((Part(1.0, 10.0, 0.0, 20.0),)).quantile_ms(0.95), 3)
    29.0
    """

    parts: tuple[Part, ...]

    @property
    def mean_ms(self) -> float:
        total = sum(part.weight for part in self.parts)
        return sum(part.weight * (part.begin_ms + part.width_ms / 2) for part in self.parts) / total

    @property
    def variance_ms2(self) -> float:
        total = sum(part.weight for part in self.parts)
        mean_ms = self.mean_ms
        return (
            sum(
                part.weight
                * (
                    (part.begin_ms + part.width_ms / 2 - mean_ms) ** 2
                    + part.deviation_ms**2
                    + part.width_ms**2 / 12
                )
                for part in self.parts
            )
            / total
        )

    def below(self, time_ms: float) -> float:
        """Probability of at most this time."""
        total = below = 0.0
        for part in self.parts:
            total += part.weight
            below += part.weight * _below(part, time_ms)
        return below / total

    def quantile_ms(self, probability: float) -> float:
        """Time that is exceeded with a probability of 1 - `probability`.

        Halves an interval around it; parts wholly outside of the interval are not asked again.
        """
        asked = self.parts
        if len(asked) == 1:
            (one,) = asked
            if not one.deviation_ms:
                return one.begin_ms + probability * one.width_ms
            if not one.width_ms and one != _NORMAL:
                return one.begin_ms + one.deviation_ms * _deviations(probability)
        wanted = probability * sum(part.weight for part in asked)
        low, high = min(map(_least_ms, asked)), self._most_ms
        tolerance = _PRECISION * max(high, _LEAST_MS)
        while high - low > tolerance:
            middle = (low + high) / 2
            if sum([part.weight * _below(part, middle) for part in asked]) >= wanted:
                high = middle
                asked = tuple([part for part in asked if _least_ms(part) < high])
            else:
                low = middle
                wanted -= sum([part.weight for part in asked if _most_ms(part) <= low])
                asked = tuple([part for part in asked if _most_ms(part) > low])
        return high

    @property
    def difference_ms(self) -> float:
        """Mean difference of two independent times: twice the integral of F (1 - F)."""
        low = min(map(_least_ms, self.parts))
        step_ms = (self._most_ms - low) / _STEPS
        levels = [self.below(low + (step + 0.5) * step_ms) for step in range(_STEPS)]
        return 2 * step_ms * sum(level * (1 - level) for level in levels)

    @property
    def _most_ms(self) -> float:
        return max(map(_most_ms, self.parts))

    def later(self, time_ms: float) -> "Law":
        """Law of these times, each later by `time_ms`."""
        return Law(tuple(replace(part, begin_ms=part.begin_ms + time_ms) for part in self.parts))

    def packets_still_waiting(
        self, period_ms: float, train: int | None = None, longer_ms: float = 0.0
    ) -> float:
        """Mean number of earlier packets, one a period, that are still there after this time.

        They stay for so much longer. Of a train of so many packets, its first one finds none.
        """
        most = min(int((self._most_ms + longer_ms) / period_ms), _MOST_FOUND)
        found = 0.0
        for number in range(1, (most if train is None else min(most, train - 1)) + 1):
            waiting = 1 - self.below(number * period_ms - longer_ms)
            if waiting < _NEVER:
                break
            found += waiting if train is None else waiting * (1 - number / train)
        return found


_NORMAL = Part(1.0, 0.0, 1.0, 0.0)
_TAILS = 6.0  # numeric: deviations beyond which nothing lies
_PRECISION = 1e-6  # numeric: of a quantile
_LEAST_MS = 1e-9  # numeric
_STEPS = 80  # numeric: of an integral
_ROOT_OF_2, _ROOT_OF_2_PI = sqrt(2), sqrt(2 * pi)
_NEVER = 1e-9  # numeric: probability
_MOST_FOUND = 200  # numeric: earlier packets that are looked at


@cache
def _deviations(probability: float) -> float:
    """Quantile of the normal law, in deviations."""
    return Law((_NORMAL,)).quantile_ms(probability)


def _least_ms(part: Part) -> float:
    return part.begin_ms - _TAILS * part.deviation_ms


def _most_ms(part: Part) -> float:
    return part.begin_ms + part.width_ms + _TAILS * part.deviation_ms


def _below(part: Part, time_ms: float) -> float:
    """A uniform time after a normal one: the integral of the normal law over the width."""
    since_ms = time_ms - part.begin_ms
    width_ms, deviation_ms = part.width_ms, part.deviation_ms
    if since_ms >= width_ms + _TAILS * deviation_ms:
        return 1.0
    if since_ms < -_TAILS * deviation_ms:
        return 0.0
    if deviation_ms <= _PRECISION * width_ms:
        return min(max(since_ms / width_ms, 0.0), 1.0)
    if width_ms <= _PRECISION * deviation_ms:
        return _normal(since_ms / deviation_ms)
    upper, lower = since_ms / deviation_ms, (since_ms - width_ms) / deviation_ms
    return (_area(upper) - _area(lower)) * deviation_ms / width_ms


def _normal(deviations: float) -> float:
    return 0.5 * (1 + erf(deviations / _ROOT_OF_2))


def _area(deviations: float) -> float:
    """Integral of the normal distribution up to so many deviations."""
    if deviations < -_TAILS:
        return 0.0
    normal = 0.5 * (1 + erf(deviations / _ROOT_OF_2))  # `_normal`: a call costs as much
    return deviations * normal + exp(-(deviations**2) / 2) / _ROOT_OF_2_PI


def stretched(parts: Sequence[Part], mean_ms: float) -> Law:
    """The law of these parts, its times stretched to a mean."""
    law = Law(tuple(part for part in parts if part.weight > 0))
    ratio = mean_ms / law.mean_ms if law.mean_ms > 0 else 1.0
    return Law(
        tuple(
            Part(
                part.weight,
                part.begin_ms * ratio,
                part.deviation_ms * ratio,
                part.width_ms * ratio,
            )
            for part in law.parts
        )
    )


def variation(values: Sequence[float]) -> float:
    """Standard deviation of some figures, as a part of their mean."""
    number = len(values)
    mean = sum(values) / max(number, 1)
    if number <= 1 or not mean:
        return 0.0
    return sqrt(sum((each - mean) ** 2 for each in values) / (number - 1)) / mean


Values = tuple[tuple[str, float], ...]


class Result(Struct, frozen=True):
    """Analytic answer for a class: delay from arrival to the last bit on the wire.

    `mean`, `p95` and `p99` say how far each may be off; `why` what limits it. `carried` is the part
    of the wire that the class gets. `ipdv_ms` is within 20 %; None where consecutive packets are
    not independent. Of a backlog it only lies between 0 and `ipdv_most_ms`. `loss_half_width` is
    the relative error of a loss, by experiment. `loading` is g, the LLQ packets that come while a
    lower packet is sent. `locked` calls keep their phases to periodic lower packets, or to the Tc
    of a shaper: the mean is that over all phases, `locked_ends_ms` those of the best and the worst
    one where they are known. `values` are the numbers of the formula by its symbols, as
    `formulas.toml` explains them.
    """

    name: str
    terms: Terms
    law: Law
    method: Method
    mean: Validity
    p95: Validity
    p99: Validity
    carried: float
    ipdv_ms: float | None = None
    ipdv_most_ms: float | None = None
    loss_ratio: float = 0.0
    loss_half_width: float = 0.15
    locked: int = 0
    locked_ends_ms: tuple[float, float] | None = None
    loading: float = 0.0
    why: str = ""
    values: Values = ()

    @property
    def mean_ms(self) -> float:
        return self.terms.mean_ms

    @property
    def p50_ms(self) -> float:
        return self.law.quantile_ms(0.5)

    @property
    def p95_ms(self) -> float:
        return self.law.quantile_ms(0.95)

    @property
    def p99_ms(self) -> float:
        return self.law.quantile_ms(0.99)


class Outside(Struct, frozen=True):
    """A class that no formula answers, and why."""

    name: str
    why: str


Answer = Result | Outside
