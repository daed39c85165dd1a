"""Delay, jitter, loss and throughput of every class of one output interface.

The regime is found first (`regimes.regime_of`); the solver that its row names answers.
"""

from collections.abc import Callable, Sequence

from advisor.theory import packet_run
from advisor.theory.beyond import parts_beyond
from advisor.theory.case import Case, case_of
from advisor.theory.classes import (
    fluid_on_off,
    full_queue,
    mx_g1_k,
    nd_d_1,
    saturated_ring,
    work_conservation,
)
from advisor.theory.ends import between, other_ends
from advisor.theory.flows import Flow, flows_of
from advisor.theory.interface import ClassResult, Interface, Regime, Solution
from advisor.theory.queues.all_queues import improved, leaves_out
from advisor.theory.regimes import REGIMES, regime_of
from advisor.theory.ring.full_ring import SAMPLES, Full, sampled
from advisor.theory.ring.many_runs import run_all

# Numeric: packets of full rings that are sampled together, some 500 MB.
MOST_HELD = 4_000_000
Solver = Callable[[Case, Regime, int], dict[str, ClassResult]]
SOLVERS: dict[str, Solver] = {
    module.__name__.rpartition(".")[2]: module.solve
    for module in (
        fluid_on_off,
        full_queue,
        mx_g1_k,
        nd_d_1,
        packet_run,
        saturated_ring,
        work_conservation,
    )
}


def solve(interface: Interface, samples: int = SAMPLES) -> Solution:
    """Predict every class of an interface.

    Parameters
    ----------
    interface : Interface
        The interface and its traffic.
    samples : int
        Packets of the phase recursion; more of them make the average over phases finer and slower.

    Raises
    ------
    ModelError
        If a class names no queue of the interface, has no sizes or rate, if a priority class is
        on/off, or a queue that is never empty would leave nothing to others.
    """
    return solve_all((interface,), samples)[0]


def estimate(interface: Interface, samples: int = SAMPLES) -> Solution:
    """Predict every class by the formulas of its regime alone, as `solve` does where they are good.

    Intervals include the other ends of what the regime leaves out.

    Raises
    ------
    ModelError
        See `solve`.
    """
    flows = flows_of(interface)
    (solution,) = _solved([interface], [flows], samples)
    return _with_ends(interface, flows, solution, samples)


def solve_all(interfaces: Sequence[Interface], samples: int = SAMPLES) -> tuple[Solution, ...]:
    """Predict several interfaces with the results of `solve`, in less time than one by one.

    Raises
    ------
    ModelError
        See `solve`.
    """
    flows = [flows_of(interface) for interface in interfaces]
    solutions = _solved(interfaces, flows, samples)
    return tuple(
        _completed(interface, own_flows, solution, samples)
        for interface, own_flows, solution in zip(interfaces, flows, solutions, strict=True)
    )


def _completed(
    interface: Interface, flows: Sequence[Flow], solution: Solution, samples: int
) -> Solution:
    """The solution by the recursion of all queues where formulas only estimate it."""
    if parts_beyond(interface):
        return solution
    better = improved(case_of(interface, flows), solution) if flows else None
    if better is not None and not any(map(leaves_out, better.classes)):
        return better
    ended = _with_ends(interface, flows, solution, samples)
    if better is None:
        return ended
    # packets of some classes are too rare for the recursion
    pairs = zip(better.classes, ended.classes, strict=True)
    return Solution(tuple(wide if leaves_out(result) else result for result, wide in pairs))


def _with_ends(
    interface: Interface, flows: Sequence[Flow], solution: Solution, samples: int
) -> Solution:
    """The solution, with intervals that include the other ends of its regime."""
    ends = other_ends(interface, flows, solution)
    return between(solution, _solved(ends, [flows_of(end) for end in ends], samples), flows)


def _solved(
    interfaces: Sequence[Interface], flows: Sequence[Sequence[Flow]], samples: int
) -> list[Solution]:
    """Solutions of interfaces; the LLQs of all full rings are sampled together."""
    cases = [
        case_of(interface, own_flows) if own_flows else None
        for interface, own_flows in zip(interfaces, flows, strict=True)
    ]
    regimes = [None if case is None else regime_of(case) for case in cases]
    fulls: dict[int, Full] = {}
    results: dict[int, dict[str, ClassResult]] = {}
    step_count = 0
    for index, (case, regime) in enumerate(zip(cases, regimes, strict=True)):
        if case is None or regime is None:
            results[index] = {}
            continue
        full = saturated_ring.sampling(case, samples) if regime is Regime.RING_FULL else None
        if full is None:
            results[index] = SOLVERS[REGIMES[regime].solver](case, regime, samples)
            continue
        fulls[index] = full
        step_count += full.request.steps * full.request.lanes
        if step_count > MOST_HELD:
            results |= _sampled_together(cases, fulls)
            fulls, step_count = {}, 0
    results |= _sampled_together(cases, fulls)
    return [
        Solution(tuple(results[index][flow.traffic.name] for flow in line_flows))
        for index, line_flows in enumerate(flows)
    ]


def _sampled_together(
    cases: Sequence[Case | None], fulls: dict[int, Full]
) -> dict[int, dict[str, ClassResult]]:
    """Results of cases whose ring is always full, by their place in `cases`."""
    runs = run_all([full.request for full in fulls.values()])
    return {
        index: saturated_ring.solve_sampled(case, Regime.RING_FULL, sampled(full, run))
        for (index, full), run in zip(fulls.items(), runs, strict=True)
        if (case := cases[index]) is not None
    }
