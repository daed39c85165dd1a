"""Rules on a device: those that its content concerns, their hits, the words of findings."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from advisor.capture.sections import Section
from advisor.device.device import Device, with_all_members
from advisor.device.platform import Decision, FamilyName
from advisor.facts.dlsw import Dlsw
from advisor.facts.interface import Interface
from advisor.ground.faults import Guard, guarded
from advisor.ground.questions import derived, question
from advisor.ios.syntax import Location
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.findings import Cause, Confidence, Finding, Place, Renamed, Severity, Skipped
from advisor.shows.observations import Observations

# Features that families of rules are about: checks of other families are not imported.
#
# A family is left out only where none of its checks yields anything: neither a hit nor a skip.

# Fields of an interface without queueing: its name, its link and its addresses.
_PLAIN_FIELDS: Final = frozenset((
    "name", "at", "type", "parent", "link_mode", "description", "shutdown", "bandwidth_bps",
    "clock_rate_bps", "seen_rate_bps", "seen_bandwidth_bps", "user_rate", "timeslots_bps",
    "speed_bps", "encapsulation", "mtu_bytes", "ip_mtu_bytes", "other_protocol", "ip_address",
    "load_interval_s", "access_group_in", "dialer_pool", "channel_group", "bridge_group",
))  # fmt: skip
_NOTHING_SEEN: Final = Observations()
_NO_DLSW: Final = Dlsw()


def may_find(device: Device, rules: Sequence[Rule]) -> Sequence[Rule]:
    """Rules that may find something on a device; one with a check of its own always may."""
    left_out = _families_left_out(device)
    return [
        rule
        for rule in rules
        if rule.family not in left_out or rule.bound is not None or rule.card.check in _OF_ANY
    ]


@derived
def _families_left_out(device: Device) -> frozenset[str]:
    """Families of rules that find nothing on a device."""
    if not device.is_ios:
        return frozenset()
    return frozenset(family for family, concerns in _SUBJECTS.items() if not concerns(device))


def _never(_: Device) -> bool:
    """The rules on suppressions: a run makes their findings when it is over."""
    return False


@derived
def _queues(device: Device) -> bool:
    """Whether anything of a device queues, classifies, or is measured."""
    facts = device.facts
    stated = (
        facts.class_maps,
        facts.policy_maps,
        facts.other_policies,
        facts.switch_qos,
        facts.sections,
        facts.section_uses,
        facts.dial_peers,
        facts.call_thresholds,
        facts.unread,
        device.traffic,
        device.transactions,
    )
    return (
        any(stated)
        or device.seen != _NOTHING_SEEN
        or not all(map(_is_plain, facts.interfaces))
        or _speaks_dlsw(device)
    )


def _queues_at_an_end(device: Device) -> bool:
    """Whether it queues, or may need what the other end of one of its links has."""
    return _queues(device) or bool(device.fleet.links.links.found)


def _is_plain(interface: Interface) -> bool:
    return all(getattr(interface, name) == default for name, default in _DEFAULTS.items())


def _defaults() -> Mapping[str, object]:
    defaults = Interface.__struct_defaults__
    names = Interface.__struct_fields__[-len(defaults) :]
    stated = zip(names, defaults, strict=True)
    return {name: default for name, default in stated if name not in _PLAIN_FIELDS}


_DEFAULTS: Final = MappingProxyType(_defaults())


def _is_without_cef(device: Device) -> bool:
    return device.facts.tree.may_hold("no ip cef")


def _is_switch(device: Device) -> bool:
    return bool(device.facts.switch_qos)


def _polices(device: Device) -> bool:
    return any(queue_class.police is not None for _, queue_class in device.facts.policy_classes)


def _speaks_bgp(device: Device) -> bool:
    """Whether a device routes by BGP, and outputs tell whether it is congested."""
    routes = device.facts.other_routes
    return device.seen != _NOTHING_SEEN and any(route.value == "router bgp" for route in routes)


def _has_tunnels(device: Device) -> bool:
    has_tunnel = any(interface.type == "Tunnel" for interface in device.facts.interfaces)
    is_seen = bool(device.seen.protected or device.seen.replay_messages)
    return has_tunnel or is_seen or device.facts.tree.may_hold("crypto")


def _has_wred(device: Device) -> bool:
    """Whether a class or an interface has WRED, or somebody states or shows what may tell of it."""
    facts = device.facts
    return (
        bool(facts.unread or device.traffic)
        or device.seen != _NOTHING_SEEN
        or any(
            interface.wred is not None or interface.random_detect for interface in facts.interfaces
        )
        or any(queue_class.wred is not None for policy, queue_class in facts.policy_classes)
    )


def _speaks_dlsw(device: Device) -> bool:
    seen = device.seen
    return (
        device.facts.dlsw != _NO_DLSW
        or device.transactions is not None
        or any((seen.dlsw_peers, seen.dlsw_circuits, seen.dlsw_statistics))
    )


def _has_cpu_loads(device: Device) -> bool:
    return bool(device.seen.cpu or device.seen.cpu_tables)


def _has_probes(device: Device) -> bool:
    return bool(device.facts.probes or device.seen.sla)


def _is_captured(device: Device) -> bool:
    return bool(device.gaps) or device.seen != _NOTHING_SEEN


_SUBJECTS: Final[Mapping[str, Callable[[Device], bool]]] = MappingProxyType({
    "cbw": _queues,
    "cef": _is_without_cef,
    "cls": _queues,
    "col": _is_captured,
    "cpu": _has_cpu_loads,
    "dls": _speaks_dlsw,
    "lfi": _queues_at_an_end,
    "llq": _queues,
    "mls": _is_switch,
    "plc": _queues,
    "plt": _queues,
    "pol": _polices,
    "qlm": _queues,
    "ref": _queues,
    "rtg": _speaks_bgp,
    "shp": _queues,
    "sla": _has_probes,
    "sup": _never,
    "txr": _queues_at_an_end,
    "vpn": _has_tunnels,
    "wrd": _has_wred,
})  # fmt: skip
_OF_ANY: Final = frozenset(("undefined-settings",))  # it reads lines that are no QoS


# Rules on a device: hits, and the words of findings.


class Hits(Struct, frozen=True):
    """Hits and skips of rules on a device, before words and remedies."""

    pairs: tuple[tuple[Rule, Hit[Any]], ...]
    skipped: tuple[Skipped, ...]


Key = tuple[str, str]  # rule id and object path: what a finding is known by


def keys_of(pairs: Iterable[tuple[Rule, Hit[Any]]]) -> frozenset[Key]:
    """Return the keys of findings, whatever their words and numbers."""
    return frozenset((rule.card.id, hit.object) for rule, hit in pairs)


def keys_before(keys: frozenset[Key], renamed: Iterable[Renamed]) -> frozenset[Key]:
    """Keys under the names that objects had before their policies moved or were copied."""
    for item in renamed:
        keys = frozenset((rule, item.path_before(subject)) for rule, subject in keys)
    return keys


def judge(device: Device, rules: Sequence[Rule], guard: Guard | None = None) -> Hits:
    """Run rules on a device; with a guard one that fails leaves the others to judge.

    What the same rules say of the same device is kept as long as the device.
    """
    kept = _hits_by_rules(device)
    if id(rules) not in kept:
        hits = _judged(device, rules, guard)
        whole = with_all_members(device)
        if whole is not None:
            hits = _beside(hits, _judged(whole, rules, guard))
        hits = _without_doubtful_lines(device, hits)
        if sound(device, rules, guard) is not rules:
            return hits
        kept[id(rules)] = rules, hits
    return kept[id(rules)][1]


def is_found(device: Device, rules: Sequence[Rule], key: Key) -> bool:
    """Whether rules find something on a device: only the rule of the key is run, until it does."""
    rule_id, subject = key
    return any(
        outcome.object == subject and not isinstance(outcome, Skip)
        for rule in may_find(device, [rule for rule in rules if rule.card.id == rule_id])
        if _standing(device, rule.card.families)[0]
        for outcome in rule.check.find(device, rule.params)
    )


_MEMBER_DOWN: Final = (
    "a member of a bundle is down, and with all of them it is another finding or none: bring the "
    "member up before the lines are sized"
)


def _beside(hits: Hits, whole: Hits) -> Hits:
    """Hits of a device whose bundles lack members, beside those of the device with all of them.

    What only the loss brings about has no lines: they would fit a policy to a line that is down.
    """
    lasting = {(rule.card.id, hit.object): hit for rule, hit in whole.pairs}
    pairs = []
    for rule, hit in hits.pairs:
        other = lasting.get((rule.card.id, hit.object))
        is_same = other is not None and other.evidence == hit.evidence
        is_of_state = is_same or rule.card.measured
        held = hit if is_of_state else replace(hit, curable=False, advice=_MEMBER_DOWN)
        pairs.append((rule, held))
    return Hits(tuple(pairs), hits.skipped)


_DOUBTFUL: Final = (
    "outputs contradict the configuration here (COL004): find out which of the two the router "
    "runs, and capture both again before lines are sized"
)


def _without_doubtful_lines(device: Device, hits: Hits) -> Hits:
    """The hits, without lines to paste where outputs contradict what the lines would rest on."""
    if device.seen == _NOTHING_SEEN:
        return hits
    from advisor.outlet.contradictions import doubtful_objects  # noqa: PLC0415 -- of outputs alone

    doubtful = doubtful_objects(device)
    if not doubtful:
        return hits
    pairs = tuple(
        (rule, replace(hit, curable=False, advice=_DOUBTFUL))
        if hit.curable and rule.card.remedy is not None and _is_within(hit.object, doubtful)
        else (rule, hit)
        for rule, hit in hits.pairs
    )
    return Hits(pairs, hits.skipped)


def _is_within(subject: str, objects: Collection[str]) -> bool:
    """Whether an object is one of these, or stands in one."""
    return any(start in objects for start in accumulate(subject.split(" > "), "{} > {}".format))


@derived
def _hits_by_rules(_: Device) -> dict[int, tuple[Sequence[Rule], Hits]]:
    return {}


def _judged(device: Device, rules: Sequence[Rule], guard: Guard | None) -> Hits:
    pairs: list[tuple[Rule, Hit[Any]]] = []
    skipped: list[Skipped] = []
    for rule in may_find(device, rules):
        holds, is_sure = _standing(device, rule.card.families)
        elsewhere: dict[str, None] = {}  # objects of a rule that does not hold for this platform
        with guarded(guard, device.facts.tree.file, rule.card.id):
            for outcome in rule.check.find(device, rule.params):
                if not holds:
                    elsewhere[outcome.object] = None
                elif isinstance(outcome, Skip):
                    skipped.append(_skipped(device, rule, outcome))
                else:
                    pairs.append((rule, outcome if is_sure else doubted(outcome)))
        if elsewhere:
            reason = f"not known for {device.platform.title}"
            skipped += (_skipped(device, rule, Skip(place, reason)) for place in elsewhere)
    return Hits(tuple(pairs), tuple(skipped))


def _standing(device: Device, families: tuple[FamilyName, ...]) -> tuple[bool, bool]:
    """Whether a rule for these families may hold for the platform of a device, and surely does."""
    holds, is_sure = _of_platform(device.platform, families)
    return holds or not device.is_ios, is_sure


@question(256)  # a run has few platforms, and the cards few groups of families
def _of_platform(platform: Decision, families: tuple[FamilyName, ...]) -> tuple[bool, bool]:
    return platform.holds_for(families), platform.surely_holds_for(families)


def severity_of(rule: Rule, hit: Hit[Any]) -> Severity:
    """The severity of a hit: that of its rule, or a milder one of its own."""
    own = hit.severity
    return own if own is not None and own.rank > rule.severity.rank else rule.severity


def doubted(hit: Hit[Any]) -> Hit[Any]:
    """The hit where the platform is open, and may be one for which the rule does not hold."""
    return replace(hit, confidence=Confidence.POSSIBLE)


def sound(device: Device, rules: Sequence[Rule], guard: Guard | None) -> Sequence[Rule]:
    """Rules that did not fail on a device: a proof cannot run the others."""
    if guard is None:
        return rules
    file = device.facts.tree.file
    left = [rule for rule in rules if not guard.holds(file, rule.card.id)]
    return left if len(left) < len(rules) else rules


def finding_of(
    device: str,
    rule: Rule,
    hit: Hit[Any],
    texts: Mapping[Location, str],
    cause: Cause | None = None,
) -> Finding:
    """Words of a hit on a device of this name: the card's message with the numbers of its evidence.

    It has no remedy yet. Where a `cause` makes it void the message says so, and nothing is certain.
    """
    card = rule.card
    message = card.message.format_map(asdict(hit.evidence))
    is_void = cause is not None and cause.is_sure
    return Finding(
        device=device,
        rule=card.id,
        name=card.name,
        severity=severity_of(rule, hit),
        confidence=Confidence.POSSIBLE if is_void else hit.confidence,
        object=hit.object,
        locations=tuple(Place(at.file, at.line, texts.get(at, "")) for at in hit.at),
        message=message if cause is None else f"{message}; {cause}",
        prediction=hit.forecast,
        remedy=None,
        sources=card.sources,
        object_kind=card.objects,
        void_by=cause,
        title=card.title,
        harm=card.harm,
    )


def _skipped(device: Device, rule: Rule, skip: Skip) -> Skipped:
    return Skipped(device.name, rule.card.id, skip.object, skip.reason, rule.card.objects)


def line_texts(device: Device, sections: Sequence[Section]) -> dict[Location, str]:
    """Text of each line that a finding may quote: of the config, and of show outputs."""
    tree = device.facts.tree
    texts = {
        Location(section.file, section.first_line + index): line.strip()
        for section in sections
        for index, line in enumerate(section.shown.split("\n"))
    }
    texts.update({tree.at(line): line.text for line in tree.walk()})
    texts.update(
        {
            Location(tree.file, problem.number): problem.detail
            for problem in tree.problems
            if problem.quotes
        }
    )
    return texts
