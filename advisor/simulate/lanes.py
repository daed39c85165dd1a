"""Classes at the scheduler: their limits, how they are made, and which goes next."""

from collections.abc import Mapping, Sequence
from math import inf
from random import Random

from msgspec import Struct, field

from advisor.ground.units import bytes_in_ms
from advisor.model import Excess, Interface, Policer, Queue, QueueKind
from advisor.simulate.packets import ArrivedPacket, Framer
from advisor.simulate.queues import (
    AverageQueue,
    Discipline,
    FairFlows,
    Fifo,
    PolicerBucket,
    ShaperBucket,
)

# Classes at the scheduler: what limits them, and what is known of them between packets.


class Lane(Struct, eq=False, kw_only=True):
    """A class: its limit, its policers and WRED, and its number of waiting packets.

    `police` meters every packet, `policer` those that cannot go straight into the ring.
    """

    limit: int
    police: PolicerBucket | None = None
    policer: PolicerBucket | None = None
    red: AverageQueue | None = None
    waiting: int = 0


class PriorityLane(Lane, eq=False, kw_only=True):
    """A class of the LLQ; the packets of all classes of one level wait in one queue."""

    level: int


class SharedLane(Lane, eq=False, kw_only=True):
    """A class with its own queue, which shares the rate that the LLQ leaves with other classes.

    `minimum_bytes_per_ms` is its guarantee where that is apart from its weight, else 0; the class
    is due for it from `due_ms` on. `is_held`: its shaper held it back when it was last looked at.
    """

    queue: Discipline
    weight: float = 1.0
    minimum_bytes_per_ms: float = 0.0
    shaper: ShaperBucket | None = None
    start_tag: float = 0.0
    due_ms: float = 0.0
    is_held: bool = False
    group: "SharingGroup" = field(default_factory=lambda: SharingGroup(()))  # until it is in one

    def joins(self, now_ms: float) -> None:
        """Become backlogged, without credit for the time before."""
        self.start_tag = max(self.start_tag, self.group.virtual_time)
        self.due_ms = max(self.due_ms, now_ms)

    def is_due(self, now_ms: float) -> bool:
        """Whether it is behind its guarantee, and may send."""
        return bool(self.minimum_bytes_per_ms) and self.due_ms <= now_ms and not self.is_held

    def ready_ms(self, packet: ArrivedPacket, now_ms: float) -> float:
        """When its shaper lets the packet pass; `now_ms` without a shaper."""
        return now_ms if self.shaper is None else self.shaper.ready_ms(packet.frame, now_ms)


class SharingGroup:
    """Classes that share in proportion to their weights: self-clocked fair queueing.

    Source: S. J. Golestani, "A self-clocked fair queueing scheme for broadband applications",
    IEEE INFOCOM 1994.
    """

    __slots__ = ("lanes", "virtual_time")

    def __init__(self, lanes: Sequence[SharedLane]) -> None:
        self.lanes, self.virtual_time = lanes, 0.0
        for lane in lanes:
            lane.group = self

    def first(self) -> tuple[SharedLane | None, float]:
        """The lane of the smallest finish tag, and the tag; None if none waits or all are held."""
        best, best_tag = None, 0.0
        for lane in self.lanes:
            if lane.waiting and not lane.is_held:
                tag = lane.start_tag + lane.queue.head().frame.frame_bytes / lane.weight
                if best is None or tag < best_tag:
                    best, best_tag = lane, tag
        return best, best_tag

    def forget_if_empty(self) -> None:
        """Reset the tags when nothing of the group waits."""
        if not any(lane.waiting for lane in self.lanes):
            self.virtual_time = 0.0
            for lane in self.lanes:
                lane.start_tag = 0.0


# From a queue to the lane of the scheduler.


def lane_of(queue: Queue, line: Interface, weights: Mapping[int, float], random: Random) -> Lane:
    """The lane of a queue; `weights` are those of the streams under weighted fair queueing."""
    police = _bucket(queue.class_policer, line)
    if queue.kind is QueueKind.PRIORITY:
        policer = _bucket(queue.priority_policer, line)
        return PriorityLane(
            limit=queue.limit_packets, level=queue.level, police=police, policer=policer
        )
    red = None
    if queue.wred is not None:
        red = AverageQueue(queue.wred, _mean_packet_ms(queue, line), random)
    guarantee_bps = 0.0 if line.excess is Excess.PROPORTIONAL else queue.guarantee_bps
    return SharedLane(
        limit=queue.limit_packets,
        queue=_discipline(queue, weights),
        weight=queue.share_percent,
        minimum_bytes_per_ms=bytes_in_ms(guarantee_bps, 1.0),
        shaper=None if queue.shaper is None else ShaperBucket(queue.shaper, line, random),
        police=police,
        red=red,
    )


def _bucket(policer: Policer | None, line: Interface) -> PolicerBucket | None:
    return None if policer is None else PolicerBucket(policer, line)


def _discipline(queue: Queue, weights: Mapping[int, float]) -> Discipline:
    if queue.flow_limit_packets is None:
        return Fifo()
    return FairFlows(
        queue.flow_limit_packets,
        weights if queue.by_precedence else {},
        drops_worst=queue.kind is QueueKind.FAIR,
    )


def _mean_packet_ms(queue: Queue, line: Interface) -> float:
    """Mean time of the packets of its traffic on the wire."""
    framer, own = Framer(line, None), line.offered_to(queue)
    pieces = [piece for item in own for piece in framer.frame(item.packet_bytes).pieces]
    return sum(piece.wire_ms for piece in pieces) / max(1, len(own))


# Chooses the next class of those that share the rate left by the LLQ.
#
# Groups of classes share in proportion, after the guarantees where the scheduler keeps those
# apart.


class Sharing:
    """Guarantees first where they are apart, then the groups in their order.

    `wake_ms` is when the first lane that its shaper held back at the last `first` may send; inf:
    none was held.
    """

    __slots__ = ("_chosen_tag", "_groups", "_has_minimum", "_has_shapers", "_lanes", "wake_ms")

    def __init__(self, lanes: Sequence[SharedLane], excess: Excess) -> None:
        self._lanes = lanes
        self._groups = _groups(lanes, excess)
        self._has_minimum = any(lane.minimum_bytes_per_ms for lane in lanes)
        self._has_shapers = any(lane.shaper is not None for lane in lanes)
        self._chosen_tag: float | None = None
        self.wake_ms = inf

    def first(self, now_ms: float) -> SharedLane | None:
        """The lane that goes next; None if none waits or all are held back."""
        if self._has_shapers:
            self._hold_back(now_ms)
        if self._has_minimum:
            due = [lane for lane in self._lanes if lane.waiting and lane.is_due(now_ms)]
            if due:
                self._chosen_tag = None
                return min(due, key=_due_ms)
        for group in self._groups:
            lane, self._chosen_tag = group.first()
            if lane is not None:
                return lane
        return None

    def _hold_back(self, now_ms: float) -> None:
        self.wake_ms = inf
        for lane in self._lanes:
            if lane.waiting and lane.shaper is not None:
                ready_ms = lane.ready_ms(lane.queue.head(), now_ms)
                if ready_ms > now_ms:
                    self.wake_ms = min(self.wake_ms, ready_ms)
                    lane.shaper.hold()
                    lane.is_held = True
                elif lane.is_held:  # no credit for the time it was held
                    lane.is_held = False
                    lane.joins(now_ms)

    def charge(self, lane: SharedLane) -> None:
        """Move the clocks for the head of the lane that `first` gave."""
        head = lane.queue.head()
        if lane.shaper is not None:
            lane.shaper.take(head.frame)
            lane.shaper.release()
        if self._chosen_tag is None:
            lane.due_ms += head.frame.frame_bytes / lane.minimum_bytes_per_ms
        else:
            lane.start_tag = lane.group.virtual_time = self._chosen_tag

    def others_wait(self, lane: SharedLane, now_ms: float) -> bool:
        """Whether a packet waits in the lane, or in another one that is not held back."""
        if lane.waiting:
            return True
        return any(
            other.waiting and other.ready_ms(other.queue.head(), now_ms) <= now_ms
            for other in self._lanes
        )


def _due_ms(lane: SharedLane) -> float:
    return lane.due_ms


def _groups(lanes: Sequence[SharedLane], excess: Excess) -> tuple[SharingGroup, ...]:
    if excess is not Excess.UNRESERVED_FIRST:
        return (SharingGroup(lanes),)
    return (
        SharingGroup([lane for lane in lanes if not lane.minimum_bytes_per_ms]),
        SharingGroup([lane for lane in lanes if lane.minimum_bytes_per_ms]),
    )
