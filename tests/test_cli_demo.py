"""`advisor demo` and docs/lesson.md: model and simulation beside each other, without a config."""

import json
import re
from pathlib import Path

import pytest

from advisor.cli import run

PAGE = (Path(__file__).parents[1] / "docs/lesson.md").read_text("utf-8")
COMMANDS = re.findall(r"`advisor (demo[^`]*)`", PAGE)
Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def points(capsys: Said, *arguments: str) -> list[dict[str, object]]:
    assert run(["demo", "--format", "json", *arguments]) == 0
    known: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return known


@pytest.mark.slow
def test_model_and_simulation_agree_at_nearly_every_ring(capsys: Said) -> None:
    agreeing = [point["agrees"] for point in points(capsys)]
    assert len(agreeing) == 40
    assert agreeing.count(True) >= 36


def test_a_longer_ring_delays_voice_more(capsys: Said) -> None:
    means = [point["simulated_ms"] for point in points(capsys, "--rings", "1..4")]
    assert means == sorted(means, key=float)  # type: ignore[arg-type]


def test_the_same_seed_gives_the_same_figures(capsys: Said) -> None:
    first = points(capsys, "--rings", "2", "--seed", "7")
    assert points(capsys, "--rings", "2", "--seed", "7") == first
    assert points(capsys, "--rings", "2", "--seed", "8") != first


def test_no_delay_is_beyond_the_bound(capsys: Said) -> None:
    for point in points(capsys, "--rings", "1..3"):
        mean = point["mean"]
        assert isinstance(mean, dict)
        assert float(str(point["longest_ms"])) <= float(str(mean["bound"])) + 1e-6


def test_text_has_the_table_the_histograms_and_the_reasons(capsys: Said) -> None:
    assert run(["demo", "--rings", "1..3", "-q"]) == 0
    text = capsys.readouterr().out
    assert "simulated: mean ms" in text
    assert "tx-ring-limit 3: delay of " in text
    assert "█" in text
    assert re.search(r"B its bound 73\.9 ms", text)
    assert "no scheduler can overtake it" in text


def test_calls_that_need_more_than_the_link_have_reasons_of_their_own(capsys: Said) -> None:
    assert run(["demo", "--rings", "1..3", "--calls", "25", "-q"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "no data are sent, voice fills its queue and the ring" in text
    assert "24.7 % of it is lost" in text  # 25 calls of 27.2 kb/s, on 512
    assert "No ring is short enough" in text
    assert "What is left then" not in text


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--rings", "0..4"], "--rings 0..4: at most 64 rings, of 1 to 500 packets"),
        (["--rings", "4..1"], "--rings 4..1: at most"),
        (["--rings", "1..100"], "--rings 1..100: at most"),
        (["--rings", "x"], "--rings 'x': write one ring or a range"),
        (["--codec", "g728x"], "--codec: unknown 'g728x'"),
        (["--link", "fast"], "--link"),
        (["--link", "1k"], "--calls: 3 calls of G.729 need 81.6 kb/s, more than 2 times the link"),
        (["--calls", "1000"], "--calls: 1000 calls of G.729 need 27200 kb/s, more than 2 times"),
    ],
)
def test_what_is_not_understood_is_wrong_use(
    arguments: list[str], expected: str, capsys: Said
) -> None:
    assert run(["demo", *arguments]) == 2
    assert expected in capsys.readouterr().err


def test_a_long_ring_of_a_slow_link_is_simulated_until_it_forgets_its_first_filling(
    capsys: Said,
) -> None:
    known = points(capsys, "--link", "64k", "--calls", "4", "--rings", "120")
    assert [point["agrees"] for point in known] == [True]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_lesson_runs(command: str) -> None:
    words = re.sub(r" --rings \S+", "", command).split()  # two of its rings tell as much as eight
    assert run([*words, "--rings", "1..2", "-q"]) == 0
