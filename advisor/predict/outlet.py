"""Output points of a device: where a policy queues, with the wire, ring and framing behind it."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts.attachments import Attached, attachments
from advisor.facts.interface import Direction, Interface, Pvc
from advisor.facts.policy import PolicyClass, PolicyMap, Unit
from advisor.facts.stated import Stated
from advisor.ios.tree import Location
from advisor.observed.observations import Observations
from advisor.predict.framing import Encapsulation, encapsulation_of
from advisor.predict.measured import MeasuredClass, measured_classes, measured_mean_packet
from advisor.predict.outlet_parts import (
    admission_base_bps,
    fragment_of,
    mtu_input,
    shape_bps,
    sum_of_wires,
    traffic_shaping_bps,
)
from advisor.predict.quantity import Basis, Input, exact
from advisor.predict.ring import RingFact, observed_ring, ring_of
from advisor.predict.wire_rate import wire_rate
from advisor.snapshot import Device
from advisor.units import bps_from_kbps, ratio_from_percent


class Outlet(Struct, frozen=True):
    """One output point with an attached policy.

    `policy` is what is attached, `queueing` the policy that queues: its child where class-default
    of the former shapes everything. `ring_section` are the commands that enter the mode where the
    ring is set: of a bundle member, not of the bundle. `wire` is the rate that the ring drains
    at, `link` the smallest of that and an effective shaper.
    """

    label: str
    section: tuple[str, ...]
    at: Location
    interface: Interface
    pvc: Pvc | None
    policy: PolicyMap
    queueing: PolicyMap
    shaper_bps: float | None
    wire: Input | None
    encapsulation: Encapsulation | None
    mtu: Input
    fragment_bytes: Stated[float] | None
    ring: RingFact | None
    ring_section: tuple[str, ...]
    admission_bps: float | None  # what `percent` and the sum of reservations are taken of
    bundle: Interface | None = None
    bundle_wire: Input | None = None  # of all members together
    shaped_sum_bps: float | None = None  # all shapers before this ring; None: not all is shaped
    circuit_bc_bits: Stated[int] | None = None  # of Frame Relay traffic shaping
    measured: tuple[MeasuredClass, ...] = ()  # classes as they were counted
    measured_mean: Input | None = None  # mean IP packet of all classes, of a link that was busy

    @property
    def link(self) -> Input | None:
        """Link rate of the rules: the smallest of the wire and an effective shaper."""
        wire = self.bundle_wire or self.wire
        if self.shaper_bps is None or (wire is not None and self.shaper_bps >= wire.value):
            return wire
        return exact("link_rate_bps", self.shaper_bps, Basis.CONFIGURED, "shape or CIR")

    @property
    def policy_label(self) -> str:
        """Object path of the attachment: of the bundle, not of a member; with a class's child."""
        return self.label.partition(" > member ")[0]

    @property
    def llq_classes(self) -> tuple[PolicyClass, ...]:
        return tuple(each for each in self.queueing.classes if each.priority is not None)

    @property
    def ring_idle(self) -> bool:
        """Whether shapers keep the ring nearly empty: their rates sum to less than the wire."""
        if self.wire is None or self.shaped_sum_bps is None:
            return False
        return self.shaped_sum_bps < self.wire.value

    @property
    def largest_ip_bytes(self) -> int:
        """The largest packet that is sent whole: the MTU, or a fragment."""
        if self.fragment_bytes is None:
            return int(self.mtu.value)
        return int(min(self.mtu.value, self.fragment_bytes.value))

    def priority_bps(self, each: PolicyClass) -> float | None:
        """Rate of a priority class; None for `priority` without a rate or an unknown base."""
        priority = each.priority
        if priority is None or priority.amount is None:
            return None
        if priority.unit is Unit.KBPS:
            return bps_from_kbps(priority.amount)
        base_bps = self.admission_bps
        return None if base_bps is None else base_bps * ratio_from_percent(priority.amount)

    def llq_rate_bps(self, each: PolicyClass) -> float | None:
        """Rate that a priority class is held to: of `priority`, else of its own `police`."""
        rate_bps, police = self.priority_bps(each), each.police
        if rate_bps is not None or each.priority is None or police is None:
            return rate_bps
        if police.rate_bps is not None or police.percent is None:
            return police.rate_bps
        base_bps = self.admission_bps
        return None if base_bps is None else base_bps * ratio_from_percent(police.percent)


def outlets(device: Device) -> tuple[Outlet, ...]:
    """All output points with a known policy, in document order; members of a bundle included."""
    return device.derived(_all_outlets)


def _all_outlets(device: Device) -> tuple[Outlet, ...]:
    found = tuple(_outlets(device))
    sums: dict[str, float | None] = {}
    for label, before in _shapers(found).items():
        sums[label] = None if None in before else sum(rate for rate in before if rate is not None)
    return tuple(replace(each, shaped_sum_bps=sums[_ring_key(each)]) for each in found)


def _ring_key(outlet: Outlet) -> str:
    """What names the ring of an outlet: its PVC, or its main interface."""
    if outlet.pvc is not None:
        return outlet.label.partition(" > policy-map ")[0]
    return outlet.interface.parent or outlet.interface.name


def _shapers(found: tuple[Outlet, ...]) -> dict[str, list[float | None]]:
    """Rates that each ring is offered at most: one for each attachment, None where unshaped."""
    before: dict[str, list[float | None]] = {}
    seen = set()
    for each in found:
        if (key := (_ring_key(each), each.at)) not in seen:
            seen.add(key)
            before.setdefault(key[0], []).append(_shaped_bps(each))
    return before


def _shaped_bps(outlet: Outlet) -> float | None:
    """What an attached policy lets pass: its shaper, or the sum of those of all its classes."""
    classes = outlet.policy.classes
    if outlet.shaper_bps is not None and len(classes) == 1:
        return outlet.shaper_bps
    rates = [each.shape.rate_bps if each.shape else None for each in classes]
    if any(each.is_default for each in classes) and None not in rates:
        return sum(rate for rate in rates if rate is not None)
    circuit = outlet.shaper_bps is not None and outlet.queueing is outlet.policy
    return outlet.shaper_bps if circuit else None


def policies_out(device: Device) -> tuple[Outlet, ...]:
    """One outlet for each attached policy: of a bundle the first member stands for all."""
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
        members = _members(device, attached.interface)
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


def _members(device: Device, bundle: Interface) -> list[Interface]:
    if bundle.type != "Multilink":
        return []
    number = bundle.name.removeprefix("Multilink")
    grouped = [each for each in device.facts.interfaces if each.multilink.group is not None]
    return [
        each
        for each in grouped
        if each.type != bundle.type
        and each.multilink.group is not None
        and str(each.multilink.group.value) == number
        and not each.shutdown
    ]


def _branches(
    device: Device,
    attached: Attached,
    policy: PolicyMap,
    wire_of: Interface,
    members: list[Interface],
) -> Iterator[Outlet]:
    """One outlet for each policy that queues: the children of classes, and the attached one.

    The attached policy itself where no class has a child, or where it queues beside them.
    """
    base = _outlet(device, attached, policy, wire_of, members)
    children = [
        (each, device.facts.policy_map(each.child.value)) for each in policy.classes if each.child
    ]
    nested = [(each, child) for each, child in children if child is not None]
    if not nested or any(each.priority is not None for each in policy.classes):
        yield base
    for each, child in nested:
        shaper_bps = base.shaper_bps or shape_bps(each, base.wire)
        only = len(policy.classes) == 1
        suffix = "" if only else f" > policy-map {policy.name} > class {each.name}"
        admission_bps = shaper_bps if shaper_bps is not None else base.admission_bps
        yield replace(
            base,
            label=base.label + suffix,
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
    queues = policy_queues(device, policy)
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
    """The outlet with what show outputs measured of it; a member takes its part of a bundle."""
    if not (seen.policies or seen.interfaces):
        return outlet
    circuit = None
    if attached.pvc is not None:
        circuit = f"{attached.pvc.vpi}/{attached.pvc.vci}"
    elif attached.circuit is not None:
        circuit = str(attached.circuit.dlci)
    place = (attached.interface.name, circuit)
    wire_bps = outlet.wire.value if outlet.wire is not None else None
    alone = circuit is None and not attached.interface.is_subinterface
    mean = measured_mean_packet(seen, outlet.interface.name, outlet.encapsulation, wire_bps)
    return replace(
        outlet,
        measured=measured_classes(
            seen, place, outlet.queueing.name, outlet.encapsulation, 1 / members
        ),
        measured_mean=mean if alone else None,
    )


def policy_queues(device: Device, policy: PolicyMap) -> bool:
    """Whether a policy queues, itself or in a policy nested in a class of it."""
    children = [device.facts.policy_map(each.child.value) for each in policy.classes if each.child]
    known = [policy, *(child for child in children if child is not None)]
    return any(each.queues for one in known for each in one.classes)
