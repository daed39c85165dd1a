"""Apply configuration commands to a config as IOS would: mode entry, `no`, replace in place.

The editor knows which command replaces which (`settings` of `grammar`), which edits IOS refuses
(`refusals`) and where a line belongs (`places`). It does not check the grammar of a command, or
whether a platform supports it.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.ios.edit import ACCESS_LIST, POLICY_MAP
from advisor.ios.edit.document import Document
from advisor.ios.edit.keys import keeps_negative, meaning_of, removes_family
from advisor.ios.edit.places import Entries, StoredCommand, TopLevelPlaces
from advisor.ios.edit.refusals import refuses_removal, refuses_setting, unprintable
from advisor.ios.edit.sections import Node, SettingSection
from advisor.ios.syntax import ConfigTree, Line, LineKind
from advisor.ios.syntax.modes import GLOBAL

_PASSIVE: Final = ("passive-interface", "default")
_INSERT_BEFORE: Final = "insert-before"
_LINKS: Final = ("point-to-point", "multipoint")
_RENAMED: Final = ("class", "class-map", "route-map")  # heads whose other words can change in place


class Refusal(Struct, frozen=True):
    """A command that IOS would refuse, and why. Commands nested under it are not tried."""

    text: str
    reason: str


class Applied(Struct, frozen=True):
    """The edited config, the refused commands, and the commands that changed nothing."""

    tree: ConfigTree
    refused: tuple[Refusal, ...]
    unchanged: tuple[Line, ...]


class _Mode(Struct):
    """An open configuration mode of the edit, and the commands that remain for it."""

    section: SettingSection
    commands: Iterator[Line]
    entered: bool = False  # the last command entered a section, which `exit` leaves


_Outcome = (
    SettingSection | Refusal | bool
)  # the entered section; the refusal; whether anything changed


def apply(tree: ConfigTree, commands: ConfigTree) -> Applied:
    """Give commands to a device that holds a config.

    Parameters
    ----------
    tree : ConfigTree
        The config of the device. It is not changed. Lines that no command touches are the same
        objects in the result, with their numbers; new lines have the number 0.
    commands : ConfigTree
        A snippet as `parse_config` reads it. One line is one command: a line that holds a
        control character is refused.

    Returns
    -------
    Applied
        The edited tree; the refusals, in order; the commands that changed nothing.

    Notes
    -----
    `no` of an absent setting changes nothing, except for commands that are on by default: their
    `no` is stored. No text raises an error. Time is linear in both arguments.
    """
    editor = _Editor(tree)
    refused: list[Refusal] = []
    unchanged: list[Line] = []
    modes = [_Mode(editor.document.device, iter(commands.lines))]
    ended = False
    while modes:
        mode = modes[-1]
        line = next(mode.commands, None)
        if line is None:
            modes.pop()
        elif not line.is_command:
            continue
        elif ended:
            refused.append(Refusal(line.text, "configuration mode has been left"))
        elif line.text in ("exit", "quit", "end"):
            ended = line.text == "end" or not _leave(mode)
        elif not line.text.startswith("exit-"):
            outcome = editor.give(mode.section, line)
            if isinstance(outcome, Refusal):
                refused.append(outcome)
                continue
            if outcome is False:
                unchanged.append(line)
            mode.entered = isinstance(outcome, SettingSection)
            inner = outcome if isinstance(outcome, SettingSection) else mode.section
            modes.append(_Mode(inner, line.commands()))
    return Applied(editor.document.freeze(), tuple(refused), tuple(unchanged))


def _leave(mode: _Mode) -> bool:
    """Leave the innermost mode; False if that ends configuration."""
    if mode.entered:
        mode.entered = False
        return True
    if mode.section.parent is None:
        return False
    mode.section = mode.section.parent
    return True


class _Editor:
    """Applies one command at a time to the document."""

    def __init__(self, tree: ConfigTree) -> None:
        self.document = Document(tree)
        self.places = TopLevelPlaces(self.document)
        self._entries: dict[int, Entries] = {}

    def give(self, section: SettingSection, line: Line) -> _Outcome:
        reason = None if line.kind is LineKind.OPAQUE else unprintable(line.text)
        if reason is not None:
            return Refusal(line.text.encode("unicode_escape").decode(), reason)
        first, _, argument = line.text.partition(" ")
        section.read()
        if first == "default" and argument:
            return self._default(section, argument.strip())
        if first == "no" and argument:
            return self._no(section, line, argument.strip())
        return self._set(section, line)

    def entries(self, section: SettingSection) -> Entries:
        entries = self._entries.get(id(section))
        if entries is None:
            entries = self._entries[id(section)] = Entries(section)
        return entries

    # Positive commands

    def _set(self, section: SettingSection, line: Line) -> _Outcome:
        command = _command(section, line, line.text)
        nodes = section.find(command.key)
        opened = command.meaning.opens
        inner = nodes[-1].inner if nodes else None
        if inner is not None or opened is not None or line.children:
            return self._enter(section, command, opened)
        if command.meaning.is_default or _is_exempt(section, command):
            return self._remove(nodes)
        if nodes and not nodes[-1].negative and nodes[-1].says(command.words, line):
            return False
        reason = self._store(section, command)
        return True if reason is None else Refusal(line.text, reason)

    def _store(self, section: SettingSection, command: StoredCommand) -> str | None:
        """Write a command in its place; the text says why IOS would refuse it."""
        reason = refuses_setting(self.document, section, command)
        if reason is not None:
            return reason
        nodes = section.find(command.key)
        if nodes:
            self.document.replace(nodes[-1], command.line, command.text)
            return None
        if section.mode == ACCESS_LIST:
            return self.entries(section).write(self.places, command)
        before = None
        if section.mode == POLICY_MAP and _INSERT_BEFORE in command.line.words[2:-1]:
            other = section.find(("class", command.line.words[-1]))
            if not other:
                return f"class {command.line.words[-1]} is not in the policy-map"
            before = other[-1]
        self.places.write(section, command, before)
        return None

    def _enter(
        self, section: SettingSection, command: StoredCommand, opened: str | None
    ) -> _Outcome:
        node = self._head(section, command)
        same = node is None or node.key != command.key or node.words == command.words
        if node is None or not (same or command.words[0] in _RENAMED):
            reason = self._store(section, command)
            if reason is not None:
                return Refusal(command.line.text, reason)
            node = section.find(command.key)[-1]
        elif not same and _says_more_than_a_name(command):
            self.document.rename(node, command.text)
        elif opened is None and not command.line.children:
            return False
        if opened is None and not command.line.children:
            return True  # `police` with its actions on the line opens no mode
        if node.inner is None:
            SettingSection(opened or "", section).enter_from(node)
        return node.inner or section

    def _head(self, section: SettingSection, command: StoredCommand) -> Node | None:
        nodes = [node for node in section.find(command.key) if not node.negative]
        if not nodes and command.words[0] == "pvc":
            nodes = _pvc_by_name(section, command.words[-1])
        return nodes[-1] if nodes else None

    # `no` and `default`

    def _no(self, section: SettingSection, line: Line, text: str) -> _Outcome:
        command = _command(section, line, text)
        nodes = self._meant(section, command, text)
        reason = refuses_removal(self.document, section, command.words, nodes)
        if reason is not None:
            return Refusal(line.text, reason)
        stored = keeps_negative(section.mode, command.key) or _is_exempt(section, command)
        if not stored or (nodes and nodes[-1].negative):
            return self._remove([node for node in nodes if not node.negative])
        negative = f"no {' '.join(command.key)}"
        if nodes:
            self.document.replace(nodes[-1], line, negative)
        else:
            self.places.write(section, StoredCommand(line, negative, command.meaning))
        return True

    def _meant(self, section: SettingSection, command: StoredCommand, text: str) -> list[Node]:
        """Lines that `no TEXT` removes."""
        family = removes_family(section.mode, tuple(text.split()))
        if family is not None:
            return section.family(family)
        if section.mode == ACCESS_LIST:
            by_number = self.entries(section).named_by(text)
            return by_number or list(section.find(command.key))
        nodes = list(section.find(command.key))
        if not nodes and command.words[0] == "pvc":
            nodes = _pvc_by_name(section, command.words[-1])
        return nodes

    def _default(self, section: SettingSection, text: str) -> _Outcome:
        key = meaning_of(section.mode, text).key
        if section.mode == GLOBAL and key[0] == "interface":
            interfaces = section.find(key)
            inner = interfaces[-1].inner if interfaces else None
            return inner is not None and self._remove(inner.all_nodes())
        family = removes_family(section.mode, tuple(text.split()))
        if family is not None:
            return self._remove(section.family(family))
        return self._remove(section.find(key))

    def _remove(self, nodes: list[Node]) -> bool:
        gone = tuple(nodes)
        for node in gone:
            self.document.remove(node)
        return bool(gone)


def _command(section: SettingSection, line: Line, text: str) -> StoredCommand:
    meaning = meaning_of(section.mode, text)
    stored = text
    if section.mode == GLOBAL and meaning.key[0] == "interface":
        # `interface se0/0.1 point-to-point` is stored with the full name of the type
        link = [word for word in text.split()[2:] if word in _LINKS]
        stored = " ".join((*meaning.words, *link))
    if section.mode == POLICY_MAP and _INSERT_BEFORE in line.words[2:-1]:
        stored = " ".join(meaning.words)
    return StoredCommand(line, stored, meaning)


def _is_exempt(section: SettingSection, command: StoredCommand) -> bool:
    """Say whether it is a port under `passive-interface default`: there IOS stores its `no`."""
    return (
        command.key[0] == _PASSIVE[0] and command.key != _PASSIVE and bool(section.find(_PASSIVE))
    )


def _says_more_than_a_name(command: StoredCommand) -> bool:
    """Say whether a repeated head names a match type or an action, and not only the section."""
    words = command.line.words
    if words[0] == "class-map":
        return "match-any" in words or "match-all" in words
    return len(words) > 2  # noqa: PLR2004


def _pvc_by_name(section: SettingSection, name: str) -> list[Node]:
    """PVCs with a name; IOS lets a user enter an existing PVC by its name."""
    return [
        node
        for key, nodes in section.index.items()
        for node in nodes
        if key[0] == "pvc" and not node.negative and name in node.text.split()[1:2]
    ]
