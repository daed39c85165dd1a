"""DLSw+ peers of all devices of a run: which device names which peer, and which backs it up.

Only the peers of a device are kept, so that a run of many devices holds one device at a time.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations
from typing import Final

from msgspec import Struct, field

from advisor.device.links import LinkTable
from advisor.facts.config import Facts
from advisor.facts.dlsw import RemotePeer, Transport
from advisor.ios.syntax import Location
from advisor.settings import DlswDesign
from advisor.shows.cpu import CpuLoad
from advisor.shows.observations import Observations

_OVER_IP: Final = (Transport.TCP, Transport.FST)
_UP: Final = "CONNECT"
_ENDS_OF_A_PAIR: Final = 2
_FEWEST_DEVICES: Final = 2  # that name two equal peers: one alone may have its own reasons


class Named(Struct, frozen=True):
    """A peer that a device names; `backup_of` is the address that it stands in for."""

    address: str
    backup_of: str | None
    transport: Transport
    at: Location


class PeerEnd(Struct, frozen=True):
    """One device with a `dlsw local-peer` of an address.

    `seen` are peers that were connected, `cpu` the last load of `show processes cpu`, `hardware`
    the box of `show version`.
    """

    device: str
    peer_id: str
    at: Location
    is_promiscuous: bool
    named: tuple[Named, ...]
    seen: tuple[str, ...] = ()
    cpu: CpuLoad | None = None
    hardware: str | None = None

    @property
    def addresses(self) -> frozenset[str]:
        """Peers that it names."""
        return frozenset(peer.address for peer in self.named)


class Pair(Struct, frozen=True):
    """Two head ends to which the same devices peer, or that the settings name together.

    `devices` name both; `backups` of them name one as the other's backup.
    """

    peers: frozenset[str]
    devices: int
    backups: int
    is_stated: bool = False

    def partner(self, peer: str) -> str:
        return next(address for address in self.peers if address != peer)


def peer_end(facts: Facts, device: str, seen: Observations) -> PeerEnd | None:
    """The end that a device is; None where it has no local peer with an address."""
    local = facts.dlsw.local_peer
    if local is None or local.peer_id is None or facts.dlsw.is_disabled is not None:
        return None
    named = tuple(
        Named(peer.peer, peer.backup_of, peer.transport, peer.at)
        for peer in peers_over_ip(facts.dlsw.remote_peers)
    )
    connected = {
        peer.peer: None
        for table in seen.dlsw_peers
        for peer in table.peers
        if peer.state == _UP and peer.transport.lower() in _OVER_IP
    }
    return PeerEnd(
        device,
        local.peer_id,
        local.at,
        local.is_promiscuous,
        named,
        tuple(connected),
        next(reversed(seen.cpu), None),
        next((version.platform for version in reversed(seen.versions)), None),
    )


def peers_over_ip(peers: Iterable[RemotePeer]) -> Iterator[RemotePeer]:
    """Peers with an address: TCP and FST."""
    return (peer for peer in peers if peer.transport in _OVER_IP)


def _backed_up(end: PeerEnd) -> Iterator[tuple[str, str]]:
    """Backups with the primary that the end names, too."""
    primaries = end.addresses
    for backup in end.named:
        if backup.backup_of in primaries and backup.backup_of != backup.address:
            yield backup.address, backup.backup_of


class Fleet(Struct, frozen=True, dict=True):  # without slots: the look-ups are made once and kept
    """Knowledge that the devices of a run have of each other.

    All ends of DLSw+ peers, what the settings say of their design, and the links between devices.
    """

    ends: tuple[PeerEnd, ...] = ()
    design: DlswDesign = field(default_factory=DlswDesign)
    links: LinkTable = field(default_factory=LinkTable)

    @cached_property
    def _by_peer_id(self) -> dict[str, PeerEnd]:
        return {end.peer_id: end for end in reversed(self.ends)}

    @cached_property
    def _naming(self) -> dict[str, dict[str, PeerEnd]]:
        ends_by_address: dict[str, dict[str, PeerEnd]] = {}
        for end in self.ends:
            for address in end.addresses:
                ends_by_address.setdefault(address, {})[end.peer_id] = end
        return ends_by_address

    def end(self, peer_id: str) -> PeerEnd | None:
        """The device of the run with that peer-id."""
        return self._by_peer_id.get(peer_id)

    def naming(self, peer_id: str) -> tuple[PeerEnd, ...]:
        """Other devices of the run that name a peer."""
        ends = self._naming.get(peer_id, {})
        return tuple(end for own_id, end in ends.items() if own_id != peer_id)

    def peers_of(self, end: PeerEnd) -> frozenset[str]:
        """Peers that an end names, that it takes unnamed, and that were seen connected to it.

        One that is or has it as a backup only is on it after a failure: it is not counted. One
        that names an end that is not promiscuous is refused.
        """
        primaries = {peer.address for peer in end.named if peer.backup_of is None}
        naming = {
            other.peer_id
            for other in (self.naming(end.peer_id) if end.is_promiscuous else ())
            if any(peer.address == end.peer_id and peer.backup_of is None for peer in other.named)
        }
        return frozenset(primaries | naming | set(end.seen)) - {end.peer_id}

    @cached_property
    def pairs(self) -> dict[str, tuple[Pair, ...]]:
        """Pairs of each head end: those of the settings, then those that devices peer with.

        A peer is a head end of a device where at least as many devices name it as the device
        names: of a hub with 250 branches no branch is one.
        """
        named_together: Counter[frozenset[str]] = Counter()
        backups: Counter[frozenset[str]] = Counter()
        for end in self.ends:
            heads = [peer for peer in sorted(end.addresses) if self._is_head(peer, end)]
            named_together.update(frozenset(pair) for pair in combinations(heads, 2))
            backups.update({frozenset(pair) for pair in _backed_up(end)})
        stated = {frozenset(pair) for group in self._stated for pair in combinations(group, 2)}
        usual = {peers for peers, devices in named_together.items() if devices >= _FEWEST_DEVICES}
        pairs_by_peer: dict[str, list[Pair]] = {}
        for peers in sorted(stated | usual | backups.keys(), key=sorted):
            pair = Pair(
                peers, max(named_together[peers], backups[peers]), backups[peers], peers in stated
            )
            for peer in peers:
                pairs_by_peer.setdefault(peer, []).append(pair)
        return {peer: tuple(pairs) for peer, pairs in pairs_by_peer.items()}

    @cached_property
    def seen_pairs(self) -> dict[str, Pair]:
        """Head ends that take any peer, and to which the same devices were seen connected."""
        ends_by_peer: dict[str, list[str]] = {}
        for end in self.ends:
            for peer in end.seen if end.is_promiscuous else ():
                ends_by_peer.setdefault(peer, []).append(end.peer_id)
        both = Counter(
            frozenset(ends) for ends in ends_by_peer.values() if len(set(ends)) == _ENDS_OF_A_PAIR
        )
        return {
            peer: Pair(peers, devices, 0)
            for peers, devices in both.items()
            if devices >= _FEWEST_DEVICES
            for peer in peers
        }

    def is_equal_peer(self, peer: str, one: PeerEnd, other: PeerEnd) -> bool:
        """Whether a peer is connected to both head ends at any time, and not after a failure."""
        end = self._by_peer_id.get(peer)
        primaries = {each.address for each in end.named if each.backup_of is None} if end else ()
        is_named = one.peer_id in primaries and other.peer_id in primaries
        return is_named or (peer in one.seen and peer in other.seen)

    @cached_property
    def possible_pairs(self) -> dict[str, Pair]:
        """Head ends that one device alone names with a second peer, which may be the equal one.

        A peer in the run that is no head end of it is a branch.
        """
        found: dict[str, Pair] = {}
        for end in self.ends:
            heads = [peer for peer in end.addresses if self._is_head(peer, end)]
            others = end.addresses.difference(heads)
            is_pair = len(heads) == len(others) == 1 and not end.is_promiscuous
            if is_pair and not any(map(self.end, others)):
                found[heads[0]] = Pair(end.addresses, 1, 0)
        return found

    def _is_head(self, peer: str, end: PeerEnd) -> bool:
        return len(self._naming.get(peer, {})) >= len(end.addresses)

    @property
    def _stated(self) -> tuple[tuple[str, ...], ...]:
        """Redundant peers of the settings, device names as peer-ids where they are known."""
        by_name = {end.device: end.peer_id for end in self.ends}
        groups = self.design.redundant_peers
        return tuple(
            tuple(dict.fromkeys(by_name.get(peer, peer) for peer in group)) for group in groups
        )
