"""A change of a file in SARIF is the remedy: the changed file reads as the device after the paste."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from advisor.api import lint, of_texts
from advisor.ios.edit.apply import apply
from advisor.ios.syntax.reader import parse_config
from advisor.lint.cards import catalogue
from advisor.lint.findings import Finding
from advisor.report.findings import replaced
from tests.support.runs import verdict_of

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures" / "configs").rglob("*.ios"))
EXAMPLES = [
    example.bad
    for entry in catalogue()
    for example in entry.card.example
    if example.remedy is not None and not example.beside
]


def changed_text(text: str, finding: Finding) -> str | None:
    """The file with the change; None where the remedy is no change of one line."""
    change = replaced(finding)
    if change is None or not change.at.is_verbatim:
        return None
    lines = text.split("\n")
    row = change.at.line - 1
    if change.now is None:
        del lines[row]
    else:
        start, end = (change.at.column or 0) - 1, (change.at.end_column or 0) - 1
        lines[row] = lines[row][:start] + change.now + lines[row][end:]
    return "\n".join(lines)


def commands(text: str) -> list[str]:
    return [line.text for line in parse_config(text).walk() if line.is_command]


@pytest.mark.slow
@pytest.mark.parametrize("path", [pytest.param(path, id=path.name) for path in FIXTURES])
def test_the_changed_file_is_the_configuration_after_the_remedy(path: Path) -> None:
    compare(path.read_text("latin-1"), verdict_of(path).findings)


@pytest.mark.slow
def test_many_rules_have_such_a_change() -> None:
    cured = set()
    for text in EXAMPLES:
        found = lint(of_texts({"r1.cfg": text})).findings
        compare(text, found)
        cured |= {each.rule for each in found if changed_text(text, each) is not None}
    assert len(cured) >= 10


def compare(text: str, findings: Iterable[Finding]) -> None:
    """Compare each changed text with the configuration in which the remedy is pasted."""
    for finding in findings:
        changed = changed_text(text, finding)
        if changed is None or finding.remedy is None:
            continue
        pasted = apply(parse_config(text), parse_config("\n".join(finding.remedy.lines)))
        cured = [line.text for line in pasted.tree.walk() if line.is_command]
        assert commands(changed) == cured
