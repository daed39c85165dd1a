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
    rate = [] if "--rate" in flags else ["--rate", "2m"]
    assert run(["design", "wred", *rate, *flags]) == code
    said = capsys.readouterr()
    assert "Traceback" not in said.err


def test_a_rate_is_required(capsys: Said) -> None:
    assert run(["design", "wred"]) == 2
    assert "--rate" in capsys.readouterr().err


EDGE = ["design", "edge", "--link", "512k", "--calls", "3", "--platform", "2811"]
METRO = ["design", "shape", "--cir", "20m", "--port", "1g"]


def test_an_edge_shows_settings_predictions_budgets_lines_rollback_and_proof(
    capsys: Said,
) -> None:
    assert run([*EDGE, "--data", "af21=30%,af11=15%"]) == 0
    said = capsys.readouterr().out

    for part in (
        "Multilink1 of 512 kb/s on 2811 (15.1)",
        "80 kb/s for 3 calls of G.729: a call is 26.4 kb/s as IOS counts it, 29.2 on the wire",
        "carries 3 calls",
        "MOS about 4.05",
        "budget  longest wait in the ring up to 20.4 of 25 ms",
        " ppp multilink fragment delay 10",
        "no policy-map WAN-EDGE",
        "gives a warning",
        "proof: rolled back: the config is as before",
    ):
        assert part in said


def test_an_edge_as_json_has_the_same(capsys: Said) -> None:
    assert run([*EDGE, "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)

    assert (said["outcome"], said["ring"], said["fragment_ms"]) == ("designed", 1, 10)
    assert said["voice"]["calls_carried"] == 3
    assert [each["class_name"] for each in said["classes"]] == ["VOICE", "class-default"]


def test_an_edge_as_markdown_has_its_lines_in_blocks(capsys: Said) -> None:
    assert run([*EDGE, "--data", "af21=30%:400ms", "--format", "markdown"]) == 0
    said = capsys.readouterr().out

    assert said.startswith("# Multilink1 of 512 kb/s on 2811 (15.1)\n")
    assert "| full queue of AF21 | 5020 ms | 392 ms | 400 ms |" in said
    assert said.count("```text\n") == 4  # lines and rollback of both ends
    assert "# Far end: Multilink1 on 2811 (15.1)" in said


def test_a_refusal_as_markdown_says_what_would_fit(capsys: Said) -> None:
    assert run(["design", "llq", "--link", "56k", "--calls", "3", "--format", "markdown"]) == 1

    assert "- a link of about 266 kb/s" in capsys.readouterr().out


def test_wred_as_markdown_has_its_lines_in_a_block(capsys: Said) -> None:
    assert run(["design", "wred", "--rate", "6m", "--format", "markdown"]) == 0
    said = capsys.readouterr().out

    assert "```text\nclass-map match-any WRED-DATA\n" in said


def test_a_refusal_as_json_says_what_would_fit(capsys: Said) -> None:
    assert run(["design", "llq", "--link", "56k", "--calls", "3", "--format", "json"]) == 1
    said = json.loads(capsys.readouterr().out)

    assert said["outcome"] == "refused"
    assert said["fits"] == ["0 calls of G.729 on this link", "a link of about 266 kb/s"]


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        pytest.param(METRO, 0, "shape average 20000000 80000 0", id="a shaper alone"),
        pytest.param([*METRO, "--calls", "20"], 0, "priority 592", id="a shaper with calls"),
        pytest.param(["design", "lfi", "--link", "256k"], 0, "fragment delay 10", id="fragments"),
        pytest.param(
            ["design", "lfi", "--link", "256k", "--budget", "12"], 0, "fragment delay 12",
            id="fragments of a budget",
        ),
        pytest.param(
            ["design", "lfi", "--link", "256k", "--budget", "15"], 1,
            "longest wait in the ring of VOICE is 30.8 ms", id="fragments over the budget of voice",
        ),
        pytest.param(
            ["design", "lfi", "--link", "256k", "--encap", "frame-relay"], 0,
            "frame-relay fragment", id="fragments of Frame Relay",
        ),
        pytest.param(["design", "lfi", "--link", "2m"], 1, "no fragments are needed", id="fast"),
        pytest.param(["design", "llq", "--link", "1536k", "--calls", "6"], 0, "priority 154",
                     id="a priority queue"),
    ],
)  # fmt: skip
def test_designs_of_a_part(words: list[str], code: int, part: str, capsys: Said) -> None:
    assert run(words) == code
    assert part in capsys.readouterr().out


@pytest.mark.parametrize(
    "flags",
    [
        pytest.param(["--link", "fast"], id="no rate"),
        pytest.param(["--encap", "x25"], id="no layer"),
        pytest.param(["--codec", "gsm9"], id="no codec"),
        pytest.param(["--platform", "nonsense"], id="no platform"),
        pytest.param(["--on", "nowhere.cfg", "--interface", "Serial0"], id="no file"),
        pytest.param(["--budget", "5"], id="a flag of another design"),
    ],
)
def test_wrong_use_of_an_edge(flags: list[str], capsys: Said) -> None:
    assert run([*EDGE, *flags]) == 2
    assert "Traceback" not in capsys.readouterr().err
