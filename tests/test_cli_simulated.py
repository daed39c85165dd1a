"""`advisor predict --simulate` of configs and flags: the simulation beside the prediction."""

import json
from pathlib import Path
from typing import Any

import pytest

from advisor.cli import run
from advisor.ground.quantity import Figure, cell
from advisor.model import Interface
from advisor.predict.what_if import simulated
from advisor.simulate import SimulationResult, simulate

pytestmark = pytest.mark.slow


Said = pytest.CaptureFixture[str]
QUEUES = """\
policy-map EDGE
 class VOICE
  priority 96
 class DATA
  bandwidth 128
 class class-default
"""
SERIAL = """\
interface Serial0/0/0
 bandwidth 512
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 3
 service-policy output EDGE
"""
ATM = """\
interface ATM1/0.1 point-to-point
 pvc 0/100
  vbr-nrt 1000 1000
  encapsulation aal5snap
  tx-ring-limit 10
  service-policy output EDGE
"""
LFI = """\
interface Multilink1
 bandwidth 256
 ppp multilink fragment delay 10
 ppp multilink interleave
 service-policy output EDGE
interface Serial0/0
 encapsulation ppp
 clock rate 256000
 ppp multilink group 1
 tx-ring-limit 2
"""
SHAPED = """\
policy-map SHAPE
 class class-default
  shape average 256000
  service-policy EDGE
interface FastEthernet0/0
 service-policy output SHAPE
"""
TRAFFIC = """\
[[traffic]]
interface = "*"
class = "VOICE"
calls = 3
codec = "G.729"
[[traffic]]
interface = "*"
class = "DATA"
packet_bytes = 600
packets_per_second = 8
arrivals = "poisson"
[[traffic]]
interface = "*"
class = "class-default"
packet_bytes = 1000
"""
FULL = TRAFFIC + 'arrivals = "saturated"\n'
BELOW = TRAFFIC + 'packets_per_second = 20\narrivals = "poisson"\n'


def predicted(lines: str, traffic: str, folder: Path, capsys: Said) -> list[dict[str, Any]]:
    (folder / "r.cfg").write_text(f"hostname R\nversion 12.4\n{QUEUES}{lines}", encoding="utf-8")
    (folder / "t.toml").write_text(traffic, encoding="utf-8")
    config, file = str(folder / "r.cfg"), str(folder / "t.toml")
    assert run(["predict", config, "--traffic", file, "--simulate", "--format", "json"]) == 0
    spoken: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return spoken


@pytest.mark.parametrize(
    ("lines", "traffic"),
    [
        pytest.param(
            SERIAL, FULL, id="a full ring of packets, with or without the one on the wire"
        ),
        pytest.param(SERIAL, BELOW, id="a ring of packets below saturation"),
        pytest.param(ATM, FULL, id="a full ring of particles, ATM cells"),
        pytest.param(LFI, FULL, id="fragments before a full ring"),
    ],
)
def test_simulation_and_prediction_of_a_config_agree_within_the_interval(
    lines: str, traffic: str, tmp_path: Path, capsys: Said
) -> None:
    for each in predicted(lines, traffic, tmp_path, capsys):
        again = each["simulated"]
        for name in ("mean", "p95", "p99"):
            assert again[name]["high"] >= each[name]["low"], (each["class_name"], name)
            assert again[name]["low"] <= each[name]["high"], (each["class_name"], name)
        assert each["bound_ms"] is None or again["max_ms"] <= each["bound_ms"]
        assert again["apart"] == []


@pytest.mark.parametrize("traffic", [FULL, BELOW], ids=["saturated", "below saturation"])
def test_the_simulated_llq_mean_is_near_the_predicted_value_itself(
    traffic: str, tmp_path: Path, capsys: Said
) -> None:
    voice = predicted(SERIAL, traffic, tmp_path, capsys)[0]

    assert voice["simulated"]["mean"]["value"] == pytest.approx(voice["mean"]["value"], rel=0.1)


def test_model_and_simulation_of_a_shaper_agree(tmp_path: Path, capsys: Said) -> None:
    for each in predicted(SHAPED, FULL, tmp_path, capsys):
        assert each["regime"] == "packets wait for a shaper"
        assert each["simulated"]["apart"] == []


def test_a_link_of_flags_is_simulated_and_printed_with_its_confidence(capsys: Said) -> None:
    link = ["predict", "--link", "512k", "--encap", "ppp", "--llq", "64k", "--tx-ring-limit", "10"]
    assert run([*link, "--background", "1000", "--simulate"]) == 0
    said = capsys.readouterr().out

    assert "check simulated: " in said
    assert "simulated with its queue kept full" in said
    assert "95 % confidence" in said
    assert "model and simulation agree" in said


OVERLOADED = TRAFFIC + 'packets_per_second = 90\narrivals = "poisson"\n'


def test_the_simulated_loss_is_printed_beside_the_judgement_of_it(
    tmp_path: Path, capsys: Said
) -> None:
    judged = [each["simulated"] for each in predicted(SERIAL, OVERLOADED, tmp_path, capsys)]
    files = [str(tmp_path / "r.cfg"), "--traffic", str(tmp_path / "t.toml")]
    assert run(["predict", *files, "--simulate"]) == 0
    checks = [line for line in capsys.readouterr().out.splitlines() if "check simulated" in line]

    assert judged[-1]["loss"]["low"] > 1
    for again, check in zip(judged, checks, strict=True):
        loss = Figure(**{name: again["loss"][name] for name in ("value", "low", "high", "unit")})
        assert f"; loss {cell(loss)} %;" in check


def test_the_cases_of_a_class_are_simulated_independently(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []

    def noted(line: Interface, packets: int, replications: int, seed: int) -> SimulationResult:
        seeds.append(seed)
        return simulate(line, packets, replications, seed)

    monkeypatch.setattr(simulated, "simulate", noted)
    cases = predicted(SERIAL, BELOW, tmp_path, capsys)[0]["simulated"]["cases"]

    assert cases > 1
    assert len(set(seeds)) == cases


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (["--sweep", "tx-ring-limit=1..3"], "leave out --sweep"),
        (["--format", "csv"], "--format full or json, not csv"),
    ],
)
def test_where_a_simulation_does_not_go(more: list[str], expected: str, capsys: Said) -> None:
    assert run(["predict", "--link", "512k", "--llq", "64k", "--simulate", *more]) == 2
    assert expected in capsys.readouterr().err


WRED = """\
class-map match-any BULK
 match dscp af11 af13
policy-map WEIGHED
 class BULK
  bandwidth 200
  random-detect dscp-based
  random-detect exponential-weighting-constant 4
  random-detect dscp 10 4 12 10
  random-detect dscp 14 4 12 2
 class class-default
interface Serial0/0/0
 bandwidth 512
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 1
 service-policy output WEIGHED
"""
FLOWS = """\
[[traffic]]
interface = "*"
class = "BULK"
dscp = "af11"
tcp_flows = 3
rtt_ms = 50
receiver_window_bytes = 65535
packet_bytes = 1500
[[traffic]]
interface = "*"
class = "BULK"
dscp = "af13"
tcp_flows = 3
rtt_ms = 50
receiver_window_bytes = 65535
packet_bytes = 1500
[[traffic]]
interface = "*"
class = "class-default"
packet_bytes = 500
packets_per_second = 40
"""


def test_tcp_flows_under_wred_are_simulated_beside_their_shares(
    tmp_path: Path, capsys: Said
) -> None:
    bulk, default = predicted(WRED, FLOWS, tmp_path, capsys)

    again = bulk["wred"]["simulated"]["groups"]
    assert [each["name"] for each in again] == ["af11", "af13"]
    assert sum(each["share"]["value"] for each in again) == pytest.approx(100)
    for group, each in zip(bulk["wred"]["shares"]["groups"], again, strict=True):
        assert each["share"]["value"] == pytest.approx(group["share"]["value"], abs=5)
        assert each["delay"]["value"] == pytest.approx(group["delay"]["value"], rel=0.15)
        assert each["drops"]["value"] == pytest.approx(group["drops"]["value"], rel=0.2)
    assert bulk["simulated"] == {
        "outcome": "not simulated",
        "why": "its TCP flows are simulated with their shares",
    }
    assert "max_ms" in default["simulated"]


UNRESPONSIVE = """\
[[traffic]]
class = "BULK"
packet_bytes = 1000
packets_per_second = 30
"""


def test_wred_without_flows_is_said_to_be_left_out(tmp_path: Path, capsys: Said) -> None:
    (tmp_path / "r.cfg").write_text(f"hostname R\nversion 12.4\n{WRED}", encoding="utf-8")
    (tmp_path / "t.toml").write_text(UNRESPONSIVE, encoding="utf-8")
    asked = ["predict", str(tmp_path / "r.cfg"), "--traffic", str(tmp_path / "t.toml")]
    assert run([*asked, "--simulate"]) == 0

    assert "check simulated without its WRED" in capsys.readouterr().out


def test_what_would_take_minutes_is_not_simulated(tmp_path: Path, capsys: Said) -> None:
    fast = WRED.replace("Serial0/0/0\n bandwidth 512\n clock rate 512000", "GigabitEthernet0/0")
    fast = fast.replace(" encapsulation ppp\n", "")
    bulk, _ = predicted(fast, FLOWS, tmp_path, capsys)

    assert "it would take minutes" in bulk["wred"]["simulated"]["why"]
