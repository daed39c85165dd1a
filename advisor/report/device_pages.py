"""Devices of a report: outputs, findings and plan, each device an article of its own."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from textwrap import dedent

from msgspec import Struct

from advisor.lint.findings import Finding
from advisor.lint.plan import DevicePlan
from advisor.lint.site import SiteTemplates
from advisor.quantity import count
from advisor.report import all_printable, printable
from advisor.report.brief import is_note, remedy_lines
from advisor.report.coverage import first_of
from advisor.report.document import Page, filled, markup, page_text
from advisor.report.findings import forecast_lines, given_lines
from advisor.report.first_steps import path_word
from advisor.report.output_views import OutputStory, OutputView, output_view
from advisor.report.pictures import CpuCurve, cpu_plot
from advisor.report.plans import Plans, masked_plan, render_ios, render_rollback

_AT_ONCE = 30  # devices; the others are put in when they are needed
_FEW = 3  # devices, whose outputs and plans are shown unfolded
_MOST_CLEAN = 40  # devices without findings that are named


class DeviceStory(Struct, frozen=True):
    """A device: its outputs, its plan, and the CPU of its DLSw+ where a load is known.

    `file` is that of its configuration: two devices may have one name. The header of a `site`
    stands before the lines of its plan.
    """

    device: str
    outputs: tuple[OutputStory, ...]
    file: str = ""
    plan: DevicePlan | None = None
    cpu: CpuCurve | None = None
    site: SiteTemplates | None = None


class DeviceWithFindings(Struct, frozen=True):
    """A device of a page with its findings, each with its anchor; None where nothing judged it."""

    story: DeviceStory
    findings: tuple[tuple[str, Finding], ...] | None = None


class FindingView(Struct, frozen=True):
    """A finding as the template shows it; the remedy is in the words of the terminal."""

    anchor: str
    finding: Finding
    figures: tuple[str, ...]
    given: tuple[str, ...]
    excerpt: str
    remedy: str


class PlanView(Struct, frozen=True):
    """A plan as text to paste, with its way back."""

    title: str
    command: str
    lines: str
    rollback: str
    proof: tuple[str, ...]


class DeviceView(Struct, frozen=True):
    """A device as the template shows it; the title tells devices of one name apart.

    `notes` are findings that are only to know. Outputs and plan of one that `is_open` are unfolded.
    """

    anchor: str
    title: str
    summary: str
    outputs: tuple[OutputView, ...]
    findings: tuple[FindingView, ...]
    notes: tuple[FindingView, ...]
    notes_title: str
    plan: PlanView | None
    cpu: str | None
    is_open: bool


class Article(Struct, frozen=True):
    """The text of a device, or None of one that is put in later."""

    anchor: str
    title: str
    html: str | None


class DevicesPart(Struct, frozen=True):
    """The devices of a page; `clean` names those without findings. A print unfolds few devices."""

    devices: tuple[Article, ...]
    clean: str
    is_few: bool
    template: str = "devices.html.j2"


class Devices(Struct, frozen=True):
    """The part of a page, and what is put in later: articles, and owners of findings.

    `titles` names the device of each finding, as its article does.
    """

    part: DevicesPart
    later: Mapping[str, str]
    owners: Mapping[str, str]
    titles: Mapping[str, str]


def devices_of(told: Sequence[DeviceWithFindings], files: Mapping[str, str]) -> Devices:
    """The devices in their order, each with its findings and their anchors.

    `files` are those of devices by their names, as commands take them.
    """
    names = Counter(device.story.device for device in told)
    articles: list[Article] = []
    later: dict[str, str] = {}
    owners: dict[str, str] = {}
    titles: dict[str, str] = {}
    is_few = len(told) <= _FEW
    clean: list[str] = []
    for number, device in enumerate(told, 1):
        is_only = names[device.story.device] == 1
        view = _device(device, f"d{number}", files, is_only=is_only, is_open=is_few)
        if device.findings == ():
            clean.append(view.title)
        html = filled("device.html.j2", device=view)
        own = (*view.findings, *view.notes)
        titles.update((finding.anchor, view.title) for finding in own)
        if number <= _AT_ONCE:
            articles.append(Article(view.anchor, view.title, markup(html)))
            continue
        articles.append(Article(view.anchor, view.title, None))
        later[view.anchor] = html
        owners.update((finding.anchor, view.anchor) for finding in own)
    part = DevicesPart(tuple(articles), first_of(clean, _MOST_CLEAN), is_few)
    return Devices(part, later, owners, titles)


def _device(
    told: DeviceWithFindings, anchor: str, files: Mapping[str, str], *, is_only: bool, is_open: bool
) -> DeviceView:
    story = told.story
    outputs = tuple(
        output_view(output, f"{anchor}o{number}") for number, output in enumerate(story.outputs, 1)
    )
    plan = None if story.plan is None else _plan(story.plan, story.site)
    name = printable(story.device)
    views = [_finding(*anchored, files) for anchored in told.findings or ()]
    notes = tuple(view for view in views if is_note(view.finding))
    return DeviceView(
        anchor,
        name if is_only else f"{name} ({printable(story.file)})",
        _summary(told),
        outputs,
        tuple(view for view in views if not is_note(view.finding)),
        notes,
        ", ".join(dict.fromkeys(f"{view.finding.rule}" for view in notes)),
        plan,
        None if story.cpu is None else markup(cpu_plot(all_printable(story.cpu))),
        is_open,
    )


def _summary(told: DeviceWithFindings) -> str:
    outputs = f"{count(len(told.story.outputs), 'output')} with figures here"
    if told.findings is None:
        return outputs
    total = count(len(told.findings), "finding") if told.findings else "no finding"
    return f"{total}; {outputs}"


def _finding(anchor: str, finding: Finding, files: Mapping[str, str]) -> FindingView:
    forecast = finding.prediction
    return FindingView(
        anchor,
        finding,
        () if forecast is None else tuple(forecast_lines(forecast)),
        () if forecast is None else tuple(given_lines(forecast)),
        "\n".join(f"{at.file}:{at.line}  {at.text.rstrip()}" for at in finding.locations),
        dedent("\n".join(remedy_lines(finding, path_word(finding, files)))),
    )


def _plan(plan: DevicePlan, site: SiteTemplates | None) -> PlanView | None:
    shown = masked_plan(plan)
    if not shown.steps:
        return None
    title = f"{count(len(shown.steps), 'step')}, {shown.level}"
    command = f"advisor fix {shlex.quote(printable(plan.file))}"
    text, rollback = render_ios(Plans((plan,), site=site)), render_rollback(plan)
    proof = (*shown.proof, *(f"costs: {cost}" for cost in shown.costs))
    return PlanView(title, command, text, rollback, tuple(map(printable, proof)))


def render_device(story: DeviceStory) -> str:
    """HTML text of the outputs of a device."""
    total = count(len(story.outputs), "output")
    title = f"Prediction of {printable(story.device)}"
    return page_text(Page(title, total, (devices_of((DeviceWithFindings(story),), {}).part,)))
