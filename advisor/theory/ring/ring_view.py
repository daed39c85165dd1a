"""Ring content that an LLQ packet meets below saturation (independent packets)."""

import numpy as np

from advisor.theory.flows import Floats, Ints
from advisor.theory.lattice import Law, place, place_one
from advisor.theory.queue_chain import Chain, residual_rows

POINTS = 1024  # numeric: of the lattice of a delay
NEGLIGIBLE = 1e-9  # numeric: probability that one more packet still finds room


def packets_that_fit(limit: int, beside_wire: int, weights: Floats, units: Ints) -> Floats:
    """P(n packets fill the ring), n = 0..; admission needs fewer than `limit` used units."""
    if len(set(units.tolist())) == 1:
        fit = -(-limit // int(units[0])) + beside_wire
        return np.asarray(np.eye(1, fit + 1, fit)[0])
    used_units = np.zeros(limit + 1)
    used_units[0] = 1.0
    filled = [0.0]
    while used_units[:limit].sum() > NEGLIGIBLE:
        next_units = np.zeros(limit + 1)
        for weight, unit in zip(weights, units, strict=True):
            step = min(int(unit), limit)
            next_units[step:] += weight * used_units[: limit + 1 - step]
            next_units[limit] += weight * used_units[limit + 1 - step : limit].sum()
        filled.append(float(next_units[limit]))
        next_units[limit] = 0.0
        used_units = next_units
    masses = np.array([0.0] * beside_wire + filled)
    return np.asarray(masses / masses.sum())


def ring_work(state: Chain, fits: Floats, weights: Floats, times_ms: Floats, own_ms: float) -> Law:
    """Delay of a sparse packet of `own_ms`: rest of the packet on the wire, then of the ring.

    `fits` is the law of the number of packets that fill the ring; the others in it are independent
    draws of the sizes `times_ms`.
    """
    most = len(fits) - 1
    largest = max(float(times_ms.max()), float(state.times_ms.max()))
    step_ms = (most * largest + own_ms) / (POINTS - 8)
    rest, rows = residual_rows(state, most)
    # j packets in the ring: j in the system and room for j, or more in the system and j fill it
    room = np.cumsum(fits[::-1])[::-1]
    tails = np.cumsum(rows[::-1], axis=0)[::-1] - rows
    content = rows * room[:, None] + tails * fits[:, None]
    spectrum = np.fft.rfft(place(rest, content[1:], step_ms, POINTS), axis=1)
    packet = np.fft.rfft(place_one(times_ms, weights, step_ms, POINTS))
    total = spectrum[-1]
    for row in spectrum[-2::-1]:
        total = total * packet + row
    total = total + (1 - state.busy_ratio)
    total *= np.fft.rfft(place_one(np.array([own_ms]), np.ones(1), step_ms, POINTS))
    mass = np.maximum(np.fft.irfft(total, POINTS), 0.0)
    return Law(mass / mass.sum(), step_ms)
