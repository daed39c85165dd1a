"""The part of a config that an edit can affect: the names it uses, and the users of its names."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ios.edit.meaning import meaning_of
from advisor.ios.edit.sections import leaves_mode
from advisor.ios.syntax.modes import GLOBAL
from advisor.ios.syntax.tree import ConfigTree, Line

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


class Part(Struct, frozen=True):
    """The same part of a config before and after an edit.

    `places` are the places of its top-level lines in the tree before the edit; `lines` is the
    number of lines in these sections.
    """

    before: ConfigTree
    after: ConfigTree
    places: frozenset[int]
    lines: int


class _Section(Struct, frozen=True):
    """A top-level line: the name it defines, the words under it, the number of its lines.

    `kin` are the groups of an interface; the first group is a main interface with its
    subinterfaces. `main` is the main interface of a subinterface.
    """

    name: str | None  # None: a command without a name of its own
    words: frozenset[str]
    lines: int
    kin: tuple[str, ...] = ()
    main: str | None = None


class Reach:
    """Knows which top-level sections of a config affect each other.

    Some sections define a name (interface, policy-map, class-map, list, map-class, vc-class). Such
    a section belongs together with the sections that it names and the sections that name it. An
    interface belongs together with its subinterfaces, its bundle and its pool. Any word may be a
    name, so a part is rather too large than too small. A command that defines no name is in every
    part, with all that it names except interfaces (`ip route … Serial0/0`).
    """

    def __init__(self, tree: ConfigTree) -> None:
        self.tree = tree
        self._places = {id(line): place for place, line in enumerate(tree.lines)}
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

    @property
    def lines(self) -> int:
        """Lines of the config."""
        return sum(section.lines for section in self._sections)

    @cached_property
    def place_of(self) -> dict[int, int]:
        """Place of the top-level line above each line, by line number."""
        return {
            line.number: place for place, top in enumerate(self.tree.lines) for line in top.walk()
        }

    def units(self) -> Iterator[tuple[int, ...]]:
        """Interfaces, each with its kin and all that it alone uses, as places in their order.

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

    def _users_of(self, place: int) -> Sequence[int]:
        name = self._sections[place].name
        return () if name is None else self._users.get(name, ())

    def words_outside(self, inside: frozenset[int]) -> frozenset[str]:
        """Words of all sections but some."""
        sections = (each for place, each in enumerate(self._sections) if place not in inside)
        return frozenset(word for section in sections for word in section.words)

    def part(self, after: ConfigTree, *, siblings: bool = True) -> Part | None:
        """Cut out the part that an edit of the tree can affect.

        Parameters
        ----------
        after : ConfigTree
            The tree with the edit applied.
        siblings : bool
            Whether a subinterface brings the other subinterfaces of its main interface; if not,
            it brings only the main interface.

        Returns
        -------
        Part or None
            None if the edit changed a command that defines no name and can affect everything;
            without siblings, also if it changed a main interface.
        """
        after_ids = {id(line) for line in after.lines}
        gone = [place for line, place in self._places.items() if line not in after_ids]
        fresh = [_section(line) for line in after.lines if id(line) not in self._places]
        touched = [*fresh, *(self._sections[place] for place in gone)]
        if any(section.name is None and section.words for section in touched):
            return None
        if not siblings and any(section.kin and not section.main for section in touched):
            return None
        start = {*gone, *self._all_users(touched)} - self._everywhere
        places = self._everywhere | self._closed(start, fresh, siblings=siblings)
        left_out = {line for line, place in self._places.items() if place not in places}
        return Part(
            _without(self.tree, left_out),
            _without(after, left_out),
            places,
            sum(self._sections[place].lines for place in places),
        )

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

    def _all_users(self, touched: Iterable[_Section]) -> set[int]:
        """Sections with these names, the sections that name them, and so on."""
        names = {section.name for section in touched if section.name is not None}
        users: set[int] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            for place in (*self._named.get(name, ()), *self._users.get(name, ())):
                users.add(place)
                further = self._sections[place].name
                if further is not None and further not in names:
                    names.add(further)
                    waiting.append(further)
        return users

    def _closed(
        self, places: set[int], fresh: Iterable[_Section] = (), *, siblings: bool = True
    ) -> frozenset[int]:
        """Add the sections that these name, and the kin of interfaces, until all are in."""
        closed = set(places)
        met: set[str] = set()  # groups of interfaces that are already in
        waiting = [*fresh, *(self._sections[place] for place in closed)]
        while waiting:
            section = waiting.pop()
            groups = [self._named[name] for name in self._mentioned(section)]
            names = section.kin if siblings else section.kin[1:]
            kin = [name for name in names if name not in met]
            met.update(kin)
            groups += [self._kin[name] for name in kin if name in self._kin]
            groups += [self._named[section.main]] if section.main in self._named else []
            for place in chain.from_iterable(groups):
                if place not in closed:
                    closed.add(place)
                    waiting.append(self._sections[place])
        return frozenset(closed)


def _without(tree: ConfigTree, left_out: set[int]) -> ConfigTree:
    return replace(tree, lines=tuple(line for line in tree.lines if id(line) not in left_out))


def _section(line: Line) -> _Section:
    if not line.is_command or leaves_mode(line.text):
        return _Section(None, frozenset(), 1)
    texts = [nested.text for nested in line.walk()]
    words = frozenset(word for text in texts for word in text.split())
    key = meaning_of(GLOBAL, line.text).key
    if key[0] not in _NAMED and key[1:2] != (_NUMBERED,):
        return _Section(None, words, len(texts))
    name = key[1] if key[0] == _NUMBERED and len(key) > 1 else key[-1]
    if key[0] != _INTERFACE:
        return _Section(name, words, len(texts))
    main, dot, _ = name.partition(".")
    kin = (f"{main}.", name, *_bundles(line))
    return _Section(name, words, len(texts), kin, main if dot else None)


def _bundles(line: Line) -> Iterator[str]:
    """Names of the bundles and pools of an interface and of its circuits."""
    for child in line.walk():
        bundled = _BUNDLED.match(child.text)
        if bundled is not None:
            yield f"{_BUNDLES.get(bundled[1], 'dialer pool ')}{bundled[2]}"
        elif child.text.startswith("encapsulation frame-relay MFR"):
            yield child.text.split()[-1]
