"""The three things to do first, for the terminal and the top of the page.

Findings that one command cures are one step, named at the place of the worst finding.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from advisor.device.inputs import STDIN_NAME
from advisor.ground.quantity import number
from advisor.lint.findings import Finding, Level, Severity, TwoEnded
from advisor.report.coverage import first_of
from advisor.report.findings import (
    by_hand_words,
    fault_words,
    felt_effect,
    gain_words,
    more_places,
    path_of,
)

DO_FIRST: Final = "Do first (errors, then voice, then data)"
_STEPS: Final = 3
_MOST_ALSO: Final = 3  # rules that a cure is good for too
_STDIN: Final = "-"
_Key = tuple[str, str, str]


class _Cure(Struct):
    """Findings that one command or one piece of advice cures; the step names the first."""

    findings: dict[_Key, Finding]
    also: dict[str, None]  # rules whose findings its lines cure too, in their order


def first_steps(findings: Sequence[Finding], files: Mapping[str, str]) -> list[str]:
    """Return the three things to do first, in the order of the report; each cure once."""
    if len(findings) <= 1:
        return []
    cures = _cures(findings)
    tried = {
        (finding.device, *finding.remedy.merged.key): finding
        for cure in reversed(cures)
        for finding in cure.findings.values()
        if finding.remedy is not None and finding.remedy.merged and not finding.cured_by
        if felt_effect(finding) is not None
    }
    return [_step(cure, files, tried) for cure in cures]


def path_word(finding: Finding, files: Mapping[str, str]) -> str:
    """Return the file or bundle of a finding, as a command takes it."""
    path = path_of(finding, files)
    return _STDIN if path == STDIN_NAME else shlex.quote(path)


def _cures(findings: Iterable[Finding]) -> list[_Cure]:
    """The first cures: of errors and with a known gain, then advice on objects that remain."""
    worth = [finding for finding in findings if finding.is_due]
    worth = worth or [finding for finding in findings if finding.is_open]
    by_key = {finding.key: finding for finding in reversed(worth)}
    owners = [(finding, by_key.get(finding.cured_by or finding.key, finding)) for finding in worth]
    first = [pair for pair in owners if _comes_first(*pair)]
    cured = {(finding.device, finding.object) for finding, owner in first if owner.lines}
    others = [
        pair
        for pair in owners
        if not _comes_first(*pair) and (pair[0].device, pair[0].object) not in cured
    ]
    cures: dict[tuple[str, ...], _Cure] = {}
    for finding, owner in (*first, *others):
        command = _command(owner)
        wider = (known for known in cures if known[:2] == command[:2])
        command = next((known for known in wider if {*command} <= {*known}), command)
        if command not in cures and len(cures) == _STEPS:
            continue
        cure = cures.setdefault(command, _Cure({}, {}))
        cure.findings.setdefault(owner.key, owner)
        if finding.rule != owner.rule:
            cure.also[finding.rule] = None
    return list(cures.values())


def _comes_first(finding: Finding, owner: Finding) -> bool:
    return finding.severity is Severity.ERROR or owner.has_sure_cure


def _is_two_ended(finding: Finding) -> bool:
    return finding.remedy is not None and finding.remedy.two_ended is not None


def _command(finding: Finding) -> tuple[str, ...]:
    """Key that two findings share if one step mends both: advice by hand, device, rules."""
    if finding.lines:
        return "", finding.device, *rules_of(finding)
    return _advice(finding), finding.device, finding.rule


def _advice(finding: Finding) -> str:
    advice = finding.remedy.advice if finding.remedy is not None else None
    return advice or finding.message


def rules_of(finding: Finding) -> tuple[str, ...]:
    """The rules whose lines give back what is told of a finding."""
    return (finding.rule,) if finding.together is None else finding.together.rules


def _step(cure: _Cure, files: Mapping[str, str], tried: Mapping[_Key, Finding]) -> str:
    """A step in words; `tried` are the findings whose own lines come ahead of it."""
    found = list(cure.findings.values())
    finding, places = found[0], more_places(item.object for item in found)
    rules = " and ".join(rules_of(finding) if finding.lines else (finding.rule,))
    place = f"{rules} {finding.device}, {finding.object}{places}"
    place += ": to look up, it may be harmless" if finding.is_open else ""
    if not finding.lines:
        return f"{place}: {finding.message}; {by_hand_words(finding)}: {_advice(finding)}"
    also = [rule for rule in cure.also if rule not in rules_of(finding)]
    gain, remedy = gain_words(finding), finding.remedy
    before = next((tried[item.key] for item in found if item.key in tried), None)
    parts = (
        f"{place}: {fault_words(finding) if gain and not finding.is_open else finding.message}",
        gain if before is None else _rest_words(finding, before),
        f"cures {first_of(also, _MOST_ALSO)} too" if also else "",
        remedy.advice or "" if remedy is not None else "",
        _window_words(next(filter(_is_two_ended, found), finding)),
        "then measure again" if finding.is_refuted and finding in tried.values() else "",
    )
    options = " ".join(f"--rule {rule}" for rule in rules_of(finding))
    command = f"advisor fix {path_word(finding, files)} {options}"
    return f"{'; '.join(filter(None, parts))}; lines: {command}"


def _rest_words(finding: Finding, before: Finding) -> str:
    """The gain of a step after the one ahead of it."""
    whole, first = felt_effect(finding), felt_effect(before)
    if whole is None or first is None or whole.after is None or first.after is None:
        return ""
    unit = whole.after.unit
    then = f"{number(first.after.value)} → {number(whole.after.value)} {unit}"
    asked = "only where a measurement then still asks for it, " if before.is_refuted else ""
    return f"{asked}shortens what {before.rule} leaves of {whole.class_name}: {then}"


def _window_words(finding: Finding) -> str:
    """The window that the lines need, and the interruption that they cause."""
    remedy = finding.remedy
    if remedy is None or remedy.level is not Level.NEEDS_WINDOW:
        return ""
    window = f"in a window{_ends_words(remedy.two_ended)}"
    return f"{window}, interrupts: {remedy.interrupts}" if remedy.interrupts else window


def _ends_words(link: TwoEnded | None) -> str:
    if link is None:
        return ""
    far = f", here and at {link.far_device}" if link.far_device else ""
    return f" for both ends of the link{far}"
