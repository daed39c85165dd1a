"""What `advisor predict` cannot use, or would use only in part, is refused or said."""

import json
from pathlib import Path

import pytest

from advisor.cli import run

Said = pytest.CaptureFixture[str]
CONFIG = """\
version 15.1
hostname r1
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 96
 class class-default
policy-map POLICED
 class class-default
  police 64000
interface Serial0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 6
 service-policy output WAN
interface Serial0/1
 clock rate 512000
 encapsulation ppp
 service-policy output POLICED
end
"""
HOPS = '[[hop]]\nname = "branch"\nlink = "512k"\nllq = "96k"\ncalls = 2\n'


def table(name: str, *lines: str) -> str:
    return "\n".join(["[[traffic]]", f'class = "{name}"', *lines, ""])


RATE = ("packet_bytes = 60", "rate_kbps = 24")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r1.cfg").write_text(CONFIG, encoding="utf-8")
    Path("hops.toml").write_text(HOPS, encoding="utf-8")
    Path("right.toml").write_text(table("VOICE", *RATE), encoding="utf-8")
    Path("wrong.toml").write_text(table("VOCE", *RATE), encoding="utf-8")
    Path("tcp.toml").write_text(table("VOICE", "tcp_flows = 3"), encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--link 512k --llq 96k --traffic wrong.toml", "did you mean VOICE?"),
        ("--hops hops.toml --traffic wrong.toml", "did you mean VOICE?"),
        ("r1.cfg --traffic right.toml --traffic tcp.toml", "--traffic: is given 2 times"),
        ("r1.cfg --interface Serial0/0 --interface Serial0/1", "--interface: is given 2 times"),
        ("r1.cfg --encap ppp", "--encap: needs --link"),
        ("--hops hops.toml --encap ppp", "--encap: needs --link"),
        (
            "r1.cfg --set tx-ring-limit=5 --sweep tx-ring-limit=1..3",
            "--sweep tx-ring-limit: is set by --set too",
        ),
    ],
)
def test_what_would_have_no_effect_is_refused(arguments: str, said: str, capsys: Said) -> None:
    assert run(["predict", *arguments.split()]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        "--link 512k --llq 96k --traffic right.toml",
        "--hops hops.toml --traffic right.toml",
        "r1.cfg --set mtu=700 --set tx-ring-limit=2 --sweep calls=1..2",
    ],
)
def test_what_has_an_effect_is_taken(arguments: str) -> None:
    assert run(["predict", *arguments.split()]) == 0


def test_a_table_of_the_settings_need_not_be_about_a_link_of_flags() -> None:
    Path("advisor.toml").write_text(table("VOCE", *RATE), encoding="utf-8")

    assert run(["predict", "--link", "512k", "--llq", "96k"]) == 0


def test_tcp_flows_of_a_priority_class_are_said(capsys: Said) -> None:
    assert run(["predict", "r1.cfg", "--traffic", "tcp.toml"]) == 0
    assert "tcp.toml:1: tcp_flows of the priority class VOICE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("marking", "is_said"),
    [('dscp = "af31"', True), ("precedence = 3", True), ('dscp = "ef"', False),
     ("precedence = 5", False), ("", False)],
)  # fmt: skip
def test_a_marking_that_the_class_does_not_match_is_said(
    marking: str, is_said: bool, capsys: Said
) -> None:
    Path("t.toml").write_text(table("VOICE", *RATE, marking), encoding="utf-8")

    assert run(["predict", "r1.cfg", "--traffic", "t.toml"]) == 0
    assert ("t.toml:1: class VOICE does not match " in capsys.readouterr().err) == is_said


COUNTED = """\
r1#show policy-map interface
 {interface}

  Service-policy output: {policy}

    Class-map: class-default (match-any)
      1000 packets, 60000 bytes
      5 minute offered rate 1000 bps, drop rate 0 bps
      Match: any
r1#
"""


@pytest.mark.parametrize(
    ("interface", "policy", "said"),
    [
        ("Serial0/0", "OTHER", "counters of policy-map OTHER on interface Serial0/0"),
        ("Serial0/2", "WAN", "the configuration has no output policy there"),
        ("Serial0/0", "WAN", ""),
        ("Serial0/1", "POLICED", ""),
    ],
)
def test_counters_of_another_policy_or_interface_are_said(
    interface: str, policy: str, said: str, capsys: Said
) -> None:
    counted = COUNTED.format(interface=interface, policy=policy)
    log = f"r1#show running-config\n{CONFIG}{counted}"
    Path("r1.log").write_text(log, encoding="utf-8")

    assert run(["predict", "r1.log"]) == 0
    err = capsys.readouterr().err
    assert said in err
    assert ("counters of" in err) == bool(said)


def test_the_load_of_a_priority_class_without_a_rate_is_unknown(capsys: Said) -> None:
    Path("r1.cfg").write_text(CONFIG.replace("priority 96", "priority"), encoding="utf-8")
    asked = ["predict", "r1.cfg", "--interface", "Serial0/0"]

    assert run([*asked, "--format", "json"]) == 0
    voice = json.loads(capsys.readouterr().out)[0]
    assert run(asked) == 0
    (row,) = (line for line in capsys.readouterr().out.splitlines() if "  VOICE   " in line)

    assert voice["offered"] is None
    assert row.split()[2] == "unknown"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('link = "512k"\nllq = "700k"', "hops.toml:7: hop far: llq 700k: is more than the link"),
        ('link = "fast"', "hops.toml:7: hop far: link fast: not a rate"),
        ('link = "512k"\nencap = "x25"', "hops.toml:7: hop far: encap x25: unknown"),
        ('config = "r1.cfg"\nclass = "VOCE"', "hops.toml:7: hop far: no class VOCE"),
        ('config = "none.cfg"', "hops.toml:7: hop far: none.cfg"),
    ],
)
def test_an_error_in_a_hop_names_its_file_line_and_hop(lines: str, said: str, capsys: Said) -> None:
    Path("hops.toml").write_text(f'{HOPS}\n[[hop]]\nname = "far"\n{lines}\n', encoding="utf-8")

    assert run(["predict", "--hops", "hops.toml"]) == 2
    assert said in capsys.readouterr().err
