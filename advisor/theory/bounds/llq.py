"""Longest delays of the LLQ: its first level, on one wire or on a bundle."""

from math import ceil, floor, inf

from msgspec import Struct

from advisor.theory.bounds.content import held_ms, ring_work_ms
from advisor.theory.bounds.curves import (
    MOST_ROUNDS,
    Curves,
    backlog_ms,
    bends_ms,
    bends_to,
    busy_ms,
    curves_of,
    work_ms,
)
from advisor.theory.flows import Flows
from advisor.theory.interface import Interface, RingUnit, TxRing

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

    The two are falling between the bends of the curves, so a largest delay lies at a bend. Beyond
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
    places = Places(interface, flows)
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


class Places:
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
