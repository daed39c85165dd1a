"""An interface `bandwidth` that is not the rate of the line: IOS takes percentages of it."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, Unit
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.class_bandwidth import (
    Admission,
    WrongBase,
    admission_of,
    admitted_over_link,
    at_link_rate,
    base_interface,
    wrong_base,
)
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.quantity import RateKind, rate_text
from advisor.units import kbps_from_bps, ratio_from_percent

_MOST_CLASSES_SHOWN: Final = 3
_CLOCK_OF_DEFAULT_BPS: Final = 2_000_000.0  # which a WIC-2T prints unasked (recalled)


class Evidence(Struct, frozen=True):
    """The rate that IOS takes, the rate of the line, and what follows for the classes."""

    base_kbps: str
    how: str  # " by default"; empty where `bandwidth` is stated
    link_kbps: str
    link_source: str
    yields: str
    interface: str
    kbps: int


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each output whose percentages or admission are of a wrong `bandwidth`.

    Where the classes thereby promise more than the line has, CBW004 says so instead.
    """
    del params
    for outlet in policies_out(device):
        if base_interface(outlet) is None or not _reserves(outlet):
            continue
        if outlet.link is None:
            yield Skip(outlet.policy_label, outlet.why_rate_unknown)
            continue
        wrong = wrong_base(outlet)
        if wrong is not None and admitted_over_link(outlet, device.platform) is None:
            yield _hit(device, outlet, wrong)


def _reserves(outlet: Outlet) -> bool:
    """Whether a class has a percentage of the base, or a rate that is admitted against it."""
    return any(_percent(each) is not None or _rated(each) for each in outlet.queueing.classes)


def _rated(policy_class: PolicyClass) -> bool:
    guarantee = policy_class.bandwidth
    has_guarantee = guarantee is not None and guarantee.unit is Unit.KBPS
    priority = policy_class.priority
    return has_guarantee or (priority is not None and priority.unit is Unit.KBPS)


def _percent(policy_class: PolicyClass) -> float | None:
    """Percentage of the base that a class has, by its first statement in percent."""
    priority, guarantee = policy_class.priority, policy_class.bandwidth
    if priority is not None and priority.unit is Unit.PERCENT:
        return priority.amount
    if guarantee is not None and guarantee.unit is Unit.PERCENT:
        return guarantee.amount
    if policy_class.police is not None and policy_class.police.percent is not None:
        return policy_class.police.percent
    return policy_class.shape.percent if policy_class.shape is not None else None


def _hit(device: Device, outlet: Outlet, wrong: WrongBase) -> Hit[Evidence]:
    percents = _by_percent(outlet, wrong)
    admission = admission_of(outlet, device.platform)
    refused = isinstance(admission, Admission) and admission.reserved_bps > admission.reservable_bps
    link_kbps, base_kbps = kbps_from_bps(wrong.link.value), kbps_from_bps(wrong.base_bps)
    clauses = list(percents)
    if refused and isinstance(admission, Admission):
        clauses.append(
            f"IOS admits {_kbps(admission.reservable_bps)} kb/s and refuses the classes' "
            f"{_kbps(admission.reserved_bps)}"
        )
    elif not percents:
        clauses.append(f"IOS admits the classes against {rate_text(base_kbps)} kb/s")
    evidence = Evidence(
        base_kbps=rate_text(base_kbps),
        how="" if wrong.stated is not None else " by default",
        link_kbps=rate_text(link_kbps),
        link_source=str(wrong.link.kind),
        yields="; ".join(clauses),
        interface=wrong.home.name,
        kbps=int(link_kbps),
    )
    at = wrong.stated.at if wrong.stated is not None else wrong.home.at
    is_mild = not percents and not refused
    is_open = _may_be_no_clock(wrong)
    return Hit(
        outlet.policy_label,
        (at, outlet.at),
        evidence,
        Confidence.POSSIBLE if is_open else Confidence.CERTAIN,
        severity=Severity.INFO if is_mild or is_open else None,
        curable=not is_open,
        advice=f"if another device gives the clock, take the `clock rate` out; else set "
        f"`bandwidth {int(link_kbps)}`"
        if is_open
        else None,
    )


def _may_be_no_clock(wrong: WrongBase) -> bool:
    """Whether the clock rate may be a default line of a port that gets its clock from the line."""
    is_default = (
        wrong.link.kind is RateKind.CLOCK_RATE and wrong.link.value == _CLOCK_OF_DEFAULT_BPS
    )
    return is_default and wrong.stated is not None and not wrong.is_above


def _by_percent(outlet: Outlet, wrong: WrongBase) -> list[str]:
    """What the percentages of the first classes yield, and what they would of the line."""
    shown = []
    for policy_class in outlet.queueing.classes:
        percent = _percent(policy_class)
        if percent is not None:
            share = ratio_from_percent(percent)
            shown.append(
                f"{rate_text(percent)} % of class {policy_class.name} is "
                f"{_kbps(wrong.base_bps * share)} kb/s in place of "
                f"{_kbps(at_link_rate(outlet).admission_bps or 0.0, share)}"
            )
    return shown[:_MOST_CLASSES_SHOWN]


def _kbps(rate_bps: float, share: float = 1.0) -> str:
    return rate_text(kbps_from_bps(rate_bps * share))


CHECK = Check(NoParams, Evidence, find)
