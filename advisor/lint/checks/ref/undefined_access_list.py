"""A `match access-group` that names no access list.

No known Cisco document says what IOS then matches, so the check claims nothing about it.
"""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.ref.shared.missing import ACCESS_LISTS, Name, hint, missing


class Evidence(Struct, frozen=True):
    """The class-map, its match line, and the access list that is not defined."""

    class_map: str
    statement: str
    access_list: str
    hint: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each `match access-group` without an IP, IPv6 or MAC access list."""
    del params
    defined = device.facts.access_list_names
    for class_map in device.facts.class_maps:
        label = f"class-map {class_map.name}"
        for match in class_map.matches:
            for name in match.values if match.kind == "access-group" else ():
                if name not in defined:
                    evidence = Evidence(class_map.name, match.text, name, hint(name, defined))
                    used = Name(name, ACCESS_LISTS, defined, label, match.at)
                    yield missing(device, used, evidence)


CHECK = Check(NoParams, Evidence, find)
