"""What a class is offered, in the bytes that IOS counts."""

from collections.abc import Iterator, Sequence
from statistics import mean

from advisor.outlet.offer import Offer
from advisor.outlet.token_buckets import TokenBuckets
from advisor.predict.classes.corners import Corner
from advisor.predict.classes.demand import Question, filled_kbps, of_bundle
from advisor.quantity import Figure, enclosing
from advisor.theory.interface import Poisson
from advisor.units import bps_from_bytes, kbps_from_bps, ms_from_s


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
    is_llq = any(each.name == class_name for each in question.outlet.llq_classes)
    if question.load_percent is not None and not is_llq:
        return _of_load(question, class_name, corners)
    offers = [offer for offer in question.offers if offer.class_name == class_name]
    if not offers or any(offer.packets_per_second is None for offer in offers):
        return _of_priority(question, class_name) if is_llq else _policed(question, offers)
    return _of_offers(question, offers)


def _of_offers(question: Question, offers: Sequence[Offer]) -> Figure:
    total_bps = sum(counted_bps(question, offer, offer.packets_per_second) for offer in offers)
    kbps = kbps_from_bps(total_bps)
    return Figure(kbps, kbps, kbps, "kb/s")


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
    return Figure(kbps, kbps, kbps, "kb/s")


def _of_priority(question: Question, class_name: str) -> Figure | None:
    most_kbps = filled_kbps(question, class_name)
    return None if most_kbps is None else Figure(most_kbps, 0.0, most_kbps, "kb/s")


def _of_load(question: Question, class_name: str, corners: Sequence[Corner]) -> Figure | None:
    """The part of the load that falls to a class, over the unknown sizes and framing."""
    of_all = [
        (sum(_rates_bps(question, class_name, corner)), corner.counts)
        for corner in corners
        if not corner.for_llq
    ]
    members = 1 if of_bundle(question) is question else question.outlet.members
    known = [(kbps_from_bps(bps) / members, counts) for bps, counts in of_all if bps]
    if not known:
        return None
    values = [kbps for kbps, _ in known]
    value = mean([kbps for kbps, counts in known if counts] or values)
    return enclosing(value, min(values), max(values), "kb/s")


def _rates_bps(question: Question, class_name: str, corner: Corner) -> Iterator[float]:
    for traffic in corner.interface.traffic:
        if traffic.queue == class_name and isinstance(traffic.arrival, Poisson):
            parts = traffic.sizes.bytes_and_weights
            mean_bytes = sum(size * weight for size, weight in parts) / sum(
                weight for _, weight in parts
            )
            frame_bytes = mean_bytes + question.outlet.counted_bytes
            yield bps_from_bytes(frame_bytes, ms_from_s(1 / traffic.arrival.packets_per_s))
