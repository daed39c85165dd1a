"""docs/files.md: its examples are read, and its commands run, in a folder with nothing else."""

import re
from pathlib import Path

import pytest

from advisor.capture.read_bundle import ManifestEntry, decode_manifest
from advisor.cli import run

PAGE = (Path(__file__).parents[1] / "docs/files.md").read_text("utf-8")


def example(name: str) -> str:
    found = re.search(rf"<!-- {re.escape(name)} -->\n(.*?)<!-- ", PAGE, re.DOTALL)
    assert found is not None, name
    return "".join(f"{line[4:]}\n" for line in found[1].splitlines())


@pytest.mark.parametrize("command", re.findall(r"<!-- command -->\n    advisor (.*)\n", PAGE))
def test_a_command_of_the_page_runs(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("sites.csv", "cases.json"):
        Path(name).write_text(example(name), encoding="utf-8")
    assert run(command.split()) == 0
    assert capsys.readouterr().out


def test_the_manifest_of_the_page_is_read_whole() -> None:
    manifest, unused = decode_manifest(example("manifest.json").encode())
    assert unused == ()
    assert [entry.file for entry in manifest.commands] == ["running-config", "show_interfaces.txt"]


def test_the_page_names_every_key_of_a_command() -> None:
    keys = {"bytes" if key == "size_bytes" else key for key in ManifestEntry.__struct_fields__}
    assert keys <= set(re.findall(r"`([a-z0-9_]+)`", PAGE))
