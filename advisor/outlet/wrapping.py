"""Adds up the bytes of a call's packet at an output: tunnels, crypto maps, compressed headers.

A policy on the port counts the whole outer packet. Where a tunnel or a crypto map sends packets by
the port, its calls are counted as such packets: the largest, where there are several kinds. What
a policy on the tunnel itself counts is `through_tunnel`'s. A packet in a tunnel is not compressed:
the link sees no RTP in it.
Sources: RFC 2784 and 2890 (GRE), RFC 2003 (IP in IP), RFC 2508 (cRTP: 2 bytes in place of 40, 4
with the checksum of UDP); that queues count the compressed packet, Cisco, from 12.2(2)T; of ESP,
those of `Esp`; RFC 3948 (UDP around ESP, where a NAT is between the ends: both agree on it unless
one has `no crypto ipsec nat-transparency udp-encapsulation`, Cisco, from 12.2(13)T).
"""

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from ipaddress import IPv4Address
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.platforms.commands import is_from
from advisor.facts.attachments import (
    CryptoEntry,
    Esp,
    Hiding,
    Tunnel,
    esp_of,
    hiding,
    is_without_nat_transparency,
)
from advisor.facts.config import Facts
from advisor.facts.interface import Interface
from advisor.facts.policy import PolicyClass
from advisor.ground.quantity import Unknown, span
from advisor.ground.questions import derived
from advisor.ios.syntax.names import interface_name

_GRE_BYTES: Final = 24
_KEY_BYTES: Final = 4
_HEADER_BYTES: Final = {
    "gre ip": _GRE_BYTES,
    "gre multipoint": _GRE_BYTES,
    "ipip": 20,
    "ipsec ipv4": 0,
}
_MODES: Final = ("tunnel", "transport")
_NAT_T: Final = "nat-t"
_UDP_BYTES: Final = 8
_LOOPBACK: Final = "Loopback"
_CARRY_VOICE: Final = frozenset(("ip", "udp", "gre", "47", "17"))
_SMALLEST_BYTES: Final = 60  # the IP packet of a call of G.729
_LARGEST_BLOCK_BYTES: Final = 16


class Wrapping(Struct, frozen=True):
    """Headers of a tunnel, and ESP around them; `through` names both.

    `header_bytes` are negative where headers are compressed. `least` has the fewest bytes where not
    all is known: the ciphers that may be agreed on, whether a NAT is between the ends, whether the
    other end compresses.
    """

    through: str
    header_bytes: int
    esp: Esp | None = None
    least: "Wrapping | None" = None

    def outside(self, ip_bytes: int) -> int:
        """The most bytes of the IP packet that leaves, around one of this size."""
        wrapped = ip_bytes + self.header_bytes
        return wrapped if self.esp is None else self.esp.around(wrapped)

    def ends(self, ip_bytes: int) -> tuple[int, int]:
        """The fewest and the most bytes of the IP packet that leaves."""
        return (self.least or self).outside(ip_bytes), self.outside(ip_bytes)

    def __str__(self) -> str:
        outside = span(*self.ends(_SMALLEST_BYTES))
        said = f"in {self.through} a packet of {_SMALLEST_BYTES} bytes has {outside}"
        is_open = self.least is not None and _udp_bytes(self) > _udp_bytes(self.least)
        return f"{said}, the most where a NAT is between the ends" if is_open else said


def _udp_bytes(around: Wrapping) -> int:
    return 0 if around.esp is None else around.esp.udp_bytes


_CRTP: Final = "frames with cRTP"
CRTP: Final = Wrapping(_CRTP, -36, least=Wrapping(_CRTP, -38))
_LONGEST_PERIOD_PACKETS: Final = 256  # RFC 2508: a full header follows so many compressed ones
_PERHAPS_CRTP: Final = Wrapping(_CRTP, 0, least=CRTP.least)
_COMPRESSING: Final = ("Serial", "Multilink", "Virtual-Template", "Dialer", "BRI", "Hssi", "POS")
_COUNTED_SINCE: Final = (12, 3)  # 12.2(2)T, which a `version` of 12.2 may be or not


def compression_of(device: Device, homes: AbstractSet[str]) -> Wrapping | None:
    """Find what cRTP leaves of packets of calls on a link; None where it is not configured.

    A `passive` end compresses where the other one does, and before 12.2(2)T queues count the
    packet as it was: both ends of the interval then. Counters tell whether a link compresses.
    """
    stated = [
        interface.rtp_compression.value
        for interface in filter(None, map(device.facts.interface, homes))
        if interface.type in _COMPRESSING and interface.rtp_compression is not None
    ]
    if not stated:
        return None
    seen = [
        item
        for item in device.seen.compressed
        if interface_name(item.interface) in homes
        and (item.sent_packets or 0) > _LONGEST_PERIOD_PACKETS
    ]
    if seen and not any(item.compressed_packets for item in seen):
        counted = f"{seen[-1].at}: 0 of {seen[-1].sent_packets} packets"
        return Wrapping(f"frames without cRTP ({counted})", 0)
    compresses = seen and all(item.compressed_packets for item in seen)
    is_sure = bool(compresses) or all("passive" not in form.split() for form in stated)
    is_sure = is_sure and is_from(device.platform.release_name, _COUNTED_SINCE)
    return CRTP if is_sure else _PERHAPS_CRTP


def wrapping_in_class(
    around: Wrapping | None, interface: Interface, queue_class: PolicyClass | None
) -> Wrapping | None:
    """Add `compression header ip rtp` of a class, which acts on PPP, HDLC and Frame Relay."""
    compresses = queue_class is not None and queue_class.compresses_rtp
    if around is None and compresses and interface.type in _COMPRESSING:
        return CRTP
    return around


def wrapping_of(device: Device, homes: AbstractSet[str]) -> Wrapping | Unknown | None:
    """Find what is around calls that leave by an interface; None where there is nothing.

    Parameters
    ----------
    device
        The device.
    homes
        The names of the output: of a subinterface and its port, of a bundle and its member.
    """
    if any(name.startswith("Tunnel") for name in homes):
        return None
    known = hiding(device.facts)
    if not known.tunnels and not known.entries:
        return compression_of(device, homes)
    kinds = list(_kinds(device, known, homes))
    unknown = next((kind for kind in kinds if isinstance(kind, Unknown)), None)
    if unknown is not None:
        return unknown
    found = [kind for kind in kinds if isinstance(kind, Wrapping)]
    largest = max(found, key=lambda each: each.outside(_SMALLEST_BYTES), default=None)
    return largest or compression_of(device, homes)


def stated_wrapping(
    transform_set: Sequence[str], *, is_gre: bool, has_key: bool
) -> Wrapping | Unknown | None:
    """Return the headers of a stated tunnel; None where none is stated.

    Parameters
    ----------
    transform_set
        Words of an IPsec transform set, with `tunnel` or `transport`: by default `transport`
        around GRE, whose header has the addresses of the ends already. `nat-t` adds the header of
        UDP that ESP has where a NAT stands between the ends (RFC 3948).
    is_gre, has_key
        Whether a header of GRE is around the packets, and a key in it.
    """
    gre_bytes = (_GRE_BYTES + _KEY_BYTES * has_key) if is_gre or has_key else 0
    if not transform_set:
        return Wrapping("GRE", gre_bytes) if gre_bytes else None
    modes = [word for word in transform_set if word in _MODES]
    mode = modes[0] if modes else "transport" if gre_bytes else "tunnel"
    words = [word for word in transform_set if word not in (*_MODES, _NAT_T)]
    esp = esp_of(words, is_transport=mode == "transport")
    if esp is None or len(modes) > 1:
        return Unknown(f"which bytes {' '.join(transform_set)} adds is not known")
    if _NAT_T in transform_set:
        esp = replace(esp, udp_bytes=_UDP_BYTES)
        words.append(_NAT_T)
    name = f"{'GRE and ' if gre_bytes else ''}ESP ({mode} mode, {' '.join(words)})"
    return Wrapping(name, gre_bytes, esp)


class TunnelWay(Struct, frozen=True):
    """The port that packets of a tunnel leave by, and the bytes around each of them.

    `around` has all headers, ESP too; `header_bytes` are those of the tunnel itself. The ends are
    with ESP around it, from the least to the most padding, of every cipher where the transform set
    is not known.
    """

    port: Interface
    around: Wrapping
    header_bytes: int
    low_bytes: int
    high_bytes: int


@derived
def tunnel_ways(device: Device) -> dict[str, TunnelWay]:
    """The ways of the tunnels whose port is known, by their names."""
    known = hiding(device.facts)
    found: dict[str, TunnelWay] = {}
    for tunnel in known.tunnels:
        ports = tuple(dict.fromkeys(_ports(device.facts, tunnel)))
        port = device.facts.interface(ports[0]) if len(ports) == 1 else None
        header_bytes = _header_bytes(tunnel)
        if port is None or header_bytes is None:
            continue
        around = _of_tunnel(device, known, tunnel)
        if isinstance(around, Unknown):
            name, ends = tunnel.interface.name, _any_esp(header_bytes)
            around = _within(ends, header_bytes, name, _udp_ends(device, (name,)))
        low_bytes, high_bytes = (header_bytes + more for more in _esp_ends(around))
        found[tunnel.interface.name] = TunnelWay(port, around, header_bytes, low_bytes, high_bytes)
    return found


def _header_bytes(tunnel: Tunnel) -> int | None:
    """Bytes of the header of a tunnel, and of the key of GRE; None where its mode is not known."""
    header_bytes = _HEADER_BYTES.get(tunnel.mode)
    has_key = tunnel.has_key and header_bytes == _GRE_BYTES
    return _GRE_BYTES + _KEY_BYTES if has_key else header_bytes


def _esp_ends(around: Wrapping) -> tuple[int, int]:
    """The least and the most bytes that ESP adds to a packet of the tunnel."""
    sizes = range(_SMALLEST_BYTES, _SMALLEST_BYTES + _LARGEST_BLOCK_BYTES)
    added = [end - size - around.header_bytes for size in sizes for end in around.ends(size)]
    return min(added), max(added)


def _kinds(device: Device, known: Hiding, homes: AbstractSet[str]) -> Iterator[Wrapping | Unknown]:
    facts, places = device.facts, homes & known.crypto_map_by_interface.keys()
    maps = {known.crypto_map_by_interface[name] for name in places}
    entries = [item for item in known.entries if item.name in maps and _may_carry(facts, item)]
    is_only = sum(item.name in maps for item in known.entries) == 1
    shown = _Shown(esps_shown(device, places), _udp_ends(device, places), is_only)
    tunnels = [item for item in known.tunnels if not homes.isdisjoint(_ports(facts, item))]
    for tunnel in tunnels:
        bare = _of_tunnel(device, known, tunnel)
        yield bare
        if isinstance(bare, Wrapping) and bare.esp is None:
            yield from (_mapped(known, entry, bare, shown) for entry in entries)
    if not tunnels:
        yield from (_mapped(known, entry, None, shown) for entry in entries)


def _udp_ends(device: Device, places: Collection[str]) -> tuple[int, int]:
    """The least and the most bytes of UDP around ESP: both where no output and no line tells."""
    shown = {item.has_udp for item in device.seen.protected if item.interface in places}
    if len(shown) == 1 and None not in shown:
        return (_UDP_BYTES, _UDP_BYTES) if True in shown else (0, 0)
    return 0, 0 if is_without_nat_transparency(device.facts) else _UDP_BYTES


class _Shown(Struct, frozen=True):
    """ESP that outputs show at a place; `is_only` where all of it is of one entry."""

    esps: tuple[Esp | None, ...]
    udp_ends: tuple[int, int]
    is_only: bool = True


def esps_shown(device: Device, places: Collection[str]) -> tuple[Esp | None, ...]:
    """ESP of the associations in force at some places; None for one whose bytes are not known."""
    shown = (
        esp_of(own.words, is_transport=own.is_transport)
        for item in device.seen.protected
        if item.interface in places
        for own in item.associations
    )
    return tuple(dict.fromkeys(shown))


def _ports(facts: Facts, tunnel: Tunnel) -> Iterator[str]:
    """Where packets of a tunnel leave: by its source; of a loopback, by static default routes."""
    if tunnel.source.type != _LOOPBACK:
        yield tunnel.source.name
        return
    for route in facts.static_routes:
        if route.network.prefixlen == 0 and route.interface is not None:
            yield route.interface
        elif route.network.prefixlen == 0 and route.next_hop is not None:
            hop = IPv4Address(route.next_hop)
            yield from (
                interface.name
                for interface in facts.interfaces
                if interface.address is not None and hop in interface.address.network
            )


def _mapped(
    known: Hiding, entry: CryptoEntry, tunnel: Wrapping | None, shown: _Shown
) -> Wrapping | Unknown:
    """Packets of a crypto map; those of a tunnel in it have the header of the tunnel, too."""
    name, header_bytes = f"crypto map {entry.name}", 0
    if tunnel is not None:
        name, header_bytes = f"{tunnel.through} and {name}", tunnel.header_bytes
    esp = _esp_of(known, entry.transform_sets, name, header_bytes, shown)
    return esp if isinstance(esp, Unknown) else _within(esp, header_bytes, name, shown.udp_ends)


def _within(
    ends: tuple[Esp, Esp], header_bytes: int, through: str, udp_ends: tuple[int, int]
) -> Wrapping:
    low, high = (
        replace(esp, udp_bytes=udp_bytes) for esp, udp_bytes in zip(ends, udp_ends, strict=True)
    )
    least = Wrapping(through, header_bytes, low) if low != high else None
    return Wrapping(through, header_bytes, high, least)


def _any_esp(header_bytes: int) -> tuple[Esp, Esp]:
    """The least and the most of usual ciphers: 3DES with SHA-1, AES in CBC with SHA-256.

    Around the header of a tunnel, ESP may be in transport mode.
    """
    return Esp(8, 8, 12, is_transport=header_bytes > 0), Esp(16, 16, 16, is_transport=False)


def _of_tunnel(device: Device, known: Hiding, tunnel: Tunnel) -> Wrapping | Unknown:
    name, header_bytes = tunnel.interface.name, _header_bytes(tunnel)
    if header_bytes is None:
        return Unknown(f"which bytes `tunnel mode {tunnel.mode}` of {name} adds is not known")
    if tunnel.profile is None:
        return Wrapping(name, header_bytes)
    sets = known.transform_sets_by_profile.get(tunnel.profile, ())
    shown = _Shown(esps_shown(device, (name,)), _udp_ends(device, (name,)))
    esp = _esp_of(known, sets, name, header_bytes, shown)
    return esp if isinstance(esp, Unknown) else _within(esp, header_bytes, name, shown.udp_ends)


def _esp_of(
    known: Hiding, sets: Collection[str], name: str, header_bytes: int, shown: _Shown
) -> tuple[Esp, Esp] | Unknown:
    """The smallest and the largest of the transform sets that may be agreed on.

    The associations in force are those agreed on; where they are of several entries, of an unknown
    one each, they widen what its sets allow. Any of the usual ones where the configuration does not
    have the sets: at least one of an entry.
    """
    stated = known.esp_by_transform_set
    sets = () if shown.esps and shown.is_only else sets
    of_sets = [stated[a_set] for a_set in sets if a_set in stated]
    found = [*shown.esps, *of_sets]
    every = [item for item in found if item is not None]
    if len(every) < len(found):
        return Unknown(
            f"which bytes IPsec of {name} adds is not known: AH, `esp-null` and compression are "
            "not counted"
        )
    if not every or len(of_sets) < len(sets):
        every += _any_esp(header_bytes)
    by_size = sorted(every, key=lambda esp: esp.around(_SMALLEST_BYTES))
    return by_size[0], by_size[-1]


def _may_carry(facts: Facts, entry: CryptoEntry) -> bool:
    """Whether an entry may encrypt calls: its list permits more than TCP, or is not known."""
    own = facts.access_list(entry.access_list) if entry.access_list is not None else None
    return own is None or any(item.permit and item.protocol in _CARRY_VOICE for item in own.entries)
