"""Lines that name a list, a map or an object elsewhere in a configuration, and what is defined."""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.ios import pattern
from advisor.ios.grammar import rows_of
from advisor.ios.syntax import ConfigTree, Line


class NameKind(StrEnum):
    """Kinds of named things: the words that open the definition."""

    ACCESS_LIST = "access-list"
    ROUTE_MAP = "route-map"
    PREFIX_LIST = "prefix-list"
    KEY_CHAIN = "key chain"
    TRACK = "track"
    IP_SLA = "ip sla"
    TABLE_MAP = "table-map"
    OBJECT_GROUP = "object-group"


class NameUse(Struct, frozen=True):
    """A line that names something; `place` is the section that it stands in, or its own words."""

    kind: NameKind
    name: str
    statement: str
    place: str
    line: Line


# Patterns of each kind: its definition, and the lines that name one. The name is the group.
def _patterns(section: str) -> tuple[tuple[NameKind, re.Pattern[str]], ...]:
    return tuple(
        (NameKind[kind], pattern(row)) for kind, rows in rows_of(section).items() for row in rows
    )


def _any_of(section: str) -> re.Pattern[str]:
    """Matches the lines that one of the patterns matches: few do."""
    return pattern("|".join(f"(?:{row})" for rows in rows_of(section).values() for row in rows))


_DEFINED: Final = _patterns("defined")
_NAMED: Final = _patterns("named")
_ANY_DEFINED: Final = _any_of("defined")
_ANY_NAMED: Final = _any_of("named")


def defined_names(tree: ConfigTree) -> frozenset[tuple[NameKind, str]]:
    """Names that a top-level line of the configuration defines, by their kind."""
    return frozenset(
        (kind, found[1])
        for line in tree.commands()
        if _ANY_DEFINED.match(line.text)
        for kind, head in _DEFINED
        if (found := head.match(line.text)) is not None
    )


def name_uses(tree: ConfigTree) -> Iterator[NameUse]:
    """Each line that names something of these kinds, in document order."""
    for top in tree.commands():
        for line in top.walk() if top.children else (top,):
            if line.is_command and _ANY_NAMED.match(line.text):
                for kind, use in _NAMED:
                    found = use.match(line.text)
                    if found is not None:
                        place = top.text if line is not top else found[0]
                        start = max(0, found[0].rfind(kind))  # "route-map NAME" of a long line
                        yield NameUse(kind, found[1], found[0][start:].strip(), place, line)


_MOST_NEAR: Final = 10
_MOST_COMPARED: Final = 200  # names of one kind; of more, those of the same length and first letter


def near_names(name: str, defined: Iterable[str]) -> tuple[str, ...]:
    """Defined names that one may have been meant to be, the nearest first; case aside.

    >>> near_names("wan", ["LAN-OUT", "WAN", "WAN-2"])
    ('WAN', 'WAN-2')
    """
    by_lower_case: dict[str, list[str]] = {}
    for item in defined:
        by_lower_case.setdefault(item.lower(), []).append(item)
    lower_names = list(by_lower_case)
    if len(lower_names) > _MOST_COMPARED:
        shape = (name[:1].lower(), len(name))
        lower_names = [
            lower_name for lower_name in lower_names if (lower_name[:1], len(lower_name)) == shape
        ]
    close = get_close_matches(name.lower(), lower_names[:_MOST_COMPARED], n=_MOST_NEAR)
    return tuple(entry for lower in close for entry in by_lower_case[lower] if entry != name)
