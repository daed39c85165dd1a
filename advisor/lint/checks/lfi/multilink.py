"""MLPPP with interleaving on serial lines: what moves to the Multilink, what forbids it."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.masking import REMOVED, is_masked
from advisor.device.device import Device
from advisor.facts import Stated
from advisor.facts.config import Facts
from advisor.facts.interface import Attachment, Interface
from advisor.ios.syntax import Kind, Line
from advisor.ios.syntax.names import interface_name
from advisor.lint.checks.ref import command_texts
from advisor.outlet.carriers import members_of, wire_rate
from advisor.outlet.framing import Layer2, encapsulation_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.parts import fragment_base_bps
from advisor.outlet.plain import has_output_policy
from advisor.predict.classes.congested import congested
from advisor.predict.ring import advise_ring, ring_view
from advisor.quantity import Input, Unknown
from advisor.units import bytes_in_ms, kbps_from_bps

# Members of a bundle by their `bandwidth`, of which IOS makes the fragments.

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
_STAYS: Final = (
    *("description", "bandwidth", "clock", "encapsulation", "tx-ring-limit", "tx-queue-limit"),
    *("load-interval", "fair-queue", "hold-queue", "keepalive", "cdp", "logging", "snmp"),
    *("serial", "service-module", "invert", "nrzi-encoding", "dce-terminal-timing-enable"),
    *("shutdown", "carrier-delay", "framing", "linecode", "crc", "dsu", "ignore-dcd"),
)
# Printed by `show interfaces`: DLY 20000 usec of a serial, 100000 of a Multilink.
_DELAY, _BY_DELAY = 2000, frozenset(("router eigrp", "router igrp"))
_MOVES: Final = ("ip address", "service-policy", "max-reserved-bandwidth", "ip mtu")


class FragmentLimits(Struct, frozen=True):
    """Budgets of one fragment and of all that is in the ring (None: not judged); rate of LFI."""

    fragment_ms: float
    ring_ms: float | None
    lfi_up_to_kbps: float


class SerialLfi(Struct, frozen=True):
    """A serial that becomes the only member of a new bundle.

    The Multilink takes over its address, policies, `max-reserved-bandwidth` and `ip mtu`.
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
    section = device.derived(_sections).get(interface.name, ())
    strange = [line for line in section if not _is_known(line.text)]
    if strange:
        return Unknown(f"move by hand first: {_places(facts, strange)} of {interface.name}")
    named = _why_named(device, interface)
    if named is not None:
        return Unknown(named)
    kbps = int(kbps_from_bps(rate.value))
    label_bps = interface.bandwidth_bps
    return SerialLfi(
        interface.name,
        next(group for group in free_groups(facts) if group not in taken),
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


def _sections(device: Device) -> Mapping[str, tuple[Line, ...]]:
    """The commands of each interface, by its name."""
    sections: dict[str, tuple[Line, ...]] = {}
    for head in device.facts.tree.commands():
        if head.text.startswith("interface "):
            name = _named(head)
            sections[name] = (*sections.get(name, ()), *head.commands())
    return sections


def _named(head: Line) -> str:
    return interface_name(head.text.removeprefix("interface "))


def _is_known(text: str) -> bool:
    words = text.removeprefix("no ")
    if words.startswith("ip address ") and words.endswith(" secondary"):
        return False
    return words.split()[0] in _STAYS or words.startswith(_MOVES)


def _places(facts: Facts, lines: Sequence[Line]) -> str:
    """All lines, with the file of the first: "r1.ios:14, 15"."""
    first, *others = map(facts.tree.at, lines)
    return ", ".join((str(first), *(str(at.line) for at in others)))


def _why_named(device: Device, interface: Interface) -> str | None:
    """Which lines name the interface, or may: they would have to name the Multilink."""
    users = _users(device, interface)
    if users:
        places, verb = _places(device.facts, users), "name" if len(users) > 1 else "names"
        return f"{places} {verb} {interface.name}: it must be the Multilink"
    hidden = device.derived(_hidden_user)
    if hidden is not None:
        return f"redaction masked `{hidden.text}`, which may name {interface.name}"
    return None


def _users(device: Device, interface: Interface) -> tuple[Line, ...]:
    """The lines outside its section that name the interface, or a subinterface of it."""
    kind, unit = interface.type.lower(), interface.name.removeprefix(interface.type)
    own = set(map(id, device.derived(_sections).get(interface.name, ())))
    users = {
        id(line): line
        for word, line in device.derived(_lines_by_unit).get(unit, ())
        if kind.startswith(word)
        and id(line) not in own
        and not (line.text.startswith("interface ") and _named(line) == interface.name)
    }
    return tuple(users.values())


# "Serial0/0", "s0/0" of an applet; "Serial0/0.1" names its main interface, "Serial0/0:1" does not.
_PORT: Final = re.compile(r"\b([A-Za-z]++)\s?(\d++(?:/\d++)*+(?::\d++)?+)(?![/:])")


def _lines_by_unit(device: Device) -> Mapping[str, tuple[tuple[str, Line], ...]]:
    """The commands that may name a port, each with the word before its number, by the number."""
    found: dict[str, list[tuple[str, Line]]] = {}
    for line in device.facts.tree.walk():
        if line.is_command:
            for port in _PORT.finditer(line.text):
                found.setdefault(port[2], []).append((port[1].lower(), line))
    return {unit: tuple(lines) for unit, lines in found.items()}


# Of these commands redaction may take all that tells what they name.
_MAY_NAME: Final = tuple(f"{head} {REMOVED}" for head in ("ip", "ipv6", "connect", "frame-relay"))
_SHOWS: Final = "alias exec "  # such a command changes no configuration


def _hidden_user(device: Device) -> Line | None:
    """A line whose interface redaction may have masked: of stored commands, or of no known one."""
    stored = (
        line
        for line in device.derived(command_texts)
        if is_masked(line.text) and not line.text.startswith(_SHOWS)
    )
    others = (
        line
        for line in device.facts.tree.walk()
        if line.kind is Kind.COMMAND
        and (is_masked(line.words[0]) or line.text.startswith(_MAY_NAME))
    )
    return next(chain(stored, others), None)


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
