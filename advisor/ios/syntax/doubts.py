"""Commands that IOS would refuse for a word: short for several keywords, or misspelt."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.ios.syntax.abbreviations import Doubt, doubt_about
from advisor.ios.syntax.modes import GLOBAL, opens_mode
from advisor.ios.syntax.tree import Kind, Line


class Doubtful(Struct, frozen=True):
    """A command with a word in doubt, and the commands that enter its mode, outermost first."""

    line: Line
    under: tuple[str, ...]
    doubt: Doubt


def doubtful_lines(top: Line) -> Iterator[Doubtful]:
    """Commands with a word that is nearly a keyword of their mode, in document order.

    A mode that is not known has no keywords: nothing in it is in doubt. `top` is a line of the top
    level.
    """
    stack: list[tuple[Line, str, tuple[str, ...]]] = [(top, GLOBAL, ())]
    while stack:
        line, mode, under = stack.pop()
        if line.kind is not Kind.COMMAND:
            continue
        doubt = doubt_about(mode, line.text)
        if doubt is not None:
            yield Doubtful(line, under, doubt)
        inner = opens_mode(mode, line.text) if line.children else None
        if inner is not None:
            within = (*under, line.text)
            stack.extend((child, inner, within) for child in reversed(line.children))
