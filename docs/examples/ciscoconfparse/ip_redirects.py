"""ACM010: interfaces that send ICMP redirects, by a check for ciscoconfparse2."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.checks import (
    Check,
    Confidence,
    Device,
    Hit,
    NoParams,
    Skip,
    as_ciscoconfparse,
    location_of,
)


class Evidence(Struct, frozen=True):
    """What the message and the template may name."""

    section: str


def find(device: Device, _: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each interface with an address and without `no ip redirects`."""
    parse = as_ciscoconfparse(device)
    for interface in parse.find_parent_objects("^interface", r"^\s+ip address \d"):
        if not interface.find_child_objects(r"^\s+no ip redirects$"):
            section = interface.text
            at = (location_of(device, interface),)
            yield Hit(section, at, Evidence(section), Confidence.CERTAIN)


CHECK = Check(NoParams, Evidence, find)
