"""What each part of a file was taken for, and how that is known."""

from pathlib import Path

import pytest

from advisor.capture.cuts import read_capture
from advisor.capture.outputs import outputs
from advisor.capture.recognise import command_of_file
from advisor.capture.sections import Origin, Section, SectionKind
from advisor.ios.syntax.detect import Dialect
from advisor.ios.terminal import decode
from tests.support.outside import CORPUS, needs

ROOT = Path(__file__).parents[1]
SHOWS = sorted((ROOT / "fixtures" / "show").rglob("*.txt"))
SHOW = CORPUS / "show"
CPU = "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%\n"
VERSION = "Cisco IOS Software, 2800 Software (C2800NM-ADVIPSERVICESK9-M), Version 12.4(15)T9\n"
RUN = "version 12.4\nhostname a1\ninterface Serial0/1/0\n tx-ring-limit 3\nend\n"


def only(text: str, file: str = "a1.txt") -> Section:
    (section,) = read_capture(text, file).sections
    return section


@pytest.mark.parametrize(
    ("typed", "command", "arguments", "line_filter"),
    [
        ("sh pol int", "show policy-map interface", (), None),
        ("sh pol int s0/1/0 out", "show policy-map interface", ("s0/1/0", "out"), None),
        ("show policy-map EDGE", "show policy-map", ("EDGE",), None),
        ("show policy-map control-plane", "show policy-map control-plane", (), None),
        ("show policy-map type inspect zone-pair", None, (), None),
        ("sh proc cpu | inc CPU", "show processes cpu", (), "include CPU"),
        ("sh proc cpu sorted 5min", "show processes cpu", ("sorted", "5min"), None),
        ("sh proc cpu hist", "show processes cpu history", (), None),
        ("sh proc cpu platform sorted", "show processes cpu platform", ("sorted",), None),
        ("sh proc cpu platform location r0", None, (), None),
        ("sh int random", "show interfaces random-detect", (), None),
        ("sh int s0/1/0", "show interfaces", ("s0/1/0",), None),
        ("show int status", None, (), None),
        ("show int gi1/0/1 coun", None, (), None),
        ("sh run", "show running-config", (), None),
        ("sh ver", "show version", (), None),
        ("sh contr ser 0/0", "show controllers", ("serial", "0/0"), None),
        ("show controllers t1 0/1/0", None, (), None),
        ("sh ip sla stat agg", "show ip sla statistics aggregated", (), None),
        ("sh ip sla stat 5", "show ip sla statistics", ("5",), None),
        ("sh ip sla mon stat", "show ip sla monitor statistics", (), None),
        ("sh rtr oper 5", "show rtr operational-state", ("5",), None),
        ("sh dlsw peer", "show dlsw peers", (), None),
        ("sh dls circ det", "show dlsw circuits", ("detail",), None),
        ("sh dlsw circ hist", None, (), None),
        ("sh dlsw reach", "show dlsw reachability", (), None),
        ("sh queueing int s0/0", "show queueing interface", ("s0/0",), None),
        ("sh queue s0/0", "show queue", ("s0/0",), None),
        ("sh atm pvc 0/100", "show atm pvc", ("0/100",), None),
        ("sh clock", "show clock", (), None),
        ("show ip route", None, (), None),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_typed_command_is_taken_apart(
    typed: str, command: str | None, arguments: tuple[str, ...], line_filter: str | None
) -> None:
    section = only(f"a1#{typed}\nprinted\n")
    assert (section.taken_for, section.arguments) == (command, arguments)
    assert (section.line_filter, section.origin) == (line_filter, Origin.PROMPT)


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("show_processes_cpu.txt", "show processes cpu"),
        ("show_policy-map_interface.txt", "show policy-map interface"),
        ("show_policy-map_interface_Serial0-1-0.txt", "show policy-map interface"),
        ("show policy-map.log", "show policy-map"),
        ("show-ip-sla-statistics-aggregated", "show ip sla statistics aggregated"),
        ("backups/r1/show_dlsw_peers", "show dlsw peers"),
        ("C:\\captures\\r1.show_version.txt", "show version"),
        ("r1-sh-pol-int.txt", "show policy-map interface"),
        ("r1_sh_ver.out", "show version"),
        ("show_running-config", "show running-config"),
        ("show_interfaces_status.txt", None),
        ("show_policy-map_type_inspect.txt", None),
        ("show_ip_route.txt", None),
        ("showroom-router.cfg", None),
        ("r1.cfg", None),
        ("running-config", None),
    ],
)
def test_file_named_after_its_command(file: str, command: str | None) -> None:
    assert command_of_file(file) == command


@pytest.mark.parametrize(
    ("file", "text", "command", "origin"),
    [
        pytest.param("show_dlsw_statistics.txt", "all of them\n", "show dlsw statistics",
                     Origin.FILE_NAME, id="the name decides where the lines say nothing"),
        pytest.param("show_version.txt", CPU, "show processes cpu", Origin.CONTENT,
                     id="the lines decide where they say something else"),
        pytest.param("show_ip_sla_monitor_statistics.txt", "Round trip time (RTT)   Index 1\n",
                     "show ip sla monitor statistics", Origin.FILE_NAME,
                     id="the name decides between outputs that begin alike"),
        pytest.param("show_atm_pvc.txt", "ATM0/0: VCD: 3, VPI: 0, VCI: 100\n", "show atm pvc",
                     Origin.FILE_NAME, id="atm pvc begins as atm vc does"),
        pytest.param("show_ip_route.txt", "Gateway of last resort is not set\n", "show ip route",
                     Origin.FILE_NAME, id="a command that is not read is named too"),
        pytest.param("show_version.txt", "show ip route\nGateway\n", "show ip route",
                     Origin.FIRST_LINE, id="a command on the first line comes before the name"),
        pytest.param("r1.txt", "! saved by hand\n" + CPU, "show processes cpu", Origin.CONTENT,
                     id="comments ahead of an output"),
    ],
)  # fmt: skip
def test_name_and_lines_of_a_file(file: str, text: str, command: str, origin: Origin) -> None:
    section = only(text, file)
    assert (section.command, section.origin, section.kind) == (command, origin, SectionKind.SHOW)


def test_named_configuration_is_one() -> None:
    section = only(RUN, "show_running-config.txt")
    assert (section.taken_for, section.kind) == ("show running-config", SectionKind.CONFIG)


def commands(text: str) -> list[tuple[str | None, int]]:
    return [(each.command, each.first_line) for each in read_capture(text, "a1.txt").sections]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            f"show version\n{VERSION}show processes cpu\n{CPU}",
            [("show version", 1), ("show processes cpu", 3)],
            id="commands without prompts",
        ),
        pytest.param(
            f"------------------ show version ------------------\n{VERSION}\n"
            f"------------------ show ip route ------------------\nGateway\n",
            [("show version", 1), ("show ip route", 4)],
            id="show tech-support",
        ),
        pytest.param(
            f"=== show proc cpu ===\n{CPU}### sh ver ###\n{VERSION}",
            [("show processes cpu", 1), ("show version", 3)],
            id="headings that a script wrote",
        ),
        pytest.param(
            f"a1#show run\n{RUN[:-4]}*** show some respect ***\nend\n",
            [("show running-config", 1)],
            id="a line between stars that is no command",
        ),
        pytest.param(
            f"[2008-04-18 13:15:22] a1#sh ver\n{VERSION}13:15:30: a1#sh proc cpu\n{CPU}",
            [("show version", 1), ("show processes cpu", 3)],
            id="prompts behind a time stamp",
        ),
        pytest.param(
            f"a1#sh ver\n{VERSION} --More-- \b\b\b\b\b\b\b\b\b        \b\b\b\b\b\b\b\b\ba1#sh proc cpu\n{CPU}",
            [("show version", 1), ("show processes cpu", 3)],
            id="a prompt over the pager",
        ),
        pytest.param(
            f"a1#sh ver\n{VERSION} --More-- a1#sh proc cpu\n{CPU}",
            [("show version", 1), ("show processes cpu", 3)],
            id="a prompt behind the pager, its backspaces lost",
        ),
        pytest.param(
            f"a1#conf t\na1(config)#do sh proc cpu\n{CPU}a1(config)#hostname a2\na2(config)#end\n",
            [("configure terminal", 1), ("show processes cpu", 2), ("configure terminal", 4)],
            id="an output in the middle of a configuration session",
        ),
        pytest.param(
            f"! taken by hand\n\na1#sh ver\n{VERSION}", [("show version", 1)],
            id="comments ahead of the first prompt",
        ),
    ],
)  # fmt: skip
def test_file_with_many_outputs(text: str, expected: list[tuple[str, int]]) -> None:
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("printed", "refusal"),
    [
        ("             ^\n% Invalid input detected at '^' marker.\n\n", "% Invalid input detected at '^' marker."),
        ("% Incomplete command.\n", "% Incomplete command."),
        ("Command authorization failed.\n\n", "Command authorization failed."),
        ("", None),
        (VERSION, None),
    ],
)  # fmt: skip
def test_what_ios_printed_instead_of_an_output(printed: str, refusal: str | None) -> None:
    section = only(f"a1>sh dlsw peers\n{printed}")
    assert section.refusal == refusal
    assert (section.taken_for is None) == (printed != VERSION)


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("r1# show version\nCisco Nexus Operating System (NX-OS) Software\n", Dialect.NXOS),
        ("Cisco IOS XR Software, Version 6.1.2[Default]\n", Dialect.IOS_XR),
        ("Cisco Adaptive Security Appliance Software Version 9.1(2)\n", Dialect.ASA),
        ("Arista vEOS\nHardware version:\n", Dialect.EOS),
        ("Hostname: r1\nModel: mx480\nJunos: 18.4R1\n", Dialect.JUNOS),
        (VERSION, None),
        (
            "GigabitEthernet0/0/0/0 is up, line protocol is up\n  Interface state transitions: 3\n",
            Dialect.IOS_XR,
        ),
        (
            "n1# show interface\nEthernet1/1 is up\nadmin state is up, Dedicated Interface\n",
            Dialect.NXOS,
        ),
        (
            "n1# show policy-map interface\n\nGlobal statistics status :   enabled\n",
            Dialect.NXOS,
        ),
        (
            "r1#show cdp neighbors detail\nDevice ID: n1\nCisco Nexus Operating System Software\n",
            None,
        ),
    ],
)
def test_an_output_of_another_system_is_named(text: str, system: Dialect | None) -> None:
    assert only(text).other_system is system


def test_section_says_what_it_was_taken_for() -> None:
    text = f"a1#sh run\n{RUN}a1#sh proc cpu | inc CPU\n{CPU}"
    text += "a1#sh clock\n13:15:22.851 UTC Fri Apr 18 2008\na1#frobnicate\n"
    assert [str(each) for each in read_capture(text, "a1.txt").sections] == [
        "a1.txt:1: configuration of show running-config (typed at a prompt)",
        "a1.txt:7: show processes cpu | include CPU (typed at a prompt)",
        "a1.txt:9: show clock (typed at a prompt), taken 2008-04-18 13:15:22 UTC, clock of the router",
        "a1.txt:11: <removed> (typed at a prompt)",
    ]
    assert str(only("Dear all\n")) == "a1.txt:1: not recognised"
    assert str(only(RUN)) == "a1.txt:1: configuration"


@pytest.mark.parametrize("path", SHOWS, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_output_of_a_fixture_is_known_without_its_prompt(path: Path) -> None:
    sections = read_capture(decode(path.read_bytes())[0], "a1.txt").sections
    assert sections
    for section in sections:
        assert section.taken_for is not None or section.command == "show policy-map type"
        name = f"a1_{(section.taken_for or 'show').replace(' ', '_')}.txt"
        assert only(section.output, name).taken_for is section.taken_for


READ_COMMANDS = {
    "show_interfaces": "show interfaces",
    "show_policy-map": "show policy-map",
    "show_policy-map_interface": "show policy-map interface",
    "show_policy-map_interface_input": "show policy-map interface",
    "show_policy-map_interface_output": "show policy-map interface",
    "show_processes_cpu": "show processes cpu",
    "show_processes_cpu_history": "show processes cpu history",
    "show_processes_cpu_sorted": "show processes cpu",
    "show_processes_cpu_platform": "show processes cpu platform",
    "show_processes_cpu_platform_sorted": "show processes cpu platform",
    "show_version": "show version",
    "show_class-map": "show class-map",
    "show_cdp_neighbors_detail": "show cdp neighbors detail",
    "show_inventory": "show inventory",
    "show_logging": "show logging",
}
OTHER_COMMANDS = ("show_ip_interface", "show_interfaces_status", "show_lldp_neighbors_detail",
                  "show_policy-map_type_inspect_zone-pair",
                  "show_ip_route")  # fmt: skip


@needs(SHOW)
@pytest.mark.parametrize("folder", [*READ_COMMANDS, *OTHER_COMMANDS])
def test_corpus_output_is_known_by_its_lines_alone(folder: str) -> None:
    found = {path.name: read_capture(decode(path.read_bytes())[0], "a1.txt").sections[0].taken_for
             for path in sorted((SHOW / folder).glob("*.txt"))}  # fmt: skip
    assert found == dict.fromkeys(found, READ_COMMANDS.get(folder))


SESSIONS = {
    "oxidized__ios_C9200L-24P-4G_17.09.04a.txt": [
        (None, 1), ("terminal length 0", 5), ("terminal width 0", 7), ("show version", 9),
        ("show vtp status", 95), ("show inventory", 113), ("show running-config", 125)],
    "oxidized__ios_C9800-L-F-K9_17.06.05.txt": [
        ("terminal length 0", 1), ("terminal width 0", 3), ("show version", 5),
        ("show vtp status", 78), ("show inventory", 96), ("show running-config", 123)],
    "oxidized__ios_asr920_16.8.1b.txt": [
        (None, 1), ("terminal length 0", 11), ("terminal width 0", 13), ("show version", 15),
        ("show vtp status", 75), ("show inventory", 81), ("show running-config", 96)],
    # NX-OS, its carriage returns written out as two characters: declined by its configuration,
    # which its own heading `!Command: show running-config` names.
    "oxidized__nxos_C93180YC-FX3J_10.4.5.txt": [(None, 1), ("show running-config", 111)],
    "oxidized__nxos_N5548_7.3.13.txt": [(None, 1)],
    "oxidized__nxos_dummy_no_show_inventory_all.txt": [
        ("show inventory", 1), ("show running-config", 23)],
    # An access point that runs no IOS: known by the name of the file alone.
    "genie__generic_show_version_more_prompt.txt": [("show version", 1)],
    "unicon__ios_ios_mock_data_show_int_e0_0.txt": [("show interfaces", 1)],
    "unicon__iosxe_iosxe_mock_data_cat8k_show_platform.txt": [("show platform", 1)],
    "unicon__iosxe_iosxe_mock_data_ewc_show_interfaces_wired_0.txt": [("show interfaces", 1)],
    "unicon__iosxe_iosxe_mock_data_show_policy-map_interface_tenGigabitEthe.txt": [
        ("show policy-map interface", 1)],
}  # fmt: skip


@needs(SHOW)
def test_every_session_of_the_corpus_is_cut_at_its_prompts() -> None:
    paths = sorted((SHOW / "session_capture").glob("*.txt"))
    found, expected = {}, {}
    for path in paths:
        sections = read_capture(decode(path.read_bytes())[0], path.name).sections
        found[path.name] = [(each.command, each.first_line) for each in sections]
        expected[path.name] = SESSIONS.get(path.name, [("show version", 1)])
    assert len(paths) == 29
    assert found == expected


def test_every_command_is_recognised_by_its_own_name() -> None:
    named = {command: only(f"a1#{command}\nprinted\n").taken_for for command in outputs()}
    assert named == {command: command for command in outputs()}


@pytest.mark.parametrize(
    ("opening", "command"),
    [
        ("Codes: C - connected, S - static, I - IGRP, R - RIP", "show ip route"),
        ("Capability Codes: R - Router, T - Trans Bridge, B - Source Route", "show cdp neighbors"),
        ("Syslog logging: enabled (0 messages dropped)", "show logging"),
        ("Interface    IP-Address   OK? Method Status      Protocol", "show ip interface brief"),
        ("ip prefix-list OUT: 2 entries", "show ip prefix-list"),
        ("Extended IP access list 101", "show access-lists"),
        ("BGP router identifier 192.0.2.1, local AS number 65000", "show ip bgp summary"),
        ("Neighbor ID     Pri   State    Dead Time   Address   Interface", "show ip ospf neighbor"),
        ("Chassis id: 0000.5e00.5301", "show lldp neighbors detail"),
        ('NAME: "2811 chassis", DESCR: "2811 chassis"', "show inventory"),
        ("Device ID: branch7", "show cdp neighbors detail"),
        ("Core 0: CPU utilization for five seconds: 3%; one minute: 3%", "show processes cpu"),
        ("Multilink1, bundle name is branch7", "show ppp multilink"),
        ("interface  dlci  frag-type  frag-size  in-frag  out-frag  dropped-frag",
         "show frame-relay fragment"),
    ],
)  # fmt: skip
def test_an_output_is_named_by_its_first_line(opening: str, command: str) -> None:
    section = only(f"{opening}\nand more\n")
    assert (section.command, section.kind) == (command, SectionKind.SHOW)
