"""The WRED model's goals on the published tuning scenarios; skipped where they are not at hand."""

import json
import runpy
import statistics
from pathlib import Path
from typing import Any

import pytest

from tests.support.outside import VALIDATION, needs

ROOT = Path(__file__).parents[2]
TUNING = VALIDATION / "wred_tuning.json"
COLLAPSED = "W1-08"

pytestmark = needs(TUNING)


@pytest.fixture(scope="module")
def rows() -> list[Any]:
    benchmark = runpy.run_path(str(ROOT / "benchmarks/wred_vs_truth.py"))
    scenarios = json.loads(TUNING.read_text("utf-8"))
    return [row for scenario in scenarios for row in benchmark["rows_of"](scenario)]


def test_shares_reach_their_goal(rows: list[Any]) -> None:
    errors = sorted(row.share_error for row in rows)
    assert statistics.median(errors) <= 0.010
    assert sum(error <= 0.05 for error in errors) / len(errors) >= 0.95
    assert errors[-1] <= 0.10


def test_delay_and_loss_reach_their_goals(rows: list[Any]) -> None:
    calm = [row for row in rows if row.scenario != COLLAPSED]
    assert statistics.median(row.delay_error for row in calm) <= 0.15
    assert statistics.median(row.loss_error for row in calm) <= 0.20


def test_nine_true_values_in_ten_lie_inside_the_range(rows: list[Any]) -> None:
    for kind in range(3):
        assert sum(row.inside[kind] for row in rows) / len(rows) >= 0.90


def test_the_collapse_is_flagged_with_the_truth_inside_the_range(rows: list[Any]) -> None:
    collapsed = [row for row in rows if row.scenario == COLLAPSED]
    assert collapsed
    assert all(row.collapse and all(row.inside) for row in collapsed)
