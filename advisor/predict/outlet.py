"""Output points of a device: where a policy queues, with the wire, ring and framing behind it."""

from collections.abc import Iterator
from dataclasses import dataclass

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
    bundle: Interface | None = None

    @property
    def link(self) -> Input | None:
        """Link rate of the rules: the smallest of the wire and an effective shaper."""
        if self.wire is None or self.shaper_bps is None or self.shaper_bps >= self.wire.value:
            return self.wire
        return exact("link_rate_bps", self.shaper_bps, Basis.CONFIGURED, "shape in the policy")

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
        base_bps = self.percent_base_bps
        return None if base_bps is None else base_bps * ratio_from_percent(priority.amount)

    @property
    def percent_base_bps(self) -> float | None:
        """Base of `percent`: the parent's shaper, else the interface `bandwidth`, else the wire."""
        if self.shaper_bps is not None:
            return self.shaper_bps
        interface = self.bundle or self.interface
        if interface.bandwidth_bps is not None and self.pvc is None:
            return interface.bandwidth_bps.value
        return self.wire.value if self.wire is not None else None


def outlets(device: Device) -> tuple[Outlet, ...]:
    """All output points with a known policy, in document order; members of a bundle included."""
    return tuple(_outlets(device))


def _outlets(device: Device) -> Iterator[Outlet]:
    for attached in attachments(device.facts):
        if attached.attachment.direction is not Direction.OUTPUT or attached.interface.shutdown:
            continue
        policy = device.facts.policy_map(attached.attachment.policy)
        if policy is None:
            continue
        members = _members(device, attached.interface)
        if members:
            for member in members:
                yield _outlet(device, attached, policy, member)
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


def _outlet(device: Device, attached: Attached, policy: PolicyMap, wire_of: Interface) -> Outlet:
    interface, pvc = attached.interface, attached.pvc
    is_member = wire_of is not interface
    parent = device.facts.interface(wire_of.parent) if wire_of.parent else None
    main = parent or wire_of
    wire = wire_rate(wire_of, pvc, parent)
    queueing, shaper_bps = _queueing(device, policy, wire)
    queues = any(each.queues for each in queueing.classes)
    rate_bps = wire.value if wire else None
    platform = device.facts.platform.value if device.facts.platform else None
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
        fragment_bytes=_fragment(attached, wire),
        ring=ring_of(ring_home, pvc, platform, rate_bps, queueing=queues and not is_member),
        ring_section=ring_section,
        bundle=interface if is_member else None,
    )


def wire_rate(interface: Interface, pvc: Pvc | None, parent: Interface | None) -> Input | None:
    """Rate that the ring drains at: of the PVC, the clock, the timeslots or the port.

    The interface `bandwidth` only where none of these is known: it is a label.
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
    label = interface.bandwidth_bps or main.bandwidth_bps
    if label is None:
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


def _fragment(attached: Attached, wire: Input | None) -> Stated[float] | None:
    """Fragment size of LFI in bytes; None without LFI or where it does not interleave."""
    circuit = attached.circuit
    if circuit is not None and circuit.fragment_bytes is not None:
        return Stated(float(circuit.fragment_bytes.value), circuit.fragment_bytes.at)
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
