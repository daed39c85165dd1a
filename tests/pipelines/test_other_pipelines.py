"""GitLab, Azure Pipelines, Jenkins and pre-commit: each file's commands run as they stand."""

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.pipelines.runner import ROOT, Place, git, place_in

EXAMPLES = ROOT / "docs/examples/pipelines"
GOOD = (ROOT / "fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
WORSE = GOOD.replace(" tx-ring-limit 10\n", " tx-ring-limit 40\n")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A repository whose second commit makes one router worse."""
    place = place_in(tmp_path)
    (place.folder / "configs").mkdir()
    for text in (GOOD, WORSE):
        (place.folder / "configs/r1.ios").write_text(text, encoding="utf-8")
        git(place, *(() if (place.folder / ".git").exists() else ("init -q",)))
        git(place, "add .", "commit -qm state")
    git(place, "update-ref refs/remotes/origin/main HEAD~1")
    return place


def gitlab_script(**inputs: str) -> str:
    spec, jobs = YAML(typ="safe").load_all(ROOT / "templates/lint/template.yml")
    values = {name: entry["default"] for name, entry in spec["spec"]["inputs"].items()} | inputs
    script = "\n".join(jobs["advisor"]["script"])
    return re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", lambda found: values[found[1]], script)


def test_gitlab_fails_a_branch_with_findings(place: Place) -> None:
    done = place.bash(gitlab_script(paths="configs"))
    assert done.returncode == 1
    assert "TXR001" in (place.folder / "gl-code-quality-report.json").read_text("utf-8")


def test_gitlab_fails_a_merge_request_that_makes_it_worse(place: Place) -> None:
    done = place.bash(gitlab_script(paths="configs"), {"CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD~1"})
    assert done.returncode == 1
    assert "worse" in done.stdout


def test_gitlab_passes_a_merge_request_that_changes_nothing(place: Place) -> None:
    done = place.bash(gitlab_script(paths="configs"), {"CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD"})
    assert done.returncode == 0


def azure_scripts() -> list[str]:
    steps: Any = YAML(typ="safe").load(EXAMPLES / "azure-pipelines.yml")
    variables = steps["variables"] | {"System.PullRequest.TargetBranchName": "main"}
    scripts = [step["script"] for step in steps["steps"] if "script" in step]
    return [
        re.sub(r"\$\(([\w.]+)\)", lambda found: variables[found[1]], script) for script in scripts
    ]


def jenkins_scripts() -> list[str]:
    return re.findall(r"sh '(.*)'", (EXAMPLES / "Jenkinsfile").read_text("utf-8"))


def test_azure_has_an_install_line_a_report_and_a_comparison(place: Place) -> None:
    assert [place.bash(script).returncode for script in azure_scripts()] == [0, 1, 1]  # worse
    assert "<failure" in (place.folder / "advisor.xml").read_text("utf-8")


def test_jenkins_has_reports_and_a_comparison(place: Place) -> None:
    (place.folder / ".venv/bin").mkdir(parents=True)
    (place.folder / ".venv/bin/advisor").symlink_to(Path(sys.executable).with_name("advisor"))
    stated = {"CONFIGS": "configs", "CHANGE_TARGET": "main", "PACKAGE": "ios-advisor"}
    codes = [place.bash(script, stated).returncode for script in jenkins_scripts()[1:]]
    assert codes == [0, 1, 1]
    assert (place.folder / "advisor.html").exists()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="git is missing")
def test_pre_commit_runs_the_hook_of_a_clone(place: Place, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    here = Place(ROOT, place.tools, place.calls_file)
    for name in here.bash("git ls-files").stdout.splitlines():
        if (ROOT / name).is_file():  # of a checkout that is being changed
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
    place_of_clone = Place(clone, place.tools, place.calls_file)
    git(place_of_clone, "init -q", "add .", "commit -qm state")
    for name in ("pip", "python"):  # the hook is installed as it is, in an environment of its own
        (place.tools / name).unlink()
    revision = place_of_clone.bash("git rev-parse HEAD").stdout.strip()
    hook = f"repos:\n- repo: {clone}\n  rev: {revision}\n  hooks:\n  - id: advisor-lint\n"
    (place.folder / ".pre-commit-config.yaml").write_text(hook, encoding="utf-8")

    done = place.bash("pre-commit run --all-files", {"PRE_COMMIT_HOME": str(tmp_path / "home")})

    if "No matching distribution" in done.stdout:
        pytest.skip("no package index is reached")
    assert done.returncode == 1
    assert re.search(r"configs/r1.ios:\d+:\d+: warning TXR001 ", done.stdout)
