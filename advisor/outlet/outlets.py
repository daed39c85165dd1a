"""The outlets of a device, one for each output and policy, also at another rate or ring."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.platform import Decision
from advisor.facts import Stated
from advisor.facts.attachments import Attached, attachments
from advisor.facts.config import Facts
from advisor.facts.interface import Interface, Pvc, Side
from advisor.facts.policy import CLASS_DEFAULT, PolicyClass, PolicyMap
from advisor.ground.quantity import Basis, Input, Unknown, exact
from advisor.ground.questions import Kept, derived, question
from advisor.outlet.carriers import (
    Carrier,
    bundle_of,
    carriers_of,
    carrying,
    channel_members,
    mtu_of,
    session_mtu,
)
from advisor.outlet.framing import Encapsulation, encapsulation_at, encapsulation_of, through_tunnel
from advisor.outlet.measured import measured_classes, measured_mean_packet, unread_classes_at
from advisor.outlet.nesting import Branch, branches, ceiling_bps
from advisor.outlet.outlet import Outlet, police_rate_bps
from advisor.outlet.parts import (
    admission_base_bps,
    admits_by_min_cir,
    circuit_number,
    delay_fragment,
    fragment_map_class,
    fragment_of,
    has_unread_section,
    is_frame_relay_shaped,
    is_never_full,
    is_rate_unread,
    line_base_bps,
    members_down,
    mtu_input,
    open_fragments,
    policy_queues,
    sum_of_wires,
    traffic_shaper,
    why_fragment_open,
    why_fragment_unread,
    why_shaper_unread,
    wires_bps,
)
from advisor.outlet.ring import (
    ObservedRing,
    RingFact,
    observed_ring,
    ring_of,
    why_ring_unread,
    why_unit_unknown,
)
from advisor.outlet.void_places import void_places
from advisor.outlet.wires import TUNNEL, why_limited, wire_rate
from advisor.outlet.wrapping import Wrapping, tunnel_ways, wrapping_of
from advisor.shows.observations import Observations

# The outlets of a device: one for each output and policy that queues there.

_MOST_KEPT: Final = 1 << 13


@derived
def outlets(device: Device) -> tuple[Outlet, ...]:
    """All output points with a known policy, in document order; members of a bundle included."""
    all_outlets = tuple(_outlets(device))
    sums: dict[str, float | None] = {}
    for ring, before in _shapers(all_outlets).items():
        sums[ring] = None if None in before else sum(rate for rate in before if rate is not None)
    at_ring = Counter(outlet.ring_key for outlet in all_outlets)
    return tuple(
        _on_ring(outlet, sums[outlet.ring_key], shares_ring=at_ring[outlet.ring_key] > 1)
        for outlet in all_outlets
    )


@question(_MOST_KEPT)
def _on_ring(outlet: Outlet, sum_bps: float | None, *, shares_ring: bool) -> Outlet:
    return replace(outlet, shaped_sum_bps=sum_bps, shares_ring=shares_ring)


def _shapers(all_outlets: tuple[Outlet, ...]) -> dict[str, list[float | None]]:
    """Highest rates that each ring is offered: one per attachment, None for an unshaped one.

    A map-class that several circuits name is attached to each of them.
    """
    before: dict[str, list[float | None]] = {}
    seen = set()
    for outlet in all_outlets:
        if (key := (outlet.ring_key, outlet.place)) not in seen:
            seen.add(key)
            before.setdefault(outlet.ring_key, []).append(outlet.ceiling_bps)
    return before


@derived
def policies_out(device: Device) -> tuple[Outlet, ...]:
    """One outlet for each attached policy: the first member of a bundle stands for all members."""
    seen: dict[str, Outlet] = {}
    for outlet in outlets(device):
        seen.setdefault(outlet.policy_label, outlet)
    return tuple(seen.values())


def queueing_out(device: Device) -> tuple[PolicyMap, ...]:
    """The policies that queue at outputs, each name once."""
    return tuple({item.queueing.name: item.queueing for item in policies_out(device)}.values())


def _outlets(device: Device) -> Iterator[Outlet]:
    void = frozenset(void_place.attached.label for void_place in void_places(device))
    for attached in attachments(device.facts):
        if attached.attachment.direction is not Side.OUTPUT or attached.interface.shutdown:
            continue
        if attached.label in void:
            continue
        policy = device.facts.policy_map(attached.attachment.policy)
        if policy is None or bundle_of(device.facts, attached.interface) is not None:
            continue
        for carrier in carriers_of(device.facts, attached):
            for outlet in _outlets_at(device, attached, policy, carrier):
                yield _with_measured(outlet, device.seen, attached)


class _Place(Struct, frozen=True):
    """All that outlets depend on where every line is understood."""

    attached: Attached
    policies: tuple[PolicyMap, ...]  # the attached one and those nested in it
    carrier: Carrier
    main: Interface
    channel: tuple[Interface, ...]
    mtu: Stated[int] | None
    observed: ObservedRing | None
    platform: Decision
    wrapping: Wrapping | Unknown | None
    line: tuple[Input | None, Encapsulation | None]
    has_waited: bool


_OUTLETS: Final = Kept[_Place, tuple[Outlet, ...]](_MOST_KEPT)


def _outlets_at(
    device: Device, attached: Attached, policy: PolicyMap, carrier: Carrier
) -> tuple[Outlet, ...]:
    """The outlets of a policy on a carrier; an edit elsewhere leaves them as they are."""

    def make() -> tuple[Outlet, ...]:
        return tuple(_branches(device, attached, policy, carrier))

    if device.facts.unread:
        return make()  # a line that is not understood may be about any of it
    facts, interface = device.facts, carrier.interface
    main = facts.main_of(interface)
    channel = channel_members(facts, main)
    place = _Place(
        attached,
        (policy, *facts.nested_policies(policy.name)),
        carrier,
        main,
        channel,
        _mtu(facts, attached, carrier),
        observed_ring(device.seen, _ring_home(carrier, main), carrier.pvc),
        device.platform,
        wrapping_of(device, {attached.interface.name, interface.name, main.name}),
        _line_of(device, carrier, channel),
        _has_waited(device, attached, carrier),
    )
    return _OUTLETS.of(place, make)


def _has_waited(device: Device, attached: Attached, carrier: Carrier) -> bool:
    """Whether counters show that a session over a PVC fills, whatever is recalled of it."""
    if carrier.session is None or carrier.pvc is None:
        return False
    counted = device.seen.policy(attached.interface.name, "output", None)
    return counted is not None and counted.has_waiting


def _mtu(facts: Facts, attached: Attached, carrier: Carrier) -> Stated[int] | None:
    """The largest packet of a carrier: its sessions, port or the place of the policy state it."""
    return (
        session_mtu(facts, carrier)
        or mtu_of(facts, carrier.interface, carrier.pvc)
        or attached.interface.mtu_bytes
    )


def _ring_home(carrier: Carrier, main: Interface) -> Interface:
    """The interface that has the ring: a subinterface without a PVC has that of its port."""
    return main if carrier.pvc is None else carrier.interface


def _branches(
    device: Device, attached: Attached, policy: PolicyMap, carrier: Carrier
) -> Iterator[Outlet]:
    """One outlet for each policy that queues: the attached policy, and policies nested in it."""
    facts = device.facts
    base = outlet_at(device, attached, policy, carrier)
    main = facts.main_of(carrier.interface)
    circuit = traffic_shaper(attached, main)
    base_bps = line_base_bps(attached, carrier, base.wire)
    is_qfp = device.platform.is_qfp
    is_idle = is_never_full(facts, attached, policy, carrier, is_qfp=is_qfp)
    if is_idle and not _has_waited(device, attached, carrier):
        base = replace(base, is_never_full=True)
    if facts.unread_of_policy(policy.name) is not None:
        base = replace(base, has_unread_lines=True)
    unread = facts.unread_in_policy(policy.name, "shape") if facts.unread else None
    if unread is not None:
        base = replace(
            base, ring=None, why_unread=f"the shaper is not known: {unread.at} is not understood"
        )
    for branch in branches(facts, policy, circuit, base_bps):
        shaper = branch.shaper
        yield replace(
            base,
            why_not_modelled=_why_not_modelled(branch, base_bps),
            label=base.label + branch.path,
            policy_label=base.policy_label + branch.path,
            queueing=_as_taken(branch.queueing, device.platform),
            shaper_bps=shaper.rate_bps if shaper is not None else None,
            shape=shaper.shape if shaper is not None else None,
            shaper_share=shaper.share if shaper is not None else None,
            ceiling_bps=ceiling_bps(policy, circuit, base_bps),
            admission_bps=admission_base_bps(attached, main, shaper, base_bps),
            admits_by_min_cir=admits_by_min_cir(attached, main, shaper),
        )


def _as_taken(policy: PolicyMap, platform: Decision) -> PolicyMap:
    """The policy without the `priority` that IOS refuses in its class-default."""
    default = policy.class_by_name.get(CLASS_DEFAULT)
    if default is None or not is_priority_refused(default, platform):
        return policy
    classes = (replace(own, priority=None) if own is default else own for own in policy.classes)
    return replace(policy, classes=tuple(classes))


def is_priority_refused(policy_class: PolicyClass, platform: Decision) -> bool:
    """Whether IOS refuses the `priority` of a class: in class-default, before IOS XE."""
    is_default = policy_class.is_default and policy_class.priority is not None
    return is_default and not platform.may_be_xe


def _why_not_modelled(branch: Branch, base_bps: float | None) -> str | None:
    """Why figures are not known: of a fragment, or behind a policer that is below its shaper."""
    shared = branch.queueing.fragment
    if shared is not None:
        return f"`{shared.kind} {shared.name}` ({shared.at}) is not modelled"
    shaper, police = branch.shaper, branch.policed
    if shaper is None or police is None:
        return None
    rate_bps = police_rate_bps(police, base_bps)
    if rate_bps is not None and rate_bps >= shaper.rate_bps:
        return None
    return (
        f"the `police` ({police.at}) around {branch.queueing.name} drops of all its classes, voice "
        "too, and is not modelled"
    )


def outlet_at(
    device: Device,
    attached: Attached,
    policy: PolicyMap,
    carrier: Carrier,
    *,
    is_fair: bool = False,
) -> Outlet:
    """The output as far as it does not depend on the policy that queues.

    `is_fair` is set without a policy but with fair queueing, which queues before the ring too.
    """
    facts, interface = device.facts, carrier.interface
    main = facts.main_of(interface)
    channel = channel_members(facts, main)
    wire, encapsulation = _line_of(device, carrier, channel)
    ring_home = _ring_home(carrier, main)
    ring_section = carrier.section if carrier.pvc is not None else (f"interface {ring_home.name}",)
    is_queueing = is_fair or (policy_queues(facts, policy) and not carrier.members)
    ring, open_ring = _ring_at(device, ring_home, carrier.pvc, wire, is_queueing=is_queueing)
    limited = why_limited(facts, attached.interface, wire)
    why_unread = open_ring or why_shaper_unread(facts, attached, carrier) or limited
    together = sum_of_wires(carrier.members) if carrier.members else None
    up = carrying(carrier.members)
    sizes = open_fragments(attached, wire, session=carrier.session is not None)
    unread_fragment = why_fragment_unread(facts, attached, carrier)
    return Outlet(
        label=" > ".join(filter(None, (attached.label, carrier.label))),
        policy_label=attached.label,
        circuit=circuit_number(attached),
        ring_key=" > ".join(carrier.section) if carrier.pvc is not None else main.name,
        section=attached.section,
        at=attached.attachment.at,
        interface=interface,
        pvc=carrier.pvc,
        policy=policy,
        queueing=policy,
        shaper_bps=None,
        wire=wire,
        encapsulation=encapsulation,
        mtu=mtu_input(_mtu(facts, attached, carrier)),
        fragment_bytes=fragment_of(attached, main, wire),
        why_fragment_unknown=unread_fragment or why_fragment_open(attached.interface, sizes),
        open_fragments=sizes if unread_fragment is None else (),
        ring=ring if why_unread is None else None,
        why_unread=why_unread,
        has_unread_lines=has_unread_section(facts, attached, carrier),
        is_rate_unread=is_rate_unread(facts, attached, carrier),
        ring_section=ring_section,
        admission_bps=None,
        bundle=attached.interface if carrier.members else None,
        bundle_wire=together,
        members=max(1, len(up)),
        members_down=members_down(carrier.members or channel),
        members_bps=wires_bps(up) if len(up) > 1 else (),
        session=carrier.session,
        circuit_bc_bits=attached.circuit.bc_bits if attached.circuit is not None else None,
        circuit_be_bits=attached.circuit.be_bits if attached.circuit is not None else None,
        map_class=fragment_map_class(attached, main),
        is_frame_relay_shaped=is_frame_relay_shaped(attached, main),
        wrapping=wrapping_of(device, {attached.interface.name, interface.name, main.name}),
    )


def _line_of(
    device: Device, carrier: Carrier, channel: tuple[Interface, ...]
) -> tuple[Input | None, Encapsulation | None]:
    """The wire behind a carrier and the framing on it: of a tunnel, those of its port."""
    facts, interface = device.facts, carrier.interface
    main, way = facts.main_of(interface), tunnel_ways(device).get(interface.name)
    if way is None:
        framed = interface if interface.encapsulation else main
        encapsulation = encapsulation_at(
            framed, facts.family(framed.name), carrier.pvc, session=carrier.session is not None
        )
    else:
        port = way.port if way.port.encapsulation else facts.main_of(way.port)
        encapsulation = through_tunnel(
            encapsulation_of(port, None), way, is_qfp=device.platform.is_qfp
        )
    if way is not None and interface.user_rate is None:
        return wire_rate(way.port, None, facts.main_of(way.port)), encapsulation
    if channel:
        return sum_of_wires(channel), encapsulation
    return wire_rate(interface, carrier.pvc, main, carrier.session), encapsulation


def _ring_at(
    device: Device, home: Interface, pvc: Pvc | None, wire: Input | None, *, is_queueing: bool
) -> tuple[RingFact | None, str | None]:
    """The ring of an interface or PVC, and why it is not known; None where it is."""
    observed = observed_ring(device.seen, home, pvc)
    ring = ring_of(
        home,
        pvc,
        device.platform,
        wire.value if wire else None,
        queueing=is_queueing,
        observed=observed,
    )
    why = None if observed else why_ring_unread(device.facts, home, pvc)
    if ring is None and why is None:
        why = why_unit_unknown(home, pvc, device.platform)
    return ring, why


def _with_measured(outlet: Outlet, seen: Observations, attached: Attached) -> Outlet:
    """The outlet with its measured classes; a member takes its part of the bundle.

    A class that is not understood takes part in every proportion of the others: without it, what
    was measured of them gives an interval beside the true one.
    """
    if not (seen.policies or seen.interfaces):
        return outlet
    wire_bps = outlet.wire.value if outlet.wire is not None else None
    alone = outlet.circuit is None and not attached.interface.is_subinterface
    mean = measured_mean_packet(seen, outlet.interface.name, outlet.encapsulation, wire_bps)
    place, policy = outlet.place, outlet.queueing.name
    is_tunnel = attached.interface.type == TUNNEL  # which bytes are counted there has no source
    framing = None if is_tunnel else outlet.encapsulation
    unread = unread_classes_at(seen, place, policy)
    return replace(
        outlet,
        measured=()
        if unread
        else measured_classes(seen, place, policy, framing, 1 / outlet.members),
        unread_classes=unread,
        measured_mean=mean if alone else None,
    )


# An output on a wire of another rate, with the quantities that follow from the rate.


def at_rate(device: Device, outlet: Outlet, wire: Input) -> Outlet:
    """The output as it would be with this wire.

    Quantities that follow from the rate change with it: the default length of a ring that depends
    on the rate, a fragment that is configured as a delay, a shaper in percent, and the base of
    `percent` unless it is the rate of a shaper or of a circuit. All members of a bundle get the
    rate.
    """
    moved = replace(
        outlet,
        wire=wire,
        ring=_ring(device, outlet, wire),
        fragment_bytes=_fragment(outlet, wire),
        bundle_wire=_bundle_wire(outlet, wire),
        members_bps=tuple(
            rate_bps * wire.value / outlet.wire_bps for rate_bps in outlet.members_bps
        ),
    )
    if outlet.shaper_share is not None:
        shaper_bps = wire.value * outlet.shaper_share
        return replace(moved, shaper_bps=shaper_bps, admission_bps=shaper_bps)
    if outlet.shaper_bps is None:
        return replace(moved, admission_bps=(moved.bundle_wire or wire).value)
    return moved


def _ring(device: Device, outlet: Outlet, wire: Input) -> RingFact | None:
    if outlet.ring is not None and outlet.ring.basis is not Basis.DEFAULT:
        return outlet.ring
    if outlet.why_unread is not None:
        return None
    queueing = policy_queues(device.facts, outlet.policy) and outlet.bundle is None
    return ring_of(outlet.interface, outlet.pvc, device.platform, wire.value, queueing=queueing)


def _fragment(outlet: Outlet, wire: Input) -> Stated[float] | None:
    stated = outlet.fragment_bytes
    multilink = (outlet.bundle or outlet.session or outlet.interface).multilink
    by_delay = delay_fragment(multilink, wire.value)
    if by_delay is None or (stated is not None and stated.at != by_delay.at):
        return stated
    if stated is None or not outlet.wire_bps:
        return by_delay
    return Stated(stated.value * wire.value / outlet.wire_bps, stated.at)


def _bundle_wire(outlet: Outlet, wire: Input) -> Input | None:
    if outlet.bundle_wire is None or outlet.wire is None:
        return outlet.bundle_wire
    rate_bps = outlet.bundle_wire.value * wire.value / outlet.wire.value
    return exact("bundle_rate_bps", rate_bps, wire.basis, wire.source, wire.kind)


# An output with another ring limit.


def at_ring(outlet: Outlet, limit: int, source: str) -> Outlet:
    """The output with a ring of that limit; the unit of the ring does not change."""
    if outlet.ring is None:
        return outlet
    ring = replace(
        outlet.ring, limit_low=limit, limit_high=limit, basis=Basis.CONFIGURED, source=source
    )
    return replace(outlet, ring=ring)
