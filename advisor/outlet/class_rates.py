"""The rate that a class as seen on the router can count on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.device.device import Device
from advisor.outlet.class_bandwidth import remainder as left_of_link
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.seen_classes import SeenClass
from advisor.quantity import Basis, Input, RateKind, exact
from advisor.units import bps_from_kbps, ratio_from_percent
from advisor.wording import rate_source

if TYPE_CHECKING:
    from advisor.shows.policy_map.records import ObservedClass


def outlet_of(device: Device, seen_class: SeenClass) -> Outlet | None:
    """The configured output whose policy the class stands in; None where the config has none."""
    return device.derived(_by_place).get(
        (seen_class.interface, seen_class.circuit, seen_class.policy)
    )


def _by_place(device: Device) -> dict[tuple[str, str | None, str], Outlet]:
    places: dict[tuple[str, str | None, str], Outlet] = {}
    for outlet in outlets(device):
        places.setdefault((outlet.attached_to, outlet.circuit, outlet.queueing.name), outlet)
    return places


def guarantee(device: Device, seen_class: SeenClass) -> Input | None:
    """Guarantee of `bandwidth` in bit/s; None without one, or where its base is not known.

    A router that prints 0 guarantees nothing: the result is None as well.
    """
    outlet = outlet_of(device, seen_class)
    rate_bps = _reserved_bps(seen_class.seen, outlet.admission_bps if outlet is not None else None)
    if not rate_bps or seen_class.seen.bandwidth is None:
        return None
    source = rate_source(RateKind.GUARANTEE, seen_class.seen.at)
    return exact("guaranteed_bps", rate_bps, Basis.CONFIGURED, source, RateKind.GUARANTEE)


def remainder(device: Device, seen_class: SeenClass) -> Input | None:
    """Rate that the guarantees of the other classes leave of the link; None if one is unknown."""
    outlet = outlet_of(device, seen_class)
    if outlet is None or outlet.link is None or not seen_class.is_whole:
        return None
    others = [
        sibling
        for sibling in seen_class.siblings
        if sibling is not seen_class.seen and sibling.name != seen_class.seen.name
    ]
    reserving = [
        member for member in others if member.priority is not None or member.bandwidth is not None
    ]
    rates = [_reserved_bps(member, outlet.admission_bps) for member in reserving]
    if None in rates:
        return None
    return left_of_link(outlet.link, [rate for rate in rates if rate is not None])


def _reserved_bps(observed: ObservedClass, base_bps: float | None) -> float | None:
    stated = observed.priority or observed.bandwidth
    if stated is None:
        return None
    if stated.rate_kbps is not None:
        return bps_from_kbps(stated.rate_kbps)
    if stated.rate_percent is None or base_bps is None:
        return None
    return base_bps * ratio_from_percent(stated.rate_percent)
