"""The top of the page of a lint: three lines for who decides, what to do first, what hurts most."""

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from msgspec import Struct

from advisor.lint.findings import Finding, Level, Severity, Verdict
from advisor.quantity import Figure, count
from advisor.report import brief, first_steps, pictures
from advisor.report.coverage import distinct, first_of, severity_words
from advisor.report.document import markup
from advisor.report.findings import (
    CHECK,
    FELT_UNITS,
    change_words,
    fault_words,
    felt_effect,
    gain_words,
    kind_of,
    more_places,
    sequel_words,
    wait_words,
)

_MOST_HURTS: Final = 5
_OPEN: Final = "open"
_WORDS: Final = (
    "error: it does not work, or IOS refuses it; check: an error that may be none, look first; "
    "warning: users wait or lose packets, mostly while a line is full; info: nothing to mend."
)


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
    label: str
    before_bar: str
    after_bar: str


class HurtsPart(Struct, frozen=True):
    """Findings with their figure now and with the remedy; `is_due` where they ask for an act."""

    rows: tuple[Hurt, ...]
    is_due: bool
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
        ("What the remedies give back", _given_back(findings, len(verdict.skipped))),
        ("Words", _WORDS),
    )
    return TopPart(lines, tuple(first_steps.first_steps(findings, files)))


def _devices(verdict: Verdict) -> str:
    """How many devices were read, and how many of them need work."""
    names = {known.device for known in verdict.devices}
    found: dict[str, set[str]] = {}
    for finding in verdict.standing:
        found.setdefault(finding.device, set()).add(_OPEN if finding.is_open else kind_of(finding))
    kinds = (Severity.ERROR, CHECK, Severity.WARNING, _OPEN)
    worst = [next((kind for kind in kinds if kind in found.get(name, ())), None) for name in names]
    words = ("with errors", "to check", "with warnings", "to look up")
    having = [(worst.count(kind), text) for kind, text in zip(kinds, words, strict=True)]
    parts = [f"{total} {text}" for total, text in having if total]
    limit = " in what was judged" if verdict.skipped else ""
    parts.append(f"{worst.count(None) or 'none'} clean{limit if None in worst else ''}")
    unread = sum(file.other_system is not None for file in verdict.coverage)
    skipped = f"; {count(unread, 'file')} of other systems skipped" if unread else ""
    whole = "" if verdict.complete else "; not everything was read: see the end"
    return f"{count(len(names), 'device')} read: {', '.join(parts)}{skipped}{whole}."


def _hurting(verdict: Verdict, findings: Sequence[Finding]) -> str:
    """How many findings need work, and the first of them in the words of the report."""
    errors, warnings, _ = severity_words(verdict.standing)
    worst = next((known for known in findings if known.is_due), None)
    worst = worst or next((known for known in findings if known.is_open), None)
    if worst is None:
        return f"{errors}, {warnings}."
    more = more_places(known.object for known in findings if _is_like(known, worst))
    is_voice = felt_effect(worst) is not None
    fault = (fault_words(worst), gain_words(worst)) if is_voice else (worst.message,)
    said = "; ".join(filter(None, (*fault, sequel_words(worst))))
    which = "First" if worst.severity is not Severity.INFO else "To look up, it may be harmless"
    return f"{errors}, {warnings}. {which}: {worst.device}, {worst.object}{more}: {said}"


def _is_like(finding: Finding, other: Finding) -> bool:
    """Whether two findings are the same fault of one device, in two places."""
    faults = [(item.device, item.rule, item.message) for item in (finding, other)]
    return faults[0] == faults[1]


def _given_back(findings: Sequence[Finding], not_judged: int) -> str:
    """How many findings have lines to paste, and the largest gains that users feel."""
    wanted = distinct(known for known in findings if known.severity is not Severity.INFO)
    if not wanted and any(known.is_open for known in findings):
        return "Nothing that is certain to be needed: see below what to look up."
    if not wanted:
        limit = f" in what was judged; not judged: {not_judged}, see the end" if not_judged else ""
        return f"Nothing to mend{limit}."
    cured = [known for known in wanted if known.lines or known.cured_by]
    own = distinct(known for known in cured if known.lines and known.cured_by is None)
    pastes = {
        (known.device, known.lines): known.remedy.level for known in own if known.remedy is not None
    }
    window = [*pastes.values()].count(Level.NEEDS_WINDOW)
    left = [known for known in wanted if known not in cured]
    rules = {
        how: first_of(sorted({known.rule for known in left if known.is_to_check is is_to_check}))
        for how, is_to_check in (("by hand", False), ("check first", True))
    }
    all_of_them = f"all {len(wanted)} findings" if len(wanted) > 1 else "the finding"
    of = all_of_them if len(cured) == len(wanted) else f"{len(cured)} of {len(wanted)} findings"
    parts = (
        f"{count(len(pastes), 'paste')} for {of}" if pastes else "No lines to paste",
        f"{window if window < len(pastes) else 'all'} in a maintenance window" if window else "",
        *(f"{how}: {named}" for how, named in rules.items() if named),
    )
    worst = next((known for known in findings if known.is_due), None)
    gains = "; ".join(_gains(cured, worst))
    return f"{'; '.join(filter(None, parts))}.{f' Most: {gains}.' if gains else ''}"


def _gains(cured: Sequence[Finding], told: Finding | None) -> Iterator[str]:
    """The delay of voice that lines shorten most, and the largest gain in percent, if not told."""
    shortened = [(item, effect) for item in cured if (effect := felt_effect(item)) is not None]
    if shortened:
        finding, effect = max(shortened, key=lambda item: (not _cuts_link(item[0]), item[1].saved))
        rules = " and ".join(first_steps.rules_of(finding))
        if finding is not told:
            yield f"{wait_words(effect)} ({finding.device}, {finding.object}, {rules})"
    known = [(finding, finding.prediction) for finding in cured if finding.prediction is not None]
    for unit in FELT_UNITS:
        if shortened and unit == shortened[0][1].before.unit:
            continue  # the delay of voice stands for it
        own = [item for item in known if item[1].before.unit == unit and item[1].gain > 0]
        if own:
            finding, forecast = max(own, key=lambda item: item[1].gain)
            yield f"{change_words(forecast)} ({finding.device}, {finding.object})"


def _cuts_link(finding: Finding) -> bool:
    return finding.remedy is not None and finding.remedy.two_ended is not None


class FeltPair(Struct, frozen=True):
    """The figure of a finding that users feel, now and with the remedy."""

    label: str
    before: Figure
    after: Figure | None
    is_gain: bool


def pair_of(finding: Finding) -> FeltPair | None:
    """The wait of voice where lines shorten it, else the finding's own figure."""
    effect, forecast = felt_effect(finding), finding.prediction
    if effect is not None:
        return FeltPair(wait_words(effect), effect.before, effect.after, is_gain=True)
    if forecast is None:
        return None
    is_gain = forecast.gain > 0
    label = gain_words(finding) or change_words(forecast)
    return FeltPair(label, forecast.before, forecast.after, is_gain)


def hurts(rows: Sequence[FindingRow], findings: Sequence[Finding]) -> HurtsPart:
    """The findings whose remedies give back most, once each, on the scale of their unit."""
    is_due = any(finding.is_due for finding in findings)
    shown: list[tuple[FindingRow, FeltPair]] = []
    told: set[tuple[str, str, float]] = set()  # of a device, a rule and a figure
    for row, finding in zip(rows, findings, strict=True):
        pair = pair_of(finding)
        if pair and pair.is_gain and _is_reckoned(finding, is_due=is_due):
            if (finding.device, finding.rule, pair.before.value) not in told:
                shown.append((row, pair))
            rules = first_steps.rules_of(finding)
            told.update((finding.device, rule, pair.before.value) for rule in rules)
    shown = shown[:_MOST_HURTS]
    most: dict[str, float] = {}
    for row, pair in shown:
        unit = pair.before.unit
        most[unit] = max(most.get(unit, 0.0), pair.before.value, row.then or 0.0)
    rows_shown = tuple(_hurt(row, pair, most[pair.before.unit]) for row, pair in shown)
    return HurtsPart(rows_shown, is_due)


def _is_reckoned(finding: Finding, *, is_due: bool) -> bool:
    """Whether a gain is told beside the acts: where any is due, not that of information."""
    is_own = finding.cured_by is None and (finding.is_due or not is_due)
    forecast = finding.prediction
    is_felt = forecast is not None and forecast.before.unit in FELT_UNITS
    return is_own and (bool(finding.lines) or is_felt)


def _hurt(row: FindingRow, pair: FeltPair, most: float) -> Hurt:
    now = pictures.value_bar(pair.before.value, most)
    then = pictures.value_bar(row.then or 0.0, most, is_after=True)
    return Hurt(row, pair.label, markup(now), markup(then))
