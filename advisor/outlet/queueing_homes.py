"""Where a policy that queues may stand: not on a virtual interface by itself, not at two levels.

Sources: printed refusals `CBWFQ : Not supported on subinterfaces`, `CBWFQ : Hierarchy supported
only if shaping is configured in this class`, and `Class Based Weighted Fair Queueing not supported
on this interface` on a tunnel; Cisco 10000 QoS guide for policies on both levels.
"""

from collections.abc import Iterator
from typing import Final

from advisor.facts.attachments import Attached, attachments
from advisor.facts.config import Facts
from advisor.facts.interface import Direction, Interface
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.outlet.parts import policy_queues

_VIRTUAL: Final = ("Tunnel", "Vlan")


def unshaped_classes(facts: Facts, attached: Attached) -> tuple[PolicyClass, ...]:
    """Classes that queue, themselves or in a child, on an output without a rate of its own.

    Such an output is a subinterface, a tunnel or a VLAN interface: it is never full by itself, so
    a queue needs a shaper around it. A PVC and a circuit have a rate.
    """
    interface, policy = attached.interface, facts.policy_map(attached.attachment.policy)
    has_rate = attached.pvc is not None or attached.circuit is not None
    is_output = attached.attachment.direction is Direction.OUTPUT
    if policy is None or not is_output or has_rate or not is_virtual(interface):
        return ()
    return tuple(
        policy_class
        for policy_class in policy.classes
        if policy_class.shape is None and _queues(facts, policy_class)
    )


def is_virtual(interface: Interface) -> bool:
    """Whether an interface has no rate of its own."""
    return interface.is_subinterface or interface.type in _VIRTUAL


def _queues(facts: Facts, policy_class: PolicyClass) -> bool:
    child = facts.policy_map(policy_class.child.value) if policy_class.child is not None else None
    return policy_class.queues or (child is not None and policy_queues(facts, child))


def on_both_levels(facts: Facts) -> Iterator[tuple[Attached, tuple[Attached, ...]]]:
    """Each policy that queues on a main interface, with those on its PVCs and subinterfaces.

    A main interface that only shapes all of its packets takes part: see `only_shapes`.
    """
    queueing: dict[str, list[Attached]] = {}
    for attached in attachments(facts):
        policy = facts.policy_map(attached.attachment.policy)
        is_output = attached.attachment.direction is Direction.OUTPUT
        is_own = attached.group is None and not attached.interface.shutdown
        if is_own and is_output and policy is not None and policy_queues(facts, policy):
            main = attached.interface.parent or attached.interface.name
            queueing.setdefault(main, []).append(attached)
    for places in queueing.values():
        mains = [place for place in places if not _is_below(place)]
        below = tuple(place for place in places if _is_below(place))
        if mains and below:
            yield mains[0], below


def _is_below(attached: Attached) -> bool:
    circuit = attached.pvc is not None or attached.circuit is not None
    return circuit or attached.interface.is_subinterface


def only_shapes(policy: PolicyMap) -> bool:
    """Whether a policy does nothing but shape all packets: it has one class and no queues in it."""
    only = policy.classes[0] if len(policy.classes) == 1 else None
    return only is not None and only.is_default and only.shape is not None and only.child is None
