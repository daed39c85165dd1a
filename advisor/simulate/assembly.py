"""From a scenario to its parts: streams, queues, scheduler, ring."""

from collections.abc import Callable
from random import Random

from msgspec import Struct

from advisor.settings.scenario import (
    PriorityQueue,
    Queue,
    Saturated,
    Scenario,
    SharedQueue,
    Stream,
    TcpGroup,
    wred_of,
)
from advisor.simulate.arrivals import size_draw
from advisor.simulate.frames import Framer, Packet
from advisor.simulate.interface import Interface
from advisor.simulate.queues import FairFlows, Fifo, Policer
from advisor.simulate.red import AverageQueue
from advisor.simulate.scheduler import Lane, Scheduler, SharedLane


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
    lanes = {queue.name: _lane(queue, random) for queue in scenario.queues}
    lane_of_stream = tuple(lanes[member.traffic.queue] for member in members)
    backlogs: dict[int, int] = {}
    sources: dict[int, Callable[[float], Packet]] = {}
    for stream, member in enumerate(members):
        traffic = member.traffic
        if isinstance(traffic, Stream) and isinstance(traffic.arrival, Saturated):
            backlogs[stream] = traffic.arrival.backlog_packets_kept_in_queue
            sources[stream] = packet_source(stream, traffic, member.framer, random)
    scheduler = Scheduler(lane_of_stream, sources)
    profiles = tuple(member.traffic.wred_profile for member in members)
    interface = Interface(scenario.tx_ring.limit, lane_of_stream, profiles, scheduler)
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


def _lane(queue: Queue, random: Random) -> Lane:
    limit = queue.queue_limit_packets
    if isinstance(queue, PriorityQueue):
        policed = queue.policed_under_congestion
        return Lane(limit, Policer(queue.priority_kbps, queue.burst_bytes) if policed else None)
    wred = wred_of(queue)
    red = None if wred is None else AverageQueue(wred, random)
    if not isinstance(queue, SharedQueue):
        return SharedLane(limit, Fifo(), red=red)
    fair = queue.fair_queue
    discipline = Fifo() if fair is None else FairFlows(fair.per_flow_queue_limit_packets)
    return SharedLane(limit, discipline, queue.weight, red)
