"""A whole configuration that lost its indentation is the same configuration."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.device.peers import Fleet
from advisor.device.reading import DeviceInputs, Source
from advisor.ios.syntax import ConfigTree, Line, LineKind, ProblemKind
from advisor.ios.syntax.detect import Dialect, identify
from advisor.ios.syntax.reader import parse_config
from advisor.ios.terminal import decode
from advisor.lint.cards import load_rules
from advisor.lint.findings import Finding
from advisor.lint.run import lint_device
from advisor.settings import Settings
from tests.support.outside import CORPUS, needs
from tests.support.runs import FIXTURES

pytestmark = pytest.mark.slow

WHOLE = sorted((CORPUS / "configs" / "ios").glob("*"))
OURS = sorted((FIXTURES / "configs").glob("*.ios"))
OUTSIDE = (ProblemKind.MISPLACED, ProblemKind.UNPLACED)
RULES = load_rules(Settings().budgets)

# What no device prints: a part of a file name -> why the sections of the file are not known.
NO_DEVICE_PRINTS = {
    "cisco_bgp.cfg": "`end` inside a section",
    "cisco_voice.cfg": "lines under `application` that belong to its `service`",
    "verify_ptp_profile": "`ptp` lines under `key chain`",
}


def text_of(path: Path) -> str:
    return decode(path.read_bytes())[0]


def is_judged(path: Path) -> bool:
    """Whether a fragment is of IOS, and of a form that a device may have."""
    is_made_up = any(part in path.name for part in NO_DEVICE_PRINTS)
    return not is_made_up and identify(text_of(path)).dialect is Dialect.IOS


needs_whole = needs(CORPUS / "configs" / "ios")
needs_fragments = needs(CORPUS / "configs" / "fragments")


FRAGMENTS = sorted(filter(is_judged, (CORPUS / "configs" / "fragments").glob("*")))


def flattened(text: str) -> str:
    return "\n".join(line.lstrip(" \t") for line in text.split("\n"))


def without_comments(text: str) -> str:
    """The flat text with an empty line for each comment, as a filter or a mail client leaves it."""
    comments = {line.number for line in parse_config(text).walk() if line.kind is LineKind.COMMENT}
    lines = flattened(text).split("\n")
    return "\n".join("" if row in comments else line for row, line in enumerate(lines, 1))


def outline(tree: ConfigTree) -> list[tuple[int, int, str]]:
    """Number, depth and text of every command."""

    def below(line: Line, depth: int) -> Iterator[tuple[int, int, str]]:
        if line.is_command:
            yield line.number, depth, line.text
            depth += 1
        for child in line.children:
            yield from below(child, depth)

    return [command for line in tree.lines for command in below(line, 0)]


def findings(text: str) -> list[tuple[object, ...]]:
    inputs = DeviceInputs(Source("r1.ios", text.encode()))
    verdict = lint_device(inputs, Fleet(), RULES, Settings(), is_guarded=False)
    return [judged(finding) for finding in verdict.findings]


def judged(finding: Finding) -> tuple[object, ...]:
    places = tuple(place.line for place in finding.locations)
    return finding.rule, finding.object, finding.severity, finding.message, places


def named(paths: list[Path]) -> list[object]:
    return [pytest.param(path, id=path.name) for path in paths]


@pytest.mark.parametrize("path", named(OURS))
def test_our_configuration_nests_the_same_without_indentation(path: Path) -> None:
    text = text_of(path)
    assert outline(parse_config(flattened(text))) == outline(parse_config(text))


@needs_whole
@pytest.mark.parametrize("path", named(WHOLE))
def test_whole_configuration_nests_the_same_without_indentation(path: Path) -> None:
    text = text_of(path)
    assert outline(parse_config(flattened(text))) == outline(parse_config(text))


@needs_whole
@pytest.mark.parametrize("path", named(WHOLE))
def test_whole_configuration_nests_the_same_without_comments(path: Path) -> None:
    text = text_of(path)
    assert outline(parse_config(without_comments(text))) == outline(parse_config(text))


@needs_whole
@pytest.mark.parametrize("path", named(WHOLE))
def test_no_line_of_a_whole_configuration_stands_outside_of_its_section(path: Path) -> None:
    text = text_of(path)
    for tree in (parse_config(text), parse_config(flattened(text))):
        assert [problem for problem in tree.problems if problem.kind in OUTSIDE] == []


@needs_whole
@pytest.mark.parametrize("path", named([*OURS, *WHOLE]))
def test_findings_are_the_same_without_indentation(path: Path) -> None:
    text = text_of(path)
    assert findings(flattened(text)) == findings(text)


@needs_fragments
@pytest.mark.parametrize("path", named(FRAGMENTS))
def test_fragment_nests_the_same_or_names_a_line_that_does_not_fit(path: Path) -> None:
    text = text_of(path)
    flat = parse_config(flattened(text))
    outside = [problem for problem in flat.problems if problem.kind in OUTSIDE]
    assert outside or outline(flat) == outline(parse_config(text))
