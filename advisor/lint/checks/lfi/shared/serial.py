"""MLPPP with interleaving on one serial: what moves to the Multilink, and what forbids it.

Order and lines: Cisco 10000 QoS guide (order at each end), Cisco SRND (bandwidth of both alike).
"""

import re
from itertools import count
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import Facts
from advisor.facts.interface import Attachment, Interface
from advisor.facts.stated import Stated
from advisor.ios.syntax.names import interface_name
from advisor.ios.syntax.tree import Line
from advisor.outlet.framing import Layer2
from advisor.outlet.outlet import Outlet
from advisor.quantity import Unknown
from advisor.units import kbps_from_bps

_PPP: Final = "ppp"
_STAYS: Final = (
    *("description", "bandwidth", "clock", "encapsulation", "tx-ring-limit", "tx-queue-limit"),
    *("load-interval", "fair-queue", "hold-queue", "keepalive", "cdp", "logging", "snmp"),
    *("serial", "service-module", "invert", "nrzi-encoding", "dce-terminal-timing-enable"),
    *("shutdown", "carrier-delay", "framing", "linecode", "crc", "dsu", "ignore-dcd"),
)
_MOVES: Final = ("ip address", "service-policy", "max-reserved-bandwidth", "ip mtu")
_OLD_MAJORS: Final = ("11.", "12.0", "12.1")  # they spell `multilink-group`


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
    has_label: bool  # its `bandwidth` is the rate already
    is_ppp: bool


def serial_lfi(device: Device, outlet: Outlet) -> SerialLfi | Unknown:
    """The bundle that carries an output, or why no lines make it."""
    interface, facts = outlet.interface, device.facts
    kind = outlet.encapsulation.kind if outlet.encapsulation is not None else None
    is_plain = outlet.attached_to == interface.name and not interface.is_subinterface
    if kind not in (Layer2.PPP, Layer2.HDLC) or interface.type != "Serial" or not is_plain:
        return Unknown("the policy is not on a serial with PPP or HDLC")
    if interface.ip_address is None or interface.address is None:
        return Unknown(f"{interface.name} has no address of its own that could move")
    if facts.version is not None and facts.version.value.startswith(_OLD_MAJORS):
        return Unknown(f"IOS {facts.version.value} spells it `multilink-group`")
    section = _section(facts, interface)
    strange = next((line for line in section if not _is_known(line.text)), None)
    if strange is not None:
        return Unknown(f"move by hand first: line {strange.number} of {interface.name}")
    user = _user(facts, interface)
    if user is not None:
        return Unknown(f"line {user.number} names {interface.name}: it must name the Multilink")
    kbps = int(kbps_from_bps(outlet.wire_bps))
    label_bps = interface.bandwidth_bps
    return SerialLfi(
        interface.name,
        _free_group(facts),
        kbps,
        interface.ip_address.value,
        interface.policies,
        _value(interface.max_reserved_percent),
        _value(interface.ip_mtu_bytes),
        label_bps is not None and int(kbps_from_bps(label_bps.value)) == kbps,
        kind is Layer2.PPP,
    )


def _value(stated: Stated[int] | None) -> int | None:
    return None if stated is None else stated.value


def _section(facts: Facts, interface: Interface) -> tuple[Line, ...]:
    return tuple(
        line
        for head in facts.tree.commands()
        if head.text.startswith("interface ") and _named(head) == interface.name
        for line in head.commands()
    )


def _named(head: Line) -> str:
    return interface_name(head.text.removeprefix("interface "))


def _is_known(text: str) -> bool:
    words = text.removeprefix("no ")
    if words.startswith("ip address ") and words.endswith(" secondary"):
        return False
    return words.split()[0] in _STAYS or words.startswith(_MOVES)


def _user(facts: Facts, interface: Interface) -> Line | None:
    """The first line outside its section that names the interface, or a subinterface of it."""
    kind, unit = interface.type, interface.name.removeprefix(interface.type).lower()
    name = re.compile(rf"\b{kind[:2]}[a-z]*\s?{re.escape(unit)}(?![\d/:])", re.IGNORECASE)
    own = set(map(id, _section(facts, interface)))
    return next(
        (
            line
            for line in facts.tree.walk()
            if unit in line.text.lower()  # a search costs ten times as much, and few lines need it
            and id(line) not in own
            and line.is_command
            and name.search(line.text)
            and not (line.text.startswith("interface ") and _named(line) == interface.name)
        ),
        None,
    )


def _free_group(facts: Facts) -> int:
    groups = {each.multilink.group.value for each in facts.interfaces if each.multilink.group}
    return next(
        number
        for number in count(1)
        if number not in groups and facts.interface(f"Multilink{number}") is None
    )
