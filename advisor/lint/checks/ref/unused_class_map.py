"""A class-map that is in no policy-map and nested in no other class-map."""

from collections.abc import Iterator

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.doubts import Kind
from advisor.lint.checks.ref.shared.uses import Evidence, unused


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class-map that no line of the configuration names."""
    del params
    yield from unused(device, device.facts.class_maps, Kind.CLASS)


CHECK = Check(NoParams, Evidence, find)
