"""How a comparison with ciscoconfparse2 is shown."""

import json
import sys
from pathlib import Path

import jsonschema
import pytest

from advisor.cli import run
from advisor.device.second_opinion import Difference, Opinion
from advisor.device.second_reasons import Reason
from advisor.ios.syntax.reader import parse_config
from advisor.ios.syntax.tree import Kind
from advisor.report.schema import output_schema
from advisor.report.second_opinion_text import Compared, render_json, render_text

CONFIG = """\
router ospf 1
 network 192.0.2.0 0.0.0.255 area 0
  network 198.51.100.0 0.0.0.255 area 0
username admin password s3nt1nel
banner motd ^C
 closed: s3nt1nel
^C
"""
DIFFERENCES = (
    Difference(Reason.UNEVEN, 3, Kind.COMMAND, 1, 2),
    Difference(Reason.UNEXPLAINED, 4, Kind.COMMAND, None, 3),
    Difference(Reason.BANNER, 6, Kind.OPAQUE, 5, 5),
    Difference(Reason.BANNER, 7, Kind.OPAQUE, 5, 5),
)
EQUAL = Compared("r2", parse_config("hostname r2\n", "r2.cfg"), Opinion(1, 1))
DIFFERENT = Compared("r1", parse_config(CONFIG, "r1.cfg"), Opinion(7, 3, 2, 0, DIFFERENCES))
FAILED = Compared("r3", parse_config("macro name x\n", "r3.cfg"), Opinion(failure="IndexError"))


def shown(*compared: Compared) -> list[str]:
    return render_text(compared).splitlines()


def test_a_difference_shows_where_each_has_the_line() -> None:
    lines = shown(DIFFERENT)
    at = lines.index("    3: network 198.51.100.0 0.0.0.255 area 0")

    assert lines[at + 1] == (
        "      here under line 1, router ospf 1; "
        "ciscoconfparse2: under line 2, network 192.0.2.0 0.0.0.255 area 0"
    )


def test_lines_behind_each_other_are_one_range() -> None:
    assert "  banner: 2 lines, 6-7" in shown(DIFFERENT)


def test_what_has_no_reason_comes_first() -> None:
    reasons = [line for line in shown(DIFFERENT) if line[2:3].isalpha() and ": " in line]

    assert reasons[0] == "  unexplained: 1 line, 4"


def test_a_configuration_without_a_difference_is_only_counted() -> None:
    assert shown(EQUAL) == ["equal in both: 1 of 1 configurations, 1 of 1 lines, 0 of 0 sections"]


def test_the_error_of_a_text_that_is_not_compared_is_named() -> None:
    assert shown(FAILED)[:2] == [
        "r3  (r3.cfg)",
        "  not compared: ciscoconfparse2 fails on this text (IndexError)",
    ]


def test_what_is_not_compared_is_not_counted_as_equal() -> None:
    assert shown(EQUAL, FAILED)[-1].startswith("equal in both: 1 of 2 configurations, 1 of 1 lines")


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_told(reason: Reason) -> None:
    opinion = Opinion(1, 0, differences=(Difference(reason, 1, Kind.COMMAND, None, None),))
    lines = shown(Compared("r1", DIFFERENT.tree, opinion))

    assert len(lines[lines.index(f"  {reason}: 1 line, 1") + 1].split()) > 5


def test_json_has_counts_and_lines_for_every_difference() -> None:
    (config,) = json.loads(render_json([DIFFERENT]))["devices"]

    assert config["reasons"] == {"unexplained": 1, "banner": 2, "uneven indentation": 1}
    assert config["differences"][0] == {
        "reason": "uneven indentation",
        "line": 3,
        "kind": "command",
        "text": "network 198.51.100.0 0.0.0.255 area 0",
        "ours": 1,
        "theirs": 2,
    }


def test_json_is_as_its_schema_says() -> None:
    schema = output_schema("inspect --second-opinion")

    jsonschema.validate(json.loads(render_json([EQUAL, DIFFERENT, FAILED])), schema)


@pytest.mark.parametrize("report", [render_json([DIFFERENT]), "\n".join(shown(DIFFERENT))])
def test_no_secret_is_shown(report: str) -> None:
    assert "s3nt1nel" not in report
    assert "network 198.51.100.0" in report


def test_a_hostile_line_cannot_write_to_the_terminal() -> None:
    tree = parse_config("class-map \x1b[31mred\n", "r1.cfg")
    opinion = Opinion(1, 0, differences=(Difference(Reason.RESIDUE, 1, Kind.COMMAND, None, None),))

    assert "\x1b" not in render_text([Compared("r1\x1b[2J", tree, opinion)])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["r1.cfg"], "pip install 'ios-advisor[ciscoconfparse]'"),
        (["r1.cfg", "--command", "show clock"], "leave out --command"),
        (["shows.txt"], "the input has no configuration of IOS"),
    ],
    ids=["without the extra", "with a show output", "without a configuration"],
)
def test_what_cannot_be_compared_is_wrong_use(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "ciscoconfparse2", None)
    Path("r1.cfg").write_text("hostname r1\n" + CONFIG, encoding="utf-8")
    Path("shows.txt").write_text("r1#show clock\n*10:00:00.000 UTC Mon Mar 1 1993\n", "utf-8")

    assert run(["inspect", *arguments, "--second-opinion"]) == 2
    assert said in capsys.readouterr().err
