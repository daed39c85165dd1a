"""A class without a delay: the report names what its statement or its counters lack."""

import json
from pathlib import Path

import pytest

from advisor.cli import run

Said = pytest.CaptureFixture[str]

CONFIG = """\
r1#show running-config
hostname r1
policy-map P
 class class-default
  fair-queue
interface Serial0/0
 bandwidth 512
 encapsulation ppp
 tx-ring-limit 2
 service-policy output P
end
r1#
"""
COUNTED = """\
r1#show policy-map interface Serial0/0
 Serial0/0

  Service-policy output: P

    Class-map: class-default (match-any)
      {packets} packets, {octets} bytes
      30 second offered rate 100000 bps, drop rate 0 bps
      Match: any
      Queueing
        Flow Based Fair Queueing
        Maximum Number of Hashed Queues 64
        (total queued/total drops/no-buffer drops) 0/0/0
r1#
"""
DEFAULT = '[[traffic]]\nclass = "class-default"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_class_without_a_delay_has_no_bound_either(capsys: Said) -> None:
    Path("r1.txt").write_text(CONFIG, encoding="utf-8")

    assert run(["predict", "r1.txt", "--format", "json"]) == 0
    said = capsys.readouterr().out

    assert [
        each.keys() & {"bound_ms", "mean"}
        for each in json.loads(said)
        if each["outcome"] == "unknown"
    ] == [set()]


@pytest.mark.parametrize(
    ("stated", "counted", "lack"),
    [
        pytest.param("", "", "its traffic is neither stated nor measured", id="nothing"),
        pytest.param(
            f'{DEFAULT}arrivals = "saturated"\n',
            "",
            "advisor.toml:1 states no sizes: add packet_bytes",
            id="no sizes",
        ),
        pytest.param(
            f"{DEFAULT}packet_bytes = 900\n", "", "advisor.toml:1 states no rate", id="no rate"
        ),
        pytest.param(
            "",
            COUNTED.format(packets=0, octets=0),
            "packets of it that are counted: 0 (r1.txt:18); at least 100 are needed for a mean size",
            id="a rate without packets",
        ),
        pytest.param(
            "",
            COUNTED.format(packets=1000, octets=5000),
            "packets of it that are counted: 1000 (r1.txt:18); their bytes are not those of IP",
            id="packets of five bytes",
        ),
    ],
)
def test_what_a_class_lacks_is_named(stated: str, counted: str, lack: str, capsys: Said) -> None:
    Path("r1.txt").write_text(CONFIG + counted, encoding="utf-8")
    Path("advisor.toml").write_text(stated, encoding="utf-8")
    assert run(["predict", "r1.txt"]) == 0
    assert f"delay unknown: {lack}" in capsys.readouterr().out
