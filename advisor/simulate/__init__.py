"""Packet-level discrete-event simulation of one output interface: the check on every prediction.

Shares no code with `advisor.theory`. A packet meets policer, WRED or tail drop, waits in its
software queue, enters a FIFO transmit ring when the scheduler picks it and no shaper holds it, and
is sent. `docs/simulation.md` is the specification.
"""

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from advisor.model import Interface, Tcp
from advisor.simulate.packets import duration_of
from advisor.simulate.runs import Fate, PacketPassage, passages, run_closed_loop, run_open_loop
from advisor.simulate.summary import (
    ClassSummary,
    DelayEstimates,
    Estimate,
    Tally,
    pooled,
    summarise,
)

__all__ = [
    "ClassSummary",
    "DelayEstimates",
    "Estimate",
    "Fate",
    "PacketPassage",
    "SimulationError",
    "SimulationResult",
    "passages",
    "simulate",
    "simulate_delays",
]


class SimulationError(Exception):
    """An interface has a part that the simulation does not support."""


class SimulationResult(Struct, frozen=True):
    """Results of the classes of one interface, in its order; times of one replication in ms.

    Entries of traffic with the same name are one class.
    """

    replications: int
    warm_up_ms: float
    measured_ms: float
    classes: tuple[ClassSummary, ...]


def simulate(line: Interface, packets: int, replications: int, seed: int) -> SimulationResult:
    """Simulate an interface under traffic.

    Parameters
    ----------
    line : Interface
        The interface, its queues and its traffic.
    packets : int
        Packets to measure, over all classes and replications together. About this many arrive
        after the warm-ups; packets of the warm-ups are extra.
    replications : int
        Independent runs; confidence intervals are over them. Periodic streams keep their relative
        phase within a run, so few long runs see few phases: 20 is a good number.
    seed : int
        The same seed gives the same result.

    Raises
    ------
    SimulationError
        If `packets` or `replications` is below 1, or TCP receivers delay acknowledgements, which
        is not simulated.
    """
    return simulate_delays(line, packets, replications, seed)[0]


def simulate_delays(
    line: Interface, packets: int, replications: int, seed: int
) -> tuple[SimulationResult, dict[str, tuple[float, ...]]]:
    """Simulate an interface under traffic, and keep the delay in ms of every packet by class.

    See `simulate`; the delays of all replications are together, the shortest first.
    """
    if packets < 1 or replications < 1:
        raise SimulationError(f"{packets} packets in {replications} replications: at least 1 each")
    tcp = {traffic.name for traffic in line.traffic if isinstance(traffic.arrival, Tcp)}
    flows = (traffic.arrival for traffic in line.traffic)
    if any(isinstance(flow, Tcp) and flow.delayed_ack for flow in flows):
        raise SimulationError("delayed_ack is not simulated")
    duration = duration_of(line, packets / replications)
    run = run_closed_loop if tcp else run_open_loop
    runs = []
    for replication in range(replications):
        random = Random(f"{seed} {replication}")  # noqa: S311 - repeatable draws, no secret
        runs.append(_by_class(line, run(line, duration, random)))
    tcp_bytes = [sum(run[name].wire_bytes for name in tcp) for run in runs]
    names = tuple(dict.fromkeys(traffic.name for traffic in line.traffic))
    classes = tuple(
        summarise(
            name,
            [run[name] for run in runs],
            duration.measured_ms,
            tcp_bytes if name in tcp else None,
        )
        for name in names
    )
    result = SimulationResult(replications, duration.warm_up_ms, duration.measured_ms, classes)
    delays = {
        name: tuple(sorted(delay_ms for run in runs for delay_ms in run[name].delays_ms))
        for name in names
    }
    return result, delays


def _by_class(line: Interface, tallies: Sequence[Tally]) -> dict[str, Tally]:
    names = [traffic.name for traffic in line.traffic]
    return {
        name: pooled([tally for tally in tallies if names[tally.place] == name]) for name in names
    }
