"""A class of a policy-map, or nested in one, that no class-map defines: no packet is in it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.missing import CLASS_MAP, Name, hint, missing


class Evidence(Struct, frozen=True):
    """The policy-map or class-map that names a class without a class-map."""

    user: str
    class_name: str
    hint: str


def _references(device: Device) -> Iterator[tuple[str, str, Location]]:
    """User, name and line of each class that a policy-map or a class-map names."""
    for policy in device.facts.policy_maps:
        for policy_class in policy.classes:
            if not policy_class.is_default:
                yield f"policy-map {policy.name}", policy_class.name, policy_class.at
    for class_map in device.facts.class_maps:
        for match in class_map.matches:
            for name in match.values if match.kind == "class-map" else ():
                yield f"class-map {class_map.name}", name, match.at


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class of a policy-map or class-map that no class-map defines."""
    del params
    defined = {class_map.name for class_map in device.facts.class_maps}
    for user, class_name, at in _references(device):
        if class_name not in defined:
            name = Name(class_name, CLASS_MAP, defined, f"{user} > class {class_name}", at)
            yield missing(device, name, Evidence(user, class_name, hint(class_name, defined)))


CHECK = Check(NoParams, Evidence, find)
