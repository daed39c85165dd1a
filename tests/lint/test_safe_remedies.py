"""No remedy that is called safe makes any class of an output worse, by the tool's own prediction."""

from pathlib import Path

import pytest

from advisor.device.device import Device, with_tree
from advisor.device.reading import Source, read_source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Level
from advisor.lint.moved import falls, rises
from advisor.lint.run import review
from advisor.lint.trial import applied
from advisor.predict.what_if.errors import InputError
from advisor.predict.what_if.predictions import ClassPrediction, predict_device
from advisor.settings.values import Settings

SETTINGS = Settings()
RULES = load_rules(SETTINGS.budgets)
FIXTURES = sorted((Path(__file__).parents[2] / "fixtures" / "configs").rglob("*.ios"))


def predicted(device: Device) -> dict[tuple[str, str], ClassPrediction]:
    """What `predict` says of each class that has figures."""
    try:
        predictions = predict_device(device, "file", SETTINGS, None, (), explained=False)
    except InputError:
        return {}
    return {
        (known.object, known.class_name): known
        for known in predictions
        if isinstance(known, ClassPrediction)
    }


def worse(before: ClassPrediction, after: ClassPrediction) -> list[str]:
    """Figures of a class that get worse by more than their uncertainty."""
    pairs = [("delay", before.mean, after.mean)]
    if before.loss is not None and after.loss is not None:
        pairs.append(("loss", before.loss, after.loss))
    named = [name for name, old, new in pairs if rises(old, new)]
    old, new = before.throughput, after.throughput
    return [*named, "throughput"] if old and new and falls(old, new) else named


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_no_safe_remedy_makes_a_class_worse(path: Path) -> None:
    source = Source(path.name, path.read_bytes())
    found = review([source], RULES, SETTINGS).findings
    safe = [each.remedy for each in found if each.remedy and each.remedy.level is Level.SAFE]
    device = read_source(source, SETTINGS).device
    before = predicted(device) if safe else {}
    for remedy in safe:
        after = predicted(with_tree(device, applied(device.facts.tree, remedy.lines)))
        assert {key: worse(known, after[key]) for key, known in before.items()} == {
            key: [] for key in before
        }
        assert remedy.worse == ()
