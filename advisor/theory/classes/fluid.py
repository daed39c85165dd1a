"""On/off sources as a fluid: the workload with the number of sources that are on.

D. Anick, D. Mitra, M. M. Sondhi, "Stochastic theory of a data-handling system with multiple
sources", Bell Syst. Tech. J. 61 (1982) 1871-1894, here with a finite buffer.
"""

from math import comb

import numpy as np
from msgspec import Struct

from advisor.theory.extent import MOST_SOURCES, bounded
from advisor.theory.flows import Floats
from advisor.theory.lattice import QUANTILES

POINTS = 257  # numeric: levels of work
STILL = 1e-6  # numeric: a drift of exactly 0 has no eigenvalue


class FluidQueue(Struct, frozen=True, eq=False):
    """Joint law of sources on and work: `mass[j, i]`, work `work_ms[i]`; both ends are atoms."""

    work_ms: Floats
    mass: Floats


def fluid_queue(
    sources: int, *, on_ms: float, off_ms: float, peak_load: float, room: float, most_ms: float
) -> FluidQueue:
    """Stationary work of `sources` on/off sources.

    Parameters
    ----------
    sources : int
        Independent sources, exponential times on and off.
    on_ms, off_ms : float
        Their means.
    peak_load : float
        Work per ms of one source while on.
    room : float
        Work per ms that the wire can do for them.
    most_ms : float
        Work at which the buffer is full.
    """
    bounded("on/off sources", MOST_SOURCES, sources)
    number = np.arange(sources + 1)
    drift = number * peak_load - room
    drift = np.where(np.abs(drift) < STILL, STILL, drift)
    rates = np.zeros((sources + 1, sources + 1))  # column to row
    up_rates, down_rates = (sources - number) / off_ms, number / on_ms
    rates[number[1:], number[:-1]] = up_rates[:-1]
    rates[number[:-1], number[1:]] = down_rates[1:]
    rates[number, number] = -(up_rates + down_rates)
    on_ratio = on_ms / (on_ms + off_ms)
    states = np.array(
        [comb(sources, j) * on_ratio**j * (1 - on_ratio) ** (sources - j) for j in number]
    )
    work_ms = np.linspace(0.0, most_ms, POINTS)
    values, vectors = np.linalg.eig(rates / drift[:, None])
    values, vectors = values.real, vectors.real
    anchor = np.where(values > 0, most_ms, 0.0)
    empty_factors = np.exp(values * (0 - anchor))
    full_factors = np.exp(values * (most_ms - anchor))
    overloaded = drift > 0
    system = np.where(overloaded[:, None], vectors * empty_factors, vectors * full_factors)
    targets = np.where(overloaded, 0.0, states)
    weights = np.linalg.lstsq(system, targets, rcond=None)[0]
    distribution = (vectors * weights) @ np.exp(values[:, None] * (work_ms - anchor[:, None]))
    distribution = np.maximum.accumulate(np.clip(distribution, 0.0, states[:, None]), axis=1)
    mass = np.diff(distribution, axis=1, prepend=0.0)
    full = (states - distribution[:, -1])[:, None]
    middle = np.concatenate([[0.0], (work_ms[1:] + work_ms[:-1]) / 2, [most_ms]])
    return FluidQueue(middle, np.concatenate([mass, full], axis=1) / states.sum())


def accepted_arrivals(
    fluid: FluidQueue, peak_load: float, room: float, *, of_sources: bool
) -> tuple[Floats, float]:
    """Law of the fluid as accepted packets see it, unnormalised, and the part of them lost.

    Packets of the sources see a state in proportion to the number on, any others at a random time.
    A full buffer refuses the excess of a state over `room`.
    """
    rates = np.arange(len(fluid.mass), dtype=np.float64) * peak_load
    arriving: Floats = fluid.mass * rates[:, None] if of_sources else fluid.mass.copy()
    offered = float(arriving.sum())
    refused = np.maximum(rates - room, 0.0) / np.maximum(rates, 1e-12)
    lost = float((arriving[:, -1] * refused).sum())
    arriving[:, -1] *= 1 - refused
    return arriving, lost / offered


def moments(values: Floats, masses: Floats) -> tuple[float, tuple[float, float, float]]:
    """Mean and percentiles (`QUANTILES`) of values with masses."""
    order = np.argsort(values)
    cumulated = np.cumsum(masses[order])
    places = np.searchsorted(cumulated, np.array(QUANTILES) * cumulated[-1])
    p50, p95, p99 = values[order][places.clip(max=len(values) - 1)].tolist()
    return float(values @ masses / masses.sum()), (p50, p95, p99)


def periodic_queue_tail(sources: int, period: float, queue: Floats) -> Floats:
    """P(work > queue) of `sources` periodic sources of one period, all in packet times.

    Exact for random phases and fixed packets. Source: J. W. Roberts, J. T. Virtamo, "The
    superposition of periodic cell arrival streams in an ATM multiplexer", IEEE Trans. Commun. 39
    (1991) 298-303.
    """
    tail = np.zeros_like(queue)
    for later in range(1, sources + 1):
        excess = (later - queue) / period
        is_fraction = (excess > 0) & (excess < 1)
        part = np.clip(excess, 0.0, 1.0)
        bridge = (period - sources + queue) / np.maximum(period - later + queue, 1e-9)
        tail += np.where(
            is_fraction,
            comb(sources, later) * part**later * (1 - part) ** (sources - later) * bridge,
            0.0,
        )
    bounded: Floats = np.clip(tail, 0.0, 1.0)
    return bounded
