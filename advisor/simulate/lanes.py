"""Classes at the scheduler: their limits, how they are made, and which goes next."""

from collections.abc import Mapping, Sequence
from math import inf
from random import Random

from advisor.settings.scenario import (
    ExcessName,
    PriorityQueue,
    Queue,
    Scenario,
    ScenarioPolicer,
    SharedQueue,
    WfqQueue,
    wred_of,
)
from advisor.simulate.packets import ArrivedPacket
from advisor.simulate.queues import (
    AverageQueue,
    Discipline,
    FairFlows,
    Fifo,
    PolicerBucket,
    ShaperBucket,
)
from advisor.units import bps_from_kbps, bytes_in_ms, ratio_from_percent

# Classes at the scheduler: what limits them, and what is known of them between packets.


class Lane:
    """A class: its limit, its policers and WRED, and its number of waiting packets.

    `police` meters every packet, `policer` those that cannot go straight into the ring.
    """

    __slots__ = ("limit", "police", "policer", "red", "waiting")

    def __init__(
        self,
        limit: int,
        police: PolicerBucket | None,
        policer: PolicerBucket | None,
        red: AverageQueue | None,
    ) -> None:
        self.limit = limit
        self.police = police
        self.policer = policer
        self.red = red
        self.waiting = 0


class PriorityLane(Lane):
    """A class of the LLQ; the packets of all classes of one level wait in one queue."""

    __slots__ = ("level",)

    def __init__(
        self,
        limit: int,
        level: int,
        *,
        police: PolicerBucket | None = None,
        policer: PolicerBucket | None = None,
    ) -> None:
        super().__init__(limit, police, policer, None)
        self.level = level


class SharedLane(Lane):
    """A class with its own queue, which shares the rate that the LLQ leaves with other classes.

    `minimum_bytes_per_ms` is its guarantee where that is apart from its weight, else 0; the class
    is due for it from `due_ms` on. `is_held`: its shaper held it back when it was last looked at.
    """

    __slots__ = (
        "due_ms",
        "group",
        "is_held",
        "minimum_bytes_per_ms",
        "queue",
        "shaper",
        "start_tag",
        "weight",
    )
    group: "SharingGroup"

    def __init__(
        self,
        limit: int,
        queue: Discipline,
        *,
        weight: float = 1.0,
        minimum_bytes_per_ms: float = 0.0,
        shaper: ShaperBucket | None = None,
        police: PolicerBucket | None = None,
        red: AverageQueue | None = None,
    ) -> None:
        super().__init__(limit, police, None, red)
        self.queue = queue
        self.weight = weight
        self.minimum_bytes_per_ms = minimum_bytes_per_ms
        self.shaper = shaper
        self.start_tag = 0.0
        self.due_ms = 0.0
        self.is_held = False

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
        self.lanes = lanes
        self.virtual_time = 0.0
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


# From the queue of a scenario to the lane of the scheduler.


def lane_of(queue: Queue, scenario: Scenario, weights: Mapping[int, float], random: Random) -> Lane:
    """The lane of a queue; `weights` are those of the streams under weighted fair queueing."""
    limit = queue.queue_limit_packets
    match queue:
        case PriorityQueue():
            policed = queue.policed_under_congestion
            return PriorityLane(
                limit,
                queue.level,
                police=_policer(queue.police),
                policer=PolicerBucket(queue.priority_kbps, queue.burst_bytes) if policed else None,
            )
        case WfqQueue():
            threshold = queue.congestive_discard_threshold_packets
            return SharedLane(limit, FairFlows(threshold, weights, drops_worst=True))
    wred = wred_of(queue)
    red = None if wred is None else AverageQueue(wred, random)
    if not isinstance(queue, SharedQueue):
        return SharedLane(limit, Fifo(), red=red)
    return SharedLane(
        limit,
        _discipline(queue, weights),
        weight=_weight(queue, scenario),
        minimum_bytes_per_ms=_minimum_bytes_per_ms(queue, scenario),
        shaper=None if queue.shape is None else ShaperBucket(queue.shape, scenario.link, random),
        police=_policer(queue.police),
        red=red,
    )


def _policer(police: ScenarioPolicer | None) -> PolicerBucket | None:
    return None if police is None else PolicerBucket(police.rate_kbps, police.burst_bytes)


def _discipline(queue: SharedQueue, weights: Mapping[int, float]) -> Discipline:
    fair = queue.fair_queue
    if fair is None:
        return Fifo()
    return FairFlows(
        fair.per_flow_queue_limit_packets, weights if fair.weighted_by_precedence else {}
    )


def _weight(queue: SharedQueue, scenario: Scenario) -> float:
    """Its part of what the classes of its group share."""
    if scenario.excess_bandwidth == "equal":
        return queue.bandwidth_remaining_ratio or 1.0
    return queue.weight


def _minimum_bytes_per_ms(queue: SharedQueue, scenario: Scenario) -> float:
    """The guarantee; 0 where the percentages are only weights, or nothing is guaranteed."""
    if scenario.excess_bandwidth == "proportional" or queue.bandwidth_percent is None:
        return 0.0
    base = scenario.link if scenario.shape is None else scenario.shape
    rate_kbps = base.rate_kbps * ratio_from_percent(queue.bandwidth_percent)
    return bytes_in_ms(bps_from_kbps(rate_kbps), 1.0)


# Who goes next among the classes that share what the LLQ leaves.
#
# Groups of classes share in proportion, after the guarantees where the scheduler keeps those
# apart.


class Sharing:
    """Guarantees first where they are apart, then the groups in their order.

    `wake_ms` is when the first lane that its shaper held back at the last `first` may send; inf:
    none was held.
    """

    __slots__ = ("_chosen_tag", "_groups", "_has_minimum", "_has_shapers", "_lanes", "wake_ms")

    def __init__(self, lanes: Sequence[SharedLane], excess: ExcessName) -> None:
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


def _groups(lanes: Sequence[SharedLane], excess: ExcessName) -> tuple[SharingGroup, ...]:
    if excess != "unreserved_first":
        return (SharingGroup(lanes),)
    return (
        SharingGroup([lane for lane in lanes if not lane.minimum_bytes_per_ms]),
        SharingGroup([lane for lane in lanes if lane.minimum_bytes_per_ms]),
    )
