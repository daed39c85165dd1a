"""Lines that name an access list, a class-map, a policy-map or settings that are missing."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import CLASS_MAP, POLICY_MAP, Device
from advisor.facts.attachments import attachments
from advisor.facts.config import SectionUse, SettingsKind
from advisor.facts.interface import Side
from advisor.facts.name_uses import NameKind, defined_names, name_uses
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found
from advisor.lint.checks.ref import ACCESS_LISTS, Name, hint, missing, misspelt

# A `match access-group` that names no access list.
#
# No known Cisco document says what IOS then matches, so the check claims nothing about it.

_WHICH_PACKETS: Final = (
    "define the list, correct its name, or remove the match line: the configuration does not say "
    "which packets it should permit"
)


class MissingAccessList(Struct, frozen=True):
    """The class-map, its match line, and the access list that is not defined."""

    class_map: str
    statement: str
    access_list: str
    hint: str
    mode: str  # of the class-map
    right: str | None  # the name that was meant


def find_undefined_access_list(device: Device) -> Found[MissingAccessList]:
    """Yield a hit for each `match access-group` without an IP, IPv6 or MAC access list."""
    defined = device.facts.access_list_names
    for class_map in device.facts.class_maps:
        label = f"class-map {class_map.name}"
        for match in class_map.matches:
            for name in match.values if match.kind == "access-group" else ():
                if name not in defined:
                    is_plain = match.text == f"match access-group name {name}"
                    right = misspelt(name, defined) if is_plain else None
                    evidence = MissingAccessList(
                        class_map.name,
                        match.text,
                        name,
                        hint(name, defined),
                        "match-all" if class_map.match_all else "match-any",
                        right,
                    )
                    used = Name(name, ACCESS_LISTS, defined, label, match.at)
                    yield missing(device, used, evidence, None if right else _WHICH_PACKETS)


# A class of a policy-map, or nested in one, that no class-map defines: no packet is in it.


class MissingClassMap(Struct, frozen=True):
    """The policy-map or class-map that names a class without a class-map."""

    user: str
    class_name: str
    hint: str


def _named_classes(device: Device) -> Iterator[tuple[str, str, Location]]:
    """User, name and line of each class that a policy-map or a class-map names."""
    for policy, policy_class in device.facts.policy_classes:
        fragment = policy_class.fragment
        if not policy_class.is_default and not (fragment is not None and fragment.is_service):
            yield f"policy-map {policy.name}", policy_class.name, policy_class.at
    for class_map in device.facts.class_maps:
        for match in class_map.matches:
            for name in match.values if match.kind == "class-map" else ():
                yield f"class-map {class_map.name}", name, match.at


def find_undefined_class_map(device: Device) -> Found[MissingClassMap]:
    """Yield a hit for each class of a policy-map or class-map that no class-map defines."""
    defined = {class_map.name for class_map in device.facts.class_maps}
    for user, class_name, at in _named_classes(device):
        if class_name not in defined:
            name = Name(class_name, (CLASS_MAP,), defined, f"{user} > class {class_name}", at)
            yield missing(
                device, name, MissingClassMap(user, class_name, hint(class_name, defined))
            )


# A `service-policy` that names no policy-map: nothing is queued, shaped or marked.


class MissingPolicyMap(Struct, frozen=True):
    """The name that is not defined, and what that means for packets."""

    policy_map: str
    hint: str
    effect: str


_ATTACHMENT: Final = re.compile(r"service-policy (?P<side>input|output) (?P<policy>\S+)")


class _PolicyUse(Struct, frozen=True):
    """A line that attaches a policy-map to a port or another place, or nests it in a class."""

    label: str
    at: Location
    policy: str
    side: Side | None = None
    is_port: bool = False

    def statement(self, policy: str) -> str:
        """The line with a policy-map of this name."""
        return " ".join(filter(None, ("service-policy", self.side, policy)))


def _policy_uses(device: Device) -> Iterator[_PolicyUse]:
    """Each attachment, on a place or nested."""
    found: set[Location] = set()
    for attached in attachments(device.facts):
        attachment = attached.attachment
        found.add(attachment.at)
        port, side = attached.label, attachment.direction
        yield _PolicyUse(port, attachment.at, attachment.policy, side, is_port=True)
    for parent, policy_class in device.facts.policy_classes:
        if policy_class.child is not None:
            label = parent.path_of(policy_class.name)
            yield _PolicyUse(label, policy_class.child.at, policy_class.child.value)
    for other in device.facts.other_policies:
        if other.at not in found:  # of the control plane, or of a class that no circuit has
            label = _section_of(device, other.at)
            yield _PolicyUse(label, other.at, other.policy, other.direction)
    for unread in device.facts.unread:  # in a section that is not judged, as `range pvc`
        if (stated := _ATTACHMENT.fullmatch(unread.text)) is not None:
            label = unread.under or _section_of(device, unread.at)
            yield _PolicyUse(label, unread.at, stated["policy"], Side(stated["side"]))


def _section_of(device: Device, at: Location) -> str:
    """The top-level line of the section that holds a line."""
    tops = (line for line in device.facts.tree.commands() if line.number <= at.line)
    return max(tops, key=lambda line: line.number).text


def find_undefined_policy_map(device: Device) -> Found[MissingPolicyMap]:
    """Yield a hit for each attachment, on an interface or nested, that names no policy-map."""
    defined = {policy.name for policy in device.facts.policy_maps}
    for use in _policy_uses(device):
        if use.policy not in defined:
            name = Name(use.policy, (POLICY_MAP,), defined, use.label, use.at)
            right = misspelt(use.policy, defined)
            effect = _effect(device, use, right)
            evidence = MissingPolicyMap(use.policy, hint(use.policy, defined), effect)
            by_hand = right and _renamed(use, right)
            yield missing(device, name, evidence, by_hand, right and use.statement(right))


def _effect(device: Device, use: _PolicyUse, right: str | None) -> str:
    """Words for the QoS that a place lacks: of voice where the policy meant may have an LLQ."""
    if not use.is_port:
        return "no QoS in this place, its packets are not told apart"
    if use.side is Side.INPUT:
        return "no QoS on this input, no packet is marked or policed"
    from advisor.facts.traffic_kinds import may_be_for_voice  # noqa: PLC0415 -- of outputs alone

    policies = () if right is None else device.facts.nested_policies(right)
    classes = [item for policy in policies for item in policy.classes if item.priority is not None]
    if any(may_be_for_voice(device.facts, item.name) for item in classes):
        return "no QoS on this output, voice waits behind data like any other packet"
    return "no QoS on this output, no class is served before another"


def _renamed(use: _PolicyUse, right: str) -> str:
    """Name the lines to enter by hand: IOS refuses the present line, so no rollback leads back."""
    lines = f"`no {use.statement(use.policy)}`, then `{use.statement(right)}`"
    section = f"if {right} was meant, enter in that section: {lines}"
    return f"{section}; no rollback: IOS refuses the wrong name"


# Settings, a list or an object that a line names and nothing defines: the line brings nothing.

# Templates that IOS XE brings along and prints only where they were changed; recalled.
_BUILT_IN: Final = "_INTERFACE_TEMPLATE"
_NEAR_KEY_CHAIN: Final = " (one of a similar name is defined)"
_HEADS: Final = {
    NameKind.ACCESS_LIST: ACCESS_LISTS,
    NameKind.PREFIX_LIST: ("ip prefix-list ", "ipv6 prefix-list "),
    NameKind.IP_SLA: ("ip sla ", "rtr "),
}


class MissingSettings(Struct, frozen=True):
    """Undefined name, the line that names it, the nearest name, and what the line lacks."""

    section: str
    hint: str
    statement: str
    lacks: str


def find_undefined_settings(device: Device) -> Found[MissingSettings]:
    """Yield a hit for each line that names settings, a list or an object which the text has not."""
    yield from _settings(device)
    yield from _others(device)


def _settings(device: Device) -> Found[MissingSettings]:
    for use in device.facts.section_uses:
        if (use.kind, use.name) in device.facts.sections or _is_built_in(use):
            continue
        defined = sorted(name for kind, name in device.facts.sections if kind is use.kind)
        section, near = f"{use.kind} {use.name}", hint(use.name, defined)
        evidence = MissingSettings(
            section, near, use.statement, "brings no policy, rate or fragment"
        )
        name = Name(use.name, (f"{use.kind} ",), defined, use.label, use.at)
        yield missing(device, name, evidence)


def _is_built_in(use: SectionUse) -> bool:
    return use.kind is SettingsKind.TEMPLATE and use.name.endswith(_BUILT_IN)


def _others(device: Device) -> Found[MissingSettings]:
    """Each name once: the first line that names it."""
    tree, said = device.facts.tree, set[tuple[NameKind, str]]()
    known = defined_names(tree)
    known |= {(NameKind.ACCESS_LIST, name) for name in device.facts.access_list_names}
    for use in name_uses(tree):
        if (use.kind, use.name) in known or (use.kind, use.name) in said:
            continue
        defined = sorted(name for kind, name in known if kind is use.kind)
        section, near = f"{use.kind} {use.name}", hint(use.name, defined)
        if use.kind is NameKind.KEY_CHAIN:  # its names are masked: quoted, so that the mask sees it
            section, near = f"`{section}`", near and _NEAR_KEY_CHAIN
        evidence = MissingSettings(section, near, use.statement, "names nothing")
        heads = _HEADS.get(use.kind, (f"{use.kind} ",))
        said.add((use.kind, use.name))
        yield missing(
            device, Name(use.name, heads, defined, use.place, tree.at(use.line)), evidence
        )
