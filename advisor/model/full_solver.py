"""A lower class keeps the ring full: LLQ by the recursion, lower classes by their shares."""

from collections.abc import Sequence
from dataclasses import replace

from advisor.model.bounds import llq_bound_ms, lower_bound_ms
from advisor.model.case import Case
from advisor.model.classes import full_queue_ms
from advisor.model.flows import Flow
from advisor.model.interface import ClassResult, Delay, Periodic, Regime, Saturated
from advisor.model.offered import mix_of
from advisor.model.results import of_sample, result, sampling_error
from advisor.model.ring_full import Full, Sample, full_ring
from advisor.model.tx_ring import Ring, Size, in_ring_ms

_ROOM = 1.02  # least rate of a class that is nearly its share, over its load
NOTHING = 1e-9  # share of the wire


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
    for flow, sample in zip(llq, of_llq, strict=True):
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
    carried = carried_loads(lower, max(0.0, 1 - sum(passed)))
    for flow, load in zip(lower, carried, strict=True):
        results[flow.traffic.name] = _lower(case, flow, load, (*passed, *carried))
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


def _lower(case: Case, flow: Flow, carried: float, loads: Sequence[float]) -> ClassResult:
    """A lower class that is carried `carried` of the wire; `loads` are those of all flows."""
    passed = loads[: len(case.llq)]
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
        mean_ms = _within_share_ms(case, flow, loads)
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
        wider=0.2 if weak else 0.02,
        weak=weak,
    )


def _within_share_ms(case: Case, flow: Flow, loads: Sequence[float]) -> float:
    """Mean delay of a class that asks for less than its share, beside one that asks for more.

    It waits for the packet on the wire, in a queue of its own that is served at the rate it would
    have if it were backlogged (Pollaczek-Khinchine), for packets of the others whose tags end
    before its own (its time at that rate less that on the wire), and for the ring. Source:
    S. J. Golestani, "A self-clocked fair queueing scheme for broadband applications", INFOCOM
    1994, 636-646. Against simulation of ten random interfaces: median 7 %, worst 25 %.
    """
    free = 1 - sum(loads[: len(case.llq)])
    index = case.lower.index(flow)
    asking = [*case.lower]
    asking[index] = replace(flow, packets_per_ms=None)
    rate = max(carried_loads(asking, free)[index], flow.load * _ROOM)
    alone = isinstance(flow.traffic.arrival, Periodic) and flow.traffic.streams == 1
    residual_ms = 0.0 if alone else mix_of([flow]).residual_ms
    queue_ms = residual_ms / rate**2 / (1 - flow.load / rate)
    step_ms = flow.mean_ms / rate - flow.mean_ms
    ring = case.interface.ring
    before_ms, mean_ms, on_wire_ms = in_ring_ms(
        Ring(ring.limit, ring.beside_wire), _sizes([*case.llq, *case.lower], loads)
    )
    ring_ms = before_ms + ring.beside_wire * mean_ms
    return on_wire_ms / free + queue_ms + step_ms + ring_ms + flow.mean_ms


def _sizes(flows: Sequence[Flow], loads: Sequence[float]) -> list[Size]:
    """What passes the ring, by size."""
    return [
        Size(load / flow.mean_ms * weight, time_ms, unit)
        for flow, load in zip(flows, loads, strict=True)
        if load > 0
        for weight, time_ms, unit in zip(
            flow.weights.tolist(), flow.times_ms.tolist(), flow.units.tolist(), strict=True
        )
    ]


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
