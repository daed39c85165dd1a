"""A policy that queues, attached inbound: IOS queues on output alone and refuses it."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.interface import Direction
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.printed import printed_doubt
from advisor.lint.findings import Confidence

_ADVICE = (
    "See with `show policy-map interface` whether the policy queues on input; if it does not, "
    "keep its marking and policing in a policy of their own and attach the queueing outbound"
)


class Evidence(Struct, frozen=True):
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


def _first_queueing(policies: Mapping[str, PolicyMap], name: str) -> _Queueing | None:
    """First class that queues, in the policy or, level by level, in the policies nested in it."""
    waiting, names = [name], {name}
    while waiting:
        policy = policies.get(waiting.pop(0))
        for policy_class in policy.classes if policy is not None else ():
            action = _action(policy_class)
            if policy is not None and action is not None:
                label = f"policy-map {policy.name} > class {policy_class.name}"
                return _Queueing(action[0], label, action[1])
            if policy_class.child is not None and policy_class.child.value not in names:
                names.add(policy_class.child.value)
                waiting.append(policy_class.child.value)
    return None


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each inbound attachment of a policy that queues, nested policies included.

    A capture proves that IOS took the line: there the hit is `possible`.
    """
    del params
    policies = {policy.name: policy for policy in device.facts.policy_maps}
    captured = device.facts.tree.is_capture
    queueing_by_name: dict[str, _Queueing | None] = {}
    for attached in attachments(device.facts):
        name = attached.attachment.policy
        if attached.attachment.direction is not Direction.INPUT:
            continue
        if name not in queueing_by_name:
            queueing_by_name[name] = _first_queueing(policies, name)
        queueing = queueing_by_name[name]
        if queueing is None:
            continue
        yield Hit(
            attached.label,
            (attached.attachment.at, queueing.at),
            Evidence(
                policy_map=name,
                queueing=f"{queueing.action} in {queueing.label}",
                doubt=printed_doubt(device),
            ),
            Confidence.POSSIBLE if captured else Confidence.CERTAIN,
            advice=_ADVICE if captured else None,
            refused=(attached.attachment.at,),
        )


CHECK = Check(NoParams, Evidence, find)
