"""What is released: built by the workflow's own steps, installed from the built files, and small.

The index of packages is needed; without it the tests are skipped.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from ruamel.yaml import YAML

from advisor import __version__

ROOT = Path(__file__).parents[2]
WORKFLOW: Any = YAML(typ="safe").load(ROOT / ".github/workflows/release.yml")
LARGEST_BYTES = 100_000_000  # of the image, beyond its base
NOBODY = 65534
pytestmark = pytest.mark.slow


def bash(
    script: str, folder: Path, stated: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(  # noqa: S603 -- scripts of our own files
        ["bash", "-eo", "pipefail", "-c", script],  # noqa: S607
        cwd=folder,
        env={**os.environ, "PATH": path, **(stated or {})},
        text=True,
        capture_output=True,
        timeout=300,
        check=False,
    )


def copied(names: Sequence[str], target: Path) -> Path:
    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            target.mkdir(exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


class Released(Struct):
    """The folder of a checkout in which the steps of the workflow ran."""

    folder: Path

    def file(self, pattern: str) -> Path:
        (found,) = self.folder.glob(pattern)
        return found


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Released:
    folder = tmp_path_factory.mktemp("release") / "checkout"
    parts = (
        *("advisor", "rules", "templates", "fixtures", "tests", "tools", "docs", "benchmarks"),
    )
    files = (
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "Makefile",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
    )
    more = ("SECURITY.md", "Dockerfile", "action.yml", ".pre-commit-hooks.yaml")
    copied((*parts, *files, *more), folder)
    steps = [step["run"] for step in WORKFLOW["jobs"]["build"]["steps"] if "run" in step]
    for script in steps[1:]:  # the tools are those of the tests' environment
        done = bash(script, folder)
        if re.search(r"(?i)dns error|failed to fetch|connection refused", done.stderr):
            pytest.skip("no index of packages is reached")
        assert done.returncode == 0, done.stdout + done.stderr
    return Released(folder)


def test_only_a_person_starts_it() -> None:
    assert WORKFLOW["on"] == {"workflow_dispatch": None}
    assert WORKFLOW["jobs"]["publish"]["environment"] == "release"


def test_the_tools_of_the_workflow_are_those_of_the_extra() -> None:
    install = WORKFLOW["jobs"]["build"]["steps"][2]["run"]
    pyproject = (ROOT / "pyproject.toml").read_text("utf-8")
    extra = re.search(r"^release = \[(.*?)\]", pyproject, re.MULTILINE)
    assert extra is not None
    assert re.findall(r'"(.*?)"', install) == re.findall(r'"(.*?)"', extra[1])


@pytest.mark.parametrize(
    "name",
    [
        *(
            "advisor/cli/app.py",
            "rules/txr/TXR001-tx-ring-too-deep-for-llq.toml",
            "tests/test_fuzz.py",
        ),
        *("docs/manual/advisor.1", "tools/manual.py", "Dockerfile", "SECURITY.md", "action.yml"),
    ],
)
def test_the_sdist_holds_the_project(released: Released, name: str) -> None:
    with tarfile.open(released.file("dist/*.tar.gz")) as archive:
        assert f"ios_advisor-{__version__}/{name}" in archive.getnames()


def test_the_wheel_brings_manual_and_completions(released: Released) -> None:
    shared = released.folder / "clean/share"
    assert {str(path.relative_to(shared)) for path in shared.rglob("*") if path.is_file()} >= {
        "man/man1/advisor.1",
        "bash-completion/completions/advisor",
        "zsh/site-functions/_advisor",
        "fish/vendor_completions.d/advisor.fish",
    }


def test_it_is_a_tool_for_uv(released: Released, tmp_path: Path) -> None:
    places = {"UV_TOOL_DIR": str(tmp_path / "tools"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    assert bash(f"uv tool install --quiet {released.file('dist/*.whl')}", tmp_path, places)
    done = bash("bin/advisor --version --verbose", tmp_path)
    assert done.stdout.startswith(f"advisor {__version__}\nPython ")
    assert "netmiko " in done.stdout


def test_the_bill_of_materials_has_what_is_installed(released: Released) -> None:
    bill = json.loads((released.folder / "sbom.json").read_text("utf-8"))
    assert bill["bomFormat"] == "CycloneDX"
    names = {component["name"].lower() for component in bill["components"]}
    assert names >= {"ios-advisor", "netmiko", "msgspec", "typer"}
    assert "pytest" not in names


def steps_of_image() -> list[str]:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    return re.findall(r"^RUN (.*)", text, re.MULTILINE)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the image adds to its base: its steps run here, without a container."""
    folder = tmp_path_factory.mktemp("image")
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    copied([line[1:] for line in ignored if line.startswith("!")], folder / "source")
    for script in steps_of_image():
        here = script.replace("/opt/advisor", f"{folder}/advisor")
        done = bash(here.replace("/source", f"{folder}/source"), folder)
        if "No matching distribution" in done.stderr:
            pytest.skip("no index of packages is reached")
        assert done.returncode == 0, done.stderr
    return folder / "advisor"


def test_the_image_is_small(image: Path) -> None:
    files = (path for path in image.rglob("*") if path.is_file() and not path.is_symlink())
    assert sum(path.stat().st_size for path in files) <= LARGEST_BYTES


def test_a_run_in_the_image_writes_nothing(image: Path) -> None:
    before = {path: path.lstat().st_mtime_ns for path in image.rglob("*")}
    config = ROOT / "fixtures/configs/wan-edge-512k.ios"
    stated = {"HOME": "/nowhere", "PYTHONDONTWRITEBYTECODE": "1"}
    done = bash(f"bin/advisor lint - --format concise <{config}", image, stated)
    assert (done.returncode, "TXR001" in done.stdout) == (1, True), done.stderr
    assert {path: path.lstat().st_mtime_ns for path in image.rglob("*")} == before


def test_the_image_runs_as_nobody() -> None:
    assert f"USER {NOBODY}:{NOBODY}\n" in (ROOT / "Dockerfile").read_text("utf-8")


@pytest.mark.skipif(shutil.which("docker") is None, reason="docker is missing")
def test_docker_builds_it(tmp_path: Path) -> None:
    if bash("docker info", tmp_path).returncode:
        pytest.skip("the daemon of docker does not run")
    assert bash(f"docker build --quiet --tag advisor-test {ROOT}", tmp_path).returncode == 0
    done = bash("docker run --rm --read-only --network none advisor-test --version", tmp_path)
    assert done.stdout == f"advisor {__version__}\n"
