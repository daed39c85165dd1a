"""Errors that a user can do something about: one base, caught once at the border of the command."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from advisor.cli import lint_jobs, run
from advisor.cli.endings import WrongUseError
from advisor.collect.hosts import CredentialsError, InventoryError, KnownHostsError
from advisor.design.wred_plan import DemandError
from advisor.ground.faults import AdvisorError, Guard
from advisor.lint.cards import CardError
from advisor.lint.checks import CheckError
from advisor.predict.size import SizingError
from advisor.predict.what_if import InputError
from advisor.settings import SettingsError
from advisor.settings.read_scenarios import ScenarioError

ADVISOR = Path(__file__).parents[1] / "advisor"
ERRORS = [
    CardError,
    CheckError,
    CredentialsError,
    DemandError,
    InputError,
    InventoryError,
    KnownHostsError,
    ScenarioError,
    SettingsError,
    SizingError,
    WrongUseError,
]


@pytest.mark.parametrize("error", [pytest.param(error, id=error.__name__) for error in ERRORS])
def test_an_error_that_no_job_names_ends_as_wrong_use_with_its_message(
    error: type[AdvisorError], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(*_: object) -> None:
        raise error("r1.cfg\x1b[31m: is wrong\nsecond line")

    monkeypatch.setattr(lint_jobs, "lint", failing)
    assert run(["lint", "r1.cfg"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "advisor: r1.cfg\\x1b[31m: is wrong\\x0asecond line\n"


def test_a_guard_keeps_a_defect_and_lets_an_error_of_the_user_pass() -> None:
    def failing(error: Exception) -> None:
        raise error

    guard = Guard()
    with guard.around("r1"):
        failing(ZeroDivisionError())
    assert guard.holds("r1")
    with pytest.raises(SizingError), guard.around("r2"):
        failing(SizingError("state the load"))
    assert not guard.holds("r2")


@cache
def modules() -> dict[str, ast.Module]:
    return {
        path.relative_to(ADVISOR).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(ADVISOR.rglob("*.py"))
    }


def names_of(node: ast.AST) -> set[str]:
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}


def lists_of_errors() -> Iterator[str]:
    ours = {
        node.name
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error")
    }
    for file, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Tuple) and len(names_of(node) & ours) > 1:
                yield f"{file}:{node.lineno}"


def test_no_list_of_errors_is_kept_by_hand() -> None:
    assert list(lists_of_errors()) == []


def members_of(annotation: ast.expr) -> list[str]:
    if isinstance(annotation, ast.BinOp):
        return members_of(annotation.left) + members_of(annotation.right)
    return [ast.unparse(annotation)]


def text_beside_a_value() -> Iterator[str]:
    for file, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.returns is not None:
                members = set(members_of(node.returns))
                if "str" in members and members - {"str", "None"}:
                    yield f"{file}:{node.lineno} {node.name}"


def test_a_reason_in_the_place_of_a_value_is_unknown_never_a_bare_text() -> None:
    assert list(text_beside_a_value()) == []
