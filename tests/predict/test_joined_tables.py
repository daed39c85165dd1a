"""A class of several tables of traffic is one class: its packets count, not their bits."""

from pathlib import Path

import msgspec
import pytest

from advisor.cli import run

CONFIG = """\
hostname r1
interface Serial0/0
 clock rate 64000
 ip address 10.1.6.1 255.255.255.252
 fair-queue 16 16 0
 tx-ring-limit 50
end
"""
TABLES = """\
[[traffic]]
class = "class-default"
packet_bytes = 1500
rate_kbps = 1500
conversations = 3
[[traffic]]
class = "class-default"
calls = 2
codec = "g729"
dscp = "ef"
"""


@pytest.fixture
def flooded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> dict[str, dict[str, float]]:
    """100 packets/s of calls pass beside 125 packets/s of data, of which hardly one passes."""
    monkeypatch.chdir(tmp_path)
    Path("r1.cfg").write_text(CONFIG, encoding="utf-8")
    Path("t.toml").write_text(TABLES, encoding="utf-8")
    assert run(["predict", "r1.cfg", "--traffic", "t.toml", "--format", "json"]) == 0
    (prediction,) = msgspec.json.decode(capsys.readouterr().out)
    return dict(prediction)


def test_losses_count_by_the_packets_that_are_offered(flooded: dict[str, dict[str, float]]) -> None:
    assert flooded["loss"]["value"] == pytest.approx(100 * 124 / 225, abs=4)


def test_delays_count_by_the_packets_that_are_delivered(
    flooded: dict[str, dict[str, float]],
) -> None:
    """The data waits for minutes, the calls for the ring: of 100 packets one is of the data."""
    assert flooded["mean"]["value"] < 3000
