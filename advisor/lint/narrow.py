"""The first finding whose interval stated inputs would narrow, asked again on its device."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.index import read_devices
from advisor.device.sources import Source
from advisor.ground.quantity import Figure, Narrowing, Unknown
from advisor.lint.findings import Finding, Narrowed, Verdict
from advisor.lint.run import ranked
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.predict.classes import Question
from advisor.predict.classes.congested import congested, solved_cases, with_ring
from advisor.predict.classes.narrow import narrowings
from advisor.predict.ring import advise_ring, ring_view
from advisor.settings import Settings
from advisor.settings.tables import settings_of

_MOST_DEVICES = 2  # that are read again


def with_narrowing(
    verdict: Verdict, sources_of: Callable[[Sequence[str]], Iterable[Source]], settings: Settings
) -> Verdict:
    """The verdict with the inputs that narrow its first finding that can be narrowed.

    Parameters
    ----------
    verdict
        The verdict of a run.
    sources_of
        The inputs of the run with these names.
    settings
        The settings of the run.
    """
    devices: dict[str, Device | None] = {}
    for finding in verdict.standing:
        if finding.prediction is None or not finding.prediction.has_range:
            continue
        if finding.device not in devices:
            if len(devices) == _MOST_DEVICES:
                break
            files = [
                file.file for file in verdict.coverage if finding.device in (file.device, file.file)
            ]
            devices[finding.device] = _device_of(finding, sources_of(files), settings)
        device = devices[finding.device]
        found = None if device is None else _narrowed(finding, device, settings)
        if found is not None:
            return replace(verdict, narrows=found)
    return verdict


def narrowable(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that `with_narrowing` reads of those of a run, or of a part of it."""
    ranges = ranked(
        finding
        for finding in findings
        if finding.suppressed is None
        and finding.prediction is not None
        and finding.prediction.has_range
    )
    devices = list(dict.fromkeys(finding.device for finding in ranges))[:_MOST_DEVICES]
    return tuple(finding for finding in ranges if finding.device in devices)


def _device_of(finding: Finding, sources: Iterable[Source], settings: Settings) -> Device | None:
    devices = (reading.device for reading in read_devices(sources, settings))
    return next((device for device in devices if device.name == finding.device), None)


def _narrowed(finding: Finding, device: Device, settings: Settings) -> Narrowed | None:
    """Find inputs that narrow a finding whose figure is that of a class in the congested case."""
    if finding.prediction is None:
        return None
    before = finding.prediction.before
    budget_ms = settings_of(settings, device.name).budgets.ring_wait_ms
    for outlet in outlets(device):
        if f"{finding.object} > ".startswith(f"{outlet.label} > "):
            for asked in _questions(device, outlet, budget_ms):
                name = _class_of(asked, before)
                by = () if name is None else _inputs(device, asked, name, before)
                if by:
                    return Narrowed(finding.device, finding.rule, finding.object, before, by)
    return None


def _inputs(device: Device, asked: Question, name: str, before: Figure) -> tuple[Narrowing, ...]:
    """The inputs that narrow the figure of a class.

    Each costs two solutions, more behind a long ring: of the lower classes only the first is tried,
    and none where the ring itself can be stated.
    """
    ring = asked.outlet.ring
    most_lower = 1 if ring is None or ring.limit_low == ring.limit_high else 0
    found = narrowings(device, asked, {name: before}, is_congested=True, most_lower=most_lower)
    return found.get(name, ())


def _questions(device: Device, outlet: Outlet, budget_ms: float | None) -> Iterator[Question]:
    """The congested case with the ring in force, and with the one that is advised."""
    asked = congested(device, outlet)
    yield asked
    view = ring_view(outlet, asked.offers)
    if budget_ms is not None and not isinstance(view, Unknown):
        yield with_ring(asked, advise_ring(view, budget_ms).limit)


def _class_of(asked: Question, figure: Figure) -> str | None:
    """The class whose mean delay a figure is; None where it is another quantity."""
    (case,) = solved_cases((asked,))
    classes = () if isinstance(case, Unknown) else case.solved.classes
    return next((known.name for known in classes if known.mean == figure), None)
