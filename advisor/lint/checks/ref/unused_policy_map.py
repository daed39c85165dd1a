"""A policy-map that is attached nowhere and nested in no other."""

from collections.abc import Iterator

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.doubts import Kind
from advisor.lint.checks.ref.shared.uses import Evidence, unused


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each policy-map that no line of the configuration names."""
    del params
    yield from unused(device, device.facts.policy_maps, Kind.POLICY)


CHECK = Check(NoParams, Evidence, find)
