"""Devices of a report: outputs with their classes and plots, findings and plan."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import dedent
from typing import Any

from msgspec import Struct

from advisor.capture.masking import mask_quoted
from advisor.ground.quantity import count, figure, number
from advisor.ground.wording import load_words
from advisor.lint.findings import Finding
from advisor.lint.plan import DevicePlan
from advisor.lint.site import SiteTemplates
from advisor.predict.what_if.prediction import (
    ClassPrediction,
    CongestedClass,
    Prediction,
    Unpredicted,
    UnstatedPrediction,
)
from advisor.predict.what_if.sweeps import RingSweep
from advisor.report import all_printable, pictures, printable, scenarios
from advisor.report.brief import is_note, remedy_lines
from advisor.report.compared import measured_lines
from advisor.report.coverage import first_of
from advisor.report.document import Page, PagePart, filled, markup, page_text
from advisor.report.findings import forecast_lines, given_lines, input_text
from advisor.report.first_steps import path_word
from advisor.report.mask import mask_class, mask_path
from advisor.report.pictures import CpuCurve, cpu_plot
from advisor.report.plans import Plans, masked_plan, render_ios, render_rollback
from advisor.report.predictions import mean_words, page_cells, with_unit

COLUMNS = (
    *("class", "kind", "mean delay", "p95", "p99", "worst case", "jitter", "loss", "carries"),
    "method",
)
NOW, PLANNED = "now", "with the plan"
HERE, CONFIGURED = "as set here", "as configured"


class OutputStory(Struct, frozen=True):
    """An output: its classes now, and with the plan of the device where there is one.

    `now` is empty of an output that the plan makes, `planned` of one whose classes queue elsewhere
    with it. Without `has_plan`, nothing changes. `words` name the two states.
    """

    object: str
    now: tuple[Prediction, ...]
    planned: tuple[Prediction, ...]
    ring: RingSweep | None = None
    has_plan: bool = False
    words: tuple[str, str] = (NOW, PLANNED)


def output_view(story: OutputStory, more_plots: Sequence[str] = ()) -> dict[str, object]:
    """An output without secrets and with nothing that does not print."""
    now = [all_printable(prediction) for prediction in story.now]
    planned = [all_printable(prediction) for prediction in story.planned]
    has_plan = story.has_plan and planned != now
    is_compared = bool(has_plan and now and planned)
    rows = tuple(_rows(now or planned, planned if is_compared else ()))
    columns = (*COLUMNS, f"mean {story.words[1]}") if is_compared else COLUMNS
    drawn_plots = [*more_plots]
    drawn_plots += [] if story.ring is None else [pictures.ring_plot(story.ring)]
    for prediction in now:
        shares = (
            None
            if isinstance(prediction, Unpredicted) or prediction.wred is None
            else prediction.wred.shares
        )
        drawn = None if shares is None else pictures.wred_plot(shares)
        drawn_plots += [drawn] if drawn else []
    known = [prediction for prediction in now if not isinstance(prediction, Unpredicted)]
    inputs = map(input_text, scenarios.given_inputs(tuple(known)))
    return {
        "object": mask_path(printable(story.object)),
        "headline": _headline(now, planned, story.words[1], has_plan=has_plan),
        "columns": columns,
        "classes": rows,
        "bars": [*_bars(now, planned if has_plan else (), story.words)],
        "plots": [*map(markup, drawn_plots)],
        "remarks": [*map(mask_quoted, _remarks(now))],
        "given": [*map(mask_quoted, dict.fromkeys(inputs))],
    }


def _headline(
    now: Sequence[Prediction], planned: Sequence[Prediction], words: str, *, has_plan: bool
) -> str:
    if not now:
        return "With the plan, the classes queue here."
    is_gone = has_plan and not planned
    elsewhere = "With the plan, the classes queue elsewhere." if is_gone else ""
    first, then = _congested(now), _congested(planned if has_plan else ())
    if first is None:
        return elsewhere
    name, case = first
    with_plan = f", {figure(then[1].mean)} {words}" if then is not None else ""
    lower = f"the lower classes {load_words(case.lower)}"
    waits = f"{name} waits {figure(case.mean)} with {lower}{with_plan}."
    return f"{waits} {elsewhere}".rstrip()


def _congested(predictions: Sequence[Prediction]) -> tuple[str, CongestedClass] | None:
    for prediction in predictions:
        if not isinstance(prediction, UnstatedPrediction) and prediction.congested is not None:
            return _name(prediction), prediction.congested
    return None


def _name(prediction: Prediction) -> str:
    return "" if prediction.class_name is None else mask_class(prediction.class_name)


def _rows(now: Sequence[Prediction], planned: Sequence[Prediction]) -> Iterator[tuple[str, ...]]:
    """The cells of each class, and of its congested case where that differs."""
    then = {prediction.class_name: prediction for prediction in planned}
    for prediction in now:
        after = then.get(prediction.class_name)
        yield (*_cells(prediction), *((_mean(after),) if planned else ()))
        if isinstance(prediction, UnstatedPrediction) or prediction.congested is None:
            continue
        kind, mean = "", None
        if isinstance(prediction, ClassPrediction):
            kind, mean = prediction.kind, prediction.mean
        if prediction.congested.mean != mean:
            cells = _congested_cells(prediction.congested)
            name = f"{_name(prediction)}, lower classes {load_words(prediction.congested.lower)}"
            yield (name, kind, *cells, *((_congested_mean(after),) if planned else ()))


def _congested_cells(case: CongestedClass) -> tuple[str, ...]:
    bound = "" if case.class_bound_ms is None else f"{number(case.class_bound_ms)} ms"
    delays = map(with_unit, (case.mean, case.p95, case.p99))
    return (*delays, bound, with_unit(case.jitter), "", "", case.method)


def _congested_mean(prediction: Prediction | None) -> str:
    if prediction is None or isinstance(prediction, UnstatedPrediction):
        return ""
    return "" if prediction.congested is None else figure(prediction.congested.mean)


def _cells(prediction: Prediction) -> tuple[str, ...]:
    match prediction:
        case Unpredicted():
            why = f"no figures: {mask_quoted(prediction.why)}"
            return (_name(prediction) or "all", "", why, *[""] * 7)
        case UnstatedPrediction():
            share = f"{figure(prediction.share)} while it waits"
            name, kind = _name(prediction), prediction.kind
            return (name, kind, _unstated_mean(prediction), *[""] * 5, share, "")
        case ClassPrediction():
            return (_name(prediction), prediction.kind, *page_cells(prediction))


def _mean(prediction: Prediction | None) -> str:
    if isinstance(prediction, UnstatedPrediction):
        return _unstated_mean(prediction)
    if not isinstance(prediction, ClassPrediction):
        return "" if prediction is None else "unknown"
    return mean_words(prediction)


def _unstated_mean(prediction: UnstatedPrediction) -> str:
    wred = prediction.wred
    if wred is None or wred.shares is None or not wred.shares.groups:
        return "unknown: state its traffic"
    return "; ".join(f"{group.name} {figure(group.delay)}" for group in wred.shares.groups)


def _bars(
    now: Sequence[Prediction], planned: Sequence[Prediction], words: tuple[str, str]
) -> Iterator[dict[str, object]]:
    pairs = [
        [
            prediction
            for prediction in side
            if isinstance(prediction, ClassPrediction) and prediction.breakdown
        ]
        for side in (now, planned)
    ]
    totals = [
        sum(part.ms for part in prediction.breakdown) for side in pairs for prediction in side
    ]
    for first, then in zip_longest(*pairs):
        for title, prediction in zip(words, (first, then), strict=True):
            if prediction is not None:
                name = f"{_name(prediction)} {title}"
                svg = pictures.breakdown_bar(
                    f"{name}: where its mean delay is",
                    prediction.breakdown,
                    max(totals),
                    is_after=prediction is then,
                )
                parts = pictures.legend(prediction.breakdown)
                yield {"title": name, "svg": markup(svg), "legend": parts}


def _remarks(predictions: Sequence[Prediction]) -> Iterator[str]:
    for prediction in predictions:
        name = _name(prediction)
        yield from (f"{name}: {words}" for words in _remarks_of(prediction))


def _remarks_of(prediction: Prediction) -> Iterator[str]:
    if not isinstance(prediction, Unpredicted):
        yield from (f"measured {seen}" for seen in prediction.measured)
    yield from measured_lines(prediction.compared)
    if isinstance(prediction, Unpredicted):
        return
    yield from (f"caution: {weakness}" for weakness in prediction.weak)
    if isinstance(prediction, ClassPrediction):
        call = prediction.call
        if call is not None:
            yield f"MOS {figure(call.mos)} of {call.codec} over this hop alone"
        yield from prediction.advice


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


class Article(Struct, frozen=True):
    """The text of a device, or None of one that is put in later."""

    anchor: str
    title: str
    html: str | None


class Devices(Struct, frozen=True):
    """The part of a page, and what is put in later: articles, and owners of findings.

    `titles` names the device of each finding, as its article does.
    """

    part: PagePart
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
    for place, device in enumerate(told, 1):
        is_only = names[device.story.device] == 1
        view = _device(device, f"d{place}", files, is_only=is_only, is_open=is_few)
        anchor, title = view["anchor"], view["title"]
        if device.findings == ():
            clean.append(title)
        html = filled("device.html.j2", device=view)
        own = [finding["anchor"] for finding in (*view["findings"], *view["notes"])]
        titles.update(dict.fromkeys(own, title))
        if place <= _AT_ONCE:
            articles.append(Article(anchor, title, markup(html)))
            continue
        articles.append(Article(anchor, title, None))
        later[anchor] = html
        owners.update(dict.fromkeys(own, anchor))
    shown = {"devices": articles, "clean": first_of(clean, _MOST_CLEAN), "is_few": is_few}
    part = PagePart("devices.html.j2", shown)
    return Devices(part, later, owners, titles)


def _device(
    told: DeviceWithFindings, anchor: str, files: Mapping[str, str], *, is_only: bool, is_open: bool
) -> dict[str, Any]:
    """A device as the template shows it; the title tells devices of one name apart."""
    story, name = told.story, printable(told.story.device)
    views = [finding_view(*anchored, files) for anchored in told.findings or ()]
    notes = [view for view in views if is_note(view["finding"])]
    return {
        "anchor": anchor,
        "title": name if is_only else f"{name} ({printable(story.file)})",
        "summary": _summary(told),
        "outputs": [*map(output_view, story.outputs)],
        "findings": [view for view in views if not is_note(view["finding"])],
        "notes": notes,
        "notes_title": ", ".join(dict.fromkeys(view["finding"].rule for view in notes)),
        "plan": None if story.plan is None else plan_view(story.plan, story.site),
        "cpu": None if story.cpu is None else markup(cpu_plot(all_printable(story.cpu))),
        "is_open": is_open,
    }


def _summary(told: DeviceWithFindings) -> str:
    outputs = f"{count(len(told.story.outputs), 'output')} with figures here"
    if told.findings is None:
        return outputs
    total = count(len(told.findings), "finding") if told.findings else "no finding"
    return f"{total}; {outputs}"


def finding_view(anchor: str, finding: Finding, files: Mapping[str, str]) -> dict[str, Any]:
    """A finding as the template shows it; the remedy is in the words of the terminal."""
    forecast = finding.prediction
    places = (
        f"{at.file}:{at.line}  {at.text.rstrip()}" if at.line else f"{HERE}  {at.text.rstrip()}"
        for at in finding.locations
    )
    return {
        "anchor": anchor,
        "finding": finding,
        "figures": [] if forecast is None else [*forecast_lines(forecast)],
        "given": [] if forecast is None else [*given_lines(forecast)],
        "excerpt": "\n".join(places),
        "remedy": dedent("\n".join(remedy_lines(finding, path_word(finding, files)))),
    }


def plan_view(
    plan: DevicePlan, site: SiteTemplates | None = None, interface: str | None = None
) -> dict[str, object] | None:
    """A plan as text to paste, with its way back; None where nothing is pasted."""
    shown = masked_plan(plan)
    if not shown.steps:
        return None
    proof = (*shown.proof, *(f"costs: {cost}" for cost in shown.costs))
    only = "" if interface is None else f" --interface {interface}"
    return {
        "title": f"{count(len(shown.steps), 'step')}, {shown.level}",
        "command": f"advisor fix {shlex.quote(printable(plan.file))}{only}",
        "lines": render_ios(Plans((plan,), site=site)),
        "rollback": render_rollback(plan),
        "proof": [*map(printable, proof)],
    }


def render_device(story: DeviceStory) -> str:
    """HTML text of the outputs of a device."""
    total = count(len(story.outputs), "output")
    title = f"Prediction of {printable(story.device)}"
    return page_text(Page(title, total, (devices_of((DeviceWithFindings(story),), {}).part,)))
