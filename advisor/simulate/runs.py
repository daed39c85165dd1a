"""One replication of an interface: without TCP, with TCP, or packet by packet."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from heapq import heappop, heappush
from math import inf
from operator import attrgetter
from random import Random
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from advisor.ground.units import ms_from_s
from advisor.model import Interface, Tcp
from advisor.simulate.interface import Assembly, Member, OutputInterface, assemble, packet_source
from advisor.simulate.packets import ArrivedPacket, Duration, Frame, arrival_times_ms
from advisor.simulate.queues import AverageQueue
from advisor.simulate.summary import Tally
from advisor.simulate.tcp import Receiver, Sender

# One replication of an interface whose traffic does not react: arrivals are drawn beforehand.


def drawn_packets(
    members: tuple[Member, ...],
    until_ms: float,
    random: Random,
    scheduled_ms: Mapping[int, Sequence[float]] = {},
) -> list[ArrivedPacket]:
    """Packets of all open streams until a time, in the order of their arrival.

    `scheduled_ms` replaces the arrival times of some traffic, by its place.
    """
    packets: list[ArrivedPacket] = []
    for stream, member in enumerate(members):
        if not isinstance(member.traffic.arrival, Tcp):
            times_ms = scheduled_ms.get(member.place)
            if times_ms is None:
                times_ms = arrival_times_ms(member.traffic.arrival, until_ms, random)
            source = packet_source(stream, member.traffic, member.framer, random)
            packets.extend(map(source, times_ms))
    packets.sort(key=attrgetter("arrival_ms"))
    return packets


def run_open_loop(line: Interface, duration: Duration, random: Random) -> tuple[Tally, ...]:
    """Tallies of one replication, one for each stream."""
    assembly = assemble(line, random)
    interface, members = assembly.interface, assembly.members
    tallies = _tallies(members, duration)
    for packet in drawn_packets(members, duration.until_ms, random):
        _empty(interface, packet.arrival_ms, tallies)
        tallies[packet.stream].arrived(packet.arrival_ms)
        dropped = interface.arrive(packet)
        if dropped is not None:
            tallies[dropped.stream].lost(dropped)
    _empty(interface, duration.until_ms, tallies)
    return tallies


def _tallies(members: Sequence[Member], duration: Duration) -> tuple[Tally, ...]:
    times_ms = duration.warm_up_ms, duration.measured_until_ms
    return tuple(Tally(member.place, *times_ms) for member in members)


def _empty(interface: OutputInterface, until_ms: float, tallies: tuple[Tally, ...]) -> None:
    while (now_ms := interface.next_ms) <= until_ms:
        sent = interface.happen()
        if sent is not None:
            tallies[sent.stream].sent(sent, now_ms)


# One replication with TCP: acknowledgements and timeouts make the arrivals.

_FLOWS_START_WITHIN_MS = ms_from_s(5)
_EXTRA_DELAY_MS = 1.0  # U(0, 1 ms) before the interface: identical flows must not lock in step
_BEFORE_INTERFACE_RATIO = 0.25  # part of the base round trip


class _Flow(Struct, eq=False):
    """Both ends of one TCP flow, and its connections one after the other."""

    tcp: Tcp
    frame: Frame
    sender: Sender
    receiver: Receiver
    connection: int = 0
    last_ms: float = 0.0  # when its latest packet reaches the interface
    check_ms: float = inf  # when the retransmission timer is looked at next

    def reconnect(self) -> None:
        """Begin a new connection, whose state is fresh."""
        self.connection += 1
        self.sender, self.receiver = Sender(self.tcp), Receiver()


class _Acknowledgement(NamedTuple):
    stream: int
    connection: int
    number: int


class _StreamStart(NamedTuple):
    stream: int


class _TimerCheck(NamedTuple):
    stream: int


_Event: TypeAlias = ArrivedPacket | _Acknowledgement | _StreamStart | _TimerCheck


class _ClosedLoop:
    """The interface with its TCP flows and their future events."""

    def __init__(self, assembly: Assembly, random: Random, duration: Duration) -> None:
        members = assembly.members
        self.interface = assembly.interface
        self.tallies = _tallies(members, duration)
        self._random = random.random
        # time, a number that keeps events of one time in order, event
        self.events: list[tuple[float, int, _Event]] = []
        self._made = 0
        self._flows = {
            stream: _Flow(
                arrival,
                member.framer.frame(member.traffic.packet_bytes),
                Sender(arrival),
                Receiver(),
            )
            for stream, member in enumerate(members)
            if isinstance(arrival := member.traffic.arrival, Tcp)
        }
        for stream in self._flows:
            self._plan(_FLOWS_START_WITHIN_MS * self._random(), _StreamStart(stream))
        for packet in drawn_packets(members, duration.until_ms, random):
            self._plan(packet.arrival_ms, packet)

    def _plan(self, at_ms: float, event: _Event) -> None:
        self._made += 1
        heappush(self.events, (at_ms, self._made, event))

    def sent(self, packet: ArrivedPacket, now_ms: float) -> None:
        """Deliver a packet that left the interface, and plan its acknowledgement."""
        self.tallies[packet.stream].sent(packet, now_ms)
        flow = self._flows.get(packet.stream)
        if flow is not None and packet.conversation == flow.connection:
            number = flow.receiver.receive(packet.number)
            back_ms = now_ms + (1 - _BEFORE_INTERFACE_RATIO) * flow.tcp.base_rtt_ms
            self._plan(back_ms, _Acknowledgement(packet.stream, flow.connection, number))

    def happen(self, event: _Event, now_ms: float) -> None:
        """Let an event take place."""
        if isinstance(event, ArrivedPacket):
            self.tallies[event.stream].arrived(now_ms)
            dropped = self.interface.arrive(event)
            if dropped is not None:
                self.tallies[dropped.stream].lost(dropped)
            return
        flow = self._flows[event.stream]
        numbers: list[int] = []
        if isinstance(event, _Acknowledgement):
            if event.connection == flow.connection:
                numbers = flow.sender.acknowledged(event.number, now_ms)
                if flow.sender.finished:
                    flow.reconnect()
                    self._plan(now_ms + flow.tcp.base_rtt_ms, _StreamStart(event.stream))
        elif isinstance(event, _StreamStart):
            numbers = flow.sender.send(now_ms)
        else:
            flow.check_ms = inf
            if flow.sender.timeout_at_ms <= now_ms:
                numbers = flow.sender.time_out(now_ms)
        self._send(event.stream, flow, numbers, now_ms)

    def _send(self, stream: int, flow: _Flow, numbers: list[int], now_ms: float) -> None:
        at_interface_ms = now_ms + _BEFORE_INTERFACE_RATIO * flow.tcp.base_rtt_ms
        for number in numbers:
            delayed_ms = at_interface_ms + _EXTRA_DELAY_MS * self._random()
            flow.last_ms = max(flow.last_ms, delayed_ms)
            packet = ArrivedPacket(flow.last_ms, stream, flow.frame, flow.connection, number)
            self._plan(flow.last_ms, packet)
        # The timer moves with every acknowledgement: it is looked at, and moved, when it is due.
        if flow.sender.timeout_at_ms < flow.check_ms:
            flow.check_ms = flow.sender.timeout_at_ms
            self._plan(flow.check_ms, _TimerCheck(stream))


def run_closed_loop(line: Interface, duration: Duration, random: Random) -> tuple[Tally, ...]:
    """Tallies of one replication, one for each stream and flow."""
    loop = _ClosedLoop(assemble(line, random), random, duration)
    interface, events, until_ms = loop.interface, loop.events, duration.until_ms
    while True:
        event_ms = events[0][0] if events else inf
        now_ms = min(event_ms, interface.next_ms)
        if now_ms > until_ms:
            return loop.tallies
        if interface.next_ms <= event_ms:
            packet = interface.happen()
            if packet is not None:
                loop.sent(packet, now_ms)
        else:
            loop.happen(heappop(events)[2], now_ms)


# Fates of all packets of a stretch of time, in place of the figures of a class.


class Fate(Enum):
    """Ways in which a packet can end."""

    CARRIED = auto()
    RANDOM_DROP = auto()  # by WRED below the maximum threshold
    OTHER_DROP = auto()  # full queue, average above the maximum threshold, policer


class PacketPassage(NamedTuple):
    """A packet of the traffic at `place`.

    `sent_ms` is when its last bit left; inf: never, or not within the stretch. `is_queued`: the
    ring had no room for it. `waiting` packets of its class were in the software queue after it, and
    `average` is their average for WRED; 0 without WRED.
    """

    place: int
    arrival_ms: float
    ip_bytes: int
    sent_ms: float
    fate: Fate
    is_queued: bool
    waiting: int
    average: float


def passages(
    line: Interface,
    until_ms: float,
    seed: int,
    scheduled_ms: Mapping[int, Sequence[float]] = {},
) -> tuple[PacketPassage, ...]:
    """Simulate a stretch from an empty interface; its packets in the order of arrival.

    Parameters
    ----------
    line : Interface
        An interface under streams; TCP flows send nothing.
    until_ms : float
        End of the stretch.
    seed : int
        The same seed gives the same packets.
    scheduled_ms : mapping of int to sequence of float
        Arrival times of traffic, by its place; all other times are drawn.
    """
    random = Random(str(seed))  # noqa: S311 - repeatable draws, no secret
    assembly = assemble(line, random)
    interface, sent_ms = assembly.interface, dict[tuple[int, float], float]()
    rows: list[tuple[tuple[int, float], PacketPassage]] = []
    for packet in drawn_packets(assembly.members, until_ms, random, scheduled_ms):
        _send(interface, packet.arrival_ms, sent_ms)
        is_queued = not interface.has_room
        is_dropped = interface.arrive(packet) is not None
        lane = interface.lane_of(packet.stream)
        passage = PacketPassage(
            assembly.members[packet.stream].place,
            packet.arrival_ms,
            packet.frame.ip_bytes,
            inf,
            _fate(lane.red) if is_dropped else Fate.CARRIED,
            is_queued,
            lane.waiting,
            0.0 if lane.red is None else lane.red.average,
        )
        rows.append(((packet.stream, packet.arrival_ms), passage))
    _send(interface, until_ms, sent_ms)
    return tuple(passage._replace(sent_ms=sent_ms.get(key, inf)) for key, passage in rows)


def _fate(red: AverageQueue | None) -> Fate:
    return Fate.RANDOM_DROP if red is not None and red.dropped_at_random else Fate.OTHER_DROP


def _send(
    interface: OutputInterface, until_ms: float, sent_ms: dict[tuple[int, float], float]
) -> None:
    while (now_ms := interface.next_ms) <= until_ms:
        packet = interface.happen()
        if packet is not None:
            sent_ms[packet.stream, packet.arrival_ms] = now_ms
