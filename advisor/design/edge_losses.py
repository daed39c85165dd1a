"""Lists the lines of a configuration that lose their effect to a designed edge."""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from msgspec import Struct

from advisor.design.edge_classes import key_of
from advisor.design.edge_lines import EdgeLines, Form
from advisor.design.edge_names import SamePackets
from advisor.design.edge_on import StandingPlace
from advisor.device.device import Device
from advisor.facts.config import Facts
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.ground.units import kbps_from_bps, whole
from advisor.ios.edit import Key
from advisor.ios.edit.canonical import differing, settings
from advisor.ios.edit.document import Document
from advisor.ios.edit.sections import SettingSection
from advisor.ios.syntax import ConfigTree
from advisor.ios.syntax.names import dscp_name
from advisor.outlet.class_bandwidth import class_rate, stated_rate
from advisor.outlet.outlets import policies_out

_FRAGMENT: Final[Key] = ("frame-relay", "fragment")
_CHILD: Final = "service-policy"
_POLICER: Final[Key] = ("police",)
_WHOLE_PERCENT: Final = 100


class Loss(Struct, frozen=True):
    """Lines of a section that lose their effect, and the lines of the design in their place.

    Without `lines`, `instead` is a limit (a policer) that the class did not have. With
    `class_name`, the design has no class for those packets; `rate_kbps` is the rate that the class
    had, and `keep` the option that keeps it. With `both_ends`, the other end must change too.
    """

    place: str
    lines: tuple[str, ...]
    instead: tuple[str, ...] = ()
    class_name: str | None = None
    rate_kbps: float | None = None
    keep: str | None = None
    both_ends: bool = False


def losses_of(
    before: Device, after: Device, standing: StandingPlace, values: EdgeLines
) -> tuple[Loss, ...]:
    """All lines of a configuration that the design removes, replaces or makes idle."""
    was, now = Document(before.facts.tree).device, Document(after.facts.tree).device
    found = list(_replaced(before.facts.tree, after.facts.tree, values))
    old = standing.map_class
    if values.form in (Form.FRTS, Form.CIRCUIT) and old not in (None, values.map_class):
        gone, made = _map_class(was, old), _map_class(now, values.map_class)
        if gone is not None:
            found += _changed(gone, made, f"map-class frame-relay {old}")
    comparison = _Comparison(before, after, values)
    found += comparison.losses(standing.policies, _root(values))
    if values.lan is not None:
        found += comparison.losses(values.lan.removed, values.lan.policy_map)
    return tuple(dict.fromkeys(found))


def _root(values: EdgeLines) -> str:
    is_nested = values.shape_bps is not None and values.form is not Form.FRTS
    return values.parent if is_nested else values.policy_map


def _map_class(device: SettingSection, name: str | None) -> SettingSection | None:
    nodes = device.find(("map-class", "frame-relay", name or ""))
    return nodes[-1].inner if nodes else None


def _replaced(before: ConfigTree, after: ConfigTree, values: EdgeLines) -> Iterator[Loss]:
    """Lines of the configuration that the edit takes off; what moves to a bundle is no loss."""
    gone, made = differing(before, after)
    moved = set()
    if values.form is Form.MIGRATED:
        bundle = Document(made).device.find(("interface", f"Multilink{values.group}"))
        inner = bundle[-1].inner if bundle else None
        moved = {setting.text for setting in settings(inner)} if inner is not None else set()
    for loss in _changed(Document(gone).device, Document(made).device, ""):
        if not moved.issuperset(loss.lines):
            yield loss


def _changed(was: SettingSection, now: SettingSection | None, place: str) -> Iterator[Loss]:
    """Settings of a section that another lacks or has otherwise; descriptions set nothing."""
    others = {} if now is None else {item.key: item for item in settings(now)}
    for setting in settings(was):
        if setting.key[0] == "description":
            continue
        other = others.get(setting.key)
        line, inner = setting.node.text, setting.node.inner
        if other is None or other.text != setting.text:
            yield Loss(
                place,
                (line,),
                () if other is None else (other.node.text,),
                both_ends=other is None and setting.key == _FRAGMENT,
            )
        if inner is not None and other is not None:  # a head has a value too: `police cir 64000`
            where = f"{place} > {line}" if place else line
            yield from _changed(inner, other.node.inner, where)


def _policed(was: SettingSection, now: SettingSection, place: str) -> Iterator[Loss]:
    """A policer that a class did not have."""
    had = {item.key for item in settings(was)}
    for setting in settings(now):
        if setting.key == _POLICER and _POLICER not in had:
            yield Loss(place, (), (setting.node.text,))


class _Comparison:
    """Compares the classes of the policies before and after, those of the same packets."""

    def __init__(self, before: Device, after: Device, values: EdgeLines) -> None:
        self._before, self._after, self._values = before, after, values
        self._same = SamePackets(before, after)
        self._was = Document(before.facts.tree).device
        self._now = Document(after.facts.tree).device

    def losses(self, roots: Sequence[str], root: str) -> Iterator[Loss]:
        """Yield the settings of classes of old policies that those of a new one lack."""
        new = [] if root in roots else list(_classes(self._after.facts, root))
        for old in roots:
            if old == root:
                continue
            for policy, item in _classes(self._before.facts, old):
                yield from self._lost(policy, item, new)

    def _lost(
        self, policy: PolicyMap, old: PolicyClass, new: Sequence[tuple[PolicyMap, PolicyClass]]
    ) -> Iterator[Loss]:
        same = [pair for pair in new if self._takes_same(old, pair[1])]
        alike = max(same, key=lambda pair: _likeness(old, pair[1]), default=None)
        place = policy.path_of(old.name)
        section = _class_section(self._was, policy.name, old.name)
        if section is None:
            return
        if alike is not None:
            other = _class_section(self._now, alike[0].name, alike[1].name)
            for loss in _changed(section, other, place):
                if not loss.lines[0].startswith(_CHILD):
                    yield loss
            if other is not None:
                yield from _policed(section, other, place)
            return
        lines = tuple(setting.node.text for setting in settings(section))
        if lines:
            kbps = self._rate_kbps(policy, old)
            keep = self._keep(old, kbps)
            yield Loss(place, lines, class_name=old.name, rate_kbps=kbps, keep=keep)

    def _takes_same(self, old: PolicyClass, new: PolicyClass) -> bool:
        if old.is_default or new.is_default:
            return old.is_default and new.is_default
        return self._same.of(old.name, new.name)

    def _rate_kbps(self, policy: PolicyMap, old: PolicyClass) -> float | None:
        """Rate that a class can count on where its policy queues here."""
        if old.priority is None and old.bandwidth is None and old.shape is None:
            return None
        for outlet in policies_out(self._before):
            own = outlet.class_named(old.name)
            if (
                outlet.queueing.name != policy.name
                or own is None
                or outlet.attached_to not in self._values.places
            ):
                continue
            rate = class_rate(outlet, own)
            llq_bps = outlet.llq_rate_bps(own)
            bps = rate.value if rate is not None else llq_bps
            return None if bps is None else kbps_from_bps(bps)
        stated = stated_rate(old)
        return None if stated is None else kbps_from_bps(stated.value)

    def _keep(self, old: PolicyClass, kbps: float | None) -> str | None:
        """The option that gives a class of DSCPs its rate; None where voice leaves less than it."""
        class_map = self._before.facts.class_map(old.name)
        if class_map is None or kbps is None or old.priority is not None:
            return None
        voice_bps = sum(item.police_bps or 0 for item in self._values.classes)
        if kbps >= self._values.link_kbps - kbps_from_bps(voice_bps):
            return None
        if any(match.kind != "dscp" or match.negated for match in class_map.matches):
            return None
        codes = {dscp_name(whole(code)) for match in class_map.matches for code in match.values}
        name = key_of(codes)
        percent = ceil(_WHOLE_PERCENT * kbps / self._values.link_kbps)
        return None if name is None else f"--data {name}={percent}%"


def _likeness(old: PolicyClass, new: PolicyClass) -> tuple[bool, bool]:
    """Whether both or neither shape, and nest a policy: then they are on the same policy level."""
    both_shape = (old.shape is None) == (new.shape is None)
    return both_shape, (old.child is None) == (new.child is None)


def _classes(facts: Facts, root: str) -> Iterator[tuple[PolicyMap, PolicyClass]]:
    """The classes of a policy and of all below it."""
    for policy in facts.nested_policies(root):
        yield from ((policy, queue_class) for queue_class in policy.classes)


def _class_section(device: SettingSection, policy: str, name: str) -> SettingSection | None:
    nodes = device.find(("policy-map", policy))
    inner = nodes[-1].inner if nodes else None
    classes = inner.find(("class", name)) if inner is not None else []
    return classes[-1].inner if classes else None
