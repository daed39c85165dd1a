"""The top of the page of a lint: three lines for who decides, what to do first, what hurts most."""

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from msgspec import Struct

from advisor.lint.findings import Finding, Forecast, Level, Severity, Verdict
from advisor.quantity import count, number
from advisor.report import brief, first_steps, pictures
from advisor.report.coverage import distinct, severity_words
from advisor.report.document import markup
from advisor.report.findings import (
    cost,
    effect_words,
    joint_words,
    most_shortened,
    saved_ms,
    sequel_words,
)

_MOST_HURTS: Final = 5


class FindingRow(Struct, frozen=True):
    """A finding in the table; its figures are sorted by `was` and `then`, where it has them."""

    rank: int
    severity: str
    rule: str
    name: str
    device: str
    object: str
    before: str
    after: str
    was: float | None
    then: float | None
    anchor: str
    text: str


class Hurt(Struct, frozen=True):
    """A finding with the bars of its figure now and with the remedy."""

    row: FindingRow
    before: str
    before_bar: str
    after_bar: str


class HurtsPart(Struct, frozen=True):
    """The findings that hurt most."""

    rows: tuple[Hurt, ...]
    template: str = "hurts.html.j2"


class TopPart(Struct, frozen=True):
    """How many devices, what hurts, what the plans give back; then what to do first."""

    lines: tuple[tuple[str, str], ...]
    steps: tuple[str, ...]
    steps_title: str = first_steps.DO_FIRST
    template: str = "top.html.j2"


def title_of(kind: str, verdict: Verdict, day: date | None) -> str:
    """Title the report by its kind, its size, and the day."""
    devices = count(len({known.device for known in verdict.devices}), "device")
    files = count(len({file.file for file in verdict.coverage}), "file")
    of = _name(verdict)
    on = "" if day is None else f", {day.isoformat()}"
    return f"{kind}{f' of {of}' if of else ''}: {devices} in {files}{on}"


def _name(verdict: Verdict) -> str:
    """The one device, or the folder of all files; nothing where they have none in common."""
    names = {known.device for known in verdict.devices}
    if len(names) == 1:
        return names.pop()
    folders = [os.path.dirname(file.file) for file in verdict.coverage]  # noqa: PTH120 -- any bytes
    if not folders or len({os.path.isabs(folder) for folder in folders}) > 1:  # noqa: PTH117
        return ""
    return os.path.commonpath(folders)


def top_of(verdict: Verdict, files: Mapping[str, str]) -> TopPart:
    """Three lines and the first steps of a verdict that may be shown as it is."""
    findings = [finding for finding in verdict.standing if not brief.is_note(finding)]
    lines = (
        ("Devices", _devices(verdict)),
        ("What hurts", _hurting(verdict, findings)),
        ("What the plans give back", _given_back(findings, len(verdict.skipped))),
    )
    return TopPart(lines, tuple(first_steps.first_steps(findings, files)))


def _devices(verdict: Verdict) -> str:
    """How many devices were read, and how many of them need work."""
    names = {known.device for known in verdict.devices}
    worst: dict[str, Severity] = {}
    for finding in verdict.standing:
        own = Severity.WARNING if finding.is_to_check else finding.severity
        known = worst.setdefault(finding.device, own)
        worst[finding.device] = min(known, own, key=lambda severity: severity.rank)
    having = {severity: sum(worst.get(name) is severity for name in names) for severity in Severity}
    errors, warnings = having[Severity.ERROR], having[Severity.WARNING]
    parts = [f"{errors} with errors"] * bool(errors)
    parts += [f"{warnings} with warnings, but no error"] * bool(warnings)
    parts.append(f"{len(names) - errors - warnings or 'none'} clean")
    unread = sum(file.other_system is not None for file in verdict.coverage)
    skipped = f"; {count(unread, 'file')} of other systems skipped" if unread else ""
    whole = "" if verdict.complete else "; not everything was read: see the end"
    return f"{count(len(names), 'device')} read: {', '.join(parts)}{skipped}{whole}."


def _hurting(verdict: Verdict, findings: Sequence[Finding]) -> str:
    """How many findings need work, and the first of them in the words of the report."""
    errors, warnings = severity_words(verdict.standing)
    worst = next((known for known in findings if known.severity is not Severity.INFO), None)
    if worst is None:
        return f"{errors}, {warnings}."
    alike = [known.object for known in findings if _is_like(known, worst)]
    more = f" and {count(len(set(alike)) - 1, 'more place')}" if len(set(alike)) > 1 else ""
    effect = most_shortened(worst)
    counted = "" if effect is None else effect.counted
    said = "; ".join(filter(None, (worst.message, counted, sequel_words(worst))))
    return f"{errors}, {warnings}. First: {worst.device}, {worst.object}{more}: {said}"


def _is_like(finding: Finding, other: Finding) -> bool:
    """Whether two findings are the same fault of one device, in two places."""
    faults = [(item.device, item.rule, item.message) for item in (finding, other)]
    return faults[0] == faults[1]


def _given_back(findings: Sequence[Finding], not_judged: int) -> str:
    """How many findings have lines to paste, and the largest gains that users feel."""
    wanted = distinct(known for known in findings if known.severity is not Severity.INFO)
    if not wanted:
        limit = f" in what was judged; not judged: {not_judged}, see the end" if not_judged else ""
        return f"Nothing to mend{limit}."
    cured = [known for known in wanted if known.remedy is not None and known.remedy.lines]
    levels = [known.remedy.level for known in cured if known.remedy is not None]
    total = count(len(wanted), "error or warning", "errors and warnings")
    parts = [f"{len(cured) or 'none'} of {total} have lines to paste"]
    if Level.NEEDS_WINDOW in levels:
        parts.append(f"{levels.count(Level.NEEDS_WINDOW)} of these in a maintenance window")
    if len(wanted) > len(cured):
        parts.append(f"{len(wanted) - len(cured)} to mend by hand")
    lines = ", ".join(parts).capitalize()
    gains = "; ".join(_gains(cured))
    return f"{lines}.{f' Most: {gains}.' if gains else ''}"


def _gains(cured: Sequence[Finding]) -> Iterator[str]:
    """The delay of voice that lines shorten most, and the largest gain in percent."""
    shortened = [(item, effect) for item in cured if (effect := most_shortened(item)) is not None]
    if shortened:
        finding, effect = max(shortened, key=lambda item: saved_ms(item[1]))
        words = joint_words(finding) or effect_words(effect)
        yield f"{words} ({finding.device}, {finding.object}, {finding.rule})"
    known = [(finding, finding.prediction) for finding in cured if finding.prediction is not None]
    for unit in first_steps.FELT_UNITS:
        if shortened and unit == shortened[0][1].before.unit:
            continue  # the delay of voice stands for it
        own = [item for item in known if item[1].before.unit == unit and item[1].gain > 0]
        if own:
            finding, forecast = max(own, key=lambda item: item[1].gain)
            yield f"{forecast.metric} {cost(forecast)} ({finding.device}, {finding.object})"


def hurts(rows: Sequence[FindingRow], findings: Sequence[Finding]) -> HurtsPart:
    """The findings whose remedies give back most, each bar on the scale of its unit."""
    known = [
        (row, finding.prediction)
        for row, finding in zip(rows, findings, strict=True)
        if finding.prediction is not None and finding.prediction.gain > 0
    ][:_MOST_HURTS]
    most: dict[str, float] = {}
    for row, forecast in known:
        unit = forecast.before.unit
        most[unit] = max(most.get(unit, 0.0), forecast.before.value, row.then or 0.0)
    return HurtsPart(
        tuple(_hurt(row, forecast, most[forecast.before.unit]) for row, forecast in known)
    )


def _hurt(row: FindingRow, forecast: Forecast, most: float) -> Hurt:
    before = f"{row.before} ({forecast.metric}{_at_most(forecast)})"
    now = pictures.value_bar(forecast.before.value, most)
    then = pictures.value_bar(row.then or 0.0, most, is_after=True)
    return Hurt(row, before, markup(now), markup(then))


def _at_most(forecast: Forecast) -> str:
    """The bound of the ring, which the rank is by, beside the mean."""
    ring = forecast.ring_bound_ms
    if ring is None or ring.before is None:
        return ""
    then = "" if ring.after is None else f", then {number(ring.after)} ms"
    return f"; the ring alone {number(ring.before)} ms{then}"
