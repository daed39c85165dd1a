"""A ring of particles that one full-size packet overfills."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.txr.shared.place import RingPlace, ring_place
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.ring_homes import RingHome, ring_homes
from advisor.quantity import count


class Evidence(Struct, frozen=True):
    """The ring, the packet and the particles that it takes."""

    ring: str  # "1 particle", "2 particles"
    mtu_bytes: int
    particle_bytes: str
    advised: int
    place: RingPlace


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each configured ring of fewer particles than the MTU takes."""
    del params
    for home in ring_homes(device):
        counting_types = [
            ring_type for ring_type in home.ring.types if ring_type.particle_bytes is not None
        ]
        needed = [ring_type.units(home.mtu_bytes, home.framing) for ring_type in counting_types]
        if needed and home.stated.value < max(needed):
            yield _hit(home, max(needed), certain=len(counting_types) == len(home.ring.types))


def _hit(home: RingHome, advised: int, *, certain: bool) -> Hit[Evidence]:
    sizes = sorted(
        {ring_type.particle_bytes for ring_type in home.ring.types if ring_type.particle_bytes}
    )
    evidence = Evidence(
        ring=count(home.stated.value, "particle"),
        mtu_bytes=home.mtu_bytes,
        particle_bytes=" or ".join(str(size) for size in sizes),
        advised=advised,
        place=ring_place(home.interface.name, home.pvc),
    )
    return Hit(
        home.label,
        (home.stated.at,),
        evidence,
        Confidence.LIKELY if certain else Confidence.POSSIBLE,
        severity=None if certain else Severity.INFO,
    )


CHECK = Check(NoParams, Evidence, find)
