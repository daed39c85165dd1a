"""Reservations that fit the rate IOS takes for them, which is more than the line has."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import Bandwidth, PolicyClass, Priority, Unit
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence
from advisor.outlet.class_bandwidth import Admission, admission_of, admitted_over_link, wrong_base
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.quantity import Input, Unknown, rate_text
from advisor.units import kbps_from_bps


class Evidence(Struct, frozen=True):
    """What the classes reserve, the rate that IOS takes for the link, and the link."""

    policy_map: str
    reserved_kbps: str
    base: str  # "`bandwidth`, 1544 kb/s by default", "the shaper, 2000 kb/s"
    link_kbps: str
    interface: str
    kbps: int


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each output whose admitted reservations are more than its link."""
    del params
    for outlet in policies_out(device):
        admission, link = admission_of(outlet, device.platform), outlet.link
        if isinstance(admission, Unknown):
            yield Skip(outlet.policy_label, admission.reason)
            continue
        if not admission.reserved_bps:
            continue
        if link is None:
            yield Skip(outlet.policy_label, outlet.why_rate_unknown)
        elif admitted_over_link(outlet, device.platform) is not None:
            yield _hit(outlet, link, admission)


def _hit(outlet: Outlet, link: Input, admission: Admission) -> Hit[Evidence]:
    wrong = wrong_base(outlet)
    base_kbps = rate_text(kbps_from_bps(admission.base_bps))
    link_kbps = kbps_from_bps(link.value)
    stated = None if wrong is None else wrong.stated
    if wrong is None:
        base = f"the {'shaper' if outlet.shape else 'circuit'}, {base_kbps} kb/s"
    elif stated is None:
        base = f"`bandwidth`, {base_kbps} kb/s by default"
    else:
        base = f"`bandwidth`, {base_kbps} kb/s"
    evidence = Evidence(
        policy_map=outlet.queueing.name,
        reserved_kbps=rate_text(kbps_from_bps(admission.reserved_bps)),
        base=base,
        link_kbps=rate_text(link_kbps),
        interface="" if wrong is None else wrong.home.name,
        kbps=int(link_kbps),
    )
    rate_at = outlet.shape.at if outlet.shape is not None else outlet.at
    return Hit(
        outlet.policy_label,
        (stated.at if stated is not None else rate_at, outlet.queueing.at),
        evidence,
        Confidence.LIKELY if link.is_label else Confidence.CERTAIN,
        curable=wrong is not None,
        advice=None if wrong is not None else _advice(outlet, link),
    )


def _advice(outlet: Outlet, link: Input) -> str:
    """What fits the classes to the line: the shaper alone where they are parts of its rate."""
    line = f"the {rate_text(kbps_from_bps(link.value))} kb/s of the line"
    stated = [each for member in outlet.queueing.classes for each in _reserved(member)]
    if outlet.shape is not None and all(each.unit is Unit.PERCENT for each in stated):
        return f"bring the shaper around the classes down to {line}: their percentages then fit it"
    return f"reduce the classes, or the rate around them, to {line}"


def _reserved(policy_class: PolicyClass) -> Iterator[Bandwidth | Priority]:
    if policy_class.bandwidth is not None:
        yield policy_class.bandwidth
    if policy_class.priority is not None and policy_class.priority.amount is not None:
        yield policy_class.priority


CHECK = Check(NoParams, Evidence, find)
