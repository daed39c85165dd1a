"""Model and simulation agree where their intervals meet."""

import pytest

from advisor.predict.what_if.simulated import Figured, FigurePair, Span, apart


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
