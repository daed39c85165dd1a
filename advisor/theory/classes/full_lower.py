"""The classes below the LLQ while the ring is always full; `methods` selects the formula."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.theory.bounds import lower_bound_ms
from advisor.theory.case import Case
from advisor.theory.classes.full_queue import full_queue_ms
from advisor.theory.classes.lower_queue import accepted, lower_queue
from advisor.theory.classes.methods import MOST_PLACES, Method, lower_method
from advisor.theory.classes.own_fluid import own_fluid
from advisor.theory.classes.turns import NOTHING, FullRing, Turn, full_ring_view, turns_of
from advisor.theory.flows import Flow
from advisor.theory.half_widths import ESTIMATED, FULL_QUEUE, RANDOM_IN_FULL_RING
from advisor.theory.interface import (
    Bursts,
    ClassResult,
    Delay,
    Periodic,
    Poisson,
    Regime,
    Saturated,
    Weakness,
)
from advisor.theory.offered import mix_of
from advisor.theory.queue_chain import Chain, atoms, chain
from advisor.theory.results import result
from advisor.theory.ring import ring_open

# Percentiles and mean |ipdv| over the mean of a queue that is always full: stated, not derived
# (docs/model.md, "Known weaknesses"). A fair queue of several conversations spreads as a sum of few
# exponential ones; any other moves by the time of one packet at its share, for p99 of two.
FAIR_P95_RATIO, FAIR_P99_RATIO, FAIR_IPDV_RATIO = 2.0, 3.0, 0.6


class Answer(Struct, frozen=True):
    """One class of a queue: its delay, the additions to its interval, and its weaknesses.

    `carried` is its share of the wire; None if that is its load less the loss.
    """

    delay: Delay
    loss_ratio: float = 0.0
    carried: float | None = None
    wider: float = 0.0
    also_ms: Sequence[float] = ()
    weak: tuple[Weakness, ...] = ()


def results(
    case: Case, regime: Regime, passed: Sequence[float], *, common_chain: bool
) -> dict[str, ClassResult]:
    """Results by class name; `passed` is the share of the wire that each LLQ flow takes.

    `common_chain` is true if the LLQ slows the wire by its whole load: then a single queue of
    random arrivals has a chain that includes the variation of the LLQ.
    """
    turns = turns_of(case.lower, max(0.0, 1 - sum(passed)))
    ring = full_ring_view(case, turns, passed)
    is_alone = len(turns) == 1 and turns[0].copies == 1
    whole = {flow.traffic.name: flow for flow in case.lower}
    return {
        flow.traffic.name: result(
            whole[flow.traffic.name],
            answer.delay,
            regime,
            case.interface.rate_bps,
            bound_ms=lower_bound_ms(case.interface.ring, case.llq, case.lower, flow),
            loss_ratio=answer.loss_ratio,
            carried=None if answer.carried is None else turn.copies * answer.carried,
            wider=answer.wider,
            also_ms=answer.also_ms,
            weak=answer.weak,
        )
        for turn in turns
        for flow, answer in zip(
            turn.flows,
            _answers(case, turn, ring, is_alone=is_alone, common_chain=common_chain),
            strict=True,
        )
    }


def _answers(
    case: Case, turn: Turn, ring: FullRing, *, is_alone: bool, common_chain: bool
) -> list[Answer]:
    """Answers for the flows of one queue, in their order; `is_alone`: no other queue competes."""
    is_only = is_alone and common_chain
    methods = [
        lower_method(turn, flow, is_alone=is_only, llq_load=case.llq_load) for flow in turn.flows
    ]
    if Method.COMMON_CHAIN in methods:
        return of_common_chain(case, turn)
    if Method.OWN_CHAIN in methods:
        return of_own_chain(turn, ring)
    answers = {
        Method.NEVER_EMPTY: never_empty,
        Method.FULL_QUEUE: full if is_alone else full_beside_others,
        Method.OWN_FLUID: of_own_fluid,
        Method.OWN_TURN: within,
    }
    return [
        answers[method](turn, flow, ring) for method, flow in zip(methods, turn.flows, strict=True)
    ]


def of_common_chain(case: Case, turn: Turn) -> list[Answer]:
    """A queue alone below the LLQ, on the wire that the LLQ slows."""
    queue = lower_queue(case)
    slow = 1 / (1 - case.llq_load)
    answers = []
    for flow in turn.flows:
        own_ms = flow.mean_ms * (slow if flow.cut else 1)
        delay = accepted(queue.chain, queue.start, queue.most, own_ms)
        loss_ratio = queue.chain.loss_ratio
        answers.append(Answer(delay, loss_ratio=loss_ratio, wider=RANDOM_IN_FULL_RING))
    return answers


def of_own_chain(turn: Turn, ring: FullRing) -> list[Answer]:
    """A queue that has the wire at the rate of its turn, then the ring.

    A packet waits for the packets with smaller tags: its length over its weight, its time at that
    rate. It enters when a place becomes free. That moment, and whether one more packet passes
    before it, are uniform over the time of a place.
    """
    queue, delays = _own_chain(turn, ring, turn.rate)
    if turn.backlogged:
        return [
            Answer(delay, loss_ratio=queue.loss_ratio, wider=RANDOM_IN_FULL_RING)
            for delay in delays
        ]
    return [
        Answer(
            delay,
            loss_ratio=queue.loss_ratio,
            wider=ESTIMATED,
            also_ms=_mean_ends_ms(turn, ring, flow),
            weak=(Weakness.WITHIN,),
        )
        for flow, delay in zip(turn.flows, delays, strict=True)
    ]


def _mean_ends_ms(turn: Turn, ring: FullRing, flow: Flow) -> list[float]:
    """Mean delays at the least and at the most rate (Pollaczek-Khinchine, no more than is held)."""
    mix, limit = mix_of(turn.flows), turn.limit_packets
    ends = []
    for rate in turn.rates:
        most_ms = limit * mix.mean_ms / rate
        free = 1 - mix.load / rate
        queue_ms = min(mix.residual_ms / rate**2 / free, most_ms) if free > 0 else most_ms
        ends.append(ring.wait_ms + ring.slot_ms + flow.mean_ms / rate + queue_ms)
    return ends


def _own_chain(turn: Turn, ring: FullRing, rate: float) -> tuple[Chain, list[Delay]]:
    """The queue of a turn that has the wire at a rate, and the delays of its flows."""
    mix, limit = mix_of(turn.flows), turn.limit_packets
    weights, times_ms = atoms(mix.weights, mix.times_ms)
    own = chain(mix.packets_per_ms / mix.batch, mix.batch, weights, times_ms / rate, limit)
    start = ring_open.start_of(own, limit)
    delays = []
    for flow in turn.flows:
        behind_ms = ring.wait_ms + ring.slot_ms + flow.mean_ms / rate
        # the moment of a place: two uniform times of it, each of variance slot^2 / 3 about its mean
        delays.append(accepted(own, start, limit, behind_ms, 2 * ring.slot_ms**2 / 3))
    return own, delays


def never_empty(turn: Turn, flow: Flow, ring: FullRing) -> Answer:
    """A closed backlog: its packets by its share of the wire."""
    arrival = flow.traffic.arrival
    backlog = arrival.backlog_packets if isinstance(arrival, Saturated) else 0
    mean_ms = backlog * _service_ms(turn, flow) + (ring.wait_ms + flow.mean_ms)
    return Answer(
        _spread(turn, flow, mean_ms),
        carried=turn.carried_of(flow),
        wider=ESTIMATED,
        weak=(Weakness.CLOSED,),
    )


def full(turn: Turn, flow: Flow, ring: FullRing) -> Answer:
    """A queue that overload keeps full."""
    mean_ms = _full_ms(turn, flow, ring)
    weak = _trains(flow)
    return Answer(
        _spread(turn, flow, mean_ms),
        loss_ratio=1 - turn.carried_of(flow) / flow.load,
        carried=turn.carried_of(flow),
        wider=ESTIMATED if weak else FULL_QUEUE,
        weak=weak,
    )


def full_beside_others(turn: Turn, flow: Flow, ring: FullRing) -> Answer:
    """A queue that overload keeps full; its turns leave some places free."""
    mean_ms = _full_ms(turn, flow, ring)
    also_ms = mean_ms - _empty_places(turn) * _service_ms(turn, flow)
    weak = _trains(flow)
    if not weak and also_ms < mean_ms * (1 - ESTIMATED / 2):
        weak = (Weakness.JUST_OVER,)
    return Answer(
        _spread(turn, flow, mean_ms),
        loss_ratio=1 - turn.carried_of(flow) / flow.load,
        carried=turn.carried_of(flow),
        wider=ESTIMATED if weak else FULL_QUEUE,
        also_ms=(also_ms,),
        weak=weak,
    )


def of_own_fluid(turn: Turn, flow: Flow, ring: FullRing) -> Answer:
    """A queue of on/off sources: full in their trains, empty between them."""
    mean = own_fluid(turn, ring, flow, turn.rate)
    ends = [own_fluid(turn, ring, flow, rate).delay.mean_ms for rate in set(turn.rates)]
    return Answer(
        mean.delay,
        loss_ratio=mean.loss_ratio,
        wider=ESTIMATED,
        also_ms=ends,
        weak=(Weakness.TRAINS,),
    )


def within(turn: Turn, flow: Flow, ring: FullRing) -> Answer:
    """A queue within its share with hardly any waiting of its own: the turn of one packet."""
    mean_ms = ring.wait_ms + ring.slot_ms + flow.mean_ms / turn.rate
    also_ms: list[float] = []
    if turn.limit_packets <= MOST_PLACES:
        _, delays = _own_chain(turn, ring, turn.rates[0])
        also_ms = [max(delay.mean_ms for delay in delays)]
    return Answer(
        _spread(turn, flow, mean_ms),
        carried=turn.carried_of(flow),
        wider=ESTIMATED,
        also_ms=also_ms,
        weak=(Weakness.WITHIN,),
    )


def _service_ms(turn: Turn, flow: Flow) -> float:
    """Time between two packets of a flow at its share of the wire."""
    return flow.mean_ms / max(turn.carried_of(flow), NOTHING)


def _full_ms(turn: Turn, flow: Flow, ring: FullRing) -> float:
    ring_ms = ring.wait_ms + flow.mean_ms
    return full_queue_ms(flow, _service_ms(turn, flow), turn.limit_packets, ring_ms)


def _trains(flow: Flow) -> tuple[Weakness, ...]:
    known = isinstance(flow.traffic.arrival, Periodic | Poisson | Bursts)
    return () if known else (Weakness.TRAINS,)


def _empty_places(turn: Turn) -> float:
    """Places that stay free in a queue just over its share where its turns come at random.

    Reflected at the full queue, a walk whose steps vary as those of a Poisson process stays
    ``1 / (2 x excess)`` away from it.
    """
    excess = (turn.load or 0.0) / max(turn.carried, NOTHING) - 1
    return min(turn.limit_packets / 2, 1 / (2 * max(excess, NOTHING)))


def _spread(turn: Turn, flow: Flow, mean_ms: float) -> Delay:
    """Percentiles and ipdv about the mean of a queue whose length is nearly constant."""
    if turn.is_crowd:
        p95_ms, p99_ms = mean_ms * FAIR_P95_RATIO, mean_ms * FAIR_P99_RATIO
        return Delay(mean_ms, mean_ms, p95_ms, p99_ms, FAIR_IPDV_RATIO * mean_ms)
    slot_ms = _service_ms(turn, flow)
    if flow.packets_per_ms is not None:
        slot_ms = min(slot_ms, 1 / flow.packets_per_ms)
    p95_ms = mean_ms * (1 + slot_ms / mean_ms)
    p99_ms = mean_ms * (1 + 2 * slot_ms / mean_ms)
    return Delay(mean_ms, mean_ms, p95_ms, p99_ms, min(slot_ms / 2, mean_ms))
