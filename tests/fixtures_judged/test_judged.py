"""Every fixture against the verdict that was worked out by hand: expected*.toml."""

from collections import Counter
from datetime import date
from pathlib import Path

import msgspec
import pytest

from advisor.device.inputs import Inputs, first_folder
from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Confidence, Finding, Severity
from advisor.lint.run import review
from advisor.settings import Settings
from advisor.settings.file import load_settings, read_traffic

FIXTURES = Path(__file__).parents[2] / "fixtures"
PRODUCTION = FIXTURES / "configs" / "production"  # judged by test_production.py
TODAY = date(2026, 1, 31)  # for what is accepted until a day
RULES = load_rules(Settings().budgets)


class Judged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finding that is right, and why."""

    rule: str
    object: str
    severity: Severity
    confidence: Confidence
    why: str

    @property
    def line(self) -> str:
        return f"{self.rule} {self.severity} {self.confidence} {self.object}"


class JudgedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fixture with all that is to be found in it."""

    path: str
    why: str
    finding: tuple[Judged, ...] = ()
    traffic: str | None = None  # a --traffic file


class JudgedOfRun(Judged, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A finding of a run over several devices."""

    device: str


class JudgedRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Folders that are linted together, under the settings that lie above them."""

    name: str
    paths: tuple[str, ...]
    why: str
    finding: tuple[JudgedOfRun, ...] = ()


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of an expected*.toml."""

    file: tuple[JudgedFile, ...] = ()
    run: tuple[JudgedRun, ...] = ()


_OF_FILES = (
    "expected.toml",
    "expected_sessions.toml",
    "expected_platforms.toml",
    "expected_planted.toml",
)
EXPECTED = Expected(
    tuple(
        judged
        for name in _OF_FILES
        for judged in msgspec.toml.decode(
            Path(__file__).with_name(name).read_bytes(), type=Expected
        ).file
    )
)


RUNS = tuple(
    judged
    for name in ("expected_dlsw.toml", "expected_bundles.toml", "expected_links.toml")
    for judged in msgspec.toml.decode(
        Path(__file__).with_name(name).read_bytes(), type=Expected
    ).run
)


def found_line(finding: Finding) -> str:
    return f"{finding.rule} {finding.severity} {finding.confidence} {finding.object}"


@pytest.mark.parametrize("judged", [pytest.param(each, id=each.path) for each in EXPECTED.file])
def test_a_fixture_shows_what_was_judged_right_by_hand_and_nothing_else(judged: JudgedFile) -> None:
    source = Source(judged.path, (FIXTURES / judged.path).read_bytes())

    stated = read_traffic(FIXTURES / judged.traffic).stated.traffic if judged.traffic else ()
    verdict = review([source], RULES, Settings(traffic=stated, today=TODAY))

    found = Counter(found_line(each) for each in verdict.standing)
    assert found == Counter(each.line for each in judged.finding)


@pytest.mark.parametrize("run", [pytest.param(each, id=each.name) for each in RUNS])
def test_devices_linted_together_show_what_was_judged_right_by_hand_and_nothing_else(
    run: JudgedRun,
) -> None:
    paths = [str(FIXTURES / each) for each in run.paths]

    verdict = review(Inputs(paths), RULES, load_settings(first_folder(paths)))

    found = Counter(f"{each.device} {found_line(each)}" for each in verdict.findings)
    assert found == Counter(f"{each.device} {each.line}" for each in run.finding)


def test_every_config_is_judged_once() -> None:
    on_disk = sorted(
        path.relative_to(FIXTURES).as_posix()
        for path in (FIXTURES / "configs").rglob("*")
        if path.is_file() and PRODUCTION not in path.parents
    )

    configs = [each.path for each in EXPECTED.file if each.path.startswith("configs/")]
    assert sorted(configs) == on_disk


def test_every_rule_is_shown_by_a_fixture() -> None:
    shown = {finding.rule for each in EXPECTED.file for finding in each.finding}
    shown |= {finding.rule for each in RUNS for finding in each.finding}

    hidden = {rule.card.id for rule in RULES} - shown
    assert not hidden, f"no fixture shows {hidden}: compose one, and its table in expected.toml"


def test_every_bundle_is_judged_once() -> None:
    on_disk = sorted(f"bundles/{each.name}" for each in (FIXTURES / "bundles").iterdir())

    judged = [path for run in RUNS for path in run.paths if path.startswith("bundles/")]
    assert sorted(judged) == on_disk


CONFIGS = sorted((FIXTURES / "configs").rglob("*.ios"))


@pytest.mark.parametrize("path", [pytest.param(each, id=each.name) for each in CONFIGS])
def test_a_composed_config_says_on_a_comment_at_its_head_which_layout_it_follows(
    path: Path,
) -> None:
    head = path.read_bytes().splitlines()[:2]

    assert any(line.startswith(b"! Layout: ") for line in head)
