"""Longest delays of packets for which others go first: below the first level of the LLQ."""

from functools import lru_cache
from math import inf
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.bounds.content import (
    closed_packets,
    held_ms,
    least_work_ms,
    rest_of_cut_ms,
    ring_work_ms,
)
from advisor.theory.bounds.curves import (
    Curve,
    Curves,
    bends_ms,
    bends_to,
    busy_ms,
    curve_of,
    curves_of,
    fit_wire,
    queues_of,
)
from advisor.theory.bounds.wait import Own, Rival, Wait
from advisor.theory.flows import Flow, Flows, conversations_of
from advisor.theory.interface import TxRing
from advisor.theory.kernel.layout import conversation_weight

# By how much the packets of a queue that meet may lengthen the wait of one that meets none.
MOST_TOGETHER = 2.0
_MOST_MS = 1e9  # numeric: a queue that is not empty for longer may never be
_MOST_BENDS, _MOST_TURNS = 200, 100  # numeric: beyond them another bound has to do


class Line(Struct, frozen=True):
    """A wire and what is known of its order.

    `overtakes`: while a packet is sent, one of a higher level may still go first, and is not
    metered; so it is where tokens of a shaper are waited for. `conserves`: the wire is never idle
    while packets wait. `shares`: classes are sent by their weights, and by nothing else.
    """

    ring: TxRing
    overtakes: bool
    conserves: bool
    shares: bool

    def tail_ms(self, flows: Flows, own: Flow) -> float:
        """Time before its delivery from which on nothing can pass a packet: it is in the ring."""
        if self.overtakes:
            return 0.0
        own_ms = 0.0 if own.cut else own.longest_ms
        return own_ms + least_work_ms(self.ring, flows)


class Queued(Struct, frozen=True):
    """Where a packet stands: the curve of its queue or conversation, and the most that it holds."""

    curve: Curve
    held: Own
    mates: tuple[Rival, ...] = ()

    @classmethod
    def of(cls, beside: Flows, own: Flow) -> Self:
        """A packet of `own`; the flows `beside` share its queue."""
        limit, flow_limit = own.queue.limit_packets, own.queue.flow_limit_packets
        if flow_limit is None:
            packets = max(limit, closed_packets(beside))
            longest_ms = max(flow.longest_ms for flow in beside)
            most_bytes = max(flow.extremes.most_frame_bytes for flow in beside)
            held = Own((packets - 1) * longest_ms + own.longest_ms, packets * most_bytes)
            return cls(curve_of(beside), held)
        packets = max(min(flow_limit, limit), closed_packets((own,)))
        held = Own(packets * own.longest_ms, packets * own.extremes.most_frame_bytes)
        mates = []
        for flow in beside:
            others = conversations_of(flow) - (flow is own)
            if others:
                waiting = max(min(others * flow_limit, limit), closed_packets((flow,)))
                ratio = conversation_weight(flow) / conversation_weight(own)
                curve = curve_of((_others(flow) if flow is own else flow,))
                mates.append(Rival(curve, ratio, waiting * flow.longest_ms, others))
        return cls(curve_of((_conversation(own),)), held, tuple(mates))


@lru_cache(maxsize=64)
def _queued(lower: Flows, own: Flow) -> Queued:
    return Queued.of(next(each for each in queues_of(lower) if own in each), own)


def _conversation(flow: Flow) -> Flow:
    """What one conversation is offered at most: all of its stream."""
    return _of_streams(flow, 1)


def _others(flow: Flow) -> Flow:
    """What the conversations beside one of them are offered at most."""
    streams = flow.traffic.streams
    return flow if flow.traffic.conversations > 1 else _of_streams(flow, streams - 1)


def _of_streams(flow: Flow, streams: int) -> Flow:
    return replace(flow, traffic=replace(flow.traffic, streams=streams))


def second_level_bound_ms(
    line: Line, higher: Flows, level: Flows, others: Flows, own: Flow
) -> float:
    """Longest delay of a packet of a priority level below another; infinite without a bound.

    It waits for the ring, for its own level, and for all packets of the higher level since that was
    last empty. Its level waits since it was last empty itself: what came since then, metered by its
    policers, or what its queues hold.
    """
    flows = (*higher, *level, *others)
    wait = Wait(
        ring_work_ms(line.ring, flows),
        curves_of(higher, metered=not line.overtakes),
        line.tail_ms(flows, own),
    )
    curves = curves_of(level, metered=True)
    return min(wait.sent_ms(Own(held_ms(level), 0.0)), _since_own_ms(wait, curves))


def lower_bound_ms(line: Line, llq: Flows, lower: Flows, own: Flow, *, fills: bool) -> float:
    """Longest delay of a packet of a class below the LLQ; infinite where there is none.

    It waits for the ring, for what its own queue holds or has got since it was last empty, for
    what the tags of the scheduler let the other queues send meanwhile, and for all LLQ packets that
    may pass it. Where the wire conserves work, the work of the whole link is a bound too.

    Where the queue does not fill, a bound that is mostly its own packets, all at once, is none: it
    would be several times the longest delay that is ever seen.
    """
    flows = (*llq, *lower)
    queued = _queued(lower, own)
    rivals = _rivals(lower, own)
    tail_ms = line.tail_ms(flows, own)
    if not line.shares:
        queued = replace(queued, mates=tuple(replace(each, ratio=inf) for each in queued.mates))
        rivals = tuple(replace(each, ratio=inf) for each in rivals)
    bound_ms = inf
    if line.shares:
        ahead_ms = ring_work_ms(line.ring, flows) + rest_of_cut_ms(lower)
        metered = curves_of(llq, metered=not line.overtakes)
        wait = Wait(ahead_ms, metered, tail_ms, queued.mates, rivals)
        since_own_ms = _since_own_ms(wait, (queued.curve,))
        alone = Own(own.longest_ms, own.extremes.most_frame_bytes)
        if fills or since_own_ms <= MOST_TOGETHER * wait.sent_ms(alone):
            bound_ms = min(since_own_ms, wait.sent_ms(queued.held))
    if line.conserves:
        wait = Wait(0.0, curves_of(llq), tail_ms, queued.mates, rivals)
        bound_ms = min(bound_ms, _since_empty_ms(wait, queued.curve, curves_of(flows)))
    return bound_ms


@lru_cache(maxsize=64)
def _rivals(lower: Flows, own: Flow) -> tuple[Rival, ...]:
    """The other queues that share the wire with that of a packet."""
    return tuple(
        Rival(
            curve_of(flows),
            flows[0].queue.share_percent / own.queue.share_percent,
            _most_waiting_ms(flows),
            conversations=flows[0].queue.flow_limit_packets is not None,
            lead_bytes=_lead_bytes(lower, own, flows[0].queue.name),
        )
        for flows in queues_of(lower)
        if flows[0].queue.name != own.queue.name
    )


def _lead_bytes(lower: Flows, own: Flow, rival: str) -> float:
    """Most that the virtual time falls, in bytes of the packet's own queue.

    When it was highest, every head had at least its tag, so the largest packet of a fair-queue had,
    and its smallest has one as much below as it is smaller. What the rival's own head does is in
    its first packet.
    """
    falls = (
        (curve.most_bytes - curve.least_bytes)
        * own.queue.share_percent
        / flows[0].queue.share_percent
        for flows in queues_of(lower)
        if flows[0].queue.flow_limit_packets is not None and flows[0].queue.name != rival
        for curve in (curve_of(flows),)
    )
    return max(falls, default=0.0)


@lru_cache(maxsize=256)
def _most_waiting_ms(flows: Flows) -> float:
    """Most work that waits in the queue of these flows, with backlogs that are always kept."""
    packets = max(flows[0].queue.limit_packets, closed_packets(flows))
    return packets * max(flow.longest_ms for flow in flows)


def _since_own_ms(wait: Wait, own: Curves) -> float:
    """Longest delay by what its own queue has got since it was last empty.

    The horizontal distance between its arrival curve and what is sent of it. The queue is not
    empty before the packet comes, so all windows are within the longest time for which it can wait.
    """
    if not fit_wire((*own, *wait.higher)):
        return inf
    window_ms = sent_ms = 0.0
    for _ in range(_MOST_TURNS):
        sent_ms = wait.sent_ms(_all_of(own, window_ms), window_ms, sent_ms)
        if sent_ms <= window_ms or bends_to(own, sent_ms) > _MOST_BENDS:
            break
        if sent_ms > _MOST_MS:
            return inf
        window_ms = sent_ms
    if sent_ms > window_ms:
        return inf
    longest_ms = sent_ms = 0.0
    for at_ms in bends_ms(own, window_ms):
        sent_ms = wait.sent_ms(_all_of(own, at_ms), at_ms, sent_ms)
        longest_ms = max(longest_ms, sent_ms - at_ms)
    return longest_ms


def _all_of(curves: Curves, window_ms: float) -> Own:
    parts = [Own.of(curve, window_ms) for curve in curves]
    return Own(sum(part.work_ms for part in parts), sum(part.frame_bytes for part in parts))


def _since_empty_ms(wait: Wait, own: Curve, curves: Curves) -> float:
    """Longest delay where arrival curves bound all traffic: what came since the link was idle.

    What comes later is sent first only if it is of a higher level or of another queue, and only
    until the packet enters the ring.
    """
    until_ms = busy_ms(curves)
    if until_ms == inf or bends_to(curves, until_ms) > _MOST_BENDS:
        return until_ms
    longest_ms = sent_ms = 0.0
    for at_ms in bends_ms(curves, until_ms):
        sent_ms = wait.sent_since_empty_ms(Own.of(own, at_ms), at_ms, sent_ms)
        longest_ms = max(longest_ms, sent_ms - at_ms)
    return min(longest_ms, until_ms)
