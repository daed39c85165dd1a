"""The path of an IP SLA probe out of the router: its output, and the class that takes it."""

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv4Network

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.interface import Interface
from advisor.facts.sla import SlaProbe
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.packet_class import Packet, class_of, unread_class_maps
from advisor.quantity import Unknown

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

    `class_name` is None where the config does not decide.
    """

    outlets: tuple[Outlet, ...]
    class_name: str | None

    @property
    def is_priority(self) -> bool | None:
        """Whether the probe is in the LLQ; None where its class is not known."""
        if self.class_name is None:
            return None
        return self.class_name in {
            policy_class.name for policy_class in self.outlets[0].llq_classes
        }


class _Routes(Struct, frozen=True):
    """Tables that give the path of any probe, made once for a device.

    `connected` holds interfaces by the length of the prefix and the number of the subnet, longest
    prefix first; `outlets` the outlets of each interface; `unread` the class-maps not read in full.
    """

    connected: Mapping[int, Mapping[int, tuple[Interface, IPv4Address]]]
    outlets: Mapping[str, tuple[Outlet, ...]]
    unread: frozenset[str]


def probe_path(device: Device, probe: SlaProbe) -> ProbePath | Unknown:
    """The path of a probe to a directly connected neighbour, or why it is not known.

    Farther destinations are not followed: a route gives the next hop, not the interfaces behind it.
    """
    if probe.destination is None:
        return Unknown("its destination is not in the configuration")
    try:
        destination = IPv4Address(probe.destination)
    except ValueError:
        return Unknown(f"its destination {probe.destination} is a name or not an IPv4 address")
    routes = device.derived(_routes)
    way = _connected(routes, destination)
    if way is None:
        return Unknown(f"{destination} is in no connected subnet: its route is not known")
    interface, source = way
    leaving = routes.outlets.get(interface.name) or routes.outlets.get(interface.parent or "") or ()
    if not leaving:
        return Unknown(f"no policy queues on {interface.name}, where it leaves")
    if len({outlet.policy_label for outlet in leaving}) > 1:
        return Unknown(f"more than one policy queues on {interface.name}, where it leaves")
    protocol = _PROTOCOLS.get(probe.operation or "")
    dscp = 0 if probe.tos is None else probe.tos.value >> TOS_BITS_BELOW_DSCP
    packet = Packet(protocol, source, destination, probe.destination_port, dscp)
    return ProbePath(leaving, class_of(device.facts, leaving[0].queueing, packet, routes.unread))


def _routes(device: Device) -> _Routes:
    connected: dict[int, dict[int, tuple[Interface, IPv4Address]]] = {}
    for interface in device.facts.interfaces:
        address = None if interface.shutdown else interface.address
        if address is not None:
            network = address.network
            known = connected.setdefault(network.prefixlen, {})
            known.setdefault(int(network.network_address), (interface, address.ip))
    named: dict[str, list[Outlet]] = {}
    for outlet in outlets(device):
        for name in dict.fromkeys((outlet.interface.name, outlet.attached_to)):
            named.setdefault(name, []).append(outlet)
    return _Routes(
        connected={length: connected[length] for length in sorted(connected, reverse=True)},
        outlets={name: tuple(members) for name, members in named.items()},
        unread=unread_class_maps(device.facts),
    )


def _connected(routes: _Routes, destination: IPv4Address) -> tuple[Interface, IPv4Address] | None:
    """Interface in whose subnet the destination is, the longest prefix first, and its address."""
    for length, networks in routes.connected.items():
        network = IPv4Network((int(destination), length), strict=False)
        entry = networks.get(int(network.network_address))
        if entry is not None:
            return entry
    return None
