"""Outputs with an LLQ that fragment, their other ends, and the bundles that make fragments."""

from collections.abc import Callable, Container, Iterator, Mapping
from itertools import count
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts import Stated
from advisor.facts.config import Facts
from advisor.facts.interface import Attachment, Interface, Pvc
from advisor.ground.quantity import Basis, Input, Unknown, exact
from advisor.ground.questions import derived
from advisor.ground.units import bytes_in_ms, kbps_from_bps
from advisor.lint.checks.base import Skip
from advisor.lint.checks.lfi.carried import Carried, carried_over
from advisor.model import wire_ms
from advisor.outlet.carriers import members_of
from advisor.outlet.framing import Encapsulation, Layer2, encapsulation_of
from advisor.outlet.link_rates import far_end, slowest_bps
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.parts import fragment_base_bps
from advisor.outlet.plain import has_output_policy
from advisor.outlet.wires import wire_rate
from advisor.predict.classes.congested import congested
from advisor.predict.ring import advise_ring, ring_view

# The other end of a link that is to fragment: who it is, and what helps where it cannot.

_TCP_IP_BYTES: Final = 40  # headers of IPv4 and TCP without options
_LEAST_MSS: Final = 500  # of `ip tcp adjust-mss`; recalled


def other_end(device: Device, interface: str) -> str:
    """Name the change at the other end of a link, with its name where the run has it."""
    link = device.fleet.links.link(device.name, interface)
    if link is None:
        doubts = device.fleet.links.doubts(device.name, interface)
        said = f" ({doubts[0].doubt}: nothing decides which)" if doubts else ""
        return f"the other end needs the same{said}"
    far = link.far_end(device.name)
    return f"the other end, {far.label} (by {', '.join(link.signs)}), needs the same"


def without_multilink(fragment_bytes: int) -> str:
    """Name a measure that one end of a DSL line can take alone; it shortens no packet of UDP.

    Source: `ip tcp adjust-mss` on the side of the LAN, for new sessions of TCP only.
    """
    mss = fragment_bytes - _TCP_IP_BYTES
    if mss < _LEAST_MSS:
        return (
            "where the other end is not yours, nothing in IOS shortens packets so far: "
            "raise the rate"
        )
    return (
        f"where the other end is not yours: `ip tcp adjust-mss {mss}` on the LAN side; it shortens "
        "packets of new TCP sessions both ways, none of UDP. `ip mtu` cuts all IP and breaks some "
        "applications"
    )


# Outputs with an LLQ that fragment: their fragments and whole packets in time on the link.


class PacketBudget(Struct, frozen=True):
    """Budget of the time of one packet or fragment; None where the profile does not judge it."""

    serialization_ms: float | None


class CutLink(Struct, frozen=True):
    """An output that fragments, and the slowest rate that its fragments pass."""

    outlet: Outlet
    fragment: Stated[float]
    encapsulation: Encapsulation
    rate_bps: float

    @property
    def fragment_ms(self) -> float:
        """Time of the largest packet that leaves whole."""
        return self.time_ms(self.outlet.largest_ip_bytes)

    @property
    def ends_ms(self) -> tuple[float, float]:
        """The same with the fewest and the most bytes that may be around it."""
        ends, size_bytes = self.encapsulation, self.outlet.largest_ip_bytes
        low, high = (wire_ms(size_bytes, end, self.rate_bps) for end in (ends.low, ends.high))
        return low, high

    @property
    def whole_ms(self) -> float:
        """Time of a packet of the MTU, if nothing cut it."""
        return self.time_ms(int(self.outlet.mtu.value))

    def time_ms(self, size_bytes: int) -> float:
        """Time of a piece on the wire, with its headers and cells."""
        return wire_ms(size_bytes, self.encapsulation.high, self.rate_bps)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The fragment, the rate and the bytes around a packet."""
        at = self.fragment.at
        size = exact("fragment_bytes", self.fragment.value, Basis.CONFIGURED, f"fragment, {at}")
        wire = self.outlet.wire
        basis = wire.basis if wire is not None else Basis.CONFIGURED
        source = "the slowest of line, CIR, shaper and other end"
        rate = exact("slowest_rate_bps", self.rate_bps, basis, source)
        return (size, rate, *self.outlet.overhead_inputs)


def cut_links(
    device: Device, verdict: Callable[[CutLink], object], *, without_llq: bool = False
) -> Iterator[CutLink | Skip]:
    """Outputs with an LLQ and fragments, the members of a bundle once: the one that cuts worst.

    A fragment that is one of two sizes is the larger one where `verdict` is the same of both.
    """
    links: dict[tuple[str, ...], CutLink] = {}
    for outlet in outlets(device):
        if outlet.fragment_bytes is None or not (outlet.llq_classes or without_llq):
            continue
        each = [_cut_link(device, own) for own in outlet.at_fragments or (outlet,)]
        found = [link for link in each if isinstance(link, CutLink)]
        if len(found) < len(each):
            yield from (link for link in each[:1] if isinstance(link, Skip))
        elif len(set(map(verdict, found))) > 1:
            yield Skip(outlet.label, outlet.why_fragment_unknown or "")
        else:
            link = found[-1]
            known = links.get(outlet.section)
            if known is None or known.fragment_ms < link.fragment_ms:
                links[outlet.section] = link
    yield from links.values()


def _cut_link(device: Device, outlet: Outlet) -> CutLink | Skip:
    if outlet.why_fragment_unknown is not None or outlet.fragment_bytes is None:
        return Skip(outlet.label, outlet.why_fragment_unknown or "")
    if outlet.wire is None or outlet.encapsulation is None:
        return Skip(outlet.label, outlet.why_rate_unknown)
    rate_bps = slowest_bps(device, outlet)
    return CutLink(outlet, outlet.fragment_bytes, outlet.encapsulation, rate_bps)


# MLPPP with interleaving over an ATM circuit: fragments that fill whole cells.
#
# IOS does not fit fragments to cells, and a bad fit can double the load. Only the rates of
# Cisco's table have a delay and a `bandwidth` that fit. Sources: Cisco AVVID QoS design guide,
# table of fragment sizes for MLPPP over ATM; Cisco SRND 3.3 (a ring of 3); the circuit must be
# VBR or CBR.

_RING: Final = 3
_TEMPLATE: Final = "Virtual-Template"
_SHAPED: Final = ("cbr", "vbr-nrt", "vbr-rt")
_OLD_MAJORS: Final = ("11.", "12.0", "12.1")  # MLPPP over ATM is of 12.1(5)T


class CellFit(Struct, frozen=True):
    """Delay of a fragment in whole cells, and the `bandwidth` that IOS cuts it by."""

    delay_ms: int
    bandwidth_kbps: int


_FITS: Final[Mapping[int, CellFit]] = MappingProxyType(
    {  # by the rate of the circuit in kb/s
        56: CellFit(12, 57),
        64: CellFit(10, 68),
        128: CellFit(11, 132),
        192: CellFit(11, 202),
        256: CellFit(10, 260),
        384: CellFit(10, 414),
        512: CellFit(10, 529),
        640: CellFit(10, 644),
        768: CellFit(10, 798),
    }
)


class AtmLfi(Struct, frozen=True):
    """Fragments of a Virtual-Template, and the ring of the circuit that carries it.

    `bandwidth_kbps` is None where it is set already; `ring` where the present one is as short.
    """

    template: str
    bandwidth_kbps: int | None
    delay_ms: int
    delay_words: str
    is_multilink: bool
    interface: str
    circuit: str
    ring: int | None


def atm_lfi(device: Device, outlet: Outlet) -> AtmLfi | Unknown:
    """The lines of a circuit whose session has a Virtual-Template, or why there are none."""
    session, pvc = outlet.session, outlet.pvc
    if session is None or pvc is None or session.type != _TEMPLATE:
        return Unknown("address and policy have to move to a Virtual-Template first")
    if far_end(device, session.name) is None:
        return Unknown("the other end is not known here, and needs the same")
    version = device.facts.version
    if version is None or version.value.startswith(_OLD_MAJORS):
        return Unknown("this release is not known to have MLPPP over ATM")
    if pvc.rate is None or pvc.rate.service not in _SHAPED:
        return Unknown("the circuit must be VBR or CBR")
    kbps = kbps_from_bps(outlet.wire_bps)
    fit = _FITS.get(round(kbps))
    if fit is None:
        known = ", ".join(map(str, _FITS))
        return Unknown(f"{kbps:g} kb/s is not in the table of whole cells ({known} kb/s)")
    return _lines(device, session, (outlet.interface, pvc), fit)


def _lines(
    device: Device, session: Interface, carrier: tuple[Interface, Pvc], fit: CellFit
) -> AtmLfi:
    (interface, pvc), label = carrier, session.bandwidth_bps
    has_label = label is not None and round(kbps_from_bps(label.value)) == fit.bandwidth_kbps
    multilink = session.multilink.ppp_multilink
    is_short = pvc.tx_ring_limit is not None and pvc.tx_ring_limit.value <= _RING
    return AtmLfi(
        session.name,
        None if has_label else fit.bandwidth_kbps,
        fit.delay_ms,
        session.multilink.delay_words,
        multilink is not None and multilink.value,
        interface.name,
        pvc.label.removeprefix("pvc "),
        None if is_short or device.platform.is_xe else _RING,
    )


# Members of a bundle by their `bandwidth`, which IOS cuts the fragments by.

_ROUNDING: Final = 0.05  # 1544 kb/s of a T1 whose timeslots carry 1536
_SET_BANDWIDTH: Final = (
    "set `bandwidth` of each member to its rate first: without it IOS takes 1544 kb/s, and makes "
    "fragments of that"
)


class LabelledMember(Struct, frozen=True):
    """A member whose `bandwidth` is not its rate, and its rate."""

    name: str
    kbps: int


def wrong_labels(device: Device, bundle: Interface) -> tuple[LabelledMember, ...] | Unknown:
    """Members whose `bandwidth` is off their rate; Unknown where a rate is not known."""
    found = []
    for member in members_of(device.facts, bundle):
        wire = wire_rate(member, None, None)
        base_bps = fragment_base_bps(member, wire)
        if wire is None or base_bps is None:
            return Unknown(_SET_BANDWIDTH)
        if abs(base_bps - wire.value) > wire.value * _ROUNDING:
            found.append(LabelledMember(member.name, int(kbps_from_bps(wire.value))))
    return tuple(found)


# MLPPP with interleaving on one serial: what moves to the Multilink, and what forbids it.
#
# Order and lines: Cisco 10000 QoS guide (order at each end), Cisco SRND (bandwidth of both
# alike).

_PPP: Final = "ppp"
# Printed by `show interfaces`: DLY 20000 usec of a serial, 100000 of a Multilink.
_DELAY, _BY_DELAY = 2000, frozenset(("router eigrp", "router igrp"))


class FragmentLimits(Struct, frozen=True):
    """Budgets of one fragment and of all that is in the ring (None: not judged); rate of LFI."""

    fragment_ms: float
    ring_ms: float | None
    lfi_up_to_kbps: float


class SerialLfi(Struct, frozen=True):
    """A serial that becomes the only member of a new bundle.

    The Multilink takes over its address, policies, `max-reserved-bandwidth`, `ip mtu`, and what is
    `carried`.
    """

    interface: str
    group: int
    kbps: int
    address: str
    policies: tuple[Attachment, ...]
    max_reserved_percent: int | None
    ip_mtu_bytes: int | None
    delay: int | None  # of the serial, in 10 us: EIGRP counts it, and a Multilink has five times it
    has_label: bool  # its `bandwidth` is the rate already
    is_ppp: bool
    is_fifo: bool  # `no fair-queue` is set already, or there is no fair queueing to switch off
    is_fair: bool  # no policy queues: the bundle interleaves behind fair queueing
    ring: int | None  # to set; None where the present one stays
    carried: Carried = Carried()


def serial_lfi(
    device: Device, outlet: Outlet, rate: Input, limits: FragmentLimits, taken: Container[int]
) -> SerialLfi | Unknown:
    """The bundle that carries an output, or why no lines make it.

    `rate` is that of the slower end, `taken` are group numbers of other bundles.
    """
    interface, facts = outlet.interface, device.facts
    kind = outlet.encapsulation.kind if outlet.encapsulation is not None else None
    is_plain = outlet.attached_to == interface.name and not interface.is_subinterface
    if kind not in (Layer2.PPP, Layer2.HDLC) or interface.type != "Serial" or not is_plain:
        return Unknown("the policy is not on a serial with PPP or HDLC")
    if interface.ip_address is None or interface.address is None:
        return Unknown(f"{interface.name} has no address of its own that could move")
    group = next(group for group in free_groups(facts) if group not in taken)
    carried = carried_over(device, interface, f"Multilink{group}")
    if isinstance(carried, Unknown):
        return carried
    kbps = int(kbps_from_bps(rate.value))
    label_bps = interface.bandwidth_bps
    return SerialLfi(
        interface.name,
        group,
        kbps,
        interface.ip_address.value,
        interface.policies,
        _value(interface.max_reserved_percent),
        _value(interface.ip_mtu_bytes),
        _DELAY if _BY_DELAY & {other_route.value for other_route in facts.other_routes} else None,
        label_bps is not None and int(kbps_from_bps(label_bps.value)) == kbps,
        kind is Layer2.PPP,
        is_fair=not device.platform.is_xe and not has_output_policy(interface),
        is_fifo=device.platform.is_qfp
        or (interface.fair_queue is not None and not interface.fair_queue.value),
        ring=ring_to_set(device, as_member(outlet, rate, limits.fragment_ms), limits.ring_ms),
        carried=carried,
    )


def as_member(outlet: Outlet, rate: Input, fragment_ms: float) -> Outlet:
    """The output as the only member of a bundle that cuts fragments of a time at a rate."""
    group = Stated(1, outlet.at)
    member = replace(outlet.interface, multilink=replace(outlet.interface.multilink, group=group))
    return replace(
        outlet,
        wire=rate,
        encapsulation=encapsulation_of(member, None),
        fragment_bytes=Stated(bytes_in_ms(rate.value, fragment_ms), outlet.at),
    )


def ring_to_set(device: Device, member: Outlet, budget_ms: float | None) -> int | None:
    """The ring to set; None where a shorter one is set, or none is known to help.

    A member queues as FIFO: without a limit its ring is long again.
    """
    if budget_ms is None or device.platform.is_xe:
        return None
    view = ring_view(member, congested(device, member).offers)
    if isinstance(view, Unknown):
        return None
    limit, stated = advise_ring(view, budget_ms).limit, member.interface.tx_ring_limit
    return limit if stated is None or stated.value > limit else None


def _value(stated: Stated[int] | None) -> int | None:
    return None if stated is None else stated.value


def free_groups(facts: Facts) -> Iterator[int]:
    """Numbers of new bundles, the least first."""
    used, named = _used_groups(facts), _bundle_names(facts)
    return (n for n in count(1) if n not in used and f"Multilink{n}" not in named)


@derived
def _used_groups(facts: Facts) -> frozenset[int]:
    groups = (interface.multilink.group for interface in facts.interfaces)
    return frozenset(group.value for group in groups if group is not None)


@derived
def _bundle_names(facts: Facts) -> frozenset[str]:
    return frozenset(item.name for item in facts.interfaces if item.type == "Multilink")
