"""`advisor design` from the command line."""

import json

import pytest

from advisor.cli import run

Said = pytest.CaptureFixture[str]
WRED = ["design", "wred", "--rate", "2m"]


def test_the_report_shows_settings_shares_sensitivity_lines_rollback_and_proof(
    capsys: Said,
) -> None:
    assert run(WRED) == 0
    said = capsys.readouterr().out

    for part in (
        "af11    6   17    10",
        "Predicted shares of the class",
        "af11 = 6",
        "  random-detect dscp af11 6 17 10",
        "no policy-map WRED-EDGE",
        "proof: rolled back: the config is as before",
        "rtt_ms 100 (assumed",
    ):
        assert part in said


def test_json_has_the_same(capsys: Said) -> None:
    assert run([*WRED, "--flows", "af11=3,af12=20,af13=3", "--format", "json"]) == 1
    said = json.loads(capsys.readouterr().out)

    assert said["rows"][0] == {
        "code": 10,
        "min_threshold": 6,
        "max_threshold": 17,
        "denominator": 10,
    }
    assert [each["flows"] for each in said["shares"]] == [3, 20, 3]
    assert said["lines"][0] == "class-map match-any WRED-DATA"
    assert [(each["kind"], each["group"]) for each in said["poor"]] == [
        ("loss of a protected group", "af11")
    ]


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        pytest.param(["--share", "af13=90"], 1, id="out of reach"),
        pytest.param(["--rate", "512k"], 1, id="a poor prediction"),
        pytest.param(["--dscp", "ef"], 1, id="nothing that could be proven"),
        pytest.param(["--share", "af13=900"], 2, id="no share"),
        pytest.param(["--rate", "fast"], 2, id="no rate"),
        pytest.param(["--basis", "cos"], 2, id="no basis"),
        pytest.param(["--flows", "af21=3"], 2, id="flows of no group"),
    ],
)
def test_exit_code(flags: list[str], code: int, capsys: Said) -> None:
    assert run([*WRED, *flags]) == code
    said = capsys.readouterr()
    assert "Traceback" not in said.err


def test_a_rate_is_required(capsys: Said) -> None:
    assert run(["design", "wred"]) == 2
    assert "--rate" in capsys.readouterr().err
