"""Every card keeps its promises; every check has a card."""

from pathlib import Path

import pytest

from advisor.lint.card_proof import prove_card
from advisor.lint.cards import (
    CardError,
    CatalogueEntry,
    Rule,
    bind,
    catalogue,
    load_rules,
)
from advisor.lint.checks import CHECKS
from advisor.settings import Settings

SETTINGS = Settings()
RULES = load_rules(SETTINGS.budgets)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.card.id)
def test_bad_is_found_good_is_clean_remedy_cures_rollback_restores(rule: Rule) -> None:
    assert prove_card(rule, RULES, SETTINGS).broken == ()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.card.id)
def test_a_card_with_a_remedy_shows_it_on_its_example(rule: Rule) -> None:
    shown = [example.remedy for example in rule.card.example]
    assert all((remedy is not None) == (rule.card.remedy is not None) for remedy in shown)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.card.id)
def test_prose_of_a_card_reads_to_standard(rule: Rule) -> None:
    card = rule.card
    assert card.title[0].isupper()
    assert not card.title.endswith(".")
    assert not card.message.endswith(".")
    assert len(card.why.split()) >= 20
    assert card.sources


@pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.card.id)
def test_a_card_fits_its_check(entry: CatalogueEntry) -> None:
    assert bind(entry, SETTINGS.budgets).card is entry.card


def test_every_check_has_a_card_and_every_card_a_check() -> None:
    assert {rule.card.check for rule in RULES} == CHECKS.keys()


def test_a_check_stands_in_the_folder_of_the_family_of_its_cards() -> None:
    for rule in RULES:
        _, _, inside = rule.check.evidence.__module__.partition(".checks.")
        family = inside.split(".")[0]
        assert rule.card.id.lower().startswith(family)


def test_a_card_stands_in_the_folder_of_its_family_under_its_name() -> None:
    for rule in RULES:
        family, _, file = rule.file.partition("/")
        assert file == f"{rule.card.id}-{rule.card.name}.toml"
        assert rule.card.id.lower().startswith(family)


CARD = (Path(__file__).parents[2] / "rules/wrd/WRD005-wred-inverted.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(("severity", "serverity"), "serverity", id="an unknown key is named"),
        pytest.param(('"error"', '"fatal"'), "fatal", id="an unknown severity is named"),
        pytest.param(("{better}", "{bettr}"), "unknown bettr in message", id="a message"),
        pytest.param(('check    = "wred', 'check    = "wrd'), "no check is called", id="a check"),
        pytest.param(("level    =", "#"), "needs a level", id="a remedy without a level"),
    ],
)
def test_a_wrong_card_is_refused_with_file_and_key(
    change: tuple[str, str], said: str, tmp_path: Path
) -> None:
    family = tmp_path / "ref"
    family.mkdir()
    (family / "WRD005-x.toml").write_text(CARD.replace(*change, 1), "utf-8")
    with pytest.raises(CardError, match=said) as caught:
        load_rules(SETTINGS.budgets, tmp_path)
    assert "WRD005-x.toml" in str(caught.value)


def test_two_cards_of_one_id_are_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "WRD005.toml").write_text(CARD, "utf-8")
    with pytest.raises(CardError, match="already used"):
        load_rules(SETTINGS.budgets, tmp_path)


def test_a_card_that_is_not_toml_is_refused_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "ref").mkdir()
    (tmp_path / "ref/x.toml").write_text("id = ", "utf-8")
    with pytest.raises(CardError, match=r"x\.toml"):
        load_rules(SETTINGS.budgets, tmp_path)
