"""Runs the steps of a pipeline file as its system would: bash, the environment, no network.

Steps that use something from a market place are listed, not run. Commands that need a network or a
server (`pip`, `gh`) are replaced by scripts that record how they were called.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

ROOT = Path(__file__).parents[2]
_EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")
_RECORDING = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>"{calls}"
{answer}
"""


class Place(Struct):
    """A folder to run in, what stands in for commands, and the calls of these."""

    folder: Path
    tools: Path
    calls_file: Path

    def stand_in(self, name: str, answer: str = "") -> None:
        """Replace a command; `answer` is what it does beside recording its arguments."""
        script = self.tools / name
        script.write_text(_RECORDING.format(calls=self.calls_file, answer=answer), encoding="utf-8")
        script.chmod(0o755)

    @property
    def calls(self) -> list[str]:
        return self.calls_file.read_text("utf-8").splitlines() if self.calls_file.exists() else []

    def bash(
        self, script: str, environment: Mapping[str, str] | None = None, flags: str = "-eo"
    ) -> subprocess.CompletedProcess[str]:
        """Run a script with the product on the path."""
        own = Path(sys.executable).parent
        path = f"{self.tools}:{own}:{os.environ['PATH']}"
        return subprocess.run(  # noqa: S603 -- scripts of our own files
            ["bash", "--noprofile", "--norc", flags, "pipefail", "-c", script],  # noqa: S607 -- as runners do
            cwd=self.folder,
            env={**os.environ, **(environment or {}), "PATH": path, "NO_COLOR": "1"},
            text=True,
            capture_output=True,
            timeout=120,
            check=False,
        )


def place_in(tmp_path: Path) -> Place:
    """A folder for a checkout, and one for the commands that stand in."""
    for name in ("work", "tools"):
        (tmp_path / name).mkdir()
    place = Place(tmp_path / "work", tmp_path / "tools", tmp_path / "calls")
    place.stand_in("pip")
    own = Path(sys.executable)
    only_pip = f'if [ "$2" != pip ]; then exec "{own}" "$@"; fi'
    place.stand_in("python", only_pip)
    return place


def git(place: Place, *commands: str) -> None:
    """Run commands of git as a stranger would have them set up."""
    who = "git -c user.name=n -c user.email=n@example.org -c init.defaultBranch=main"
    for command in commands:
        done = place.bash(f"{who} {command}")
        assert done.returncode == 0, done.stderr


class Action(Struct):
    """A composite action, run step by step; `context` holds what its expressions name."""

    steps: Sequence[Mapping[str, Any]]
    context: dict[str, str]

    def run(self, place: Place, temp: Path) -> tuple[int, str]:
        """Run the steps; the exit code of the first that fails, and all that was printed."""
        temp.mkdir(exist_ok=True)
        said = ""
        for number, step in enumerate(self.steps):
            if not self._holds(step.get("if", "true")) or "run" not in step:
                continue
            output = temp / f"output-{number}"
            output.touch()
            stated = {name: self._filled(text) for name, text in step.get("env", {}).items()}
            summary = str(temp / "summary.md")
            files = {"GITHUB_OUTPUT": str(output), "RUNNER_TEMP": str(temp)}
            files |= {"GITHUB_STEP_SUMMARY": summary}
            done = place.bash(step["run"], {**stated, **files, "GITHUB_ACTION_PATH": str(ROOT)})
            said += done.stdout + done.stderr
            if done.returncode:
                return done.returncode, said
            for line in output.read_text("utf-8").splitlines():
                name, _, value = line.partition("=")
                self.context[f"steps.{step['id']}.outputs.{name}"] = value
        return 0, said

    def used(self) -> Iterable[str]:
        """What the steps take from elsewhere, where their conditions hold."""
        return [
            step["uses"]
            for step in self.steps
            if "uses" in step and self._holds(step.get("if", "true"))
        ]

    def _filled(self, text: str) -> str:
        return _EXPRESSION.sub(lambda found: self.context.get(found[1], ""), str(text))

    def _holds(self, condition: str) -> bool:
        terms = _EXPRESSION.sub(r"\1", str(condition)).split(" && ")
        return all(self._is_true(term) for term in terms)

    def _is_true(self, term: str) -> bool:
        left, _, right = term.partition(" == ")
        return left == "true" or self.context.get(left, "") == right.strip("'")
