"""`explain RULE PATH`: what the rule finds there, with the formulas and the numbers of the config."""

from pathlib import Path

import pytest

from advisor.cli import run

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
        ("TXR001", "about 107 ms (range 30–249, worst case 316) → about 24 ms"),
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
