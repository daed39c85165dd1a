"""A lower class keeps the ring full: LLQ by the recursion, lower classes by their shares."""

from collections.abc import Sequence

from advisor.model.bounds import llq_bound_ms, lower_bound_ms
from advisor.model.case import Case
from advisor.model.classes import full_queue_ms
from advisor.model.flows import Flow
from advisor.model.interface import ClassResult, Delay, Regime, Saturated
from advisor.model.lower_queue import LowerQueue, accepted, lower_queue, overloads_at_random
from advisor.model.results import of_sample, result, sampling_error
from advisor.model.ring_full import Full, Sample, full_ring, passed_share

NOTHING = 1e-9  # share of the wire
UNMODELLED = 0.2  # relative, added to the interval where something is left out
SHED = "the policer drops just what the link cannot carry: the ring is not always full"


def sampling(case: Case, samples: int) -> Full | None:
    """What of the LLQ must be sampled; None without one, or where it takes the whole wire."""
    if not case.llq or _llq_fills_wire(case):
        return None
    known = carried_loads(case.lower, max(0.01, 1 - case.llq_load))
    shares = [load / flow.mean_ms for load, flow in zip(known, case.lower, strict=True)]
    return full_ring(case.places, case.llq, case.lower, shares, samples)


def _llq_fills_wire(case: Case) -> bool:
    return case.llq_load >= 1 and all(flow.queue.policer is None for flow in case.llq)


def solve(case: Case, of_llq: Sequence[Sample]) -> dict[str, ClassResult]:
    """Results by class name; `of_llq` are the samples that `sampling` asks for."""
    llq, lower = case.llq, case.lower
    if _llq_fills_wire(case):
        return _llq_overloaded(case)
    results: dict[str, ClassResult] = {}
    passed: list[float] = []
    shed = _shed_ratio(case)
    for flow, sample in zip(llq, of_llq, strict=True):
        loss = sample.loss_ratio if shed is None else shed
        passed.append(flow.load * (1 - loss))
        results[flow.traffic.name] = result(
            flow,
            of_sample(sample),
            Regime.RING_FULL,
            case.interface.rate_bps,
            bound_ms=llq_bound_ms(case.interface.ring, llq, lower, flow),
            loss_ratio=loss,
            wider=sampling_error(sample) + (0.0 if shed is None else UNMODELLED),
            weak=None if shed is None else SHED,
        )
    random = all(sample.loss_ratio == 0 for sample in of_llq) and overloads_at_random(case)
    queue = lower_queue(case) if random else None
    for flow, load in zip(lower, carried_loads(lower, max(0.0, 1 - sum(passed))), strict=True):
        results[flow.traffic.name] = (
            _lower(case, flow, load, passed) if queue is None else _at_random(case, flow, queue)
        )
    return results


def _shed_ratio(case: Case) -> float | None:
    """What the policer drops where that alone ends the overload; None where it does not.

    The policer drops only while the ring is full, so it takes no more than the excess.
    """
    offered = case.load - 1
    known = all(flow.packets_per_ms is not None for flow in case.lower)
    policed = sum(flow.load * (1 - passed_share(flow)) for flow in case.llq)
    if not known or not 0 < offered < policed:
        return None
    return offered / case.llq_load


def _at_random(case: Case, flow: Flow, queue: LowerQueue) -> ClassResult:
    """A class of an overloaded queue that random arrivals leave room now and then."""
    own_ms = flow.mean_ms / (1 - case.llq_load) if flow.cut else flow.mean_ms
    return result(
        flow,
        accepted(queue, own_ms),
        Regime.RING_FULL,
        case.interface.rate_bps,
        bound_ms=lower_bound_ms(case.interface.ring, case.llq, case.lower, flow),
        loss_ratio=queue.chain.loss_ratio,
        wider=0.04,
    )


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


def _lower(case: Case, flow: Flow, carried: float, passed: Sequence[float]) -> ClassResult:
    """A lower class that is carried `carried` of the wire beside LLQ flows that pass `passed`."""
    service_ms = flow.mean_ms / max(carried, NOTHING)
    ring_ms = _ring_ms(case, flow, passed)
    loss, weak = 0.0, None
    if isinstance(flow.traffic.arrival, Saturated):
        mean_ms = flow.traffic.arrival.backlog_packets * service_ms + ring_ms
        weak = "a closed backlog: the delay only shows how much is kept waiting"
    elif flow.load > carried * (1 + NOTHING):
        mean_ms = full_queue_ms(flow, service_ms, flow.queue.limit_packets, ring_ms)
        loss = 1 - carried / flow.load
    else:
        mean_ms = ring_ms + flow.mean_ms / max(1 - sum(passed) - flow.load, 0.05)
        if _shed_ratio(case) is not None:
            mean_ms = ring_ms + flow.mean_ms
        weak = "a class within its share beside an overloaded one: its own queue is an estimate"
    spread = service_ms if flow.packets_per_ms is None else min(service_ms, 1 / flow.packets_per_ms)
    wide = flow.queue.flow_limit_packets is not None
    tails = (2.0, 3.0) if wide else (1 + spread / mean_ms, 1 + 2 * spread / mean_ms)
    delay = Delay(
        mean_ms,
        mean_ms,
        mean_ms * tails[0],
        mean_ms * tails[1],
        0.6 * mean_ms if wide else min(spread / 2, mean_ms),
    )
    return result(
        flow,
        delay,
        Regime.RING_FULL,
        case.interface.rate_bps,
        bound_ms=lower_bound_ms(case.interface.ring, case.llq, case.lower, flow),
        loss_ratio=loss,
        carried=carried,
        wider=UNMODELLED if weak else 0.02,
        weak=weak,
    )


def _ring_ms(case: Case, flow: Flow, passed: Sequence[float]) -> float:
    """Mean time of a lower packet in ring and wire, by Little's law on the ring's units."""
    own_units = float(flow.weights @ flow.units)
    units_per_ms = (1 - sum(passed)) / flow.mean_ms * own_units
    for other, load in zip(case.llq, passed, strict=True):
        units_per_ms += load / other.mean_ms * float(other.weights @ other.units)
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
