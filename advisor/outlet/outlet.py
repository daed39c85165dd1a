"""Output points of a device: where a policy queues, with the wire, ring and framing behind it."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.attachments import Attached, attachments
from advisor.facts.interface import Direction, Interface, Pvc
from advisor.facts.policy import PolicyClass, PolicyMap, Shape, Unit
from advisor.facts.stated import Stated
from advisor.ios.syntax.tree import Location
from advisor.outlet.carriers import Carrier, bundle_of, carriers_of, channel_members
from advisor.outlet.framing import Encapsulation, encapsulation_of
from advisor.outlet.measured import MeasuredClass, measured_classes, measured_mean_packet
from advisor.outlet.nesting import branches, ceiling_bps
from advisor.outlet.parts import (
    admission_base_bps,
    circuit_number,
    fragment_of,
    line_base_bps,
    mtu_input,
    policy_queues,
    sum_of_wires,
    traffic_shaper,
)
from advisor.outlet.ring import RingFact, observed_ring, ring_of
from advisor.outlet.wire_rate import wire_rate
from advisor.quantity import Basis, Figure, Input, RateKind, exact
from advisor.shows.observations import Observations
from advisor.theory.wire import Framing, wire_ms
from advisor.units import bps_from_kbps, bytes_in_ms, ratio_from_percent


class Outlet(Struct, frozen=True):
    """One output point with an attached policy.

    `policy` is the attached policy. `queueing` is the policy that queues: `policy` or one nested in
    it. `policy_label` is the object path of the attachment:
    of the bundle, not of a member; with a class's child. `circuit` is the number of a PVC or DLCI
    as show outputs print it. `ring_section` are the commands that enter the mode where the ring is
    set: of a bundle member, not of the bundle. `ring_key` names the ring. `wire` is the rate that
    the ring drains at, `link` the smaller one of `wire` and an effective shaper.
    """

    label: str
    policy_label: str
    circuit: str | None
    ring_key: str
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
    admission_bps: float | None  # base of `percent` and of the sum of reservations
    bundle: Interface | None = None
    bundle_wire: Input | None = None  # of all members together
    members: int = 1  # of the bundle: its traffic is split over them
    session: Interface | None = None  # the Dialer or Virtual-Template that it carries
    shape: Shape | None = None  # the statement of `shaper_bps`; None for the CIR of a circuit
    shaper_share: float | None = None  # of the line, where only percentages lead to `shaper_bps`
    ceiling_bps: float | None = None  # that the attached policy lets pass; None: not all is shaped
    shaped_sum_bps: float | None = None  # all shapers before this ring; None: some is not shaped
    circuit_bc_bits: Stated[int] | None = None  # of Frame Relay traffic shaping
    measured: tuple[MeasuredClass, ...] = ()  # classes as they were counted
    measured_mean: Input | None = None  # mean IP packet of all classes, of a link that was busy

    @property
    def link(self) -> Input | None:
        """Link rate of the rules: the smaller one of the wire and an effective shaper."""
        wire = self.bundle_wire or self.wire
        if self.shaper_bps is None or (wire is not None and self.shaper_bps >= wire.value):
            return wire
        source = "shape or CIR"
        return exact("link_rate_bps", self.shaper_bps, Basis.CONFIGURED, source, RateKind.SHAPER)

    @property
    def wire_bps(self) -> float:
        """Rate that the ring drains at; 0 where it is not known."""
        return self.wire.value if self.wire is not None else 0.0

    @property
    def line_bps(self) -> float:
        """Rate that an effective shaper leaves of the wire of this ring; 0 where unknown."""
        return min(self.wire_bps, self.shaper_bps or self.wire_bps)

    @property
    def attached_to(self) -> str:
        """Interface that the policy is attached to: the bundle of a member, a Dialer."""
        return (self.bundle or self.session or self.interface).name

    @property
    def counted_bytes(self) -> int:
        """Layer-2 bytes of a packet as IOS counts them; 0 where the encapsulation is unknown."""
        return self.encapsulation.counted_bytes if self.encapsulation is not None else 0

    @property
    def place(self) -> tuple[str, str | None]:
        """Where show outputs have the policy: the interface, and the number of its circuit."""
        return self.attached_to, self.circuit

    @property
    def overhead_inputs(self) -> tuple[Input, ...]:
        """The bytes around a packet as an input; empty where the encapsulation is not known."""
        return (self.encapsulation.overhead_input,) if self.encapsulation is not None else ()

    def longest_ms(self, ip_bytes: int) -> Figure | None:
        """Time in ms that the wire is busy with a packet, over the range of its framing.

        The value is the time with the larger framing: it decides. None without a rate. Without a
        known encapsulation, the time of the bare packet.
        """
        if self.wire is None:
            return None
        bare, framing = Framing(0), self.encapsulation
        ends = (framing.low, framing.high) if framing is not None else (bare, bare)
        low, high = (wire_ms(ip_bytes, end, self.wire.value) for end in ends)
        return Figure(high, low, high, "ms", high)

    def fragment_for(self, budget_ms: float) -> int:
        """Fragment in bytes that the slower one of wire and shaper sends in a time."""
        return int(bytes_in_ms(self.line_bps, budget_ms))

    @property
    def llq_classes(self) -> tuple[PolicyClass, ...]:
        classes = self.queueing.classes
        return tuple(policy_class for policy_class in classes if policy_class.priority is not None)

    def class_named(self, name: str) -> PolicyClass | None:
        """The class of that name in the policy that queues."""
        classes = self.queueing.classes
        return next((policy_class for policy_class in classes if policy_class.name == name), None)

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

    def priority_bps(self, policy_class: PolicyClass) -> float | None:
        """Rate of a priority class; None for `priority` without a rate or an unknown base."""
        priority = policy_class.priority
        if priority is None or priority.amount is None:
            return None
        if priority.unit is Unit.KBPS:
            return bps_from_kbps(priority.amount)
        base_bps = self.admission_bps
        return None if base_bps is None else base_bps * ratio_from_percent(priority.amount)

    def llq_rate_bps(self, policy_class: PolicyClass) -> float | None:
        """Rate that a priority class is held to: from `priority`, else from its own `police`."""
        rate_bps, police = self.priority_bps(policy_class), policy_class.police
        if rate_bps is not None or policy_class.priority is None or police is None:
            return rate_bps
        if police.rate_bps is not None or police.percent is None:
            return police.rate_bps
        base_bps = self.admission_bps
        return None if base_bps is None else base_bps * ratio_from_percent(police.percent)


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
        if policy is None or bundle_of(device.facts, attached.interface) is not None:
            continue
        for carrier in carriers_of(device.facts, attached):
            for outlet in _branches(device, attached, policy, carrier):
                yield _with_measured(outlet, device.seen, attached)


def _branches(
    device: Device, attached: Attached, policy: PolicyMap, carrier: Carrier
) -> Iterator[Outlet]:
    """One outlet for each policy that queues: the attached policy, and policies nested in it."""
    facts = device.facts
    base = _outlet(device, attached, policy, carrier)
    main = facts.interface(carrier.interface.parent or "") or carrier.interface
    circuit = traffic_shaper(attached, main)
    base_bps = line_base_bps(attached, carrier, base.wire)
    for branch in branches(facts, policy, circuit, base_bps):
        shaper = branch.shaper
        yield replace(
            base,
            label=base.label + branch.path,
            policy_label=base.policy_label + branch.path,
            queueing=branch.queueing,
            shaper_bps=shaper.rate_bps if shaper is not None else None,
            shape=shaper.shape if shaper is not None else None,
            shaper_share=shaper.share if shaper is not None else None,
            ceiling_bps=ceiling_bps(policy, circuit, base_bps),
            admission_bps=admission_base_bps(attached, shaper, base_bps),
        )


def _outlet(device: Device, attached: Attached, policy: PolicyMap, carrier: Carrier) -> Outlet:
    """The output as far as it does not depend on the policy that queues."""
    facts, interface = device.facts, carrier.interface
    parent = facts.interface(interface.parent) if interface.parent else None
    main = parent or interface
    channel = channel_members(facts, main)
    wire = sum_of_wires(channel) if channel else wire_rate(interface, carrier.pvc, parent)
    ring_home = interface if carrier.pvc is not None or parent is None else main
    ring_section = carrier.section if carrier.pvc is not None else (f"interface {ring_home.name}",)
    mtu_at = interface.mtu_bytes or main.mtu_bytes or attached.interface.mtu_bytes
    ring = ring_of(
        ring_home,
        carrier.pvc,
        device.platform,
        wire.value if wire else None,
        queueing=policy_queues(facts, policy) and not carrier.members,
        observed=observed_ring(device.seen, ring_home, carrier.pvc),
    )
    together = sum_of_wires(carrier.members) if carrier.members else None
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
        encapsulation=encapsulation_of(
            interface if interface.encapsulation else main,
            carrier.pvc,
            session=carrier.session is not None,
        ),
        mtu=mtu_input(mtu_at),
        fragment_bytes=fragment_of(attached, main, wire),
        ring=ring,
        ring_section=ring_section,
        admission_bps=None,
        bundle=attached.interface if carrier.members else None,
        bundle_wire=together,
        members=max(1, len(carrier.members)),
        session=carrier.session,
        circuit_bc_bits=attached.circuit.bc_bits if attached.circuit is not None else None,
    )


def _with_measured(outlet: Outlet, seen: Observations, attached: Attached) -> Outlet:
    """The outlet with its measured classes; a member takes its part of the bundle."""
    if not (seen.policies or seen.interfaces):
        return outlet
    wire_bps = outlet.wire.value if outlet.wire is not None else None
    alone = outlet.circuit is None and not attached.interface.is_subinterface
    mean = measured_mean_packet(seen, outlet.interface.name, outlet.encapsulation, wire_bps)
    return replace(
        outlet,
        measured=measured_classes(
            seen, outlet.place, outlet.queueing.name, outlet.encapsulation, 1 / outlet.members
        ),
        measured_mean=mean if alone else None,
    )
