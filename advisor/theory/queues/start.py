"""What waits in the queues when their recursion begins: an estimate that it improves."""

import numpy as np
from msgspec.structs import replace

from advisor.theory.case import Case
from advisor.theory.classes.lower_queue import lower_queue
from advisor.theory.classes.turns import Turn
from advisor.theory.flows import Floats, Flow, Ints
from advisor.theory.interface import Regime, Solution
from advisor.theory.offered import behind_own_ms, mix_of, residual_of
from advisor.theory.queues.plan import Plan, residual_with_phases_ms
from advisor.theory.queues.recursion import LLQ
from advisor.theory.ring.full_ring import passed_share
from advisor.theory.ring.sampling import uniforms

PURPOSE = 400  # number of the draws: no other recursion has it
HALF = 0.5  # numeric: part of a queue in overload that waits at least
LEAST_FREE = 1e-3  # numeric: share of its turn that a queue leaves


def waiting_of(case: Case, plan: Plan, estimate: Solution) -> Ints:
    """Packets of each queue that wait at the start, shape (rows, lanes).

    If a queue is backlogged, each queue holds what it holds at the rate of its turn. Else the
    queues together hold what random packets hold, or what the estimated delays say (J. D. C.
    Little) if those know more of the sources.
    """
    turns = [turn for turn in plan.turns if turn is not None]
    draws = uniforms(PURPOSE, 2 * len(plan.rows), plan.lanes)
    waiting = np.zeros((len(plan.rows), plan.lanes), dtype=np.int64)
    if any(turn.backlogged for turn in turns):
        for number, (turn, row) in enumerate(zip(plan.turns, plan.rows, strict=True)):
            if turn is not None and not row.is_closed:
                present = _in_turn(turn, draws[number])
                waiting[number] = np.minimum(present, row.limit_packets)
        return waiting
    rates = np.array([sum(flow.rate_per_ms for flow in row.flows) for row in plan.rows])
    rates[LLQ] = 0.0
    parts = _in_all(case, estimate, draws[0]) * (rates / rates.sum())[:, None]
    waiting += np.floor(parts + draws[len(rates) :] * (parts > 0)).astype(np.int64)
    return waiting


def _in_all(case: Case, estimate: Solution, draws: Floats) -> Floats:
    """Lower packets in queues and ring that empty now and then."""
    policed = replace(case, llq=tuple(map(_policed, case.llq)))
    if case.load >= 1:  # only the policer ends the overload: about the work of a full ring
        packet_ms = mix_of([*policed.llq, *case.lower]).mean_ms
        ring_packets = case.interface.ring.limit * packet_ms / mix_of(case.lower).mean_ms
        return np.full(len(draws), ring_packets)
    start = lower_queue(policed).start
    cumulated = np.cumsum(start.masses)
    present = start.present[np.searchsorted(cumulated, draws * cumulated[-1])].astype(float)
    if not present.any() or not _is_better_known(case, estimate):
        varying: Floats = present * _varying_part(policed)
        return varying
    delays_ms = {result.name: result.delay.mean_ms for result in estimate.classes}
    held = sum(flow.rate_per_ms * delays_ms[flow.traffic.name] for flow in case.lower)
    scaled: Floats = present * (held / present.mean())
    return scaled


def _is_better_known(case: Case, estimate: Solution) -> bool:
    """Whether the estimate knows more of the sources than that they are random."""
    regime = estimate.classes[0].regime
    is_alone = len(case.lower_queues) == 1
    return regime is Regime.PERIODIC or (regime is Regime.MODULATED and is_alone)


def _in_turn(turn: Turn, draws: Floats) -> Ints:
    """Packets that wait in a queue that has the rate of its turn.

    Overloaded x times, random arrivals leave 1/(2 (x - 1)) places free; below, the wait is about
    exponential (Pollaczek-Khinchine).
    """
    mix, limit = mix_of(turn.flows), turn.limit_packets
    if turn.backlogged:
        excess = mix.load / max(turn.carried, LEAST_FREE) - 1
        present = limit - mix.batch / (2 * max(excess, LEAST_FREE))
        return np.full(len(draws), int(max(present, HALF * limit)))
    free = max(1 - mix.load / turn.rate, LEAST_FREE)
    residual_ms = sum(map(residual_with_phases_ms, turn.flows))
    mean = residual_ms / turn.rate / free / mix.mean_ms
    return np.asarray(np.minimum(-mean * np.log1p(-draws), HALF * limit), dtype=np.int64)


def _policed(flow: Flow) -> Flow:
    """A flow at the rate that its policer passes."""
    return replace(flow, packets_per_ms=flow.rate_per_ms * passed_share(flow))


def _varying_part(case: Case) -> float:
    """Residual work of all flows over that of random packets, no more than 1 for each flow."""
    whole = [
        flow.rate_per_ms * (flow.second_ms2 / 2 + behind_own_ms(flow) * flow.mean_ms)
        for flow in case.flows
    ]
    relaxation_ms = sum(whole) / max(1 - case.load, LEAST_FREE) ** 2
    varying = [
        min(residual_of(flow, relaxation_ms), residual_with_phases_ms(flow)) for flow in case.flows
    ]
    return sum(varying) / sum(whole)
