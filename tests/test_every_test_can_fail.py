"""A test that asserts nothing, or only the type of what it got, passes whatever the product does."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FILES = sorted(TESTS.rglob("test_*.py"))
JUDGES = {"raises", "warns", "validate"}  # what fails by itself


def calls_of(node: ast.AST) -> set[str]:
    """Names of the functions and methods that are called anywhere in it."""
    functions = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
    names = {function.id for function in functions if isinstance(function, ast.Name)}
    return names | {function.attr for function in functions if isinstance(function, ast.Attribute)}


def judgements_of(node: ast.AST) -> list[ast.expr]:
    return [statement.test for statement in ast.walk(node) if isinstance(statement, ast.Assert)]


def is_of_type_only(test: ast.expr) -> bool:
    """Is it `isinstance(x, T)`, or `x is not None`?"""
    match test:
        case ast.Call(func=ast.Name(id="isinstance" | "callable" | "hasattr")):
            return True
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
    return False


def cannot_fail(text: str) -> Iterator[str]:
    """Names of the tests of a file that judge nothing, or only types."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    judging = JUDGES | {
        node.name for node in functions if judgements_of(node) and not node.name.startswith("test")
    }
    for node in functions:
        if node.name.startswith("test") and not calls_of(node) & judging:
            judgements = judgements_of(node)
            if all(is_of_type_only(test) for test in judgements):
                yield node.name


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_every_test_judges_a_value(file: Path) -> None:
    assert list(cannot_fail(file.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("body", "names"),
    [
        pytest.param("x = f()", ["test_x"], id="nothing is asserted"),
        pytest.param("assert isinstance(f(), Hit)", ["test_x"], id="a type"),
        pytest.param("assert f() is not None", ["test_x"], id="that there is something"),
        pytest.param("assert f() == 3", [], id="a value"),
        pytest.param("assert isinstance(f(), Hit); assert f().ms == 3", [], id="type and value"),
        pytest.param("with pytest.raises(ValueError): f()", [], id="an exception"),
    ],
)
def test_what_cannot_fail_is_named(body: str, names: list[str]) -> None:
    assert list(cannot_fail(f"def test_x():\n    {body}\n")) == names
