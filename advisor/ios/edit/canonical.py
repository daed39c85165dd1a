"""The state of the device behind a config text, and the lines that two configs do not share."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from advisor.ios.edit import ACCESS_LIST, CLASS_DEFAULT, POLICY_MAP, Key
from advisor.ios.edit.document import Document
from advisor.ios.edit.keys import is_physical, meaning_of
from advisor.ios.edit.places import Entries
from advisor.ios.edit.sections import Node, SettingSection, leaves_mode
from advisor.ios.syntax import ConfigTree, Line, LineKind
from advisor.ios.syntax.modes import GLOBAL

# The lines that two configs do not share: all that a comparison has to read.


def differing(a: ConfigTree, b: ConfigTree) -> tuple[ConfigTree, ConfigTree]:
    """Remove from two trees the top-level lines that are the same objects in both.

    A shared line stays if a different line concerns it: if that line enters the same section, sets
    the same setting, or stands in the same ordered list. The remaining trees differ exactly as the
    complete ones do. They are small after an edit, because `apply` shares all untouched lines.
    """
    shared = {id(line) for line in a.lines} & {id(line) for line in b.lines}
    in_a = [id(line) for line in a.lines if id(line) in shared]
    if in_a != [id(line) for line in b.lines if id(line) in shared]:
        return a, b  # the same lines in another order: no line can be left out
    touched = {
        key
        for tree in (a, b)
        for line in tree.lines
        if id(line) not in shared and line.is_command
        for key in _concerns(line.text)
    }

    def is_concerned(line: Line) -> bool:
        if id(line) not in shared:
            return True
        return line.is_command and not touched.isdisjoint(_concerns(line.text))

    return (
        replace(a, lines=tuple(line for line in a.lines if is_concerned(line))),
        replace(b, lines=tuple(line for line in b.lines if is_concerned(line))),
    )


@lru_cache(maxsize=1 << 13)
def _concerns(text: str) -> frozenset[Key]:
    """Keys of the setting of a top-level command and of its groups."""
    if leaves_mode(text):
        return frozenset()
    meaning = meaning_of(GLOBAL, text)
    keys = (meaning.key, meaning.family, meaning.group)
    return frozenset(key for key in keys if key is not None)


# The state of the device behind a config text, to compare two configs.


class CanonicalSetting(Struct, frozen=True):
    """One setting of a section.

    `group` names the settings whose order has a meaning; None if the order has none. `text` is
    the command in the one form that equal settings share.
    """

    key: Key
    text: str
    group: Key | None
    node: Node


def settings(section: SettingSection) -> tuple[CanonicalSetting, ...]:
    """Settings of a section, in the order of the text, without those that state a default."""
    numbers = _entry_numbers(section)
    numbered = [
        (numbers.get(id(node), place), node)
        for place, node in enumerate(section.nodes())
        if not _is_default(section, node)
    ]
    # IOS keeps class-default last.
    numbered.sort(key=lambda pair: (pair[1].key == CLASS_DEFAULT, pair[0]))
    return tuple(
        CanonicalSetting(node.key, _text(node), node.meaning.group, node) for _, node in numbered
    )


def _entry_numbers(section: SettingSection) -> dict[int, int]:
    if section.mode != ACCESS_LIST:
        return {}
    return {id(node): number for number, node in Entries(section).nodes.items()}


def _text(node: Node) -> str:
    if node.negative:
        return f"no {' '.join(node.key)}"
    if node.kind is LineKind.OPAQUE:
        return "\n".join(node.raw.strip().splitlines())
    return " ".join(node.words)


def _is_default(section: SettingSection, node: Node) -> bool:
    if node.meaning.is_default:
        return True
    # A physical interface and class-default exist without configuration.
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
            stack.extend((depth + 1, nested) for nested in reversed(_sorted(setting.node.inner)))


def _sorted(section: SettingSection) -> list[CanonicalSetting]:
    all_settings = settings(section)
    loose = [setting for setting in all_settings if setting.group is None]
    grouped = [setting for setting in all_settings if setting.group is not None]
    return sorted(loose, key=lambda setting: setting.text) + sorted(
        grouped, key=lambda setting: setting.group or ()
    )


def canonical(tree: ConfigTree) -> tuple[str, ...]:
    """Print the state of the device, in one order and spelling for all texts with this meaning.

    Order is kept if it has a meaning: classes of a policy-map (class-default last), matches of
    a class-map, entries of an access-list. A section that the text enters twice becomes one. If a
    setting has two values, the later one counts. Comments, blanks, noise, `exit`, `end` and
    settings that only state the default are left out.
    """
    return tuple(_lines(tree))


def same_config(a: ConfigTree, b: ConfigTree) -> bool:
    """Say whether both configs give the device the same state: equal `canonical` text.

    Sections that both trees share, as after an edit elsewhere, are not compared.
    """
    device_a, device_b = (Document(tree).device for tree in differing(a, b))
    pairs: list[tuple[SettingSection | None, SettingSection | None]] = [(device_a, device_b)]
    while pairs:
        settings_a, settings_b = (
            () if section is None else _sorted(section) for section in pairs.pop()
        )
        if [setting.text for setting in settings_a] != [setting.text for setting in settings_b]:
            return False
        pairs.extend(
            (setting_a.node.inner, setting_b.node.inner)
            for setting_a, setting_b in zip(settings_a, settings_b, strict=True)
            if not is_shared(setting_a.node, setting_b.node)
        )
    return True


def is_shared(a: Node, b: Node) -> bool:
    """Say whether two heads are the same line and their complete sections are the same."""
    if a.inner is None and b.inner is None:
        return True
    if a.inner is None or b.inner is None or a.line is not b.line:
        return False
    return len(a.inner.heads) == len(b.inner.heads) == 1
