"""Why a definition that no line uses may be needed all the same."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.ios.syntax.tree import Kind as LineKind
from advisor.ios.syntax.tree import Line, Location
from advisor.lint.checks.ref.shared.missing import near_names, said_name


class Kind(StrEnum):
    """What is defined and used; the value is the word of its section."""

    POLICY = "policy-map"
    CLASS = "class-map"


class Definition(Struct, frozen=True):
    """A policy-map or class-map by its name."""

    kind: Kind
    name: str


class OpenName(Struct, frozen=True):
    """A name that a line uses and nothing defines, and the definitions that it may have meant.

    Where no name is near, any definition of the kind may have been meant: `near` is empty.
    """

    kind: Kind
    name: str
    near: frozenset[str]
    at: Location

    def may_mean(self, definition: Definition) -> bool:
        """Whether the definition may be the one that was meant."""
        if definition.kind is not self.kind:
            return False
        return not self.near or definition.name in self.near


# Names that AutoQoS writes: `no auto qos` removes them, and refuses or warns where they changed.
_AUTO_QOS: Final = re.compile(r"auto-?_?qos", re.IGNORECASE)
# Sections and lines that hold commands as text: applets, timed commands, macros, menus, aliases.
_HOLD_COMMANDS: Final = (
    "aaa attribute list ",
    "event manager ",
    "kron ",
    "macro ",
    "alias ",
    "menu ",
)
_WORD: Final = re.compile(r"[\w.-]+")
# Commands that bring in lines which are not in this text, or are put together when they run.
_LOADS: Final = re.compile(
    r"""\btcl(?:s|sh)?\b | \bcop?y?\s+(?:/\S+\s+)?(?!run)\S+\s+(?:run|system:)
      | \bconf\S*\s+(?:rep|net|mem|over) | (?<!show[ ])(?<!sh[ ])\b(?:serv|policy|class)\S*\s.*\$\w
      | \bcommand\s+"?(?:no\s+)?\$""",
    re.VERBOSE,
)
_SCRIPT: Final = ("event manager policy ", "event manager directory ")
# A server may name policies and classes in the answer to an authorization (Cisco-AVPair
# sub-qos-policy-in/out, ip:qos-policy-out=add-class); sources: Cisco ISG and broadband guides.
_BY_SERVER: Final = re.compile(
    r"aaa authorization (?:network|subscriber-service|auth-proxy) .*\b(?:group|radius)\b"
    r"|aaa server radius dynamic-author"
    r"|dot1x system-auth-control|subscriber (?:service|templating|profile)"
    r"|service-policy type control "
)


def why_needed(device: Device, removed: Sequence[Definition]) -> str | None:
    """Why lines that remove these definitions may remove what is needed; None: nothing says so."""
    for definition in removed:
        if _AUTO_QOS.match(definition.name):
            return f"AutoQoS made {definition.kind} {definition.name}: `no auto qos` removes it"
        for name in sorted(device.derived(open_names), key=lambda each: not each.near):
            if name.may_mean(definition):
                return (
                    f"{name.kind} {name.name}, which {name.at} names, is not defined and may mean "
                    f"{said_name(definition.name)}: correct the name first"
                )
        for line in device.derived(_command_texts):
            if _holds(line.raw, definition.name):
                at = device.facts.tree.at(line)
                return f"{at} holds commands that name {definition.name}"
        for unread in device.facts.unread:
            if _holds(unread.text, definition.name):
                return f"{unread.at} names {definition.name} and is not understood"
    by_server = device.derived(_named_by_server)
    if by_server is not None:
        return (
            f"a RADIUS server may name it ({by_server} lets it): "
            "look for the name in its profiles first"
        )
    return None


def why_unsure(device: Device, removed: Sequence[Definition]) -> str | None:
    """Why nobody can be certain that nothing uses definitions; None where all users are here."""
    mentioned = device.derived(_mentions)
    said = next((each.name for each in removed if each.name in mentioned), None)
    if said is not None:
        return f"{mentioned[said]} speaks of {said}: see whether it is to come back"
    return device.derived(_why_unsure)


def _mentions(device: Device) -> dict[str, Location]:
    """Words of comments and descriptions, each with the first line that has it."""
    tree = device.facts.tree
    spoken = (
        line
        for line in tree.walk()
        if line.kind is LineKind.COMMENT or line.text.startswith(("description ", "remark "))
    )
    return {
        word: tree.at(line) for line in reversed(list(spoken)) for word in _WORD.findall(line.raw)
    }


def _why_unsure(device: Device) -> str | None:
    facts = device.facts
    script = next((line for line in facts.tree.commands() if line.text.startswith(_SCRIPT)), None)
    if script is not None:
        return f"the script of {facts.tree.at(script)} is not in this text and may name it"
    loads = next((line for line in device.derived(_command_texts) if _LOADS.search(line.raw)), None)
    if loads is not None:
        return f"the commands that {facts.tree.at(loads)} brings in may name it: look into them"
    ends = any(line.text == "end" for line in facts.tree.commands())
    if facts.version is None or not (ends or facts.tree.is_capture):
        return "this text may be a part of a configuration; look for other users on the device"
    return None


def open_names(device: Device) -> tuple[OpenName, ...]:
    """Policy-maps and class-maps that lines name and nothing defines, each name once."""
    defined = {
        Kind.POLICY: {policy.name for policy in device.facts.policy_maps},
        Kind.CLASS: {class_map.name for class_map in device.facts.class_maps},
    }
    found: dict[Definition, OpenName] = {}
    for used, at in _references(device):
        if used.name not in defined[used.kind] and used not in found:
            near = frozenset(near_names(used.name, defined[used.kind]))
            found[used] = OpenName(used.kind, used.name, near, at)
    return tuple(found.values())


def _references(device: Device) -> Iterator[tuple[Definition, Location]]:
    facts = device.facts
    for attached in attachments(facts):
        attachment = attached.attachment
        yield Definition(Kind.POLICY, attachment.policy), attachment.at
    for other in facts.other_policies:
        yield Definition(Kind.POLICY, other.policy), other.at
    for policy in facts.policy_maps:
        for each in policy.classes:
            if each.child is not None:
                yield Definition(Kind.POLICY, each.child.value), each.child.at
            if not each.is_default:
                yield Definition(Kind.CLASS, each.name), each.at
    for class_map in facts.class_maps:
        for match in class_map.matches:
            for name in match.values if match.kind == "class-map" else ():
                yield Definition(Kind.CLASS, name), match.at


def _command_texts(device: Device) -> tuple[Line, ...]:
    return tuple(
        line
        for top in device.facts.tree.commands()
        if top.text.startswith(_HOLD_COMMANDS)
        for line in top.walk()
    )


def _named_by_server(device: Device) -> Location | None:
    tree = device.facts.tree
    return next((tree.at(line) for line in tree.walk() if _BY_SERVER.match(line.text)), None)


def _holds(text: str, name: str) -> bool:
    """Whether a text holds a name as a word, in quotes or not."""
    return name in text and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None
