"""Remedies beside each other: the same lines, one that contains another, two ends of a link."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import POLICY_MAP, Device
from advisor.ios.edit.keys import meaning_of
from advisor.ios.syntax import ConfigTree, Line
from advisor.ios.syntax.modes import GLOBAL
from advisor.lint.affected_part import part_of
from advisor.lint.cards import Rule
from advisor.lint.findings import (
    Concern,
    Finding,
    JointGain,
    Level,
    Renamed,
    Severity,
    StandIn,
    without_lines,
)
from advisor.lint.judge import Key, judge, keys_before, keys_of
from advisor.lint.side_effects import side_effects
from advisor.lint.trial import UnprovenError, applied, edited, pasted, snippet_of
from advisor.settings import Budgets

_ORDER: Final = (
    "ip access-list",
    "access-list",
    "class-map",
    "policy-map",
    "map-class",
    "interface",
)
Setting = tuple[tuple[str, ...], tuple[str, ...]]  # the lines that enter its mode; its key


class Candidate(Struct, frozen=True):
    """Lines to paste, and the findings that they cure: one step of a plan.

    `also` are findings whose own lines were dropped, because these lines cure them too.
    """

    lines: tuple[str, ...]
    findings: tuple[Finding, ...]
    also: tuple[Finding, ...] = ()

    @property
    def keys(self) -> frozenset[Key]:
        """Return the keys of the findings."""
        return frozenset((finding.rule, finding.object) for finding in (*self.findings, *self.also))

    @property
    def renamed(self) -> tuple[Renamed, ...]:
        """Objects that the lines give another name."""
        remedies = (finding.remedy for finding in self.findings)
        return tuple(name for remedy in remedies if remedy for name in remedy.renamed)

    @property
    def level(self) -> Level:
        """The most careful level among the findings."""
        levels = list(Level)
        remedies = (finding.remedy for finding in self.findings)
        return max((remedy.level for remedy in remedies if remedy), key=levels.index)

    @property
    def title(self) -> str:
        """Its first finding: "TXR004 interface Serial0/0"."""
        return f"{self.findings[0].rule} {self.findings[0].object}"


class Contained(Struct, frozen=True):
    """A candidate that is dropped, because another cures its findings too."""

    candidate: Candidate
    by: Candidate


def candidates_of(findings: Iterable[Finding]) -> tuple[Candidate, ...]:
    """One candidate for all findings that the same lines cure, in the order of the findings."""
    by_lines: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        if finding.lines:
            by_lines.setdefault(finding.lines, []).append(finding)
    return tuple(Candidate(lines, tuple(cured)) for lines, cured in by_lines.items())


def place_of(candidate: Candidate) -> tuple[bool, int, int, str]:
    """Definitions before policies before interfaces; each in the order of the configuration.

    What copies or moves a policy comes last: the edits of the policy belong in the copy too.
    """
    head = candidate.lines[0]
    rank = next((place for place, word in enumerate(_ORDER) if head.startswith(word)), len(_ORDER))
    lines = [place.line for finding in candidate.findings for place in finding.locations]
    return bool(candidate.renamed), rank, min(lines, default=0), head


def settings_of(lines: Sequence[str]) -> frozenset[Setting]:
    """Settings that lines change, each with its mode; `no random-detect` changes all rows.

    >>> sorted(settings_of(("interface Serial0/0", " tx-ring-limit 1")))
    [(('interface Serial0/0',), ('tx-ring-limit',))]
    """
    return frozenset(_settings(snippet_of(lines)))


def _settings(snippet: ConfigTree) -> Iterator[Setting]:
    stack: list[tuple[Line, str, tuple[str, ...]]]
    stack = [(line, GLOBAL, ()) for line in snippet.commands()]
    while stack:
        line, mode, path = stack.pop()
        meaning = meaning_of(mode, line.text)
        nested = list(line.commands())
        inner: tuple[str, ...] = (*path, line.text)
        stack += [(child, meaning.opens or "", inner) for child in nested]
        if not nested:
            yield path, meaning.family or meaning.key


def contained(
    device: Device, candidates: Sequence[Candidate], rules: Sequence[Rule]
) -> tuple[Contained, ...]:
    """Candidates that another one undoes or contains.

    Two that change one setting cannot both stand, and of two at one object one may leave the other
    nothing to cure, as a shaper leaves a ring nearly empty. The one that cures the findings of both
    stays; where each does, the more careful one goes, else the later one.
    """
    cured: dict[Candidate, frozenset[Key]] = {}
    dropped: dict[Candidate, Contained] = {}
    for one, other in _pairs(candidates):
        if one in dropped or other in dropped:
            continue
        for candidate in (one, other):
            if candidate not in cured:
                cured[candidate] = _cured_by(device, candidate, rules)
        gone = _contained(one, other, cured)
        if gone is not None:
            dropped[gone] = Contained(gone, by=other if gone is one else one)
    return tuple(dropped.values())


def _pairs(candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    """Pairs that change one setting, or cure findings of one object, each once."""
    sharing: dict[Setting | str, list[Candidate]] = {}
    for candidate in candidates:
        keys: list[Setting | str] = sorted(settings_of(candidate.lines))
        for key in (*keys, *sorted(_objects_of(candidate))):
            sharing.setdefault(key, []).append(candidate)
    yield from dict.fromkeys(pair for group in sharing.values() for pair in combinations(group, 2))


def _cured_by(device: Device, candidate: Candidate, rules: Sequence[Rule]) -> frozenset[Key]:
    """Return the findings that lines cure at one interface, where they change no more than that."""
    part = part_of(device, candidate.findings[0].object, rules)
    if part is not None and part.holds(candidate.lines):
        device = part.device
    # Lines cure no contradiction between outputs and configuration: they hide it.
    before = keys_of(pair for pair in judge(device, rules).pairs if not pair[0].card.contradiction)
    left = keys_of(judge(pasted(device, candidate.lines), rules).pairs)
    return before - keys_before(left, candidate.renamed)


def _contained(
    one: Candidate, other: Candidate, cured: Mapping[Candidate, frozenset[Key]]
) -> Candidate | None:
    levels = list(Level)
    one_goes, other_goes = one.keys <= cured[other], other.keys <= cured[one]
    if one_goes and other_goes:
        return one if levels.index(one.level) > levels.index(other.level) else other
    return one if one_goes else other if other_goes else None


def merged(
    device: Device, candidates: Sequence[Candidate], rules: Sequence[Rule]
) -> tuple[Candidate, ...]:
    """The candidates that stay, each with the findings of those that it contains."""
    by = {drop.candidate: drop.by for drop in contained(device, candidates, rules)}
    also: dict[Candidate, tuple[Finding, ...]] = {}
    for candidate, first in by.items():
        last = first
        while last in by:
            last = by[last]
        also[last] = (*also.get(last, ()), *candidate.findings)
    stay = [candidate for candidate in candidates if candidate not in by]
    return tuple(replace(candidate, also=also.get(candidate, ())) for candidate in stay)


def with_cured(
    device: Device,
    candidates: Sequence[Candidate],
    edited: Device,
    findings: Sequence[Finding],
    rules: Sequence[Rule],
) -> tuple[Candidate, ...]:
    """The candidates of a whole plan, with the findings without lines that it cures all the same.

    Each is told with the first candidate for the same object, else for the same interface, else
    with the last one. Where there are several, one that cures it alone comes first.
    """
    renamed = [name for candidate in candidates for name in candidate.renamed]
    known = {key for candidate in candidates for key in candidate.keys}
    left = keys_before(keys_of(judge(edited, rules).pairs), renamed)
    also: dict[Candidate, tuple[Finding, ...]] = {}
    stays = {rule.card.id for rule in rules if rule.card.contradiction}
    for finding in findings:
        is_gone = (finding.rule, finding.object) not in known | left and finding.rule not in stays
        if candidates and is_gone:
            owner = _told_with(device, finding, candidates, rules)
            also[owner] = (*also.get(owner, ()), finding)
    return tuple(replace(item, also=(*item.also, *also.get(item, ()))) for item in candidates)


def _told_with(
    device: Device, finding: Finding, candidates: Sequence[Candidate], rules: Sequence[Rule]
) -> Candidate:
    place, key = finding.object.split(" > ")[0], (finding.rule, finding.object)
    same = [candidate for candidate in candidates if finding.object in _objects_of(candidate)]
    near = [
        candidate
        for candidate in candidates
        if place in _places_of(candidate) and candidate not in same
    ]
    owners = [*same, *near] or [candidates[-1]]
    if len(owners) == 1:
        return owners[0]
    return next((owner for owner in owners if key in _cured_by(device, owner, rules)), owners[0])


def _objects_of(candidate: Candidate) -> set[str]:
    return {subject for _, subject in candidate.keys}


def _places_of(candidate: Candidate) -> set[str]:
    return {subject.split(" > ")[0] for subject in _objects_of(candidate)}


def with_merges(
    device: Device, findings: Sequence[Finding], rules: Sequence[Rule]
) -> tuple[Finding, ...]:
    """Findings whose remedies say what the plan of the device makes of them."""
    candidates = candidates_of(findings)
    stand_ins = dict(_cured_beside(device, candidates, findings, rules))
    if len(candidates) == sum(len(candidate.findings) for candidate in candidates) == 1:
        return tuple(_with_stand_in(finding, stand_ins) for finding in findings)
    for candidate in candidates:
        first, *others = candidate.findings
        same_lines = StandIn(first.rule, first.object, has_same_lines=True)
        stand_ins |= {(finding.rule, finding.object): same_lines for finding in others}
    for drop in contained(device, candidates, rules):
        first = drop.by.findings[0]
        for finding in drop.candidate.findings:
            stand_ins[finding.rule, finding.object] = StandIn(
                first.rule, first.object, has_same_lines=False, cuts_link=_cuts_link(finding, first)
            )
    return tuple(_with_stand_in(finding, stand_ins) for finding in findings)


def _cured_beside(
    device: Device,
    candidates: Sequence[Candidate],
    findings: Sequence[Finding],
    rules: Sequence[Rule],
) -> Iterator[tuple[Key, StandIn]]:
    """Warnings without lines that lines for the same class cure, or for both ends of a link.

    Lines of one interface are not asked: each of many interfaces would judge the whole device.
    """
    left = [
        (finding.rule, finding.object)
        for finding in findings
        if not finding.lines and finding.severity is not Severity.INFO
    ]
    places = {place for _, place in left if place.startswith(POLICY_MAP)}
    for candidate in candidates if left else ():
        first = candidate.findings[0]
        is_two_ended = first.remedy is not None and first.remedy.two_ended is not None
        if first.severity is not Severity.INFO and (is_two_ended or first.object in places):
            cured = _cured_by(device, candidate, rules)
            cure = StandIn(first.rule, first.object, has_same_lines=False)
            yield from ((key, cure) for key in left if key in cured)


def _cuts_link(finding: Finding, cure: Finding) -> bool:
    """Whether a cure needs both ends of a link, and the other lines give most of what it gives."""
    own, whole = finding.remedy, cure.remedy
    if own is None or whole is None or own.two_ended is not None or whole.two_ended is None:
        return False
    saved_ms = {item.object: item.saved for item in own.shorter}
    most = (item.saved <= 2 * saved_ms.get(item.object, 0.0) for item in whole.shorter)
    return not saved_ms or all(most)


def _with_stand_in(finding: Finding, stand_ins: Mapping[Key, StandIn]) -> Finding:
    stand_in = stand_ins.get((finding.rule, finding.object))
    if stand_in is None or finding.remedy is None:
        return finding
    return replace(finding, remedy=replace(finding.remedy, merged=stand_in))


# Joint gains: of two remedies that shorten one delay, a reader who pastes both gets neither figure.


def with_joint_gains(
    device: Device, findings: Sequence[Finding], budgets: Budgets
) -> tuple[Finding, ...]:
    """Findings whose lines shorten a delay that others shorten too, with that of all of them."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        for effect in finding.remedy.shorter if finding.remedy and _is_pasted(finding) else ():
            groups.setdefault(effect.object, []).append(finding)
    shared = {path: group for path, group in groups.items() if len(group) > 1}
    if not shared:
        return tuple(findings)
    pasted = {finding.key: finding for group in shared.values() for finding in group}
    tree = device.facts.tree
    try:
        for finding in pasted.values():
            tree = applied(tree, finding.lines)
    except UnprovenError:
        return tuple(findings)
    effects = side_effects(device, edited(device, tree), budgets).shorter
    gains = {
        finding.key: JointGain(
            tuple(dict.fromkeys(item.rule for item in shared[effect.object])), effect
        )
        for effect in effects
        for finding in shared.get(effect.object, ())
    }
    return tuple(
        replace(item, together=gains[item.key]) if item.key in gains else item for item in findings
    )


def _is_pasted(finding: Finding) -> bool:
    """Whether the lines of a finding are pasted as they are, and leave objects their names."""
    remedy = finding.remedy
    if remedy is None or remedy.merged is not None or remedy.renamed:
        return False
    return bool(finding.lines) and finding.severity is not Severity.INFO


# Lines that cut a link until its other end has the same: none for one end alone.


def why_one_ended(finding: Finding, by_hand: Collection[Concern]) -> str | None:
    """Why lines that cut a link are withheld: at its other end they are to be done by hand."""
    link = finding.remedy.two_ended if finding.remedy is not None else None
    if link is None or link.far_device is None or link.far_interface is None:
        return None
    ports = (link.far_interface, link.far_interface.split(".")[0])
    if not any((link.far_device, finding.rule, f"interface {port}") in by_hand for port in ports):
        return None
    far = f"{link.far_device} {link.far_interface}"
    return f"{far} has none ({finding.rule} there), and one end alone cuts the link"


def without_one_ended(
    findings: Sequence[Finding], by_hand: Collection[Concern]
) -> tuple[Finding, ...]:
    """Findings without lines for one end alone of a link, as the plan of the run has them."""
    reasons = ((finding, why_one_ended(finding, by_hand)) for finding in findings if finding.lines)
    why_by_key = {finding.key: why for finding, why in reasons if why is not None}
    if not why_by_key:
        return tuple(findings)
    return tuple(_as_withheld(finding, why_by_key) for finding in findings)


def _as_withheld(finding: Finding, why_by_key: Mapping[tuple[str, str, str], str]) -> Finding:
    """A finding whose lines are withheld, or that no longer leans on such lines."""
    if (why := why_by_key.get(finding.key)) is not None:
        return replace(finding, remedy=without_lines(why), together=None)
    gone = {rule for device, rule, _ in why_by_key if device == finding.device}
    if finding.together is not None and not gone.isdisjoint(finding.together.rules):
        finding = replace(finding, together=None)
    remedy = finding.remedy
    if remedy is None or remedy.merged is None:
        return finding
    leans = (finding.device, *remedy.merged.key) in why_by_key
    return replace(finding, remedy=replace(remedy, merged=None)) if leans else finding
