"""What waits in the queues when a run begins: an estimate, which the run forgets."""

from collections.abc import Iterator, Sequence
from math import expm1

from advisor.theory.case import Case
from advisor.theory.flows import Flow
from advisor.theory.kernel.layout import Start
from advisor.theory.offered import (
    mean_ms_of,
    passed_share,
    remembered_residual_ms,
    residual_ms,
)
from advisor.theory.turns import NOTHING, Turn

LEAST_FREE = 0.01  # numeric: share of its turn that a queue leaves
MOST_EXPONENT = 500.0  # numeric: of a distribution that its limit does not cut off


def starts_of(case: Case, turns: Sequence[Turn]) -> dict[str, Start]:
    """What waits at the start, by the name of the traffic.

    A flow of the LLQ has its part of what fills the ring. A queue in overload is about full. Beside
    it, any other queue holds what it holds at the rate of its turn, and so does one that waits for
    its own shaper. Without overload, the queues together hold the work of the link.
    """
    starts = {
        flow.traffic.name: Start(1 / passed_per_ms)
        for flow in case.llq
        if (passed_per_ms := flow.rate_per_ms * passed_share(flow)) > 0
    }
    starts.update((flow.traffic.name, start) for flow, start in _overloading(case.llq))
    is_any_full = any(turn.backlogged for turn in turns)
    wait_ms = 0.0 if is_any_full else _wait_of_all_ms(case)
    for turn in turns:
        if turn.load is None:
            starts.update(_backlogged(turn))
        if not turn.load:
            continue
        rate = sum(flow.rate_per_ms for flow in turn.flows)
        mean_ms = mean_ms_of(turn.flows)
        packets, more_packets = 0.0, _cut_off(rate * wait_ms, turn.limit_packets)
        if turn.backlogged:
            packets, more_packets = _in_overload(turn), 0.0
        elif is_any_full or turn.flows[0].queue.shaper is not None:
            more_packets = _cut_off(_at_its_turn(turn), turn.limit_packets)
        gap_ms = mean_ms / max(turn.carried, NOTHING) / turn.copies
        for flow in turn.flows:
            part = flow.rate_per_ms / rate
            starts[flow.traffic.name] = Start(
                gap_ms / part,
                int(packets * part * turn.copies),
                more_packets * part * turn.copies,
            )
    return starts


def _overloading(llq: Sequence[Flow]) -> Iterator[tuple[Flow, Start]]:
    """A full queue of an LLQ that is offered more than the wire, and not policed."""
    flows = [flow for flow in llq if flow.queue.policer is None]
    rate = sum(flow.rate_per_ms for flow in flows)
    if sum(flow.load for flow in llq) < 1:
        return
    for flow in flows:
        part = flow.rate_per_ms / rate
        yield flow, Start(1 / flow.rate_per_ms, int(flow.queue.limit_packets * part))


def _backlogged(turn: Turn) -> Iterator[tuple[str, Start]]:
    """How often packets come to a queue that never empties: as they leave it."""
    for flow in turn.flows:
        if flow.packets_per_ms is None:
            share = max(turn.copies * turn.carried_of(flow), NOTHING)
            yield flow.traffic.name, Start(flow.mean_ms / share)


def _in_overload(turn: Turn) -> float:
    """Packets in a queue whose work drifts to its limit, as a Brownian motion below it.

    Of Poisson packets alike at a load x > 1, ``x / (2 (x - 1))`` places are free.
    """
    drift = max((turn.load or 0.0) - turn.carried, NOTHING)
    relaxation_ms = 4 * sum(map(residual_ms, turn.flows)) / drift**2
    free_ms = sum(remembered_residual_ms(flow, relaxation_ms) for flow in turn.flows) / drift
    return turn.limit_packets - _cut_off(free_ms / mean_ms_of(turn.flows), turn.limit_packets)


def _cut_off(mean: float, limit: float) -> float:
    """Mean of an exponential number with this mean, of those within a limit."""
    if mean * MOST_EXPONENT < limit:
        return mean
    exponent = limit / mean
    return limit / 2 if exponent < NOTHING else mean - limit / expm1(exponent)


def _at_its_turn(turn: Turn) -> float:
    """Mean packets in a queue with the rate of its turn (Pollaczek-Khinchine)."""
    idle = turn.rate * max(1 - (turn.load or 0.0) / turn.rate, LEAST_FREE)
    relaxation_ms = sum(map(residual_ms, turn.flows)) / idle**2
    work_ms = sum(remembered_residual_ms(flow, relaxation_ms) for flow in turn.flows) / idle
    return work_ms / mean_ms_of(turn.flows)


def _wait_of_all_ms(case: Case) -> float:
    """Mean wait of the lower packets together (A. Cobham, Oper. Res. 2 (1954))."""
    llq_load = sum(flow.load * passed_share(flow) for flow in case.llq)
    lower_load = sum(flow.load for flow in case.lower)
    idle = max(1 - llq_load - lower_load, LEAST_FREE)
    relaxation_ms = sum(map(residual_ms, case.flows)) / idle**2
    work_ms = sum(remembered_residual_ms(flow, relaxation_ms) for flow in case.flows) / idle
    return work_ms / max(1 - llq_load, LEAST_FREE)
