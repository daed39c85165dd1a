"""Frame Relay traffic shaping of the interface, and a shaper of a policy on the same circuits."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import Attached, attachments
from advisor.facts.interface import Direction, Interface
from advisor.facts.policy import PolicyMap, Shape
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence

_PRINTED: Final = ". The device printed both lines, so its IOS takes them"
_FRAGMENTS: Final = "frame-relay fragment "
_TO_PORT: Final = (
    "take `frame-relay fragment` off the interface and state it in the map-classes of the circuits "
    "that shape, at both ends, or take the shaper off the circuit"
)


class Evidence(Struct, frozen=True):
    """The policy that shapes, what IOS does not take beside it, and a reason to doubt it."""

    policy_map: str
    other: str
    doubt: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each policy with a shaper beside what shapes or cuts all circuits.

    A capture proves that IOS took both lines: there the hit is `possible`.
    """
    del params
    captured = device.facts.tree.is_capture
    for attached in attachments(device.facts):
        main = device.facts.interface(attached.interface.parent or "") or attached.interface
        is_output = attached.attachment.direction is Direction.OUTPUT
        other = _other(attached, main)
        if not is_output or other is None or _is_off(attached, main):
            continue
        policy = device.facts.policy_map(attached.attachment.policy)
        shape = _shape(device, policy) if policy is not None else None
        if policy is not None and shape is not None:
            words, at = other
            yield Hit(
                attached.label,
                (shape.at, at, attached.attachment.at),
                Evidence(policy.name, words, _PRINTED if captured else ""),
                Confidence.POSSIBLE if captured else Confidence.LIKELY,
                advice=_TO_PORT if words.startswith(_FRAGMENTS) else None,
                refused=(attached.attachment.at,),
            )


def _other(attached: Attached, main: Interface) -> tuple[str, Location] | None:
    """What beside a shaper of the policy IOS does not take, and its place."""
    shaping, fragments = main.frame_relay_traffic_shaping, main.frame_relay_fragment_bytes
    if shaping is not None and shaping.value:
        return f"frame-relay traffic-shaping of {main.name} shapes the same circuits", shaping.at
    if attached.circuit is not None and fragments is not None:
        return f"{_FRAGMENTS}of {main.name} cuts the packets of all its circuits", fragments.at
    return None


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
