"""Periodic sources alone: Lindley's recursion, averaged over their phases.

With packets of one size this is the queue nD/D/1, or sum D_i/D/1 for several periods; packets of
unlike sizes and the ring are in the same recursion (`ring_open.periodic_delays`).
"""

from advisor.theory.bounds import fifo_bound_ms, llq_bound_ms, lower_bound_ms
from advisor.theory.case import Case
from advisor.theory.flows import Flow
from advisor.theory.interface import ClassResult, Regime
from advisor.theory.results import of_sample, result, sampling_error
from advisor.theory.ring.ring_open import periodic_delays
from advisor.theory.ring.ring_recursion import Places

ENDLESS = Places(10_000)  # a ring deeper than any periodic queue: one FIFO, the ring irrelevant


def solve(case: Case, regime: Regime, samples: int) -> dict[str, ClassResult]:
    """Results by class name."""
    llq, lower, places = case.llq, case.lower, case.places
    if regime is not Regime.PERIODIC:
        llq, lower, places = case.flows, (), ENDLESS
    delays = periodic_delays(places, llq, lower, samples)
    return {
        flow.traffic.name: result(
            flow,
            of_sample(sample),
            regime,
            case.interface.rate_bps,
            bound_ms=_bound_ms(case, flow),
            wider=sampling_error(sample),
        )
        for flow, sample in zip(case.flows, delays, strict=True)
    }


def _bound_ms(case: Case, flow: Flow) -> float | None:
    ring = case.interface.ring
    if case.is_fifo:
        return fifo_bound_ms(ring, case.flows, flow)
    bound = llq_bound_ms if flow.priority else lower_bound_ms
    return bound(ring, case.llq, case.lower, flow)
