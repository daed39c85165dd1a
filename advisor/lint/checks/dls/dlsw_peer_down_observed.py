"""Peers that were not connected, dropped packets, or had a full TCP queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.dlsw import RemotePeer
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence
from advisor.units import ratio_from_percent

if TYPE_CHECKING:
    from advisor.shows.dlsw.records import DlswPeer

_UP = "CONNECT"


class Params(Struct, frozen=True):
    """How full a queue is near its end; its length by default, which documents give twice."""

    queue_percent: float
    default_queue_low_packets: int
    default_queue_high_packets: int


class Evidence(Struct, frozen=True):
    """The peer and what was seen of it."""

    peer: str
    seen: str


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each peer that is not well, by the latest table that shows it."""
    latest = {each.peer: each for table in device.seen.dlsw_peers for each in table.peers}
    named = {each.peer: each for each in device.facts.dlsw.remote_peers}
    for seen in latest.values():
        peer = named.get(seen.peer)
        signs, is_sure = _signs(seen, peer, params, up=_connected(latest))
        if signs:
            evidence = Evidence(seen.peer, " and ".join(signs))
            at = (seen.at, *((peer.at,) if peer is not None else ()))
            confidence = Confidence.CERTAIN if is_sure else Confidence.POSSIBLE
            yield Hit(f"dlsw peer {seen.peer}", at, evidence, confidence)


def _connected(peers: dict[str, DlswPeer]) -> frozenset[str]:
    return frozenset(name for name, each in peers.items() if each.state == _UP)


def _signs(
    seen: DlswPeer, peer: RemotePeer | None, params: Params, *, up: frozenset[str]
) -> tuple[list[str], bool]:
    """What is wrong, in words; whether that is sure."""
    signs = []
    if seen.state != _UP and not _may_be_down(peer, up):
        signs.append(f"{seen.state}, not {_UP}")
    if seen.drops_packets:
        signs.append(f"{seen.drops_packets} drops")
    queue, is_sure = _queue(seen, peer, params)
    return [*signs, *queue], is_sure or bool(signs)


def _may_be_down(peer: RemotePeer | None, up: frozenset[str]) -> bool:
    """A backup waits for its primary to fail, a dynamic peer for traffic."""
    if peer is None:
        return False
    return peer.options.is_dynamic or (peer.backup_of is not None and peer.backup_of in up)


def _queue(seen: DlswPeer, peer: RemotePeer | None, params: Params) -> tuple[list[str], bool]:
    depth = seen.tcp_queue_packets
    stated = peer.options.tcp_queue_max_packets if peer is not None else None
    low, high = params.default_queue_low_packets, params.default_queue_high_packets
    low, high = (stated, stated) if stated is not None else (low, high)
    near = ratio_from_percent(params.queue_percent)
    if depth is None or depth < near * low:
        return [], False
    most = f"{high}" if low == high else f"{low} to {high} by default"
    return [f"{depth} packets in its TCP queue of {most}"], depth >= near * high


CHECK = Check(Params, Evidence, find, wants=("show dlsw peers",))
