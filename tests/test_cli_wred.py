"""`advisor predict` of WRED: groups, regimes, counters and sweeps, from the command line."""

import csv
import io
import json
import re
from pathlib import Path

import msgspec
import pytest

from advisor.cli import run
from advisor.ground.quantity import Figure, figure, number

FIXTURES = Path(__file__).parents[1] / "fixtures"
CONFIG = str(FIXTURES / "configs/composed/wred-balanced-e1.ios")
TRAFFIC = str(FIXTURES / "traffic/wred-balanced.toml")
SCENARIO = str(FIXTURES / "scenarios/wred-three-groups.json")
PREDICT = ["predict", CONFIG, "--traffic", TRAFFIC]

Said = pytest.CaptureFixture[str]


def said(arguments: list[str], capsys: Said) -> str:
    assert run(arguments) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("regime  differentiation: drops of af11", id="the regime with its figure"),
        pytest.param("time constant 0.23 s", id="how fast the average follows"),
        pytest.param("flows/p", id="the rule of thumb beside the shares"),
        pytest.param("dscp af13 5 15 2 (configured)", id="the row of each group and its basis"),
        pytest.param("rtt_ms of af11 50 (configured,", id="what it was computed from"),
    ],
)
def test_text_says(words: str, capsys: Said) -> None:
    assert words in said([*PREDICT, "-v"], capsys)


def test_json_holds_shares_with_their_intervals(capsys: Said) -> None:
    first = json.loads(said([*PREDICT, "--format", "json"], capsys))[0]
    groups = first["wred"]["shares"]["groups"]
    assert [group["name"] for group in groups] == ["af11", "af12", "af13"]
    assert sum(group["share"]["value"] for group in groups) == pytest.approx(100)
    assert all(g["share"]["low"] < g["share"]["value"] < g["share"]["high"] for g in groups)


def test_explain_sets_the_fixed_point_beside_the_figures_of_predict(capsys: Said) -> None:
    shown = said(["explain", "wred-shares", CONFIG, "--traffic", TRAFFIC], capsys)
    first = json.loads(said([*PREDICT, "--format", "json"], capsys))[0]
    wred = first["wred"]["shares"]
    lines = shown.splitlines()

    assert re.search(r"; AQS ([0-9.]+) of 5/15: p af11 1/[0-9.]+, af12 1/[0-9.]+, af13", shown)
    assert "af12: curve 0 to 5, 1/5 at 15, then 1; (" in shown
    assert re.search(r"af11: 4 \* B\([0-9.]+ %, [0-9]+ ms\) \* \(1 - p\) = 4 \* ", shown)
    assert re.search(r"sum: .* packets/s, 100 % of the rate", shown)
    for group in wred["groups"]:
        (line,) = (line for line in lines if f" {group['name']}: share " in line)
        assert line.endswith(f"sampled {figure(msgspec.convert(group['share'], Figure))}")
        assert f"flows/p {number(group['share_by_flows_over_p'])} %" in line
    (average,) = (line for line in lines if " AQS " in line and "sampled" in line)
    assert average.endswith(f"sampled {figure(msgspec.convert(wred['aqs'], Figure))}")
    assert "the fixed point is within 20 %, it explains; the figures are sampled" in shown


def test_explain_names_the_regime_in_which_the_fixed_point_does_not_hold(
    tmp_path: Path, capsys: Said
) -> None:
    file = tmp_path / "t.toml"
    few = Path(TRAFFIC).read_text("utf-8").replace("_bytes = 65535", "_bytes = 3000")
    file.write_text(few.replace("tcp_flows = 4", "tcp_flows = 1"), "utf-8")
    shown = said(["explain", "wred-shares", CONFIG, "--traffic", str(file)], capsys)

    assert "the fixed point is outside: no congestion; the figures are sampled" in shown
    assert "1/10 at 15, then 1; 0 is below: p 0 %" in shown


def test_explain_without_flows_says_what_to_state(capsys: Said) -> None:
    shown = said(["explain", "wred-shares", CONFIG], capsys)
    assert "BULK: no shares: state its TCP flows in [[traffic]]" in shown


def test_without_flows_it_says_what_to_state(capsys: Said) -> None:
    assert "no shares: state its TCP flows in [[traffic]]" in said(["predict", CONFIG], capsys)


def test_rows_of_csv_say_that_wred_is_not_in_them(capsys: Said) -> None:
    rows = list(csv.DictReader(io.StringIO(said([*PREDICT, "--format", "csv"], capsys))))

    why = {row["class"]: row["why"] for row in rows}
    assert why["BULK"].startswith("WRED and TCP are not in these figures")
    assert not why["class-default"]


def test_an_average_that_is_too_slow_is_said(tmp_path: Path, capsys: Said) -> None:
    many = Path(TRAFFIC).read_text("utf-8").replace("tcp_flows = 4", "tcp_flows = 60")
    file, config = tmp_path / "t.toml", tmp_path / "r1.ios"
    file.write_text(many, "utf-8")
    text = Path(CONFIG).read_text("utf-8").replace("weighting-constant 5", "weighting-constant 9")
    config.write_text(text, "utf-8")
    out = said(["predict", str(config), "--traffic", str(file)], capsys)
    assert "oscillation up to collapse" in out


def rows(arguments: list[str], capsys: Said) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(said([*arguments, "--format", "csv"], capsys))))


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(PREDICT, id="a config"),
        pytest.param(["predict", "--scenario", SCENARIO], id="a scenario"),
    ],
)
def test_more_flows_of_one_group_take_from_the_others(start: list[str], capsys: Said) -> None:
    found = rows([*start, "--sweep", "flows.af12=4..12:4"], capsys)
    first = [float(row["share_percent"]) for row in found if row["group"].lower() == "af11"]
    assert first == sorted(first, reverse=True)
    assert len(set(first)) == 3


def test_a_higher_minimum_brings_the_shares_nearer(capsys: Said) -> None:
    sweep = ["--set", "flows.af11=3", "--sweep", "wred-min=5..25:10"]
    found = rows([*PREDICT, *sweep], capsys)
    least = [float(row["share_percent"]) for row in found if row["group"] == "af13"]
    assert least == sorted(least)
    assert {row["flows"] for row in found if row["group"] == "af11"} == {"3"}


def test_a_sweep_of_shares_is_a_plot_with_a_letter_for_each_group(capsys: Said) -> None:
    plot = said([*PREDICT, "--sweep", "wred-min=5..15:5", "--format", "plot"], capsys)
    assert "share of TCP in %: A af11, B af12, C af13" in plot


@pytest.mark.slow
def test_a_sweep_of_shares_is_a_table_or_json(capsys: Said) -> None:
    sweep = [*PREDICT, "--sweep", "flows.af11=1..2"]
    assert said(sweep, capsys).count("dscp") == 0
    points = json.loads(said([*sweep, "--format", "json"], capsys))
    assert [point["settings"][0]["value"] for point in points] == [1, 2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param([*PREDICT, "--sweep", "flows.af43=1..3"], "no [[traffic]] with tcp_flows",
                     id="a group that is not stated"),
        pytest.param([*PREDICT, "--set", "flows.af11=1.5"], "must be a whole number", id="half a flow"),
        pytest.param([*PREDICT, "--set", "wred-min=0"], "must be between", id="a minimum of 0"),
        pytest.param(["predict", CONFIG, "--set", "wred-min=5"], "no class has TCP groups",
                     id="a threshold without flows"),
        pytest.param(["predict", CONFIG, "--sweep", "wred-min=5..9"], "no class has TCP groups",
                     id="thresholds without flows"),
        pytest.param(["predict", "--scenario", SCENARIO, "--sweep", "mtu=300..400"],
                     "wred-min and flows.GROUP", id="a scenario has no such setting"),
        pytest.param(["predict", "--scenario", SCENARIO, "--sweep", "flows.x=1..2"],
                     "has no TCP group x; it has af11", id="a group that a scenario lacks"),
        pytest.param(
            ["predict", "--scenario", SCENARIO, "--sweep", "wred-min=5..9", "--simulate"],
            "--simulate: does not go with a sweep", id="simulated sweeps"),
    ],
)  # fmt: skip
def test_what_cannot_be_moved_is_said(arguments: list[str], words: str, capsys: Said) -> None:
    assert run(arguments) == 2
    assert words in capsys.readouterr().err


SEED = [
    *("predict", str(FIXTURES / "configs/seed-002-router.ios")),
    *("--traffic", str(FIXTURES / "traffic/seed-002.toml"), "--set", "tx-ring-limit=40"),
]


def shares_of(group: str, found: list[dict[str, str]]) -> list[float]:
    return [float(row["share_percent"]) for row in found if row["group"] == group]


def test_the_published_balanced_figure_comes_from_its_config(capsys: Said) -> None:
    found = rows([*SEED, "--sweep", "wred-min=5..130:25"], capsys)
    af11, af13 = shares_of("AF11", found), shares_of("AF13", found)
    assert af11[0] > 55
    assert af13[0] < 12
    assert [af11[-1], af13[-1]] == pytest.approx([33.3, 33.3], abs=2)


def test_the_published_unbalanced_figure_comes_from_its_config(capsys: Said) -> None:
    found = shares_of("AF11", rows([*SEED, "--sweep", "flows.af12=3..20:17"], capsys))
    assert found[0] > found[1] >= 20


@pytest.mark.slow
def test_a_simulation_of_the_flows_stands_beside_the_prediction(
    capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.predict.what_if.scenario_answers.PACKETS", 20_000)
    monkeypatch.setattr("advisor.predict.what_if.scenario_answers.REPLICATIONS", 2)
    out = said(["predict", "--scenario", SCENARIO, "--simulate", "--format", "full"], capsys)
    assert out.count("  simulated, ") == 3
