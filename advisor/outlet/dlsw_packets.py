"""Packets that DLSw+ sends to its peers over TCP, and the class that takes them.

Sources: TCP 2065, and 1981 to 1983 as well with `priority` (Cisco 7120 DLSw MIB manual); source
ports 11000 to 65025 (a post of Cisco's A. Marks, 2002-12-28); IP precedence 5 by default,
`dlsw tos map` (Cisco AVVID QoS design guide, appendix).
"""

from ipaddress import IPv4Address
from typing import Final

from msgspec.structs import replace

from advisor.facts.access_list import Ports
from advisor.facts.config import Facts
from advisor.facts.dlsw import RemotePeer, TosMap, Transport
from advisor.facts.policy import PolicyMap
from advisor.outlet.packet_class import DLSW_PORT, Packet, class_of, unread_class_maps

PRIORITY_PORTS: Final = (1981, 1982, 1983)
DEFAULT_PRECEDENCE: Final = 5
# Of a connection that this end opened, or that the peer opened to a port of DLSw+ here.
_SOURCE_PORTS: Final = (Ports(11000, 65025), Ports(DLSW_PORT, DLSW_PORT), Ports(1981, 1983))
_DSCPS_PER_PRECEDENCE: Final = 8


def precedence_of(tos: TosMap | None) -> int:
    """IP precedence of a connection without `priority`.

    It is the precedence of the high queue, which takes all packets; 0 with `dlsw tos disable`.
    """
    if tos is None:
        return DEFAULT_PRECEDENCE
    if tos.is_disabled:
        return 0
    return DEFAULT_PRECEDENCE if tos.high is None else tos.high


def tcp_peers(facts: Facts) -> tuple[RemotePeer, ...]:
    """Remote peers over TCP; none where DLSw+ is disabled."""
    if facts.dlsw.is_disabled is not None:
        return ()
    return tuple(peer for peer in facts.dlsw.remote_peers if peer.transport is Transport.TCP)


def takes_unnamed_peers(facts: Facts) -> bool:
    """Whether peers that the config does not name may connect over TCP."""
    local = facts.dlsw.local_peer
    is_open = local is not None and local.is_promiscuous and local.peer_id is not None
    return is_open and facts.dlsw.is_disabled is None


def packet_to(facts: Facts, peer: RemotePeer | None, precedence: int | None = None) -> Packet:
    """A packet of data to a peer, with the precedence that DLSw+ gives it or with another.

    A `peer` of None is a peer that the config does not name: its address is not known.
    """
    local = facts.dlsw.local_peer
    own = local.peer_id if local is not None else None
    code = precedence_of(facts.dlsw.tos) if precedence is None else precedence
    return Packet(
        "tcp",
        IPv4Address(own) if own is not None else None,
        IPv4Address(peer.peer) if peer is not None else None,
        DLSW_PORT,
        code * _DSCPS_PER_PRECEDENCE,
        _SOURCE_PORTS,
    )


def ports_of(peer: RemotePeer | None) -> tuple[int, ...]:
    """TCP ports of the connections to a peer."""
    has_priority = peer is not None and peer.options.has_priority
    return (DLSW_PORT, *(PRIORITY_PORTS if has_priority else ()))


def classes_taking(
    facts: Facts, policy: PolicyMap, peer: RemotePeer | None, precedence: int | None = None
) -> frozenset[str | None]:
    """Classes that take the packets to a peer; None stands for a class that is not known."""
    data, unread = packet_to(facts, peer, precedence), unread_class_maps(facts)
    packets = (replace(data, destination_port=port) for port in ports_of(peer))
    return frozenset(class_of(facts, policy, packet, unread) for packet in packets)
