"""Model and simulation agree where their intervals meet."""

import pytest

from advisor.model import Framing, Interface, Poisson, Queue, QueueKind, SizeMix, Traffic, TxRing
from advisor.predict.scenario import rows_of
from advisor.predict.what_if.scenario_answers import Estimated, ScenarioRow, SimulatedRow
from advisor.predict.what_if.simulated import Figured, FigurePair, Span, apart
from advisor.theory.solver import solve


@pytest.mark.parametrize(
    ("predicted", "simulated", "expected"),
    [
        pytest.param(Span(1, 2), Span(1.5, 3), (), id="they overlap"),
        pytest.param(Span(1, 2), Span(2, 3), (), id="they touch"),
        pytest.param(Span(1, 2), Span(2.1, 3), (Figured.MEAN,), id="simulated above"),
        pytest.param(Span(1, 2), Span(0.1, 0.9), (Figured.MEAN,), id="simulated below"),
        pytest.param(None, Span(0.1, 0.9), (), id="nothing predicted"),
        pytest.param(Span(1, 2), None, (), id="nothing simulated"),
    ],
)
def test_a_figure_is_apart_where_the_intervals_do_not_meet(
    predicted: Span | None, simulated: Span | None, expected: tuple[Figured, ...]
) -> None:
    assert apart((FigurePair(Figured.MEAN, predicted, simulated),)) == expected


@pytest.mark.parametrize(("longest_ms", "expected"), [(8.0, ()), (8.1, (Figured.MAX,))])
def test_a_longest_delay_may_reach_the_bound_and_not_pass_it(
    longest_ms: float, expected: tuple[Figured, ...]
) -> None:
    assert apart((), 8.0, longest_ms) == expected


def test_a_scenario_is_apart_by_percentiles_and_jitter_though_the_mean_agrees() -> None:
    traffic = Traffic("all", "all", Poisson(500.0), SizeMix(((125, 1.0),)))
    queue = Queue("all", QueueKind.FIFO)
    interface = Interface(1e6, Framing(0), TxRing(1), (queue,), (traffic,))
    (predicted,) = rows_of("one", solve(interface).classes)
    far = Estimated(1000.0, 1.0)
    assert predicted.mean_ms is not None
    mean = Estimated(predicted.mean_ms, 0.0)
    simulated = SimulatedRow(
        1000, 500.0, mean_ms=mean, p95_ms=far, p99_ms=far, ipdv_ms=far, max_ms=1.0
    )
    found = ScenarioRow("one", "all", predicted, simulated).apart
    assert found == (Figured.P95, Figured.P99, Figured.IPDV)
