"""The page of a lint: what hurts most, all findings, devices with plans, coverage."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.device.coverage import FileCoverage
from advisor.lint.findings import Finding, Forecast, Verdict
from advisor.quantity import count, number
from advisor.report import all_printable, pictures, printable
from advisor.report.coverage import first_of, skipped_groups, summary_line
from advisor.report.coverage import outputs as command_lines
from advisor.report.device_pages import DeviceStory, ToldDevice, devices_of
from advisor.report.document import More, Page, Table, markup, page_text
from advisor.report.findings import with_skipped_as_one
from advisor.report.mask import masked
from advisor.report.terminal import RenderOptions
from advisor.units import whole

_MOST_HURTS = 10
_ROWS_AT_ONCE = 100
_OF_OBJECTS = 6  # objects of a reason that are named
_COLUMNS = (
    ("rank", "rank"),
    ("severity", "severity"),
    ("rule", "rule"),
    ("device", "device"),
    ("object", "object"),
    ("before", "now"),
    ("after", "with the remedy"),
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
    before: str
    before_bar: str
    after_bar: str


class HurtsPart(Struct, frozen=True):
    """The findings that hurt most."""

    rows: tuple[Hurt, ...]
    template: str = "hurts.html.j2"


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
    title: str = "QoS report",
) -> str:
    """HTML text of a verdict; `stories` are the devices in their order.

    `more_parts` stand between the devices and what was not judged.
    """
    shown = all_printable(masked(with_skipped_as_one(verdict)))
    anchored = [(f"f{rank}", finding) for rank, finding in enumerate(shown.standing, 1)]
    devices = devices_of(_all(stories, anchored))
    rows = tuple(_row(anchor, devices.titles[anchor], finding) for anchor, finding in anchored)
    page = Page(
        title,
        summary_line(shown),
        (
            HurtsPart(_hurts(rows, shown.standing)),
            _findings(rows),
            devices.part,
            *more_parts,
            *_not_judged(shown),
            _coverage(shown),
        ),
        shown.incomplete,
        More(devices.later, devices.owners, rows),
    )
    return page_text(page)


def _all(
    stories: Sequence[DeviceStory], anchored: Sequence[tuple[str, Finding]]
) -> tuple[ToldDevice, ...]:
    """Devices with findings worst first, then the others; one without a story has none."""
    named: dict[str, list[DeviceStory]] = {}
    for story in stories:
        named.setdefault(printable(story.device), []).append(story)
    owned: dict[tuple[str, str], list[tuple[str, Finding]]] = {}
    owners: dict[tuple[str, str], DeviceStory] = {}
    for anchor, finding in anchored:
        story = _owner(finding, named.get(finding.device, ()))
        owners.setdefault((story.device, story.file), story)
        owned.setdefault((story.device, story.file), []).append((anchor, finding))
    worst = (ToldDevice(story, tuple(owned[place])) for place, story in owners.items())
    others = (
        ToldDevice(story, ()) for story in stories if (story.device, story.file) not in owners
    )
    return (*worst, *others)


def _owner(finding: Finding, stories: Sequence[DeviceStory]) -> DeviceStory:
    """The device of a finding: of several with its name, the one whose file it is found in."""
    files = {at.file for at in finding.locations}
    known = (story for story in stories if printable(story.file) in files)
    return next(known, stories[0] if stories else DeviceStory(finding.device, ()))


def _row(anchor: str, device: str, finding: Finding) -> FindingRow:
    forecast = finding.prediction
    before, after = _figures(finding)
    searched = (finding.rule, finding.name, device, finding.object, finding.message)
    return FindingRow(
        whole(anchor.removeprefix("f")),
        finding.severity,
        finding.rule,
        finding.name,
        device,
        finding.object,
        before,
        after,
        None if forecast is None else forecast.before.value,
        None if forecast is None or forecast.after is None else forecast.after.value,
        anchor,
        " ".join(searched).lower(),
    )


def _figures(finding: Finding) -> tuple[str, str]:
    forecast = finding.prediction
    if forecast is None:
        return "", ""
    unit = f" {forecast.before.unit}".rstrip()
    after = "" if forecast.after is None else f"{number(forecast.after.value)}{unit}"
    return f"{number(forecast.before.value)}{unit}", after


def _hurts(rows: Sequence[FindingRow], findings: Sequence[Finding]) -> tuple[Hurt, ...]:
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
    return tuple(_hurt(row, forecast, most[forecast.before.unit]) for row, forecast in known)


def _hurt(row: FindingRow, forecast: Forecast, most: float) -> Hurt:
    before = f"{row.before} ({forecast.metric}{_at_most(forecast)})"
    bars = (pictures.value_bar(value, most) for value in (forecast.before.value, row.then or 0.0))
    return Hurt(row, before, *map(markup, bars))


def _at_most(forecast: Forecast) -> str:
    """The bound of the ring, which the rank is by, beside the mean."""
    ring = forecast.ring_bound_ms
    if ring is None or ring.before is None:
        return ""
    then = "" if ring.after is None else f", then {number(ring.after)} ms"
    return f"; the ring alone {number(ring.before)} ms{then}"


def _findings(rows: Sequence[FindingRow]) -> FindingsPart:
    first = rows[:_ROWS_AT_ONCE]
    part = f", the first {len(first)} shown" if len(first) < len(rows) else ""
    total = count(len(rows), "finding") if rows else "No finding: see what was not judged, below."
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


def _coverage(verdict: Verdict) -> Table:
    words = " ".join(
        f"{line}: {names}." if names else f"{line}."
        for line, names in command_lines(verdict.devices)
    )
    return Table(
        "coverage",
        "Coverage",
        words,
        ("file", "device", "read as", "lines", "QoS lines understood", "assumed, not judged"),
        tuple(map(_file, verdict.coverage)),
    )


def _file(file: FileCoverage) -> tuple[str, ...]:
    unjudged = (f"not judged: {section.what}" for section in file.unjudged)
    return (
        file.file,
        file.device or "",
        file.taken_for + (", a draft" if file.is_draft else ""),
        str(file.lines),
        f"{file.qos_lines_understood} of {file.qos_lines}",
        "; ".join((*file.platform, *file.assumed, *unjudged)),
    )
