"""A few of the validation scenarios: the simulation and the published truth are one system."""

import json
from typing import Any

import pytest

from advisor.predict.scenario_interface import interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.scenario import Scenario
from advisor.simulate import ClassSummary, Estimate, simulate
from tests.support.outside import VALIDATION

pytestmark = pytest.mark.slow


def published(file: str, scenario_id: str) -> tuple[Scenario, list[dict[str, Any]]]:
    path = VALIDATION / file
    if not path.is_file():
        pytest.skip(f"{file} is not part of this repository")
    text = path.read_text(encoding="utf-8")
    scenario = next(each for each in read_scenarios(text, file) if each.id == scenario_id)
    raw = next(each for each in json.loads(text) if each["id"] == scenario_id)
    results = raw["results"]
    return scenario, results.get("classes") or results["groups"]


def close(estimate: Estimate | None, truth: float, *, within: float) -> bool:
    """Within two half-widths of the estimate, and within a ratio of the truth."""
    assert estimate is not None
    assert estimate.half_width is not None
    off = abs(estimate.value - truth)
    return off <= 2 * estimate.half_width + 1e-3 * truth and off <= within * truth


@pytest.mark.parametrize(
    "scenario_id",
    [
        pytest.param("D1-08", id="particles and cells under saturation"),
        pytest.param("D2-05", id="periodic overload"),
        pytest.param("D6-05", id="bursts"),
        pytest.param("D8-05", id="fragments"),
        pytest.param("D9-05", id="overloaded FIFO"),
        pytest.param("D10-05", id="three CBWFQ classes"),
        pytest.param("D11-02", id="policed LLQ"),
        pytest.param("D13-05", id="fair-queue in class-default"),
    ],
)
def test_delays_and_losses_are_the_published_ones(scenario_id: str) -> None:
    scenario, truth = published("delay_tuning.json", scenario_id)
    for result, expected in zip(
        simulate(interface_of(scenario), 20_000, 10, seed=3).classes, truth, strict=True
    ):
        assert result.class_name == expected["class"]
        assert result.delay is not None
        assert close(result.delay.mean_ms, expected["mean_ms"], within=0.15)
        assert close(result.delay.p95_ms, expected["p95_ms"], within=0.15)
        if expected["scored"]:
            assert close(result.delay.ipdv_ms, expected["ipdv_ms"], within=0.10)
            assert result.delay.max_ms <= expected["max_ms"] * 1.01
        if expected.get("loss_ratio"):
            assert close(result.loss_ratio, expected["loss_ratio"], within=0.9)
        throughput_bps = expected["throughput_wire_kbps"] * 1000
        assert result.throughput_wire_bps.value == pytest.approx(throughput_bps, rel=0.05)


def test_shares_of_wred_profiles_are_the_published_ones() -> None:
    scenario, truth = published("wred_tuning.json", "W4-02")
    results: tuple[ClassSummary, ...] = simulate(interface_of(scenario), 24_000, 3, seed=1).classes
    for result, expected in zip(results, truth, strict=True):
        assert result.tcp_share_ratio is not None
        assert result.tcp_share_ratio.value == pytest.approx(expected["share"], abs=0.03)
        assert result.delay is not None
        assert result.delay.mean_ms.value == pytest.approx(expected["mean_ms"], rel=0.03)
        assert result.loss_ratio is not None
        assert result.loss_ratio.value == pytest.approx(expected["loss_ratio"], rel=0.08)
