"""Findings of two states, paired by device, rule and object path."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from advisor.lint.change.changes import (
    Change,
    Direction,
    FindingChange,
    Gate,
    direction_of,
    moved,
)
from advisor.lint.change.snapshot import KnownFinding
from advisor.lint.moved import Tolerance


def finding_changes(
    old: Iterable[KnownFinding], new: Iterable[KnownFinding], gate: Gate
) -> Iterator[FindingChange]:
    """Pair findings by their keys; those of the same words first."""
    before, now = _by_key(old), _by_key(new)
    for key, findings in now.items():
        paired, left, gone = _paired(before.pop(key, []), findings)
        for earlier, later in paired:
            yield from _moved_finding(earlier, later, gate)
        for added in left:
            yield FindingChange(
                Change.ADDED, added, direction=Direction.WORSE, counts=gate.fails(added)
            )
        for lost in gone:
            yield FindingChange(Change.GONE, lost, direction=Direction.BETTER)
    for findings in before.values():
        for lost in findings:
            yield FindingChange(Change.GONE, lost, direction=Direction.BETTER)


def _by_key(findings: Iterable[KnownFinding]) -> dict[tuple[str, str, str], list[KnownFinding]]:
    by_key: dict[tuple[str, str, str], list[KnownFinding]] = defaultdict(list)
    for finding in findings:
        by_key[finding.key].append(finding)
    return by_key


def _paired(
    old: list[KnownFinding], new: list[KnownFinding]
) -> tuple[list[tuple[KnownFinding, KnownFinding]], list[KnownFinding], list[KnownFinding]]:
    """Pairs of findings with one key, those of the same words first; those only now, only before.

    >>> from advisor.lint.findings import Severity
    >>> def said(message):
    ...     return KnownFinding("r1", "PRS001", "x", "interface S0", Severity.INFO, message)
    >>> pairs, left, gone = _paired([said("a"), said("b")], [said("b")])
    >>> [each.message for each in gone], left
    (['a'], [])
    """
    words = {each.message for each in new}
    waiting = sorted(old, key=lambda each: each.message not in words)
    pairs, left = [], []
    for later in sorted(new, key=lambda each: each.message not in {own.message for own in old}):
        same = next((each for each in waiting if each.message == later.message), None)
        earlier = same or next(iter(waiting), None)
        if earlier is None:
            left.append(later)
        else:
            waiting.remove(earlier)
            pairs.append((earlier, later))
    return pairs, left, waiting


def _moved_finding(old: KnownFinding, new: KnownFinding, gate: Gate) -> Iterator[FindingChange]:
    direction = Direction.NEITHER
    is_moved = old.severity is not new.severity
    if is_moved:
        is_worse = new.severity.rank < old.severity.rank
        direction = Direction.WORSE if is_worse else Direction.BETTER
    counts = direction is Direction.WORSE and gate.fails(new) and not gate.fails(old)
    before, now = old.figure, new.figure
    if before is not None and now is not None and before.unit == now.unit:
        sign = moved(before, now, Tolerance())
        if sign is not None:
            is_moved = True
            more_is_worse = _more_is_worse(new)
            if more_is_worse is not None and direction is Direction.NEITHER:
                direction = direction_of(sign > 0, more_is_worse=more_is_worse)
            by_more = moved(before, now, gate.tolerance) is not None
            is_judged = new.rule not in gate.incomplete_rules
            counts = counts or (direction is Direction.WORSE and by_more and is_judged)
    if is_moved:
        yield FindingChange(Change.MOVED, new, old.severity, before, direction, counts)


def _more_is_worse(finding: KnownFinding) -> bool | None:
    """Whether the remedy lowers the figure of a finding; None where that is not known."""
    if finding.figure is None or finding.cured is None:
        return None
    gain = finding.figure.value - finding.cured.value
    if finding.figure.bound is not None and finding.cured.bound is not None and gain == 0:
        gain = finding.figure.bound - finding.cured.bound
    return None if gain == 0 else gain > 0
