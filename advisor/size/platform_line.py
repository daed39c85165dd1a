"""The CPU line of a router: from its own measurements, else an estimate, else none."""

from msgspec import Struct
from msgspec.structs import replace

from advisor.platform.process_switching import Platform, alike, find_platform, is_same_name
from advisor.size.calibration import Calibration
from advisor.size.errors import SizingError
from advisor.theory.dlsw.cpu import (
    BATCHING_FROM_FPS,
    LEAST_PACKETS,
    MOST_PACKETS,
    CpuLine,
    Estimate,
)
from advisor.theory.dlsw.fit import Fit

ESTIMATED, CALIBRATED = "estimated", "calibrated"
_BAND = (
    f"estimate: a frame costs {LEAST_PACKETS:g} to {MOST_PACKETS:g} process-switched packets, an "
    "engineering band; Cisco prints its curves without figures, so no slope is Cisco's"
)
_BATCHING = (
    f"above {BATCHING_FROM_FPS:g} frames/s several share a TCP packet; by how many is not "
    "published: the low end stays where it is at that rate"
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
        line=Estimate(platform.pps_low, platform.pps_high, base_percent),
        basis=ESTIMATED,
        source=f"{rate} process-switched packets/s ({platform.grade}: {platform.source})",
        remarks=tuple(_of_an_estimate(platform, base_percent)),
    )


def _of_an_estimate(platform: Platform, base_percent: float) -> list[str]:
    remarks = [_BAND, _BATCHING]
    if not base_percent:
        remarks.append(
            "base load 0: routing, other features, explorers and other frame sizes come on top or "
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
    source_words = f"calibrated by {count} steady measurement{'s' if count > 1 else ''}: {source}"
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
    remark = f"{name}: by the rate of the {platform_line.name}, which is the same"
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
