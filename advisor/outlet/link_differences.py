"""Settings of interfaces, lines and circuits that outputs show otherwise than configured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from advisor.device.as_seen import is_newer
from advisor.device.device import Device
from advisor.device.platforms import Family
from advisor.facts.attachments import esp_of, hiding
from advisor.facts.interface import FrameRelayCircuit, Interface
from advisor.ground.quantity import rate_text
from advisor.ground.units import kbps_from_bps
from advisor.ios.syntax.names import interface_name
from advisor.outlet.carriers import channel_members, members_of
from advisor.outlet.class_differences import Difference, Figures, differ
from advisor.outlet.parts import DEFAULT_MTU_BYTES
from advisor.outlet.wires import limit_bps

if TYPE_CHECKING:
    from advisor.shows.interfaces.reader import ObservedInterface

_LINK_STATES: Final = ("up", "administratively down")
_SHAPES_ALL: Final = "traffic-shape rate "
_DOWN: Final = ("INACTIVE", "DELETED")
_LAN_PORTS: Final = ("Ethernet", "FastEthernet", "GigabitEthernet")
_MEND_LINE: Final = "correct the line that states it, or the line itself"
_MEND_MEMBER: Final = "bring the member up"
_MEND_STATE: Final = "enter or take off `shutdown`"
_MEND_CIRCUIT: Final = "enter the lines of the circuit again, or correct them"


def differing_links(device: Device, interface: Interface) -> Iterator[Difference]:
    """Differences of an interface, its circuits, members and associations."""
    yield from _rates(device, interface)
    yield from _limits(device, interface)
    yield from _circuits(device, interface)
    yield from _members(device, interface)
    yield from _associations(device, interface)


def _rates(device: Device, interface: Interface) -> Iterator[Difference]:
    stated, seen = interface.bandwidth_bps, device.seen.interface(interface.name)
    clock, shown_rate = interface.clock_rate_bps, interface.seen_rate_bps
    if clock is not None and shown_rate is not None and differ(clock.value, shown_rate.value):
        shown, own = (rate_text(kbps_from_bps(item.value)) for item in (shown_rate, clock))
        said = f"a clock of {shown} kb/s for `clock rate` {own} kb/s"
        is_followed = is_newer(shown_rate.at, clock.at)
        figures = Figures.OF_OUTPUT if is_followed else Figures.OF_CONFIG
        yield Difference(said, clock.at, shown_rate.at, figures, _MEND_LINE)
    if seen is None:
        return
    is_down = seen.link == "administratively down"
    if is_down is not interface.shutdown and seen.link in _LINK_STATES:
        said = "no `shutdown`" if is_down else "`shutdown`"
        yield Difference(f"{seen.link} for {said}", interface.at, seen.at, mend=_MEND_STATE)
    yield from _port_settings(device, interface, seen)
    if stated is None or seen.bandwidth_bps is None:
        return
    if differ(stated.value, seen.bandwidth_bps):
        shown, own = (rate_text(kbps_from_bps(bps)) for bps in (seen.bandwidth_bps, stated.value))
        said = f"BW {shown} kb/s for `bandwidth {own}`"
        yield Difference(said, stated.at, seen.at, mend=_MEND_LINE)


def _port_settings(
    device: Device, interface: Interface, seen: ObservedInterface
) -> Iterator[Difference]:
    """The largest packet and the speed of a port."""
    own = interface.mtu_bytes
    is_router = device.platform.family is Family.SOFTWARE  # a switch has a `system mtu`
    is_default = interface.type == "Serial" or (interface.type in _LAN_PORTS and is_router)
    expected = own.value if own is not None else DEFAULT_MTU_BYTES if is_default else None
    if expected is not None and seen.mtu_bytes not in (None, expected):
        of = f"`mtu {expected}`" if own is not None else f"{expected} by default"
        at = own.at if own is not None else interface.at
        yield Difference(f"MTU {seen.mtu_bytes} for {of}", at, seen.at, mend=_MEND_LINE)
    speed, shown_rate = interface.speed_bps, interface.seen_rate_bps
    if speed is not None and shown_rate is not None and differ(speed.value, shown_rate.value):
        rates = (rate_text(kbps_from_bps(item.value)) for item in (shown_rate, speed))
        said = "a speed of {} kb/s for `speed` {} kb/s".format(*rates)
        yield Difference(said, speed.at, shown_rate.at, mend=_MEND_LINE)


def _limits(device: Device, interface: Interface) -> Iterator[Difference]:
    """The rate that generic traffic shaping, or committed access rate, holds all output to."""
    shaper = device.seen.shaper(interface.name, None)
    policers = [
        item
        for item in device.seen.rate_limits
        if interface_name(item.interface) == interface.name
        and (item.direction, item.limits_all) == ("output", True)
    ]
    for line in interface.legacy_queueing if shaper is not None or policers else ():
        rate_bps, is_shaped = limit_bps(line.value), line.value.startswith(_SHAPES_ALL)
        seen = shaper if is_shaped else policers[0] if len(policers) == 1 else None
        if seen is not None and rate_bps is not None and differ(rate_bps, seen.rate_bps):
            shown, own = (rate_text(kbps_from_bps(bps)) for bps in (seen.rate_bps, rate_bps))
            how = "shaped" if is_shaped else "policed"
            said = f"{how} to {shown} kb/s for {own}"
            yield Difference(said, line.at, seen.at, mend=_MEND_LINE)


def _circuits(device: Device, interface: Interface) -> Iterator[Difference]:
    """The rate of an ATM circuit, and the fragments of a Frame Relay one."""
    for pvc in interface.pvcs:
        rate = pvc.rate.sustained_bps if pvc.rate is not None else None
        for shown in device.seen.atm_circuits:
            is_it = (shown.vpi, shown.vci) == (pvc.vpi, pvc.vci) and shown.is_at(interface.name)
            if is_it and rate and shown.average_bps and differ(rate, shown.average_bps):
                seen, own = (rate_text(kbps_from_bps(bps)) for bps in (shown.average_bps, rate))
                said = f"an average of {seen} kb/s on {pvc.label} for {own}"
                figures = Figures.OF_CONFIG if pvc.seen_rate_bps is None else Figures.OF_OUTPUT
                yield Difference(said, pvc.at, shown.at, figures, _MEND_CIRCUIT)
    for circuit in interface.circuits:
        yield from _shaped(device, interface, circuit)
        size = circuit.stated_fragment_bytes or circuit.fragment_bytes
        is_followed = circuit.stated_fragment_bytes is not None
        for row in device.seen.fragmentation:
            is_it = row.dlci == circuit.dlci and interface_name(row.interface) == interface.name
            if is_it and (size is None or row.fragment_bytes != size.value):
                said = f"fragments of {row.fragment_bytes} bytes on DLCI {row.dlci}"
                said += f" for {size.value}" if size is not None else ", where none are configured"
                at = circuit.at if size is None else size.at
                figures = Figures.OF_OUTPUT if is_followed else Figures.OF_CONFIG
                yield Difference(said, at, row.at, figures, _MEND_CIRCUIT)


def _shaped(
    device: Device, interface: Interface, circuit: FrameRelayCircuit
) -> Iterator[Difference]:
    """The state of a Frame Relay circuit, and the CIR that it is shaped to."""
    name, number = interface.name, str(circuit.dlci)
    for state in device.seen.shaped_at(name, number):
        if state.status in _DOWN and not interface.shutdown:
            said = f"DLCI {number} is {state.status.lower()} and carries nothing"
            yield Difference(said, circuit.at, state.at, mend=_MEND_CIRCUIT)
    shaper, cir = device.seen.shaper(name, number), circuit.stated_cir_bps or circuit.cir_bps
    if shaper is not None and cir is not None and differ(cir.value, shaper.rate_bps):
        shown, own = (rate_text(kbps_from_bps(bps)) for bps in (shaper.rate_bps, cir.value))
        said = f"DLCI {number} shaped to {shown} kb/s for {own}"
        figures = Figures.OF_CONFIG if circuit.stated_cir_bps is None else Figures.OF_OUTPUT
        yield Difference(said, cir.at, shaper.at, figures, _MEND_CIRCUIT)


def _members(device: Device, interface: Interface) -> Iterator[Difference]:
    """Members of a bundle that are down: it has less than the configured rate."""
    members = members_of(device.facts, interface) or channel_members(device.facts, interface)
    up = [member for member in members if member.seen_down is None]
    figures = f"figures are of {len(up)} of {len(members)} members" if up else "none is up"
    for member in members:
        if member.seen_down is not None:
            said = f"member {member.name} is down ({member.seen_down.value}), {figures}"
            at = member.seen_down.at
            yield Difference(said, member.at, at, Figures.OF_MEMBERS, _MEND_MEMBER)


def _associations(device: Device, interface: Interface) -> Iterator[Difference]:
    """Associations of IPsec in force whose bytes no transform set of the interface has."""
    known = hiding(device.facts)
    crypto_map = known.crypto_map_by_interface.get(interface.name)
    sets = {
        name: entry.at
        for entry in known.entries
        if entry.name == crypto_map
        for name in entry.transform_sets
    }
    for tunnel in known.tunnels:
        if tunnel.interface.name == interface.name and tunnel.profile is not None:
            names = known.transform_sets_by_profile.get(tunnel.profile, ())
            sets |= dict.fromkeys(names, interface.at)
    stated = [known.esp_by_transform_set.get(name) for name in sets]
    if not sets or None in stated:
        return
    own = {replace(esp, is_transport=False) for esp in stated if esp is not None}
    for item in device.seen.protected:
        for shown in item.associations if item.interface == interface.name else ():
            esp = esp_of(shown.words, is_transport=False)
            if esp is not None and esp not in own:
                said = f"IPsec with {shown} for transform-set {' or '.join(sets)}"
                yield Difference(said, next(iter(sets.values())), item.at)
