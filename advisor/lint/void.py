"""Findings on the device as IOS takes its lines, and as its wrong names were meant.

A check that finds a refusal names the lines that IOS does not take (`Hit.refused`). What the rules
no longer say, or say with other evidence, of the device without these lines rests on them. Lint,
plans, explanations and comparisons ask here; nobody else decides what a refusal makes void.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device, with_tree
from advisor.facts.attachments import attachments
from advisor.facts.config import Facts
from advisor.ground.quantity import Figure
from advisor.ground.questions import derived
from advisor.ios.syntax import Line, Location
from advisor.lint.cards import Card, Rule
from advisor.lint.checks.base import Hit
from advisor.lint.findings import Cause, Confidence, Finding, Forecast, Sequel, Severity
from advisor.lint.judge import Key, finding_of, judge, keys_of, severity_of

_POLICY, _INTERFACE = "policy-map ", "interface "
_Pair = tuple[Rule, Hit[Any]]


def voids_of(device: Device, rules: Sequence[Rule]) -> Mapping[Key, Cause]:
    """Find the causes that make findings void, by key; empty where IOS refuses nothing."""
    kept = _kept(device)
    if id(rules) not in kept:
        kept[id(rules)] = rules, _voids(device, rules)
    return kept[id(rules)][1]


def idle_of(pairs: Sequence[_Pair]) -> Mapping[Key, Cause]:
    """Find the findings on classes that do not queue until another is mended, by key."""
    at: dict[str, Cause] = {}
    for rule, hit in pairs:
        cause = Cause(rule.card.id, hit.object, is_sure=False, is_idle=True)
        for place in (hit.object, *(f"{_POLICY}{name}" for name in hit.idle)) if hit.idle else ():
            at.setdefault(place, cause)
    idle: dict[Key, Cause] = {}
    for rule, hit in pairs if at else ():
        starts = accumulate(hit.object.split(" > "), "{} > {}".format)
        head = next((at[start] for start in starts if start in at), None)
        if head is not None and rule.card.harm and not hit.idle and not _is_error(rule, hit):
            idle[rule.card.id, hit.object] = head
    return idle


def _is_error(rule: Rule, hit: Hit[Any]) -> bool:
    return severity_of(rule, hit) is Severity.ERROR


@derived
def _kept(_: Device) -> dict[int, tuple[Sequence[Rule], Mapping[Key, Cause]]]:
    return {}


def as_taken(device: Device, rules: Sequence[Rule]) -> Device:
    """The device as IOS runs it: without the lines that it certainly refuses."""
    refused = {
        at
        for _, hit in judge(device, rules).pairs
        if hit.confidence is Confidence.CERTAIN
        for at in hit.refused
    }
    return _without(device, refused) if refused else device


def _voids(device: Device, rules: Sequence[Rule]) -> Mapping[Key, Cause]:
    pairs = judge(device, rules).pairs
    heads = sorted((pair for pair in pairs if pair[1].refused and pair[0].is_on), key=_doubt)
    if not heads:
        return {}
    taken = _without(device, {at for _, hit in heads for at in hit.refused})
    left = {(rule.card.id, hit.object): hit for rule, hit in judge(taken, rules).pairs}
    causes = _causes(device.facts, heads)
    voids: dict[Key, Cause] = {}
    for rule, hit in pairs:
        key = rule.card.id, hit.object
        if not hit.refused and _is_other(rule.card, hit, left.get(key)):
            cause = causes.of(hit.object.split(" > ")[0])
            if cause is not None and _is_found_anyway(rule, hit, left.get(key)):
                cause = replace(cause, is_sure=False, found_anyway=True)
            if cause is not None:
                voids[key] = cause
    return voids


def _is_found_anyway(rule: Rule, hit: Hit[Any], left: Hit[Any] | None) -> bool:
    """Whether a fault is there without the refused lines too: one that no figure or line mends."""
    if left is None or rule.card.remedy is not None or hit.forecast or left.forecast:
        return False
    return Severity.INFO not in {severity_of(rule, hit), severity_of(rule, left)}


def _doubt(pair: _Pair) -> int:
    return list(Confidence).index(pair[1].confidence)


def _cause(rule: Rule, hit: Hit[Any]) -> Cause:
    return Cause(rule.card.id, hit.object, is_sure=hit.confidence is not Confidence.POSSIBLE)


def _is_other(card: Card, hit: Hit[Any], left: Hit[Any] | None) -> bool:
    """Whether a finding tells or foretells something else; its lines may keep other statements."""
    if left is None:
        return True
    now, then = hit.evidence, left.evidence
    tells_other = any(getattr(now, name) != getattr(then, name) for name in card.told)
    return tells_other or not _agree(hit.forecast, left.forecast)


def _agree(one: Forecast | None, other: Forecast | None) -> bool:
    """Whether two forecasts say the same: the same bound of the ring, figures that overlap."""
    if one is None or other is None:
        return one is other
    has_one_bound = one.ring_bound_ms == other.ring_bound_ms
    return has_one_bound and _meet(one.before, other.before) and _meet(one.after, other.after)


def _meet(one: Figure | None, other: Figure | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.low <= other.high and other.low <= one.high


class _Causes(Struct, frozen=True):
    """The surest refusal at each section, and the surest of all that reach it."""

    at: Mapping[str, Cause]
    reaching: Mapping[str, Cause]

    def of(self, place: str) -> Cause | None:
        """The refusal at its own section, else the surest."""
        return self.at.get(place) or self.reaching.get(place)


def _causes(facts: Facts, heads: Sequence[_Pair]) -> _Causes:
    """Causes by the sections that the refusals reach; `heads` begin with the surest."""
    at: dict[str, Cause] = {}
    reaching: dict[str, Cause] = {}
    map_classes = _map_classes(facts)
    shared: set[tuple[str, tuple[Location, ...]]] = set()
    for rule, hit in heads:
        own, cause = hit.object.split(" > ")[0], _cause(rule, hit)
        at.setdefault(own, cause)
        places = {own, *map_classes.get(own, ())}
        policy = own.removeprefix(_POLICY) if own.startswith(_POLICY) else ""
        if (policy, hit.refused) not in shared:  # the ports of one policy are refused together
            shared.add((policy, hit.refused))
            places |= _shared_places(facts, policy, frozenset(hit.refused))
        for place in places:
            reaching.setdefault(place, cause)
    return _Causes(at, reaching)


def _shared_places(facts: Facts, policy: str, refused: frozenset[Location]) -> set[str]:
    """The policies that a refusal reaches, and the ports that have them.

    `policy` is the policy-map that it is found on; "" where it is found on a port.
    """
    policies = {policy} if policy else set[str]()
    places: set[str] = set()
    for attached in attachments(facts):
        below = {
            nested_policy.name
            for nested_policy in facts.nested_policies(attached.attachment.policy)
        }
        if attached.attachment.at in refused:
            policies |= below
        elif not policy or not policies & below:
            continue
        main = attached.interface.parent or attached.interface.name
        places |= {f"{_INTERFACE}{attached.interface.name}", f"{_INTERFACE}{main}"}
    policies |= {item.name for item in facts.nested_policies(policy)}
    return places.union(f"{_POLICY}{name}" for name in policies)


def _map_classes(facts: Facts) -> Mapping[str, set[str]]:
    """The map-classes of the circuits of each interface and of its subinterfaces."""
    found: dict[str, set[str]] = {}
    for interface in facts.interfaces:
        names = (circuit.map_class for circuit in interface.circuits)
        heads = {f"map-class frame-relay {name.value}" for name in names if name is not None}
        for place in {interface.name, interface.parent}:
            found.setdefault(f"{_INTERFACE}{place}", set()).update(heads)
    return found


def _without(device: Device, refused: Collection[Location]) -> Device:
    file = device.facts.tree.file
    numbers = {at.line for at in refused if at.file == file}
    return _with_lines(device, lambda line: None if line.number in numbers else line)


def _with_lines(device: Device, change: Callable[[Line], Line | None]) -> Device:
    """The device with some lines changed or, where the change is None, left out."""
    tree = device.facts.tree
    return with_tree(device, replace(tree, lines=tuple(_changed(tree.lines, change))))


def _changed(lines: Sequence[Line], change: Callable[[Line], Line | None]) -> Iterator[Line]:
    """Lines after a change; a section in which nothing changes is the same."""
    for line in lines:
        now = change(line)
        if now is not None:
            children = tuple(_changed(now.children, change)) if now.children else ()
            yield now if children == now.children else replace(now, children=children)


# Sequels of a wrong name: what the rules find on the device with each name as it was meant.
#
# A policy that a wrong name keeps off its output is judged at no output: each line with such a name
# is read as it was meant, and what the rules then find is told beside the wrong name.


def with_sequels(
    device: Device, findings: Sequence[Finding], rules: Sequence[Rule]
) -> tuple[Finding, ...]:
    """Findings of wrong names with what is found once the names are right, and the lines."""
    pairs = judge(device, rules).pairs
    meant = {(rule.card.id, hit.object): hit for rule, hit in pairs if hit.meant is not None}
    if not meant:
        return tuple(findings)
    texts = {hit.at[0].line: hit.meant or "" for hit in meant.values()}

    def as_meant(line: Line) -> Line:
        text = texts.get(line.number, line.text)
        return replace(line, text=text, raw=line.raw.replace(line.text, text))

    right = _with_lines(device, lambda line: as_meant(line) if line.number in texts else line)
    new = list(_new(right, rules, keys_of(pairs)))
    return tuple(_told(right, finding, meant, new) for finding in findings)


def _new(right: Device, rules: Sequence[Rule], known: frozenset[Key]) -> Iterator[Finding]:
    """Warnings and errors that are not there with the wrong names, worst first."""
    pairs: list[tuple[Rule, Hit[Any]]] = [
        (rule, hit)
        for rule, hit in judge(right, rules).pairs
        if (rule.card.id, hit.object) not in known
    ]
    found = (finding_of(right.name, rule, hit, {}) for rule, hit in pairs)
    worth = [finding for finding in found if finding.severity is not Severity.INFO]
    yield from sorted(worth, key=lambda item: (item.severity.rank, -item.gain, item.key))


def _told(
    right: Device, finding: Finding, meant: Mapping[Key, Hit[Any]], new: Sequence[Finding]
) -> Finding:
    hit = meant.get((finding.rule, finding.object))
    if hit is None or hit.meant is None:
        return finding
    place = finding.object.split(" > ")[0]
    names = right.facts.nested_policies(hit.meant.split()[-1])
    reached = {place, *(f"{_POLICY}{policy.name}" for policy in names)}
    then = tuple(
        Sequel(item.rule, item.object, item.severity, item.message)
        for item in new
        if item.object.split(" > ")[0] in reached
    )
    return replace(finding, then=then)
