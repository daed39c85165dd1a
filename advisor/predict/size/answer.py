"""Answers `advisor size dlsw`: the size of every router, its remarks, and the fault domain."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.platforms.process_switching import find_platform
from advisor.ground.quantity import Basis
from advisor.ground.records import picked
from advisor.predict.size import (
    FaultDomain,
    Load,
    Takeover,
    Transactions,
    fault_domain,
    stated_load,
    takeovers,
)
from advisor.predict.size.links import LinkSize, link_size, peer_links
from advisor.predict.size.platform_line import (
    ESTIMATED,
    Calibration,
    PlatformLine,
    calibrated,
    line_of,
)
from advisor.predict.size.seen import Rate, SeenCpu, SeenLoad
from advisor.predict.size.sizing import Limits, RouterSizing, size
from advisor.theory.dlsw import CalibrationError, Fit, Sample, fit

# Inputs of the size of a device: its configuration, its show outputs, the user's profile.


class Profile(Struct, frozen=True):
    """Statements of the user about a device; None: not stated. Only with `tps` they make a load.

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
    # a platform that the name does not give was found by its processor: then it has its own name
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


# Cisco, DLSw+ TCP Performance: above it the test lost sessions, and then used two rings.
_ONE_RING_FPS, _TWO_RINGS_FPS = 700, 400


class Media(Struct, frozen=True):
    """Kinds of LAN and WAN (ethernet, token-ring, serial), as stated or configured."""

    lan: tuple[str, ...] = ()
    wan: tuple[str, ...] = ()


class RouterToSize(Struct, frozen=True):
    """A router to size. `load` is None if no rate is stated or measured."""

    router: str
    load: Load | None
    platform_line: PlatformLine
    media: Media
    cpu: tuple[SeenCpu, ...] = ()
    links: tuple[LinkSize, ...] = ()
    remarks: tuple[str, ...] = ()


class Sized(Struct, frozen=True):
    """The answer for one router; `size` is None if `missing` says which input it lacks."""

    router: str
    size: RouterSizing | None
    missing: str | None
    media: Media
    cpu: tuple[SeenCpu, ...]
    links: tuple[LinkSize, ...]
    remarks: tuple[str, ...]


class Answer(Struct, frozen=True):
    """All routers; `fault_domain` is None where none is stated."""

    routers: tuple[Sized, ...]
    fault_domain: FaultDomain | None
    limits: Limits


NO_RATE = (
    "no rate of frames: state --tps, --out-bytes, --in-bytes and --ru, or [[traffic]] with "
    "peak_tps in advisor.toml, or give `show interfaces` of the DLSw+ LAN, or `show dlsw peers` "
    "twice with the time of each"
)

_ALIKE = "both routers of the pair carry the same load; the survivor carries both loads"


def answer(
    subjects: Sequence[RouterToSize],
    limits: Limits,
    *,
    is_redundant: bool,
    domain_peers: int | None,
    calibration: Calibration | None,
) -> Answer:
    """Size every router, with redundancy also after the failure of its partner.

    Raises
    ------
    SizingError
        If a load has no frames.
    """
    loads = tuple(subject.load for subject in subjects if subject.load is not None)
    survivors = takeovers(loads) if is_redundant and loads else []
    waiting = iter(survivors)
    routers = []
    for subject in subjects:
        if subject.load is None:
            routers.append(picked(Sized, subject, size=None, missing=NO_RATE, links=()))
            continue
        sizing = size(subject.load, subject.platform_line, limits, next(waiting, None))
        remarks = (
            *subject.remarks,
            *([_ALIKE] if len(loads) == 1 and is_redundant else []),
            *_of_media(subject, sizing, calibration),
            *_of_peers(sizing, domain_peers),
        )
        routers.append(picked(Sized, subject, size=sizing, missing=None, remarks=remarks))
    domain = None
    if domain_peers is not None:
        domain = fault_domain(domain_peers, _sites(survivors))
    return Answer(tuple(routers), domain, limits)


def _sites(survivors: Sequence[Takeover]) -> int | None:
    """Sites of a pair of routers; None for more than two, as no survivor serves all sites."""
    if not survivors or len(survivors) > 2:  # noqa: PLR2004 -- a pair
        return None
    return survivors[0].peers


def _of_peers(sizing: RouterSizing, domain_peers: int | None) -> Iterator[str]:
    """Breaches of DLS012: a router of a pair takes one fault domain, its survivor two."""
    if domain_peers is None:
        return
    domain = fault_domain(domain_peers, None)
    peers, survivor_peers = sizing.load.peers, sizing.states[-1].peers
    if peers is not None and peers > domain.peers_per_router:
        yield f"{peers} peers on one router are more than the fault domain of {domain_peers}"
    if (
        survivor_peers is not None
        and len(sizing.states) > 1
        and survivor_peers > domain.peers_after_failure
    ):
        yield (
            f"{survivor_peers} peers after a failure are more than the "
            f"{domain.peers_after_failure} that a "
            f"fault domain of {domain_peers} leaves the survivor of a pair"
        )


def _of_media(
    subject: RouterToSize, sizing: RouterSizing, calibration: Calibration | None
) -> list[str]:
    remarks = []
    media, platform = subject.media, subject.platform_line.platform
    measured = platform.measured_by_cisco if platform is not None else ()
    if sizing.basis == ESTIMATED and (media.lan or media.wan):
        remarks.append(
            f"{media_words(media)}: the estimate is the same for every LAN and WAN"
            + (
                f"; Cisco measured the {sizing.platform} with {', '.join(measured)}"
                if measured
                else ""
            )
        )
    if calibration is not None:
        for kind, calibrated_kind, kinds in (
            ("LAN", calibration.lan, media.lan),
            ("WAN", calibration.wan, media.wan),
        ):
            if calibrated_kind is not None and kinds and calibrated_kind not in kinds:
                remarks.append(
                    f"calibrated with a {calibrated_kind} {kind}, this one is {', '.join(kinds)}"
                )
    if "token-ring" in media.lan and sizing.states[-1].fps > _ONE_RING_FPS:
        remarks.append(
            f"over {_ONE_RING_FPS} frames/s the sessions of Cisco's testers did not hold on one "
            f"Token Ring: they used two of {_TWO_RINGS_FPS} frames/s each"
        )
    return remarks


def media_words(media: Media) -> str:
    """LAN and WAN in words.

    >>> media_words(Media(("ethernet",), ("serial",)))
    'LAN ethernet, WAN serial'
    """
    kinds_by_net = (("LAN", media.lan), ("WAN", media.wan))
    return ", ".join(f"{kind} {', '.join(kinds)}" for kind, kinds in kinds_by_net if kinds)


def media_of(load: SeenLoad) -> Media:
    """LAN and WAN of a device in the words of the flags."""
    return Media(_kinds(load.lan), _kinds(load.wan))


def _kinds(types: Sequence[str]) -> tuple[str, ...]:
    words = {"TokenRing": "token-ring", "Serial": "serial", "Multilink": "serial"}
    kinds = (
        "ethernet"
        if interface_type.endswith("Ethernet")
        else words.get(interface_type, interface_type.lower())
        for interface_type in types
    )
    return tuple(dict.fromkeys(kinds))
