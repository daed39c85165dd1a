"""Interfaces of a config with all that each alone uses: by the names that sections have and use."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Final

from msgspec import Struct

from advisor.ios.edit.keys import key_of
from advisor.ios.edit.sections import leaves_mode
from advisor.ios.syntax import ConfigTree, Line
from advisor.ios.syntax.modes import GLOBAL
from advisor.ios.syntax.names import parent_of

_INTERFACE: Final = "interface"
_NUMBERED: Final = "access-list"
_MAIN: Final = "."  # behind the name of a main interface: the group of its subinterfaces
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


SectionKey = tuple[str, str]  # the kind of a section and its name: ("interface", "Serial0/0")


class ReachUnit(Struct, frozen=True):
    """An interface with all that it alone uses, as places of sections in their order.

    `shared` are places that it uses together with others.
    """

    own: tuple[int, ...]
    shared: frozenset[int] = frozenset()


class _NamedSection(Struct, frozen=True):
    """A top-level line: the name it defines and the words under it.

    `kin` are the groups of an interface; the first group is a main interface with its
    subinterfaces.
    """

    name: str | None  # None: a command without a name of its own
    words: frozenset[str]
    kind: str = ""
    kin: tuple[str, ...] = ()

    @property
    def is_class_map(self) -> bool:
        return self.kind == "class-map"


class Reach:
    """Knows which top-level sections of a config use each other.

    Some sections define a name (interface, policy-map, class-map, list, map-class, vc-class). Such
    a section belongs together with the sections that it names and the sections that name it. An
    interface belongs together with its subinterfaces, its bundle and its pool. Any word may be a
    name, so a unit is rather too large than too small. A command that defines no name is in none,
    nor what it names except interfaces (`ip route … Serial0/0`).

    Parameters
    ----------
    tree
        The configuration.
    most_kin
        How many subinterfaces belong together with their main interface: where it has more, it is
        shared by all of them.
    """

    def __init__(self, tree: ConfigTree, most_kin: int | None = None) -> None:
        self._most_kin = most_kin
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

    def units(self) -> Iterator[ReachUnit]:
        """Interfaces, each with its kin and all that it alone uses, then class-maps without use.

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
                yield ReachUnit(tuple(sorted(own)), whole - own)
        yield from (ReachUnit((place,)) for place in self._unused_class_maps())

    def key_at(self, place: int) -> SectionKey | None:
        """The key of a section; None of a command that defines no name."""
        section = self._sections[place]
        return None if section.name is None else (section.kind, section.name)

    def _unused_class_maps(self) -> Iterator[int]:
        """Class-maps that no section names, and that stand once."""
        for place, section in enumerate(self._sections):
            name = section.name
            if name is None or not section.is_class_map or place in self._everywhere:
                continue
            if {*self._users.get(name, ())} <= {place} and self._named[name] == [place]:
                yield place

    def is_everywhere(self, place: int) -> bool:
        """Whether a section is a command without a name of its own, or is used by one."""
        return place in self._everywhere

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

    def _mentioned(self, section: _NamedSection) -> Iterator[str]:
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
            groups += [self._kin_of(name) for name in kin]
            for place in chain.from_iterable(groups):
                if place not in closed:
                    closed.add(place)
                    waiting.append(self._sections[place])
        return frozenset(closed)

    def _kin_of(self, group: str) -> list[int]:
        """The sections of a group; of many subinterfaces, their main interface alone."""
        kin = self._kin[group]
        if self._most_kin is None or len(kin) <= self._most_kin or not group.endswith(_MAIN):
            return kin
        return self._named.get(group.removesuffix(_MAIN), [])


def section_key(command: str) -> SectionKey | None:
    """The key of the section that a top-level command enters; None where it defines no name."""
    key = key_of(GLOBAL, command)
    if key[0] in _NAMED:
        return key[0], key[1] if key[0] == _NUMBERED and len(key) > 1 else key[-1]
    return (key[0], key[-1]) if key[1:2] == (_NUMBERED,) else None


def _section(line: Line) -> _NamedSection:
    if not line.is_command or leaves_mode(line.text):
        return _NamedSection(None, frozenset())
    texts = [nested.text for nested in line.walk()]
    words = frozenset(" ".join(texts).split())
    key = section_key(line.text)
    if key is None:
        return _NamedSection(None, words)
    kind, name = key
    if kind != _INTERFACE:
        return _NamedSection(name, words, kind)
    main = parent_of(name) or name
    return _NamedSection(name, words, kind, (f"{main}{_MAIN}", name, *_bundles(texts)))


def _bundles(texts: Iterable[str]) -> Iterator[str]:
    """Names of the bundles and pools of an interface and of its circuits, by its lines."""
    for text in texts:
        bundled = _BUNDLED.match(text)
        if bundled is not None:
            yield f"{_BUNDLES.get(bundled[1], 'dialer pool ')}{bundled[2]}"
        elif text.startswith("encapsulation frame-relay MFR"):
            yield text.split()[-1]
