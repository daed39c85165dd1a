"""A lower class keeps the ring full: LLQ by the recursion, lower classes by their shares."""

from collections.abc import Sequence

from advisor.model import full_lower
from advisor.model.bounds import llq_bound_ms
from advisor.model.case import Case
from advisor.model.classes import full_queue_ms
from advisor.model.flows import Flow
from advisor.model.interface import ClassResult, Delay, Poisson, Regime
from advisor.model.policing import refused_ratio
from advisor.model.results import of_sample, result, sampling_error
from advisor.model.ring_full import Full, Sample, full_ring, passed_share
from advisor.model.turns import turns_of

NOTHING = 1e-9  # share of the wire
UNMODELLED = 0.2  # relative, added to the interval where something is left out
SHED = "the policer drops just what the link cannot carry: the ring is not always full"


def sampling(case: Case, samples: int) -> Full | None:
    """What of the LLQ must be sampled; None without one, or where it takes the whole wire."""
    if not case.llq or _llq_fills_wire(case):
        return None
    turns = turns_of(case.lower, max(0.01, 1 - case.llq_load))
    carried = {f.traffic.name: turn.carried_of(f) for turn in turns for f in turn.flows}
    shares = [carried[flow.traffic.name] / flow.mean_ms for flow in case.lower]
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
        loss = shed if shed is not None else _policed_ratio(flow, sample)
        passed.append(flow.load * (1 - loss))
        results[flow.traffic.name] = result(
            flow,
            of_sample(sample),
            Regime.RING_FULL,
            case.interface.rate_bps,
            bound_ms=llq_bound_ms(case.interface.ring, llq, lower, flow),
            loss_ratio=loss,
            most_loss=None if shed is None else refused_ratio(flow),
            wider=sampling_error(sample) + (0.0 if shed is None else UNMODELLED),
            weak=None if shed is None else SHED,
        )
    random = shed is None and case.llq_load < 1 and all(sample.loss_ratio == 0 for sample in of_llq)
    return results | full_lower.results(case, passed, common_chain=random)


def _policed_ratio(flow: Flow, sample: Sample) -> float:
    """Loss of a policed flow: of random packets over a long run, which no lane of the sample is."""
    if isinstance(flow.traffic.arrival, Poisson):
        return refused_ratio(flow)
    return sample.loss_ratio


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
