"""What happens to every packet of a stretch of time, in place of the figures of a class."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from math import inf
from random import Random
from typing import NamedTuple

from advisor.settings.scenario import Scenario
from advisor.simulate.assembly import assemble
from advisor.simulate.interface import Interface
from advisor.simulate.open_loop import drawn_packets
from advisor.simulate.red import AverageQueue


class Fate(Enum):
    """What becomes of a packet."""

    CARRIED = auto()
    RANDOM_DROP = auto()  # by WRED below the maximum threshold
    OTHER_DROP = auto()  # full queue, average above the maximum threshold, policer


class Passage(NamedTuple):
    """A packet of the traffic at `place` of the scenario.

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
    scenario: Scenario,
    until_ms: float,
    seed: int,
    scheduled_ms: Mapping[int, Sequence[float]] = {},
) -> tuple[Passage, ...]:
    """Simulate a stretch from an empty interface; its packets in the order of arrival.

    Parameters
    ----------
    scenario : Scenario
        An interface under streams; TCP groups send nothing.
    until_ms : float
        End of the stretch.
    seed : int
        The same seed gives the same packets.
    scheduled_ms : mapping of int to sequence of float
        Arrival times of traffic, by its place in the scenario; all other times are drawn.
    """
    random = Random(str(seed))  # noqa: S311 - repeatable draws, no secret
    assembly = assemble(scenario, random)
    interface, sent_ms = assembly.interface, dict[tuple[int, float], float]()
    rows: list[tuple[tuple[int, float], Passage]] = []
    for packet in drawn_packets(assembly.members, until_ms, random, scheduled_ms):
        _send(interface, packet.arrival_ms, sent_ms)
        is_queued = not interface.has_room
        is_dropped = interface.arrive(packet) is not None
        lane = interface.lane_of(packet.stream)
        passage = Passage(
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


def _send(interface: Interface, until_ms: float, sent_ms: dict[tuple[int, float], float]) -> None:
    while (now_ms := interface.next_ms) <= until_ms:
        packet = interface.happen()
        if packet is not None:
            sent_ms[packet.stream, packet.arrival_ms] = now_ms
