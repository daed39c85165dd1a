"""Formulas that `explain` prints."""

import pytest

from advisor.lint.cards import load_rules
from advisor.predict.what_if.more_formulas import ALL_FORMULAS as FORMULAS
from advisor.report.rules import explained
from advisor.report.terminal import Style
from advisor.settings import Budgets
from advisor.theory.formulas import FORMULAS as OF_THEORY


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_says_its_source_and_puts_numbers_in(name: str) -> None:
    text = explained(name, Style())

    assert text is not None
    assert FORMULAS[name].formula in text
    assert f"  source   {FORMULAS[name].source}" in text
    assert any(char.isdigit() for char in FORMULAS[name].example())


def test_no_rule_has_the_name_of_a_formula() -> None:
    rules = load_rules(Budgets())

    assert not FORMULAS.keys() & {rule.card.name for rule in rules}


def test_the_list_names_every_formula() -> None:
    text = explained("formulas", Style())

    assert text is not None
    assert [line.split()[0] for line in text.splitlines()] == list(FORMULAS)
    assert OF_THEORY.items() <= FORMULAS.items()


def test_another_word_is_no_formula() -> None:
    assert explained("TXR001", Style()) is None
