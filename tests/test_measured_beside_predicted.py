"""What was measured of a class stands beside what is predicted of it."""

import re
from pathlib import Path

import pytest

from advisor.cli import run

ROOT = Path(__file__).parents[1]


def lines_of(class_name: str, out: str) -> list[str]:
    """Lines below the rows of a class, each up to the next row."""
    sections = [re.split(r"\n  \S", part)[0] for part in out.split(f"\n  {class_name} ")[1:]]
    return [line for section in sections for line in section.splitlines() if " seen " in line]


@pytest.mark.parametrize(
    ("class_name", "said"),
    [
        pytest.param("Echo", "round trip 6/15/31 ms", id="the probe that the LLQ takes"),
        pytest.param("Echo", "offered 3 kb/s", id="the rate of the LLQ"),
        pytest.param("data", "average queue 2 packets", id="the average queue of WRED"),
        pytest.param("class-default", "dropped 401 kb/s", id="what class-default drops"),
    ],
)
def test_predict_of_a_bundle_shows_what_was_seen(
    class_name: str,
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    assert run(["predict", "fixtures/bundles/a1"]) == 0
    assert any(said in line for line in lines_of(class_name, capsys.readouterr().out))


def test_a_verbose_lint_of_a_bundle_grades_its_predictions(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    run(["lint", "fixtures/bundles/a1", "-v"])
    said = capsys.readouterr().out.partition("Predicted and measured\n")[2]

    assert (
        "round trip of probe 50000, aggregated (aggregated operations, 387 packets): measured 15"
        in said
    )
    assert ": off by -" in said
    assert "average queue (AQS) (output, one moment): measured 2 packets" in said


def test_a_lint_that_is_not_verbose_grades_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    run(["lint", "fixtures/bundles/a1"])

    assert "Predicted and measured" not in capsys.readouterr().out
