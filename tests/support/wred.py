"""Commands of a hit on WRED, as its template writes them into the class."""

from typing import Any

from advisor.lint.checks.base import Hit
from advisor.lint.site import remedy_lines

_HEADS = ("interface ", "policy-map ", "class ")


def wred_lines(hit: Hit[Any]) -> tuple[str, ...]:
    """The lines of the decision on the queue, without those that enter its mode."""
    lines = (line.strip() for line in remedy_lines("wred.j2", hit))
    return tuple(line for line in lines if not line.startswith(_HEADS))
