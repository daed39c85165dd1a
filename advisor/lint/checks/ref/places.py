"""Places at which IOS takes no policy that queues."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.attachments import Attached, attachments
from advisor.facts.config import Facts
from advisor.facts.interface import Side
from advisor.facts.policy import PolicyClass
from advisor.ground.quantity import Input, first_of, rate_words
from advisor.ground.units import kbps_from_bps
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.ref import if_not_in_force, printed_doubt, unless_printed
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.link_rates import sold_rate
from advisor.outlet.outlets import policies_out
from advisor.outlet.parts import behind_tunnels, on_both_levels, only_shapes, unshaped_classes
from advisor.outlet.void_places import instances_of_aggregates

# Policies that queue on a main interface and below it: IOS takes one level.

_SHAPE_ALONE = (
    "leave the port a policy of class-default with `shape` alone, attached ahead of those of the "
    "tunnel: with another one IOS refuses the policies of the spokes, or that of the port"
)
_NO_POLICY = (
    "take the policy off the port: per-tunnel QoS of 12.4T takes none there, not even `shape` alone"
)


class BothLevels(Struct, frozen=True):
    """The policy of the main interface, and the first one below it."""

    main: str
    main_policy: str
    below: str  # "interface GigabitEthernet0/1.10", "interface ATM1/0 > pvc 0/100 and 2 more"
    below_policy: str


def find_policy_on_both_pvc_and_main(device: Device) -> Found[BothLevels]:
    """Yield a hit for each main interface with a policy that queues beside one of its circuits.

    Before HQF it is not known what IOS does. IOS XE takes a main interface that only shapes.
    """
    for main, below in on_both_levels(device.facts):
        label = f"interface {main.interface.name}"
        policy = device.facts.policy_map(main.attachment.policy)
        if device.platform.may_be_xe and policy is not None and only_shapes(policy):
            if not device.platform.is_xe:
                yield Skip(
                    label,
                    "IOS XE takes a main interface that only shapes; which IOS it is is not known",
                )
            continue
        if device.platform.is_pre_hqf and not device.platform.assumed:
            yield Skip(label, "what IOS before HQF does with policies on both levels is not known")
            continue
        is_open = device.platform.is_pre_hqf
        sure = Confidence.POSSIBLE if is_open else Confidence.CERTAIN
        hit = _both_levels(device, label, (main, below), sure)
        yield replace(hit, severity=Severity.INFO if is_open else Severity.WARNING)
    # A port that queues below a tunnel whose NHRP groups have policies: no generation takes both.
    none_taken = _takes_no_port_policy(device)
    for port, groups in behind_tunnels(device.facts, of_groups=True, with_shape_alone=none_taken):
        hit = _both_levels(device, port.label, (port, groups), Confidence.LIKELY)
        yield replace(hit, advice=_NO_POLICY if none_taken else _SHAPE_ALONE)


def _takes_no_port_policy(device: Device) -> bool:
    """Whether NHRP groups allow no policy on their port: 12.4T, by Cisco, Per-Tunnel QoS for DMVPN.

    Of 15.x M and T no source tells.
    """
    return (device.platform.release_name or "").startswith("12.4")


def _both_levels(
    device: Device,
    label: str,
    levels: tuple[Attached, Sequence[Attached]],
    confidence: Confidence,
) -> Hit[BothLevels]:
    main, below = levels
    return Hit(
        label,
        (main.attachment.at, *(place.attachment.at for place in below)),
        BothLevels(
            main.interface.name,
            main.attachment.policy,
            first_of([place.label for place in below]),
            below[0].attachment.policy,
        ),
        unless_printed(device, confidence),
    )


# A policy that queues, attached inbound: IOS queues on output alone and refuses it.

_ADVICE = (
    "See with `show policy-map interface` whether the policy queues on input; if it does not, "
    "keep its marking and policing in a policy of their own and attach the queueing outbound"
)


class InputQueueing(Struct, frozen=True):
    """The attachment, the class that queues, and a reason to doubt the finding."""

    policy_map: str
    queueing: str  # "priority in policy-map EDGE > class VOICE"
    doubt: str


class _Queueing(Struct, frozen=True):
    action: str
    label: str
    at: Location


def _action(policy_class: PolicyClass) -> tuple[str, Location] | None:
    """Name and line of the first queueing action of a class."""
    actions = (
        ("priority", policy_class.priority),
        ("bandwidth", policy_class.bandwidth),
        ("shape", policy_class.shape),
        ("queue-limit", policy_class.queue_limit),
        ("random-detect", policy_class.wred),
        ("fair-queue", policy_class.fair_queue),
    )
    if not policy_class.queues:
        return None
    return next(((name, action.at) for name, action in actions if action is not None), None)


def _first_queueing(facts: Facts, name: str) -> _Queueing | None:
    """First class that queues, in the policy or, level by level, in the policies nested in it."""
    for policy in facts.nested_policies(name):
        for policy_class in policy.classes:
            action = _action(policy_class)
            if action is not None:
                return _Queueing(action[0], policy.path_of(policy_class.name), action[1])
    return None


def find_queueing_policy_on_input(device: Device) -> Found[InputQueueing]:
    """Yield a hit for each inbound attachment of a policy that queues, nested policies included.

    A capture proves that IOS took the line: there the hit is `possible`.
    """
    captured = device.facts.tree.is_capture
    queueing_by_name: dict[str, _Queueing | None] = {}
    for attached in attachments(device.facts):
        name = attached.attachment.policy
        if attached.attachment.direction is not Side.INPUT:
            continue
        if name not in queueing_by_name:
            queueing_by_name[name] = _first_queueing(device.facts, name)
        queueing = queueing_by_name[name]
        if queueing is None:
            continue
        yield Hit(
            attached.label,
            (attached.attachment.at, queueing.at),
            InputQueueing(
                policy_map=name,
                queueing=f"{queueing.action} in {queueing.label}",
                doubt=printed_doubt(device),
            ),
            Confidence.POSSIBLE if captured else Confidence.CERTAIN,
            advice=_ADVICE if captured else None,
            refused=(attached.attachment.at,),
        )


# A policy that queues on a subinterface, tunnel or VLAN: without a shaper it has no queue.


class UnshapedQueueing(Struct, frozen=True):
    """The policy, the classes that queue without a shaper, and a reason to doubt the finding."""

    policy_map: str
    classes: str  # "class VOICE", "class VOICE and 2 more"
    kind: str  # "a subinterface", "a tunnel"
    doubt: str


_IDLE: Final = (
    ", or, as the device printed this line, takes it and never queues: the port is faster than "
    "what is sold. Without effect in either case"
)


def find_queueing_without_shaper_on_subinterface(
    device: Device,
) -> Found[UnshapedQueueing]:
    """Yield a hit for each output without a rate of its own whose classes queue without a shaper.

    A capture proves that IOS took the line: there the hit is `possible`, unless the policy then
    waits for a port that never fills at the rate that is sold.
    """
    refused = tuple(instances_of_aggregates(device.facts))  # PLC001 has them
    for attached in attachments(device.facts):
        classes = unshaped_classes(device.facts, attached)
        if not classes or attached.interface.shutdown or attached in refused:
            continue
        why = _not_known(device, attached)
        if why is not None:
            yield Skip(attached.label, why)
        else:
            yield _hit(device, attached, classes)


def _not_known(device: Device, attached: Attached) -> str | None:
    if attached.is_of_instance:
        return "whether IOS takes a queue on a service instance without a shaper is not known"
    if attached.interface.is_subinterface and device.platform.is_xe:
        return "whether IOS XE takes a queue on a subinterface without a shaper is not known"
    unread = device.facts.unread_of_policy(attached.attachment.policy)
    return f"{unread.at} is not understood" if unread is not None else None


def _hit(
    device: Device, attached: Attached, classes: tuple[PolicyClass, ...]
) -> Hit[UnshapedQueueing]:
    kind = {"Tunnel": "a tunnel", "Vlan": "a VLAN interface"}.get(
        attached.interface.type, "a subinterface"
    )
    is_sub = attached.interface.is_subinterface
    sold = _sold(device, attached)
    is_idle = is_sub and sold is not None and device.facts.tree.is_capture
    confidence = Confidence.LIKELY if is_sub and device.platform.may_be_xe else Confidence.CERTAIN
    return Hit(
        attached.label,
        (attached.attachment.at, *(policy_class.at for policy_class in classes)),
        UnshapedQueueing(
            attached.attachment.policy,
            f"class {first_of([item.name for item in classes])}",
            kind,
            _IDLE if is_idle else printed_doubt(device),
        ),
        Confidence.LIKELY if is_idle else unless_printed(device, confidence),
        advice=_of_place(attached)
        or (None if sold is None else _advice(device, attached, sold, is_idle=is_idle)),
        refused=(attached.attachment.at,),
    )


def _sold(device: Device, attached: Attached) -> Input | None:
    """The rate below the port that a description or `bandwidth` names."""
    outlet = next(
        (policy for policy in policies_out(device) if policy.label == attached.label), None
    )
    return None if outlet is None else sold_rate(device, outlet)


def _of_place(attached: Attached) -> str | None:
    """Where the policy belongs instead; None where a parent that shapes gives it a queue."""
    policy, rated = attached.attachment.policy, [pvc for pvc in attached.interface.pvcs if pvc.rate]
    if attached.interface.type == "Vlan":
        return (
            "take the policy off: a VLAN interface has no queue of its own, and takes marking and "
            f"policing alone. Queue by {policy} at the port through which the packets leave"
        )
    if attached.interface.type == "ATM" and rated:
        lines = f"`no service-policy output {policy}` on {attached.interface.name}"
        places = " and in ".join(f"`{pvc.label}`" for pvc in rated)
        return f"the circuit states its rate and queues: {lines}, then the policy in {places}"
    return None


def _advice(device: Device, attached: Attached, sold: Input, *, is_idle: bool) -> str:
    """The parent by hand."""
    rate = f"{rate_words(kbps_from_bps(sold.value))} by {sold.kind}"
    shaper = (
        "put the policy into a parent policy-map that shapes class-default to the rate of the "
        f"circuit, {rate} if that is what is sold, and attach it: `policy-map PARENT`, "
        f"`class class-default`, `shape average {sold.value:.0f}`, "
        f"`service-policy {attached.attachment.policy}`"
    )
    return f"in a window {shaper}" if is_idle else f"{if_not_in_force(device)}{shaper}"
