"""Findings that the user accepts: comments, `[[suppress]]` tables, and `advisor suppress`."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from advisor.cli import run

DOCS = (Path(__file__).parents[1] / "docs/suppressions.md").read_text("utf-8")
ROUTER = """\
hostname {name}
interface Serial0/0/0
 bandwidth 512
 service-policy output EDGE
interface Serial0/0/1
 bandwidth 512
 service-policy output CORE
"""
LATER, PAST = "2099-12-31", "2001-01-01"

Said = pytest.CaptureFixture[str]


def shown(name: str) -> str:
    """An example of the page."""
    found = re.search(rf"<!-- {name} -->\n(.*?)\n?<!-- end -->", DOCS, re.DOTALL)
    assert found is not None
    return "".join(f"{line.removeprefix('    ')}\n" for line in found[1].splitlines())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "r1.cfg", ROUTER.format(name="r1"))
    return tmp_path


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def table(**keys: str) -> str:
    lines = {"rule": "REF001", "reason": "planned"} | keys
    return "[[suppress]]\n" + "".join(
        f"{key} = {text if key == 'until' else repr(text)}\n" for key, text in lines.items()
    )


def report(capsys: Said, *arguments: str, code: int) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["lint", "--format", "json", "--ignore", "LLQ,CBW,QLM", *arguments]) == code
    decoded: dict[str, Any] = msgspec.json.decode(capsys.readouterr().out)
    return decoded


def findings(told: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    """Rule, object, and who suppresses it."""
    return [
        (each["rule"], each["object"], each["suppressed"] and each["suppressed"]["by"])
        for each in told["findings"]
        if each["rule"] in {"REF001", "SUP001", "SUP002"}
    ]


FIRST, SECOND = "interface Serial0/0/0", "interface Serial0/0/1"


@pytest.mark.parametrize(
    ("settings", "expected", "code"),
    [
        pytest.param(table(), {FIRST, SECOND}, 0, id="everything of a rule"),
        pytest.param(table(rule="undefined-policy-map"), {FIRST, SECOND}, 0, id="by name"),
        pytest.param(table(object=FIRST), {FIRST}, 1, id="an object"),
        pytest.param(table(object="INTERFACE serial*"), {FIRST, SECOND}, 0, id="globs, any case"),
        pytest.param(table(device="r*"), {FIRST, SECOND}, 0, id="a device"),
        pytest.param(table(device="x*"), set(), 1, id="another device"),
        pytest.param(table(until=LATER), {FIRST, SECOND}, 0, id="until a day to come"),
        pytest.param(table(until=PAST), set(), 1, id="until a day that has passed"),
    ],
)
def test_a_table_accepts_findings(
    here: Path, capsys: Said, settings: str, expected: set[str], code: int
) -> None:
    write(here / "advisor.toml", settings)
    told = report(capsys, "r1.cfg", code=code)
    assert {path for rule, path, by in findings(told) if rule == "REF001" and by} == expected
    assert told["summary"]["suppressed"] == len(expected)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param(table(), [], id="needed"),
        pytest.param(table(object="interface Serial9"), ["SUP001"], id="nothing there"),
        pytest.param(table(rule="TXR001"), ["SUP001"], id="nothing of the rule"),
        pytest.param(table(device="x*", rule="TXR001"), [], id="its device is not in the run"),
        pytest.param(table(until=PAST), ["SUP002"], id="expired"),
        pytest.param(
            "[[suppress]]\nrule = ['REF001', 'TXR001']\nreason = 'x'\n", ["SUP001"],
            id="one of its rules",
        ),
    ],
)  # fmt: skip
def test_a_table_without_effect_is_a_finding(
    here: Path, capsys: Said, settings: str, expected: list[str]
) -> None:
    write(here / "advisor.toml", settings)
    assert run(["lint", "r1.cfg", "--format", "json"]) in (0, 1)
    told = msgspec.json.decode(capsys.readouterr().out)
    assert [rule for rule, _, _ in findings(told) if rule.startswith("SUP")] == expected


def test_a_table_of_several_devices_is_used_by_one_of_them(here: Path, capsys: Said) -> None:
    write(here / "r2.cfg", "hostname r2\n")
    write(here / "advisor.toml", table())
    rules = [rule for rule, _, _ in findings(report(capsys, "r1.cfg", "r2.cfg", code=0))]
    assert rules == ["REF001", "REF001"]


def test_rules_that_are_not_asked_for_leave_their_suppressions_alone(
    here: Path, capsys: Said
) -> None:
    write(here / "advisor.toml", table(rule="TXR001"))
    assert run(["lint", "r1.cfg", "--select", "REF,SUP", "--format", "concise"]) == 1
    assert "SUP001" not in capsys.readouterr().out


def test_a_rule_that_was_not_judged_says_nothing_of_its_suppression(
    here: Path, capsys: Said
) -> None:
    write(here / "r1.cfg", ROUTER.format(name="r1").replace(" bandwidth 512\n", ""))
    write(here / "advisor.toml", table(rule="TXR001"))
    told = report(capsys, "r1.cfg", code=1)
    assert any(skip["rule"] == "TXR001" for skip in told["skipped"]) == (
        "SUP001" not in {rule for rule, _, _ in findings(told)}
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        pytest.param(
            table(rule="REF099"), "advisor.toml:1: [[suppress]] rule: no rule 'REF099'",
            id="no such rule",
        ),
        pytest.param(
            "[[suppress]]\nrule = 'REF001'\n", "advisor.toml:1: [[suppress]] reason is missing",
            id="no reason",
        ),
        pytest.param(
            table(reason=" "), "advisor.toml:3: [[suppress]] reason: say why", id="blank reason"
        ),
        pytest.param(
            table(reason="say why"), "advisor.toml:3: [[suppress]] reason: say why",
            id="the words that stand for a reason",
        ),
        pytest.param(
            table() + "until = 'soon'\n", "until: expected a date, like 2027-01-31", id="no date"
        ),
        pytest.param(table(interface="x"), "unknown key interface", id="no such key"),
    ],
)  # fmt: skip
def test_a_wrong_table_is_wrong_use(here: Path, capsys: Said, settings: str, message: str) -> None:
    write(here / "advisor.toml", settings)
    assert run(["lint", "r1.cfg"]) == 2
    assert message in capsys.readouterr().err


def test_a_comment_accepts_findings_and_a_flag_reports_them(here: Path, capsys: Said) -> None:
    text = ROUTER.format(name="r1").replace(FIRST, f"! advisor: ignore[REF001] planned\n{FIRST}")
    write(here / "r1.cfg", text)
    accepted = [(path, by) for _, path, by in findings(report(capsys, "r1.cfg", code=1))]
    assert accepted == [(FIRST, "r1.cfg:2"), (SECOND, None)]
    reported = [by for _, _, by in findings(report(capsys, "r1.cfg", "--no-suppress", code=1))]
    assert reported == [None, None]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        pytest.param("ignore[TXR001]", "SUP001", id="nothing is found there"),
        pytest.param("ignore[REF001,TXR001]", "SUP001", id="one of its rules"),
        pytest.param("ignore[XYZ001]", "SUP001", id="no such rule"),
        pytest.param("ignore TXR001", "SUP001", id="not understood"),
        pytest.param(f"ignore[REF001] until {PAST}", "SUP002", id="expired"),
    ],
)
def test_a_comment_without_effect_is_a_finding_at_its_line(
    here: Path, capsys: Said, comment: str, expected: str
) -> None:
    text = ROUTER.format(name="r1").replace(FIRST, f"! advisor: {comment}\n{FIRST}")
    write(here / "r1.cfg", text)
    told = report(capsys, "r1.cfg", code=1)
    about = [each for each in told["findings"] if each["rule"].startswith("SUP")]
    assert [(each["rule"], each["locations"][0]["line"]) for each in about] == [(expected, 2)]


def test_a_finding_that_says_incomplete_is_still_incomplete(here: Path, capsys: Said) -> None:
    write(here / "r1.cfg", "version 12.4\nhostname r1\n")
    write(here / "advisor.toml", table(rule="PRS002"))
    report(capsys, "r1.cfg", code=3)


def test_no_plan_cures_what_is_accepted(here: Path, capsys: Said) -> None:
    write(here / "r1.cfg", ROUTER.format(name="r1").replace("bandwidth 512", "tx-ring-limit 9"))
    assert run(["fix", "r1.cfg", "--rule", "REF001"]) == 0
    assert SECOND in capsys.readouterr().out
    write(here / "advisor.toml", table(object=SECOND))
    assert run(["fix", "r1.cfg", "--rule", "REF001"]) == 0
    assert SECOND not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("form", "verbose", "told"),
    [
        pytest.param("full", False, False, id="the report counts them"),
        pytest.param("full", True, True, id="the verbose report names them"),
        pytest.param("concise", False, False, id="a line each is for the others"),
    ],
)
def test_a_report_says_how_many_are_accepted(
    here: Path, capsys: Said, form: str, verbose: bool, told: bool
) -> None:
    write(here / "advisor.toml", table())
    assert run(["lint", "r1.cfg", "--format", form, *["-v"] * verbose]) in (0, 1)
    out, err = capsys.readouterr()
    assert "2 suppressed" in out + err
    assert ("advisor.toml:1: planned" in out) is told


@pytest.mark.usefixtures("here")
def test_the_command_writes_what_then_holds(capsys: Said) -> None:
    words = [
        "suppress",
        "r1.cfg",
        "--rule",
        "REF001",
        "--reason",
        'a "new"\nline',
        "--until",
        LATER,
    ]
    assert run(words) == 0
    assert "2 tables added" in capsys.readouterr().out
    told = report(capsys, "r1.cfg", code=0)
    accepted = [each["suppressed"] for each in told["findings"] if each["rule"] == "REF001"]
    assert {(each["reason"], each["until"]) for each in accepted} == {('a "new" line', LATER)}


@pytest.mark.parametrize(
    ("file", "old"),
    [
        pytest.param("advisor.toml", "", id="empty"),
        pytest.param("advisor.toml", "# ours\n[budgets]\nrtt_ms = 90", id="no line end"),
        pytest.param("pyproject.toml", "[tool.advisor]\nprofile = 'data'\n", id="pyproject"),
    ],
)
def test_the_command_adds_to_the_settings_file(
    here: Path, capsys: Said, file: str, old: str
) -> None:
    write(here / file, old)
    words = ["suppress", "r1.cfg", "--rule", "REF", "--object", FIRST, "--reason", "x"]
    assert run(words) == 0
    assert (here / file).read_text("utf-8").startswith(old)
    told = findings(report(capsys, "r1.cfg", code=1))
    assert [path for _, path, by in told if by] == [FIRST]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(["--rule", "TXR001", "--reason", "x"], "no finding of TXR001", id="nothing"),
        pytest.param(["--rule", "REF001", "--reason", " "], "--reason", id="no reason"),
        pytest.param(
            ["--rule", "REF001", "--reason", "x", "--until", "soon"], "--until", id="no date"
        ),
        pytest.param(
            ["--rule", "REF001", "--reason", "x", "--until", PAST], "has passed", id="too late"
        ),
        pytest.param(["--rule", "REF099", "--reason", "x"], "no rule 'REF099'", id="no rule"),
    ],
)
def test_the_command_refuses_what_it_cannot_write(
    here: Path, capsys: Said, words: list[str], message: str
) -> None:
    assert run(["suppress", "r1.cfg", *words]) == 2
    assert message in capsys.readouterr().err
    assert not (here / "advisor.toml").exists()


def test_the_command_leaves_a_file_that_cannot_take_tables(here: Path, capsys: Said) -> None:
    old = "suppress = []\n"
    write(here / "advisor.toml", old)
    assert run(["suppress", "r1.cfg", "--rule", "REF001", "--reason", "x"]) == 2
    assert "advisor.toml" in capsys.readouterr().err
    assert (here / "advisor.toml").read_text("utf-8") == old


def test_the_page_shows_what_holds(here: Path, capsys: Said) -> None:
    write(here / "r1.cfg", shown("config"))
    told = findings(report(capsys, "r1.cfg", code=0))
    assert [by for _, _, by in told] == ["r1.cfg:6", "r1.cfg:12"]
    write(here / "r1.cfg", ROUTER.format(name="br-1"))
    write(here / "advisor.toml", shown("settings"))
    assert "SUP001" in {rule for rule, _, _ in findings(report(capsys, "r1.cfg", code=1))}
    (here / "advisor.toml").unlink()
    (command,) = shown("command").splitlines()
    program, *words = re.findall(r'"([^"]*)"|(\S+)', command)
    assert program[1] == "advisor"
    assert run([quoted or plain for quoted, plain in words]) == 0
    report(capsys, "r1.cfg", code=0)
