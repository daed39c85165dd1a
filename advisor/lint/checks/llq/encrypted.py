"""A policy by ports or addresses behind a tunnel or crypto map: it sees the outer header only."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import hiding
from advisor.facts.packet_set import ANY_PORT, Addresses, Box, addresses_of
from advisor.facts.policy import PolicyClass
from advisor.facts.traffic_kinds import is_of_any_address
from advisor.ground.quantity import first_of
from advisor.ground.questions import derived
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.lint.checks.base import Found, Hit
from advisor.lint.checks.llq import Reaching, reaching
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out

_OUTER: Final = frozenset(("gre", "esp", "ahp", "ipinip", "nos", "47", "50", "51"))
_OUTER_NBAR: Final = frozenset(("gre", "ipsec", "ipinip", "l2tp", "eip"))
_OUTER_PORTS: Final = ((500, 500), (4500, 4500), (1701, 1701))

_OUTSIDE: Final = (
    "class {classes} takes packets by the header of the tunnel: with `qos pre-classify` it gets "
    "none. Let it match what is inside too, then enter `qos pre-classify`"
)


class HiddenPackets(Struct, frozen=True):
    """The class, what hides its packets, and where `qos pre-classify` belongs."""

    policy_map: str
    classes: str  # "class VOICE", "class VOICE and 2 more"
    hidden_by: str  # "Tunnel0", "crypto map VPN"
    tunnels: tuple[str, ...]
    crypto_entries: tuple[str, ...]  # "map VPN 10 ipsec-isakmp", "dynamic-map DYN 10"
    others: str  # "; VOICE matches DSCP or precedence, which the new header keeps: not affected"


class _Hidden(Struct, frozen=True):
    """Tunnels and crypto map entries that hide an output's packets; none is prepared."""

    tunnels: tuple[str, ...]
    entries: tuple[str, ...]
    name: str
    at: Location


def find_encrypted_before_classified(device: Device) -> Found[HiddenPackets]:
    """Yield a hit for each output whose classes look into packets that are hidden before.

    A policy on the tunnel itself sees the packets. Tunnels whose source is no interface of the
    output, a loopback for instance, are not judged: where they leave is routing.
    """
    for outlet in policies_out(device):
        hidden = _hidden(device, outlet)
        if hidden is None:
            continue
        peers = _peers(device)
        members = _members(device, outlet)
        looking = [member.policy_class for member in members if _looks_inside(member, peers)]
        if looking:
            outer = list(dict.fromkeys(_outer(device, hidden)))
            is_open = not hidden.tunnels and _is_translated(device, outlet)
            yield Hit(
                outlet.policy_label,
                (outlet.at, looking[0].at, hidden.at),
                HiddenPackets(
                    outlet.queueing.name,
                    f"class {first_of([item.name for item in looking])}",
                    hidden.name,
                    hidden.tunnels,
                    hidden.entries,
                    _not_affected(outlet, looking),
                ),
                Confidence.POSSIBLE if is_open else Confidence.LIKELY,
                severity=Severity.INFO if is_open else None,
                curable=not outer,
                advice=_OUTSIDE.format(classes=", ".join(outer)) if outer else None,
            )


def _not_affected(outlet: Outlet, looking: Sequence[PolicyClass]) -> str:
    """Priority classes whose packets are known by the field that the new header copies."""
    names = [item.name for item in outlet.llq_classes if item not in looking]
    if not names:
        return ""
    return f"; {first_of(names)} is not affected: the new header has the DSCP of the packet"


def _members(device: Device, outlet: Outlet) -> tuple[Reaching, ...]:
    """The classes of an output with what reaches them, in the attached policy and in its child."""
    policies = dict.fromkeys((outlet.policy, outlet.queueing))
    return tuple(member for policy in policies for member in reaching(device, policy))


def _outer(device: Device, hidden: _Hidden) -> Iterator[str]:
    """Classes by the outer header on all outputs that the same packets may leave by."""
    peers = _peers(device)
    for outlet in policies_out(device):
        other = _hidden(device, outlet)
        if other is None or not {*hidden.tunnels, *hidden.entries}.isdisjoint(
            (*other.tunnels, *other.entries)
        ):
            yield from (
                member.policy_class.name
                for member in _members(device, outlet)
                if _looks_outside(member, peers)
            )


def _is_translated(device: Device, outlet: Outlet) -> bool:
    """Whether NAT overload may take the packets before the crypto map sees them.

    NAT comes first on the way out (Cisco, NAT order of operation, document 6209): a crypto access
    list of inside addresses then matches nothing, unless the list of NAT denies these packets.
    """
    name = hiding(device.facts).crypto_map_by_interface.get(outlet.attached_to)
    lists = [
        line.words[5]
        for line in device.facts.tree.commands()
        if line.text.startswith("ip nat inside source list ")
        and line.words[6:7] == ["interface"]
        and interface_name("".join(line.words[7:8])) == outlet.attached_to
    ]
    known = [device.facts.access_list(item) for item in lists]
    return name is not None and any(
        item is not None and all(entry.permit for entry in item.entries) for item in known
    )


def _hidden(device: Device, outlet: Outlet) -> _Hidden | None:
    known = hiding(device.facts)
    homes = {outlet.attached_to, outlet.interface.name, outlet.interface.parent}
    through = [
        tunnel
        for tunnel in known.tunnels
        if tunnel.source.name in homes and not tunnel.is_pre_classified
    ]
    name = known.crypto_map_by_interface.get(outlet.attached_to)
    entries = [
        entry for entry in known.entries if entry.name == name and not entry.is_pre_classified
    ]
    if not through and not entries:
        return None
    first = through[0].interface.name if through else f"crypto map {entries[0].name}"
    return _Hidden(
        tuple(tunnel.interface.name for tunnel in through),
        tuple(entry.head.removeprefix("crypto ") for entry in entries),
        first,
        through[0].interface.at if through else entries[0].at,
    )


@derived
def _peers(device: Device) -> tuple[Addresses, ...]:
    """Far ends of tunnels and of IPsec: what an outer header has as its destination."""
    words = [
        line.words
        for line in device.facts.tree.walk()
        if line.text.startswith(("tunnel destination ", "set peer "))
    ]
    found = (addresses_of(f"host {word[2]}") for word in words)
    return tuple(address for address in found if address is not None)


def _looks_inside(member: Reaching, peers: Sequence[Addresses]) -> bool:
    """Whether the class needs fields that the outer header does not have."""
    return any(_needs_inner(box) and not _is_outer(box, peers) for box in member.boxes or ())


def _looks_outside(member: Reaching, peers: Sequence[Addresses]) -> bool:
    """Whether the class takes packets by their outer header, which `qos pre-classify` hides."""
    return any(_is_outer(box, peers) for box in member.boxes or ())


def _is_outer(box: Box, peers: Sequence[Addresses]) -> bool:
    ranges = (*box.source_ports, *box.destination_ports)
    if box.protocol in _OUTER or any(outer in ranges for outer in _OUTER_PORTS):
        return True
    if any(
        condition.kind == "protocol" and condition.values[0] in _OUTER_NBAR
        for condition in box.conditions
    ):
        return True
    is_any = box.destination == Addresses()
    return not is_any and any(peer.within(box.destination) for peer in peers)


def _needs_inner(box: Box) -> bool:
    by_nbar = any(condition.kind == "protocol" for condition in box.conditions)
    by_port = box.source_ports != ANY_PORT or box.destination_ports != ANY_PORT
    return by_nbar or by_port or box.protocol is not None or not is_of_any_address(box)
