"""The text that ciscoconfparse2 is given, and what a check gets without the extra."""

import sys
from pathlib import Path

import pytest

from advisor.checks import as_ciscoconfparse
from advisor.cli import run
from advisor.device.second_parser import MissingExtraError, listed
from advisor.ios.syntax.reader import parse_config
from tests.support.devices import device_of

EXAMPLE = Path(__file__).parents[2] / "docs/examples/ciscoconfparse"
INDENTED = """\
version 15.1
!
interface Serial0/0
   bandwidth 512
   service-policy output WAN
!
end
"""
FLAT = """\
hostname r1
interface Serial0/0
bandwidth 512
interface Serial0/1
bandwidth 256
"""
TYPED = """\
r1#conf t
r1(config)#int s0/0
r1(config-if)#bandw 512
% Invalid input detected
r1(config-if)#end
"""
BANNER = """\
banner motd ^C
interface Serial9/9
 closed to the public
^C
interface Serial0/0
 shutdown
"""
MACRO = """\
macro name PORT
interface Serial9/9
 shutdown
@
hostname r1
"""
CERTIFICATE = """\
crypto pki certificate chain CA
 certificate 01
  30820201 3082016A
  \tquit
hostname r1
"""


@pytest.mark.parametrize(
    ("text", "lines", "numbers"),
    [
        pytest.param(
            INDENTED,
            [
                "version 15.1",
                "!",
                "interface Serial0/0",
                " bandwidth 512",
                " service-policy output WAN",
                "!",
                "end",
            ],
            [1, 2, 3, 4, 5, 6, 7],
            id="every level is indented by one blank",
        ),
        pytest.param(
            FLAT,
            [
                "hostname r1",
                "interface Serial0/0",
                " bandwidth 512",
                "interface Serial0/1",
                " bandwidth 256",
            ],
            [1, 2, 3, 4, 5],
            id="a flat text is nested",
        ),
        pytest.param(
            TYPED,
            ["interface s0/0", "end"],
            [2, 5],
            id="prompts and refused commands are left out, keywords are in full",
        ),
        pytest.param(
            BANNER,
            [
                "banner motd ^C\ninterface Serial9/9\n closed to the public\n^C",
                "interface Serial0/0",
                " shutdown",
            ],
            [1, 5, 6],
            id="a banner is one line",
        ),
        pytest.param(
            MACRO,
            ["macro name PORT", " interface Serial9/9", "  shutdown", "@", "hostname r1"],
            [1, 2, 3, 4, 5],
            id="the body of a macro stands under it",
        ),
        pytest.param(
            CERTIFICATE,
            [
                "crypto pki certificate chain CA",
                " certificate 01\n  30820201 3082016A\n  \tquit",
                "hostname r1",
            ],
            [1, 2, 5],
            id="a certificate is one line",
        ),
        pytest.param(
            "macro name PORT\nshutdown\n",
            ["macro name PORT", " shutdown", "@"],
            [1, 2, 2],
            id="a macro that is cut ends at its last line",
        ),
        pytest.param(
            "banner motd hello\nend\n",
            ["banner motd hello\nh", "end"],
            [1, 2],
            id="a banner without a body takes in no line behind it",
        ),
        pytest.param(
            "hostname r1\r\n\r\ninterface Serial0/0\r\n shutdown\r\n",
            ["hostname r1", "interface Serial0/0", " shutdown"],
            [1, 3, 4],
            id="carriage returns and blank lines are left out",
        ),
    ],
)
def test_a_text_is_listed_as_its_tree_nests_it(
    text: str, lines: list[str], numbers: list[int]
) -> None:
    made = listed(parse_config(text))

    assert (list(made.lines), list(made.numbers)) == (lines, numbers)


def test_the_error_without_the_extra_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ciscoconfparse2", None)

    with pytest.raises(MissingExtraError, match=r"pip install .*\[ciscoconfparse\]"):
        as_ciscoconfparse(device_of(INDENTED))


@pytest.mark.parametrize("command", ["lint r1.cfg --select ACM010", "rules test"])
def test_a_rule_that_asks_for_it_ends_the_run_without_the_extra(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "ciscoconfparse2", None)
    Path("r1.cfg").write_text(INDENTED, "utf-8")

    assert run([*command.split(), "--rules", str(EXAMPLE)]) == 2
    said = capsys.readouterr().err
    assert "is not installed: pip install " in said
    assert "[ciscoconfparse]" in said
