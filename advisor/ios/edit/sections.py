"""The sections of a configuration that is being edited, and the lines they stand on."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from advisor.ios.edit.command_keys import Key
from advisor.ios.edit.meaning import Meaning, meaning_of
from advisor.ios.syntax.tree import Kind, Line

_INDENTATION: Final = re.compile(r"[ \t]*")
_LEAVING: Final = ("end", "exit", "quit")
_NOTHING: Final = Meaning(
    negative=False,
    words=(),
    key=(),
    family=None,
    group=None,
    uses=None,
    opens=None,
    is_default=True,
)


def leaves_mode(text: str) -> bool:
    """Say whether a command only ends a section (`exit`, `end`, `exit-address-family`)."""
    return text in _LEAVING or text.startswith("exit-")


class Node:
    """One line of the text, in its place among its siblings; removed ones stay as anchors."""

    __slots__ = (
        "above", "below", "changed", "children_known", "first", "home", "inner", "kind", "last",
        "line", "meaning", "parent", "place", "present", "raw", "text",
    )  # fmt: skip

    def __init__(self, text: str, raw: str, kind: Kind, line: Line | None = None) -> None:
        self.text, self.raw, self.kind, self.line = text, raw, kind, line
        self.parent: Node | None = None
        self.above: Node | None = None
        self.below: Node | None = None
        self.first: Node | None = None
        self.last: Node | None = None
        self.children_known = line is None or not line.children
        self.changed = line is None
        self.present = True
        self.home: Section | None = None  # the section whose setting this is
        self.inner: Section | None = None  # the section that this head opens
        self.meaning = _NOTHING
        self.place = 0  # order among siblings; a new line shares that of the line it stands by

    def children(self) -> Iterator["Node"]:
        child = self.first
        while child is not None:
            if child.present:
                yield child
            child = child.below

    @property
    def key(self) -> Key:
        return self.meaning.key

    @property
    def words(self) -> tuple[str, ...]:
        return self.meaning.words

    @property
    def negative(self) -> bool:
        return self.meaning.negative

    @property
    def is_command(self) -> bool:
        return self.kind in (Kind.COMMAND, Kind.OPAQUE) and not leaves_mode(self.text)

    @property
    def indentation(self) -> str:
        match = _INDENTATION.match(self.raw)
        return match[0] if match else ""

    def says(self, words: tuple[str, ...], line: Line) -> bool:
        """Say whether this line already is what a command asks for."""
        if self.words != words:
            return False
        return line.kind is not Kind.OPAQUE or _body(self.raw) == _body(line.raw)

    def mark_changed(self) -> None:
        node: Node | None = self
        while node is not None and not node.changed:
            node.changed = True
            node = node.parent


# Of sections that are not read, which are most: never written to.
_NO_NODES: Final[dict[Key, list[Node]]] = {}
_NO_KEYS: Final[dict[Key, dict[Key, None]]] = {}


class Section:
    """What the device holds under one head: settings by key, in the order of the text."""

    __slots__ = ("_is_read", "families", "heads", "index", "mode", "parent", "uses")

    def __init__(self, mode: str, parent: "Section | None") -> None:
        self.mode, self.parent = mode, parent
        self.heads: list[Node] = []
        self.index = _NO_NODES
        self.families = _NO_KEYS
        self._is_read = True
        # How often policy-maps and class-maps are named: one count for the whole device.
        self.uses: Counter[Key] = Counter() if parent is None else parent.uses

    @property
    def head(self) -> Node:
        """The last line that enters the section: new settings are written under it."""
        return self.heads[-1]

    def enter_from(self, head: Node) -> None:
        head.inner = self
        self.heads.append(head)
        self._is_read = self._is_read and head.children_known

    def read(self) -> None:
        """Take in the lines under every head."""
        if not self._is_read:
            self._is_read = True
            for head in self.heads:
                _read_children(head, self)

    def admit(self, node: Node) -> None:
        """Take a command in as a setting, and as a section where it heads one."""
        meaning = meaning_of(self.mode, node.text)
        node.home, node.meaning = self, meaning
        if not self.index:
            self.index = {}
        there = self.index.setdefault(meaning.key, [])
        self._open(node, there)
        there.append(node)
        if meaning.uses is not None:
            self.uses[meaning.uses] += 1
        if meaning.family is not None:
            if not self.families:
                self.families = {}
            self.families.setdefault(meaning.family, {})[meaning.key] = None

    def _open(self, node: Node, there: list[Node]) -> None:
        mode = node.meaning.opens
        if mode is None and node.children_known and node.first is None:
            return
        former = there[-1].inner if there else None
        # Another police rate starts afresh; another head of a named section is the same section.
        if former is None or (mode == "police" and there[-1].words != node.words):
            former = Section(mode or "", self)
        former.enter_from(node)

    def forget(self, node: Node) -> None:
        there = self.index[node.key]
        there.remove(node)
        meaning = node.meaning
        if meaning.uses is not None:
            self.uses[meaning.uses] -= 1
        if not there:
            del self.index[meaning.key]
            if meaning.family is not None:
                del self.families[meaning.family][meaning.key]

    def find(self, key: Key) -> list[Node]:
        """Commands that set one thing, the one that counts last; empty where there is none."""
        self.read()
        return self.index.get(key, [])

    def family(self, key: Key) -> list[Node]:
        self.read()
        return [node for member in self.families.get(key, ()) for node in self.index[member]]

    def all_nodes(self) -> list[Node]:
        """Every command, those that a later one overrides too."""
        self.read()
        return [node for nodes in self.index.values() for node in nodes]

    def holds_something(self) -> bool:
        """Say whether the section says more than the default; leaves unread lines unread."""
        said = {key: nodes[-1].meaning.is_default for key, nodes in self.index.items()}
        for head in self.heads:
            if head.children_known or head.line is None:
                continue
            for line in head.line.commands():
                if not leaves_mode(line.text):
                    meaning = meaning_of(self.mode, line.text)
                    said[meaning.key] = meaning.is_default
        return not all(said.values())

    def nodes(self) -> Iterator[Node]:
        """The command that counts for each setting, in the order of the text."""
        self.read()
        return (nodes[-1] for nodes in self.index.values())


def _read_children(head: Node, section: Section) -> None:
    if head.line is None or head.children_known:
        return
    head.children_known = True
    for place, line in enumerate(head.line.children):
        node = Node(line.text, line.raw, line.kind, line)
        node.place = place
        link(head, node, head.last)
        if node.is_command:
            section.admit(node)


def link(parent: Node, node: Node, above: Node | None) -> None:
    """Put a node under a parent, right below a sibling or first of all."""
    below = parent.first if above is None else above.below
    node.parent, node.above, node.below = parent, above, below
    if above is None:
        parent.first = node
    else:
        above.below = node
    if below is None:
        parent.last = node
    else:
        below.above = node


def _body(raw: str) -> list[str]:
    return raw.strip().splitlines()
