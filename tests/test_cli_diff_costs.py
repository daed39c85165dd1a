"""`diff` of a rate that is raised: what it takes from others is a cost, and not worse."""

import json
from pathlib import Path

import pytest

from advisor.cli import run

OLD = """\
version 15.1
hostname gateway
class-map match-any VOICE
 match dscp ef
class-map match-any DATA
 match dscp af21
policy-map WAN
 class VOICE
  priority 128
 class DATA
  bandwidth 128
 class class-default
  fair-queue
interface Serial0/0/0
 bandwidth 1536
 ip address 192.0.2.1 255.255.255.252
 encapsulation ppp
 tx-ring-limit 2
 service-policy output WAN
ip route 198.51.100.0 255.255.255.0 Serial0/0/0
dial-peer voice 10 voip
 max-conn 12
 destination-pattern 2...
 session target ipv4:198.51.100.5
 codec g729r8
end
"""
Told = list[tuple[str, str, str]]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "code", "expected"),
    [
        pytest.param(
            OLD, OLD.replace("priority 128", "priority 308"), 0,
            [("VOICE", "delay", "cost"), ("class-default", "goodput", "cost")],
            id="as much LLQ as the admitted calls need",
        ),
        pytest.param(
            OLD, OLD.replace("priority 128", "priority 480"), 1,
            [("VOICE", "delay", "worse"), ("class-default", "goodput", "cost")],
            id="more LLQ than they need has a longer bound for nothing",
        ),
        pytest.param(
            OLD.replace(" max-conn 12\n", ""),
            OLD.replace(" max-conn 12\n", "").replace("priority 128", "priority 308"), 1,
            [("VOICE", "delay", "worse"), ("class-default", "goodput", "cost")],
            id="nothing says how many calls are admitted",
        ),
        pytest.param(
            OLD, OLD.replace("bandwidth 128", "bandwidth 512"), 0,
            [("class-default", "goodput", "cost")],
            id="a guarantee is raised",
        ),
        pytest.param(
            OLD, OLD.replace("priority 128", "priority 308").replace("limit 2", "limit 12"), 1,
            [("VOICE", "delay", "worse"), ("class-default", "goodput", "cost")],
            id="the ring is deeper too: the mean is longer",
        ),
    ],
)  # fmt: skip
def test_what_a_raised_rate_takes_is_a_cost(
    old: str, new: str, code: int, expected: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("old.cfg").write_text(old, "utf-8")
    Path("new.cfg").write_text(new, "utf-8")
    options = ("--format", "json", "--fail-on", "error")
    assert run(["diff", "old.cfg", "new.cfg", *options]) == code
    changes = json.loads(capsys.readouterr().out)["predictions"]
    told = [(each["class_name"], each["metric"], each["direction"]) for each in changes]
    assert sorted(each for each in told if each[2] in ("worse", "cost")) == expected
