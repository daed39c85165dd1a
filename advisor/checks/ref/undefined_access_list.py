"""A `match access-group` that names no access list.

What IOS matches then is not in any Cisco document that we know, so nothing is claimed about it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.checks.base import Check, Hit, NoParams, Skip
from advisor.checks.ref.missing import why_not_known
from advisor.facts.access_list_names import access_list_names
from advisor.findings import Confidence
from advisor.snapshot import Device


@dataclass(frozen=True, slots=True)
class Evidence:
    """The class-map, its match line, and the access list that is not defined."""

    class_map: str
    statement: str
    access_list: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each `match access-group` without an IP, IPv6 or MAC access list."""
    del params
    defined = access_list_names(device.facts)
    unknown = why_not_known(device)
    for class_map in device.facts.class_maps:
        label = f"class-map {class_map.name}"
        for match in class_map.matches:
            if match.kind != "access-group":
                continue
            for name in match.values:
                if name in defined:
                    continue
                if unknown is not None:
                    yield Skip(label, unknown)
                else:
                    evidence = Evidence(class_map.name, match.text, name)
                    yield Hit(label, (match.at,), evidence, Confidence.CERTAIN)


CHECK = Check("undefined-access-list", NoParams, Evidence, find)
