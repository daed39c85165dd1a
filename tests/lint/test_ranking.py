"""Findings are ranked by what their remedies give back: ms, Mb/s or percent."""

import pytest

from advisor.lint.findings import Forecast
from advisor.quantity import Figure


def exactly(value: float, unit: str, bound: float | None = None) -> Figure:
    return Figure(value, value, value, unit, bound)


@pytest.mark.parametrize(
    ("before", "after", "gain"),
    [
        pytest.param(exactly(60, "ms"), exactly(20, "ms"), 40, id="a delay"),
        pytest.param(exactly(60, "ms", 90), exactly(20, "ms", 25), 65, id="bounds"),
        pytest.param(exactly(5000, "kb/s"), exactly(2000, "kb/s"), 3, id="a rate counts in Mb/s"),
        pytest.param(exactly(3, "%"), exactly(1, "%"), 2, id="percent"),
        pytest.param(exactly(60, "ms"), None, 0, id="no remedy"),
    ],
)
def test_gain(before: Figure, after: Figure | None, gain: float) -> None:
    assert Forecast("metric", before, after, ()).gain == gain
