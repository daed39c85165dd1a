"""Commands of a hit on WRED, as its template writes them into the class."""

from typing import Any

from advisor.lint.checks.base import Hit
from advisor.lint.remedies import remedy_lines


def wred_lines(hit: Hit[Any]) -> tuple[str, ...]:
    """The lines of the decision on the queue, without those that enter its mode."""
    section = hit.evidence.section
    return tuple(line.strip() for line in remedy_lines("wred.j2", hit)[len(section) :])
