"""Outputs that contradict the configuration of the same capture: the router runs another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from advisor.device.as_seen import is_newer
from advisor.device.device import Device, is_hidden, is_surely_missing
from advisor.device.platforms import Family
from advisor.facts.attachments import Attached, attachments, esp_of, hiding
from advisor.facts.config import Facts
from advisor.facts.dlsw import Transport
from advisor.facts.interface import FrameRelayCircuit, Interface, Side
from advisor.facts.policy import PolicyMap
from advisor.ground.quantity import rate_text
from advisor.ground.questions import derived
from advisor.ground.units import kbps_from_bps
from advisor.ios.syntax.names import interface_name
from advisor.outlet.carriers import channel_members, members_of
from advisor.outlet.class_differences import (
    Difference,
    Figures,
    differ,
    differing_counted,
    differing_matches,
    differing_shown,
)
from advisor.outlet.outlet import Outlet
from advisor.outlet.parts import DEFAULT_MTU_BYTES, circuit_number
from advisor.outlet.wires import limit_bps
from advisor.shows.observations import Observations, TakenOutput

if TYPE_CHECKING:
    from advisor.shows.interfaces.reader import ObservedInterface
    from advisor.shows.policy_map import ObservedPolicy

_NOTHING: Final = Observations()
_LINK_STATES: Final = ("up", "administratively down")
_PEER: Final = "peer"
_SERVICE_GROUP: Final = "Service Group"
_SHAPES_ALL: Final = "traffic-shape rate "
_DOWN: Final = ("INACTIVE", "DELETED")
_EVERYWHERE: Final = "show policy-map interface"
_BUNDLE: Final = "Multilink"
# Ports whose queueing strategy is that of their policy; others queue in circuits or bundles.
_LAN_PORTS: Final = ("Ethernet", "FastEthernet", "GigabitEthernet")
_PORTS: Final = ("Serial", "Ethernet", "FastEthernet", "GigabitEthernet", "Hssi", "POS")
_MEND_LINE: Final = "correct the line that states it, or the line itself"
_MEND_MEMBER: Final = "bring the member up"
_MEND_STATE: Final = "enter or take off `shutdown`"
_PEERS: Final = "show dlsw peers"
_MEND_PEER: Final = "enter the lines of `dlsw remote-peer` that are right, and take off the others"
_MEND_CIRCUIT: Final = "enter the lines of the circuit again, or correct them"

_Rows = dict[str, tuple[Difference, ...]]


@derived
def contradictions(device: Device) -> Mapping[str, tuple[Difference, ...]]:
    """What outputs show otherwise than the configuration states it, by the object that differs.

    Only of a configuration that the device printed: a draft, or an edit, is to be another one.
    """
    if device.seen == _NOTHING or device.is_edited or not device.facts.tree.is_capture:
        return {}
    is_whole = is_surely_missing(device, ())
    found: _Rows = {}
    for interface in device.facts.interfaces:
        found[f"interface {interface.name}"] = (
            *_rates(device, interface),
            *_limits(device, interface),
            *_circuits(device, interface),
            *_members(device, interface),
            *_policies(device, interface),
            *_associations(device, interface),
            *(_not_configured(device, interface) if is_whole else ()),
        )
    if is_whole:
        found |= {f"interface {name}": rows for name, rows in _of_absent_ports(device)}
    every = (found | _definitions(device)).items()
    once = {name: {row.said: row for row in reversed(rows)} for name, rows in every}
    return {name: tuple(reversed(rows.values())) for name, rows in once.items() if rows}


def _definitions(device: Device) -> _Rows:
    """Policies and class-maps that `show policy-map` and `show class-map` print otherwise."""
    found: _Rows = {}
    for shown in device.seen.shown_policies:
        policy = device.facts.policy_map(shown.policy)
        if policy is not None:
            found[f"policy-map {policy.name}"] = tuple(differing_shown(policy, shown))
    for seen in device.seen.class_maps:
        own = device.facts.class_map(seen.name)
        if own is not None:
            differing = differing_matches(own, seen.matches, seen.at)
            found[f"class-map {own.name}"] = tuple(differing)
    return found | {"dlsw": tuple(_dlsw_peers(device))}


def _dlsw_peers(device: Device) -> Iterator[Difference]:
    """Peers that only the configuration has, or only the latest whole `show dlsw peers`.

    IOS lists each configured peer, one that is down too; `conf` marks those that it was told.
    """
    taken = [item for item in device.seen.taken if item.command.startswith(_PEERS)]
    tables = device.seen.dlsw_peers
    is_shown = all(item.command == _PEERS and item.understood for item in taken)
    if not tables or not is_shown or not tables[-1].is_whole:
        return
    table, dlsw = tables[-1], device.facts.dlsw
    over_ip = (Transport.TCP, Transport.FST)
    stated = {item.peer: item for item in dlsw.remote_peers if item.transport in over_ip}
    shown = {row.peer: row for row in table.peers}
    if any(map(is_hidden, (*stated, *shown))):
        return
    for name, remote in stated.items():
        if name not in shown:
            said = f"no peer {name}, which `dlsw remote-peer` names"
            yield Difference(said, remote.at, table.at, mend=_MEND_PEER)
    is_read = not any(line.text.startswith("dlsw") for line in device.facts.unread)
    for name, row in shown.items() if is_read and is_surely_missing(device, ()) else ():
        is_over_ip = row.transport.lower() in over_ip
        if row.kind == "conf" and is_over_ip and name not in stated:
            said = f"peer {name}, which no `dlsw remote-peer` names"
            yield Difference(said, device.at, row.at, mend=_MEND_PEER)


@derived
def doubtful_objects(device: Device) -> frozenset[str]:
    """Objects that outputs contradict, with all that they hold or that hold them.

    A port holds its subinterfaces, a member belongs to its bundle, and a policy or a class-map is
    in doubt where each place that uses it is.
    """
    found = contradictions(device)
    if not found:
        return frozenset()
    facts, names = device.facts, {key.removeprefix("interface ") for key in found}
    ports = {item.name for item in facts.interfaces if names & {item.name, item.parent}}
    for bundle in facts.interfaces:
        members = (*members_of(facts, bundle), *channel_members(facts, bundle))
        if any(member.name in ports for member in members):
            ports.add(bundle.name)
    doubted, sure = set[str](), set[str]()
    for attached in attachments(facts):
        policies = _with_nested(facts, attached.attachment.policy)
        (doubted if attached.interface.name in ports else sure).update(policies)
    in_doubt = {f"policy-map {name}" for name in doubted - sure}
    return frozenset((*found, *in_doubt, *(f"interface {name}" for name in ports)))


def _with_nested(facts: Facts, name: str) -> Iterator[str]:
    """A policy and those in its classes."""
    yield name
    policy = facts.policy_map(name)
    for child in policy.children if policy is not None else ():
        if child != name:
            yield from _with_nested(facts, child)


def contradicting(device: Device, outlet: Outlet) -> tuple[Difference, ...]:
    """What outputs show otherwise at an output: at its ports, and of its policies and classes."""
    found = contradictions(device)
    if not found:
        return ()
    names = {outlet.attached_to, outlet.interface.name, outlet.interface.parent}
    names |= {item.name for item in (outlet.bundle, outlet.session) if item is not None}
    policies = (outlet.policy, outlet.queueing)
    keys = (
        *(f"interface {name}" for name in sorted(filter(None, names))),
        *(f"policy-map {policy.name}" for policy in policies),
        *(f"class-map {item.name}" for policy in policies for item in policy.classes),
    )
    return tuple(row for key in dict.fromkeys(keys) for row in found.get(key, ()))


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


@derived
def _attached(device: Device) -> Mapping[tuple[str, str], Sequence[Attached]]:
    """The policies that are attached, by the name of the interface and the direction."""
    found: dict[tuple[str, str], list[Attached]] = {}
    for attached in attachments(device.facts):
        place = attached.interface.name, attached.attachment.direction.value
        found.setdefault(place, []).append(attached)
    return found


def _policies(device: Device, interface: Interface) -> Iterator[Difference]:
    for side in Side:
        for attached in _attached(device).get((interface.name, side.value), ()):
            if attached.place is None:
                yield from _policy(device, attached)


def _policy(device: Device, attached: Attached) -> Iterator[Difference]:
    """Another policy than the attached one, none, or other classes of the same."""
    attachment, side = attached.attachment, attached.attachment.direction.value
    seen = device.seen.policy(attached.interface.name, side, circuit_number(attached))
    policy = device.facts.policy_map(attachment.policy)
    if seen is None and attachment.direction is Side.OUTPUT:
        yield from _not_attached(device, attached, policy)
    if seen is None or is_hidden(seen.policy) or is_hidden(attachment.policy):
        return
    if seen.policy != attachment.policy:
        said = f"policy {seen.policy} for `service-policy {side} {attachment.policy}`"
        yield Difference(said, attachment.at, seen.at)
    elif policy is not None:
        yield from differing_counted(device.facts, policy, seen)


def _not_configured(device: Device, interface: Interface) -> Iterator[Difference]:
    """Policies and bundles that outputs show at a port, and its lines do not name."""
    head = f"interface {interface.name}"
    is_read = not any(line.under.startswith(head) for line in device.facts.unread)
    bundle = interface.multilink.group.value if interface.multilink.group is not None else None
    if bundle is None and is_read and not (interface.pool_memberships or interface.channel_group):
        for seen in _policies_at(device, interface.name):
            attached = _attached(device).get((interface.name, seen.direction), ())
            number = seen.circuit.number if seen.circuit is not None else None
            is_stated = number in map(circuit_number, attached)
            if not is_stated and not _stands_elsewhere(interface, seen):
                said = f"{_shown(seen)}, where no `service-policy {seen.direction}` is"
                yield Difference(said, interface.at, seen.at)
    for shown in device.seen.bundles:
        is_numbered = shown.interface.startswith(_BUNDLE) and is_read
        for member in shown.members if is_numbered else ():
            is_it = interface_name(member.interface) == interface.name
            if is_it and f"{_BUNDLE}{bundle}" != shown.interface:
                group = shown.interface.removeprefix(_BUNDLE)
                said = f"a member of {shown.interface}, without `ppp multilink group {group}`"
                yield Difference(said, interface.at, member.at)


def _stands_elsewhere(interface: Interface, seen: ObservedPolicy) -> bool:
    """Whether lines of another section attach a policy, or name the group of a spoke."""
    kind = seen.circuit.kind if seen.circuit is not None else None
    if kind == _PEER:
        return any(place.policy.policy == seen.policy for place in interface.place_policies)
    return kind == _SERVICE_GROUP


def _policies_at(device: Device, name: str) -> Iterator[ObservedPolicy]:
    for seen in device.seen.policies:
        if interface_name(seen.interface) == name:
            yield seen


def _shown(seen: ObservedPolicy) -> str:
    place = "" if seen.circuit is None else f" on {seen.circuit.kind} {seen.circuit.number}"
    return f"policy {seen.policy}{place}"


def _of_absent_ports(device: Device) -> Iterator[tuple[str, tuple[Difference, ...]]]:
    """Settings that outputs show at ports and subinterfaces that the configuration lacks."""
    absent: dict[str, list[Difference]] = {}
    for seen in device.seen.policies:
        absent.setdefault(interface_name(seen.interface), []).append(
            Difference(f"{_shown(seen)}, and no such interface", device.at, seen.at)
        )
    for row in device.seen.fragmentation:
        said = f"fragments of {row.fragment_bytes} bytes on DLCI {row.dlci}, and no such interface"
        absent.setdefault(interface_name(row.interface), []).append(
            Difference(said, device.at, row.at)
        )
    for name, found in absent.items():
        if device.facts.interface(name) is None and name.startswith(_PORTS):
            yield name, tuple(found)


def _not_attached(
    device: Device, attached: Attached, policy: PolicyMap | None
) -> Iterator[Difference]:
    """A policy of a port that no output shows there, where one would."""
    port, at = attached.interface, attached.attachment.at
    if attached.is_of_circuit or port.type not in _PORTS:
        return
    taken = next((item for item in device.seen.taken if _shows_all(item)), None)
    if taken is not None and not port.shutdown:
        yield Difference(f"`{_EVERYWHERE}` shows no policy there", at, taken.at)
    seen, queue_names = device.seen.interface(port.name), policy.classes if policy else ()
    has_queues = any(item.priority or item.bandwidth for item in queue_names)
    is_software = device.platform.family is Family.SOFTWARE and not device.platform.is_xe
    if seen is not None and seen.queues.strategy == "fifo" and has_queues and is_software:
        yield Difference("queueing strategy fifo, with a policy that queues", at, seen.at)


def _shows_all(taken: TakenOutput) -> bool:
    return taken.command == _EVERYWHERE and taken.understood and taken.is_read
