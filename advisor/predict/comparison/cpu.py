"""The CPU beside its limit, and beside the load that the frames of DLSw+ give its platform."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ground.quantity import Basis, Figure, enclosing, ends, exact, number, point
from advisor.predict.comparison.rows import Place, Seen, not_compared, off_by, row, verdict_of
from advisor.predict.size import SizingError
from advisor.predict.size.platform_line import PlatformLine, line_of
from advisor.predict.size.seen import has_dlsw, seen_load
from advisor.predict.what_if.compared import (
    Agreement,
    Compared,
    NotCompared,
    Off,
    Refutation,
    SolvedInput,
    Window,
    WindowKind,
    Within,
)
from advisor.settings import Settings

_MINUTE_S: Final = 60.0
_FIVE_SECONDS: Final = 5.0


def cpu_rows(device: Device, settings: Settings) -> Iterator[Compared]:
    """All rows of the CPU of a device."""
    if device.seen.cpu:
        yield _of_limit(device, settings)
        yield from _of_dlsw(device)


def _of_limit(device: Device, settings: Settings) -> Compared:
    """The CPU load beside its limit: above the limit, no model predicts the delay."""
    load = device.seen.cpu[-1]
    seen = (load.five_seconds_percent, load.one_minute_percent, load.five_minutes_percent)
    measured = enclosing(float(load.one_minute_percent), float(min(seen)), float(max(seen)), "%")
    limit = settings.budgets.cpu_percent
    is_over = load.one_minute_percent > limit
    name = f"CPU of one minute, its limit {limit:g} %"
    found = row(
        Place(device.name, _CPU),
        Seen(name, measured, Window(WindowKind.AVERAGE, _MINUTE_S), None, str(load.at)),
        off_by(limit, measured) if is_over else Within(),
    )
    agreement = Agreement.ABOVE if is_over else Agreement.WITHIN
    return replace(found, agreement=agreement, explains=(_OVERLOADED,) if is_over else ())


_CPU: Final = "cpu"
_OVERLOADED: Final = "jitter and delays at this time do not show the state of the queues"


# The load of DLSw+ by the process-switching rate of the platform, as `size dlsw` has it.


def _of_dlsw(device: Device) -> Iterator[Compared]:
    """Process-level CPU beside the estimate for the counted frames."""
    if not has_dlsw(device):
        return
    load = seen_load(device)
    cpu, rate = load.cpu[-1], next(reversed(load.rates), None)
    percent = cpu.process_percent if cpu.process_percent is not None else cpu.five_seconds_percent
    measured, place = point(percent, "%"), Place(device.name, _CPU)
    window = Window(WindowKind.AVERAGE, _FIVE_SECONDS)
    seen = Seen("process-level CPU, with DLSw+", measured, window, None, cpu.at)
    if rate is None or not rate.fps:
        yield not_compared(place, seen, NotCompared.UNPREDICTED, _NO_FRAMES)
        return
    if cpu.moving is not None:
        yield not_compared(place, seen, NotCompared.MOMENT, cpu.moving)
        return
    try:
        line = line_of(load.platform_name, None, known_platform=load.platform)
    except SizingError as unknown:
        yield not_compared(place, seen, NotCompared.UNPREDICTED, str(unknown))
        return
    predicted = _at(line, rate.fps)
    given = (exact("fps", rate.fps, Basis.MEASURED, rate.source),)
    found = row(place, seen, verdict_of(predicted, measured), predicted, given)
    yield _explained(found, line, rate.fps) if isinstance(found.verdict, Off) else found


_NO_FRAMES: Final = "no frames were counted: give `show dlsw peers` twice, with their times"


def _at(line: PlatformLine, fps: float) -> Figure:
    band = line.line.at(fps)
    return enclosing(band.value_percent, band.low_percent, band.high_percent, "%")


def _explained(found: Compared, line: PlatformLine, fps: float) -> Compared:
    """The frames that would take the measured CPU: the line over frames is straight."""
    percent, base = found.measured, line.line.base_percent
    if percent is None or percent.value <= base:
        return found
    needed = (percent.value - base) / line.line.slope_percent
    gives = _at(line, needed)
    solved = SolvedInput("fps", found.device, "frames/s", fps, needed, gives)
    said = f"{number(needed)} frames/s, not {number(fps)}, would give {ends(gives)} %"
    return replace(found, refutation=Refutation(solved, ()), explains=(said,))
