"""Configurations as they run in production, with nothing to mend."""

from pathlib import Path

import pytest

from advisor.device.inputs import Inputs
from advisor.lint.cards import load_rules
from advisor.lint.findings import Severity
from advisor.lint.run import review
from advisor.settings import PROFILES, Settings

PRODUCTION = Path(__file__).parents[2] / "fixtures" / "configs" / "production"
ROUTERS = sorted(PRODUCTION.iterdir())


@pytest.mark.parametrize("profile", ["voice", "strict"])
@pytest.mark.parametrize("path", ROUTERS, ids=lambda path: path.stem)
def test_a_sound_configuration_gives_no_warning(path: Path, profile: str) -> None:
    budgets = PROFILES[profile]
    verdict = review(Inputs([str(path)]), load_rules(budgets), Settings(budgets=budgets))

    worse = [each for each in verdict.findings if each.severity is not Severity.INFO]
    assert [(each.rule, each.object, each.message) for each in worse] == []
    assert verdict.incomplete == ()


def test_twelve_kinds_of_router_are_sound() -> None:
    assert len(ROUTERS) >= 12
