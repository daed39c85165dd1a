"""The page of a lint: the top, all findings, devices with plans, coverage, what was not read."""

from collections.abc import Iterator, Sequence
from datetime import date

from msgspec import Struct

from advisor.device.coverage import FileCoverage
from advisor.lint.findings import Finding, Verdict
from advisor.quantity import count
from advisor.report import all_printable, printable
from advisor.report.coverage import facts_of_files, first_of, skipped_groups, summary_line
from advisor.report.coverage import outputs as command_lines
from advisor.report.device_pages import DeviceStory, DeviceWithFindings, devices_of
from advisor.report.document import More, Page, Table, page_text
from advisor.report.findings import (
    files_by_device,
    kind_of,
    range_text,
    value_text,
    with_skipped_as_one,
)
from advisor.report.mask import masked
from advisor.report.page_top import FindingRow, hurts, pair_of, title_of, top_of
from advisor.report.terminal import RenderOptions
from advisor.units import whole

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


class FindingsPart(Struct, frozen=True):
    """The table of findings: the first rows, and what filters choose from."""

    total: int
    shown: str
    rows: tuple[FindingRow, ...]
    rules: tuple[str, ...]
    devices: tuple[str, ...]
    columns: tuple[tuple[str, str], ...] = _COLUMNS
    template: str = "findings.html.j2"


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


def _findings(rows: Sequence[FindingRow]) -> FindingsPart:
    first = rows[:_ROWS_AT_ONCE]
    part = f", the first {len(first)} shown" if len(first) < len(rows) else ""
    total = count(len(rows), "finding") if rows else "No finding."
    return FindingsPart(
        len(rows),
        f"{total}{part}",
        tuple(first),
        tuple(sorted({row.rule for row in rows})),
        tuple(dict.fromkeys(row.device for row in rows)),
    )


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
