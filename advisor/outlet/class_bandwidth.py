"""The rate that a class reserves and can count on, and what IOS lets a policy reserve."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.platform import Decision
from advisor.facts import Stated
from advisor.facts.interface import Interface, Pvc
from advisor.facts.policy import CLASS_DEFAULT, Bandwidth, PolicyClass, Unit
from advisor.ground.quantity import Basis, Input, RateKind, Unknown, exact, plain
from advisor.ground.questions import question
from advisor.ground.units import bps_from_kbps, bytes_in_ms, ratio_from_percent
from advisor.ground.wording import rate_source
from advisor.outlet.nesting import peak_factor, shaped_bps
from advisor.outlet.outlet import Outlet, police_burst_bytes
from advisor.outlet.wires import is_of_port

# The rate that IOS takes percentages and admission of, beside the rate of the link.
#
# IOS takes both of the interface `bandwidth`, which is a label that nothing keeps equal to the
# line. Source: Cisco IOS QoS command reference, police (percent): for a physical interface "the
# total bandwidth is the bandwidth on the physical interface".

_ROUNDING_PERCENT: Final = 5.0  # 1544 kb/s of a T1 whose timeslots carry 1536; 2000 of 2048


class WrongBase(Struct, frozen=True):
    """An interface `bandwidth` that is not the rate of its link.

    `stated` is the statement, None where IOS takes its own default. `base_bps` is the rate that IOS
    takes, `link` the rate that the line has.
    """

    home: Interface
    stated: Stated[float] | None
    base_bps: float
    link: Input

    @property
    def is_above(self) -> bool:
        """Whether IOS takes more than the line has."""
        return self.base_bps > self.link.value

    @property
    def is_recalled(self) -> bool:
        """Whether no source states the default: only that of a Virtual-Template."""
        return self.stated is None and self.home.type == "Virtual-Template"


def base_interface(outlet: Outlet) -> Interface | None:
    """Interface whose `bandwidth` is the base of an output; None where the base is another rate.

    The base of a policy in a shaper is the shaper's rate, that of a PVC its rate, and that of a
    circuit its CIR. A subinterface or tunnel queues only behind a shaper. A policy on a Dialer has
    the base of the Dialer, whatever it dials.
    """
    home = outlet.session or outlet.bundle or outlet.interface
    if outlet.shaper_bps is not None or home.is_subinterface:
        return None
    is_of_circuit = outlet.pvc is not None or outlet.circuit is not None
    return None if is_of_circuit and outlet.session is None else home


def wrong_base(outlet: Outlet, off_percent: float = _ROUNDING_PERCENT) -> WrongBase | None:
    """The `bandwidth` of an output where it is off the known rate of its link by more than this.

    A `bandwidth` below the port of an Ethernet is no error of the label: it names the rate that a
    provider sells on the port.
    """
    home, link, base_bps = base_interface(outlet), outlet.link, outlet.admission_bps
    if home is None or link is None or link.is_label or base_bps is None:
        return None
    if abs(base_bps - link.value) <= link.value * ratio_from_percent(off_percent):
        return None
    if base_bps < link.value and is_of_port(link, home) and home.bandwidth_bps is not None:
        return None
    return WrongBase(home, home.bandwidth_bps, base_bps, link)


def at_link_rate(outlet: Outlet) -> Outlet:
    """The output with percentages and admission of the link, where their base contradicts it.

    A base above the link, as of a shaper above the line, promises what the link does not have.
    """
    link, base_bps = outlet.link, outlet.admission_bps
    if link is None or base_bps is None:
        return outlet
    if wrong_base(outlet) is None and base_bps <= link.value:
        return outlet
    return replace(outlet, admission_bps=link.value)


PEAK_BASE: Final = (
    "no source tells whether a percentage below `shape peak` is of its stated rate or of the rate "
    "that it sends"
)


def at_stated_rate(outlet: Outlet) -> Outlet:
    """The output with percentages of the stated rate of its `shape peak`: the least they may be."""
    shape, base_bps = outlet.shape, outlet.admission_bps
    if shape is None or base_bps is None or outlet.admits_by_min_cir:
        return outlet
    return replace(outlet, admission_bps=base_bps / peak_factor(shape))


def in_force(outlet: Outlet) -> Outlet:
    """The output with the base that the policer of a percentage has now, also of a wrong label."""
    return at_link_rate(outlet) if wrong_base(outlet) is None else outlet


# The rate that a class reserves, is policed to and can count on, in bit/s of its link.

LLQ_BURST_MS = 200.0  # of the priority rate; by arithmetic on printouts: 64 kb/s, 1600 bytes
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
    default_bytes = None if rate_bps is None else bytes_in_ms(rate_bps, LLQ_BURST_MS)
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


# The rate that a policy reserves of its output, and the rate that IOS lets it reserve.

_MOST_KEPT: Final = 1 << 13  # outputs; a hub has thousands
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


@question(_MOST_KEPT)
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
    return platform.has_classic_defaults and is_ubr(pvc)


def is_ubr(pvc: Pvc) -> bool:
    """Whether a PVC has the class UBR, that of one without a rate."""
    return pvc.rate is None or pvc.rate.service in _UBR


def admitted_over_link(outlet: Outlet, platform: Decision) -> Admission | None:
    """Reservations that IOS admits, of a base above the link, though they exceed the link itself.

    None where they fit the link, where IOS refuses them, and where a rate is not known.
    """
    link, admission = outlet.link, admission_of(outlet, platform)
    if link is None or isinstance(admission, Unknown):
        return None
    is_admitted = admission.reserved_bps <= admission.reservable_bps
    return admission if is_admitted and admission.reserved_bps > link.value else None


@question(_MOST_KEPT)
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
    default = outlet.queueing.class_by_name.get(CLASS_DEFAULT)
    managed = default is not None and default.bandwidth is not None
    if managed or platform.is_pre_hqf or platform.is_qfp:
        return 100.0, "the whole rate"
    return 100.0 - _CLASS_DEFAULT_PERCENT, "99 %: 1 % stays with class-default"
