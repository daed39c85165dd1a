"""DLSw+ in the best-effort class of a congested link: its sessions time out first."""

from collections.abc import Iterator
from ipaddress import IPv4Address
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import Facts
from advisor.facts.dlsw import RemotePeer
from advisor.facts.policy import CLASS_DEFAULT, PolicyMap, Unit
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence
from advisor.outlet.congestion import congestion_signs
from advisor.outlet.dlsw_packets import classes_taking, takes_unnamed_peers, tcp_peers
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.units import kbps_from_bps, ratio_from_percent

_NAME: Final = "DLSW"


class Params(Struct, frozen=True):
    """Load that counts as congestion, and the share of the link for the new class."""

    load_percent: float
    bandwidth_percent: float


class Evidence(Struct, frozen=True):
    """The policy, the signs of congestion, and the name and bandwidth of the new class."""

    policy_map: str
    signs: str
    name: str
    bandwidth: str


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
            yield _hit(device.facts, outlet, signs, params, (observed.at, is_sure))
        elif None in taking:
            yield Skip(label, "which class takes DLSw+ is not known")


def _peer_behind(outlet: Outlet, peers: tuple[RemotePeer, ...]) -> RemotePeer | None:
    """A peer in the subnet of the output: the output certainly leads to it."""
    address = outlet.interface.address
    if address is None:
        return None
    return next((peer for peer in peers if IPv4Address(peer.peer) in address.network), None)


def _hit(
    facts: Facts, outlet: Outlet, signs: list[str], params: Params, place: tuple[Location, bool]
) -> Hit[Evidence]:
    at, is_sure = place
    bandwidth = _bandwidth(outlet, params)
    evidence = Evidence(
        outlet.queueing.name, " and ".join(signs), _free_name(facts), bandwidth or ""
    )
    return Hit(
        outlet.policy_label,
        (outlet.at, at),
        evidence,
        Confidence.LIKELY if is_sure else Confidence.POSSIBLE,
        curable=bandwidth is not None,
        advice=None if bandwidth is not None else "give DLSw+ a class: the rate is not known",
    )


def _bandwidth(outlet: Outlet, params: Params) -> str | None:
    """Share of DLSw+ in the unit of the other classes: IOS refuses mixed units."""
    unit = _unit(outlet.queueing)
    if unit is Unit.REMAINING_PERCENT:
        return f"bandwidth remaining percent {params.bandwidth_percent:g}"
    if unit is Unit.PERCENT:
        return f"bandwidth percent {params.bandwidth_percent:g}"
    base_bps = outlet.admission_bps
    if base_bps is None:
        return None
    share_bps = base_bps * ratio_from_percent(params.bandwidth_percent)
    return f"bandwidth {max(8, int(kbps_from_bps(share_bps)))}"


def _unit(policy: PolicyMap) -> Unit:
    units = [
        policy_class.bandwidth.unit
        for policy_class in policy.classes
        if policy_class.bandwidth is not None
    ]
    units += [
        policy_class.priority.unit
        for policy_class in policy.classes
        if policy_class.priority is not None
    ]
    return next(iter(units), Unit.KBPS)


def _free_name(facts: Facts) -> str:
    number, name = 1, _NAME
    while facts.class_map(name) is not None or facts.access_list(name) is not None:
        number += 1
        name = f"{_NAME}-{number}"
    return name


CHECK = Check(Params, Evidence, find, wants=("show interfaces",))
