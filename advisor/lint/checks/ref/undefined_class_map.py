"""A class of a policy-map that no class-map defines: no packet is ever in it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.missing import CLASS_MAP, Name, missing


class Evidence(Struct, frozen=True):
    """The policy-map and its class without a class-map."""

    policy_map: str
    class_name: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class of a policy-map, except class-default, without a class-map."""
    del params
    defined = {class_map.name for class_map in device.facts.class_maps}
    for policy in device.facts.policy_maps:
        for policy_class in policy.classes:
            if policy_class.is_default or policy_class.name in defined:
                continue
            label = f"policy-map {policy.name} > class {policy_class.name}"
            name = Name(policy_class.name, CLASS_MAP, defined, label, policy_class.at)
            yield missing(device, name, Evidence(policy.name, policy_class.name))


CHECK = Check(NoParams, Evidence, find)
