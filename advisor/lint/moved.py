"""Whether a predicted figure moves by more than its uncertainty."""

from typing import Final

from msgspec import Struct

from advisor.quantity import Figure

_TOLERATED_RATIO: Final = 0.05  # of the figure before
_TOLERATED_POINTS: Final = 0.1  # of percent: smaller differences print the same
_PERCENT, _MS = "%", "ms"


class Tolerance(Struct, frozen=True):
    """The largest difference that is no change: a part of the figure before, of delays also ms.

    The larger one counts.
    """

    ratio: float = _TOLERATED_RATIO
    delay_ms: float = 0.0

    def of(self, before: float, unit: str) -> float:
        """The tolerated difference from a figure, in its unit."""
        least = {_PERCENT: _TOLERATED_POINTS, _MS: self.delay_ms}.get(unit, 0.0)
        return max(self.ratio * abs(before), least)


_USUAL: Final = Tolerance()


def rises(before: Figure, after: Figure, tolerance: Tolerance = _USUAL) -> bool:
    """Whether a figure rises by more than 5 %, and by more than half the width of its interval.

    What is not known of the traffic is the same before and after: both ends of the interval that
    rise by more than 5 % are a rise, too, however wide the interval is.

    >>> rises(Figure(20.0, 10.0, 30.0, "ms"), Figure(25.0, 10.0, 40.0, "ms"))
    False
    >>> rises(Figure(20.0, 10.0, 30.0, "ms"), Figure(25.0, 14.0, 36.0, "ms"))
    True
    """
    return _goes_up(before, after, 1.0, tolerance)


def falls(before: Figure, after: Figure, tolerance: Tolerance = _USUAL) -> bool:
    """Whether a figure falls by more than its uncertainty; see `rises`.

    >>> falls(Figure(124.6, 124.6, 124.6, "ms"), Figure(124.6, 124.6, 124.6, "ms"))
    False
    """
    return _goes_up(before, after, -1.0, tolerance)


def moves(before: Figure, after: Figure, *, is_paired: bool) -> bool:
    """Whether a figure rises or falls by more than its uncertainty.

    `is_paired` is set where the difference is known for the same traffic before and after, and has
    one sign: then 5 % is enough, however wide the intervals of both figures are.
    """
    if rises(before, after) or falls(before, after):
        return True
    return is_paired and abs(after.value - before.value) > _TOLERATED_RATIO * abs(before.value)


def bound_moves(before: Figure, after: Figure) -> bool:
    """Whether the bounds of a figure differ by more than 5 %: a bound has no interval."""
    if before.bound is None or after.bound is None:
        return False
    return abs(after.bound - before.bound) > _TOLERATED_RATIO * before.bound


def _goes_up(before: Figure, after: Figure, sign: float, tolerance: Tolerance) -> bool:
    tolerated = tolerance.of(before.value, before.unit)

    def is_more(old: float, new: float) -> bool:
        return sign * (new - old) > tolerated

    if not is_more(before.value, after.value):
        return False
    if sign * (after.value - before.value) > (before.high - before.low) / 2:
        return True
    return is_more(before.low, after.low) and is_more(before.high, after.high)
