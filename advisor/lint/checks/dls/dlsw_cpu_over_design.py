"""More CPU for DLSw+ at the peak than its design rule allows."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.dls.shared.load import Peak, confidence_over, peak_of
from advisor.lint.findings import Confidence, Forecast, ObjectKind, Severity
from advisor.quantity import Basis, Figure, Unknown, exact
from advisor.shows.cpu import CpuLoad
from advisor.size.platform_line import moving
from advisor.size.seen import has_dlsw

_OBJECT = "dlsw cpu"


class Params(Struct, frozen=True):
    """CPU that DLSw+ is designed for, percent."""

    design_percent: float


class Evidence(Struct, frozen=True):
    """The load and its basis."""

    cpu: str
    at_peak: str
    design_percent: float


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit for a steady load over the design rule, else for a predicted one."""
    if not has_dlsw(device):
        return
    steady = [load for load in device.seen.cpu if moving(load) is None]
    loads_over = [load for load in steady if load.one_minute_percent > params.design_percent]
    if loads_over:
        yield _measured(max(loads_over, key=lambda load: load.one_minute_percent), params)
        return
    peak = peak_of(device)
    if peak is None:
        return
    if isinstance(peak, Unknown):
        yield Skip(_OBJECT, peak.reason + _could_have(steady))
        return
    figure = peak.cpu()
    confidence = confidence_over(figure, params.design_percent, peak.line)
    if confidence is not None:
        yield _predicted(device, peak, confidence, params)


def _could_have(steady: list[CpuLoad]) -> str:
    """A steady load in words: without frame counts, DLSw+ has at most its process level."""
    if not steady:
        return ""
    last = steady[-1]
    process = last.process_percent
    sentence = f"; {last.one_minute_percent} % CPU over one minute is steady ({last.at})"
    if process is None:
        return sentence
    return f"{sentence}, and the {process} % of it at process level is the most that DLSw+ can use"


def _measured(load: CpuLoad, params: Params) -> Hit[Evidence]:
    percent = load.one_minute_percent
    evidence = Evidence(
        f"{percent} %", "measured over one minute and steady", params.design_percent
    )
    measured = exact("one_minute_percent", percent, Basis.MEASURED, str(load.at))
    forecast = Forecast("cpu", Figure(percent, percent, percent, "%"), None, (measured,))
    return Hit(_OBJECT, (load.at,), evidence, Confidence.CERTAIN, forecast)


def _predicted(device: Device, peak: Peak, confidence: Confidence, params: Params) -> Hit[Evidence]:
    figure = peak.cpu()
    evidence = Evidence(
        f"{figure.value:.0f} % ({figure.low:.0f} to {figure.high:.0f})",
        f"{peak.line.basis} at {peak.load.fps:.0f} frames/s",
        params.design_percent,
    )
    return Hit(
        _OBJECT,
        (place_of(device),),
        evidence,
        confidence,
        Forecast("cpu at the peak", figure, None, (peak.fps, peak.slope)),
        severity=Severity.INFO if confidence is Confidence.POSSIBLE else None,
    )


def place_of(device: Device) -> Location:
    """The statement of the local peer, else the line that names the device."""
    local = device.facts.dlsw.local_peer
    return local.at if local is not None else device.at


CHECK = Check(Params, Evidence, find, object_kind=ObjectKind.NAME)
