"""Classes that the formulas of a regime only estimate: from the recursion of all queues."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from advisor.theory.bounds import llq_bound_ms, lower_bound_ms
from advisor.theory.case import Case
from advisor.theory.flows import Floats, Flow, conversations_of
from advisor.theory.half_widths import ALL_QUEUES, LONG_MEMORY
from advisor.theory.interface import Bursts, ClassResult, Periodic, Regime, Solution, Weakness
from advisor.theory.offered import batch_of
from advisor.theory.queues.packets import Packets, packets_of
from advisor.theory.queues.plan import plan_of
from advisor.theory.queues.recursion import QueuesRun, run_queues
from advisor.theory.queues.start import waiting_of
from advisor.theory.results import of_sample
from advisor.theory.results import result as class_result
from advisor.theory.ring.full_ring import Sample
from advisor.theory.ring.ring_recursion import Bools

BURN = 0.4  # numeric: part of the run that is not measured
FEWEST = 100  # numeric: packets that show a delay
# Weaknesses of formulas that the recursion of all queues does not have.
ESTIMATES = frozenset(
    {
        Weakness.POLICED,
        Weakness.SHED,
        Weakness.FEW,
        Weakness.FLUID,
        Weakness.CUT,
        Weakness.ORDERED,
        Weakness.LARGE,
        Weakness.DIVIDED,
        Weakness.WITHIN,
        Weakness.JUST_OVER,
    }
)
# An LLQ with nearly the whole wire: clumps of its packets last longer than the run of a full ring.
HEAVY_LLQ = 0.88
MANY_PLACES = 0.1  # of a queue: a burst that leaves so many free is not a full queue


class _Measured(Struct, frozen=True, eq=False):
    """What was sent in the window of all lanes that is measured; arrays (steps, lanes)."""

    packets: Packets
    run: QueuesRun
    begin_ms: float
    end_ms: float
    delay_ms: Floats
    is_measured: Bools


def improved(case: Case, solution: Solution) -> Solution | None:
    """The solution with the recursion's results where formulas only estimate a class.

    None if no class is estimated, or if the recursion does not hold the queues. Classes that never
    empty keep their result, and so do classes with too few packets that pass.
    """
    if not is_estimated(case, solution):
        return None
    plan = plan_of(case, solution)
    if plan is None:
        return None
    packets = packets_of(plan.rows, waiting_of(case, plan, solution), plan.horizon_ms, plan.steps)
    run = run_queues(plan.rows, packets, case.places, plan.steps)
    measured = _measured(packets, run, plan.horizon_ms)
    wider = LONG_MEMORY if plan.memory_packets > plan.steps else 0.0
    by_name = {flow.traffic.name: flow for flow in case.flows}
    return Solution(
        tuple(
            _result(case, by_name[estimate.name], measured, estimate.regime, wider) or estimate
            for estimate in solution.classes
        )
    )


def leaves_out(result: ClassResult) -> bool:
    """Whether a result of formulas leaves out what the recursion has in it."""
    return bool(ESTIMATES.intersection(result.weak))


def is_estimated(case: Case, solution: Solution) -> bool:
    """Whether formulas only estimate a class of the interface."""
    if case.is_fifo or not case.lower or case.llq_fills_wire:
        return False
    if any(map(leaves_out, solution.classes)):
        return True
    if any(map(_sends_spaced, case.flows)) or case.llq_load > HEAVY_LLQ:
        return True
    if any(estimate.regime is Regime.RING_FULL for estimate in solution.classes):
        return _varies_in_full_ring(case)
    return _is_mixed_below_saturation(case)


def _is_mixed_below_saturation(case: Case) -> bool:
    """Whether lower packets are not served as one queue, or cut in more than one way."""
    is_cut_mix = any(flow.cut and (not flow.fixed or len(case.lower) > 1) for flow in case.lower)
    is_fair = any(map(_tells_conversations_apart, case.lower))
    return len(case.lower_queues) > 1 or is_cut_mix or is_fair


def _varies_in_full_ring(case: Case) -> bool:
    """Whether a queue that is offered too much is not always full, or its turns vary."""
    if case.is_never_empty:
        return False
    has_trains_beside = len(case.lower_queues) > 1 and case.has_trains
    return has_trains_beside or any(map(_leaves_places, case.lower))


def _sends_spaced(flow: Flow) -> bool:
    """Whether packets of a burst come at about the pace of the wire."""
    arrival = flow.traffic.arrival
    return (
        isinstance(arrival, Bursts)
        and arrival.packets_per_burst > 1
        and 2 * arrival.spacing_ms > flow.mean_ms
    )


def _tells_conversations_apart(flow: Flow) -> bool:
    """Whether conversations of fair-queue send packets of several sizes."""
    is_fair = flow.queue.flow_limit_packets is not None
    return is_fair and conversations_of(flow) > 1 and not flow.fixed


def _leaves_places(flow: Flow) -> bool:
    """Whether packets leave many places free in a queue that is offered too much."""
    arrival = flow.traffic.arrival
    is_uneven = isinstance(arrival, Bursts) or (isinstance(arrival, Periodic) and not flow.fixed)
    return is_uneven and batch_of(flow) > MANY_PLACES * flow.queue.limit_packets


def _measured(packets: Packets, run: QueuesRun, horizon_ms: float) -> _Measured:
    """The time that all lanes have seen, without its begin."""
    end_ms = min(float(run.end_ms[-1].min()), horizon_ms)
    begin_ms = BURN * end_ms
    is_measured = (run.end_ms > begin_ms) & (run.end_ms <= end_ms)
    if run.is_last is not None:
        is_measured &= run.is_last
    delay_ms = run.end_ms - packets.due_ms.take(run.index, mode="clip")
    return _Measured(packets, run, begin_ms, end_ms, delay_ms, is_measured)


def _result(
    case: Case, flow: Flow, measured: _Measured, regime: Regime, wider: float
) -> ClassResult | None:
    """Result of a class; None if too few of its packets pass."""
    packets, run = measured.packets, measured.run
    numbers = [
        number
        for number, member in enumerate(packets.flows)
        if member.traffic.name == flow.traffic.name
    ]
    is_own = np.isin(packets.kinds.flow, numbers)  # per kind
    mask = measured.is_measured & is_own[packets.kind.take(run.index, mode="clip")]
    if flow.packets_per_ms is None or mask.sum() < FEWEST:
        return None
    delay = of_sample(_sample(measured.delay_ms, mask, flow.traffic.streams))
    middle_ms = (measured.begin_ms + measured.end_ms) / 2
    bound = llq_bound_ms if flow.priority else lower_bound_ms
    return class_result(
        flow,
        delay,
        regime,
        case.interface.rate_bps,
        bound_ms=bound(case.interface.ring, case.llq, case.lower, flow),
        loss_ratio=_loss_ratio(measured, is_own),
        wider=_sampling_error(measured.delay_ms, mask) + (0.0 if flow.priority else wider),
        also_ms=_halves_ms(measured, mask, middle_ms),
        half_width=ALL_QUEUES,
    )


def _sample(delay_ms: Floats, mask: Bools, streams: int) -> Sample:
    """Delays of a class; streams are taken to send in turns."""
    values_ms, lane = delay_ms.T[mask.T], np.repeat(np.arange(mask.shape[1]), mask.sum(axis=0))
    is_same = lane[streams:] == lane[:-streams]
    return Sample(values_ms, np.abs(values_ms[streams:] - values_ms[:-streams])[is_same])


def _sampling_error(delay_ms: Floats, mask: Bools) -> float:
    """Two standard errors of the mean, relative: lanes are independent of each other."""
    counts, sums = mask.sum(axis=0), (delay_ms * mask).sum(axis=0)
    mean_ms = sums.sum() / counts.sum()
    deviation = np.sqrt(((sums - mean_ms * counts) ** 2).sum())
    return float(2 * deviation / counts.sum() / mean_ms)


def _halves_ms(measured: _Measured, mask: Bools, middle_ms: float) -> Sequence[float]:
    """Where the mean moves from the first to the second half of the window, and as far again.

    It moves as long as the start has an effect.
    """
    is_early = measured.run.end_ms <= middle_ms
    halves = (measured.delay_ms[mask & is_early], measured.delay_ms[mask & ~is_early])
    if not all(map(len, halves)):
        return []
    first_ms, second_ms = (float(half.mean()) for half in halves)
    return [second_ms, max(2 * second_ms - first_ms, 0.0)]


def _loss_ratio(measured: _Measured, is_own: Bools) -> float:
    """Part of the packets that arrived in the window, as far as decided, that were dropped."""
    packets, run = measured.packets, measured.run
    enters = np.zeros(len(packets.due_ms), dtype=bool)
    enters[run.index.ravel().clip(max=len(enters) - 1)] = True
    arrived = (packets.due_ms > measured.begin_ms) & (packets.due_ms <= measured.end_ms)
    flat = np.flatnonzero(arrived & is_own[packets.kind])
    rows = np.searchsorted(packets.begins, flat, side="right") - 1
    flat = flat[flat < run.next_index[rows, flat % packets.lanes]]
    return float(1 - enters[flat].mean()) if len(flat) else 0.0
