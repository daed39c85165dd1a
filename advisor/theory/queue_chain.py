"""Packets in a queue with one server and batches that arrive as a Poisson process.

The chain of the number left behind at departures gives the number at any time, jointly with the
rest of the packet on the wire; a full queue drops packets that do not fit.
"""

import numpy as np
from msgspec import Struct

from advisor.theory.extent import MOST_VALUES, bounded
from advisor.theory.flows import Floats

MOST_ATOMS = 12  # numeric: kinds of packets; merged ones keep their mean
GRID = 8  # numeric: points of the rest of a packet, midpoints of equal parts
NEGLIGIBLE = 1e-11  # numeric: of the mass at 0
HUGE = 1e200  # numeric: an overloaded queue grows by its load with every packet
LEAST = 1e-90  # numeric: P(no batch in a service) that `HUGE` can be divided by


class Chain(Struct, frozen=True, eq=False):
    """Stationary state; `begins[j]` is the share of services that begin with j in the system."""

    begins: Floats
    busy_ratio: float
    loss_ratio: float
    batch_rate_per_ms: float
    batch: int
    weights: Floats
    times_ms: Floats


def atoms(weights: Floats, times_ms: Floats, most: int = MOST_ATOMS) -> tuple[Floats, Floats]:
    """At most `most` sizes: neighbours merged, mean kept."""
    if len(times_ms) <= most:
        return weights, times_ms
    order = np.argsort(times_ms)
    size, remainder = divmod(len(order), most)
    begins = np.arange(most) * size + np.minimum(np.arange(most), remainder)
    shares: Floats = np.add.reduceat(weights[order], begins)
    return shares, np.add.reduceat((weights * times_ms)[order], begins) / shares


def poisson_masses(means: Floats, most: int) -> Floats:
    """P(0..most) for each mean, shape (means, most + 1)."""
    bounded("places of a queue", MOST_VALUES, len(means), most + 1)
    steps = np.arange(1, most + 1)
    factors = np.concatenate([np.exp(-means)[:, None], means[:, None] / steps], axis=1)
    masses: Floats = np.cumprod(factors, axis=1)
    return masses


def chain(
    batch_rate_per_ms: float, batch: int, weights: Floats, times_ms: Floats, capacity: int
) -> Chain:
    """Stationary chain of M^X/G/1/K.

    Parameters
    ----------
    batch_rate_per_ms : float
        Batches per ms.
    batch : int
        Packets per batch.
    weights, times_ms : array, shape (sizes,)
        Times on the wire.
    capacity : int
        Packets that fit, the one on the wire included.

    Notes
    -----
    Cut equations between j and j + 1 have positive terms only, so the recursion is stable at any
    load: ``pi[j+1] a[0] = pi[0] P(A > j + 1 - b) + sum pi[i] P(A > j + 1 - i)``. They are not
    normalised: at a high load they are scaled down before they overflow.
    Source: H. Takagi, Queueing Analysis vol. 2 (1993), M/G/1/K and batch arrivals.
    """
    most = -(-capacity // batch) + 1
    counts = weights @ poisson_masses(batch_rate_per_ms * times_ms, most)
    tails = np.maximum(1 - np.cumsum(counts), 0.0)  # tails[m] = P(batches > m)
    tail = tails[np.arange(capacity + batch) // batch]  # P(packets > n), n = 0..
    departure_masses = np.zeros(capacity)
    departure_masses[0] = 1.0
    reverse = tail[: capacity + 1][::-1].copy()
    size = len(reverse)
    ups = tail.tolist()
    stay_ratio, empty = max(float(counts[0]), LEAST), 1.0
    for j in range(capacity - 1):
        up_rate = ups[j + 1 - batch] if j + 1 >= batch else 1.0
        # sum over i = 1..j of departure_masses[i] * P(A > j + 1 - i)
        inflow = (
            float(departure_masses[1 : j + 1].dot(reverse[size - 1 - j : size - 1])) if j else 0.0
        )
        mass = (empty * up_rate + inflow) / stay_ratio
        departure_masses[j + 1] = mass
        if mass < NEGLIGIBLE * empty:
            break
        if mass > HUGE:
            departure_masses[: j + 2] /= mass
            empty /= mass
    departure_masses /= departure_masses.sum()
    mean_ms = float(weights @ times_ms)
    cycle_ms = mean_ms + float(departure_masses[0]) / batch_rate_per_ms
    begins = np.append(departure_masses, 0.0)
    begins[0] = 0.0
    begins[min(batch, capacity)] += departure_masses[0]
    loss = 1 - 1 / (cycle_ms * batch_rate_per_ms * batch)
    return Chain(
        begins, mean_ms / cycle_ms, max(0.0, loss), batch_rate_per_ms, batch, weights, times_ms
    )


def residual_rows(state: Chain, most: int) -> tuple[Floats, Floats]:
    """Rest of the packet on the wire, jointly with the number in the system, at a random time.

    Returns
    -------
    rest_ms : array, shape (points,)
        Midpoints over every size.
    weights : array, shape (most + 1, points)
        Row k: probability of k in the system (all of `most` and more in the last row; row 0
        unused) with that rest. They sum to the busy ratio.
    """
    bounded("places of a queue, squared", MOST_VALUES, most + 1, most + 1)
    middle = (np.arange(GRID) + 0.5) / GRID
    rest = (state.times_ms[:, None] * middle).ravel()
    elapsed_ms = (state.times_ms[:, None] * (1 - middle)).ravel()
    by_size = state.weights * state.times_ms / (state.weights @ state.times_ms)
    weight = np.repeat(by_size / GRID, GRID) * state.busy_ratio
    counts = poisson_masses(state.batch_rate_per_ms * elapsed_ms, most)
    packets = np.zeros((len(rest), most + 1))
    packets[:, :: state.batch] = counts[:, : -(-(most + 1) // state.batch)]
    begins = np.zeros(most + 1)
    begins[: len(state.begins)] = state.begins[: most + 1]
    shift = np.arange(most + 1)[:, None] - np.arange(most + 1)[None]
    by_count = np.where(shift >= 0, begins[np.maximum(shift, 0)], 0.0)  # [k, packets arrived]
    rows = by_count @ packets.T * weight
    rows[most] += weight - rows.sum(axis=0)
    return rest, np.maximum(rows, 0.0)


def loss_of(state: Chain, batch: int, capacity: int) -> float:
    """Loss ratio of bursts of `batch` packets: the part that does not fit into the free room.

    Bursts that begin as a Poisson process see the queue as at a random time.
    """
    if batch == state.batch:
        return state.loss_ratio
    present = residual_rows(state, capacity)[1].sum(axis=1)
    present[0] = 1 - state.busy_ratio
    room = capacity - np.arange(capacity + 1)
    return float(present @ np.maximum(batch - room, 0)) / batch
