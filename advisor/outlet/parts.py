"""Rates, MTU and fragments of an output: the configured values and the defaults of IOS."""

from advisor.facts.attachments import Attached
from advisor.facts.config import Facts
from advisor.facts.interface import Interface, Multilink
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.facts.stated import Stated
from advisor.outlet.wire_rate import wire_rate
from advisor.quantity import Basis, Input, RateKind, exact
from advisor.units import bytes_in_ms, ratio_from_percent

DEFAULT_MTU_BYTES = 1500
DEFAULT_FRAGMENT_DELAY_MS = 30.0  # ppp multilink fragment delay, where interleave stands alone
DEFAULT_SERIAL_BANDWIDTH_BPS = 1_544_000.0  # printed as BW 1544 Kbit where nothing is configured


def sum_of_wires(members: list[Interface]) -> Input | None:
    """Rate of all members of a bundle together: a label if the rate of one member is a label."""
    rates = [wire_rate(member, None, None) for member in members]
    known = [rate.value for rate in rates if rate is not None]
    if len(known) != len(rates):
        return None
    source = f"{len(members)} members: {', '.join(member.name for member in members)}"
    labels = any(rate is not None and rate.is_label for rate in rates)
    kind = RateKind.BANDWIDTH_LABEL if labels else RateKind.MEMBERS
    return exact("bundle_rate_bps", sum(known), Basis.CONFIGURED, source, kind)


def shape_bps(policy_class: PolicyClass, wire: Input | None) -> float | None:
    """Rate of a class's shaper; for `shape average percent` only if the wire rate is known."""
    if policy_class.shape is None:
        return None
    if (
        policy_class.shape.rate_bps is None
        and policy_class.shape.percent is not None
        and wire is not None
    ):
        return wire.value * ratio_from_percent(policy_class.shape.percent)
    return policy_class.shape.rate_bps


def mtu_input(stated: Stated[int] | None) -> Input:
    if stated is not None:
        return exact("mtu_bytes", stated.value, Basis.CONFIGURED, f"mtu, {stated.at}")
    return exact("mtu_bytes", DEFAULT_MTU_BYTES, Basis.ASSUMED, "the largest packet of a LAN")


def traffic_shaping_bps(attached: Attached, main: Interface) -> float | None:
    """CIR of a circuit under Frame Relay traffic shaping; None without such shaping."""
    shaping, circuit = main.frame_relay_traffic_shaping, attached.circuit
    if circuit is None or circuit.cir_bps is None or shaping is None or not shaping.value:
        return None
    return circuit.cir_bps.value


def admission_base_bps(
    attached: Attached, members: list[Interface], wire: Input | None, shaper_bps: float | None
) -> float | None:
    """Base of `percent` and of admission.

    Under FRTS the mincir (half the CIR by default); the parent's shaper; the rate of a PVC; the
    interface `bandwidth` (the sum over the members of a bundle; 1544 kb/s by default on a serial
    interface); else the wire rate.
    """
    circuit, interface = attached.circuit, attached.interface
    if circuit is not None and circuit.cir_bps is not None:
        minimum = circuit.min_cir_bps
        return minimum.value if minimum is not None else circuit.cir_bps.value / 2
    if shaper_bps is not None:
        return shaper_bps
    if attached.pvc is None and interface.bandwidth_bps is not None:
        return interface.bandwidth_bps.value
    if members:
        labels = [member.bandwidth_bps for member in members]
        default_bps = DEFAULT_SERIAL_BANDWIDTH_BPS
        return sum(label.value if label is not None else default_bps for label in labels)
    if attached.pvc is None and interface.type == "Serial":
        return DEFAULT_SERIAL_BANDWIDTH_BPS
    return wire.value if wire is not None else None


def fragment_of(attached: Attached, main: Interface, wire: Input | None) -> Stated[float] | None:
    """Fragment size of LFI in bytes; None without LFI or where it does not interleave."""
    circuit = attached.circuit
    stated = circuit.fragment_bytes if circuit is not None else None
    stated = stated or attached.interface.frame_relay_fragment_bytes
    stated = stated or main.frame_relay_fragment_bytes
    if stated is not None:
        return Stated(float(stated.value), stated.at)
    multilink = attached.interface.multilink
    interleaves = multilink.interleave is not None and multilink.interleave.value
    if multilink.fragment_bytes is not None and interleaves:
        return Stated(float(multilink.fragment_bytes.value), multilink.fragment_bytes.at)
    return delay_fragment(multilink, wire)


def delay_fragment(multilink: Multilink, wire: Input | None) -> Stated[float] | None:
    """Fragment that takes `ppp multilink fragment delay`, 30 ms where interleave stands alone.

    None where nothing interleaves, the size itself is configured, or the rate is not known.
    """
    if wire is None or multilink.interleave is None or not multilink.interleave.value:
        return None
    if multilink.fragment_bytes is not None:
        return None
    delay = multilink.fragment_delay_ms or Stated(
        DEFAULT_FRAGMENT_DELAY_MS, multilink.interleave.at
    )
    return Stated(bytes_in_ms(wire.value, delay.value), delay.at)


def members_of(facts: Facts, bundle: Interface) -> list[Interface]:
    """Interfaces of a bundle that are not shut down; empty if the interface is no bundle."""
    if bundle.type != "Multilink":
        return []
    number = bundle.name.removeprefix("Multilink")
    grouped = [interface for interface in facts.interfaces if interface.multilink.group is not None]
    return [
        interface
        for interface in grouped
        if interface.type != bundle.type
        and interface.multilink.group is not None
        and str(interface.multilink.group.value) == number
        and not interface.shutdown
    ]


def circuit_number(attached: Attached) -> str | None:
    """Number of a PVC or DLCI as show outputs print it; None on an interface."""
    if attached.pvc is not None:
        return f"{attached.pvc.vpi}/{attached.pvc.vci}"
    return str(attached.circuit.dlci) if attached.circuit is not None else None


def policy_queues(facts: Facts, policy: PolicyMap) -> bool:
    """Whether a policy queues, itself or in a policy nested in one of its classes."""
    children = [
        facts.policy_map(policy_class.child.value)
        for policy_class in policy.classes
        if policy_class.child
    ]
    known = [policy, *(child for child in children if child is not None)]
    return any(policy_class.queues for member in known for policy_class in member.classes)
