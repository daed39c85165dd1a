"""MLPPP with interleaving on serial lines: what moves to the Multilink, what forbids it."""

from collections.abc import Container, Iterator
from itertools import count
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts import Stated
from advisor.facts.config import Facts
from advisor.facts.interface import Attachment, Interface
from advisor.lint.checks.lfi.carried import Carried, carried_over
from advisor.outlet.carriers import members_of, wire_rate
from advisor.outlet.framing import Layer2, encapsulation_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.parts import fragment_base_bps
from advisor.outlet.plain import has_output_policy
from advisor.predict.classes.congested import congested
from advisor.predict.ring import advise_ring, ring_view
from advisor.quantity import Input, Unknown
from advisor.units import bytes_in_ms, kbps_from_bps

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
    used = {
        interface.multilink.group.value
        for interface in facts.interfaces
        if interface.multilink.group
    }
    return (
        number
        for number in count(1)
        if number not in used and facts.interface(f"Multilink{number}") is None
    )
