"""What differs between two configs, as steps that lead from the one to the other."""

from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Final

from msgspec import Struct

from advisor.ios.edit.canonical import Setting, is_shared, settings
from advisor.ios.edit.command_keys import ACCESS_LIST, CLASS_DEFAULT, POLICY_CLASS, POLICY_MAP, Key
from advisor.ios.edit.document import Document
from advisor.ios.edit.keys import family_of, is_on_by_default, is_physical, keeps_negative, use_of
from advisor.ios.edit.sections import Section
from advisor.ios.edit.undo_text import Phase, Step
from advisor.ios.syntax.modes import GLOBAL
from advisor.ios.syntax.tree import ConfigTree, Kind

_DELETED_LAST: Final = ("policy-map", "class-map")
_Held = dict[Key, Setting]


class _Pair(Struct, frozen=True):
    """A section as it was and as it is; None where it is not there."""

    path: tuple[str, ...]
    mode: str
    was: Section | None
    now: Section | None


def steps_back(before: ConfigTree, after: ConfigTree) -> list[Step]:
    """Find the steps that turn `after` into `before`; those of one phase are in order."""
    was, now = Document(before).device, Document(after).device
    steps: list[Step] = []
    sections = [_differences(_Pair((), GLOBAL, was, now))]
    while sections:
        found = next(sections[-1], None)
        if found is None:
            sections.pop()
        elif isinstance(found, Step):
            steps.append(found)
        else:
            sections.append(_differences(found))
    kept = {setting.key for setting in settings(was)}
    gone = [s for s in settings(now) if s.key[0] in _DELETED_LAST and s.key not in kept]
    return steps + list(_deletions(gone))


def _differences(pair: _Pair) -> Iterator[Step | _Pair]:
    """Find the steps of one section; the pairs are sections in it, to be compared in their turn."""
    was, now = _held(pair.was), _held(pair.now)
    again = _given_again(pair.mode, was, now)
    rewritten = _rewritten_lists(pair.mode, was, now, again)
    for key in reversed(now):
        setting = now[key]
        if setting.group in rewritten or (key in was and key not in again):
            continue
        if not (pair.mode == GLOBAL and key[0] in _DELETED_LAST):
            yield _removal(pair, setting)
    for number in sorted(rewritten):
        yield Step(Phase.SETTINGS, (), f"no {' '.join(number)}")
    for key, setting in was.items():
        fresh = key in again or setting.group in rewritten
        there = None if fresh else now.get(key)
        if there is None:
            yield from _addition(pair, setting)
        else:
            yield from _change(pair, setting, there)


def _held(section: Section | None) -> _Held:
    return {} if section is None else {setting.key: setting for setting in settings(section)}


def _given_again(mode: str, was: _Held, now: _Held) -> set[Key]:
    """Find settings that stay, but must be taken away and given again for their order."""
    if mode == ACCESS_LIST and all(s.node.text[0].isdigit() for s in was.values()):
        return {key for key in was if key in now and was[key].node.text != now[key].node.text}
    again: set[Key] = set()
    # `no random-detect` takes its rows along.
    lost = {key for key in now if key not in was and family_of(mode, key) == key}
    again.update(key for key in was if key in now and family_of(mode, key) in lost)
    for group in {setting.group for setting in was.values() if setting.group is not None}:
        wanted = [k for k, s in was.items() if s.group == group and k != CLASS_DEFAULT]
        stands = [k for k, s in now.items() if s.group == group and k in was]
        stands = [key for key in stands if key != CLASS_DEFAULT]
        right = 0
        while right < len(stands) and stands[right] == wanted[right]:
            right += 1
        again.update(stands[right:])
    return again


def _rewritten_lists(mode: str, was: _Held, now: _Held, again: set[Key]) -> set[Key]:
    """Find numbered access-lists to write anew: `no` of an entry takes away the whole list."""
    if mode != GLOBAL:
        return set()
    return {
        setting.group
        for key, setting in now.items()
        if setting.group is not None
        and setting.group[0] == "access-list"
        and (key not in was or key in again)
    }


def _removal(pair: _Pair, setting: Setting) -> Step | _Pair:
    """Take a setting away; of what is always there (a physical interface), what it holds."""
    node, path = setting.node, pair.path
    if not _can_go(pair.mode, setting):
        return _Pair((*path, node.text), node.inner.mode if node.inner else "", None, node.inner)
    phase = _phase(path)
    name = " ".join(node.words)
    if node.kind is Kind.OPAQUE:
        name = " ".join(setting.key)
    elif node.key[0] == "service-policy":
        phase = Phase.DETACH
    elif pair.mode == POLICY_CLASS and setting.key == ("bandwidth",):
        phase = Phase.STRIP
    if is_on_by_default(pair.mode, setting.key):
        return Step(phase, path, " ".join(setting.key))
    if node.negative or keeps_negative(pair.mode, setting.key):
        return Step(phase, path, f"default {' '.join(setting.key)}")
    return Step(phase, path, f"no {name}")


def _can_go(mode: str, setting: Setting) -> bool:
    if mode == GLOBAL and setting.key[0] == "interface":
        return not is_physical(setting.key[-1])
    return not (mode == POLICY_MAP and setting.key == CLASS_DEFAULT)


def _addition(pair: _Pair, setting: Setting) -> Iterator[Step | _Pair]:
    node = setting.node
    if node.inner is None:
        phase = _phase(pair.path)
        if setting.key[0] == "service-policy" and not node.negative:
            phase = Phase.ATTACH_NESTED if pair.mode == POLICY_CLASS else Phase.ATTACH
        yield Step(phase, pair.path, _command(setting))
        return
    path = (*pair.path, _head(setting))
    yield Step(_phase(path), path, None)
    yield _Pair(path, node.inner.mode, node.inner, None)


def _change(pair: _Pair, setting: Setting, there: Setting) -> Iterator[Step | _Pair]:
    node = setting.node
    if setting.text == there.text:
        inner = node.inner or there.node.inner
        if inner is not None and not is_shared(node, there.node):
            yield _Pair((*pair.path, _head(there)), inner.mode, node.inner, there.node.inner)
    elif node.inner is not None and setting.key[0] in ("class-map", "route-map"):
        path = (*pair.path, _head(setting))
        yield Step(_phase(path), path, None)
        yield _Pair(path, node.inner.mode, node.inner, there.node.inner)
    else:
        unit = pair.mode == POLICY_CLASS and setting.key == ("bandwidth",)
        if unit or setting.key[0] == "service-policy":
            yield _removal(pair, there)
        yield from _addition(pair, setting)


def _head(setting: Setting) -> str:
    """Words that enter the section and say all that its head says."""
    if setting.key[0] in ("class-map", "route-map"):
        return setting.text
    return setting.node.text


def _command(setting: Setting) -> str:
    node = setting.node
    if node.negative:
        return f"no {' '.join(setting.key)}"
    return node.raw.strip() if node.kind is Kind.OPAQUE else node.text


def _phase(path: tuple[str, ...]) -> Phase:
    kind = path[0].split(None, 1)[0] if path else ""
    return {"class-map": Phase.CLASS_MAPS, "policy-map": Phase.POLICY_MAPS}.get(
        kind, Phase.SETTINGS
    )


def _deletions(gone: Iterable[Setting]) -> Iterator[Step]:
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
        yield Step(Phase.DELETE, (), f"no {' '.join(names[key].key)}")


def _uses(setting: Setting) -> Iterator[Key]:
    sections = [] if setting.node.inner is None else [setting.node.inner]
    while sections:
        section = sections.pop()
        for node in section.nodes():
            used = None if node.negative else use_of(section.mode, node.words)
            if used is not None:
                yield used
            if node.inner is not None:
                sections.append(node.inner)
