"""The section of docs/validation.md on DLSw+."""

from collections.abc import Iterator

from advisor.device.platforms.process_switching import platforms
from advisor.predict.size.platform_line import Calibration, estimated, line_of
from advisor.theory.dlsw import DESIGN_LIMIT_PERCENT, fps_at
from tools.validation.markdown import table


def dlsw_section(calibration: Calibration) -> str:
    """The section as Markdown."""
    samples = _samples(calibration)
    return f"""\
## Published tests: CPU of DLSw+ over TCP

Cisco's tests of DLSw+ TCP performance print CPU over frames per second as pictures. No slope here
is theirs: it is estimated from the process-switching rate of a platform (a frame costs 1 to 4
process-switched packets, an engineering band, its geometric middle as the value), or calibrated by
steady measurements of the user's own. Above 1000 frames/s frames share TCP packets by a factor that
is not published, so the low end of a band stays where it is at that rate.

![estimated CPU over frames per second](validation/dlsw.svg)

Frames per second, in and out, that take half of the CPU:

{table(_HALF, list(_half()))}
The example of `fixtures/dlsw/calibration-3640.toml`, whose figures are made up: {samples}.

![estimate and calibration](validation/dlsw_calibration.svg)
"""


_HALF = ("platform", "middle", "band", "process-switched packets/s", "grade", "Cisco's tests")


def _half() -> Iterator[tuple[str, ...]]:
    for platform in platforms():
        half = fps_at(estimated(platform).line, DESIGN_LIMIT_PERCENT, platform.pps_high)
        rate = f"{platform.pps_low:g}" + (
            f" to {platform.pps_high:g}" if platform.is_family else ""
        )
        band = f"{half.low_fps:.0f} to {half.high_fps:.0f}"
        media = " ".join(platform.measured_by_cisco)
        yield (platform.name, f"{half.value_fps:.0f}", band, rate, platform.grade, media)


def _samples(calibration: Calibration) -> str:
    line = line_of(None, calibration).line
    samples = " and ".join(
        f"{sample.process_percent:g} % at {sample.fps:g} frames/s" for sample in calibration.samples
    )
    return (
        f"{samples}, at process level, give a\nbase of {line.base_percent:.2f} % and "
        f"{line.slope_percent:.4f} % for each frame per second"
    )
