"""Which lines use a policy-map or a class-map, and what is left without use if one goes."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device, is_surely_missing, why_not_known
from advisor.facts.policy import ClassMap, PolicyMap
from advisor.ios.syntax.tree import Line
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.ref.shared.doubts import Definition, Kind, why_needed, why_unsure
from advisor.lint.findings import Confidence, Level

_NO_COMMANDS: Final = ("description", "remark", "no", "default")
_MODES: Final = ("match-all", "match-any")
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

    kind: Kind
    mode: str
    name: str


class Evidence(Struct, frozen=True):
    """The definition, and what goes with it: all that only it uses, users first."""

    name: str
    removed: tuple[Removed, ...]


def unused(
    device: Device, definitions: tuple[PolicyMap, ...] | tuple[ClassMap, ...], kind: Kind
) -> Iterator[Hit[Evidence] | Skip]:
    """A hit for each definition that no line uses; a skip where the text may lack such lines."""
    all_uses = device.derived(_uses)
    used = {use.used for use in all_uses} | {
        Definition(Kind.POLICY, policy.policy) for policy in device.seen.policies
    }
    unknown = why_not_known(device)
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
            names = [Definition(each.kind, each.name) for each in removed]
            needed, unsure = why_needed(device, names), why_unsure(device, names)
            yield Hit(
                label,
                (defined.at,),
                Evidence(defined.name, removed),
                Confidence.CERTAIN if is_whole else Confidence.POSSIBLE,
                level=Level.NEEDS_WINDOW if unsure is not None else None,
                curable=is_whole and needed is None,
                advice=_NOT_REMOVED + needed if needed else (unsure if is_whole else _ADVICE),
            )


def _uses(device: Device) -> tuple[Use, ...]:
    return tuple(use for line in device.facts.tree.commands() for use in _of_section(line))


def _of_section(top: Line) -> Iterator[Use]:
    """Uses by a top-level line and by all lines below it."""
    owner = _definition(top)
    for line in top.walk():
        if "class" not in line.text and "policy" not in line.text:
            continue  # most lines
        words = line.words
        if not line.is_command or words[0] in _NO_COMMANDS or (owner and line is top):
            continue
        if words[0] == "class":
            yield from (Use(Definition(Kind.CLASS, name), owner) for name in _names(words, 0))
        for place, word in enumerate(words):
            if word == "class-map":
                yield from (Use(Definition(Kind.CLASS, n), owner) for n in _names(words, place))
            elif "policy" in word:
                yield from (Use(Definition(Kind.POLICY, n), owner) for n in _names(words, place))


def _names(words: list[str], place: int) -> Iterator[str]:
    """What may be the name after a keyword: each word, and all of them for a name with spaces."""
    yield from words[place + 1 :]
    yield " ".join(words[place + 1 :])


def _definition(line: Line) -> Definition | None:
    words = line.words
    kind = next((kind for kind in Kind if words[0] == kind), None)
    if kind is None:
        return None
    return Definition(kind, " ".join(word for word in words[1:] if word not in _MODES))


class _Index(Struct, frozen=True):
    """Definitions in order with the word of their mode, their users, and what each section uses."""

    modes: dict[Definition, str]
    owners: dict[Definition, frozenset[Definition | None]]
    used_in: dict[Definition, tuple[Definition, ...]]


def _index(device: Device) -> _Index:
    facts = device.facts
    stated = {_definition(line): _mode(line) for line in facts.tree.commands()}
    defined = (
        *(Definition(Kind.POLICY, policy.name) for policy in facts.policy_maps),
        *(Definition(Kind.CLASS, class_map.name) for class_map in facts.class_maps),
    )
    modes = {definition: stated.get(definition, "") for definition in defined}
    owners: dict[Definition, set[Definition | None]] = {}
    used_in: dict[Definition, list[Definition]] = {}
    for use in device.derived(_uses):
        if use.used in modes:
            owners.setdefault(use.used, set()).add(use.owner)
            if use.owner is not None:
                used_in.setdefault(use.owner, []).append(use.used)
    return _Index(
        modes,
        {used: frozenset(each) for used, each in owners.items()},
        {owner: tuple(dict.fromkeys(used)) for owner, used in used_in.items()},
    )


def _removed(device: Device, root: Definition) -> Iterator[Removed]:
    """A definition and what only it uses, users first."""
    index = device.derived(_index)
    removed, newest = {root: None}, [root]
    while newest:
        candidates = {used for owner in newest for used in index.used_in.get(owner, ())}
        newest = [
            each
            for each in (index.modes if len(candidates) > 1 else candidates)
            if each in candidates
            and each not in removed
            and all(owner in removed for owner in index.owners[each])
        ]
        removed |= dict.fromkeys(newest)
    yield from (Removed(each.kind, index.modes.get(each, ""), each.name) for each in removed)


def _mode(line: Line) -> str:
    return next((word for word in line.words[1:2] if word in _MODES), "")
