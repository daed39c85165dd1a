"""The sections of a configuration while it is edited, and their lines."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from advisor.ios.edit import Key
from advisor.ios.edit.keys import Meaning, meaning_of
from advisor.ios.syntax import Line, LineKind
from advisor.ios.syntax.modes import GLOBAL

_INDENTATION: Final = re.compile(r"[ \t]*")
_EMPTIES: Final = "default interface "
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
    """One line of the text, among its siblings; removed lines stay as anchors."""

    __slots__ = (
        "above", "below", "changed", "children_known", "first", "home", "inner", "kind", "last",
        "line", "meaning", "parent", "place", "present", "raw", "text",
    )  # fmt: skip

    def __init__(self, text: str, raw: str, kind: LineKind, line: Line | None = None) -> None:
        self.text, self.raw, self.kind, self.line = text, raw, kind, line
        self.parent: Node | None = None
        self.above: Node | None = None
        self.below: Node | None = None
        self.first: Node | None = None
        self.last: Node | None = None
        self.children_known = line is None or not line.children
        self.changed = line is None
        self.present = True
        self.home: SettingSection | None = None  # the section that this setting belongs to
        self.inner: SettingSection | None = None  # the section that this head opens
        self.meaning = _NOTHING
        self.place = 0  # order among siblings; a new line shares the place of its neighbour

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
        return self.kind in (LineKind.COMMAND, LineKind.OPAQUE) and not leaves_mode(self.text)

    @property
    def indentation(self) -> str:
        match = _INDENTATION.match(self.raw)
        return match[0] if match else ""

    def says(self, words: tuple[str, ...], line: Line) -> bool:
        """Say whether this line already has the effect of a command."""
        if self.words != words:
            return False
        return line.kind is not LineKind.OPAQUE or _body(self.raw) == _body(line.raw)

    def mark_changed(self) -> None:
        node: Node | None = self
        while node is not None and not node.changed:
            node.changed = True
            node = node.parent


# Shared by all unread sections, which are most of them; never written to.
_NO_NODES: Final[dict[Key, list[Node]]] = {}
_NO_KEYS: Final[dict[Key, dict[Key, None]]] = {}


class SettingSection:
    """The settings of the device under one head, by key, in the order of the text."""

    __slots__ = ("_is_read", "families", "heads", "index", "mode", "parent", "uses")

    def __init__(self, mode: str, parent: "SettingSection | None") -> None:
        self.mode, self.parent = mode, parent
        self.heads: list[Node] = []
        self.index = _NO_NODES
        self.families = _NO_KEYS
        self._is_read = True
        # How much more often commands of the device name a policy-map or a class-map than its text.
        self.uses: Counter[Key] = Counter() if parent is None else parent.uses

    @property
    def head(self) -> Node:
        """The last line that enters the section: new settings go under it."""
        return self.heads[-1]

    def enter_from(self, head: Node) -> None:
        head.inner = self
        self.heads.append(head)
        self._is_read = self._is_read and head.children_known

    def read(self) -> None:
        """Read the lines under every head."""
        if not self._is_read:
            self._is_read = True
            for head in self.heads:
                _read_children(head, self)

    def admit(self, node: Node) -> None:
        """Add a command as a setting, and as a section if it is the head of one."""
        meaning = meaning_of(self.mode, node.text)
        node.home, node.meaning = self, meaning
        if not self.index:
            self.index = {}
        nodes = self.index.setdefault(meaning.key, [])
        self._open(node, nodes)
        nodes.append(node)
        if meaning.uses is not None and node.line is None:
            self.uses[meaning.uses] += 1
        if meaning.family is not None:
            if not self.families:
                self.families = {}
            self.families.setdefault(meaning.family, {})[meaning.key] = None

    def _open(self, node: Node, nodes: list[Node]) -> None:
        mode = node.meaning.opens
        if mode is None and node.children_known and node.first is None:
            return
        former = nodes[-1].inner if nodes else None
        # Another police rate starts afresh; another head of a named section is the same section.
        if former is None or (mode == "police" and nodes[-1].words != node.words):
            former = SettingSection(mode or "", self)
        former.enter_from(node)

    def forget(self, node: Node) -> None:
        nodes = self.index[node.key]
        nodes.remove(node)
        meaning = node.meaning
        if meaning.uses is not None:
            self.uses[meaning.uses] -= 1
        if not nodes:
            del self.index[meaning.key]
            if meaning.family is not None:
                del self.families[meaning.family][meaning.key]

    def find(self, key: Key) -> list[Node]:
        """Commands for one setting; the last one counts. Empty if there is none."""
        self.read()
        return self.index.get(key, [])

    def family(self, key: Key) -> list[Node]:
        self.read()
        return [node for member in self.families.get(key, ()) for node in self.index[member]]

    def all_nodes(self) -> list[Node]:
        """Every command, also those that a later command overrides."""
        self.read()
        return [node for nodes in self.index.values() for node in nodes]

    def holds_something(self) -> bool:
        """Say whether the section differs from the default; it leaves unread lines unread."""
        is_default = {key: nodes[-1].meaning.is_default for key, nodes in self.index.items()}
        for head in self.heads:
            if head.children_known or head.line is None:
                continue
            for line in head.line.commands():
                if not leaves_mode(line.text):
                    meaning = meaning_of(self.mode, line.text)
                    is_default[meaning.key] = meaning.is_default
        return not all(is_default.values())

    def nodes(self) -> Iterator[Node]:
        """The effective command of each setting, in the order of the text."""
        self.read()
        return (nodes[-1] for nodes in self.index.values())


def _read_children(head: Node, section: SettingSection) -> None:
    if head.line is None or head.children_known:
        return
    head.children_known = True
    for place, line in enumerate(head.line.children):
        node = Node(line.text, line.raw, line.kind, line)
        node.place = place
        link(head, node, head.last)
        if node.is_command:
            section.admit(node)
            if section.mode == GLOBAL and line.text.startswith(_EMPTIES):
                _empty(section, line.text.removeprefix("default "))


def _empty(section: SettingSection, head: str) -> None:
    """Forget the sections ahead of `default interface NAME`: a later one starts afresh."""
    for node in tuple(section.find(meaning_of(GLOBAL, head).key)):
        section.forget(node)


def link(parent: Node, node: Node, above: Node | None) -> None:
    """Put a node under a parent, directly below a sibling or first."""
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
