"""The objects of a configuration that findings stand at: a rename is told by them."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device


class KnownObject(Struct, frozen=True):
    """An interface, a class-map, a policy-map or a class of one, by its object path."""

    device: str
    path: str
    is_shut: bool = False


def objects_of(device: Device) -> Iterator[KnownObject]:
    """The objects of a device, in its order."""
    facts = device.facts
    yield from (
        KnownObject(device.name, f"interface {own.name}", is_shut=own.shutdown)
        for own in facts.interfaces
    )
    paths = [f"class-map {own.name}" for own in facts.class_maps]
    for policy in facts.policy_maps:
        paths.append(f"policy-map {policy.name}")
        paths += [f"policy-map {policy.name} > class {own.name}" for own in policy.classes]
    yield from (KnownObject(device.name, path) for path in paths)
