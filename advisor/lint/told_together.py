"""Tells beside findings what others make of them: sequels of a wrong name, and joint gains.

A policy that a wrong name keeps off its output is judged at no output: every line with such a name
is read as it was meant, and what the rules then find is told beside the wrong name. A remedy is
proven alone: of two that shorten the same delay neither figure is what the reader gets who pastes
both, so that of both is told.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from advisor.device.device import Device, with_tree
from advisor.ios.syntax import Line
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Hit
from advisor.lint.findings import Finding, JointGain, Sequel, Severity
from advisor.lint.judge import Key, finding_of, judge, keys_of
from advisor.lint.side_effects import side_effects
from advisor.lint.trial import UnprovenError, applied, edited
from advisor.settings import Budgets

_POLICY: Final = "policy-map "


def with_sequels(
    device: Device, findings: Sequence[Finding], rules: Sequence[Rule]
) -> tuple[Finding, ...]:
    """Findings of wrong names with what is found once the names are right, and the lines."""
    pairs = judge(device, rules).pairs
    meant = {(rule.card.id, hit.object): hit for rule, hit in pairs if hit.meant is not None}
    if not meant:
        return tuple(findings)
    texts = {hit.at[0].line: hit.meant or "" for hit in meant.values()}
    right = with_tree(
        device, replace(device.facts.tree, lines=tuple(_as_meant(device.facts.tree.lines, texts)))
    )
    new = list(_new(right, rules, keys_of(pairs)))
    return tuple(_told(right, finding, meant, new) for finding in findings)


def _as_meant(lines: Iterable[Line], texts: Mapping[int, str]) -> Iterator[Line]:
    for line in lines:
        children = tuple(_as_meant(line.children, texts)) if line.children else ()
        text = texts.get(line.number)
        if text is not None:
            yield replace(line, text=text, raw=line.raw.replace(line.text, text), children=children)
        else:
            yield line if children == line.children else replace(line, children=children)


def _new(right: Device, rules: Sequence[Rule], known: frozenset[Key]) -> Iterator[Finding]:
    """Warnings and errors that are not there with the wrong names, worst first."""
    pairs: list[tuple[Rule, Hit[Any]]] = [
        (rule, hit)
        for rule, hit in judge(right, rules).pairs
        if (rule.card.id, hit.object) not in known
    ]
    found = (finding_of(right.name, rule, hit, {}) for rule, hit in pairs)
    worth = [finding for finding in found if finding.severity is not Severity.INFO]
    gains = {item.key: item.prediction.gain if item.prediction else 0.0 for item in worth}
    yield from sorted(worth, key=lambda item: (item.severity.rank, -gains[item.key], item.key))


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
            tree = applied(tree, finding.remedy.lines if finding.remedy else ())
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
    return bool(remedy.lines) and finding.severity is not Severity.INFO
