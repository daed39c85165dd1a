"""Lines that each state named facts: what their expressions find, by name."""

import re
from collections.abc import Iterable


def present(match: re.Match[str]) -> dict[str, str]:
    """The groups of a match that took part in it, without space around them."""
    return {key: text.strip() for key, text in match.groupdict().items() if text is not None}


def take_facts(
    text: str, fields: dict[str, str], patterns: Iterable[re.Pattern[str]], unused: re.Pattern[str]
) -> bool:
    """Add the facts of a line to `fields`; whether the line is understood, or of no use."""
    for pattern in patterns:
        match = pattern.fullmatch(text)
        if match is not None:
            fields.update(present(match))
            return True
    return unused.match(text) is not None
