"""The WRED model's goals on published scenarios; skipped where they are not at hand."""

import json
import runpy
import statistics
from pathlib import Path
from typing import Any

import pytest

from tests.support.outside import VALIDATION, needs

ROOT = Path(__file__).parents[2]
# Largest error of a share, by set.
WORST = {"wred_tuning.json": 0.10, "wred_wide.json": 0.12}
COLLAPSED = {"W1-08", "Z-004", "Z-016", "Z-012"}

pytestmark = needs(*(VALIDATION / name for name in WORST))


@pytest.fixture(scope="module", params=WORST)
def found(request: pytest.FixtureRequest) -> tuple[str, list[Any]]:
    benchmark = runpy.run_path(str(ROOT / "benchmarks/wred_vs_truth.py"))
    scenarios = json.loads((VALIDATION / request.param).read_text("utf-8"))
    rows = [row for scenario in scenarios for row in benchmark["rows_of"](scenario)]
    return request.param, rows


def test_shares_reach_their_goal(found: tuple[str, list[Any]]) -> None:
    name, rows = found
    errors = sorted(row.share_error for row in rows)
    assert statistics.median(errors) <= 0.010
    assert sum(error <= 0.05 for error in errors) / len(errors) >= 0.95
    assert errors[-1] <= WORST[name]


def test_delay_and_loss_reach_their_goals(found: tuple[str, list[Any]]) -> None:
    _, rows = found
    assert statistics.median(row.delay_error for row in rows) <= 0.10
    assert statistics.median(row.loss_error for row in rows) <= 0.20


def test_nine_true_values_in_ten_lie_inside_the_range(found: tuple[str, list[Any]]) -> None:
    _, rows = found
    for kind in range(3):
        assert sum(row.inside[kind] for row in rows) / len(rows) >= 0.90


def test_a_collapse_is_named_where_there_is_one_and_nowhere_else(
    found: tuple[str, list[Any]],
) -> None:
    _, rows = found
    assert {row.scenario for row in rows if row.collapse} <= COLLAPSED
    assert any(row.collapse for row in rows)
