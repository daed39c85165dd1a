"""No part of a log is lost unsaid: cut heads and tails, marks ahead of lines, other routers."""

import json
from collections.abc import Callable

import pytest

from advisor import api
from advisor.shows.redact import redact_text

POLICY = """\
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 128
 class class-default
  fair-queue
interface Serial0/0/0
 bandwidth 512
 encapsulation ppp
 tx-ring-limit 30
 service-policy output WAN
end
"""
NAMED = f"hostname r9\nversion 12.4\n{POLICY}"
OTHER = "hostname r8\nversion 12.4\ninterface FastEthernet0/0\n ip address 192.0.2.1 255.255.255.0\nend\n"
SHORT = "r1#show running-config\nhostname r1\ninterface FastEthernet0/0\nend\n"
SHOWN = """\
 Serial0/0/0
  Service-policy output: WAN
    Class-map: class-default (match-any)
      9 packets, 900 bytes
      Match: any
"""
DROPS = """\
 Serial0/0/0
  Service-policy output: WAN
    Class-map: VOICE (match-any)
      1000 packets, 64000 bytes
      5 minute offered rate 90000 bps, drop rate 9000 bps
      Match: ip dscp ef (46)
      Queueing
        Strict Priority
        Output Queue: Conversation 264
        Bandwidth 128 (kbps) Burst 3200 (Bytes)
        (pkts matched/bytes matched) 1000/64000
        (total drops/bytes drops) 200/12800
    Class-map: class-default (match-any)
      9 packets, 900 bytes
      Match: any
"""
LOAD = "CPU utilization for five seconds: 92%/90%; one minute: 91%; five minutes: 90%\n"
CLOCK = "r1#show clock\n10:11:12.123 CET Tue Mar 5 2024\nr1#\n"
WAN = """\
Serial0/0/0 is up, line protocol is up
  Hardware is GT96K Serial
  MTU 1500 bytes, BW 512 Kbit, DLY 20000 usec,
"""


def lint(text: str) -> api.Report:
    return api.lint(api.of_texts({"x.log": text}))


def by_device(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for finding in lint(text).findings:
        found.setdefault(finding.device, set()).add(finding.rule)
    return found


def marked(mark: str) -> str:
    return "".join(
        mark.format(row) + line for row, line in enumerate(NAMED.splitlines(keepends=True), 1)
    )


@pytest.mark.parametrize(
    "mark",
    [
        pytest.param("r9: ", id="name of the host"),
        pytest.param("10:11:12 ", id="time"),
        pytest.param("Nov 28 10:11:{0:02} ", id="stamp of syslog"),
        pytest.param("+", id="diff"),
        pytest.param("r9 | ", id="column of Ansible"),
        pytest.param("- ", id="list"),
        pytest.param("-  ", id="list of two blanks"),
        pytest.param("\\\\ ", id="comments of a program"),
        pytest.param('r9,{0},"', id="columns with commas"),
        pytest.param("echo '", id="shell"),
    ],
)
@pytest.mark.parametrize(
    "ahead",
    [
        pytest.param(f"{SHORT}r1#exit\n", id="behind a prompt"),
        pytest.param(OTHER, id="behind a configuration"),
    ],
)
def test_configuration_behind_a_mark_is_not_complete_unread(mark: str, ahead: str) -> None:
    assert not lint(ahead + marked(mark)).complete


@pytest.mark.parametrize("mark", ["> ", ">> ", "> > "])
def test_configuration_in_a_quote_behind_a_log_is_read(mark: str) -> None:
    assert "TXR001" in by_device(f"{SHORT}r1#exit\n{marked(mark)}")["r9"]


def rows(pattern: str) -> str:
    return "\n".join(pattern.format(line) for line in NAMED.splitlines())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(rows("<td>1</td><td>{}</td>"), id="cells of a page"),
        *(
            pytest.param(NAMED.replace("\n", joint), id=name)
            for joint, name in (
                ("\\n", "escaped line ends"),
                ("\t", "tabs"),
                ("; ", "semicolons"),
                (" ! ", "comments"),
                ("\v", "vertical tabs"),
                ("\f", "form feeds"),
                ("\x85", "next line"),
                ("\u2028", "line separators"),
            )
        ),
        pytest.param(NAMED.upper(), id="capitals"),
        pytest.param(repr(NAMED.split("\n")), id="list of a program"),
        pytest.param(
            "".join(f"{line:<40}{line}\n" for line in NAMED.split("\n")), id="side by side"
        ),
    ],
)
@pytest.mark.parametrize("ahead", [f"{SHORT}r1#exit\n", OTHER], ids=["prompt", "configuration"])
def test_lines_that_are_wrapped_or_joined_are_not_complete_unread(text: str, ahead: str) -> None:
    assert not lint(f"{ahead}{text}\n").complete


ONE_STRING = json.dumps({"stdout": [f"{NAMED}r9#show users\n"]})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(ONE_STRING, "inside of JSON", id="one string"),
        pytest.param(
            json.dumps({"stdout": [f"{WAN}\n"]}, indent=1) + f"\n{ONE_STRING}",
            "inside of JSON",
            id="an output ahead",
        ),
        pytest.param(
            "<html><body>" + NAMED.replace("\n", "<br/>"), "not told apart", id="page of one line"
        ),
        pytest.param(
            "".join(f"<div>{line}</div>" for line in NAMED.split("\n")), "not told", id="blocks"
        ),
    ],
)
@pytest.mark.parametrize("ahead", ["", OTHER], ids=["alone", "behind a configuration"])
def test_text_inside_of_json_or_a_page_is_no_other_system(text: str, said: str, ahead: str) -> None:
    report = lint(f"{ahead}{text}\n")

    assert any(said in reason for reason in report.incomplete)
    assert not {f.rule for f in report.findings} & {"PRS002", *(("PRS004",) if ahead else ())}
    assert all("another system" not in reason for reason in report.incomplete)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("".join(f" standby {n} priority 105\n" for n in range(9)), id="HSRP"),
        pytest.param(" spanning-tree vlan 1 priority 4096\n" * 2, id="spanning tree"),
        pytest.param("ip nat inside source list 1 interface Dialer1\n" * 2, id="NAT"),
        pytest.param("! policy-map WAN\n! tx-ring-limit 3\n! priority 9\n", id="comments"),
        pytest.param(
            " ip address 192.0.2.1 255.255.255.0 ! policy-map WAN // interface Serial0/0\n",
            id="a note",
        ),
    ],
)
def test_lines_of_ios_hide_nothing(text: str) -> None:
    assert lint(f"hostname r1\ninterface FastEthernet0/0\n{text}end\n").complete


@pytest.mark.parametrize("mark", ["  {0:4}\t", "{0}:"], ids=["cat -n", "grep -n"])
def test_numbered_configuration_below_a_session_is_read(mark: str) -> None:
    text = f"{SHORT}r1#exit\nme@jump:~$ cat\n{marked(mark)}"
    assert "TXR001" in by_device(text)["r9"]


@pytest.mark.parametrize("leaves", ["", "end", "exit", "^Z"])
def test_leaving_configuration_mode_behind_do_show_is_no_configuration(leaves: str) -> None:
    report = lint(
        f"r1(config-if)#do sh policy-map int s0/0/0\n{SHOWN}r1(config-if)#{leaves}\nr1#\n"
    )

    assert report.complete
    assert not report.findings


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            f"        (total queued/total drops/no-buffer drops) 12/4500/0\n{CLOCK}",
            id="head cut inside class-default",
        ),
        pytest.param(
            f"     af21  4/400  9/900  3/300  20  40  1/10\n{CLOCK}", id="head cut in WRED"
        ),
        pytest.param(
            f"  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: 6000\n{CLOCK}",
            id="head cut inside an interface",
        ),
        pytest.param(
            f" TCP 192.0.2.9   CONNECT      1000   900  conf        0   500  3d02h\n{CLOCK}",
            id="head cut inside DLSw peers",
        ),
        pytest.param(f"zation for{LOAD.partition('for')[2]}{CLOCK}", id="head cut inside the load"),
        pytest.param(f"r1#show processes cpu\n{LOAD[:50]}", id="load cut in its line"),
        pytest.param(f"r1#show interfaces\n{WAN}", id="interface cut ahead of its ages"),
        pytest.param(f"r1#show interfaces\n{WAN}r1#\n", id="the same with a prompt below"),
        pytest.param(
            f"r1#show interfaces\n{WAN}     1 packets output, 9 bytes, 0 underruns\n"
            "FastEthernet0/0 is up, line protocol is up\n",
            id="last interface cut behind its name",
        ),
        pytest.param(
            f"r1#show policy-map interface\n{SHOWN}      Queueing\n", id="heading at the end"
        ),
        pytest.param(
            f"r1#show policy-map interface\n{SHOWN}      Queueing\n        Flow Based Fair Queueing\n"
            "        Maximum Number of Hashed Queues 128 \n",
            id="fair queueing cut ahead of its drops",
        ),
        pytest.param(
            f"r1#show policy-map interface\n{SHOWN}      Queueing\n      queue limit 64 packets\n",
            id="queue of HQF cut ahead of its drops",
        ),
        pytest.param(f"{SHORT}r1#show interfaces serial0/0/0\n", id="command at the end"),
        pytest.param("r1#show interfaces serial0/0/0\n", id="command alone"),
    ],
)
def test_log_that_was_cut_is_not_complete(text: str) -> None:
    report = lint(text)

    assert not report.complete
    assert all(finding.rule != "PRS004" for finding in report.findings)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "r1#show derived-config interface Serial0/0/0\nBuilding configuration...\n\n"
            "Derived configuration : 60 bytes\n!\ninterface Serial0/0/0\n tx-ring-limit 40\nend\nr1#\n",
            id="an interface with its templates",
        ),
        pytest.param(
            "r1#show archive config differences nvram:startup-config system:running-config\n"
            "!Contextual Config Diffs:\ninterface Serial0/0/0\n +tx-ring-limit 40\nr1#\n",
            id="differences of two configurations",
        ),
        pytest.param(
            "r1#show platform hardware qfp active statistics drop\n"
            "Global Drop Stats      Packets      Octets\nTailDrop      12345      1234567\nr1#\n",
            id="drops of a processor",
        ),
        pytest.param(
            "r1#show platform hardware qfp active infrastructure bqs queue output default all\n"
            "      tail drops  (bytes): 99999 ,          (packets): 999\nr1#\n",
            id="drops of its queues",
        ),
    ],
)
def test_an_output_without_a_reader_is_not_complete(text: str) -> None:
    assert not lint(text).complete


@pytest.mark.parametrize(
    "prompt",
    [
        "[root@jump ~]# ",
        "joe@mac ~ % ",
        "PS C:\\> ",
        "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT} ",
        "~ > ",
        "jump$ ",
    ],
)
def test_hop_from_any_shell_makes_two_routers_of_one_name(prompt: str) -> None:
    text = (
        f"{prompt}ssh admin@192.0.2.1\nRouter#show running-config\n{NAMED.replace('r9', 'Router')}"
        f"Router#exit\n{prompt}ssh admin@192.0.2.2\nRouter#show processes cpu\n{LOAD}Router#\n"
    )
    assert {"Router", "Router@192.0.2.2"} == {coverage.device for coverage in lint(text).coverage}


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(
            "[V200R003C01SPC900]\n#\n sysname h1\n#\ninterface Serial1/0/0\n", id="Huawei"
        ),
        pytest.param("# TiMOS-C-14.0.R4 cpm/hops64\nconfigure\n    system\n", id="Nokia"),
        pytest.param("; J9773A Configuration Editor\nhostname sw1\nvlan 1\n", id="ProCurve"),
        pytest.param("; TELDAT Router, 1 8 Version 10.09\n log-command-errors\n", id="Teldat"),
        pytest.param(
            "! model: USG60\n!\ninterface wan1\n upstream 512\nbwm activate\n", id="Zyxel"
        ),
        pytest.param(
            '! ADTRAN, Inc. OS version R11\nhostname "a1"\nqos map WAN 10\n  priority 128\n',
            id="Adtran",
        ),
        pytest.param("! Version 9.14(2.1)\nhostname d1\npolicy-map-output WAN\n", id="Dell"),
        pytest.param(
            "interfaces {\n    ethernet eth0 {\n        address 192.0.2.1/24\n    }\n}\n"
            "traffic-policy {\n    shaper WAN {\n    }\n}\n",
            id="VyOS",
        ),
        pytest.param(
            "#config-version=FGT60E-6.0.9\nconfig system global\n    set hostname f1\nend\n"
            "config system interface\n    set vdom root\nend\n",
            id="FortiOS",
        ),
    ],
)
@pytest.mark.parametrize("is_first", [True, False], ids=["ahead", "behind"])
@pytest.mark.parametrize("has_release_first", [True, False], ids=["release first", "name first"])
def test_other_system_in_the_same_file_is_named(
    other: str, *, is_first: bool, has_release_first: bool
) -> None:
    printed = f"version 12.4\nhostname r9\n{POLICY}" if has_release_first else NAMED
    report = lint(other + printed if is_first else printed + other)

    found = {(finding.device, finding.rule) for finding in report.findings}
    assert ("r9", "TXR001") in found
    assert [rule for device, rule in found if device != "r9"] == ["PRS004"]
    assert not report.complete


@pytest.mark.parametrize(
    "text", [NAMED + OTHER, OTHER + NAMED], ids=["judged first", "judged last"]
)
@pytest.mark.parametrize("has_end", [True, False], ids=["with end", "without end"])
def test_name_ahead_of_the_release_begins_another_router(text: str, *, has_end: bool) -> None:
    found = by_device(text if has_end else text.replace("end\n", ""))

    assert "TXR001" in found["r9"]
    assert "r8" not in found


@pytest.mark.parametrize(
    ("text", "is_complete"),
    [
        pytest.param(POLICY + POLICY.replace("128", "256"), False, id="two without a name"),
        pytest.param(f"{SHORT}r1#exit\n$ cat\n{POLICY}", False, id="behind a session"),
        pytest.param(f"{SHORT}r1#exit\nversion 12.4\n{POLICY}", False, id="with its release"),
        pytest.param(f"{OTHER}version 12.4\n{POLICY}", False, id="behind another configuration"),
        pytest.param(f"version 12.4\n{POLICY}{OTHER}", False, id="ahead of another one"),
        pytest.param(f"{OTHER}interface Serial0/0\n bandwidth 9\n", False, id="a part of one"),
        pytest.param(f"{OTHER}logout\nquit\n", True, id="the end of a session"),
    ],
)
def test_configuration_without_a_name_beside_another_is_not_complete(
    text: str, *, is_complete: bool
) -> None:
    assert lint(text).complete is is_complete


@pytest.mark.parametrize(
    "prompt", ["", "[r1]#show processes cpu\n", "r1%CUST#show processes cpu\n"]
)
def test_output_below_one_that_is_not_read_counts(prompt: str) -> None:
    unread = "r1#show ip route\nGateway of last resort is not set\nC 192.0.2.0 is connected\n"
    assert "CPU001" in by_device(f"{SHORT}{unread}{prompt}{LOAD}r1#\n")["r1"]


@pytest.mark.parametrize("line", ["bandwidth 99999999999", "tx-ring-limit 303030"])
def test_number_out_of_range_makes_the_verdict_incomplete(line: str) -> None:
    command = line.split(maxsplit=1)[0]
    number = {"bandwidth": "512", "tx-ring-limit": "30"}[command]
    assert not lint(NAMED.replace(f" {command} {number}\n", f" {line}\n")).complete


@pytest.mark.parametrize(
    "command",
    ["more flash:r1.cfg", "more tftp://192.0.2.1/r1", "copy running-config terminal:",
     "show file flash:r1.cfg"],
)  # fmt: skip
def test_a_configuration_that_was_saved_is_read_where_no_other_is_shown(command: str) -> None:
    text = f"r9#{command}\n{NAMED}r9#\n"
    report = lint(text)

    assert "TXR001" in by_device(text)["r9"]
    assert any("is that of a file" in said for said in report.coverage[0].assumed)
    assert "TXR001" in by_device(redact_text(text, "x.log"))["r9"]


def test_a_configuration_that_was_saved_stands_behind_the_one_that_runs() -> None:
    assert not by_device(f"{SHORT}r1#more flash:old.cfg\n{NAMED}r1#\n").keys() & {"r9"}


@pytest.mark.parametrize("command", ["ping 192.0.2.1", "show ip route", "dir flash:", "sh confg"])
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param(NAMED, "TXR001", id="a configuration"),
        pytest.param(DROPS, "LLQ007", id="counters"),
    ],
)
def test_what_lost_its_prompt_reads_the_same_behind_the_mask(
    command: str, text: str, rule: str
) -> None:
    log = f"r9#{command}\nType escape sequence to abort.\n\n{text}r9#\n"

    assert rule in by_device(log)["r9"]
    assert rule in by_device(redact_text(log, "x.log"))["r9"]


TEMPLATE = """\
hostname r9
version 16.9
class-map match-any VOICE
 match dscp ef
policy-map WAN
 class VOICE
  priority 128
template WAN_T
 service-policy output WAN
interface GigabitEthernet0/0/0
 source template WAN_T
end
"""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TEMPLATE, id="the name of a template is masked"),
        pytest.param(NAMED.replace("policy-map", "polcy-map", 1), id="a misspelt policy-map"),
        pytest.param(NAMED.replace("policy-map", "ploicy-map", 1), id="letters changed places"),
    ],
)
def test_a_definition_that_the_mask_may_have_taken_is_not_called_missing(text: str) -> None:
    report = lint(redact_text(text, "x.log"))

    assert not report.complete
    assert not {finding.rule for finding in report.findings} & {"REF001", "REF011"}


@pytest.mark.parametrize(
    "circuit",
    [
        pytest.param(" range pvc 1/40 1/45\n  class-range VC\n", id="range"),
        pytest.param(" bundle B\n  class-bundle VC\n", id="bundle"),
        pytest.param(" bundle B\n  pvc-bundle 1/40\n   class-vc VC\n", id="member of a bundle"),
        pytest.param(" svc S nsap 47.0091.81\n  class-vc VC\n", id="switched circuit"),
        pytest.param(
            " frame-relay vc-bundle B\n  pvc 100\n   class MC\n", id="bundle of Frame Relay"
        ),
    ],
)
@pytest.mark.parametrize("masked", [str, lambda text: redact_text(text, "x.log")])
def test_a_circuit_that_is_not_read_and_gets_a_class_is_not_complete(
    circuit: str, masked: Callable[[str], str]
) -> None:
    head = NAMED.partition("interface")[0]
    text = f"{head}vc-class atm VC\n service-policy output WAN\ninterface ATM0/0\n{circuit}end\n"

    assert not lint(masked(text)).complete


@pytest.mark.parametrize(
    ("policies", "said"),
    [
        pytest.param({"P": "P"}, ["policy-map P holds itself"], id="in itself"),
        pytest.param({"P": "Q", "Q": "P"}, ["P holds", "Q holds"], id="in its child"),
        pytest.param({"P": "Q", "Q": "R", "R": "R"}, ["R holds"], id="below one that does not"),
        pytest.param({"P": "Q", "R": "Q", "Q": "S"}, [], id="a child of two parents"),
    ],
)
def test_a_policy_that_holds_itself_is_not_complete(
    policies: dict[str, str], said: list[str]
) -> None:
    text = "".join(
        f"policy-map {name}\n class class-default\n  shape average 512000\n"
        f"  service-policy {child}\n"
        for name, child in policies.items()
    )
    leaves = "policy-map S\n class class-default\n  fair-queue\n"
    incomplete = lint(f"hostname r9\nversion 15.4\n{leaves}{text}end\n").incomplete

    assert len(incomplete) == len(said)
    assert all(part in each for part, each in zip(said, incomplete, strict=True))
