"""The objects of a configuration that findings stand at: a rename is told by them."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.outlet.void_places import Lack, void_places


class KnownObject(Struct, frozen=True):
    """An interface, a class-map, a policy-map or a class of one, by its object path.

    `nhrp_group` is the group that a tunnel announces as a spoke.
    """

    device: str
    path: str
    is_shut: bool = False
    nhrp_group: str | None = None


def objects_of(device: Device) -> Iterator[KnownObject]:
    """The objects of a device, in its order."""
    facts = device.facts
    off = {each.home.name for each in void_places(device) if each.lack is Lack.MEMBER_UP}
    for own in facts.interfaces:
        is_shut = own.shutdown or own.name in off
        group = own.nhrp_group.value if own.nhrp_group is not None else None
        path = f"interface {own.name}"
        yield KnownObject(device.name, path, is_shut=is_shut, nhrp_group=group)
    paths = [f"class-map {own.name}" for own in facts.class_maps]
    for policy in facts.policy_maps:
        paths.append(f"policy-map {policy.name}")
        paths += [f"policy-map {policy.name} > class {own.name}" for own in policy.classes]
    yield from (KnownObject(device.name, path) for path in paths)
