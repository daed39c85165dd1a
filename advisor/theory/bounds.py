"""Hard bounds of delay, which no packet exceeds, from arrival curves and the size of the ring."""

from collections.abc import Sequence
from math import floor, inf
from typing import Self

from msgspec import Struct

from advisor.theory.case import Case
from advisor.theory.extent import MOST_STEPS, bounded
from advisor.theory.flows import Flow, conversations_of
from advisor.theory.interface import OnOff, Periodic, RingUnit, Saturated, TxRing
from advisor.theory.turns import Turn, is_in_overload


def bound_ms(case: Case, flow: Flow, turns: Sequence[Turn]) -> float | None:
    """Longest delay of a class; None where none is known.

    Nor is there one for a class outside the LLQ that nothing but its queue-limit bounds, and that
    does not fill its queue: it would be some ten times the longest delay that is ever seen.
    """
    interface = case.interface
    if flow.priority and not case.is_fifo:
        return llq_bound_ms(interface.ring, case.llq, case.lower, flow)
    if not is_worth_a_bound(case.flows, flow, turns):
        return None
    if case.is_fifo:
        return fifo_bound_ms(interface.ring, case.lower, flow)
    return lower_bound_ms(interface.ring, case.llq, case.lower, flow)


def is_worth_a_bound(flows: Sequence[Flow], flow: Flow, turns: Sequence[Turn]) -> bool:
    """Whether a class outside the LLQ fills its queue, or arrival curves bound all traffic."""
    return is_in_overload(flow, turns) or sum(map(_peak_load, flows)) < 1


def ring_work_bound_ms(ring: TxRing, flows: Sequence[Flow]) -> float:
    """Most work that a full ring can hold, in ms, when the packet on the wire has just begun.

    Packets are admitted while fewer than `limit` units are used: the heaviest filling of
    ``limit - 1`` units, then one packet more.
    """
    heaviest_ms: dict[int, float] = {}
    for flow in flows:
        for times, units in zip(flow.piece_ms, flow.piece_units, strict=True):
            for time_ms, unit in zip(times, units, strict=True):
                heaviest_ms[unit] = max(heaviest_ms.get(unit, 0.0), time_ms)
    longest = max(heaviest_ms.values())
    if ring.unit is RingUnit.PACKETS:
        return (ring.limit + ring.beside_wire) * longest
    best = [0.0] * ring.limit  # best[u]: heaviest filling of at most u units
    for filled_units in range(1, ring.limit):
        fillings = [
            best[filled_units - unit] + time
            for unit, time in heaviest_ms.items()
            if unit <= filled_units
        ]
        best[filled_units] = max([best[filled_units - 1], *fillings])
    return best[ring.limit - 1] + longest * (1 + ring.beside_wire)


def backlog_bound_ms(flows: Sequence[Flow], rate: float = 1.0) -> float:
    """Most work of these flows that can wait when the wire sends `rate` of it per ms.

    Infinite if an arrival process has no bound (Poisson) or its peak exceeds the wire.
    """
    if sum(_peak_load(flow) for flow in flows) >= rate:
        return inf
    busy_ms = _busy_ms(flows, rate)
    events = {0.0, *(at_ms for flow in flows for at_ms in _steps_ms(flow, busy_ms))}
    worst = 0.0
    for at_ms in events:
        total = sum(_work_by(flow, at_ms) for flow in flows)
        if total == inf:
            return inf
        worst = max(worst, total - rate * at_ms)
    return worst


def _busy_ms(flows: Sequence[Flow], rate: float = 1.0, before_ms: float = 0.0) -> float:
    """Longest busy period of these flows alone: the work that arrives in it fills it.

    `before_ms` of other work is there at its start.
    """
    busy_ms, longer_ms, steps = -1.0, 0.0, 0
    while longer_ms > busy_ms:
        steps += 1
        bounded("steps of a busy period", MOST_STEPS, steps)
        busy_ms = longer_ms
        longer_ms = (before_ms + sum(_work_by(flow, busy_ms) for flow in flows)) / rate
    return busy_ms


def _peak_load(flow: Flow) -> float:
    """Work per ms over a long time that a flow never exceeds."""
    arrival = flow.traffic.arrival
    if isinstance(arrival, OnOff):
        return arrival.peak_packets_per_s / 1000 * flow.traffic.streams * flow.longest_ms
    if isinstance(arrival, Periodic):
        return flow.rate_per_ms * flow.longest_ms
    return inf


def _steps_ms(flow: Flow, until_ms: float) -> list[float]:
    """Times at which the arrival curve of a flow steps up."""
    arrival = flow.traffic.arrival
    if isinstance(arrival, Periodic):
        gap_ms, early_ms = flow.traffic.streams / flow.rate_per_ms, arrival.jitter_ms
    elif isinstance(arrival, OnOff):
        gap_ms, early_ms = 1000 / arrival.peak_packets_per_s, 0.0
    else:
        return []
    bounded("packets of a busy period", MOST_STEPS, (until_ms + early_ms) / gap_ms)
    steps = range(1 + floor(early_ms / gap_ms), 1 + floor((until_ms + early_ms) / gap_ms))
    return [count * gap_ms - early_ms for count in steps]


def _work_by(flow: Flow, at_ms: float) -> float:
    """Most work of a flow within a closed window of `at_ms`."""
    longest = flow.longest_ms
    arrival = flow.traffic.arrival
    curve = inf
    if isinstance(arrival, Periodic):
        period_ms = flow.traffic.streams / flow.rate_per_ms
        window = at_ms + arrival.jitter_ms
        curve = flow.traffic.streams * (floor(window / period_ms + 1e-9) + 1) * longest
    elif isinstance(arrival, OnOff):
        gap_ms = 1000 / arrival.peak_packets_per_s
        curve = flow.traffic.streams * (floor(at_ms / gap_ms + 1e-9) + 1) * longest
    return curve


def llq_bound_ms(
    ring: TxRing,
    llq: Sequence[Flow],
    lower: Sequence[Flow],
    own_flow: Flow,
    *,
    conserves: bool = True,
) -> float | None:
    """Longest delay of an LLQ packet.

    At most a full ring and the LLQ packets since the LLQ was last empty are ahead of it. Without a
    lower class the ring is irrelevant. If all traffic is periodic, the work of the whole link is a
    bound too, where the wire `conserves` work: it is never idle while packets wait.
    """
    own_ms = own_flow.longest_ms
    best = backlog_bound_ms([*llq, *lower]) if conserves else inf
    if lower:
        llq_ms = max(llq_work_bound_ms(llq), own_ms)
        ring_ms = ring_work_bound_ms(ring, [*llq, *lower])
        best = min(best, ring_ms + llq_ms)
        lower_ms = ring_work_bound_ms(ring, lower)
        best = min(best, max(_in_ring_or_queue_ms(llq, ring_ms, lower_ms, best), own_ms))
    elif best == inf:
        best = _held_ms(llq) + ring_work_bound_ms(ring, llq)
    return None if best == inf else best


def _in_ring_or_queue_ms(
    llq: Sequence[Flow], ring_ms: float, lower_ms: float, bound_ms: float
) -> float:
    """Longest delay of an LLQ packet where no LLQ packet counts in the ring and in its queue too.

    All LLQ packets before it, those in the ring when the LLQ was last empty too, came no longer
    ago than `bound_ms` before that. So they are in the arrival curve of a window longer by that,
    beside `lower_ms`, the most work of other classes in a ring.
    """
    if bound_ms == inf or sum(map(_peak_load, llq)) >= 1:
        return inf
    busy_ms = _busy_ms(llq)
    steps = [at_ms for flow in llq for at_ms in _steps_ms(flow, busy_ms + bound_ms)]
    events = {0.0, *(ms for ms in steps if ms <= busy_ms)}
    events |= {ms - bound_ms for ms in steps if ms >= bound_ms}
    return max(
        min(
            ring_ms + sum(_work_by(flow, at_ms) for flow in llq),
            lower_ms + sum(_work_by(flow, at_ms + bound_ms) for flow in llq),
        )
        - at_ms
        for at_ms in events
    )


def llq_work_bound_ms(llq: Sequence[Flow]) -> float:
    """Most work in the LLQ: by its arrivals, its queue-limits or its policers."""
    return min(backlog_bound_ms(llq), _held_ms(llq), _policed_ms(llq))


def _held_ms(llq: Sequence[Flow]) -> float:
    limits = {flow.queue.name: flow.queue.limit_packets for flow in llq}
    longest = max(flow.longest_ms for flow in llq)
    return sum(limits.values()) * longest


def _policed_ms(llq: Sequence[Flow]) -> float:
    """Work that token buckets let pass at once; infinite where they do not hold the LLQ."""
    burst_ms, rate = _policed(llq)
    return burst_ms if rate < 1 else inf


def _policed(llq: Sequence[Flow]) -> tuple[float, float]:
    """Work in ms that token buckets let pass at once, and per ms; infinite without a bucket."""
    burst_ms = rate = 0.0
    for queue in {flow.queue.name: flow.queue for flow in llq}.values():
        if queue.policer is None:
            return inf, inf
        per_byte = max(_ms_per_byte(flow) for flow in llq if flow.queue.name == queue.name)
        rate += queue.policer.rate_bps / 8000 * per_byte
        burst_ms += queue.policer.burst_bytes * per_byte
    return burst_ms, rate


def _ms_per_byte(flow: Flow) -> float:
    """Longest time on the wire of a byte that the scheduler counts."""
    return max(ms / count for ms, count in zip(flow.times_ms, flow.frame_bytes, strict=True))


def fifo_bound_ms(ring: TxRing, flows: Sequence[Flow], own_flow: Flow) -> float:
    """Longest delay through one queue: the content of ring and queue, with the packet itself."""
    longest = max(flow.longest_ms for flow in flows)
    waiting = (own_flow.queue.limit_packets - 1) * longest + own_flow.longest_ms
    return min(ring_work_bound_ms(ring, flows) + waiting, backlog_bound_ms(flows))


def second_level_bound_ms(
    ring: TxRing, higher: Sequence[Flow], level: Sequence[Flow], others: Sequence[Flow]
) -> float | None:
    """Longest delay of a packet of a priority level below another; None where that has no bound.

    It waits for the ring, for its own level, and for all packets of the higher level since that was
    last empty.
    """
    ring_ms = ring_work_bound_ms(ring, [*higher, *level, *others])
    best = _behind_llq_ms(higher, ring_ms + _held_ms(level))
    best = min(best, _backlog_behind_llq_ms(higher, level, ring_ms))
    return None if best == inf else best


def work_bound_ms(flows: Sequence[Flow]) -> float | None:
    """Longest busy period of the link: a bound whatever the order of service; None without one."""
    return _busy_ms(flows) if sum(map(_peak_load, flows)) < 1 else None


def lower_bound_ms(
    ring: TxRing,
    llq: Sequence[Flow],
    lower: Sequence[Flow],
    own_flow: Flow,
    *,
    conserves: bool = True,
) -> float | None:
    """Longest delay of a packet of a class below the LLQ; None where the LLQ has no bound.

    It waits for the ring, for what its own queue holds, for what the tags of the scheduler let the
    other queues send meanwhile, and for all LLQ packets that may pass it. Where the wire
    `conserves` work, the work of the whole link is a bound too.
    """
    if sum(_peak_load(flow) for flow in llq) >= 1:
        return None
    ring_ms = ring_work_bound_ms(ring, [*llq, *lower])
    # a packet that is being cut stands neither in a queue nor, whole, in the ring
    cut_ms = max((flow.longest_ms for flow in lower if flow.cut), default=0.0)
    ahead_ms = ring_ms + cut_ms
    own_ms, rivals = _rivals(lower, own_flow)
    work_ms = ahead_ms + own_ms
    best = min(
        _behind_llq_ms(llq, work_ms, rivals=rivals), _behind_policers_ms(llq, work_ms, rivals)
    )
    if conserves and sum(_peak_load(flow) for flow in (*llq, *lower)) < 1:
        if len({flow.queue.name for flow in lower}) == 1 and not _is_fair(own_flow):
            best = min(best, _backlog_behind_llq_ms(llq, lower))
        else:
            best = min(best, _busy_ms([*llq, *lower]))
    return None if best == inf else best


def _is_fair(flow: Flow) -> bool:
    return flow.queue.flow_limit_packets is not None


class _Rival(Struct, frozen=True):
    """A queue, or conversations of one kind, that are sent in turn with the queue of a packet."""

    flows: Sequence[Flow]
    shared_ms: float  # most work that the tags let it send before the packet
    held_ms: float  # most work that waits when the packet comes

    @classmethod
    def of(
        cls,
        flows: Sequence[Flow],
        held_packets: float,
        shared_bytes: float,
        conversations: float = 1,
    ) -> Self:
        """A rival that is sent `shared_bytes` and one packet more in each conversation."""
        longest_ms = max(flow.longest_ms for flow in flows)
        shared_ms = conversations * (shared_bytes * max(map(_ms_per_byte, flows)) + longest_ms)
        return cls(flows, shared_ms, held_packets * longest_ms)

    def sent_ms(self, within_ms: float) -> float:
        """Most of its work that is sent in the time: no more than waits or comes."""
        came_ms = sum(_work_by(flow, within_ms) for flow in self.flows)
        return min(self.shared_ms, self.held_ms + came_ms)


def _rivals(lower: Sequence[Flow], own_flow: Flow) -> tuple[float, list[_Rival]]:
    """Work of its own queue up to a packet, and those that share the wire with it meanwhile.

    Self-clocked fair queueing sends of another queue at most as many bytes for its weight, and one
    packet more; so it does between the conversations of a fair-queue, of equal weights (S. J.
    Golestani, IEEE INFOCOM 1994).
    """
    queue = own_flow.queue
    beside = [flow for flow in lower if flow.queue.name == queue.name]
    if queue.flow_limit_packets is None:
        packets = _most_packets(beside, own_flow)
        own_bytes = packets * max(max(flow.frame_bytes) for flow in beside)
        own_ms = packets * max(flow.longest_ms for flow in beside)
        rivals = []
    elif _closed_packets(beside):
        return inf, []
    else:
        packets = queue.flow_limit_packets
        one_bytes, own_ms = packets * max(own_flow.frame_bytes), packets * own_flow.longest_ms
        longest_bytes = max(max(flow.frame_bytes) for flow in beside)
        own_bytes = sum(map(conversations_of, beside)) * (one_bytes + longest_bytes)
        others = [(flow, conversations_of(flow) - (flow is own_flow)) for flow in beside]
        rivals = [
            _Rival.of([flow], count * packets, one_bytes, count) for flow, count in others if count
        ]
    names = dict.fromkeys(flow.queue.name for flow in lower if flow.queue.name != queue.name)
    for name in names:
        flows = [flow for flow in lower if flow.queue.name == name]
        ratio = flows[0].queue.share_percent / queue.share_percent
        rivals.append(_Rival.of(flows, flows[0].queue.limit_packets, own_bytes * ratio))
    return own_ms, rivals


def _most_packets(flows: Sequence[Flow], own_flow: Flow) -> int:
    """Most packets that a queue holds: packets of a backlog count for its limit, but pass it."""
    return max(own_flow.queue.limit_packets, _closed_packets(flows))


def _closed_packets(flows: Sequence[Flow]) -> int:
    """Packets of saturated streams, which always wait."""
    return sum(
        flow.traffic.streams * flow.traffic.arrival.backlog_packets
        for flow in flows
        if isinstance(flow.traffic.arrival, Saturated)
    )


def _behind_llq_ms(
    llq: Sequence[Flow], work_ms: float, since_ms: float = 0.0, rivals: Sequence[_Rival] = ()
) -> float:
    """When `work_ms`, what the rivals send and all LLQ packets that may pass it have been sent."""
    if work_ms == inf or sum(_peak_load(flow) for flow in llq) >= 1:
        return inf
    until_ms, longer_ms = -1.0, since_ms
    while longer_ms > until_ms:
        until_ms = longer_ms
        sent_ms = work_ms + sum(rival.sent_ms(until_ms) for rival in rivals)
        longer_ms = max(until_ms, sent_ms + sum(_work_by(flow, until_ms) for flow in llq))
    return until_ms


def _behind_policers_ms(llq: Sequence[Flow], work_ms: float, rivals: Sequence[_Rival]) -> float:
    """When `work_ms`, what the rivals send and what the LLQ's policers let pass have been sent.

    A packet waits, so the ring is full: all that passes it is metered.
    """
    burst_ms, rate = _policed(llq)
    if work_ms == inf or rate >= 1:
        return inf
    until_ms, longer_ms = -1.0, 0.0
    while longer_ms > until_ms:
        until_ms = longer_ms
        sent_ms = work_ms + burst_ms + sum(rival.sent_ms(until_ms) for rival in rivals)
        longer_ms = max(until_ms, sent_ms / (1 - rate))
    return until_ms


def _backlog_behind_llq_ms(
    llq: Sequence[Flow], lower: Sequence[Flow], ring_ms: float = 0.0
) -> float:
    """Longest delay of a lower packet where arrival curves bound all traffic.

    LLQ packets that come later are served before it, so the LLQ counts until the packet is sent,
    the lower classes until it arrives. A ring full of other packets may be before all of them.
    """
    flows = [*llq, *lower]
    if sum(_peak_load(flow) for flow in flows) >= 1:
        return inf
    busy_ms = _busy_ms(flows, before_ms=ring_ms)
    events = {0.0, *(at_ms for flow in lower for at_ms in _steps_ms(flow, busy_ms))}
    return max(
        _behind_llq_ms(llq, ring_ms + sum(_work_by(flow, at_ms) for flow in lower), at_ms) - at_ms
        for at_ms in events
    )
