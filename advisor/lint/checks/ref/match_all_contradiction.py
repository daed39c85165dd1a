"""A class-map whose criteria exclude each other: it never has a packet."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.matched_packets import packets_of_classes
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence


class Evidence(Struct, frozen=True):
    """The class-map and the lines that exclude each other."""

    class_map: str
    criteria: str  # "match ip dscp ef and match ip dscp cs3"


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each match-all class-map of several lines that no packet can meet."""
    del params
    packets = packets_of_classes(device.facts)
    for class_map in device.facts.class_maps:
        lines = packets.contradiction(class_map)
        if len(class_map.matches) > 1 and lines:
            yield Hit(
                f"class-map {class_map.name}",
                tuple(match.at for match in lines),
                Evidence(class_map.name, " and ".join(match.text for match in lines)),
                Confidence.CERTAIN,
            )


CHECK = Check(NoParams, Evidence, find)
