"""Formulas that `explain` prints."""

import re
from collections.abc import Mapping

import pytest

from advisor.lint.cards import load_rules
from advisor.report.rules import explained
from advisor.report.terminal import Style
from advisor.settings import Budgets
from advisor.theory.analytic import Method
from advisor.theory.formulas import formulas
from tools.formulas import BOX, PAGE, page

MOST_LINES = 12  # of a derivation
OF_CLASSES = [name for name, formula in formulas().items() if formula.methods]


@pytest.mark.parametrize("name", formulas())
def test_a_formula_says_its_source_its_derivation_its_limits_and_puts_numbers_in(name: str) -> None:
    formula, text = formulas()[name], explained(name, Style())

    assert text is not None
    assert formula.formula in text
    assert f"  source   {formula.source}" in text
    assert formula.derivation in text
    assert formula.limits in text
    assert len(formula.derivation.splitlines()) <= MOST_LINES
    assert any(char.isdigit() for char in formula.example)


@pytest.mark.parametrize("name", OF_CLASSES)
def test_the_numbers_of_a_delay_give_what_its_example_prints(name: str) -> None:
    sum_text, _, result = formulas()[name].example.partition(": ")[2].rpartition(" = ")

    assert _value(sum_text) == pytest.approx(float(result.removesuffix(" ms")), rel=0.02)


def _value(sum_text: str) -> float:
    text = sum_text.replace("^", "**")
    assert re.fullmatch(r"[0-9.+*/() -]+", text)
    return float(eval(text))  # noqa: S307 -- numbers and operators alone


@pytest.mark.parametrize("method", Method)
def test_every_method_has_the_page_of_one_formula(method: Method) -> None:
    assert len([name for name in OF_CLASSES if method in formulas()[name].methods]) == 1


@pytest.mark.parametrize("name", ["model", "predict"])
def test_a_page_says_in_the_same_words_what_a_formula_and_a_sample_promise(name: str) -> None:
    assert BOX in PAGE.with_name(f"{name}.md").read_text("utf-8")


def test_no_rule_has_the_name_of_a_formula() -> None:
    rules = load_rules(Budgets())

    assert not formulas().keys() & {rule.card.name for rule in rules}


def test_the_list_names_every_formula() -> None:
    text = explained("formulas", Style())

    assert text is not None
    assert [line.split()[0] for line in text.splitlines()] == list(formulas())


def test_another_word_is_no_formula() -> None:
    assert explained("TXR001", Style()) is None


def test_symbols_without_a_number_stay() -> None:
    values: Mapping[str, float] = {"V": 1.25, "s": 0.5}

    assert formulas()["calls-alone"].with_numbers(values) == "1.25 / (1 - P) + k * 0.5 + 0.5"


def test_the_page_of_all_formulas_is_that_of_their_texts() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m tools.formulas"
