"""What a check said, as values that a test can compare: a Skip is neither a hit nor silence."""

from collections.abc import Iterable
from typing import TypeVar

from advisor.lint.checks.base import Hit, Skip

E = TypeVar("E")


def hits_of(results: Iterable[Hit[E] | Skip]) -> list[Hit[E]]:
    """The hits of a check that skips nothing: a Skip fails the test."""
    hits = []
    for result in results:
        assert isinstance(result, Hit), f"not judged: {result}"
        hits.append(result)
    return hits


def hit_of(results: Iterable[Hit[E] | Skip]) -> Hit[E]:
    """The only thing that a check says, a hit."""
    (hit,) = hits_of(results)
    return hit


def skip_of(results: Iterable[Hit[E] | Skip]) -> Skip:
    """The only thing that a check says, a Skip."""
    (result,) = results
    assert isinstance(result, Skip), f"judged: {result}"
    return result
