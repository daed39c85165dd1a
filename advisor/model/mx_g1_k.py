"""One queue for everything, and an LLQ with nothing beside it."""

from collections.abc import Sequence

import numpy as np

from advisor.model import fluid_on_off, ring_open
from advisor.model.bounds import fifo_bound_ms, llq_bound_ms
from advisor.model.case import Case
from advisor.model.classes import difference_ms
from advisor.model.flows import Floats, Flow
from advisor.model.interface import (
    Bursts,
    ClassResult,
    Delay,
    Interface,
    ModelError,
    OnOff,
    Periodic,
    Regime,
)
from advisor.model.lattice import Law, place, place_one
from advisor.model.offered import Mix, batch_of, behind_own_ms, mix_of
from advisor.model.queue_chain import Chain, atoms, chain, loss_of, residual_rows
from advisor.model.results import (
    CUT,
    ORDERED,
    cut_short,
    not_random,
    of_law,
    of_sample,
    result,
    sampling_error,
)
from advisor.model.ring_recursion import Places

POINTS = 512
NO_LOSS = 1e-5
TOLERATED = 0.3  # of the load, beside random packets


def alone(interface: Interface, llq: Sequence[Flow], samples: int) -> dict[str, ClassResult]:
    """An LLQ without other traffic: the ring is irrelevant, its own queue is all."""
    results = _one_queue(interface, llq, samples)
    return {
        flow.traffic.name: result(
            flow,
            delay,
            Regime.ALONE,
            interface.rate_bps,
            bound_ms=llq_bound_ms(interface.ring, llq, (), flow),
            loss_ratio=loss,
            wider=error,
        )
        for flow, (delay, loss, error) in zip(llq, results, strict=True)
    }


def solve(interface: Interface, flows: Sequence[Flow], samples: int) -> dict[str, ClassResult]:
    """One FIFO queue in front of the ring.

    Raises
    ------
    ModelError
        If a class is said to be never empty: in one queue with others that has no meaning.
    """
    if any(flow.packets_per_ms is None for flow in flows):
        raise ModelError("a class that is never empty cannot share one FIFO queue")
    if any(isinstance(flow.traffic.arrival, OnOff) for flow in flows):
        places = Places(interface.ring.limit, interface.ring.beside_wire)
        return fluid_on_off.solve(Case(interface, places, (), tuple(flows)), samples)
    results = _one_queue(interface, flows, samples)
    wider = _of_several_kinds(flows)
    most_loss = (
        _longest_loss(interface, flows) if any(loss > NO_LOSS for _, loss, _ in results) else None
    )
    return {
        flow.traffic.name: result(
            flow,
            delay,
            Regime.FIFO,
            interface.rate_bps,
            bound_ms=fifo_bound_ms(interface.ring, flows, flow),
            loss_ratio=loss,
            most_loss=most_loss,
            wider=error + (wider or 0.0),
            also_ms=(delay.mean_ms - behind_own_ms(flow),) if cut_short(flow, loss) else (),
            weak=ORDERED if wider is not None else CUT if cut_short(flow, loss) else None,
        )
        for flow, (delay, loss, error) in zip(flows, results, strict=True)
    }


def _of_several_kinds(flows: Sequence[Flow]) -> float | None:
    """What to add to the interval where one chain stands for sources of several kinds."""
    if len({type(flow.traffic.arrival) for flow in flows}) == 1:
        return None
    return not_random(flows, (Periodic, Bursts), TOLERATED)


def _one_queue(
    interface: Interface, flows: Sequence[Flow], samples: int
) -> list[tuple[Delay, float, float]]:
    """Delay, loss ratio and relative sampling error of each flow of one queue."""
    load = sum(flow.load for flow in flows)
    if load < 1 and all(isinstance(flow.traffic.arrival, Periodic) for flow in flows):
        places = Places(10_000)
        sampled = ring_open.periodic_delays(places, flows, (), samples)
        return [(of_sample(sample), 0.0, sampling_error(sample)) for sample in sampled]
    mix = mix_of(flows)
    capacity = _capacity(interface, flows, mix)
    weights, times = atoms(mix.weights, mix.times_ms, 8)
    state = chain(mix.packets_per_ms / mix.batch, mix.batch, weights, times, capacity)
    wait = _wait(state, capacity)
    wait = Law(wait.mass, wait.step_ms * mix.rounding)
    memory_ms = mix.residual_ms / max(1 - load, 0.05) ** 2
    results = []
    for flow in flows:
        law = Law(_behind(wait, flow), wait.step_ms)
        rough = of_law(law, 0.0)
        ipdv_ms = difference_ms(rough, flow, load - flow.load, memory_ms)
        loss = loss_of(state, batch_of(flow), capacity)
        results.append((of_law(law, ipdv_ms), loss, 0.0))
    return results


def _capacity(interface: Interface, flows: Sequence[Flow], mix: Mix) -> int:
    ring_packets = -(-interface.ring.limit // max(1, round(float(mix.weights @ mix.units))))
    return ring_packets + interface.ring.beside_wire + max(f.queue.limit_packets for f in flows)


def _longest_loss(interface: Interface, flows: Sequence[Flow]) -> float | None:
    """Loss if all bursts were as long as the longest; None where they are."""
    batches = set(map(batch_of, flows))
    if len(batches) == 1:
        return None
    mix = mix_of(flows)
    weights, times = atoms(mix.weights, mix.times_ms, 8)
    longest = max(batches)
    capacity = _capacity(interface, flows, mix)
    return chain(mix.packets_per_ms / longest, longest, weights, times, capacity).loss_ratio


def _wait(state: Chain, capacity: int) -> Law:
    """Work ahead of a packet that is admitted: the rest of one packet and those behind it."""
    rest, rows = residual_rows(state, capacity)
    mean_ms = float(state.weights @ state.times_ms)
    spread = float(state.weights @ state.times_ms**2) - mean_ms**2
    most_ms = capacity * mean_ms + 5 * np.sqrt(capacity * spread) + float(state.times_ms.max())
    step_ms = most_ms / (POINTS - 2)
    # a full queue admits nobody: its row is left out
    content = place(rest, rows[1:capacity], step_ms, POINTS)
    spectrum = np.fft.rfft(content, axis=1)
    packet = np.fft.rfft(place_one(state.times_ms, state.weights, step_ms, POINTS))
    powers = packet[None] ** np.arange(capacity - 1)[:, None]
    total = np.einsum("ij,ij->j", spectrum, powers) + (1 - state.busy_ratio)
    mass = np.maximum(np.fft.irfft(total, POINTS), 0.0)
    return Law(mass / mass.sum(), step_ms)


def _behind(wait: Law, flow: Flow) -> Floats:
    """The wait of a burst's first packet, then what of its own burst is before each, and itself."""
    arrival, batch = flow.traffic.arrival, batch_of(flow)
    each_ms = flow.mean_ms - (arrival.spacing_ms if isinstance(arrival, Bursts) else 0.0)
    after_ms: Floats = flow.mean_ms + np.arange(batch, dtype=np.float64) * each_ms
    points = int(after_ms[-1] / wait.step_ms) + 3
    kernel = place_one(after_ms, np.full(batch, 1 / batch), wait.step_ms, points)
    found: Floats = np.convolve(wait.mass, kernel)
    return found
