"""The scheduler: which packet, or fragment of one, enters the ring next.

LLQ packets go first, in order of arrival. Then the remaining fragments of a packet go, then the
other classes by self-clocked fair queueing. A single queue is FIFO.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from advisor.simulate.frames import Packet, Piece
from advisor.simulate.queues import Discipline, Policer
from advisor.simulate.red import AverageQueue

# The last piece of a packet carries the packet: its delay ends there.
Turn = tuple[Piece, Packet | None]


class Lane:
    """A class at the scheduler: its limit, its policer and WRED, and its number of waiting packets.

    This base is a class of the LLQ: the packets of all LLQ classes wait in one queue.
    """

    __slots__ = ("limit", "policer", "red", "waiting")

    def __init__(
        self, limit: int, policer: Policer | None = None, red: AverageQueue | None = None
    ) -> None:
        self.limit = limit
        self.policer = policer
        self.red = red
        self.waiting = 0


class SharedLane(Lane):
    """A class with its own queue, which shares the rate that the LLQ leaves with other classes."""

    __slots__ = ("queue", "start_tag", "weight")

    def __init__(
        self, limit: int, queue: Discipline, weight: float = 1.0, red: AverageQueue | None = None
    ) -> None:
        super().__init__(limit, red=red)
        self.queue = queue
        self.weight = weight
        self.start_tag = 0.0


class Scheduler:
    """Software queues of one interface.

    `lane_of_stream` is the lane of each stream; `sources` make the next packet of streams that
    always keep a backlog, at a given time.
    """

    def __init__(
        self,
        lane_of_stream: Sequence[Lane],
        sources: Mapping[int, Callable[[float], Packet]],
    ) -> None:
        self._lane_of_stream = lane_of_stream
        self._sources = sources
        lanes = dict.fromkeys(lane_of_stream)
        self._shared = [lane for lane in lanes if isinstance(lane, SharedLane)]
        self._llq: deque[Packet] = deque()
        self._rest: deque[Turn] = deque()
        self._virtual_time = 0.0

    def offer(self, packet: Packet) -> bool:
        """Queue a packet that found the ring full; False: tail drop."""
        lane = self._lane_of_stream[packet.stream]
        if lane.waiting >= lane.limit:
            return False
        if isinstance(lane, SharedLane) and not lane.queue.has_room(packet):
            return False
        self._put(packet, lane)
        return True

    def keep_waiting(self, stream: int, packets: int) -> None:
        """Queue the first backlog of a saturated stream; the queue limit does not apply to it."""
        for _ in range(packets):
            self._put(self._sources[stream](0.0), self._lane_of_stream[stream])

    def _put(self, packet: Packet, lane: Lane) -> None:
        if isinstance(lane, SharedLane):
            lane.queue.push(packet)
            if not lane.waiting:
                lane.start_tag = max(lane.start_tag, self._virtual_time)
        else:
            self._llq.append(packet)
        lane.waiting += 1

    def next_turn(self, now_ms: float) -> Turn | None:
        """Take the piece that enters the ring next; None: nothing waits."""
        if self._llq:
            packet = self._llq.popleft()
            self._leaves(packet, self._lane_of_stream[packet.stream], now_ms)
            return packet.frame.pieces[0], packet
        if self._rest:
            return self._rest.popleft()
        lane = self._next_lane()
        if lane is None:
            return None
        packet = self._serve(lane, now_ms)
        pieces = packet.frame.pieces
        if len(pieces) == 1:
            return pieces[0], packet
        return self.begin_fragments(packet)

    def begin_fragments(self, packet: Packet) -> Turn:
        """The first fragment of a packet; the others keep their place before other classes."""
        first, *middle, last = packet.frame.pieces
        self._rest.extend((piece, None) for piece in middle)
        self._rest.append((last, packet))
        return first, None

    def _next_lane(self) -> SharedLane | None:
        best, best_tag = None, 0.0
        for lane in self._shared:
            if lane.waiting:
                tag = lane.start_tag + lane.queue.next_bytes() / lane.weight
                if best is None or tag < best_tag:
                    best, best_tag = lane, tag
        if best is not None:
            best.start_tag = self._virtual_time = best_tag
        return best

    def _serve(self, lane: SharedLane, now_ms: float) -> Packet:
        packet = lane.queue.pop()
        self._leaves(packet, lane, now_ms)
        if not lane.waiting and not any(queue.waiting for queue in self._shared):
            self._virtual_time = 0.0
            for queue in self._shared:
                queue.start_tag = 0.0
        return packet

    def _leaves(self, packet: Packet, lane: Lane, now_ms: float) -> None:
        lane.waiting -= 1
        source = self._sources.get(packet.stream)
        if source is not None:
            self._put(source(now_ms), lane)
        if lane.red is not None and not lane.waiting:
            lane.red.emptied(now_ms)
