"""A peer with one head end only, where redundancy is meant: a failure takes the site down."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.peers import Named, Pair, PeerEnd, peer_end
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Level


class Evidence(Struct, frozen=True):
    """The head end that is named, the one that is not, and what says that both are meant."""

    peer: str
    partner: str
    because: str
    section: tuple[str, ...]
    statements: tuple[str, ...]


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each head end without the one that backs it up."""
    del params
    end = peer_end(device.facts, device.name, device.seen)
    if end is None:
        return
    covered = {each.backup_of for each in end.named if each.backup_of is not None}
    for named in end.named:
        pair = _lacking(device, end, named)
        if pair is not None and _is_primary(end, named) and named.address not in covered:
            yield _hit(device, end, named, pair)


def _is_primary(end: PeerEnd, named: Named) -> bool:
    """Whether it waits for no other peer; a backup whose primary is not named is alone, too."""
    if named.backup_of is None:
        return True
    return named.backup_of not in {"", *end.addresses}  # "" where the statement names no primary


def _lacking(device: Device, end: PeerEnd, named: Named) -> Pair | None:
    """A pair of the peer whose other half is neither named nor this device."""
    known = end.addresses | {end.peer_id}
    pairs = device.fleet.pairs.get(named.address, ())
    if any(pair.partner(named.address) in end.addresses for pair in pairs):
        return None
    return next((pair for pair in pairs if pair.partner(named.address) not in known), None)


def _hit(device: Device, end: PeerEnd, named: Named, pair: Pair) -> Hit[Evidence]:
    partner = pair.partner(named.address)
    peer = next(each for each in device.facts.dlsw.remote_peers if each.peer == named.address)
    words = f"dlsw remote-peer {peer.list_number} {named.transport} {partner}"
    is_backup = (pair.is_stated or pair.backups > 0) and named.backup_of is None
    statement = f"{words} backup-peer {named.address}" if is_backup else words
    evidence = Evidence(named.address, partner, _because(device, pair), (), (statement,))
    there = device.fleet.end(partner)
    accepts = there is not None and (there.is_promiscuous or end.peer_id in there.addresses)
    who = f"{there.device} ({partner})" if there is not None else partner
    return Hit(
        f"dlsw peer {named.address}",
        (named.at,),
        evidence,
        Confidence.CERTAIN if pair.is_stated else Confidence.LIKELY,
        level=None if is_backup else Level.NEEDS_WINDOW,  # an equal peer takes circuits at once
        advice=None
        if accepts
        else f"{who} must accept it: `dlsw remote-peer` or promiscuous there",
    )


def _because(device: Device, pair: Pair) -> str:
    if pair.is_stated:
        return f"{device.fleet.design.source} states that they back each other up"
    many = f"{pair.devices} other device{'s' if pair.devices > 1 else ''} of the run"
    return f"{many} peer{'' if pair.devices > 1 else 's'} with both"


CHECK = Check(NoParams, Evidence, find)
