"""What the device would hold, whatever way the text puts it: for comparing two configs."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.ios.edit.command_keys import ACCESS_LIST, CLASS_DEFAULT, POLICY_MAP, Key
from advisor.ios.edit.difference import differing
from advisor.ios.edit.document import Document
from advisor.ios.edit.entries import Entries
from advisor.ios.edit.keys import is_physical
from advisor.ios.edit.sections import Node, Section
from advisor.ios.syntax.modes import GLOBAL
from advisor.ios.syntax.tree import ConfigTree, Kind


class Setting(Struct, frozen=True):
    """One thing a section holds.

    `group` names the settings among which order is meaning, None where there is none; `text` is
    the command in the one form that equal settings share.
    """

    key: Key
    text: str
    group: Key | None
    node: Node


def settings(section: Section) -> tuple[Setting, ...]:
    """What a section holds, in the order of the text; what is so anyway is left out."""
    numbers = _entry_numbers(section)
    held = [
        (numbers.get(id(node), place), node)
        for place, node in enumerate(section.nodes())
        if not _is_default(section, node)
    ]
    # IOS keeps class-default last.
    held.sort(key=lambda pair: (pair[1].key == CLASS_DEFAULT, pair[0]))
    return tuple(Setting(node.key, _text(node), node.meaning.group, node) for _, node in held)


def _entry_numbers(section: Section) -> dict[int, int]:
    if section.mode != ACCESS_LIST:
        return {}
    return {id(node): number for number, node in Entries(section).nodes.items()}


def _text(node: Node) -> str:
    if node.negative:
        return f"no {' '.join(node.key)}"
    if node.kind is Kind.OPAQUE:
        return "\n".join(node.raw.strip().splitlines())
    return " ".join(node.words)


def _is_default(section: Section, node: Node) -> bool:
    if node.meaning.is_default:
        return True
    # A physical interface and class-default are there without being configured.
    if section.mode == GLOBAL and node.key[0] == "interface" and not node.negative:
        always_there = is_physical(node.words[-1])
    else:
        always_there = section.mode == POLICY_MAP and node.key == CLASS_DEFAULT
    return always_there and (node.inner is None or not node.inner.holds_something())


def _lines(tree: ConfigTree) -> Iterator[str]:
    stack = [(0, setting) for setting in reversed(_sorted(Document(tree).device))]
    while stack:
        depth, setting = stack.pop()
        yield " " * depth + setting.text
        if setting.node.inner is not None:
            stack.extend((depth + 1, s) for s in reversed(_sorted(setting.node.inner)))


def _sorted(section: Section) -> list[Setting]:
    held = settings(section)
    loose = sorted((s for s in held if s.group is None), key=lambda s: s.text)
    grouped = [s for s in held if s.group is not None]
    return loose + sorted(grouped, key=lambda s: s.group or ())


def canonical(tree: ConfigTree) -> tuple[str, ...]:
    """Print what the device would hold, in one order and spelling for all texts that mean it.

    Order is kept where it is meaning: classes of a policy-map (class-default last), matches of
    a class-map, entries of an access-list. Sections that the text enters twice are one, and of
    two values of one setting the later counts. Comments, blanks, noise, `exit` and `end`, and
    settings that only say the default, are left out.
    """
    return tuple(_lines(tree))


def same_config(a: ConfigTree, b: ConfigTree) -> bool:
    """Say whether a device would hold the same with either config: equal `canonical` text.

    Sections that both trees share, as after an edit elsewhere, are not looked into.
    """
    left, right = (Document(tree).device for tree in differing(a, b))
    pairs: list[tuple[Section | None, Section | None]] = [(left, right)]
    while pairs:
        mine, others = (() if one is None else _sorted(one) for one in pairs.pop())
        if [setting.text for setting in mine] != [setting.text for setting in others]:
            return False
        pairs.extend(
            (one.node.inner, other.node.inner)
            for one, other in zip(mine, others, strict=True)
            if not is_shared(one.node, other.node)
        )
    return True


def is_shared(a: Node, b: Node) -> bool:
    """Say whether two heads are one and the same line, with all there is of their sections."""
    if a.inner is None and b.inner is None:
        return True
    if a.inner is None or b.inner is None or a.line is not b.line:
        return False
    return len(a.inner.heads) == len(b.inner.heads) == 1
