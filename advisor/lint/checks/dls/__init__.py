"""CPU load of DLSw+ on a device at its peak: stated, or measured where no peak is stated."""

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.findings import Confidence
from advisor.quantity import Basis, Figure, Input, Unknown, enclosing, exact
from advisor.size import Load, SizingError, Transactions, stated_load
from advisor.size.answer import line_of_device
from advisor.size.platform_line import CALIBRATED, PlatformLine
from advisor.size.seen import SeenLoad, has_dlsw, seen_load

_PERCENT = "%"


class Peak(Struct, frozen=True):
    """Load of a device at its peak, and its line of CPU over frames per second."""

    load: Load
    line: PlatformLine
    seen: SeenLoad

    def cpu(self, fps: float | None = None) -> Figure:
        """CPU in percent, with the interrupts that were measured beside the line."""
        band = self.line.line.at(self.load.fps if fps is None else fps)
        more = self.line.interrupt_percent
        low, high = band.low_percent + more, band.high_percent + more
        return enclosing(band.value_percent + more, low, high, _PERCENT)

    @property
    def fps(self) -> Input:
        return exact("fps", self.load.fps, self.load.basis, self.load.source)

    @property
    def slope(self) -> Input:
        """Percent of the CPU for each frame per second."""
        basis = Basis.MEASURED if self.line.basis == CALIBRATED else Basis.ASSUMED
        at = self.load.fps
        value, low, high = (
            (percent - self.line.line.base_percent) / at
            for percent in (
                self.line.line.at(at).value_percent,
                self.line.line.at(at).low_percent,
                self.line.line.at(at).high_percent,
            )
        )
        return Input("cpu_percent_per_fps", value, low, high, basis, self.line.source)


def transactions_of(device: Device) -> Transactions | None:
    """The peak that the user states, with the smallest `lf` of the config."""
    stated = device.transactions
    if stated is None:
        return None
    return Transactions(
        stated.peak_tps,
        stated.out_bytes,
        stated.in_bytes,
        stated.ru_bytes,
        seen_load(device).largest_frame_bytes,
    )


def peak_of(device: Device) -> Peak | Unknown | None:
    """The peak of a device, or why its CPU is not predicted; None without DLSw+."""
    if not has_dlsw(device):
        return None
    seen, stated = seen_load(device), transactions_of(device)
    if stated is not None and device.transactions is not None:
        if not stated.fps:
            return Unknown(f"{device.transactions.source}: no frames")
        load = stated_load(device.name, [stated], device.transactions.source, seen.peers)
    elif seen.rates:
        rate = max(seen.rates, key=lambda rate: rate.fps)
        load = Load(device.name, rate.fps, Basis.MEASURED, rate.source, peers=seen.peers)
        if not rate.fps:
            return Unknown("no frames were seen")
    else:
        return Unknown("no peak is stated ([[traffic]] with peak_tps), and no frames were counted")
    try:
        return Peak(load, line_of_device(seen, None, None), seen)
    except SizingError as unknown:
        return Unknown(str(unknown))


def confidence_over(figure: Figure, limit: float, line: PlatformLine) -> Confidence | None:
    """Confidence that a load is over a limit; None if its value is not.

    If only a part of the band is over, it is `possible`; an estimate is never certain.
    """
    if figure.value <= limit:
        return None
    if figure.low <= limit:
        return Confidence.POSSIBLE
    return Confidence.CERTAIN if line.basis == CALIBRATED else Confidence.LIKELY
