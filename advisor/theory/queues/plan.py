"""How long the recursion of all queues runs, and in how many lanes."""

from collections.abc import Sequence
from math import inf

from msgspec import Struct

from advisor.theory.case import Case
from advisor.theory.classes.policing import noticed
from advisor.theory.classes.turns import NOTHING, Turn, turns_of
from advisor.theory.flows import Flow
from advisor.theory.interface import Bursts, OnOff, Solution
from advisor.theory.offered import batch_of, mix_of, packets_per_on_time
from advisor.theory.queues.arrivals import SPARE
from advisor.theory.queues.packets import QueueRow
from advisor.theory.queues.rows import rows_of
from advisor.theory.ring.full_ring import passed_share
from advisor.units import bytes_in_ms, s_from_ms

LEAST_LEFT = 0.01  # numeric: share of the wire that is left to the queues below the LLQ
SAMPLES = (80_000, 200_000)  # numeric: entries into the ring in all lanes together
MOST_DRAWN = 4_000_000  # numeric: packets in all lanes together
STATES = 400  # numeric: independent states of the queues in all lanes together
GROUPS = 6000  # numeric: bursts or trains of every class in all lanes together
LANES = (64, 512)  # numeric
STEPS = (200, 1600)  # numeric: beyond a full ring
RELAXATION = 4.0  # twice two: see `_diffusion_ms`
DELAYS = 2.0  # numeric: how often a packet's delay passes in a memory
MEMORIES = 2.0  # numeric: how often the memory of the queues passes in a run
BUSIEST = 1.25  # numeric: packets of a busy lane over the mean


class Plan(Struct, frozen=True):
    """Rows of the recursion with their turns (None for the LLQ), and its extent.

    The queues forget their start within about `memory_packets`.
    """

    rows: tuple[QueueRow, ...]
    turns: tuple[Turn | None, ...]
    lanes: int
    steps: int
    horizon_ms: float
    memory_packets: float


def plan_of(case: Case, estimate: Solution) -> Plan | None:
    """The recursion of an interface; None if it is too large for it, or not of its kind.

    `estimate` gives the delays that the run has to be longer than.
    """
    passed = sum(flow.load * passed_share(flow) for flow in case.llq)
    turns = turns_of(case.lower, max(LEAST_LEFT, 1 - passed))
    rows = rows_of(case, turns)
    if rows is None:
        return None
    ring_packets = case.interface.ring.limit + case.interface.ring.beside_wire
    rate = _entries_per_ms(case, turns)
    if ring_packets > STEPS[1]:
        return None
    memory = max(_memory_ms(case, turns), DELAYS * _longest_ms(turns, estimate)) * rate
    steps = int(min(max(MEMORIES * memory, STEPS[0]), STEPS[1]))
    steps += ring_packets
    wanted = max(GROUPS * rate / _least_groups_per_ms(case), STATES * memory)
    samples = min(max(wanted, SAMPLES[0]), SAMPLES[1])
    lanes = min(max(int(samples / steps), LANES[0]), LANES[1])
    drawn = sum(_drawn(flow, steps / rate) for flow in case.flows)
    if drawn * lanes > MOST_DRAWN:
        return None
    return Plan(
        tuple(row for row, _ in rows),
        tuple(turn for _, turn in rows),
        lanes,
        steps,
        steps / rate / BUSIEST,
        memory,
    )


def _entries_per_ms(case: Case, turns: Sequence[Turn]) -> float:
    """Entries into the ring per ms: packets that are carried, each fragment by itself."""
    carried = [(flow, flow.load * passed_share(flow)) for flow in case.llq]
    carried += [
        (flow, turn.copies * turn.carried_of(flow)) for turn in turns for flow in turn.flows
    ]
    return sum((load / flow.mean_ms * _pieces(flow) for flow, load in carried), 0.0)


def _drawn(flow: Flow, horizon_ms: float) -> float:
    """Packets of a flow that are drawn in a lane: those of the on times of its sources."""
    arrival, streams = flow.traffic.arrival, flow.traffic.streams
    rate = flow.rate_per_ms
    if isinstance(arrival, OnOff):
        rate = s_from_ms(arrival.peak_packets_per_s) * streams
    group = arrival.packets_per_burst if isinstance(arrival, Bursts) else streams
    return rate * horizon_ms + SPARE * group


def _least_groups_per_ms(case: Case) -> float:
    """Least rate of a class at which its bursts, trains or single packets begin."""
    return min(
        (
            flow.rate_per_ms / max(_packets_of_a_group(flow), 1.0)
            for flow in case.flows
            if flow.packets_per_ms is not None
        ),
        default=inf,
    )


def _packets_of_a_group(flow: Flow) -> float:
    arrival = flow.traffic.arrival
    if isinstance(arrival, Bursts):
        return arrival.packets_per_burst
    return packets_per_on_time(flow) or 1.0


def _pieces(flow: Flow) -> float:
    return float(flow.weights @ [len(times) for times in flow.piece_ms])


def _memory_ms(case: Case, turns: Sequence[Turn]) -> float:
    """Time after which the queues have forgotten their start.

    Queues that empty now and then: the variance of the work over the idle share squared, as of a
    diffusion. A queue with a limit forgets in no more than the square of its places; one in
    overload by its excess. Phases of sources and buckets of policers add their own time.
    """
    flows = [*case.llq, *(flow for turn in turns if not turn.backlogged for flow in turn.flows)]
    full = [turn for turn in turns if turn.backlogged and turn.load is not None]
    room = 1 - sum(turn.copies * turn.carried for turn in turns if turn.backlogged)
    idle = room - sum(flow.load * passed_share(flow) for flow in flows)
    places = sum(turn.limit_packets for turn in turns) + case.interface.ring.limit
    diffusions_ms = [_diffusion_ms(flows, idle, places)] if flows else [0.0]
    diffusions_ms += [
        _diffusion_ms(turn.flows, (turn.load or 0.0) - turn.carried, turn.limit_packets)
        for turn in full
    ]
    sources_ms = [_phases_ms(flow) for flow in case.flows]
    buckets_ms = [_bucket_ms(flow) for flow in case.llq]
    return max(diffusions_ms) + max(sources_ms) + max(buckets_ms, default=0.0)


def _longest_ms(turns: Sequence[Turn], estimate: Solution) -> float:
    """Longest mean delay of a queue that is not full at the start."""
    delays_ms = {result.name: result.delay.mean_ms for result in estimate.classes}
    return max(
        (
            delays_ms[flow.traffic.name]
            for turn in turns
            if not turn.backlogged
            for flow in turn.flows
        ),
        default=0.0,
    )


def _diffusion_ms(flows: Sequence[Flow], drift: float, places: int) -> float:
    """Relaxation of work with this drift, at most that of a walk in `places`.

    A Brownian motion reflected at 0 relaxes in ``2 variance / drift^2``; the variance of the work
    per ms is twice the residual.
    """
    residual_ms = sum(map(residual_with_phases_ms, flows))
    walk_ms = places**2 * mix_of(flows).mean_ms
    return min(RELAXATION * residual_ms / max(abs(drift), NOTHING) ** 2, walk_ms)


def residual_with_phases_ms(flow: Flow) -> float:
    """Half the variance of a flow's work per ms; periodic flows as if they were random."""
    return flow.rate_per_ms * (
        (flow.second_ms2 - flow.mean_ms**2) / 2
        + (arrival_variance(flow) / 2 + (batch_of(flow) - 1) / 2) * flow.mean_ms**2
    )


def arrival_variance(flow: Flow) -> float:
    """Variance of the gaps of an on/off source over their squared mean; 1 for any other flow.

    A gap holds a Poisson number of exponential off times (see `arrivals`).
    """
    arrival = flow.traffic.arrival
    if not isinstance(arrival, OnOff):
        return 1.0
    gap_ms, on_ms, off_ms = (
        1000 / arrival.peak_packets_per_s,
        arrival.mean_on_ms,
        arrival.mean_off_ms,
    )
    return 2 * off_ms**2 * on_ms / (gap_ms * (on_ms + off_ms) ** 2)


def _phases_ms(flow: Flow) -> float:
    """Time in which on/off sources forget their phases."""
    arrival = flow.traffic.arrival
    if not isinstance(arrival, OnOff):
        return 0.0
    return 1 / (1 / arrival.mean_on_ms + 1 / arrival.mean_off_ms)


def _bucket_ms(flow: Flow) -> float:
    """Time in which the bucket of a policer that drops packets is filled."""
    policer = flow.queue.policer
    if policer is None or not noticed(flow):
        return 0.0
    return float(policer.burst_bytes) / bytes_in_ms(policer.rate_bps, 1.0)
