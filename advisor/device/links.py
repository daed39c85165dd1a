"""Links between the devices of a run: which two interfaces are the ends of one."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from ipaddress import IPv4Interface, IPv4Network
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.platform import Decision
from advisor.facts import Stated
from advisor.facts.attachments import may_queue
from advisor.facts.config import Facts
from advisor.facts.interface import Interface, PlaceKind, PlacePolicy, Pvc, Side
from advisor.facts.policy import PolicyClass
from advisor.ground.records import picked
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.shows.observations import Observations

# Interfaces that may be ends of links: what each shows of its link.

_LINK_PREFIX: Final = 30  # and longer: a subnet that has room for two routers and no third
_TWO_ENDED: Final = ("Serial", "POS", "Hssi", "Multilink")  # unless they carry Frame Relay
_FRAME_RELAY: Final = "frame-relay"
_POINT_TO_POINT: Final = "point-to-point"
_LOCAL: Final = ("Loopback", "Null", "Vlan", "BVI")  # no link of two routers leaves through them
_WORD: Final = re.compile(r"[\w.-]+")
_SERIAL_NUMBER: Final = re.compile(r"\(.*")  # CatOS prints it behind the name


class SeenNeighbor(Struct, frozen=True):
    """A neighbor as CDP prints it: its host name without the domain, and its interface."""

    device: str
    interface: str


class EndRates(Struct, frozen=True):
    """The rates of an end: clock, as stated or shown, timeslots, the label, a circuit's CIR."""

    clock_rate_bps: Stated[float] | None = None
    seen_rate_bps: Stated[float] | None = None
    seen_bandwidth_bps: Stated[float] | None = None
    timeslots_bps: Stated[float] | None = None
    bandwidth_bps: Stated[float] | None = None
    cir_bps: Stated[float] | None = None


class EndRing(Struct, frozen=True):
    """Inputs of the transmit ring of an end: its statement, and the platform's default."""

    home: Interface
    pvc: Pvc | None
    platform: Decision


class LinkEnd(Struct, frozen=True):
    """An interface that may be an end of a link; `described` are the words of its description.

    `address` is its address with its prefix length, "10.0.0.1/30". `is_two_ended` holds where no
    third router can be on the link. `has_llq`: a policy of its output has priority queueing.
    `is_fragmented`: it is set up for link fragmentation, whatever its size. `cuts`: it cuts what it
    sends, by FRF.12 or by MLPPP that interleaves.
    """

    device: str
    interface: str
    at: Location
    address: str | None = None
    is_two_ended: bool = False
    described: tuple[str, ...] = ()
    neighbors: tuple[SeenNeighbor, ...] = ()
    rates: EndRates = EndRates()
    has_llq: bool = False
    is_fragmented: bool = False
    cuts: bool = False
    port_fragment_bytes: int | None = None  # of FRF.12 that stands on the interface
    ring: EndRing | None = None  # of an end with an LLQ, unless an output shows the ring in force
    compresses: bool = False  # headers of RTP, by a line of the interface or of a class
    mapped_groups: tuple[str, ...] = ()  # of NHRP, whose spokes get a policy here

    @property
    def label(self) -> str:
        return f"{self.device} {self.interface}"

    @property
    def network(self) -> IPv4Network | None:
        """The subnet of its address."""
        return IPv4Interface(self.address).network if self.address is not None else None


def link_ends(
    facts: Facts, device: str, seen: Observations, platform: Decision
) -> tuple[LinkEnd, ...]:
    """The interfaces of a device that carry any sign of a link; none that is shut down."""
    neighbors: dict[str, list[SeenNeighbor]] = {}
    for neighbor in seen.neighbors:
        shown = SeenNeighbor(host_name(neighbor.device), interface_name(neighbor.remote_interface))
        neighbors.setdefault(interface_name(neighbor.local_interface), []).append(shown)
    ends = (
        _end(facts, interface, device, tuple(neighbors.get(interface.name, ())))
        for interface in facts.interfaces
        if not interface.shutdown and interface.type not in _LOCAL
    )
    return tuple(_with_ring(end, facts, seen, platform) for end in ends if end is not None)


def _with_ring(end: LinkEnd, facts: Facts, seen: Observations, platform: Decision) -> LinkEnd:
    interface = facts.interface(end.interface)
    if interface is None or not end.has_llq or len(interface.pvcs) > 1:
        return end
    home = facts.main_of(interface)
    if seen.controller(home.name) is not None or seen.atm_circuits:
        return end
    pvc = interface.pvcs[0] if interface.pvcs else None
    return replace(end, ring=EndRing(interface if pvc is not None else home, pvc, platform))


def host_name(text: str) -> str:
    """Host name in what CDP gives as device: without domain and serial number, in lower case.

    >>> host_name("R2.example.com"), host_name("SW1(0123)")
    ('r2', 'sw1')
    """
    return _SERIAL_NUMBER.sub("", text).split(".")[0].lower()


def _end(
    facts: Facts, interface: Interface, device: str, neighbors: tuple[SeenNeighbor, ...]
) -> LinkEnd | None:
    address = interface.address
    words = interface.description.value if interface.description is not None else ""
    if address is None and not neighbors and not words:
        return None
    return LinkEnd(
        device,
        interface.name,
        interface.at,
        None if address is None else str(address),
        _is_two_ended(interface),
        tuple(word.lower().strip(".-") for word in _WORD.findall(words)),
        tuple(dict.fromkeys(neighbors)),
        _rates(facts, interface),
        _has_llq(facts, interface),
        _is_fragmented(facts, interface),
        _cuts(facts, interface),
        _port_fragment_bytes(facts, interface),
        compresses=_compresses(facts, interface),
        mapped_groups=tuple(place.name for place in interface.place_policies if is_mapped(place)),
    )


def is_mapped(place: PlacePolicy) -> bool:
    """Whether it is a group of NHRP whose spokes get a policy."""
    return place.kind is PlaceKind.NHRP_GROUP and place.policy.direction is Side.OUTPUT


def _rates(facts: Facts, interface: Interface) -> EndRates:
    main = facts.main_of(interface)
    cirs = [circuit.cir_bps for circuit in interface.circuits if circuit.cir_bps is not None]
    return picked(EndRates, main, cir_bps=min(cirs, key=lambda cir: cir.value, default=None))


def _has_llq(facts: Facts, interface: Interface) -> bool:
    """Whether a policy of the output, or one nested in it, has a class with priority."""
    return any(entry.priority is not None for entry in _classes_out(facts, interface))


def _compresses(facts: Facts, interface: Interface) -> bool:
    """Whether an end compresses headers of RTP, also only those that come compressed."""
    by_class = any(entry.compresses_rtp for entry in _classes_out(facts, interface))
    return by_class or interface.rtp_compression is not None


def _classes_out(facts: Facts, interface: Interface) -> Iterator[PolicyClass]:
    attached = [*interface.policies, *(item for pvc in interface.pvcs for item in pvc.policies)]
    if interface.is_subinterface:  # its packets wait in the queues of the port, too
        attached += facts.main_of(interface).policies
    attached += [item for circuit in interface.circuits for item in circuit.policies]
    roots = (item.policy for item in attached if item.direction is Side.OUTPUT)
    return (entry for policy in facts.nested_policies(*roots) for entry in policy.classes)


def _is_fragmented(facts: Facts, interface: Interface) -> bool:
    has_size = any(circuit.fragment_bytes is not None for circuit in interface.circuits)
    is_bundled = interface.type == "Multilink" or interface.multilink.group is not None
    return has_size or is_bundled or _port_fragment_bytes(facts, interface) is not None


def _cuts(facts: Facts, interface: Interface) -> bool:
    main = facts.main_of(interface)
    interleaves = interface.multilink.interleave
    return (
        any(
            circuit.fragment_bytes is not None and may_queue(facts, main, circuit)
            for circuit in interface.circuits
        )
        or main.frame_relay_fragment_bytes is not None
        or (interleaves is not None and interleaves.value)
    )


def _port_fragment_bytes(facts: Facts, interface: Interface) -> int | None:
    main = facts.main_of(interface)
    stated = main.frame_relay_fragment_bytes
    return None if stated is None else stated.value


def _is_two_ended(interface: Interface) -> bool:
    address, stated = interface.address, interface.encapsulation
    if address is not None and address.network.prefixlen >= _LINK_PREFIX:
        return True
    if interface.is_subinterface:
        return interface.link_mode == _POINT_TO_POINT
    is_frame_relay = stated is not None and stated.value.startswith(_FRAME_RELAY)
    return interface.type in _TWO_ENDED and not is_frame_relay


# Links between the devices of a run: which two interfaces are the two ends of one link.
#
# Signs are the subnet of the addresses, what CDP saw, and the names in descriptions. What two
# signs say against each other, or what fits several interfaces, is said and not decided.

_ENDS: Final = 2
_LEAST_NAME: Final = 2  # characters: one letter in a description is no host name


class Sign(StrEnum):
    """Evidence that two interfaces are of one link."""

    SUBNET = "subnet"
    CDP = "show cdp neighbors detail"
    DESCRIPTION = "description"


class Link(Struct, frozen=True):
    """Two interfaces of two devices that are one link, and what shows it."""

    ends: tuple[LinkEnd, LinkEnd]
    signs: tuple[Sign, ...]

    def far_end(self, device: str) -> LinkEnd:
        """The end that is not of this device."""
        return self.from_here(device)[1]

    def from_here(self, device: str) -> tuple[LinkEnd, LinkEnd]:
        """The end of this device, and the other one."""
        one, other = self.ends
        return (one, other) if one.device == device else (other, one)


class LinkDoubt(StrEnum):
    """Why a link is not decided."""

    SEVERAL = "several interfaces fit"
    SAME_ADDRESS = "two interfaces have one address"
    CONTRADICTION = "the signs name different devices"


class Undecided(Struct, frozen=True):
    """Interfaces that may include both ends of one link, and the reason why nothing is decided."""

    candidates: tuple[LinkEnd, ...]
    doubt: LinkDoubt


class Links(Struct, frozen=True):
    """All links of a run in the order of their ends, and what is not decided."""

    found: tuple[Link, ...] = ()
    undecided: tuple[Undecided, ...] = ()


class LinkTable(Struct, frozen=True, dict=True):  # without slots: what is found is kept
    """The ends of all links of a run."""

    ends: tuple[LinkEnd, ...] = ()

    @cached_property
    def links(self) -> Links:
        """Return the links that the ends show together; see `links_of`."""
        return links_of(self.ends)

    @cached_property
    def headings(self) -> dict[Location, str]:
        """The line of each end."""
        return {end.at: f"interface {end.interface}" for end in self.ends}

    @cached_property
    def _by_network(self) -> dict[IPv4Network, list[LinkEnd]]:
        found: dict[IPv4Network, list[LinkEnd]] = {}
        for end in self.ends:
            if end.network is not None:
                found.setdefault(end.network, []).append(end)
        return found

    def others_in(self, network: IPv4Network, device: str) -> Sequence[LinkEnd]:
        """The ends of other devices in a subnet."""
        return [end for end in self._by_network.get(network, ()) if end.device != device]

    @cached_property
    def _by_end(self) -> dict[tuple[str, str], Link]:
        return {(end.device, end.interface): link for link in self.links.found for end in link.ends}

    def link(self, device: str, interface: str) -> Link | None:
        """The link of an interface, where its other end is in the run."""
        return self._by_end.get((device, interface))

    def doubts(self, device: str, interface: str) -> tuple[Undecided, ...]:
        """Return the undecided cases that name an interface."""
        return tuple(
            item
            for item in self.links.undecided
            if any((end.device, end.interface) == (device, interface) for end in item.candidates)
        )


def links_of(ends: Sequence[LinkEnd]) -> Links:
    """Pair the ends of the devices of a run.

    Two interfaces of one subnet are a link if no third one of the run is in it and a link has room
    for no other router, or if CDP or a description names the other device. CDP alone pairs two
    interfaces that it names, descriptions alone two that are the only ones to name each other.
    CDP or a description that names another device of the run contradicts a subnet.
    """
    names = {end.device.lower(): end.device for end in ends}
    found: list[Link] = []
    undecided: list[Undecided] = []
    for group in _by_subnet(ends):
        outcome = _of_subnet(group, names)
        if isinstance(outcome, Link):
            found.append(outcome)
        elif outcome is not None:
            undecided.append(outcome)
    decided = {end for link in found for end in link.ends}
    decided |= {end for item in undecided for end in item.candidates}
    told = _by_description(ends, names)
    for pairs, sign in ((_by_cdp(ends), Sign.CDP), (told, Sign.DESCRIPTION)):
        for one, other in pairs:
            if one not in decided and other not in decided:
                found.append(Link((one, other), (sign,)))
                decided |= {one, other}
    return Links(tuple(found), tuple(undecided))


def _by_subnet(ends: Iterable[LinkEnd]) -> Iterator[list[LinkEnd]]:
    """Ends of each subnet in which two devices have an address."""
    groups: dict[IPv4Network, list[LinkEnd]] = {}
    for end in ends:
        if end.network is not None:
            groups.setdefault(end.network, []).append(end)
    return (group for group in groups.values() if len({end.device for end in group}) >= _ENDS)


def _of_subnet(group: Sequence[LinkEnd], names: Mapping[str, str]) -> Link | Undecided | None:
    is_same = len({end.address for end in group}) < len(group)
    if is_same or len(group) > _ENDS:
        # A LAN has many routers, and many sites use its addresses; a subnet of a link has two.
        doubt = LinkDoubt.SAME_ADDRESS if is_same else LinkDoubt.SEVERAL
        is_link = any(end.is_two_ended for end in group)
        return Undecided(tuple(group), doubt) if is_link else None
    one, other = group
    signs = {Sign.SUBNET}
    for end, far in ((one, other), (other, one)):
        for sign, named in ((Sign.CDP, _seen(end, names)), (Sign.DESCRIPTION, _told(end, names))):
            if named and far.device not in named:
                return Undecided((one, other), LinkDoubt.CONTRADICTION)
            if named:
                signs.add(sign)
    if len(signs) == 1 and not (one.is_two_ended and other.is_two_ended):
        return None
    return Link((one, other), tuple(sign for sign in Sign if sign in signs))


def _seen(end: LinkEnd, names: Mapping[str, str]) -> frozenset[str]:
    """Devices of the run that CDP saw on an interface."""
    return frozenset(
        names[neighbor.device] for neighbor in end.neighbors if neighbor.device in names
    )


def _told(end: LinkEnd, names: Mapping[str, str]) -> frozenset[str]:
    """Other devices of the run that a description names."""
    told = {names[word] for word in end.described if word in names and len(word) >= _LEAST_NAME}
    return frozenset(told - {end.device})


def _by_cdp(ends: Sequence[LinkEnd]) -> Iterator[tuple[LinkEnd, LinkEnd]]:
    """Pair ends, one of them printed as the only neighbor of the other."""
    by_place = {(end.device.lower(), end.interface): end for end in ends}
    for end in ends:
        if len(end.neighbors) != 1:
            continue
        (neighbor,) = end.neighbors
        far = by_place.get((neighbor.device, neighbor.interface))
        if far is None or far.device == end.device:
            continue
        back = {(item.device, item.interface) for item in far.neighbors}
        if not back or back == {(host_name(end.device), end.interface)}:
            yield end, far


def _by_description(
    ends: Sequence[LinkEnd], names: Mapping[str, str]
) -> Iterator[tuple[LinkEnd, LinkEnd]]:
    """Ends whose devices name each other once, each on one interface."""
    naming: dict[tuple[str, str], list[LinkEnd]] = {}
    for end in ends:
        told = _told(end, names)
        if len(told) == 1:
            naming.setdefault((end.device, next(iter(told))), []).append(end)
    for (device, far), (end, *more) in naming.items():
        back = naming.get((far, device), [])
        if device < far and not more and len(back) == 1:
            yield end, back[0]
