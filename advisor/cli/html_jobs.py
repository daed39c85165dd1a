"""Predictions for HTML pages: devices as they are, and with their plans."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.index import read_devices
from advisor.device.peers import peer_end
from advisor.device.reading import Source
from advisor.ground.faults import AdvisorError, Guard
from advisor.ground.quantity import Unknown
from advisor.lint.checks.dls import peak_of
from advisor.lint.findings import Verdict
from advisor.lint.plan import DevicePlan, Plan
from advisor.lint.rulebook import is_asked_for
from advisor.lint.site import SiteTemplates
from advisor.lint.trial import pasted
from advisor.predict.comparison import sampled, with_compared
from advisor.predict.what_if.prediction import Prediction
from advisor.predict.what_if.predictions import predict_device
from advisor.predict.what_if.sweeps import ring_sweeps
from advisor.report.device_pages import DeviceStory, OutputStory, render_device
from advisor.report.fleet import AuditReport
from advisor.report.fleet import audit_page as render_audit_page
from advisor.report.lint_page import render_lint
from advisor.report.pictures import CpuCurve
from advisor.report.svg import PlotMark
from advisor.settings import Settings

_MOST_DEVICES: Final = 100  # whose outputs are predicted
_MOST_SWEEPS: Final = 60  # of rings, on the devices that hurt most
_CPU_STEPS: Final = 32


class PageInputs(Struct, frozen=True):
    """Sources of the figures of a page: plans, inputs, settings."""

    plan: Plan
    sources: Iterable[Source]
    settings: Settings
    guard: Guard
    site: SiteTemplates | None


def lint_page(verdict: Verdict, inputs: PageInputs) -> str:
    """The page of a lint with the figures of the devices that hurt most."""
    return render_lint(verdict, stories_of(verdict, inputs), day=inputs.settings.today)


def audit_page(report: AuditReport, inputs: PageInputs) -> str:
    """The page of an audit, with the figures of the devices that hurt most."""
    return render_audit_page(report, stories_of(report.verdict, inputs), inputs.settings.today)


def device_page(device: Device, predictions: Sequence[Prediction], settings: Settings) -> str:
    """The page of the predictions of a device, with the ring of each output over its lengths."""
    rings = ring_sweeps(device, settings)
    outputs = tuple(
        OutputStory(name, tuple(group), (), rings.get(name))
        for name, group in _grouped(predictions)
    )
    return render_device(DeviceStory(device.name, outputs, device.facts.tree.file))


def stories_of(verdict: Verdict, inputs: PageInputs) -> tuple[DeviceStory, ...]:
    """Stories of the first devices, those with findings before the others."""
    settings = inputs.settings
    plans = {(item.device, item.file): item for item in inputs.plan.devices}
    worst = list(dict.fromkeys(finding.device for finding in verdict.standing))
    others = (known.device for known in verdict.devices)
    wanted = list(dict.fromkeys((*worst, *others)))[:_MOST_DEVICES]
    found: list[DeviceStory] = []
    sweeps = 0
    for reading in read_devices(inputs.sources, settings, inputs.guard):
        device = reading.device
        if device.name not in wanted or not is_asked_for(device.name, settings):
            continue
        with inputs.guard.around(device.facts.tree.file):
            own = plans.pop((device.name, device.facts.tree.file), None)
            story = _story(device, own, inputs, is_swept=sweeps < _MOST_SWEEPS)
            sweeps += sum(output.ring is not None for output in story.outputs)
            found.append(story)
    found.sort(key=lambda story: wanted.index(story.device))
    left = (
        DeviceStory(name, (), file, plan, site=inputs.site) for (name, file), plan in plans.items()
    )
    return (*found, *left)


def _story(
    device: Device, plan: DevicePlan | None, inputs: PageInputs, *, is_swept: bool
) -> DeviceStory:
    settings, file = inputs.settings, device.facts.tree.file
    now = _by_object(device, settings)
    planned: Mapping[str, tuple[Prediction, ...]] = {}
    has_plan = plan is not None and bool(plan.steps)
    if plan is not None and has_plan:
        planned = _by_object(pasted(device, plan.lines), settings)
    rings = ring_sweeps(device, settings) if is_swept else {}
    outputs = tuple(
        OutputStory(name, now.get(name, ()), planned.get(name, ()), rings.get(name), has_plan)
        for name in dict.fromkeys((*now, *planned))
    )
    return DeviceStory(device.name, outputs, file, plan, _cpu(device), inputs.site)


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
    return CpuCurve(title, tuple(points), tuple(states))


def _by_object(device: Device, settings: Settings) -> dict[str, tuple[Prediction, ...]]:
    """Predictions of all outputs, by their paths; none where nothing can be predicted."""
    try:
        device, rates = sampled(device)
        predictions = predict_device(device, device.facts.tree.file, settings, None, ())
    except AdvisorError:
        return {}
    shown = with_compared(device, settings, predictions, rates)
    return {name: tuple(group) for name, group in _grouped(shown)}


def _grouped(predictions: Sequence[Prediction]) -> Iterator[tuple[str, list[Prediction]]]:
    groups: dict[str, list[Prediction]] = {}
    for prediction in predictions:
        groups.setdefault(prediction.object, []).append(prediction)
    yield from groups.items()
