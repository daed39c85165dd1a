"""The output interface: transmit ring and wire behind the scheduler."""

from collections import deque
from collections.abc import Sequence
from math import inf

from advisor.simulate.frames import Packet, Piece
from advisor.simulate.scheduler import Lane, Scheduler


class Interface:
    """A ring of `limit` units that the scheduler fills and the wire empties.

    `next_sent_ms` is when the last bit of the packet on the wire leaves; inf: the wire is idle.
    """

    __slots__ = (
        "_free_ms",
        "_lanes",
        "_limit",
        "_profiles",
        "_ring",
        "_scheduler",
        "_used",
        "next_sent_ms",
    )

    def __init__(
        self,
        limit: int,
        lanes: Sequence[Lane],
        profiles: Sequence[str | None],
        scheduler: Scheduler,
    ) -> None:
        self._limit = limit
        self._lanes = lanes  # of each stream
        self._profiles = profiles  # of WRED, of each stream
        self._scheduler = scheduler
        self._ring: deque[tuple[float, int, Packet | None]] = deque()
        self._used = 0
        self._free_ms = 0.0  # when everything in the ring has been sent
        self.next_sent_ms = inf

    def arrive(self, packet: Packet) -> bool:
        """Take a packet at its arrival time; False if WRED, policer or tail drop refuse it."""
        lane, now_ms = self._lanes[packet.stream], packet.arrival_ms
        profile = self._profiles[packet.stream]
        if lane.red and profile and lane.red.drops(now_ms, lane.waiting, profile):
            return False
        if self._used < self._limit:  # then nothing waits: straight into the ring
            piece = packet.frame.pieces[0]
            if len(packet.frame.pieces) == 1:
                self._enter(piece, packet, now_ms)
            else:
                self._enter(*self._scheduler.begin_fragments(packet), now_ms)
                self.fill(now_ms)
            return True
        policer = lane.policer
        if policer is not None and not policer.conforms(now_ms, packet.frame.frame_bytes):
            return False
        return self._scheduler.offer(packet)

    def send(self) -> Packet | None:
        """Send the last bit at `next_sent_ms`; return the packet, or None if fragments follow."""
        now_ms, units, packet = self._ring.popleft()
        self._used -= units
        self.fill(now_ms)
        self.next_sent_ms = self._ring[0][0] if self._ring else inf
        return packet

    def fill(self, now_ms: float) -> None:
        """Move waiting packets into the ring while there is room."""
        while self._used < self._limit:
            turn = self._scheduler.next_turn(now_ms)
            if turn is None:
                return
            self._enter(*turn, now_ms)

    def _enter(self, piece: Piece, packet: Packet | None, now_ms: float) -> None:
        sent_ms = (self._free_ms if self._ring else now_ms) + piece.wire_ms
        if not self._ring:
            self.next_sent_ms = sent_ms
        self._free_ms = sent_ms
        self._used += piece.ring_units
        self._ring.append((sent_ms, piece.ring_units, packet))
