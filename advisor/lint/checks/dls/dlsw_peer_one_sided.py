"""A peer that only one end names: the other refuses the connection."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.peers import peer_end
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.dls.shared.peer_line import PeerLine
from advisor.lint.findings import Confidence, ObjectKind


class Evidence(Struct, frozen=True):
    """The device that names this one, and where."""

    other: str
    peer: str
    stated_at: str
    line: PeerLine


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each device of the run that names this device, which does not name it."""
    del params
    end = peer_end(device.facts, device.name, device.seen)
    if end is None or end.is_promiscuous:
        return
    own_peers = end.addresses
    for other in device.fleet.naming(end.peer_id):
        if other.peer_id in own_peers:
            continue
        naming = next(statement for statement in other.named if statement.address == end.peer_id)
        line = PeerLine(0, naming.transport, other.peer_id)
        evidence = Evidence(other.device, other.peer_id, str(naming.at), line)
        yield Hit(f"dlsw peer {other.peer_id}", (end.at,), evidence, Confidence.CERTAIN)


CHECK = Check(NoParams, Evidence, find, object_kind=ObjectKind.NAME)
