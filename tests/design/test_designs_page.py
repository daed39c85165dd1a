"""docs/designs.md: its commands run, and it names every option, template and value."""

import re
import shlex
from pathlib import Path

import pytest

from advisor.cli import run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "designs.md").read_text("utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.splitlines()]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_runs(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    program, *words = shlex.split(command)

    assert program == "advisor"
    assert run(words) == 0
    assert "policy-map" in capsys.readouterr().out


def test_the_page_shows_every_option_of_an_edge(capsys: pytest.CaptureFixture[str]) -> None:
    run(["design", "edge", "--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    general = {"--output", "--no-color", "--config", "--help", "--no-signalling", "--no-dlsw"}

    assert sorted(each for each in options - general if each not in PAGE) == []
