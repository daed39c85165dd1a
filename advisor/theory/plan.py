"""How long the kernel runs an interface: its packets, and what its queues remember."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, sqrt

from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.case import Case
from advisor.theory.flows import Flow, weighted
from advisor.theory.interface import (
    Arrival,
    Bursts,
    OnOff,
    Periodic,
    Poisson,
    Refill,
    Saturated,
    Shaper,
)
from advisor.theory.kernel.layout import Start
from advisor.theory.kernel.machine import Extent
from advisor.theory.offered import (
    mean_ms_of,
    passed_share,
    remembered_residual_ms,
    residual_ms,
)
from advisor.theory.start import starts_of
from advisor.theory.turns import NOTHING, Turn, turns_of
from advisor.units import bytes_in_ms

LEAST_LEFT = 0.01  # numeric: share of the wire that is left to the queues below the LLQ
# All numeric: the length of a run. It causes the sampling error, which is part of the interval.
REPLICATIONS = 8
WARM_STEPS, MEASURED_STEPS = (60, 2000), (300, 6000)  # of a replication of the first round
WARMER = 0.3  # steps to warm up over those that the queues remember
LONGER = 4  # measured steps over those
EVEN = 0.01  # of a time in a full queue: a deviation that need not be shown
MOST_STAY = 4000  # steps to warm up for them
SENT = 5  # packets in a window of a flow that waits for its turn or is policed
CERTAIN, CERTAIN_PACKETS = 2, 20  # replications, and packets in each, where nothing is random
ENOUGH_STEPS, MOST_STEPS = 30_000, 500_000
# Times the phases of the sources and the buckets of policers are seen in a replication at first:
# what happens in rare ones, where most sources are on, is not in the spread of those that saw none.
PHASES, MOST_MEASURED = 6.0, 25_000
LLQ_TARGET, LOWER_TARGET = 0.02, 0.035  # relative half-widths of means, trebled after enough
# Rare packets are sampled in more streams than there are: these parts of all packets and the wire.
RARE, LIGHT = 0.005, 0.002
MOST_COPIES = 1000
FLOOD = 20.0  # numeric: times of its share, beyond which a flow is thinned


class Plan(Struct, frozen=True, eq=False):
    """The run of an interface; `flows` are its flows, rare ones in more streams."""

    flows: tuple[Flow, ...]
    targets: tuple[float, ...]
    starts: Mapping[str, Start]
    extent: Extent
    turns: tuple[Turn, ...]


def plan_of(case: Case, flows: Sequence[Flow], shaper: Shaper | None = None) -> Plan:
    """The run of an interface; `flows` in the order of its traffic.

    `case` has a shaper of all traffic as its wire, `shaper` its tokens.
    """
    passed = sum(flow.load * passed_share(flow) for flow in case.llq)
    turns = turns_of(case.interface, case.lower, max(LEAST_LEFT, 1 - passed))
    shares = {
        flow.traffic.name: turn.copies * turn.carried_of(flow)
        for turn in turns
        for flow in turn.flows
    }
    fewer = [_seldom_enough(flow, shares.get(flow.traffic.name, 1.0)) for flow in _with_room(flows)]
    steps_per_ms = _entries_per_ms(case, turns) + sum(flow.rate_per_ms for flow in fewer)
    warm = _within(WARM_STEPS, WARMER * _memory_ms(case, turns) * steps_per_ms)
    phases = max(
        max(_phases_ms(flow), _bucket_ms(flow), _step_ms(flow.queue.shaper)) for flow in flows
    )
    phases = max(phases, _step_ms(shaper)) * steps_per_ms
    most_ms = max(LONGER * warm / steps_per_ms, SENT * _slowest_ms(case, turns))
    measured = max(
        _within(MEASURED_STEPS, most_ms * steps_per_ms), int(min(PHASES * phases, MOST_MEASURED))
    )
    warm = max(warm, int(min(_stay_ms(case, turns, shaper) * steps_per_ms, MOST_STAY)))
    if case.lower:  # without them the ring is irrelevant
        warm += int(max(2, _longest_ms(case) * steps_per_ms) * case.interface.ring.limit)
    replications = REPLICATIONS
    if _is_certain(case):
        replications, measured = CERTAIN, CERTAIN_PACKETS * ceil(_pieces(flows[0]))
    return Plan(
        tuple(_often_enough(flow, steps_per_ms) for flow in fewer),
        tuple(_target(flow, len(turns)) for flow in flows),
        starts_of(case, turns),
        Extent(
            replications, warm / steps_per_ms, measured / steps_per_ms, ENOUGH_STEPS, MOST_STEPS
        ),
        turns,
    )


def _is_certain(case: Case) -> bool:
    """Whether all packets are alike and follow each other: none waits longer than another."""
    if len(case.flows) > 1 or case.parts:
        return False
    (flow,) = case.flows
    return flow.packets_per_ms is None and flow.fixed and flow.queue.flow_limit_packets is None


def _slowest_ms(case: Case, turns: Sequence[Turn]) -> float:
    """Longest time between packets that a full queue or a policer lets pass."""
    carried = [
        (flow, turn.copies * turn.carried_of(flow))
        for turn in turns
        if turn.backlogged
        for flow in turn.flows
    ]
    carried += [
        (flow, flow.load * passed_share(flow)) for flow in case.llq if passed_share(flow) < 1
    ]
    return max((flow.mean_ms / max(share, LEAST_LEFT) for flow, share in carried), default=0.0)


def _longest_ms(case: Case) -> float:
    """Longest time of a piece of a lower packet on the wire."""
    return max(ms for flow in case.lower for times in flow.piece_ms for ms in times)


def _stay_ms(case: Case, turns: Sequence[Turn], shaper: Shaper | None) -> float:
    """Longest time in a full queue whose packets show another spread than those of the start.

    Those came evenly. What other flows bring meanwhile makes some wait longer than others, and
    conversations are not sent in the order of their ages. A full queue before a shaper takes
    packets only in the part of Tc in which it sends.
    """
    longest_ms = 0.0
    for turn in turns:
        own = {flow.traffic.name for flow in turn.flows}
        others = [flow for flow in case.flows if flow.traffic.name not in own]
        for flow in turn.flows if turn.backlogged else ():
            share = max(turn.carried_of(flow), LEAST_LEFT)
            stay_ms = turn.limit_packets * flow.mean_ms / share
            brought = 2 * sum(remembered_residual_ms(each, stay_ms) for each in others)
            step_ms = max(_step_ms(shaper), _step_ms(flow.queue.shaper))
            if turn.is_crowd or step_ms or brought > EVEN**2 * stay_ms:
                longest_ms = max(longest_ms, stay_ms, step_ms)
    return longest_ms


def _within(ends: tuple[int, int], value: float) -> int:
    return int(min(max(value, ends[0]), ends[1]))


def _target(flow: Flow, turns: int) -> float:
    """Of several lower queues the worst ends the run: it may be worse than the only one."""
    if flow.packets_per_ms is None:
        return 0.0  # its delay shows the backlog
    return LLQ_TARGET if flow.priority else LOWER_TARGET * sqrt(turns)


def _often_enough(flow: Flow, steps_per_ms: float) -> Flow:
    """A flow of rare packets in more streams, which hardly meet each other."""
    rate = flow.rate_per_ms
    is_plain = isinstance(flow.traffic.arrival, Periodic | Poisson) and flow.queue.policer is None
    if not rate or not is_plain:
        return flow
    copies = int(min(RARE * steps_per_ms / rate, LIGHT / flow.load, MOST_COPIES))
    if copies < 2:  # noqa: PLR2004 -- one copy is the flow itself
        return flow
    traffic = replace(flow.traffic, streams=flow.traffic.streams * copies)
    return replace(flow, traffic=traffic, packets_per_ms=rate * copies)


def _with_room(flows: Sequence[Flow]) -> Iterator[Flow]:
    """The flows; a backlog leaves a place to other flows of its queue."""
    shared = {flow.queue.name for flow in flows if flow.rate_per_ms}
    for flow in flows:
        arrival, streams = flow.traffic.arrival, flow.traffic.streams
        if not isinstance(arrival, Saturated) or flow.queue.name not in shared:
            yield flow
            continue
        most = max((flow.queue.limit_packets - 1) // streams, 1)
        fewer = Saturated(min(arrival.backlog_packets, most))
        yield replace(flow, traffic=replace(flow.traffic, arrival=fewer))


def _seldom_enough(flow: Flow, carried: float) -> Flow:
    """A flow that floods its queue, thinned: hardly any place is free, whatever comes more."""
    excess = flow.load / max(carried, LEAST_LEFT) / FLOOD
    if excess <= 1:
        return flow
    traffic = replace(flow.traffic, arrival=_thinned(flow.traffic.arrival, excess))
    return replace(flow, traffic=traffic, packets_per_ms=flow.rate_per_ms / excess)


def _thinned(arrival: Arrival, factor: float) -> Arrival:
    match arrival:
        case Periodic(per_s, jitter_ms):
            return Periodic(per_s / factor, jitter_ms)
        case Poisson(per_s):
            return Poisson(per_s / factor)
        case Bursts(per_s, packets, spacing_ms):
            return Bursts(per_s / factor, packets, spacing_ms)
        case OnOff(peak_per_s, on_ms, off_ms):
            return OnOff(peak_per_s / factor, on_ms, off_ms)
        case Saturated():
            return arrival


def _entries_per_ms(case: Case, turns: Sequence[Turn]) -> float:
    """Packets and fragments that enter the ring."""
    carried = [(flow, flow.load * passed_share(flow)) for flow in case.llq]
    carried += [
        (flow, turn.copies * turn.carried_of(flow)) for turn in turns for flow in turn.flows
    ]
    return sum(load / flow.mean_ms * _pieces(flow) for flow, load in carried)


def _pieces(flow: Flow) -> float:
    return weighted(flow.weights, [len(times) for times in flow.piece_ms])


def _memory_ms(case: Case, turns: Sequence[Turn]) -> float:
    """Time after which the queues have forgotten their start.

    Without overload all queues together empty now and then. Beside a queue that is full, each one
    fills or empties by itself, at the rate of its turn, and the LLQ at that of the wire. Phases of
    sources and buckets of policers add their own time.
    """
    alone = [turn for turn in turns if turn.load is not None]
    walks_ms = [0.0]
    if all(not turn.backlogged for turn in turns):
        flows = [(flow, 1) for flow in case.llq]
        flows += [(flow, turn.copies) for turn in turns for flow in turn.flows]
        places = sum(turn.limit_packets for turn in turns) + case.interface.ring.limit
        walks_ms.append(_diffusion_ms(flows, _idle(flows), places))
        alone = [turn for turn in turns if turn.flows[0].queue.shaper is not None]
    elif case.llq:
        flows = [(flow, 1) for flow in case.llq]
        places = max(flow.queue.limit_packets for flow in case.llq)
        walks_ms.append(_diffusion_ms(flows, _idle(flows), places))
    for turn in alone:
        drift = (turn.load or 0.0) - (turn.carried if turn.backlogged else turn.rate)
        flows = [(flow, 1) for flow in turn.flows]
        walks_ms.append(_diffusion_ms(flows, drift, turn.limit_packets))
    sources_ms = [_phases_ms(flow) for flow in case.flows]
    buckets_ms = [_bucket_ms(flow) for flow in case.flows]
    return max(walks_ms) + max(sources_ms) + max(buckets_ms, default=0.0)


def _step_ms(shaper: Shaper | None) -> float:
    """Tc of a shaper: within it a queue is long before the tokens come, and short after it."""
    return 0.0 if shaper is None or shaper.refill is Refill.SMOOTH else shaper.interval_ms


def _idle(flows: Sequence[tuple[Flow, int]]) -> float:
    return 1 - sum(copies * flow.load * passed_share(flow) for flow, copies in flows)


def _diffusion_ms(flows: Sequence[tuple[Flow, int]], drift: float, places: int) -> float:
    """Relaxation of work with this drift, at most that of a walk in `places`.

    A Brownian motion reflected at its end relaxes in ``2 variance / drift^2``; the variance of the
    work per ms is twice the residual. `flows` stand with how often each is there.
    """
    variance = 2 * sum(copies * residual_ms(flow) for flow, copies in flows)
    relaxation_ms = 2 * variance / max(abs(drift), NOTHING) ** 2
    return min(relaxation_ms, places**2 * mean_ms_of([flow for flow, _ in flows]))


def _phases_ms(flow: Flow) -> float:
    """Time in which on/off sources forget their phases, and bursts under way end."""
    match flow.traffic.arrival:
        case OnOff(_, on_ms, off_ms):
            return on_ms * off_ms / (on_ms + off_ms)
        case Bursts(_, packets, spacing_ms):
            return (packets - 1) * spacing_ms
        case _:
            return 0.0


def _bucket_ms(flow: Flow) -> float:
    """Time in which the buckets of policers that drop packets are filled."""
    policer, police = flow.queue.policer, flow.queue.police
    buckets = [police] if police is not None else []
    if policer is not None and passed_share(flow) < 1:
        buckets.append(policer)
    return max(
        (bucket.burst_bytes / bytes_in_ms(bucket.rate_bps, 1.0) for bucket in buckets), default=0.0
    )
