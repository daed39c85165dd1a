"""A tx-ring-limit that the platform refuses or rounds up."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.txr.shared.place import RingPlace, ring_place
from advisor.lint.findings import Confidence
from advisor.outlet.ring_homes import ring_homes


class Params(Struct, frozen=True):
    """Smallest limit of an xDSL or ATM circuit that any platform is sure to take."""

    unknown_platform_minimum: int


class Evidence(Struct, frozen=True):
    """The ring and the smallest limit that the platform takes."""

    limit: int
    advised: int
    platform: str
    place: RingPlace


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each configured ring under the platform's minimum."""
    for home in ring_homes(device):
        is_known = home.ring.platform_known
        atm = home.pvc is not None or home.interface.type == "ATM"
        minimum = home.ring.minimum
        if not is_known and atm:
            minimum = params.unknown_platform_minimum
        if home.stated.value >= minimum:
            continue
        name = device.platform.model_name or "an unknown platform"
        if device.platform.model_name is not None and not is_known:
            name += " (not in the table of rings; xDSL takes no less)"
        place = ring_place(home.interface.name, home.pvc)
        evidence = Evidence(home.stated.value, minimum, name, place)
        is_sure = is_known and home.ring.is_minimum_sourced
        confidence = Confidence.LIKELY if is_sure else Confidence.POSSIBLE
        yield Hit(home.label, (home.stated.at,), evidence, confidence)


CHECK = Check(Params, Evidence, find)
