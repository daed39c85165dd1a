"""Remedies, proven: applied to the parsed config, re-linted, re-predicted, rolled back.

A remedy that fails any of these is not printed as lines to paste.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ground.quantity import Figure, figure
from advisor.ios.edit import INTERFACE
from advisor.ios.edit.undo import undo_commands
from advisor.ios.syntax import ConfigTree
from advisor.lint.accepted import (
    masked_line,
    verifications,
    why_may_exist,
    why_may_lack,
    why_not_offered,
    why_not_read,
    why_not_taken,
)
from advisor.lint.affected_part import AffectedPart, fills_rings_alike, part_with
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Hit
from advisor.lint.findings import (
    Appearing,
    Confidence,
    Forecast,
    Level,
    Remedy,
    Renamed,
    Severity,
    TwoEnded,
    costs_of,
    without_lines,
)
from advisor.lint.judge import is_found, judge, keys_before, keys_of, severity_of
from advisor.lint.output_figures import bound_moves, moves
from advisor.lint.own_policy import OwnPolicy, own_policy, unknown_users
from advisor.lint.side_effects import side_effects
from advisor.lint.trial import (
    APPLIED,
    RollbackError,
    Standard,
    Trial,
    UnprovenError,
    appearing,
    applied,
    edited,
    harm_of,
    has_lines,
    lines_of,
    spelled,
    why_beyond,
)
from advisor.lint.void import voids_of
from advisor.settings import Budgets

_TOLERANCE: Final = 1e-6  # two predictions of the same figure, relative


class Edit(Struct, frozen=True):
    """Lines, what they move to a bundle, and the policies that they copy for one output."""

    lines: tuple[str, ...]
    moved: tuple[Renamed, ...]
    own: OwnPolicy | None

    @property
    def renamed(self) -> tuple[Renamed, ...]:
        """Objects that the lines give another name."""
        return (*self.moved, *(self.own.renamed if self.own is not None else ()))


class Proven(Struct, frozen=True):
    """A remedy that holds, and the device before and after it.

    `new` are findings that the lines cause; none of them withholds the lines.
    """

    edit: Edit
    rollback: tuple[str, ...]
    statements: tuple[str, ...]
    trial: Trial
    new: tuple[Appearing, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        return self.edit.lines


def remedy_of(device: Device, rule: Rule, hit: Hit[Any], standard: Standard) -> Remedy:
    """Remedy of a hit: proven lines, or advice where there are none or they do not hold.

    What gets worse, or is not known, is never `safe`; `advisor/lint/trial.py` says what has
    no lines.
    """
    if not has_lines(rule, hit):
        return Remedy(Level.MANUAL, advice=hit.advice or _without_lines(rule, hit))
    part = part_with(device, rule, hit, standard.rules)
    remedy = _on_part(part, rule, hit, standard) if part is not None else None
    if remedy is not None:
        return remedy
    try:
        return _told(prove(device, rule, hit, standard), rule, hit, standard.budgets)
    except UnprovenError as failure:
        return without_lines(str(failure), renamed=_moved(hit))


def _without_lines(rule: Rule, hit: Hit[Any]) -> str | None:
    """The advice of a card; where IOS may have taken the line after all, what shows it first."""
    advice, place = rule.card.no_remedy, hit.object.split(" > ")[0]
    is_open = bool(hit.refused) and hit.confidence is Confidence.POSSIBLE
    if not is_open or severity_of(rule, hit) is not Severity.ERROR:
        return advice
    command = f"show policy-map {place if place.startswith(INTERFACE) else INTERFACE}"
    return f"`{command}`; classes listed: the policy is in force, leave it; none: {advice}"


def _on_part(part: AffectedPart, rule: Rule, hit: Hit[Any], standard: Standard) -> Remedy | None:
    """The remedy where it bears upon a part alone; None where the whole device has to prove it."""
    standard = replace(standard, known=standard.known | part.known)
    try:
        edit = edit_of(part.device, rule, hit, standard)
        if not part.holds(edit.lines):
            return None
        proven = _proven(part.device, edit, rule, hit, standard)
    except UnprovenError as failure:
        is_own = failure.subject is None or part.is_about((failure.subject,))
        return without_lines(str(failure), renamed=_moved(hit)) if is_own else None
    is_about = part.is_about(new.object for new in proven.new)
    if not is_about or not fills_rings_alike(proven.trial.before, proven.trial.after):
        return None
    return _told(proven, rule, hit, standard.budgets)


def _told(proven: Proven, rule: Rule, hit: Hit[Any], budgets: Budgets) -> Remedy:
    card, device = rule.card, proven.trial.before
    trial, own = proven.trial, proven.edit.own
    effects = side_effects(trial.before, trial.after, budgets, proven.edit.renamed)
    level, doubts = hit.level or card.level or Level.NEEDS_WINDOW, effects.unknown
    others = unknown_users(device, proven.lines)
    shared = (own.words,) if own is not None else ()
    if own is not None or others:  # the queues are emptied, or those of nobody knows whom
        level = max(level, Level.NEEDS_WINDOW, key=list(Level).index)
    beyond = why_beyond(effects.worse, (hit.object,))
    if beyond:
        return without_lines(beyond, effects.worse, _moved(hit))
    if level is not Level.SAFE:
        doubts = ()  # it needs a window anyway
    elif effects.worse or doubts or any(new.severity is not Severity.INFO for new in proven.new):
        level = Level.NEEDS_WINDOW
    words = (hit.advice, *shared, *others)
    return Remedy(
        level,
        proven.lines,
        proven.rollback,
        (*proven.statements, *(f"not safe: {why}" for why in doubts)),
        verifications(proven.lines),
        advice="; ".join(filter(None, words)) or None,
        worse=effects.worse,
        two_ended=_two_ended(device, hit),
        renamed=proven.edit.renamed,
        costs=costs_of(effects.worse, proven.new),
        shorter=effects.shorter,
        interrupts=rule.card.interrupts if level is Level.NEEDS_WINDOW else None,
    )


def _two_ended(device: Device, hit: Hit[Any]) -> TwoEnded | None:
    if hit.link_of is None:
        return None
    places = [hit.link_of, *(place.name for place in device.facts.family(hit.link_of))]
    links = {name: device.fleet.links.link(device.name, name) for name in places}
    ends = {name: link.far_end(device.name) for name, link in links.items() if link is not None}
    if len(ends) != 1:  # of several subinterfaces none is the other end of the port
        return TwoEnded(hit.link_of)
    ((name, far),) = ends.items()
    return TwoEnded(name, far.device, far.interface)


def _moved(hit: Hit[Any]) -> tuple[Renamed, ...]:
    """The names of what moves to a bundle: the member before the bundle, whose name it begins."""
    if hit.bundle is None or hit.link_of is None:
        return ()
    before, now = f"interface {hit.link_of}", f"interface {hit.bundle}"
    return Renamed(before, f"{now} > member {hit.link_of}"), Renamed(before, now)


def prove(device: Device, rule: Rule, hit: Hit[Any], standard: Standard) -> Proven:
    """Carry a remedy through its proof, alone.

    Raises
    ------
    UnprovenError
        If a value must not stand in a snippet, IOS would refuse a line, the finding stays, a new
        one that withholds appears, the prediction does not move as promised, or the rollback does
        not restore.
    """
    return _proven(device, edit_of(device, rule, hit, standard), rule, hit, standard)


def edit_of(device: Device, rule: Rule, hit: Hit[Any], standard: Standard) -> Edit:
    """Lines of a remedy, of a copy where a policy has other users.

    Raises
    ------
    UnprovenError
        If a value must not stand in a snippet, or IOS would refuse a line of a copy.
    """
    lines = spelled(device, lines_of(rule, hit))
    own = own_policy(device, lines, (rule.card.id, hit.object), standard.known)
    return Edit(own.lines if own is not None else lines, _moved(hit), own)


def _proven(device: Device, edit: Edit, rule: Rule, hit: Hit[Any], standard: Standard) -> Proven:
    may_exist = why_may_exist(device, edit.lines)
    if may_exist:
        raise UnprovenError(may_exist)
    trial = Trial(device, edited(device, applied(device.facts.tree, edit.lines)))
    must_be_taken(trial, edit.lines)
    may_lack = why_may_lack(trial.before, edit.lines)
    if may_lack:
        raise UnprovenError(may_lack)
    _must_not_be_void(trial, rule, hit, standard)
    new = _relint(trial.after, edit, rule, hit, standard)
    predicted = _repredict(trial.after, rule, hit)
    rollback = rollback_of(trial.before, trial.after.facts.tree)
    statements = (
        APPLIED,
        f"re-linted: {rule.card.id} is gone",
        *predicted,
        "rolled back: the config is as before",
    )
    return Proven(edit, rollback, statements, trial, new)


def _must_not_be_void(trial: Trial, rule: Rule, hit: Hit[Any], standard: Standard) -> None:
    """Check that the hit rests on no line that IOS refuses, unless the lines mend that too."""
    cause = voids_of(trial.before, standard.rules).get((rule.card.id, hit.object))
    if cause is None or not cause.is_sure:
        return
    if is_found(trial.after, standard.rules, cause.key):
        raise UnprovenError(str(cause))


def must_be_taken(trial: Trial, lines: Sequence[str]) -> None:
    """Check that platform and release have the commands, and that IOS takes each in its place.

    A release that may have a command passes: `why_may_lack` says so.

    Raises
    ------
    UnprovenError
        If it does not, or if a line was masked by redaction.
    """
    device, masked = trial.before, masked_line(lines)
    reason = (
        why_not_offered(device, lines)
        or why_not_read(device, trial.after, lines)
        or why_not_taken(device, device.facts.tree, lines)
    )
    if masked is not None:
        reason = "a line of it was masked by redaction: its text is not that of the device"
    if reason:
        raise UnprovenError(f"IOS would refuse a step: {reason}" if masked is None else reason)


def rollback_of(device: Device, after: ConfigTree) -> tuple[str, ...]:
    """Lines that lead from an edited config back to that of the device, all taken by IOS.

    Raises
    ------
    RollbackError
        If there are none, IOS would refuse one, or one would restore a line that was masked.
    """
    before = device.facts.tree
    rollback = undo_commands(before, after)  # tried by itself: None where it fails
    if rollback is None:
        raise RollbackError("no rollback restores the config line for line")
    if masked_line(rollback) is not None:
        raise RollbackError("its rollback would restore a line that redaction masked")
    reason = why_not_taken(device, after, rollback, is_way_back=True)
    if reason:
        raise RollbackError(f"IOS would refuse a step of the rollback: {reason}")
    return spelled(device, rollback)


def _relint(
    cured: Device, edit: Edit, rule: Rule, hit: Hit[Any], standard: Standard
) -> tuple[Appearing, ...]:
    """Find the new findings that the lines cause; none of them withholds the lines."""
    hits = judge(cured, standard.rules)
    if (rule.card.id, hit.object) in keys_before(keys_of(hits.pairs), edit.renamed):
        raise UnprovenError(f"{rule.card.id} is still found on {hit.object}")
    new = appearing(hits, standard.known, edit.renamed)
    harm = harm_of(new, severity_of(rule, hit))
    if harm is not None:
        raise UnprovenError(
            f"{harm.rule} would appear on {harm.object}; advisor fix tries them after other lines",
            harm.object,
        )
    return new


def _repredict(cured: Device, rule: Rule, hit: Hit[Any]) -> list[str]:
    """Compare the forecast of the hit with a prediction of the cured device."""
    if hit.forecast is None or hit.forecast.after is None:
        return []
    _must_move(hit.forecast, hit.forecast.after)
    measure = rule.check.measure
    if measure is None:
        return []
    promised, predicted = hit.forecast.after, measure(cured, hit.object)
    if predicted is None or not _same(promised, predicted):
        raise UnprovenError(f"{hit.forecast.metric} does not move to what was promised")
    before = hit.forecast.before
    return [f"re-predicted: {figure(before)} before, {figure(predicted)} after"]


def _must_move(forecast: Forecast, after: Figure) -> None:
    """Check that the figure moves by more than its uncertainty, or its bound by more than 5 %."""
    before, improvement = forecast.before, forecast.improvement
    is_paired = improvement is not None and improvement.low > 0
    if not (moves(before, after, is_paired=is_paired) or bound_moves(before, after)):
        raise UnprovenError(
            f"{forecast.metric} would not move by more than it is known: "
            f"{figure(before)} before, {figure(after)} after"
        )


def _same(promised: Figure, predicted: Figure) -> bool:
    pairs = [
        (promised.value, predicted.value),
        (promised.bound or 0.0, predicted.bound or 0.0),
    ]
    return all(abs(a - b) <= _TOLERANCE * max(abs(a), abs(b), 1.0) for a, b in pairs)
