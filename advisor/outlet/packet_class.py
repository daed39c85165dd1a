"""Which class of a policy takes a packet, as far as the config proves it.

A match is true, false, or None where the config does not decide; None is never taken for either.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts import AccessEntry, Ports
from advisor.facts.config import Facts
from advisor.facts.dlsw import RemotePeer, TosMap, Transport
from advisor.facts.policy import CLASS_DEFAULT, ClassMap, Match, PolicyMap

_DSCPS_PER_PRECEDENCE: Final = 8
_DEEPEST_NESTING: Final = 100
_TRANSPORTS: Final = ("icmp", "udp", "tcp")
_WILDCARD_WORDS: Final = 2
DLSW_PORT: Final = 2065  # NBAR recognizes DLSw+ by this port


class Packet(Struct, frozen=True):
    """The known fields of a packet. `protocol` is icmp, udp or tcp; None: it is not known.

    `source_ports` are those that it may have; empty: any.
    """

    protocol: str | None
    source: IPv4Address | None
    destination: IPv4Address | None
    destination_port: int | None
    dscp: int
    source_ports: tuple[Ports, ...] = ()


def class_of(facts: Facts, policy: PolicyMap, packet: Packet) -> str | None:
    """Name of the first class that takes the packet; None where that is not known.

    `unread` are the class-maps of `unread_class_maps`.
    """
    for policy_class in policy.classes:
        if policy_class.is_default:
            continue
        taken = _matches(facts, facts.class_map(policy_class.name), packet, 0)
        if taken is None:
            return None
        if taken:
            return policy_class.name
    return CLASS_DEFAULT


def _matches(facts: Facts, class_map: ClassMap | None, packet: Packet, depth: int) -> bool | None:
    if class_map is None or not class_map.matches or depth > _DEEPEST_NESTING:
        return None
    verdicts = [_match(facts, match, packet, depth) for match in class_map.matches]
    if class_map.name in facts.unread_class_maps:
        verdicts.append(None)
    return _all(verdicts) if class_map.match_all else _any(verdicts)


def _all(verdicts: Iterable[bool | None]) -> bool | None:
    verdicts = tuple(verdicts)
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _any(verdicts: Iterable[bool | None]) -> bool | None:
    verdicts = tuple(verdicts)
    if True in verdicts:
        return True
    return None if None in verdicts else False


def _match(facts: Facts, match: Match, packet: Packet, depth: int) -> bool | None:
    verdict = _positive(facts, match, packet, depth)
    return verdict if verdict is None or not match.negated else not verdict


def _positive(facts: Facts, match: Match, packet: Packet, depth: int) -> bool | None:
    """Verdict of a match without its `not`; None for kinds that a probe does not decide."""
    value = match.values[0] if match.values else ""
    if match.kind == "protocol":
        return _matches_protocol(value.lower(), packet)
    if match.kind == "access-group":
        return list_takes(facts, value, packet)
    if match.kind == "class-map":
        return _matches(facts, facts.class_map(value), packet, depth + 1)
    if match.kind == "rtp":
        return None if packet.protocol in ("udp", None) else False
    precedence = packet.dscp // _DSCPS_PER_PRECEDENCE
    by_header = {
        "any": True,
        "dscp": str(packet.dscp) in match.values,
        "precedence": str(precedence) in match.values,
    }
    return by_header.get(match.kind)


def _matches_protocol(name: str, packet: Packet) -> bool | None:
    """Verdict of NBAR: None where it reads the content of a packet; ICMP is no application."""
    if name == "ip":
        return True
    if packet.protocol is None:
        return None
    if name in _TRANSPORTS:
        return name == packet.protocol
    if name == "rtp":
        return None if packet.protocol == "udp" else False
    if name == "dlsw" and packet.protocol == "tcp" and packet.destination_port == DLSW_PORT:
        return True
    return False if packet.protocol == "icmp" else None


def list_takes(facts: Facts, name: str, packet: Packet) -> bool | None:
    """Verdict of the first entry that takes the packet; False for the implicit deny at the end.

    An entry that may take the packet leaves the verdict open only where a later one differs.
    """
    access_list = facts.access_list(name)
    if access_list is None or not access_list.entries:
        return None
    verdicts: set[bool] = set()
    for entry in access_list.entries:
        taken = _takes(entry, packet)
        if taken is not False:
            verdicts.add(entry.permit)
        if taken:
            break
    else:
        verdicts |= {False}
    return verdicts.pop() if len(verdicts) == 1 else None


def _takes(entry: AccessEntry, packet: Packet) -> bool | None:
    if not entry.understood:
        return None
    verdicts = [
        _same_protocol(entry.protocol, packet.protocol),
        _covers(entry.source, packet.source),
        _covers(entry.destination, packet.destination),
        _in_ports(entry.destination_ports, packet.destination_port),
        _may_come_from(entry.source_ports, packet.source_ports),
        entry.dscp is None or entry.dscp == packet.dscp,
        entry.precedence is None or entry.precedence == packet.dscp // _DSCPS_PER_PRECEDENCE,
        None if entry.narrowed_by else True,
    ]
    return _all(verdicts)


def _same_protocol(wanted: str, protocol: str | None) -> bool | None:
    if wanted == "ip":
        return True
    return None if protocol is None else wanted == protocol


def _in_ports(wanted: tuple[Ports, ...], port: int | None) -> bool | None:
    if not wanted:
        return True
    return None if port is None else any(ports.low <= port <= ports.high for ports in wanted)


def _may_come_from(wanted: tuple[Ports, ...], possible: tuple[Ports, ...]) -> bool | None:
    """True where any source port will do, False where the packet has none of those wanted."""
    if not wanted:
        return True
    meets = any(
        ours.low <= own.high and own.low <= ours.high for ours in wanted for own in possible
    )
    return None if meets or not possible else False


def _covers(spec: str, address: IPv4Address | None) -> bool | None:
    """Whether `any`, `host A` or `A wildcard` covers an address."""
    words = spec.split()
    if words == ["any"]:
        return True
    if address is None:
        return None
    try:
        if words[0] == "host":
            return IPv4Address(words[1]) == address
        if len(words) != _WILDCARD_WORDS:
            return None
        base, wildcard = (int(IPv4Address(word)) for word in words)
    except (ValueError, IndexError):
        return None
    return (base ^ int(address)) & ~wildcard == 0


# Packets that DLSw+ sends to its peers over TCP, and the class that takes them.
#
# Sources: TCP 2065, and 1981 to 1983 as well with `priority` (Cisco 7120 DLSw MIB manual); source
# ports 11000 to 65025 (a post of Cisco's A. Marks, 2002-12-28); IP precedence 5 by default, `dlsw
# tos map` (Cisco AVVID QoS design guide, appendix).

PRIORITY_PORTS: Final = (1981, 1982, 1983)
DEFAULT_PRECEDENCE: Final = 5
# Source ports of a connection that this end opened, or that the peer opened to DLSw+ here.
_SOURCE_PORTS: Final = (Ports(11000, 65025), Ports(DLSW_PORT, DLSW_PORT), Ports(1981, 1983))


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
    data = packet_to(facts, peer, precedence)
    packets = (replace(data, destination_port=port) for port in ports_of(peer))
    return frozenset(class_of(facts, policy, packet) for packet in packets)
