"""Delay, jitter, loss and throughput of every class of one output interface, by the kernel."""

from collections.abc import Sequence

from advisor.theory.beyond import parts_beyond
from advisor.theory.bounds import bound_ms
from advisor.theory.case import Case, case_of
from advisor.theory.flows import Flow, flows_of
from advisor.theory.interface import Interface, Solution
from advisor.theory.kernel.results import measure
from advisor.theory.plan import plan_of
from advisor.theory.regimes import regime_of
from advisor.theory.results import Of, result_of
from advisor.theory.shaped_bounds import line_of, shaped_bound_ms
from advisor.theory.turns import Turn, is_in_overload


def solve(interface: Interface) -> Solution:
    """Predict every class of an interface.

    Raises
    ------
    ModelError
        If a class names no queue of the interface, has no sizes or rate, if a priority class is
        never empty, or if the interface is too large.
    """
    flows = flows_of(interface)
    if not flows:
        return Solution(())
    case = case_of(interface, flows)
    regime, plan = regime_of(case), plan_of(_slowest(case), flows)
    rows = measure(interface, plan.flows, plan.extent, plan.targets, plan.starts)
    return Solution(
        tuple(
            result_of(
                flow,
                measured,
                Of(
                    regime,
                    interface.rate_bps,
                    _bound_ms(case, flow, plan.turns),
                    is_in_overload(flow, plan.turns),
                    case.llq_fills_wire and not flow.priority,
                ),
            )
            for flow, measured in zip(flows, rows, strict=True)
        )
    )


def solve_all(interfaces: Sequence[Interface]) -> tuple[Solution, ...]:
    """Predict several interfaces.

    Raises
    ------
    ModelError
        See `solve`.
    """
    return tuple(map(solve, interfaces))


def _slowest(case: Case) -> Case:
    """The case with a shaper of all traffic as its wire, where that is slower."""
    interface, shaper = case.interface, case.interface.shaper
    if shaper is None or shaper.rate_bps >= interface.rate_bps:
        return case
    line = line_of(interface, shaper)
    return case_of(line, flows_of(line))


def _bound_ms(case: Case, flow: Flow, turns: Sequence[Turn]) -> float | None:
    if parts_beyond(case.interface):
        return shaped_bound_ms(case, flow, turns)
    return bound_ms(case, flow, turns)
