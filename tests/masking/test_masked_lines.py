"""What stays of a line and what goes, by the table of commands and by the words of IOS."""

import ast
from pathlib import Path

import pytest

from advisor.capture.masking import (
    mask_command,
    mask_line,
    mask_output,
    mask_output_line,
    mask_quoted,
    mask_quoted_line,
)
from advisor.capture.masking.grammar import shown_words

LOGIN = "u:S3cret@192.0.2.1"


@pytest.mark.parametrize(
    "line",
    [
        "interface Serial0/0/0.16 point-to-point",
        "interface GigabitEthernet0/0/1",
        " ip address 192.0.2.1 255.255.255.0 secondary",
        " no ip address",
        " bandwidth remaining percent 40",
        " class class-default fragment BestEffort",
        " class data service-fragment BestEffort",
        "  random-detect dscp 18 30 40 10",
        "  random-detect exponential-weighting-constant 9",
        "  police cir 128000 bc 1500 conform-action set-dscp-transmit af11 exceed-action drop",
        "  shape average 512000 5120 0",
        "  queue-limit 64 packets",
        "  set ip dscp ef",
        " match access-group name VOICE-PORTS",
        " match not protocol rtp audio",
        "class-map match-any SECRET-KEY",
        "policy-map BW-30%",
        " service-policy output P&G_WAN.1",
        "crypto map VPN 10 ipsec-isakmp",
        "crypto ipsec transform-set TS esp-aes 256 esp-sha-hmac",
        " mode transport",
        " set transform-set TS",
        " tunnel protection ipsec profile DMVPN shared",
        "ip nat inside source list 1 interface Serial0/0 overload",
        "track 1 interface Serial0/0 line-protocol",
        " crypto map VPN",
        "map-class frame-relay SHAPE-64",
        "map-class dialer BACKUP",
        "map-class atm PVCS",
        " bundle BRANCH",
        " frame-relay cir 64000",
        " frame-relay interface-dlci 101 ppp Virtual-Template1",
        " pvc branch-7 0/100",
        "  vbr-nrt 512 256 32",
        "  encapsulation aal5mux ppp Virtual-Template1",
        "access-list 101 permit udp 10.0.0.0 0.255.255.255 any range 16384 32767",
        " 10 permit tcp any eq www any established",
        "dlsw remote-peer 0 tcp 192.0.2.2 lf 1500 backup-peer 192.0.2.3 linger 5",
        "dlsw local-peer peer-id 192.0.2.1 keepalive 10 promiscuous",
        "ip sla 1",
        " udp-jitter 192.0.2.9 16384 codec g729a codec-numpackets 1000",
        " type jitter dest-ipaddr 192.0.2.9 dest-port 16384 num-packets 100 interval 20",
        " source-bridge 5 1 100",
        "controller T1 0/0",
        " channel-group 0 timeslots 1-24 speed 64",
        "license udi pid CISCO2911/K9",
        "boot system flash:c2800nm-adventerprisek9-mz.124-15.T9.bin",
        "line vty 0 4",
        "version 15.1",
        "hostname r1",
        "Current configuration : 1234 bytes",
        "INTERFACE Serial0/0",
        "  <output omitted>",
        "! Output suppressed.",
    ],
)
def test_line_that_the_table_knows_stays(line: str) -> None:
    assert mask_line(line) == line


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        pytest.param(
            "neighbor 192.0.2.1 password x",
            "neighbor 192.0.2.1 password <removed>",
            id="the keyword says what was removed",
        ),
        pytest.param("access-list 10 remark x", "access-list 10 remark <removed>", id="a remark"),
        pytest.param(" description to x", " description <removed>", id="a description"),
        pytest.param("username bob privilege 15", "username <removed>", id="a user"),
        pytest.param(
            "snmp-server community 1234 RO",
            "snmp-server community <removed>",
            id="a number is no exception",
        ),
        pytest.param(" bandwidth x", " bandwidth <removed>", id="a word where a number must be"),
        pytest.param(
            "  shape average 2000000 account dot1q aal5 mux-pppoe x",
            "  shape average 2000000 account dot1q aal5 mux-pppoe <removed>",
            id="keywords of overhead accounting",
        ),
        pytest.param(
            "class-map match-any $1$abcd$x",
            "class-map match-any <removed>",
            id="a hash where a name must be",
        ),
        pytest.param("boot system tftp://192.0.2.1/x", "boot system <removed>", id="a URL"),
        pytest.param("ena sec x", "<removed>", id="an abbreviated command"),
        pytest.param("  xyz", "  <removed>", id="no command"),
        pytest.param(
            "class-map match-any A x", "class-map match-any A <removed>", id="a word behind a name"
        ),
        pytest.param(f"policy-map {LOGIN}", "policy-map <removed>", id="a login as a name"),
        pytest.param("! by hand", "! <removed>", id="a comment"),
        pytest.param(
            "! advisor: ignore[TXR001] x",
            "! advisor: ignore[TXR001] <removed>",
            id="a suppression and its reason",
        ),
        pytest.param(
            "! advisor: ignore[TXR001] x until 2001-01-31 y",
            "! advisor: ignore[TXR001] <removed> until 2001-01-31",
            id="a suppression and its last day",
        ),
        pytest.param(
            "! advisor: ignore[TXR001] x until 84736251",
            "! advisor: ignore[TXR001] <removed> until <removed>",
            id="a suppression whose last day is no date",
        ),
        pytest.param(
            "r1(config)#enable secret x",
            "r1(config)#enable secret <removed>",
            id="typed at a prompt",
        ),
        pytest.param("r1(config-if)#!", "r1(config-if)#!", id="a bare mark behind a prompt"),
        pytest.param("r1(config)# ! x", "r1(config)# ! <removed>", id="a comment behind a prompt"),
    ],
)
def test_line_keeps_what_it_is_about(line: str, masked: str) -> None:
    assert mask_line(line) == masked


@pytest.mark.parametrize(
    "line",
    [
        "Serial0/0 is up, line protocol is up",
        "  30 second input rate 6000 bits/sec, 9 packets/sec",
        "    Class-map: KEY-APPS (match-any)",
        "  Service-policy output: PASSWORD-RESETS",
        "        police: cir 8000 bps, bc 1500 bytes",
        '  Last clearing of "show interface" counters 3w2d',
        "Cisco IOS Software, 2800 Software (C2800NM-ADVIPSERVICESK9-M), Version 12.4(15)T9",
        "cisco 7206VXR (NPE400) processor (revision A) with 245760K/16384K bytes of memory.",
        "CPU utilization for five seconds: 20%/10%; one minute: 12%; five minutes: 8%",
        " 1 4000 100 40 0.00% 0.00% 0.00% 0 Any Name of a Process",
        "% Invalid input detected at '^' marker.",
        "Dialer1 is up (spoofing), line protocol is up (spoofing)",
    ],
)
def test_line_that_ios_prints_stays(line: str) -> None:
    assert mask_output(line) == line


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        pytest.param("  Description: to x", "  Description: <removed>", id="a description"),
        pytest.param("Owner: x", "Owner: <removed>", id="an owner"),
        pytest.param("%SYS-5-CONFIG_I: by x", "%SYS-5-CONFIG_I: <removed>", id="a log message"),
        pytest.param(
            "  Key 0x1A2B, sequencing disabled",
            "  Key 0x0, sequencing disabled",
            id="the key of a tunnel, which readers need",
        ),
        pytest.param("  password 1234 is", "  <removed> <removed>", id="behind a password"),
        pytest.param(
            'System image file is "tftp://u:x@h/y"',
            "System image file is <removed>",
            id="a login in a URL",
        ),
    ],
)
def test_line_of_an_output_loses_what_was_typed(line: str, masked: str) -> None:
    assert mask_output(line) == masked


@pytest.mark.parametrize(
    ("command", "masked"),
    [
        pytest.param("show policy-map interface Serial0/0 output class VOICE", None, id="show"),
        pytest.param("sh int gi0/1 | i drops", None, id="a filter"),
        pytest.param(
            "sh int gi0/1 | i tiger", "sh int gi0/1 | i <removed>", id="a filter of a word"
        ),
        pytest.param("show ip sla statistics aggregated 10", None, id="a number"),
        pytest.param("copy tftp://h/x run", "copy <removed>", id="a copy"),
        pytest.param("xyz", "<removed>", id="no command"),
    ],
)
def test_exec_command_keeps_words_of_ios(command: str, masked: str | None) -> None:
    assert mask_command(command) == (masked or command)


def test_a_quoted_line_may_be_of_anything() -> None:
    lines = ["show version", " priority 128", "Serial0/0 is up"]
    assert [mask_quoted_line(line) for line in lines] == lines


@pytest.mark.parametrize(
    ("words", "count"),
    [
        pytest.param("ip address 192.0.2.1", 3, id="all words"),
        pytest.param("ip address xyz", 2, id="a word of no shape"),
        pytest.param("xyz", 0, id="no command"),
        pytest.param("no ip address", 3, id="a negation"),
        pytest.param("", 0, id="no word"),
    ],
)
def test_words_that_may_be_shown_are_counted(words: str, count: int) -> None:
    assert shown_words(words.split()) == count


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        (" ser-pol out EDGE", " ser-pol out EDGE"),
        ("int s0/2", "int s0/2"),
        (" no band", " no band"),
        ("  prio perc 30", "  prio perc 30"),
        ("  frame-r cir 64000", "  frame-r cir 64000"),
        (" desc tiger", " desc <removed>"),
        (" ppp chap pass tiger", " ppp <removed>"),
        (" ip nhrp auth tiger", " ip nhrp auth <removed>"),
        (" mat prot htt url tiger", " mat prot <removed>"),
        (" sh av 512000", " <removed>"),
        (" bandwith 20", " bandwith 20"),
        ("usern bob pass 5", "<removed>"),
    ],
)
def test_an_abbreviated_command_keeps_what_its_full_words_may_show(line: str, masked: str) -> None:
    assert mask_line(line) == masked


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        ("r1(config-if)#!", "r1(config-if)#!"),
        ("r1(config)#! of bob", "r1(config)#! <removed>"),
        ("r1(config)#!secret", "r1(config)#! <removed>"),
    ],
)
def test_a_comment_behind_a_prompt_is_one(line: str, masked: str) -> None:
    assert mask_line(line) == masked


@pytest.mark.parametrize(
    "line",
    [
        "ip hello-interval eigrp 100 5", "ip hold-time eigrp 100 15",
        "ip summary-address eigrp 100 10.1.0.0 255.255.0.0 5", "ip bandwidth-percent eigrp 100 50",
        "no ip split-horizon eigrp 100", "ip rip receive version 1 2", "ip pim dr-priority 10",
        "ip igmp join-group 239.1.1.1", "ip flow monitor M input", "ip inspect FIREWALL out",
        "ip virtual-reassembly max-reassemblies 64", "no ip mask-reply",
        "ip verify unicast source reachable-via rx allow-default", "ip policy route-map PBR",
        "ip accounting output-packets", "ipv6 traffic-filter IN6 in", "zone-member security WAN",
        "ntp broadcast client", "ntp disable", "ip route 0.0.0.0 0.0.0.0 Multilink1 name DEFAULT",
    ],
)  # fmt: skip
def test_a_command_that_moves_to_a_bundle_may_be_shown(line: str) -> None:
    assert mask_quoted_line(f" {line}") == f" {line}"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        pytest.param(
            "0x4D sequence, 0x50 sent sequence",
            "0x4D sequence, 0x50 sent sequence",
            id="counters of known words stay",
        ),
        pytest.param("OutPktDrops: 10", "OutPktDrops: 10", id="a label and its number stay"),
        pytest.param(
            "Fancy new counter 55/77 overflow",
            "<removed> <removed> counter 55/77 <removed>",
            id="the known words of an unknown counter stay",
        ),
        pytest.param("ena sec 0 84736251", "ena <removed>", id="an abbreviated secret goes"),
        pytest.param(
            "counter 5 key 84736251", "<removed>", id="a line with a word of secrets goes"
        ),
        pytest.param("frobnicate with network", "<removed>", id="a line without a number goes"),
    ],
)
def test_unknown_line_of_an_output_shows_its_counters(line: str, shown: str) -> None:
    assert mask_output_line(line) == shown


def test_advice_of_the_checks_shows_its_own_commands() -> None:
    checks = Path(__file__).parents[2] / "advisor" / "lint" / "checks"
    texts = {
        node.value
        for path in checks.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    # docstrings have several lines or end in a full stop; pieces of a text are quoted from both sides
    advice = {text for text in texts if "\n" not in text and not text.endswith(".")}
    whole = {text for text in advice if text.count("`") % 2 == 0 and not text.startswith("`")}
    assert any("`clear ip nat translation *`" in text for text in whole)
    assert {text for text in whole if mask_quoted(text) != text} == set()
