"""Traffic that is legal and absurd is declined with its cause, not solved for minutes."""

from pathlib import Path

import pytest

from advisor.cli import run

CONFIG = """\
hostname r1
class-map match-all VOICE
 match dscp ef
class-map match-all DATA
 match dscp af31
policy-map P
 class VOICE
  priority 128
 class DATA
  bandwidth 256
interface Serial0/0
 bandwidth 768
 encapsulation ppp
 tx-ring-limit 10
 service-policy output P
end
"""
RARE = "packet_bytes = 60\npackets_per_second = "
TRAINS = f'{RARE}1e6\narrivals = "on-off"\non_ms = 0.001\noff_ms = 1e6'
STREAMS = f'{RARE}50\narrivals = "periodic"\nstreams = 1000000'
BURSTS = f'{RARE}50\narrivals = "bursts"\nburst_packets = 1000000'

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("r1.cfg").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def predicted(class_name: str, traffic: str) -> int:
    table = f'[[traffic]]\ndevice = "r1"\nclass = "{class_name}"\n{traffic}\n'
    Path("t.toml").write_text(table, encoding="utf-8")
    return run(["predict", "r1.cfg", "--traffic", "t.toml"])


@pytest.mark.parametrize(
    ("traffic", "cause"),
    [
        pytest.param(f"{RARE}5e-324", "from 1e-20 to 1e+20", id="a rate next to zero"),
        pytest.param(f"{RARE}1e-300", "from 1e-20 to 1e+20", id="a packet in 1e300 s"),
        pytest.param(f"{RARE}1e-19", "seconds between packets", id="a packet in 1e19 s"),
        pytest.param(STREAMS, "streams: 1e+06", id="a million streams"),
    ],
)
@pytest.mark.parametrize("class_name", ["VOICE", "DATA"])
def test_what_is_not_solved_is_said(
    capsys: Said, class_name: str, traffic: str, cause: str
) -> None:
    predicted(class_name, traffic)
    assert cause in capsys.readouterr().err


@pytest.mark.parametrize("traffic", [TRAINS, BURSTS], ids=["one train in a day", "one burst"])
def test_a_class_of_which_no_packet_was_seen_has_no_figure(capsys: Said, traffic: str) -> None:
    assert predicted("DATA", traffic) == 0
    assert "too few" in capsys.readouterr().out


def test_a_policy_of_more_classes_than_ios_takes_is_not_solved(capsys: Said) -> None:
    classes = "".join(f" class C{number}\n  bandwidth 1\n" for number in range(300))
    Path("r1.cfg").write_text(CONFIG.replace(" class DATA\n", f"{classes} class DATA\n"), "utf-8")
    run(["predict", "r1.cfg"])
    assert "classes: 303, more than is solved (256)" in capsys.readouterr().err
