"""Links between the devices of a run: which two interfaces are the two ends of one link.

Signs are the subnet of the addresses, what CDP saw, and the names in descriptions. What two signs
say against each other, or what fits several interfaces, is said and not decided.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from ipaddress import IPv4Network
from typing import Final

from msgspec import Struct

from advisor.device.link_ends import LinkEnd, host_name

_ENDS: Final = 2
_LEAST_NAME: Final = 2  # characters: one letter in a description is no host name


class Sign(StrEnum):
    """What shows that two interfaces are of one link."""

    SUBNET = "subnet"
    CDP = "show cdp neighbors detail"
    DESCRIPTION = "description"


class Link(Struct, frozen=True):
    """Two interfaces of two devices that are one link, and what shows it."""

    ends: tuple[LinkEnd, LinkEnd]
    signs: tuple[Sign, ...]

    def far_end(self, device: str) -> LinkEnd:
        """The end that is not of this device."""
        one, other = self.ends
        return other if one.device == device else one


class Doubt(StrEnum):
    """Why a link is not decided."""

    SEVERAL = "several interfaces fit"
    SAME_ADDRESS = "two interfaces have one address"
    CONTRADICTION = "the signs name different devices"


class Undecided(Struct, frozen=True):
    """Interfaces of which two may be one link, and why nothing is decided."""

    candidates: tuple[LinkEnd, ...]
    doubt: Doubt


class Links(Struct, frozen=True):
    """All links of a run in the order of their ends, and what is not decided."""

    found: tuple[Link, ...] = ()
    undecided: tuple[Undecided, ...] = ()


class LinkTable(Struct, frozen=True, dict=True):  # without slots: what is found is kept
    """The ends of all links of a run."""

    ends: tuple[LinkEnd, ...] = ()

    @cached_property
    def links(self) -> Links:
        """What the ends show together; see `links_of`."""
        return links_of(self.ends)

    @cached_property
    def _by_end(self) -> dict[tuple[str, str], Link]:
        return {(end.device, end.interface): link for link in self.links.found for end in link.ends}

    def link(self, device: str, interface: str) -> Link | None:
        """The link of an interface, where its other end is in the run."""
        return self._by_end.get((device, interface))

    def doubts(self, device: str, interface: str) -> tuple[Undecided, ...]:
        """What is not decided of an interface."""
        return tuple(
            each
            for each in self.links.undecided
            if any((end.device, end.interface) == (device, interface) for end in each.candidates)
        )


def links_of(ends: Sequence[LinkEnd]) -> Links:
    """Pair the ends of the devices of a run.

    Two interfaces of one subnet are a link if no third one of the run is in it and a link has room
    for no other router, or if CDP or a description names the other device. CDP alone pairs two
    interfaces that it names, descriptions alone two that are the only ones to name each other.
    CDP or a description that names another device of the run contradicts a subnet.
    """
    names = {end.device.lower(): end.device for end in ends}
    found: list[Link] = []
    undecided: list[Undecided] = []
    for group in _by_subnet(ends):
        outcome = _of_subnet(group, names)
        if isinstance(outcome, Link):
            found.append(outcome)
        elif outcome is not None:
            undecided.append(outcome)
    decided = {end for link in found for end in link.ends}
    decided |= {end for each in undecided for end in each.candidates}
    told = _by_description(ends, names)
    for pairs, sign in ((_by_cdp(ends), Sign.CDP), (told, Sign.DESCRIPTION)):
        for one, other in pairs:
            if one not in decided and other not in decided:
                found.append(Link((one, other), (sign,)))
                decided |= {one, other}
    return Links(tuple(found), tuple(undecided))


def _by_subnet(ends: Iterable[LinkEnd]) -> Iterator[list[LinkEnd]]:
    """Ends of each subnet in which two devices have an address."""
    groups: dict[IPv4Network, list[LinkEnd]] = {}
    for end in ends:
        if end.network is not None:
            groups.setdefault(end.network, []).append(end)
    return (group for group in groups.values() if len({end.device for end in group}) >= _ENDS)


def _of_subnet(group: Sequence[LinkEnd], names: Mapping[str, str]) -> Link | Undecided | None:
    is_same = len({end.address for end in group}) < len(group)
    if is_same or len(group) > _ENDS:
        # A LAN has many routers, and many sites use its addresses; a subnet of a link has two.
        doubt = Doubt.SAME_ADDRESS if is_same else Doubt.SEVERAL
        is_link = any(end.is_two_ended for end in group)
        return Undecided(tuple(group), doubt) if is_link else None
    one, other = group
    signs = {Sign.SUBNET}
    for end, far in ((one, other), (other, one)):
        for sign, named in ((Sign.CDP, _seen(end, names)), (Sign.DESCRIPTION, _told(end, names))):
            if named and far.device not in named:
                return Undecided((one, other), Doubt.CONTRADICTION)
            if named:
                signs.add(sign)
    if len(signs) == 1 and not (one.is_two_ended and other.is_two_ended):
        return None
    return Link((one, other), tuple(sign for sign in Sign if sign in signs))


def _seen(end: LinkEnd, names: Mapping[str, str]) -> frozenset[str]:
    """Devices of the run that CDP saw on an interface."""
    return frozenset(names[each.device] for each in end.neighbors if each.device in names)


def _told(end: LinkEnd, names: Mapping[str, str]) -> frozenset[str]:
    """Other devices of the run that a description names."""
    told = {names[word] for word in end.described if word in names and len(word) >= _LEAST_NAME}
    return frozenset(told - {end.device})


def _by_cdp(ends: Sequence[LinkEnd]) -> Iterator[tuple[LinkEnd, LinkEnd]]:
    """Ends of which one printed the other as its only neighbor."""
    by_place = {(end.device.lower(), end.interface): end for end in ends}
    for end in ends:
        if len(end.neighbors) != 1:
            continue
        (neighbor,) = end.neighbors
        far = by_place.get((neighbor.device, neighbor.interface))
        if far is None or far.device == end.device:
            continue
        back = {(each.device, each.interface) for each in far.neighbors}
        if not back or back == {(host_name(end.device), end.interface)}:
            yield end, far


def _by_description(
    ends: Sequence[LinkEnd], names: Mapping[str, str]
) -> Iterator[tuple[LinkEnd, LinkEnd]]:
    """Ends whose devices name each other once, each on one interface."""
    naming: dict[tuple[str, str], list[LinkEnd]] = {}
    for end in ends:
        told = _told(end, names)
        if len(told) == 1:
            naming.setdefault((end.device, next(iter(told))), []).append(end)
    for (device, far), (end, *more) in naming.items():
        back = naming.get((far, device), [])
        if device < far and not more and len(back) == 1:
            yield end, back[0]
