"""Scenarios of TCP and WRED: from the file to rows, and what is declined."""

import json
from pathlib import Path
from typing import Any

import pytest

from advisor.cli import run
from advisor.predict.scenario import NotModelledError, predict_wred_scenario
from advisor.predict.scenario_interface import interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.simulate import simulate
from tests.support.outside import VALIDATION, needs

ROOT = Path(__file__).parents[2]
OURS = ROOT / "fixtures/scenarios/wred-three-groups.json"
REFERENCE = ROOT / "fixtures/scenarios/reference.json"
TUNING = VALIDATION / "wred_tuning.json"
THREE: dict[str, Any] = json.loads(OURS.read_text("utf-8"))[0]
KEYS = [
    "id",
    "group",
    "share",
    "share_low",
    "share_high",
    "mean_ms",
    "mean_low_ms",
    "mean_high_ms",
    "loss_ratio",
    "mean_aqs_packets",
    "regime",
    "converged",
    "method",
]
UDP = {
    "class": "udp",
    "queue": "class-default",
    "wred_profile": "af13",
    "arrival": {"process": "poisson", "packets_per_second": 20},
    "ip_packet_bytes": {"distribution": "fixed", "bytes": 600},
}

Said = pytest.CaptureFixture[str]


def rows(path: Path, capsys: Said) -> list[dict[str, Any]]:
    assert run(["predict", "--scenario", str(path)]) == 0
    found: list[dict[str, Any]] = json.loads(
        capsys.readouterr().out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON")
    )
    return found


def test_lower_drop_precedence_has_the_larger_share_and_shares_sum_to_one(capsys: Said) -> None:
    share = {row["group"]: row["share"] for row in rows(OURS, capsys)}
    assert share["AF11"] > share["AF12"] > share["AF13"] > 0
    assert sum(share.values()) == pytest.approx(1)


def test_a_row_has_the_keys_of_the_format_and_no_others(capsys: Said) -> None:
    assert [list(row) for row in rows(OURS, capsys)] == [KEYS] * 3


@pytest.mark.slow
def test_the_average_queue_lies_between_the_thresholds(capsys: Said) -> None:
    assert all(14 < row["mean_aqs_packets"] < 36 for row in rows(OURS, capsys))


def test_traffic_that_is_not_tcp_has_no_share(tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / "s.json"
    file.write_text(json.dumps(THREE | {"traffic": [UDP, *THREE["traffic"]]}), "utf-8")
    udp, *tcp = rows(file, capsys)
    assert (udp["group"], udp["share"]) == ("udp", None)
    assert sum(row["share"] for row in tcp) == pytest.approx(1)


def test_a_class_without_wred_has_no_average(tmp_path: Path, capsys: Said) -> None:
    queue = {key: value for key, value in THREE["queues"][0].items() if key != "wred"}
    flows = [
        {key: value for key, value in group.items() if key != "wred_profile"}
        for group in THREE["traffic"]
    ]
    file = tmp_path / "s.json"
    file.write_text(json.dumps(THREE | {"queues": [queue], "traffic": flows}), "utf-8")
    assert {row["mean_aqs_packets"] for row in rows(file, capsys)} == {None}


def test_a_file_of_both_kinds_has_its_rows_in_order(tmp_path: Path, capsys: Said) -> None:
    delays = [each for each in json.loads(REFERENCE.read_text("utf-8")) if each["family"] == "D4"]
    file = tmp_path / "s.json"
    file.write_text(json.dumps([delays[0], THREE, delays[1]]), "utf-8")
    found = [(row["id"], row.get("class") or row["group"]) for row in rows(file, capsys)]
    assert found == [
        *((delays[0]["id"], name) for name in ("voice", "data")),
        *(("three-groups", name) for name in ("AF11", "AF12", "AF13")),
        *((delays[1]["id"], name) for name in ("voice", "data")),
    ]


def test_a_table_names_regime_and_interval_of_the_share(capsys: Said) -> None:
    assert run(["predict", "--scenario", str(OURS), "--format", "full"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("three-groups > group AF11\n  regime  differentiation")
    assert "low-high" in said


LLQ = {
    "name": "voice",
    "kind": "priority",
    "queue_limit_packets": 64,
    "priority_kbps": 300,
    "burst_bytes": 3000,
    "policed_under_congestion": True,
}
CALLS = {
    "class": "calls",
    "queue": "voice",
    "arrival": {"process": "poisson", "packets_per_second": 50},
    "ip_packet_bytes": {"distribution": "fixed", "bytes": 200},
    "independent_identical_streams": 2,
}
DATA = THREE["queues"][0]
SHAPE = {
    "rate_kbps": 1500,
    "committed_burst_bits": 15000,
    "refill": "per_interval",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(
            {"fragmentation": {"fragment_ip_bytes": 300, "overhead_bytes_per_fragment": 11}},
            id="fragments",
        ),
        pytest.param({"shape": SHAPE}, id="a shaper around all queues"),
        pytest.param({"queues": [LLQ, DATA | {"shape": SHAPE}]}, id="a shaper in a class"),
        pytest.param({"queues": [LLQ | {"level": 2}, DATA]}, id="a priority level"),
        pytest.param(
            {"queues": [LLQ, DATA | {"police": {"rate_kbps": 900, "burst_bytes": 9000}}]},
            id="a police statement",
        ),
        pytest.param(
            {"queues": [LLQ, DATA | {"fair_queue": {"per_flow_queue_limit_packets": 9}}]},
            id="fair-queue in the class",
        ),
        pytest.param({"excess_bandwidth": "equal"}, id="excess bandwidth in equal parts"),
    ],
)
def test_tcp_meets_the_whole_interface_as_the_simulation_has_it(change: dict[str, Any]) -> None:
    base = THREE | {
        "scheduler": "llq+cbwfq",
        "queues": [LLQ, DATA],
        "traffic": [CALLS, *THREE["traffic"]],
    }
    (scenario,) = read_scenarios(json.dumps(base | change), "s.json")
    predicted = predict_wred_scenario(scenario)
    simulated = simulate(interface_of(scenario), 60_000, 4, 1).classes
    for row, true in zip(predicted, simulated, strict=True):
        assert row.mean_ms is not None
        assert true.delay is not None
        assert row.mean_ms == pytest.approx(true.delay.mean_ms.value, rel=0.1)
        if row.share is not None and true.tcp_share_ratio is not None:
            # Few replications: the simulation knows a share no better than this.
            error = 0.02 + 2 * (true.tcp_share_ratio.half_width or 0)
            assert row.share == pytest.approx(true.tcp_share_ratio.value, abs=error)


def test_delayed_acknowledgements_are_declined_with_their_reason() -> None:
    change = {"traffic": [THREE["traffic"][0] | {"delayed_ack": True}]}
    (scenario,) = read_scenarios(json.dumps(THREE | change), "s.json")
    with pytest.raises(NotModelledError, match="delayed_ack"):
        predict_wred_scenario(scenario)


@needs(TUNING)
def test_nineteen_shares_in_twenty_of_the_tuning_scenarios_are_within_a_twentieth(
    capsys: Said,
) -> None:
    true = {
        (scenario["id"], group["group"]): group["share"]
        for scenario in json.loads(TUNING.read_text("utf-8"))
        for group in scenario["results"]["groups"]
        if group.get("share") is not None
    }
    found = {(row["id"], row["group"]): row["share"] for row in rows(TUNING, capsys)}
    close = [abs(found[name] - share) <= 0.05 for name, share in true.items()]
    assert sum(close) >= 0.95 * len(close)
