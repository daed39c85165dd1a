"""The same parents as ciscoconfparse2, but for a written list of differences.

Runs in a virtual environment of its own, because ciscoconfparse2 pins its dependencies exactly:
`python -m pytest -m oracle tests/oracle` with the root of the repository as working directory.
"""

import tomllib
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct

from advisor.capture import SectionKind, read_capture
from advisor.ios.exec.terminal import decode
from advisor.ios.syntax.detect import Dialect, identify
from advisor.ios.syntax.reader import parse_config
from advisor.ios.syntax.tree import ConfigTree
from tests.support.outside import CORPUS

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    oracle = pytest.importorskip("ciscoconfparse2", reason="needs the oracle's own environment")

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

ROOT = Path(__file__).parents[2]
CONFIGS = CORPUS / "configs"
FOLDERS = [ROOT / "fixtures" / "configs", CONFIGS / "ios", CONFIGS / "fragments"]
FILES = sorted(path for folder in FOLDERS for path in folder.rglob("*") if path.is_file())


class Difference(Struct, frozen=True):
    """Lines of one file on which the two parsers differ, and why ours is right.

    `lines` empty means any line of the file.
    """

    file: str
    reason: str
    lines: tuple[int, ...] = ()


@cache
def written() -> dict[str, Difference]:
    with (Path(__file__).parent / "differences.toml").open("rb") as file:
        entries = tomllib.load(file)["difference"]
    found = (
        Difference(each["file"], each["reason"], tuple(each.get("lines", ()))) for each in entries
    )
    return {each.file: each for each in found}


def our_parents(tree: ConfigTree) -> dict[int, int]:
    """Line number of the parent of each command, 0 at the top."""
    parents = {line.number: 0 for line in tree.commands()}
    for line in tree.walk():
        parents |= {child.number: line.number for child in line.commands()}
    return parents


def their_parents(text: str) -> dict[int, int]:
    parsed = oracle.CiscoConfParse(text.split("\n"), syntax="ios", ignore_blank_lines=False)
    return {
        line.linenum + 1: 0 if line.parent is line else line.parent.linenum + 1
        for line in parsed.objs
    }


def configs(path: Path) -> Iterator[str]:
    text, _ = decode(path.read_bytes())
    sections = read_capture(text, path.name).sections
    configs = (each.text for each in sections if each.kind is SectionKind.CONFIG)
    return (each for each in configs if identify(each).dialect is Dialect.IOS)


def differing(path: Path) -> set[int]:
    lines: set[int] = set()
    for text in configs(path):
        ours, theirs = our_parents(parse_config(text)), their_parents(text)
        lines |= {number for number, parent in ours.items() if theirs[number] != parent}
    return lines


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_parents_agree_but_for_the_written_differences(path: Path) -> None:
    found, entry = differing(path), written().get(path.name)
    if entry is None:
        assert found == set()
    elif entry.lines:
        assert found == set(entry.lines), entry.reason
    else:
        assert found, "nothing differs any more: strike the entry"


def test_each_written_difference_has_a_file_and_a_reason() -> None:
    names = {path.name for path in FILES}
    assert all(len(each.reason) > 20 for each in written().values())
    if CONFIGS.is_dir():
        assert set(written()) <= names
