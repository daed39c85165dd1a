"""Interfaces of a config with all that each alone uses: by the names that sections have and use."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Final

from msgspec import Struct

from advisor.ios.edit.keys import meaning_of
from advisor.ios.edit.sections import leaves_mode
from advisor.ios.syntax import ConfigTree, Line
from advisor.ios.syntax.modes import GLOBAL

_INTERFACE: Final = "interface"
_NUMBERED: Final = "access-list"
_NAMED: Final = frozenset(
    (_INTERFACE, _NUMBERED, "policy-map", "class-map", "map-class", "vc-class")
)
_BUNDLED: Final = re.compile(
    r"(ppp multilink group|multilink-group|channel-group|dialer pool(?:-member)?"
    r"|pppoe-client dial-pool-number) (\d+)"
)
_BUNDLES: Final = {
    "ppp multilink group": "Multilink",
    "multilink-group": "Multilink",
    "channel-group": "Port-channel",
}


class _Section(Struct, frozen=True):
    """A top-level line: the name it defines and the words under it.

    `kin` are the groups of an interface; the first group is a main interface with its
    subinterfaces.
    """

    name: str | None  # None: a command without a name of its own
    words: frozenset[str]
    kin: tuple[str, ...] = ()
    is_class_map: bool = False


class Reach:
    """Knows which top-level sections of a config use each other.

    Some sections define a name (interface, policy-map, class-map, list, map-class, vc-class). Such
    a section belongs together with the sections that it names and the sections that name it. An
    interface belongs together with its subinterfaces, its bundle and its pool. Any word may be a
    name, so a unit is rather too large than too small. A command that defines no name is in none,
    nor what it names except interfaces (`ip route … Serial0/0`).
    """

    def __init__(self, tree: ConfigTree) -> None:
        self._sections = [_section(line) for line in tree.lines]
        self._named: dict[str, list[int]] = defaultdict(list)
        self._users: dict[str, list[int]] = defaultdict(list)
        self._kin: dict[str, list[int]] = defaultdict(list)
        for place, section in enumerate(self._sections):
            if section.name is not None:
                self._named[section.name].append(place)
            for group in section.kin:
                self._kin[group].append(place)
        for place, section in enumerate(self._sections):
            for name in self._mentioned(section) if section.name is not None else ():
                self._users[name].append(place)

    def units(self) -> Iterator[tuple[int, ...]]:
        """Interfaces, each with its kin and all that it alone uses, as places in their order.

        Then class-maps that nothing uses.

        What several use is in none of them. Where another section uses what is in it, an interface
        is in no unit.
        """
        wholes: list[frozenset[int]] = []
        met: set[int] = set()
        for place, section in enumerate(self._sections):
            if section.kin and place not in met and place not in self._everywhere:
                whole = self._closed({place}) - self._everywhere
                met |= whole
                wholes.append(whole)
        used = Counter(place for whole in wholes for place in whole)
        for whole in wholes:
            own = {place for place in whole if used[place] == 1}
            users = {user for place in own for user in self._users_of(place)}
            if users <= own and any(self._sections[place].kin for place in own):
                yield tuple(sorted(own))
        yield from ((place,) for place in self._unused_class_maps())

    def _unused_class_maps(self) -> Iterator[int]:
        """Class-maps that no section names, and that stand once."""
        for place, section in enumerate(self._sections):
            name = section.name
            if name is None or not section.is_class_map or place in self._everywhere:
                continue
            if {*self._users.get(name, ())} <= {place} and self._named[name] == [place]:
                yield place

    def _users_of(self, place: int) -> Sequence[int]:
        name = self._sections[place].name
        return () if name is None else self._users.get(name, ())

    def words_outside(self, inside: frozenset[int]) -> frozenset[str]:
        """Words of all sections but some."""
        sections = (item for place, item in enumerate(self._sections) if place not in inside)
        return frozenset(word for section in sections for word in section.words)

    @cached_property
    def _everywhere(self) -> frozenset[int]:
        unnamed = frozenset(
            place for place, section in enumerate(self._sections) if section.name is None
        )
        words = {name for place in unnamed for name in self._mentioned(self._sections[place])}
        definitions = {place for name in words for place in self._named[name]}
        return unnamed | self._closed(
            {place for place in definitions if not self._sections[place].kin}
        )

    def _mentioned(self, section: _Section) -> Iterator[str]:
        return (word for word in section.words if word in self._named)

    def _closed(self, places: set[int]) -> frozenset[int]:
        """Add the sections that these name, and the kin of interfaces, until all are in."""
        closed = set(places)
        met: set[str] = set()  # groups of interfaces that are already in
        waiting = [self._sections[place] for place in closed]
        while waiting:
            section = waiting.pop()
            groups = [self._named[name] for name in self._mentioned(section)]
            kin = [name for name in section.kin if name not in met]
            met.update(kin)
            groups += [self._kin[name] for name in kin]
            for place in chain.from_iterable(groups):
                if place not in closed:
                    closed.add(place)
                    waiting.append(self._sections[place])
        return frozenset(closed)


def _section(line: Line) -> _Section:
    if not line.is_command or leaves_mode(line.text):
        return _Section(None, frozenset())
    texts = [nested.text for nested in line.walk()]
    words = frozenset(word for text in texts for word in text.split())
    key = meaning_of(GLOBAL, line.text).key
    if key[0] not in _NAMED and key[1:2] != (_NUMBERED,):
        return _Section(None, words)
    name = key[1] if key[0] == _NUMBERED and len(key) > 1 else key[-1]
    if key[0] != _INTERFACE:
        return _Section(name, words, is_class_map=key[0] == "class-map")
    main, _, _ = name.partition(".")
    return _Section(name, words, (f"{main}.", name, *_bundles(line)))


def _bundles(line: Line) -> Iterator[str]:
    """Names of the bundles and pools of an interface and of its circuits."""
    for child in line.walk():
        bundled = _BUNDLED.match(child.text)
        if bundled is not None:
            yield f"{_BUNDLES.get(bundled[1], 'dialer pool ')}{bundled[2]}"
        elif child.text.startswith("encapsulation frame-relay MFR"):
            yield child.text.split()[-1]
