"""The three things to do first, for the terminal and the top of the page.

Findings that one command cures are one step, named at the place of the worst finding.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from advisor.device.inputs import STDIN_NAME
from advisor.lint.findings import Finding, Severity
from advisor.quantity import count
from advisor.report.coverage import first_of
from advisor.report.findings import cost, effect_words, joint_words, most_shortened, path_of

DO_FIRST: Final = "Do first"
FELT_UNITS: Final = ("ms", "%")  # a rate that a shaper gets is no gain to read
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
    return [_step(cure, files) for cure in _cures(findings)[:_STEPS]]


def lines_of(finding: Finding) -> tuple[str, ...]:
    """Return the lines that cure a finding; none where it is mended by hand."""
    return () if finding.remedy is None else finding.remedy.lines


def path_word(finding: Finding, files: Mapping[str, str]) -> str:
    """Return the file or bundle of a finding, as a command takes it."""
    path = path_of(finding, files)
    return _STDIN if path == STDIN_NAME else shlex.quote(path)


def _cures(findings: Iterable[Finding]) -> list[_Cure]:
    """Cures of errors and cures with config lines, then advice on the objects that remain."""
    worth = [finding for finding in findings if _is_worth_it(finding)]
    by_key = {finding.key: finding for finding in reversed(worth)}
    owners = [(finding, by_key.get(finding.cured_by or finding.key, finding)) for finding in worth]
    first = [
        (finding, owner)
        for finding, owner in owners
        if finding.severity is Severity.ERROR or lines_of(owner)
    ]
    cured = {(finding.device, finding.object) for finding, _ in first}
    others = [
        (finding, owner)
        for finding, owner in owners
        if (finding.device, finding.object) not in cured
    ]
    first.sort(key=lambda pair: pair[0].is_to_check and not lines_of(pair[0]))
    cures: dict[tuple[str, ...], _Cure] = {}
    for finding, owner in (*first, *others):
        cure = cures.setdefault(_command(owner), _Cure({}, {}))
        cure.findings.setdefault(owner.key, owner)
        if finding.rule != owner.rule:
            cure.also[finding.rule] = None
    return list(cures.values())


def _is_worth_it(finding: Finding) -> bool:
    is_void = finding.void_by is not None and finding.void_by.is_sure
    return finding.severity is not Severity.INFO and not is_void


def _is_tried(finding: Finding) -> bool:
    """Whether its own lines are pasted ahead of those that would cure it too."""
    return finding.remedy is not None and finding.remedy.merged is not None and not finding.cured_by


def _is_two_ended(finding: Finding) -> bool:
    return finding.remedy is not None and finding.remedy.two_ended is not None


def _command(finding: Finding) -> tuple[str, ...]:
    """Key that two findings share if one step mends both."""
    if lines_of(finding):
        return finding.device, finding.rule
    return finding.device, finding.rule, _advice(finding)


def _advice(finding: Finding) -> str:
    advice = finding.remedy.advice if finding.remedy is not None else None
    return advice or finding.message


def _step(cure: _Cure, files: Mapping[str, str]) -> str:
    finding, *others = cure.findings.values()
    places = f" and {count(len(others), 'more place')}" if others else ""
    place = f"{finding.rule} {finding.device}, {finding.object}{places}"
    if not lines_of(finding):
        return f"{place}: {'to check: ' if finding.is_to_check else ''}{_advice(finding)}"
    gain = _gain(finding)
    ends = ", both ends of the link in one window" if _is_two_ended(finding) else ""
    ends += ", then measure again" if _is_tried(finding) else ""
    also = f", cures {first_of(list(cure.also), _MOST_ALSO)} too" if cure.also else ""
    command = f"advisor fix {path_word(finding, files)} --rule {finding.rule}"
    return f"{place}{gain}{ends}{also}: {command}"


def _gain(finding: Finding) -> str:
    """Word the gain of the lines: to voice where they have one, else to the finding's figure."""
    shortened = most_shortened(finding)
    if shortened is not None:
        return f", {joint_words(finding) or effect_words(shortened)}"
    forecast = finding.prediction
    if forecast is None or forecast.before.unit not in FELT_UNITS:
        return ""
    return f", {forecast.metric} {cost(forecast)}"
