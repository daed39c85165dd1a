"""Tunnels with IPsec whose full packets do not fit the port that they leave by."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import hiding, interface_sections
from advisor.facts.config import Facts
from advisor.ground.units import whole_or_none
from advisor.ios.syntax import Line
from advisor.lint.checks.base import Found, Hit
from advisor.lint.findings import Confidence
from advisor.outlet.carriers import own_mtu
from advisor.outlet.parts import DEFAULT_MTU_BYTES
from advisor.outlet.wrapping import TunnelWay, tunnel_ways

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
