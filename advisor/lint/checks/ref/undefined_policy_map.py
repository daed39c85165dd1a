"""A `service-policy` that names no policy-map: nothing is queued, shaped or marked."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import POLICY_MAP, Device
from advisor.facts.attachments import attachments
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.missing import Name, hint, missing


class Evidence(Struct, frozen=True):
    """The statement and the name that is not defined."""

    policy_map: str
    statement: str
    hint: str


def _references(device: Device) -> Iterator[tuple[str, Location, str, str]]:
    """Place, line, policy-map and statement of each attachment, on a place or nested."""
    found: set[Location] = set()
    for attached in attachments(device.facts):
        policy, direction = attached.attachment.policy, attached.attachment.direction
        statement = f"service-policy {direction} {policy}"
        at = attached.attachment.at
        found.add(at)
        yield attached.label, at, policy, statement
    for parent in device.facts.policy_maps:
        for policy_class in parent.classes:
            if policy_class.child is not None:
                label = f"policy-map {parent.name} > class {policy_class.name}"
                child = policy_class.child
                yield label, child.at, child.value, f"service-policy {child.value}"
    for other in device.facts.other_policies:
        if other.at not in found:  # of the control plane, or of a class that no circuit has
            statement = f"service-policy {other.direction} {other.policy}"
            yield _section_of(device, other.at), other.at, other.policy, statement


def _section_of(device: Device, at: Location) -> str:
    """The top-level line of the section that holds a line."""
    tops = (line for line in device.facts.tree.commands() if line.number <= at.line)
    return max(tops, key=lambda line: line.number).text


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each attachment, on an interface or nested, that names no policy-map."""
    del params
    defined = {policy.name for policy in device.facts.policy_maps}
    for label, at, policy, statement in _references(device):
        if policy not in defined:
            name = Name(policy, (POLICY_MAP,), defined, label, at)
            yield missing(device, name, Evidence(policy, statement, hint(policy, defined)))


CHECK = Check(NoParams, Evidence, find)
