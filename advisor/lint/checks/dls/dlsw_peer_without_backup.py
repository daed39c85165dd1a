"""A peer with one head end only, where redundancy is meant: a failure takes the site down."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.peers import Named, Pair, PeerEnd, peer_end
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.dls.shared.peer_line import PeerLine, filters_of
from advisor.lint.findings import Confidence, Level, ObjectKind


class Evidence(Struct, frozen=True):
    """The named head end, the missing one, and the reason why both are expected."""

    peer: str
    partner: str
    because: str
    line: PeerLine


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each head end whose backup is not named."""
    del params
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
    if any(pair.partner(named_peer.address) in end.addresses for pair in pairs):
        return None
    return next(
        (pair for pair in pairs if pair.partner(named_peer.address) not in present_addresses), None
    )


def _hit(device: Device, end: PeerEnd, named_peer: Named, pair: Pair) -> Hit[Evidence]:
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
    evidence = Evidence(named_peer.address, partner, _because(device, pair), line)
    return Hit(
        f"dlsw peer {named_peer.address}",
        (named_peer.at,),
        evidence,
        Confidence.CERTAIN if pair.is_stated else Confidence.LIKELY,
        level=None if is_backup else Level.NEEDS_WINDOW,  # an equal peer takes circuits at once
        curable=not _refuses(device.fleet.end(partner), end),
        advice=_advice(device.fleet.end(partner), end, line),
    )


def _refuses(partner: PeerEnd | None, end: PeerEnd) -> bool:
    """Whether a head end of the run takes no connection from this peer."""
    return partner is not None and not (partner.is_promiscuous or end.peer_id in partner.addresses)


def _advice(partner: PeerEnd | None, end: PeerEnd, line: PeerLine) -> str | None:
    """What the missing head end needs: the line here alone connects to nobody."""
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


CHECK = Check(NoParams, Evidence, find, object_kind=ObjectKind.NAME)
