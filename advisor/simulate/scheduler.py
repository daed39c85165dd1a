"""The scheduler, and the rings and wires behind it."""

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Protocol

from msgspec import Struct, field

from advisor.model import Excess
from advisor.simulate.lanes import Lane, PriorityLane, SharedLane, Sharing
from advisor.simulate.packets import ArrivedPacket, Piece
from advisor.simulate.queues import ShaperBucket

# Stages behind the scheduler: rings and wires of one link or of a bundle.


class Wires(Protocol):
    """Rings that take pieces of packets and wires that send them.

    `next_ms` is when something happens next: a place becomes free, a packet is delivered, or both.
    """

    next_ms: float

    def has_room(self) -> bool:
        """Whether a piece may enter now."""

    def enter(self, piece: Piece, packet: ArrivedPacket | None, now_ms: float) -> None:
        """Add a piece; `packet` is set for the last piece of a packet, None for the others."""

    def happen(self) -> ArrivedPacket | None:
        """Process the event at `next_ms`; return the packet that it delivers, if any."""


class RingAndWire(Struct, eq=False):
    """A transmit ring of `limit` units and its wire, `slowness` times as slow as the link.

    With `beside`, the piece that is being sent has left the ring and uses no unit of it.
    """

    limit: int
    beside: bool
    slowness: float = 1.0
    next_ms: float = inf
    _queue: deque[tuple[float, int, ArrivedPacket | None]] = field(default_factory=deque)
    _used: int = 0
    _free_ms: float = 0.0  # when everything in the ring has been sent

    def has_room(self) -> bool:
        return self._used < self.limit

    def sent_ms(self, piece: Piece, now_ms: float) -> float:
        """When the last bit of the piece would leave if it entered now."""
        return (self._free_ms if self._queue else now_ms) + piece.wire_ms * self.slowness

    def enter(self, piece: Piece, packet: ArrivedPacket | None, now_ms: float) -> None:
        sent_ms = self.sent_ms(piece, now_ms)
        if not self._queue:
            self.next_ms = sent_ms
        if self._queue or not self.beside:
            self._used += piece.ring_units
        self._free_ms = sent_ms
        self._queue.append((sent_ms, piece.ring_units, packet))

    def happen(self) -> ArrivedPacket | None:
        _, units, packet = self._queue.popleft()
        if not self._queue:
            self._used = 0
            self.next_ms = inf
        else:
            self.next_ms, next_units, _ = self._queue[0]
            self._used -= next_units if self.beside else units
        return packet


class Bundle(Struct, eq=False):
    """Links of a multilink bundle; the far end delivers packets in the order of sending.

    A piece goes to the member with room where its last bit leaves first. Streams in `unsequenced`
    have no sequence numbers, so the far end delivers them at once. Source: RFC 1990.
    """

    members: Sequence[RingAndWire]
    unsequenced: Collection[int]
    next_ms: float = inf
    # when, a number that keeps deliveries of one time in order, packet
    _delivered: list[tuple[float, int, ArrivedPacket]] = field(default_factory=list)
    _made: int = 0
    _in_order_ms: float = 0.0  # when all numbered pieces have arrived

    def has_room(self) -> bool:
        return any(member.has_room() for member in self.members)

    def enter(self, piece: Piece, packet: ArrivedPacket | None, now_ms: float) -> None:
        sent_ms, _, member = min(
            (member.sent_ms(piece, now_ms), place, member)
            for place, member in enumerate(self.members)
            if member.has_room()
        )
        member.enter(piece, None, now_ms)
        at_ms = sent_ms
        if packet is None or packet.stream not in self.unsequenced:
            self._in_order_ms = at_ms = max(self._in_order_ms, sent_ms)
        if packet is not None:
            self._made += 1
            heappush(self._delivered, (at_ms, self._made, packet))
        self._look_ahead()

    def happen(self) -> ArrivedPacket | None:
        if self._delivered and self._delivered[0][0] <= self.next_ms:
            _, _, packet = heappop(self._delivered)
        else:
            packet = None
            min(self.members, key=_next_ms).happen()
        self._look_ahead()
        return packet

    def _look_ahead(self) -> None:
        self.next_ms = min(map(_next_ms, self.members))
        if self._delivered:
            self.next_ms = min(self.next_ms, self._delivered[0][0])


def _next_ms(member: RingAndWire) -> float:
    return member.next_ms


# The scheduler: which packet, or fragment of one, enters the ring next.
#
# LLQ packets go first, level by level, each level in order of arrival. Then the remaining
# fragments of a packet go, then the other classes as `sharing` says. A parent shaper may hold
# back all.

# The last piece of a packet carries the packet: its delay ends there.
Turn = tuple[Piece, ArrivedPacket | None]


class Scheduler:
    """Software queues of one interface.

    `lane_of_stream` is the lane of each stream; `sources` make the next packet of streams that
    always keep a backlog, at a given time. `wake_ms` is when a shaper releases the next packet,
    after `next_turn` returned None; inf: no shaper holds a packet.
    """

    def __init__(
        self,
        lane_of_stream: Sequence[Lane],
        sources: Mapping[int, Callable[[float], ArrivedPacket]],
        excess: Excess = Excess.PROPORTIONAL,
        parent: ShaperBucket | None = None,
    ) -> None:
        self._lane_of_stream = lane_of_stream
        self._sources = sources
        self._parent = parent
        lanes = dict.fromkeys(lane_of_stream)
        shared = [lane for lane in lanes if isinstance(lane, SharedLane)]
        self._sharing = Sharing(shared, excess)
        self.is_shaped = parent is not None or any(lane.shaper is not None for lane in shared)
        levels = {lane.level for lane in lanes if isinstance(lane, PriorityLane)}
        self._levels: dict[int, deque[ArrivedPacket]] = {level: deque() for level in sorted(levels)}
        self._rest: deque[Turn] = deque()
        self.wake_ms = inf

    def offer(self, packet: ArrivedPacket) -> ArrivedPacket | None:
        """Queue a packet that cannot be sent at once; return the packet dropped for it, if any."""
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

    def _push_out(self, packet: ArrivedPacket, lane: SharedLane) -> ArrivedPacket:
        self._put(packet, lane)
        worst = lane.queue.pop_worst(self._sources)
        lane.waiting -= 1
        return worst

    def keep_waiting(self, stream: int, packets: int) -> None:
        """Queue the first backlog of a saturated stream; the queue limit does not apply to it."""
        for _ in range(packets):
            self._put(self._sources[stream](0.0), self._lane_of_stream[stream])

    def _put(self, packet: ArrivedPacket, lane: Lane) -> None:
        if isinstance(lane, SharedLane):
            lane.queue.push(packet)
            if not lane.waiting:
                lane.joins(packet.arrival_ms)
        elif isinstance(lane, PriorityLane):
            self._levels[lane.level].append(packet)
        lane.waiting += 1

    def goes_straight(self, packet: ArrivedPacket) -> bool:
        """Whether a packet that finds room in the ring is sent at once; if so, takes its tokens.

        Without shapers it always is: no packet waits while the ring has room.
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

    def _passes_parent(self, packet: ArrivedPacket, now_ms: float) -> bool:
        """Take the packet's tokens from the parent shaper; if they lack, set `wake_ms`."""
        if self._parent is None:
            return True
        ready_ms = self._parent.ready_ms(packet.frame, now_ms)
        if ready_ms > now_ms:
            self._parent.hold()
            self.wake_ms = ready_ms
            return False
        self._parent.take(packet.frame)
        self._parent.release()
        return True

    def begin_fragments(self, packet: ArrivedPacket) -> Turn:
        """The first fragment of a packet; the others keep their place before other classes."""
        first, *middle, last = packet.frame.pieces
        self._rest.extend((piece, None) for piece in middle)
        self._rest.append((last, packet))
        return first, None

    def _serve(self, lane: SharedLane, now_ms: float) -> ArrivedPacket:
        self._sharing.charge(lane)
        packet = lane.queue.pop()
        self._leaves(packet, lane, now_ms)
        if not lane.waiting:
            lane.group.forget_if_empty()
        return packet

    def _leaves(self, packet: ArrivedPacket, lane: Lane, now_ms: float) -> None:
        lane.waiting -= 1
        source = self._sources.get(packet.stream)
        if source is not None:
            self._put(source(now_ms), lane)
        if lane.red is not None and not lane.waiting:
            lane.red.emptied(now_ms)
