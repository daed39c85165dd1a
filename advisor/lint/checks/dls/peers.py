"""Peers of DLSw+: one-sided, without backup, not connected, or any router at all."""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.peers import Named, Pair, PeerEnd, peer_end
from advisor.facts.config import Facts
from advisor.facts.dlsw import LocalPeer, PeerOptions, RemotePeer, Transport
from advisor.ground.quantity import count
from advisor.ground.units import ratio_from_percent
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.findings import Confidence, Level, Severity
from advisor.outlet.packet_class import DLSW_PORT, Packet, list_takes

if TYPE_CHECKING:
    from advisor.shows.dlsw import DlswPeer


# Values of a `dlsw remote-peer` line.


class PeerLine(Struct, frozen=True):
    """A peer to name. List 0 stands for all rings and bridge groups.

    `primary` is the peer that it stands in for, None where it stands in for no other. `filters`
    are options that limit what the peer carries.
    """

    list_number: int
    transport: Transport
    address: str
    primary: str | None = None
    filters: str = ""

    @property
    def words(self) -> str:
        """Return the words after `dlsw remote-peer`."""
        backup = f" backup-peer {self.primary}" if self.primary else ""
        return f"{self.list_number} {self.transport} {self.address}{backup}{self.filters}"


def filters_of(options: PeerOptions) -> str:
    """The options that keep frames from a peer, as they are entered: its backup needs them too."""
    filters = {
        "bytes-netbios-out": options.bytes_netbios_out,
        "dest-mac": options.dest_mac,
        "dmac-output-list": options.dmac_output_list,
        "host-netbios-out": options.host_netbios_out,
        "lsap-output-list": options.lsap_output_list,
    }
    return "".join(f" {word} {value}" for word, value in filters.items() if value is not None)


# A peer that only one end names: the other refuses the connection.


class OneSidedPeer(Struct, frozen=True):
    """The device that names this one, and where."""

    other: str
    peer: str
    stated_at: str
    line: PeerLine


def find_dlsw_peer_one_sided(device: Device) -> Found[OneSidedPeer]:
    """Yield a hit for each device of the run that names this device, which does not name it."""
    end = peer_end(device.facts, device.name, device.seen)
    if end is None or end.is_promiscuous:
        return
    own_peers = end.addresses
    for other in device.fleet.naming(end.peer_id):
        if other.peer_id in own_peers:
            continue
        naming = next(statement for statement in other.named if statement.address == end.peer_id)
        line = PeerLine(0, naming.transport, other.peer_id)
        evidence = OneSidedPeer(other.device, other.peer_id, str(naming.at), line)
        yield Hit(f"dlsw peer {other.peer_id}", (end.at,), evidence, Confidence.CERTAIN)


# A peer with one head end only, where redundancy is meant: a failure takes the site down.


class LoneHeadEnd(Struct, frozen=True):
    """The named head end, the missing one, and the reason why both are expected."""

    peer: str
    partner: str
    because: str
    line: PeerLine


def find_dlsw_peer_without_backup(device: Device) -> Found[LoneHeadEnd]:
    """Yield a hit for each head end whose backup is not named."""
    end = peer_end(device.facts, device.name, device.seen)
    if end is None:
        return
    covered = {named_peer.backup_of for named_peer in end.named if named_peer.backup_of is not None}
    for named_peer in end.named:
        pair = _lacking(device, end, named_peer)
        if pair is not None and _is_primary(end, named_peer) and named_peer.address not in covered:
            yield _hit(device, end, named_peer, pair)


def _is_primary(end: PeerEnd, named_peer: Named) -> bool:
    """Whether the peer waits for no other; a backup whose primary is not named counts too."""
    if named_peer.backup_of is None:
        return True
    return named_peer.backup_of not in {
        "",
        *end.addresses,
    }  # "" where the statement names no primary


def _lacking(device: Device, end: PeerEnd, named_peer: Named) -> Pair | None:
    """A pair of the peer whose other half is neither named nor this device."""
    present_addresses = end.addresses | {end.peer_id}
    pairs = device.fleet.pairs.get(named_peer.address, ())
    possible = device.fleet.possible_pairs.get(named_peer.address)
    if possible is not None:
        pairs = pairs or (possible,)
    if any(pair.partner(named_peer.address) in end.addresses for pair in pairs):
        return None
    return next(
        (pair for pair in pairs if pair.partner(named_peer.address) not in present_addresses), None
    )


def _hit(device: Device, end: PeerEnd, named_peer: Named, pair: Pair) -> Hit[LoneHeadEnd]:
    partner = pair.partner(named_peer.address)
    peer = next(
        remote_peer
        for remote_peer in device.facts.dlsw.remote_peers
        if remote_peer.peer == named_peer.address
    )
    is_backup = (pair.is_stated or pair.backups > 0) and named_peer.backup_of is None
    primary = named_peer.address if is_backup else None
    line = PeerLine(
        peer.list_number, named_peer.transport, partner, primary, filters_of(peer.options)
    )
    evidence = LoneHeadEnd(named_peer.address, partner, _because(device, pair), line)
    is_of_one = pair.devices == 1 and not pair.is_stated and not pair.backups
    likely = Confidence.POSSIBLE if is_of_one else Confidence.LIKELY
    return Hit(
        f"dlsw peer {named_peer.address}",
        (named_peer.at,),
        evidence,
        Confidence.CERTAIN if pair.is_stated else likely,
        severity=Severity.INFO if is_of_one else None,
        level=None if is_backup else Level.NEEDS_WINDOW,  # an equal peer takes circuits at once
        curable=not _refuses(device.fleet.end(partner), end),
        advice=_backup_advice(device.fleet.end(partner), end, line),
    )


def _refuses(partner: PeerEnd | None, end: PeerEnd) -> bool:
    """Whether a head end of the run takes no connection from this peer."""
    return partner is not None and not (partner.is_promiscuous or end.peer_id in partner.addresses)


def _backup_advice(partner: PeerEnd | None, end: PeerEnd, line: PeerLine) -> str | None:
    """Name the lines that the missing head end needs: the line here alone connects to nobody."""
    if partner is None:
        return f"{line.address} must accept it: `dlsw remote-peer` or promiscuous there"
    if not _refuses(partner, end):
        return None
    there = PeerLine(0, line.transport, end.peer_id)
    return (
        f"enter `dlsw remote-peer {there.words}` on {partner.device} first, which does not take "
        f"this peer yet, then `dlsw remote-peer {line.words}` here"
    )


def _because(device: Device, pair: Pair) -> str:
    if pair.is_stated:
        return f"{device.fleet.design.peers_source} states that they back each other up"
    others = f"{pair.devices} other device{'s' if pair.devices > 1 else ''} of the run"
    return f"{others} peer{'' if pair.devices > 1 else 's'} with both"


# Peers that were not connected, dropped packets, or had a full TCP queue.

_UP = "CONNECT"
_PRIMARY_UNREAD = "its primary may be in a row of show dlsw peers that is not understood"


class PeerFaultsParams(Struct, frozen=True):
    """Share of a queue that counts as nearly full; its default length, as two documents give it."""

    queue_percent: float
    default_queue_low_packets: int
    default_queue_high_packets: int


class PeerFaults(Struct, frozen=True):
    """The peer and the faults seen on it."""

    peer: str
    seen: str


def find_dlsw_peer_down_observed(device: Device, params: PeerFaultsParams) -> Found[PeerFaults]:
    """Yield a hit for each peer with a fault in the latest table that shows it."""
    latest = {peer.peer: peer for table in device.seen.dlsw_peers for peer in table.peers}
    configured_peers = {
        remote_peer.peer: remote_peer for remote_peer in device.facts.dlsw.remote_peers
    }
    is_whole = all(table.is_whole for table in device.seen.dlsw_peers)
    for observed in latest.values():
        peer = configured_peers.get(observed.peer)
        if not is_whole and _waits(observed, peer, latest):
            yield Skip(f"dlsw peer {observed.peer}", _PRIMARY_UNREAD)
            continue
        signs, is_sure = _signs(observed, peer, params, up=_connected(latest))
        if signs:
            evidence = PeerFaults(observed.peer, "; ".join(signs))
            at = (observed.at, *((peer.at,) if peer is not None else ()))
            confidence = Confidence.CERTAIN if is_sure else Confidence.POSSIBLE
            yield Hit(f"dlsw peer {observed.peer}", at, evidence, confidence)


def _waits(observed: DlswPeer, peer: RemotePeer | None, latest: dict[str, DlswPeer]) -> bool:
    """Whether a peer that is down is the backup of one whose row is not there."""
    backup_of = peer.backup_of if peer is not None else None
    return observed.state != _UP and backup_of is not None and backup_of not in latest


def _connected(peers: dict[str, DlswPeer]) -> frozenset[str]:
    return frozenset(name for name, peer in peers.items() if peer.state == _UP)


def _signs(
    observed: DlswPeer,
    peer: RemotePeer | None,
    params: PeerFaultsParams,
    *,
    up: frozenset[str],
) -> tuple[list[str], bool]:
    """The faults in words, and whether they are certain."""
    signs = []
    if observed.state != _UP and not _may_be_down(peer, up):
        signs.append(f"{observed.state}, not {_UP}")
    if observed.drops_packets:
        signs.append(count(observed.drops_packets, "drop"))
    queue, is_sure = _queue(observed, peer, params)
    return [*signs, *queue], is_sure or bool(signs)


def _may_be_down(peer: RemotePeer | None, up: frozenset[str]) -> bool:
    """A backup waits for its primary to fail, a dynamic peer for traffic."""
    if peer is None:
        return False
    return peer.options.is_dynamic or (peer.backup_of is not None and peer.backup_of in up)


def _queue(
    observed: DlswPeer, peer: RemotePeer | None, params: PeerFaultsParams
) -> tuple[list[str], bool]:
    depth = observed.tcp_queue_packets
    stated = peer.options.tcp_queue_max_packets if peer is not None else None
    low, high = params.default_queue_low_packets, params.default_queue_high_packets
    low, high = (stated, stated) if stated is not None else (low, high)
    near = ratio_from_percent(params.queue_percent)
    if depth is None or depth < near * low:
        return [], False
    most = f"{high}" if low == high else f"{low} to {high} by default"
    queued = f"{count(depth, 'packet')} in its TCP queue, whose limit is {most}"
    return [queued], depth >= near * high


# A local peer that accepts any router as a peer.


class OpenPeer(Struct, frozen=True):
    """The local peer, and the routers that are known to use it."""

    peer_id: str


def find_dlsw_promiscuous_open(device: Device) -> Found[OpenPeer]:
    """Yield one hit where nothing restricts who may peer."""
    local, end = device.facts.dlsw.local_peer, peer_end(device.facts, device.name, device.seen)
    if local is None or end is None or not local.is_promiscuous:
        return
    if _is_restricted(device.facts) or _is_filtered(device.facts, end.peer_id):
        return
    naming = {other.peer_id for other in device.fleet.naming(end.peer_id)}
    addresses = sorted((naming | set(end.seen)) - end.addresses)
    statements = (
        _named_only(local),
        *(f"dlsw remote-peer 0 tcp {address}" for address in addresses),
    )
    yield Hit(
        "dlsw local-peer",
        (local.at,),
        OpenPeer(end.peer_id),
        Confidence.CERTAIN,
        advice=_open_peer_advice(end, statements, addresses),
    )


def _is_restricted(facts: Facts) -> bool:
    """Whether the defaults of promiscuous peers limit the destinations that they reach."""
    all_options = (defaults.options for defaults in facts.dlsw.promiscuous_defaults)
    return any(
        (
            options.lsap_output_list
            or options.dmac_output_list
            or options.dest_mac
            or options.host_netbios_out
        )
        for options in all_options
    )


def _is_filtered(facts: Facts, peer_id: str) -> bool:
    """Whether an access list of an input lets DLSw+ in from some addresses only."""
    packet = Packet("tcp", None, IPv4Address(peer_id), DLSW_PORT, 0)
    up = (interface for interface in facts.interfaces if not interface.shutdown)
    inputs = {interface.access_group_in.value for interface in up if interface.access_group_in}
    return any(facts.access_list(name) and not list_takes(facts, name, packet) for name in inputs)


def _named_only(local: LocalPeer) -> str:
    """The statement without `promiscuous`, its other words unchanged."""
    words: list[object] = ["dlsw local-peer", "peer-id", local.peer_id]
    for word, value in (
        ("group", local.group),
        ("cost", local.cost),
        ("cluster", local.cluster),
        ("lf", local.lf_bytes),
        ("keepalive", local.keepalive_s),
        ("init-pacing-window", local.init_pacing_window_frames),
        ("max-pacing-window", local.max_pacing_window_frames),
    ):
        words += [] if value is None else [word, value]
    for word, is_set in (
        ("border", local.is_border),
        ("passive", local.is_passive),
        ("biu-segment", local.has_biu_segment),
    ):
        words += [word] if is_set else []
    return " ".join(str(word) for word in words)


def _open_peer_advice(end: PeerEnd, statements: tuple[str, ...], addresses: list[str]) -> str:
    if not addresses and not end.named:
        return (
            "name the peers and remove the word promiscuous, or permit TCP 2065 only from "
            "their addresses by an access list"
        )
    lines = ", ".join(f"`{statement}`" for statement in statements)
    return (
        f"in a window enter {lines}, then every `dlsw remote-peer` again: take all circuits for "
        "lost, because no source says what IOS keeps of them; a router that is in neither this "
        "run nor `show dlsw peers` loses its peer: name it too"
    )
