"""`diff` of what decides which packets a class takes: lists, matches, order, and marking."""

import json
from pathlib import Path

import pytest

from advisor.cli import run

Said = pytest.CaptureFixture[str]
OLD = """\
version 15.2
hostname branch
class-map match-any VOICE
 match dscp ef
class-map match-any CALLS-IN
 match protocol rtp audio
class-map match-any PHONES
 match access-group name PHONES
class-map match-any ERP
 match access-group 120
class-map match-any BULK
 match dscp af11
policy-map MARK
 class CALLS-IN
  set dscp ef
policy-map WAN
 class VOICE
  priority 128
 class PHONES
  priority 32
 class ERP
  bandwidth 128
 class BULK
  bandwidth 64
 class class-default
  fair-queue
interface GigabitEthernet0/0
 ip address 198.51.100.1 255.255.255.0
 service-policy input MARK
interface GigabitEthernet0/1
 ip address 198.51.101.1 255.255.255.0
interface Serial0/0/0
 clock rate 768000
 ip address 192.0.2.1 255.255.255.252
 encapsulation ppp
 tx-ring-limit 2
 service-policy output WAN
ip access-list extended PHONES
 permit udp 198.51.100.0 0.0.0.255 any range 16384 32767
access-list 120 permit tcp any any eq 1521
access-list 120 permit tcp any eq 1521 any
end
"""
_LAN = " ip address 198.51.100.1 255.255.255.0\n service-policy input MARK\n"
_BARE_LAN = " ip address 198.51.100.1 255.255.255.0\n"
GROUP = OLD.replace("range 16384 32767", "object-group PORTS").replace(
    "end\n", "object-group service PORTS\n udp range 16384 32767\nend\n"
)
Taken = dict[str, bool]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def taken(old: str, new: str, capsys: Said, *options: str) -> tuple[int, Taken]:
    """The exit code, and the classes that take other packets: whether each counts as worse."""
    Path("old.cfg").write_text(old, "utf-8")
    Path("new.cfg").write_text(new, "utf-8")
    code = run(["diff", "old.cfg", "new.cfg", "--format", "json", "--fail-on", "error", *options])
    changes = json.loads(capsys.readouterr().out)["predictions"]
    return code, {each["class_name"]: each["counts"] for each in changes if each["takes"]}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            OLD, OLD.replace("16384 32767", "1638 3276"), {"PHONES": True, "BULK": False},
            id="a digit of the list of a priority class is lost",
        ),
        pytest.param(
            GROUP, GROUP.replace("16384 32767", "1638 3276"), {"PHONES": True, "ERP": False, "BULK": False},
            id="the ports stand in an object-group that the list names",
        ),
        pytest.param(
            OLD, OLD.replace("any range 16384", "any range 10000"),
            {"PHONES": False, "BULK": False},
            id="a priority class takes more than before",
        ),
        pytest.param(
            OLD, OLD.replace("match dscp ef", "match dscp cs5"),
            {"VOICE": True, "ERP": False},
            id="EF leaves the LLQ, and a list beside it may take it",
        ),
        pytest.param(
            OLD, OLD.replace(" match dscp ef\n", ""), {"VOICE": True, "ERP": False},
            id="the only match is deleted",
        ),
        pytest.param(
            OLD,
            OLD.replace("match-any VOICE", "match-all VOICE").replace(
                "dscp ef\n", "dscp ef\n match protocol rtp\n", 1),
            {"VOICE": True, "ERP": False},
            id="a match-any is a match-all that asks more",
        ),
        pytest.param(
            OLD, OLD.replace("match-any VOICE", "match-all VOICE"), {},
            id="a match-all of one match is the same",
        ),
        pytest.param(
            OLD, OLD.replace("match dscp ef", "match ip dscp ef"), {},
            id="without IPv6 the older spelling is the same",
        ),
        pytest.param(
            OLD, OLD.replace("eq 1521\n", "eq 1522\n"), {"ERP": False},
            id="the list of a class without priority is told, and does not count",
        ),
        pytest.param(
            OLD, OLD.replace("access-list 120 permit tcp any eq 1521 any\n", "").replace(
                "access-list 120 permit",
                "access-list 120 permit tcp any eq 1521 any\naccess-list 120 permit"), {},
            id="the entries of a list in another order",
        ),
        pytest.param(
            OLD, OLD.replace("name PHONES", "name CALLERS").replace(
                "extended PHONES", "extended CALLERS"), {},
            id="a list of another name with the same entries",
        ),
        pytest.param(
            OLD, OLD.replace(_LAN, _BARE_LAN), {"VOICE": True},
            id="nothing marks the calls any more",
        ),
        pytest.param(
            OLD, OLD.replace("rtp audio", "rtp video"), {"VOICE": True},
            id="the policy that marks takes other packets",
        ),
        pytest.param(
            OLD, OLD.replace("  set dscp ef", "  set dscp af41"), {"VOICE": True},
            id="the policy marks them otherwise",
        ),
        pytest.param(
            OLD, OLD.replace("MARK", "MARK-IN"), {},
            id="the policy that marks has another name",
        ),
        pytest.param(
            OLD, OLD.replace(
                " class VOICE\n  priority 128\n class PHONES\n  priority 32\n",
                " class PHONES\n  priority 32\n class VOICE\n  priority 128\n"), {},
            id="both classes of a list and of a marking have priority",
        ),
    ],
)  # fmt: skip
def test_a_class_that_takes_other_packets_is_told(
    old: str, new: str, expected: Taken, capsys: Said
) -> None:
    code, found = taken(old, new, capsys)
    assert found == expected
    assert code == any(expected.values())


BUNDLE = """\
version 15.2
hostname bundle
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 128
 class class-default
  fair-queue
interface Multilink1
 bandwidth 512
 ip address 192.0.2.1 255.255.255.252
 ppp multilink
 ppp multilink group 1
 service-policy output WAN
interface Serial0/0
 bandwidth 512
 encapsulation ppp
 tx-ring-limit 1
 ppp multilink
 ppp multilink group 1
end
"""


@pytest.mark.parametrize(
    "new",
    [
        pytest.param(
            BUNDLE.replace(" service-policy output WAN\n", "").replace(
                " tx-ring-limit 1\n", " tx-ring-limit 1\n service-policy output WAN\n"
            ),
            id="its policy goes to a member, where no packet meets it",
        ),
        pytest.param(BUNDLE.replace(" service-policy output WAN\n", ""), id="its policy is gone"),
    ],
)
def test_a_bundle_that_no_policy_queues_for_has_lost_its_voice(new: str, capsys: Said) -> None:
    Path("old.cfg").write_text(BUNDLE, "utf-8")
    Path("new.cfg").write_text(new, "utf-8")
    assert run(["diff", "old.cfg", "new.cfg", "--quiet"]) == 1
    assert "removes VOICE from Multilink1; no policy queues its packets" in capsys.readouterr().out


def test_the_lines_that_differ_stand_below_the_class_in_every_format(capsys: Said) -> None:
    Path("old.cfg").write_text(OLD, "utf-8")
    Path("new.cfg").write_text(OLD.replace("16384 32767", "1638 3276"), "utf-8")
    for form in ("markdown", "github", "junit", "html"):
        assert run(["diff", "old.cfg", "new.cfg", "--format", form]) == 1
        said = capsys.readouterr().out
        assert "PHONES on Serial0/0/0 takes other packets" in said
        assert "range 1638 3276" in said
        assert "other packets in" in said


def test_a_baseline_keeps_what_decides_it(capsys: Said) -> None:
    Path("old.cfg").write_text(OLD, "utf-8")
    assert run(["baseline", "old.cfg", "--out", "baseline.json"]) == 0
    Path("new.cfg").write_text(OLD.replace("match dscp ef", "match dscp cs5"), "utf-8")
    assert run(["diff", "baseline.json", "new.cfg", "--quiet"]) == 1
    assert "VOICE on Serial0/0/0 takes other packets" in capsys.readouterr().out


CLASS = " class VOICE\n  priority 128\n"
CAR = " rate-limit output 256000 8000 8000 conform-action transmit exceed-action "
HUB = OLD.replace(
    "interface Serial0/0/0",
    "policy-map SPOKE\n class class-default\n  shape average 2000000\n  service-policy WAN\n"
    "interface Tunnel0\n ip nhrp map group SMALL service-policy output SPOKE\n"
    " tunnel source GigabitEthernet0/1\ninterface Tunnel1\n ip nhrp group MINE\n"
    " tunnel source GigabitEthernet0/1\ninterface Serial0/0/0",
)


def sets(words: str, old: str = OLD) -> str:
    return old.replace(CLASS, f"{CLASS}  set {words}\n")


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        pytest.param(
            OLD, sets("dscp default"), 1, "they leave as dscp ef → as dscp default",
            id="voice leaves as best effort",
        ),
        pytest.param(sets("dscp default"), OLD, 0, "they leave", id="no more"),
        pytest.param(OLD, sets("ip dscp ef"), 0, "findings: 0 added, 0 gone", id="as it came"),
        pytest.param(
            OLD,
            OLD.replace("  bandwidth 64\n", "  bandwidth 64\n  set dscp default\n"),
            0,
            "they leave as they come → as dscp default",
            id="a class without priority is told",
        ),
        pytest.param(
            OLD, OLD.replace(" tx-ring-limit", f"{CAR}drop\n tx-ring-limit"), 1,
            "none → rate-limit output", id="CAR drops ahead of the policy",
        ),
        pytest.param(
            HUB, HUB.replace("group SMALL", "group LITTLE"), 1,
            "removes VOICE from Tunnel0 > nhrp group SMALL; no policy queues its packets",
            id="the spokes of a group lose their policy at the hub",
        ),
        pytest.param(
            HUB, HUB.replace(" ip nhrp group MINE\n", ""), 0, "group MINE → none",
            id="a spoke announces no group any more",
        ),
    ],
)  # fmt: skip
def test_what_the_other_ends_see_is_told(
    old: str, new: str, code: int, said: str, capsys: Said
) -> None:
    Path("old.cfg").write_text(old, "utf-8")
    Path("new.cfg").write_text(new, "utf-8")
    assert run(["diff", "old.cfg", "new.cfg", "--fail-on", "error"]) == code
    assert said in capsys.readouterr().out
