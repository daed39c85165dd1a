"""Members of a bundle by their `bandwidth`, of which IOS makes the fragments."""

from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.interface import Interface
from advisor.outlet.carriers import members_of, wire_rate
from advisor.outlet.parts import fragment_base_bps
from advisor.quantity import Unknown
from advisor.units import kbps_from_bps

_ROUNDING: Final = 0.05  # 1544 kb/s of a T1 whose timeslots carry 1536
_SET_BANDWIDTH: Final = (
    "set `bandwidth` of each member to its rate first: without it IOS takes 1544 kb/s, and makes "
    "fragments of that"
)


class LabelledMember(Struct, frozen=True):
    """A member whose `bandwidth` is not its rate, and its rate."""

    name: str
    kbps: int


def wrong_labels(device: Device, bundle: Interface) -> tuple[LabelledMember, ...] | Unknown:
    """Members whose `bandwidth` is off their rate; Unknown where a rate is not known."""
    found = []
    for member in members_of(device.facts, bundle):
        wire = wire_rate(member, None, None)
        base_bps = fragment_base_bps(member, wire)
        if wire is None or base_bps is None:
            return Unknown(_SET_BANDWIDTH)
        if abs(base_bps - wire.value) > wire.value * _ROUNDING:
            found.append(LabelledMember(member.name, int(kbps_from_bps(wire.value))))
    return tuple(found)
