"""A lower class keeps the ring full: LLQ by the recursion, lower classes by their shares."""

from collections.abc import Sequence

from advisor.model.bounds import llq_bound_ms, lower_bound_ms
from advisor.model.case import Case
from advisor.model.classes import full_queue_ms
from advisor.model.flows import Flow
from advisor.model.interface import ClassResult, Delay, Regime, Saturated
from advisor.model.results import of_sample, result, sampling_error
from advisor.model.ring_full import llq_delays
from advisor.model.within_share import Carried, delay_within_share

NOTHING = 1e-9  # share of the wire


def solve(case: Case, samples: int) -> dict[str, ClassResult]:
    """Results by class name."""
    llq, lower = case.llq, case.lower
    if case.llq_load >= 1 and all(flow.queue.policer is None for flow in llq):
        return _llq_overloaded(case)
    results: dict[str, ClassResult] = {}
    passed: list[float] = []
    if llq:
        known = carried_loads(lower, max(0.01, 1 - case.llq_load))
        shares = [load / flow.mean_ms for load, flow in zip(known, lower, strict=True)]
        sampled = llq_delays(case.places, llq, lower, shares, samples)
        for flow, sample in zip(llq, sampled, strict=True):
            passed.append(flow.load * (1 - sample.loss_ratio))
            results[flow.traffic.name] = result(
                flow,
                of_sample(sample),
                Regime.RING_FULL,
                case.interface.rate_bps,
                bound_ms=llq_bound_ms(case.interface.ring, llq, lower, flow),
                loss_ratio=sample.loss_ratio,
                wider=sampling_error(sample),
            )
    loads = carried_loads(lower, max(0.0, 1 - sum(passed)))
    carried = [Carried(*each) for each in zip((*llq, *lower), (*passed, *loads), strict=True)]
    for each in carried[len(llq) :]:
        results[each.flow.traffic.name] = _lower(case, each.flow, each.load, carried)
    return results


def carried_loads(lower: Sequence[Flow], room: float) -> list[float]:
    """Share of the wire of each lower flow: by weight among those that ask for more than theirs.

    Excess goes to the backlogged classes in proportion to their weights.
    """
    carried = [0.0] * len(lower)
    open_ = list(range(len(lower)))
    while open_ and room > NOTHING:
        weight = sum(lower[i].queue.share_percent for i in open_)
        fair = {i: room * lower[i].queue.share_percent / weight for i in open_}
        content = [
            i for i in open_ if lower[i].packets_per_ms is not None and lower[i].load <= fair[i]
        ]
        if not content:
            for i in open_:
                carried[i] = fair[i]
            break
        for i in content:
            carried[i] = lower[i].load
            room -= lower[i].load
            open_.remove(i)
    return carried


def _lower(case: Case, flow: Flow, load: float, carried: Sequence[Carried]) -> ClassResult:
    """A lower class that is carried `load` of the wire beside the others."""
    service_ms = flow.mean_ms / max(load, NOTHING)
    loss, weak, wider = 0.0, None, 0.02
    if isinstance(flow.traffic.arrival, Saturated):
        mean_ms = flow.traffic.arrival.backlog_packets * service_ms + _ring_ms(case, flow, carried)
        weak, wider = "a closed backlog: the delay only shows how much is kept waiting", 0.2
        delay = _even(flow, mean_ms, service_ms)
    elif flow.load > load * (1 + NOTHING):
        ring_ms = _ring_ms(case, flow, carried)
        mean_ms = full_queue_ms(flow, service_ms, flow.queue.limit_packets, ring_ms)
        loss = 1 - load / flow.load
        delay = _even(flow, mean_ms, service_ms)
    else:
        full = [each.flow for each in carried if _is_full(each)]
        found = delay_within_share(case.interface.ring, flow, full, carried)
        delay, wider = found.delay, found.half_width
        weak = "a class within its share beside an overloaded one: its own queue is an estimate"
    return result(
        flow,
        delay,
        Regime.RING_FULL,
        case.interface.rate_bps,
        bound_ms=lower_bound_ms(case.interface.ring, case.llq, case.lower, flow),
        loss_ratio=loss,
        carried=load,
        wider=wider,
        weak=weak,
    )


def _is_full(of: Carried) -> bool:
    if of.flow.priority:
        return False
    return of.flow.packets_per_ms is None or of.flow.load > of.load * (1 + NOTHING)


def _even(flow: Flow, mean_ms: float, service_ms: float) -> Delay:
    """Delay behind a queue that is always full: it varies by about the time of a packet."""
    if flow.queue.flow_limit_packets is not None:  # between conversations it varies by itself
        return Delay(mean_ms, mean_ms, 2 * mean_ms, 3 * mean_ms, 0.6 * mean_ms)
    spread = service_ms if flow.packets_per_ms is None else min(service_ms, 1 / flow.packets_per_ms)
    return Delay(mean_ms, mean_ms, mean_ms + spread, mean_ms + 2 * spread, min(spread / 2, mean_ms))


def _ring_ms(case: Case, flow: Flow, carried: Sequence[Carried]) -> float:
    """Mean time of a lower packet in ring and wire, by Little's law on the ring's units."""
    own_units = float(flow.weights @ flow.units)
    units_per_ms = sum(
        each.packets_per_ms * float(each.flow.weights @ each.flow.units) for each in carried
    )
    ring = case.interface.ring
    # a packet that finds one place free enters whole: on average half of its others stand over
    return (ring.limit + ring.beside_wire * own_units + (own_units - 1) / 2) / units_per_ms


def _llq_overloaded(case: Case) -> dict[str, ClassResult]:
    """The LLQ fills its queue and the wire; the classes below get nothing."""
    interface, llq, load = case.interface, case.llq, case.llq_load
    results = {}
    for flow in llq:
        service_ms = flow.mean_ms / (flow.load / load)
        ring_ms = interface.ring.limit * flow.mean_ms
        mean_ms = full_queue_ms(flow, service_ms, flow.queue.limit_packets, ring_ms)
        results[flow.traffic.name] = result(
            flow,
            Delay(mean_ms, mean_ms, mean_ms * 1.05, mean_ms * 1.1, flow.mean_ms),
            Regime.LLQ_OVERLOADED,
            interface.rate_bps,
            bound_ms=llq_bound_ms(interface.ring, llq, case.lower, flow),
            loss_ratio=1 - 1 / load,
            weak="the LLQ alone is offered more than the link carries",
        )
    for flow in case.lower:
        results[flow.traffic.name] = result(
            flow,
            Delay(*(float("inf"),) * 5),
            Regime.LLQ_OVERLOADED,
            interface.rate_bps,
            bound_ms=None,
            loss_ratio=1.0,
            carried=0.0,
            weak="starved by an LLQ that has no policer",
        )
    return results
