"""The output interface: what becomes of arrivals, and when something happens behind them."""

from collections.abc import Sequence
from math import inf

from advisor.simulate.frames import Packet
from advisor.simulate.lanes import Lane
from advisor.simulate.scheduler import Scheduler
from advisor.simulate.wires import Wires


class Interface:
    """Rings and wires that a scheduler fills.

    `next_ms` is when something happens next without an arrival; inf: nothing is to come.
    """

    __slots__ = ("_lanes", "_profiles", "_scheduler", "_wake_ms", "_wires", "next_ms")

    def __init__(
        self,
        wires: Wires,
        lanes: Sequence[Lane],
        profiles: Sequence[str | None],
        scheduler: Scheduler,
    ) -> None:
        self._wires = wires
        self._lanes = lanes  # of each stream
        self._profiles = profiles  # of WRED, of each stream
        self._scheduler = scheduler
        self._wake_ms = inf  # when a shaper lets the next packet into a ring that has room
        self.next_ms = inf

    @property
    def has_room(self) -> bool:
        """Whether a packet would find room in a ring now."""
        return self._wires.has_room()

    def lane_of(self, stream: int) -> Lane:
        """The class of a stream."""
        return self._lanes[stream]

    def arrive(self, packet: Packet) -> Packet | None:
        """Take a packet at its arrival time; give the packet that is dropped for it."""
        lane, now_ms = self._lanes[packet.stream], packet.arrival_ms
        if lane.police is not None and not lane.police.conforms(now_ms, packet.frame.frame_bytes):
            return packet
        profile = self._profiles[packet.stream]
        if lane.red and profile and lane.red.drops(now_ms, lane.waiting, profile):
            return packet
        has_room = self._wires.has_room()
        if has_room and self._scheduler.goes_straight(packet):
            self._enter_whole(packet, now_ms)
            return None
        policer = lane.policer
        if policer is not None and not policer.conforms(now_ms, packet.frame.frame_bytes):
            return packet
        dropped = self._scheduler.offer(packet)
        if has_room:  # a shaper holds something back: perhaps not this packet, or not so long
            self.fill(now_ms)
        return dropped

    def _enter_whole(self, packet: Packet, now_ms: float) -> None:
        pieces = packet.frame.pieces
        if len(pieces) == 1:
            self._wires.enter(pieces[0], packet, now_ms)
            self.next_ms = min(self._wires.next_ms, self._wake_ms)
        else:
            self._wires.enter(*self._scheduler.begin_fragments(packet), now_ms)
            self.fill(now_ms)

    def happen(self) -> Packet | None:
        """Let happen what is due at `next_ms`; give the packet that is delivered by it."""
        now_ms = self.next_ms
        packet = self._wires.happen() if self._wires.next_ms <= now_ms else None
        self.fill(now_ms)
        return packet

    def fill(self, now_ms: float) -> None:
        """Move waiting packets into the rings while there is room."""
        wires, scheduler = self._wires, self._scheduler
        self._wake_ms = inf
        while wires.has_room():
            turn = scheduler.next_turn(now_ms)
            if turn is None:
                self._wake_ms = scheduler.wake_ms
                break
            wires.enter(*turn, now_ms)
        self.next_ms = min(wires.next_ms, self._wake_ms)
