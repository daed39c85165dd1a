"""The size of a device from its own configuration and show outputs, with what the user adds."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.platform.process_switching import find_platform
from advisor.quantity import Basis
from advisor.size.calibration import Calibration
from advisor.size.load import Load, Transactions, stated_load
from advisor.size.platform_line import PlatformLine, calibrated, line_of
from advisor.size.seen import Rate, SeenCpu, SeenLoad
from advisor.theory.dlsw.fit import CalibrationError, Fit, Sample, fit


class Profile(Struct, frozen=True):
    """What the user states beside a device; None: it is not stated. `tps` makes it a load.

    `source` is where it is stated: the flags, or a place in the settings.
    """

    tps: float | None = None
    out_bytes: int | None = None
    in_bytes: int | None = None
    ru_bytes: int | None = None
    largest_frame_bytes: int | None = None
    peers: int | None = None
    source: str = "flags"

    @property
    def is_of_a_load(self) -> bool:
        """Whether anything of the transactions is stated."""
        return any(
            each is not None for each in (self.tps, self.out_bytes, self.in_bytes, self.ru_bytes)
        )

    def transactions(self, largest_frame_bytes: int | None = None) -> Transactions | None:
        """The transactions, if all of their sizes are stated; 0 a second where `tps` is not."""
        if self.out_bytes is None or self.in_bytes is None or self.ru_bytes is None:
            return None
        largest = self.largest_frame_bytes or largest_frame_bytes
        return Transactions(self.tps or 0.0, self.out_bytes, self.in_bytes, self.ru_bytes, largest)


def load_of(seen: SeenLoad, profile: Profile) -> Load | None:
    """What a device carries: as stated, else the highest rate that was measured; None without.

    Raises
    ------
    SizingError
        If what is stated makes no frames.
    """
    transactions = profile.transactions(seen.largest_frame_bytes)
    peers = profile.peers if profile.peers is not None else seen.peers
    if transactions is not None and profile.tps is not None:
        return stated_load(seen.router, [transactions], profile.source, peers)
    if not seen.rates:
        return None
    peak = max(seen.rates, key=lambda each: each.fps)
    load = Load(seen.router, peak.fps, Basis.MEASURED, peak.source, peers=peers)
    if transactions is None or not transactions.frames:
        return load
    return replace(
        load,
        tps=peak.fps / transactions.frames,
        out_frames=transactions.out_frames,
        in_frames=transactions.in_frames,
    )


def line_of_device(
    seen: SeenLoad, name: str | None, calibration: Calibration | None
) -> PlatformLine:
    """The CPU line of a device: the user's calibration, its own steady samples, or an estimate.

    Raises
    ------
    SizingError
        If none of them can be had.
    """
    if calibration is None:
        samples = tuple(_samples(seen.rates, seen.cpu))
        line, remark = _fitted([each.sample for each in samples])
        if line is not None:
            source = "; ".join(each.said for each in samples)
            interrupts = max(each.interrupt_percent for each in samples)
            shown = name or seen.platform_name or seen.router
            platform = find_platform(name) if name else seen.platform
            return calibrated(shown, platform, line, source, interrupts)
    else:
        remark = None
    found = None if name else seen.platform
    by_platform = find_platform(seen.platform_name) == found  # else its processor named it
    known = seen.platform_name if found is None or by_platform else found.name
    on = line_of(name or known, calibration, found=found)
    return replace(on, remarks=(*on.remarks, remark)) if remark else on


def _fitted(samples: Sequence[Sample]) -> tuple[Fit | None, str | None]:
    if not samples:
        return None, None
    try:
        return fit(samples), None
    except CalibrationError as error:
        return None, f"its own samples give no line: {error}"


class _Steady(Struct, frozen=True):
    """A steady load of the device itself, and the words that say where it was seen."""

    sample: Sample
    interrupt_percent: int
    said: str


def _samples(rates: Sequence[Rate], cpu: Sequence[SeenCpu]) -> Iterator[_Steady]:
    """Steady loads with the rate of their capture: the last belongs with the last, and so on."""
    together = reversed(list(zip(reversed(rates), reversed(cpu), strict=False)))
    for rate, load in together:
        percent = load.process_percent
        if load.moving is None and percent is not None and rate.fps > 0:
            said = f"{percent} % at {rate.fps:.0f} frames/s ({load.at}; {rate.source})"
            yield _Steady(Sample(rate.fps, percent), load.interrupt_percent or 0, said)
