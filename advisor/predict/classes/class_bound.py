"""Bound of an LLQ class behind a ring that packets of unknown size may fill.

The solver bounds what it is given; here the largest packets that can be in the ring decide.
"""

from advisor.outlet.class_bandwidth import llq_burst
from advisor.outlet.class_packet import SPARSE_LOW_BYTES, sparse_ends
from advisor.outlet.offer import Offer
from advisor.predict.classes.demand import Question
from advisor.predict.ring.ring_bound import RingView, ring_view
from advisor.quantity import Unknown
from advisor.theory.wire import wire_bytes, wire_ms
from advisor.units import serialization_ms


def class_bound_ms(question: Question) -> float:
    """Longest delay of an LLQ packet in ms: the ring, LLQ packets ahead, its own transmission.

    0 where the ring bounds nothing: behind a shaper, or where the sizes of all packets are known;
    and of a bundle, whose far end puts the packets of all members in order.
    """
    outlet = question.outlet
    if outlet.members_bps:
        return 0.0
    view = ring_view(outlet, question.offers)
    shaped = question.line_bps < question.wire_bps
    if shaped or isinstance(view, Unknown) or view.sizes is not None or outlet.ring is None:
        return 0.0
    llq = [offer for offer in question.offers if offer.is_llq]
    ring_ms = view.bound(outlet.ring.limit_low, outlet.ring.limit_high).high_ms
    return ring_ms + _ahead_ms(view, llq) + longest_own_ms(question)


def longest_own_ms(question: Question) -> float:
    """Transmission of the longest LLQ packet; with a measured mean the sizes are not known."""
    framing = question.outlet.encapsulation
    if framing is None:
        return 0.0
    llq = [offer for offer in question.offers if offer.is_llq]
    sizes = [size.ip_bytes for offer in llq for size in offer.sizes]
    if not sizes or any(offer.mean_only for offer in llq):
        sizes += sparse_ends(question.outlet)
    return wire_ms(max(sizes), framing.high, question.wire_bps)


def _ahead_ms(view: RingView, llq: list[Offer]) -> float:
    """Wire time of the LLQ packets that can stand before another.

    For periodic streams, one packet of each other stream; else the bursts that the policer lets
    pass.
    """
    sized = [offer for offer in llq if offer.sizes]
    if not sized or not all(offer.periodic for offer in sized):
        return _policer_burst_ms(view)
    longest_ms = [
        max(wire_ms(size.ip_bytes, view.encapsulation.high, view.rate_bps) for size in offer.sizes)
        for offer in sized
    ]
    packets_ms = sum(offer.streams * ms for offer, ms in zip(sized, longest_ms, strict=True))
    return packets_ms - min(longest_ms)


def _policer_burst_ms(view: RingView) -> float:
    """Wire time of the bursts that the LLQ's policers let pass.

    A policer counts the layer-2 header without flags, FCS and cells: small packets take the most
    wire time per counted byte.
    """
    outlet, framing = view.outlet, view.encapsulation.high
    counted = SPARSE_LOW_BYTES + outlet.counted_bytes
    inflation = wire_bytes(SPARSE_LOW_BYTES, framing) / counted
    bursts = [llq_burst(outlet, policy_class).size_bytes for policy_class in outlet.llq_classes]
    burst_bytes = sum(burst for burst in bursts if burst is not None)
    return serialization_ms(burst_bytes * inflation, view.rate_bps)
