"""The way of an IP SLA probe out of the router: its output, and the class that takes it."""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface

from advisor.facts.interface import Interface
from advisor.facts.sla import SlaProbe
from advisor.predict.outlet import Outlet, outlets
from advisor.predict.packet_class import Packet, class_of
from advisor.snapshot import Device

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


@dataclass(frozen=True, slots=True)
class ProbePath:
    """Outputs that a probe leaves by (members of one bundle), and the class that takes it.

    `class_name` is None where the config does not tell.
    """

    outlets: tuple[Outlet, ...]
    class_name: str | None

    @property
    def is_priority(self) -> bool | None:
        """Whether the probe is in the LLQ; None where its class is not known."""
        if self.class_name is None:
            return None
        return self.class_name in {each.name for each in self.outlets[0].llq_classes}


def probe_path(device: Device, probe: SlaProbe) -> ProbePath | str:
    """The way of a probe to a directly connected neighbour, or why it is not known.

    Farther destinations are not followed: a route says where packets go, not what they cross.
    """
    if probe.destination is None:
        return "its destination is not in the configuration"
    try:
        destination = IPv4Address(probe.destination)
    except ValueError:
        return f"its destination {probe.destination} is a name, or not of IPv4"
    found = _connected(device, destination)
    if found is None:
        return f"{destination} is in no connected subnet: the way to it is not known"
    interface, source = found
    mine = tuple(each for each in outlets(device) if _is_of(each, interface))
    if not mine:
        return f"no policy queues on {interface.name}, where it leaves"
    if len({each.policy_label for each in mine}) > 1:
        return f"more than one policy queues on {interface.name}, where it leaves"
    protocol = _PROTOCOLS.get(probe.operation or "")
    dscp = 0 if probe.tos is None else probe.tos.value >> TOS_BITS_BELOW_DSCP
    packet = Packet(protocol, source, destination, probe.destination_port, dscp)
    return ProbePath(mine, class_of(device.facts, mine[0].queueing, packet))


def _connected(device: Device, destination: IPv4Address) -> tuple[Interface, IPv4Address] | None:
    """Interface in whose subnet the destination is, the longest prefix first, and its address."""
    best: tuple[int, Interface, IPv4Address] | None = None
    for interface in device.facts.interfaces:
        address = _address(interface)
        if address is None or destination not in address.network or interface.shutdown:
            continue
        length = address.network.prefixlen
        if best is None or length > best[0]:
            best = (length, interface, address.ip)
    return None if best is None else (best[1], best[2])


def _address(interface: Interface) -> IPv4Interface | None:
    if interface.ip_address is None:
        return None
    words = interface.ip_address.value.split()
    try:
        return IPv4Interface("/".join(words[:2]))
    except ValueError:
        return None  # `dhcp`, `negotiated`: not an address


def _is_of(outlet: Outlet, interface: Interface) -> bool:
    names = {outlet.interface.name}
    if outlet.bundle is not None:
        names.add(outlet.bundle.name)
    return interface.name in names or (interface.parent is not None and interface.parent in names)
