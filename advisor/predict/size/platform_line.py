"""The CPU line of a router: from the user's measurements, else an estimate, else none."""

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from advisor.device.platforms.process_switching import Platform, alike, find_platform, is_same_name
from advisor.ground.records import picked
from advisor.ground.units import NumeralError
from advisor.predict.size import SizingError
from advisor.settings.document import TomlDocument, read_document
from advisor.shows.cpu import CpuLoad, read_cpu
from advisor.theory.dlsw import (
    BATCHING_FROM_FPS,
    LEAST_PACKETS,
    MOST_PACKETS,
    CalibrationError,
    CpuEstimate,
    CpuLine,
    Fit,
    Sample,
    fit,
    largest_movement,
)

# Measurements of the user's own routers, as a TOML file, that replace the estimate.
#
# platform = "3640" lan = "token-ring"
#
# [[sample]] fps = 200 cpu = "CPU utilization for five seconds: 9%/2%; one minute: 9%; five
# minutes: 9%"

# Those of CPU003: an engineering choice for "the averages have converged".
STEADY_POINTS, STEADY_PERCENT = 5.0, 25.0
LANS = ("ethernet", "token-ring")
WANS = ("serial", "ethernet", "token-ring")

_Fps = Annotated[float, Meta(ge=0, le=1e6)]


class _SampleTable(Struct, frozen=True, forbid_unknown_fields=True):
    fps: _Fps
    cpu: str


class _CalibrationTable(Struct, frozen=True, forbid_unknown_fields=True):
    platform: str
    sample: tuple[_SampleTable, ...] = ()
    lan: str | None = None
    wan: str | None = None


class Calibration(Struct, frozen=True):
    """Steady measurements of one platform. `line` is None if all were taken without frames.

    `base_percent` is the process-level load of those. `interrupt_percent` is the highest interrupt
    share of the samples; it is not part of the line.
    """

    platform: str
    samples: tuple[Sample, ...]
    line: Fit | None
    base_percent: float
    interrupt_percent: int
    lan: str | None
    wan: str | None
    source: str


def moving(load: CpuLoad) -> str | None:
    """Reason why no size may be derived from a load; None if it is steady by CPU003.

    >>> head = "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: "
    >>> moving(read_cpu(head + "5%", "a1.txt"))
    >>> moving(read_cpu(head + "2%", "a1.txt"))
    'one minute and five minutes differ by 6 points: not a steady load'
    """
    movement = largest_movement(
        load.five_seconds_percent,
        load.one_minute_percent,
        load.five_minutes_percent,
        difference_points=STEADY_POINTS,
        difference_percent=STEADY_PERCENT,
    )
    if movement is None:
        return None
    return f"{movement.name} differ by {movement.points:g} points: not a steady load"


def read_calibration(path: Path) -> Calibration:
    """Read a file of measurements.

    Raises
    ------
    SettingsError
        If it is unreadable, has an impossible value, or holds a load that is not steady; with
        file, line and key.
    """
    document = read_document(path)
    table = document.whole(_CalibrationTable)
    for key, value, allowed in (("lan", table.lan, LANS), ("wan", table.wan, WANS)):
        if value is not None:
            document.one_of((key,), value, allowed)
    if not table.sample:
        raise document.error(("sample",), "holds no [[sample]] table")
    loads = [_load(document, place, sample.cpu) for place, sample in enumerate(table.sample)]
    samples = tuple(
        Sample(sample.fps, load.process_percent or 0)
        for sample, load in zip(table.sample, loads, strict=True)
    )
    return picked(
        Calibration,
        table,
        samples=samples,
        line=_line(document, samples),
        base_percent=_base_percent(samples),
        interrupt_percent=max(load.interrupt_percent or 0 for load in loads),
        source=document.name,
    )


def _base_percent(samples: tuple[Sample, ...]) -> float:
    idle = [sample.process_percent for sample in samples if sample.fps == 0]
    return sum(idle) / len(idle) if idle else 0.0


def _line(document: TomlDocument, samples: tuple[Sample, ...]) -> Fit | None:
    if all(sample.fps == 0 for sample in samples):
        return None
    try:
        return fit(samples)
    except CalibrationError as error:
        raise document.error(("sample", 0), str(error)) from error


def _load(document: TomlDocument, place: int, text: str) -> CpuLoad:
    key = ("sample", place, "cpu")
    try:
        load = read_cpu(text, document.name, document.line_of(key))
    except NumeralError as error:
        raise document.error(key, f"cpu: {error}") from error
    if load is None:
        raise document.error(
            key, "cpu: is not the head line of `show processes cpu`: paste the whole line"
        )
    if load.interrupt_percent is None:
        raise document.error(key, "cpu: prints no interrupt share (8%/6%): it must be subtracted")
    if load.process_percent is None:
        raise document.error(key, "cpu: the interrupt share is above the total")
    reason = moving(load)
    if reason is not None:
        raise document.error(key, f"cpu: {reason}; keep it for seven minutes and read it again")
    return load


# The CPU line of a router: from its own measurements, else an estimate, else none.

ESTIMATED, CALIBRATED = "estimated", "calibrated"
_BAND = (
    f"estimate: a frame costs {LEAST_PACKETS:g} to {MOST_PACKETS:g} process-switched packets, an "
    "engineering band; Cisco prints its curves without figures, so no slope is Cisco's"
)
_BATCHING = (
    f"above {BATCHING_FROM_FPS:g} frames/s several frames share a TCP packet; how many is "
    "not published, so the low end stays at its value for that rate"
)
_HIGHEST_FPS = 1e6  # above any platform of the table; used if the rate is unknown


class PlatformLine(Struct, frozen=True):
    """The CPU load of one platform over frames per second, and its basis.

    `platform` is None if the table does not have it: then it is calibrated, and nothing bounds
    its frames per second. `interrupt_percent` was measured beside the line, not in it.
    """

    name: str
    platform: Platform | None
    line: CpuLine
    basis: str
    source: str
    remarks: tuple[str, ...]
    interrupt_percent: int = 0

    @property
    def ceiling_fps(self) -> float:
        """Rate that the CPU cannot exceed; if nothing bounds it, a rate above any platform."""
        if self.platform is None:
            return _HIGHEST_FPS
        measured_fps = self.line.highest_fps if isinstance(self.line, Fit) else 0.0
        return max(self.platform.pps_high, measured_fps)


def estimated(platform: Platform, base_percent: float = 0.0) -> PlatformLine:
    """The line of a platform by its process-switching rate."""
    rate = f"{platform.pps_low:g}"
    if platform.is_family:
        rate += f" to {platform.pps_high:g}"
    return PlatformLine(
        name=platform.name,
        platform=platform,
        line=CpuEstimate(platform.pps_low, platform.pps_high, base_percent),
        basis=ESTIMATED,
        source=f"{rate} process-switched packets/s ({platform.grade}: {platform.source})",
        remarks=tuple(_of_an_estimate(platform, base_percent)),
    )


def _of_an_estimate(platform: Platform, base_percent: float) -> list[str]:
    remarks = [_BAND, _BATCHING]
    if not base_percent:
        remarks.append(
            "base load 0: routing, other features, explorers and other frame sizes add to it or "
            "change it; measure them with --calibration"
        )
    if platform.is_family:
        remarks.append(f"{platform.name} is a family: name the model for a closer figure")
    if platform.name == "RSP4":
        remarks.append(
            "Cisco ran out of testers before the RSP4 was full: its top value is no limit"
        )
    return remarks


def calibrated(
    name: str, platform: Platform | None, line: Fit, source: str, interrupt_percent: int
) -> PlatformLine:
    """A line that was measured; it replaces the estimate."""
    count = len(line.samples)
    source_words = f"{count} steady measurement{'s' if count > 1 else ''}: {source}"
    remarks = [
        f"calibrated at process level: interrupts ({interrupt_percent} % when measured) come on top"
    ]
    if not line.is_base_measured:
        remarks.append(
            "slope only: the base is taken as 0, and may be anything up to the load that was "
            "measured; a second rate gives both"
        )
    remarks.append(f"measured up to {line.highest_fps:g} frames/s: higher rates are extrapolated")
    return PlatformLine(
        name, platform, line, CALIBRATED, source_words, tuple(remarks), interrupt_percent
    )


def line_of(
    name: str | None, calibration: Calibration | None, *, known_platform: Platform | None = None
) -> PlatformLine:
    """The line of a platform by name.

    Parameters
    ----------
    name : str, optional
        Platform as the user or the router spells it; else that of the calibration.
    calibration : Calibration, optional
        The user's measurements of that platform.
    known_platform : Platform, optional
        The platform, if the caller has found it.

    Raises
    ------
    SizingError
        If the platform is not known, or the measurements are of another platform.
    """
    if name is None and calibration is not None:
        name = calibration.platform
    if name is None:
        raise SizingError(
            "the platform is not known: name it with --platform, or give `show version`"
        )
    platform = known_platform or find_platform(name)
    if calibration is not None:
        _same(name, calibration)
        if calibration.line is not None:
            return calibrated(
                name, platform, calibration.line, calibration.source, calibration.interrupt_percent
            )
        if platform is not None:
            return _based(platform, calibration)
    if platform is None:
        raise SizingError(_unknown(name))
    return _named(estimated(platform), name)


def _named(platform_line: PlatformLine, name: str) -> PlatformLine:
    """The line under the requested name, if the table has the platform under another."""
    if platform_line.name in name.upper():
        return platform_line
    remark = f"{name}: sized with the rate of the {platform_line.name}, which is the same"
    return replace(platform_line, name=name, remarks=(remark, *platform_line.remarks))


def _based(platform: Platform, calibration: Calibration) -> PlatformLine:
    base = calibration.base_percent
    line = estimated(platform, base)
    remark = f"base load {base:g} % measured without frames ({calibration.source}); slope estimated"
    return replace(line, remarks=(remark, *line.remarks))


def _same(name: str, calibration: Calibration) -> None:
    if not is_same_name(name, calibration.platform):
        raise SizingError(
            f"{calibration.source}: measured on {calibration.platform}, not on {name}: "
            "a line holds for its own platform only"
        )


def _unknown(name: str) -> str:
    series = alike(name)
    known_series = f" Of its series the table has {', '.join(series)}." if series else ""
    return (
        f"{name}: no process-switching rate is known, so no figure.{known_series} Calibrate it: "
        "two steady `show processes cpu` at known frames/s in a TOML file, --calibration FILE"
    )
