"""Every figure of a class has an interval: by a run, by a formula, of losses too."""

import pytest
from msgspec.structs import asdict, replace

from advisor.model import Interface, Policer, Traffic
from advisor.theory.solver import sampled, solve
from tests.theory.analytic.build import (
    DATA_MS,
    VOICE_MS,
    data,
    every,
    fifo,
    interface,
    poisson,
    sizes,
    voice,
)

BY_FORMULA = interface(voice(every(20.0), 3), data(), ring=3)
BY_A_RUN = interface(voice(every(20.0)), data(poisson(0.9, DATA_MS)), ring=3, limit=4)
CALL = Traffic("call", "all", every(30.0), sizes((125, 1.0)))
OVERLOADED = fifo(CALL, data(poisson(1.1, DATA_MS)), limit=20)


@pytest.mark.parametrize("case", [BY_FORMULA, BY_A_RUN, OVERLOADED], ids=["formula", "run", "FIFO"])
def test_each_figure_lies_inside_an_interval_that_has_a_width(case: Interface) -> None:
    for result in solve(case).classes:
        low, high = asdict(result.low), asdict(result.high)
        for name, value in asdict(result.delay).items():
            assert low[name] <= value <= high[name], (result.name, name)
            assert low[name] < high[name] or value == 0, (result.name, name)
        assert result.loss_low_ratio <= result.loss_ratio <= result.loss_high_ratio
        assert result.throughput_low_bps <= result.throughput_bps <= result.throughput_high_bps


def policed(burst_bytes: float) -> Interface:
    """Random packets of an LLQ at nine tenths of the rate of their policer."""
    case = interface(voice(poisson(0.09, VOICE_MS)), data(), ring=2)
    first, *others = case.queues
    first = replace(first, priority_policer=Policer(100_000.0, burst_bytes, case.framing))
    return replace(case, queues=(first, *others))


@pytest.mark.parametrize(
    ("burst_bytes", "may_lose"), [(3000, True), (60_000, False)], ids=["short", "long"]
)
def test_a_bucket_that_may_run_empty_has_a_loss_of_more_than_nothing(
    burst_bytes: float, *, may_lose: bool
) -> None:
    (found, _) = solve(policed(burst_bytes)).classes
    assert (found.loss_high_ratio > 0) is may_lose


def test_a_call_in_an_overloaded_fifo_loses_less_than_random_packets_beside_it() -> None:
    """Its packets never meet a full queue twice while one packet is sent; the wire stays full."""
    call, others = solve(OVERLOADED).classes
    run = sampled(OVERLOADED).classes
    assert call.method == others.method != "sampled"
    assert 0.5 * others.loss_ratio < call.loss_ratio < 0.8 * others.loss_ratio
    for found, counted in zip((call, others), run, strict=True):
        assert counted.loss_ratio == pytest.approx(found.loss_ratio, rel=0.2)
    assert sum(row.throughput_bps for row in (call, others)) == pytest.approx(1e6, rel=5e-3)


def test_the_loss_beside_a_delay_by_formula_is_that_of_the_formula_and_smooth() -> None:
    """No run counts it: 0.1 % more load changes a loss by less than a tenth."""
    losses = []
    for load in (0.95, 0.951, 0.952):
        case = interface(voice(poisson(0.05, VOICE_MS)), data(poisson(load, DATA_MS)), limit=20)
        losses.append(solve(case).classes[1].loss_ratio)
    assert losses[0] < losses[1] < losses[2] < 1.2 * losses[0]
