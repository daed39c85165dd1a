"""The page of a lint: the top, all findings, devices with plans, coverage, what was not read."""

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from msgspec import Struct

from advisor.device.coverage import FileCoverage
from advisor.ground.quantity import Figure, count
from advisor.ground.units import whole
from advisor.lint.findings import Finding, Verdict
from advisor.report import all_printable, brief, first_steps, pictures, printable
from advisor.report.coverage import (
    facts_of_files,
    first_of,
    skipped_groups,
    summary_line,
)
from advisor.report.coverage import outputs as command_lines
from advisor.report.device_pages import DeviceStory, DeviceWithFindings, devices_of
from advisor.report.document import More, Page, PagePart, Table, markup, page_text
from advisor.report.findings import (
    FELT_UNITS,
    change_words,
    felt_effect,
    files_by_device,
    gain_words,
    kind_of,
    range_text,
    value_text,
    wait_words,
    with_skipped_as_one,
)
from advisor.report.mask import masked
from advisor.report.terminal import RenderOptions

_MOST_HURTS: Final = 5
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


def top_of(verdict: Verdict, files: Mapping[str, str]) -> PagePart:
    """A few lines and the first steps of a verdict that may be shown as it is."""
    findings = [finding for finding in verdict.standing if not brief.is_note(finding)]
    lines = (*first_steps.top_lines(verdict, findings), ("Words", _WORDS))
    steps = first_steps.first_steps(findings, files)
    return PagePart(
        "top.html.j2", {"lines": lines, "steps": steps, "steps_title": first_steps.DO_FIRST}
    )


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


def hurts(rows: Sequence[FindingRow], findings: Sequence[Finding]) -> PagePart:
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
    rows_shown = [_hurt(row, pair, most[pair.before.unit]) for row, pair in shown]
    return PagePart("hurts.html.j2", {"rows": rows_shown, "is_due": is_due})


def _is_reckoned(finding: Finding, *, is_due: bool) -> bool:
    """Whether a gain is told beside the acts: where any is due, not that of information."""
    is_own = finding.cured_by is None and (finding.is_due or not is_due)
    forecast = finding.prediction
    is_felt = forecast is not None and forecast.before.unit in FELT_UNITS
    return is_own and (bool(finding.lines) or is_felt)


def _hurt(row: FindingRow, pair: FeltPair, most: float) -> dict[str, object]:
    """A finding with the bars of its figure now and with the remedy."""
    now = pictures.value_bar(pair.before.value, most)
    then = pictures.value_bar(row.then or 0.0, most, is_after=True)
    bars = {"before_bar": markup(now), "after_bar": markup(then)}
    return {"row": row, "label": pair.label, **bars}


_ROWS_AT_ONCE = 100
_OF_OBJECTS = 6  # objects of a reason that are named
_OF_FILES = 40  # files of a system that are named
_COLUMNS = (
    ("rank", "rank"),
    ("severity", "severity"),
    ("rule", "rule"),
    ("device", "device"),
    ("object", "object"),
    ("before", "now"),
    ("after", "with the remedy"),
)


def render(verdict: Verdict, _options: RenderOptions) -> str:
    """HTML text of a verdict alone, without figures of outputs."""
    return render_lint(verdict, ())


def render_lint(
    verdict: Verdict,
    stories: Sequence[DeviceStory],
    more_parts: Sequence[Struct] = (),
    kind: str = "QoS report",
    day: date | None = None,
) -> str:
    """HTML text of a verdict; `stories` are the devices in their order.

    `more_parts` stand between the devices and what was not read.
    """
    shown = all_printable(masked(with_skipped_as_one(verdict)))
    files = files_by_device(shown)
    anchored = [(f"f{rank}", finding) for rank, finding in enumerate(shown.standing, 1)]
    devices = devices_of(_all(stories, anchored), files)
    rows = tuple(_row(anchor, devices.titles[anchor], finding) for anchor, finding in anchored)
    page = Page(
        title_of(kind, shown, day),
        summary_line(shown),
        (
            top_of(shown, files),
            hurts(rows, shown.standing),
            _findings(rows),
            devices.part,
            *more_parts,
            *_coverage(shown),
            *_not_judged(shown),
            *_unread(shown),
        ),
        more=More(devices.later, devices.owners, rows),
    )
    return page_text(page)


def _all(
    stories: Sequence[DeviceStory], anchored: Sequence[tuple[str, Finding]]
) -> tuple[DeviceWithFindings, ...]:
    """Devices with findings, worst first, then the others; some have findings and no story."""
    named: dict[str, list[DeviceStory]] = {}
    for story in stories:
        named.setdefault(printable(story.device), []).append(story)
    owned: dict[tuple[str, str], list[tuple[str, Finding]]] = {}
    owners: dict[tuple[str, str], DeviceStory] = {}
    for anchor, finding in anchored:
        story = _owner(finding, named.get(finding.device, ()))
        owners.setdefault((story.device, story.file), story)
        owned.setdefault((story.device, story.file), []).append((anchor, finding))
    worst = (DeviceWithFindings(story, tuple(owned[place])) for place, story in owners.items())
    others = (
        DeviceWithFindings(story, ())
        for story in stories
        if (story.device, story.file) not in owners
    )
    return (*worst, *others)


def _owner(finding: Finding, stories: Sequence[DeviceStory]) -> DeviceStory:
    """The device of a finding: of several with its name, the one whose file it is found in."""
    files = {at.file for at in finding.locations}
    known = (story for story in stories if printable(story.file) in files)
    return next(known, stories[0] if stories else DeviceStory(finding.device, ()))


def _row(anchor: str, device: str, finding: Finding) -> FindingRow:
    pair, text = pair_of(finding), range_text if finding.is_open else value_text
    searched = (finding.rule, finding.name, device, finding.object, finding.message)
    return FindingRow(
        whole(anchor.removeprefix("f")),
        kind_of(finding),
        finding.rule,
        finding.name,
        device,
        finding.object,
        "" if pair is None else text(pair.before),
        "" if pair is None or pair.after is None else text(pair.after),
        None if pair is None else pair.before.value,
        None if pair is None or pair.after is None else pair.after.value,
        anchor,
        " ".join(searched).lower(),
    )


def _findings(rows: Sequence[FindingRow]) -> PagePart:
    """The table of findings: the first rows, and what filters choose from."""
    first = rows[:_ROWS_AT_ONCE]
    part = f", the first {len(first)} shown" if len(first) < len(rows) else ""
    total = count(len(rows), "finding") if rows else "No finding."
    shown = {
        "total": len(rows),
        "shown": f"{total}{part}",
        "rows": first,
        "rules": sorted({row.rule for row in rows}),
        "devices": dict.fromkeys(row.device for row in rows),
        "columns": _COLUMNS,
    }
    return PagePart("findings.html.j2", shown)


def _not_judged(verdict: Verdict) -> tuple[Table, ...]:
    rows = tuple(
        (rule, reason, first_of(objects, _OF_OBJECTS))
        for rule, reason, objects in skipped_groups(verdict.skipped)
    )
    words = "Rules that apply and could not be judged, for lack of knowledge."
    return (Table("skipped", "Not judged", words, ("rule", "why", "where"), rows),) if rows else ()


def _unread(verdict: Verdict) -> tuple[Table, ...]:
    """Why the verdict is not complete, and the files of other systems."""
    rows = [("incomplete", reason) for reason in verdict.incomplete]
    skipped: dict[str, list[str]] = {}
    for file in verdict.coverage:
        if file.other_system is not None:
            skipped.setdefault(file.taken_for, []).append(file.file)
    rows += [(taken_for, first_of(names, _OF_FILES)) for taken_for, names in skipped.items()]
    words = "This report is not complete." if verdict.incomplete else ""
    return (Table("unread", "Not read", words, ("why", "what"), tuple(rows)),) if rows else ()


def _coverage(verdict: Verdict) -> Iterator[Table]:
    yield Table(
        "coverage",
        "Coverage",
        "",
        ("file", "device", "read as", "lines", "QoS lines understood"),
        tuple(map(_file, verdict.coverage)),
    )
    facts = (*facts_of_files(verdict.coverage), *command_lines(verdict.devices))
    if facts:
        yield Table("assumed", "Assumed and missing", "", ("what", "where"), facts)


def _file(file: FileCoverage) -> tuple[str, ...]:
    return (
        file.file,
        file.device or "",
        file.taken_for + (", a draft" if file.is_draft else ""),
        str(file.lines),
        f"{file.qos_lines_understood} of {file.qos_lines}",
    )
