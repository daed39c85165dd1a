"""A run of the kernel, our packet simulator: what waits when it begins, and how long it is.

A `turn` is a queue with its share of the wire (`QueueShare`), as the scheduler serves it.
"""

from collections.abc import Iterator, Sequence
from math import ceil, expm1

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.units import bytes_in_ms
from advisor.model import Bursts, OnOff, Periodic, Refill, Shaper
from advisor.theory.analytic.calls import passes_of_swing
from advisor.theory.analytic.number import wait_ms
from advisor.theory.analytic.setting import setting_of
from advisor.theory.analytic.validity import DEEP
from advisor.theory.flows import (
    Flow,
    SortedTraffic,
    mean_ms_of,
    passed_share,
    remembered_residual_ms,
    residual_ms,
)
from advisor.theory.kernel.layout import Start
from advisor.theory.kernel.machine import LONGER, Extent
from advisor.theory.queue_shares import LEAST_LEFT, NOTHING, QueueShare
from advisor.theory.shape import weighted

# Packets in the queues when a run begins: an estimate, which the run forgets.

LEAST_FREE = 0.01  # numeric: share of its turn that a queue leaves
MOST_EXPONENT = 500.0  # numeric: of a distribution that its limit does not cut off


def starts_of(case: SortedTraffic, turns: Sequence[QueueShare]) -> dict[str, Start]:
    """Estimate the packets that wait at the start, by the name of the traffic.

    A flow of the LLQ has its part of what fills the ring. A queue in overload is about full. Beside
    it, any other queue holds what it holds at the rate of its turn, and so does one that waits for
    its own shaper. Without overload, the queues together hold the work of the link.
    """
    starts = {
        flow.traffic.name: Start(1 / passed_per_ms)
        for flow in case.llq
        if (passed_per_ms := flow.rate_per_ms * passed_share(flow)) > 0
    }
    starts.update((flow.traffic.name, start) for flow, start in _overloading(case.llq))
    is_any_full = any(turn.backlogged for turn in turns)
    wait_ms = 0.0 if is_any_full else _wait_of_all_ms(case)
    for turn in turns:
        if turn.load is None:
            starts.update(_backlogged(turn))
        if not turn.load:
            continue
        rate = sum(flow.rate_per_ms for flow in turn.flows)
        mean_ms = mean_ms_of(turn.flows)
        packets, more_packets = 0.0, _cut_off(rate * wait_ms, turn.limit_packets)
        if turn.backlogged:
            packets, more_packets = _in_overload(turn), 0.0
        elif is_any_full or turn.flows[0].queue.shaper is not None:
            more_packets = _cut_off(_at_its_turn(turn), turn.limit_packets)
        gap_ms = mean_ms / max(turn.carried, NOTHING) / turn.copies
        for flow in turn.flows:
            part = flow.rate_per_ms / rate
            starts[flow.traffic.name] = Start(
                gap_ms / part,
                int(packets * part * turn.copies),
                more_packets * part * turn.copies,
            )
    return starts


def _overloading(llq: Sequence[Flow]) -> Iterator[tuple[Flow, Start]]:
    """A full queue of an LLQ that is offered more than the wire, and not policed."""
    flows = [flow for flow in llq if flow.queue.priority_policer is None]
    rate = sum(flow.rate_per_ms for flow in flows)
    if sum(flow.load for flow in llq) < 1:
        return
    for flow in flows:
        part = flow.rate_per_ms / rate
        yield flow, Start(1 / flow.rate_per_ms, int(flow.queue.limit_packets * part))


def _backlogged(turn: QueueShare) -> Iterator[tuple[str, Start]]:
    """How often packets come to a queue that never empties: as they leave it."""
    for flow in turn.flows:
        if flow.packets_per_ms is None:
            share = max(turn.copies * turn.carried_of(flow), NOTHING)
            yield flow.traffic.name, Start(flow.mean_ms / share)


def _in_overload(turn: QueueShare) -> float:
    """Packets in a queue whose work drifts to its limit, as a Brownian motion below it.

    Of Poisson packets alike at a load x > 1, ``x / (2 (x - 1))`` places are free.
    """
    drift = max((turn.load or 0.0) - turn.carried, NOTHING)
    relaxation_ms = 4 * sum(map(residual_ms, turn.flows)) / drift**2
    free_ms = sum(remembered_residual_ms(flow, relaxation_ms) for flow in turn.flows) / drift
    return turn.limit_packets - _cut_off(free_ms / mean_ms_of(turn.flows), turn.limit_packets)


def _cut_off(mean: float, limit: float) -> float:
    """Mean of an exponential number with this mean, of those within a limit."""
    if mean * MOST_EXPONENT < limit:
        return mean
    exponent = limit / mean
    return limit / 2 if exponent < NOTHING else mean - limit / expm1(exponent)


def _at_its_turn(turn: QueueShare) -> float:
    """Mean packets in a queue with the rate of its turn."""
    load = min((turn.load or 0.0) / turn.rate, 1 - LEAST_FREE)
    relaxation_ms = sum(map(residual_ms, turn.flows)) / (turn.rate * (1 - load)) ** 2
    left_ms = sum(remembered_residual_ms(flow, relaxation_ms) for flow in turn.flows)
    return wait_ms(left_ms / turn.rate, load) / mean_ms_of(turn.flows)


def _wait_of_all_ms(case: SortedTraffic) -> float:
    """Mean wait of the lower packets together: behind all work, and behind the LLQ."""
    llq_load = case.passed_llq_load
    load = min(llq_load + sum(flow.load for flow in case.lower), 1 - LEAST_FREE)
    relaxation_ms = sum(map(residual_ms, case.flows)) / (1 - load) ** 2
    left_ms = sum(remembered_residual_ms(flow, relaxation_ms) for flow in case.flows)
    return wait_ms(wait_ms(left_ms, load), min(llq_load, 1 - LEAST_FREE))


# How long the kernel runs an interface: what its queues, its sources and its ring remember.

# All numeric: the length of a run. It causes the sampling error, which is part of the interval.
REPLICATIONS, LEAST_REPLICATIONS = 8, 3  # fewer only where a ring holds ten thousand packets
WARM_STEPS, MEASURED_STEPS = (60, 2000), (300, 6000)  # of a replication of the first round
WARM_UP_PER_MEMORY = 0.3  # time to warm up, as a part of the time that the queues remember
MEASURED_PER_WARM_UP = 4  # measured time, in times to warm up
NEGLIGIBLE_DEVIATION = 0.01  # as a part of the time in a full queue
MOST_STAY_STEPS = 4000  # the longest time in a full queue that a run warms up for
STAYS_PER_WINDOW = 2  # times in a full queue in one measured window
# Times in a full ring: what it sends follows what it took a ring's time ago, so the parts of the
# classes swing with that period, and either half of a window has a whole one.
RINGS_PER_WINDOW = 2
# Times in a full ring until it has swung up, at most, and the most steps for it.
# Windows see several of the swings that come and go.
SLOW_PASSES, MOST_SWING_STEPS, SLOW_RINGS_PER_WINDOW = 100, 20_000, 20
SLOWEST_PACKETS_PER_WINDOW = 5  # packets in a window of the slowest flow
# Replications, and packets in each, where nothing is random.
CERTAIN_REPLICATIONS, CERTAIN_PACKETS = 2, 20
# Where all is periodic without jitter, phases are what is random: each replication has one of each,
# and one in a hundred decides p99. Fewer decide how far a ring swings up slowly, and
# a part of those is enough where they agree.
LOCKED_REPLICATIONS, SWINGING_REPLICATIONS, FIRST_OF_SWINGS = 128, 64, 16
ENOUGH_STEPS, MOST_STEPS = 60_000, 500_000
# Times the phases of the sources and the buckets of policers are seen in a replication at first:
# what happens in rare ones, where most sources are on, is not in the spread of those that saw none.
PHASES_PER_REPLICATION, MOST_STEPS_FOR_PHASES = 6.0, 25_000


class Walk(Struct, frozen=True):
    """Work that drifts: it forgets in its relaxation, or in a walk over all places at most."""

    relaxation_ms: float
    packet_ms: float
    places: int

    def memory_ms(self, more_places: int = 0) -> float:
        """Time after which it has forgotten, with these places more."""
        return min(self.relaxation_ms, (self.places + more_places) ** 2 * self.packet_ms)


class Length(Struct, frozen=True, eq=False):
    """Inputs of the length of an interface's run, whatever the limit of its ring."""

    steps_per_ms: float
    together: Walk | None  # all queues as one; None where one is full
    alone_ms: float  # memory of the queues that fill or empty by themselves
    sources_ms: float  # memory of on/off sources and of bursts
    buckets_ms: float  # memory of policers
    slowest_ms: float  # longest time between packets that a full queue or a policer lets pass
    phases: float  # steps of a phase of a source, a bucket of a policer or a Tc of a shaper
    stay: int  # steps in a full queue, where the start does not show their spread
    place: float  # steps of a place of the ring: the largest packet on the slowest wire
    certain: int  # steps of a window where nothing is random, else 0
    is_locked: bool = False  # whether phases alone are random
    swing_passes: float = 0.0  # in which a deep ring swings up; 0 where it does not, or soon

    def extents(self, ring_limit: int) -> tuple[Extent, ...]:
        """Lengths of which the first whose percentiles are known counts, or the last, `extent`."""
        whole = self.extent(ring_limit)
        if not self._swings(ring_limit) or self.is_locked:
            return (whole,)
        return replace(whole, replications=FIRST_OF_SWINGS), whole

    def _swings(self, ring_limit: int) -> bool:
        return self.swing_passes > 0 and ring_limit > DEEP

    def extent(self, ring_limit: int) -> Extent:
        """How long the interface is run with this limit of its ring."""
        walks_ms = self.alone_ms
        if self.together is not None:
            walks_ms = max(walks_ms, self.together.memory_ms(ring_limit))
        memory_ms = walks_ms + self.sources_ms + self.buckets_ms
        warm = _within(WARM_STEPS, WARM_UP_PER_MEMORY * memory_ms * self.steps_per_ms)
        slowest_ms = SLOWEST_PACKETS_PER_WINDOW * self.slowest_ms
        most_ms = max(MEASURED_PER_WARM_UP * warm / self.steps_per_ms, slowest_ms)
        measured = max(
            _within(MEASURED_STEPS, most_ms * self.steps_per_ms),
            int(min(PHASES_PER_REPLICATION * self.phases, MOST_STEPS_FOR_PHASES)),
            STAYS_PER_WINDOW * self.stay,
        )
        in_ring = int(self.place * ring_limit)
        passes, rings = 1, RINGS_PER_WINDOW
        if self._swings(ring_limit):
            most = ceil(min(self.swing_passes, SLOW_PASSES))
            passes = max(min(most, MOST_SWING_STEPS // in_ring), 1)
            rings = max(min(SLOW_RINGS_PER_WINDOW, passes), RINGS_PER_WINDOW)
        warm, measured = max(warm, self.stay) + passes * in_ring, max(measured, rings * in_ring)
        return Extent(
            SWINGING_REPLICATIONS if passes > 1 else self._replications(warm + measured),
            warm / self.steps_per_ms,
            (self.certain or measured) / self.steps_per_ms,
            ENOUGH_STEPS,
            MOST_STEPS,
            1.0 if self.is_locked else LONGER,  # where phases alone are random, each counts
        )

    def _replications(self, steps: int) -> int:
        """How often a run of so many steps is repeated."""
        if self.certain or self.is_locked:
            return CERTAIN_REPLICATIONS if self.certain else LOCKED_REPLICATIONS
        return min(max(MOST_STEPS // steps, LEAST_REPLICATIONS), REPLICATIONS)


def length_of(
    case: SortedTraffic, turns: Sequence[QueueShare], steps_per_ms: float, shaper: Shaper | None
) -> Length:
    """Collect the inputs of a run's length; `shaper` shapes all traffic of the interface.

    The run lasts long enough for the queues to forget how they began. Without overload, all queues
    are one queue that empties now and then. Beside a full queue, each other queue fills or empties
    by itself: at the rate of its turn, or of the wire for the LLQ. Sources that change their phase
    and policers that fill their buckets add their own time.
    """
    flows = case.flows
    together = None if any(turn.backlogged for turn in turns) else _together(case, turns)
    phases_ms = max(
        max(_phases_ms(flow), _bucket_ms(flow), _step_ms(flow.queue.shaper)) for flow in flows
    )
    # without lower classes the ring is irrelevant
    place = max(2, _longest_ms(case) * steps_per_ms * _slowness(case)) if case.lower else 0.0
    return Length(
        steps_per_ms,
        together,
        max((walk.memory_ms() for walk in _alone(case, turns)), default=0.0),
        max(map(_phases_ms, flows)),
        max(map(_bucket_ms, flows)),
        _slowest_ms(case, turns),
        max(phases_ms, _step_ms(shaper)) * steps_per_ms,
        int(min(_stay_ms(case, turns, shaper) * steps_per_ms, MOST_STAY_STEPS)),
        place,
        CERTAIN_PACKETS * ceil(pieces_of(flows[0])) if _is_certain(case) else 0,
        all(map(_is_strict, flows)),
        passes_of_swing(setting_of(case)) if together is None and case.llq else 0.0,
    )


def _together(case: SortedTraffic, turns: Sequence[QueueShare]) -> Walk:
    """Walk all queues as one, where none is full."""
    flows = [(flow, 1) for flow in case.llq]
    flows += [(flow, turn.copies) for turn in turns for flow in turn.flows]
    return _walk(flows, _idle(flows), sum(turn.limit_packets for turn in turns))


def _alone(case: SortedTraffic, turns: Sequence[QueueShare]) -> Iterator[Walk]:
    """Queues that fill or empty by themselves."""
    alone = [turn for turn in turns if turn.load is not None]
    if all(not turn.backlogged for turn in turns):
        alone = [turn for turn in turns if turn.flows[0].queue.shaper is not None]
    elif case.llq:
        llq = [(flow, 1) for flow in case.llq]
        yield _walk(llq, _idle(llq), max(flow.queue.limit_packets for flow in case.llq))
    for turn in alone:
        drift = (turn.load or 0.0) - (turn.carried if turn.backlogged else turn.rate)
        yield _walk([(flow, 1) for flow in turn.flows], drift, turn.limit_packets)


def _walk(flows: Sequence[tuple[Flow, int]], drift: float, places: int) -> Walk:
    """The walk of work with this drift.

    A Brownian motion reflected at its end relaxes in ``2 variance / drift^2``; the variance of the
    work per ms is twice the residual. `flows` stand with how often each is there.
    """
    variance = 2 * sum(copies * residual_ms(flow) for flow, copies in flows)
    relaxation_ms = 2 * variance / max(abs(drift), NOTHING) ** 2
    return Walk(relaxation_ms, mean_ms_of([flow for flow, _ in flows]), places)


def _is_certain(case: SortedTraffic) -> bool:
    """Whether all packets are alike and follow each other: none waits longer than another."""
    if len(case.flows) > 1 or case.parts:
        return False
    (flow,) = case.flows
    return flow.packets_per_ms is None and flow.fixed and flow.queue.flow_limit_packets is None


def _is_strict(flow: Flow) -> bool:
    """Whether packets come at fixed times of a period, of one size."""
    arrival = flow.traffic.arrival
    return isinstance(arrival, Periodic) and not arrival.jitter_ms and flow.fixed


def _slowest_ms(case: SortedTraffic, turns: Sequence[QueueShare]) -> float:
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


def _slowness(case: SortedTraffic) -> float:
    """How much slower than the line the slowest wire of a bundle is."""
    members_bps = case.interface.members_bps
    return case.interface.rate_bps / min(members_bps) if members_bps else 1.0


def _longest_ms(case: SortedTraffic) -> float:
    """Longest time of a piece of a lower packet on the wire."""
    return max(ms for flow in case.lower for times in flow.piece_ms for ms in times)


def _stay_ms(case: SortedTraffic, turns: Sequence[QueueShare], shaper: Shaper | None) -> float:
    """Longest time in a full queue whose delays spread, unlike those of the packets at the start.

    A run starts with packets that came evenly and wait equally long. Later packets do not:

    - Other flows bring more in one stay than in another.
    - Conversations of fair-queue are not served in the order in which packets came.
    - A full queue before a shaper takes packets only in the part of Tc in which it sends.

    A queue without these spreads counts as 0.
    """
    longest_ms = 0.0
    for turn in turns:
        own = {flow.traffic.name for flow in turn.flows}
        others = [flow for flow in case.flows if flow.traffic.name not in own]
        for flow in turn.flows if turn.backlogged else ():
            share = max(turn.carried_of(flow), LEAST_LEFT)
            places = flow.queue.flow_limit_packets or turn.limit_packets
            stay_ms = max(places, turn.limit_packets) * flow.mean_ms / share
            brought = 2 * sum(remembered_residual_ms(other, stay_ms) for other in others)
            step_ms = max(_step_ms(shaper), _step_ms(flow.queue.shaper))
            if turn.is_crowd or step_ms or brought > NEGLIGIBLE_DEVIATION**2 * stay_ms:
                longest_ms = max(longest_ms, stay_ms, step_ms)
    return longest_ms


def _within(ends: tuple[int, int], value: float) -> int:
    return int(min(max(value, ends[0]), ends[1]))


def pieces_of(flow: Flow) -> float:
    """Mean pieces of a packet."""
    return weighted(flow.weights, [len(times) for times in flow.piece_ms])


def _step_ms(shaper: Shaper | None) -> float:
    """Tc of a shaper: within it a queue is long before the tokens come, and short after it."""
    return 0.0 if shaper is None or shaper.refill is Refill.SMOOTH else shaper.interval_ms


def _idle(flows: Sequence[tuple[Flow, int]]) -> float:
    return 1 - sum(copies * flow.load * passed_share(flow) for flow, copies in flows)


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
    policer, police = flow.queue.priority_policer, flow.queue.class_policer
    buckets = [police] if police is not None else []
    if policer is not None and passed_share(flow) < 1:
        buckets.append(policer)
    return max(
        (bucket.burst_bytes / bytes_in_ms(bucket.rate_bps, 1.0) for bucket in buckets), default=0.0
    )
