"""An LLQ whose rate, or whose link, is below what its calls need."""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, Unit
from advisor.ground.quantity import (
    Basis,
    Figure,
    Input,
    Unknown,
    count,
    enclosing,
    exact,
    number,
    point,
    rate_text,
    span,
)
from advisor.ground.units import bits_from_bytes, kbps_from_bps, percent_from_ratio
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.llq.admitted import CallAdmission, admissions
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.model import wire_bytes
from advisor.outlet.class_bandwidth import PEAK_BASE, wrong_base
from advisor.outlet.framing import whole_calls_bps
from advisor.outlet.offer import Offer, is_for
from advisor.outlet.operations import calls_elsewhere, calls_in_progress, offers_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.rated_classes import RatedClass, rated_classes
from advisor.predict.classes.congested import congested, solved_cases
from advisor.settings import PacketShare

_CODECS: Final = ("G.729", "G.711")
_CONGESTED: Final = "while the link is congested"
_LONGER_QUEUE: Final = "give the class a longer `queue-limit`, or the shaper a smaller Bc"
_ELSE: Final = "admit fewer calls, compress their headers, or give them more"


Judged = TypeVar("Judged", bound="CallCapacity | AdmittedCalls")


class CallCapacityParams(Struct, frozen=True):
    """Budget of the loss; None where the profile does not judge it."""

    loss_percent: float | None


class CallCapacity(Struct, frozen=True):
    """The class and what it says; `rate` is the statement that its calls need."""

    class_name: str
    policy_map: str
    said: str
    rate: str  # "77", "percent 15"


class _Need(Struct, frozen=True):
    """Rate of an offer, bit/s: as IOS counts it, and the most that the wire carries.

    `least` is the same with the fewest bytes around calls, where not all of them is known, `asked`
    the rate to reserve: that of whole calls where a mean was measured.
    """

    counted_bps: float
    wire_bps: float
    least: tuple[float, float]
    basis: Basis
    source: str
    asked_bps: float


def find_llq_call_capacity(device: Device, params: CallCapacityParams) -> Found[CallCapacity]:
    """Yield a hit for each rated priority class that its calls do not fit in.

    Where no calls are stated or measured, it tells how many the class carries.
    """
    admitted = admissions(device.facts)
    unstated: dict[tuple[str, str], list[RatedClass]] = {}
    for rated in rated_classes(device):
        outlet, name = rated.outlet, rated.llq_class.name
        if isinstance(outlet.wrapping, Unknown):
            yield Skip(rated.place, outlet.wrapping.reason)
            continue
        offers = {offer.class_name: offer for offer in offers_at(device, outlet)}
        need = _need(rated, offers.get(name))
        if need is not None:
            hits = list(_judged_by_need(rated, need))
            hits = hits or list(_overflowing(device, rated, need, params.loss_percent))
            if not hits and rated.least is not None and list(_judged_by_need(rated.least, need)):
                yield Skip(rated.place, PEAK_BASE)
                continue
            yield from hits
            if not hits and any(need.source == calls.source for calls in calls_in_progress(device)):
                unstated.setdefault((outlet.queueing.name, name), []).append(rated)
        elif rated.may_be_voice and not any(item.is_over(outlet) for item in admitted):
            unstated.setdefault((outlet.queueing.name, name), []).append(rated)
    for places in unstated.values():
        yield _carried(device, places)


def _need(rated: RatedClass, offer: Offer | None) -> _Need | None:
    outlet = rated.outlet
    per_s = None if offer is None else offer.packets_per_second
    if offer is None or not per_s or not offer.sizes:
        return None
    per_s *= outlet.members  # an offer is that of one member of the bundle
    is_measured = offer.basis is Basis.MEASURED  # in bytes as they were counted
    ends = ((offer.least_sizes or offer.sizes, 0), (offer.sizes, 1))
    least, most = (_bps(outlet, sizes, per_s, None if is_measured else end) for sizes, end in ends)
    asked_bps = most[0]
    if is_measured and rated.may_be_voice:
        asked_bps = whole_calls_bps(asked_bps, offer.mean_ip_bytes + outlet.counted_bytes)
    return _Need(*most, least, offer.basis, offer.source, asked_bps)


def _bps(
    outlet: Outlet, sizes: Sequence[PacketShare], per_s: float, end: int | None
) -> tuple[float, float]:
    """Rate of packets as IOS counts them, at one end of what it may count, and on the wire."""
    counted = wire = 0.0
    framing = outlet.encapsulation
    for size in sizes:
        own, ip_bytes = size.ip_bytes + outlet.counted_bytes, ceil(size.ip_bytes)
        if framing is not None and framing.open_count is not None and end is not None:
            own = framing.counted_ends(ip_bytes)[end]
        counted += size.share * own
        on_wire = wire_bytes(ip_bytes, framing.high) if framing else size.ip_bytes
        wire += size.share * on_wire
    return bits_from_bytes(counted) * per_s, bits_from_bytes(wire) * per_s


def _judged_by_need(rated: RatedClass, need: _Need) -> Iterator[Hit[CallCapacity]]:
    """Judge the rate by what IOS counts, and the link by what the wire carries."""
    link, (counted_bps, wire_bps) = rated.outlet.link, need.least
    if need.counted_bps > rated.rate_bps:
        is_always = rated.is_policed_below(need.counted_bps)
        by = " by its `police`" if is_always else _of_link(rated)
        offered = _ends(counted_bps, need.counted_bps)
        said = (
            f"has {_kbps(rated.rate_bps)} kb/s{by} and is offered {offered} as IOS counts: the "
            f"excess is dropped {'always' if is_always else _CONGESTED}"
        )
        now = exact("priority_bps", rated.rate_bps, Basis.CONFIGURED, str(rated.at))
        excess = _excess(need, need.counted_bps, now)
        hit = _call_capacity(rated, said, excess, *_cure(rated, need))
        yield _if_sure(hit, is_sure=counted_bps > rated.rate_bps)
    elif link is not None and need.wire_bps > link.value:
        said = (
            f"is offered {_ends(wire_bps, need.wire_bps)} kb/s on the wire, with FCS and cells, "
            f"and the line has {_kbps(link.value)}"
        )
        hit = _call_capacity(rated, said, _excess(need, need.wire_bps, link), "", _ELSE)
        yield _if_sure(hit, is_sure=wire_bps > link.value)


def _if_sure(hit: Hit[Judged], *, is_sure: bool) -> Hit[Judged]:
    """The hit; information where it holds only with the most bytes that may be around calls."""
    if is_sure:
        return hit
    return replace(hit, confidence=Confidence.POSSIBLE, severity=Severity.INFO)


def _overflowing(
    device: Device, rated: RatedClass, need: _Need, budget_percent: float | None
) -> Iterator[Hit[CallCapacity]]:
    """Judge the queue behind a shaper: it holds the calls until the next interval begins."""
    outlet = rated.outlet
    if budget_percent is None or not 0 < outlet.line_bps < outlet.wire_bps:
        return
    (case,) = solved_cases((congested(device, outlet),))
    solved = None if isinstance(case, Unknown) else case.class_named(rated.llq_class.name)
    if isinstance(case, Unknown) or solved is None or solved.loss is None:
        return
    if solved.loss.value <= budget_percent:
        return
    said = (
        f"is offered {_kbps(need.counted_bps)} kb/s, within its rate, and its queue holds fewer "
        f"packets than come until the shaper sends again: about {number(solved.loss.value)} % are "
        f"dropped {_CONGESTED}"
    )
    loss = Forecast("packets lost in the queue of the LLQ", solved.loss, None, case.solved.inputs)
    is_sure = solved.loss.low > budget_percent
    yield _if_sure(_call_capacity(rated, said, loss, "", _LONGER_QUEUE), is_sure=is_sure)


def _cure(rated: RatedClass, need: _Need) -> tuple[str, str]:
    """The rate of a new `priority`, and what else to do where that alone brings nothing."""
    link, needed_bps = rated.outlet.link, need.asked_bps
    rate = _rate(rated.outlet, rated.llq_class, needed_bps)
    if link is not None and max(needed_bps, need.wire_bps) > link.value:
        return "", f"{_ELSE}: the line has {_kbps(link.value)} kb/s"
    if rated.is_policed_below(needed_bps):
        also = f"`priority {rate}` and " if rate else ""
        return "", f"{_ELSE}: {also}a `police` of {ceil(kbps_from_bps(needed_bps))} kb/s"
    return rate, _ELSE


def _of_link(rated: RatedClass) -> str:
    """The percentage that the rate is of the link: IOS may print one of another `bandwidth`."""
    priority, link = rated.llq_class.priority, rated.outlet.link
    is_percent = priority is not None and priority.unit is Unit.PERCENT
    if not is_percent or link is None:
        return ""
    return f" ({number(percent_from_ratio(rated.rate_bps / link.value))} % of the link)"


def _excess(need: _Need, needed_bps: float, limit: Input) -> Forecast:
    """The part of the packets that a rate does not carry, before; none after."""
    lost = percent_from_ratio(1 - limit.value / needed_bps)
    offered = exact("offered_bps", needed_bps, need.basis, need.source)
    return Forecast(
        "packets of the class that are too many for its rate",
        point(lost, "%"),
        Figure(0.0, 0.0, 0.0, "%"),
        (limit, offered),
    )


def _call_capacity(
    rated: RatedClass, said: str, forecast: Forecast | None, rate: str, advice: str
) -> Hit[CallCapacity]:
    outlet, name = rated.outlet, rated.llq_class.name
    inputs = () if forecast is None else forecast.inputs
    is_measured = any(an_input.basis is Basis.MEASURED for an_input in inputs)
    return Hit(
        rated.place,
        rated.places,
        CallCapacity(name, outlet.queueing.name, f"{said}{rated.around}", rate),
        Confidence.CERTAIN if is_measured else Confidence.LIKELY,
        forecast,
        curable=bool(rate),
        advice=None if rate else advice,
    )


def _rate(outlet: Outlet, llq_class: PolicyClass, needed_bps: float) -> str:
    """The rate of a new `priority` statement; empty where another statement has the rate."""
    priority, base_bps = llq_class.priority, outlet.admission_bps
    if priority is None or priority.amount is None:
        return ""
    burst = f" {priority.burst_bytes}" if priority.burst_bytes is not None else ""
    if priority.unit is not Unit.PERCENT:
        return f"{ceil(kbps_from_bps(needed_bps))}{burst}"
    return f"percent {ceil(percent_from_ratio(needed_bps / base_bps))}{burst}" if base_bps else ""


def _carried(device: Device, places: Sequence[RatedClass]) -> Hit[CallCapacity]:
    """Tell the calls of a class where it carries fewest; warn where not even the least one.

    LLQ008 warns of a percentage of a wrong `bandwidth`.
    """
    fewest = min(places, key=lambda each: tuple(map(each.calls, _CODECS)))
    least = fewest.call(_CODECS[0], compressed=True)
    is_too_small = fewest.rate_bps < least.counted_low_bps and wrong_base(fewest.outlet) is None
    in_vain_bps = fewest.reserved_in_vain_bps
    counts = " or ".join(f"{span(*fewest.calls(codec))} of {codec}" for codec in _CODECS)
    moments = [
        f"{calls.source}; "
        for calls in calls_in_progress(device)
        if calls.class_name == fewest.llq_class.name and is_for(calls, fewest.outlet)
    ]
    moments += [
        f"{count(calls, 'call')} of {codec} in progress, by which output is not known; "
        for codec, calls in calls_elsewhere(device).items()
    ]
    most = " at most" if moments else ""
    said = (
        f"carries calls of 20 ms packets: {counts}; {''.join(moments)}how many are made{most} is "
        "not stated"
    )
    advice = "state the class, its calls and their codec in a --traffic file"
    if in_vain_bps:
        said = (
            f"reserves {_kbps(fewest.rate_bps + in_vain_bps)} kb/s and drops all above "
            f"{_kbps(fewest.rate_bps)} by its `police`: it {said}"
        )
        advice = f"set `police` or `priority`, whichever is wrong; {advice}"
    if is_too_small:
        said = (
            f"has {_kbps(fewest.rate_bps)} kb/s, and one call of {_CODECS[0]} with cRTP needs "
            f"{_kbps(least.counted_low_bps)}"
        )
        whole = _kbps(fewest.call(_CODECS[0]).counted_bps)
        advice = f"raise `priority`: a call of {_CODECS[0]} without cRTP needs {whole} kb/s"
    return replace(
        _call_capacity(fewest, said, None, "", advice),
        object=fewest.outlet.queueing.path_of(fewest.llq_class.name),
        severity=None if is_too_small or in_vain_bps else Severity.INFO,
    )


def _kbps(rate_bps: float) -> str:
    return rate_text(kbps_from_bps(rate_bps))


def _ends(low_bps: float, high_bps: float) -> str:
    return "-".join(dict.fromkeys((_kbps(low_bps), _kbps(high_bps))))


# More calls admitted than the priority classes carry.


class AdmittedCalls(Struct, frozen=True):
    """Limit that admits calls, how many, the rate that they need, and the rate of the class."""

    class_name: str
    policy_map: str
    by: str
    calls: int
    needed_kbps: str
    rate_kbps: str
    carried: str  # "6", "5-6" where not all around a packet is known
    codec: str
    around: str  # "; in Tunnel0 a packet of 60 bytes has 152"


def find_llq_below_admitted_calls(device: Device) -> Found[AdmittedCalls]:
    """Yield a hit for the largest priority class where those that calls may take carry too little.

    A call of a dial-peer whose exit is not known may leave by any output: with several, their rates
    count together. Of several limits of the same calls the tightest one counts.
    """
    classes = [
        rated_queue_class
        for rated_queue_class in rated_classes(device)
        if rated_queue_class.may_be_voice
    ]
    admitted = admissions(device.facts)
    for place in dict.fromkeys(admission.interface for admission in admitted):
        here = [admission for admission in admitted if admission.interface == place]
        open_to = [queue_class for queue_class in classes if here[0].is_over(queue_class.outlet)]
        if place is None and _all_limited(open_to, admitted):
            continue
        if open_to:
            yield from _judged_calls(open_to, here)


def _all_limited(classes: Sequence[RatedClass], admitted: Sequence[CallAdmission]) -> bool:
    """Whether each of these outputs has a threshold of its own, which decides before any other."""
    own = [item for item in admitted if item.interface is not None and item.is_threshold]
    return all(any(limit.is_over(queue_class.outlet) for limit in own) for queue_class in classes)


def _judged_calls(
    classes: Sequence[RatedClass], here: Sequence[CallAdmission]
) -> Found[AdmittedCalls]:
    largest = max(classes, key=lambda each: each.rate_bps)
    label = largest.place
    if isinstance(largest.outlet.wrapping, Unknown):
        yield Skip(label, largest.outlet.wrapping.reason)
        return
    if any(limit.codec is None for admission in here for limit in admission.limits):
        yield Skip(label, "the codec of a dial-peer is not in the table of codecs")
        return
    tightest = min(here, key=lambda admission: _need_bps(largest, admission))
    rate_bps, (least_bps, most_bps) = (
        sum(member.rate_bps for member in classes),
        _need_bps(largest, tightest),
    )
    if most_bps > rate_bps:
        yield _if_sure(_admitted_calls(label, largest, tightest), is_sure=least_bps > rate_bps)


def _need_bps(rated: RatedClass, admission: CallAdmission) -> tuple[float, float]:
    """The least and the most that the calls need, as IOS counts."""
    calls = [(limit.calls, rated.call(limit.codec or "")) for limit in admission.limits]
    least = sum(number * call.counted_low_bps for number, call in calls)
    return least, sum(number * call.counted_bps for number, call in calls)


def _admitted_calls(
    label: str, largest: RatedClass, admission: CallAdmission
) -> Hit[AdmittedCalls]:
    codec = max(admission.limits, key=lambda limit: limit.calls).codec or ""
    now, least, needed = map(kbps_from_bps, (largest.rate_bps, *_need_bps(largest, admission)))
    evidence = AdmittedCalls(
        largest.llq_class.name,
        largest.outlet.queueing.name,
        admission.by,
        admission.calls,
        _ends(*_need_bps(largest, admission)),
        rate_text(now),
        span(*largest.calls(codec)),
        codec,
        largest.around,
    )
    inputs = (
        exact("priority_bps", largest.rate_bps, Basis.CONFIGURED, str(largest.at)),
        exact("admitted_calls", float(evidence.calls), Basis.CONFIGURED, str(admission.at[0])),
    )
    figure = enclosing(needed, least, needed, "kb/s")
    return Hit(
        label,
        (*largest.places, *admission.at),
        evidence,
        Confidence.LIKELY if admission.is_codec_stated else Confidence.POSSIBLE,
        Forecast("rate that the admitted calls need", figure, None, inputs),
    )
