"""A local peer that accepts any router as a peer."""

from collections.abc import Iterator
from ipaddress import IPv4Address

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.peers import PeerEnd, peer_end
from advisor.facts.config import Facts
from advisor.facts.dlsw import LocalPeer
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, ObjectKind
from advisor.outlet.packet_class import DLSW_PORT, Packet, list_takes


class Evidence(Struct, frozen=True):
    """The local peer, and the routers that are known to use it."""

    peer_id: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit where nothing restricts who may peer."""
    del params
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
        Evidence(end.peer_id),
        Confidence.CERTAIN,
        advice=_advice(end, statements, addresses),
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


def _advice(end: PeerEnd, statements: tuple[str, ...], addresses: list[str]) -> str:
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


CHECK = Check(NoParams, Evidence, find, object_kind=ObjectKind.NAME)
