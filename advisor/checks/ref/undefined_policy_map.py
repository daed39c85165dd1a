"""A `service-policy` that names no policy-map: nothing is queued, shaped or marked."""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.checks.base import Check, Hit, NoParams, Skip
from advisor.facts.attachments import attachments
from advisor.findings import Confidence
from advisor.snapshot import Device


@dataclass(frozen=True, slots=True)
class Evidence:
    """The statement, the lines that enter its mode, and the name that is not defined."""

    policy_map: str
    statement: str
    section: tuple[str, ...]


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each attachment, on an interface or nested, that names no policy-map."""
    del params
    defined = {policy.name for policy in device.facts.policy_maps}
    for attached in attachments(device.facts):
        policy, direction = attached.attachment.policy, attached.attachment.direction
        if policy not in defined:
            statement = f"service-policy {direction} {policy}"
            evidence = Evidence(policy, statement, attached.section)
            yield Hit(attached.label, (attached.attachment.at,), evidence, Confidence.CERTAIN)
    for parent in device.facts.policy_maps:
        for each in parent.classes:
            if each.child is not None and each.child.value not in defined:
                section = (f"policy-map {parent.name}", f"class {each.name}")
                evidence = Evidence(each.child.value, f"service-policy {each.child.value}", section)
                yield Hit(" > ".join(section), (each.child.at,), evidence, Confidence.CERTAIN)


CHECK = Check("undefined-policy-map", NoParams, Evidence, find)
