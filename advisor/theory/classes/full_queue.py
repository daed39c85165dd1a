"""A queue that overload keeps full, by Little's law: J. D. C. Little, Oper. Res. 9 (1961)."""

from advisor.theory.bounds import llq_bound_ms
from advisor.theory.case import Case
from advisor.theory.flows import Flow
from advisor.theory.interface import ClassResult, Delay, Periodic, Poisson, Regime, Weakness
from advisor.theory.results import result

# Percentiles over the mean of an overloaded LLQ: stated, not derived (docs/model.md, "Known
# weaknesses"). Only the last place of its queue becomes free, so both are near the mean.
P95_RATIO, P99_RATIO = 1.05, 1.1


def full_queue_ms(flow: Flow, service_ms: float, limit_packets: int, ring_ms: float) -> float:
    """Mean delay in a queue that overload keeps full, by Little's law.

    After a packet leaves, its place is empty until the next arrival: half a period with periodic
    sources, a whole mean gap with Poisson sources. With random arrivals the number of free places
    is geometric with the ratio 1 / load: ``1 / (load - 1)`` in the mean.
    """
    gap_ms = 1 / flow.rate_per_ms
    empty = gap_ms / (2 if isinstance(flow.traffic.arrival, Periodic) else 1) / service_ms
    if isinstance(flow.traffic.arrival, Poisson):
        load = service_ms / gap_ms
        empty = min(1 / (load - 1), limit_packets / 2) if load > 1 else limit_packets / 2
    return (limit_packets - min(empty, limit_packets / 2)) * service_ms + ring_ms


def solve(case: Case, regime: Regime, samples: int) -> dict[str, ClassResult]:  # noqa: ARG001
    """Results by class name: the LLQ fills its queue and the wire, the others get nothing."""
    interface, llq, load = case.interface, case.llq, case.llq_load
    results = {}
    for flow in llq:
        service_ms = flow.mean_ms / (flow.load / load)
        ring_ms = interface.ring.limit * flow.mean_ms
        mean_ms = full_queue_ms(flow, service_ms, flow.queue.limit_packets, ring_ms)
        results[flow.traffic.name] = result(
            flow,
            Delay(mean_ms, mean_ms, mean_ms * P95_RATIO, mean_ms * P99_RATIO, flow.mean_ms),
            regime,
            interface.rate_bps,
            bound_ms=llq_bound_ms(interface.ring, llq, case.lower, flow),
            loss_ratio=1 - 1 / load,
            weak=(Weakness.OVERLOADED,),
        )
    for flow in case.lower:
        results[flow.traffic.name] = result(
            flow,
            Delay(*(float("inf"),) * 5),
            regime,
            interface.rate_bps,
            bound_ms=None,
            loss_ratio=1.0,
            carried=0.0,
            weak=(Weakness.STARVED,),
        )
    return results
