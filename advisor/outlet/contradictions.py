"""Outputs that contradict the configuration of the same capture: the router runs another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from advisor.device.device import Device, is_hidden, is_surely_missing
from advisor.device.platforms import Family
from advisor.facts.attachments import Attached, attachments
from advisor.facts.config import Facts
from advisor.facts.dlsw import Transport
from advisor.facts.interface import Interface, Side
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.ground.questions import derived
from advisor.ios.syntax.names import interface_name
from advisor.outlet.carriers import channel_members, members_of
from advisor.outlet.class_differences import (
    Difference,
    differing_counted,
    differing_matches,
    differing_shown,
)
from advisor.outlet.link_differences import differing_links
from advisor.outlet.measured import SeenClass
from advisor.outlet.outlet import Outlet
from advisor.outlet.parts import circuit_number
from advisor.shows.observations import Observations, TakenOutput

if TYPE_CHECKING:
    from advisor.shows.policy_map import ObservedPolicy

_NOTHING: Final = Observations()
_PEER: Final = "peer"
_SERVICE_GROUP: Final = "Service Group"
_EVERYWHERE: Final = "show policy-map interface"
_BUNDLE: Final = "Multilink"
# Ports whose queueing strategy is that of their policy; others queue in circuits or bundles.
_PORTS: Final = ("Serial", "Ethernet", "FastEthernet", "GigabitEthernet", "Hssi", "POS")
_PEERS: Final = "show dlsw peers"
_MEND_PEER: Final = "enter the lines of `dlsw remote-peer` that are right, and take off the others"

_Rows = dict[str, tuple[Difference, ...]]


@derived
def contradictions(device: Device) -> Mapping[str, tuple[Difference, ...]]:
    """Differences between outputs and configuration, by the object that differs.

    Only of a configuration that the device printed: a draft, or an edit, is to be another one.
    """
    if device.seen == _NOTHING or device.is_edited or not device.facts.tree.is_capture:
        return {}
    is_whole = is_surely_missing(device, ())
    found: _Rows = {}
    for interface in device.facts.interfaces:
        found[f"interface {interface.name}"] = (
            *differing_links(device, interface),
            *_policies(device, interface),
            *(_not_configured(device, interface) if is_whole else ()),
        )
    if is_whole:
        found |= {f"interface {name}": rows for name, rows in _of_absent_ports(device)}
    every = (found | _definitions(device)).items()
    return {name: rows for name, rows in every if rows}


def words_of(rows: Sequence[Difference], most: int) -> str:
    """The first of the differences in words, each once, and how many more there are."""
    said = tuple(dict.fromkeys(row.said for row in rows))
    more = f"; and {len(said) - most} more" if len(said) > most else ""
    return "; ".join(said[:most]) + more


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


def stated_class(device: Device, seen: SeenClass) -> tuple[PolicyMap, PolicyClass] | None:
    """The class of that name in the policy that the configuration attaches where one counted."""
    for attached in _attached(device).get((seen.interface, Side.OUTPUT.value), ()):
        if circuit_number(attached) == seen.circuit:
            names = _with_nested(device.facts, attached.attachment.policy)
            policies = filter(None, map(device.facts.policy_map, names))
            for policy in policies:
                if seen.seen.name in policy.class_by_name:
                    return policy, policy.class_by_name[seen.seen.name]
    return None


def _with_nested(facts: Facts, name: str) -> Iterator[str]:
    """A policy and those in its classes."""
    yield name
    policy = facts.policy_map(name)
    for child in policy.children if policy is not None else ():
        if child != name:
            yield from _with_nested(facts, child)


def contradicting(device: Device, outlet: Outlet) -> tuple[Difference, ...]:
    """Differences at an output: at its ports, and of its policies and classes."""
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
