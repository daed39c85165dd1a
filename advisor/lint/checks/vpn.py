"""IPsec behind queues, and tunnels with IPsec whose full packets do not fit their port."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.attachments import hiding, interface_sections
from advisor.facts.config import Facts
from advisor.facts.policy import CLASS_DEFAULT
from advisor.ground.quantity import count, number
from advisor.ground.units import bits_from_bytes, ms_from_s, percent_from_ratio, whole_or_none
from advisor.ios.syntax import Line, Location
from advisor.ios.syntax.names import interface_name
from advisor.lint.checks.base import Found, Hit
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.carriers import own_mtu
from advisor.outlet.class_bandwidth import class_rate
from advisor.outlet.parts import DEFAULT_MTU_BYTES
from advisor.outlet.queue_limit import LimitKind, queue_limit
from advisor.outlet.rated_classes import RatedClass, rated_classes
from advisor.outlet.wrapping import TunnelWay, tunnel_ways
from advisor.shows.crypto import ProtectedInterface

# Packets that come later than the window against replay holds: an LLQ let others overtake them.
#
# Sources: Cisco document 116858, anti-replay check failures: a window of 64 packets, and numbers
# that are given before the packets queue; Cisco, IPsec Anti-Replay Window Expanding: up to 1024.

_WINDOW_PACKETS: Final = 64
_MOST_PACKETS: Final = 1024
_CALL_MS: Final = 20.0  # between the packets of a call, by default
_REPLAY: Final = "security-association replay"
_FAR_END: Final = (
    "raise the window of the other end, where the packets arrive: `crypto ipsec "
    f"security-association replay window-size {_MOST_PACKETS}`"
)
_SHORTER: Final = (
    "the window is as long as it gets: shorten the queues of data at the other end, or give voice "
    "a security association of its own by a line of the access list"
)


class ReplayLossParams(Struct, frozen=True):
    """Share of the packets that arrive, in percent, below which a loss is information."""

    seldom_percent: float


class ReplayLoss(Struct, frozen=True):
    """Packets that are lost or may be, in words, and the window to set."""

    said: str
    window_packets: int = _MOST_PACKETS


def find_anti_replay_behind_llq(device: Device, params: ReplayLossParams) -> Found[ReplayLoss]:
    """Yield a hit for each interface that lost packets to the window, and each LLQ that may do so.

    The other end loses what an LLQ here lets pass: information, for its window is not known here.
    """
    stated = _stated_windows(device.facts)
    is_of_an_edit = any(device.facts.tree.at(line).is_of_an_edit for line in stated)
    for seen in _latest(device.seen.protected) if not is_of_an_edit else ():
        yield _seen_loss(device, params, seen, stated)
    if device.seen.replay_messages and not is_of_an_edit:
        yield from _logged_loss(device, stated)
    if not _has_many_peers(device.facts):
        for rated in rated_classes(device):
            outside = rated.outlet.known_wrapping
            if outside is not None and outside.esp is not None:
                yield from _overtaking(device, rated)


def _latest(protected: Iterable[ProtectedInterface]) -> Collection[ProtectedInterface]:
    """The last output with drops of each interface: that of one peer may follow that of all."""
    losing = [item for item in protected if item.replay_failed_packets]
    return {interface_name(item.interface): item for item in losing}.values()


def _stated_windows(facts: Facts) -> list[Line]:
    """The lines that set a window, of all associations or of a profile or crypto map."""
    if not facts.tree.may_hold("replay"):
        return []
    return [line for line in facts.tree.walk() if _REPLAY in line.text.lower()]


def _has_many_peers(facts: Facts) -> bool:
    """Whether packets leave to several ends: each counts its own alone."""
    known = hiding(facts)
    secured = [tunnel for tunnel in known.tunnels if tunnel.profile is not None]
    is_hub = facts.tree.may_hold("multicast dynamic")
    return is_hub or len(secured) + len(known.entries) > 1


def _logged_loss(device: Device, stated: list[Line]) -> Iterator[Hit[ReplayLoss]]:
    """A hit where the log tells of drops, and no counter of an interface does."""
    if _latest(device.seen.protected):
        return
    last = device.seen.replay_messages[-1]
    known = hiding(device.facts)
    secured = [tunnel.interface.name for tunnel in known.tunnels if tunnel.profile is not None]
    is_sure = len(secured) == 1 and not known.entries
    subject = f"interface {secured[0]}" if is_sure else "logging"
    told = f"{count(last.messages, 'message')} of the log tell, one for many packets"
    yield _hit_of_loss(subject, (last.at,), f"IPsec drops packets, as {told},", None, stated)


def _seen_loss(
    device: Device, params: ReplayLossParams, seen: ProtectedInterface, stated: list[Line]
) -> Hit[ReplayLoss]:
    failed = seen.replay_failed_packets or 0
    lost = f"IPsec of {seen.interface} dropped {count(failed, 'packet')}"
    passed = seen.decapsulated_packets
    beside = f", beside {passed} that it took," if passed is not None else ""
    interface = device.facts.interface(seen.interface)
    places = (seen.at, *((interface.at,) if interface is not None else ()))
    hit = _hit_of_loss(
        f"interface {seen.interface}", places, f"{lost}{beside}", seen.window_packets, stated
    )
    share = failed / (failed + passed) if passed is not None else 1.0
    if percent_from_ratio(share) >= params.seldom_percent:
        return hit
    return replace(hit, confidence=Confidence.POSSIBLE, severity=Severity.INFO)


def _hit_of_loss(
    subject: str, places: tuple[Location, ...], lost: str, printed: int | None, stated: list[Line]
) -> Hit[ReplayLoss]:
    """A hit with the window, as an association has `printed` it or as lines state it."""
    sizes = (
        [whole_or_none(line.words[-1]) or 0 for line in stated] if printed is None else [printed]
    )
    known = printed if stated else printed or _WINDOW_PACKETS
    held = "the window" if known is None else f"the window of {known} packets"
    is_curable = max(sizes, default=_WINDOW_PACKETS) < _MOST_PACKETS
    return Hit(
        subject,
        places,
        ReplayLoss(
            f"{lost} that came later than {held} holds: a queue at the other end or on the way "
            "lets packets of an LLQ overtake them"
        ),
        Confidence.LIKELY,
        curable=is_curable,
        advice=None if is_curable else _SHORTER,
    )


def _overtaking(device: Device, rated: RatedClass) -> Iterator[Hit[ReplayLoss]]:
    """A hit where more packets of a priority class than the window pass one of class-default."""
    outlet = rated.outlet
    default = outlet.class_named(CLASS_DEFAULT)
    rate = class_rate(outlet, default) if default is not None else None
    limit = queue_limit(outlet, default, device.platform)
    if rate is None or limit.kind in (LimitKind.UNKNOWN, LimitKind.NOT_CONVERTED):
        return
    frame_bytes = outlet.mtu.value + outlet.counted_bytes
    wait_ms = ms_from_s(bits_from_bytes(limit.in_packets(frame_bytes) * frame_bytes) / rate.value)
    calls, _ = rated.calls("G.729")
    passing = int(calls * wait_ms / _CALL_MS)
    if passing > _WINDOW_PACKETS:
        yield Hit(
            rated.place,
            rated.places,
            ReplayLoss(
                f"a packet of class-default waits up to {number(wait_ms)} ms, and up to {passing} "
                f"packets of {rated.llq_class.name} with {count(calls, 'call')} of G.729 overtake "
                f"it: IPsec at the other end drops what comes {_WINDOW_PACKETS} packets late, "
                "unless its window is longer"
            ),
            Confidence.POSSIBLE,
            severity=Severity.INFO,
            curable=False,
            advice=_FAR_END,
        )


# Full packets of tunnels with IPsec that do not fit the port that they leave by.

_GRE: Final = ("gre ip", "gre multipoint")
_TCP_HEADERS_BYTES: Final = 40
_ADVISED_BYTES: Final = 1400  # with `adjust-mss 1360`, Cisco document 25885
_MSS: Final = "ip tcp adjust-mss "
_DISCOVERY: Final = "tunnel path-mtu-discovery"


class FragmentedTunnel(Struct, frozen=True):
    """The tunnel, its largest packet inside and outside, and the MTU that this does not fit."""

    interface: str
    inside_bytes: int
    outside_bytes: int
    port: str
    port_bytes: int
    ip_mtu_bytes: int
    mss_bytes: int


def find_tunnel_packets_fragmented(device: Device) -> Found[FragmentedTunnel]:
    """Yield a hit for each GRE tunnel with IPsec whose largest packet outgrows its port.

    The fewest bytes that its transform set may add count. A segment size that fits, on any
    interface, keeps TCP small; the mode of IPsec alone has an MTU that IOS computes.
    """
    ways = tunnel_ways(device)
    lines = list(_lines(device.facts))
    segments = [_segment_bytes(line) for _, line in lines if line.text.lower().startswith(_MSS)]
    discovers = {name for name, line in lines if line.text.lower().startswith(_DISCOVERY)}
    for tunnel in hiding(device.facts).tunnels:
        way, inner = ways.get(tunnel.interface.name), tunnel.interface
        if way is None or tunnel.profile is None or tunnel.mode not in _GRE:
            continue
        stated, port_mtu = inner.ip_mtu_bytes, own_mtu(way.port)
        port_bytes = port_mtu.value if port_mtu is not None else DEFAULT_MTU_BYTES
        inside_bytes = stated.value if stated is not None else DEFAULT_MTU_BYTES - way.header_bytes
        fits = any(item + way.low_bytes <= port_bytes for item in segments)
        if inside_bytes + way.low_bytes > port_bytes and not fits and inner.name not in discovers:
            yield _fragmented(inner.name, way, inside_bytes, port_bytes, device)


def _lines(facts: Facts) -> Iterator[tuple[str, Line]]:
    """Commands of interfaces that set a segment size or look for the MTU, if there are any."""
    if facts.tree.may_hold("adjust-mss", "path-mtu-discovery"):
        for name, section in interface_sections(facts):
            yield from ((name, line) for line in section.commands())


def _segment_bytes(line: Line) -> int:
    """The packet of the largest segment that a line lets TCP agree on."""
    return (whole_or_none(line.words[-1]) or DEFAULT_MTU_BYTES) + _TCP_HEADERS_BYTES


def _fragmented(
    name: str, way: TunnelWay, inside_bytes: int, port_bytes: int, device: Device
) -> Hit[FragmentedTunnel]:
    advised_bytes = min(_ADVISED_BYTES, port_bytes - way.high_bytes)
    interface = device.facts.interface(name)
    return Hit(
        f"interface {name}",
        tuple(item.at for item in (interface, way.port) if item is not None),
        FragmentedTunnel(
            name,
            inside_bytes,
            inside_bytes + way.low_bytes,
            way.port.name,
            port_bytes,
            advised_bytes,
            advised_bytes - _TCP_HEADERS_BYTES,
        ),
        Confidence.LIKELY,
    )
