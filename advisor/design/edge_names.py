"""Chooses names for a design on a configuration: reuses equal class-maps, avoids taken names."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from advisor.design.edge_classes import NAMES
from advisor.design.edge_demand import EdgeDemand
from advisor.design.edge_drafts import EdgeDraft, class_lines, drafted, with_calls
from advisor.design.edge_lines import (
    CLASSES,
    PARENT,
    POLICY,
    EdgeLines,
    bare_place,
    encapsulation_of,
    first_lines,
    lines_of,
)
from advisor.device.device import Device, with_tree
from advisor.facts.matched_packets import Matched, PacketsOfClasses
from advisor.facts.packet_set import IPV4, Box
from advisor.facts.policy import Police
from advisor.ios.edit import Key
from advisor.ios.edit.canonical import CanonicalSetting, settings
from advisor.ios.edit.document import Document
from advisor.ios.edit.sections import SettingSection
from advisor.ios.syntax import ConfigTree
from advisor.lint.trial import applied
from advisor.predict.what_if.subject import LLQ_CLASS

_V4: Final = frozenset((IPV4,))
_NAMED_SECTIONS: Final = ("class-map ", "policy-map ", "ip access-list ", "map-class ")
_ENDINGS_BESIDE: Final = 3

Lines = tuple[tuple[str, "Lines"], ...]  # of a section, each with those below it


def names_for(bare: Device, demand: EdgeDemand) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The suffix of new names, and for each class an existing class-map with the same packets.

    The class-maps of the design are added to the configuration and compared with the others.
    """
    tree, names = bare.facts.tree, design_names(demand)
    probe = suffix_for(tree, names)
    values = first_lines(demand, bare.platform, bare_place(demand), probe)
    voice = with_calls(values, 1, is_xe=False).classes if demand.calls else ()
    classes = (*voice, *(class_lines(values, item, kbps=1) for item in demand.classes))
    lines = lines_of(replace(values, classes=classes), CLASSES)
    made = with_tree(bare, applied(tree, lines))
    same = SamePackets(bare, made)
    reused = {}
    for queue_class in classes:
        name = queue_class.name.removesuffix(probe)
        standing = standing_class(same, bare, name, queue_class.name)
        if standing is not None:
            reused[name] = standing
    return suffix_for(tree, [name for name in names if name not in reused]), tuple(reused.items())


def design_names(demand: EdgeDemand) -> tuple[str, ...]:
    """All names that a design may give."""
    return (LLQ_CLASS, POLICY, PARENT, *NAMES, *(wanted.name for wanted in demand.classes))


def with_standing_names(trial: Device, draft: EdgeDraft) -> EdgeDraft:
    """The draft with the names of existing policies and map-classes that have the same lines."""
    before, values = trial.facts.tree, draft.values
    steps: tuple[tuple[str, Key], ...] = (
        ("policy_map", ("policy-map", values.policy_map)),
        ("parent", ("policy-map", values.parent)),
        ("map_class", ("map-class", "frame-relay", values.map_class)),
    )
    for field, key in steps:
        standing = standing_section(before, draft.device.facts.tree, key)
        if standing is not None:
            draft = drafted(trial, replace(draft.values, **{field: standing}))
    attached = (draft.values.policy_map, draft.values.parent)
    removed = tuple(item for item in values.removed if item not in attached)
    lan = None if _marks_already(trial, draft) else values.lan
    return drafted(trial, replace(draft.values, removed=removed, lan=lan))


def _marks_already(trial: Device, draft: EdgeDraft) -> bool:
    """Whether the input policy of the LAN marks the same packets with the same codes."""
    lan = draft.values.lan
    if lan is None or len(lan.removed) != 1:
        return False
    old = trial.facts.policy_map(lan.removed[0])
    new = draft.device.facts.policy_map(lan.policy_map)
    if old is None or new is None or len(old.classes) != len(new.classes):
        return False
    same = SamePackets(trial, draft.device)
    return all(
        same.of(one.name, other.name)
        and [mark.value for mark in one.sets] == [mark.value for mark in other.sets]
        and _polices_alike(one.police, other.police)
        and one.child is None
        for one, other in zip(old.classes, new.classes, strict=True)
    )


def _polices_alike(one: Police | None, other: Police | None) -> bool:
    if one is None or other is None:
        return one is other
    return replace(one, at=other.at) == other


def unnamed(values: EdgeLines, demand: EdgeDemand) -> EdgeLines:
    """The values for a bare router: with all lines and the names of the design."""
    own = {standing: f"{name}{values.suffix}" for name, standing in values.reused}
    classes = (
        replace(queue_class, name=own.get(queue_class.name, queue_class.name), stands=False)
        for queue_class in values.classes
    )
    return replace(
        values,
        classes=tuple(classes),
        policy_map=f"{POLICY}{values.suffix}",
        parent=f"{PARENT}{values.suffix}",
        map_class=f"{PARENT}{values.suffix}",
        encapsulation=values.encapsulation or encapsulation_of(demand),
        cell_kbps=values.link_kbps,
        removed=(),
        kept=(),
        kept_input=(),
    )


def taken_among(tree: ConfigTree, names: Sequence[str]) -> tuple[str, ...]:
    """The names that class-maps, policy-maps, lists or map-classes of a configuration have."""
    taken = _taken(tree)
    return tuple(name for name in names if name in taken)


def suffix_for(tree: ConfigTree, names: Sequence[str]) -> str:
    """Find a suffix that makes names free in a configuration: nothing, or -2, -3, …"""
    taken = _taken(tree)
    endings = ("", *(f"-{number}" for number in range(2, len(taken) + _ENDINGS_BESIDE)))
    return next(
        ending for ending in endings if taken.isdisjoint(f"{name}{ending}" for name in names)
    )


def _taken(tree: ConfigTree) -> set[str]:
    return {
        line.text.split()[-1] for line in tree.commands() if line.text.startswith(_NAMED_SECTIONS)
    }


class SamePackets:
    """Compares class-maps of two configurations by the packets that they match.

    Without IPv6 on the device, `match ip dscp` and `match dscp` take the same packets.
    """

    def __init__(self, one: Device, other: Device) -> None:
        self._one, self._other = PacketsOfClasses(one.facts), PacketsOfClasses(other.facts)
        self._has_ipv6 = any(
            line.text.startswith("ipv6 ")
            for device in (one, other)
            for line in device.facts.tree.walk()
        )

    def of(self, one: str, other: str) -> bool:
        """Whether a class-map of the first matches exactly what one of the other does."""
        boxes = self._exact(self._one.of(one))
        others = self._exact(self._other.of(other))
        return boxes is not None and boxes == others

    def _exact(self, matched: Matched) -> frozenset[Box] | None:
        """The packets as boxes, those that differ in their DSCPs only joined; None if uncertain."""
        if matched.most is None:
            return None
        most, sure = set(matched.most), set(matched.sure)
        if not any(map(_is_list, most)):  # the lists are read in full: their names say no more
            most, sure = (
                set(map(_unnamed, most)),
                {_unnamed(box) for box in sure if not _is_list(box)},
            )
        if most != sure:
            return None
        dscps: dict[Box, frozenset[int]] = {}
        for box in most:
            families = box.families if self._has_ipv6 else box.families & _V4
            key = replace(box, dscps=frozenset(), families=families)
            dscps[key] = dscps.get(key, frozenset()) | box.dscps
        return frozenset(replace(box, dscps=codes) for box, codes in dscps.items())


def _is_list(box: Box) -> bool:
    """Whether a box is an access list as a whole, known by its name alone."""
    return box == Box(conditions=box.conditions) and _unnamed(box) == Box()


def _unnamed(box: Box) -> Box:
    """A box without the name of the access list that its packets come from."""
    kept = (condition for condition in box.conditions if condition.kind != "access-group")
    return replace(box, conditions=frozenset(kept))


def standing_class(same: SamePackets, device: Device, name: str, made: str) -> str | None:
    """An existing class-map with the packets of the new one `made`, best called `name`."""
    known = [class_map.name for class_map in device.facts.class_maps]
    known.sort(key=lambda each: each != name)
    return next((group for group in known if same.of(group, made)), None)


def standing_section(before: ConfigTree, after: ConfigTree, key: Key) -> str | None:
    """The name of an existing section with the lines of the new section `key`; None without one."""
    made = Document(after).device.find(key)
    if not made or made[-1].inner is None:
        return None
    wanted, document = _lines(made[-1].inner), Document(before)
    for setting in settings(document.device):
        inner = setting.node.inner
        if setting.key[:-1] == key[:-1] and inner is not None and _lines(inner) == wanted:
            return setting.key[-1]
    return None


def _lines(section: SettingSection) -> Lines:
    """The lines of a section in a canonical order, without descriptions, to compare sections."""
    return tuple(
        (setting.text, () if setting.node.inner is None else _lines(setting.node.inner))
        for setting in _canonical_order(section)
    )


def _canonical_order(section: SettingSection) -> list[CanonicalSetting]:
    """Settings sorted by text, then, as they stand, those whose order has a meaning."""
    kept = [setting for setting in settings(section) if setting.key[0] != "description"]
    has_order = [setting.group is not None or setting.node.inner is not None for setting in kept]
    loose = [each for each, is_ordered in zip(kept, has_order, strict=True) if not is_ordered]
    ordered = [each for each, is_ordered in zip(kept, has_order, strict=True) if is_ordered]
    return [*sorted(loose, key=lambda each: each.text), *ordered]
