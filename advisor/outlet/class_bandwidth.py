"""The rate that a class reserves, is policed to and can count on, in bit/s of its link."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.facts.policy import Bandwidth, PolicyClass, Unit
from advisor.outlet.base_rate import at_link_rate
from advisor.outlet.llq_rate import police_burst_bytes
from advisor.outlet.nesting import shaped_bps
from advisor.outlet.outlet import Outlet
from advisor.quantity import Basis, Input, RateKind, exact, plain
from advisor.units import bps_from_kbps, bytes_in_ms, ratio_from_percent
from advisor.wording import rate_source

_DEFAULT_BURST_MS = 200.0  # of the priority rate; by arithmetic on printouts: 64 kb/s, 1600 bytes
_RATIO_UNSTATED = 1.0  # `bandwidth remaining ratio` of a class that states none


class LlqBurst(Struct, frozen=True):
    """Burst of a priority class in bytes as IOS counts them; None where it is not known.

    `default_bytes` is what IOS takes where none is stated: 200 ms of `priority`, 250 of `police`.
    """

    stated_bytes: float | None
    default_bytes: float | None

    @property
    def size_bytes(self) -> float | None:
        return self.default_bytes if self.stated_bytes is None else self.stated_bytes


def llq_burst(outlet: Outlet, policy_class: PolicyClass) -> LlqBurst:
    """Burst of a priority class: from `priority`, else from the `police` that states its rate."""
    rate_bps = outlet.priority_bps(policy_class)
    stated = policy_class.priority.burst_bytes if policy_class.priority is not None else None
    default_bytes = None if rate_bps is None else bytes_in_ms(rate_bps, _DEFAULT_BURST_MS)
    if rate_bps is None and policy_class.police is not None:
        rate_bps = outlet.llq_rate_bps(policy_class)
        stated = stated if stated is not None else policy_class.police.burst_bytes
        default_bytes = None if rate_bps is None else police_burst_bytes(rate_bps)
    return LlqBurst(None if stated is None else float(stated), default_bytes)


def llq_bps(outlet: Outlet) -> float | None:
    """Rate that all priority classes together are held to; None if one of them has no rate."""
    rates = [outlet.llq_rate_bps(policy_class) for policy_class in outlet.llq_classes]
    known = [rate for rate in rates if rate is not None]
    return sum(known) if len(known) == len(rates) else None


def guarantee_bps(
    bandwidth: Bandwidth, classes: Sequence[PolicyClass], base_bps: float, room_bps: float
) -> float:
    """Rate that a `bandwidth` statement guarantees.

    Parameters
    ----------
    bandwidth : Bandwidth
        The statement.
    classes : sequence of PolicyClass
        All classes of its policy: their ratios share the remaining rate.
    base_bps : float
        The base of `percent`.
    room_bps : float
        The base of `remaining`: the rate that the priority classes leave of `base_bps`.
    """
    if bandwidth.unit is Unit.KBPS:
        return bps_from_kbps(bandwidth.amount)
    if bandwidth.unit is Unit.PERCENT:
        return base_bps * ratio_from_percent(bandwidth.amount)
    if bandwidth.unit is Unit.REMAINING_PERCENT:
        return room_bps * ratio_from_percent(bandwidth.amount)
    stated = [member.bandwidth for member in classes if member.bandwidth is not None]
    ratios = sum(guarantee.amount for guarantee in stated if guarantee.unit is Unit.REMAINING_RATIO)
    default = next((member for member in classes if member.is_default), None)
    if default is None or default.bandwidth is None:
        ratios += _RATIO_UNSTATED
    return room_bps * bandwidth.amount / ratios


def class_rate(outlet: Outlet, policy_class: PolicyClass) -> Input | None:
    """Rate in bit/s that a class can count on at an output; None where it is not known.

    Its guarantee, else its shaper's rate. A class-default without either gets the rate that the
    guarantees of the other classes leave of the link. Never more than the link, and a percentage is
    of the link where the interface `bandwidth` is not its rate.
    """
    outlet = at_link_rate(outlet)
    rate = _uncapped(outlet, policy_class)
    link = outlet.link
    if rate is None or link is None or rate.value <= link.value:
        return rate
    return exact("class_rate_bps", link.value, link.basis, link.source, link.kind)


def stated_rate(policy_class: PolicyClass) -> Input | None:
    """The rate that the class itself names, wherever its policy is attached."""
    bandwidth, shape = policy_class.bandwidth, policy_class.shape
    if bandwidth is not None:
        if bandwidth.unit is not Unit.KBPS:
            return None
        return _rate(bps_from_kbps(bandwidth.amount), RateKind.GUARANTEE, bandwidth.at)
    rate_bps = shaped_bps(shape, None) if shape is not None else None
    if shape is None or rate_bps is None:
        return None
    return _rate(rate_bps, RateKind.CLASS_SHAPER, shape.at)


def remainder(link: Input, others: Sequence[float]) -> Input | None:
    """Rate that reservations of other classes leave of the link; None where nothing is left."""
    left_bps = link.value - sum(others)
    if left_bps <= 0:
        return None
    source = rate_source(RateKind.REMAINDER, link.source) if others else link.source
    kind = RateKind.REMAINDER if others else link.kind
    return exact("class_rate_bps", left_bps, link.basis, source, kind)


def _uncapped(outlet: Outlet, policy_class: PolicyClass) -> Input | None:
    if policy_class.bandwidth is not None:
        return stated_rate(policy_class) or _of_base(outlet, policy_class.bandwidth)
    stated = stated_rate(policy_class) or _shaped(outlet, policy_class)
    if stated is not None or not policy_class.is_default:
        return stated
    others = [other for other in outlet.queueing.classes if other.name != policy_class.name]
    reserved = [reserved_bps(outlet, other) for other in others]
    known = [rate_bps for rate_bps in reserved if rate_bps is not None]
    if outlet.link is None or len(known) < len(reserved):
        return None
    return remainder(outlet.link, known)


def _shaped(outlet: Outlet, policy_class: PolicyClass) -> Input | None:
    """Rate of a shaper in percent: of the shaper around the policy, else of the line."""
    shape = policy_class.shape
    rate_bps = shaped_bps(shape, outlet.admission_bps) if shape is not None else None
    if shape is None or rate_bps is None:
        return None
    detail = f"shape {shape.mode} percent {shape.percent:g}, {shape.at}"
    return _rate(rate_bps, RateKind.PART_OF_BASE, detail)


def room_bps(outlet: Outlet, base_bps: float, llq_bps: float) -> float:
    """Base of `bandwidth remaining`: what priority classes and fixed guarantees leave.

    Source: a printout of HQF, where 40 % of a 288 Mb/s shaper with other reservations is of 279
    (cisco-nsp msg31917).
    """
    classes = outlet.queueing.classes
    fixed = [
        guarantee_bps(policy_class.bandwidth, (), base_bps, room_bps=0.0)
        for policy_class in classes
        if policy_class.bandwidth is not None
        and policy_class.bandwidth.unit in (Unit.KBPS, Unit.PERCENT)
    ]
    return base_bps - llq_bps - sum(fixed)


def _of_base(outlet: Outlet, bandwidth: Bandwidth) -> Input | None:
    base_bps, llq = outlet.admission_bps, llq_bps(outlet)
    is_of_room = bandwidth.unit in (Unit.REMAINING_PERCENT, Unit.REMAINING_RATIO)
    if base_bps is None or (is_of_room and llq is None):
        return None
    left_bps = room_bps(outlet, base_bps, llq or 0.0)
    rate_bps = guarantee_bps(bandwidth, outlet.queueing.classes, base_bps, left_bps)
    detail = f"bandwidth {bandwidth.unit} {plain(bandwidth.amount)}, {bandwidth.at}"
    return _rate(rate_bps, RateKind.PART_OF_BASE, detail) if rate_bps > 0 else None


def reserved_bps(outlet: Outlet, policy_class: PolicyClass) -> float | None:
    """Rate of `priority` or `bandwidth` of a class: 0 without both, None where it is not known."""
    if policy_class.priority is not None:
        return outlet.llq_rate_bps(policy_class)
    if policy_class.bandwidth is None:
        return 0.0
    rate = _uncapped(outlet, policy_class)
    return rate.value if rate is not None else None


def _rate(rate_bps: float, kind: RateKind, detail: object) -> Input:
    source = rate_source(kind, detail)
    return exact("class_rate_bps", rate_bps, Basis.CONFIGURED, source, kind)
