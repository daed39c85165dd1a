"""`explain RULE PATH`: what the rule finds there, with the formulas and the numbers of the config."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from advisor.cli import run
from advisor.ground.quantity import Figure, figure

ROOT = Path(__file__).parents[1]
EDGE = str(ROOT / "fixtures/configs/wan-edge-512k.ios")
Said = pytest.CaptureFixture[str]


def explained(capsys: Said, *arguments: str) -> str:
    assert run(["explain", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        ("TXR001", "ring-bound: (10 + 1) * 23.562 = 259.2 ms"),
        ("TXR001", "a ring of 10 packets alone delays VOICE by up to 259 ms"),
        ("TXR001", "about 107 ms (range 31–249, worst case 316) → about 25 ms"),
        ("TXR001", "given: tx_ring_limit_packets 10 (configured"),
        ("TXR001", "proof: rolled back: the config is as before"),
        ("tx-ring-too-deep-for-llq", "br-lisbon: interface Serial0/0/0"),
        ("LFI001", "fragment-size: "),
        ("WRD001", "nothing is found; `advisor lint -v` says what could not be judged"),
    ],
)
def test_a_rule_shows_what_it_finds_with_its_numbers(rule: str, shown: str, capsys: Said) -> None:
    assert shown in explained(capsys, rule, EDGE)


def test_without_a_config_the_examples_stand_there(capsys: Said) -> None:
    assert "Found in" in explained(capsys, "TXR001")
    assert "Found in" not in explained(capsys, "TXR001", EDGE)


def test_settings_of_the_rule_are_in_force(
    capsys: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("advisor.toml").write_text("[rules.TXR001]\nring_wait_ms = 300\n", encoding="utf-8")
    said = explained(capsys, "TXR001", EDGE, "--config", "advisor.toml")
    assert "ring_wait_ms = 300.0" in said
    assert "nothing is found" in said


@pytest.mark.parametrize("formula", ["wred-average", "fragments", "r-factor"])
def test_a_formula_of_no_interface_takes_no_config(formula: str, capsys: Said) -> None:
    assert run(["explain", formula, EDGE]) == 2
    assert "takes no config" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Lorem ipsum dolor\n", "no configuration, not judged"),
        ("interface Serial0/0\n service-policy output WAN\nend\n", "is not in this text"),
    ],
)
def test_a_rule_says_what_it_could_not_judge(
    text: str, why: str, capsys: Said, tmp_path: Path
) -> None:
    (tmp_path / "r1.txt").write_text(text, encoding="utf-8")

    assert run(["explain", "TXR001", str(tmp_path / "r1.txt")]) == 3
    said = capsys.readouterr().out
    assert why in said
    assert "nothing is found" not in said


EDGE_TEXT = (
    "version 12.4\nhostname edge\nclass-map match-all VOICE\n match ip dscp ef\n"
    "policy-map WAN\n class VOICE\n  priority 128\n class class-default\n"
    "interface Serial0/0\n bandwidth 512\n encapsulation ppp\n"
    " tx-ring-limit {ring}\n service-policy output WAN\nend\n"
)
TRAFFIC = (
    '[[traffic]]\nclass = "VOICE"\n{voice}\n'
    '[[traffic]]\nclass = "class-default"\npacket_bytes = {data}\n{arrivals}\n'
)
OTHERS = dict.fromkeys(("backlog-delay", "lower-delay"), "class-default")
FULL, KEPT = 'arrivals = "saturated"', 'arrivals = "saturated"\nbacklog_packets = 20'
RANDOM = 'arrivals = "poisson"\npackets_per_second = 60'
RARE = 'arrivals = "poisson"\npackets_per_second = 30'
PROBES = 'arrivals = "poisson"\npackets_per_second = 150\npacket_bytes = 60'


@pytest.fixture
def edge(tmp_path: Path) -> Callable[[int, int, int, str], tuple[str, ...]]:
    def written(ring: int, calls: int, data: int, arrivals: str) -> tuple[str, ...]:
        config, traffic = tmp_path / "edge.cfg", tmp_path / "site.toml"
        config.write_text(EDGE_TEXT.format(ring=ring), "utf-8")
        voice = f'calls = {calls}\ncodec = "G.729"' if calls else PROBES
        traffic.write_text(TRAFFIC.format(voice=voice, data=data, arrivals=arrivals), "utf-8")
        return str(config), "--traffic", str(traffic)

    return written


@pytest.mark.parametrize(
    ("formula", "traffic", "figured"),
    [
        ("ring-delay", (2, 1, 300, FULL), "Little's law on the full ring"),
        ("saturated-wait", (2, 1, 300, FULL), "Little's law on the full ring"),
        ("calls-delay", (3, 3, 1500, FULL), "recursion of the full ring"),
        ("backlog-delay", (3, 2, 300, KEPT), "Little's law on the full queue"),
        ("lower-delay", (3, 2, 500, RANDOM), "conservation law"),
        ("ring-delay", (30, 1, 1500, FULL), "sampled"),
    ],
)
def test_the_terms_add_up_to_the_figure_that_predict_prints(
    formula: str,
    traffic: tuple[int, int, int, str],
    figured: str,
    capsys: Said,
    edge: Callable[[int, int, int, str], tuple[str, ...]],
) -> None:
    inputs, class_name = edge(*traffic), OTHERS.get(formula, "VOICE")
    lines = explained(capsys, formula, *inputs).splitlines()
    (about,) = (line for line in lines if line.startswith(f"      {class_name}"))
    (sum_line,) = (line for line in lines if "serialization" in line and " = " in line)
    assert run(["predict", *inputs, "--format", "json"]) == 0
    rows = {row["class_name"]: row for row in json.loads(capsys.readouterr().out)}
    row = rows[class_name]["congested"] or rows[class_name]
    mean = msgspec.convert(row["mean"], Figure)

    assert figured in about
    assert figure(mean) in about
    assert figure(mean) in sum_line
    terms, _, total = sum_line.partition(" = ")
    parts = [float(part) for part in re.findall(r"[0-9]+\.[0-9]+", terms)]
    assert sum(parts) == pytest.approx(float(total.split()[0]), abs=1e-9)
    assert float(total.split()[0]) == pytest.approx(mean.value, abs=0.006)


@pytest.mark.parametrize(
    ("traffic", "said"),
    [
        ((2, 1, 300, FULL), "g = "),
        ((2, 0, 1500, RARE), "no formula holds: g = "),
        ((64, 3, 1500, FULL), "Little's law on the sampled wait: lambda * W = "),
        ((3, 3, 1500, FULL), "Little's law: lambda * W = 0.15 * "),
        ((3, 3, 1500, FULL), "w + c + s = "),
        ((3, 3, 1500, FULL), "of ring-delay: R + B * s_l - K * (s_p - s_v) + Q * s_v + s = "),
        ((30, 1, 1500, FULL), "the formula is within 20 %, it explains: "),
        ((30, 1, 1500, FULL), "the sampled "),
    ],
)
def test_an_explanation_says_why_the_formula_holds_or_does_not(
    traffic: tuple[int, int, int, str],
    said: str,
    capsys: Said,
    edge: Callable[[int, int, int, str], tuple[str, ...]],
) -> None:
    assert said in explained(capsys, "ring-delay", *edge(*traffic))


SHAPED_TEXT = (
    "version 12.4\nhostname edge\nclass-map match-all VOICE\n match ip dscp ef\n"
    "policy-map WAN\n class VOICE\n  priority 300\n class class-default\n"
    "policy-map SHAPED\n class class-default\n  shape average 2000000 20000 0\n"
    "  service-policy WAN\n"
    "interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\n"
    " service-policy output SHAPED\nend\n"
)


@pytest.mark.parametrize(
    ("formula", "class_name"),
    [("shaper-delay", "VOICE"), ("shaper-backlog", "class-default")],
)
def test_the_terms_behind_a_shaper_add_up_to_the_figure_that_predict_prints(
    formula: str, class_name: str, capsys: Said, tmp_path: Path
) -> None:
    config, traffic = tmp_path / "edge.cfg", tmp_path / "site.toml"
    config.write_text(SHAPED_TEXT, "utf-8")
    voice = 'calls = 5\ncodec = "G.729"'
    traffic.write_text(TRAFFIC.format(voice=voice, data=1500, arrivals=KEPT), "utf-8")
    inputs = (str(config), "--traffic", str(traffic))
    lines = explained(capsys, formula, *inputs).splitlines()
    (worked,) = (line for line in lines if " * " in line and line.endswith(" ms"))
    assert run(["predict", *inputs, "--format", "json"]) == 0
    rows = {row["class_name"]: row for row in json.loads(capsys.readouterr().out)}
    mean = msgspec.convert(rows[class_name]["mean"], Figure)

    assert float(worked.split()[-2]) == pytest.approx(mean.value, rel=0.02)
    assert any(figure(mean) in line and "serialization" in line for line in lines)
