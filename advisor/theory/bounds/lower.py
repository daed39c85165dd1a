"""Longest delays of packets for which others go first: below the first level of the LLQ."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import floor, inf
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from advisor.model import TxRing
from advisor.theory.bounds import (
    MOST_ROUNDS,
    Curve,
    Curves,
    bends_ms,
    bends_to,
    busy_ms,
    closed_packets,
    curve_of,
    curves_of,
    fit_wire,
    held_ms,
    least_work_ms,
    queues_of,
    rest_of_cut_ms,
    ring_work_ms,
    work_ms,
)
from advisor.theory.flows import Flow, Flows, conversations_of
from advisor.theory.kernel.layout import conversation_weight

# When a packet has been sent for which others go first: fixed points of what may precede it.

_ROUNDING, _NEAR = 1e-12, 1e-7  # numeric: sums of times, and a longest delay


class Own(Struct, frozen=True):
    """A packet and those before it in its own queue or conversation."""

    work_ms: float
    frame_bytes: float

    @classmethod
    def of(cls, curve: Curve, window_ms: float) -> Self:
        """All that a curve brings within a window."""
        return cls(curve.work_ms(window_ms), curve.sent_bytes(window_ms))


class Rival(Struct, frozen=True):
    """A queue that is sent in turn with the queue of a packet, or `number` conversations alike.

    While a queue of weight w sends B bytes, self-clocked fair queueing sends of a queue of weight
    ``ratio * w`` one packet, and others of at most ``ratio * B`` bytes: the head had a tag of at
    least the virtual time, and the tags of those behind it are not above that of the packet (S. J.
    Golestani, IEEE INFOCOM 1994). An infinite `ratio`: nothing is known of the order.

    The head of a queue of `conversations` may change: instead of one packet it sends others of as
    many bytes. When a smaller one becomes the head of such a queue, the virtual time falls, and a
    queue that then becomes backlogged is ahead, as if the packet's queue had `lead_bytes` more.
    """

    curve: Curve
    ratio: float
    held_ms: float  # most work that waits when the packet comes
    number: int = 1
    conversations: bool = False
    lead_bytes: float = 0.0

    def shared_bytes(self, own: Own) -> float:
        """Most bytes that are sent in turn with those of the packet's queue."""
        return self.number * (self.curve.most_bytes + self._spare_bytes(own))

    def shared_ms(self, own: Own) -> float:
        """Most work that is sent in turn with that of the packet's queue."""
        spare_bytes = self._spare_bytes(own)
        longest_ms = first_ms = self.curve.longest_ms
        if spare_bytes == inf:
            return inf
        if self.conversations:
            first_ms = max(longest_ms, self.curve.most_bytes * self.curve.ms_per_byte)
        if self.curve.least_bytes == self.curve.most_bytes:
            more_ms = round(spare_bytes / self.curve.most_bytes) * longest_ms
        else:
            per_byte = self.curve.ms_per_byte
            more_ms = spare_bytes * per_byte
        return self.number * (first_ms + more_ms)

    def _spare_bytes(self, own: Own) -> float:
        """Most bytes of whole packets behind the first one."""
        bytes_ = (own.frame_bytes + self.lead_bytes) * self.ratio * (1 + _ROUNDING)
        if bytes_ < self.curve.least_bytes:
            return 0.0
        if bytes_ < inf and self.curve.least_bytes == self.curve.most_bytes:
            return floor(bytes_ / self.curve.most_bytes) * self.curve.most_bytes
        return bytes_


class Wait(Struct, frozen=True):
    """Work that may be sent before a packet.

    Until the packet enters the ring, `tail_ms` before it has been sent or earlier, packets of
    `higher` curves pass it, and `mates`, the other conversations of its queue, and `rivals`, the
    other queues, are sent in turn with it. `ahead_ms` is before all of them.
    """

    ahead_ms: float
    higher: Curves
    tail_ms: float
    mates: Sequence[Rival] = ()
    rivals: Sequence[Rival] = ()

    def sent_ms(self, own: Own, at_ms: float = 0.0, since_ms: float = 0.0) -> float:
        """When a packet that comes at `at_ms` has been sent; its queue waits since time 0.

        `since_ms` is a time before which it has not been sent.

        From time 0 on packets wait, so the ring is full and the wire busy. At a time u at which the
        packet waits, all that entered the ring before it is part of what came by then. So once
        that is no more than u and the least content of a full ring, the packet enters.
        """
        limits = [(rival, rival.held_ms, most_ms) for rival, most_ms in self._in_turn(own)]
        return self._least_ms(limits, self.ahead_ms + own.work_ms, at_ms, since_ms)

    def sent_since_empty_ms(self, own: Own, at_ms: float, since_ms: float = 0.0) -> float:
        """As `sent_ms`, where the interface was empty before time 0; nothing is `ahead_ms`.

        What is sent in turn with the packet comes beside what came before it.
        """
        limits = [
            (rival, 0.0, rival.curve.work_ms(at_ms) + most_ms)
            for rival, most_ms in self._in_turn(own)
        ]
        return self._least_ms(limits, own.work_ms, at_ms, since_ms)

    def _in_turn(self, own: Own) -> Iterator[tuple[Rival, float]]:
        """Rivals with the most work that is sent in turn with the packets of its own queue."""
        for mate in self.mates:
            yield mate, mate.shared_ms(own)
        more_bytes = sum(mate.shared_bytes(own) for mate in self.mates)
        total = Own(own.work_ms, own.frame_bytes + more_bytes)
        for rival in self.rivals:
            yield rival, rival.shared_ms(total)

    def _least_ms(
        self,
        in_turn: Sequence[tuple[Rival, float, float]],
        ahead_ms: float,
        at_ms: float,
        since_ms: float,
    ) -> float:
        """Least fixed point; a rival sends no more than `held + what comes`, nor than its most."""
        slope, until_ms = sum(curve.slope for curve in self.higher), since_ms
        if inf in (ahead_ms, since_ms) or not fit_wire(self.higher):
            return inf
        for _ in range(MOST_ROUNDS):
            entered_ms = max(at_ms, until_ms - self.tail_ms)
            passed_ms = work_ms(self.higher, entered_ms)
            beside_ms = sum(
                [
                    min(most_ms, held_ms + rival.curve.work_ms(entered_ms))
                    for rival, held_ms, most_ms in in_turn
                ]
            )
            longer_ms = ahead_ms + beside_ms + passed_ms
            if longer_ms == inf or longer_ms <= until_ms * (1 + _ROUNDING):
                return max(longer_ms, until_ms)
            rises = slope if until_ms - self.tail_ms >= at_ms else 0.0
            until_ms += (longer_ms - until_ms) / (1 - rises)
        return inf


# By how much the packets of a queue that meet may lengthen the wait of one that meets none.
MOST_TOGETHER = 2.0
_MOST_MS = 1e9  # numeric: a queue that is not empty for longer may never be
_MOST_BENDS, _MOST_TURNS = 200, 100  # numeric: beyond them another bound has to do


class WireOrder(Struct, frozen=True):
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
        """Time before its delivery from which on nothing can pass a packet: it is in the ring.

        A small packet enters the ring later than a large one that is delivered at the same time.
        """
        if self.overtakes:
            return 0.0
        own_ms = 0.0 if own.cut else min(own.times_ms)
        return own_ms + least_work_ms(self.ring, flows)


class Queued(Struct, frozen=True):
    """The place of a packet: the curve of its queue or conversation, and the most it holds."""

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
    return Queued.of(next(queue for queue in queues_of(lower) if own in queue), own)


def _conversation(flow: Flow) -> Flow:
    """Bound the offer of one conversation: all of its stream."""
    return _of_streams(flow, 1)


def _others(flow: Flow) -> Flow:
    """Bound the offer of the conversations beside one of them."""
    streams = flow.traffic.streams
    return flow if flow.traffic.conversations > 1 else _of_streams(flow, streams - 1)


def _of_streams(flow: Flow, streams: int) -> Flow:
    return replace(flow, traffic=replace(flow.traffic, streams=streams))


def second_level_bound_ms(
    line: WireOrder, higher: Flows, level: Flows, others: Flows, own: Flow
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


def lower_bound_ms(line: WireOrder, llq: Flows, lower: Flows, own: Flow, *, fills: bool) -> float:
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
        queued = replace(queued, mates=tuple(replace(mate, ratio=inf) for mate in queued.mates))
        rivals = tuple(replace(rival, ratio=inf) for rival in rivals)
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
    windows = bends_ms(own, window_ms)
    if _slopes(own):
        windows = (*windows, window_ms)
    return _longest_ms(
        windows,
        lambda at_ms, since_ms: wait.sent_ms(_all_of(own, at_ms), at_ms, since_ms),
        slopes=_slopes(own),
    )


def _slopes(curves: Curves) -> bool:
    """Whether a token bucket makes a curve rise between its steps."""
    return any(curve.buckets for curve in curves)


def _longest_ms(
    windows: Sequence[float], sent: Callable[[float, float], float], *, slopes: bool
) -> float:
    """Longest delay of a packet that comes at the end of one of these windows.

    Where a curve `slopes`, a packet between two of them may be the one that others still overtake:
    its queue then holds just so much more that they come before it enters the ring. What is `sent`
    rises with the window, so in a part of it no delay is longer than from its begin to the last
    packet's end. Parts that may hold a longer delay are halved.
    """
    ends, longest_ms, sent_ms = [], 0.0, 0.0
    for at_ms in windows:
        sent_ms = sent(at_ms, sent_ms)
        ends.append((at_ms, sent_ms))
        longest_ms = max(longest_ms, sent_ms - at_ms)
    parts = list(pairwise(ends)) if slopes else []
    while parts:
        (from_ms, first_ms), (to_ms, last_ms) = parts.pop()
        if last_ms - from_ms <= longest_ms * (1 + _NEAR):
            continue
        middle_ms = (from_ms + to_ms) / 2
        if to_ms - from_ms <= _NEAR * longest_ms:
            longest_ms = last_ms - from_ms
            continue
        middle = (middle_ms, sent(middle_ms, first_ms))
        longest_ms = max(longest_ms, middle[1] - middle_ms)
        parts += [((from_ms, first_ms), middle), (middle, (to_ms, last_ms))]
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
    longest_ms = _longest_ms(
        bends_ms(curves, until_ms),
        lambda at_ms, since_ms: wait.sent_since_empty_ms(Own.of(own, at_ms), at_ms, since_ms),
        slopes=_slopes((own,)),
    )
    return min(longest_ms, until_ms)
