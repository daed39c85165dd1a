"""No remedy that is called safe makes any class of an output worse, by the tool's own prediction."""

from pathlib import Path

import pytest

from advisor.device.device import with_tree
from advisor.device.reading import Source, read_source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Level
from advisor.lint.run import review
from advisor.lint.trial import applied
from advisor.settings.values import Settings
from tests.support.worse_classes import predicted, worse_figures

SETTINGS = Settings()
RULES = load_rules(SETTINGS.budgets)
FIXTURES = sorted((Path(__file__).parents[2] / "fixtures" / "configs").rglob("*.ios"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_no_safe_remedy_makes_a_class_worse(path: Path) -> None:
    source = Source(path.name, path.read_bytes())
    found = review([source], RULES, SETTINGS).findings
    safe = [each.remedy for each in found if each.remedy and each.remedy.level is Level.SAFE]
    device = read_source(source, SETTINGS).device
    before = predicted(device) if safe else {}
    for remedy in safe:
        after = predicted(with_tree(device, applied(device.facts.tree, remedy.lines)))
        assert {key: worse_figures(known, after[key]) for key, known in before.items()} == {
            key: [] for key in before
        }
        assert remedy.worse == ()
