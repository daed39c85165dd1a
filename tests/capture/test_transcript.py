"""What a terminal log adds is taken off before anything is read; lines keep their numbers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import api
from advisor.capture.cuts import read_capture
from advisor.capture.sections import SectionKind
from advisor.capture.transcript import transcript
from tests.support.branch_log import LOG
from tests.support.session_logs import MESSAGES, PAGERS, STAMPS

INTERFACE = "Serial0/0 is up, line protocol is up"
ROW = f"  Description: {'x' * 30} {'y' * 45}"  # longer than a row of a terminal
PEERS = (
    " TCP 192.0.2.50      DISCONN          0         0  conf      0    0   -        -"  # 80 columns
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *((f"{INTERFACE}\n{text}\n  MTU\n", f"{INTERFACE}\n\n  MTU\n") for text in MESSAGES),
        *((f"{stamp}r1#\n{stamp}  MTU\n{stamp}\n", "r1#\n  MTU\n\n") for stamp in STAMPS),
        *((f"{INTERFACE}\n{pager}  MTU\n", f"{INTERFACE}\n  MTU\n") for pager in PAGERS),
        ("10:11:12| r1#\n10:11:12|   MTU\n10:11:12|\n", "r1#\n  MTU\n\n"),
        ("10:11:12|r1#\n10:11:12|  MTU\n", "r1#\n  MTU\n"),
        ("10:11:12|  r1#sh ver\n10:11:12|    MTU\n", "r1#sh ver\n  MTU\n"),
        (f"{STAMPS[0]}r1#sh ver\n  MTU\n  BW\n", "r1#sh ver\n  MTU\n  BW\n"),
        (f"{ROW[:80]}\n{ROW[80:]}\n  MTU\n", f"{ROW}\n\n  MTU\n"),
        (f"{ROW}\n{ROW[:80]}\n  MTU\n", f"{ROW}\n{ROW[:80]}\n  MTU\n"),
        (f"{ROW[:80]}\n{INTERFACE}\n", f"{ROW[:80]}\n{INTERFACE}\n"),
        (f"{PEERS}\nTotal number of peers: 1\n", f"{PEERS}\nTotal number of peers: 1\n"),
        (f"{'=' * 80}\nTotal\n", f"{'=' * 80}\nTotal\n"),
        ("-Traceback= 0x1 0x2\n  MTU\n", "-Traceback= 0x1 0x2\n  MTU\n"),
        ("%SYS-2-MALLOCFAIL: no\n-Traceback= 0x1 0x2\n  MTU\n", "\n\n  MTU\n"),
        ("13:15:22.851 UTC Fri Apr 18 2008\n", "13:15:22.851 UTC Fri Apr 18 2008\n"),
        (f"banner motd ^C\n{MESSAGES[0]}\n^C\nend\n", f"banner motd ^C\n{MESSAGES[0]}\n^C\nend\n"),
        ("% Invalid input detected\n", "% Invalid input detected\n"),
        (" MTU\b\b\bBW 64\n", " BW 64\n"),
    ],
    ids=lambda text: repr(text)[:40],
)
def test_log_is_read_as_the_device_printed_it(text: str, shown: str) -> None:
    assert transcript(text) == shown


def test_the_log_itself_keeps_its_messages() -> None:
    assert transcript(f"{MESSAGES[0]}\n", "show logging") == f"{MESSAGES[0]}\n"


@given(st.lists(st.sampled_from([*MESSAGES, *PAGERS, *STAMPS, ROW[:80], INTERFACE, "\n", "\r\n", "^C",
                                 "banner motd ^C", "r1#sh ver", "\b"])).map("".join) | st.text())  # fmt: skip
def test_lines_keep_their_numbers(text: str) -> None:
    assert transcript(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("heading", "command"),
    [
        ("------------------ show version ------------------", "show version"),
        ("=== show version ===", "show version"),
        ("### sh ver", "show version"),
        ("! show version", "show version"),
        ("!show version", "show version"),
        ("# show version", "show version"),
        ("--- show interfaces Serial0/0 ---", "show interfaces Serial0/0"),
    ],
)
def test_heading_names_the_command_of_what_follows(heading: str, command: str) -> None:
    printed = "Cisco IOS Software, 2800 Software, Version 12.4\n"
    (_, section) = read_capture(f"r1#\n{heading}\n{printed}", "x.log").sections

    assert (section.command, section.output) == (command, printed)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("$policy-map interface Serial0/1/0", "show policy-map interface Serial0/1/0"),
        ("$w policy-map interface Serial0/1/0 out", "show policy-map interface Serial0/1/0 out"),
        ("$ip sla statistics aggregated 5", "show ip sla statistics aggregated 5"),
        ("$rocesses cpu | inc CPU", "show processes cpu | include CPU"),
    ],
)
def test_command_that_scrolled_is_told_by_its_end(typed: str, command: str) -> None:
    (section,) = read_capture(f"r1#{typed}\nanything\n", "x.log").sections

    assert (section.command, section.host, section.kind) == (command, "r1", SectionKind.SHOW)


def test_command_that_scrolled_is_told_by_its_output() -> None:
    (section,) = read_capture(f"r1#$l0/1/0\n{INTERFACE}\n", "x.log").sections

    assert (section.command, section.host) == ("show interfaces", "r1")


def test_command_that_scrolled_and_prints_what_nobody_knows_is_a_section_of_its_own() -> None:
    first, second = read_capture(f"r1#sh int\n{INTERFACE}\nr1#$xyz\nabc\n", "x.log").sections

    assert (first.command, first.output) == ("show interfaces", f"{INTERFACE}\n")
    assert (second.command, second.kind) == ("$xyz", SectionKind.UNKNOWN)
    assert first.gap is None
    assert second.gap is not None
    assert second.gap.detail.startswith("line 3: the start of the command has scrolled away")


def test_configuration_line_that_scrolled_is_said() -> None:
    text = "r1#conf t\nr1(config)#int s0/0\nr1(config-if)#$ption x\nr1(config-if)#end\n"

    (section,) = read_capture(text, "x.log").sections

    assert section.gap is not None
    assert section.gap.detail.startswith("line 3: ")


def test_prompt_that_is_shown_twice_is_one() -> None:
    (section,) = read_capture(f"r1#r1#sh int\n{INTERFACE}\n", "x.log").sections

    assert (section.command, section.host) == ("show interfaces", "r1")


NAMES = """\
class-map match-any REALTIME-VOICE-BEARER-TRAFFIC-EF
 match ip dscp ef
policy-map BRANCH-WAN-EDGE-OUTBOUND-POLICY-1536K
 class REALTIME-VOICE-BEARER-TRAFFIC-EF
  priority 400
interface Serial0/0/0
 service-policy output BRANCH-WAN-EDGE-OUTBOUND-POLICY-1536K
end
"""


@pytest.mark.parametrize("columns", [48, 50, 52, 56, 58])
def test_a_name_that_a_narrow_terminal_broke_is_whole(columns: int) -> None:
    rows = [
        line[at : at + columns]
        for line in NAMES.splitlines()
        for at in range(0, len(line), columns)
    ]
    shown = transcript("\n".join(rows) + "\n").splitlines()
    assert [line for line in shown if line] == NAMES.splitlines()


def test_the_word_below_the_widest_line_is_no_rest_of_a_name_that_occurs_once() -> None:
    text = NAMES.replace("end\n", "6K\nend\n")
    assert transcript(text) == text


LONG = "to the provider, circuit 4711-B, hotline 0800-555-0100, contract 2013-117, room 3, panel A port 24"
LONG_LOG = LOG.replace(" bandwidth 384\n", f" description {LONG}\n bandwidth 384\n").replace(
    "  Internet address", f"  Description: {LONG} by Jo\n  Internet address"
)


def wrapped(text: str, columns: int) -> str:
    return "".join(
        line[start : start + columns] + "\n"
        for line in text.splitlines()
        for start in range(0, max(len(line), 1), columns)
    )


def verdict(text: str) -> tuple[bool, list[tuple[str, str]]]:
    report = api.lint(api.of_texts({"x.log": text}))
    return report.complete, [(finding.rule, finding.object) for finding in report.findings]


@pytest.mark.parametrize("layout", ["{}", "> {}", "    {}", "[10:11:12] {}"])
@pytest.mark.parametrize("columns", [79, 80, 90, 100])
def test_log_of_a_terminal_of_any_width_says_the_same(columns: int, layout: str) -> None:
    lines = (layout.format(line) for line in wrapped(LONG_LOG, columns).splitlines())

    assert verdict("\n".join(lines)) == verdict(LONG_LOG)


@settings(max_examples=25, deadline=None)
@given(columns=st.integers(60, 140), is_dos=st.booleans())
def test_wrapped_log_says_the_same_or_what_it_did_not_read(columns: int, *, is_dos: bool) -> None:
    text = wrapped(LONG_LOG, columns).replace("\n", "\r\n" if is_dos else "\n")
    complete, findings = verdict(text)

    assert (
        not complete
        or [found for found in findings if found[0] != "PRS001"] == verdict(LONG_LOG)[1]
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{INTERFACE} {'x' * 40}\n{INTERFACE} {'y' * 40}\n  MTU\n", id="rows of a list"),
        pytest.param(
            f"ATM2/0 {'1' * 60} ACTIVE\nATM2/0.4 {'2' * 58} ACTIVE\nATM2/0.105 {'3' * 40} IN\n",
            id="a table whose rows end and begin in capitals",
        ),
        pytest.param("".join(f"{row:>12} {row + 7} {'-' * 60}\n" for row in range(9)), id="a table"),
        pytest.param(
            f" description {'a' * 60}\n ip address 192.0.2.1 255.255.255.0\n"
            f" description {'b' * 60}\n ip address 192.0.2.5 255.255.255.0\n", id="commands",
        ),
    ],
)  # fmt: skip
def test_lines_of_one_length_are_not_wrapped(text: str) -> None:
    assert transcript(text) == text
