"""`advisor predict --scenario`: an array or one scenario in, JSON rows or a table out."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.cli import run
from advisor.predict.scenario import NotModelledError, predict_scenario
from advisor.settings.read_scenarios import read_scenarios

REFERENCE = Path(__file__).parents[1] / "fixtures/scenarios/reference.json"
EVERY: list[dict[str, Any]] = json.loads(REFERENCE.read_text("utf-8"))
SMALL = next(each for each in EVERY if each["id"] == "D4-c")
KEYS = [
    *("id", "class"),
    *(f"{name}{end}_ms" for name in ("mean", "p50", "p95", "p99") for end in ("", "_low", "_high")),
    *("max_ms", "ipdv_ms", "ipdv_low_ms", "ipdv_high_ms", "ipdv_max_ms"),
    *("loss_ratio", "loss_low_ratio", "loss_high_ratio"),
    *(f"throughput_wire{end}_kbps" for end in ("", "_low", "_high")),
    *("regime", "method", "ipdv_method", "weak"),
]
TCP = {
    "group": "flows",
    "queue": "class-default",
    "tcp_flows": 3,
    "base_rtt_ms": 40.0,
    "ip_packet_bytes": 1500,
    "receiver_window_packets": 20,
}

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("s.json").write_text(json.dumps(SMALL), encoding="utf-8")
    return tmp_path


def written(scenario: object) -> None:
    Path("s.json").write_text(json.dumps(scenario), encoding="utf-8")


def rows(capsys: Said) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        capsys.readouterr().out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON")
    )
    return found


def test_every_class_of_every_reference_scenario_has_a_row(capsys: Said) -> None:
    assert run(["predict", "--scenario", str(REFERENCE)]) == 0
    asked = [(each["id"], traffic["class"]) for each in EVERY for traffic in each["traffic"]]
    assert [(row["id"], row["class"]) for row in rows(capsys)] == asked


def test_a_group_of_tcp_has_the_interval_of_its_share_and_its_regime(capsys: Said) -> None:
    written(SMALL | {"traffic": [TCP]})
    assert run(["predict", "--scenario", "s.json"]) == 0
    (row,) = rows(capsys)
    assert row["share_low"] <= row["share"] <= row["share_high"]
    assert row["mean_low_ms"] <= row["mean_ms"] <= row["mean_high_ms"]
    assert "no WRED" in row["regime"]
    assert row["converged"] is True


def test_a_row_has_the_keys_of_the_format_and_no_others(capsys: Said) -> None:
    assert run(["predict", "--scenario", "s.json"]) == 0
    assert [list(row) for row in rows(capsys)] == [KEYS, KEYS]


def test_results_that_stand_in_the_file_change_nothing(capsys: Said) -> None:
    assert run(["predict", "--scenario", "s.json"]) == 0
    without = rows(capsys)
    written(SMALL | {"results": {"classes": [{"mean_ms": 1}]}})
    assert run(["predict", "--scenario", "s.json"]) == 0
    assert rows(capsys) == without


def test_the_mean_lies_within_its_interval_and_percentiles_are_in_order(capsys: Said) -> None:
    assert run(["predict", "--scenario", str(REFERENCE)]) == 0
    for row in rows(capsys):
        assert row["mean_low_ms"] <= row["mean_ms"] <= row["mean_high_ms"]
        assert row["p50_ms"] <= row["p95_ms"] <= row["p99_ms"]
        assert row["max_ms"] is None or row["p99_ms"] <= row["max_ms"]


def test_a_key_that_is_not_read_is_said(capsys: Said) -> None:
    written(SMALL | {"colour": "blue"})
    assert run(["predict", "--scenario", "s.json"]) == 0
    assert capsys.readouterr().err == "advisor: s.json: scenario D4-c: not read: colour\n"


@pytest.mark.parametrize(
    ("scenario", "message"),
    [
        pytest.param(
            SMALL | {"link": {"rate_kbps": "fast", "l2_overhead_bytes_per_packet": 7}},
            "advisor: s.json: scenario D4-c: link.rate_kbps: Expected `float`, got `str`\n",
            id="a rate that is no number",
        ),
        pytest.param(
            SMALL | {"scheduler": "wrr"},
            "advisor: s.json: scenario D4-c: scheduler: Invalid enum value 'wrr'\n",
            id="a scheduler that is not known",
        ),
        pytest.param(
            [SMALL, SMALL],
            "advisor: s.json: scenario D4-c: id occurs 2 times\n",
            id="one id twice",
        ),
    ],
)
def test_a_wrong_file_is_wrong_use_that_names_scenario_and_key(
    scenario: object, message: str, capsys: Said
) -> None:
    written(scenario)
    assert run(["predict", "--scenario", "s.json"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", message)


def test_a_file_that_is_not_there_is_wrong_use(capsys: Said) -> None:
    assert run(["predict", "--scenario", "none.json"]) == 2
    assert capsys.readouterr().err.startswith("advisor: none.json: cannot be read: ")


def test_a_config_beside_a_scenario_is_wrong_use(capsys: Said) -> None:
    assert run(["predict", "r1.cfg", "--scenario", "s.json"]) == 2
    assert "leave out PATH" in capsys.readouterr().err


def test_a_table_names_regime_and_interval(capsys: Said) -> None:
    assert run(["predict", "--scenario", "s.json", "--format", "full"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("D4-c > class voice\n  regime  below saturation, independent packets\n")
    assert "low-high" in said


@pytest.mark.slow
def test_simulation_stands_beside_the_prediction_and_agrees_with_it(
    capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.predict.what_if.scenario_answers.PACKETS", 20_000)
    assert run(["predict", "--scenario", "s.json", "--simulate"]) == 0
    voice, data = rows(capsys)
    assert list(voice)[: len(KEYS)] == KEYS
    for row in (voice, data):
        assert row["sim_mean_ms"] == pytest.approx(row["mean_ms"], rel=0.1)
        assert 0 < row["sim_mean_ci95_ms"] < 0.1 * row["mean_ms"]
    assert voice["sim_max_ms"] <= voice["max_ms"]


def test_a_table_has_a_line_of_the_simulation(
    capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.predict.what_if.scenario_answers.PACKETS", 5_000)
    assert run(["predict", "--scenario", "s.json", "--simulate", "--format", "full"]) == 0
    assert capsys.readouterr().out.count("  simulated, ") == 2


SIZES = st.one_of(
    st.builds(lambda size: {"distribution": "fixed", "bytes": size}, st.integers(20, 1500)),
    st.builds(
        lambda least, more: {
            "distribution": "uniform_integer",
            "min_bytes": least,
            "max_bytes": least + more,
        },
        st.integers(20, 500),
        st.integers(0, 1000),
    ),
)
RATE = st.floats(0.1, 500)
ARRIVALS = st.one_of(
    st.builds(lambda rate: {"process": "cbr", "packets_per_second": rate}, RATE),
    st.builds(lambda rate: {"process": "poisson", "packets_per_second": rate}, RATE),
    st.builds(
        lambda rate, count: {
            "process": "poisson_bursts",
            "bursts_per_second": rate / count,
            "packets_per_burst": count,
            "spacing_within_burst_ms": 0.1,
        },
        RATE,
        st.integers(1, 20),
    ),
    st.builds(
        lambda rate, off_ms: {
            "process": "on_off",
            "packets_per_second_while_on": rate,
            "mean_on_ms": 100.0,
            "mean_off_ms": off_ms,
        },
        RATE,
        st.floats(1, 1000),
    ),
    st.just({"process": "saturated", "backlog_packets_kept_in_queue": 16}),
)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    link=st.builds(
        lambda rate, cells: {
            "rate_kbps": rate,
            "l2_overhead_bytes_per_packet": 0,
            "atm_cell_tax": cells,
        },
        st.floats(16, 10_000),
        st.booleans(),
    ),
    ring=st.builds(
        lambda unit, limit: {"unit": unit, "limit": limit},
        st.sampled_from(["packets", "particles"]),
        st.integers(1, 64),
    ),
    arrivals=st.tuples(ARRIVALS, ARRIVALS),
    sizes=st.tuples(SIZES, SIZES),
)
def test_any_scenario_has_delays_above_0_or_none_or_a_reason(
    link: dict[str, Any],
    ring: dict[str, Any],
    arrivals: tuple[dict[str, Any], dict[str, Any]],
    sizes: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    streams = [
        SMALL["traffic"][place] | {"arrival": arrival, "ip_packet_bytes": size}
        for place, (arrival, size) in enumerate(zip(arrivals, sizes, strict=True))
    ]
    text = json.dumps(SMALL | {"link": link, "tx_ring": ring, "traffic": streams})
    (scenario,) = read_scenarios(text, "any.json")
    try:
        found = predict_scenario(scenario)
    except NotModelledError:
        return
    for row in found:
        figures = (row.mean_low_ms, row.mean_ms, row.p99_ms)
        assert figures == (None,) * 3 or all(each is not None and each > 0 for each in figures)
        if row.mean_high_ms is None:
            assert row.weak is not None  # no packet or too few of the class pass
        else:
            assert row.mean_high_ms >= (row.mean_ms or 0)
        assert row.loss_ratio is not None
        assert 0 <= row.loss_ratio <= 1


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        pytest.param({"tx_ring": {"unit": "packets", "limit": 70_000}}, "tx_ring.limit", id="ring"),
        pytest.param(
            {"queues": [SMALL["queues"][0], SMALL["queues"][1] | {"queue_limit_packets": 3000}]},
            "queue_limit_packets over what is solved",
            id="queue",
        ),
        pytest.param(
            {
                "traffic": [
                    SMALL["traffic"][0] | {"independent_identical_streams": 2000},
                    SMALL["traffic"][1],
                ]
            },
            "more streams than are solved",
            id="streams",
        ),
        pytest.param(
            {
                "traffic": [
                    SMALL["traffic"][0]
                    | {"arrival": {"process": "poisson", "packets_per_second": 1e9}},
                    SMALL["traffic"][1],
                ]
            },
            "more than 10 times the link",
            id="a flood in the LLQ",
        ),
    ],
)
def test_what_is_too_large_to_solve_is_said(
    changed: dict[str, Any], why: str, capsys: Said
) -> None:
    written(SMALL | changed)
    assert run(["predict", "--scenario", "s.json"]) == 3
    assert why in capsys.readouterr().err


def test_an_array_without_a_scenario_is_an_error(capsys: Said) -> None:
    written([])
    assert run(["predict", "--scenario", "s.json"]) == 2
    assert "holds no scenario" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["csv", "plot"])
def test_a_format_of_sweeps_is_refused_without_one(form: str, capsys: Said) -> None:
    assert run(["predict", "--scenario", "s.json", "--format", form]) == 2
    said = capsys.readouterr()
    assert f"--format {form}: goes with --sweep" in said.err
    assert not said.out
