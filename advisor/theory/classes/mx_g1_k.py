"""One queue for everything, or an LLQ with nothing beside it, as M^X/G/1/K."""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from advisor.theory.bounds import fifo_bound_ms, llq_bound_ms
from advisor.theory.case import Case
from advisor.theory.classes.classes import difference_ms
from advisor.theory.flows import Floats, Flow
from advisor.theory.half_widths import MIXED_TOLERATED
from advisor.theory.interface import (
    Bursts,
    ClassResult,
    Delay,
    Interface,
    Periodic,
    Regime,
    Weakness,
)
from advisor.theory.lattice import Law, place, place_one
from advisor.theory.offered import Mix, batch_of, behind_own_ms, mix_of
from advisor.theory.queue_chain import Chain, atoms, chain, loss_of, residual_rows
from advisor.theory.results import cut_short, not_random, of_law, result

POINTS = 512  # numeric: of the lattice of a wait; its step is split so that means are exact
NO_LOSS = 1e-5  # numeric: below it a finite queue is as an endless one
DEVIATIONS = 5  # numeric: standard deviations of a full queue's work that the lattice holds
MOST_SIZES = 8  # numeric: kinds of packets of the chain; merged ones keep their mean
LEAST_IDLE = 0.05  # of the memory in ipdv: at a higher load the finite queue forgets sooner


def solve(case: Case, regime: Regime, samples: int) -> dict[str, ClassResult]:  # noqa: ARG001
    """Results by class name: an LLQ with nothing beside it, or one FIFO in front of the ring."""
    delays = _one_queue(case)
    return _alone(case, regime, delays) if regime is Regime.ALONE else _fifo(case, regime, delays)


def _alone(
    case: Case, regime: Regime, delays: Sequence[tuple[Delay, float]]
) -> dict[str, ClassResult]:
    """The ring is irrelevant: only the LLQ's own queue counts."""
    return {
        flow.traffic.name: result(
            flow,
            delay,
            regime,
            case.interface.rate_bps,
            bound_ms=llq_bound_ms(case.interface.ring, case.llq, (), flow),
            loss_ratio=loss,
        )
        for flow, (delay, loss) in zip(case.llq, delays, strict=True)
    }


def _fifo(
    case: Case, regime: Regime, delays: Sequence[tuple[Delay, float]]
) -> dict[str, ClassResult]:
    interface, flows = case.interface, case.lower
    wider = _addition_for_mixed_kinds(flows)
    is_lossy = any(loss > NO_LOSS for _, loss in delays)
    most_loss = _longest_loss(interface, flows) if is_lossy else None
    return {
        flow.traffic.name: result(
            flow,
            delay,
            regime,
            interface.rate_bps,
            bound_ms=fifo_bound_ms(interface.ring, flows, flow),
            loss_ratio=loss,
            most_loss=most_loss,
            wider=wider or 0.0,
            also_ms=(delay.mean_ms - behind_own_ms(flow),) if cut_short(flow, loss) else (),
            weak=_weakness(flow, loss, is_mixed=wider is not None),
        )
        for flow, (delay, loss) in zip(flows, delays, strict=True)
    }


def _weakness(flow: Flow, loss_ratio: float, *, is_mixed: bool) -> tuple[Weakness, ...]:
    if is_mixed:
        return (Weakness.ORDERED,)
    return (Weakness.CUT,) if cut_short(flow, loss_ratio) else ()


def _addition_for_mixed_kinds(flows: Sequence[Flow]) -> float | None:
    """Addition to the interval if one chain describes sources of several kinds."""
    if len({type(flow.traffic.arrival) for flow in flows}) == 1:
        return None
    return not_random(flows, (Periodic, Bursts), MIXED_TOLERATED)


def _one_queue(case: Case) -> list[tuple[Delay, float]]:
    """Delay and loss ratio of each flow of one queue."""
    flows, load = case.flows, case.load
    mix = mix_of(flows)
    capacity = _capacity(case.interface, flows, mix)
    weights, times = atoms(mix.weights, mix.times_ms, MOST_SIZES)
    state = chain(mix.packets_per_ms / mix.batch, mix.batch, weights, times, capacity)
    wait = _wait(state, capacity)
    wait = Law(wait.mass, wait.step_ms * mix.rounding)
    memory_ms = mix.residual_ms / max(1 - load, LEAST_IDLE) ** 2
    results = []
    for flow in flows:
        law = Law(_behind(wait, flow), wait.step_ms)
        first_result = of_law(law, 0.0)
        ipdv_ms = difference_ms(first_result, flow, load - flow.load, memory_ms)
        loss = loss_of(state, batch_of(flow), capacity)
        results.append((of_law(law, ipdv_ms), loss))
    return results


def _capacity(interface: Interface, flows: Sequence[Flow], mix: Mix) -> int:
    ring_packets = -(-interface.ring.limit // max(1, round(float(mix.weights @ mix.units))))
    return (
        ring_packets + interface.ring.beside_wire + max(flow.queue.limit_packets for flow in flows)
    )


def _longest_loss(interface: Interface, flows: Sequence[Flow]) -> float | None:
    """Loss if all bursts were as long as the longest; None if they are."""
    batches = set(map(batch_of, flows))
    if len(batches) == 1:
        return None
    mix = mix_of(flows)
    weights, times = atoms(mix.weights, mix.times_ms, MOST_SIZES)
    longest = max(batches)
    capacity = _capacity(interface, flows, mix)
    return chain(mix.packets_per_ms / longest, longest, weights, times, capacity).loss_ratio


def _wait(state: Chain, capacity: int) -> Law:
    """Work ahead of an admitted packet: the rest of one packet and the packets behind it."""
    rest, rows = residual_rows(state, capacity)
    mean_ms = float(state.weights @ state.times_ms)
    # squares of deviations: the difference of two moments may round to less than nothing
    spread_ms2 = float(state.weights @ (state.times_ms - mean_ms) ** 2)
    most_ms = (
        capacity * mean_ms + DEVIATIONS * sqrt(capacity * spread_ms2) + float(state.times_ms.max())
    )
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
    """Delay: the wait of a burst's first packet, the packets of its burst before it, and itself."""
    arrival, batch = flow.traffic.arrival, batch_of(flow)
    step_ms = flow.mean_ms - (arrival.spacing_ms if isinstance(arrival, Bursts) else 0.0)
    after_ms: Floats = flow.mean_ms + np.arange(batch, dtype=np.float64) * step_ms
    points = int(after_ms[-1] / wait.step_ms) + 3
    kernel = place_one(after_ms, np.full(batch, 1 / batch), wait.step_ms, points)
    delay_mass: Floats = np.convolve(wait.mass, kernel)
    return delay_mass
