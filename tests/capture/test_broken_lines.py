"""A line that a message or a terminal broke is whole again; a rest that is left is said."""

import pytest

from advisor.capture.cuts import read_capture
from advisor.capture.sections import SectionKind
from advisor.capture.transcript import transcript

_DOWN = "*Mar  3 10:11:12.123: %LINK-3-UPDOWN: Interface Serial0/1, changed state to down"
_UP = "Mar  3 10:11:12: %LINEPROTO-5-UPDOWN: Line protocol on Serial0/1/0, changed state to up."


def shown(*lines: str) -> list[str]:
    """The lines that say something, without what the log adds."""
    return [line for line in transcript("\n".join(lines)).split("\n") if line.strip()]


@pytest.mark.parametrize(
    ("section", "head", "rest"),
    [
        pytest.param("class-map match-all V", " match ip dscp a", "f41", id="a keyword of letters"),
        pytest.param("policy-map P", "  queue-limit 1", "28", id="a number of a class"),
        pytest.param("policy-map P", "  service-policy KI", "DS", id="a name in capitals"),
        pytest.param("policy-map P", "  bandwidth per", "cent 30", id="a keyword with an argument"),
        pytest.param("policy-map P", "  shape average 20000", "00", id="the figure of a shaper"),
        pytest.param("interface Serial1", " tx-ring-limit 1", "2", id="a ring"),
        pytest.param("interface Serial1", " ip address 10.0.0.1", " 255.255.255.252", id="a mask"),
        pytest.param("interface Serial1", " service-policy output", " WAN", id="a policy"),
        pytest.param("map-class frame-relay M", " frame-relay fragment 64", "0", id="a fragment"),
        pytest.param("ip access-list extended B", " permit tcp any any eq 20", "65", id="a port"),
    ],
)
def test_rest_behind_a_message_goes_back_to_the_line_of_a_section(
    section: str, head: str, rest: str
) -> None:
    assert shown(section, head, _DOWN, rest, "!") == [section, head + rest, "!"]


@pytest.mark.parametrize(
    ("head", "rest"),
    [
        pytest.param("class-map match-", "any V", id="behind a hyphen"),
        pytest.param("ip access-list exten", "ded BULK", id="inside a keyword"),
        pytest.param("access-list 101 permit tcp any any eq 20", "65", id="inside a number"),
        pytest.param("dlsw remote-peer 0 tcp 10.9.0.1", " lf 1500", id="ahead of a blank"),
        pytest.param("policy-map class-", "default", id="ahead of a word that is a command, too"),
    ],
)
@pytest.mark.parametrize("messages", [1, 3])
def test_rest_behind_messages_goes_back_to_a_command(head: str, rest: str, messages: int) -> None:
    assert shown(head, *[_DOWN] * messages, rest, "!") == [head + rest, "!"]


@pytest.mark.parametrize(
    ("head", "row"),
    [
        pytest.param("ip cef", "vpdn-of-somebody enable", id="a command that is not known"),
        pytest.param("ip cef", "line vty 0 4", id="a command that is known"),
        pytest.param("ip access-list extended B", " 10 permit ip any any", id="a numbered entry"),
        pytest.param("interface Serial1", " carrier-thing 10", id="a line of a section"),
        pytest.param(" bandwidth 512", "!", id="a comment"),
        pytest.param("interface Serial1", " !", id="a comment of a section"),
        pytest.param("  pvc create time 1d02h", "DLCI = 102, DLCI USAGE = LOCAL", id="a circuit"),
        pytest.param(
            "  0 carrier transitions", "Serial0/1 is up, line protocol is up", id="a port"
        ),
        pytest.param("   bandwidth 16 kbps", "Port 7", id="a line of an output"),
    ],
)
def test_row_behind_a_message_stays_where_it_begins_a_line(head: str, row: str) -> None:
    assert shown(head, _UP, row) == [head, row]


@pytest.mark.parametrize(
    ("typed", "rest", "command"),
    [
        pytest.param("show ip sla statistics", "", "show ip sla statistics", id="whole"),
        pytest.param("sh proc cpu", "", "show processes cpu", id="in short"),
        pytest.param("show ip sla s", "tatistics", "show ip sla statistics", id="inside a word"),
        pytest.param("sh", "ow ip sla stat", "show ip sla statistics", id="inside the first word"),
        pytest.param("show dlsw", " peers", "show dlsw peers", id="ahead of a word"),
        pytest.param("sh int s0/", "1", "show interfaces s0/1", id="inside an interface"),
    ],
)
def test_typed_command_is_known_that_a_message_is_glued_to(
    typed: str, rest: str, command: str
) -> None:
    text = f"r1#{typed}{_DOWN}\n{rest}\nIPSLAs Latest Operation Statistics\nr1#\n"

    assert read_capture(text, "r1.log").sections[0].command == command


def test_first_line_of_an_output_is_no_rest_of_the_typed_command() -> None:
    text = (
        f"r1#show version{_DOWN}\ncisco 2811 (revision 53.51) with 249856K bytes of memory.\nr1#\n"
    )

    section = read_capture(text, "r1.log").sections[0]

    assert (section.command, section.kind) == ("show version", SectionKind.SHOW)


_CONFIG = """r1#show running-config
version 12.4
hostname r1
!
class-map match-all V
 match ip dscp ef
policy-map CHILD
 class V
  priority 64
policy-map P
 class class-default
  queue-limit 2{break_1}
!
interface Serial0/0
 bandwidth 512
 service-policy output P{break_2}
!
access-list 101 permit tcp any any range 2065{break_3}
end
r1#
"""


@pytest.mark.parametrize(
    ("place", "rest", "line"),
    [
        pytest.param("break_1", "\n56", 13, id="a number below a class"),
        pytest.param("break_2", "\nQOS", 17, id="a name below an interface"),
        pytest.param("break_2", "\nd QOS", 17, id="letters below an interface"),
        pytest.param("break_3", "\n2067", 19, id="a port below an access list"),
        pytest.param("break_3", "\n2067 log-of-all", 19, id="a port and more"),
    ],
)
def test_rest_without_its_line_is_said(place: str, rest: str, line: int) -> None:
    empty = {"break_1": "", "break_2": "", "break_3": ""}
    text = _CONFIG.format(**{**empty, place: rest})

    (gap,) = read_capture(text, "r1.log").gaps

    assert str(gap).startswith(f"show running-config: unreadable, line {line}: the rest of a line")


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("\n some command of ours", id="a command of the section"),
        pytest.param("\n!\nvendor-feature on", id="a command behind a comment"),
        pytest.param("\nline vty 0 4", id="a command that is known"),
    ],
)
def test_command_that_is_not_known_is_no_rest(line: str) -> None:
    text = _CONFIG.format(break_1="", break_2=line, break_3="")

    assert read_capture(text, "r1.log").gaps == ()


_HEAD = " PID Runtime(ms)     Invoked      uSecs   5Sec   1Min   5Min TTY Process"
_FULL = "  91      812312      210021       3867  5.10%  4.90%  3.12%   0 Sixteen Letters"


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        pytest.param(
            [
                _HEAD,
                _FULL,
                " 101     2312312      210021       3867  1.10%  0.90%  0.12%   0 IP Input",
            ],
            len(_FULL),
            id="processes",
        ),
        pytest.param(
            ["a" * 79 + " b", " TCP 10.9.0.1 CONNECT 12 13", "c"], 80, id="no full row ahead of it"
        ),
    ],
)
def test_whole_row_is_not_joined_to_the_one_above(rows: list[str], columns: int) -> None:
    assert transcript("\n".join(rows), columns=columns).split("\n") == rows


@pytest.mark.parametrize(
    "release",
    ["12.4(24)T5", "15.1(4)M12a", "12.2(33)SRE7", "15.5(3)S5"],
)
@pytest.mark.parametrize("kept", range(1, 9))
def test_release_is_whole_wherever_the_terminal_broke_it(release: str, kept: int) -> None:
    head = "Cisco IOS Software, 1841 Software (C1841-ADVENTERPRISEK9-M), Version "
    tail = ", RELEASE SOFTWARE (fc1)"
    broken = f"r1#show version\n{head}{release[:kept]}\n{release[kept:]}{tail}\nr1#\n"

    assert shown(broken)[1] == f"{head}{release}{tail}"


def test_release_that_ends_its_line_is_not_joined() -> None:
    lines = [
        "Cisco IOS XE Software, Version 16.09.04",
        "Cisco IOS Software [Fuji], RELEASE SOFTWARE",
    ]

    assert shown(*lines) == lines


_LAST_CLASS = """ Serial0/0

  Service-policy output: WAN

    Class-map: class-default (match-any)
      9 packets, 900 bytes
      5 minute offered rate 8000 bps, drop rate 0 bps
      Match: any
"""


@pytest.mark.parametrize(
    "behind",
    [
        pytest.param("The drops began on Monday.", id="a sentence"),
        pytest.param("ops@jump:~$ cat core.txt", id="the prompt of a shell"),
        pytest.param("PLAY RECAP *********************", id="the end of a run of Ansible"),
        pytest.param("TASK [show the rest] *****", id="a task of Ansible"),
        pytest.param("===== core =====", id="a line between rules"),
        pytest.param("[10:11, 3.3.2008] Jan: is it the link?", id="the line of a chat"),
    ],
)
@pytest.mark.parametrize("gap", ["", "\n"], ids=["at once", "behind a blank line"])
def test_output_ends_ahead_of_what_no_device_prints(behind: str, gap: str) -> None:
    text = f"r1#show policy-map interface\n{_LAST_CLASS}{gap}{behind}\n"

    first, *others = read_capture(text, "r1.log").sections

    assert (first.command, first.output.strip("\n")) == (
        "show policy-map interface",
        _LAST_CLASS.strip("\n"),
    )
    assert [section.gap for section in others] == [None]


_LONG = " description 10 Mbit/s of the carrier, contract ABC/123, desk +41 44 000"


@pytest.mark.parametrize(
    ("head", "row", "is_rest"),
    [
        pytest.param(_LONG, "00 00, ticket 4711", True, id="the end of a number"),
        pytest.param(_LONG, "see ticket", True, id="words that are no command"),
        pytest.param(_LONG, "!", False, id="a comment"),
        pytest.param(_LONG, " ip address 10.0.0.1 255.0.0.0", False, id="a line of the section"),
        pytest.param(_LONG, "interface Serial1", False, id="a command"),
        pytest.param(" description LAN", "00 00", False, id="a short description"),
    ],
)
def test_long_description_takes_its_rest_back(head: str, row: str, *, is_rest: bool) -> None:
    lines = ["interface Serial0", head, row, " bandwidth 512"]

    assert (shown(*lines)[1] == head + row) is is_rest


def test_row_of_a_table_takes_back_the_sign_of_an_empty_column() -> None:
    row = " TCP 10.9.0.2         DISCONN          0         0  conf      3    0   0        "

    assert transcript(f"{row}\n-\n", columns=80) == f"{row}-\n\n"


def test_short_line_that_announces_the_next_output_is_of_none() -> None:
    cpu = "CPU utilization for five seconds: 9%/1%; one minute: 8%; five minutes: 5%\n"
    text = f"r1#show policy-map interface\n{_LAST_CLASS}\nand the cpu:\n\n{cpu}"

    first, *_, last = read_capture(text, "r1.log").sections

    assert first.output.strip("\n") == _LAST_CLASS.strip("\n")
    assert last.command == "show processes cpu"
