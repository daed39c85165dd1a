"""States of a configuration that IOS does not reach: what it refuses, by kind and object.

Sources are those of the QoS facts: Cisco's command references of CBWFQ, LLQ and `bandwidth
remaining ratio`, its documents 10100 and 10466, the FRF.12 guide, and printed refusals.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import Attached, attachments
from advisor.facts.interface import Interface, Side
from advisor.facts.policy import PolicyClass, PolicyMap, Unit
from advisor.ground.quantity import Unknown, rate_text
from advisor.ground.questions import derived
from advisor.ground.units import kbps_from_bps
from advisor.outlet.class_bandwidth import admission_of
from advisor.outlet.outlets import policies_out
from advisor.outlet.parts import behind_tunnels, on_both_levels, policy_queues, unshaped_classes

_RATES: Final = (Unit.KBPS, Unit.PERCENT)
_ROUNDING_BPS: Final = 1.0  # a percent of a rate is not a whole number of bit/s


class RefusalKind(StrEnum):
    """Why IOS does not take a state."""

    OVER_ADMISSION = "over admission"
    ADMISSION_UNKNOWN = "admission not known"
    MIXED_UNITS = "mixed units"
    QUEUEING_ON_INPUT = "queueing on input"
    QUEUEING_WITHOUT_SHAPER = "queueing without a shaper"
    CHILD_WITHOUT_QUEUE = "queueing child of a class that does not queue"
    MAIN_AND_SUBINTERFACE = "policies on main interface and subinterface"
    PORT_AND_GROUPS = "policies on a port and of the NHRP groups of its tunnel"
    FRAGMENTS_UNDER_FRTS = "interface fragments under frame-relay traffic-shaping"
    SHAPER_WITH_INTERFACE_FRAGMENTS = "shaper of a policy with interface fragments"
    SHAPER_UNDER_FRTS = "shaper of a policy under frame-relay traffic-shaping"


class Refused(Struct, frozen=True):
    """A state that IOS does not take. `extent` grows with what is asked: in bit/s of a sum."""

    kind: RefusalKind
    object: str
    reason: str
    extent: float = 0.0


@derived
def refused_states(device: Device) -> dict[tuple[RefusalKind, str], Refused]:
    """All states of a configuration that IOS refuses, by kind and object."""
    facts = device.facts
    states = [
        *_sums(device),
        *(state for policy in facts.policy_maps for state in _units(device, policy)),
        *(state for policy in facts.policy_maps for state in _children(device, policy)),
        *(state for attached in attachments(facts) for state in _attached(device, attached)),
        *_main_and_sub(device),
        *_port_and_groups(device),
        *(state for interface in facts.interfaces for state in _frame_relay(interface)),
    ]
    return {(state.kind, state.object): state for state in states}


def _sums(device: Device) -> Iterator[Refused]:
    for outlet in policies_out(device):
        admission = admission_of(outlet, device.platform)
        if isinstance(admission, Unknown):
            asked = sum(map(_asked, outlet.queueing.classes))
            if asked:
                kind = RefusalKind.ADMISSION_UNKNOWN
                yield Refused(kind, outlet.policy_label, admission.reason, asked)
            continue
        over_bps = admission.reserved_bps - admission.reservable_bps
        if over_bps > _ROUNDING_BPS:
            asked_kbps = rate_text(kbps_from_bps(admission.reserved_bps))
            free_kbps = rate_text(kbps_from_bps(admission.reservable_bps))
            reason = (
                f"the classes of {outlet.queueing.name} would ask for {asked_kbps} kb/s of "
                f"{free_kbps} kb/s that {outlet.policy_label} may reserve ({admission.why})"
            )
            kind = RefusalKind.OVER_ADMISSION
            yield Refused(kind, outlet.policy_label, reason, admission.reserved_bps)


def _asked(policy_class: PolicyClass) -> float:
    """Return the reservation of a class, in its own unit: only its growth counts."""
    asked = 0.0
    if policy_class.priority is not None and policy_class.priority.amount is not None:
        asked += policy_class.priority.amount
    if policy_class.bandwidth is not None and policy_class.bandwidth.unit in _RATES:
        asked += policy_class.bandwidth.amount
    return asked


def _units(device: Device, policy: PolicyMap) -> Iterator[Refused]:
    label = f"policy-map {policy.name}"
    units = {
        policy_class.bandwidth.unit: policy_class
        for policy_class in policy.classes
        if policy_class.bandwidth is not None
    }
    ratio = Unit.REMAINING_RATIO in units
    if len(units) > 1 and (ratio or device.platform.is_pre_hqf):
        names = " and ".join(sorted(units))
        reason = f"the classes of {policy.name} would have their bandwidth in {names}"
        yield Refused(RefusalKind.MIXED_UNITS, label, reason, len(units))


def _children(device: Device, policy: PolicyMap) -> Iterator[Refused]:
    for policy_class in policy.classes:
        child_name = policy_class.child.value if policy_class.child is not None else ""
        child = device.facts.policy_map(child_name)
        if child is not None and policy_queues(device.facts, child) and not policy_class.queues:
            reason = f"class {policy_class.name} has no shaper around {child.name}, which queues"
            place = policy.path_of(policy_class.name)
            yield Refused(RefusalKind.CHILD_WITHOUT_QUEUE, place, reason)


def _attached(device: Device, attached: Attached) -> Iterator[Refused]:
    policy = device.facts.policy_map(attached.attachment.policy)
    if policy is None:
        return
    if attached.attachment.direction is Side.INPUT:
        if policy_queues(device.facts, policy):
            reason = f"{policy.name} queues, and is attached on input"
            yield Refused(RefusalKind.QUEUEING_ON_INPUT, attached.label, reason)
        return
    for policy_class in unshaped_classes(device.facts, attached):
        place = f"{attached.label} > class {policy_class.name}"
        reason = (
            f"{attached.interface.name} has no rate of its own: class {policy_class.name} of "
            f"{policy.name} would queue there without a shaper"
        )
        yield Refused(RefusalKind.QUEUEING_WITHOUT_SHAPER, place, reason)
    yield from _shaped_twice(device, attached, policy)


def _shaped_twice(device: Device, attached: Attached, policy: PolicyMap) -> Iterator[Refused]:
    main = device.facts.interface(attached.interface.parent or attached.interface.name)
    shaping = main.frame_relay_traffic_shaping if main is not None else None
    shapes = any(policy_class.shape is not None for policy_class in policy.classes)
    if attached.circuit is not None and shaping is not None and shaping.value and shapes:
        reason = f"{policy.name} shapes, and frame-relay traffic-shaping shapes the circuit"
        yield Refused(RefusalKind.SHAPER_UNDER_FRTS, attached.label, reason)
    if shapes and main is not None and main.frame_relay_fragment_bytes is not None:
        reason = f"{policy.name} shapes, and interface {main.name} cuts fragments"
        kind = RefusalKind.SHAPER_WITH_INTERFACE_FRAGMENTS
        yield Refused(
            kind, f"{attached.label} {policy.name}", reason
        )  # another one is refused anew


def _main_and_sub(device: Device) -> Iterator[Refused]:
    if device.platform.is_pre_hqf and not device.platform.assumed:
        return  # the source is of HQF; an open generation may be it
    for main, below in on_both_levels(device.facts):
        name = main.interface.name
        reason = f"{name} and {below[0].label} would both have a policy that queues"
        kind = RefusalKind.MAIN_AND_SUBINTERFACE
        yield Refused(kind, f"interface {name}", reason, len(below))


def _port_and_groups(device: Device) -> Iterator[Refused]:
    for port, groups in behind_tunnels(device.facts, of_groups=True):
        name, policy = port.interface.name, port.attachment.policy
        reason = (
            f"{policy} would queue on {name}, and {groups[0].label} has a policy: below it the "
            "port may have class-default with `shape` alone"
        )
        yield Refused(RefusalKind.PORT_AND_GROUPS, f"{port.label} {policy}", reason)


def _frame_relay(interface: Interface) -> Iterator[Refused]:
    shaping = interface.frame_relay_traffic_shaping
    if shaping is None or not shaping.value or interface.frame_relay_fragment_bytes is None:
        return
    label = f"interface {interface.name}"
    reason = f"{label} has frame-relay traffic-shaping: fragments belong to the map-class"
    yield Refused(RefusalKind.FRAGMENTS_UNDER_FRTS, label, reason)
