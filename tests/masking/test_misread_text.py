"""Text that is taken for something else, typed in another way, or cut: no secret, nothing lost."""

import pytest

from advisor.capture.cuts import read_capture
from advisor.capture.masking import mask_command, mask_line, mask_output
from advisor.capture.sections import Capture, Gap, GapKind, answer
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.shows.redact import redact_capture, redact_text

NUMBER = "84736251"
VERSION = """\
Cisco IOS Software, 2800 Software (C2800NM-IPBASE-M), Version 12.4(15)T9, RELEASE SOFTWARE (fc1)
r1 uptime is 1 day
"""
CONFIG = f"""\
version 12.4
hostname r1
ena sec 0 {NUMBER}
AREA-PASSWORD {NUMBER}
snmp-server location {NUMBER}
interface Serial0/0
 bandwidth 512
banner motd ^C
 class {NUMBER}
 hostname {NUMBER}
^C
end
"""
INTERFACES = (
    "Serial0/0 is up, line protocol is up\n  MTU 1500 bytes, BW 512 Kbit, DLY 20000 usec,\n"
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("r1.txt", VERSION + CONFIG, id="behind show version"),
        pytest.param("show_version.txt", CONFIG, id="in a file named after a command"),
        pytest.param("r1.txt", "Interface Serial0/0\n" + CONFIG, id="behind a line of controllers"),
        pytest.param(
            "r1.log",
            f"r1#show interfaces\n{INTERFACES}[r1]#show running-config\n{CONFIG}",
            id="behind a prompt that nothing knows",
        ),
    ],
)
def test_configuration_taken_for_an_output_has_the_mask_of_commands(name: str, text: str) -> None:
    clean = redact_text(text, name)
    assert NUMBER not in clean
    assert " bandwidth 512\n" in clean
    assert clean.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "line",
    [
        f"Last reload reason: {NUMBER} alarm",
        f"    alarm {NUMBER}",
        f"  door code {NUMBER}",
        f"ena sec {NUMBER}",
        f'  Match access-group name "{NUMBER}"',
        '  Match: protocol http url "*cisco*"'.replace("cisco", NUMBER),
        NUMBER,
    ],
)
@pytest.mark.parametrize(
    "command",
    ["show version", "show policy-map", "show interfaces", "show clock", "show privilege"],
)
def test_line_that_no_layout_has_goes(line: str, command: str) -> None:
    text = f"r1#{command}\nCurrent privilege level is 7\n{line}\nr1#\n"
    assert NUMBER not in redact_text(text, "r1.log")


@pytest.mark.parametrize(
    ("command", "masked"),
    [
        pytest.param(
            f"show run | include {NUMBER}", "show run | include <removed>", id="a filtered number"
        ),
        pytest.param(
            "show run | include 192.0.2.1", "show run | include <removed>", id="a filtered address"
        ),
        pytest.param("show run | begin class", "show run | begin class", id="a filtered keyword"),
        pytest.param(
            "show interfaces | redirect ftp://bob:x@192.0.2.1/y",
            "show interfaces | redirect <removed>",
            id="a URL",
        ),
        pytest.param(f"clear line {NUMBER}", "clear <removed>", id="a line"),
        pytest.param("clear counters Serial0/0", "clear counters Serial0/0", id="counters"),
        pytest.param(f"cl copy run {NUMBER}", "cl <removed>", id="a command of Kron"),
        pytest.param("terminal length 0", "terminal length 0", id="the length of a screen"),
        pytest.param("conf t", "conf t", id="an abbreviation"),
        pytest.param("wr mem", "wr mem", id="another abbreviation"),
    ],
)
def test_argument_of_a_typed_command_goes_where_it_is_no_keyword(command: str, masked: str) -> None:
    assert mask_command(command) == masked


@pytest.mark.parametrize(
    ("head", "kept"),
    [
        pytest.param("show interfaces Serial0/0\n", None, id="a bare command"),
        pytest.param("show running-config\n", None, id="a bare command of a configuration"),
        pytest.param("r1#\nshow running-config\n", None, id="below a bare prompt"),
        pytest.param(
            "------------------ show running-config ------------------\n", None, id="a heading"
        ),
        pytest.param("3640-hq#show running-config\n", None, id="a name that begins with a digit"),
        pytest.param("r1/admin#show running-config\n", None, id="a name with a slash"),
        pytest.param("HQ:r1#show running-config\n", None, id="a name with a colon"),
        pytest.param("user@r1#show running-config\n", None, id="a name with a user"),
        pytest.param("r1~x+#show running-config\n", None, id="a name with other marks"),
        pytest.param(f"{'r' * 70}#show running-config\n", None, id="a long name"),
        pytest.param("[12:00:01] r1#show running-config\n", None, id="a time ahead"),
        pytest.param("r1(config)#do show running-config\n", None, id="behind `do`"),
        pytest.param(
            "bob:pw@r1#show running-config\n", "removed#show running-config\n", id="a login"
        ),
    ],
)
def test_head_of_an_output_stays_so_that_it_is_read_again(head: str, kept: str | None) -> None:
    text = head + "version 12.4\nhostname r1\ninterface Serial0/0\n bandwidth 512\nend\n"
    clean = redact_text(text, "r1.log")
    assert clean.startswith(kept or head)
    before, after = (read_capture(each, "r1.log").sections for each in (text, clean))
    assert [each.command for each in after] == [each.command for each in before]
    assert [each.kind for each in after] == [each.kind for each in before]


@pytest.mark.parametrize(
    "opening",
    [
        "parameter-map type webauth x\n banner text ^C",
        "ip admission auth-proxy-banner http ^C",
        "ip auth-proxy auth-proxy-banner http ^C",
        'webvpn context x\n login-message "',
        "3640(config)#banner motd ^C",
        "BANNER MOTD ^C",
        "Aaa Authentication Banner ^C",
    ],
)
def test_body_of_a_text_goes_and_is_no_configuration(opening: str) -> None:
    mark = '"' if opening.endswith('"') else "^C"
    text = (
        f"version 12.4\nhostname r1\n{opening}\n class {NUMBER}\nhostname {NUMBER}\n{mark}\nend\n"
    )
    assert NUMBER not in redact_text(text, "r1.cfg")
    hostname = read_facts(parse_config(text, "x")).hostname
    assert hostname is not None
    assert hostname.value == "r1"


@pytest.mark.parametrize(
    "end", [" --More-- ", "--More--", " --More-- \b\b\b\b\b\b\b\b\b        \b\b\b\b\b\b\b\b\br1#\n"]
)
def test_output_that_was_left_at_the_pager_still_says_so(end: str) -> None:
    clean = redact_text(f"r1#show interfaces\n{INTERFACES}{end}", "r1.log")
    assert any(section.gap is not None for section in read_capture(clean, "r1.log").sections)
    assert redact_text(clean, "r1.log") == clean


def test_section_says_its_command_without_what_was_filtered() -> None:
    shown = answer(f"show interfaces | include {NUMBER}", INTERFACES)
    gap = Gap(f"show running-config | include {NUMBER}", GapKind.MISSING)
    clean = redact_capture(Capture("x", (shown,), missing=(gap,)))
    assert NUMBER not in repr(clean)
    assert clean.sections[0].taken_for is shown.taken_for


def test_section_does_not_keep_the_line_that_told_its_kind() -> None:
    capture = read_capture("version 12.4\nhostname r1\ninterface Serial0/0\nend\n", "r1.cfg")
    assert capture.sections[0].identity is not None
    assert redact_capture(capture).sections[0].identity is None


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        pytest.param(f"logging host {NUMBER}", "logging host <removed>", id="no address"),
        pytest.param("logging host 192.0.2.1", "logging host 192.0.2.1", id="an address"),
        pytest.param("logging buffered 4096", "logging buffered 4096", id="a size"),
        pytest.param("class-map match-any A|1", "class-map match-any A|1", id="a bar in a name"),
    ],
)
def test_row_of_the_table_takes_its_shapes_alone(line: str, masked: str) -> None:
    assert mask_line(line) == masked


@pytest.mark.parametrize(
    "line",
    [
        '  Last clearing of "show interface" counters never',
        "'Show queue' not supported with FIFO queueing.",
        "Last reload reason: Reload Command",
    ],
)
def test_words_that_ios_quotes_stay(line: str) -> None:
    assert mask_output(line) == line
