"""A class of a policy-map that no class-map defines: no packet is ever in it."""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.checks.base import Check, Hit, NoParams, Skip
from advisor.checks.ref.missing import missing
from advisor.snapshot import Device


@dataclass(frozen=True, slots=True)
class Evidence:
    """The policy-map, its class without a class-map, and the lines that remove the class."""

    policy_map: str
    class_name: str
    statement: str
    section: tuple[str, ...]


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class of a policy-map, class-default apart, without class-map."""
    del params
    defined = {known.name for known in device.facts.class_maps}
    for policy in device.facts.policy_maps:
        for each in policy.classes:
            if each.is_default or each.name in defined:
                continue
            section, statement = (f"policy-map {policy.name}",), f"class {each.name}"
            evidence = Evidence(policy.name, each.name, statement, section)
            yield missing(device, f"{section[0]} > {statement}", each.at, evidence, defined)


CHECK = Check("undefined-class-map", NoParams, Evidence, find)
