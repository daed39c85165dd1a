"""DSCPs that a packet of a class can have, by its class-map.

A match that is not read, or not known, selects everything: a code is left out only if the config
proves that no packet of the class has it.
"""

from collections.abc import Callable
from functools import reduce
from typing import Final

from msgspec import Struct, field

from advisor.facts import AccessEntry, AccessList
from advisor.facts.config import Facts
from advisor.facts.policy import Match
from advisor.ground.units import whole

_DSCPS_PER_PRECEDENCE: Final = 8  # IP precedence is the three high bits of the DSCP
_ALL: Final = frozenset(range(64))
_NONE: Final[frozenset[int]] = frozenset()
_DEEPEST_NESTING: Final = 100  # of class-maps; IOS allows far less


class Selectable(Struct, frozen=True):
    """DSCPs that packets of a class can have, and the codes that its match lines name."""

    dscps: frozenset[int]
    named_dscps: frozenset[int] = _NONE
    named_precedences: frozenset[int] = _NONE

    @property
    def precedences(self) -> frozenset[int]:
        """IP precedences that packets of the class can have."""
        return frozenset(dscp // _DSCPS_PER_PRECEDENCE for dscp in self.dscps)

    def within(self, dscps: frozenset[int]) -> "Selectable":
        """The same, with only `dscps` possible."""
        narrowed = Selectable(self.dscps & dscps)
        return Selectable(
            narrowed.dscps,
            self.named_dscps & narrowed.dscps,
            self.named_precedences & narrowed.precedences,
        )


EVERYTHING: Final = Selectable(_ALL)


def dscps_of(precedences: frozenset[int]) -> frozenset[int]:
    """The DSCPs whose three high bits are one of these IP precedences."""
    return frozenset(dscp for dscp in _ALL if dscp // _DSCPS_PER_PRECEDENCE in precedences)


def _either(selectable: Selectable, other: Selectable) -> Selectable:
    return Selectable(
        selectable.dscps | other.dscps,
        selectable.named_dscps | other.named_dscps,
        selectable.named_precedences | other.named_precedences,
    )


def _both(selectable: Selectable, other: Selectable) -> Selectable:
    return _either(selectable, other).within(selectable.dscps & other.dscps)


def _of_entry(entry: AccessEntry) -> Selectable:
    if not entry.understood:
        return EVERYTHING
    if entry.dscp is not None:
        return Selectable(frozenset({entry.dscp}), named_dscps=frozenset({entry.dscp}))
    if entry.precedence is not None:
        precedences = frozenset({entry.precedence})
        return Selectable(dscps_of(precedences), named_precedences=precedences)
    return EVERYTHING


def _takes_all(entry: AccessEntry) -> bool:
    """Whether every packet with the entry's DSCP or precedence ends at this entry."""
    return (
        entry.understood
        and not entry.narrowed_by
        and (entry.protocol, entry.source, entry.destination) == ("ip", "any", "any")
    )


def _of_access_list(access_list: AccessList) -> Selectable:
    """DSCPs that the list permits; a deny counts if it takes all packets of its codes."""
    permitted, remaining = Selectable(_NONE), _ALL
    for entry in access_list.entries:
        codes = _of_entry(entry)
        if entry.permit:
            permitted = _either(permitted, codes.within(remaining))
        if _takes_all(entry):
            remaining -= codes.dscps
    return permitted


def _of_codes(match: Match) -> Selectable:
    codes = frozenset(whole(value) for value in match.values)
    dscps = codes if match.kind == "dscp" else dscps_of(codes)
    if match.negated:
        return Selectable(_ALL - dscps)
    if match.kind == "dscp":
        return Selectable(dscps, named_dscps=codes)
    return Selectable(dscps, named_precedences=codes)


class _Resolver(Struct, frozen=True):
    """The class-maps and access lists of a config; each is resolved once."""

    facts: Facts
    classes: dict[str, Selectable] = field(default_factory=dict)
    lists: dict[str, Selectable] = field(default_factory=dict)

    def of_class(self, name: str, depth: int = 0) -> Selectable:
        resolved = self.classes.get(name)
        if resolved is not None:
            return resolved
        self.classes[name] = EVERYTHING  # for a class-map that names itself through nesting
        class_map = self.facts.class_map(name)
        if class_map is not None and class_map.matches and depth < _DEEPEST_NESTING:
            parts = [self._of_match(match, depth) for match in class_map.matches]
            if not class_map.match_all and name in self.facts.unread_class_maps:
                parts.append(EVERYTHING)
            combine: Callable[[Selectable, Selectable], Selectable]
            combine = _both if class_map.match_all else _either
            self.classes[name] = reduce(combine, parts)
        return self.classes[name]

    def _of_match(self, match: Match, depth: int) -> Selectable:
        if match.kind in ("dscp", "precedence"):
            return _of_codes(match)
        if match.negated or not match.values:
            return EVERYTHING
        if match.kind == "class-map":
            return self.of_class(match.values[0], depth + 1)
        if match.kind == "access-group":
            return self._of_list(match.values[0])
        return EVERYTHING

    def _of_list(self, name: str) -> Selectable:
        access_list = self.facts.access_list(name)
        if access_list is None:
            return EVERYTHING
        if name not in self.lists:
            self.lists[name] = _of_access_list(access_list)
        return self.lists[name]


def selectable_by_class(facts: Facts) -> Callable[[str], Selectable]:
    """Look-up of the DSCPs that packets of a class can have.

    Follows match-any and match-all, `match not`, nested class-maps and IP access lists. A class
    without a class-map, such as class-default, can have any DSCP.
    """
    return _Resolver(facts).of_class
