"""Numbers as an engineer writes them: no exponent, few digits, the right plural."""

import pytest

from advisor.ground.quantity import Figure, count, enclosing, number, plain, rate_text


@pytest.mark.parametrize(
    ("rate_kbps", "text"),
    [
        (10e6, "10000000"),
        (1e6, "1000000"),
        (1544.0, "1544"),
        (102.4, "102.4"),
        (196.608, "196.6"),
        (33.3333, "33.3"),
        (0.0, "0"),
    ],
)
def test_a_rate_has_no_exponent(rate_kbps: float, text: str) -> None:
    assert rate_text(rate_kbps) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        pytest.param(1_000_000.0, 15, "1000000", id="queue-limit of a million bytes"),
        pytest.param(9_457_676.3, 6, "9457680", id="six digits of a cell"),
        pytest.param(1 / 255, 6, "0.00392157", id="txload 1/255"),
        pytest.param(0.1 + 0.2, 15, "0.3", id="no digits of binary arithmetic"),
    ],
)
def test_a_stated_value_keeps_its_digits(value: float, digits: int, text: str) -> None:
    assert plain(value, digits) == text


@pytest.mark.parametrize(("percent", "text"), [(100.0, "100"), (12.34, "12.3"), (0.2, "0.2")])
def test_a_percentage_has_no_exponent(percent: float, text: str) -> None:
    assert number(percent) == text


@pytest.mark.parametrize(("total", "text"), [(0, "0 classes"), (1, "1 class"), (2, "2 classes")])
def test_one_thing_is_singular(total: int, text: str) -> None:
    assert count(total, "class", "classes") == text


@pytest.mark.parametrize(
    ("low", "value", "high", "bound"),
    [
        pytest.param(2.0, 1.0, 3.0, None, id="value under the interval"),
        pytest.param(1.0, 4.0, 3.0, None, id="value over the interval"),
        pytest.param(1.0, 2.0, 3.0, 2.5, id="interval over the bound"),
        pytest.param(1.0, float("nan"), 3.0, None, id="no number"),
    ],
)
def test_a_figure_outside_its_interval_or_over_its_bound_cannot_be_made(
    low: float, value: float, high: float, bound: float | None
) -> None:
    with pytest.raises(ValueError, match="low <= value <= high <= bound"):
        Figure(value, low, high, "ms", bound)


@pytest.mark.parametrize(
    ("low", "value", "high", "bound", "ends"),
    [
        pytest.param(2.0, 1.0, 3.0, None, (1.0, 1.0, 3.0), id="widened below"),
        pytest.param(1.0, 4.0, 3.0, None, (1.0, 4.0, 4.0), id="widened above"),
        pytest.param(1.0, 4.0, 6.0, 2.5, (1.0, 2.5, 2.5), id="limited by the bound"),
    ],
)
def test_an_interval_encloses_its_estimate_under_its_bound(
    low: float, value: float, high: float, bound: float | None, ends: tuple[float, float, float]
) -> None:
    figure = enclosing(value, low, high, "ms", bound)

    assert (figure.low, figure.value, figure.high) == ends
