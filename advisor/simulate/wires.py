"""What is behind the scheduler: rings and wires of one link or of a bundle."""

from collections import deque
from collections.abc import Collection, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Protocol

from advisor.simulate.frames import Packet, Piece


class Wires(Protocol):
    """Rings that take pieces of packets and wires that send them.

    `next_ms` is when something happens next: a place becomes free, a packet is delivered, or both.
    """

    next_ms: float

    def has_room(self) -> bool:
        """Whether a piece may enter now."""

    def enter(self, piece: Piece, packet: Packet | None, now_ms: float) -> None:
        """Take a piece in; `packet` ends with it, None: another piece of it follows."""

    def happen(self) -> Packet | None:
        """Let happen what is due at `next_ms`; give the packet that is delivered by it."""


class Ring:
    """A ring of `limit` units and its wire, which is `slowness` times as slow as the link.

    Beside the wire, the piece that is being sent uses no unit.
    """

    __slots__ = ("_beside", "_free_ms", "_limit", "_queue", "_slowness", "_used", "next_ms")

    def __init__(self, limit: int, *, beside: bool, slowness: float = 1.0) -> None:
        self._limit = limit
        self._beside = beside
        self._slowness = slowness
        self._queue: deque[tuple[float, int, Packet | None]] = deque()
        self._used = 0
        self._free_ms = 0.0  # when everything in the ring has been sent
        self.next_ms = inf

    def has_room(self) -> bool:
        return self._used < self._limit

    def sent_ms(self, piece: Piece, now_ms: float) -> float:
        """When the last bit of the piece would leave if it entered now."""
        return (self._free_ms if self._queue else now_ms) + piece.wire_ms * self._slowness

    def enter(self, piece: Piece, packet: Packet | None, now_ms: float) -> None:
        sent_ms = self.sent_ms(piece, now_ms)
        if not self._queue:
            self.next_ms = sent_ms
        if self._queue or not self._beside:
            self._used += piece.ring_units
        self._free_ms = sent_ms
        self._queue.append((sent_ms, piece.ring_units, packet))

    def happen(self) -> Packet | None:
        _, units, packet = self._queue.popleft()
        if not self._queue:
            self._used = 0
            self.next_ms = inf
        else:
            self.next_ms, next_units, _ = self._queue[0]
            self._used -= next_units if self._beside else units
        return packet


class Bundle:
    """Members of a multilink bundle; the far end delivers in the order of sending.

    A piece goes to the member with room where its last bit leaves first. Streams in `unsequenced`
    have no sequence number: they wait for nothing at the far end. Source of the order: RFC 1990.
    """

    __slots__ = ("_delivered", "_in_order_ms", "_made", "_members", "_unsequenced", "next_ms")

    def __init__(self, members: Sequence[Ring], unsequenced: Collection[int]) -> None:
        self._members = members
        self._unsequenced = unsequenced
        # when, a number that keeps deliveries of one time in order, packet
        self._delivered: list[tuple[float, int, Packet]] = []
        self._made = 0
        self._in_order_ms = 0.0  # when all numbered pieces have arrived
        self.next_ms = inf

    def has_room(self) -> bool:
        return any(member.has_room() for member in self._members)

    def enter(self, piece: Piece, packet: Packet | None, now_ms: float) -> None:
        sent_ms, _, member = min(
            (member.sent_ms(piece, now_ms), place, member)
            for place, member in enumerate(self._members)
            if member.has_room()
        )
        member.enter(piece, None, now_ms)
        at_ms = sent_ms
        if packet is None or packet.stream not in self._unsequenced:
            self._in_order_ms = at_ms = max(self._in_order_ms, sent_ms)
        if packet is not None:
            self._made += 1
            heappush(self._delivered, (at_ms, self._made, packet))
        self._look_ahead()

    def happen(self) -> Packet | None:
        if self._delivered and self._delivered[0][0] <= self.next_ms:
            _, _, packet = heappop(self._delivered)
        else:
            packet = None
            min(self._members, key=_next_ms).happen()
        self._look_ahead()
        return packet

    def _look_ahead(self) -> None:
        self.next_ms = min(map(_next_ms, self._members))
        if self._delivered:
            self.next_ms = min(self.next_ms, self._delivered[0][0])


def _next_ms(member: Ring) -> float:
    return member.next_ms
