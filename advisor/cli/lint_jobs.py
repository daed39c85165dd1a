"""What `lint` does, and what other commands share with it: notes and exit codes of verdicts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from advisor import api
from advisor.cli import process
from advisor.cli.lint_options import Lint
from advisor.cli.options import (
    View,
    emit,
    flags_of,
    manner_of,
    say_what_is_not_read,
    show,
    style_of,
    view_of,
)
from advisor.cli.process import Code, say
from advisor.cli.workers import judging
from advisor.device.device import Device, with_tree
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs
from advisor.device.peers import peer_end
from advisor.device.reading import Source
from advisor.faults import AdvisorError, Guard
from advisor.ios.syntax.reader import parse_config
from advisor.lint.checks.dls.load import peak_of
from advisor.lint.findings import Finding, Severity, Verdict
from advisor.lint.plan import DevicePlan, Plan
from advisor.lint.rulebook import is_asked_for
from advisor.lint.run import ranked
from advisor.lint.site import Site
from advisor.outlet.outlets import outlets
from advisor.predict.what_if.prediction import Prediction
from advisor.predict.what_if.predictions import predict_device
from advisor.predict.what_if.sweeps import RingSweep, ring_sweep
from advisor.quantity import Unknown, count
from advisor.report.device_pages import DeviceStory, render_device
from advisor.report.fleet import AuditReport
from advisor.report.fleet import audit_page as render_audit_page
from advisor.report.formats import VERDICTS
from advisor.report.lint_page import render_lint
from advisor.report.mask import masked, printable
from advisor.report.output_views import OutputStory
from advisor.report.pictures import CpuCurve
from advisor.report.svg import PlotMark
from advisor.settings.values import Settings
from advisor.theory.dlsw import DESIGN_LIMIT_PERCENT

# What a page needs beside a verdict: devices predicted as they are, and with their plans.

_MOST_DEVICES: Final = 100  # whose outputs are predicted
_MOST_SWEEPS: Final = 60  # of rings, on the devices that hurt most
_CPU_STEPS: Final = 32


class Told(Struct, frozen=True):
    """What the figures of a page are made from: the plans, the inputs, and how they are judged."""

    plan: Plan
    sources: Iterable[Source]
    settings: Settings
    guard: Guard
    site: Site | None


def lint_page(verdict: Verdict, told: Told) -> str:
    """The page of a lint with the figures of the devices that hurt most."""
    return render_lint(verdict, stories_of(verdict, told))


def audit_page(report: AuditReport, told: Told) -> str:
    """The page of an audit, with the figures of the devices that hurt most."""
    return render_audit_page(report, stories_of(report.verdict, told))


def device_page(device: Device, predictions: Sequence[Prediction], settings: Settings) -> str:
    """The page of the predictions of a device, with the ring of each output over its lengths."""
    rings = _rings(device, settings)
    outputs = tuple(
        OutputStory(name, tuple(group), (), rings.get(name))
        for name, group in _grouped(predictions)
    )
    return render_device(DeviceStory(device.name, outputs, device.facts.tree.file))


def stories_of(verdict: Verdict, told: Told) -> tuple[DeviceStory, ...]:
    """Stories of the first devices, those with findings before the others."""
    settings = told.settings
    plans = {(each.device, each.file): each for each in told.plan.devices}
    worst = list(dict.fromkeys(finding.device for finding in verdict.standing))
    others = (known.device for known in verdict.devices)
    wanted = list(dict.fromkeys((*worst, *others)))[:_MOST_DEVICES]
    found: list[DeviceStory] = []
    sweeps = 0
    for reading in read_devices(told.sources, settings, told.guard):
        device = reading.device
        if device.name not in wanted or not is_asked_for(device.name, settings):
            continue
        with told.guard.around(device.facts.tree.file):
            own = plans.pop((device.name, device.facts.tree.file), None)
            story = _story(device, own, told, is_swept=sweeps < _MOST_SWEEPS)
            sweeps += sum(output.ring is not None for output in story.outputs)
            found.append(story)
    found.sort(key=lambda story: wanted.index(story.device))
    left = (
        DeviceStory(name, (), file, plan, site=told.site) for (name, file), plan in plans.items()
    )
    return (*found, *left)


def _story(device: Device, plan: DevicePlan | None, told: Told, *, is_swept: bool) -> DeviceStory:
    settings, file = told.settings, device.facts.tree.file
    now = _by_object(device, settings)
    planned: Mapping[str, tuple[Prediction, ...]] = {}
    has_plan = plan is not None and bool(plan.steps)
    if plan is not None and plan.edited is not None and has_plan:
        tree = parse_config(plan.edited.after, file)
        planned = _by_object(with_tree(device, tree), settings)
    rings = _rings(device, settings) if is_swept else {}
    outputs = tuple(
        OutputStory(name, now.get(name, ()), planned.get(name, ()), rings.get(name), has_plan)
        for name in dict.fromkeys((*now, *planned))
    )
    return DeviceStory(device.name, outputs, file, plan, _cpu(device), told.site)


def _cpu(device: Device) -> CpuCurve | None:
    """CPU of DLSw+ over frames; after failover a head end has the frames of its partner too."""
    peak = peak_of(device)
    if peak is None or isinstance(peak, Unknown):
        return None
    end = peer_end(device.facts, device.name, device.seen)
    backs_up = end is not None and bool(device.fleet.pairs.get(end.peer_id, ()))
    states = [("now", peak.load.fps)] + [("after failover", 2 * peak.load.fps)] * backs_up
    furthest = 1.25 * states[-1][1]
    points = []
    for step in range(_CPU_STEPS + 1):
        fps = furthest * step / _CPU_STEPS
        cpu = peak.cpu(fps)
        points.append(PlotMark(fps, cpu.value, cpu.low, cpu.high))
    title = f"{device.name}: {peak.line.name}, {peak.line.basis}"
    return CpuCurve(title, tuple(points), tuple(states), DESIGN_LIMIT_PERCENT)


def _rings(device: Device, settings: Settings) -> dict[str, RingSweep]:
    sweeps = (ring_sweep(device, outlet, settings) for outlet in outlets(device))
    return {sweep.object: sweep for sweep in sweeps if sweep is not None}


def _by_object(device: Device, settings: Settings) -> dict[str, tuple[Prediction, ...]]:
    """Predictions of all outputs, by their paths; none where nothing can be predicted."""
    try:
        predictions = predict_device(device, device.facts.tree.file, settings, None, ())
    except AdvisorError:
        return {}
    return {name: tuple(group) for name, group in _grouped(predictions)}


def _grouped(predictions: Sequence[Prediction]) -> Iterator[tuple[str, list[Prediction]]]:
    groups: dict[str, list[Prediction]] = {}
    for each in predictions:
        groups.setdefault(each.object, []).append(each)
    yield from groups.items()


# ruff: noqa: PLC0415 -- one file is linted in the time that the imports take


if TYPE_CHECKING:
    from advisor.lint.coverage import KnownObject
    from advisor.predict.comparison import Compared

    _Accept = Callable[[Sequence[Finding], Sequence[KnownObject]], tuple[Finding, ...]]


def lint(options: Lint) -> Code:
    """Judge files and print the report."""
    view = view_of(options)
    force = api.in_force(api.settings_of(flags_of(options), options.paths))
    guard = Guard()
    inputs = Inputs(options.paths, guard)
    sink = FindingSink(force.settings, view)
    with judging(options, view, guard, sink) as how:
        if view.form == "html":
            plan = api.planned(inputs, force, how=how)
            verdict = plan.verdict
        else:
            plan = None
            verdict = api.judged(inputs, force, how)
    unreadable = (*inputs.unreadable, *inputs.declined)
    failed = process.reasons(guard.faults)
    verdict = replace(verdict, incomplete=(*failed, *verdict.incomplete, *unreadable))
    verdict = sink.verdict(verdict)
    report = replace(verdict, findings=shown(verdict.findings, view))
    if view.verbose:
        from advisor.cli.inspect_jobs import say_parts

        say_parts(inputs, guard)
    say_what_is_not_read(inputs, view)
    if not view.quiet:
        _say_what_is_not_shown(verdict, report, sink, view)
    if plan is None:
        text = _report(report, view, force)
    else:
        text = lint_page(report, Told(plan, inputs, force.settings, guard, force.rules[0].site))
    if view.verbose and view.form == "full":
        text += _compared(inputs, force.settings, view, guard)
    show(text, view)
    say_what_is_misstated(verdict)
    return exit_code(verdict, force, force.settings.fail_on, inputs, guard)


class FindingSink:
    """Takes the findings of each device once; the baseline of the user accepts some of them.

    Raises
    ------
    WrongUseError
        If the baseline cannot be read.
    """

    def __init__(self, settings: Settings, view: View) -> None:
        self._view, self._findings = view, list[Finding]()
        self._accept: _Accept = _as_they_are
        self.baseline: Path | None = settings.baseline if settings.suppresses else None
        self.gone_count: Callable[[], int] = int  # findings of the baseline that are gone
        if self.baseline is not None:
            from advisor.cli.acceptance import Baseline

            baseline = Baseline(self.baseline, settings)
            self._accept, self.gone_count = baseline.accept, baseline.left_count

    def __call__(self, findings: Sequence[Finding], objects: Sequence["KnownObject"]) -> None:
        """Take the findings of one device, or those of the run as a whole."""
        accepted = self._accept(findings, objects)
        self._findings += accepted
        if self._view.is_stream:
            from advisor.report.json_report import finding_lines

            emit(finding_lines(shown(accepted, self._view)), None, "utf-8")

    def verdict(self, verdict: Verdict) -> Verdict:
        """The verdict of the run with what the baseline accepts."""
        return replace(verdict, findings=ranked(self._findings))


def _as_they_are(
    findings: Sequence[Finding], objects: Sequence["KnownObject"]
) -> tuple[Finding, ...]:
    del objects
    return tuple(findings)


def shown(findings: Sequence[Finding], view: View) -> tuple[Finding, ...]:
    """Findings that are severe enough to be shown."""
    mildest = Severity(view.severity).rank
    return tuple(finding for finding in findings if finding.severity.rank <= mildest)


def _say_what_is_not_shown(
    verdict: Verdict, report: Verdict, sink: FindingSink, view: View
) -> None:
    if gone_count := sink.gone_count():
        say(f"{count(gone_count, 'finding')} of {sink.baseline} not found any more")
    if hidden_count := len(verdict.standing) - len(report.standing):
        say(f"{count(hidden_count, 'finding')} below {view.severity} not shown")


def _compared(inputs: Inputs, settings: Settings, view: View, guard: Guard) -> str:
    """What was measured beside what is predicted, of each bundle."""
    from advisor.predict.comparison import measured
    from advisor.report.fleet import compared_text

    rows: list[Compared] = []
    for source in inputs:
        if source.is_bundle:
            with guard.around(source.name):
                rows += measured(source, settings)[0]
    return compared_text(rows, (), style_of(view)) if rows else ""


def say_what_is_misstated(verdict: Verdict) -> None:
    """Say on standard error which statements name nothing that their device has."""
    for said in masked(verdict).misstated:
        say(printable(said))


def exit_code(
    verdict: Verdict, force: api.InForce, fail_on: str, inputs: Inputs, guard: Guard
) -> Code:
    """Exit code of a verdict over the inputs, by the cards of the rules."""
    return process.code_of(
        verdict,
        force.incomplete,
        fail_on,
        bad_path=bool(inputs.unreadable),
        has_fault=bool(guard.faults),
    )


def say_notes(verdict: Verdict, view: View) -> None:
    """Say on standard error what `concise` leaves out: what is not judged, and the counts."""
    if view.form != "concise" or view.quiet:
        return
    from advisor.report import lint_text

    for line in lint_text.notes(verdict, is_verbose=view.verbose):
        say(line)


def _report(verdict: Verdict, view: View, force: api.InForce) -> str:
    say_notes(verdict, view)
    if view.is_stream:
        from advisor.report import json_report

        return json_report.summary_text(verdict)
    return VERDICTS.render(verdict, view.form, manner_of(view, force.rules, force.settings.fail_on))
