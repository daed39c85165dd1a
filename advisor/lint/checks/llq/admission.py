"""The rate that IOS admits the classes against: too small for them, or not that of the line."""

from collections.abc import Mapping
from itertools import islice
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, Unit
from advisor.ground.quantity import (
    Basis,
    Input,
    RateKind,
    Unknown,
    rate_text,
    rate_words,
)
from advisor.ground.questions import derived
from advisor.ground.units import kbps_from_bps, ratio_from_percent
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.class_bandwidth import (
    Admission,
    WrongBase,
    admission_of,
    admitted_over_link,
    base_interface,
    refused_sum,
    reserves_nothing,
    wrong_base,
)
from advisor.outlet.link_rates import unheld_rate, why_not_compared
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out

# An interface `bandwidth` that is not the rate of the line: IOS takes percentages of it.

_MOST_CLASSES_SHOWN: Final = 3
_NO_CLOCK: Final = (
    "if another device gives the clock, take the `clock rate` out; else set `bandwidth` {}"
)
_IN_A_SHAPER: Final = (
    "put the classes into a parent that shapes class-default: no packet waits here without it, and "
    "their percentages are then of its rate"
)
_CLOCK_OF_DEFAULT_BPS: Final = 2_000_000.0  # which a WIC-2T prints unasked (recalled)


class WrongBandwidth(Struct, frozen=True):
    """The rate that IOS takes, the rate of the line, and what follows for the classes."""

    base_kbps: str
    how: str  # " by default"; empty where `bandwidth` is stated
    link_kbps: str
    against: str  # ", but the line has 512 kb/s (clock rate)"; empty where no packet waits for it
    yields: str
    interface: str
    kbps: int


def find_interface_bandwidth_wrong(device: Device) -> Found[WrongBandwidth]:
    """Yield a hit for each output whose percentages or admission are of a wrong `bandwidth`.

    Where the classes thereby promise more than the line has, CBW004 says so instead.
    """
    for outlet in policies_out(device):
        if base_interface(outlet) is None or not _reserves(outlet):
            continue
        if (why_not := why_not_compared(device, outlet)) is not None:
            yield Skip(outlet.policy_label, why_not)
            continue
        wrong = wrong_base(outlet)
        if wrong is not None and admitted_over_link(outlet, device.platform) is None:
            yield _wrong_bandwidth(device, outlet, wrong)


def _reserves(outlet: Outlet) -> bool:
    """Whether a class has a percentage of the base, or a rate that is admitted against it."""
    return any(
        _percent(queue_class) is not None or _rated(queue_class)
        for queue_class in outlet.queueing.classes
    )


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


def _wrong_bandwidth(device: Device, outlet: Outlet, wrong: WrongBase) -> Hit[WrongBandwidth]:
    sold = unheld_rate(device, outlet) if outlet.is_never_full else wrong.link
    percents = _by_percent(outlet, wrong, sold)
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
        clauses.append(f"IOS admits the classes against {rate_words(base_kbps)}")
    evidence = WrongBandwidth(
        base_kbps=rate_text(base_kbps),
        how="" if wrong.stated is not None else " by default",
        link_kbps=rate_text(link_kbps),
        against=""
        if outlet.is_never_full
        else f", but the line has {rate_text(link_kbps)} kb/s ({wrong.link.kind})",
        yields="; ".join(clauses),
        interface=wrong.home.name,
        kbps=int(link_kbps),
    )
    at = wrong.stated.at if wrong.stated is not None else wrong.home.at
    is_mild = not percents and not refused
    is_open = _may_be_no_clock(wrong)
    certain = Confidence.CERTAIN if outlet.session is None else Confidence.LIKELY
    advice = None
    if is_open:
        advice = _NO_CLOCK.format(int(link_kbps))
    elif outlet.is_never_full:
        advice = _IN_A_SHAPER
    return Hit(
        outlet.policy_label,
        (at, outlet.at),
        evidence,
        Confidence.POSSIBLE if is_open or wrong.is_recalled else certain,
        severity=Severity.INFO if is_mild or is_open else None,
        curable=advice is None,
        advice=advice,
    )


def _may_be_no_clock(wrong: WrongBase) -> bool:
    """Whether the clock rate may be a default line of a port that gets its clock from the line."""
    is_default = (
        wrong.link.basis is not Basis.MEASURED
        and wrong.link.kind is RateKind.CLOCK_RATE
        and wrong.link.value == _CLOCK_OF_DEFAULT_BPS
    )
    return is_default and wrong.stated is not None and not wrong.is_above


def _by_percent(outlet: Outlet, wrong: WrongBase, line: Input | None) -> list[str]:
    """Compute the yield of the first classes' percentages, and their yield at the line's rate."""
    shown = []
    for policy_class in outlet.queueing.classes:
        percent = _percent(policy_class)
        if percent is not None:
            share = ratio_from_percent(percent)
            wanted = f" in place of {_kbps(line.value, share)}" if line is not None else ""
            shown.append(
                f"{rate_text(percent)} % of class {policy_class.name} is "
                f"{_kbps(wrong.base_bps, share)} kb/s{wanted}"
            )
    return shown[:_MOST_CLASSES_SHOWN]


def _kbps(rate_bps: float, share: float = 1.0) -> str:
    return rate_text(kbps_from_bps(rate_bps * share))


# More reserved than IOS admits: the service-policy is refused, or ignored at the next boot.


class OverAdmission(Struct, frozen=True):
    """The reserved and the reservable bandwidth."""

    policy_map: str
    reserved_kbps: str
    reservable_kbps: str
    base_kbps: str
    why: str
    assumption: str


_MOST_OTHERS: Final = 5  # places that a message names
_UBR: Final = (
    "give the circuit the rate that is sold on it, `vbr-nrt PEAK SUSTAINED` in the pvc: IOS "
    "reserves of the sustained rate"
)


def find_reservation_exceeds_link(device: Device) -> Found[OverAdmission]:
    """Yield a hit for each output whose classes reserve more than IOS admits.

    Where they would fit the rate of the link, the `bandwidth` is wrong, and LLQ008 says so.
    """
    for outlet in policies_out(device):
        admission = admission_of(outlet, device.platform)
        refused = refused_sum(outlet, device.platform)
        if isinstance(admission, Unknown):
            yield Skip(outlet.policy_label, admission.reason)
        elif refused is not None:
            yield _over_admission(device, outlet, refused)


def _over_admission(device: Device, outlet: Outlet, admission: Admission) -> Hit[OverAdmission]:
    platform, captured = device.platform, device.facts.tree.is_capture
    places = _places_by_policy(device)[outlet.policy.name]
    generation = (
        f"{platform.generation}{', assumed' if platform.assumed else ''} ({platform.because})"
    )
    accepted = "; the device holds this line, so the generation may be wrong" if captured else ""
    others = _others(places, outlet.policy_label)
    removed = "" if captured or not others else f"; IOS removes it from {others} too"
    evidence = OverAdmission(
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


@derived
def _places_by_policy(device: Device) -> Mapping[str, Mapping[str, Location]]:
    """The places of each policy: an output that is refused takes it off every port.

    Source: Cisco IOS QoS command reference of 12.4T, policy-map: where an attachment is denied and
    the policy is attached to other interfaces, it is removed.
    """
    places: dict[str, dict[str, Location]] = {}
    for outlet in policies_out(device):
        places.setdefault(outlet.policy.name, {})[outlet.policy_label] = outlet.at
    return places


def _others(places: Mapping[str, Location], own: str) -> str:
    """The first of the other places, and how many more there are."""
    first = [label for label in islice(places, _MOST_OTHERS + 1) if label != own][:_MOST_OTHERS]
    more = len(places) - 1 - len(first)
    return ", ".join(first) + (f" and {more} more" if more else "")


def _advice(outlet: Outlet, evidence: OverAdmission) -> str | None:
    """Advice where the base is no interface `bandwidth`; None: that of the card."""
    if outlet.admits_by_min_cir and outlet.shaper_bps is not None:
        where = outlet.map_class or "of the circuit"
        line = f"`frame-relay mincir {outlet.shaper_bps:.0f}` in map-class {where}"
        return (
            f"IOS admits against the mincir, {evidence.base_kbps} kb/s (half of the CIR where none "
            f"is stated): set {line} if the carrier guarantees the CIR, or reduce a class"
        )
    if outlet.shape is not None:
        return f"reduce a class, or raise the shaper around the policy, {evidence.base_kbps} kb/s"
    if outlet.pvc is not None and outlet.pvc.rate is not None and outlet.session is None:
        return (
            f"reduce a class, or correct `{outlet.pvc.rate.service}` of the circuit if that is not "
            "what is sold: the `bandwidth` of the interface is not the base"
        )
    return None
