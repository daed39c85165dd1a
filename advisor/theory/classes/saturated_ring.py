"""A lower class keeps the ring full: LLQ by the recursion, lower classes by their shares."""

from collections.abc import Sequence

from advisor.theory.bounds import llq_bound_ms
from advisor.theory.case import Case
from advisor.theory.classes import full_lower
from advisor.theory.classes.policing import refused_ratio
from advisor.theory.classes.turns import turns_of
from advisor.theory.flows import Flow
from advisor.theory.half_widths import LEFT_OUT_OF_FULL_RING
from advisor.theory.interface import ClassResult, Poisson, Regime, Weakness
from advisor.theory.results import of_sample, result, sampling_error
from advisor.theory.ring.full_ring import Full, Sample, full_ring, passed_share, sampled
from advisor.theory.ring.many_runs import run_all

LEAST_LEFT = 0.01  # share of the wire that is left if a policer limits an overloading LLQ


def sampling(case: Case, samples: int) -> Full | None:
    """The run that samples the LLQ; None without an LLQ."""
    if not case.llq:
        return None
    turns = turns_of(case.lower, max(LEAST_LEFT, 1 - case.llq_load))
    carried = {
        flow.traffic.name: turn.copies * turn.carried_of(flow)
        for turn in turns
        for flow in turn.flows
    }
    shares = [carried[flow.traffic.name] / flow.mean_ms for flow in case.lower]
    return full_ring(case.places, case.llq, case.lower, shares, samples)


def solve(case: Case, regime: Regime, samples: int) -> dict[str, ClassResult]:
    """Results by class name."""
    full = sampling(case, samples)
    llq_samples = () if full is None else sampled(full, run_all([full.request])[0])
    return solve_sampled(case, regime, llq_samples)


def solve_sampled(
    case: Case, regime: Regime, llq_samples: Sequence[Sample]
) -> dict[str, ClassResult]:
    """Results by class name; `llq_samples` come from the run of `sampling`."""
    llq, lower = case.llq, case.lower
    results: dict[str, ClassResult] = {}
    passed: list[float] = []
    shed = _shed_ratio(case)
    for flow, sample in zip(llq, llq_samples, strict=True):
        loss = shed if shed is not None else _policed_ratio(flow, sample)
        passed.append(flow.load * (1 - loss))
        results[flow.traffic.name] = result(
            flow,
            of_sample(sample),
            regime,
            case.interface.rate_bps,
            bound_ms=llq_bound_ms(case.interface.ring, llq, lower, flow),
            loss_ratio=loss,
            most_loss=None if shed is None else refused_ratio(flow),
            wider=sampling_error(sample) + (0.0 if shed is None else LEFT_OUT_OF_FULL_RING),
            weak=() if shed is None else (Weakness.SHED,),
        )
    random = (
        shed is None and case.llq_load < 1 and all(sample.loss_ratio == 0 for sample in llq_samples)
    )
    return results | full_lower.results(case, regime, passed, common_chain=random)


def _policed_ratio(flow: Flow, sample: Sample) -> float:
    """Loss of a policed flow; for random packets a long run's, as lanes of the sample are short."""
    if isinstance(flow.traffic.arrival, Poisson):
        return refused_ratio(flow)
    return sample.loss_ratio


def _shed_ratio(case: Case) -> float | None:
    """Drops of the policer if they alone end the overload; None if they do not.

    The policer drops only while the ring is full, so it takes no more than the excess.
    """
    offered = case.load - 1
    has_rates = all(flow.packets_per_ms is not None for flow in case.lower)
    policed = sum(flow.load * (1 - passed_share(flow)) for flow in case.llq)
    if not has_rates or not 0 < offered < policed:
        return None
    return offered / case.llq_load
