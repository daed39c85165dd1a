"""Text to tree: what nests under what, and what each line is."""

from collections.abc import Callable

import pytest

from advisor.ios.syntax import Line, LineKind, ProblemKind
from advisor.ios.syntax.reader import parse_config

Outline = Callable[[str], list[str]]


def every(text: str) -> list[Line]:
    return list(parse_config(text).walk())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "policy-map P\n class A\n  priority 64\n class B\n  fair-queue\nend\n",
            ["policy-map P", " class A", "  priority 64", " class B", "  fair-queue", "end"],
            id="a line stands under the nearest line further left",
        ),
        pytest.param(
            "interface A0\n   mtu 1500\n  shutdown\n mtu 4470\ninterface B0\n",
            ["interface A0", " mtu 1500", " shutdown", " mtu 4470", "interface B0"],
            id="uneven indentation leaves siblings siblings",
        ),
        pytest.param(
            "interface A0\n ip address 10.0.0.1 255.0.0.0\n  service-policy output P\n",
            ["interface A0", " ip address 10.0.0.1 255.0.0.0", " service-policy output P"],
            id="a line indented below one that opens no mode is its sibling",
        ),
        pytest.param(
            "parser view V\n commands exec include\n  all show\n",
            ["parser view V", " commands exec include", "  all show"],
            id="where the mode is unknown the indentation holds",
        ),
        pytest.param(
            "policy-map P\n\tclass A\n\t\tpriority 64\n\tclass B\n",
            ["policy-map P", " class A", "  priority 64", " class B"],
            id="tabs indent",
        ),
        pytest.param(
            "policy-map P\n        class A\n\t priority 64\n",
            ["policy-map P", " class A", "  priority 64"],
            id="a tab reaches to the eighth column",
        ),
        pytest.param(
            "  interface A0\n   mtu 1500\n  interface B0\n   mtu 1600\n",
            ["interface A0", " mtu 1500", "interface B0", " mtu 1600"],
            id="a whole text may be indented",
        ),
        pytest.param(
            "interface A0\r\n mtu 1500\r\n",
            ["interface A0", " mtu 1500"],
            id="carriage returns before line feeds are no text",
        ),
        pytest.param(
            "interface A0 \n mtu 1500  \t\n",
            ["interface A0", " mtu 1500"],
            id="trailing blanks are no text",
        ),
        pytest.param(
            "interface A0\n mtu 1500\ninterface A0\n mtu 1500\n mtu 1500\n",
            ["interface A0", " mtu 1500", "interface A0", " mtu 1500", " mtu 1500"],
            id="what is there twice is in the tree twice",
        ),
        pytest.param(
            "interface A0\n mtu 1500\n!\n bandwidth 64\n",
            ["interface A0", " mtu 1500", " bandwidth 64"],
            id="a separator in the first column does not end an indented block",
        ),
        pytest.param(
            "hostname R1\ninterface A0\n mtu 1500\nswitchport mode access\n",
            ["hostname R1", "interface A0", " mtu 1500", " switchport mode access"],
            id="a line that cannot be global joins the mode before it although it lost its indentation",
        ),
        pytest.param(
            "interface A0\n mtu 1500\nip route 0.0.0.0 0.0.0.0 A0\n",
            ["interface A0", " mtu 1500", "ip route 0.0.0.0 0.0.0.0 A0"],
            id="a line that can be global stays global in an indented text",
        ),
        pytest.param("", [], id="an empty text has no lines"),
        pytest.param("\x0bhostname R1\x0c\n", ["hostname R1"], id="a form feed is a blank"),
        pytest.param("hostname R\x0b1\n", ["hostname R\x0b1"], id="only line feeds end a line"),
        pytest.param("hostname R1", ["hostname R1"], id="the last line needs no line feed"),
    ],
)
def test_nesting_of_an_indented_text(outline: Outline, text: str, expected: list[str]) -> None:
    assert outline(text) == expected


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        pytest.param("!\n", [LineKind.COMMENT], id="a separator is a comment"),
        pytest.param("! LAN\n", [LineKind.COMMENT], id="a remark is a comment"),
        pytest.param("\n  \n", [LineKind.BLANK, LineKind.BLANK], id="blank lines"),
        pytest.param(
            "Building configuration...\n\nCurrent configuration : 90 bytes\n",
            [LineKind.NOISE, LineKind.BLANK, LineKind.NOISE],
            id="what IOS prints ahead of a configuration is noise",
        ),
        pytest.param(
            "Using 1024 out of 29688 bytes\n",
            [LineKind.NOISE],
            id="so is the size of the start-up copy",
        ),
        pytest.param(
            "Load for five secs: 1%/0%; one minute: 2%; five minutes: 2%\n"
            "Time source is NTP, 09:00:00.000 CET Mon Mar 2 2009\n",
            [LineKind.NOISE, LineKind.NOISE],
            id="so is the prompt timestamp",
        ),
        pytest.param(
            "R1#show run\nR1#\n", [LineKind.NOISE, LineKind.NOISE], id="exec prompts are noise"
        ),
        pytest.param("R1>\n", [LineKind.NOISE], id="the user prompt is noise"),
        pytest.param(" --More-- \n", [LineKind.NOISE], id="the pager's prompt alone is noise"),
        pytest.param(
            "*Mar  1 00:01:02.003: %SYS-5-CONFIG_I: Configured from console by vty0\n",
            [LineKind.NOISE],
            id="a log message on the console is noise",
        ),
        pytest.param(
            "R1(config)#hostname R2\n", [LineKind.COMMAND], id="a typed command is a command"
        ),
        pytest.param(
            "R1(config-if)#\n", [LineKind.NOISE], id="an empty configuration prompt is noise"
        ),
        pytest.param("R1(config)#do show run\n", [LineKind.NOISE], id="`do` configures nothing"),
        pytest.param("R1(config)#! note\n", [LineKind.COMMENT], id="a typed remark is a comment"),
        pytest.param("Device#   PID\n", [LineKind.COMMAND], id="a table head is no prompt"),
        pytest.param(
            "banner motd ^C\nR1#show run\n^C\n",
            [LineKind.OPAQUE],
            id="a prompt in a banner is the banner's",
        ),
    ],
)
def test_kind_of_each_line(text: str, kinds: list[LineKind]) -> None:
    assert [line.kind for line in every(text)] == kinds


@pytest.mark.parametrize(
    ("text", "parents"),
    [
        pytest.param(
            "interface A0\n !\n mtu 1500\n", [None, "interface A0", "interface A0"],
            id="an indented separator belongs to the block",
        ),
        pytest.param(
            "interface A0\n mtu 1500\n !\ninterface B0\n", [None, "interface A0", "interface A0", None],
            id="an indented separator after the last line of a block belongs to it",
        ),
        pytest.param(
            "interface A0\n mtu 1500\n!\ninterface B0\n", [None, "interface A0", None, None],
            id="a separator after a block is outside",
        ),
        pytest.param(
            "interface A0\n\n! x\n mtu 1500\n", [None, *["interface A0"] * 3],
            id="what stands between two lines of a block is inside",
        ),
        pytest.param(
            "policy-map P\n class A\n  ! x\n! y\n  fair-queue\n",
            [None, "policy-map P", "class A", "class A", "class A"],
            id="remarks follow the command after them",
        ),
    ],
)  # fmt: skip
def test_place_of_lines_that_are_no_commands(text: str, parents: list[str | None]) -> None:
    tree = parse_config(text)
    above = {id(child): line.text for line in tree.walk() for child in line.children}
    assert [above.get(id(line)) for line in tree.walk()] == parents


@pytest.mark.parametrize(
    ("text", "is_capture"),
    [
        pytest.param("hostname R1\nend\n", False, id="a bare text is a draft"),
        pytest.param(
            "Building configuration...\nhostname R1\n", True, id="the header proves a device"
        ),
        pytest.param("Current configuration : 12 bytes\n", True, id="so does the size"),
        pytest.param("ntp clock-period 17179869\n", True, id="so does what IOS alone computes"),
        pytest.param(
            "!RANCID-CONTENT-TYPE: cisco\n!\nhostname R1\n", True, id="so does RANCID's header"
        ),
        pytest.param(
            "! Image: Software: C2600-IK9S-M\nhostname R1\n", True, id="so does Oxidized's"
        ),
        pytest.param("R1#show run\nhostname R1\n", True, id="so does a prompt"),
        pytest.param(
            "! Last configuration change at 10:11:20 CET Mon Mar 3 2014 by noc\nhostname R1\n",
            True,
            id="so does the time of the last change",
        ),
        pytest.param(
            "! NVRAM config last updated at 10:11:20 CET Mon Mar 3 2014\nhostname R1\n",
            True,
            id="so does the time of the last save",
        ),
        pytest.param(
            "! No configuration change since last restart\nhostname R1\n",
            True,
            id="so does a configuration without a change",
        ),
        pytest.param(
            "hostname R1\nboot-start-marker\nboot-end-marker\n",
            False,
            id="templates keep boot markers",
        ),
        pytest.param("! last change by noc\nhostname R1\n", False, id="a note proves nothing"),
        pytest.param("banner motd #\nR1 keeps out\n#\n", False, id="a banner proves nothing"),
    ],
)
def test_capture_or_draft(text: str, is_capture: bool) -> None:
    assert parse_config(text).is_capture is is_capture


WHOLE = "version 12.4\nhostname R1\nend\n"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        pytest.param(WHOLE, [], id="a whole configuration has no problem"),
        pytest.param("hostname R1\n", [], id="a draft needs no end"),
        pytest.param(
            "version 12.4\nhostname R1\n", [(ProblemKind.NO_END, 2)], id="`version` without `end`"
        ),
        pytest.param(
            "hostname R1\n!\nboot-start-marker\nboot-end-marker\n!\ninterface Serial0\n",
            [(ProblemKind.NO_END, 6)],
            id="`hostname` and the marker that a device prints behind it, without `end`",
        ),
        pytest.param(
            "hostname R1\ninterface Serial0\n", [], id="a draft from `hostname` on, without `end`"
        ),
        pytest.param(
            "Current configuration : 60 bytes\nhostname R1\n",
            [(ProblemKind.NO_END, 2)],
            id="a header without `end`",
        ),
        pytest.param(
            f"Current configuration : 900 bytes\n{WHOLE}",
            [(ProblemKind.SHORT, 1)],
            id="far less than declared",
        ),
        pytest.param(
            f"Current configuration : 220 bytes\n{WHOLE}", [], id="200 bytes less is not enough"
        ),
        pytest.param(
            f"Current configuration : 10240 bytes\n{'! 123456789' * 910}\n{WHOLE}",
            [],
            id="nor is less than 5 percent",
        ),
        pytest.param(
            "version 12.4\nbanner motd ^C\nKeep out\n",
            [(ProblemKind.UNTERMINATED, 2)],
            id="cut in a banner, which says why there is no `end`",
        ),
        pytest.param(
            "R1(config-if)#tx-ring-limt 3\n                 ^\n% Invalid input detected at '^' marker.\n",
            [(ProblemKind.REJECTED, 3)],
            id="an error that IOS printed",
        ),
        pytest.param(
            "R1(config)#interface\n% Incomplete command.\n",
            [(ProblemKind.REJECTED, 2)],
            id="an error without marker",
        ),
        pytest.param("% Some notice\n", [], id="not every message is an error"),
        *(
            pytest.param(f"policy-map A\n{mark}\nip cef\n", [(ProblemKind.OMITTED, 2)], id=mark)
            for mark in (
                "<output omitted>", "...", " [snip]", "  (omitted)", "! ---- cut ----", "// cut",
                "!--- Output suppressed.", "[snipped for brevity]", "! Rest of config omitted",
            )
        ),
        *(
            pytest.param(f"policy-map A\n{line}\nip cef\n", [], id=line)
            for line in (
                "! ------", " description ...", " <removed>", "! cut over to the new line", "!",
                " suppressed",
            )
        ),
    ],
)  # fmt: skip
def test_problems_of_the_text(text: str, problems: list[tuple[ProblemKind, int]]) -> None:
    assert [(each.kind, each.number) for each in parse_config(text).problems] == problems


@pytest.mark.parametrize(
    ("text", "rejected"),
    [
        pytest.param(
            "R1(config-if)#tx-ring-limt 3\n      ^\n% Invalid input detected at '^' marker.\n",
            "tx-ring-limt 3",
            id="typed at a prompt",
        ),
        pytest.param(
            "interface\n\n% Incomplete command.\n", "interface", id="pasted without prompt"
        ),
        pytest.param("R1#show runn\n% Invalid input\n", "show runn", id="an exec command"),
        pytest.param(
            "% Invalid input\n", "% Invalid input", id="not in the text: the message itself"
        ),
    ],
)
def test_rejected_command_is_named_and_configures_nothing(text: str, rejected: str) -> None:
    tree = parse_config(text)
    assert [each.detail for each in tree.problems] == [rejected]
    assert not list(tree.commands())


def test_lines_are_numbered_from_the_first_line_given() -> None:
    tree = parse_config("banner motd #\nhi\n#\ninterface A0\n mtu 1500\n", "r1.ios", 11)
    assert [line.number for line in tree.walk()] == [11, 14, 15]
    assert str(tree.at(tree.lines[0])) == "r1.ios:11"
