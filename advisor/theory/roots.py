"""Where a falling function is 0."""

from collections.abc import Callable

_ROUNDS, _ROOT_RATIO = 60, 1e-3  # numeric


def root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0: regula falsi (Illinois variant); else the nearer end."""
    at_low, at_high = falling(low), falling(high)
    if at_low <= 0 or at_high >= 0:
        return low if at_low <= 0 else high
    for _ in range(_ROUNDS):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        value = falling(middle)
        if abs(value) < _ROOT_RATIO * middle or high - low < _ROOT_RATIO * high:
            return middle
        if value > 0:
            low, at_low, at_high = middle, value, at_high / 2
        else:
            high, at_high, at_low = middle, value, at_low / 2
    return middle
