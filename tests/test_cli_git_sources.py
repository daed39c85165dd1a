"""Configurations in git or in dated folders: `lint --git` and `trends`."""

import csv
import json
import re
import subprocess
from io import StringIO
from pathlib import Path

import pytest

from advisor.cli import run

GOOD = (Path(__file__).parents[1] / "fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
BETTER = GOOD.replace(" tx-ring-limit 10\n", " tx-ring-limit 1\n")
Said = pytest.CaptureFixture[str]


def git(folder: Path, *words: str, day: str = "2026-01-01") -> None:
    who = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(  # noqa: S603
        ["git", *who, *words],  # noqa: S607
        cwd=folder,
        check=True,
        env={"GIT_COMMITTER_DATE": f"{day}T12:00:00Z", "PATH": "/usr/bin:/bin", "HOME": "/nowhere"},
    )


def commit(folder: Path, text: str, day: str) -> None:
    (folder / "site").mkdir(exist_ok=True)
    (folder / "site/br1").write_text(text, encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "state", day=day)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The repository of a backup tool: bare, its router made better on the third of its days."""
    work = tmp_path / "work"
    work.mkdir()
    git(work, "init", "-q")
    commit(work, GOOD, "2026-01-05")
    commit(work, GOOD + "!\n", "2026-02-05")
    commit(work, "hostname broken\n", "2026-03-05")
    commit(work, BETTER, "2026-03-05")
    git(tmp_path, "clone", "-q", "--bare", "work", "backups.git")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(here: Path, *arguments: str) -> set[str]:
    run(["lint", *arguments, "--format", "json", "--output", "out.json"])
    findings = json.loads((here / "out.json").read_text("utf-8"))["findings"]
    return {finding["rule"] for finding in findings}


@pytest.mark.parametrize("repository", ["backups.git", "work"])
def test_the_newest_state_is_judged(here: Path, repository: str) -> None:
    assert "TXR001" not in found(here, "--git", repository)
    assert "TXR002" in found(here, "--git", repository)


def test_a_revision_is_judged(here: Path) -> None:
    assert "TXR001" in found(here, "--git", "backups.git@main~2", "site")


@pytest.mark.usefixtures("here")
def test_files_have_the_names_of_the_repository(capsys: Said) -> None:
    run(["lint", "--git", "backups.git", "site", "--format", "concise"])
    assert capsys.readouterr().out.startswith("site/br1:")


def test_a_page_has_the_figures_of_the_revision(here: Path) -> None:
    run(["lint", "--git", "backups.git", "--format", "html", "--output", "page.html"])
    assert "br-lisbon" in (here / "page.html").read_text("utf-8")


def test_what_a_repository_names_does_not_run(here: Path) -> None:
    (here / "backups.git/config").write_text('[core]\n\tfsmonitor = "touch made"\n', "utf-8")
    hook = here / "backups.git/hooks/post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch made\n", encoding="utf-8")
    hook.chmod(0o755)
    assert "TXR002" in found(here, "--git", "backups.git")
    assert not list(here.rglob("made"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--git", "none.git"], "none.git: is no folder", id="no folder"),
        pytest.param(["--git", "/"], "is in no work tree of a git repository", id="no repository"),
        pytest.param(["--git", "backups.git@v9"], "no revision 'v9'", id="no revision"),
        pytest.param(["--git", "backups.git", "x"], "x: is not in the repository", id="no path"),
        pytest.param(["--git", "work", "../work"], "begins at the repository's top", id="outside"),
        pytest.param(["--git", "work", "--watch"], "only files and folders", id="watched"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_cannot_be_read_is_wrong_use(capsys: Said, arguments: list[str], said: str) -> None:
    assert run(["lint", *arguments]) == 2
    assert said in capsys.readouterr().err


def rows(capsys: Said, *arguments: str) -> list[dict[str, str]]:
    assert run(["trends", *arguments, "--format", "csv"]) == 0
    return list(csv.DictReader(StringIO(capsys.readouterr().out)))


@pytest.mark.usefixtures("here")
def test_the_last_state_of_each_day_is_a_point(capfd: pytest.CaptureFixture[str]) -> None:
    points = rows(capfd, "--git", "backups.git")
    assert [(point["day"], point["warnings"]) for point in points] == [
        ("2026-01-05", "3"),
        ("2026-02-05", "3"),
        ("2026-03-05", "2"),
    ]
    assert float(points[0]["delay_ms"]) > 4 * float(points[-1]["delay_ms"])
    assert {point["class"] for point in points} == {"VOICE"}


@pytest.mark.usefixtures("here")
def test_the_newest_days_are_shown(capfd: pytest.CaptureFixture[str]) -> None:
    points = rows(capfd, "--git", "backups.git", "--days", "2")
    assert [point["day"] for point in points] == ["2026-02-05", "2026-03-05"]


def test_dated_folders_are_days(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, text in (("2026-01-05", GOOD), ("20260207-night", BETTER), ("notes", GOOD)):
        (here / "days" / name).mkdir(parents=True)
        (here / "days" / name / "br1.cfg").write_text(text, encoding="utf-8")
    assert [point["day"] for point in rows(capfd, "days")] == ["2026-01-05", "2026-02-07"]


@pytest.mark.usefixtures("here")
def test_a_table_says_how_a_device_has_changed(capsys: Said) -> None:
    assert run(["trends", "--git", "backups.git"]) == 0
    head = capsys.readouterr().out.splitlines()[0]
    assert re.match(r"br-lisbon: errors and warnings 3 → 2, delay 1\d\d → 2[\d.]+ ms", head)


@pytest.mark.usefixtures("here")
def test_a_plot_has_a_line_for_each_device(capsys: Said) -> None:
    run(["trends", "--git", "backups.git", "--format", "plot"])
    assert "days since 2026-01-05" in capsys.readouterr().out


def test_a_state_that_is_not_whole_is_marked(here: Path, capsys: Said) -> None:
    commit(here / "work", GOOD.replace("end\n", " <output omitted>\nend\n"), "2026-04-01")
    assert run(["trends", "--git", "work"]) == 3
    assert "2026-04-01 (incomplete)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param([], "takes one folder of folders like", id="nothing"),
        pytest.param(["work"], "holds no folder named by a day", id="no days"),
        pytest.param(["none"], "none: is no folder", id="no folder"),
    ],
)
@pytest.mark.usefixtures("here")
def test_trends_without_days_are_wrong_use(capsys: Said, arguments: list[str], said: str) -> None:
    assert run(["trends", *arguments]) == 2
    assert said in capsys.readouterr().err
