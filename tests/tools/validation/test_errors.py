"""Errors of a prediction, relative to what is true."""

from math import inf

import pytest
from msgspec.structs import replace

from advisor.predict.scenario import rows_of
from advisor.theory.solution import ClassResult, Delay, Regime
from tools.validation.errors import Compared
from tools.validation.truth import ClassTruth


def voice(predicted_ipdv_ms: float | None, true_ipdv_ms: float) -> Compared:
    """The LLQ of a scenario with these ipdv."""
    ipdv_ms = inf if predicted_ipdv_ms is None else predicted_ipdv_ms
    delay = Delay(5.0, 5.0, 5.0, 5.0, ipdv_ms)
    result = ClassResult(
        name="voice",
        delay=delay,
        low=replace(delay, mean_ms=4.0),
        high=replace(delay, mean_ms=6.0),
        bound_ms=6.0,
        ipdv_bound_ms=1.0,
        loss_ratio=0.0,
        loss_low_ratio=0.0,
        loss_high_ratio=0.0,
        throughput_bps=80_000.0,
        regime=Regime.PERIODIC,
    )
    (predicted,) = rows_of("A-1", (result,))
    truth = ClassTruth(
        class_name="voice",
        mean_ms=5.0,
        p50_ms=5.0,
        p95_ms=5.0,
        p99_ms=5.0,
        max_ms=5.0,
        ipdv_ms=true_ipdv_ms,
        throughput_wire_kbps=80.0,
    )
    return Compared("A", ("periodic",), llq=True, predicted=predicted, truth=truth)


@pytest.mark.parametrize(
    ("predicted_ms", "true_ms", "error"),
    [
        pytest.param(1.2, 1.0, 0.2, id="relative to the truth"),
        pytest.param(0.3, 0.0, 0.3, id="absolute where packets do not differ"),
        pytest.param(1.6e-15, 2.3e-15, 0.0, id="rounding of both is no error"),
        pytest.param(0.3, 2.3e-15, 0.3, id="absolute where packets differ by rounding"),
        pytest.param(None, 1.0, -1.0, id="all of it without a prediction"),
    ],
)
def test_error_of_ipdv(predicted_ms: float | None, true_ms: float, error: float) -> None:
    assert voice(predicted_ms, true_ms).ipdv_error == pytest.approx(error, abs=1e-12)
