"""Output points of a device: where a policy queues, with the wire, ring and framing behind it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from advisor.facts.attachments import Attached, attachments
from advisor.facts.interface import Direction, Interface, Pvc
from advisor.facts.policy import PolicyClass, PolicyMap, Unit
from advisor.facts.stated import Stated
from advisor.ios.tree import Location
from advisor.observed.observations import Observations
from advisor.predict.framing import Encapsulation, encapsulation_of
from advisor.predict.measured import MeasuredClass, measured_classes, measured_mean_packet
from advisor.predict.quantity import Basis, Input, exact
from advisor.predict.ring import RingFact, observed_ring, ring_of
from advisor.predict.wire_rate import wire_rate
from advisor.snapshot import Device
from advisor.units import bps_from_kbps, bytes_in_ms, ratio_from_percent

DEFAULT_MTU_BYTES = 1500
DEFAULT_FRAGMENT_DELAY_MS = 30.0  # ppp multilink fragment delay, where interleave stands alone
DEFAULT_SERIAL_BANDWIDTH_BPS = 1_544_000.0  # printed as BW 1544 Kbit where nothing is configured


@dataclass(frozen=True, slots=True)
class Outlet:
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
    measured: tuple[MeasuredClass, ...] = ()  # classes as they were counted
    measured_mean: Input | None = None  # mean IP packet of all classes, of a link that was busy

    @property
    def link(self) -> Input | None:
        """Link rate of the rules: the smallest of the wire and an effective shaper."""
        wire = self.bundle_wire or self.wire
        if wire is None or self.shaper_bps is None or self.shaper_bps >= wire.value:
            return wire
        return exact("link_rate_bps", self.shaper_bps, Basis.CONFIGURED, "shape or CIR")

    @property
    def policy_label(self) -> str:
        """Object path of the attachment: of the bundle, not of a member."""
        return self.label.partition(" > member ")[0]

    @property
    def llq_classes(self) -> tuple[PolicyClass, ...]:
        return tuple(each for each in self.queueing.classes if each.priority is not None)

    @property
    def ring_idle(self) -> bool:
        """Whether shapers keep the ring nearly empty: their rates sum to less than the wire."""
        if self.wire is None:
            return False
        if self.shaper_bps is not None and self.shaper_bps < self.wire.value:
            return True
        rates = [each.shape.rate_bps if each.shape else None for each in self.policy.classes]
        has_default = any(each.is_default for each in self.policy.classes)
        known = [rate for rate in rates if rate is not None]
        return has_default and len(known) == len(rates) and sum(known) < self.wire.value

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


@lru_cache(maxsize=2)  # every check asks for those of the device at hand
def outlets(device: Device) -> tuple[Outlet, ...]:
    """All output points with a known policy, in document order; members of a bundle included."""
    return tuple(_outlets(device))


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
            together = _sum_of_wires(members)
            for member in members:
                outlet = _outlet(device, attached, policy, member)
                yield _with_measured(
                    replace(outlet, bundle_wire=together), device.seen, attached, len(members)
                )
        else:
            outlet = _outlet(device, attached, policy, attached.interface)
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


def _sum_of_wires(members: list[Interface]) -> Input | None:
    rates = [wire_rate(member, None, None) for member in members]
    known = [rate.value for rate in rates if rate is not None]
    if len(known) != len(rates):
        return None
    source = f"{len(members)} members: {', '.join(member.name for member in members)}"
    return exact("bundle_rate_bps", sum(known), Basis.CONFIGURED, source)


def _outlet(device: Device, attached: Attached, policy: PolicyMap, wire_of: Interface) -> Outlet:
    interface, pvc = attached.interface, attached.pvc
    is_member = wire_of is not interface
    parent = device.facts.interface(wire_of.parent) if wire_of.parent else None
    main = parent or wire_of
    wire = wire_rate(wire_of, pvc, parent)
    queueing, shaper_bps = _queueing(device, policy, wire)
    if shaper_bps is None:
        shaper_bps = _traffic_shaping_bps(attached, main)
    queues = any(each.queues for each in queueing.classes)
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
        queueing=queueing,
        shaper_bps=shaper_bps,
        wire=wire,
        encapsulation=encapsulation_of(wire_of, pvc),
        mtu=_mtu(mtu_at),
        fragment_bytes=_fragment(attached, main, wire),
        ring=ring,
        ring_section=ring_section,
        admission_bps=_admission_bps(attached, wire, shaper_bps),
        bundle=interface if is_member else None,
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


def _queueing(
    device: Device, policy: PolicyMap, wire: Input | None
) -> tuple[PolicyMap, float | None]:
    """The policy that queues and the shaper over it, where class-default shapes everything."""
    if len(policy.classes) != 1 or not policy.classes[0].is_default:
        return policy, None
    (only,) = policy.classes
    if only.shape is None:
        return policy, None
    shaper_bps = only.shape.rate_bps
    if shaper_bps is None and only.shape.percent is not None and wire is not None:
        shaper_bps = wire.value * ratio_from_percent(only.shape.percent)
    child = device.facts.policy_map(only.child.value) if only.child else None
    return child or policy, shaper_bps


def _mtu(stated: Stated[int] | None) -> Input:
    if stated is not None:
        return exact("mtu_bytes", stated.value, Basis.CONFIGURED, f"mtu, {stated.at}")
    return exact("mtu_bytes", DEFAULT_MTU_BYTES, Basis.ASSUMED, "what comes from LANs")


def _traffic_shaping_bps(attached: Attached, main: Interface) -> float | None:
    """CIR of a circuit that Frame Relay traffic shaping holds to it."""
    shaping, circuit = main.frame_relay_traffic_shaping, attached.circuit
    if circuit is None or circuit.cir_bps is None or shaping is None or not shaping.value:
        return None
    return circuit.cir_bps.value


def _admission_bps(
    attached: Attached, wire: Input | None, shaper_bps: float | None
) -> float | None:
    """Base of `percent` and of admission.

    The parent's shaper; under FRTS the mincir (half the CIR by default); the rate of a PVC; the
    interface `bandwidth`, 1544 kb/s by default on a serial; else the wire.
    """
    circuit, interface = attached.circuit, attached.interface
    if circuit is not None and circuit.cir_bps is not None:
        minimum = circuit.min_cir_bps
        return minimum.value if minimum is not None else circuit.cir_bps.value / 2
    if shaper_bps is not None:
        return shaper_bps
    if attached.pvc is None and interface.bandwidth_bps is not None:
        return interface.bandwidth_bps.value
    if attached.pvc is None and interface.type == "Serial":
        return DEFAULT_SERIAL_BANDWIDTH_BPS
    return wire.value if wire is not None else None


def _fragment(attached: Attached, main: Interface, wire: Input | None) -> Stated[float] | None:
    """Fragment size of LFI in bytes; None without LFI or where it does not interleave."""
    circuit = attached.circuit
    stated = circuit.fragment_bytes if circuit is not None else None
    stated = stated or attached.interface.frame_relay_fragment_bytes
    stated = stated or main.frame_relay_fragment_bytes
    if stated is not None:
        return Stated(float(stated.value), stated.at)
    multilink = attached.interface.multilink
    if multilink.interleave is None or not multilink.interleave.value:
        return None
    if multilink.fragment_bytes is not None:
        return Stated(float(multilink.fragment_bytes.value), multilink.fragment_bytes.at)
    if wire is None:
        return None
    delay = multilink.fragment_delay_ms or Stated(
        DEFAULT_FRAGMENT_DELAY_MS, multilink.interleave.at
    )
    return Stated(bytes_in_ms(wire.value, delay.value), delay.at)
