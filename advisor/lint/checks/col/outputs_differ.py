"""Outputs that contradict the configuration of the same capture: the router runs another one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.masking import is_masked
from advisor.device.device import Device, is_surely_missing
from advisor.device.platforms import Family
from advisor.facts.attachments import Attached, attachments, esp_of, hiding
from advisor.facts.config import Facts
from advisor.facts.interface import FrameRelayCircuit, Interface, Side
from advisor.facts.policy import CLASS_DEFAULT, PolicyClass, PolicyMap, Unit
from advisor.ground.quantity import plain, rate_text
from advisor.ground.questions import derived
from advisor.ground.units import kbps_from_bps
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.lint.checks.base import Found, Hit
from advisor.lint.findings import Confidence
from advisor.outlet.carriers import channel_members, members_of
from advisor.outlet.parts import circuit_number
from advisor.outlet.wires import limit_bps
from advisor.shows.atm import AtmCircuit
from advisor.shows.observations import TakenOutput
from advisor.shows.policy_map import ChildPolicy, ObservedClass, ObservedPolicy

_TOLERANCE_RATIO: Final = 0.02  # what platforms round rates by
_MOST_SHOWN: Final = 4
_LINK_STATES: Final = ("up", "administratively down")
_PEER: Final = "peer"
_SERVICE_GROUP: Final = "Service Group"
_SHAPES_ALL: Final = "traffic-shape rate "
_DOWN: Final = ("INACTIVE", "DELETED")
_EVERYWHERE: Final = "show policy-map interface"
_BUNDLE: Final = "Multilink"
# Ports whose queueing strategy is that of their policy; others queue in circuits or bundles.
_PORTS: Final = ("Serial", "Ethernet", "FastEthernet", "GigabitEthernet", "Hssi", "POS")


class OtherState(Struct, frozen=True):
    """Shown values of an interface, beside those that the configuration states."""

    interface: str
    differences: str


class _Difference(Struct, frozen=True):
    said: str
    stated_at: Location
    seen_at: Location


def find_outputs_differ(device: Device) -> Found[OtherState]:
    """Yield a hit for each interface whose outputs are of another state than its configuration.

    Only of a configuration that the device printed: a draft is to be another one.
    """
    if not device.facts.tree.is_capture:
        return
    is_whole = is_surely_missing(device, ())
    for interface in device.facts.interfaces:
        found = (
            *_rates(device, interface),
            *_limits(device, interface),
            *_circuits(device, interface),
            *_members(device, interface),
            *_policies(device, interface),
            *_associations(device, interface),
            *(_not_configured(device, interface) if is_whole else ()),
        )
        if found:
            yield _hit(interface.name, found)
    for name, of_absent in _of_absent_ports(device) if is_whole else ():
        yield _hit(name, of_absent)


def _hit(interface: str, found: tuple[_Difference, ...]) -> Hit[OtherState]:
    more = f"; and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    said = "; ".join(item.said for item in found[:_MOST_SHOWN]) + more
    return Hit(
        f"interface {interface}",
        tuple(dict.fromkeys(at for item in found for at in (item.stated_at, item.seen_at))),
        OtherState(interface, said),
        Confidence.LIKELY,
    )


def _rates(device: Device, interface: Interface) -> Iterator[_Difference]:
    stated, seen = interface.bandwidth_bps, device.seen.interface(interface.name)
    clock, shown_rate = interface.clock_rate_bps, interface.seen_rate_bps
    if clock is not None and shown_rate is not None and _differ(clock.value, shown_rate.value):
        shown, own = (rate_text(kbps_from_bps(item.value)) for item in (shown_rate, clock))
        said = f"a clock of {shown} kb/s for `clock rate` {own} kb/s"
        yield _Difference(said, clock.at, shown_rate.at)
    if seen is None:
        return
    is_down = seen.link == "administratively down"
    if is_down is not interface.shutdown and seen.link in _LINK_STATES:
        said = "no `shutdown`" if is_down else "`shutdown`"
        yield _Difference(f"{seen.link} for {said}", interface.at, seen.at)
    if stated is None or seen.bandwidth_bps is None:
        return
    if _differ(stated.value, seen.bandwidth_bps):
        shown, own = (rate_text(kbps_from_bps(bps)) for bps in (seen.bandwidth_bps, stated.value))
        yield _Difference(f"BW {shown} kb/s for `bandwidth {own}`", stated.at, seen.at)


def _limits(device: Device, interface: Interface) -> Iterator[_Difference]:
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
        if seen is not None and rate_bps is not None and _differ(rate_bps, seen.rate_bps):
            shown, own = (rate_text(kbps_from_bps(bps)) for bps in (seen.rate_bps, rate_bps))
            how = "shaped" if is_shaped else "policed"
            yield _Difference(f"{how} to {shown} kb/s for {own}", line.at, seen.at)


def _circuits(device: Device, interface: Interface) -> Iterator[_Difference]:
    """The rate of an ATM circuit, and the fragments of a Frame Relay one."""
    for pvc in interface.pvcs:
        rate = pvc.rate.sustained_bps if pvc.rate is not None else None
        for shown in device.seen.atm_circuits:
            is_it = (shown.vpi, shown.vci) == (pvc.vpi, pvc.vci) and _is_at(shown, interface)
            if is_it and rate and shown.average_bps and _differ(rate, shown.average_bps):
                seen, own = (rate_text(kbps_from_bps(bps)) for bps in (shown.average_bps, rate))
                said = f"an average of {seen} kb/s on {pvc.label} for {own}"
                yield _Difference(said, pvc.at, shown.at)
    for circuit in interface.circuits:
        yield from _shaped(device, interface, circuit)
        size = circuit.fragment_bytes
        for row in device.seen.fragmentation:
            is_it = row.dlci == circuit.dlci and interface_name(row.interface) == interface.name
            if is_it and (size is None or row.fragment_bytes != size.value):
                said = f"fragments of {row.fragment_bytes} bytes on DLCI {row.dlci}"
                said += f" for {size.value}" if size is not None else ", where none are configured"
                yield _Difference(said, circuit.at if size is None else size.at, row.at)


def _shaped(
    device: Device, interface: Interface, circuit: FrameRelayCircuit
) -> Iterator[_Difference]:
    """The state of a Frame Relay circuit, and the CIR that it is shaped to."""
    name, number = interface.name, str(circuit.dlci)
    for state in device.seen.shaped_at(name, number):
        if state.status in _DOWN and not interface.shutdown:
            said = f"DLCI {number} is {state.status.lower()} and carries nothing"
            yield _Difference(said, circuit.at, state.at)
    shaper, cir = device.seen.shaper(name, number), circuit.cir_bps
    if shaper is not None and cir is not None and _differ(cir.value, shaper.rate_bps):
        shown, own = (rate_text(kbps_from_bps(bps)) for bps in (shaper.rate_bps, cir.value))
        yield _Difference(f"DLCI {number} shaped to {shown} kb/s for {own}", cir.at, shaper.at)


def _is_at(shown: AtmCircuit, interface: Interface) -> bool:
    """Whether a circuit is of an interface: some tables leave out the type."""
    return interface_name(shown.interface) == interface.name or (
        shown.interface == interface.name.removeprefix(interface.type)
    )


def _members(device: Device, interface: Interface) -> Iterator[_Difference]:
    """Members of a bundle that are down: it has less than the configured rate."""
    members = members_of(device.facts, interface) or channel_members(device.facts, interface)
    up = [member for member in members if member.seen_down is None]
    figures = f"figures are of {len(up)} of {len(members)} members" if up else "none is up"
    for member in members:
        if member.seen_down is not None:
            said = f"member {member.name} is down ({member.seen_down.value}), {figures}"
            yield _Difference(said, member.at, member.seen_down.at)


def _associations(device: Device, interface: Interface) -> Iterator[_Difference]:
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
                yield _Difference(said, next(iter(sets.values())), item.at)


def _differ(stated: float, seen: float) -> bool:
    return abs(stated - seen) > _TOLERANCE_RATIO * stated


@derived
def _outputs(device: Device) -> Mapping[str, Sequence[Attached]]:
    """The policies that are attached for output, by the name of the interface."""
    found: dict[str, list[Attached]] = {}
    for attached in attachments(device.facts):
        if attached.attachment.direction is Side.OUTPUT:
            found.setdefault(attached.interface.name, []).append(attached)
    return found


def _policies(device: Device, interface: Interface) -> Iterator[_Difference]:
    for attached in _outputs(device).get(interface.name, ()):
        attachment = attached.attachment
        if attached.place is not None:
            continue
        seen = device.seen.policy(interface.name, "output", circuit_number(attached))
        policy = device.facts.policy_map(attachment.policy)
        if seen is None:
            yield from _not_attached(device, attached, policy)
        elif is_masked(seen.policy) or is_masked(attachment.policy):
            continue
        elif seen.policy != attachment.policy:
            said = f"policy {seen.policy} for `service-policy output {attachment.policy}`"
            yield _Difference(said, attachment.at, seen.at)
        elif policy is not None:
            yield from _classes(device.facts, policy, seen)


def _not_configured(device: Device, interface: Interface) -> Iterator[_Difference]:
    """Policies and bundles that outputs show at a port, and its lines do not name."""
    head = f"interface {interface.name}"
    is_read = not any(line.under.startswith(head) for line in device.facts.unread)
    bundle = interface.multilink.group.value if interface.multilink.group is not None else None
    if bundle is None and is_read and not (interface.pool_memberships or interface.channel_group):
        with_policy = set(map(circuit_number, _outputs(device).get(interface.name, ())))
        for seen in _policies_at(device, interface.name):
            number = seen.circuit.number if seen.circuit is not None else None
            if number not in with_policy and not _stands_elsewhere(interface, seen):
                said = f"{_shown(seen)}, where no `service-policy output` is"
                yield _Difference(said, interface.at, seen.at)
    for shown in device.seen.bundles:
        is_numbered = shown.interface.startswith(_BUNDLE) and is_read
        for member in shown.members if is_numbered else ():
            is_it = interface_name(member.interface) == interface.name
            if is_it and f"{_BUNDLE}{bundle}" != shown.interface:
                group = shown.interface.removeprefix(_BUNDLE)
                said = f"a member of {shown.interface}, without `ppp multilink group {group}`"
                yield _Difference(said, interface.at, member.at)


def _stands_elsewhere(interface: Interface, seen: ObservedPolicy) -> bool:
    """Whether lines of another section attach a policy, or name the group of a spoke."""
    kind = seen.circuit.kind if seen.circuit is not None else None
    if kind == _PEER:
        return any(place.policy.policy == seen.policy for place in interface.place_policies)
    return kind == _SERVICE_GROUP


def _policies_at(device: Device, name: str) -> Iterator[ObservedPolicy]:
    for seen in device.seen.policies:
        if interface_name(seen.interface) == name and seen.direction == "output":
            yield seen


def _shown(seen: ObservedPolicy) -> str:
    place = "" if seen.circuit is None else f" on {seen.circuit.kind} {seen.circuit.number}"
    return f"policy {seen.policy}{place}"


def _of_absent_ports(device: Device) -> Iterator[tuple[str, tuple[_Difference, ...]]]:
    """Settings that outputs show at ports and subinterfaces that the configuration lacks."""
    absent: dict[str, list[_Difference]] = {}
    for seen in device.seen.policies:
        absent.setdefault(interface_name(seen.interface), []).append(
            _Difference(f"{_shown(seen)}, and no such interface", device.at, seen.at)
        )
    for row in device.seen.fragmentation:
        said = f"fragments of {row.fragment_bytes} bytes on DLCI {row.dlci}, and no such interface"
        absent.setdefault(interface_name(row.interface), []).append(
            _Difference(said, device.at, row.at)
        )
    for name, found in absent.items():
        if device.facts.interface(name) is None and name.startswith(_PORTS):
            yield name, tuple(found)


def _not_attached(
    device: Device, attached: Attached, policy: PolicyMap | None
) -> Iterator[_Difference]:
    """A policy of a port that no output shows there, where one would."""
    port, at = attached.interface, attached.attachment.at
    if attached.is_of_circuit or port.type not in _PORTS:
        return
    taken = next((item for item in device.seen.taken if _shows_all(item)), None)
    if taken is not None and not port.shutdown:
        yield _Difference(f"`{_EVERYWHERE}` shows no policy there", at, taken.at)
    seen, queue_names = device.seen.interface(port.name), policy.classes if policy else ()
    has_queues = any(item.priority or item.bandwidth for item in queue_names)
    is_software = device.platform.family is Family.SOFTWARE and not device.platform.is_xe
    if seen is not None and seen.queues.strategy == "fifo" and has_queues and is_software:
        yield _Difference("queueing strategy fifo, with a policy that queues", at, seen.at)


def _shows_all(taken: TakenOutput) -> bool:
    return taken.command == _EVERYWHERE and taken.understood and taken.is_read


def _classes(
    facts: Facts, policy: PolicyMap, seen: ObservedPolicy | ChildPolicy
) -> Iterator[_Difference]:
    """Classes and rates of a policy that are others in its counters, and of those in it."""
    shown = {item.name: item for item in seen.classes}
    if seen.unread or any(map(is_masked, (*shown, *policy.class_by_name))):
        return
    for item in policy.classes:
        own = shown.get(item.name)
        if own is None and not item.is_default:
            yield _Difference(f"no class {item.name} in {policy.name}", item.at, seen.at)
        elif own is not None:
            yield from _of_class(item, own)
            child = facts.policy_map(item.child.value) if item.child is not None else None
            if child is not None and own.child is not None and own.child.policy == child.name:
                yield from _classes(facts, child, own.child)
    for name, own in shown.items():
        if name not in policy.class_by_name and name != CLASS_DEFAULT:
            yield _Difference(f"class {name}, which {policy.name} lacks", policy.at, own.at)


def _of_class(stated: PolicyClass, seen: ObservedClass) -> Iterator[_Difference]:
    priority, bandwidth, shape = stated.priority, stated.bandwidth, stated.shape
    rates: list[tuple[str, float | None, float | None]] = []
    if priority is not None and seen.priority is not None and priority.unit is Unit.KBPS:
        rates.append(("priority", priority.amount, seen.priority.rate_kbps))
    if bandwidth is not None and seen.bandwidth is not None and bandwidth.unit is Unit.KBPS:
        rates.append(("bandwidth", bandwidth.amount, seen.bandwidth.rate_kbps))
    if shape is not None and seen.shaper is not None and shape.mode == "average":
        rates.append(("shape average", shape.rate_bps, seen.shaper.cir_bps))
    for words, own, shown in rates:
        if own is not None and shown is not None and _differ(own, shown):
            said = f"{words} {plain(shown)} in class {stated.name} for {plain(own)}"
            yield _Difference(said, stated.at, seen.at)
