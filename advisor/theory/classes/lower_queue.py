"""The classes below the LLQ as one queue of random arrivals, full or not."""

import numpy as np
from msgspec import Struct

from advisor.theory.case import Case
from advisor.theory.flows import Floats, most_waiting
from advisor.theory.interface import Delay
from advisor.theory.lattice import QUANTILES
from advisor.theory.offered import Mix, mix_of, slowed_chain
from advisor.theory.queue_chain import Chain
from advisor.theory.ring import ring_open

LEAST_TAKEN = 0.1  # numeric: places of the ring per lower packet
TINY = 1e-300  # numeric: in place of a probability of 0
# Means of a standard normal over five slices of equal probability.
NORMAL = np.array([-1.3998, -0.5319, 0.0, 0.5319, 1.3998])


class LowerQueue(Struct, frozen=True, eq=False):
    """The lower classes as one queue: their mix, and its chain on the wire that the LLQ leaves.

    `most` packets fit queue and ring, the one on the wire included; `ring_packets` the ring.
    """

    mix: Mix
    chain: Chain
    start: ring_open.Start
    most: int
    ring_packets: int


def lower_queue(case: Case) -> LowerQueue:
    """The queue of a case whose lower classes all have a rate."""
    interface, lower = case.interface, case.lower
    mix = mix_of(lower)
    room = max(flow.queue.limit_packets for flow in lower)
    if len(case.lower_queues) == 1:
        room = most_waiting(lower)
    smallest = int(mix.units.min()) if any(not flow.cut for flow in lower) else 1
    ring_packets = -(-interface.ring.limit // smallest) + interface.ring.beside_wire
    # packets of the LLQ take places too, and lower packets wait for them: as many are sent in the
    # time of a full ring on the slowed wire
    llq_rate = sum(flow.rate_per_ms for flow in case.llq)
    places = ring_packets / max(1 - case.llq_load + llq_rate * mix.mean_ms, LEAST_TAKEN)
    most = max(round(places), 1) + room
    slowed = slowed_chain(mix, case.llq, most)
    return LowerQueue(mix, slowed, ring_open.start_of(slowed, most), most, ring_packets)


def accepted(
    state: Chain, start: ring_open.Start, most: int, own_ms: float, varies_ms2: float = 0.0
) -> Delay:
    """Delay of a packet that finds room among `most`, at any load; `own_ms` is its own time.

    `varies_ms2` is the variance of its delay that does not come from waiting packets.

    Arrivals see the queue as at a random time (Poisson). Those that find it full are dropped.
    """
    packet_ms = float(state.weights @ state.times_ms)
    square_ms2 = float(state.weights @ state.times_ms**2)
    enters = start.present < most
    present, rest_ms, state_masses = (
        start.present[enters],
        start.rest_ms[enters],
        start.masses[enters],
    )
    if state_masses.sum() <= 0:  # at many times the rate a place is taken as it falls free
        state_masses = (present == present.max()).astype(float)
    masses = np.bincount(present, state_masses)
    positive_masses = np.maximum(masses, TINY)
    first_ms = np.bincount(present, state_masses * rest_ms) / positive_masses
    first_ms2 = np.bincount(present, state_masses * rest_ms**2) / positive_masses
    behind_first = np.maximum(np.arange(len(masses)) - 1, 0)
    varies = behind_first * max(square_ms2 - packet_ms**2, 0.0) + varies_ms2
    spread_ms = np.sqrt(varies + np.maximum(first_ms2 - first_ms**2, 0.0))
    middle_ms = behind_first * packet_ms + first_ms
    ahead_ms = np.maximum(middle_ms[:, None] + spread_ms[:, None] * NORMAL, 0.0).ravel()
    masses = np.repeat(masses, len(NORMAL))
    order = np.argsort(ahead_ms)
    cumulated = np.cumsum(masses[order])
    places = np.searchsorted(cumulated, np.array(QUANTILES) * cumulated[-1]).clip(
        max=len(order) - 1
    )
    p50_ms, p95_ms, p99_ms = (ahead_ms[order][places] + own_ms).tolist()
    mean_ms = float(ahead_ms @ masses) / float(masses.sum()) + own_ms
    # consecutive packets differ less than independent ones
    apart_ms = _independent_ms(ahead_ms[order], masses[order] / cumulated[-1])
    ipdv_ms = min(_difference_ms(state, packet_ms), apart_ms)
    return Delay(mean_ms, p50_ms, p95_ms, p99_ms, ipdv_ms)


def _independent_ms(sorted_ms: Floats, masses: Floats) -> float:
    """Mean |difference| of two independent draws."""
    cumulated = np.cumsum(masses)
    return float(2 * (masses * sorted_ms) @ (2 * cumulated - masses - 1))


def _difference_ms(state: Chain, packet_ms: float) -> float:
    """Mean |difference| of consecutive delays where the queue hardly empties: E|s - gap|.

    Gaps between accepted packets are about exponential, with the mean that acceptance leaves.
    """
    gap_ms = 1 / (state.batch_rate_per_ms * state.batch * (1 - state.loss_ratio))
    apart_ms = packet_ms - gap_ms + 2 * gap_ms * float(np.exp(-packet_ms / gap_ms))
    return max(apart_ms, 0.0)
