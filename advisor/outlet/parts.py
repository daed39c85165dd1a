"""Rates, MTU and fragments of an output: what of it is configured, and what IOS assumes."""

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
    """Rate of all members of a bundle together: a label as soon as that of one of them is."""
    rates = [wire_rate(member, None, None) for member in members]
    known = [rate.value for rate in rates if rate is not None]
    if len(known) != len(rates):
        return None
    source = f"{len(members)} members: {', '.join(member.name for member in members)}"
    labels = any(rate is not None and rate.is_label for rate in rates)
    kind = RateKind.BANDWIDTH_LABEL if labels else RateKind.MEMBERS
    return exact("bundle_rate_bps", sum(known), Basis.CONFIGURED, source, kind)


def shape_bps(each: PolicyClass, wire: Input | None) -> float | None:
    """Rate of a class's shaper; of `shape average percent`, where the wire is known."""
    if each.shape is None:
        return None
    if each.shape.rate_bps is None and each.shape.percent is not None and wire is not None:
        return wire.value * ratio_from_percent(each.shape.percent)
    return each.shape.rate_bps


def mtu_input(stated: Stated[int] | None) -> Input:
    if stated is not None:
        return exact("mtu_bytes", stated.value, Basis.CONFIGURED, f"mtu, {stated.at}")
    return exact("mtu_bytes", DEFAULT_MTU_BYTES, Basis.ASSUMED, "what comes from LANs")


def traffic_shaping_bps(attached: Attached, main: Interface) -> float | None:
    """CIR of a circuit that Frame Relay traffic shaping holds to it."""
    shaping, circuit = main.frame_relay_traffic_shaping, attached.circuit
    if circuit is None or circuit.cir_bps is None or shaping is None or not shaping.value:
        return None
    return circuit.cir_bps.value


def admission_base_bps(
    attached: Attached, members: list[Interface], wire: Input | None, shaper_bps: float | None
) -> float | None:
    """Base of `percent` and of admission.

    The parent's shaper; under FRTS the mincir (half the CIR by default); the rate of a PVC; the
    interface `bandwidth`, of a bundle that of its members, 1544 kb/s by default on a serial; else
    the wire.
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
        labels = [each.bandwidth_bps for each in members]
        default_bps = DEFAULT_SERIAL_BANDWIDTH_BPS
        return sum(each.value if each is not None else default_bps for each in labels)
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
    """Interfaces of a bundle that are not shut down; empty of what is no bundle."""
    if bundle.type != "Multilink":
        return []
    number = bundle.name.removeprefix("Multilink")
    grouped = [each for each in facts.interfaces if each.multilink.group is not None]
    return [
        each
        for each in grouped
        if each.type != bundle.type
        and each.multilink.group is not None
        and str(each.multilink.group.value) == number
        and not each.shutdown
    ]


def circuit_number(attached: Attached) -> str | None:
    """Number of a PVC or DLCI as show outputs print it; None on an interface."""
    if attached.pvc is not None:
        return f"{attached.pvc.vpi}/{attached.pvc.vci}"
    return str(attached.circuit.dlci) if attached.circuit is not None else None


def policy_queues(facts: Facts, policy: PolicyMap) -> bool:
    """Whether a policy queues, itself or in a policy nested in a class of it."""
    children = [facts.policy_map(each.child.value) for each in policy.classes if each.child]
    known = [policy, *(child for child in children if child is not None)]
    return any(each.queues for policy in known for each in policy.classes)
