"""From a scenario to its parts: streams, queues, scheduler, ring."""

from collections.abc import Callable, Sequence
from random import Random

from msgspec import Struct

from advisor.settings.scenario import (
    PriorityQueue,
    Queue,
    Saturated,
    Scenario,
    Stream,
    TcpGroup,
)
from advisor.simulate.arrivals import size_draw
from advisor.simulate.buckets import Shaper
from advisor.simulate.frames import Framer, Packet
from advisor.simulate.interface import Interface
from advisor.simulate.lane_of import lane_of
from advisor.simulate.scheduler import Scheduler
from advisor.simulate.wires import Bundle, Ring, Wires

_WFQ_WEIGHT = 32384


class Member(Struct, frozen=True):
    """One simulated stream or TCP flow; `place` is the index of its traffic in the scenario."""

    place: int
    traffic: Stream | TcpGroup
    framer: Framer


class Assembly(Struct, frozen=True):
    """An interface with full saturated queues at time 0, and the members that send through it."""

    interface: Interface
    members: tuple[Member, ...]


def assemble(scenario: Scenario, random: Random) -> Assembly:
    """Build one replication's interface, its saturated streams already waiting."""
    framers = {queue.name: _framer(scenario, queue) for queue in scenario.queues}
    members = tuple(
        Member(place, traffic, framers[traffic.queue])
        for place, traffic in enumerate(scenario.traffic)
        for _ in range(_count(traffic))
    )
    weights = {
        stream: _wfq_weight(member.traffic.precedence) for stream, member in enumerate(members)
    }
    lanes = {queue.name: lane_of(queue, scenario, weights, random) for queue in scenario.queues}
    lane_of_stream = tuple(lanes[member.traffic.queue] for member in members)
    backlogs: dict[int, int] = {}
    sources: dict[int, Callable[[float], Packet]] = {}
    for stream, member in enumerate(members):
        traffic = member.traffic
        if isinstance(traffic, Stream) and isinstance(traffic.arrival, Saturated):
            backlogs[stream] = traffic.arrival.backlog_packets_kept_in_queue
            sources[stream] = packet_source(stream, traffic, member.framer, random)
    parent = None if scenario.shape is None else Shaper(scenario.shape, scenario.link, random)
    scheduler = Scheduler(lane_of_stream, sources, scenario.excess_bandwidth, parent)
    profiles = tuple(member.traffic.wred_profile for member in members)
    interface = Interface(_wires(scenario, members), lane_of_stream, profiles, scheduler)
    for stream, packets in backlogs.items():
        scheduler.keep_waiting(stream, packets)
    interface.fill(0.0)
    return Assembly(interface, members)


def packet_source(
    stream: int, traffic: Stream, framer: Framer, random: Random
) -> Callable[[float], Packet]:
    """A function that makes the packet of a stream for an arrival time."""
    draw, frame_of = size_draw(traffic.ip_packet_bytes, random), framer.frame
    conversations = traffic.conversations_per_stream
    if conversations == 1:
        return lambda now_ms: Packet(now_ms, stream, frame_of(draw()), 0)
    return lambda now_ms: Packet(
        now_ms, stream, frame_of(draw()), int(conversations * random.random())
    )


def _count(traffic: Stream | TcpGroup) -> int:
    return (
        traffic.independent_identical_streams if isinstance(traffic, Stream) else traffic.tcp_flows
    )


def _framer(scenario: Scenario, queue: Queue) -> Framer:
    lfi = None if isinstance(queue, PriorityQueue) else scenario.fragmentation
    return Framer(scenario.link, scenario.tx_ring, lfi)


def _wfq_weight(precedence: int) -> float:
    """Weight of a conversation against one of precedence 0: IOS divides, and keeps whole numbers.

    Source: Cisco document 110850; the rounding shows in the printed sequence numbers.
    """
    return _WFQ_WEIGHT / (_WFQ_WEIGHT // (precedence + 1))


def _wires(scenario: Scenario, members: Sequence[Member]) -> Wires:
    ring, rates_kbps = scenario.tx_ring, scenario.link.member_rates_kbps
    if not rates_kbps:
        return Ring(ring.limit, beside=ring.wire_beside_ring)
    unsequenced = {
        stream
        for stream, member in enumerate(members)
        if scenario.fragmentation is not None
        and isinstance(scenario.queue_named(member.traffic.queue), PriorityQueue)
    }
    rings = [
        Ring(
            ring.limit,
            beside=ring.wire_beside_ring,
            slowness=scenario.link.rate_kbps / rate_kbps,
        )
        for rate_kbps in rates_kbps
    ]
    return Bundle(rings, unsequenced)
