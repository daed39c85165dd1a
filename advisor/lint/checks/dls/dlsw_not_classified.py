"""DLSw+ in the best-effort class of a congested link: its sessions time out first."""

from collections.abc import Iterator
from ipaddress import IPv4Address
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import Facts
from advisor.facts.dlsw import RemotePeer
from advisor.facts.policy import CLASS_DEFAULT
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.dls.shared.new_share import NewShare, new_share
from advisor.lint.findings import Confidence
from advisor.outlet.measured import congestion_signs
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.packet_class import classes_taking, takes_unnamed_peers, tcp_peers
from advisor.quantity import Unknown

_NAME: Final = "DLSW"


class Params(Struct, frozen=True):
    """Load that counts as congestion, and the share of the link for the new class."""

    load_percent: float
    bandwidth_percent: float


class Evidence(Struct, frozen=True):
    """The policy, the signs of congestion, and the name and share of the new class."""

    policy_map: str
    signs: str
    name: str
    share: NewShare | None


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each congested output whose class-default takes DLSw+."""
    peers = tcp_peers(device.facts)
    if not peers and not takes_unnamed_peers(device.facts):
        return
    outlets_by_label = {outlet.policy_label: outlet for outlet in reversed(outlets(device))}
    for label, outlet in reversed(outlets_by_label.items()):
        observed = device.seen.interface(outlet.interface.parent or outlet.interface.name)
        signs = congestion_signs(observed, params.load_percent) if observed is not None else []
        if observed is None or not signs:
            continue
        peer = _peer_behind(outlet, peers)
        to = peer or next(iter(peers), None)
        taking = classes_taking(device.facts, outlet.queueing, to)
        if CLASS_DEFAULT in taking:
            is_sure = peer is not None or len(outlets_by_label) == 1
            yield _hit(device, outlet, signs, params, (observed.at, is_sure))
        elif None in taking:
            yield Skip(label, "which class takes DLSw+ is not known")


def _peer_behind(outlet: Outlet, peers: tuple[RemotePeer, ...]) -> RemotePeer | None:
    """A peer in the subnet of the output: the output certainly leads to it."""
    address = outlet.interface.address
    if address is None:
        return None
    return next((peer for peer in peers if IPv4Address(peer.peer) in address.network), None)


def _hit(
    device: Device, outlet: Outlet, signs: list[str], params: Params, place: tuple[Location, bool]
) -> Hit[Evidence]:
    at, is_sure = place
    share = new_share(device, outlet.queueing, params.bandwidth_percent)
    name = _free_name(device.facts)
    known = None if isinstance(share, Unknown) else share
    advice = f"give DLSw+ a class: {share.reason}" if isinstance(share, Unknown) else share.why_less
    evidence = Evidence(outlet.queueing.name, " and ".join(signs), name, known)
    return Hit(
        outlet.policy_label,
        (outlet.at, at),
        evidence,
        Confidence.LIKELY if is_sure else Confidence.POSSIBLE,
        curable=known is not None,
        advice=advice,
    )


def _free_name(facts: Facts) -> str:
    number, name = 1, _NAME
    while facts.class_map(name) is not None or facts.access_list(name) is not None:
        number += 1
        name = f"{_NAME}-{number}"
    return name


CHECK = Check(Params, Evidence, find)
