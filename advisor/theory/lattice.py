"""Distributions of times on a lattice; point masses are split, so that means are exact."""

import numpy as np
from msgspec import Struct

from advisor.theory.extent import MOST_VALUES, bounded
from advisor.theory.flows import Floats

QUANTILES = (0.5, 0.95, 0.99)  # that reports show


class Law(Struct, frozen=True, eq=False):
    """A distribution of a time: `mass[i]` at ``i * step_ms``."""

    mass: Floats
    step_ms: float

    @property
    def mean_ms(self) -> float:
        return float(self.mass @ np.arange(len(self.mass)) * self.step_ms)

    def quantiles_ms(self, *levels: float) -> tuple[float, ...]:
        """Smallest lattice times with at least these probabilities, interpolated in the step."""
        cumulated = np.cumsum(self.mass)
        places = np.searchsorted(cumulated, np.array(levels) * cumulated[-1])
        masses_before = np.where(places > 0, cumulated[places - 1], 0.0)
        mass = np.maximum(self.mass[np.minimum(places, len(self.mass) - 1)], 1e-300)
        part = np.clip((np.array(levels) * cumulated[-1] - masses_before) / mass, 0.0, 1.0)
        return tuple((np.maximum(places - 0.5 + part, 0.0) * self.step_ms).tolist())

    @property
    def mean_difference_ms(self) -> float:
        """Mean |difference| of two independent draws (Gini's mean difference)."""
        cumulated = np.cumsum(self.mass)
        return float(2 * (cumulated * (cumulated[-1] - cumulated)).sum() * self.step_ms)


def place(at_ms: Floats, weights: Floats, step_ms: float, length: int) -> Floats:
    """Masses at times `at_ms` on a lattice of `length` steps; the last step takes later times.

    `weights` has shape (rows, times), one distribution per row, and so has the result with
    (rows, length).
    """
    position = np.minimum(at_ms / step_ms, length - 1 - 1e-9)
    floor = position.astype(np.int64)
    part = position - floor
    rows = len(weights)
    bounded("steps of a lattice", MOST_VALUES, rows, max(length, len(at_ms)))
    flat = (np.arange(rows)[:, None] * length + floor[None]).ravel()
    lower = np.bincount(flat, (weights * (1 - part)).ravel(), rows * length)
    upper = np.bincount(flat + 1, (weights * part).ravel(), rows * length + 1)
    return np.asarray((lower + upper[: rows * length]).reshape(rows, length), dtype=float)


def place_one(at_ms: Floats, weights: Floats, step_ms: float, length: int) -> Floats:
    """`place` of a single distribution, shape (length,)."""
    row: Floats = place(at_ms, weights[None], step_ms, length)[0]
    return row
