"""docs/predict.md: its commands run, print what it shows, and it names every key."""

import shutil
from pathlib import Path
from textwrap import dedent

import pytest

from advisor.cli import run
from advisor.predict.what_if.moves import KEYS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/predict.md").read_text("utf-8")
Said = pytest.CaptureFixture[str]


def shown(name: str) -> str:
    return dedent(PAGE.partition(f"<!-- {name} -->\n")[2].partition("<!--")[0])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "fixtures/configs/wan-edge-512k.ios", tmp_path)


@pytest.mark.parametrize("command", shown("commands").splitlines())
def test_a_command_of_the_page_runs(command: str) -> None:
    assert run(command.split()[1:]) == 0


def test_the_first_command_prints_what_the_page_shows(capsys: Said) -> None:
    assert run(shown("command").split()[1:]) == 0
    assert capsys.readouterr().out.startswith(shown("shows").rstrip())


@pytest.mark.parametrize("key", KEYS)
def test_the_page_names_every_key(key: str) -> None:
    assert f"`{key}`" in PAGE
