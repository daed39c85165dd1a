"""Distributions of times on a lattice: point masses split between neighbours, so means are exact."""

from dataclasses import dataclass

import numpy as np

from advisor.model.flows import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """A distribution of a time: `mass[i]` at ``i * step_ms``."""

    mass: Floats
    step_ms: float

    @property
    def mean_ms(self) -> float:
        return float(self.mass @ np.arange(len(self.mass))) * self.step_ms

    def quantiles_ms(self, *levels: float) -> tuple[float, ...]:
        """Smallest lattice times with at least these probabilities, interpolated in the step."""
        cumulated = np.cumsum(self.mass)
        below = np.searchsorted(cumulated, np.array(levels) * cumulated[-1])
        before = np.where(below > 0, cumulated[below - 1], 0.0)
        mass = np.maximum(self.mass[np.minimum(below, len(self.mass) - 1)], 1e-300)
        part = np.clip((np.array(levels) * cumulated[-1] - before) / mass, 0.0, 1.0)
        return tuple(float(max(0.0, b - 0.5 + p)) * self.step_ms for b, p in zip(below, part, strict=True))

    @property
    def mean_difference_ms(self) -> float:
        """Mean |difference| of two independent draws (Gini's mean difference)."""
        cumulated = np.cumsum(self.mass)
        return float(2 * (cumulated * (cumulated[-1] - cumulated)).sum()) * self.step_ms


def place(at_ms: Floats, weights: Floats, step_ms: float, length: int) -> Floats:
    """Masses of `weights` at times `at_ms` on a lattice of `length` steps; the last one catches all.

    `weights` has shape (times,) or (rows, times); the result (length,) or (rows, length).
    """
    position = np.minimum(at_ms / step_ms, length - 1 - 1e-9)
    below = position.astype(np.int64)
    part = position - below
    rows = weights if weights.ndim == 2 else weights[None]
    flat = (np.arange(len(rows))[:, None] * length + below[None]).ravel()
    size = len(rows) * length
    mass = np.bincount(flat, (rows * (1 - part)).ravel(), size)
    mass += np.bincount(flat + 1, (rows * part).ravel(), size + 1)[:size]
    shaped: Floats = mass.reshape(len(rows), length)
    return shaped if weights.ndim == 2 else shaped[0]
