"""The bound of each class of an interface: the LLQ, a shaper of all traffic, the classes below."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, floor, inf

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.units import ms_from_s
from advisor.model import (
    Framing,
    Interface,
    Policer,
    Refill,
    RingUnit,
    Shaper,
    TxRing,
    wire_ms,
)
from advisor.theory.bounds import (
    MOST_ROUNDS,
    Curves,
    backlog_ms,
    bends_ms,
    bends_to,
    busy_ms,
    curves_of,
    held_ms,
    ring_work_ms,
    work_ms,
)
from advisor.theory.bounds.lower import WireOrder, lower_bound_ms, second_level_bound_ms
from advisor.theory.flows import Flow, Flows, SortedTraffic, flows_of, line_of
from advisor.theory.shape import Extremes
from advisor.theory.solution import Feature

# Longest delays of the LLQ: its first level, on one wire or on a bundle.

_ALMOST = 1e-9  # numeric: a place that falls free at a time is free then
_TIMES = 4  # numeric: a bound that follows from a longer bound is improved so often


class Ahead(Struct, frozen=True):
    """Work in a full ring: of all packets, of other classes alone, and of the LLQ alone."""

    ring_ms: float
    lower_ms: float
    llq_ms: float
    held_ms: float  # by the queues of the LLQ

    def held_at_ms(self, window_ms: float) -> float:
        """Most work before and with an LLQ packet, by what ring and queues hold.

        `window_ms` after the LLQ was last empty: what the ring held then has been sent for as long,
        and only LLQ packets have come in its place.
        """
        left_ms = max(self.ring_ms - window_ms, 0.0)
        return min(self.ring_ms, left_ms + self.llq_ms) + self.held_ms


def llq_bound_ms(ring: TxRing, llq: Flows, lower: Flows, *, conserves: bool) -> float:
    """Longest delay of an LLQ packet; infinite where nothing bounds it.

    At most a full ring and the LLQ packets since the LLQ was last empty are ahead of it. While it
    is not empty the ring is full, so its policers meter. Without a lower class the ring is
    irrelevant. The work of the whole link is a bound too, where the wire `conserves` work: it is
    never idle while packets wait.
    """
    bound_ms = backlog_ms(curves_of((*llq, *lower))) if conserves else inf
    if not lower:
        full_ms = ring_work_ms(ring, llq)
        return min(bound_ms, full_ms + held_ms(llq)) if conserves else full_ms + held_ms(llq)
    ahead = Ahead(
        ring_work_ms(ring, (*llq, *lower)),
        ring_work_ms(ring, lower),
        ring_work_ms(ring, llq),
        held_ms(llq),
    )
    bound_ms = min(bound_ms, _behind_ring_ms(ahead, curves_of(llq, metered=True)))
    return _once_in_ring_or_queue_ms(ahead, curves_of(llq), bound_ms)


def _behind_ring_ms(ahead: Ahead, llq: Curves) -> float:
    """A full ring when the LLQ was last empty, then what its curves bring or its queues hold.

    The two are falling between the bends of the curves, so a largest delay lies at a bend. Feature
    the time in which all that the ring held has been sent, the second no longer falls.
    """
    until_ms, last_ms = busy_ms(llq), 0.0
    if until_ms == inf:
        until_ms, last_ms = ahead.ring_ms, ahead.held_at_ms(ahead.ring_ms)
    if bends_to(llq, until_ms) > MOST_ROUNDS:
        return ahead.ring_ms + min(backlog_ms(llq), ahead.held_ms)
    longest_ms = max(
        min(ahead.ring_ms + work_ms(llq, at_ms) - at_ms, ahead.held_at_ms(at_ms))
        for at_ms in bends_ms(llq, until_ms)
    )
    return max(longest_ms, last_ms)


def _once_in_ring_or_queue_ms(ahead: Ahead, llq: Curves, bound_ms: float) -> float:
    """Longest delay of an LLQ packet where no LLQ packet counts in the ring and in its queue too.

    All LLQ packets before it, those in the ring when the LLQ was last empty too, came no longer
    ago than `bound_ms` before that. So they are in the arrival curve of a window longer by that,
    beside the most work of other classes in a ring. What follows is a bound again.
    """
    until_ms = busy_ms(llq)
    if inf in (bound_ms, until_ms) or bends_to(llq, until_ms + bound_ms) > MOST_ROUNDS:
        return bound_ms
    for _ in range(_TIMES):
        bends = bends_ms(llq, until_ms + bound_ms)
        events = {at_ms for at_ms in bends if at_ms <= until_ms}
        events |= {at_ms - bound_ms for at_ms in bends if at_ms >= bound_ms}
        less_ms = max(
            min(
                ahead.ring_ms + work_ms(llq, at_ms) - at_ms,
                ahead.lower_ms + work_ms(llq, at_ms + bound_ms) - at_ms,
                ahead.held_at_ms(at_ms),
            )
            for at_ms in events
        )
        if less_ms >= bound_ms:
            break
        bound_ms = less_ms
    return bound_ms


def bundle_bound_ms(interface: Interface, llq: Flows, flows: Flows) -> float:
    """Longest delay of a priority packet of a bundle; infinite where nothing bounds it.

    While it waits for a place all rings are full and all members send, so it waits no longer than
    all rings and the LLQ since that was last empty need, nor longer than places become free, one
    with each packet. Then no more than the slowest ring is before it: the far end keeps the order.
    """
    ring_ms = ring_work_ms(interface.ring, flows)
    slowness = [interface.rate_bps / member_bps for member_bps in interface.members_bps]
    rings_ms = len(slowness) * ring_ms
    curves, limits = curves_of(llq, metered=True), {flow.queue for flow in llq}
    places = RingPlaces(interface, flows)
    limit = sum(queue.limit_packets for queue in limits)
    held = min(rings_ms + held_ms(llq), places.free_ms(limit))
    until_ms, wait_ms = busy_ms(curves, rings_ms), held
    if until_ms < inf and bends_to(curves, until_ms) <= MOST_ROUNDS:
        wait_ms = max(
            min(
                held,
                rings_ms + work_ms(curves, at_ms) - at_ms,
                places.free_ms(sum(curve.most_packets(at_ms) for curve in curves)) - at_ms,
            )
            for at_ms in bends_ms(curves, until_ms)
        )
    return wait_ms + max(slowness) * ring_ms


class RingPlaces:
    """When places of the full rings of a bundle become free."""

    def __init__(self, interface: Interface, flows: Flows) -> None:
        self._counts_packets = interface.ring.unit is RingUnit.PACKETS
        longest_ms = max(ms for flow in flows for times in flow.piece_ms for ms in times)
        self._each_ms = [
            longest_ms * interface.rate_bps / member_bps for member_bps in interface.members_bps
        ]

    def free_ms(self, places: float) -> float:
        """Time in which so many become free; infinite where a packet may not free any."""
        if not self._counts_packets or places == inf:
            return inf
        rate = sum(1 / each_ms for each_ms in self._each_ms)
        return min(self._free_with(each_ms, places, rate) for each_ms in self._each_ms)

    def _free_with(self, each_ms: float, places: float, rate: float) -> float:
        """When so many are free and one of the members has just freed one."""
        count = max(ceil(places / rate / each_ms - _ALMOST), 1)
        while self._freed(count * each_ms) < places:
            count += 1
        return count * each_ms

    def _freed(self, at_ms: float) -> int:
        return sum(floor(at_ms / each_ms + _ALMOST) for each_ms in self._each_ms)


# A shaper of all traffic: the wire that it is for its queues, and what comes behind it.


class _Passing(Struct, frozen=True):
    """How long a packet takes in the shaper, and at most on the wire behind it."""

    shaper_ms: float
    wire_ms: float


def on_line(interface: Interface, line: Interface, flows: Flows) -> Flows:
    """The flows in the times of the line; scheduler and policers count bytes of the interface."""
    by_name = {member.traffic.name: member for member in flows_of(line)}
    shaped = [by_name[flow.traffic.name] for flow in flows]
    return tuple(
        replace(member, extremes=_extremes(interface, line, flow, member))
        for flow, member in zip(flows, shaped, strict=True)
    )


def _extremes(interface: Interface, line: Interface, flow: Flow, member: Flow) -> Extremes:
    """Those of the line for a byte of it, for fewer bytes of the interface in the same packet.

    The ratio is largest for the smallest packet, if the line counts more bytes of each.
    """
    ip_bytes = min(size for size, _ in flow.traffic.sizes.bytes_and_weights)
    counted = ip_bytes + line.framing.overhead_bytes
    ratio = max(counted / max(ip_bytes + interface.framing.overhead_bytes, 1), 1.0)
    found, queue = member.extremes, flow.queue
    return Extremes(
        flow.extremes.least_frame_bytes,
        flow.extremes.most_frame_bytes,
        found.ms_per_frame_byte * ratio,
        found.ms_per_policer_byte * _if_bare(queue.priority_policer, ratio),
        found.ms_per_police_byte * _if_bare(queue.class_policer, ratio),
    )


def _if_bare(policer: Policer | None, ratio: float) -> float:
    return 1.0 if policer is not None and policer.framing is not None else ratio


def after_shaper_ms(interface: Interface, shaper: Shaper, line: Interface, flows: Flows) -> float:
    """Longest time from where the line has sent a packet until its last bit is on the wire.

    Tokens come up to Tc late. What the bucket lets pass at once, and a packet, stand in the ring.
    Infinite where packets can take longer on the wire than in the shaper, and where a full ring can
    cost the shaper tokens.
    """
    sizes = {size for flow in flows for size, _ in flow.traffic.sizes.bytes_and_weights}
    passes = [
        _Passing(wire_ms(size, line.framing, line.rate_bps), _most_ms(interface, size))
        for size in sizes
    ]
    ratio = max(a_pass.wire_ms / a_pass.shaper_ms for a_pass in passes)
    if ratio >= 1 or not _keeps_its_rate(interface, shaper, flows, passes):
        return inf
    longest_ms = max(flow.longest_ms for flow in flows)
    bucket_s = (shaper.committed_bits + shaper.excess_bits) / shaper.rate_bps
    burst_ms = ratio * ms_from_s(bucket_s) + 2 * longest_ms
    ring_ms = ring_work_ms(interface.ring, flows) + longest_ms
    late_ms = 0.0 if shaper.refill is Refill.SMOOTH else shaper.interval_ms
    return late_ms + min(burst_ms, ring_ms)


def _keeps_its_rate(
    interface: Interface, shaper: Shaper, flows: Flows, passes: Sequence[_Passing]
) -> bool:
    """Whether no token is lost while packets wait, so that the shaper is no slower than its line.

    Tokens above Bc + Be are lost while a packet waits for the ring, and not while it waits for
    them. When it last waited for them, the tokens of one packet were there, with Bc too much if
    they come in steps, and the ring had room. From then on the wire is never idle, and takes from
    tokens and ring together more than comes. So the bucket overflows only if it is less than these
    tokens and what the ring held more than a full one has left, less what the wire takes until it
    is filled again, in steps a Tc at least.
    """
    bucket_ms = ms_from_s((shaper.committed_bits + shaper.excess_bits) / shaper.rate_bps)
    longest_ms = max(item.shaper_ms for item in passes)
    step_ms = 0.0 if shaper.refill is Refill.SMOOTH else shaper.interval_ms
    ring = interface.ring
    if ring.unit is RingUnit.PACKETS and interface.fragmentation is None:
        shortest_ms = min(item.shaper_ms for item in passes)
        if (bucket_ms + step_ms + longest_ms) / shortest_ms + 1 < ring.limit:
            return True  # the ring is never full
        places = ring.limit if ring.beside_wire else ring.limit - 1
        in_ring_ms = places * (longest_ms - shortest_ms)
    else:
        in_ring_ms = ring_work_ms(ring, flows) / min(
            item.wire_ms / item.shaper_ms for item in passes
        )
    faster = min(item.shaper_ms / item.wire_ms for item in passes) - 1
    for a_pass in passes:
        needed_ms = min(a_pass.shaper_ms, bucket_ms)
        until_full_ms = bucket_ms + a_pass.shaper_ms - needed_ms - step_ms
        taken_ms = faster * max(step_ms, until_full_ms)
        if needed_ms + step_ms + in_ring_ms > bucket_ms + taken_ms:
            return False
    return True


def _most_ms(interface: Interface, ip_bytes: int) -> float:
    """Time on the wire of a packet, whole or in fragments."""
    whole_ms = wire_ms(ip_bytes, interface.framing, interface.rate_bps)
    cut = interface.fragmentation
    if cut is None:
        return whole_ms
    framing = Framing(cut.overhead_bytes, interface.framing.cells)
    part_ms = wire_ms(min(ip_bytes, cut.fragment_bytes), framing, interface.rate_bps)
    return max(whole_ms, ceil(ip_bytes / cut.fragment_bytes) * part_ms)


# The bound of each class of an interface: which of the bounds hold for it.


class _Wire(Struct, frozen=True, eq=False):
    """Line that all classes of an interface wait for, and a wire `after_ms` behind a shaper."""

    line: WireOrder
    flows: Flows  # in the order of those of the case
    llq: Flows
    lower: Flows
    after_ms: float


def bound_ms(case: SortedTraffic, flow: Flow, *, fills: bool) -> float | None:
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
def _wire_of(case: SortedTraffic) -> _Wire:
    """The wire of an interface that is no bundle."""
    interface, shaper = case.interface, case.interface.shaper
    ring, flows, after_ms, is_shaped = interface.ring, case.flows, 0.0, False
    if shaper is not None and shaper.rate_bps < interface.rate_bps:
        line = line_of(interface, shaper)
        ring, flows, is_shaped = line.ring, on_line(interface, line, case.flows), True
        after_ms = after_shaper_ms(interface, shaper, line, case.flows)
    return _Wire(
        WireOrder(
            ring,
            overtakes=is_shaped,
            conserves=all(flow.queue.shaper is None for flow in flows),
            shares=Feature.EXCESS not in case.parts,
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


def _in_bundle_ms(case: SortedTraffic, own: Flow) -> float:
    first = min((flow.queue.level for flow in case.llq), default=None)
    if not own.priority or own.queue.level != first:
        return inf
    if Feature.SHAPER in case.parts:
        return inf
    llq = tuple(flow for flow in case.llq if flow.queue.level == first)
    return bundle_bound_ms(case.interface, llq, case.flows)
