"""Packets given by hand, and when the simulated interface delivers them."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from advisor.predict.scenario_interface import interface_of
from advisor.settings.scenario import (
    DefaultQueue,
    FixedSize,
    Poisson,
    PriorityQueue,
    Queue,
    Scenario,
    ScenarioLink,
    SchedulerName,
    Stream,
    TxRing,
)
from advisor.simulate.interface import assemble
from advisor.simulate.packets import ArrivedPacket

# 1000 bytes take 8 ms.
LINK = ScenarioLink(rate_kbps=1000, l2_overhead_bytes_per_packet=0)
DATA = DefaultQueue(name="data", queue_limit_packets=100, bandwidth_percent=50)


def llq(name: str, **keys: object) -> PriorityQueue:
    """A priority queue that is not policed, unless `keys` say otherwise."""
    said = {"priority_kbps": 200.0, "burst_bytes": 5000.0, "policed_under_congestion": False}
    return PriorityQueue(name=name, queue_limit_packets=100, **(said | keys))  # type: ignore[arg-type]


class Arrival(NamedTuple):
    """A packet for the queue of that name."""

    at_ms: float
    queue: str
    ip_bytes: int
    conversation: int = 0


class Outcome(NamedTuple):
    """Deliveries as (queue, time), in order; and the queues of dropped packets, in order."""

    delivered: list[tuple[str, float]]
    dropped: list[str]


class _Still(Random):
    """Draws nothing: the timers of shapers start at 0."""

    def random(self) -> float:
        return 0.0


def scenario(
    queues: Sequence[Queue],
    *,
    scheduler: SchedulerName = "llq+cbwfq",
    link: ScenarioLink = LINK,
    ring: TxRing = TxRing(unit="packets", limit=1),  # noqa: B008 - frozen
    precedences: Sequence[int] = (),
    **keys: object,
) -> Scenario:
    """A scenario with a stream for each queue, or for each precedence of its only queue."""
    names = [queue.name for queue in queues]
    if precedences:
        names *= len(precedences)
    return Scenario(
        id="trace",
        link=link,
        tx_ring=ring,
        scheduler=scheduler,
        queues=tuple(queues),
        traffic=tuple(
            Stream(
                class_name=f"{name} {place}",
                queue=name,
                arrival=Poisson(1),
                ip_packet_bytes=FixedSize(1),
                precedence=precedences[place] if precedences else 0,
            )
            for place, name in enumerate(names)
        ),
        **keys,  # type: ignore[arg-type]
    )


def run(of: Scenario, arrivals: Sequence[Arrival]) -> Outcome:
    """Deliveries and drops; an arrival names its queue, or the place of its stream."""
    assembly = assemble(interface_of(of), _Still())
    interface, members = assembly.interface, assembly.members
    streams = {member.traffic.queue: place for place, member in enumerate(members)}
    streams |= {str(place): place for place in range(len(members))}
    names = {streams[arrival.queue]: arrival.queue for arrival in arrivals}
    outcome = Outcome([], [])

    def pass_time(until_ms: float) -> None:
        while (now_ms := interface.next_ms) <= until_ms:
            packet = interface.happen()
            if packet is not None:
                outcome.delivered.append((names[packet.stream], round(now_ms, 6)))

    for arrival in arrivals:
        pass_time(arrival.at_ms)
        stream = streams[arrival.queue]
        frame = members[stream].framer.frame(arrival.ip_bytes)
        dropped = interface.arrive(
            ArrivedPacket(arrival.at_ms, stream, frame, arrival.conversation)
        )
        if dropped is not None:
            outcome.dropped.append(names[dropped.stream])
    pass_time(1e6)
    return outcome
