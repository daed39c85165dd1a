"""The remedies of one device as one plan: ordered steps, one rollback, one proof."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.masking import mask_quoted_line
from advisor.device.device import Device, with_tree
from advisor.ios.syntax.tree import ConfigTree
from advisor.lint.candidates import Candidate, candidates_of, merged, place_of, with_cured
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Hit
from advisor.lint.findings import (
    Finding,
    Level,
    Remedy,
    Renamed,
    SideEffect,
    Verification,
    without_lines,
)
from advisor.lint.judge import Key, judge, keys_before, keys_of
from advisor.lint.parts import Parts
from advisor.lint.prove import must_be_taken, over_budget, remedy_of, rollback_of
from advisor.lint.side_effects import SideEffects, side_effects
from advisor.lint.trial import Standard, UnprovenError, applied, has_lines
from advisor.lint.verification import verifications
from advisor.settings.values import Budgets

_CURED_ABOVE: Final = "cured by a step above"


class _ManualError(UnprovenError):
    """A remedy that has no lines after the steps above it."""

    def __init__(self, remedy: Remedy) -> None:
        super().__init__(remedy.advice or "")
        self.remedy = remedy


class PlanStep(Struct, frozen=True):
    """Lines to paste together, where they belong, and the findings that they cure.

    `place` is the first line: the interface or the policy-map.
    """

    number: int
    place: str
    level: Level
    lines: tuple[str, ...]
    cures: tuple[Finding, ...]


class DeviceSteps(Struct, frozen=True):
    """Steps in the order of the paste, the one way back, and what is left for a human.

    `rollback` takes back all steps when it is pasted as a whole. `by_hand` are findings whose
    remedies have no lines here; `tree` is the configuration after the steps, `worse` what all steps
    together make worse, as predicted.
    """

    steps: tuple[PlanStep, ...]
    rollback: tuple[str, ...]
    checks: tuple[Verification, ...]
    proof: tuple[str, ...]
    by_hand: tuple[Finding, ...]
    tree: ConfigTree
    worse: tuple[SideEffect, ...]


class _State(Struct, frozen=True):
    """A plan while it grows: what is accepted, and the device with it."""

    device: Device
    accepted: tuple[Candidate, ...] = ()
    rollback: tuple[str, ...] = ()
    effects: SideEffects = SideEffects()


def steps_of_device(
    device: Device, findings: Sequence[Finding], rules: Sequence[Rule], budgets: Budgets
) -> DeviceSteps:
    """Join the remedies of one device.

    One step stands for all findings that it cures; a remedy that another one undoes or contains
    is dropped. The whole plan is proven at once: every command is taken in the state before it,
    all findings are gone, none is new, no class of an output gets worse beyond its budget, and the
    rollback restores the config. If that fails, the steps are proven one after the other, each as
    often as it takes until its place is found; where one that moves a policy then finds none, those
    are tried first. At last, remedies that do not hold alone are tried behind the steps.
    """
    candidates = [candidate for candidate in candidates_of(findings) if _may_be_shown(candidate)]
    ordered = sorted(merged(device, candidates, rules), key=place_of)
    known = keys_of(judge(device, rules).pairs) if ordered else frozenset()
    standard = Standard(rules, known, budgets)
    failed: dict[Key, Remedy] = {}
    try:
        state = _all_at_once(device, ordered, standard)
    except UnprovenError:
        state, failed = _in_either_order(device, ordered, standard)
    state = _tried_again(device, state, findings, standard)
    accepted = with_cured(state.accepted, state.device, findings, rules)
    return _planned(device, findings, replace(state, accepted=accepted), failed)


def _may_be_shown(candidate: Candidate) -> bool:
    """Whether every line to paste and of the rollback may stand in a report."""
    remedies = [finding.remedy for finding in candidate.findings]
    lines = {line for remedy in remedies if remedy for line in (*remedy.lines, *remedy.rollback)}
    return all(line.isprintable() and mask_quoted_line(line) == line for line in lines)


def _all_at_once(
    device: Device,
    candidates: Sequence[Candidate],
    standard: Standard,
) -> _State:
    state = _State(device)
    if not candidates:
        return state
    lines = tuple(line for candidate in candidates for line in candidate.lines)
    after = applied(device.facts.tree, lines)
    must_be_taken(device, lines)
    edited = with_tree(device, after)
    _must_cure(edited, _keys(candidates), _renamed(candidates), standard)
    effects = _bearable(device, edited, standard.budgets, _renamed(candidates))
    return _State(edited, tuple(candidates), rollback_of(device, after), effects)


def _bearable(
    start: Device, edited: Device, budgets: Budgets, renamed: Sequence[Renamed]
) -> SideEffects:
    """What the plan does to every class of each output that it touches, all steps together."""
    effects = side_effects(start, edited, budgets, renamed)
    beyond = over_budget(effects.worse)
    if beyond:
        raise UnprovenError(beyond)
    return effects


def _keys(candidates: Iterable[Candidate]) -> frozenset[Key]:
    return frozenset(key for each in candidates for key in each.keys)


def _renamed(candidates: Iterable[Candidate]) -> tuple[Renamed, ...]:
    return tuple(name for each in candidates for name in each.renamed)


def _must_cure(
    edited: Device, cured: frozenset[Key], renamed: Sequence[Renamed], standard: Standard
) -> None:
    remaining = keys_before(keys_of(judge(edited, standard.rules).pairs), renamed)
    for rule_id, subject in sorted(remaining & cured):
        raise UnprovenError(f"{rule_id} is still found on {subject}")
    for rule_id, subject in sorted(remaining - standard.known):
        raise UnprovenError(f"{rule_id} would appear on {subject}")


def _in_either_order(
    device: Device, candidates: Sequence[Candidate], standard: Standard
) -> tuple[_State, dict[Key, Remedy]]:
    """The steps that hold, and the remedies of the others; moves first where more then hold.

    An edit that is right for an output before it moves may be wrong after it: a rate in kb/s is,
    where each packet has another header in the bundle.
    """
    state, failed = _one_by_one(device, candidates, standard)
    if not any(candidate.renamed and candidate.keys <= failed.keys() for candidate in candidates):
        return state, failed
    moves_first = sorted(candidates, key=lambda candidate: not candidate.renamed)
    other, left = _one_by_one(device, moves_first, standard)
    return (other, left) if len(left) < len(failed) else (state, failed)


def _one_by_one(
    device: Device,
    candidates: Sequence[Candidate],
    standard: Standard,
) -> tuple[_State, dict[Key, Remedy]]:
    """Accept each candidate where it first holds; one that never does is left for a human."""
    state, waiting = _State(device), list(candidates)
    failed: dict[Key, Remedy] = {}
    is_moving = True
    while waiting and is_moving:
        is_moving, again = False, []
        for candidate in waiting:
            try:
                state = _accepted(device, state, candidate, standard)
                is_moving = True
            except _ManualError as manual:
                again.append(candidate)
                failed |= dict.fromkeys(candidate.keys, manual.remedy)
            except UnprovenError as failure:
                again.append(candidate)
                failed |= dict.fromkeys(candidate.keys, without_lines(str(failure)))
        waiting = again
    accepted = {key for candidate in state.accepted for key in candidate.keys}
    return state, {key: remedy for key, remedy in failed.items() if key not in accepted}


def _tried_again(
    start: Device, state: _State, findings: Sequence[Finding], standard: Standard
) -> _State:
    """The plan with remedies that do not hold alone, where the steps have made way for them.

    Those that then hold are proven together, as the steps are; where that fails, one by one.
    """
    if not state.accepted:
        return state
    alone = {
        (finding.rule, finding.object): finding
        for finding in findings
        if finding.remedy is not None and not finding.remedy.lines
    }
    more = candidates_of(_behind(state, alone, standard))
    try:
        return _with_all(start, state, more, standard) if more else state
    except UnprovenError:
        for candidate in more:
            with suppress(UnprovenError):
                state = _with_all(start, state, (candidate,), standard)
        return state


def _behind(state: _State, alone: Mapping[Key, Finding], standard: Standard) -> Iterator[Finding]:
    """Findings with remedies that hold on the device as the plan leaves it."""
    hits, renamed = judge(state.device, standard.rules), _renamed(state.accepted)
    parts = Parts(state.device, standard.rules, hits)
    now = replace(standard, known=keys_of(hits.pairs))
    for pair in hits.pairs:
        (key,) = keys_before(keys_of([pair]), renamed)
        finding = alone.get(key)
        if finding is not None and has_lines(*pair):
            remedy = remedy_of(state.device, *pair, now, parts=parts)
            found = replace(finding, remedy=remedy)
            if remedy.lines and _may_be_shown(Candidate(remedy.lines, (found,))):
                yield found


def _with_all(
    start: Device, state: _State, more: tuple[Candidate, ...], standard: Standard
) -> _State:
    """The plan with more steps, whose lines are made for the device as the plan leaves it."""
    lines = tuple(line for candidate in more for line in candidate.lines)
    tree = applied(state.device.facts.tree, lines)
    must_be_taken(state.device, lines)
    edited, accepted = with_tree(state.device, tree), (*state.accepted, *more)
    _must_cure(edited, _keys(accepted), _renamed(accepted), standard)
    effects = _bearable(start, edited, standard.budgets, _renamed(accepted))
    return _State(edited, accepted, rollback_of(start, tree), effects)


def _accepted(
    start: Device,
    state: _State,
    candidate: Candidate,
    standard: Standard,
) -> _State:
    """The plan with one more step, its lines made anew for the device as the plan leaves it."""
    hits, renamed = judge(state.device, standard.rules), _renamed(state.accepted)
    pairs = [pair for pair in hits.pairs if keys_before(keys_of([pair]), renamed) <= candidate.keys]
    if not pairs:
        raise UnprovenError(_CURED_ABOVE)
    remedy = _anew(state.device, pairs[0], replace(standard, known=keys_of(hits.pairs)))
    left = keys_before(keys_of(pairs), renamed)
    tree = applied(state.device.facts.tree, remedy.lines)
    must_be_taken(state.device, remedy.lines)
    edited = with_tree(state.device, tree)
    moved = (*renamed, *remedy.renamed)
    _must_cure(edited, _keys(state.accepted) | left, moved, standard)
    rollback, effects = rollback_of(start, tree), _bearable(start, edited, standard.budgets, moved)
    accepted = (*state.accepted, replace(candidate, lines=remedy.lines))
    return _State(edited, accepted, rollback, effects)


def _anew(
    device: Device,
    pair: tuple[Rule, Hit[Any]],
    standard: Standard,
) -> Remedy:
    remedy = remedy_of(device, *pair, standard)
    if not remedy.lines:
        raise _ManualError(remedy)
    return remedy


def _planned(
    device: Device, findings: Sequence[Finding], state: _State, failed: dict[Key, Remedy]
) -> DeviceSteps:
    steps = tuple(
        PlanStep(
            number,
            candidate.lines[0],
            candidate.level,
            candidate.lines,
            (*candidate.findings, *candidate.also),
        )
        for number, candidate in enumerate(state.accepted, start=1)
    )
    lines = tuple(line for step in steps for line in step.lines)
    cured = {key for candidate in state.accepted for key in candidate.keys}
    by_hand = tuple(
        _by_hand(finding, failed.get((finding.rule, finding.object)))
        for finding in findings
        if (finding.rule, finding.object) not in cured
    )
    return DeviceSteps(
        steps,
        state.rollback,
        verifications(lines),
        tuple(_proof(steps, state)),
        by_hand,
        state.device.facts.tree if steps else device.facts.tree,
        state.effects.worse,
    )


def _proof(steps: Sequence[PlanStep], state: _State) -> Iterator[str]:
    if not steps:
        return
    cured = sum(len(step.cures) for step in steps)
    yield "applied: IOS takes every line in the state before it"
    yield f"re-linted: {cured} found before, none of them after, and no new one"
    yield f"rolled back: {len(state.rollback)} lines restore the configuration"


def _by_hand(finding: Finding, manual: Remedy | None) -> Finding:
    """A finding without lines in the plan; its own lines would not be those of the plan."""
    if finding.remedy is None or not finding.remedy.lines:
        return finding
    hidden = without_lines("a line of the remedy holds text that reports must not show")
    return replace(finding, remedy=manual or hidden)
