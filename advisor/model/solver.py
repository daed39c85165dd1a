"""Delay, jitter, loss and throughput of every class of one output interface."""

from collections.abc import Sequence

from msgspec.structs import replace

from advisor.model import fluid_on_off, mx_g1_k, saturated_ring, work_conservation
from advisor.model.case import Case
from advisor.model.ends import between, other_ends
from advisor.model.flows import Flow, flows_of
from advisor.model.interface import (
    ClassResult,
    Interface,
    ModelError,
    OnOff,
    Periodic,
    QueueKind,
    RingUnit,
    Shaper,
    Solution,
    TxRing,
)
from advisor.model.many_runs import run_all
from advisor.model.ring_full import SAMPLES, Full, sampled
from advisor.model.ring_recursion import Places

CRITICAL_LOAD = 1 - 1e-9  # of periodic packets of one size: below it nothing accumulates
SHAPED = "shaper: the wait for the next Tc is in the upper end and the bound only"
FULL_LOAD = 0.995  # from here on the queue of a lower class never empties for long


def solve(interface: Interface, samples: int = SAMPLES) -> Solution:
    """Predict every class of an interface.

    Parameters
    ----------
    interface : Interface
        The interface and what is offered to it.
    samples : int
        Packets of the phase recursion; more of them make the average over phases finer and slower.

    Raises
    ------
    ModelError
        If a class names no queue of the interface, has no sizes or rate, if a priority class is
        on/off, or a queue that is never empty stands where nothing else can be served.
    """
    return solve_all((interface,), samples)[0]


def solve_all(interfaces: Sequence[Interface], samples: int = SAMPLES) -> tuple[Solution, ...]:
    """Predict several interfaces, each as `solve` would, in less time than one by one.

    Raises
    ------
    ModelError
        See `solve`.
    """
    shapers = [_shaper(each) for each in interfaces]
    lines = [
        each if shaper is None else _line(each, shaper)
        for each, shaper in zip(interfaces, shapers, strict=True)
    ]
    solutions = _solve_lines(lines, samples)
    return tuple(
        solution if shaper is None else _shaped(solution, shaper)
        for solution, shaper in zip(solutions, shapers, strict=True)
    )


def _shaper(interface: Interface) -> Shaper | None:
    """The shaper that is effective."""
    shaper = interface.shaper
    return shaper if shaper is not None and shaper.rate_bps < interface.rate_bps else None


def _solve_lines(
    interfaces: Sequence[Interface], samples: int, *, at_ends: bool = True
) -> list[Solution]:
    """Solutions without regard to shapers; all full rings are sampled together.

    `at_ends` where intervals reach over the other ends of what a regime leaves out.
    """
    flows = [flows_of(each) for each in interfaces]
    found: dict[int, dict[str, ClassResult]] = {}
    cases: dict[int, Case] = {}
    fulls: dict[int, Full] = {}
    for i, (interface, mine) in enumerate(zip(interfaces, flows, strict=True)):
        solved = _solve(interface, mine, samples) if mine else {}
        if not isinstance(solved, Case):
            found[i] = solved
            continue
        cases[i] = solved
        full = saturated_ring.sampling(solved, samples)
        if full is not None:
            fulls[i] = full
    runs = dict(zip(fulls, run_all([each.request for each in fulls.values()]), strict=True))
    for i, case in cases.items():
        of_llq = sampled(fulls[i], runs[i]) if i in fulls else ()
        found[i] = saturated_ring.solve(case, of_llq)
    solutions = [
        Solution(tuple(found[i][flow.traffic.name] for flow in mine))
        for i, mine in enumerate(flows)
    ]
    if not at_ends:
        return solutions
    asked = zip(interfaces, flows, solutions, strict=True)
    return [_between(each, mine, solution, samples) for each, mine, solution in asked]


def _between(
    interface: Interface, flows: Sequence[Flow], solution: Solution, samples: int
) -> Solution:
    """The solution, its intervals over the other ends of what its regime leaves out."""
    others = other_ends(interface, flows, solution)
    return between(solution, _solve_lines(others, samples, at_ends=False), flows)


def _solve(
    interface: Interface, flows: Sequence[Flow], samples: int
) -> dict[str, ClassResult] | Case:
    """Results by class name; the case itself where a lower class keeps the ring full."""
    llq = [flow for flow in flows if flow.priority]
    lower = [flow for flow in flows if not flow.priority]
    if any(flow.queue.kind is QueueKind.FIFO for flow in flows):
        return mx_g1_k.solve(interface, flows, samples)
    if any(isinstance(flow.traffic.arrival, OnOff) for flow in llq):
        raise ModelError("on/off traffic in a priority class is not modelled; give its peak as cbr")
    if any(flow.packets_per_ms is None for flow in llq):
        raise ModelError("a priority class that is never empty leaves nothing to the others")
    places = Places(interface.ring.limit, interface.ring.beside_wire, _largest_units(flows))
    if not lower:
        return mx_g1_k.alone(interface, llq, samples)
    case = Case(interface, places, tuple(llq), tuple(lower))
    if any(flow.packets_per_ms is None for flow in lower):
        return case
    one_queue = len({flow.queue.name for flow in lower}) == 1
    open_ = case.load < FULL_LOAD or (one_queue and case.llq_load < FULL_LOAD)
    if open_ and any(map(fluid_on_off.sends_trains, lower)):
        # at any load: between the trains the queue empties
        return fluid_on_off.solve(case, samples)
    steady = all(isinstance(f.traffic.arrival, Periodic) and f.fixed for f in flows)
    if case.load >= (CRITICAL_LOAD if steady else FULL_LOAD):
        return case
    return work_conservation.solve(case, samples)


def _largest_units(flows: Sequence[Flow]) -> int:
    return max(unit for flow in flows for units in flow.piece_units for unit in units)


def _line(interface: Interface, shaper: Shaper) -> Interface:
    """The interface with its shaper as the wire, one packet at a time.

    Behind a shaper below line rate the ring is nearly empty: the queue stands in the shaper.
    """
    ring = TxRing(1, RingUnit.PACKETS)
    return replace(interface, rate_bps=shaper.rate_bps, ring=ring, shaper=None)


def _shaped(inner: Solution, shaper: Shaper) -> Solution:
    """A packet may find the bucket empty and wait up to Tc for its next filling."""
    classes = []
    for result in inner.classes:
        bound_ms = None if result.bound_ms is None else result.bound_ms + shaper.interval_ms
        ipdv_ms = (
            None if result.ipdv_bound_ms is None else result.ipdv_bound_ms + shaper.interval_ms
        )
        classes.append(
            replace(
                result,
                mean_high_ms=result.mean_high_ms + shaper.interval_ms,
                bound_ms=bound_ms,
                ipdv_bound_ms=ipdv_ms,
                weak=SHAPED if result.weak is None else f"{result.weak}; {SHAPED}",
            )
        )
    return Solution(tuple(classes))
