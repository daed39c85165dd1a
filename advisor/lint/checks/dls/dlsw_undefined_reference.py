"""DLSw+ statements that name a list, a local peer or a bridge group that is not defined."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.peers import peers_over_ip
from advisor.facts.config import Facts
from advisor.facts.dlsw import ListKind, PeerDefaults, RemotePeer
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.missing import ACCESS_LISTS, Name, missing
from advisor.units import whole

_LOCAL_PEER: Final = ("dlsw local-peer",)
_LISTS: Final = ("dlsw ring-list", "dlsw bgroup-list", "dlsw port-list")


class Evidence(Struct, frozen=True):
    """The missing definition and the statement that names it."""

    statement: str
    target: str


class _Reference(Struct, frozen=True):
    """A statement and the command that it misses; `words` where other commands serve too.

    `heads` are the commands that define what it names.
    """

    statement: str
    target: str
    at: Location
    defined: Collection[object]
    heads: tuple[str, ...]
    words: str | None = None


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each reference without its definition."""
    del params
    for reference in _undefined(device.facts):
        evidence = Evidence(reference.statement, reference.words or reference.target)
        defined = [str(name) for name in reference.defined]
        label = f"dlsw > {reference.target}"
        name = Name(reference.target, reference.heads, defined, label, reference.at)
        yield missing(device, name, evidence)


def _undefined(facts: Facts) -> Iterator[_Reference]:
    yield from _without_local_peer(facts)
    lists = {peer_list.number for peer_list in facts.dlsw.lists}
    targets: set[str] = set()
    for reference in (*_of_peers(facts.dlsw.remote_peers, lists), *_of_options(facts)):
        if reference.target not in targets:
            targets.add(reference.target)
            yield reference
    yield from _groups(facts)


def _without_local_peer(facts: Facts) -> Iterator[_Reference]:
    """Every peer needs a local peer; a peer over IP also needs the address of it."""
    local, peers = facts.dlsw.local_peer, facts.dlsw.remote_peers
    over_ip = next(peers_over_ip(peers), None)
    if peers and local is None:
        target = "dlsw local-peer"
        yield _Reference(_statement(peers[0]), target, peers[0].at, (), _LOCAL_PEER)
    elif over_ip is not None and local is not None and local.peer_id is None:
        target = "dlsw local-peer peer-id"
        yield _Reference(_statement(over_ip), target, over_ip.at, ("local-peer",), _LOCAL_PEER)


def _of_peers(peers: Iterable[RemotePeer], lists: set[int]) -> Iterator[_Reference]:
    for peer in peers:
        if peer.list_number != 0 and peer.list_number not in lists:
            number = peer.list_number
            words = f"ring-list, bgroup-list or port-list {number}"
            target = f"dlsw ring-list {number}"
            yield _Reference(_statement(peer), target, peer.at, lists, _LISTS, words)


def _of_options(facts: Facts) -> Iterator[_Reference]:
    """Lists that the options of peers name, and the defaults of peers that are not configured."""
    dlsw, access_lists = facts.dlsw, facts.access_list_names
    ports = {peer_list.number for peer_list in dlsw.lists if peer_list.kind is ListKind.PORTS}
    stated: list[tuple[str, RemotePeer | PeerDefaults]] = [
        *((_statement(peer), peer) for peer in dlsw.remote_peers),
        *(("dlsw prom-peer-defaults", defaults) for defaults in dlsw.promiscuous_defaults),
        *(("dlsw peer-on-demand-defaults", defaults) for defaults in dlsw.on_demand_defaults),
    ]
    for words, line in stated:
        lsap, port = line.options.lsap_output_list, line.options.port_list
        if lsap is not None and str(lsap) not in access_lists:
            statement, target = f"{words} lsap-output-list {lsap}", f"access-list {lsap}"
            yield _Reference(statement, target, line.at, access_lists, ACCESS_LISTS)
        if port and port not in ports:  # 0 is all ports
            statement, target = f"{words} port-list {port}", f"dlsw port-list {port}"
            yield _Reference(statement, target, line.at, ports, _LISTS)


def _groups(facts: Facts) -> Iterator[_Reference]:
    bridges = {bridge.value for bridge in facts.dlsw.bridges}
    used = {group.number for group in facts.dlsw.bridge_groups}
    for group in facts.dlsw.bridge_groups:
        if group.number not in bridges:
            statement = f"dlsw bridge-group {group.number}"
            target = f"bridge {group.number} protocol"
            yield _Reference(statement, target, group.at, bridges, ("bridge ",))
    for peer_list in facts.dlsw.lists:
        members = peer_list.members if peer_list.kind is ListKind.BRIDGE_GROUPS else ()
        for number in (whole(member) for member in members):
            if number not in used:
                statement = f"dlsw bgroup-list {peer_list.number}"
                target = f"dlsw bridge-group {number}"
                yield _Reference(statement, target, peer_list.at, used, ("dlsw bridge-group",))


def _statement(peer: RemotePeer) -> str:
    return f"dlsw remote-peer {peer.list_number} {peer.transport} {peer.peer}"


CHECK = Check(NoParams, Evidence, find)
