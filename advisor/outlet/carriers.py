"""Finds the carrier of an attached policy: interface or PVC, the rate of its wire, its shapers."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.facts import Stated
from advisor.facts.attachments import Attached, interface_line
from advisor.facts.config import Facts
from advisor.facts.interface import Interface, Pvc
from advisor.facts.policy import Police, PolicyClass, PolicyMap, Shape
from advisor.ground.quantity import Basis, Input, RateKind, exact, rate_text
from advisor.ground.questions import derived
from advisor.ground.units import kbps_from_bps, ratio_from_percent, whole_or_none
from advisor.ground.wording import rate_source
from advisor.outlet.described import line_rate_bps

# The rate of the wire behind an output, and its source.

_SESSIONS = ("Dialer", "Virtual-Template")
TUNNEL: Final = "Tunnel"
_WITHOUT_WIRE = (TUNNEL, "Loopback", "Vlan", "BVI", "Port-channel")
_PORT_RATE_BPS = {
    "Ethernet": 10e6,
    "FastEthernet": 100e6,
    "GigabitEthernet": 1e9,
    "TwoGigabitEthernet": 2.5e9,
    "FiveGigabitEthernet": 5e9,
    "TenGigabitEthernet": 10e9,
    "FortyGigabitEthernet": 40e9,
    "HundredGigE": 100e9,
}


PORT_SPEEDS_BPS = frozenset(_PORT_RATE_BPS.values())  # that a port can run at


def port_bps(interface: Interface) -> float | None:
    """The most that a port of its kind runs at; None where its name does not say it.

    The Ethernet of a modem is no 10BASE-T: it sends at the rate that the modem trained to. Source:
    Cisco 211613, Reference Bandwidth on DSL Interfaces.
    """
    return _PORT_RATE_BPS.get(interface.type) if interface.modem is None else None


def is_of_port(rate: Input, home: Interface) -> bool:
    """Whether a rate is that of an Ethernet port or a port-channel: a provider may sell less."""
    return rate.kind in (RateKind.PORT, RateKind.SPEED) or home.type == "Port-channel"


def is_session(interface: Interface) -> bool:
    """Whether PPP sessions run over other interfaces for it."""
    return interface.type in _SESSIONS


def is_ethernet(interface: Interface) -> bool:
    """Whether it is a port of an Ethernet, or a subinterface of one."""
    return interface.type in _PORT_RATE_BPS


def wire_rate(
    interface: Interface,
    pvc: Pvc | None,
    main: Interface | None,
    session: Interface | None = None,
) -> Input | None:
    """Rate that the ring drains at: the rate of the PVC, the clock, the timeslots or the port.

    A rate that the user states of the line wins. On an Ethernet port that cannot run at it, and of
    a subinterface or a session whose line has a rate, it is what is sold: see `sold_rate`. A clock
    or speed that an output shows counts where the configuration states none. The interface
    `bandwidth` is a label: it counts only where none of these is known. A subinterface has the wire
    of its main interface; its own `bandwidth` is the rate of a circuit. A tunnel has no wire.
    """
    main = main or interface
    if pvc is not None:
        line = _pvc_rate(pvc)
    elif main.user_rate is not None and _runs_at(main, main.user_rate.rate_bps):
        line = stated_rate(main)
    else:
        line = _line_rate(interface, main)
    stated = tuple(map(stated_rate, (session, interface, main)))
    user = next((rate for rate in stated if rate is not None), None)
    if user is None or line is None:
        return line or user
    is_slower = user.value < line.value
    if pvc is not None:
        return user if is_slower else line
    return user if line.is_label and (session is not None or not is_slower) else line


def stated_rate(place: Interface | None) -> Input | None:
    """The rate that the user states of a place."""
    user = place.user_rate if place is not None else None
    return _rate(user.rate_bps, RateKind.STATED, user.source) if user is not None else None


def _runs_at(port: Interface, rate_bps: float) -> bool:
    """Whether a line can run at a rate: a port of an Ethernet has few speeds."""
    most_bps = port_bps(port)
    return most_bps is None or (rate_bps in PORT_SPEEDS_BPS and rate_bps <= most_bps)


def _pvc_rate(pvc: Pvc) -> Input | None:
    if pvc.rate is None or pvc.rate.sustained_bps is None:
        return None
    return _rate(pvc.rate.sustained_bps, RateKind.PVC, f"{pvc.rate.service}, {pvc.rate.at}")


def _line_rate(interface: Interface, main: Interface) -> Input | None:
    """The rate by the configuration and outputs."""
    stated = [
        (RateKind.CLOCK_RATE, main.clock_rate_bps),
        (RateKind.TIMESLOTS, main.timeslots_bps),
        (RateKind.SPEED, main.speed_bps),
    ]
    known = [(rate.value, kind, rate.at) for kind, rate in stated if rate is not None]
    if known:
        return _rate(*min(known, key=lambda rate: rate[0]))
    return _seen_rate(main) or _unstated_rate(interface, main)


def _seen_rate(main: Interface) -> Input | None:
    """The rate that an output shows; the port's own is told as that."""
    seen, port = main.seen_rate_bps, port_bps(main)
    if seen is None or seen.value == port or main.modem is not None:
        return None
    kind = RateKind.CLOCK_RATE if port is None else RateKind.SPEED
    source = rate_source(kind, f"as an output shows it, {seen.at}")
    return exact("wire_rate_bps", seen.value, Basis.MEASURED, source, kind)


def _unstated_rate(interface: Interface, main: Interface) -> Input | None:
    """The rate of the port, else the label, else that of a serial line's description."""
    port = port_bps(main)
    if port is not None:
        return _rate(port, RateKind.PORT, main.type)
    label = main.bandwidth_bps or interface.bandwidth_bps
    if main.type in _WITHOUT_WIRE:
        return None
    if label is not None:
        return _rate(label.value, RateKind.BANDWIDTH_LABEL, label.at)
    described = main.description if main.is_serial_line else None
    rate_bps = line_rate_bps(described.value) if described is not None else None
    if described is None or rate_bps is None:
        return None
    return _rate(rate_bps, RateKind.DESCRIBED_LINE, described.at)


def _rate(rate_bps: float, kind: RateKind, detail: object) -> Input:
    basis = Basis.DEFAULT if kind is RateKind.PORT else Basis.CONFIGURED
    return exact("wire_rate_bps", rate_bps, basis, rate_source(kind, detail), kind)


# Carriers of an attached policy's packets: the interface or PVC whose ring they enter.


class Carrier(Struct, frozen=True):
    """An interface or PVC that sends what a policy queues.

    `members` are all members of the bundle that it belongs to, also those that are down; empty
    where it belongs to none.
    `session` is the Dialer or Virtual-Template whose PPP session it carries. `label` is its part of
    an object path, empty where the policy stands on the carrier itself or on its only one.
    """

    interface: Interface
    pvc: Pvc | None
    label: str = ""
    members: tuple[Interface, ...] = ()
    session: Interface | None = None

    @property
    def section(self) -> tuple[str, ...]:
        """The commands that enter its configuration mode."""
        enter = interface_line(self.interface)
        return (enter,) if self.pvc is None else (enter, self.pvc.label)


def carriers_of(facts: Facts, attached: Attached) -> tuple[Carrier, ...]:
    """The carriers of an attached policy.

    They are the members of an MLPPP bundle; the PVCs and interfaces that a Dialer takes from its
    pool, or that a Virtual-Template serves; else the place of the attachment itself.
    """
    interface = attached.interface
    members = members_of(facts, interface)
    if members:
        return tuple(
            Carrier(member, None, f"member {member.name}", members) for member in carrying(members)
        )
    sessions = tuple(_sessions(facts, interface))
    if len(sessions) == 1:
        return (Carrier(sessions[0].interface, sessions[0].pvc, session=interface),)
    return sessions or (Carrier(interface, attached.pvc),)


def _sessions(facts: Facts, interface: Interface) -> Iterator[Carrier]:
    if not is_session(interface):
        return
    by_session = _session_places(facts)
    pool = interface.dialer_pool.value if interface.dialer_pool is not None else None
    places = {**by_session.get(pool, {}), **by_session.get(interface.name, {})}
    for _, (carrier, pvc) in sorted(places.items(), key=_number):
        label = carrier.name if pvc is None else f"{carrier.name} > {pvc.label}"
        yield Carrier(carrier, pvc, label, session=interface)


_Places = dict[int, tuple[Interface, Pvc | None]]  # by their number in the text


def _number(place: tuple[int, object]) -> int:
    return place[0]


@derived
def _session_places(facts: Facts) -> dict[int | str | None, _Places]:
    """Places that sessions run over: by the number of their pool, or the interface they name."""
    found: dict[int | str | None, _Places] = {}
    carriers = (interface for interface in facts.interfaces if not interface.shutdown)
    places = ((carrier, pvc) for carrier in carriers for pvc in (None, *carrier.pvcs))
    for number, (carrier, pvc) in enumerate(places):
        if pvc is None:
            sessions: list[int | str] = [*carrier.pool_memberships]
        else:
            stated = (pvc.dial_pool, pvc.ppp_interface)
            sessions = [item.value for item in stated if item is not None]
        for session in sessions:
            found.setdefault(session, {})[number] = carrier, pvc
    return found


def in_pool(facts: Facts, pool: int) -> tuple[Interface, ...]:
    """Interfaces that a Dialer may take from a pool, or a PVC of them; also those shut down."""
    return tuple(_pools(facts).get(pool, {}).values())


@derived
def _pools(facts: Facts) -> dict[int, dict[str, Interface]]:
    found: dict[int, dict[str, Interface]] = {}
    for interface in facts.interfaces:
        dialed = (pvc.dial_pool.value for pvc in interface.pvcs if pvc.dial_pool is not None)
        for pool in (*interface.pool_memberships, *dialed):
            found.setdefault(pool, {})[interface.name] = interface
    return found


def session_mtu(facts: Facts, carrier: Carrier) -> Stated[int] | None:
    """The largest MTU of the sessions that run over a place; None where one states none.

    What leaves through a PVC of a Dialer is cut to the MTU of the Dialer, not of the interface.
    """
    if carrier.session is not None:
        return own_mtu(carrier.session)
    over_it = _sessions_by_interface(facts).get(carrier.interface.name, ())
    return _largest(own_mtu(session) for session, pvc in over_it if pvc == carrier.pvc)


def mtu_of(facts: Facts, interface: Interface, pvc: Pvc | None = None) -> Stated[int] | None:
    """The largest packet that waits before a ring; None where a place on its port states none.

    Subinterfaces share the ring of their port; a PVC of ATM has one of its own.
    """
    main = facts.main_of(interface)
    if pvc is not None:
        return own_mtu(interface, main)
    mtus = _mtus_of_ports(facts)
    if main.name not in mtus:
        mtus[main.name] = _largest_of_port(facts, main)
    return mtus[main.name]


@derived
def _mtus_of_ports(_: Facts) -> dict[str, Stated[int] | None]:
    """The answers for the ports that were asked for: a port of many circuits is read once."""
    return {}


def _largest_of_port(facts: Facts, main: Interface) -> Stated[int] | None:
    family = [place for place in facts.family(main.name) if not place.shutdown]
    places = [place for place in family if place.name != main.name or sends(place)]
    return _largest(own_mtu(place, main) for place in places or (main,))


def sends(interface: Interface) -> bool:
    """Whether an interface has packets of its own, beside those of its subinterfaces."""
    own = (interface.ip_address, interface.other_protocol, interface.bridge_group)
    return any(stated is not None for stated in own)


def _largest(mtus: Iterable[Stated[int] | None]) -> Stated[int] | None:
    """The largest one; None where there is none, or one is not stated."""
    stated = tuple(mtus)
    known = [mtu for mtu in stated if mtu is not None]
    return max(known, key=_value) if known and len(known) == len(stated) else None


@derived
def _sessions_by_interface(facts: Facts) -> dict[str, list[tuple[Interface, Pvc | None]]]:
    """Dialers and templates whose sessions run over an interface, each with the PVC."""
    found: dict[str, list[tuple[Interface, Pvc | None]]] = {}
    for session in facts.interfaces:
        for place in _sessions(facts, session):
            found.setdefault(place.interface.name, []).append((session, place.pvc))
    return found


def own_mtu(place: Interface, main: Interface | None = None) -> Stated[int] | None:
    """`mtu`, or `ip mtu` where it is smaller and the place carries IPv4 alone."""
    link = place.mtu_bytes or (main.mtu_bytes if main is not None else None)
    is_ipv4 = place.other_protocol is None and place.bridge_group is None
    both = (link, place.ip_mtu_bytes if is_ipv4 else None)
    return min((mtu for mtu in both if mtu is not None), key=_value, default=None)


def _value(stated: Stated[int]) -> int:
    return stated.value


def members_of(facts: Facts, bundle: Interface) -> tuple[Interface, ...]:
    """Interfaces that carry an MLPPP bundle; empty if it is no bundle."""
    return tuple(
        item for item in group_of(facts, bundle) if joins(facts, item) and not item.shutdown
    )


def group_of(facts: Facts, bundle: Interface) -> tuple[Interface, ...]:
    """Interfaces that name the group of an MLPPP bundle, whether they can join it or not."""
    if bundle.type != "Multilink":
        return ()
    return _groups(facts).get(bundle.name.removeprefix("Multilink"), ())


@derived
def _groups(facts: Facts) -> dict[str, tuple[Interface, ...]]:
    """Interfaces that name each group, by its number."""
    found: dict[str, list[Interface]] = {}
    for interface in facts.interfaces:
        group = interface.multilink.group
        if group is not None and interface.type != "Multilink":
            found.setdefault(str(group.value), []).append(interface)
    return {number: tuple(item) for number, item in found.items()}


def joins(facts: Facts, member: Interface) -> bool:
    """Whether a member of a bundle speaks PPP: a serial interface of a router is HDLC by default.

    A text that names no router may change lines of an interface that has its encapsulation.
    """
    if member.encapsulation is not None:
        return member.encapsulation.value.split()[:1] == ["ppp"]
    is_part = facts.version is None and facts.hostname is None
    return is_part or member.type != "Serial"


def carrying(members: Sequence[Interface]) -> Sequence[Interface]:
    """Members without those that an output shows to be down; all where none is up."""
    return [member for member in members if member.seen_down is None] or members


def bundle_of(facts: Facts, member: Interface) -> Interface | None:
    """The MLPPP bundle that sends over an interface: the member itself does not queue."""
    group = member.multilink.group
    if group is None or member.type == "Multilink":
        return None
    return facts.interface(f"Multilink{group.value}")


def channel_members(facts: Facts, channel: Interface) -> tuple[Interface, ...]:
    """Interfaces of a port-channel that are not shut down."""
    if channel.type != "Port-channel":
        return ()
    number = (channel.parent or channel.name).removeprefix("Port-channel")
    return _channel_members(facts).get(number, ())


@derived
def _channel_members(facts: Facts) -> dict[str, tuple[Interface, ...]]:
    """Members of each port-channel, by its number."""
    found: dict[str, list[Interface]] = {}
    for interface in facts.interfaces:
        if interface.channel_group is not None and not interface.shutdown:
            found.setdefault(str(interface.channel_group.value), []).append(interface)
    return {number: tuple(item) for number, item in found.items()}


# Policies in policies: which one queues, and the shaper that is in force around it.
#
# IOS nests three levels: a shaper for all, a parent with a class for each customer, and a child
# that queues. Source: Cisco IOS XE 16.11 MQC guide, "3-Level User-Defined Queuing Policy";
# percentages of a child are of the parent's shape rate by a printout of its classes (99872 kb/s:
# 1 % is 998).

MOST_LEVELS = 3
_PEAK_DEFAULT = 2.0  # Be is Bc by default


class CarrierShaper(Struct, frozen=True):
    """The shaper in force before a queue.

    `shape` is its statement, None for the CIR of a circuit. `share` is its part of the line, where
    only percentages lead to it.
    """

    rate_bps: float
    shape: Shape | None = None
    share: float | None = None


class Branch(Struct, frozen=True):
    """A policy that queues, with the shaper around it and its path below the attached policy.

    `policed` is a policer of a class around it that drops: it meters what the policy queues.
    """

    queueing: PolicyMap
    shaper: CarrierShaper | None
    path: str = ""
    policed: Police | None = None


def shaped_bps(shape: Shape, base_bps: float | None) -> float | None:
    """Highest lasting rate that a shaper lets pass; None for a percentage of an unknown base.

    `shape peak` sends CIR x (1 + Be / Bc), twice the CIR by default. Source: Cisco IOS QoS Command
    Reference, shape (percent) and shape (policy-map class).
    """
    rate_bps = shape.rate_bps
    if rate_bps is None:
        share = shaped_share(shape)
        return None if share is None or base_bps is None else base_bps * share
    return rate_bps * _peak_factor(shape)


def shaped_share(shape: Shape) -> float | None:
    """Part of its base that a shaper in percent lets pass; None for one in bit/s."""
    if shape.rate_bps is not None or shape.percent is None:
        return None
    return ratio_from_percent(shape.percent) * _peak_factor(shape)


def _peak_factor(shape: Shape) -> float:
    if shape.mode != "peak":
        return 1.0
    bc = shape.bc_bits if shape.bc_bits is not None else shape.bc_ms
    be = shape.be_bits if shape.be_bits is not None else shape.be_ms
    return 1 + be / bc if bc and be is not None else _PEAK_DEFAULT


def branches(
    facts: Facts, policy: PolicyMap, outer: CarrierShaper | None, base_bps: float | None
) -> Iterator[Branch]:
    """The policies that queue under an attached policy, in document order.

    A policy queues itself where no class of it has a child, or where it also has a priority class.

    Parameters
    ----------
    facts : Facts
        Where the children are looked up.
    policy : PolicyMap
        The attached policy.
    outer : Shaper or None
        A shaper of the circuit around it.
    base_bps : float or None
        The base of percentages where no shaper is around the policy.
    """
    yield from _below(facts, Branch(policy, outer), base_bps, MOST_LEVELS)


def _below(facts: Facts, around: Branch, base_bps: float | None, levels: int) -> Iterator[Branch]:
    policy = around.queueing
    only = policy.classes[0] if len(policy.classes) == 1 else None
    children = [
        (policy_class, facts.policy_map(policy_class.child.value))
        for policy_class in policy.classes
        if policy_class.child
    ]
    nested = [(policy_class, child) for policy_class, child in children if child is not None]
    has_priority = any(policy_class.priority is not None for policy_class in policy.classes)
    if not nested or has_priority or levels == 1:
        shaper = around.shaper
        if only is not None and only.is_default:
            shaper = _inner(shaper, only, base_bps)
        yield Branch(policy, shaper, around.path, around.policed)
    for policy_class, child in nested if levels > 1 else ():
        step = f" > {policy.path_of(policy_class.name)}"
        path = around.path if only is not None else around.path + step
        shaper = _inner(around.shaper, policy_class, base_bps)
        own = policy_class.police
        policed = own if own is not None and own.drops else around.policed
        yield from _below(facts, Branch(child, shaper, path, policed), base_bps, levels - 1)


def _inner(
    outer: CarrierShaper | None, policy_class: PolicyClass, base_bps: float | None
) -> CarrierShaper | None:
    """The shaper in force in a class: its own, or that around it where that one is slower."""
    shape = policy_class.shape
    rate_bps = None
    if shape is not None:
        rate_bps = shaped_bps(shape, outer.rate_bps if outer is not None else base_bps)
    if shape is None or rate_bps is None:
        return outer
    if outer is not None and outer.rate_bps < rate_bps:
        return outer
    share = shaped_share(shape)
    if outer is not None:
        share = share * outer.share if share is not None and outer.share is not None else None
    return CarrierShaper(rate_bps, shape, share)


def ceiling_bps(
    policy: PolicyMap, outer: CarrierShaper | None, base_bps: float | None
) -> float | None:
    """Rate that an attached policy lets pass: the sum where every class has a shaper, or the CIR.

    None where some packets are not shaped.
    """
    base_bps = outer.rate_bps if outer is not None else base_bps
    rates = [
        None if policy_class.shape is None else shaped_bps(policy_class.shape, base_bps)
        for policy_class in policy.classes
    ]
    known = [rate for rate in rates if rate is not None]
    covered = any(policy_class.is_default for policy_class in policy.classes)
    total_bps = sum(known) if covered and len(known) == len(rates) else None
    if outer is None:
        return total_bps
    return outer.rate_bps if total_bps is None else min(outer.rate_bps, total_bps)


# Limits of an interface outside of its policies.

_LIMITS: Final = (("rate-limit", "output"), ("traffic-shape", "rate"))


def limit_bps(text: str) -> int | None:
    """Rate that a line of CAR or generic shaping holds all packets of an interface to.

    None of a line for some packets, or of CAR that drops nothing.

    >>> limit_bps("traffic-shape rate 256000 2560 0"), limit_bps("traffic-shape group 101 64000")
    (256000, None)
    """
    words = text.split()
    if tuple(words[:2]) not in _LIMITS or (words[0] == "rate-limit" and "drop" not in words):
        return None
    return whole_or_none(words[2]) if len(words) > len(_LIMITS[0]) else None


def why_limited(facts: Facts, interface: Interface, wire: Input | None) -> str | None:
    """Why what a policy queues is not known: a line outside of it limits all of its packets."""
    parent = facts.interface(interface.parent) if interface.parent else None
    for home in (interface, *((parent,) if parent is not None else ())):
        for stated in home.legacy_queueing:
            rate_bps = limit_bps(stated.value)
            if rate_bps is not None and (wire is None or rate_bps < wire.value):
                kbps = rate_text(kbps_from_bps(rate_bps))
                command = " ".join(stated.value.split()[:2])
                held = f"holds {home.name} to {kbps} kb/s outside of its policy"
                return f"`{command}` ({stated.at}) {held}"
    return None
