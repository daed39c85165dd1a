"""Classes at the scheduler: what limits them, and what is known of them between packets."""

from collections.abc import Sequence

from advisor.simulate.buckets import Policer, Shaper
from advisor.simulate.frames import Packet
from advisor.simulate.queues import Discipline
from advisor.simulate.red import AverageQueue


class Lane:
    """A class: its limit, its policers and WRED, and its number of waiting packets.

    `police` meters every packet, `policer` those that cannot go straight into the ring.
    """

    __slots__ = ("limit", "police", "policer", "red", "waiting")

    def __init__(
        self, limit: int, police: Policer | None, policer: Policer | None, red: AverageQueue | None
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
        police: Policer | None = None,
        policer: Policer | None = None,
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
    group: "Group"

    def __init__(
        self,
        limit: int,
        queue: Discipline,
        *,
        weight: float = 1.0,
        minimum_bytes_per_ms: float = 0.0,
        shaper: Shaper | None = None,
        police: Policer | None = None,
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

    def ready_ms(self, packet: Packet, now_ms: float) -> float:
        """When its shaper lets the packet pass; `now_ms` without a shaper."""
        return now_ms if self.shaper is None else self.shaper.ready_ms(packet.frame, now_ms)


class Group:
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
