"""The edits of remedies and rollbacks that IOS would refuse."""

import re
from typing import Final

from advisor.ground.units import whole_or_none
from advisor.ios.edit import CLASS_DEFAULT, INTERFACE, POLICY_CLASS, POLICY_MAP, Key
from advisor.ios.edit.document import Document
from advisor.ios.edit.keys import is_physical
from advisor.ios.edit.places import StoredCommand
from advisor.ios.edit.sections import Node, SettingSection
from advisor.ios.syntax.modes import GLOBAL

_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
# Cisco LLQ feature module, recalled: rejected in every train. `shape` beside
# `priority` only before HQF, so it is allowed.
_NOT_BESIDE_PRIORITY: Final = frozenset(("bandwidth", "random-detect", "fair-queue"))

_WRED: Final[Key] = ("random-detect",)
_QUEUE_LIMIT: Final[Key] = ("queue-limit",)
_ADDRESS: Final = ("ip", "address")
_FIRST_HQF_MAJOR: Final = 15


def unprintable(text: str) -> str | None:
    """Say why nobody may paste a command: with a line end in it, it would become two."""
    return "it holds a control character" if _CONTROL.search(text) else None


def refuses_setting(
    document: Document, section: SettingSection, command: StoredCommand
) -> str | None:
    """Say why IOS would refuse a new command; None if IOS takes it."""
    words = command.words
    if words[0] == "service-policy":
        return _refuses_policy(document, section, command)
    if section.mode == POLICY_MAP and words[0] == "class":
        used = command.meaning.uses
        if used is not None and not document.device.find(used):
            return f"class-map {words[-1]} is not defined"  # IOS: % class map X not configured
    if section.mode == POLICY_CLASS:
        return _refuses_action(document, section, words)
    if section.mode == GLOBAL and words[1:2] == ("prefix-list",) and section.find(command.key):
        return "the sequence number holds another entry"  # IOS: %Insertion failed
    return _refuses_other_form(section, words) if section.mode == GLOBAL else None


def _refuses_other_form(section: SettingSection, words: tuple[str, ...]) -> str | None:
    """Refuse to edit a numbered list in the form that the config does not use.

    IOS keeps one list under both forms; this model keeps the lines of the config.
    """
    if words[:2] == ("ip", "access-list") and section.families.get(("access-list", words[-1])):
        return f"list {words[-1]} is in access-list lines: edit those"
    if words[0] == "access-list" and len(words) > 1:
        for kind in ("standard", "extended"):
            if section.find(("ip", "access-list", kind, words[1])):
                return f"list {words[1]} is under ip access-list: enter it"
    return None


def _refuses_policy(
    document: Document, section: SettingSection, command: StoredCommand
) -> str | None:
    used = command.meaning.uses
    if used is None:
        return "it names no policy-map"
    if not document.device.find(used):
        return f"policy-map {used[-1]} is not defined"
    if any(not node.negative for node in section.find(command.key)):
        # The classic trains do not replace it in place: detach first.
        return "another policy-map is attached there: detach it first"
    return None


def _refuses_action(
    document: Document, section: SettingSection, words: tuple[str, ...]
) -> str | None:
    actions = {key[0] for key, nodes in section.index.items() if not nodes[-1].negative}
    if words[0] == "priority":
        beside = sorted(actions & _NOT_BESIDE_PRIORITY)
        if beside:
            return f"the class has {beside[0]}: priority takes none beside it"
    if words[0] in _NOT_BESIDE_PRIORITY and "priority" in actions:
        return f"the class has priority, which takes no {words[0]} beside it"
    if not _is_before_hqf(document):
        return None
    if words[0] == "bandwidth" and section.parent is not None:
        return _refuses_unit(section.parent, section, words)
    return _refuses_second_drop(section, words)


def _refuses_second_drop(section: SettingSection, words: tuple[str, ...]) -> str | None:
    """Refuse WRED and its rows beside a queue-limit, and the reverse.

    Sources differ on what IOS does before HQF, refuse or replace: either loses one of the two, and
    where both stand it is not known which.
    """
    other = {_WRED[0]: _QUEUE_LIMIT, _QUEUE_LIMIT[0]: _WRED}.get(words[0])
    if other is None or not _is_set(section, other):
        return None
    return f"the class has {other[0]}: before HQF it takes no {words[0]} beside it"


def _is_set(section: SettingSection, key: Key) -> bool:
    return any(not node.negative for node in section.find(key))


def _refuses_unit(
    policy_map: SettingSection, section: SettingSection, words: tuple[str, ...]
) -> str | None:
    # Cisco document 10100 and QoS notes on mixing kinds: refused before HQF.
    for node in policy_map.nodes():
        if node.inner is None or node.inner is section:
            continue
        for other in node.inner.find(("bandwidth",)):
            if bandwidth_unit(other.words) != bandwidth_unit(words):
                return f"class {node.words[-1]} has its bandwidth in {bandwidth_unit(other.words)}"
            return None
    return None


def bandwidth_unit(words: tuple[str, ...]) -> str:
    """Kind of a `bandwidth` command of a class: kbps, percent or remaining percent."""
    return "kbps" if words[1:2] and words[1].isdigit() else " ".join(words[1:-1])


def _is_before_hqf(document: Document) -> bool:
    # HQF came late in 12.4T, which `version 12.4` cannot tell.
    version = document.device.find(("version",))
    major = version[-1].words[-1].split(".")[0] if version else ""
    number = whole_or_none(major)
    return number is not None and number < _FIRST_HQF_MAJOR


def refuses_removal(
    document: Document, section: SettingSection, words: tuple[str, ...], nodes: list[Node]
) -> str | None:
    """Say why IOS would refuse `no` of these words, which the nodes set."""
    is_map = section.mode == GLOBAL and words[0] in ("policy-map", "class-map")
    if is_map and nodes and document.uses(nodes[-1].key) > 0:
        return f"{words[0]} {words[-1]} is in use"  # IOS: %… is being used
    if section.mode == POLICY_MAP and words == CLASS_DEFAULT:
        return "class-default is part of every policy-map"
    if section.mode == GLOBAL and words[0] == "interface" and is_physical(words[-1]):
        return "a physical interface cannot be removed"
    exact = words[0] == "service-policy" or (section.mode == INTERFACE and words[:2] == _ADDRESS)
    is_named = words[-1] not in ("input", "output", "address", "service-policy")
    if exact and nodes and is_named and all(node.words != words for node in nodes):
        return f"what is set there is {nodes[-1].text!r}"
    return None
