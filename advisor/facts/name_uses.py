"""Lines that name a list, a map or an object elsewhere in a configuration, and what is defined."""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.ios.syntax import ConfigTree, Line


class NameKind(StrEnum):
    """What is named: the words that open its definition."""

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


# Of each kind: its definition, and the lines that name one. The name is the group.
_GRAMMAR: Final = {
    NameKind.ACCESS_LIST: (
        r"(?:ip |ipv6 |mac )?access-list (?:(?:standard|extended|role-based) )?(\S+)",
        (
            r"ip access-group (\S+) (?:in|out)",
            r"(?:ipv6 )?access-class (\S+) (?:in|out)",
            r"ipv6 traffic-filter (\S+) ",
            r"match ip address (?!prefix-list)(\S+)",
            r"match address (\S+)",
            r"rate-limit (?:in|out)put access-group (\d+)",
            r"traffic-shape group (\d+)",
            r"dialer-list \d+ protocol \S+ list (\S+)",
            r"priority-list \d+ protocol ip \S+ list (\d+)",
            r"queue-list \d+ protocol ip \d+ list (\d+)",
            r"ip nat inside source list (\S+)",
        ),
    ),
    NameKind.ROUTE_MAP: (r"route-map (\S+)", (r"(?:ip|redistribute|neighbor) .*route-map (\S+)",)),
    NameKind.PREFIX_LIST: (
        r"ip(?:v6)? prefix-list (\S+)",
        (
            r"match ip(?:v6)? address prefix-list (\S+)",
            r"neighbor \S+ prefix-list (\S+)",
            r"distribute-list prefix (\S+)",
        ),
    ),
    NameKind.KEY_CHAIN: (
        r"key chain (\S+)",
        (
            r"ip authentication key-chain eigrp \d+ (\S+)",
            r"ip (?:rip|ospf) authentication key-chain (\S+)",
        ),
    ),
    NameKind.TRACK: (
        r"track (\d+)",
        (r"(?:standby|vrrp) \d+ track (\d+)", r"glbp \d+ weighting track (\d+)",
         r"ip route .* track (\d+)"),
    ),
    NameKind.IP_SLA: (
        r"(?:ip sla(?: monitor)?|rtr) (\d+)",
        (
            r"(?:ip sla(?: monitor)?|rtr) (?:schedule|reaction-configuration) (\d+)",
            r"track \d+ (?:ip sla|rtr) (\d+)",
        ),
    ),
    NameKind.TABLE_MAP: (r"table-map (\S+)", (r"set \S+ \S+ table (\S+)",)),
    NameKind.OBJECT_GROUP: (
        r"object-group (?:(?:(?:v6-)?(?:network|service)|ip|security)(?: address| port)? )?(\S+)",
        (r"(?:\d+ )?(?:permit|deny) .*object-group (\S+)", r"group-object (\S+)"),
    ),
}  # fmt: skip
_DEFINED: Final = tuple((kind, re.compile(head)) for kind, (head, _) in _GRAMMAR.items())
_NAMED: Final = tuple(
    (kind, re.compile(use)) for kind, (_, uses) in _GRAMMAR.items() for use in uses
)
# Most lines have none of these words.
_WORDS: Final = re.compile(
    r"access|list|route-map|key-chain|track|sla|rtr|table|object|match|traffic-"
)


def defined_names(tree: ConfigTree) -> frozenset[tuple[NameKind, str]]:
    """Names that a top-level line of the configuration defines, by their kind."""
    return frozenset(
        (kind, found[1])
        for line in tree.commands()
        for kind, head in _DEFINED
        if (found := head.match(line.text)) is not None
    )


def name_uses(tree: ConfigTree) -> Iterator[NameUse]:
    """Each line that names something of these kinds, in document order."""
    for top in tree.commands():
        for line in top.walk():
            if line.is_command and _WORDS.search(line.text):
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
