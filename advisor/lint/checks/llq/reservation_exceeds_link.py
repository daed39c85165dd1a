"""More reserved than IOS admits: the service-policy is refused, or ignored at the next boot."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence
from advisor.outlet.class_bandwidth import Admission, admission_of, refused_sum, reserves_nothing
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.quantity import Unknown, rate_text
from advisor.units import kbps_from_bps


class Evidence(Struct, frozen=True):
    """The reserved and the reservable bandwidth."""

    policy_map: str
    reserved_kbps: str
    reservable_kbps: str
    base_kbps: str
    why: str
    assumption: str


_UBR: Final = (
    "give the circuit the rate that is sold on it, `vbr-nrt PEAK SUSTAINED` in the pvc: IOS "
    "reserves of the sustained rate"
)


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each output whose classes reserve more than IOS admits.

    Where they would fit the rate of the link, the `bandwidth` is wrong, and LLQ008 says so.
    """
    del params
    for outlet in policies_out(device):
        admission = admission_of(outlet, device.platform)
        refused = refused_sum(outlet, device.platform)
        if isinstance(admission, Unknown):
            yield Skip(outlet.policy_label, admission.reason)
        elif refused is not None:
            yield _hit(device, outlet, refused)


def _hit(device: Device, outlet: Outlet, admission: Admission) -> Hit[Evidence]:
    platform, captured = device.platform, device.facts.tree.is_capture
    places = {each.policy_label: each.at for each in policies_out(device) if _is_same(each, outlet)}
    others = ", ".join(label for label in places if label != outlet.policy_label)
    generation = (
        f"{platform.generation}{', assumed' if platform.assumed else ''} ({platform.because})"
    )
    accepted = "; the device holds this line, so the generation may be wrong" if captured else ""
    removed = "" if captured or not others else f"; IOS removes it from {others} too"
    evidence = Evidence(
        policy_map=outlet.queueing.name,
        reserved_kbps=rate_text(kbps_from_bps(admission.reserved_bps)),
        reservable_kbps=rate_text(kbps_from_bps(admission.reservable_bps)),
        base_kbps=rate_text(kbps_from_bps(admission.base_bps)),
        why=admission.why,
        assumption=f"IOS generation {generation}{accepted}{removed}",
    )
    confidence = Confidence.LIKELY if platform.assumed else Confidence.CERTAIN
    return Hit(
        outlet.policy_label,
        (outlet.at, outlet.queueing.at),
        evidence,
        Confidence.POSSIBLE if captured else confidence,
        refused=tuple(places.values()),
        advice=_UBR if reserves_nothing(outlet, platform) else _advice(outlet, evidence),
    )


def _is_same(other: Outlet, outlet: Outlet) -> bool:
    """Whether an output has the policy that is refused at another one.

    IOS then takes it off every port. Source: Cisco IOS QoS command reference of 12.4T, policy-map:
    where an attachment is denied and the policy is attached to other interfaces, it is removed.
    """
    return other.policy.name == outlet.policy.name


def _advice(outlet: Outlet, evidence: Evidence) -> str | None:
    """Advice where the base is no interface `bandwidth`; None: that of the card."""
    if outlet.admits_by_min_cir and outlet.shaper_bps is not None:
        where = outlet.map_class or "of the circuit"
        return (
            f"IOS admits against the mincir, {evidence.base_kbps} kb/s (half of the CIR by "
            f"default): set `frame-relay mincir {outlet.shaper_bps:.0f}` in map-class {where} if "
            "the carrier guarantees the CIR, or reduce a class"
        )
    if outlet.shape is not None:
        return f"reduce a class, or raise the shaper around the policy, {evidence.base_kbps} kb/s"
    return None


CHECK = Check(NoParams, Evidence, find)
