"""No remedy that is called safe makes any class of an output worse, by the tool's own prediction."""

from pathlib import Path

import pytest

from advisor.device.device import with_tree
from advisor.device.reading import Source, read_source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Finding, Level
from advisor.lint.run import review
from advisor.lint.trial import applied
from advisor.settings import Settings
from advisor.settings.file import settings_of_text
from tests.support.runs import verdict_of
from tests.support.worse_classes import predicted, worse_figures

ROOT = Path(__file__).parents[2] / "fixtures"
RULES = load_rules(Settings().budgets)
CONFIGS = sorted((ROOT / "configs").rglob("*.ios"))
EQUAL_ROWS = "composed/wred-equal-rows-e1.ios"
STATED = [  # fixtures beside the traffic that was stated for their class
    (EQUAL_ROWS, "wred-balanced.toml"),
    (EQUAL_ROWS, "wred-unbalanced.toml"),
    ("composed/wred-unbalanced-e1.ios", "wred-unbalanced.toml"),
]
CASES = [
    *(pytest.param(path, None, id=path.stem) for path in CONFIGS),
    *(
        pytest.param(ROOT / "configs" / config, traffic, id=f"{Path(config).stem} {traffic}")
        for config, traffic in STATED
    ),
]


def settings_of(traffic: str | None) -> Settings:
    if traffic is None:
        return Settings()
    return settings_of_text((ROOT / "traffic" / traffic).read_text(encoding="utf-8"))


def findings_of(path: Path, traffic: str | None) -> tuple[Finding, ...]:
    if traffic is None:
        return verdict_of(path).findings
    source = Source(path.name, path.read_bytes())
    return review([source], RULES, settings_of(traffic)).findings


@pytest.mark.slow
@pytest.mark.parametrize(("path", "traffic"), CASES)
def test_no_safe_remedy_makes_a_class_worse(path: Path, traffic: str | None) -> None:
    found = findings_of(path, traffic)
    safe = [each.remedy for each in found if each.remedy and each.remedy.level is Level.SAFE]
    device = read_source(Source(path.name, path.read_bytes()), settings_of(traffic)).device
    before = predicted(device) if safe else {}
    for remedy in safe:
        after = predicted(with_tree(device, applied(device.facts.tree, remedy.lines)))
        assert {key: worse_figures(known, after[key]) for key, known in before.items()} == {
            key: [] for key in before
        }
        assert remedy.worse == ()


@pytest.mark.parametrize(
    ("config", "traffic", "rule", "level"),
    [
        pytest.param(
            "composed/pre-hqf-leftovers.ios", None, "REF004", Level.SAFE,
            id="a policy-map that nothing uses goes",
        ),
        pytest.param(
            "composed/pre-hqf-leftovers.ios", None, "REF010", Level.SAFE,
            id="a class-map that nothing uses goes",
        ),
        pytest.param(
            EQUAL_ROWS, "wred-balanced.toml", "WRD011", Level.NEEDS_WINDOW,
            id="a denominator that lets other flows lose more",
        ),
        pytest.param(
            EQUAL_ROWS, None, "WRD004", Level.NEEDS_WINDOW,
            id="rows of flows that nobody stated",
        ),
        pytest.param(
            "seed-000-a1-512k.ios", None, "TXR001", Level.NEEDS_WINDOW,
            id="a ring may need shutdown and no shutdown",
        ),
        pytest.param(
            "planted/dlsw-open-branch.ios", None, "DLS009", Level.NEEDS_WINDOW,
            id="packets that move to another queue wait there",
        ),
    ],
)  # fmt: skip
def test_what_is_safe_and_what_is_not(
    config: str, traffic: str | None, rule: str, level: Level
) -> None:
    found = findings_of(ROOT / "configs" / config, traffic)

    assert {each.remedy.level for each in found if each.rule == rule and each.remedy} == {level}
