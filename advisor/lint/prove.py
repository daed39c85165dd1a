"""Remedies, proven: applied to the parsed config, re-linted, re-predicted, rolled back.

A remedy that fails any of these is not printed as lines to paste.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.masking import mask_quoted_line
from advisor.device.covered import DeviceCoverage, FileCoverage
from advisor.device.device import Device
from advisor.device.reading import Reading, Source, read_devices
from advisor.faults import Guard, guarded
from advisor.ios.edit.apply import apply
from advisor.ios.edit.reach import Part, Reach
from advisor.ios.edit.undo import undo_commands
from advisor.ios.syntax.reader import parse_config
from advisor.ios.syntax.tree import ConfigTree, Location
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Hit
from advisor.lint.findings import Finding, Level, Remedy, Skipped, Verdict
from advisor.lint.judge import (
    Hits,
    device_coverage,
    finding_of,
    judge,
    line_texts,
    ranked,
    sound,
    unused,
    used_traffic,
    with_tree,
)
from advisor.lint.remedies import UnsafeValueError, remedy_lines, verify_commands
from advisor.quantity import Figure
from advisor.settings.values import Settings, Traffic, Transactions
from advisor.wording import count

_TOLERANCE = 1e-6  # two predictions of the same figure, relative
_FEW = 5  # remedies that are cheaper to prove on the whole device
_WORTH_A_PART = 3  # a part is linted twice: it must be this much smaller than the whole


class UnprovenError(Exception):
    """A remedy does not hold; the message says at which step and why."""


class Proven(Struct, frozen=True):
    """A remedy that holds, the device before it, and the config with it applied."""

    lines: tuple[str, ...]
    rollback: tuple[str, ...]
    statements: tuple[str, ...]
    before: Device
    tree: ConfigTree

    @property
    def device(self) -> Device:
        """The device with the remedy applied."""
        return with_tree(self.before, self.tree)


Key = tuple[str, str]  # rule id and object path: what a finding is known by


def review(
    sources: Iterable[Source],
    rules: Sequence[Rule],
    settings: Settings,
    guard: Guard | None = None,
) -> Verdict:
    """Audit files and prove each remedy. `rules` is the catalogue; settings select from it.

    With a guard a defect that shows on one device, or in one rule, leaves the rest of the verdict.
    """
    findings: list[Finding] = []
    skipped: list[Skipped] = []
    coverage: list[FileCoverage] = []
    devices: list[DeviceCoverage] = []
    incomplete: list[str] = []
    shown = [rule for rule in rules if is_selected(rule, settings)]
    ids = {rule.card.id for rule in shown}
    used: set[Traffic | Transactions | None] = set()
    for reading in read_devices(sources, settings, guard):
        coverage += reading.coverage
        incomplete += reading.incomplete
        with guarded(guard, reading.device.facts.tree.file):
            used |= {*used_traffic(reading.device), reading.device.transactions}
            devices.append(device_coverage(reading.device, shown))
            hits = judge(reading.device, rules, guard)
            skipped += [each for each in hits.skipped if each.rule in ids]
            asked = [each for each in hits.found if each[0].card.id in ids]
            findings += _findings(reading, rules, asked, hits, guard)
    stated: tuple[Traffic | Transactions, ...] = (*settings.traffic, *settings.transactions)
    skipped += unused(each for each in stated if each not in used)
    return Verdict(
        findings=ranked(iter(findings)),
        skipped=tuple(skipped),
        coverage=tuple(coverage),
        devices=tuple(devices),
        incomplete=tuple(incomplete),
    )


def is_selected(rule: Rule, settings: Settings) -> bool:
    """Whether settings ask for a rule: by id, name or prefix; what is ignored wins."""

    def named(by: str) -> bool:
        return rule.card.id.startswith(by.upper()) or rule.card.name == by

    wanted = not settings.select or any(named(by) for by in settings.select)
    return wanted and not any(named(by) for by in settings.ignore)


class Parts:
    """Cuts out of the edited configs of a device what the edit can bear upon.

    A part stands for the whole only where, before the edit, the rules say of it word for word what
    they say of the same lines in the whole. The first one that does not is the last one tried.
    """

    def __init__(self, device: Device, rules: Sequence[Rule], hits: Hits) -> None:
        self.device, self.rules, self.hits = device, rules, hits
        self._curable = [each for each in hits.found if _has_lines(*each)]
        self._faithful: dict[frozenset[int], bool] = {}

    def of(self, after: ConfigTree) -> ConfigTree | None:
        """Part of an edited config; None where only the whole will do, or costs no more."""
        if len(self._curable) <= _FEW or False in self._faithful.values():
            return None
        part = self._worthwhile(self._reach.part(after))
        if part is None:
            part = self._worthwhile(self._reach.part(after, siblings=False))
            if part is None or not self._hold_together:
                return None
        if part.places not in self._faithful:
            self._faithful[part.places] = self._is_faithful(part)
        return part.after if self._faithful[part.places] else None

    def _worthwhile(self, part: Part | None) -> Part | None:
        dear = part is None or part.lines * _WORTH_A_PART > self._reach.lines
        return None if dear else part

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self.device.facts.tree)

    @cached_property
    def _hold_together(self) -> bool:
        """Whether all remedies, applied at once, cure all and break nothing on the whole device.

        What subinterfaces do to each other through their main interface shows here.
        """
        lines: list[str] = []
        cured: set[Key] = set()
        for rule, hit in self._curable:
            with suppress(UnprovenError):  # it will not be given either
                lines += _lines(rule, hit)
                cured.add((rule.card.id, hit.object))
        applied = apply(self.device.facts.tree, _snippet(lines))
        left = keys_of(judge(with_tree(self.device, applied.tree), self.rules).found)
        return not applied.refused and left <= keys_of(self.hits.found) - cured

    def _is_faithful(self, part: Part) -> bool:
        file, place_of = self.device.facts.tree.file, self._reach.place_of

        def is_in_it(at: Location) -> bool:
            place = place_of.get(at.line) if at.file == file else None
            return place is None or place in part.places

        said = judge(with_tree(self.device, part.before), self.rules)
        if not set(said.skipped) <= set(self.hits.skipped):
            return False
        anywhere = self._of_the_text
        return [(rule.card.id, hit) for rule, hit in said.found] == [
            (rule.card.id, hit)
            for rule, hit in self.hits.found
            if all(map(is_in_it, hit.at)) or (rule.card.id, hit) in anywhere
        ]

    @cached_property
    def _of_the_text(self) -> list[tuple[str, Hit[Any]]]:
        """What the rules say where no line is left: of a text that is cut, wherever that shows."""
        bare = with_tree(self.device, replace(self.device.facts.tree, lines=()))
        return [(rule.card.id, hit) for rule, hit in judge(bare, self.rules).found]


def _findings(
    reading: Reading,
    rules: Sequence[Rule],
    found: Sequence[tuple[Rule, Hit[Any]]],
    hits: Hits,
    guard: Guard | None,
) -> list[Finding]:
    if not found:
        return []
    device, texts = reading.device, line_texts(reading.device, reading.shown)
    rules = sound(device, rules, guard)
    known, parts = keys_of(hits.found), Parts(device, rules, hits)
    findings: list[Finding] = []
    for rule, hit in found:
        remedy = Remedy(Level.MANUAL, advice="no lines to paste: their proof failed")
        with guarded(guard, device.facts.tree.file, rule.card.id):
            remedy = remedy_of(device, rule, hit, rules, known, parts=parts)
        with guarded(guard, device.facts.tree.file, rule.card.id):
            findings.append(replace(finding_of(device, rule, hit, texts), remedy=remedy))
    return findings


def _has_lines(rule: Rule, hit: Hit[Any]) -> bool:
    return rule.card.remedy is not None and hit.curable


def remedy_of(
    device: Device,
    rule: Rule,
    hit: Hit[Any],
    rules: Sequence[Rule],
    known: frozenset[Key],
    *,
    parts: Parts | None = None,
) -> Remedy:
    """Remedy of a hit: proven lines, or advice where there are none or they do not hold.

    `known` are the findings that the device has already.
    """
    card = rule.card
    if not _has_lines(rule, hit):
        return Remedy(Level.MANUAL, advice=hit.advice or card.no_remedy)
    try:
        proven = prove(device, rule, hit, rules, known, parts=parts)
    except UnprovenError as failure:
        return Remedy(Level.MANUAL, advice=f"no lines to paste: {failure}")
    level = hit.level or card.level or Level.NEEDS_WINDOW
    return Remedy(
        level,
        proven.lines,
        proven.rollback,
        proven.statements,
        verify_commands(proven.lines),
        advice=hit.advice,
    )


def prove(
    device: Device,
    rule: Rule,
    hit: Hit[Any],
    rules: Sequence[Rule],
    known: frozenset[Key],
    *,
    parts: Parts | None = None,
) -> Proven:
    """Carry a remedy through its proof, alone; with `parts` on what it can bear upon.

    Raises
    ------
    UnprovenError
        If a value must not stand in a snippet, IOS would refuse a line, the finding stays, a new
        one appears, the prediction does not move as promised, or the rollback does not restore.
    """
    lines = _lines(rule, hit)
    before = device.facts.tree
    applied = apply(before, _snippet(lines))
    if applied.refused:
        refusal = applied.refused[0]
        raise UnprovenError(
            f"IOS would refuse `{mask_quoted_line(refusal.text)}`: {refusal.reason}"
        )

    def cured(tree: ConfigTree) -> list[str]:
        made = with_tree(device, tree)
        _relint(made, (rule.card.id, hit.object), rules, known)
        return [f"re-linted: {rule.card.id} is gone", *_repredict(made, rule, hit)]

    part = parts.of(applied.tree) if parts is not None else None
    statements: list[str] = []
    if part is not None:
        with suppress(UnprovenError):  # what the part does not bear out is for the whole to say
            statements = cured(part)
    statements = statements or cured(applied.tree)
    rollback = undo_commands(before, applied.tree)  # tried by itself: None where it fails
    if rollback is None:
        raise UnprovenError("no rollback restores the config line for line")
    said = (
        f"applied: {count(len(lines), 'line')}, none refused",
        *statements,
        "rolled back: the config is what it was",
    )
    return Proven(lines, rollback, said, device, applied.tree)


def _lines(rule: Rule, hit: Hit[Any]) -> tuple[str, ...]:
    try:
        return remedy_lines(rule.card.remedy or "", hit)
    except UnsafeValueError as error:
        raise UnprovenError(f"a name in the config is unsafe to paste ({error})") from error


def _snippet(lines: Sequence[str]) -> ConfigTree:
    return parse_config("".join(f"{line}\n" for line in lines), "remedy")


def keys_of(found: Iterable[tuple[Rule, Hit[Any]]]) -> frozenset[Key]:
    """What findings are known by, whatever their words and numbers."""
    return frozenset((rule.card.id, hit.object) for rule, hit in found)


def _relint(cured: Device, key: Key, rules: Sequence[Rule], known: frozenset[Key]) -> None:
    left = keys_of(judge(cured, rules).found)
    if key in left:
        raise UnprovenError(f"{key[0]} is still found on {key[1]}")
    for rule_id, found in sorted(left - known):
        raise UnprovenError(f"{rule_id} would appear on {found}")


def _repredict(cured: Device, rule: Rule, hit: Hit[Any]) -> list[str]:
    """Compare the forecast of the hit with a prediction of the cured device."""
    measure = rule.check.measure
    if measure is None or hit.forecast is None or hit.forecast.after is None:
        return []
    promised, found = hit.forecast.after, measure(cured, hit.object)
    if found is None or not _same(promised, found):
        raise UnprovenError(f"{hit.forecast.metric} does not move to what was promised")
    before = hit.forecast.before
    return [f"re-predicted: {_ends(before)} -> {_ends(found)} {found.unit}"]


def _same(one: Figure, other: Figure) -> bool:
    pairs = [(one.value, other.value), (one.bound or 0.0, other.bound or 0.0)]
    return all(abs(a - b) <= _TOLERANCE * max(abs(a), abs(b), 1.0) for a, b in pairs)


def _ends(figure: Figure) -> str:
    bound = "" if figure.bound is None else f", bound {figure.bound:.1f}"
    return f"{figure.value:.1f}{bound}"
