"""The classes below the LLQ while the ring is always full."""

from collections.abc import Sequence

from advisor.model import ring_open
from advisor.model.bounds import lower_bound_ms
from advisor.model.case import Case
from advisor.model.flows import Flow
from advisor.model.full_queue import full_queue_ms
from advisor.model.half_widths import ESTIMATED, FULL_QUEUE, RANDOM_IN_FULL_RING
from advisor.model.interface import (
    Bursts,
    ClassResult,
    Delay,
    Periodic,
    Poisson,
    Regime,
    Saturated,
    Weakness,
)
from advisor.model.lower_queue import accepted, lower_queue
from advisor.model.offered import mix_of
from advisor.model.queue_chain import Chain, atoms, chain
from advisor.model.results import result
from advisor.model.turns import NOTHING, FullRing, Turn, full_ring_view, turns_of

# Places of a queue whose chain is solved, which costs their square. A longer one is taken as full:
# random arrivals leave 1 / (load - 1) places free, 0.5 % of 512 at 1.4 times its share.
MOST_PLACES = 512
# Load over what is carried up to which the chain is solved: beyond, 1 / (load - 1) is less than a
# quarter of a place.
MOST_OVERLOAD = 5.0
# LLQ load up to which the wire that it leaves is a slowed one, at all times the same: beyond, an
# LLQ packet stops the others for the time of ten of its own and more.
MOST_LLQ_LOAD = 0.9
# Percentiles and mean |ipdv| over the mean of a queue that is always full: stated, not derived
# (docs/model.md, "Known weaknesses"). A fair queue of several conversations spreads as a sum of few
# exponential ones; any other moves by the time of one packet at its share, for p99 of two.
FAIR_P95_RATIO, FAIR_P99_RATIO, FAIR_IPDV_RATIO = 2.0, 3.0, 0.6


def results(
    case: Case, regime: Regime, passed: Sequence[float], *, common_chain: bool
) -> dict[str, ClassResult]:
    """Results by class name; `passed` is what of the wire each LLQ flow takes.

    `common_chain` where the LLQ slows the wire by its whole load: one queue of random arrivals
    then has a chain that knows how the LLQ varies.
    """
    turns = turns_of(case.lower, max(0.0, 1 - sum(passed)))
    ring = full_ring_view(case, turns, passed)
    found: dict[str, ClassResult] = {}
    for turn in turns:
        if not _at_random(turn):
            found |= {f.traffic.name: _estimated(case, regime, turn, f, ring) for f in turn.flows}
        elif common_chain and len(turns) == 1 and case.llq_load < MOST_LLQ_LOAD:
            found |= _of_common_chain(case, regime, turn)
        else:
            found |= _of_own_chain(case, regime, turn, ring)
    return found


def _at_random(turn: Turn) -> bool:
    """Whether a queue is fed by sources that leave it room now and then.

    Periodic sources over the line rate keep it full; with random ones beside them they do not.
    """
    arrivals = [flow.traffic.arrival for flow in turn.flows]
    return (
        turn.flows[0].queue.flow_limit_packets is None
        and turn.flows[0].queue.limit_packets <= MOST_PLACES
        and (turn.load or 0.0) < MOST_OVERLOAD * turn.rate
        and any(isinstance(each, Poisson | Bursts) for each in arrivals)
        and all(isinstance(each, Poisson | Bursts | Periodic) for each in arrivals)
    )


def _of_common_chain(case: Case, regime: Regime, turn: Turn) -> dict[str, ClassResult]:
    queue = lower_queue(case)
    slow = 1 / (1 - case.llq_load)
    return {
        flow.traffic.name: _random_result(
            case,
            regime,
            flow,
            accepted(
                queue.chain, queue.start, queue.most, flow.mean_ms * (slow if flow.cut else 1)
            ),
            queue.chain,
        )
        for flow in turn.flows
    }


def _of_own_chain(case: Case, regime: Regime, turn: Turn, ring: FullRing) -> dict[str, ClassResult]:
    """A queue that has the wire at the rate of its turn, then the ring.

    A packet's tag lets others of its own length over its weight pass: its time at that rate. It
    enters when a place falls free. That moment and whether one packet more passes before it are
    uniform over the time of a place.
    """
    queue, delays = _own_chain(turn, ring, turn.rate)
    found = {}
    for flow, delay in zip(turn.flows, delays, strict=True):
        also_ms = None if turn.backlogged else _mean_ends_ms(turn, ring, flow)
        found[flow.traffic.name] = _random_result(case, regime, flow, delay, queue, also_ms)
    return found


def _mean_ends_ms(turn: Turn, ring: FullRing, flow: Flow) -> list[float]:
    """Mean delays at the least and at the most rate (Pollaczek-Khinchine, no more than is held)."""
    mix, limit = mix_of(turn.flows), turn.flows[0].queue.limit_packets
    ends = []
    for rate in turn.rates:
        most_ms = limit * mix.mean_ms / rate
        free = 1 - mix.load / rate
        queue_ms = min(mix.residual_ms / rate**2 / free, most_ms) if free > 0 else most_ms
        ends.append(ring.wait_ms + ring.slot_ms + flow.mean_ms / rate + queue_ms)
    return ends


def _own_chain(turn: Turn, ring: FullRing, rate: float) -> tuple[Chain, list[Delay]]:
    """The queue of a turn that has the wire at a rate, and the delays of its flows."""
    mix, limit = mix_of(turn.flows), turn.flows[0].queue.limit_packets
    weights, times_ms = atoms(mix.weights, mix.times_ms)
    own = chain(mix.packets_per_ms / mix.batch, mix.batch, weights, times_ms / rate, limit)
    start = ring_open.start_of(own, limit)
    delays = []
    for flow in turn.flows:
        behind_ms = ring.wait_ms + ring.slot_ms + flow.mean_ms / rate
        # the moment of a place: two uniform times of it, each of variance slot^2 / 3 about its mean
        delays.append(accepted(own, start, limit, behind_ms, 2 * ring.slot_ms**2 / 3))
    return own, delays


def _random_result(  # noqa: PLR0917 -- what a result is made from
    case: Case,
    regime: Regime,
    flow: Flow,
    delay: Delay,
    queue: Chain,
    also_ms: Sequence[float] | None = None,
) -> ClassResult:
    """A queue of random arrivals; `also_ms` where it is within its share, so an estimate."""
    weak = () if also_ms is None else (Weakness.WITHIN,)
    return result(
        flow,
        delay,
        regime,
        case.interface.rate_bps,
        bound_ms=lower_bound_ms(case.interface.ring, case.llq, case.lower, flow),
        loss_ratio=queue.loss_ratio,
        wider=ESTIMATED if weak else RANDOM_IN_FULL_RING,
        also_ms=also_ms or (),
        weak=weak,
    )


def _most_waiting(turn: Turn) -> int:
    """Packets that the queue can hold: of few conversations no more than theirs."""
    queue = turn.flows[0].queue
    if queue.flow_limit_packets is None:
        return queue.limit_packets
    conversations = sum(each.traffic.streams * each.traffic.conversations for each in turn.flows)
    return min(queue.limit_packets, conversations * queue.flow_limit_packets)


def _empty_places(turn: Turn) -> float:
    """Places that stay free in a queue just over its share where its turns come at random.

    Reflected at the full queue, a walk whose steps vary as those of a Poisson process stays
    ``1 / (2 x excess)`` away from it.
    """
    excess = (turn.load or 0.0) / max(turn.carried, NOTHING) - 1
    return min(_most_waiting(turn) / 2, 1 / (2 * max(excess, NOTHING)))


def _estimated(case: Case, regime: Regime, turn: Turn, flow: Flow, ring: FullRing) -> ClassResult:
    """A class of a queue that is always full, or one that its sources hardly make wait."""
    carried = turn.carried_of(flow)
    service_ms = flow.mean_ms / max(carried, NOTHING)
    ring_ms = ring.wait_ms + flow.mean_ms
    loss, weak = 0.0, None
    also_ms: list[float] = []
    arrival = flow.traffic.arrival
    if isinstance(arrival, Saturated):
        mean_ms = arrival.backlog_packets * service_ms + ring_ms
        weak = Weakness.CLOSED
    elif turn.backlogged:
        mean_ms = full_queue_ms(flow, service_ms, _most_waiting(turn), ring_ms)
        loss = 1 - carried / flow.load
        weak = None if isinstance(arrival, Periodic | Poisson | Bursts) else Weakness.TRAINS
        if len(case.lower_queues) > 1:
            also_ms = [mean_ms - _empty_places(turn) * service_ms]
            if weak is None and also_ms[0] < mean_ms * (1 - ESTIMATED / 2):
                weak = Weakness.JUST_OVER
    else:
        mean_ms = ring.wait_ms + ring.slot_ms + flow.mean_ms / turn.rate
        if flow.queue.limit_packets <= MOST_PLACES:
            _, of_random = _own_chain(turn, ring, turn.rates[0])
            also_ms = [max(each.mean_ms for each in of_random)]
        weak = Weakness.WITHIN
    spread = service_ms if flow.packets_per_ms is None else min(service_ms, 1 / flow.packets_per_ms)
    wide = flow.queue.flow_limit_packets is not None
    fair = (FAIR_P95_RATIO, FAIR_P99_RATIO)
    tails = fair if wide else (1 + spread / mean_ms, 1 + 2 * spread / mean_ms)
    delay = Delay(
        mean_ms,
        mean_ms,
        mean_ms * tails[0],
        mean_ms * tails[1],
        FAIR_IPDV_RATIO * mean_ms if wide else min(spread / 2, mean_ms),
    )
    return result(
        flow,
        delay,
        regime,
        case.interface.rate_bps,
        bound_ms=lower_bound_ms(case.interface.ring, case.llq, case.lower, flow),
        loss_ratio=loss,
        carried=carried,
        wider=ESTIMATED if weak else FULL_QUEUE,
        also_ms=also_ms,
        weak=() if weak is None else (weak,),
    )
