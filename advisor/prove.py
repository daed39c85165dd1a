"""Remedies, proven: applied to the parsed config, re-linted, re-predicted, rolled back.

A remedy that fails any of these is not printed as lines to paste.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from advisor.audit import device_coverage, finding_of, judge, line_texts, ranked, with_tree
from advisor.cards.card import Rule
from advisor.checks.base import Hit
from advisor.findings import (
    DeviceCoverage,
    FileCoverage,
    Finding,
    Level,
    Remedy,
    Skipped,
    Verdict,
)
from advisor.ios.edit import apply
from advisor.ios.reader import parse_config
from advisor.ios.tree import ConfigTree
from advisor.ios.undo import undo_commands
from advisor.predict.quantity import Figure
from advisor.reading import Reading, Source, read_devices
from advisor.remedies import UnsafeValueError, remedy_lines, verify_commands
from advisor.settings import Settings
from advisor.snapshot import Device

_TOLERANCE = 1e-6  # two predictions of the same figure, relative


class UnprovenError(Exception):
    """A remedy does not hold; the message says at which step and why."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A remedy that holds, and the device with it applied."""

    lines: tuple[str, ...]
    rollback: tuple[str, ...]
    statements: tuple[str, ...]
    device: Device


Key = tuple[str, str]  # rule id and object path: what a finding is known by


def review(sources: Iterable[Source], rules: Sequence[Rule], settings: Settings) -> Verdict:
    """Audit files and prove each remedy. `rules` is the catalogue; settings select from it."""
    findings: list[Finding] = []
    skipped: list[Skipped] = []
    coverage: list[FileCoverage] = []
    devices: list[DeviceCoverage] = []
    incomplete: list[str] = []
    shown = [rule for rule in rules if is_selected(rule, settings)]
    ids = {rule.card.id for rule in shown}
    for reading in read_devices(sources, settings):
        hits = judge(reading.device, rules)
        asked = [each for each in hits.found if each[0].card.id in ids]
        findings += _findings(reading, rules, asked, keys_of(hits.found))
        skipped += [each for each in hits.skipped if each.rule in ids]
        coverage += reading.coverage
        devices.append(device_coverage(reading.device, shown))
        incomplete += reading.incomplete
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


def _findings(
    reading: Reading,
    rules: Sequence[Rule],
    found: Sequence[tuple[Rule, Hit[Any]]],
    known: frozenset[Key],
) -> list[Finding]:
    if not found:
        return []
    device, texts = reading.device, line_texts(reading.device)
    return [
        replace(
            finding_of(device, rule, hit, texts), remedy=remedy_of(device, rule, hit, rules, known)
        )
        for rule, hit in found
    ]


def remedy_of(
    device: Device, rule: Rule, hit: Hit[Any], rules: Sequence[Rule], known: frozenset[Key]
) -> Remedy:
    """Remedy of a hit: proven lines, or advice where there are none or they do not hold.

    `known` are the findings that the device has already.
    """
    card = rule.card
    if card.remedy is None or not hit.curable:
        return Remedy(Level.MANUAL, advice=hit.advice or card.no_remedy)
    try:
        proven = prove(device, rule, hit, rules, known)
    except UnprovenError as failure:
        return Remedy(Level.MANUAL, advice=f"no lines to paste: {failure}")
    level = hit.level or card.level or Level.NEEDS_WINDOW
    return Remedy(
        level,
        proven.lines,
        proven.rollback,
        proven.statements,
        verify_commands(proven.lines),
    )


def prove(
    device: Device, rule: Rule, hit: Hit[Any], rules: Sequence[Rule], known: frozenset[Key]
) -> Proven:
    """Carry a remedy through its proof.

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
        raise UnprovenError(f"IOS would refuse `{refusal.text}`: {refusal.reason}")
    cured = with_tree(device, applied.tree)
    _relint(cured, (rule.card.id, hit.object), rules, known)
    statements = [
        f"applied: {len(lines)} lines, none refused",
        f"re-linted: {rule.card.id} is gone",
    ]
    statements += _repredict(cured, rule, hit)
    rollback = undo_commands(before, applied.tree)  # tried by itself: None where it fails
    if rollback is None:
        raise UnprovenError("no rollback restores the config line for line")
    statements.append("rolled back: the config is what it was")
    return Proven(lines, rollback, tuple(statements), cured)


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
