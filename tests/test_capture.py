"""One file to sections: config and show outputs apart, commands spelled out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.capture.commands import spell_out
from advisor.capture.cuts import read_capture
from advisor.capture.sections import SectionKind

CONFIG, SHOW, UNKNOWN = SectionKind.CONFIG, SectionKind.SHOW, SectionKind.UNKNOWN
RUN = "version 12.4\nhostname a1\ninterface Serial0/1/0\n tx-ring-limit 3\nend\n"
CPU = "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%\n"


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("sh run", "show running-config"),
        ("show run int s0/1/0", "show running-config interface s0/1/0"),
        ("sh proc cpu | inc CPU", "show processes cpu | include CPU"),
        ("show proc cpu sorted 5min | ex 0.00%", "show processes cpu sorted 5min | exclude 0.00%"),
        ("sho proc cpu hist", "show processes cpu history"),
        ("sh policy-map int s0/1/0 output", "show policy-map interface s0/1/0 output"),
        ("sh pol", "show policy-map"),
        ("sh int", "show interfaces"),
        ("SH INT Serial0/0", "show interfaces Serial0/0"),
        ("sh cont ser 0/0", "show controllers serial 0/0"),
        ("sh queueing rand", "show queueing random-detect"),
        ("sh ip sla stat agg", "show ip sla statistics aggregated"),
        ("sh ip sla mon stat 5", "show ip sla monitor statistics 5"),
        ("sh rtr coll", "show rtr collection-statistics"),
        ("sh dls pe", "show dlsw peers"),
        ("sh dlsw cir", "show dlsw circuits"),
        ("sh atm pvc 0/100", "show atm pvc 0/100"),
        ("sh ver", "show version"),
        ("do sh ver", "show version"),
        ("conf t", "configure terminal"),
        ("wr", "write"),
        ("frobnicate all", "frobnicate all"),
        ("", ""),
    ],
    ids=lambda text: text or "nothing",
)
def test_abbreviated_command_is_spelled_out(typed: str, command: str) -> None:
    assert spell_out(typed) == command


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(RUN, [(None, None, 1, CONFIG)], id="a config without prompt"),
        pytest.param(CPU, [("show processes cpu", None, 1, SHOW)], id="an output without prompt"),
        pytest.param("Dear all,\nwhat is this.\n", [(None, None, 1, UNKNOWN)], id="prose"),
        pytest.param("", [(None, None, 1, UNKNOWN)], id="an empty file"),
        pytest.param(
            f"a1#show run\n{RUN}a1#\n", [("show running-config", "a1", 1, CONFIG)],
            id="a prompt after the output is part of it",
        ),
        pytest.param(
            f"\r\na1#sh proc cpu | inc CPU\r\n{CPU}a2#sh ver\nCisco IOS Software\n",
            [("show processes cpu | include CPU", "a1", 1, SHOW), ("show version", "a2", 4, SHOW)],
            id="two outputs of two routers",
        ),
        pytest.param(
            f"{RUN}a1#sh proc cpu\n{CPU}",
            [(None, None, 1, CONFIG), ("show processes cpu", "a1", 6, SHOW)],
            id="an output after a config",
        ),
        pytest.param(
            f"a1>sh proc cpu\n{CPU}a1>sh run\n{RUN}",
            [("show processes cpu", "a1", 1, SHOW), ("show running-config", "a1", 3, CONFIG)],
            id="an output before a config",
        ),
        pytest.param(
            f"a1#\nshow processes cpu\n{CPU}a1#\n", [("show processes cpu", "a1", 1, SHOW)],
            id="the command on the line after the prompt",
        ),
        pytest.param(
            f"show proc cpu\n{CPU}", [("show processes cpu", None, 1, SHOW)],
            id="the command without its prompt",
        ),
        pytest.param(
            "a1#conf t\na1(config)#interface A0\na1(config-if)#mtu 1500\na1(config-if)#end\na1#wr\n",
            [("configure terminal", "a1", 1, CONFIG), ("write", "a1", 5, UNKNOWN)],
            id="a configuration session",
        ),
        pytest.param(
            f"a1#sh runn\n    ^\n% Invalid input detected at '^' marker.\n\na1#sh run\n{RUN}",
            [("show running-config", "a1", 1, UNKNOWN), ("show running-config", "a1", 5, CONFIG)],
            id="a refused command printed no config",
        ),
        pytest.param(
            "a1#sh run | inc tx-ring\n tx-ring-limit 3\n",
            [("show running-config | include tx-ring", "a1", 1, SHOW)],
            id="lines picked out of a config are no config",
        ),
        pytest.param(
            "a1#sh run | sec interface\ninterface A0\n",
            [("show running-config | section interface", "a1", 1, CONFIG)],
            id="sections of a config are",
        ),
        pytest.param(
            "hostname a1\nbanner motd ^C\na1#show version\n^C\nend\n", [(None, None, 1, CONFIG)],
            id="a prompt inside a banner does not cut",
        ),
        pytest.param(
            f"a1#show run\n{RUN}banner motd ^C\nKeep\na1#sh ver\nCisco IOS Software\n",
            [("show running-config", "a1", 1, CONFIG), (None, None, 7, CONFIG),
             ("show version", "a1", 9, SHOW)],
            id="a banner that was cut off, behind the end of a configuration, swallows no command",
        ),
        pytest.param(
            "a1#sh inv\nDevice#   PID\n1   X\n", [("show inventory", "a1", 1, SHOW)],
            id="a table head with # is no prompt",
        ),
        pytest.param(
            "!Command: show running-config\nversion 9.2(3)\nfeature bgp\n", [(None, None, 1, CONFIG)],
            id="another system's config is a config",
        ),
    ],
)  # fmt: skip
def test_sections_of_a_file(
    text: str, expected: list[tuple[str | None, str | None, int, SectionKind]]
) -> None:
    sections = read_capture(text, "a1.txt").sections
    assert [(each.command, each.host, each.first_line, each.kind) for each in sections] == expected


@pytest.mark.parametrize(
    ("opening", "command"),
    [
        ("Serial0/0 is up, line protocol is up", "show interfaces"),
        (" Serial0/1/0\n\n  Service-policy output: EchoPriority", "show policy-map interface"),
        ("ATM5/0.33: VC 0/33 -\n\n  Service-policy output: llq (1071)", "show policy-map interface"),
        ("  Policy Map EchoPriority\n    Class Echo", "show policy-map"),
        ("Cisco Internetwork Operating System Software", "show version"),
        ("IOS (tm) RSP Software (RSP-JSV-M), Version 12.0(5)XE3", "show version"),
        ("Interface Serial0/1/0 queueing strategy: fair", "show queueing interface"),
        ("Current random-detect configuration:", "show queueing random-detect"),
        ("Interface Serial0/1/0\nHardware is PowerQUICC MPC860", "show controllers"),
        ("Interface  VCD  VPI  VCI Type  AAL/Encaps  Peak", "show atm vc"),
        ("ATM4/0: VCD: 8, VPI: 8, VCI: 8", "show atm vc"),
        ("\nRound Trip Time (RTT) for       Index 50000", "show ip sla statistics"),
        ("Round Trip Time (RTT) for Index 1\nStart Time Index: 13:15", "show ip sla statistics aggregated"),
        ("IPSLAs Latest Operation Statistics", "show ip sla statistics"),
        ("Entry number: 1", "show ip sla monitor statistics"),
        ("Peers:                state     pkts_rx", "show dlsw peers"),
        ("Index           local addr(lsap)    remote addr(dsap)", "show dlsw circuits"),
    ],
    ids=lambda text: text.strip(),
)  # fmt: skip
def test_output_is_known_by_its_first_lines(opening: str, command: str) -> None:
    (section,) = read_capture(f"{opening}\n", "a1.txt").sections
    assert (section.command, section.kind) == (command, SHOW)


def test_a_mail_that_encodes_its_text_is_not_cut() -> None:
    mail = (
        "Content-Transfer-Encoding: quoted-printable\n\nR1#show running-config\nversion 15.1\n"
        "hostname R1\nclass-map V=20\nR1#show clock\n"
    )
    (section,) = read_capture(mail, "case.eml").sections

    assert section.identity is not None
    assert section.identity.evidence == "Content-Transfer-Encoding: quoted-printable"


def test_output_is_the_section_without_its_prompt() -> None:
    (section,) = read_capture(f"\na1#\nsh proc cpu\n{CPU}", "a1.txt").sections
    assert section.output == CPU


PIECES = st.sampled_from(["a1#", "a1#sh ver", "a1>sh run", "a1(config)#", "\n", "\r\n", "banner motd #",
                          "#", "^C", "hostname a1", " ", "show version", "% Invalid input", "\b"])  # fmt: skip


@given(st.text() | st.lists(PIECES, max_size=30).map("".join) | st.lists(PIECES).map("\n".join))
def test_sections_together_are_the_file(text: str) -> None:
    sections = read_capture(text, "a1.txt").sections
    assert "".join(each.text for each in sections) == text
    numbers = [each.first_line for each in sections]
    assert numbers == [1 + "".join(each.text for each in sections[:i]).count("\n")
                       for i in range(len(sections))]  # fmt: skip
