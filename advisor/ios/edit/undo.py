"""The rollback of an edit, computed from the config before and after it."""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from graphlib import CycleError, TopologicalSorter
from typing import Final

from msgspec import Struct

from advisor.ios.edit import ACCESS_LIST, CLASS_DEFAULT, POLICY_CLASS, POLICY_MAP, Key
from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import CanonicalSetting, differing, is_shared, same_config, settings
from advisor.ios.edit.document import Document
from advisor.ios.edit.keys import family_of, is_on_by_default, is_physical, keeps_negative, use_of
from advisor.ios.edit.sections import SettingSection
from advisor.ios.syntax import ConfigTree, LineKind
from advisor.ios.syntax.modes import GLOBAL
from advisor.ios.syntax.reader import parse_config

# Writes the steps of a rollback as the lines of a snippet.


class Phase(IntEnum):
    """The order of steps: a step comes after its requirements and before its dependents."""

    LEAVE_BUNDLE = 0
    DETACH = 1
    STRIP = 2
    LISTS = 3
    CLASS_MAPS = 4
    POLICY_MAPS = 5
    MAP_CLASSES = 6
    SETTINGS = 7
    ATTACH_NESTED = 8
    ATTACH = 9
    DELETE = 10
    DELETE_LISTS = 11


class UndoStep(Struct, frozen=True):
    """A command and the heads of its sections; without a command, only enter them."""

    phase: Phase
    path: tuple[str, ...]
    command: str | None


def snippet(steps: Iterable[UndoStep]) -> tuple[str, ...]:
    """Write steps as indented lines, by phase, entering each section when it is needed."""
    lines: list[str] = []
    entered: tuple[str, ...] = ()
    for step in sorted(steps, key=lambda step: step.phase):
        shared = _shared(entered, step.path)
        if shared == len(step.path) < len(entered):
            shared = 0  # no command goes back one mode: enter from the top
        lines += [" " * level + head for level, head in enumerate(step.path) if level >= shared]
        entered = step.path
        if step.command is not None:
            first, *body = step.command.splitlines()  # a banner has a body
            lines += [" " * len(step.path) + first, *body]
    return tuple(lines)


def _shared(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    depth = 0
    for head_a, head_b in zip(a, b, strict=False):
        if head_a != head_b:
            break
        depth += 1
    return depth


# The differences between two configs, as steps that lead from one to the other.

_WRED: Final = ("random-detect",)
_BUNDLE: Final = "multilink"
_MEMBERSHIP: Final = ("ppp", "multilink", "group")
_PASSIVE: Final = "passive-interface"
_DELETED_LAST: Final = ("map-class", "policy-map", "class-map")
_Settings = dict[Key, CanonicalSetting]


class _SectionPair(Struct, frozen=True):
    """A section before and after the edit; None if it does not exist."""

    path: tuple[str, ...]
    mode: str
    was: SettingSection | None
    now: SettingSection | None


def steps_back(before: ConfigTree, after: ConfigTree) -> list[UndoStep]:
    """Find the steps that turn `after` into `before`; the steps of one phase are in order."""
    was, now = Document(before).device, Document(after).device
    steps: list[UndoStep] = []
    sections = [_differences(_SectionPair((), GLOBAL, was, now))]
    while sections:
        difference = next(sections[-1], None)
        if difference is None:
            sections.pop()
        elif isinstance(difference, UndoStep):
            steps.append(difference)
        else:
            sections.append(_differences(difference))
    keys = {setting.key for setting in settings(was)}
    gone = [
        setting
        for setting in settings(now)
        if setting.key[0] in _DELETED_LAST and setting.key not in keys
    ]
    return steps + list(_deletions(gone))


def _differences(pair: _SectionPair) -> Iterator[UndoStep | _SectionPair]:
    """Find the steps of one section; the pairs are inner sections to compare next."""
    was, now = _settings_of(pair.was), _settings_of(pair.now)
    again = _added_again(pair.mode, was, now)
    restarted = _restarted(pair.mode, was, now)
    again |= {key for key in was if family_of(pair.mode, key) in restarted}
    rewritten = _rewritten_lists(pair.mode, was, now, again)
    for family in sorted(restarted):
        yield UndoStep(_phase(pair.path), pair.path, f"no {' '.join(family)}")
    for key in reversed(now):
        setting = now[key]
        if setting.group in rewritten or (key in was and key not in again):
            continue
        if family_of(pair.mode, key) in restarted:
            continue
        if not (pair.mode == GLOBAL and key[0] in _DELETED_LAST):
            yield from _emptied(pair, setting)
            yield _removal(pair, setting)
    kept = {setting.group for setting in was.values()}
    for number in sorted(rewritten):
        phase = Phase.LISTS if number in kept else Phase.DELETE_LISTS
        yield UndoStep(phase, (), f"no {' '.join(number)}")
    for key, setting in was.items():
        fresh = key in again or setting.group in rewritten
        present = None if fresh else now.get(key)
        if present is None:
            yield from _addition(pair, setting)
        else:
            yield from _change(pair, setting, present)


def _settings_of(section: SettingSection | None) -> _Settings:
    return {} if section is None else {setting.key: setting for setting in settings(section)}


def _added_again(mode: str, was: _Settings, now: _Settings) -> set[Key]:
    """Find settings that stay, but must be removed and added again to restore their order."""
    if mode == ACCESS_LIST and all(setting.node.text[0].isdigit() for setting in was.values()):
        return {key for key in was if key in now and was[key].node.text != now[key].node.text}
    again: set[Key] = set()
    # `no random-detect` also removes its rows.
    lost = {key for key in now if key not in was and family_of(mode, key) == key}
    again.update(key for key in was if key in now and family_of(mode, key) in lost)
    for group in {setting.group for setting in was.values() if setting.group is not None}:
        former = _ordered_keys(was, group)
        current = [key for key in _ordered_keys(now, group) if key in was]
        in_order = 0
        while in_order < len(current) and current[in_order] == former[in_order]:
            in_order += 1
        again.update(current[in_order:])
    return again


def _restarted(mode: str, was: _Settings, now: _Settings) -> set[Key]:
    """Find families that change their head, as from `random-detect` to `dscp-based`.

    IOS has no way between the two but `no random-detect`, which takes the rows with it.
    """
    return {
        key
        for key in was
        if key in now
        and key == _WRED
        and family_of(mode, key) == key
        and was[key].text != now[key].text
    }


def _ordered_keys(by_key: _Settings, group: Key) -> list[Key]:
    return [
        key for key, setting in by_key.items() if setting.group == group and key != CLASS_DEFAULT
    ]


def _rewritten_lists(mode: str, was: _Settings, now: _Settings, again: set[Key]) -> set[Key]:
    """Find numbered access-lists to write again: `no` of an entry removes the whole list."""
    if mode != GLOBAL:
        return set()
    return {
        setting.group
        for key, setting in now.items()
        if setting.group is not None
        and setting.group[0] == "access-list"
        and (key not in was or key in again)
    }


def _emptied(pair: _SectionPair, setting: CanonicalSetting) -> Iterator[UndoStep]:
    """Undo policies of an interface before it is deleted, and shut a bundle down."""
    node = setting.node
    is_interface = pair.mode == GLOBAL and setting.key[0] == "interface"
    if not is_interface or node.inner is None or not _can_go(GLOBAL, setting):
        return
    for inner in settings(node.inner):
        if inner.key[0] == "service-policy" and not inner.node.negative:
            yield UndoStep(Phase.DETACH, (node.text,), f"no {' '.join(inner.node.words)}")
    if setting.key[-1].lower().startswith(_BUNDLE):
        yield UndoStep(Phase.DETACH, (node.text,), "shutdown")


def _removal(pair: _SectionPair, setting: CanonicalSetting) -> UndoStep | _SectionPair:
    """Remove a setting; of a permanent section (a physical interface), remove its settings."""
    node, path = setting.node, pair.path
    if not _can_go(pair.mode, setting):
        return _SectionPair(
            (*path, node.text), node.inner.mode if node.inner else "", None, node.inner
        )
    phase = _phase(path)
    if pair.mode == GLOBAL and _is_list(node.text):
        phase = Phase.DELETE_LISTS
    name = " ".join(node.words)
    if node.kind is LineKind.OPAQUE:
        name = " ".join(setting.key)
    elif node.key[0] == "service-policy":
        phase = Phase.DETACH
    elif setting.key == _MEMBERSHIP and not node.negative:
        phase = Phase.LEAVE_BUNDLE
    elif pair.mode == POLICY_CLASS and setting.key == ("bandwidth",):
        phase = Phase.STRIP
    if is_on_by_default(pair.mode, setting.key):
        return UndoStep(phase, path, " ".join(setting.key))
    if setting.key[0] == _PASSIVE:  # its interface may go with the bundle
        return UndoStep(
            Phase.DETACH, path, f"{'' if node.negative else 'no '}{' '.join(setting.key)}"
        )
    if node.negative or keeps_negative(pair.mode, setting.key):
        return UndoStep(phase, path, f"default {' '.join(setting.key)}")
    return UndoStep(phase, path, f"no {name}")


def _can_go(mode: str, setting: CanonicalSetting) -> bool:
    if mode == GLOBAL and setting.key[0] == "interface":
        return not is_physical(setting.key[-1])
    return not (mode == POLICY_MAP and setting.key == CLASS_DEFAULT)


def _addition(pair: _SectionPair, setting: CanonicalSetting) -> Iterator[UndoStep | _SectionPair]:
    node = setting.node
    if node.inner is None:
        phase = _phase(pair.path, node.text)
        if setting.key[0] == "service-policy" and not node.negative:
            phase = Phase.ATTACH_NESTED if pair.mode == POLICY_CLASS else Phase.ATTACH
        yield UndoStep(phase, pair.path, _command(setting))
        return
    path = (*pair.path, _head(setting))
    yield UndoStep(_phase(path), path, None)
    yield _SectionPair(path, node.inner.mode, node.inner, None)


def _change(
    pair: _SectionPair, setting: CanonicalSetting, present: CanonicalSetting
) -> Iterator[UndoStep | _SectionPair]:
    node = setting.node
    if setting.text == present.text:
        inner = node.inner or present.node.inner
        if inner is not None and not is_shared(node, present.node):
            yield _SectionPair(
                (*pair.path, _head(present)), inner.mode, node.inner, present.node.inner
            )
    elif node.inner is not None and setting.key[0] in ("class-map", "route-map"):
        path = (*pair.path, _head(setting))
        yield UndoStep(_phase(path), path, None)
        yield _SectionPair(path, node.inner.mode, node.inner, present.node.inner)
    else:
        unit = pair.mode == POLICY_CLASS and setting.key == ("bandwidth",)
        if unit or setting.key[0] == "service-policy":
            yield _removal(pair, present)
        yield from _addition(pair, setting)


def _head(setting: CanonicalSetting) -> str:
    """The command that enters the section and repeats all words of its head."""
    if setting.key[0] in ("class-map", "route-map"):
        return setting.text
    return setting.node.text


def _command(setting: CanonicalSetting) -> str:
    node = setting.node
    if node.negative:
        return f"no {' '.join(setting.key)}"
    return node.raw.strip() if node.kind is LineKind.OPAQUE else node.text


_PHASES: Final = {
    "class-map": Phase.CLASS_MAPS,
    "policy-map": Phase.POLICY_MAPS,
    "map-class": Phase.MAP_CLASSES,
}


def _phase(path: tuple[str, ...], command: str = "") -> Phase:
    """The phase of a command in a section: what others name is there before them."""
    head = path[0] if path else command
    if _is_list(head):
        return Phase.LISTS
    return _PHASES.get(head.split(None, 1)[0], Phase.SETTINGS) if path else Phase.SETTINGS


def _is_list(head: str) -> bool:
    """Whether a line is of an access list, which class-maps, interfaces and peers name."""
    words = head.split()[:2]
    return words[:1] == ["access-list"] or words == ["ip", "access-list"]


def _deletions(gone: Iterable[CanonicalSetting]) -> Iterator[UndoStep]:
    """Delete policy-maps and class-maps, users before what they use."""
    order: TopologicalSorter[Key] = TopologicalSorter()
    names = {setting.key: setting for setting in gone}
    for key in reversed(names):
        order.add(key)
        for used in _uses(names[key]):
            if used in names:
                order.add(used, key)
    try:
        keys = tuple(order.static_order())
    except CycleError:  # no device holds such maps; IOS refuses, and so will the proof
        keys = tuple(reversed(names))
    for key in keys:
        yield UndoStep(Phase.DELETE, (), f"no {' '.join(names[key].key)}")


def _uses(setting: CanonicalSetting) -> Iterator[Key]:
    sections = [] if setting.node.inner is None else [setting.node.inner]
    while sections:
        section = sections.pop()
        for node in section.nodes():
            used = None if node.negative else use_of(section.mode, node.words)
            if used is not None:
                yield used
            if node.inner is not None:
                sections.append(node.inner)


# The rollback of an edit, computed from the config before and after the edit.


def undo_commands(before: ConfigTree, after: ConfigTree) -> tuple[str, ...] | None:
    """Commands that lead from one config back to another.

    Parameters
    ----------
    before, after : ConfigTree
        The config before the edit, and the edited one.

    Returns
    -------
    tuple of str, or None
        Lines of an indented snippet, in an order that IOS takes: policies are detached before
        they are deleted and attached after they are defined. Empty if both configs are equal.
        None if there is no exact way back: the snippet is tried on `after`, and a command is
        refused or the result is not `before`.
    """
    lines = snippet(steps_back(*differing(before, after)))
    rollback = parse_config("".join(f"{line}\n" for line in lines), "rollback")
    applied = apply(after, rollback)
    if applied.refused or not same_config(applied.tree, before):
        return None
    return lines
