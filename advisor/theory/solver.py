"""Delay, jitter, loss and throughput of every class of one output interface, by the kernel."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.beyond import DEEPEST
from advisor.theory.bounds.classes import bound_ms
from advisor.theory.bounds.shaper import line_of
from advisor.theory.case import Case, case_of
from advisor.theory.flows import Flow, Flows, flows_of
from advisor.theory.interface import Interface, Regime, Solution
from advisor.theory.kernel.results import measure
from advisor.theory.kernel.threads import together
from advisor.theory.plan import Plan, plan_of
from advisor.theory.regimes import regime_of
from advisor.theory.results import Of, result_of
from advisor.theory.turns import Turn, share_in_overload


class _Prepared(Struct, frozen=True, eq=False):
    """What is known of an interface before its ring and its run.

    `line` has a shaper of all traffic as its wire, where that is slower. `shares` are the parts of
    that wire of the flows in overload.
    """

    flows: Flows
    case: Case
    line: Case
    regime: Regime
    plan: Plan
    shares: tuple[float | None, ...]


def solve(interface: Interface) -> Solution:
    """Predict every class of an interface.

    Raises
    ------
    ModelError
        If a class names no queue of the interface, has no sizes or rate, if a priority class is
        never empty, or if the interface is too large.
    """
    if not interface.traffic:
        return Solution(())
    prepared = _prepared(_of_any_ring(interface))
    flows, plan = prepared.flows, prepared.plan
    case = replace(prepared.case, interface=interface)
    is_own_wire = prepared.line is prepared.case
    ring = interface.ring if is_own_wire else prepared.line.interface.ring
    extent = plan.length.extent(ring.limit)
    rows = measure(interface, plan.flows, extent, plan.targets, plan.starts)
    dropped = {
        flow.traffic.name
        for flow, measured in zip(flows, rows, strict=True)
        if measured.tail_dropped
    }
    return Solution(
        tuple(
            result_of(
                flow,
                measured,
                Of(
                    prepared.regime,
                    interface.rate_bps,
                    bound_ms(case, flow, fills=_fills(flow, flows, dropped, plan.turns)),
                    share is not None,
                    share if is_own_wire else None,  # else it is a part of another wire
                    case.llq_fills_wire and not flow.priority,
                    sampled.load,
                ),
            )
            for flow, sampled, measured, share in zip(
                flows, plan.flows, rows, prepared.shares, strict=True
            )
        )
    )


def _of_any_ring(interface: Interface) -> Interface:
    """The interface with a ring that stands for all rings of its kind, or all deep ones."""
    ring = interface.ring
    return replace(interface, ring=replace(ring, limit=DEEPEST + (ring.limit > DEEPEST)))


@lru_cache(maxsize=32)
def _prepared(interface: Interface) -> _Prepared:
    """An interface of any ring, prepared."""
    flows = flows_of(interface)
    case = case_of(interface, flows)
    line = _slowest(case)
    plan = plan_of(line, flows, interface.shaper)
    shares = tuple(share_in_overload(flow, plan.turns) for flow in flows)
    return _Prepared(flows, case, line, regime_of(case), plan, shares)


def _fills(
    flow: Flow, flows: Sequence[Flow], dropped: Collection[str], turns: Sequence[Turn]
) -> bool:
    """Whether the queue of a flow is seen full: its mean load is too much, or packets are dropped.

    Conversations of a fair-queue have limits of their own.
    """
    beside = {each.traffic.name for each in flows if each.queue.name == flow.queue.name}
    if flow.queue.flow_limit_packets is not None:
        beside = {flow.traffic.name}
    return share_in_overload(flow, turns) is not None or not beside.isdisjoint(dropped)


def solve_all(interfaces: Sequence[Interface]) -> tuple[Solution, ...]:
    """Predict several interfaces, on all cores.

    Raises
    ------
    ModelError
        See `solve`; that of the first one that has it.
    """
    return together(solve, interfaces)


def _slowest(case: Case) -> Case:
    """The case with a shaper of all traffic as its wire, where that is slower."""
    interface, shaper = case.interface, case.interface.shaper
    if shaper is None or shaper.rate_bps >= interface.rate_bps:
        return case
    line = line_of(interface, shaper)
    return case_of(line, flows_of(line))
