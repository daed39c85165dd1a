"""`priority` without a rate and without a policer can starve every other class."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import Unit
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence


class Evidence(Struct, frozen=True):
    """The class without a rate and without a policer."""

    policy_map: str
    class_name: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each priority class with neither a rate nor a policer."""
    del params
    for policy in device.facts.policy_maps:
        for policy_class in policy.classes:
            if policy_class.priority is None or policy_class.priority.unit is not Unit.STRICT:
                continue
            if policy_class.police is None:
                label = f"policy-map {policy.name} > class {policy_class.name}"
                evidence = Evidence(policy.name, policy_class.name)
                yield Hit(label, (policy_class.priority.at,), evidence, Confidence.CERTAIN)


CHECK = Check(NoParams, Evidence, find)
