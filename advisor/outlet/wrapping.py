"""Adds up the headers that tunnels and crypto maps put around calls that leave by an output.

A policy on the port counts the whole outer packet. Where a tunnel or a crypto map sends packets by
the port, its calls are counted as such packets: the largest, where there are several kinds. Which
bytes a policy on the tunnel itself counts has no source: the header of the tunnel is taken, which
IOS adds before it queues, and not ESP, which it adds after.
Sources: RFC 2784 and 2890 (GRE), RFC 2003 (IP in IP); of ESP, those of `Esp`.
"""

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from ipaddress import IPv4Address
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import CryptoEntry, Esp, Hiding, Tunnel, esp_of, hiding
from advisor.facts.config import Facts
from advisor.facts.interface import Interface
from advisor.quantity import Unknown
from advisor.questions import derived

_GRE_BYTES: Final = 24
_KEY_BYTES: Final = 4
_HEADER_BYTES: Final = {
    "gre ip": _GRE_BYTES,
    "gre multipoint": _GRE_BYTES,
    "ipip": 20,
    "ipsec ipv4": 0,
}
_MODES: Final = ("tunnel", "transport")
_LOOPBACK: Final = "Loopback"
_CARRY_VOICE: Final = frozenset(("ip", "udp", "gre", "47", "17"))
_SMALLEST_BYTES: Final = 60  # the IP packet of a call of G.729
_LARGEST_BLOCK_BYTES: Final = 16


class Wrapping(Struct, frozen=True):
    """Headers of a tunnel, and ESP around them; `through` names both."""

    through: str
    header_bytes: int
    esp: Esp | None = None

    def outside(self, ip_bytes: int) -> int:
        """Bytes of the IP packet that leaves, around one of this size."""
        wrapped = ip_bytes + self.header_bytes
        return wrapped if self.esp is None else self.esp.around(wrapped)

    def __str__(self) -> str:
        outside = self.outside(_SMALLEST_BYTES)
        return f"in {self.through} a packet of {_SMALLEST_BYTES} bytes has {outside}"


def wrapping_of(device: Device, homes: AbstractSet[str]) -> Wrapping | Unknown | None:
    """Find the headers around calls that leave by an interface; None where there are none.

    Parameters
    ----------
    device
        The device.
    homes
        The names of the output: of a subinterface and its port, of a bundle and its member.
    """
    if any(name.startswith("Tunnel") for name in homes):
        return None
    known = hiding_of(device)
    if not known.tunnels and not known.entries:
        return None
    kinds = list(_kinds(device.facts, known, homes))
    unknown = next((kind for kind in kinds if isinstance(kind, Unknown)), None)
    if unknown is not None:
        return unknown
    found = [kind for kind in kinds if isinstance(kind, Wrapping)]
    return max(found, key=lambda each: each.outside(_SMALLEST_BYTES), default=None)


def stated_wrapping(
    transform_set: Sequence[str], *, is_gre: bool, has_key: bool
) -> Wrapping | Unknown | None:
    """Return the headers of a stated tunnel; None where none is stated.

    Parameters
    ----------
    transform_set
        Words of an IPsec transform set, with `tunnel` or `transport`: by default `transport`
        around GRE, whose header has the addresses of the ends already.
    is_gre, has_key
        Whether a header of GRE is around the packets, and a key in it.
    """
    gre_bytes = (_GRE_BYTES + _KEY_BYTES * has_key) if is_gre or has_key else 0
    if not transform_set:
        return Wrapping("GRE", gre_bytes) if gre_bytes else None
    modes = [word for word in transform_set if word in _MODES]
    mode = modes[0] if modes else "transport" if gre_bytes else "tunnel"
    words = [word for word in transform_set if word not in _MODES]
    esp = esp_of(words, is_transport=mode == "transport")
    if esp is None or len(modes) > 1:
        return Unknown(f"which bytes {' '.join(transform_set)} adds is not known")
    name = f"{'GRE and ' if gre_bytes else ''}ESP ({mode} mode, {' '.join(words)})"
    return Wrapping(name, gre_bytes, esp)


class TunnelWay(Struct, frozen=True):
    """The port that packets of a tunnel leave by, and the bytes around each of them.

    `header_bytes` are those of the tunnel itself; the ends are with ESP around it, from the least
    to the most padding, of every cipher where the transform set is not known.
    """

    port: Interface
    header_bytes: int
    low_bytes: int
    high_bytes: int


_ANY_ESP_BYTES: Final = (50, 77)  # 3DES with SHA-1, AES with SHA-256: RFC 4303, 2451, 3602, 4868


@derived
def tunnel_ways(device: Device) -> dict[str, TunnelWay]:
    """The ways of the tunnels whose port is known, by their names."""
    known = hiding_of(device)
    found: dict[str, TunnelWay] = {}
    for tunnel in known.tunnels:
        ports = tuple(dict.fromkeys(_ports(device.facts, tunnel)))
        port = device.facts.interface(ports[0]) if len(ports) == 1 else None
        header_bytes = _HEADER_BYTES.get(tunnel.mode)
        if port is None or header_bytes is None:
            continue
        header_bytes += _KEY_BYTES if tunnel.has_key and header_bytes == _GRE_BYTES else 0
        low_bytes = high_bytes = header_bytes
        if tunnel.profile is not None:
            around = _of_tunnel(known, tunnel)
            least, most = _ANY_ESP_BYTES if isinstance(around, Unknown) else _esp_ends(around)
            low_bytes, high_bytes = low_bytes + least, high_bytes + most
        found[tunnel.interface.name] = TunnelWay(port, header_bytes, low_bytes, high_bytes)
    return found


def _esp_ends(around: Wrapping) -> tuple[int, int]:
    """The least and the most bytes that ESP adds to a packet of the tunnel."""
    sizes = range(_SMALLEST_BYTES, _SMALLEST_BYTES + _LARGEST_BLOCK_BYTES)
    added = [around.outside(size) - size - around.header_bytes for size in sizes]
    return min(added), max(added)


@derived
def hiding_of(device: Device) -> Hiding:
    """The tunnels and crypto maps of a device; ask `device.derived` for it."""
    return hiding(device.facts)


def _kinds(facts: Facts, known: Hiding, homes: AbstractSet[str]) -> Iterator[Wrapping | Unknown]:
    maps = {
        known.crypto_map_by_interface[name] for name in homes & known.crypto_map_by_interface.keys()
    }
    entries = [item for item in known.entries if item.name in maps and _may_carry(facts, item)]
    around = [_esp_of(known, item.transform_sets, f"crypto map {item.name}") for item in entries]
    tunnels = [item for item in known.tunnels if not homes.isdisjoint(_ports(facts, item))]
    for tunnel in tunnels:
        bare = _of_tunnel(known, tunnel)
        yield bare
        if isinstance(bare, Wrapping) and bare.esp is None:
            yield from (
                _within(esp, bare.header_bytes, bare.through, entry)
                for esp, entry in zip(around, entries, strict=True)
            )
    if not tunnels:
        yield from (_within(esp, 0, "", entry) for esp, entry in zip(around, entries, strict=True))


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


def _within(
    esp: Esp | Unknown, header_bytes: int, through: str, entry: CryptoEntry
) -> Wrapping | Unknown:
    names = " and ".join(filter(None, (through, f"crypto map {entry.name}")))
    return esp if isinstance(esp, Unknown) else Wrapping(names, header_bytes, esp)


def _of_tunnel(known: Hiding, tunnel: Tunnel) -> Wrapping | Unknown:
    name, header_bytes = tunnel.interface.name, _HEADER_BYTES.get(tunnel.mode)
    if header_bytes is None:
        return Unknown(f"which bytes `tunnel mode {tunnel.mode}` of {name} adds is not known")
    if header_bytes == _GRE_BYTES and tunnel.has_key:
        header_bytes += _KEY_BYTES
    if tunnel.profile is None:
        return Wrapping(name, header_bytes)
    sets = known.transform_sets_by_profile.get(tunnel.profile, ())
    esp = _esp_of(known, sets, name)
    return esp if isinstance(esp, Unknown) else Wrapping(name, header_bytes, esp)


def _esp_of(known: Hiding, sets: Collection[str], name: str) -> Esp | Unknown:
    """The largest of the transform sets that may be agreed on."""
    found = [known.esp_by_transform_set.get(a_set) for a_set in sets]
    every = [item for item in found if item is not None]
    if not every or len(every) < len(found):
        return Unknown(
            f"which bytes IPsec of {name} adds is not known: its transform set is not read"
        )
    return max(every, key=lambda esp: esp.around(_SMALLEST_BYTES))


def _may_carry(facts: Facts, entry: CryptoEntry) -> bool:
    """Whether an entry may encrypt calls: its list permits more than TCP, or is not known."""
    own = facts.access_list(entry.access_list) if entry.access_list is not None else None
    return own is None or any(item.permit and item.protocol in _CARRY_VOICE for item in own.entries)
