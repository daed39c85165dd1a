"""A configuration while it is edited: its lines, and the sections of the device they make.

There are two views. `Node` is a line of the text, in place. `Section` is the state of the device
under one head, from all lines that enter it (a second `interface X` re-enters the first). The
lines below a line are read only when an edit or a comparison needs them. Freezing returns the
same `Line` object for every untouched line.
"""

from collections import Counter

from advisor.ground.questions import question
from advisor.ios.edit import Key
from advisor.ios.edit.keys import meaning_of
from advisor.ios.edit.sections import Node, SettingSection, leaves_mode, link
from advisor.ios.syntax import ConfigTree, Line, LineKind
from advisor.ios.syntax.modes import GLOBAL


class Document:
    """A tree opened for editing."""

    def __init__(self, tree: ConfigTree) -> None:
        self.tree = tree
        top = Line("", 0, "", LineKind.BLANK, tree.lines)
        self.root = Node("", "", LineKind.BLANK, top)
        self.device = SettingSection(GLOBAL, None)
        self.device.enter_from(self.root)
        first = tree.lines[0].raw if tree.lines else ""
        self.line_end = "\r\n" if first.endswith("\r\n") else "\n"
        self.device.read()
        self._tail = self._unended_tail()
        self._graves: dict[tuple[int, Key], Node] = {}

    def _unended_tail(self) -> Node | None:
        """Find the last line if it has no line end: a line written below it must add one."""
        node = self.root
        while node.line is not None and node.line.children:
            if not node.children_known and node.inner is not None:
                node.inner.read()
            if node.last is None:
                return None
            node = node.last
        return node if node.raw and not node.raw.endswith("\n") else None

    def uses(self, key: Key) -> int:
        """How often commands of the whole device name a policy-map or a class-map."""
        return _uses_in(self.tree)[key] + self.device.uses[key]

    def replace(self, node: Node, line: Line, text: str) -> None:
        """Replace the text of a line in place, and remove the lines nested under it."""
        home, parent = _home(node), _parent(node)
        home.forget(node)
        ending = node.raw[len(node.raw.rstrip("\r\n")) :]
        fresh = Node(text, _raw(line, text, node.indentation, ending), line.kind)
        fresh.place = node.place
        link(parent, fresh, node)
        node.present = False
        if node is self._tail:
            self._tail = fresh
        parent.mark_changed()
        home.admit(fresh)

    def rename(self, node: Node, text: str) -> None:
        """Replace the text of a section head and keep the lines nested under it."""
        ending = node.raw[len(node.raw.rstrip("\r\n")) :]
        node.text, node.raw = text, node.indentation + text + ending
        node.meaning = meaning_of(_home(node).mode, text)
        node.mark_changed()

    def remove(self, node: Node) -> None:
        """Remove a line with all lines nested under it."""
        home = _home(node)
        node.present = False
        home.forget(node)
        _parent(node).mark_changed()
        if node.meaning.group is None:
            self._graves[id(home), node.key] = node
        below = [] if node.inner is None else [node.inner]
        while below:
            section = below.pop()
            for nested in section.nodes():
                if nested.meaning.uses is not None:
                    section.uses[nested.meaning.uses] -= 1
                if nested.inner is not None:
                    below.append(nested.inner)

    def grave(self, section: SettingSection, key: Key) -> Node | None:
        """Find the former place of a setting that this edit removed: it returns there."""
        return self._graves.get((id(section), key))

    def insert(
        self, section: SettingSection, line: Line, text: str, parent: Node, above: Node | None
    ) -> Node:
        """Write a command into a section, directly below a sibling or first under the parent."""
        raw = _raw(line, text, self._indentation_under(parent), self.line_end)
        node = Node(text, raw, line.kind)
        neighbour = above or parent.first
        node.place = neighbour.place if neighbour is not None else 0
        link(parent, node, above)
        parent.mark_changed()
        if self._tail is not None and _is_last(node):
            self._tail.raw += self.line_end
            self._tail.mark_changed()
            self._tail = None
        section.admit(node)
        if node.inner is None and line.children:
            SettingSection("", section).enter_from(node)
        return node

    def _indentation_under(self, parent: Node) -> str:
        if self.tree.flat or parent is self.root:
            return ""
        sibling = next((child for child in parent.children() if child.is_command), None)
        return sibling.indentation if sibling is not None else parent.indentation + " "

    def freeze(self) -> ConfigTree:
        """Make the edited tree; an untouched line is the same object as before."""
        tree = self.tree
        if not self.root.changed:
            return tree
        done: dict[int, Line] = {}
        stack = [(self.root, False)]
        while stack:
            node, ready = stack.pop()
            if not ready and node.children_known:
                stack.append((node, True))
                stack.extend((child, False) for child in node.children() if child.changed)
            else:
                done[id(node)] = _frozen(node, done)
        lines = done[id(self.root)].children
        return ConfigTree(tree.file, lines, tree.flat, tree.is_capture, tree.problems)


@question(4)  # a device is edited once for each finding
def _uses_in(tree: ConfigTree) -> Counter[Key]:
    """How often the commands of a text name each policy-map and class-map."""
    return Counter(key for line in tree.lines for key in _used_by(GLOBAL, line))


@question(1 << 14)  # an edit leaves most sections as they are
def _used_by(mode: str, line: Line) -> tuple[Key, ...]:
    """Return the names that a command of a mode and the lines below it use."""
    used, stack = [], [(mode, line)]
    while stack:
        around, below = stack.pop()
        if not below.is_command or leaves_mode(below.text):
            continue
        meaning = meaning_of(around, below.text)
        used += [] if meaning.uses is None else [meaning.uses]
        stack.extend((meaning.opens or "", child) for child in below.children)
    return tuple(used)


def _frozen(node: Node, done: dict[int, Line]) -> Line:
    if not node.children_known and node.line is not None:
        children = node.line.children
    else:
        children = tuple(
            child.line if child.line is not None and not child.changed else done[id(child)]
            for child in node.children()
        )
    number = node.line.number if node.line is not None and node.line.text == node.text else 0
    return Line(node.text, number, node.raw, node.kind, children)


def _raw(line: Line, text: str, indentation: str, ending: str) -> str:
    if line.kind is not LineKind.OPAQUE:
        return indentation + text + ending
    return indentation + (ending or "\n").join(line.raw.strip().splitlines()) + ending


def _home(node: Node) -> SettingSection:
    if node.home is None:
        raise ValueError(f"{node.text!r} is not a setting of a section")
    return node.home


def _parent(node: Node) -> Node:
    if node.parent is None:
        raise ValueError(f"{node.text!r} is in no section")
    return node.parent


def _is_last(node: Node | None) -> bool:
    """Say whether the node is the last line of the text."""
    while node is not None:
        below = node.below
        while below is not None:
            if below.present:
                return False
            below = below.below
        node = node.parent
    return True
