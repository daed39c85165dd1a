"""One replication of a scenario whose traffic does not react: arrivals are drawn beforehand."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from random import Random

from advisor.settings.scenario import Scenario, Stream
from advisor.simulate.arrivals import arrival_times_ms
from advisor.simulate.assembly import Member, assemble, packet_source
from advisor.simulate.duration import Duration
from advisor.simulate.frames import Packet
from advisor.simulate.interface import Interface
from advisor.simulate.tally import Tally


def drawn_packets(
    members: tuple[Member, ...],
    until_ms: float,
    random: Random,
    scheduled_ms: Mapping[int, Sequence[float]] = {},
) -> list[Packet]:
    """Packets of all open streams until a time, in the order of their arrival.

    `scheduled_ms` replaces the arrival times of some traffic, by its place in the scenario.
    """
    packets: list[Packet] = []
    for stream, member in enumerate(members):
        if isinstance(member.traffic, Stream):
            times_ms = scheduled_ms.get(member.place)
            if times_ms is None:
                times_ms = arrival_times_ms(member.traffic.arrival, until_ms, random)
            source = packet_source(stream, member.traffic, member.framer, random)
            packets.extend(map(source, times_ms))
    packets.sort(key=attrgetter("arrival_ms"))
    return packets


def run_open_loop(scenario: Scenario, duration: Duration, random: Random) -> tuple[Tally, ...]:
    """Tallies of one replication, one for each stream."""
    assembly = assemble(scenario, random)
    interface, members = assembly.interface, assembly.members
    tallies = tuple(Tally(member.place, duration) for member in members)
    for packet in drawn_packets(members, duration.until_ms, random):
        _empty(interface, packet.arrival_ms, tallies)
        tallies[packet.stream].arrived(packet.arrival_ms)
        dropped = interface.arrive(packet)
        if dropped is not None:
            tallies[dropped.stream].lost(dropped)
    _empty(interface, duration.until_ms, tallies)
    return tallies


def _empty(interface: Interface, until_ms: float, tallies: tuple[Tally, ...]) -> None:
    while (now_ms := interface.next_ms) <= until_ms:
        sent = interface.happen()
        if sent is not None:
            tallies[sent.stream].sent(sent, now_ms)
