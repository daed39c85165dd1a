"""`priority` without a rate and without a policer can starve every other class."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import Unit
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence


class Evidence(Struct, frozen=True):
    """The class that nothing holds back."""

    policy_map: str
    class_name: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each priority class with neither a rate nor a policer."""
    del params
    for policy in device.facts.policy_maps:
        for each in policy.classes:
            if each.priority is None or each.priority.unit is not Unit.STRICT:
                continue
            if each.police is None:
                label = f"policy-map {policy.name} > class {each.name}"
                evidence = Evidence(policy.name, each.name)
                yield Hit(label, (each.priority.at,), evidence, Confidence.CERTAIN)


CHECK = Check(NoParams, Evidence, find)
