"""The output interface, and its assembly."""

from collections.abc import Callable, Sequence
from math import inf
from random import Random

from msgspec import Struct

from advisor.model import DropProfile, Interface, Queue, QueueKind, Saturated, Traffic
from advisor.simulate.lanes import Lane, lane_of
from advisor.simulate.packets import ArrivedPacket, Framer, size_draw
from advisor.simulate.queues import ShaperBucket
from advisor.simulate.scheduler import Bundle, RingAndWire, Scheduler, Wires

# The output interface: what becomes of arrivals, and when something happens behind them.


class OutputInterface:
    """Rings and wires that a scheduler fills.

    `next_ms` is when something happens next without an arrival; inf: nothing is to come.
    """

    __slots__ = ("_lanes", "_profiles", "_scheduler", "_wake_ms", "_wires", "next_ms")

    def __init__(
        self,
        wires: Wires,
        lanes: Sequence[Lane],
        profiles: Sequence[DropProfile | None],
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

    def arrive(self, packet: ArrivedPacket) -> ArrivedPacket | None:
        """Take a packet at its arrival time; give the packet that is dropped for it."""
        lane, now_ms = self._lanes[packet.stream], packet.arrival_ms
        if lane.police is not None and not lane.police.conforms(now_ms, packet.frame.ip_bytes):
            return packet
        profile = self._profiles[packet.stream]
        if lane.red is not None and lane.red.drops(now_ms, lane.waiting, profile):
            return packet
        has_room = self._wires.has_room()
        if has_room and self._scheduler.goes_straight(packet):
            self._enter_whole(packet, now_ms)
            return None
        policer = lane.policer
        if policer is not None and not policer.conforms(now_ms, packet.frame.ip_bytes):
            return packet
        dropped = self._scheduler.offer(packet)
        if has_room:  # a shaper holds something back: perhaps not this packet, or not so long
            self.fill(now_ms)
        return dropped

    def _enter_whole(self, packet: ArrivedPacket, now_ms: float) -> None:
        pieces = packet.frame.pieces
        if len(pieces) == 1:
            self._wires.enter(pieces[0], packet, now_ms)
            self.next_ms = min(self._wires.next_ms, self._wake_ms)
        else:
            self._wires.enter(*self._scheduler.begin_fragments(packet), now_ms)
            self.fill(now_ms)

    def happen(self) -> ArrivedPacket | None:
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


# From an interface to its parts: streams, queues, scheduler, ring.

_WFQ_WEIGHT = 32384


class Member(Struct, frozen=True):
    """One simulated stream or TCP flow; `place` is the index of its traffic."""

    place: int
    traffic: Traffic
    framer: Framer


class Assembly(Struct, frozen=True):
    """An interface with full saturated queues at time 0, and the members that send through it."""

    interface: OutputInterface
    members: tuple[Member, ...]


def assemble(line: Interface, random: Random) -> Assembly:
    """Build one replication's interface, its saturated streams already waiting."""
    framers = {queue.name: _framer(line, queue) for queue in line.queues}
    members = tuple(
        Member(place, traffic, framers[traffic.queue])
        for place, traffic in enumerate(line.traffic)
        for _ in range(traffic.streams)
    )
    weights = {
        stream: _wfq_weight(member.traffic.precedence) for stream, member in enumerate(members)
    }
    lanes = {queue.name: lane_of(queue, line, weights, random) for queue in line.queues}
    lane_of_stream = tuple(lanes[member.traffic.queue] for member in members)
    backlogs: dict[int, int] = {}
    sources: dict[int, Callable[[float], ArrivedPacket]] = {}
    for stream, member in enumerate(members):
        traffic = member.traffic
        if isinstance(traffic.arrival, Saturated):
            backlogs[stream] = traffic.arrival.backlog_packets
            sources[stream] = packet_source(stream, traffic, member.framer, random)
    parent = None if line.shaper is None else ShaperBucket(line.shaper, line, random)
    scheduler = Scheduler(lane_of_stream, sources, line.excess, parent)
    profiles = tuple(member.traffic.profile for member in members)
    interface = OutputInterface(_wires(line, members), lane_of_stream, profiles, scheduler)
    for stream, packets in backlogs.items():
        scheduler.keep_waiting(stream, packets)
    interface.fill(0.0)
    return Assembly(interface, members)


def packet_source(
    stream: int, traffic: Traffic, framer: Framer, random: Random
) -> Callable[[float], ArrivedPacket]:
    """A function that makes the packet of a stream for an arrival time."""
    draw, frame_of = size_draw(traffic.sizes, random), framer.frame
    conversations = traffic.conversations
    if conversations == 1:
        return lambda now_ms: ArrivedPacket(now_ms, stream, frame_of(draw()), 0)
    return lambda now_ms: ArrivedPacket(
        now_ms, stream, frame_of(draw()), int(conversations * random.random())
    )


def _framer(line: Interface, queue: Queue) -> Framer:
    return Framer(line, None if queue.kind is QueueKind.PRIORITY else line.fragmentation)


def _wfq_weight(precedence: int) -> float:
    """Weight of a conversation against one of precedence 0: IOS divides, and keeps whole numbers.

    Source: Cisco document 110850; the rounding shows in the printed sequence numbers.
    """
    return _WFQ_WEIGHT / (_WFQ_WEIGHT // (precedence + 1))


def _wires(line: Interface, members: Sequence[Member]) -> Wires:
    ring, beside = line.ring, bool(line.ring.beside_wire)
    if not line.members_bps:
        return RingAndWire(ring.limit, beside=beside)
    priority = {queue.name for queue in line.queues if queue.kind is QueueKind.PRIORITY}
    unsequenced = {
        stream
        for stream, member in enumerate(members)
        if line.fragmentation is not None and member.traffic.queue in priority
    }
    rings = [
        RingAndWire(ring.limit, beside=beside, slowness=line.rate_bps / member_bps)
        for member_bps in line.members_bps
    ]
    return Bundle(rings, unsequenced)
