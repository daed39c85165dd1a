"""The place of a new line: of a section, a setting, or an entry of a named access-list."""

from bisect import bisect_left
from typing import Final

from msgspec import Struct

from advisor.ground.units import whole_or_none
from advisor.ios.edit import CLASS_DEFAULT, Key
from advisor.ios.edit.document import Document
from advisor.ios.edit.keys import Meaning
from advisor.ios.edit.sections import Node, SettingSection
from advisor.ios.syntax import Line, LineKind
from advisor.ios.syntax.modes import GLOBAL

# The place of a new line: sections in the order of `show run`, settings in their section.

# Opening words in the order in which IOS prints them; all others go before them.
_ORDER: Final = (
    "version", "service", "hostname", "class-map", "policy-map", "vc-class", "interface",
    "router", "ip route", "map-class", "ip access-list", "access-list", "ip prefix-list",
    "route-map", "control-plane", "dial-peer", "line", "ntp", "end",
)  # fmt: skip
_RANKS: Final = {words: rank for rank, words in enumerate(_ORDER)}
_CLASS_MAP: Final = _RANKS["class-map"]
_POLICY_MAP: Final = _RANKS["policy-map"]


def _rank(text: str) -> int | None:
    words = text.split(None, 2)
    first = _RANKS.get(words[0])
    return first if first is not None or len(words) == 1 else _RANKS.get(" ".join(words[:2]))


class StoredCommand(Struct, frozen=True):
    """A command of a snippet in its stored form."""

    line: Line
    text: str
    meaning: Meaning

    @property
    def words(self) -> tuple[str, ...]:
        return self.meaning.words

    @property
    def key(self) -> Key:
        return self.meaning.key


class TopLevelPlaces:
    """Remembers the top-level lines by kind, so that a new line finds its place at once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._first: dict[int, Node] = {}
        self._last: dict[int | str, Node] = {}
        self._is_surveyed = False  # most edits write nothing at the top

    def _survey(self) -> None:
        """Note the original lines; a line removed since then still marks a place."""
        if self._is_surveyed:
            return
        self._is_surveyed = True
        node = self.document.root.first
        while node is not None:
            if node.kind is LineKind.COMMAND and node.line is not None:
                self._note(node)
            node = node.below

    def _note(self, node: Node) -> None:
        rank = _rank(node.text)
        if rank is None:
            self._last[node.text.split(None, 1)[0]] = node
            return
        self._first.setdefault(rank, node)
        self._last[rank] = node

    def write(
        self, section: SettingSection, command: StoredCommand, before: Node | None = None
    ) -> Node:
        """Write a new command into a section, before a given line or where it belongs."""
        if before is not None and before.parent is not None:
            parent, above = before.parent, before.above
        else:
            parent, above = self._place(section, command)
        node = self.document.insert(section, command.line, command.text, parent, above)
        if parent is self.document.root:
            self._survey()
            self._note(node)
        return node

    def _place(self, section: SettingSection, command: StoredCommand) -> tuple[Node, Node | None]:
        grave = self.document.grave(section, command.key)
        if grave is not None and grave.parent is not None:
            return grave.parent, grave
        if section.mode == GLOBAL:
            return self.document.root, self._above_at_top(section, command)
        head = section.head
        nested = command.meaning.opens is not None
        above = _end_of_settings(head, nested=nested)
        if nested and above is not None and above.key == CLASS_DEFAULT:
            above = above.above  # class-default stays the last class
        return head, above

    def _above_at_top(self, section: SettingSection, command: StoredCommand) -> Node | None:
        self._survey()
        text, family = command.text, command.meaning.family
        if family is not None and command.meaning.group is not None:
            members = section.families.get(family)
            if members:
                return section.index[next(reversed(members))][-1]
        rank = _rank(text)
        alike = self._last.get(text.split(None, 1)[0] if rank is None else rank)
        if alike is not None:
            return alike
        later = [node for later_rank, node in self._first.items() if later_rank > (rank or 0)]
        if not later:
            return _end_of_settings(self.document.root, nested=True)
        earliest = min(later, key=lambda node: node.place)
        if rank == _POLICY_MAP:
            class_map = self._last.get(_CLASS_MAP)
            if class_map is not None and class_map.place > earliest.place:
                return class_map  # IOS refuses a class whose class-map comes later
        return _above_with_comments(earliest)


def _end_of_settings(head: Node, *, nested: bool) -> Node | None:
    """Find the last command; for a plain setting, the last one before the nested sections."""
    node = head.last
    while node is not None:
        if node.present and node.is_command and (nested or node.inner is None):
            return node
        node = node.above
    return None


def _above_with_comments(node: Node) -> Node | None:
    """Skip the remarks that belong to a line; a bare `!` belongs to no line."""
    above = node.above
    while above is not None and (
        not above.present or (above.kind is LineKind.COMMENT and above.text.strip("! ") != "")
    ):
        above = above.above
    return above


# Entries of a named access-list: their sequence numbers, and the place of a new entry.

STEP: Final = 10  # IOS numbers entries 10, 20, 30 … if the config does not


def _number(text: str) -> int | None:
    first = text.split(None, 1)[0]
    return whole_or_none(first) if first[0].isdigit() else None


class Entries:
    """The entries of one list by sequence number."""

    def __init__(self, section: SettingSection) -> None:
        self.section = section
        self.numbers: list[int] = []
        self.nodes: dict[int, Node] = {}
        section.read()
        self.printed = False  # the config shows the numbers
        last = 0
        for nodes in section.index.values():
            for node in nodes:
                stated = _number(node.text)
                self.printed = self.printed or stated is not None
                last = last + STEP if stated is None else stated
                self._keep(last, node)

    def _keep(self, number: int, node: Node) -> None:
        if number not in self.nodes:
            self.numbers.insert(bisect_left(self.numbers, number), number)
        self.nodes[number] = node

    def named_by(self, text: str) -> list[Node]:
        """The entry that `no TEXT` removes by its sequence number."""
        number = _number(text)
        node = None if number is None else self.nodes.get(number)
        return [node] if node is not None and node.present else []

    def write(self, places: TopLevelPlaces, command: StoredCommand) -> str | None:
        """Add an entry; the text says why IOS would refuse it."""
        stated = _number(command.text)
        holder = None if stated is None else self.nodes.get(stated)
        if holder is not None and holder.present:
            return f"sequence number {stated} is taken"  # IOS: % Duplicate sequence number
        number = stated if stated is not None else (self.numbers[-1] if self.numbers else 0) + STEP
        bare = " ".join(command.text.split()[1:]) if stated is not None else command.text
        if not self.nodes:
            self.printed = stated is not None
        text = f"{number} {bare}" if self.printed else bare
        at = bisect_left(self.numbers, number)
        before = next((self.nodes[later] for later in self.numbers[at : at + 1]), None)
        stored = StoredCommand(command.line, text, command.meaning)
        self._keep(number, places.write(self.section, stored, before))
        return None
