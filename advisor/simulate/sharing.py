"""Who goes next among the classes that share what the LLQ leaves.

Groups of classes share in proportion, after the guarantees where the scheduler keeps those apart.
"""

from collections.abc import Sequence
from math import inf

from advisor.settings.scenario import ExcessName
from advisor.simulate.lanes import Group, SharedLane


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


def _groups(lanes: Sequence[SharedLane], excess: ExcessName) -> tuple[Group, ...]:
    if excess != "unreserved_first":
        return (Group(lanes),)
    return (
        Group([lane for lane in lanes if not lane.minimum_bytes_per_ms]),
        Group([lane for lane in lanes if lane.minimum_bytes_per_ms]),
    )
