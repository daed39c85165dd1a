"""What the README shows is true."""

import re
import tomllib
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.settings.file import load_settings

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
FIXTURE = "fixtures/configs/wan-edge-512k.ios"


def shown(mark: str) -> str:
    found = re.search(rf"<!-- {mark} -->\n\n    (.*)\n\n<!-- end -->", README)
    assert found, mark
    return found[1]


def test_there_are_exactly_two_set_up_commands() -> None:
    assert README.count("python3 -m venv") == 2
    assert shown("main job").endswith(f"advisor lint {FIXTURE}")
    assert shown("tests").endswith(".venv/bin/pytest -n auto --dist loadfile")


def test_what_it_shows_is_what_lint_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir((ROOT / FIXTURE).parent)
    block = README.partition("<!-- printed -->")[2].partition("<!-- end -->")[0]
    command, *lines = [line.removeprefix("    ") for line in block.strip("\n").splitlines()]
    assert command == "$ advisor lint wan-edge-512k.ios"
    run(["lint", Path(FIXTURE).name])
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize("page", re.findall(r"\]\((docs/[^)#]+)\)", README))
def test_a_page_that_it_names_is_there(page: str) -> None:
    assert (ROOT / page).is_file()


def test_the_main_job_finds_the_ring_and_what_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    code = run(["lint", FIXTURE])
    out = capsys.readouterr().out
    assert code == 1
    for said in (
        "TXR001",
        "TXR002",
        "LFI001",
        "tx-ring-limit 1",
        "tx-ring-limit 10",
    ):
        assert said in out


def test_the_numbers_of_the_opening_are_the_tools_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    run(["lint", FIXTURE, "--format", "concise"])
    out = capsys.readouterr().out
    told = re.search(r"by up to (\d+) ms and a ring of 1 by up to (\d+)", README)
    assert told
    assert f"up to {told[1]} ms" in out
    assert f"tx-ring-limit 1 by up to {told[2]} ms" in out


def test_the_settings_shown_are_accepted(tmp_path: Path) -> None:
    found = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert found
    assert tomllib.loads(found[1])
    (tmp_path / "advisor.toml").write_text(found[1], "utf-8")
    settings = load_settings(tmp_path)
    assert settings.budgets.ring_wait_ms == 20
    assert [each.class_name for each in settings.traffic] == ["VOICE", "class-default", "BULK"]


def test_the_path_shown_is_predicted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, shown_path = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    (tmp_path / "path.toml").write_text(shown_path, "utf-8")
    assert run(["predict", "--hops", str(tmp_path / "path.toml")]) == 0
    said = capsys.readouterr().out
    assert "branch: interface" in said
    assert "G.729" in said
