"""Builds the plan of a device: which remedies hold together, and in which order."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.masking import mask_quoted_line
from advisor.device.device import Device
from advisor.lint.candidates import Candidate, candidates_of
from advisor.lint.findings import Finding, Remedy, Renamed, Severity, without_lines
from advisor.lint.judge import Key, judge, keys_before, keys_of
from advisor.lint.prove import must_be_taken, remedy_of, rollback_of
from advisor.lint.side_effects import SideEffects, side_effects
from advisor.lint.trial import (
    Standard,
    Trial,
    UnprovenError,
    appearing,
    applied,
    edited,
    harm_of,
    has_lines,
    why_beyond,
)
from advisor.settings import Budgets

_CURED_ABOVE: Final = "cured by a step above"


class _ManualError(UnprovenError):
    """A remedy that has no lines after the steps above it."""

    def __init__(self, remedy: Remedy) -> None:
        super().__init__(remedy.advice or "")
        self.remedy = remedy


class PartialPlan(Struct, frozen=True):
    """A plan that is being built: what is accepted, and the device with it."""

    device: Device
    accepted: tuple[Candidate, ...] = ()
    rollback: tuple[str, ...] = ()
    effects: SideEffects = SideEffects()


def built(
    device: Device,
    candidates: Sequence[Candidate],
    findings: Sequence[Finding],
    standard: Standard,
) -> tuple[PartialPlan, dict[Key, Remedy]]:
    """The steps that hold together, and the remedies of the candidates that do not.

    `findings` are those of the plan: the remedies without lines among them are tried, too.
    """
    failed: dict[Key, Remedy] = {}
    try:
        state = _with_steps(device, PartialPlan(device), tuple(candidates), standard)
    except UnprovenError:
        state, failed = _in_either_order(device, candidates, standard)
    state = _tried_again(device, state, findings, standard)
    return _heavy_first(device, candidates, findings, standard) or (state, failed)


def may_be_shown(candidate: Candidate) -> bool:
    """Whether every line to paste and of the rollback may stand in a report."""
    remedies = [finding.remedy for finding in candidate.findings]
    lines = {line for remedy in remedies if remedy for line in (*remedy.lines, *remedy.rollback)}
    return all(line.isprintable() and mask_quoted_line(line) == line for line in lines)


def _heavy_first(
    device: Device,
    candidates: Sequence[Candidate],
    findings: Sequence[Finding],
    standard: Standard,
) -> tuple[PartialPlan, dict[Key, Remedy]] | None:
    """The plan that begins with what alone takes a figure beyond its budget; None where none does.

    A step behind it may bring the figure back, as more priority does for the longer header of a
    bundle: the budgets hold for the plan as a whole.
    """
    alone = {
        key: finding
        for key, finding in _without_lines(findings).items()
        if finding.remedy is not None and finding.remedy.worse
    }
    if not alone or not candidates:
        return None
    lenient = replace(standard, budgets=_without_limits(standard.budgets))
    heavy = candidates_of(_behind(PartialPlan(device), alone, lenient))
    state, failed = _one_by_one(device, [*heavy, *candidates], lenient)
    if not any(item.keys & alone.keys() for item in state.accepted):
        return None
    try:
        effects = _bearable(device, state.device, standard.budgets, state.accepted)
    except UnprovenError:
        return None
    return replace(state, effects=effects), failed


def _without_limits(budgets: Budgets) -> Budgets:
    return replace(
        budgets,
        priority_queue_ms=None,
        bandwidth_queue_ms=None,
        default_queue_ms=None,
        loss_percent=None,
    )


def _bearable(
    start: Device, edited: Device, budgets: Budgets, accepted: Sequence[Candidate]
) -> SideEffects:
    """Prove the effect of the plan, all steps together, on every class of each touched output."""
    effects = side_effects(start, edited, budgets, _renamed(accepted))
    beyond = why_beyond(effects.worse, [subject for _, subject in _keys(accepted)])
    if beyond:
        raise UnprovenError(beyond)
    return effects


def _keys(candidates: Iterable[Candidate]) -> frozenset[Key]:
    return frozenset(key for candidate in candidates for key in candidate.keys)


def _renamed(candidates: Iterable[Candidate]) -> tuple[Renamed, ...]:
    return tuple(name for candidate in candidates for name in candidate.renamed)


def _must_cure(
    edited: Device,
    accepted: Sequence[Candidate],
    added: Sequence[Candidate],
    standard: Standard,
) -> None:
    """Check that all that is accepted is cured, and that what is added brings no harm about."""
    hits, renamed = judge(edited, standard.rules), _renamed(accepted)
    remaining = keys_before(keys_of(hits.pairs), renamed)
    for rule_id, subject in sorted(remaining & _keys(accepted)):
        raise UnprovenError(f"{rule_id} is still found on {subject}")
    harm = harm_of(appearing(hits, standard.known, renamed), _mildest(added))
    if harm is not None:
        raise UnprovenError(f"{harm.rule} would appear on {harm.object}")


def _mildest(candidates: Iterable[Candidate]) -> Severity:
    severities = (finding.severity for candidate in candidates for finding in candidate.findings)
    return max(severities, key=lambda severity: severity.rank)


def _in_either_order(
    device: Device, candidates: Sequence[Candidate], standard: Standard
) -> tuple[PartialPlan, dict[Key, Remedy]]:
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
) -> tuple[PartialPlan, dict[Key, Remedy]]:
    """Accept each candidate where it first holds; one that never does is left for a human."""
    state, waiting = PartialPlan(device), list(candidates)
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
    start: Device, state: PartialPlan, findings: Sequence[Finding], standard: Standard
) -> PartialPlan:
    """The plan with remedies that do not hold alone, where the steps have made way for them.

    Those that then hold are proven together, as the steps are; where that fails, one by one.
    """
    if not state.accepted:
        return state
    more = candidates_of(_behind(state, _without_lines(findings), standard))
    try:
        return _with_steps(start, state, more, standard)
    except UnprovenError:
        for candidate in more:
            with suppress(UnprovenError):
                state = _with_steps(start, state, (candidate,), standard)
        return state


def _without_lines(findings: Sequence[Finding]) -> dict[Key, Finding]:
    """Findings whose remedies have no lines where they stand alone."""
    return {
        (finding.rule, finding.object): finding
        for finding in findings
        if finding.remedy is not None and not finding.remedy.lines
    }


def _behind(
    state: PartialPlan, alone: Mapping[Key, Finding], standard: Standard
) -> Iterator[Finding]:
    """Findings with remedies that hold on the device as the plan leaves it."""
    hits, renamed = judge(state.device, standard.rules), _renamed(state.accepted)
    now = replace(standard, known=keys_of(hits.pairs))
    for pair in hits.pairs:
        (key,) = keys_before(keys_of([pair]), renamed)
        finding = alone.get(key)
        if finding is not None and has_lines(*pair):
            remedy = remedy_of(state.device, *pair, now)
            found = replace(finding, remedy=remedy)
            if remedy.lines and may_be_shown(Candidate(remedy.lines, (found,))):
                yield found


def _with_steps(
    start: Device, state: PartialPlan, added: tuple[Candidate, ...], standard: Standard
) -> PartialPlan:
    """The plan with added steps, whose lines IOS takes, and which cure and harm nothing beside."""
    if not added:
        return state
    lines = tuple(line for candidate in added for line in candidate.lines)
    trial = Trial(state.device, edited(state.device, applied(state.device.facts.tree, lines)))
    must_be_taken(trial, lines)
    accepted = (*state.accepted, *added)
    _must_cure(trial.after, accepted, added, _beside(state, standard))
    effects = _bearable(start, trial.after, standard.budgets, accepted)
    rollback = rollback_of(start, trial.after.facts.tree)
    return PartialPlan(trial.after, accepted, rollback, effects)


def _accepted(
    start: Device,
    state: PartialPlan,
    candidate: Candidate,
    standard: Standard,
) -> PartialPlan:
    """The plan with one more step, its lines made anew for the device as the plan leaves it."""
    hits, renamed = judge(state.device, standard.rules), _renamed(state.accepted)
    pairs = [pair for pair in hits.pairs if keys_before(keys_of([pair]), renamed) <= candidate.keys]
    if not pairs:
        raise UnprovenError(_CURED_ABOVE)
    known = replace(standard, known=keys_of(hits.pairs))
    remedy = remedy_of(state.device, *pairs[0], known)
    if not remedy.lines:
        raise _ManualError(remedy)
    return _with_steps(start, state, (_with(candidate, remedy),), standard)


def _with(candidate: Candidate, remedy: Remedy) -> Candidate:
    """The candidate with the lines that were made anew, and the names that they give."""
    findings = tuple(
        replace(finding, remedy=replace(finding.remedy or remedy, renamed=remedy.renamed))
        for finding in candidate.findings
    )
    return replace(candidate, lines=remedy.lines, findings=findings)


def _beside(state: PartialPlan, standard: Standard) -> Standard:
    """Build the standard of a further step: the effects of earlier steps are told with them."""
    hits = judge(state.device, standard.rules)
    now = keys_before(keys_of(hits.pairs), _renamed(state.accepted))
    return replace(standard, known=standard.known | now)
