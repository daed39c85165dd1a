"""`advisor serve --export`: what is missing, wrong or in the way is said, and nothing is written."""

from pathlib import Path

import pytest

from advisor.cli import run
from advisor.serve import export as module

Said = pytest.CaptureFixture[str]


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with parts that have the checksums of the real ones, as far as anybody knows."""
    folder = tmp_path / "parts"
    folder.mkdir()
    for name in (*module._PYODIDE_FILES, module._WHEEL):
        (folder / name).write_bytes(b"x")
    monkeypatch.chdir(tmp_path)
    return folder


def refused(capsys: Said, *arguments: str) -> str:
    assert run(["serve", *arguments]) == 2
    return capsys.readouterr().err


def test_a_part_that_is_missing_is_named(parts: Path, capsys: Said) -> None:
    (parts / "pyodide.asm.wasm").unlink()
    said = refused(capsys, "--export", "out", "--pyodide", "parts")
    assert "lacks files of the npm package pyodide@" in said
    assert not Path("out").exists()


def test_a_part_of_another_content_is_refused(parts: Path, capsys: Said) -> None:
    del parts
    said = refused(capsys, "--export", "out", "--pyodide", "parts")
    assert "is not pyodide@" in said
    assert not Path("out").exists()


def test_without_npm_it_says_how_to_get_the_part(
    parts: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(parts))
    said = refused(capsys, "--export", "out")
    assert "needs the npm package pyodide@" in said
    assert "in a folder that --pyodide names" in said
    assert not Path("out").exists()


def test_a_folder_with_files_of_others_stays_as_it_is(
    parts: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Path("own")
    own.mkdir()
    (own / "thesis.txt").write_text("all of it", encoding="utf-8")
    monkeypatch.setattr(module, "_pyodide", lambda *_: parts)
    monkeypatch.setattr(module, "_wheel", lambda *_: parts)
    monkeypatch.setattr(module, "_write_site", lambda *_: None)
    monkeypatch.setattr(module, "_compile", lambda *_: None)
    assert "holds files of others" in refused(capsys, "--export", "own")
    assert [each.name for each in own.iterdir()] == ["thesis.txt"]


def test_pyodide_goes_with_export(capsys: Said) -> None:
    assert "goes with --export" in refused(capsys, "--pyodide", "parts")
