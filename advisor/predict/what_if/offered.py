"""What a class is offered, in the bytes that IOS counts."""

from collections.abc import Sequence

from advisor.outlet.offer import Offer
from advisor.outlet.token_buckets import TokenBuckets
from advisor.predict.classes.demand import Question, priority_input
from advisor.quantity import Figure
from advisor.units import bps_from_bytes, kbps_from_bps, ms_from_s


def counted_bps(question: Question, offer: Offer, packets_per_second: float | None) -> float:
    """Rate of packets as a policer counts them: without FCS, flags and cells; 0 where unknown."""
    if not packets_per_second or not offer.sizes:
        return 0.0
    frame_bytes = offer.mean_ip_bytes + question.outlet.counted_bytes
    return bps_from_bytes(frame_bytes, ms_from_s(1 / packets_per_second))


def offered(question: Question, class_name: str) -> Figure | None:
    """Mean rate that a class is offered, in kb/s; None where it is not known.

    A class that always has packets to send is offered what its policer passes. An LLQ whose
    traffic is neither stated nor measured has what fills its priority.
    """
    offers = [offer for offer in question.offers if offer.class_name == class_name]
    if not offers:
        is_llq = any(each.name == class_name for each in question.outlet.llq_classes)
        return _of_priority(question, class_name) if is_llq else None
    if any(offer.packets_per_second is None for offer in offers):
        return (
            _of_priority(question, class_name) if offers[0].is_llq else _policed(question, offers)
        )
    return _of_offers(question, offers)


def _of_offers(question: Question, offers: Sequence[Offer]) -> Figure:
    total_bps = sum(counted_bps(question, offer, offer.packets_per_second) for offer in offers)
    kbps = kbps_from_bps(total_bps)
    return Figure(kbps, kbps, kbps, "kb/s")


def _policed(question: Question, offers: Sequence[Offer]) -> Figure | None:
    """Rate that comes through the `police` of a class that always has packets to send."""
    policy_class = question.outlet.class_named(offers[0].class_name)
    framing = question.outlet.encapsulation
    if framing is None or not any(offer.always_waits for offer in offers):
        return None
    policer = TokenBuckets(question.outlet, question.platform).police(policy_class, framing.high)
    if policer is None or policer.rate_bps >= question.line_bps:
        return None
    kbps = kbps_from_bps(policer.rate_bps)
    return Figure(kbps, kbps, kbps, "kb/s")


def _of_priority(question: Question, class_name: str) -> Figure:
    known = priority_input(question, class_name)
    return Figure(known.value, known.low, known.high, "kb/s")
