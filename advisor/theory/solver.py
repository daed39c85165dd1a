"""Delay, jitter, loss and throughput of every class of one output interface, by the kernel."""

from collections.abc import Sequence

from advisor.theory.bounds import bound_ms
from advisor.theory.case import case_of
from advisor.theory.flows import flows_of
from advisor.theory.interface import Interface, Solution
from advisor.theory.kernel.results import measure
from advisor.theory.plan import plan_of
from advisor.theory.regimes import regime_of
from advisor.theory.results import Of, result_of
from advisor.theory.shaper import late_ms, line_of
from advisor.theory.turns import is_in_overload


def solve(interface: Interface) -> Solution:
    """Predict every class of an interface.

    Raises
    ------
    ModelError
        If a class names no queue of the interface, has no sizes or rate, or a queue that is never
        empty would leave nothing to others; if the interface is too large.
    """
    flows, line = flows_of(interface), line_of(interface)
    if not flows:
        return Solution(())
    line_flows = flows if line is interface else flows_of(line)
    case, spare_ms = case_of(line, line_flows), late_ms(interface, line)
    regime, plan = regime_of(case), plan_of(case, flows)
    rows = measure(interface, plan.flows, plan.extent, plan.targets, plan.starts)
    return Solution(
        tuple(
            result_of(
                flow,
                measured,
                Of(
                    regime,
                    interface.rate_bps,
                    _latest(bound_ms(case, line_flow, plan.turns), spare_ms),
                    is_in_overload(line_flow, plan.turns),
                ),
            )
            for flow, line_flow, measured in zip(flows, line_flows, rows, strict=True)
        )
    )


def _latest(bound: float | None, spare_ms: float) -> float | None:
    return None if bound is None else bound + spare_ms


def solve_all(interfaces: Sequence[Interface]) -> tuple[Solution, ...]:
    """Predict several interfaces.

    Raises
    ------
    ModelError
        See `solve`.
    """
    return tuple(map(solve, interfaces))
