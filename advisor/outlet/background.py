"""Packets of an output whose traffic nobody states: their sizes, and the classes that lack some."""

from advisor.facts.policy import CLASS_DEFAULT
from advisor.ground.quantity import Basis, Input
from advisor.outlet.offer import Offer
from advisor.outlet.outlet import Outlet

IMIX_MEAN_BYTES = 340  # IP bytes: 40, 576 and 1500 at 7:4:1


def ring_sizes(offers: tuple[Offer, ...], outlet: Outlet) -> tuple[int, ...] | None:
    """IP sizes of all packets that can be in the ring; None if some of them are not stated."""
    lower = [offer for offer in offers if not offer.is_llq]
    if not lower or not _lower_queues(outlet) <= {offer.class_name for offer in lower}:
        return None
    busy = [offer for offer in offers if offer.packets_per_second != 0 or offer.mean_only]
    if not busy or not all(offer.sizes and not offer.mean_only for offer in busy):
        return None
    whole, cut = int(outlet.mtu.value), outlet.largest_ip_bytes  # LFI does not cut the LLQ
    return tuple(
        {
            min(size.ip_bytes, whole if offer.is_llq else cut)
            for offer in busy
            for size in offer.sizes
        }
    )


def unstated_classes(outlet: Outlet, offers: tuple[Offer, ...]) -> tuple[str, ...]:
    """Lower classes without known traffic or with packets of unknown sizes; class-default too."""
    known = {offer.class_name for offer in offers if not offer.is_llq}
    unsized = {offer.class_name for offer in offers if not offer.is_llq and offer.lacks_sizes}
    return tuple(sorted(((_lower_queues(outlet) | {CLASS_DEFAULT}) - known) | unsized))


def _lower_queues(outlet: Outlet) -> set[str]:
    """The classes whose queues stand below the LLQ."""
    return {
        outlet.queue_of(policy_class.name)
        for policy_class in outlet.queueing.classes
        if policy_class.priority is None
    }


def background_input(outlet: Outlet) -> Input:
    """Mean piece in the ring of lower classes without known traffic: a packet, or a fragment."""
    return _background(outlet, float(outlet.largest_ip_bytes))


def background_packet(outlet: Outlet) -> Input:
    """Mean packet in the queues of lower classes without known traffic: whole under LFI too."""
    return _background(outlet, float(outlet.mtu.value))


def _background(outlet: Outlet, largest: float) -> Input:
    """Mean of what lower classes without known traffic send: from IMIX to the largest.

    The value is the largest: bulk TCP congests a link. A measured mean of all packets of the busy
    link replaces the low end: it includes the LLQ's packets, which are smaller.
    """
    measured = outlet.measured_mean
    whole = "full-size packets" if largest == outlet.mtu.value else "full-size fragments"
    low, basis, kind = min(float(IMIX_MEAN_BYTES), largest), Basis.ASSUMED, None
    source = f"lower class saturated; IMIX 7:4:1 to {whole}"
    if measured is not None:
        low, basis, kind = min(measured.value, largest), Basis.MEASURED, measured.kind
        source = f"lower class saturated; {measured.source}, to {whole}"
    return Input("background_mean_ip_bytes", largest, low, largest, basis, source, kind)
