"""The bound of each class of an interface: which of the bounds hold for it."""

from functools import lru_cache
from math import inf

from msgspec import Struct

from advisor.theory.beyond import Beyond
from advisor.theory.bounds.llq import bundle_bound_ms, llq_bound_ms
from advisor.theory.bounds.lower import Line, lower_bound_ms, second_level_bound_ms
from advisor.theory.bounds.shaper import after_shaper_ms, line_of, on_line
from advisor.theory.case import Case
from advisor.theory.flows import Flow, Flows


class _Wire(Struct, frozen=True, eq=False):
    """What all classes of an interface wait for: a line, and a wire `after_ms` behind a shaper."""

    line: Line
    flows: Flows  # in the order of those of the case
    llq: Flows
    lower: Flows
    after_ms: float


def bound_ms(case: Case, flow: Flow, *, fills: bool) -> float | None:
    """Longest delay of a class; None where nothing bounds it, or no bound is derived.

    None for a class with its own shaper; in a bundle, for all but the first priority level. Nor is
    there one for a class outside the LLQ that nothing but its queue-limit bounds, and that never
    `fills` its queue: it would be some ten times the longest delay that is ever seen.
    """
    if flow.queue.shaper is not None:
        return None
    if case.interface.members_bps:
        longest_ms = _in_bundle_ms(case, flow)
    else:
        wire = _wire_of(case)
        own = wire.flows[case.flows.index(flow)]
        longest_ms = _on_wire_ms(wire, own, fills=fills) + wire.after_ms
    return None if longest_ms == inf else longest_ms


@lru_cache(maxsize=8)
def _wire_of(case: Case) -> _Wire:
    """The wire of an interface that is no bundle."""
    interface, shaper = case.interface, case.interface.shaper
    ring, flows, after_ms, is_shaped = interface.ring, case.flows, 0.0, False
    if shaper is not None and shaper.rate_bps < interface.rate_bps:
        line = line_of(interface, shaper)
        ring, flows, is_shaped = line.ring, on_line(interface, line, case.flows), True
        after_ms = after_shaper_ms(interface, shaper, line, case.flows)
    return _Wire(
        Line(
            ring,
            overtakes=is_shaped,
            conserves=all(flow.queue.shaper is None for flow in flows),
            shares=Beyond.EXCESS not in case.parts,
        ),
        flows,
        tuple(flow for flow in flows if flow.priority),
        tuple(flow for flow in flows if not flow.priority),
        after_ms,
    )


def _on_wire_ms(wire: _Wire, own: Flow, *, fills: bool) -> float:
    line, llq = wire.line, wire.llq
    if not own.priority:
        return lower_bound_ms(line, llq, wire.lower, own, fills=fills)
    level = own.queue.level
    higher = tuple(flow for flow in llq if flow.queue.level < level)
    equal = tuple(flow for flow in llq if flow.queue.level == level)
    others = tuple(flow for flow in wire.flows if flow not in higher and flow not in equal)
    if higher:
        return second_level_bound_ms(line, higher, equal, others, own)
    return llq_bound_ms(line.ring, equal, others, conserves=line.conserves)


def _in_bundle_ms(case: Case, own: Flow) -> float:
    first = min((flow.queue.level for flow in case.llq), default=None)
    if not own.priority or own.queue.level != first:
        return inf
    if Beyond.SHAPER in case.parts:
        return inf
    llq = tuple(flow for flow in case.llq if flow.queue.level == first)
    return bundle_bound_ms(case.interface, llq, case.flows)
