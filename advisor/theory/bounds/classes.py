"""The bound of each class of an interface: which of the bounds hold for it."""

from collections.abc import Sequence
from math import inf

from advisor.theory.beyond import Beyond, parts_beyond
from advisor.theory.bounds.llq import bundle_bound_ms, llq_bound_ms
from advisor.theory.bounds.lower import Line, lower_bound_ms, second_level_bound_ms
from advisor.theory.bounds.shaper import after_shaper_ms, line_of, on_line
from advisor.theory.case import Case
from advisor.theory.flows import Flow


def bound_ms(case: Case, flow: Flow, *, fills: bool) -> float | None:
    """Longest delay of a class; None where nothing bounds it, or no bound is derived.

    None for a class with its own shaper; in a bundle, for all but the first priority level. Nor is
    there one for a class outside the LLQ that nothing but its queue-limit bounds, and that never
    `fills` its queue: it would be some ten times the longest delay that is ever seen.
    """
    interface, shaper = case.interface, case.interface.shaper
    if flow.queue.shaper is not None:
        return None
    longest_ms = 0.0
    if interface.members_bps:
        longest_ms = _in_bundle_ms(case, flow)
    elif shaper is None or shaper.rate_bps >= interface.rate_bps:
        longest_ms = _on_wire_ms(case, case.flows, flow, fills=fills)
    else:
        line = line_of(interface, shaper)
        flows = on_line(interface, line, case.flows)
        own = flows[case.flows.index(flow)]
        longest_ms = _on_wire_ms(case, flows, own, fills=fills, shaped=True)
        longest_ms += after_shaper_ms(interface, shaper, line, case.flows)
    return None if longest_ms == inf else longest_ms


def _on_wire_ms(
    case: Case, flows: Sequence[Flow], own: Flow, *, fills: bool, shaped: bool = False
) -> float:
    interface = case.interface
    line = Line(
        line_of(interface, interface.shaper).ring
        if shaped and interface.shaper
        else interface.ring,
        overtakes=shaped,
        conserves=all(flow.queue.shaper is None for flow in flows),
        shares=Beyond.EXCESS not in parts_beyond(interface),
    )
    llq = [flow for flow in flows if flow.priority]
    if own.priority:
        level = own.queue.level
        higher = [flow for flow in llq if flow.queue.level < level]
        equal = [flow for flow in llq if flow.queue.level == level]
        others = [flow for flow in flows if flow not in higher and flow not in equal]
        if higher:
            return second_level_bound_ms(line, higher, equal, others, own)
        return llq_bound_ms(line.ring, equal, others, conserves=line.conserves)
    lower = [flow for flow in flows if not flow.priority]
    return lower_bound_ms(line, llq, lower, own, fills=fills)


def _in_bundle_ms(case: Case, own: Flow) -> float:
    first = min((flow.queue.level for flow in case.llq), default=None)
    if not own.priority or own.queue.level != first:
        return inf
    if Beyond.SHAPER in parts_beyond(case.interface):
        return inf
    llq = [flow for flow in case.llq if flow.queue.level == first]
    return bundle_bound_ms(case.interface, llq, case.flows)
