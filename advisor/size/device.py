"""Inputs of the size of a device: its configuration, its show outputs, the user's profile."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.platform.process_switching import find_platform
from advisor.quantity import Basis
from advisor.size.calibration import Calibration
from advisor.size.links import LinkSize, link_size, peer_links
from advisor.size.load import Load, Transactions, stated_load
from advisor.size.platform_line import PlatformLine, calibrated, line_of
from advisor.size.seen import Rate, SeenCpu, SeenLoad
from advisor.theory.dlsw.fit import CalibrationError, Fit, Sample, fit


class Profile(Struct, frozen=True):
    """Statements of the user about a device; None: not stated. With `tps` it is a load.

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
            value is not None for value in (self.tps, self.out_bytes, self.in_bytes, self.ru_bytes)
        )

    def transactions(self, largest_frame_bytes: int | None = None) -> Transactions | None:
        """The transactions, if all of their sizes are stated; 0 a second where `tps` is not."""
        if self.out_bytes is None or self.in_bytes is None or self.ru_bytes is None:
            return None
        largest = self.largest_frame_bytes or largest_frame_bytes
        return Transactions(self.tps or 0.0, self.out_bytes, self.in_bytes, self.ru_bytes, largest)


def load_of(observed: SeenLoad, profile: Profile) -> Load | None:
    """Load of a device: as stated, else the highest measured rate; None without either.

    Raises
    ------
    SizingError
        If the stated transactions make no frames.
    """
    transactions = profile.transactions(observed.largest_frame_bytes)
    peers = profile.peers if profile.peers is not None else observed.peers
    if transactions is not None and profile.tps is not None:
        return stated_load(observed.router, [transactions], profile.source, peers)
    if not observed.rates:
        return None
    peak = max(observed.rates, key=lambda rate: rate.fps)
    load = Load(observed.router, peak.fps, Basis.MEASURED, peak.source, peers=peers)
    if transactions is None or not transactions.frames:
        return load
    return replace(
        load,
        tps=peak.fps / transactions.frames,
        out_frames=transactions.out_frames,
        in_frames=transactions.in_frames,
    )


def links_of(
    device: Device, observed: SeenLoad, profile: Profile, load: Load | None
) -> tuple[LinkSize, ...]:
    """Links of a device under its load; none where the bytes of a transaction are not stated."""
    transactions = profile.transactions(observed.largest_frame_bytes)
    if transactions is None or load is None or load.tps is None:
        return ()
    at_peak = replace(transactions, tps=load.tps)
    sizes = (link_size(link, at_peak) for link in peer_links(device))
    return tuple(size for size in sizes if size is not None)


def line_of_device(
    observed: SeenLoad, name: str | None, calibration: Calibration | None
) -> PlatformLine:
    """The CPU line of a device: the user's calibration, its own steady samples, or an estimate.

    Raises
    ------
    SizingError
        If none of them is available.
    """
    if calibration is None:
        samples = tuple(_samples(observed.rates, observed.cpu))
        line, remark = _fitted([sample.sample for sample in samples])
        if line is not None:
            source = "; ".join(sample.words for sample in samples)
            interrupts = max(sample.interrupt_percent for sample in samples)
            shown_name = name or observed.platform_name or observed.router
            platform = find_platform(name) if name else observed.platform
            return calibrated(shown_name, platform, line, source, interrupts)
    else:
        remark = None
    platform_shown = None if name else observed.platform
    # else its processor named it
    by_platform = find_platform(observed.platform_name) == platform_shown
    known_name = (
        observed.platform_name if platform_shown is None or by_platform else platform_shown.name
    )
    platform_line = line_of(name or known_name, calibration, known_platform=platform_shown)
    remarks = (*platform_line.remarks, *([remark] if remark else []))
    return replace(platform_line, remarks=remarks)


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
    words: str


def _samples(rates: Sequence[Rate], cpu: Sequence[SeenCpu]) -> Iterator[_Steady]:
    """Steady loads with the rate of their capture, paired from the last one backwards."""
    pairs = reversed(list(zip(reversed(rates), reversed(cpu), strict=False)))
    for rate, load in pairs:
        percent = load.process_percent
        if load.moving is None and percent is not None and rate.fps > 0:
            words = f"{percent} % at {rate.fps:.0f} frames/s ({load.at}; {rate.source})"
            yield _Steady(Sample(rate.fps, percent), load.interrupt_percent or 0, words)
