"""The share of a new class: what is wanted, and no more than IOS admits beside the others."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyMap, Unit
from advisor.outlet.class_bandwidth import Admission, admission_of
from advisor.outlet.outlets import policies_out
from advisor.quantity import Unknown, rate_text
from advisor.units import kbps_from_bps, percent_from_ratio, ratio_from_percent

_LEAST_KBPS: Final = 8  # of `bandwidth`; recalled
_LEAST_PERCENT: Final = 1
_ALL_PERCENT: Final = 100
_UNSTATED_RATIO: Final = 1.0  # of class-default


class NewShare(Struct, frozen=True):
    """`bandwidth` of a new class in the unit of the others; `why_less` than wanted, if it is."""

    amount: int
    unit: Unit
    why_less: str | None = None


def new_share(device: Device, policy: PolicyMap, wanted_percent: float) -> NewShare | Unknown:
    """The share of a class that is added to a policy, the same at all outputs of it.

    IOS refuses units that do not mix, and a sum over the admission of its generation: the share is
    what fits at the output with the least room, at most `wanted_percent` of its rate.
    """
    unit = _unit(policy)
    if unit is Unit.REMAINING_RATIO:
        wanted = ratio_from_percent(wanted_percent)
        others = _stated(policy, unit) + _UNSTATED_RATIO
        return NewShare(max(1, round(others * wanted / (1 - wanted))), unit)
    if unit is Unit.REMAINING_PERCENT:
        left = int(_ALL_PERCENT - _stated(policy, unit))
        return _fitting(wanted_percent, left, _LEAST_PERCENT, unit, "the classes have the rest")
    admissions = list(_admissions(device, policy))
    known = [each for each in admissions if isinstance(each, Admission)]
    if len(known) < len(admissions) or not known:
        unknown = (each.reason for each in admissions if isinstance(each, Unknown))
        return Unknown(next(unknown, "the rate that IOS admits is not known"))
    least = min(known, key=_room_bps)
    why = f"IOS admits {rate_text(kbps_from_bps(least.reservable_bps))} kb/s ({least.why})"
    if unit is Unit.PERCENT:
        left = int(percent_from_ratio(_room_bps(least) / least.base_bps))
        return _fitting(wanted_percent, left, _LEAST_PERCENT, unit, why)
    wanted_bps = min(each.base_bps for each in known) * ratio_from_percent(wanted_percent)
    left = int(kbps_from_bps(_room_bps(least)))
    return _fitting(max(_LEAST_KBPS, kbps_from_bps(wanted_bps)), left, _LEAST_KBPS, unit, why)


def _fitting(wanted: float, left: int, least: int, unit: Unit, why: str) -> NewShare | Unknown:
    words = {Unit.KBPS: "kb/s", Unit.PERCENT: "%"}.get(unit, f"% of {unit}")
    if left < least:
        return Unknown(f"{max(left, 0)} {words} are left of the sum of classes, {why}: lower one")
    amount = min(int(wanted), left)
    less = f"only {left} {words} are left of the sum of classes: {why}"
    return NewShare(amount, unit, less if amount < int(wanted) else None)


def _admissions(device: Device, policy: PolicyMap) -> Iterator[Admission | Unknown]:
    for outlet in policies_out(device):
        if outlet.queueing.name == policy.name:
            yield admission_of(outlet, device.platform)


def _room_bps(admission: Admission) -> float:
    return admission.reservable_bps - admission.reserved_bps


def _stated(policy: PolicyMap, unit: Unit) -> float:
    """Sum of the amounts in a unit."""
    stated = [each.bandwidth for each in policy.classes if each.bandwidth is not None]
    return sum(bandwidth.amount for bandwidth in stated if bandwidth.unit is unit)


def _unit(policy: PolicyMap) -> Unit:
    """Unit of the classes: of `bandwidth`, else of `priority`."""
    units = [each.bandwidth.unit for each in policy.classes if each.bandwidth is not None]
    units += [each.priority.unit for each in policy.classes if each.priority is not None]
    return next((unit for unit in units if unit is not Unit.STRICT), Unit.KBPS)
