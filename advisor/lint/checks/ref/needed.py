"""Why a definition that no line uses may be needed all the same."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.capture.masking import is_masked
from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.name_uses import near_names
from advisor.ground.questions import derived
from advisor.ios.syntax import Line, LineKind, Location
from advisor.lint.checks.base import begins_as
from advisor.lint.checks.ref import said_name


class DefinitionKind(StrEnum):
    """Kinds of definitions that are used by name; the value is the word of the section."""

    POLICY = "policy-map"
    CLASS = "class-map"


class Definition(Struct, frozen=True):
    """A policy-map or class-map by its name."""

    kind: DefinitionKind
    name: str


class OpenName(Struct, frozen=True):
    """A name that a line uses and nothing defines, and the definitions that it may have meant.

    Where no name is near, any definition of the kind may have been meant: `near` is empty.
    """

    kind: DefinitionKind
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
_WORD: Final = re.compile(r"[\w.-]+")
# Commands that bring in lines which are not in this text, or are put together when they run.
_LOADS: Final = re.compile(
    r"""\btcl(?:s|sh)?\b | \bcop?y?\s+(?:/\S+\s+)?(?!run)\S+\s+(?:run|system:)
      | \bconf\S*\s+(?:rep|net|mem|over) | (?<!show[ ])(?<!sh[ ])\b(?:serv|policy|class)\S*\s.*\$\w
      | \|\s*(?:redirect|append|tee)\s+\S*\brun | \bcommand\s+"?(?:no\s+)?\$""",
    re.VERBOSE,
)
# A server may name policies and classes in the answer to an authorization (Cisco-AVPair
# sub-qos-policy-in/out, ip:qos-policy-out=add-class); sources: Cisco ISG and broadband guides.
_BY_SERVER: Final = re.compile(
    r"aaa authorization (?:network|subscriber-service|auth-proxy) .*\b(?:group|radius)\b"
    r"|aaa server radius dynamic-author"
    r"|dot1x system-auth-control|subscriber (?:service|templating|profile)"
    r"|service-policy type control "
)
_OF_SERVER: Final = re.compile(r"aaa authorization (?:<|(?:network|subscriber|auth-)[^<]*<)")
NO_COMMANDS: Final = ("description", "remark", "no", "default")


def why_needed(device: Device, removed: Sequence[Definition]) -> str | None:
    """Why lines that remove these definitions may remove what is needed; None: nothing says so."""
    for definition in removed:
        if _AUTO_QOS.match(definition.name):
            return f"AutoQoS made {definition.kind} {definition.name}: `no auto qos` removes it"
        shaped = _shapers_of_refused(device).get(definition)
        if shaped is not None:
            return shaped
        for name in sorted(open_names(device), key=lambda each: not each.near):
            if name.may_mean(definition):
                return (
                    f"{name.kind} {name.name}, which {name.at} names, is not defined and may mean "
                    f"{said_name(definition.name)}: correct the name first"
                )
        for at, text, why in _texts_not_judged(device):
            if _holds(text, definition.name):
                return f"{at} {why.format(definition.name)}"
    return _why_any_needed(device)


@derived
def _shapers_of_refused(device: Device) -> dict[Definition, str]:
    """Policies that shape around one which IOS refuses where it stands alone: what to do."""
    from advisor.outlet.parts import unshaped_classes  # noqa: PLC0415 -- plain configs do without

    refused = {
        attached.attachment.policy: attached.label
        for attached in attachments(device.facts)
        if unshaped_classes(device.facts, attached)
    }
    return {
        Definition(DefinitionKind.POLICY, policy.name): (
            f"it shapes around {item.child.value}, which {refused[item.child.value]} has without a "
            "shaper: attach it there instead"
        )
        for policy, item in device.facts.policy_classes
        if item.shape is not None and item.child is not None and item.child.value in refused
    }


@derived
def _texts_not_judged(device: Device) -> tuple[tuple[Location, str, str], ...]:
    """Lines that may name a definition and that no rule judges; why, with a place for the name."""
    tree = device.facts.tree
    commands = ((tree.at(line), line.raw) for line in command_texts(device))
    unread = ((item.at, item.text) for item in device.facts.unread)
    return (
        *((*command, "holds commands that name {}") for command in commands),
        *((*item, "names {} and is not understood") for item in unread),
        *((*item, "names {} in a configuration that is not judged") for item in device.unjudged),
    )


@derived
def _why_any_needed(device: Device) -> str | None:
    """Why lines that remove any definition may remove what is needed."""
    for attached in attachments(device.facts):
        policy = device.facts.policy_map(attached.attachment.policy)
        if policy is not None and not policy.classes:
            return (
                f"policy-map {policy.name}, which {attached.label} has, holds no class here: what "
                "it should hold may need them"
            )
    masked = next((unread for unread in device.facts.unread if is_masked(unread.text)), None)
    if masked is not None:
        return f"{masked.at} is not understood, and redaction masked what it may name"
    by_server = _named_by_server(device)
    if by_server is not None:
        return (
            f"a RADIUS server may name it ({by_server} lets it): "
            "look for the name in its profiles first"
        )
    return None


@derived
def why_hidden(device: Device) -> str | None:
    """Why a line may use any definition: redaction masked the name, or the whole command."""
    holding = command_texts(device)
    tree = device.facts.tree
    masked = filter(_is_masked_user, tree.walk()) if tree.may_hold("<") else ()
    hidden = next((line for line in (*holding, *masked) if is_masked(line.text)), None)
    return None if hidden is None else f"redaction masked `{hidden.text}`, which may use it"


def _is_masked_user(line: Line) -> bool:
    """Whether the name of a policy or a class may stand in what redaction left of a line."""
    if line.kind is not LineKind.COMMAND or not is_masked(line.text):
        return False
    words = line.words
    if words[0] in (*NO_COMMANDS, *DefinitionKind):
        return False
    return is_masked(words[0]) or words[0] == "class" or any(map(kind_due, words))


def kind_due(word: str) -> DefinitionKind | None:
    """The kind of name that may stand behind a word of any command; None where none may."""
    if word == DefinitionKind.CLASS:
        return DefinitionKind.CLASS
    return DefinitionKind.POLICY if "policy" in word else None


def why_unsure(device: Device, removed: Sequence[Definition]) -> str | None:
    """Why nobody can be certain that nothing uses definitions; None where all users are here."""
    mentioned = _mentions(device)
    said = next((item.name for item in removed if item.name in mentioned), None)
    if said is not None:
        return f"{mentioned[said]} speaks of {said}: see whether it is to come back"
    return _why_unsure(device)


@derived
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


@derived
def _why_unsure(device: Device) -> str | None:
    facts = device.facts
    script = next(
        (line for line in facts.tree.commands() if begins_as("load-commands", line.text)), None
    )
    if script is not None:
        return f"what {facts.tree.at(script)} loads is not in this text and may name it"
    loads = next((line for line in command_texts(device) if _LOADS.search(line.raw)), None)
    if loads is not None:
        return f"the commands that {facts.tree.at(loads)} brings in may name it: look into them"
    ends = any(line.text == "end" for line in facts.tree.commands())
    if facts.version is None or not (ends or facts.tree.is_capture):
        return "this text may be a part of a configuration; look for other users on the device"
    return None


@derived
def open_names(device: Device) -> tuple[OpenName, ...]:
    """Policy-maps and class-maps that lines name and nothing defines, each name once."""
    defined = {
        DefinitionKind.POLICY: {policy.name for policy in device.facts.policy_maps},
        DefinitionKind.CLASS: {class_map.name for class_map in device.facts.class_maps},
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
        yield Definition(DefinitionKind.POLICY, attachment.policy), attachment.at
    for other in facts.other_policies:
        yield Definition(DefinitionKind.POLICY, other.policy), other.at
    for _, queue_class in facts.policy_classes:
        if queue_class.child is not None:
            yield (
                Definition(DefinitionKind.POLICY, queue_class.child.value),
                queue_class.child.at,
            )
        if not queue_class.is_default:
            yield Definition(DefinitionKind.CLASS, queue_class.name), queue_class.at
    for class_map in facts.class_maps:
        for match in class_map.matches:
            for name in match.values if match.kind == "class-map" else ():
                yield Definition(DefinitionKind.CLASS, name), match.at


@derived
def command_texts(device: Device) -> tuple[Line, ...]:
    """Lines of sections that hold commands as text."""
    return tuple(
        line
        for top in device.facts.tree.commands()
        if begins_as("hold-commands", top.text)
        for line in top.walk()
    )


def _named_by_server(device: Device) -> Location | None:
    tree = device.facts.tree
    return next(
        (
            tree.at(line)
            for line in tree.walk()
            if _BY_SERVER.match(line.text) or _OF_SERVER.match(line.text)
        ),
        None,
    )


def _holds(text: str, name: str) -> bool:
    """Whether a text holds a name as a word, in quotes or not."""
    return name in text and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None
