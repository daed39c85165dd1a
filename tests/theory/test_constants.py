"""Every number of the models that has a name says where it comes from."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor import theory as model

MODULES = sorted(Path(model.__path__[0]).rglob("*.py"))


def is_number(node: ast.expr | None) -> bool:
    """Whether an expression is made of numbers alone."""
    if node is None:
        return False
    leaves = [leaf for leaf in ast.walk(node) if isinstance(leaf, ast.Constant | ast.Name)]
    return bool(leaves) and all(
        isinstance(leaf, ast.Constant)
        and isinstance(leaf.value, int | float)
        and not isinstance(leaf.value, bool)
        for leaf in leaves
    )


def unexplained(text: str) -> Iterator[str]:
    """Named numbers without a comment beside them or above the block that they stand in."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or not is_number(node.value):
            continue
        above = node.lineno - 2
        while above >= 0 and lines[above].strip() and not lines[above].startswith("#"):
            above -= 1
        is_under_comment = above >= 0 and lines[above].startswith("#")
        if "#" not in lines[node.lineno - 1] and not is_under_comment:
            yield lines[node.lineno - 1]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.stem))
def test_every_named_number_of_a_module_has_its_derivation(path: Path) -> None:
    assert list(unexplained(path.read_text("utf-8"))) == []


def test_a_number_without_a_word_is_found() -> None:
    assert list(unexplained("A = 1\n\n# of B\nB = 2\nC = 3.0  # of C\n")) == ["A = 1"]
