"""A class-default with neither fair queueing nor a guarantee, beside classes that have one."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import CLASS_DEFAULT, PolicyMap
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence
from advisor.outlet.outlets import policies_out

_WITH_WRED = (
    "give class-default a `bandwidth`: `fair-queue` beside `random-detect` takes its queue-limit "
    "out of force"
)


class Evidence(Struct, frozen=True):
    """The policy-map, and its classes that have a guarantee."""

    policy_map: str
    guaranteed: str  # "class VOICE", "class VOICE and 2 more"


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each policy-map that queues outbound and leaves class-default by itself."""
    del params
    policies = {outlet.queueing.name: outlet.queueing for outlet in policies_out(device)}
    for policy in policies.values():
        guaranteed = [
            policy_class.name
            for policy_class in policy.classes
            if policy_class.priority is not None or policy_class.bandwidth is not None
        ]
        if guaranteed and not _is_managed(policy):
            label = f"policy-map {policy.name} > class {CLASS_DEFAULT}"
            line = device.facts.unread_line(label, "fair-queue", "bandwidth", "service-policy")
            if line is not None:
                yield Skip(label, f"what manages it is not known: {line.at} is not understood")
            else:
                yield _hit(device, policy, guaranteed, label)


def _is_managed(policy: PolicyMap) -> bool:
    default = next((each for each in policy.classes if each.is_default), None)
    if default is None:
        return False
    fair = default.fair_queue is not None and default.fair_queue.value
    return fair or default.bandwidth is not None or default.child is not None


def _hit(device: Device, policy: PolicyMap, guaranteed: list[str], label: str) -> Hit[Evidence]:
    default = next((each for each in policy.classes if each.is_default), None)
    has_wred = default is not None and default.wred is not None
    more = f" and {len(guaranteed) - 1} more" if len(guaranteed) > 1 else ""
    return Hit(
        label,
        (default.at if default is not None else policy.at,),
        Evidence(
            policy.name,
            f"class {guaranteed[0]}{more}",
        ),
        Confidence.LIKELY if device.platform.may_be_xe else Confidence.CERTAIN,
        curable=not has_wred,
        advice=_WITH_WRED if has_wred else None,
    )


CHECK = Check(NoParams, Evidence, find)
