"""A lower class keeps the ring full: LLQ by the recursion, lower classes by their shares."""

from collections.abc import Sequence

from advisor.model.bounds import llq_bound_ms, lower_bound_ms
from advisor.model.classes import full_queue_ms
from advisor.model.flows import Flow
from advisor.model.interface import ClassResult, Delay, Interface, Regime, Saturated
from advisor.model.recursion import Places
from advisor.model.results import of_sample, result, sampling_error
from advisor.model.ring_full import Sample, llq_delays


def solve(
    interface: Interface, places: Places, llq: Sequence[Flow], lower: Sequence[Flow], samples: int
) -> dict[str, ClassResult]:
    """Results by class name."""
    before = sum(flow.load for flow in llq)
    if before >= 1 and all(flow.queue.policer is None for flow in llq):
        return _llq_overloaded(interface, llq, lower)
    if not llq:
        carried = carried_loads(lower, 1.0)
        return {f.traffic.name: _lower(interface, f, c, (), lower, {}) for f, c in zip(lower, carried, strict=True)}
    known = carried_loads(lower, max(0.01, 1 - min(before, 0.99)))
    shares = [load / flow.mean_ms for load, flow in zip(known, lower, strict=True)]
    sampled = llq_delays(places, llq, lower, shares, samples)
    results = {}
    for flow, sample in zip(llq, sampled, strict=True):
        results[flow.traffic.name] = result(
            flow,
            of_sample(sample),
            Regime.RING_FULL,
            interface.rate_bps,
            bound_ms=llq_bound_ms(interface.ring, llq, lower, flow),
            loss_ratio=sample.loss_ratio,
            wider=sampling_error(sample),
        )
    passed = sum(f.load * (1 - s.loss_ratio) for f, s in zip(llq, sampled, strict=True))
    carried = carried_loads(lower, max(0.0, 1 - passed))
    losses = {f.traffic.name: s for f, s in zip(llq, sampled, strict=True)}
    for flow, load in zip(lower, carried, strict=True):
        results[flow.traffic.name] = _lower(interface, flow, load, llq, lower, losses)
    return results


def carried_loads(lower: Sequence[Flow], room: float) -> list[float]:
    """Share of the wire of each lower flow: by weight among those that want more, no more than asked.

    Excess goes to the backlogged classes in proportion to their weights.
    """
    carried = [0.0] * len(lower)
    open_ = list(range(len(lower)))
    while open_ and room > 1e-12:
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


def _lower(
    interface: Interface,
    flow: Flow,
    carried: float,
    llq: Sequence[Flow],
    lower: Sequence[Flow],
    sampled: dict[str, Sample],
) -> ClassResult:
    passed = sum(f.load * (1 - sampled[f.traffic.name].loss_ratio) for f in llq)
    service_ms = flow.mean_ms / max(carried, 1e-9)
    ring_ms = _ring_ms(interface, flow, carried, llq, lower, sampled)
    loss, weak = 0.0, None
    if isinstance(flow.traffic.arrival, Saturated):
        mean_ms = flow.traffic.arrival.backlog_packets * service_ms + ring_ms
        weak = "a closed backlog: the delay only shows how much is kept waiting"
    elif flow.load > carried * (1 + 1e-9):
        mean_ms = full_queue_ms(flow, service_ms, flow.queue.limit_packets, ring_ms)
        loss = 1 - carried / flow.load
    else:
        mean_ms = ring_ms + flow.mean_ms / max(1 - passed - flow.load, 0.05)
        weak = "a class within its share beside an overloaded one: its own queue is an estimate"
    spread = service_ms + flow.mean_ms
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
        interface.rate_bps,
        bound_ms=lower_bound_ms(interface.ring, llq, lower, flow),
        loss_ratio=loss,
        carried=carried,
        wider=0.2 if weak else 0.02,
        weak=weak,
    )


def _ring_ms(
    interface: Interface,
    flow: Flow,
    carried: float,
    llq: Sequence[Flow],
    lower: Sequence[Flow],
    sampled: dict[str, Sample],
) -> float:
    """Mean time of a lower packet in ring and wire, by Little's law on the ring's units."""
    unit_rate = sum(
        f.load * (1 - sampled[f.traffic.name].loss_ratio) / f.mean_ms * float(f.weights @ f.units)
        for f in llq
    )
    room = 1 - sum(f.load * (1 - sampled[f.traffic.name].loss_ratio) for f in llq)
    own_units = float(flow.weights @ flow.units)
    unit_rate += room / flow.mean_ms * own_units
    overshoot = (own_units - 1) / 2
    return (interface.ring.limit + overshoot) / unit_rate


def _llq_overloaded(
    interface: Interface, llq: Sequence[Flow], lower: Sequence[Flow]
) -> dict[str, ClassResult]:
    """The LLQ fills its queue and the wire; the classes below get nothing."""
    load = sum(flow.load for flow in llq)
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
            bound_ms=llq_bound_ms(interface.ring, llq, lower, flow),
            loss_ratio=1 - 1 / load,
            weak="the LLQ alone is offered more than the link carries",
        )
    for flow in lower:
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
