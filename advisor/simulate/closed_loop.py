"""One replication of a scenario with TCP: acknowledgements and timeouts make the arrivals."""

from heapq import heappop, heappush
from math import inf
from random import Random
from typing import NamedTuple, TypeAlias

from advisor.settings.scenario import Scenario, TcpGroup
from advisor.simulate.assembly import Assembly, assemble
from advisor.simulate.duration import Duration
from advisor.simulate.frames import Frame, Packet
from advisor.simulate.open_loop import drawn_packets
from advisor.simulate.tally import Tally
from advisor.simulate.tcp import Receiver, Sender
from advisor.units import ms_from_s

_FLOWS_START_WITHIN_MS = ms_from_s(5)
_EXTRA_DELAY_MS = 1.0  # U(0, 1 ms) before the interface: identical flows must not lock in step
_BEFORE_INTERFACE_RATIO = 0.25  # part of the base round trip


class _Flow:
    """Both ends of one TCP flow, and its connections one after the other."""

    __slots__ = ("check_ms", "connection", "frame", "group", "last_ms", "receiver", "sender")

    def __init__(self, group: TcpGroup, frame: Frame) -> None:
        self.group = group
        self.frame = frame
        self.connection = 0
        self.sender, self.receiver = Sender(group), Receiver()
        self.last_ms = 0.0  # when its latest packet reaches the interface
        self.check_ms = inf  # when the retransmission timer is looked at next

    def reconnect(self) -> None:
        """Begin a new connection, whose state is fresh."""
        self.connection += 1
        self.sender, self.receiver = Sender(self.group), Receiver()


class _Acknowledgement(NamedTuple):
    stream: int
    connection: int
    number: int


class _Start(NamedTuple):
    stream: int


class _TimerCheck(NamedTuple):
    stream: int


_Event: TypeAlias = Packet | _Acknowledgement | _Start | _TimerCheck


class _ClosedLoop:
    """The interface with its TCP flows and their future events."""

    def __init__(self, assembly: Assembly, random: Random, duration: Duration) -> None:
        members = assembly.members
        self.interface = assembly.interface
        self.tallies = tuple(Tally(member.place, duration) for member in members)
        self._random = random.random
        # time, a number that keeps events of one time in order, event
        self.events: list[tuple[float, int, _Event]] = []
        self._made = 0
        self._flows = {
            stream: _Flow(member.traffic, member.framer.frame(member.traffic.ip_packet_bytes))
            for stream, member in enumerate(members)
            if isinstance(member.traffic, TcpGroup)
        }
        for stream in self._flows:
            self._plan(_FLOWS_START_WITHIN_MS * self._random(), _Start(stream))
        for packet in drawn_packets(members, duration.until_ms, random):
            self._plan(packet.arrival_ms, packet)

    def _plan(self, at_ms: float, event: _Event) -> None:
        self._made += 1
        heappush(self.events, (at_ms, self._made, event))

    def sent(self, packet: Packet, now_ms: float) -> None:
        """Deliver a packet that left the interface, and plan its acknowledgement."""
        self.tallies[packet.stream].sent(packet, now_ms)
        flow = self._flows.get(packet.stream)
        if flow is not None and packet.conversation == flow.connection:
            number = flow.receiver.receive(packet.number)
            back_ms = now_ms + (1 - _BEFORE_INTERFACE_RATIO) * flow.group.base_rtt_ms
            self._plan(back_ms, _Acknowledgement(packet.stream, flow.connection, number))

    def happen(self, event: _Event, now_ms: float) -> None:
        """Let an event take place."""
        if isinstance(event, Packet):
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
                    self._plan(now_ms + flow.group.base_rtt_ms, _Start(event.stream))
        elif isinstance(event, _Start):
            numbers = flow.sender.send(now_ms)
        else:
            flow.check_ms = inf
            if flow.sender.timeout_at_ms <= now_ms:
                numbers = flow.sender.time_out(now_ms)
        self._send(event.stream, flow, numbers, now_ms)

    def _send(self, stream: int, flow: _Flow, numbers: list[int], now_ms: float) -> None:
        at_interface_ms = now_ms + _BEFORE_INTERFACE_RATIO * flow.group.base_rtt_ms
        for number in numbers:
            delayed_ms = at_interface_ms + _EXTRA_DELAY_MS * self._random()
            flow.last_ms = max(flow.last_ms, delayed_ms)
            packet = Packet(flow.last_ms, stream, flow.frame, flow.connection, number)
            self._plan(flow.last_ms, packet)
        # The timer moves with every acknowledgement: it is looked at, and moved, when it is due.
        if flow.sender.timeout_at_ms < flow.check_ms:
            flow.check_ms = flow.sender.timeout_at_ms
            self._plan(flow.check_ms, _TimerCheck(stream))


def run_closed_loop(scenario: Scenario, duration: Duration, random: Random) -> tuple[Tally, ...]:
    """Tallies of one replication, one for each stream and flow."""
    loop = _ClosedLoop(assemble(scenario, random), random, duration)
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
