"""The answer of `advisor size dlsw`: every router with its observations, and the fault domain."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from advisor.size.calibration import Calibration
from advisor.size.links import LinkSize
from advisor.size.load import Load
from advisor.size.platform_line import ESTIMATED, PlatformLine
from advisor.size.redundancy import FaultDomain, Takeover, fault_domain, takeovers
from advisor.size.seen import SeenCpu, SeenLoad
from advisor.size.sizing import Limits, RouterSizing, size

# Cisco, DLSw+ TCP Performance: above it the test lost sessions, and then used two rings.
_ONE_RING_FPS, _TWO_RINGS_FPS = 700, 400


class Media(Struct, frozen=True):
    """Kinds of LAN and WAN (ethernet, token-ring, serial), as stated or configured."""

    lan: tuple[str, ...] = ()
    wan: tuple[str, ...] = ()


class Subject(Struct, frozen=True):
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
    subjects: Sequence[Subject],
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
            routers.append(
                Sized(
                    subject.router, None, NO_RATE, subject.media, subject.cpu, (), subject.remarks
                )
            )
            continue
        sizing = size(subject.load, subject.platform_line, limits, next(waiting, None))
        remarks = (
            *subject.remarks,
            *([_ALIKE] if len(loads) == 1 and is_redundant else []),
            *_of_media(subject, sizing, calibration),
            *_of_peers(sizing, domain_peers),
        )
        routers.append(
            Sized(subject.router, sizing, None, subject.media, subject.cpu, subject.links, remarks)
        )
    domain = None
    if domain_peers is not None:
        domain = fault_domain(domain_peers, _sites(survivors))
    return Answer(tuple(routers), domain, limits)


def _sites(survivors: Sequence[Takeover]) -> int | None:
    """Sites of a pair; among more than two routers, no survivor has all sites."""
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


def _of_media(subject: Subject, sizing: RouterSizing, calibration: Calibration | None) -> list[str]:
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
