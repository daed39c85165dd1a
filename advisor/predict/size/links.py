"""WAN links to the DLSw+ peers of a device, and the transactions at which each is full."""

from collections.abc import Collection, Iterable, Iterator
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.ground.quantity import Figure, Input, enclosing
from advisor.ground.records import picked
from advisor.ground.units import bits_from_bytes
from advisor.ios.syntax import Location
from advisor.model import Framing
from advisor.outlet.framing import Encapsulation, encapsulation_at
from advisor.outlet.outlet import Queueing
from advisor.outlet.packet_class import takes_unnamed_peers, tcp_peers
from advisor.outlet.plain import plain_places, queueing_outlets
from advisor.outlet.wires import wire_rate
from advisor.predict.size import Transactions
from advisor.predict.size.seen import lan_ports

_IP_ONLY: Final = Framing(0)


class PeerLink(Struct, frozen=True):
    """An output that leads to peers, with its rate and framing as configured.

    `peers` share the load; they are empty where peers are not named. `part` is their part of the
    load of the device, equal for each peer: assumed, so `is_split` if it is below 1. `backups`
    carry nothing while their primary is up. The framing is that of IP alone if it is not known.
    """

    name: str
    at: Location
    rate: Input
    low: Framing
    high: Framing
    peers: tuple[str, ...]
    backups: tuple[str, ...]
    part: float

    @property
    def is_split(self) -> bool:
        return self.part < 1


class LinkSize(Struct, frozen=True):
    """A link under transactions: what they need of it, and the rate at which they fill it.

    `needed_bps` is that of the busier direction. `full_tps` counts the transactions of the whole
    device; `peers` and `part` are those of `PeerLink`.
    """

    link: str
    rate: Input
    needed_bps: Figure
    full_tps: Figure
    peers: tuple[str, ...]
    backups: tuple[str, ...]
    part: float

    @property
    def is_full(self) -> bool:
        """Whether the middle of the need is over the rate."""
        return self.needed_bps.value > self.rate.value


def peer_links(device: Device) -> tuple[PeerLink, ...]:
    """Links that carry DLSw+ over TCP.

    A peer is behind the output whose subnet has its address; where no output has it, behind the
    only output that is not a LAN of DLSw+. Other peers have no known link.
    """
    outputs = _outputs(device)
    peers = tcp_peers(device.facts)
    working = [peer for peer in peers if peer.backup_of is None]
    if not working:
        is_open = takes_unnamed_peers(device.facts) and len(outputs) == 1
        return tuple(_link(output, (), (), 1.0) for output in outputs.values() if is_open)
    behind = {peer.peer: _output_to(device, peer.peer, outputs) for peer in peers}
    links = []
    for name, output in outputs.items():
        here = tuple(peer.peer for peer in working if behind[peer.peer] == name)
        backups = tuple(
            peer.peer for peer in peers if peer.backup_of is not None and behind[peer.peer] == name
        )
        if here:
            links.append(_link(output, here, backups, len(here) / len(working)))
    return tuple(links)


def link_size(link: PeerLink, transactions: Transactions) -> LinkSize | None:
    """Compute the need of a link for the whole device's transactions; None if they have no bytes.

    Every frame is in its own TCP packet; acknowledgements and other traffic are not counted, so
    the need is a lower one.
    """
    low, high = (_bits_of(transactions, framing) * link.part for framing in (link.low, link.high))
    if not low:
        return None
    middle, rate_bps = (low + high) / 2, link.rate.value
    tps = transactions.tps
    return picked(
        LinkSize,
        link,
        link=link.name,
        needed_bps=enclosing(tps * middle, tps * low, tps * high, "b/s"),
        full_tps=enclosing(rate_bps / middle, rate_bps / high, rate_bps / low, "transactions/s"),
    )


def _bits_of(transactions: Transactions, framing: Framing) -> float:
    """Bits of one transaction in its busier direction; a link has its rate in each."""
    return bits_from_bytes(
        max(transactions.out_wire_bytes(framing), transactions.in_wire_bytes(framing))
    )


class _Output(Struct, frozen=True):
    """An output with its rate and its framing, None where that is not known."""

    name: str
    at: Location
    rate: Input
    framed: Encapsulation | None


def _outputs(device: Device) -> dict[str, _Output]:
    """Outputs with a rate by the name of their interface, without the LANs of DLSw+.

    An interface with queues of several rates (PVCs, shaped classes) is left out: which of them
    takes DLSw+ is not known.
    """
    queueing = _by_name(_queueing(device))
    found = _by_name(_plain(device)) | queueing
    lan = lan_ports(device)
    return {
        name: outputs[0]
        for name, outputs in found.items()
        if name not in lan and len({output.rate.value for output in outputs}) == 1
    }


def _by_name(outputs: Iterable[_Output]) -> dict[str, list[_Output]]:
    found: dict[str, list[_Output]] = {}
    for output in outputs:
        found.setdefault(output.name, []).append(output)
    return found


def _queueing(device: Device) -> Iterator[_Output]:
    for outlet in queueing_outlets(device):
        if outlet.link is not None:
            yield _Output(outlet.attached_to, outlet.at, outlet.link, outlet.encapsulation)


def _plain(device: Device) -> Iterator[_Output]:
    """Outputs without a policy, whatever queues there."""
    for place in plain_places(device):
        interface, pvc = place.interface, place.pvc
        rate = wire_rate(interface, pvc, None)
        if rate is not None and place.point.queueing is not Queueing.VOID:
            family = device.facts.family(interface.name)
            framed = encapsulation_at(interface, family, pvc, session=False)
            yield _Output(interface.name, place.point.at, rate, framed)


def _link(
    output: _Output, peers: tuple[str, ...], backups: tuple[str, ...], part: float
) -> PeerLink:
    framed = output.framed
    low, high = (framed.low, framed.high) if framed is not None else (_IP_ONLY, _IP_ONLY)
    return picked(PeerLink, output, low=low, high=high, peers=peers, backups=backups, part=part)


def _output_to(device: Device, peer: str, outputs: Collection[str]) -> str | None:
    address = IPv4Address(peer)
    holding = [
        interface
        for interface in device.facts.interfaces
        if interface.ip_address is not None
        and address in (_network(interface.ip_address.value) or ())
    ]
    for interface in holding:
        for name in (interface.name, interface.parent):
            if name in outputs:
                return name
    return next(iter(outputs)) if len(outputs) == 1 else None


def _network(address_and_mask: str) -> IPv4Network | None:
    try:
        return IPv4Interface("/".join(address_and_mask.split()[:2])).network
    except ValueError:
        return None
