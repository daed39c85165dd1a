"""The fast tier, `pytest -m "not slow"`, has a test for every rule, reader and regime of a solver.

Each of the three is a table over the catalogue, the show commands and the regimes, so a new one
without a test fails there. This file holds that the tables are collected in the fast tier.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from advisor.lint.cards import load_rules
from advisor.settings import Settings
from advisor.theory import solution as queueing
from advisor.theory import wred
from tests.shows.test_every_reader import READ
from tests.theory.test_every_regime import modules_below_the_solvers, modules_with_functions
from tools.import_statements import imports_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
CARD = "tests/rules/test_cards.py::test_bad_is_found_good_is_clean_remedy_cures_rollback_restores"
READER = "tests/shows/test_every_reader.py::test_an_output_is_read"
REGIME = "tests/theory/test_every_regime.py::test_a_case_is_answered_in_its_regime"
WRED = "tests/theory/test_every_regime.py::test_a_class_with_wred_is_in_its_regime"
SOLVERS = "tests/theory/test_every_regime.py::test_the_cases_enter_every_module_below_the_solvers"


@pytest.fixture(scope="module")
def fast(request: pytest.FixtureRequest) -> set[str]:
    """Ids of the tests of the fast tier."""
    if is_everything(request.config):
        return {
            item.nodeid for item in request.session.items if not item.get_closest_marker("slow")
        }
    options = ["-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "not slow", *options]
    said = subprocess.run(  # noqa: S603 -- pytest itself
        [*command, "tests"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {line for line in said.stdout.splitlines() if "::" in line}


def is_everything(config: pytest.Config) -> bool:
    """Whether this run has collected all tests already."""
    folders = {config.rootpath / argument for argument in config.args}
    return ROOT / "tests" in folders and not (config.option.markexpr or config.option.keyword)


@pytest.mark.parametrize("rule", [rule.card.id for rule in load_rules(Settings().budgets)])
def test_a_rule_has_a_fast_test(fast: set[str], rule: str) -> None:
    assert f"{CARD}[{rule}]" in fast


@pytest.mark.parametrize("command", list(READ))
def test_a_reader_has_a_fast_test(fast: set[str], command: str) -> None:
    assert f"{READER}[{command}]" in fast


@pytest.mark.parametrize("regime", [regime.name for regime in queueing.Regime])
def test_a_regime_has_a_fast_test(fast: set[str], regime: str) -> None:
    assert f"{REGIME}[{regime}]" in fast


@pytest.mark.parametrize("regime", [regime.name for regime in wred.Regime])
def test_a_regime_of_wred_has_a_fast_test(fast: set[str], regime: str) -> None:
    assert f"{WRED}[{regime}]" in fast


def test_the_solvers_have_a_fast_test(fast: set[str]) -> None:
    assert SOLVERS in fast


def test_modules_beside_the_solvers_are_imported_by_fast_tests(fast: set[str]) -> None:
    files = {test.partition("::")[0] for test in fast}
    modules = modules_with_functions() - modules_below_the_solvers()
    _, imports = imports_of({file: (ROOT / file).read_text("utf-8") for file in files}, modules)
    targets = {f"{imported.target}." for imported in imports}
    assert [
        module for module in modules if not any(each.startswith(f"{module}.") for each in targets)
    ] == []
