"""Whether a missing definition can be called missing, and an unused one unused."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, TypeVar

from msgspec import Struct

from advisor.capture.masking import is_masked
from advisor.device.device import CLASS_MAP, Device, is_surely_missing, why_cut, why_not_shown
from advisor.facts.attachments import attachments
from advisor.facts.name_uses import near_names
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.facts.taken_classes import takers_of_classes
from advisor.ios.syntax import ConfigTree, Line, LineKind, Location
from advisor.lint.checks.base import Hit, Skip, begins_as
from advisor.lint.findings import Confidence
from advisor.questions import derived

# Whether a definition that is not in the text can be called missing, and a hit that says so.

E = TypeVar("E")

# The commands that define one.
ACCESS_LISTS: Final = ("access-list ", "ip access-list ", "ipv6 access-list ", "mac access-list ")
_ADVICE = "If this text is only a part of a configuration, check the whole configuration"


def without_packets(
    device: Device, policy: PolicyMap, classes: Iterable[PolicyClass]
) -> tuple[str, ...]:
    """Classes of a policy in which no packet is ever.

    No class-map defines them, theirs has no `match`, or classes ahead of them take all packets.
    """
    defined = _class_maps(device)
    empty = empty_class_maps(device)
    is_whole, taken = is_surely_missing(device, defined), takers_of_classes(device.facts)
    names = (policy_class.name for policy_class in classes if not policy_class.is_default)
    return tuple(
        name
        for name in names
        if (policy.name, name) in taken
        or name in empty
        or (
            is_whole
            and name not in defined
            and why_not_shown(device, name, (CLASS_MAP,), defined) is None
        )
    )


@derived
def empty_class_maps(device: Device) -> frozenset[str]:
    """Class-maps without a `match`: a line that is not understood, or a lost part, may be one."""
    doubtful = {unread.under for unread in device.facts.unread}
    if why_cut(device) is not None:
        return frozenset()
    return frozenset(
        class_map.name
        for class_map in device.facts.class_maps
        if not class_map.matches and f"class-map {class_map.name}" not in doubtful
    )


@derived
def _class_maps(device: Device) -> frozenset[str]:
    return frozenset(class_map.name for class_map in device.facts.class_maps)


def said_name(name: str) -> str:
    """A name for a message: of one with blanks, which may hold anything, the first word.

    >>> said_name("WAN-2"), said_name("WAN-2 xyzzy")
    ('WAN-2', 'WAN-2 …')
    """
    first, _, rest = name.partition(" ")
    return f"{first} …" if rest else first


def hint(name: str, defined: Iterable[str]) -> str:
    """Words behind a name that is not defined: " (did you mean WAN?)", or nothing."""
    near = near_names(name, defined)
    return f" (did you mean {said_name(near[0])}?)" if near else ""


Path = tuple[Line, ...]  # a command behind the heads of its sections


def paths(tree: ConfigTree) -> Iterator[Path]:
    """All commands in document order."""
    stack: list[Path] = [(line,) for line in reversed(tree.lines)]
    while stack:
        path = stack.pop()
        if path[-1].is_command:
            yield path
        stack.extend((*path, child) for child in reversed(path[-1].children))


_LEAST_LETTERS: Final = 5  # of a shorter name one letter says too little


def misspelt(name: str, defined: Iterable[str]) -> str | None:
    """The one defined name that differs by a slip of the keyboard; None where none or several do.

    A slip is another case, another `-` or `_`, two letters in each other's place, or a letter
    that is missing or doubled inside the name: a number or an ending tells names apart.

    >>> misspelt("WAN-EGDE", ["WAN-EDGE", "LAN"]), misspelt("WAN-1", ["WAN-2"])
    ('WAN-EDGE', None)
    >>> misspelt("SQL-TRAFIC", ["SQL-TRAFFIC"]), misspelt("WAN-OUT", ["WAN-OUT2"])
    ('SQL-TRAFFIC', None)
    """
    meant = [other for other in defined if other != name and _is_slip(name, other)]
    return meant[0] if len(meant) == 1 else None


def _is_slip(name: str, other: str) -> bool:
    one, two = (text.casefold().replace("_", "-") for text in (name, other))
    if one == two:
        return True
    longer, shorter = sorted((one, two), key=len, reverse=True)
    pairs = enumerate(zip(longer, shorter, strict=False))
    at = next((place for place, pair in pairs if len(set(pair)) > 1), 0)
    if len(shorter) < _LEAST_LETTERS or not at or not longer[at].isalpha():
        return False
    if len(longer) > len(shorter):
        return longer[at + 1 :] == shorter[at:]
    swapped = longer[at : at + 2]
    rest = longer[at + 2 :]
    return swapped.isalpha() and shorter[at:] == f"{swapped[::-1]}{rest}"


class Name(Struct, frozen=True):
    """A name that no line of the text defines: its kind's names, and the commands that define one.

    `label` and `at` are of the statement that uses it.
    """

    name: str
    heads: tuple[str, ...]
    defined: Collection[str]
    label: str
    at: Location


def missing(
    device: Device,
    name: Name,
    evidence: E,
    by_hand: str | None = None,
    meant: str | None = None,
) -> Hit[E] | Skip:
    """Hit for a name that nothing defines; a skip where the text may have lost it.

    A draft that names no device and defines nothing of the kind may be a part of a config: then
    the hit is `possible` and removes nothing. `by_hand` says what to do where no lines do, `meant`
    is the line with the name that was meant.
    """
    unknown = why_not_shown(device, name.name, name.heads, name.defined) or _why_unread(
        device, name
    )
    if unknown is not None:
        return Skip(name.label, unknown)
    at = (name.at,)
    if not is_surely_missing(device, name.defined):
        return Hit(name.label, at, evidence, Confidence.POSSIBLE, curable=False, advice=_ADVICE)
    return Hit(
        name.label,
        at,
        evidence,
        Confidence.CERTAIN,
        curable=by_hand is None,
        advice=by_hand,
        meant=meant,
    )


def _why_unread(device: Device, name: Name) -> str | None:
    """The line that is not understood and may define a name: it begins as one that does."""
    last = name.name.split()[-1]
    for line in device.facts.unread:
        begins = [head for head in name.heads if line.text.startswith(head)]
        if begins and (last in line.text.split() or name.name.startswith(begins[0])):
            return f"{line.at} is not understood: it may be the definition"
    return None


# Why a definition that no line uses may be needed all the same.


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


# Proof in a capture against a rule that says that IOS refuses a line.


def unless_printed(device: Device, confidence: Confidence) -> Confidence:
    """The confidence that IOS refuses a line; only `possible` where the device printed it."""
    return Confidence.POSSIBLE if device.facts.tree.is_capture else confidence


def if_not_in_force(device: Device) -> str:
    """Words, ahead of the advice, to look at the device that printed a line; empty of a draft."""
    if not device.facts.tree.is_capture:
        return ""
    look = "`show policy-map interface` whether the policy is in force"
    return f"see with {look}, and with `show version` which release it runs; if not, "


def printed_doubt(device: Device) -> str:
    """Words that a device printed the line and its generation may be another; empty of a draft."""
    if not device.facts.tree.is_capture:
        return ""
    return (
        f", yet the device printed this line: the generation taken for it"
        f" ({device.platform.generation}, {device.platform.because}) may be wrong"
    )
