"""Offered and measured traffic of a class, and the gaps of its prediction."""

from collections.abc import Iterator, Sequence
from statistics import mean

from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ground.quantity import Figure, Unknown, enclosing, point, rate_text
from advisor.ground.units import bps_from_bytes, kbps_from_bps, ms_from_s
from advisor.model import Poisson
from advisor.outlet.measured import FEWEST_PACKETS, classes_at
from advisor.outlet.offer import Offer, speaks_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.probe import ProbePath, probe_path
from advisor.outlet.shaper import TokenBuckets
from advisor.predict.classes import Question, filled_kbps, of_bundle
from advisor.predict.classes.corners import Corner
from advisor.shows.sla import SlaResult, Spread

# Offer of a class, in the bytes that IOS counts.


def counted_bps(question: Question, offer: Offer, packets_per_second: float | None) -> float:
    """Rate of packets as a policer counts them: without FCS, flags and cells; 0 where unknown."""
    if not packets_per_second or not offer.sizes:
        return 0.0
    frame_bytes = offer.mean_ip_bytes + question.outlet.counted_bytes
    return bps_from_bytes(frame_bytes, ms_from_s(1 / packets_per_second))


def offered(question: Question, class_name: str, corners: Sequence[Corner]) -> Figure | None:
    """Mean rate that a class is offered, in kb/s; None where it is not known.

    A class that always has packets to send is offered what its policer passes. An LLQ whose
    traffic is neither stated nor measured has what fills its priority. `corners` are those of the
    solution: lower classes of a stated load have the rates there.
    """
    is_llq = any(served.name == class_name for served in question.outlet.llq_classes)
    if question.load_percent is not None and not is_llq:
        return _of_load(question, class_name, corners)
    offers = [offer for offer in question.offers if offer.class_name == class_name]
    if not offers or any(offer.packets_per_second is None for offer in offers):
        return _of_priority(question, class_name) if is_llq else _policed(question, offers)
    return _of_offers(question, offers)


def _of_offers(question: Question, offers: Sequence[Offer]) -> Figure:
    total_bps = sum(counted_bps(question, offer, offer.packets_per_second) for offer in offers)
    kbps = kbps_from_bps(total_bps)
    return point(kbps, "kb/s")


def _policed(question: Question, offers: Sequence[Offer]) -> Figure | None:
    """Rate that comes through the `police` of a class that always has packets to send."""
    framing = question.outlet.encapsulation
    if framing is None or not any(offer.always_waits for offer in offers):
        return None
    policy_class = question.outlet.class_named(offers[0].class_name)
    policer = TokenBuckets(question.outlet, question.platform).police(policy_class, framing.high)
    if policer is None or policer.rate_bps >= question.line_bps:
        return None
    kbps = kbps_from_bps(policer.rate_bps)
    return point(kbps, "kb/s")


def _of_priority(question: Question, class_name: str) -> Figure | None:
    most_kbps = filled_kbps(question, class_name)
    return None if most_kbps is None else Figure(most_kbps, 0.0, most_kbps, "kb/s")


def of_member(question: Question, carried: Figure) -> Figure:
    """The part that one member carries of a rate of its bundle, whose members share it."""
    members = _sharing(question)
    value, low, high = (kbps / members for kbps in (carried.value, carried.low, carried.high))
    return replace(carried, value=value, low=low, high=high)


def _sharing(question: Question) -> int:
    """Members that share the rates of a solution: it covers the bundle of a member as a whole."""
    return 1 if of_bundle(question) is question else question.outlet.members


def _of_load(question: Question, class_name: str, corners: Sequence[Corner]) -> Figure | None:
    """The part of the load that falls to a class, over the unknown sizes and framing.

    A corner that does not count only widens the interval. The corners of a member cover its whole
    bundle, whose members share the rate.
    """
    of_all = [
        (sum(_rates_bps(question, class_name, corner)), corner.counts)
        for corner in corners
        if not corner.for_llq
    ]
    members = _sharing(question)
    known = [(kbps_from_bps(bps) / members, counts) for bps, counts in of_all if bps]
    if not known:
        return None
    values = [kbps for kbps, _ in known]
    value = mean([kbps for kbps, counts in known if counts] or values)
    return enclosing(value, min(values), max(values), "kb/s")


def _rates_bps(question: Question, class_name: str, corner: Corner) -> Iterator[float]:
    for traffic in corner.interface.traffic:
        if traffic.queue == class_name and isinstance(traffic.arrival, Poisson):
            frame_bytes = traffic.sizes.mean_bytes + question.outlet.counted_bytes
            yield bps_from_bytes(frame_bytes, ms_from_s(1 / traffic.arrival.packets_per_s))


# Why a class has no delay of its own: what is stated or measured of it, and what that lacks.


def unknown_delay(device: Device, question: Question, name: str, why: Unknown) -> Unknown:
    """Name what a statement or the counters of a class lack; `why` where they lack nothing."""
    if any(offer.class_name == name for offer in question.offers):
        return why
    outlet = question.outlet
    for statement in device.traffic:
        if statement.class_name == name and speaks_of(statement, outlet) and not statement.sizes:
            return Unknown(f"{statement.source} states no sizes: add packet_bytes")
    for observed in classes_at(device.seen, outlet.place, outlet.queueing.name):
        counted = observed.seen
        if observed.name != name or counted is None or counted.packets is None:
            continue
        lack = "their bytes are not those of IP packets"
        if counted.packets < FEWEST_PACKETS:
            lack = f"at least {FEWEST_PACKETS} are needed for a mean size"
        return Unknown(
            f"packets of it that are counted: {counted.packets} ({observed.at}); {lack}: "
            "state it in [[traffic]]"
        )
    return why


# Measurements of a class from show outputs, in words for the report beside its prediction.


def measured_of(device: Device, outlet: Outlet, class_name: str) -> tuple[str, ...]:
    """Counters of a class and results of the probes that it takes, each with its place."""
    return (*_counters(device, outlet, class_name), *_probes(device, outlet, class_name))


def _counters(device: Device, outlet: Outlet, class_name: str) -> Iterator[str]:
    for seen in classes_at(device.seen, outlet.place, outlet.queueing.name):
        if seen.name != class_name:
            continue
        parts = []
        if seen.offered_rate_bps is not None:
            parts.append(f"offered {rate_text(kbps_from_bps(seen.offered_rate_bps))} kb/s")
        if seen.drop_rate_bps is not None:
            parts.append(f"dropped {rate_text(kbps_from_bps(seen.drop_rate_bps))} kb/s")
        depth = seen.wred.mean_depth if seen.wred is not None else None
        if depth is not None and depth.packets is not None:
            parts.append(f"average queue {depth.packets} packets")
        if parts:
            over = "" if seen.interval_s is None else f"average of {seen.interval_s} s, "
            yield f"{', '.join(parts)} (output, {over}{seen.at})"


def _probes(device: Device, outlet: Outlet, class_name: str) -> Iterator[str]:
    for probe in device.facts.probes:
        path = probe_path(device, probe)
        if not isinstance(path, ProbePath) or path.class_name != class_name:
            continue
        if all(leaving.policy_label != outlet.policy_label for leaving in path.outlets):
            continue
        for result in device.seen.sla:
            if result.number == probe.number:
                yield _result(result)


def _result(result: SlaResult) -> str:
    parts = [f"round trip {_spread(result.rtt)}"] if result.rtt is not None else []
    if result.moment is not None:
        parts.append(f"round trip {result.moment.mean_ms:g} ms (the latest)")
    if result.jitter_to_destination is not None:
        parts.append(f"jitter to the destination {_spread(result.jitter_to_destination)}")
    is_ok = result.return_code is None or result.return_code.upper() == "OK"
    parts = parts or ["no result" if is_ok else f"no result ({result.return_code})"]
    return f"{', '.join(parts)} by probe {result.number} ({result.at})"


def _spread(spread: Spread) -> str:
    return f"{spread.minimum_ms:g}/{spread.mean_ms:g}/{spread.maximum_ms:g} ms (min/mean/max)"
