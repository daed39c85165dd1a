"""Hard bounds where the kernel gives the delays: shapers, priority levels, policers."""

from collections.abc import Sequence
from math import ceil, inf

from msgspec.structs import replace

from advisor.theory.beyond import Beyond, parts_beyond
from advisor.theory.bounds import (
    is_worth_a_bound,
    llq_bound_ms,
    llq_work_bound_ms,
    lower_bound_ms,
    ring_work_bound_ms,
    second_level_bound_ms,
    work_bound_ms,
)
from advisor.theory.case import Case
from advisor.theory.flows import Flow, flows_of
from advisor.theory.interface import Interface, Refill, RingUnit, Shaper, TxRing
from advisor.theory.turns import Turn
from advisor.theory.wire import Framing, wire_ms
from advisor.units import ms_from_s

# Parts that change the order in which the classes below the LLQ are served.
_REORDERED = frozenset({Beyond.EXCESS, Beyond.PRECEDENCE})


def shaped_bound_ms(case: Case, flow: Flow, turns: Sequence[Turn]) -> float | None:
    """Longest delay of a packet; None where nothing bounds it, or no bound is derived.

    None for a class with its own shaper; in a bundle, for all but the first priority level.
    """
    interface, parts = case.interface, parts_beyond(case.interface)
    if flow.queue.shaper is not None:
        return None
    if Beyond.BUNDLE in parts:
        return _bundle_ms(case, flow)
    shaper = interface.shaper
    if shaper is None or shaper.rate_bps >= interface.rate_bps:
        return _unshaped_ms(interface.ring, case.flows, flow, parts, turns)
    line = line_of(interface, shaper)
    by_name = {member.traffic.name: member for member in flows_of(line)}
    on_line = [by_name[member.traffic.name] for member in case.flows]
    after_ms = _after_shaper_ms(interface, shaper, line, case.flows)
    before_ms = _unshaped_ms(line.ring, on_line, by_name[flow.traffic.name], parts, turns)
    if before_ms is None or after_ms == inf:
        return None
    return before_ms + after_ms


def _unshaped_ms(
    ring: TxRing,
    flows: Sequence[Flow],
    own: Flow,
    parts: frozenset[Beyond],
    turns: Sequence[Turn],
) -> float | None:
    conserves = all(flow.queue.shaper is None for flow in flows)
    priority = [flow for flow in flows if flow.priority]
    if own.priority:
        level = own.queue.level
        higher = [flow for flow in priority if flow.queue.level < level]
        equal = [flow for flow in priority if flow.queue.level == level]
        others = [flow for flow in flows if flow not in higher and flow not in equal]
        if higher:
            return second_level_bound_ms(ring, higher, equal, others)
        return llq_bound_ms(ring, equal, others, own, conserves=conserves)
    if not is_worth_a_bound(flows, own, turns):
        return None
    if parts & _REORDERED:
        return work_bound_ms(flows) if conserves else None
    lower = [flow for flow in flows if not flow.priority]
    return lower_bound_ms(ring, priority, lower, own, conserves=conserves)


def _bundle_ms(case: Case, own: Flow) -> float | None:
    """Longest delay of a priority packet of a bundle.

    While it waits for a place all rings are full and all members send: what the rings held and the
    LLQ since it was last empty. Then the slowest ring is before it: the far end keeps the order.
    """
    interface = case.interface
    first = min((flow.queue.level for flow in case.llq), default=None)
    if not own.priority or own.queue.level != first or Beyond.SHAPER in parts_beyond(interface):
        return None
    llq = [flow for flow in case.llq if flow.queue.level == first]
    ring_ms = ring_work_bound_ms(interface.ring, case.flows)
    slowest = interface.rate_bps / min(interface.members_bps)
    bound_ms = (len(interface.members_bps) + slowest) * ring_ms + llq_work_bound_ms(llq)
    return None if bound_ms == inf else bound_ms


def line_of(interface: Interface, shaper: Shaper) -> Interface:
    """The shaper as a wire that sends one packet at a time, in the bytes that it counts."""
    framing = shaper.framing or Framing(interface.framing.overhead_bytes)
    return replace(
        interface,
        rate_bps=shaper.rate_bps,
        framing=framing,
        ring=TxRing(1, RingUnit.PACKETS),
        fragmentation=None,
        shaper=None,
    )


def _after_shaper_ms(
    interface: Interface, shaper: Shaper, line: Interface, flows: Sequence[Flow]
) -> float:
    """Longest time from where the line has sent a packet until its last bit is on the wire.

    Tokens come up to Tc late. What the bucket lets pass at once, and a packet, stand in the ring.
    Infinite where packets can take longer on the wire than in the shaper.
    """
    ratio = max(
        _most_ms(interface, ip_bytes) / wire_ms(ip_bytes, line.framing, line.rate_bps)
        for flow in flows
        for ip_bytes, _ in flow.traffic.sizes.bytes_and_weights
    )
    if ratio >= 1:
        return inf
    longest_ms = max(flow.longest_ms for flow in flows)
    bucket_s = (shaper.committed_bits + shaper.excess_bits) / shaper.rate_bps
    burst_ms = ratio * ms_from_s(bucket_s) + 2 * longest_ms
    ring_ms = ring_work_bound_ms(interface.ring, flows) + longest_ms
    late_ms = 0.0 if shaper.refill is Refill.SMOOTH else shaper.interval_ms
    return late_ms + min(burst_ms, ring_ms)


def _most_ms(interface: Interface, ip_bytes: int) -> float:
    """Time on the wire of a packet, whole or in fragments."""
    whole_ms, cut = (
        wire_ms(ip_bytes, interface.framing, interface.rate_bps),
        interface.fragmentation,
    )
    if cut is None:
        return whole_ms
    framing = Framing(cut.overhead_bytes, interface.framing.cells)
    part_ms = wire_ms(min(ip_bytes, cut.fragment_bytes), framing, interface.rate_bps)
    return max(whole_ms, ceil(ip_bytes / cut.fragment_bytes) * part_ms)
