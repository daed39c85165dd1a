"""How a tree looks: its commands, one blank deeper for each level."""

from collections.abc import Callable

import pytest

from advisor.ios.syntax import ConfigTree, Line
from advisor.ios.syntax.reader import parse_config


def _outline(tree: ConfigTree) -> list[str]:
    shown: list[str] = []
    stack: list[tuple[Line, int]] = [(line, 0) for line in reversed(tree.lines)]
    while stack:
        line, depth = stack.pop()
        if line.is_command:
            shown.append(" " * depth + line.text)
        stack.extend((child, depth + 1) for child in reversed(line.children))
    return shown


@pytest.fixture
def outline() -> Callable[[str], list[str]]:
    return lambda text: _outline(parse_config(text))
