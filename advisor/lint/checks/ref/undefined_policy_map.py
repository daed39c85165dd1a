"""A `service-policy` that names no policy-map: nothing is queued, shaped or marked."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.definitions import POLICY_MAP
from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.missing import Name, missing


class Evidence(Struct, frozen=True):
    """The statement and the name that is not defined."""

    policy_map: str
    statement: str


def _references(device: Device) -> Iterator[tuple[str, Location, Evidence]]:
    for attached in attachments(device.facts):
        policy, direction = attached.attachment.policy, attached.attachment.direction
        statement = f"service-policy {direction} {policy}"
        at = attached.attachment.at
        yield attached.label, at, Evidence(policy, statement)
    for parent in device.facts.policy_maps:
        for policy_class in parent.classes:
            if policy_class.child is not None:
                label = f"policy-map {parent.name} > class {policy_class.name}"
                evidence = Evidence(
                    policy_class.child.value, f"service-policy {policy_class.child.value}"
                )
                yield label, policy_class.child.at, evidence


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each attachment, on an interface or nested, that names no policy-map."""
    del params
    defined = {policy.name for policy in device.facts.policy_maps}
    for label, at, evidence in _references(device):
        if evidence.policy_map not in defined:
            name = Name(evidence.policy_map, (POLICY_MAP,), defined, label, at)
            yield missing(device, name, evidence)


CHECK = Check(NoParams, Evidence, find)
