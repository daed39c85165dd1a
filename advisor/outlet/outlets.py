"""The outlets of a device: one for each output and policy that queues there."""

from collections.abc import Iterator

from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.attachments import Attached, attachments
from advisor.facts.interface import Direction, Interface
from advisor.facts.policy import PolicyMap
from advisor.outlet.framing import encapsulation_of
from advisor.outlet.measured import measured_classes, measured_mean_packet
from advisor.outlet.outlet import Outlet
from advisor.outlet.parts import (
    admission_base_bps,
    circuit_number,
    fragment_of,
    members_of,
    mtu_input,
    policy_queues,
    shape_bps,
    sum_of_wires,
    traffic_shaping_bps,
)
from advisor.outlet.ring import observed_ring, ring_of
from advisor.outlet.wire_rate import wire_rate
from advisor.shows.observations import Observations


def outlets(device: Device) -> tuple[Outlet, ...]:
    """All output points with a known policy, in document order; members of a bundle included."""
    return device.derived(_all_outlets)


def _all_outlets(device: Device) -> tuple[Outlet, ...]:
    all_outlets = tuple(_outlets(device))
    sums: dict[str, float | None] = {}
    for ring, before in _shapers(all_outlets).items():
        sums[ring] = None if None in before else sum(rate for rate in before if rate is not None)
    return tuple(replace(outlet, shaped_sum_bps=sums[outlet.ring_key]) for outlet in all_outlets)


def _shapers(all_outlets: tuple[Outlet, ...]) -> dict[str, list[float | None]]:
    """Highest rates that each ring is offered: one per attachment, None for an unshaped one."""
    before: dict[str, list[float | None]] = {}
    seen = set()
    for outlet in all_outlets:
        if (key := (outlet.ring_key, outlet.at)) not in seen:
            seen.add(key)
            before.setdefault(key[0], []).append(_shaped_bps(outlet))
    return before


def _shaped_bps(outlet: Outlet) -> float | None:
    """Rate that an attached policy lets pass: its shaper, or the sum of its classes' shapers."""
    classes = outlet.policy.classes
    if outlet.shaper_bps is not None and len(classes) == 1:
        return outlet.shaper_bps
    rates = [
        policy_class.shape.rate_bps if policy_class.shape else None for policy_class in classes
    ]
    if any(policy_class.is_default for policy_class in classes) and None not in rates:
        return sum(rate for rate in rates if rate is not None)
    circuit = outlet.shaper_bps is not None and outlet.queueing is outlet.policy
    return outlet.shaper_bps if circuit else None


def policies_out(device: Device) -> tuple[Outlet, ...]:
    """One outlet for each attached policy: the first member of a bundle stands for all members."""
    seen: dict[str, Outlet] = {}
    for outlet in outlets(device):
        seen.setdefault(outlet.policy_label, outlet)
    return tuple(seen.values())


def _outlets(device: Device) -> Iterator[Outlet]:
    for attached in attachments(device.facts):
        if attached.attachment.direction is not Direction.OUTPUT or attached.interface.shutdown:
            continue
        policy = device.facts.policy_map(attached.attachment.policy)
        if policy is None:
            continue
        members = members_of(device.facts, attached.interface)
        if members:
            together = sum_of_wires(members)
            for member in members:
                for outlet in _branches(device, attached, policy, member, members):
                    yield _with_measured(
                        replace(outlet, bundle_wire=together), device.seen, attached, len(members)
                    )
        else:
            for outlet in _branches(device, attached, policy, attached.interface, []):
                yield _with_measured(outlet, device.seen, attached, 1)


def _branches(
    device: Device,
    attached: Attached,
    policy: PolicyMap,
    wire_of: Interface,
    members: list[Interface],
) -> Iterator[Outlet]:
    """One outlet for each policy that queues: the children of classes, and the attached policy.

    The attached policy itself is included where no class has a child, or where it queues too.
    """
    base = _outlet(device, attached, policy, wire_of, members)
    children = [
        (policy_class, device.facts.policy_map(policy_class.child.value))
        for policy_class in policy.classes
        if policy_class.child
    ]
    nested = [(policy_class, child) for policy_class, child in children if child is not None]
    if not nested or any(policy_class.priority is not None for policy_class in policy.classes):
        yield base
    for policy_class, child in nested:
        shaper_bps = base.shaper_bps or shape_bps(policy_class, base.wire)
        only = len(policy.classes) == 1
        suffix = "" if only else f" > policy-map {policy.name} > class {policy_class.name}"
        admission_bps = shaper_bps if shaper_bps is not None else base.admission_bps
        yield replace(
            base,
            label=base.label + suffix,
            policy_label=base.policy_label + suffix,
            queueing=child,
            shaper_bps=shaper_bps,
            admission_bps=admission_bps,
        )


def _outlet(
    device: Device,
    attached: Attached,
    policy: PolicyMap,
    wire_of: Interface,
    members: list[Interface],
) -> Outlet:
    interface, pvc = attached.interface, attached.pvc
    is_member = wire_of is not interface
    parent = device.facts.interface(wire_of.parent) if wire_of.parent else None
    main = parent or wire_of
    wire = wire_rate(wire_of, pvc, parent)
    only = policy.classes[0] if len(policy.classes) == 1 else None
    shaper_bps = shape_bps(only, wire) if only is not None and only.is_default else None
    if shaper_bps is None:
        shaper_bps = traffic_shaping_bps(attached, main)
    queues = policy_queues(device.facts, policy)
    rate_bps = wire.value if wire else None
    ring_home = wire_of if pvc is not None or parent is None else main
    ring_section = attached.section if pvc is not None else (f"interface {ring_home.name}",)
    mtu_at = wire_of.mtu_bytes or main.mtu_bytes or interface.mtu_bytes
    label = f"{attached.label} > member {wire_of.name}" if is_member else attached.label
    ring = ring_of(
        ring_home,
        pvc,
        device.platform,
        rate_bps,
        queueing=queues and not is_member,
        observed=observed_ring(device.seen, ring_home, pvc),
    )
    return Outlet(
        label=label,
        policy_label=attached.label,
        circuit=circuit_number(attached),
        ring_key=attached.label if pvc is not None else wire_of.parent or wire_of.name,
        section=attached.section,
        at=attached.attachment.at,
        interface=wire_of,
        pvc=pvc,
        policy=policy,
        queueing=policy,
        shaper_bps=shaper_bps,
        wire=wire,
        encapsulation=encapsulation_of(wire_of if wire_of.encapsulation else main, pvc),
        mtu=mtu_input(mtu_at),
        fragment_bytes=fragment_of(attached, main, wire),
        ring=ring,
        ring_section=ring_section,
        admission_bps=admission_base_bps(attached, members, wire, shaper_bps),
        bundle=interface if is_member else None,
        circuit_bc_bits=attached.circuit.bc_bits if attached.circuit is not None else None,
    )


def _with_measured(outlet: Outlet, seen: Observations, attached: Attached, members: int) -> Outlet:
    """The outlet with its measured classes; a member takes its part of the bundle."""
    if not (seen.policies or seen.interfaces):
        return outlet
    wire_bps = outlet.wire.value if outlet.wire is not None else None
    alone = outlet.circuit is None and not attached.interface.is_subinterface
    mean = measured_mean_packet(seen, outlet.interface.name, outlet.encapsulation, wire_bps)
    return replace(
        outlet,
        measured=measured_classes(
            seen, outlet.place, outlet.queueing.name, outlet.encapsulation, 1 / members
        ),
        measured_mean=mean if alone else None,
    )
