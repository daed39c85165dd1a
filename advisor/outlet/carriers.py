"""Finds the carriers of an attached policy: the interfaces or PVCs that send what it queues."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from advisor.facts import Stated
from advisor.facts.attachments import Attached, interface_line
from advisor.facts.config import Facts
from advisor.facts.interface import Interface, Pvc
from advisor.ground.questions import derived

_SESSIONS = ("Dialer", "Virtual-Template")


def is_session(interface: Interface) -> bool:
    """Whether PPP sessions run over other interfaces for it."""
    return interface.type in _SESSIONS


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
