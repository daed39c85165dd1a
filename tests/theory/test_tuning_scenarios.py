"""The model's goals on the published tuning scenarios; skipped where they are not at hand."""

import json
import runpy
import statistics
from pathlib import Path
from typing import Any

import pytest

from tests.support.outside import VALIDATION, needs

ROOT = Path(__file__).parents[2]
TUNING = VALIDATION / "delay_tuning.json"

pytestmark = needs(TUNING)


@pytest.fixture(scope="module")
def rows() -> list[Any]:
    benchmark = runpy.run_path(str(ROOT / "benchmarks/model_vs_truth.py"))
    scenarios = json.loads(TUNING.read_text("utf-8"))
    return [row for scenario in scenarios for row in benchmark["rows_of"](scenario)]


def goal(errors: list[float], limit: float) -> tuple[float, float, float]:
    sizes = [abs(error) for error in errors]
    return statistics.median(sizes), sum(s <= limit for s in sizes) / len(sizes), max(sizes)


def test_llq_means_reach_their_goal(rows: list[Any]) -> None:
    middle, share, worst = goal([row.mean for row in rows if row.llq], 0.10)
    assert middle <= 0.03
    assert share >= 0.90
    assert worst <= 0.30


@pytest.mark.parametrize("level", ["p95", "p99"])
def test_llq_percentiles_reach_their_goal(rows: list[Any], level: str) -> None:
    middle, share, worst = goal([getattr(row, level) for row in rows if row.llq], 0.15)
    assert middle <= 0.05
    assert share >= 0.85
    assert worst <= 0.40


def test_means_of_lower_classes_reach_their_goal(rows: list[Any]) -> None:
    middle, share, _ = goal([row.mean for row in rows if not row.llq], 0.20)
    assert middle <= 0.05
    assert share >= 0.85


def test_no_bound_is_exceeded_and_llq_bounds_are_tight(rows: list[Any]) -> None:
    bounds = [row.bound for row in rows if row.bound is not None]
    assert min(bounds) >= 1 - 2e-5  # the maxima are printed with six digits
    assert statistics.median([row.bound for row in rows if row.llq and row.bound]) <= 1.15


def test_mean_ipdv_reaches_its_goal(rows: list[Any]) -> None:
    middle, _, _ = goal([row.ipdv for row in rows], 0.20)
    assert middle <= 0.20


def test_nine_true_means_in_ten_lie_inside_the_interval(rows: list[Any]) -> None:
    assert sum(row.inside for row in rows) / len(rows) >= 0.90
