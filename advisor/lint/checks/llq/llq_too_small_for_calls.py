"""An LLQ whose rate, or whose link, is below what its calls need."""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.matched_packets import Matched, PacketsOfClasses
from advisor.facts.policy import PolicyClass, Unit
from advisor.ios.syntax.names import dscp_code
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.base_rate import at_link_rate
from advisor.outlet.calls import CallRate, call_rate, calls_within
from advisor.outlet.framing import Layer2
from advisor.outlet.offer import Offer, offers_of
from advisor.outlet.operations import stated_traffic
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.quantity import Basis, Figure, Input, exact, rate_text
from advisor.settings.codecs import load_codecs
from advisor.theory.wire import wire_bytes
from advisor.units import bits_from_bytes, kbps_from_bps, percent_from_ratio

_CODECS: Final = ("G.729", "G.711")
_VOICE: Final = frozenset({dscp_code("ef"), dscp_code("cs5")})


class Evidence(Struct, frozen=True):
    """The class and what it says; `rate` is the statement that its calls need."""

    class_name: str
    policy_map: str
    said: str
    rate: str  # "77", "percent 15"


class _Rated(Struct, frozen=True):
    """A class with a rate at one output."""

    outlet: Outlet
    llq_class: PolicyClass
    rate_bps: float

    def calls(self, codec: str) -> int:
        """Calls of 20 ms packets that the policer lets pass and the line carries."""
        call, link = self.call(codec), self.outlet.link
        by_rate = calls_within(self.rate_bps, call.counted_bps)
        if link is None:
            return by_rate
        return min(by_rate, calls_within(link.value, call.wire_high_bps))

    def call(self, codec: str, *, compressed: bool = False) -> CallRate:
        encapsulation = self.outlet.encapsulation
        is_frf12 = (
            encapsulation is not None
            and encapsulation.kind is Layer2.FRAME_RELAY
            and self.outlet.fragment_bytes is not None
        )
        _, packet = load_codecs().packet(codec)
        return call_rate(packet, encapsulation, compressed=compressed, frf12=is_frf12)


class _Need(Struct, frozen=True):
    """Rate of an offer, bit/s: as IOS counts it, and the most that the wire carries."""

    counted_bps: float
    wire_bps: float
    basis: Basis
    source: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each rated priority class that its calls do not fit in.

    Where no calls are stated or measured, it tells how many the class carries.
    """
    del params
    packets = PacketsOfClasses(device.facts)
    unstated: dict[tuple[str, str], list[_Rated]] = {}
    for outlet in map(at_link_rate, policies_out(device)):
        offers = {each.class_name: each for each in offers_of(outlet, stated_traffic(device))}
        for llq_class in outlet.llq_classes:
            rate_bps = outlet.llq_rate_bps(llq_class)
            if rate_bps is None:
                continue
            need = _need(outlet, offers.get(llq_class.name))
            if need is not None:
                yield from _judged(outlet, llq_class, rate_bps, need)
            elif _may_be_voice(packets.of(llq_class.name)):
                place = (outlet.queueing.name, llq_class.name)
                unstated.setdefault(place, []).append(_Rated(outlet, llq_class, rate_bps))
    yield from map(_carried, unstated.values())


def _may_be_voice(matched: Matched) -> bool:
    if matched.most is None:
        return True
    return any(box.dscps & _VOICE and box.protocol in (None, "udp") for box in matched.most)


def _need(outlet: Outlet, offer: Offer | None) -> _Need | None:
    per_s = offer.packets_per_second if offer is not None else None
    if offer is None or not per_s or not offer.sizes:
        return None
    per_s *= outlet.members  # an offer is that of one member of the bundle
    counted = wire = 0.0
    for size in offer.sizes:
        counted += size.share * (size.ip_bytes + outlet.counted_bytes)
        framing = outlet.encapsulation.high if outlet.encapsulation is not None else None
        on_wire = wire_bytes(ceil(size.ip_bytes), framing) if framing else size.ip_bytes
        wire += size.share * on_wire
    counted_bps, wire_bps = (bits_from_bytes(each) * per_s for each in (counted, wire))
    return _Need(counted_bps, wire_bps, offer.basis, offer.source)


def _judged(
    outlet: Outlet, llq_class: PolicyClass, rate_bps: float, need: _Need
) -> Iterator[Hit[Evidence]]:
    """Judge the rate by what IOS counts, and the link by what the wire carries."""
    link = outlet.link
    if need.counted_bps > rate_bps:
        said = (
            f"has {_kbps(rate_bps)} kb/s and is offered {_kbps(need.counted_bps)} as IOS counts: "
            "the excess is dropped while the link is congested"
        )
        now = exact("priority_bps", rate_bps, Basis.CONFIGURED, str(_at(llq_class, outlet)))
        rate = _rate(outlet, llq_class, need.counted_bps)
        yield _hit(outlet, llq_class, said, rate, _excess(need, need.counted_bps, now))
    elif link is not None and need.wire_bps > link.value:
        said = (
            f"is offered {_kbps(need.wire_bps)} kb/s on the wire, with FCS and cells, and the line "
            f"has {_kbps(link.value)}"
        )
        yield _hit(outlet, llq_class, said, "", _excess(need, need.wire_bps, link))


def _excess(need: _Need, needed_bps: float, limit: Input) -> Forecast:
    """The part of the packets that a rate does not carry, before; none after."""
    lost = percent_from_ratio(1 - limit.value / needed_bps)
    offered = exact("offered_bps", needed_bps, need.basis, need.source)
    return Forecast(
        "packets of the LLQ over its rate",
        Figure(lost, lost, lost, "%"),
        Figure(0.0, 0.0, 0.0, "%"),
        (limit, offered),
    )


def _hit(
    outlet: Outlet, llq_class: PolicyClass, said: str, rate: str, forecast: Forecast
) -> Hit[Evidence]:
    is_measured = any(each.basis is Basis.MEASURED for each in forecast.inputs)
    return Hit(
        f"{outlet.policy_label} > class {llq_class.name}",
        (_at(llq_class, outlet),),
        Evidence(llq_class.name, outlet.queueing.name, said, rate),
        Confidence.CERTAIN if is_measured else Confidence.LIKELY,
        forecast,
        curable=bool(rate),
        advice=None if rate else "admit fewer calls, compress their headers, or give them more",
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


def _carried(places: Sequence[_Rated]) -> Hit[Evidence]:
    """Tell the calls of a class where it carries fewest; warn where not even the least one."""
    fewest = min(places, key=lambda each: tuple(map(each.calls, _CODECS)))
    outlet, llq_class = fewest.outlet, fewest.llq_class
    least = fewest.call(_CODECS[0], compressed=True)
    is_too_small = fewest.rate_bps < least.counted_bps
    counts = " or ".join(f"{fewest.calls(codec)} of {codec}" for codec in _CODECS)
    said = f"carries calls of 20 ms packets: {counts}; how many are made is not stated"
    if is_too_small:
        said = (
            f"has {_kbps(fewest.rate_bps)} kb/s, and one call of {_CODECS[0]} with cRTP needs "
            f"{_kbps(least.counted_bps)}"
        )
    return Hit(
        f"policy-map {outlet.queueing.name} > class {llq_class.name}",
        (_at(llq_class, outlet),),
        Evidence(llq_class.name, outlet.queueing.name, said, ""),
        Confidence.LIKELY,
        severity=None if is_too_small else Severity.INFO,
        curable=False,
        advice="state the calls: `[[traffic]]` with class, calls and codec",
    )


def _at(llq_class: PolicyClass, outlet: Outlet) -> Location:
    priority, police = llq_class.priority, llq_class.police
    if priority is not None and priority.amount is not None:
        return priority.at
    return police.at if police is not None else outlet.at


def _kbps(rate_bps: float) -> str:
    return rate_text(kbps_from_bps(rate_bps))


CHECK = Check(NoParams, Evidence, find)
