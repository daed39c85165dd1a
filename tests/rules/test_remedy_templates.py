"""Templates of remedies: each is used, and holds the commands that its cards promise."""

import pytest

from advisor.ground.assets import asset_dir
from advisor.lint.cards import Rule, load_rules
from advisor.lint.findings import Level
from advisor.lint.judge import judge
from advisor.lint.trial import lines_of
from advisor.settings import Settings
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read

RULES = load_rules(Settings().budgets)
WITH_LINES = [rule for rule in RULES if rule.card.remedy is not None]
TEMPLATES = sorted(path.name for path in (asset_dir("templates") / "remedy").glob("*.j2"))


def test_every_template_is_of_some_card() -> None:
    assert sorted({rule.card.remedy or "" for rule in WITH_LINES}) == TEMPLATES


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.card.id) for rule in WITH_LINES])
def test_a_template_renders_the_lines_of_the_example_of_its_card(rule: Rule) -> None:
    rendered = []
    for example in rule.card.example:
        if example.remedy is None or example.beside:
            continue  # the card prover reads the devices beside it
        settings = settings_of_text(example.settings) if example.settings else Settings()
        device = device_read(example.bad.lstrip("\n"), settings)
        ((_, hit),) = judge(device, [rule]).pairs
        promised = tuple(line.rstrip() for line in example.remedy.split("\n") if line.strip())
        assert lines_of(rule, hit) == promised
        rendered.append(example)
    assert rendered or any(example.beside for example in rule.card.example)


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.card.id) for rule in WITH_LINES])
def test_a_remedy_that_needs_a_window_says_what_it_interrupts(rule: Rule) -> None:
    assert rule.card.level is not Level.NEEDS_WINDOW or rule.card.interrupts
