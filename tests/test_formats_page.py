"""docs/formats.md: its commands run, and it names every format."""

import re
import shlex
from collections.abc import Collection
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.report import formats
from advisor.report.formats import COMPARISONS, VERDICTS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")
COMMANDS = dict(re.findall(r"<!-- command (\w+) -->\n    (.*)\n<!-- end -->", PAGE))
ROWS = re.findall(r"^\| `(\w+)` \| (yes|) *\| (yes|) *\|", PAGE, re.MULTILINE)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    return tmp_path


@pytest.mark.parametrize("form", COMMANDS)
def test_a_command_of_the_page_prints_its_format(
    form: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *words = shlex.split(COMMANDS[form])
    assert (program, words[words.index("--format") + 1]) == ("advisor", form)
    assert run(words) == 1

    said = capsys.readouterr().out
    if "--output" in words:
        said = (folder / words[words.index("--output") + 1]).read_text("utf-8")
    assert "TXR001" in said


def test_the_page_has_a_row_for_each_format() -> None:
    assert {name for name, lint, _ in ROWS if lint} == set(VERDICTS)
    assert {name for name, _, diff in ROWS if diff} == set(COMPARISONS)


@pytest.mark.parametrize(
    ("command", "table"),
    [
        ("fix", formats.PLANS),
        ("predict --sweep", formats.SWEEPS),
        ("inspect", formats.INSPECTIONS),
        ("size dlsw", formats.SIZINGS),
        ("design", formats.EDGE_DESIGNS),
    ],
)
def test_the_page_names_the_formats_of_a_command(command: str, table: Collection[str]) -> None:
    row = re.search(rf"^\| `{command}` \| (.*) \|$", PAGE, re.MULTILINE)

    assert row is not None
    assert re.findall(r"`([a-z]+)`", row[1]) == list(table)


def test_the_excerpt_of_the_page_is_what_lint_prints(capsys: pytest.CaptureFixture[str]) -> None:
    excerpt = re.search(r"<!-- output full -->\n(.*?)<!-- end -->", PAGE, re.DOTALL)
    run(["lint", "fixtures/configs/wan-edge-512k.ios", "-v"])

    assert excerpt is not None
    assert excerpt[1].replace("    ", "", 1).replace("\n    ", "\n") in capsys.readouterr().out
