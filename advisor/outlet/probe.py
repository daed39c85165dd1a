"""The path of an IP SLA probe out of the router: its output, and the class that takes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts import SlaProbe, StaticRoute
from advisor.facts.interface import Interface
from advisor.ground.quantity import Unknown
from advisor.ground.questions import derived
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.packet_class import Packet, class_of

if TYPE_CHECKING:
    from advisor.shows.sla import SlaResult

JITTER_OPERATIONS = ("icmp-jitter", "udp-jitter")
_PROTOCOLS = {
    "icmp-echo": "icmp",
    "icmp-jitter": "icmp",
    "path-echo": "icmp",
    "path-jitter": "icmp",
    "udp-echo": "udp",
    "udp-jitter": "udp",
    "tcp-connect": "tcp",
}
TOS_BITS_BELOW_DSCP = 2


class ProbePath(Struct, frozen=True):
    """Outputs that a probe leaves by (members of one bundle), and the class that takes it.

    `class_name` is None where the config does not decide; `next_hop` None where the destination is
    directly connected, else the neighbour on the way to it, or the interface. `is_by_only_llq` is
    true where no route tells the output, and it is the only one with an LLQ.
    """

    outlets: tuple[Outlet, ...]
    class_name: str | None
    next_hop: str | None = None
    is_by_only_llq: bool = False

    @property
    def is_priority(self) -> bool | None:
        """Whether the probe is in the LLQ; None where its class is not known."""
        if self.class_name is None:
            return None
        return self.class_name in {
            policy_class.name for policy_class in self.outlets[0].llq_classes
        }


class _Way(Struct, frozen=True):
    """The interface that a packet leaves by, its source address, and the neighbour it goes to.

    `next_hop` is None where the destination is the neighbour.
    """

    interface: Interface
    source: IPv4Address | None
    next_hop: str | None = None


class _Routes(Struct, frozen=True):
    """Tables that give the path of any probe, made once for a device.

    `connected` and `static` hold ways and routes by the length of the prefix and the number of the
    subnet; `lengths` are those of both, longest first; `outlets` the outlets of each interface;
    `unread` the class-maps not read in full.
    """

    connected: Mapping[int, Mapping[int, _Way]]
    static: Mapping[int, Mapping[int, tuple[StaticRoute, ...]]]
    lengths: tuple[int, ...]
    outlets: Mapping[str, tuple[Outlet, ...]]


def probe_path(device: Device, probe: SlaProbe) -> ProbePath | Unknown:
    """The path of a probe to a directly connected neighbour, or why it is not known.

    Farther destinations are left out: a route gives the next hop, not the interfaces behind it.
    """
    path = way_out(device, probe)
    if isinstance(path, Unknown) or path.next_hop is None:
        return path
    return Unknown(
        f"{probe.destination} is behind {path.next_hop}: the links from there on are not known"
    )


def results_in(device: Device, outlet: Outlet, class_name: str) -> Iterator[SlaResult]:
    """Results of the probes that a class of an output takes."""
    for probe in device.facts.probes:
        path = probe_path(device, probe)
        if not isinstance(path, ProbePath) or path.class_name != class_name:
            continue
        if any(leaving.policy_label == outlet.policy_label for leaving in path.outlets):
            results = [result for result in device.seen.sla if result.number == probe.number]
            # The latest operation is a moment of those that are aggregated.
            yield from [result for result in results if result.is_aggregated] or results


def way_out(device: Device, probe: SlaProbe) -> ProbePath | Unknown:
    """Where a probe leaves the router, to a neighbour or by a static route; or why not known."""
    if probe.destination is None:
        return Unknown("its destination is not in the configuration")
    try:
        destination = IPv4Address(probe.destination)
    except ValueError:
        return Unknown("its destination is a name, a URL or no IPv4 address")
    in_vrf = any(line.value.startswith("vrf ") for line in probe.options)
    return packet_way(device, _packet(probe, None, destination), destination, in_vrf=in_vrf)


def packet_way(
    device: Device, packet: Packet, destination: IPv4Address, *, in_vrf: bool = False
) -> ProbePath | Unknown:
    """Where a packet of the router itself leaves it, in which class; or why that is not known."""
    routes = _routes(device)
    way = _way(device, routes, destination, in_vrf=in_vrf)
    if isinstance(way, Unknown):
        return way
    interface = way.interface
    leaving = routes.outlets.get(interface.name) or routes.outlets.get(interface.parent or "") or ()
    if not leaving:
        return Unknown(f"no policy queues on {interface.name}, where it leaves")
    if len({outlet.policy_label for outlet in leaving}) > 1:
        return Unknown(f"more than one policy queues on {interface.name}, where it leaves")
    from_here = replace(packet, source=packet.source or way.source)
    name = class_of(device.facts, leaving[0].queueing, from_here)
    return ProbePath(leaving, name, way.next_hop)


def _packet(probe: SlaProbe, source: IPv4Address | None, destination: IPv4Address) -> Packet:
    protocol = _PROTOCOLS.get(probe.operation or "")
    dscp = 0 if probe.tos is None else probe.tos.value >> TOS_BITS_BELOW_DSCP
    return Packet(protocol, source, destination, probe.destination_port, dscp)


def ways_beside_llqs(device: Device, probe: SlaProbe) -> tuple[ProbePath, ...]:
    """The ways by every output with an LLQ, where none takes a probe in it, whatever its route.

    Empty where an LLQ takes the probe, or may take it.
    """
    try:
        packet = _packet(probe, None, IPv4Address(probe.destination or ""))
    except ValueError:
        return ()
    paths = tuple(
        ProbePath((outlet,), class_of(device.facts, outlet.queueing, packet))
        for outlet in outlets(device)
        if outlet.llq_classes
    )
    return paths if all(path.is_priority is False for path in paths) else ()


def way_by_only_llq(
    device: Device, packet: Packet, destination: IPv4Address
) -> ProbePath | Unknown:
    """The way of a packet for an LLQ: where no line tells its route, by the one output with an LLQ.

    A routing protocol has most routes of a network. Where several outputs have an LLQ, or the one
    is for other packets, the way stays unknown.
    """
    way = packet_way(device, packet, destination)
    if not isinstance(way, Unknown):
        return way
    if not isinstance(_way(device, _routes(device), destination, in_vrf=False), Unknown):
        return way
    with_llq = [outlet for outlet in outlets(device) if outlet.llq_classes]
    if len({outlet.policy_label for outlet in with_llq}) != 1:
        return way
    only = ProbePath(tuple(with_llq), class_of(device.facts, with_llq[0].queueing, packet))
    return replace(only, is_by_only_llq=True) if only.is_priority else way


@derived
def _routes(device: Device) -> _Routes:
    connected: dict[int, dict[int, _Way]] = {}
    for interface in device.facts.interfaces:
        address = None if interface.shutdown else interface.address
        if address is not None:
            network = address.network
            known = connected.setdefault(network.prefixlen, {})
            known.setdefault(int(network.network_address), _Way(interface, address.ip))
    static: dict[int, dict[int, tuple[StaticRoute, ...]]] = {}
    for route in device.facts.static_routes:
        network = route.network
        of_length = static.setdefault(network.prefixlen, {})
        start = int(network.network_address)
        of_length[start] = (*of_length.get(start, ()), route)
    named: dict[str, list[Outlet]] = {}
    for outlet in outlets(device):
        for name in dict.fromkeys((outlet.interface.name, outlet.attached_to)):
            named.setdefault(name, []).append(outlet)
    return _Routes(
        connected=connected,
        static=static,
        lengths=tuple(sorted({*connected, *static}, reverse=True)),
        outlets={name: tuple(members) for name, members in named.items()},
    )


def _way(
    device: Device, routes: _Routes, destination: IPv4Address, *, in_vrf: bool
) -> _Way | Unknown:
    """The way to a destination: of the longest prefix; a connected one is before a static one."""
    for length in routes.lengths:
        start = _start(destination, length)
        connected = routes.connected.get(length, {}).get(start)
        if connected is not None:
            return connected
        static = routes.static.get(length, {}).get(start)
        if static is not None:
            return _by_static(device, routes, static, in_vrf=in_vrf)
    return Unknown(f"{destination} is in no connected subnet: its route is not known")


def _start(destination: IPv4Address, length: int) -> int:
    return int(IPv4Network((int(destination), length), strict=False).network_address)


def _by_static(
    device: Device, routes: _Routes, same_prefix: tuple[StaticRoute, ...], *, in_vrf: bool
) -> _Way | Unknown:
    """The way by the static routes of one prefix, where nothing else can decide."""
    distance = min(route.distance for route in same_prefix)
    best, *others = (route for route in same_prefix if route.distance == distance)
    rival = next(iter(device.facts.other_routes), None)
    if in_vrf:
        return Unknown("the operation is in a VRF, whose routes are not known")
    if rival is not None:
        return Unknown(f"`{rival.value}` may have another route than the static one ({best.at})")
    if others:
        return Unknown(f"{1 + len(others)} static routes share its packets ({best.at})")
    if best.is_tracked:
        return Unknown(f"a tracked object can withdraw its static route ({best.at})")
    exit_name = best.interface
    if exit_name is None and best.next_hop is not None:
        exit_name = _exit_to(routes, IPv4Address(best.next_hop))
    interface = device.facts.interface(exit_name) if exit_name is not None else None
    if interface is None or interface.shutdown:
        return Unknown(f"its static route leaves by no interface that is up ({best.at})")
    address = interface.address
    next_hop = best.next_hop or interface.name
    return _Way(interface, address.ip if address is not None else None, next_hop)


def _exit_to(routes: _Routes, next_hop: IPv4Address) -> str | None:
    """Interface in whose subnet a next hop is, the longest prefix first."""
    for length in routes.lengths:
        way = routes.connected.get(length, {}).get(_start(next_hop, length))
        if way is not None:
            return way.interface.name
    return None
