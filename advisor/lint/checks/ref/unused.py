"""Policies and classes without use, and classes that never have a packet."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from advisor.device.device import Device, is_surely_missing, why_not_known
from advisor.facts.matched_packets import packets_of_classes
from advisor.facts.policy import ClassMap, PolicyClass, PolicyMap
from advisor.facts.taken_classes import Taker, takers_of_classes
from advisor.ground.questions import derived
from advisor.ios.syntax import Line
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.llq.astray import find_slow_voice_link_without_llq
from advisor.lint.checks.ref.needed import (
    NO_COMMANDS,
    Definition,
    DefinitionKind,
    kind_due,
    why_hidden,
    why_needed,
    why_unsure,
)
from advisor.lint.findings import Confidence, Level

# Which lines use a policy-map or a class-map, and what is left without use if one goes.

_MODES: Final = ("match-all", "match-any")
_KINDS: Final[Mapping[str, DefinitionKind]] = {str(kind): kind for kind in DefinitionKind}
_FOR_AN_LLQ: Final = "LLQ016 asks for an LLQ here, which may take it"
_NOT_REMOVED: Final = "no lines to paste: "
_ADVICE: Final = "if this text is only a part of a configuration, check the whole configuration"
# what IOS XE of Catalyst 3850 and 9000 writes for its own control plane
_OF_IOS: Final = ("system-cpp-", "non-client-nrt-class")


class Use(Struct, frozen=True):
    """A line that uses a definition; `owner` is that of its section, None elsewhere."""

    used: Definition
    owner: Definition | None


class Removed(Struct, frozen=True):
    """A definition to remove; `mode` is the word of a class-map before its name, or ""."""

    kind: DefinitionKind
    mode: str
    name: str


class UnusedDefinition(Struct, frozen=True):
    """The definition, and what goes with it: all that only it uses, users first."""

    name: str
    removed: tuple[Removed, ...]


def unused(
    device: Device, definitions: tuple[PolicyMap, ...] | tuple[ClassMap, ...], kind: DefinitionKind
) -> Found[UnusedDefinition]:
    """A hit for each definition that no line uses; a skip where the text may lack such lines."""
    all_uses = _uses(device)
    used = {use.used for use in all_uses} | {
        Definition(DefinitionKind.POLICY, policy.policy) for policy in device.seen.policies
    }
    unknown = why_not_known(device) or why_hidden(device)
    is_whole = is_surely_missing(device, ())
    for defined in definitions:
        definition = Definition(kind, defined.name)
        if definition in used or defined.name.startswith(_OF_IOS):
            continue
        label = f"{kind} {defined.name}"
        if unknown is not None:
            yield Skip(label, unknown)
        elif not device.facts.interfaces and not is_whole:
            yield Skip(label, "the text has no interface that could use it")
        else:
            removed = tuple(_removed(device, definition))
            names = [Definition(item.kind, item.name) for item in removed]
            needed, unsure = why_needed(device, names), why_unsure(device, names)
            needed = needed or (_FOR_AN_LLQ if _lacks_an_llq(device) else None)
            yield Hit(
                label,
                (defined.at,),
                UnusedDefinition(defined.name, removed),
                Confidence.CERTAIN if is_whole else Confidence.POSSIBLE,
                level=Level.NEEDS_WINDOW if unsure is not None else None,
                curable=is_whole and needed is None,
                advice=_NOT_REMOVED + needed if needed else (unsure if is_whole else _ADVICE),
            )


@derived
def _lacks_an_llq(device: Device) -> bool:
    """Whether LLQ016 asks for an LLQ, which may take a definition that nothing uses."""
    found = find_slow_voice_link_without_llq(device)
    return any(isinstance(hit, Hit) and hit.severity is None for hit in found)


@derived
def _uses(device: Device) -> tuple[Use, ...]:
    tree = device.facts.tree
    sections = tree.commands() if tree.may_hold("class", "policy") else ()
    return tuple(use for line in sections for use in _of_section(line))


def _of_section(top: Line) -> Iterator[Use]:
    """Uses by a top-level line and by all lines below it."""
    if not (top.children or "class" in top.text or "policy" in top.text):
        return  # most lines
    owner = _definition(top)
    for line in top.walk():
        if "class" not in line.text and "policy" not in line.text:
            continue  # most lines
        words = line.words
        if not line.is_command or words[0] in NO_COMMANDS or (owner and line is top):
            continue
        if words[0] == "class":
            yield from (
                Use(Definition(DefinitionKind.CLASS, name), owner) for name in _names(words, 0)
            )
        for place, word in enumerate(words):
            kind = kind_due(word)
            if kind is not None:
                yield from (Use(Definition(kind, n), owner) for n in _names(words, place))


def _names(words: list[str], place: int) -> Iterator[str]:
    """Yield the possible names after a keyword: each word, and all of them for spaced names."""
    yield from words[place + 1 :]
    yield " ".join(words[place + 1 :])


def _definition(line: Line) -> Definition | None:
    head, *words = line.words
    if head not in _KINDS:
        return None
    return Definition(_KINDS[head], " ".join(word for word in words if word not in _MODES))


class _Index(Struct, frozen=True):
    """Definitions in order with the word of their mode, their users, and what each section uses."""

    modes: dict[Definition, str]
    owners: dict[Definition, frozenset[Definition | None]]
    used_in: dict[Definition, tuple[Definition, ...]]


@derived
def _index(device: Device) -> _Index:
    facts = device.facts
    stated = {_definition(line): _mode(line) for line in facts.tree.commands()}
    defined = (
        *(Definition(DefinitionKind.POLICY, policy.name) for policy in facts.policy_maps),
        *(Definition(DefinitionKind.CLASS, class_map.name) for class_map in facts.class_maps),
    )
    modes = {definition: stated.get(definition, "") for definition in defined}
    owners: dict[Definition, set[Definition | None]] = {}
    used_in: dict[Definition, list[Definition]] = {}
    for use in _uses(device):
        if use.used in modes:
            owners.setdefault(use.used, set()).add(use.owner)
            if use.owner is not None:
                used_in.setdefault(use.owner, []).append(use.used)
    return _Index(
        modes,
        {used: frozenset(item) for used, item in owners.items()},
        {owner: tuple(dict.fromkeys(used)) for owner, used in used_in.items()},
    )


def _removed(device: Device, root: Definition) -> Iterator[Removed]:
    """A definition and what only it uses, users first."""
    index = _index(device)
    removed, newest = {root: None}, [root]
    while newest:
        candidates = {used for owner in newest for used in index.used_in.get(owner, ())}
        newest = [
            mode
            for mode in (index.modes if len(candidates) > 1 else candidates)
            if mode in candidates
            and mode not in removed
            and all(owner in removed for owner in index.owners[mode])
        ]
        removed |= dict.fromkeys(newest)
    yield from (Removed(item.kind, index.modes.get(item, ""), item.name) for item in removed)


def _mode(line: Line) -> str:
    return next((word for word in line.words[1:2] if word in _MODES), "")


# A class-map that is in no policy-map and nested in no other class-map.


def find_unused_class_map(device: Device) -> Found[UnusedDefinition]:
    """Yield a hit for each class-map that no line of the configuration names."""
    yield from unused(device, device.facts.class_maps, DefinitionKind.CLASS)


# A policy-map that is attached nowhere and nested in no other.


def find_unused_policy_map(device: Device) -> Found[UnusedDefinition]:
    """Yield a hit for each policy-map that no line of the configuration names."""
    yield from unused(device, device.facts.policy_maps, DefinitionKind.POLICY)


# A class whose packets all end in classes before it: order is meaning in a policy-map.

_MOST_MATCHES_SHOWN = 3
_OF_PARENT: Final = (
    "a nested policy gets what the classes ahead of it in its parent leave: take the class out of "
    "the parent, and give its actions to the class here"
)


class TakenClass(Struct, frozen=True):
    """The class, and the earlier classes that take its packets, with their matches."""

    class_name: str
    matches: str
    takers: str  # "class ALL-AF (match ip precedence 1)"


def find_class_never_matches(device: Device) -> Found[TakenClass]:
    """Yield a hit for each class of a policy-map whose packets are all taken by earlier classes.

    Only certain matches count. A class-map that names an access list or class-map which does not
    exist, or whose criteria no packet can meet, takes no part.
    """
    packets, taken = packets_of_classes(device.facts), takers_of_classes(device.facts)
    for policy, policy_class in device.facts.policy_classes:
        matched = packets.of(policy_class.name)
        if policy_class.is_default or matched.broken or matched.most == ():
            continue
        label, takers = (
            _label(policy, policy_class),
            taken.get((policy.name, policy_class.name)),
        )
        if matched.most is None:
            yield Skip(label, "what its class-map matches is not read in full")
        elif takers is not None:
            yield _hit(device, policy, policy_class, takers)


def _hit(
    device: Device, policy: PolicyMap, policy_class: PolicyClass, takers: tuple[Taker, ...]
) -> Hit[TakenClass]:
    facts = device.facts
    words = (
        f"class {taker.policy_class.name}"
        + (f" of policy-map {taker.policy}" if taker.policy != policy.name else "")
        + f" ({_matches(facts.class_map(taker.policy_class.name))})"
        for taker in takers
    )
    return Hit(
        _label(policy, policy_class),
        (policy_class.at, *(taker.policy_class.at for taker in takers)),
        TakenClass(
            policy_class.name, _matches(facts.class_map(policy_class.name)), " and ".join(words)
        ),
        Confidence.CERTAIN,
        advice=None if takers[0].policy == policy.name else _OF_PARENT,
    )


def _label(policy: PolicyMap, policy_class: PolicyClass) -> str:
    return policy.path_of(policy_class.name)


def _matches(class_map: ClassMap | None) -> str:
    texts = [match.text for match in class_map.matches] if class_map is not None else []
    joint = " and " if class_map is not None and class_map.match_all else " or "
    more = len(texts) - _MOST_MATCHES_SHOWN
    words = joint.join(texts[:_MOST_MATCHES_SHOWN])
    return f"{words}{joint}{more} more" if more > 0 else words


# A class-map whose criteria exclude each other: it never has a packet.


class EmptyMatch(Struct, frozen=True):
    """The class-map and the lines that exclude each other."""

    class_map: str
    criteria: str  # "match ip dscp ef and match ip dscp cs3"


def find_match_all_contradiction(device: Device) -> Found[EmptyMatch]:
    """Yield a hit for each match-all class-map of several lines that no packet can meet."""
    packets = packets_of_classes(device.facts)
    for class_map in device.facts.class_maps:
        lines = packets.contradiction(class_map)
        if len(class_map.matches) > 1 and lines:
            yield Hit(
                f"class-map {class_map.name}",
                tuple(match.at for match in lines),
                EmptyMatch(class_map.name, " and ".join(match.text for match in lines)),
                Confidence.CERTAIN,
            )
