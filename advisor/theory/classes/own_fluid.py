"""A queue of on/off sources beside queues that keep the ring full: a fluid at its turn's rate."""

from msgspec import Struct

from advisor.theory.classes.fluid import accepted_arrivals, fluid_queue, moments
from advisor.theory.classes.turns import FullRing, Turn
from advisor.theory.flows import Flow
from advisor.theory.interface import Delay, OnOff
from advisor.theory.offered import sends_trains
from advisor.units import s_from_ms

LEAST_ROOM = 0.05  # numeric: part of its turn that other flows of the queue leave at least


class OwnFluid(Struct, frozen=True):
    """Delay of a packet of the sources, and the part of their packets that finds no room."""

    delay: Delay
    loss_ratio: float


def own_fluid(turn: Turn, ring: FullRing, flow: Flow, rate: float) -> OwnFluid:
    """Delay of `flow` in a queue with trains that has `rate` of the wire while it has packets.

    The work that waits is that of the fluid queue of D. Anick, D. Mitra, M. M. Sondhi (1982) with
    the queue-limit as its buffer. A packet of a source sees the phases weighted by their rates; any
    other packet sees them at a random time. Then it takes its place of the ring.
    """
    source = max(filter(sends_trains, turn.flows), key=lambda candidate: candidate.load)
    arrival = source.traffic.arrival
    if not isinstance(arrival, OnOff):
        raise TypeError("only on/off sources send trains")
    trains = sum(neighbour.load for neighbour in turn.flows if sends_trains(neighbour))
    steady = sum(neighbour.load for neighbour in turn.flows if not sends_trains(neighbour))
    sources = max(1, round(trains / (source.load / source.traffic.streams)))
    peak_load = arrival.peak_packets_per_s * s_from_ms(source.mean_ms)
    room = max(rate - steady, LEAST_ROOM * rate)
    fluid = fluid_queue(
        sources,
        on_ms=arrival.mean_on_ms,
        off_ms=arrival.mean_off_ms,
        peak_load=peak_load,
        room=room,
        most_ms=turn.limit_packets * source.mean_ms,
    )
    arriving, loss_ratio = accepted_arrivals(fluid, peak_load, room, of_sources=sends_trains(flow))
    behind_ms = ring.wait_ms + ring.slot_ms + flow.mean_ms / rate
    mean_ms, quantiles = moments(fluid.work_ms / room + behind_ms, arriving.sum(axis=0))
    # within a train consecutive packets differ by the work that one adds
    slot_ms = min(flow.mean_ms / room, mean_ms)
    delay = Delay(mean_ms, *quantiles, slot_ms / 2)
    return OwnFluid(delay, loss_ratio)
