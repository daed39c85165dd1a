"""The scheduler: which packet, or fragment of one, enters the ring next.

LLQ packets go first, level by level, each level in order of arrival. Then the remaining fragments
of a packet go, then the other classes as `sharing` says. A parent shaper may hold back all.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from math import inf

from advisor.settings.scenario import ExcessName
from advisor.simulate.buckets import Shaper
from advisor.simulate.frames import Packet, Piece
from advisor.simulate.lanes import Lane, PriorityLane, SharedLane
from advisor.simulate.sharing import Sharing

# The last piece of a packet carries the packet: its delay ends there.
Turn = tuple[Piece, Packet | None]


class Scheduler:
    """Software queues of one interface.

    `lane_of_stream` is the lane of each stream; `sources` make the next packet of streams that
    always keep a backlog, at a given time. `wake_ms` is when a shaper lets the next packet pass,
    after a turn that gave none; inf: no shaper holds anything back.
    """

    def __init__(
        self,
        lane_of_stream: Sequence[Lane],
        sources: Mapping[int, Callable[[float], Packet]],
        excess: ExcessName = "proportional",
        parent: Shaper | None = None,
    ) -> None:
        self._lane_of_stream = lane_of_stream
        self._sources = sources
        self._parent = parent
        lanes = dict.fromkeys(lane_of_stream)
        shared = [lane for lane in lanes if isinstance(lane, SharedLane)]
        self._sharing = Sharing(shared, excess)
        self.is_shaped = parent is not None or any(lane.shaper is not None for lane in shared)
        levels = {lane.level for lane in lanes if isinstance(lane, PriorityLane)}
        self._levels: dict[int, deque[Packet]] = {level: deque() for level in sorted(levels)}
        self._rest: deque[Turn] = deque()
        self.wake_ms = inf

    def offer(self, packet: Packet) -> Packet | None:
        """Queue a packet that cannot go straight; give the packet that is dropped for it."""
        lane = self._lane_of_stream[packet.stream]
        if isinstance(lane, SharedLane):
            if not lane.queue.has_room(packet):
                return packet
            if lane.waiting >= lane.limit and lane.queue.drops_worst:
                return self._push_out(packet, lane)
        if lane.waiting >= lane.limit:
            return packet
        self._put(packet, lane)
        return None

    def _push_out(self, packet: Packet, lane: SharedLane) -> Packet:
        self._put(packet, lane)
        worst = lane.queue.pop_worst(self._sources)
        lane.waiting -= 1
        return worst

    def keep_waiting(self, stream: int, packets: int) -> None:
        """Queue the first backlog of a saturated stream; the queue limit does not apply to it."""
        for _ in range(packets):
            self._put(self._sources[stream](0.0), self._lane_of_stream[stream])

    def _put(self, packet: Packet, lane: Lane) -> None:
        if isinstance(lane, SharedLane):
            lane.queue.push(packet)
            if not lane.waiting:
                lane.joins(packet.arrival_ms)
        elif isinstance(lane, PriorityLane):
            self._levels[lane.level].append(packet)
        lane.waiting += 1

    def goes_straight(self, packet: Packet) -> bool:
        """Whether a packet that finds room in the ring is sent at once; then its tokens are gone.

        Where nothing is shaped it is: then nothing waits while there is room.
        """
        if not self.is_shaped:
            return True
        now_ms, lane = packet.arrival_ms, self._lane_of_stream[packet.stream]
        if isinstance(lane, PriorityLane):
            if any(queue for level, queue in self._levels.items() if level <= lane.level):
                return False
        elif any(self._levels.values()) or self._rest:
            return False
        shaper = None
        if isinstance(lane, SharedLane):
            shaper = lane.shaper
            if self._sharing.others_wait(lane, now_ms) or lane.ready_ms(packet, now_ms) > now_ms:
                return False
        if self._parent is not None and self._parent.ready_ms(packet.frame, now_ms) > now_ms:
            return False
        for bucket in (shaper, self._parent):
            if bucket is not None:
                bucket.take(packet.frame)
        return True

    def next_turn(self, now_ms: float) -> Turn | None:
        """Take the piece that enters the ring next; None: nothing waits, or shapers hold it."""
        self.wake_ms = inf
        for queue in self._levels.values():
            if queue:
                if not self._passes_parent(queue[0], now_ms):
                    return None
                packet = queue.popleft()
                self._leaves(packet, self._lane_of_stream[packet.stream], now_ms)
                return packet.frame.pieces[0], packet
        if self._rest:
            return self._rest.popleft()
        lane = self._sharing.first(now_ms)
        if lane is None:
            self.wake_ms = self._sharing.wake_ms
            return None
        if not self._passes_parent(lane.queue.head(), now_ms):
            return None
        packet = self._serve(lane, now_ms)
        pieces = packet.frame.pieces
        return (pieces[0], packet) if len(pieces) == 1 else self.begin_fragments(packet)

    def _passes_parent(self, packet: Packet, now_ms: float) -> bool:
        """Take the packet's tokens from the parent shaper, or note when they are there."""
        if self._parent is None:
            return True
        ready_ms = self._parent.ready_ms(packet.frame, now_ms)
        if ready_ms > now_ms:
            self._parent.hold()
            self.wake_ms = ready_ms
            return False
        self._parent.take(packet.frame)
        return True

    def begin_fragments(self, packet: Packet) -> Turn:
        """The first fragment of a packet; the others keep their place before other classes."""
        first, *middle, last = packet.frame.pieces
        self._rest.extend((piece, None) for piece in middle)
        self._rest.append((last, packet))
        return first, None

    def _serve(self, lane: SharedLane, now_ms: float) -> Packet:
        self._sharing.charge(lane)
        packet = lane.queue.pop()
        self._leaves(packet, lane, now_ms)
        if not lane.waiting:
            lane.group.forget_if_empty()
        return packet

    def _leaves(self, packet: Packet, lane: Lane, now_ms: float) -> None:
        lane.waiting -= 1
        source = self._sources.get(packet.stream)
        if source is not None:
            self._put(source(now_ms), lane)
        if lane.red is not None and not lane.waiting:
            lane.red.emptied(now_ms)
