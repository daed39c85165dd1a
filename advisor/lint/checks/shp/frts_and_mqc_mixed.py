"""Frame Relay traffic shaping of the interface, and a shaper of a policy on the same circuits."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import Attached, attachments
from advisor.facts.interface import Direction, Interface
from advisor.facts.policy import PolicyMap, Shape
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence

_PRINTED: Final = ". The device printed both lines, so its IOS takes them"


class Evidence(Struct, frozen=True):
    """The policy that shapes, the interface that shapes its circuits, and a reason to doubt it."""

    policy_map: str
    interface: str
    doubt: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each policy with a shaper under `frame-relay traffic-shaping`.

    A capture proves that IOS took both lines: there the hit is `possible`.
    """
    del params
    captured = device.facts.tree.is_capture
    for attached in attachments(device.facts):
        main = device.facts.interface(attached.interface.parent or "") or attached.interface
        shaping = main.frame_relay_traffic_shaping
        is_output = attached.attachment.direction is Direction.OUTPUT
        if not is_output or shaping is None or not shaping.value or _is_off(attached, main):
            continue
        policy = device.facts.policy_map(attached.attachment.policy)
        shape = _shape(device, policy) if policy is not None else None
        if policy is not None and shape is not None:
            yield Hit(
                attached.label,
                (shape.at, shaping.at, attached.attachment.at),
                Evidence(policy.name, main.name, _PRINTED if captured else ""),
                Confidence.POSSIBLE if captured else Confidence.LIKELY,
                refused=(attached.attachment.at,),
            )


def _is_off(attached: Attached, main: Interface) -> bool:
    return attached.interface.shutdown or main.shutdown


def _shape(device: Device, policy: PolicyMap) -> Shape | None:
    """The first shaper of a policy, or of a policy nested in it."""
    waiting, names = [policy], {policy.name}
    while waiting:
        for policy_class in waiting.pop(0).classes:
            if policy_class.shape is not None:
                return policy_class.shape
            child = policy_class.child.value if policy_class.child is not None else ""
            nested = device.facts.policy_map(child)
            if nested is not None and child not in names:
                names.add(child)
                waiting.append(nested)
    return None


CHECK = Check(NoParams, Evidence, find)
