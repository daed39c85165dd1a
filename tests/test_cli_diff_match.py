"""`diff` of match lines: packets that go from one class of an output to another."""

import json
from pathlib import Path

import pytest

from advisor.cli import run

Said = pytest.CaptureFixture[str]
OLD = """\
version 15.2
hostname branch
class-map match-any VOICE
 match ip dscp ef
class-map match-any DATA
 match ip dscp af21
policy-map WAN
 class VOICE
  priority 128
 class DATA
  bandwidth 128
 class class-default
  fair-queue
interface Serial0/0/0
 clock rate 768000
 encapsulation ppp
 tx-ring-limit 2
 service-policy output WAN
end
"""
_Moved = tuple[str, str, list[int], bool]
LIST = "access-list 101 permit udp any any range 16384 32767\n"
EF = " match ip dscp ef\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def compared(old: str, new: str, *options: str) -> int:
    Path("old.cfg").write_text(old, "utf-8")
    Path("new.cfg").write_text(new, "utf-8")
    return run(["diff", "old.cfg", "new.cfg", *options])


@pytest.mark.parametrize(
    ("old", "new", "code", "expected"),
    [
        pytest.param(
            OLD,
            OLD.replace("dscp ef", "dscp cs5"),
            1,
            [("VOICE", "class-default", [46], True), ("class-default", "VOICE", [40], False)],
            id="voice goes to class-default",
        ),
        pytest.param(
            OLD,
            OLD.replace(EF, "").replace("dscp af21", "dscp af21 ef").replace(
                "class-map match-any VOICE\n", "class-map match-any VOICE\n match ip dscp cs5\n"),
            1,
            [("VOICE", "DATA", [46], True), ("class-default", "VOICE", [40], False)],
            id="voice goes to another class",
        ),
        pytest.param(
            OLD,
            OLD.replace("dscp af21", "dscp af21 af31"),
            0,
            [("class-default", "DATA", [26], False)],
            id="what was in class-default has no delay to lose",
        ),
        pytest.param(
            OLD,
            OLD.replace(EF, " match access-group 101\n").replace("end\n", f"{LIST}end\n"),
            1,
            [],
            id="a list may take the same packets, and is not proven to",
        ),
        pytest.param(
            OLD,
            OLD.replace("match-any VOICE\n", "match-all VOICE\n match access-group 101\n").replace(
                "end\n", f"{LIST}end\n"),
            1,
            [],
            id="a match-all that asks more may take them still, or fewer",
        ),
        pytest.param(
            OLD,
            OLD.replace(EF, " match ip precedence 5\n"),
            0,
            [("class-default", "VOICE", [40, 41, 42, 43, 44, 45, 47], False)],
            id="a precedence has eight codes",
        ),
        pytest.param(OLD, OLD.replace("VOICE", "CALLS"), 0, [], id="another name"),
    ],
)  # fmt: skip
def test_packets_go_to_the_class_that_their_marking_selects(
    old: str, new: str, code: int, expected: list[_Moved], capsys: Said
) -> None:
    assert compared(old, new, "--format", "json") == code
    changes = json.loads(capsys.readouterr().out)["predictions"]
    assert [
        (each["class_name"], each["served_by"], each["dscps"], each["counts"])
        for each in changes
        if each["dscps"]
    ] == expected


def test_a_class_that_is_lost_stands_before_one_that_waits_longer(capsys: Said) -> None:
    new = OLD.replace("dscp ef", "dscp cs5").replace("limit 2", "limit 12")
    assert compared(OLD, new, "--quiet") == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if "(congested case)" in line]
    first, second = lines[:2]
    assert "moves dscp ef from VOICE" in first
    assert "to VOICE on Serial0/0/0" in second


def test_the_headline_names_the_marking_and_both_classes(capsys: Said) -> None:
    assert compared(OLD, OLD.replace("dscp ef", "dscp cs5")) == 1
    said = capsys.readouterr().out
    assert "moves dscp ef from VOICE to class-default on Serial0/0/0 (congested case)" in said
    assert "moves dscp cs5 from class-default to VOICE" in said


SHAPED = OLD.replace("policy-map WAN\n", "policy-map INNER\n").replace(
    "interface Serial0/0/0\n",
    "policy-map WAN\n{ahead} class class-default\n  shape average 512000\n  service-policy INNER\n"
    "interface Serial0/0/0\n",
)


def test_a_class_of_the_parent_that_takes_voice_is_worse(capsys: Said) -> None:
    Path("old.cfg").write_text(SHAPED.format(ahead=""))
    Path("new.cfg").write_text(SHAPED.format(ahead=" class VOICE\n  police 64000\n"))

    assert run(["diff", "old.cfg", "new.cfg"]) == 1
    assert run(["predict", "new.cfg"]) == 0
    said = capsys.readouterr().out
    assert "policy-map INNER > class VOICE: class-never-matches" in said
    assert "class-default takes its packets" not in said
    assert "VOICE: no figures: no packet reaches it: its packets go to class VOICE of WAN" in said
