"""The action of GitHub: its steps judge, compare, comment once, and fail as they should."""

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.pipelines.runner import ROOT, Action, Place, git, place_in

ACTION: Any = YAML(typ="safe").load(ROOT / "action.yml")
GOOD = (ROOT / "fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
BETTER = GOOD.replace(" tx-ring-limit 10\n", " tx-ring-limit 1\n")
WORSE = GOOD.replace(" tx-ring-limit 10\n", " tx-ring-limit 40\n")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A repository whose main branch has one router."""
    place = place_in(tmp_path)
    (place.folder / "configs").mkdir()
    (place.folder / "configs/r1.ios").write_text(GOOD, encoding="utf-8")
    git(place, "init -q", "add .", "commit -qm first")
    return place


def change(place: Place, text: str) -> str:
    """Commit another state; the revision before it."""
    base = place.bash("git rev-parse HEAD").stdout.strip()
    (place.folder / "configs/r1.ios").write_text(text, encoding="utf-8")
    git(place, "commit -qam second")
    return base


def action(base: str | None = None, **inputs: str) -> Action:
    given = {name: entry["default"] for name, entry in ACTION["inputs"].items()} | inputs
    context = {f"inputs.{name.replace('_', '-')}": value for name, value in given.items()}
    if base is not None:
        context |= {"github.event_name": "pull_request", "github.event.pull_request.base.sha": base}
        context |= {"github.repository": "o/r", "github.event.pull_request.number": "7"}
    return Action(ACTION["runs"]["steps"], context)


def test_findings_fail_a_push_with_their_exit_code(place: Place, tmp_path: Path) -> None:
    code, said = action(paths="configs").run(place, tmp_path / "temp")
    assert code == 1
    assert "::warning " in said
    assert "TXR001" in (tmp_path / "temp/advisor.sarif").read_text("utf-8")


def test_a_milder_run_passes(place: Place, tmp_path: Path) -> None:
    assert action(paths="configs", fail_on="error").run(place, tmp_path / "temp")[0] == 0


def test_a_path_that_is_missing_fails(place: Place, tmp_path: Path) -> None:
    code, said = action(paths="nowhere").run(place, tmp_path / "temp")
    assert code == 2
    assert "nowhere" in said


def test_several_paths_stand_on_lines(place: Place, tmp_path: Path) -> None:
    (place.folder / "more lines").mkdir()
    (place.folder / "more lines/r2.ios").write_text(GOOD, encoding="utf-8")
    action(paths="configs\nmore lines\n").run(place, tmp_path / "temp")
    assert "more%20lines/r2.ios" in (tmp_path / "temp/advisor.sarif").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "code"),
    [pytest.param(BETTER, 0, id="better"), pytest.param(WORSE, 1, id="worse")],
)
def test_in_a_pull_request_the_change_counts(
    place: Place, tmp_path: Path, text: str, code: int
) -> None:
    base = change(place, text)
    place.stand_in("gh")
    assert action(base, paths="configs").run(place, tmp_path / "temp")[0] == code


@pytest.mark.parametrize(
    ("known", "call"),
    [
        pytest.param("", r"--method POST repos/o/r/issues/7/comments ", id="first time"),
        pytest.param("31\n32", r"--method PATCH repos/o/r/issues/comments/31 ", id="again"),
    ],
)
def test_one_comment_is_written_and_then_kept_up_to_date(
    place: Place, tmp_path: Path, known: str, call: str
) -> None:
    base = change(place, BETTER)
    place.stand_in("gh", f'[ "$2" != --paginate ] || printf "%s" "{known}"')
    action(base, paths="configs").run(place, tmp_path / "temp")
    assert re.search(call, place.calls[-1])
    comment = (tmp_path / "temp/comment.md").read_text("utf-8")
    assert comment.startswith("<!-- advisor -->\n")
    assert "TXR001" in comment


def test_a_pull_request_that_may_not_write_passes_and_says_so(place: Place, tmp_path: Path) -> None:
    base = change(place, BETTER)
    place.stand_in("gh", "exit 1")
    code, said = action(base, paths="configs").run(place, tmp_path / "temp")
    assert code == 0
    assert "::warning::advisor may not comment here" in said
    assert "TXR001" in (tmp_path / "temp/summary.md").read_text("utf-8")


def test_of_a_merge_only_the_change_of_the_branch_counts(place: Place, tmp_path: Path) -> None:
    base = place.bash("git rev-parse HEAD").stdout.strip()
    git(place, "checkout -qb branch")
    change(place, BETTER)
    git(place, "checkout -q main")
    (place.folder / "configs/r2.ios").write_text(WORSE.replace("br-lisbon", "br-porto"), "utf-8")
    git(place, "add .", "commit -qm other", "merge -q --no-ff -m merge branch")
    place.stand_in("gh")
    assert action(base, paths="configs").run(place, tmp_path / "temp")[0] == 0


def test_empty_lines_name_no_path(place: Place, tmp_path: Path) -> None:
    assert action(paths="\nconfigs\n\n").run(place, tmp_path / "temp")[0] == 1


def test_no_comment_is_asked_for(place: Place, tmp_path: Path) -> None:
    base = change(place, BETTER)
    action(base, paths="configs", comment="false").run(place, tmp_path / "temp")
    assert not [call for call in place.calls if call.startswith("api ")]


def test_an_input_is_never_a_command(place: Place, tmp_path: Path) -> None:
    action(paths="configs\n$(touch made)`touch made`;touch made").run(place, tmp_path / "temp")
    assert not (place.folder / "made").exists()


def test_scripts_hold_no_expression() -> None:
    assert [step["run"] for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")] == []


def test_code_scanning_can_be_left_out() -> None:
    assert "github/codeql-action/upload-sarif@v3" in action().used()
    assert "github/codeql-action/upload-sarif@v3" not in action(sarif="false").used()
