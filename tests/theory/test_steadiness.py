"""Which loads are steady enough to take a size from."""

import pytest

from advisor.lint.cards import load_rules
from advisor.predict.size.platform_line import STEADY_PERCENT, STEADY_POINTS
from advisor.settings import Budgets
from advisor.theory.dlsw import largest_movement


@pytest.mark.parametrize(
    ("averages", "points"),
    [
        pytest.param((8, 8, 5), None, id="3 points are steady"),
        pytest.param((10, 5, 5), None, id="exactly 5 points are steady"),
        pytest.param((11, 5, 5), 6, id="6 points of 11 are not"),
        pytest.param((40, 30, 30), None, id="25 % of the larger are steady"),
        pytest.param((41, 30, 30), 11, id="more than 25 % of the larger are not"),
        pytest.param((20, 12, 5), 8, id="the pair that differs most is named"),
        pytest.param((30, 30, 10), 20, id="the five minutes lag behind"),
    ],
)
def test_movement(averages: tuple[int, int, int], points: float | None) -> None:
    found = largest_movement(
        *averages, difference_points=STEADY_POINTS, difference_percent=STEADY_PERCENT
    )

    assert (None if found is None else found.points) == points


def test_a_size_takes_the_limits_of_the_rule() -> None:
    (rule,) = (each for each in load_rules(Budgets()) if each.card.id == "CPU003")

    assert rule.params == type(rule.params)(STEADY_POINTS, STEADY_PERCENT)
