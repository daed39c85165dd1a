"""The facts of a configuration with what the user states and outputs show: rates, lost members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from advisor.facts import Stated
from advisor.facts.attachments import attachments
from advisor.facts.config import Facts
from advisor.facts.interface import FrameRelayCircuit, Interface, Pvc, UserRate
from advisor.facts.policy import ClassMap
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.settings import StatedRate
from advisor.shows.observations import Observations

if TYPE_CHECKING:
    from advisor.shows.bundles import BundleMember
    from advisor.shows.policy_map import ObservedPolicy

_DCE: Final = "DCE"  # the end of a serial line that gives the clock
# The outputs that tell of interfaces and their circuits.
_OF_LINKS: Final = (
    "controllers", "interfaces", "bundles", "shapers", "atm_circuits", "fragmentation",
)  # fmt: skip


def as_seen(facts: Facts, seen: Observations, rates: Sequence[StatedRate]) -> Facts:
    """The facts with what the user states and outputs show: rates, lost members, class-maps.

    A shown rate is better than a label or a port, and a stated one than both; a shown label, BW, is
    the last resort.
    """
    if seen.class_maps:
        facts = _with_class_maps(facts, seen)
    if not rates and not any(getattr(seen, name) for name in _OF_LINKS):
        return facts
    links = {
        (bundle.interface, interface_name(link.interface)): link
        for bundle in seen.bundles
        for link in bundle.members
    }
    counts = Counter(map(_bundle_name, facts.interfaces))
    shares = dict(_parts_of_bandwidth(facts, seen, links))
    interfaces = tuple(
        replace(
            item,
            seen_rate_bps=_seen_rate(seen, item.name),
            seen_bandwidth_bps=_seen_bandwidth(seen, item, shares),
            seen_down=_seen_down(seen, item, links),
            user_rate=_user_rate(rates, item.name) or _part_of_bundle(rates, item, counts),
            circuits=tuple(_as_shaped(facts, seen, item, circuit) for circuit in item.circuits),
            pvcs=tuple(_pvc_as_seen(seen, item, pvc) for pvc in item.pvcs),
        )
        for item in facts.interfaces
    )
    return facts if interfaces == facts.interfaces else replace(facts, interfaces=interfaces)


# Sessions: a policy of a Dialer or a Virtual-Template counts on the Virtual-Access of the session.

_SESSIONS: Final = ("Dialer", "Virtual-Template")
_ACCESS: Final = "Virtual-Access"


def with_sessions(facts: Facts, seen: Observations) -> Observations:
    """The observations, with the counters of the one session of an interface as its own.

    Its own, which stay at 0, go. Of several sessions, and of a policy that several such interfaces
    have, nothing tells which is whose.
    """
    if not any(policy.interface.startswith(_ACCESS) for policy in seen.policies):
        return seen
    homes: dict[tuple[str, str], list[str]] = {}
    for attached in attachments(facts) if facts.interfaces else ():
        if attached.interface.type in _SESSIONS and not attached.is_of_circuit:
            side = attached.attachment.direction.value
            homes.setdefault((attached.attachment.policy, side), []).append(attached.interface.name)
    policies = list(seen.policies)
    for (name, side), interfaces in homes.items():
        own = [item for item in policies if (item.policy, item.direction) == (name, side)]
        sessions = [item for item in own if item.interface.startswith(_ACCESS)]
        is_one = len({item.interface for item in sessions}) == len(interfaces) == 1
        idle = [item for item in own if interface_name(item.interface) == interfaces[0]]
        if is_one and not any(map(_counts, idle)):
            moved = [replace(item, interface=interfaces[0]) for item in sessions]
            policies = [item for item in policies if item not in (*idle, *sessions)] + moved
    return replace(seen, policies=tuple(policies))


def _counts(policy: ObservedPolicy) -> bool:
    """Whether a class of a policy counted a packet."""
    return any(item.seen is not None and item.seen.packets for item in policy.classes)


def _with_class_maps(facts: Facts, seen: Observations) -> Facts:
    """The facts with class-maps that its policies name, its text lacks and outputs show."""
    shown = {item.name: item for item in seen.class_maps}
    waiting = [own.name for _, own in facts.policy_classes if not own.is_default]
    found: dict[str, ClassMap] = {}
    while waiting:
        name = waiting.pop()
        if name in shown and name not in found and facts.class_map(name) is None:
            found[name] = shown[name]
            inner = (match for match in shown[name].matches if match.kind == "class-map")
            waiting += (value for match in inner for value in match.values)
    return replace(facts, class_maps=(*facts.class_maps, *found.values())) if found else facts


def _user_rate(rates: Sequence[StatedRate], name: str) -> UserRate | None:
    """The first statement that names the interface."""
    own = (rate for rate in rates if fnmatchcase(name, rate.interface))
    return next((UserRate(rate.rate_bps, rate.source) for rate in own), None)


def _part_of_bundle(
    rates: Sequence[StatedRate], member: Interface, counts: Mapping[str | None, int]
) -> UserRate | None:
    """The part of a member in the stated rate of its bundle: all members have the same."""
    bundle = _bundle_name(member)
    whole = _user_rate(rates, bundle) if bundle is not None else None
    return replace(whole, rate_bps=whole.rate_bps / counts[bundle]) if whole is not None else None


def _bundle_name(member: Interface) -> str | None:
    group = member.multilink.group
    is_member = group is not None and member.type != "Multilink" and not member.shutdown
    return f"Multilink{group.value}" if group is not None and is_member else None


def _seen_down(
    seen: Observations, member: Interface, links: Mapping[tuple[str, str], BundleMember]
) -> Stated[str] | None:
    """The output that shows a member of a bundle without traffic; None where it may carry some."""
    group = member.multilink.group
    if group is None and member.channel_group is None:
        return None
    link = links.get((f"Multilink{group.value}", member.name)) if group is not None else None
    if link is not None:
        return None if link.is_active else Stated("show ppp multilink", link.at)
    shown = seen.interface(member.name)
    if shown is None or (shown.link == "up" and shown.protocol in ("up", None)):
        return None
    return Stated("show interfaces", shown.at)


def is_newer(seen: Location, stated: Location) -> bool:
    """Whether an output is of a time after a line: it stands behind it, or in another file."""
    if stated.is_of_an_edit:
        return False
    return seen.file != stated.file or seen.line > stated.line


def _pvc_as_seen(seen: Observations, home: Interface, pvc: Pvc) -> Pvc:
    """The PVC with the rate that an output shows, where its line states another."""
    rate = pvc.rate
    for shown in seen.atm_circuits if rate is not None and rate.sustained_bps else ():
        is_it = (shown.vpi, shown.vci) == (pvc.vpi, pvc.vci) and shown.is_at(home.name)
        is_other = shown.average_bps and rate and shown.average_bps != rate.sustained_bps
        if is_it and rate and is_other and is_newer(shown.at, rate.at):
            pvc = replace(pvc, seen_rate_bps=Stated(float(shown.average_bps or 0), shown.at))
    return pvc


def _as_shaped(
    facts: Facts, seen: Observations, home: Interface, circuit: FrameRelayCircuit
) -> FrameRelayCircuit:
    """The circuit with the CIR, the bursts and the fragments in force.

    IOS prints what its map-class states, or its default. Where an output behind the lines shows
    another value, that one is in force, and the stated one is kept beside it.
    """
    circuit = _as_fragmented(seen, home, circuit)
    shaper = seen.shaper(home.name, str(circuit.dlci)) if seen.shapers else None
    shaping, cir = facts.main_of(home).frame_relay_traffic_shaping, circuit.cir_bps
    if shaper is None or not shaper.rate_bps or shaping is None or not shaping.value:
        return circuit
    if cir is not None and (cir.value == shaper.rate_bps or not is_newer(shaper.at, cir.at)):
        return circuit
    at, minimum_bps = shaper.at, shaper.min_rate_bps
    minimum = Stated(float(minimum_bps), at) if minimum_bps else None
    bc_bits, be_bits = (
        Stated(bits, at) if bits else None for bits in (shaper.bc_bits, shaper.be_bits)
    )
    if cir is not None:
        circuit = replace(
            circuit, min_cir_bps=minimum, bc_bits=bc_bits, be_bits=be_bits, stated_cir_bps=cir
        )
    return replace(
        circuit,
        cir_bps=Stated(float(shaper.rate_bps), at),
        min_cir_bps=circuit.min_cir_bps or minimum,
        bc_bits=circuit.bc_bits or bc_bits,
        be_bits=circuit.be_bits or be_bits,
    )


def _as_fragmented(
    seen: Observations, home: Interface, circuit: FrameRelayCircuit
) -> FrameRelayCircuit:
    stated = circuit.fragment_bytes
    for row in seen.fragmentation if stated is not None else ():
        is_it = row.dlci == circuit.dlci and interface_name(row.interface) == home.name
        if is_it and stated and row.fragment_bytes != stated.value and is_newer(row.at, stated.at):
            shown = Stated(row.fragment_bytes, row.at)
            circuit = replace(circuit, fragment_bytes=shown, stated_fragment_bytes=stated)
    return circuit


def _seen_rate(seen: Observations, name: str) -> Stated[float] | None:
    controller, shown = seen.controller(name), seen.interface(name)
    if controller is not None and controller.cable == _DCE and controller.clock_rate_bps:
        return Stated(controller.clock_rate_bps, controller.at)
    if shown is not None and shown.link == "up" and shown.port_speed_bps:
        return Stated(shown.port_speed_bps, shown.at)
    return None


def _seen_bandwidth(
    seen: Observations, line: Interface, shares: Mapping[str, Stated[float]]
) -> Stated[float] | None:
    """BW of a serial line that states no `bandwidth`: its own, else its part of its bundle's."""
    if not line.is_serial_line or line.bandwidth_bps is not None:
        return None
    shown = seen.interface(line.name)
    if shown is not None and shown.bandwidth_bps:
        return Stated(shown.bandwidth_bps, shown.at)
    return shares.get(line.name)


def _parts_of_bandwidth(
    facts: Facts, seen: Observations, links: Mapping[tuple[str, str], BundleMember]
) -> Iterator[tuple[str, Stated[float]]]:
    """The parts that members without a rate of their own have in the shown rate of their bundle.

    IOS adds up the BW of the members that are up, unless the bundle states its own.
    """
    totals = {bundle.interface: (bundle.bandwidth_bps, bundle.at) for bundle in seen.bundles}
    totals |= {
        item.name: (item.bandwidth_bps, item.at)
        for item in seen.interfaces
        if item.name.startswith("Multilink") and item.name not in totals
    }
    for name, (total_bps, at) in totals.items():
        bundle = facts.interface(name)
        members = [item for item in facts.interfaces if _bundle_name(item) == name]
        up = [item for item in members if _seen_down(seen, item, links) is None]
        rates = [item.bandwidth_bps or item.clock_rate_bps or item.timeslots_bps for item in up]
        is_sum = bundle is not None and bundle.bandwidth_bps is None
        if is_sum and total_bps and up and not any(rates):
            yield from ((item.name, Stated(total_bps / len(up), at)) for item in up)
