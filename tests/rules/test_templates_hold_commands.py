"""The words of commands stand in the templates: no template passes ready lines through."""

import re
from pathlib import Path

import pytest

from advisor.ground.assets import asset_dir

ROOT = asset_dir("templates")
TEMPLATES = sorted(path for kind in ("remedy", "design") for path in (ROOT / kind).rglob("*.j2"))
CONTROL = re.compile(r"^\s*\{%.*%\}$")
COMMAND = re.compile(r"^ *[a-z]")  # the first word of a command is written out


def without_a_command(text: str) -> list[str]:
    """Lines of a template that are neither control nor begin with the word of a command."""
    lines = [line for line in text.split("\n") if line and not CONTROL.match(line)]
    return [line for line in lines if not COMMAND.match(line)]


def test_there_are_templates_of_remedies_and_of_designs() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in TEMPLATES} >= {"remedy", "design"}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_line_of_a_template_begins_with_the_word_of_a_command(path: Path) -> None:
    assert without_a_command(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "{% for line in lines %}\n{{ line }}\n{% endfor %}\n", ["{{ line }}"], id="ready lines"
        ),
        pytest.param(
            'interface {{ name }}\n{{ " " * depth }}{{ statement }}\n',
            ['{{ " " * depth }}{{ statement }}'],
            id="a ready line under a head",
        ),
        pytest.param("interface {{ name }}\n fair-queue\n", [], id="commands with values"),
    ],
)
def test_a_template_that_passes_lines_through_is_found(text: str, expected: list[str]) -> None:
    assert without_a_command(text) == expected
