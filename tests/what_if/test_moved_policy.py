"""--set and --sweep of what a policy states: the figures are those of the config that states it."""

import csv
import io
import json
from pathlib import Path

import pytest

from advisor.cli import run

CONFIG = """\
version 15.1
hostname r1
class-map match-any VOICE
 match ip dscp ef
class-map match-any DATA
 match ip dscp af21
policy-map WAN
 class VOICE
  priority 96
 class DATA
  bandwidth 128
  queue-limit 40
 class class-default
policy-map RED
 class DATA
  bandwidth 128
  random-detect dscp-based
  random-detect exponential-weighting-constant 5
  random-detect dscp af21 10 20 10
 class class-default
policy-map SHAPED
 class class-default
  shape average 384000 3840 0
  service-policy WAN
interface Serial0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 6
 service-policy output {policy}
end
"""
TRAFFIC = """\
[[traffic]]
class = "DATA"
packet_bytes = 700
arrivals = "saturated"
[[traffic]]
class = "class-default"
packet_bytes = 700
arrivals = "saturated"
"""
CALLS = """\
[[traffic]]
class = "VOICE"
calls = {calls}
codec = "g729"
"""
FLOWS = """\
[[traffic]]
class = "DATA"
dscp = "af21"
tcp_flows = 2
packet_bytes = 700
rtt_ms = 50
"""
Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def predicted(
    config: str, traffic: str, capsys: Said, *arguments: str
) -> dict[str, tuple[float, float | None]]:
    """Mean and bound of each class."""
    Path("r1.cfg").write_text(config, encoding="utf-8")
    Path("t.toml").write_text(traffic, encoding="utf-8")
    command = ["predict", "r1.cfg", "--traffic", "t.toml", "--format", "json"]
    assert run([*command, *arguments]) == 0
    return {
        each["class_name"]: (each["mean"]["value"], each["bound_ms"])
        for each in json.loads(capsys.readouterr().out)
        if each["outcome"] == "predicted"
    }


@pytest.mark.parametrize(
    ("policy", "moved", "line", "stated"),
    [
        ("WAN", "priority=64", "priority 96", "priority 64"),
        ("WAN", "priority=200", "priority 96", "priority 200"),
        ("WAN", "queue-limit=10", "  queue-limit 40\n class class-default",
         "  queue-limit 10\n class class-default\n  queue-limit 10"),
        ("RED", "wred-min=5", "dscp af21 10 20 10", "dscp af21 5 10 10"),
        ("SHAPED", "shape=256", "shape average 384000 3840 0", "shape average 256000"),
        ("SHAPED", "bc=8000", "shape average 384000 3840 0", "shape average 384000 8000 0"),
    ],
)  # fmt: skip
def test_a_moved_policy_has_the_figures_of_the_config_that_states_it(
    policy: str, moved: str, line: str, stated: str, capsys: Said
) -> None:
    config = CONFIG.format(policy=policy)
    more = {"SHAPED": CALLS.format(calls=2), "RED": FLOWS}
    traffic = TRAFFIC + more.get(policy, "")
    by_set = predicted(config, traffic, capsys, "--set", moved)
    assert by_set == predicted(config.replace(line, stated), traffic, capsys)
    assert by_set != predicted(config, traffic, capsys)


CIRCUIT = (
    CONFIG.partition("interface")[0]
    + """\
map-class frame-relay BRANCH
 frame-relay cir 256000
 frame-relay bc 2560
 frame-relay fragment 320
 service-policy output WAN
interface Serial0/0
 clock rate 512000
 encapsulation frame-relay
 frame-relay traffic-shaping
interface Serial0/0.100 point-to-point
 frame-relay interface-dlci 100
  class BRANCH
end
"""
)


@pytest.mark.parametrize(
    ("moved", "line", "stated"),
    [
        ("shape=384", "cir 256000", "cir 384000"),
        ("bc=1280", "bc 2560", "bc 1280"),
    ],
)
def test_the_shaper_of_a_circuit_moves_as_its_map_class_states_it(
    moved: str, line: str, stated: str, capsys: Said
) -> None:
    by_set = predicted(CIRCUIT, CALLS.format(calls=2), capsys, "--set", moved)
    by_line = predicted(CIRCUIT.replace(line, stated), CALLS.format(calls=2), capsys)
    assert by_set == by_line
    assert by_set != predicted(CIRCUIT, CALLS.format(calls=2), capsys)


@pytest.mark.parametrize(
    ("policy", "held", "swept"),
    [
        ("WAN", "tx-ring-limit=2", "calls=3"),
        ("WAN", "tx-ring-limit=2", "priority=64"),
        ("WAN", "mtu=700", "queue-limit=10"),
        ("SHAPED", "bc=8000", "shape=256"),
        ("SHAPED", "shape=256", "bc=8000"),
    ],
)
def test_a_sweep_keeps_what_is_set(policy: str, held: str, swept: str, capsys: Said) -> None:
    config = CONFIG.format(policy=policy)
    both = predicted(config, TRAFFIC, capsys, "--set", held, "--set", swept)
    key, value = swept.split("=")
    command = ["predict", "r1.cfg", "--traffic", "t.toml", "--set", held, "--format", "csv"]
    assert run([*command, "--sweep", f"{key}={value}..{value}"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    (voice,) = (float(row["mean_ms"]) for row in rows if row["class"] == "VOICE")
    assert voice == pytest.approx(both["VOICE"][0], rel=1e-4)


@pytest.mark.parametrize("calls", [1, 2, 4])
def test_moved_calls_have_the_figures_of_stated_ones(calls: int, capsys: Said) -> None:
    config = CONFIG.format(policy="WAN")
    stated = predicted(config, TRAFFIC + CALLS.format(calls=calls), capsys)
    assert predicted(config, TRAFFIC, capsys, "--set", f"calls={calls}") == stated
    more = predicted(config, TRAFFIC + CALLS.format(calls=3), capsys, "--set", f"calls={calls}")
    assert more == stated


MEASURED = Path("fixtures/bundles/a1").resolve()


def rows_of(capsys: Said, *arguments: str) -> dict[str, dict[str, dict[str, float]]]:
    command = ["predict", str(MEASURED), "--interface", "Serial0/1/0", "--format", "json"]
    assert run([*command, *arguments]) == 0
    return {each["class_name"]: each for each in json.loads(capsys.readouterr().out)}


@pytest.mark.parametrize("calls", [1, 30])
def test_moved_calls_stand_in_place_of_a_measured_load(calls: int, capsys: Said) -> None:
    by_set = rows_of(capsys, "--set", f"calls={calls}")["Echo"]["offered"]

    assert by_set["value"] == pytest.approx(calls * 25.6)


@pytest.mark.parametrize("load", [20, 50])
def test_the_load_of_the_lower_classes_is_what_is_set(load: int, capsys: Said) -> None:
    plain, moved = rows_of(capsys), rows_of(capsys, "--set", f"load={load}")
    lower = [moved[name]["offered"] for name in ("data", "class-default")]

    assert moved["Echo"]["offered"] == plain["Echo"]["offered"]
    assert sum(each["value"] for each in lower) == pytest.approx(512 * load / 100, rel=0.01)
    for name in ("data", "class-default"):
        assert moved[name]["offered"]["value"] == pytest.approx(
            moved[name]["throughput"]["value"], rel=0.02
        )


@pytest.mark.parametrize(
    ("moved", "expected"),
    [
        ("shape=256", "shape: no policy shapes this output"),
        ("bc=256", "bc: no policy shapes this output"),
        ("calls=-1", "calls=-1"),
        ("calls=1.5", "calls=1.5"),
        ("priorty=64", "did you mean priority?"),
        ("priority=2000", "--set priority 2000: IOS admits 1528.6 kb/s"),
    ],
)
def test_what_cannot_be_moved_is_refused(moved: str, expected: str, capsys: Said) -> None:
    Path("r1.cfg").write_text(CONFIG.format(policy="WAN"), encoding="utf-8")
    assert run(["predict", "r1.cfg", "--set", moved]) == 2
    assert expected in capsys.readouterr().err


def test_a_sweep_leaves_out_what_the_output_refuses_and_says_so(capsys: Said) -> None:
    head = CONFIG.partition("interface")[0]
    pvc = "interface ATM0/0\n pvc 1/100\n  vbr-nrt 512 512\n  tx-ring-limit 5\n  service-policy output WAN\nend\n"
    Path("r1.cfg").write_text(head + pvc, encoding="utf-8")
    command = ["predict", "r1.cfg", "--platform", "2811", "--sweep", "tx-ring-limit=1..4"]
    assert run([*command, "--format", "csv"]) == 0
    said = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert {row["tx_ring_limit"] for row in rows if row["mean_ms"]} == {"3", "4"}
    assert "--sweep: left out tx-ring-limit 1: --sweep tx-ring-limit 1: the ring of" in said.err


@pytest.mark.parametrize(
    ("arguments", "is_said"),
    [
        (["--set", "tx-ring-limit=6"], True),
        (["--set", "tx-ring-limit=2"], False),
        (["--set", "queue-limit=500", "--set", "mtu=1500"], True),
        ([], False),
    ],
)
def test_a_set_that_changes_no_figure_says_so(
    arguments: list[str], is_said: bool, capsys: Said
) -> None:
    Path("r1.cfg").write_text(CONFIG.format(policy="WAN"), encoding="utf-8")
    assert run(["predict", "r1.cfg", *arguments]) == 0
    assert ("changes no figure" in capsys.readouterr().err) == is_said


@pytest.mark.parametrize(
    ("swept", "named"),
    [
        ("shape=256..384:64", "shape kb/s"),
        ("bc=4000..8000:2000", "bc bits"),
        ("priority=64..128:32", "priority kb/s"),
        ("calls=1..3", "calls"),
    ],
)
def test_a_sweep_names_the_unit_of_its_key(swept: str, named: str, capsys: Said) -> None:
    Path("r1.cfg").write_text(CONFIG.format(policy="SHAPED"), encoding="utf-8")
    assert run(["predict", "r1.cfg", "--sweep", swept]) == 0
    assert f"  {named}  class" in capsys.readouterr().out
    assert run(["predict", "r1.cfg", "--sweep", swept, "--format", "plot"]) == 0
    assert f" {named} " in capsys.readouterr().out
    assert run(["predict", "r1.cfg", "--sweep", swept, "--format", "svg"]) == 0
    assert f">{named}</text>" in capsys.readouterr().out
