"""A small ring helps only where software queues before it; else it just drops earlier."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.txr.shared.place import RingPlace, ring_place
from advisor.lint.findings import Confidence
from advisor.outlet.ring_homes import ring_homes


class Params(Struct, frozen=True):
    """Largest ring that counts as small, in its own unit."""

    small_ring: int


class Evidence(Struct, frozen=True):
    """The ring and where it is set."""

    limit: int
    unit: str
    place: RingPlace


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each small ring with a plain FIFO before it."""
    for home in ring_homes(device):
        if home.queues_before or home.stated.value > params.small_ring:
            continue
        limit = home.stated.value
        place = ring_place(home.interface.name, home.pvc)
        evidence = Evidence(limit, home.ring.unit_of(limit), place)
        yield Hit(home.label, (home.stated.at,), evidence, Confidence.LIKELY)


CHECK = Check(Params, Evidence, find)
