"""Output points of a device: where a policy queues, with the wire, ring and framing behind it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from advisor.facts.attachments import Attached, attachments
from advisor.facts.interface import Direction, Interface, Pvc
from advisor.facts.policy import PolicyClass, PolicyMap, Unit
from advisor.facts.stated import Stated
from advisor.ios.tree import Location
from advisor.predict.framing import Encapsulation, encapsulation_of
from advisor.predict.quantity import Basis, Input, exact
from advisor.predict.ring import RingFact, ring_of
from advisor.snapshot import Device
from advisor.units import bps_from_kbps, bytes_in_ms, ratio_from_percent

DEFAULT_MTU_BYTES = 1500
DEFAULT_FRAGMENT_DELAY_MS = 30.0  # ppp multilink fragment delay, where interleave stands alone
DEFAULT_SERIAL_BANDWIDTH_BPS = 1_544_000.0  # printed as BW 1544 Kbit where nothing is configured
_WITHOUT_WIRE = ("Tunnel", "Loopback", "Vlan", "BVI", "Port-channel")
_PORT_RATE_BPS = {
    "Ethernet": 10e6,
    "FastEthernet": 100e6,
    "GigabitEthernet": 1e9,
    "TwoGigabitEthernet": 2.5e9,
    "FiveGigabitEthernet": 5e9,
    "TenGigabitEthernet": 10e9,
    "FortyGigabitEthernet": 40e9,
    "HundredGigE": 100e9,
}


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
                yield replace(_outlet(device, attached, policy, member), bundle_wire=together)
        else:
            yield _outlet(device, attached, policy, attached.interface)


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
        ring=ring_of(ring_home, pvc, device.platform, rate_bps, queueing=queues and not is_member),
        ring_section=ring_section,
        admission_bps=_admission_bps(attached, wire, shaper_bps),
        bundle=interface if is_member else None,
    )


def wire_rate(interface: Interface, pvc: Pvc | None, parent: Interface | None) -> Input | None:
    """Rate that the ring drains at: of the PVC, the clock, the timeslots or the port.

    The interface `bandwidth` only where none of these is known: it is a label. A subinterface has
    the wire of its main interface; its own `bandwidth` is that of a circuit. A tunnel has no wire.
    """
    if pvc is not None:
        if pvc.rate is None or pvc.rate.sustained_bps is None:
            return None
        source = f"{pvc.rate.service}, {pvc.rate.at}"
        return exact("wire_rate_bps", pvc.rate.sustained_bps, Basis.CONFIGURED, source)
    main = parent or interface
    stated = [
        ("clock rate", main.clock_rate_bps),
        ("timeslots", main.timeslots_bps),
        ("speed", main.speed_bps),
    ]
    known = [(each.value, name, each.at) for name, each in stated if each is not None]
    if known:
        value, name, at = min(known, key=lambda each: each[0])
        return exact("wire_rate_bps", value, Basis.CONFIGURED, f"{name}, {at}")
    if main.type in _PORT_RATE_BPS:
        source = f"{main.type} port"
        return exact("wire_rate_bps", _PORT_RATE_BPS[main.type], Basis.DEFAULT, source)
    label = main.bandwidth_bps or interface.bandwidth_bps
    if label is None or main.type in _WITHOUT_WIRE:
        return None
    source = f"bandwidth (a label; the clock may differ), {label.at}"
    return exact("wire_rate_bps", label.value, Basis.CONFIGURED, source)


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
