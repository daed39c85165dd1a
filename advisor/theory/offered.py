"""Several flows seen as one: their mix of sizes, their load, and how much they vary."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from advisor.theory.flows import Floats, Flow, Ints
from advisor.theory.interface import Bursts, OnOff, Periodic
from advisor.theory.queue_chain import MOST_ATOMS, Chain, atoms, chain
from advisor.units import s_from_ms

HALF_ATOMS = MOST_ATOMS // 2  # numeric: each is split in two
# A slowed time is two points about its mean that have its variance. None may be below 0: where the
# variance asks for more than 0.8 of the mean it is cut, so the variance then is low.
MOST_SPREAD = 0.8
# Packets per on time up to which on/off sources are taken as Poisson: one or two packets are no
# train. Up to twice as many, both descriptions are within the interval (`ends`).
FEW_PACKETS = 2.0
STILL = 1e-9  # numeric: idle share squared, below which the queue remembers everything


class Mix(Struct, frozen=True, eq=False):
    """Flows of known rate merged; arrays run over sizes."""

    packets_per_ms: float
    batch: int
    burst_ms2: float  # E[own packet x others of its burst]; 0 without bursts
    weights: Floats
    times_ms: Floats
    units: Ints

    @property
    def mean_ms(self) -> float:
        return float(self.weights @ self.times_ms)

    @property
    def load(self) -> float:
        return self.packets_per_ms * self.mean_ms

    @property
    def residual_ms(self) -> float:
        """The mean residual of PK, with batches: rate x E[work of a batch^2] / 2."""
        return self.packets_per_ms * (self.square_ms2 + self.burst_ms2) / 2

    @property
    def square_ms2(self) -> float:
        return float(self.weights @ self.times_ms**2)

    @property
    def rounding(self) -> float:
        """Residual of the mix over that of equal bursts of `batch` packets."""
        rounded = self.square_ms2 + (self.batch - 1) * self.mean_ms**2
        return (self.square_ms2 + self.burst_ms2) / rounded


def mix_of(flows: Sequence[Flow]) -> Mix:
    """Merge flows; equal bursts of `batch` packets bring the same residual."""
    rates = [flow.rate_per_ms for flow in flows]
    total = sum(rates)
    burst_ms2 = (
        sum(flow.rate_per_ms * (batch_of(flow) - 1) * flow.mean_ms**2 for flow in flows) / total
    )
    mean_ms = sum(flow.load for flow in flows) / total
    weights = np.concatenate(
        [flow.weights * (rate / total) for flow, rate in zip(flows, rates, strict=True)]
    )
    return Mix(
        total,
        max(1, round(1 + burst_ms2 / mean_ms**2)),
        burst_ms2,
        weights,
        np.concatenate([flow.times_ms for flow in flows]),
        np.concatenate([flow.units for flow in flows]),
    )


def batch_of(flow: Flow) -> int:
    """Packets of one burst that come faster than they are sent; 1 without bursts."""
    arrival = flow.traffic.arrival
    if isinstance(arrival, Bursts) and arrival.spacing_ms < flow.mean_ms:
        return arrival.packets_per_burst
    return 1


def packets_per_on_time(flow: Flow) -> float | None:
    """Mean number of packets that an on/off source sends while on; None for other sources."""
    arrival = flow.traffic.arrival
    if not isinstance(arrival, OnOff):
        return None
    return s_from_ms(arrival.mean_on_ms) * arrival.peak_packets_per_s


def sends_trains(flow: Flow) -> bool:
    """Whether a flow is on/off in trains: with few packets per on time it is nearly Poisson."""
    packets = packets_per_on_time(flow)
    return packets is not None and packets > FEW_PACKETS


def behind_own_ms(flow: Flow) -> float:
    """Mean work of its own burst ahead of a packet."""
    return (batch_of(flow) - 1) / 2 * flow.mean_ms


def residual_of(flow: Flow, relaxation_ms: float) -> float:
    """Part of a flow in the residual of PK: lambda E[s^2] / 2 (bursts: more) times variability.

    The variance of n periodic streams over a time t is that of Poisson arrivals times
    ``1 - t / period`` (a Brownian bridge), so it vanishes where the queue remembers a period; a
    single stream has none for its own packets.
    """
    rate = flow.rate_per_ms
    full = rate * (flow.second_ms2 / 2 + behind_own_ms(flow) * flow.mean_ms)
    if not isinstance(flow.traffic.arrival, Periodic):
        return full
    period_ms = flow.traffic.streams / rate
    return full * max(0.0, 1 - relaxation_ms / period_ms)


def mean_work_ms(lower: Mix, llq: Sequence[Flow]) -> float:
    """Mean unfinished work of the link at a random time (Pollaczek-Khinchine, one correction)."""
    idle = 1 - lower.load - sum(flow.load for flow in llq)
    relaxation_ms = lower.residual_ms / idle**2
    residual = lower.residual_ms + sum(residual_of(flow, relaxation_ms) for flow in llq)
    return residual / idle


def sawtooth_ms(lower: Mix, llq: Sequence[Flow]) -> float:
    """Mean work that single streams of large packets bring, if all other traffic is a fluid.

    A packet raises the work by its time s, which then falls at the rate that the others leave:
    ``rate x s^2 / 2 / (1 - others)``. The variance of `residual_of` is none for such a stream.
    """
    idle = 1 - lower.load - sum(flow.load for flow in llq)
    single_flows = [
        flow
        for flow in llq
        if flow.traffic.streams == 1
        and isinstance(flow.traffic.arrival, Periodic)
        and flow.mean_ms > lower.mean_ms
    ]
    return sum(flow.rate_per_ms * flow.second_ms2 / 2 / (idle + flow.load) for flow in single_flows)


def slowed_chain(lower: Mix, llq: Sequence[Flow], capacity: int) -> Chain:
    """The lower packets alone, on a wire that the LLQ slows; its variance spreads their times."""
    load = sum(flow.load for flow in llq)
    slowdown = 1 / (1 - load)
    idle = 1 - lower.load - load
    relaxation_ms = lower.residual_ms / max(idle**2, STILL)
    share = min(1.0, lower.load * slowdown)
    spread = 0.0
    for flow in llq:
        residual = residual_of(flow, relaxation_ms)
        if isinstance(flow.traffic.arrival, Periodic):
            residual *= 1 - 1 / flow.traffic.streams
        spread += 2 * residual / share
    weights, times = atoms(lower.weights, lower.times_ms, HALF_ATOMS if spread else MOST_ATOMS)
    if spread <= 0:
        times = times * slowdown
    else:
        deviation = np.minimum(
            np.sqrt(times * spread * slowdown**3), MOST_SPREAD * times * slowdown
        )
        weights = np.concatenate([weights, weights]) / 2
        times = np.concatenate([times * slowdown - deviation, times * slowdown + deviation])
    return chain(lower.packets_per_ms / lower.batch, lower.batch, weights, times, capacity)
