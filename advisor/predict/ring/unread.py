"""The LLQ of an output where a class of the counted policy is not understood.

Its traffic was measured, and is not known: it lies between next to nothing and what the policer
of the LLQ lets pass, as the smallest packets of voice.
"""

from advisor.facts.policy import PolicyClass
from advisor.outlet.class_packet import SPARSE_LOW_BYTES
from advisor.outlet.offer import Offer
from advisor.outlet.outlet import Outlet
from advisor.predict.ring.ring_bound import RingView
from advisor.quantity import Basis, Input, exact
from advisor.settings.values import PacketShare
from advisor.theory.wire import wire_bytes
from advisor.units import bytes_in_ms, ms_from_s

_FULLEST = 0.9  # of the wire: an LLQ that takes all of it leaves no case to solve


def offers_within(view: RingView, offers: tuple[Offer, ...]) -> tuple[tuple[Offer, ...], ...]:
    """Both ends of the offers: as they are known, and with the most that the LLQ may offer."""
    outlet = view.outlet
    known = {offer.class_name for offer in offers}
    silent = [member for member in outlet.llq_classes if member.name not in known]
    if not outlet.unread_classes or not silent:
        return (offers,)
    most = tuple(_most(view, member, len(silent)) for member in silent)
    return offers, (*offers, *most)


def _most(view: RingView, llq_class: PolicyClass, number: int) -> Offer:
    """The most that a priority class offers: its rate in small packets, or its part of the wire."""
    outlet = view.outlet
    second_ms = ms_from_s(1)
    on_wire = wire_bytes(SPARSE_LOW_BYTES, view.encapsulation.high)
    per_s = bytes_in_ms(view.rate_bps, second_ms) * _FULLEST / number / on_wire
    rate_bps = outlet.llq_rate_bps(llq_class)
    if rate_bps is not None:
        counted = SPARSE_LOW_BYTES + outlet.counted_bytes
        per_s = min(per_s, bytes_in_ms(rate_bps, second_ms) / counted)
    return Offer(
        class_name=llq_class.name,
        is_llq=True,
        sizes=(PacketShare(SPARSE_LOW_BYTES, 1.0),),
        packets_per_second=per_s,
        streams=1,
        periodic=False,
        source="its class in the counted policy is not used",
        basis=Basis.ASSUMED,
    )


def unread_inputs(outlet: Outlet) -> tuple[Input, ...]:
    """Say that the counted policy is not used, and for which classes."""
    names = outlet.unread_classes
    if not names:
        return ()
    source = (
        f"not understood in show policy-map interface: {', '.join(names)}; no measured rate or "
        f"packet size of policy {outlet.queueing.name} is used"
    )
    return (exact("unread_classes", float(len(names)), Basis.MEASURED, source),)
