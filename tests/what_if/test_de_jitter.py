"""The de-jitter buffer behind R and MOS of a call is said, stated or assumed."""

from pathlib import Path

import pytest

from advisor.cli import run
from advisor.device.reading import Source
from advisor.predict.what_if.path import PathPrediction, predict_path
from advisor.predict.what_if.path_hops import read_path
from advisor.settings import Settings

PATH = """\
codec = "g729"
{buffer}
[[hop]]
link = "512k"
llq = "96k"
tx-ring-limit = 2
calls = 3
background = 1000
"""
STATED = "jitter_buffer_ms = 25"


def predicted(folder: Path, buffer: str) -> PathPrediction:
    file = folder / "path.toml"
    file.write_text(PATH.format(buffer=buffer), encoding="utf-8")

    def none(name: str) -> Source:
        raise FileNotFoundError(name)

    return predict_path(read_path(file), Settings(), none)


def test_a_stated_buffer_is_the_one_of_the_call(tmp_path: Path) -> None:
    (call,) = predicted(tmp_path, STATED).qualities

    assert call.de_jitter.is_stated
    assert call.de_jitter.hold_ms == pytest.approx(25)


def test_a_short_buffer_loses_more_packets_than_a_long_one(tmp_path: Path) -> None:
    short, long = (
        predicted(tmp_path, f"jitter_buffer_ms = {ms}").qualities[0].de_jitter.late_percent
        for ms in (15, 25)
    )

    assert short > long


def test_without_a_buffer_the_best_one_is_assumed(tmp_path: Path) -> None:
    (assumed,) = predicted(tmp_path, "").qualities
    stated = [
        predicted(tmp_path, f"jitter_buffer_ms = {ms}").qualities[0].r.value for ms in (10, 15, 20)
    ]

    assert not assumed.de_jitter.is_stated
    assert assumed.r.value >= max(stated)


@pytest.mark.parametrize(
    ("buffer", "said"),
    [
        pytest.param(STATED, "de-jitter buffer 25 ms (stated): ", id="stated"),
        pytest.param(
            "", "(assumed, the best for this call; state jitter_buffer_ms): ", id="assumed"
        ),
    ],
)
def test_the_report_says_the_buffer_beside_mos(
    buffer: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "path.toml").write_text(PATH.format(buffer=buffer), encoding="utf-8")

    assert run(["predict", "--hops", str(tmp_path / "path.toml")]) == 0
    assert said in capsys.readouterr().out
