"""The rate that a policy reserves of its output, and the rate that IOS lets it reserve."""

from msgspec import Struct

from advisor.device.platform import Decision
from advisor.facts.policy import PolicyClass, Unit
from advisor.outlet.base_rate import at_link_rate
from advisor.outlet.class_bandwidth import guarantee_bps
from advisor.outlet.outlet import Outlet
from advisor.quantity import Unknown
from advisor.units import ratio_from_percent

_PRE_HQF_PERCENT = 75.0  # max-reserved-bandwidth by default, up to 12.4 mainline
_UBR = ("ubr", "ubr+")
_CLASS_DEFAULT_PERCENT = 1.0  # that HQF keeps for a class-default without bandwidth


class Admission(Struct, frozen=True):
    """Reserved and reservable rate of an output, in bit/s, with the base of the percentages."""

    reserved_bps: float
    reservable_bps: float
    base_bps: float
    why: str

    @property
    def is_over(self) -> bool:
        """Whether the classes ask for more than IOS admits."""
        return self.reserved_bps > self.reservable_bps


def admission_of(outlet: Outlet, platform: Decision) -> Admission | Unknown:
    """Sum of priority and bandwidth beside the rate that IOS admits; Unknown without a known base.

    Before HQF, IOS admits 75 % of the interface `bandwidth` (or `max-reserved-bandwidth`). HQF
    admits the whole rate, less 1 % for a class-default without bandwidth; IOS XE on QFP the whole
    rate. Of other families it is not known. Classes of
    `bandwidth remaining` reserve nothing. Source: Cisco's QoS command reference,
    max-reserved-bandwidth; Cisco's white paper on HQF and a test of 15.0 (99 percent); a printout
    of IOS XE with 100 percent; Cisco document 10466: no `bandwidth` and no `priority` on UBR.
    """
    base_bps = outlet.admission_bps
    if base_bps is None and reserves_nothing(outlet, platform):
        base_bps = 0.0
    if base_bps is None:
        return Unknown("the bandwidth that IOS admits against is not known")
    if not (platform.is_qfp or platform.has_classic_defaults):
        return Unknown(f"the rate that {platform.title} admits is not known")
    reserved = [
        _reserved_bps(outlet, policy_class, base_bps) for policy_class in outlet.queueing.classes
    ]
    percent, why = _reservable_percent(outlet, platform)
    if reserves_nothing(outlet, platform):
        percent, why = 0.0, "a UBR circuit has no rate to reserve of"
    known_bps = sum(rate for rate in reserved if rate is not None)
    return Admission(known_bps, base_bps * ratio_from_percent(percent), base_bps, why)


def reserves_nothing(outlet: Outlet, platform: Decision) -> bool:
    """Whether the policy is on an ATM circuit of the class UBR, that of one without a rate.

    A shaper around the policy gives it a rate; whether IOS then takes it has no source.
    """
    pvc = outlet.pvc
    if pvc is None or outlet.section[-1] != pvc.label or outlet.shaper_bps is not None:
        return False
    if outlet.is_rate_unread:
        return False
    return platform.has_classic_defaults and (pvc.rate is None or pvc.rate.service in _UBR)


def admitted_over_link(outlet: Outlet, platform: Decision) -> Admission | None:
    """Reservations that IOS admits, of a base above the link, though they exceed the link itself.

    None where they fit the link, where IOS refuses them, and where a rate is not known.
    """
    link, admission = outlet.link, admission_of(outlet, platform)
    if link is None or isinstance(admission, Unknown):
        return None
    is_admitted = admission.reserved_bps <= admission.reservable_bps
    return admission if is_admitted and admission.reserved_bps > link.value else None


def refused_sum(outlet: Outlet, platform: Decision) -> Admission | None:
    """The sum that IOS does not admit; None where it does, or would of the rate of the link.

    Where the sum fits the link, the interface `bandwidth` is wrong, and not the policy.
    """
    admission = admission_of(outlet, platform)
    if not isinstance(admission, Admission) or not admission.is_over:
        return None
    at_link = admission_of(at_link_rate(outlet), platform)
    return admission if isinstance(at_link, Admission) and at_link.is_over else None


def _reserved_bps(outlet: Outlet, policy_class: PolicyClass, base_bps: float) -> float | None:
    if policy_class.priority is not None and policy_class.priority.amount is not None:
        return outlet.priority_bps(policy_class)
    if policy_class.bandwidth is None or policy_class.bandwidth.unit not in (
        Unit.KBPS,
        Unit.PERCENT,
    ):
        return None
    return guarantee_bps(policy_class.bandwidth, (), base_bps, room_bps=0.0)


def _reservable_percent(outlet: Outlet, platform: Decision) -> tuple[float, str]:
    if platform.is_pre_hqf and outlet.shaper_bps is None:
        stated = (outlet.bundle or outlet.interface).max_reserved_percent
        if stated is not None:
            return stated.value, f"max-reserved-bandwidth {stated.value}"
        return _PRE_HQF_PERCENT, "75 % before HQF"
    default = next(
        (policy_class for policy_class in outlet.queueing.classes if policy_class.is_default), None
    )
    managed = default is not None and default.bandwidth is not None
    if managed or platform.is_pre_hqf or platform.is_qfp:
        return 100.0, "the whole rate"
    return 100.0 - _CLASS_DEFAULT_PERCENT, "99 %: 1 % stays with class-default"
