"""Interfaces that may be ends of links: what each shows of its link."""

import re
from ipaddress import IPv4Interface, IPv4Network
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.platform import Decision
from advisor.facts.attachments import may_queue
from advisor.facts.config import Facts
from advisor.facts.interface import Direction, Interface, Pvc
from advisor.facts.stated import Stated
from advisor.ios.syntax.names import interface_name
from advisor.ios.syntax.tree import Location
from advisor.shows.observations import Observations

_LINK_PREFIX: Final = 30  # and longer: a subnet that has room for two routers and no third
_TWO_ENDED: Final = ("Serial", "POS", "Hssi", "Multilink")  # unless they carry Frame Relay
_FRAME_RELAY: Final = "frame-relay"
_POINT_TO_POINT: Final = "point-to-point"
_LOCAL: Final = ("Loopback", "Null", "Vlan", "BVI")  # no link of two routers leaves through them
_WORD: Final = re.compile(r"[\w.-]+")
_SERIAL_NUMBER: Final = re.compile(r"\(.*")  # CatOS prints it behind the name


class Seen(Struct, frozen=True):
    """A neighbor as CDP prints it: its host name without the domain, and its interface."""

    device: str
    interface: str


class EndRates(Struct, frozen=True):
    """The rates that an end states: clock and timeslots of the line, the label, a circuit's CIR."""

    clock_rate_bps: Stated[float] | None = None
    timeslots_bps: Stated[float] | None = None
    bandwidth_bps: Stated[float] | None = None
    cir_bps: Stated[float] | None = None


class EndRing(Struct, frozen=True):
    """What the transmit ring of an end follows from: its statement, and the platform's default."""

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
    neighbors: tuple[Seen, ...] = ()
    rates: EndRates = EndRates()
    has_llq: bool = False
    is_fragmented: bool = False
    cuts: bool = False
    ring: EndRing | None = None  # of an end with an LLQ, unless an output shows the ring in force

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
    neighbors: dict[str, list[Seen]] = {}
    for neighbor in seen.neighbors:
        shown = Seen(host_name(neighbor.device), interface_name(neighbor.remote_interface))
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
    home = facts.interface(interface.parent or "") or interface
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
    facts: Facts, interface: Interface, device: str, neighbors: tuple[Seen, ...]
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
        _is_fragmented(interface),
        _cuts(facts, interface),
    )


def _rates(facts: Facts, interface: Interface) -> EndRates:
    main = facts.interface(interface.parent or "") or interface
    cirs = [each.cir_bps for each in interface.circuits if each.cir_bps is not None]
    return EndRates(
        main.clock_rate_bps,
        main.timeslots_bps,
        main.bandwidth_bps,
        min(cirs, key=lambda cir: cir.value, default=None),
    )


def _has_llq(facts: Facts, interface: Interface) -> bool:
    """Whether a policy of the output, or one nested in it, has a class with priority."""
    attached = [*interface.policies, *(each for pvc in interface.pvcs for each in pvc.policies)]
    attached += [each for circuit in interface.circuits for each in circuit.policies]
    waiting = [each.policy for each in attached if each.direction is Direction.OUTPUT]
    seen: set[str] = set()
    while waiting:
        policy = facts.policy_map(waiting.pop())
        if policy is None or policy.name in seen:
            continue
        seen.add(policy.name)
        if any(each.priority is not None for each in policy.classes):
            return True
        waiting += [each.child.value for each in policy.classes if each.child is not None]
    return False


def _is_fragmented(interface: Interface) -> bool:
    has_size = any(circuit.fragment_bytes is not None for circuit in interface.circuits)
    is_bundled = interface.type == "Multilink" or interface.multilink.group is not None
    return has_size or is_bundled or interface.frame_relay_fragment_bytes is not None


def _cuts(facts: Facts, interface: Interface) -> bool:
    main = facts.interface(interface.parent or "") or interface
    interleaves = interface.multilink.interleave
    return (
        any(
            circuit.fragment_bytes is not None and may_queue(facts, main, circuit)
            for circuit in interface.circuits
        )
        or main.frame_relay_fragment_bytes is not None
        or (interleaves is not None and interleaves.value)
    )


def _is_two_ended(interface: Interface) -> bool:
    address, stated = interface.address, interface.encapsulation
    if address is not None and address.network.prefixlen >= _LINK_PREFIX:
        return True
    if interface.is_subinterface:
        return interface.link_mode == _POINT_TO_POINT
    is_frame_relay = stated is not None and stated.value.startswith(_FRAME_RELAY)
    return interface.type in _TWO_ENDED and not is_frame_relay
