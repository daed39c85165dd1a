"""What carries the packets of an attached policy: the interface or PVC whose ring they enter."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.facts.attachments import Attached, interface_line
from advisor.facts.config import Facts
from advisor.facts.interface import Interface, Pvc
from advisor.facts.stated import Stated

_SESSIONS = ("Dialer", "Virtual-Template")


class Carrier(Struct, frozen=True):
    """An interface or PVC that sends what a policy queues.

    `members` are all members of the bundle that it belongs to, empty where it belongs to none.
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
        return tuple(Carrier(member, None, f"member {member.name}", members) for member in members)
    sessions = tuple(_sessions(facts, interface))
    if len(sessions) == 1:
        return (Carrier(sessions[0].interface, sessions[0].pvc, session=interface),)
    return sessions or (Carrier(interface, attached.pvc),)


def _sessions(facts: Facts, interface: Interface) -> Iterator[Carrier]:
    if interface.type not in _SESSIONS:
        return
    pool = interface.dialer_pool.value if interface.dialer_pool is not None else None
    for carrier in facts.interfaces:
        if carrier.shutdown:
            continue
        if pool is not None and pool in carrier.pool_memberships:
            yield Carrier(carrier, None, carrier.name, session=interface)
        for pvc in carrier.pvcs:
            dialed = pvc.dial_pool is not None and pvc.dial_pool.value == pool
            served = pvc.ppp_interface is not None and pvc.ppp_interface.value == interface.name
            if dialed or served:
                label = f"{carrier.name} > {pvc.label}"
                yield Carrier(carrier, pvc, label, session=interface)


def is_in_pool(interface: Interface, pool: int) -> bool:
    """Whether a Dialer may take an interface, or a PVC of it, from this pool."""
    dialed = (pvc.dial_pool.value for pvc in interface.pvcs if pvc.dial_pool is not None)
    return pool in (*interface.pool_memberships, *dialed)


def session_mtu(facts: Facts, carrier: Carrier) -> Stated[int] | None:
    """The largest MTU of the sessions that run over a place; None where one states none.

    What leaves through a PVC of a Dialer is cut to the MTU of the Dialer, not of the interface.
    """
    if carrier.session is not None:
        return _own_mtu(carrier.session)
    over_it = [
        session
        for session in facts.derived(_session_interfaces)
        for other in _sessions(facts, session)
        if (other.interface.name, other.pvc) == (carrier.interface.name, carrier.pvc)
    ]
    stated = [_own_mtu(session) for session in over_it]
    known = [mtu for mtu in stated if mtu is not None]
    return max(known, key=_value) if known and len(known) == len(stated) else None


def _session_interfaces(facts: Facts) -> tuple[Interface, ...]:
    return tuple(each for each in facts.interfaces if each.type in _SESSIONS)


def _own_mtu(session: Interface) -> Stated[int] | None:
    """`mtu` or `ip mtu`, the smaller one: a session carries IP alone."""
    both = (session.mtu_bytes, session.ip_mtu_bytes)
    return min((mtu for mtu in both if mtu is not None), key=_value, default=None)


def _value(stated: Stated[int]) -> int:
    return stated.value


def members_of(facts: Facts, bundle: Interface) -> tuple[Interface, ...]:
    """Interfaces that carry an MLPPP bundle; empty if it is no bundle."""
    return tuple(
        each for each in group_of(facts, bundle) if joins(facts, each) and not each.shutdown
    )


def group_of(facts: Facts, bundle: Interface) -> tuple[Interface, ...]:
    """Interfaces that name the group of an MLPPP bundle, whether they can join it or not."""
    if bundle.type != "Multilink":
        return ()
    return facts.derived(_groups).get(bundle.name.removeprefix("Multilink"), ())


def _groups(facts: Facts) -> dict[str, tuple[Interface, ...]]:
    """Interfaces that name each group, by its number."""
    found: dict[str, list[Interface]] = {}
    for interface in facts.interfaces:
        group = interface.multilink.group
        if group is not None and interface.type != "Multilink":
            found.setdefault(str(group.value), []).append(interface)
    return {number: tuple(each) for number, each in found.items()}


def joins(facts: Facts, member: Interface) -> bool:
    """Whether a member of a bundle speaks PPP: a serial interface of a router is HDLC by default.

    A text that names no router may change lines of an interface that has its encapsulation.
    """
    if member.encapsulation is not None:
        return member.encapsulation.value.split()[:1] == ["ppp"]
    is_part = facts.version is None and facts.hostname is None
    return is_part or member.type != "Serial"


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
    return facts.derived(_channel_members).get(number, ())


def _channel_members(facts: Facts) -> dict[str, tuple[Interface, ...]]:
    """Members of each port-channel, by its number."""
    found: dict[str, list[Interface]] = {}
    for interface in facts.interfaces:
        if interface.channel_group is not None and not interface.shutdown:
            found.setdefault(str(interface.channel_group.value), []).append(interface)
    return {number: tuple(each) for number, each in found.items()}
