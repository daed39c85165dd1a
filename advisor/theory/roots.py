"""Where a falling function is 0."""

from collections.abc import Callable

_ROUNDS, _ROOT_RATIO = 60, 1e-3  # numeric


def root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0: regula falsi (Illinois variant); else the nearer end."""
    low_value, high_value = falling(low), falling(high)
    if low_value <= 0 or high_value >= 0:
        return low if low_value <= 0 else high
    for _ in range(_ROUNDS):
        middle = (low * high_value - high * low_value) / (high_value - low_value)
        value = falling(middle)
        if abs(value) < _ROOT_RATIO * middle or high - low < _ROOT_RATIO * high:
            return middle
        if value > 0:
            low, low_value, high_value = middle, value, high_value / 2
        else:
            high, high_value, low_value = middle, value, low_value / 2
    return middle
