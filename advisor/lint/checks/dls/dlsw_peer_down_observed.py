"""Peers that were not connected, dropped packets, or had a full TCP queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.dlsw import RemotePeer
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, ObjectKind
from advisor.quantity import count
from advisor.units import ratio_from_percent

if TYPE_CHECKING:
    from advisor.shows.dlsw.records import DlswPeer

_UP = "CONNECT"
_PRIMARY_UNREAD = "its primary may be in a row of show dlsw peers that is not understood"


class Params(Struct, frozen=True):
    """Share of a queue that counts as nearly full; its default length, as two documents give it."""

    queue_percent: float
    default_queue_low_packets: int
    default_queue_high_packets: int


class Evidence(Struct, frozen=True):
    """The peer and the faults seen on it."""

    peer: str
    seen: str


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
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
            evidence = Evidence(observed.peer, "; ".join(signs))
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
    observed: DlswPeer, peer: RemotePeer | None, params: Params, *, up: frozenset[str]
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


def _queue(observed: DlswPeer, peer: RemotePeer | None, params: Params) -> tuple[list[str], bool]:
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


CHECK = Check(
    Params,
    Evidence,
    find,
    is_measured=True,
    object_kind=ObjectKind.NAME,
)
