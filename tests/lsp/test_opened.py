"""What an editor is told is what `advisor lint` says, and its edits are those of the proof."""

from pathlib import Path

import pytest

from advisor.api import editor
from advisor.device.sources import source_of
from advisor.ground.faults import Guard
from advisor.ios.edit.apply import apply
from advisor.ios.edit.text_changes import text_changes
from advisor.ios.syntax import physical_lines
from advisor.ios.syntax.reader import parse_config
from advisor.lint.findings import Finding, Verdict
from advisor.lint.run import review

EDGE = Path("fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
CONFIGS = sorted(Path("fixtures/configs").rglob("*.ios"))
FORCE = editor.settings_at("")


def told(verdict: Verdict) -> set[tuple[object, ...]]:
    return {
        (item.rule, item.object, item.message, item.locations, item.severity, item.suppressed)
        for item in verdict.findings
    }


@pytest.mark.slow
@pytest.mark.parametrize("path", CONFIGS[::12], ids=lambda path: path.stem)
def test_an_editor_is_told_what_lint_says(path: Path) -> None:
    source = source_of(str(path), path.read_bytes())
    opened = editor.open_text(str(path), path.read_text("utf-8"), FORCE)
    verdict = review([source], FORCE.rules, FORCE.settings, Guard())
    assert told(opened.judged.verdict) == told(verdict)
    assert opened.faults == ()


def remedied(text: str, rule: str) -> tuple[editor.Opened, Finding]:
    opened = editor.open_text("r1.ios", text, FORCE)
    found = [item for item in opened.findings if item.rule == rule]
    return opened, editor.remedied(opened, found[:1])[0]


def edited(text: str, changes: tuple[editor.TextChange, ...]) -> str:
    rows = physical_lines(text)
    for change in reversed(changes):
        rows[change.first : change.end] = [change.text]
    return "".join(rows)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(EDGE, EDGE.replace("ring-limit 10", "ring-limit 1"), id="in place"),
        pytest.param(
            EDGE.replace("\n", "\r\n"),
            EDGE.replace("ring-limit 10", "ring-limit 1").replace("\n", "\r\n"),
            id="with the line ends of the text",
        ),
    ],
)
def test_the_lines_of_a_remedy_change_the_text(text: str, expected: str) -> None:
    opened, finding = remedied(text, "TXR001")
    assert finding.lines == ("interface Serial0/0/0", " tx-ring-limit 1")
    assert edited(text, editor.changes(opened, finding)) == expected


def test_a_remedy_of_many_lines_makes_the_text_of_its_proof() -> None:
    opened, finding = remedied(EDGE, "LFI001")
    tree = parse_config(EDGE)
    snippet = parse_config("".join(f"{line}\n" for line in finding.lines))
    assert edited(EDGE, editor.changes(opened, finding)) == apply(tree, snippet).tree.text()


def test_a_text_without_a_last_line_end_gets_one_ahead_of_a_new_line() -> None:
    text = "interface Serial0/0\n bandwidth 512"
    before = parse_config(text)
    after = apply(before, parse_config("interface Serial0/0\n tx-ring-limit 1\n")).tree
    changes = text_changes(physical_lines(text), before, after)
    assert changes is not None
    assert edited(text, changes) == after.text()


def test_a_text_with_marks_of_a_paste_is_not_changed() -> None:
    quoted = "".join(f"> {line}\n" for line in EDGE.splitlines())
    opened, finding = remedied(quoted, "TXR001")
    assert finding.lines
    assert editor.changes(opened, finding) == ()


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        pytest.param(" duplex auto\n", "", -1, id="a line ahead of it goes"),
        pytest.param(
            "interface Serial0/0/0\n", "!\n!\ninterface Serial0/0/0\n", 2, id="lines come"
        ),
        pytest.param("line con 0\n", "line con 0\n!\n", 0, id="a line behind it comes"),
    ],
)
def test_until_it_is_solved_a_figure_stays_at_its_line(before: str, after: str, moved: int) -> None:
    opened = editor.open_text("r1.ios", EDGE, FORCE)
    text = EDGE.replace(before, after, 1)
    quick = editor.open_quickly("r1.ios", text, opened)
    (row,) = [item.locations[0].line for item in opened.findings if item.rule == "TXR001"]
    (now,) = [item.locations[0].line for item in quick.findings if item.rule == "TXR001"]
    assert now == row + moved
    assert quick.rows[now - 1] == " tx-ring-limit 10\n"


def test_what_needs_no_solution_is_found_at_once_and_the_rest_is_what_lint_says() -> None:
    opened = editor.open_text("r1.ios", EDGE, FORCE)
    text = EDGE.replace("tx-ring-limit 10", "tx-ring-limit 1").replace("output WAN", "output WAM")
    quick = editor.open_quickly("r1.ios", text, opened)
    assert {"REF001", "TXR001"} <= {item.rule for item in quick.findings}
    whole, fresh = editor.completed(quick), editor.open_text("r1.ios", text, FORCE)
    assert told(whole.judged.verdict) == told(fresh.judged.verdict)
    assert whole.findings == whole.judged.verdict.standing
