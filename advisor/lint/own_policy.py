"""Outputs that share a policy, and a policy of its own for one of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device, why_part
from advisor.facts.attachments import Attached, attachments
from advisor.facts.config import Facts
from advisor.facts.interface import Side
from advisor.facts.policy import PolicyMap
from advisor.ground.questions import derived
from advisor.ios.syntax import ConfigTree
from advisor.lint.findings import Finding, Renamed
from advisor.lint.judge import Key
from advisor.lint.site import commands
from advisor.lint.trial import applied
from advisor.outlet.outlets import policies_out

# Outputs that an edit of a policy reaches: those that share it, and those nobody can name.

_HEAD: Final = "policy-map "


def with_users(device: Device, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings whose advice says which outputs share a policy that the lines edit.

    It is added last: one remedy stands for many outputs, and each of them is named.
    """
    return tuple(_with_users(device, finding) for finding in findings)


def _with_users(device: Device, finding: Finding) -> Finding:
    remedy = finding.remedy
    if remedy is None or any(item.before.startswith(_HEAD) for item in remedy.renamed):
        return finding  # it edits a copy for one output
    users = _labels_by_policy(device)
    shared = {name: users[name] for name in _edited(remedy.lines) if len(users.get(name, ())) > 1}
    if not shared:
        return finding
    words = (
        f"{name} is shared, and all of {', '.join(labels)} change and were proven"
        for name, labels in shared.items()
    )
    advice = "; ".join(filter(None, (remedy.advice, *words)))
    return replace(finding, remedy=replace(remedy, advice=advice))


@derived
def _labels_by_policy(device: Device) -> Mapping[str, tuple[str, ...]]:
    labels: dict[str, dict[str, None]] = {}
    for outlet in policies_out(device):
        for name in (outlet.policy.name, outlet.queueing.name):
            labels.setdefault(name, {})[outlet.policy_label] = None
    return {name: tuple(found) for name, found in labels.items()}


def unknown_users(device: Device, lines: Sequence[str]) -> tuple[str, ...]:
    """Name policies that may have other users outside the text, a part of the configuration."""
    names = ", ".join(_edited(lines))
    is_part = bool(names) and why_part(device) is not None
    return (f"outputs that are not in this text may use {names} too",) if is_part else ()


def _edited(lines: Sequence[str]) -> list[str]:
    return sorted({line.removeprefix(_HEAD) for line in lines if line.startswith(_HEAD)})


# A policy of its own for one output: an edit that the other users of the policy do not need.
#
# A policy-map may be attached at many outputs, and IOS has no copy command: the edited policy is
# entered whole under a new name, the child first, and attached in place of the old one. Between
# the two lines the default queueing serves, and the queues are emptied once.

_CHILD: Final = "service-policy "
_LONGEST_NAME: Final = 40  # characters of a policy-map; QoS command reference


class OwnPolicy(Struct, frozen=True):
    """Lines with copies in them, the copies as renamed objects, and what to know of them."""

    lines: tuple[str, ...]
    renamed: tuple[Renamed, ...]
    words: str


class PolicyPlace(Struct, frozen=True):
    """A place where a policy is exchanged for another."""

    interface: str
    circuit: str | None
    map_class: str | None
    old: str
    new: str


class Exchange(Struct, frozen=True):
    """A child policy that a class of a policy takes in place of another."""

    policy_map: str
    class_name: str
    old: str
    new: str


def own_policy(
    device: Device, lines: Sequence[str], key: Key, known: frozenset[Key]
) -> OwnPolicy | None:
    """The edit of a policy for one output alone; None where it stays an edit for all.

    It stays one where the finding is about the policy itself, no other output uses it, all users
    have the finding, or the place is one that several circuits share, as an NHRP group.

    Raises
    ------
    UnprovenError
        If IOS would refuse a line of the edit.
    """
    edited = [line.removeprefix(_HEAD) for line in lines if line.startswith(_HEAD)]
    place = _place(device.facts, key[1]) if edited else None
    if place is None or place.place is not None:
        return None
    users = _users(device.facts)
    others = {section: label for name in edited for section, label in users.get(name, {}).items()}
    others.pop(place.section, None)
    if not others or all(_is_found(key[0], label, known) for label in others.values()):
        return None
    return _copied(device, lines, place, users)


def _place(facts: Facts, subject: str) -> Attached | None:
    """The attachment that a finding is about; None where it is about the policy itself."""
    outputs = [place for place in attachments(facts) if _is_output(place)]
    named = [place for place in outputs if f"{subject} > ".startswith(f"{place.label} > ")]
    return max(named, key=lambda each: len(each.label), default=None)


def _is_output(attached: Attached) -> bool:
    return attached.attachment.direction is Side.OUTPUT


def _is_found(rule_id: str, label: str, known: frozenset[Key]) -> bool:
    return any(rule == rule_id and f"{name} > ".startswith(f"{label} > ") for rule, name in known)


def _users(facts: Facts) -> Mapping[str, dict[tuple[str, ...], str]]:
    """The outputs that use each policy, nested ones too: their sections, with their labels."""
    users: dict[str, dict[tuple[str, ...], str]] = {}
    for attached in filter(_is_output, attachments(facts)):
        for policy in facts.nested_policies(attached.attachment.policy):
            users.setdefault(policy.name, {}).setdefault(attached.section, attached.label)
    return users


def _copied(
    device: Device,
    lines: Sequence[str],
    place: Attached,
    users: Mapping[str, dict[tuple[str, ...], str]],
) -> OwnPolicy:
    root = place.attachment.policy
    nested = list(device.facts.nested_policies(root))
    edited = {line.removeprefix(_HEAD) for line in lines if line.startswith(_HEAD)}
    shared = {policy.name for policy in nested if len(users[policy.name]) > 1}
    names: dict[str, str] = {}  # of the copies, children before parents
    for policy in reversed(nested):
        is_parent = not names.keys().isdisjoint(policy.children)
        if policy.name in shared and (policy.name in edited or is_parent):
            names[policy.name] = _free_name(device.facts, policy.name, place)
    tree = applied(device.facts.tree, lines)
    new: list[str] = list(_without(lines, names))
    for old in names:
        new += _copy(tree, old, names)
    for policy in nested:
        if policy.name not in names:
            new += _exchanged(policy, names)
    if root in names:
        new += commands("remedy/shared/attach.j2", _attachment(place, names[root]))
    renamed = tuple(Renamed(f"{_HEAD}{old}", f"{_HEAD}{name}") for old, name in names.items())
    kept = ", ".join(f"{old} stays as it is for the others" for old in names)
    words = f"{kept}: {place.label} gets a copy; its queues are emptied once when it is exchanged"
    return OwnPolicy(tuple(new), renamed, words)


def _without(lines: Sequence[str], names: Mapping[str, str]) -> Iterator[str]:
    """Lines of an edit without those of policies that are copied with the edit in them."""
    is_copied = False
    for line in lines:
        if not line.startswith(" "):
            is_copied = line.startswith(_HEAD) and line.removeprefix(_HEAD) in names
        if not is_copied:
            yield line


def _copy(tree: ConfigTree, old: str, names: Mapping[str, str]) -> Iterator[str]:
    """The lines of a policy under its new name, with the new names of its children."""
    yield f"{_HEAD}{names[old]}"
    for head in (line for line in tree.commands() if line.text == f"{_HEAD}{old}"):
        stack = [(1, line) for line in reversed(tuple(head.commands()))]
        while stack:
            depth, line = stack.pop()
            yield " " * depth + _renamed(line.text, names)
            stack += [(depth + 1, child) for child in reversed(tuple(line.commands()))]


def _renamed(text: str, names: Mapping[str, str]) -> str:
    child = text.removeprefix(_CHILD)
    return f"{_CHILD}{names[child]}" if text.startswith(_CHILD) and child in names else text


def _exchanged(policy: PolicyMap, names: Mapping[str, str]) -> Iterator[str]:
    for queue_class in policy.classes:
        if queue_class.child is not None and queue_class.child.value in names:
            old = queue_class.child.value
            exchange = Exchange(policy.name, queue_class.name, old, names[old])
            yield from commands("remedy/shared/exchange-child.j2", exchange)


def _attachment(place: Attached, new: str) -> PolicyPlace:
    map_class = place.circuit.map_class if place.circuit is not None else None
    return PolicyPlace(
        place.interface.name,
        place.pvc.label.removeprefix("pvc ") if place.pvc is not None else None,
        map_class.value if map_class is not None else None,
        place.attachment.policy,
        new,
    )


def _free_name(facts: Facts, name: str, place: Attached) -> str:
    """Name of a copy: the old one and the place, as long as IOS takes, and free."""
    where = "".join(char if char.isalnum() else "-" for char in "-".join(place.section[:1]))
    tail = f"-{where.removeprefix('interface-').removeprefix('map-class-frame-relay-')}"
    if place.pvc is not None:
        tail += f"-{place.pvc.vpi}-{place.pvc.vci}"
    number, ending = 1, tail
    while True:
        free = f"{name[: _LONGEST_NAME - len(ending)]}{ending}"
        if facts.policy_map(free) is None:
            return free
        number += 1
        ending = f"{tail}-{number}"
