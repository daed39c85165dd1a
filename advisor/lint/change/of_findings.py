"""Findings of two states, paired by device, rule and object path, then by file and words."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate, product, takewhile

from msgspec.structs import replace

from advisor.lint.change import Change, Direction, FindingChange, Gate, direction_of, moved
from advisor.lint.change.snapshot import KnownFinding, Snapshot
from advisor.lint.output_figures import Tolerance

Pair = tuple[KnownFinding, KnownFinding]
Pairing = tuple[list[Pair], list[KnownFinding], list[KnownFinding]]  # pairs, before, now


def finding_changes(old: Snapshot, new: Snapshot, gate: Gate) -> Iterator[FindingChange]:
    """Pair findings by their keys; then those of other names."""
    before, now = _by_key(old.findings), _by_key(new.findings)
    new_ones: list[KnownFinding] = []
    lost_ones: list[KnownFinding] = []
    for key, findings in now.items():
        paired, left, gone = _paired(before.pop(key, []), findings)
        for earlier, later in paired:
            yield from _moved_finding(earlier, later, gate)
        new_ones += left
        lost_ones += gone
    lost_ones += (lost for findings in before.values() for lost in findings)
    pairs, lost_ones, new_ones = renamed(lost_ones, new_ones, _objects(old), _objects(new))
    for earlier, later in pairs:
        yield FindingChange(
            Change.MOVED, later, earlier.severity, earlier.figure, object_before=earlier.object
        )
    joined, lost_ones, new_ones = _joined(lost_ones, new_ones, old, new)
    for earlier, later in joined:
        same = FindingChange(Change.MOVED, later, earlier.severity, earlier.figure)
        for change in list(_moved_finding(earlier, later, gate)) or [same]:
            yield replace(change, object_before=earlier.object)
    for added in new_ones:
        counts = gate.fails(added)
        yield FindingChange(Change.ADDED, added, direction=Direction.WORSE, counts=counts)
    for lost in lost_ones:
        yield FindingChange(Change.GONE, lost, direction=Direction.BETTER)


def _joined(
    lost: list[KnownFinding], found: list[KnownFinding], old: Snapshot, new: Snapshot
) -> Pairing:
    """Pairs of a link and of the bundle that it joins, or of it as a member; the rest of both."""
    was = {(own.device, own.path) for own in old.objects if own.bundle is not None}
    bundles = {
        (own.device, own.path): own.bundle
        for own in new.objects
        if own.bundle is not None and (own.device, own.path) not in was
    }
    left = {finding.key: finding for finding in found}
    pairs: list[Pair] = []
    for earlier in lost:
        link, _, rest = earlier.object.partition(" > ")
        bundle = bundles.get((earlier.device, link))
        if bundle is None:
            continue
        member = f"{bundle} > member {link.removeprefix('interface ')}"
        for path in (bundle, member):
            key = earlier.device, earlier.rule, f"{path} > {rest}" if rest else path
            if key in left:
                pairs.append((earlier, left.pop(key)))
                break
    before, now = ({id(pair[side]) for pair in pairs} for side in (0, 1))
    return (
        pairs,
        [finding for finding in lost if id(finding) not in before],
        [finding for finding in found if id(finding) not in now],
    )


Object = tuple[str, str]  # a device, and a path or the start of one


def renamed(
    old: list[KnownFinding],
    new: list[KnownFinding],
    before: frozenset[Object],
    now: frozenset[Object],
) -> Pairing:
    """Pair findings where only names differ and each state has one such object; return the rest."""
    waiting: dict[KnownFinding, list[KnownFinding]] = defaultdict(list)
    for lost in old:
        waiting[_nameless(lost)].append(lost)
    pairs, left = [], []
    for later in new:
        same = waiting[_nameless(later)]
        earlier = next((item for item in same if _is_renamed(item, later, before, now)), None)
        if earlier is None:
            left.append(later)
        else:
            same.remove(earlier)
            pairs.append((earlier, later))
    return pairs, [lost for rest in waiting.values() for lost in rest], left


def _is_renamed(
    old: KnownFinding, new: KnownFinding, before: frozenset[Object], now: frozenset[Object]
) -> bool:
    """Whether the object of before is no more, and that of now is new, as far as they differ."""
    paths = zip(_starts(old.object), _starts(new.object), strict=True)
    was, has = next(pair for pair in paths if pair[0] != pair[1])
    return (old.device, was) in before - now and (new.device, has) in now - before


def _objects(state: Snapshot) -> frozenset[Object]:
    return frozenset((known.device, known.path) for known in state.objects)


def _starts(path: str) -> list[str]:
    """The sections that a path leads through.

    >>> _starts("policy-map WAN > class VOICE")
    ['policy-map WAN', 'policy-map WAN > class VOICE']
    """
    return list(accumulate(path.split(" > "), "{} > {}".format))


def _nameless(finding: KnownFinding) -> KnownFinding:
    """A finding without the names that its object path has: what a rename leaves as it is.

    >>> from advisor.lint.findings import Severity
    >>> def said(name):
    ...     words = f"{name} has no class"
    ...     return KnownFinding("r1", "X001", "x", f"policy-map {name}", Severity.INFO, words)
    >>> _nameless(said("WAN")) == _nameless(said("LAN"))
    True
    """
    parts = [part.partition(" ") for part in finding.object.split(" > ")]
    message = finding.message
    for name in sorted({name for _, _, name in parts if name}, key=len, reverse=True):
        message = re.sub(rf"(?<![\w/.-]){re.escape(name)}(?![\w/.-])", "*", message)
    return replace(
        finding,
        object=" > ".join(kind for kind, _, _ in parts),
        message=message,
        place=None,
    )


def _by_key(findings: Iterable[KnownFinding]) -> dict[tuple[str, str, str], list[KnownFinding]]:
    by_key: dict[tuple[str, str, str], list[KnownFinding]] = defaultdict(list)
    for finding in findings:
        by_key[finding.key].append(finding)
    return by_key


def _paired(old: list[KnownFinding], new: list[KnownFinding]) -> Pairing:
    """Pairs of findings with one key; those only now, only before.

    Devices of one name are told apart by their files, findings of one file by their words.

    >>> from advisor.lint.findings import Severity
    >>> def said(message):
    ...     return KnownFinding("r1", "PRS001", "x", "interface S0", Severity.INFO, message)
    >>> pairs, left, gone = _paired([said("a"), said("b")], [said("b")])
    >>> [finding.message for finding in gone], left
    (['a'], [])
    """
    was, has = ([_path(finding) for finding in findings] for findings in (old, new))
    ranked = sorted(
        product(range(len(new)), range(len(old))),
        key=lambda at: (-_shared(has[at[0]], was[at[1]]), new[at[0]].message != old[at[1]].message),
    )
    earlier: dict[int, int] = {}
    waiting = dict.fromkeys(range(len(old)))
    for later, before in ranked:
        if later not in earlier and before in waiting:
            earlier[later] = before
            del waiting[before]
    pairs = [(old[earlier[at]], later) for at, later in enumerate(new) if at in earlier]
    left = [later for at, later in enumerate(new) if at not in earlier]
    return pairs, left, [old[at] for at in waiting]


def _path(finding: KnownFinding) -> tuple[str, ...]:
    """The parts of the path of its file, the name of the file first; none where it has no place."""
    if finding.place is None:
        return ()
    return tuple(reversed(finding.place.rpartition(":")[0].split("/")))


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Parts that two paths share from their ends: the folder of a state is not of a device."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


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
