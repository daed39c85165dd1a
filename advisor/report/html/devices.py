"""Devices of a report: outputs, findings and plan, each device an article of its own."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from advisor.lint.findings import Finding, Level
from advisor.lint.plan import DevicePlan
from advisor.quantity import count
from advisor.report import snippet
from advisor.report.cpu_plot import cpu_plot
from advisor.report.html.outputs import OutputView, output_view
from advisor.report.html.page import filled, markup
from advisor.report.html.story import DeviceStory
from advisor.report.printable import all_printable, printable
from advisor.report.text import forecast_lines, given_lines

_AT_ONCE = 30  # devices; the others are put in when they are needed


class FindingView(Struct, frozen=True):
    """A finding as the template shows it."""

    anchor: str
    severity: str
    rule: str
    name: str
    object: str
    message: str
    confidence: str
    figures: tuple[str, ...]
    given: tuple[str, ...]
    excerpt: str
    remedy: str


class PlanView(Struct, frozen=True):
    """A plan as text to paste, with its way back."""

    title: str
    lines: str
    rollback: str
    proof: tuple[str, ...]


class DeviceView(Struct, frozen=True):
    """A device as the template shows it."""

    anchor: str
    name: str
    summary: str
    outputs: tuple[OutputView, ...]
    findings: tuple[FindingView, ...]
    plan: PlanView | None
    cpu: str | None


class Article(Struct, frozen=True):
    """The text of a device, or None of one that is put in later."""

    anchor: str
    name: str
    html: str | None


class DevicesPart(Struct, frozen=True):
    """The devices of a page."""

    devices: tuple[Article, ...]
    template: str = "devices.html.j2"


class Devices(Struct, frozen=True):
    """The part of a page, and what is put in later: articles, and owners of findings."""

    part: DevicesPart
    later: Mapping[str, str]
    owners: Mapping[str, str]


def devices_of(
    stories: Sequence[DeviceStory], findings: Mapping[str, Sequence[tuple[str, Finding]]]
) -> Devices:
    """The devices in the order of the stories; findings with their anchors, by device."""
    articles: list[Article] = []
    later: dict[str, str] = {}
    owners: dict[str, str] = {}
    for number, story in enumerate(stories, 1):
        view = _device(story, findings.get(story.device, ()), f"d{number}")
        html = filled("device.html.j2", device=view)
        if number <= _AT_ONCE:
            articles.append(Article(view.anchor, view.name, markup(html)))
            continue
        articles.append(Article(view.anchor, view.name, None))
        later[view.anchor] = html
        owners.update((finding.anchor, view.anchor) for finding in view.findings)
    return Devices(DevicesPart(tuple(articles)), later, owners)


def _device(story: DeviceStory, findings: Sequence[tuple[str, Finding]], anchor: str) -> DeviceView:
    outputs = tuple(
        output_view(output, f"{anchor}o{number}") for number, output in enumerate(story.outputs, 1)
    )
    plan = None if story.plan is None else _plan(story.plan)
    total = count(len(findings), "finding") if findings else "no finding"
    return DeviceView(
        anchor,
        printable(story.device),
        f"{total}; {count(len(outputs), 'output')} with figures here",
        outputs,
        tuple(_finding(*each) for each in findings),
        plan,
        None if story.cpu is None else markup(cpu_plot(all_printable(story.cpu))),
    )


def _finding(anchor: str, finding: Finding) -> FindingView:
    return FindingView(
        anchor,
        finding.severity,
        finding.rule,
        finding.name,
        finding.object,
        finding.message,
        finding.confidence,
        () if finding.prediction is None else tuple(forecast_lines(finding.prediction)),
        () if finding.prediction is None else tuple(given_lines(finding.prediction)),
        "\n".join(_excerpt(finding)),
        _remedy(finding),
    )


def _excerpt(finding: Finding) -> Iterator[str]:
    for at in finding.locations:
        yield f"{at.file}:{at.line}  {at.text.rstrip()}"


def _remedy(finding: Finding) -> str:
    remedy = finding.remedy
    if remedy is None:
        return ""
    if remedy.level is Level.MANUAL or not remedy.lines:
        return f"By hand: {remedy.advice or 'see advisor explain'}"
    lines = count(len(remedy.lines), "line")
    return f"Remedy of {lines} ({remedy.level}), in the plan below"


def _plan(plan: DevicePlan) -> PlanView | None:
    shown = snippet.masked_plan(plan)
    if not shown.steps:
        return None
    title = f"{count(len(shown.steps), 'step')}, {shown.level}"
    text, rollback = snippet.render_ios([plan]), snippet.render_rollback(plan)
    proof = (*shown.proof, *(f"makes worse: {effect}" for effect in shown.worse))
    return PlanView(title, text, rollback, tuple(map(printable, proof)))
