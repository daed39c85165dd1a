"""Packet sizes of an offer of which only the mean is known."""

from advisor.outlet.offer import Offer
from advisor.settings.values import PacketShare

_SMALLEST_BYTES = 40  # a TCP acknowledgement


def spread(offer: Offer, widest_ip_bytes: int | None) -> tuple[PacketShare, ...]:
    """Sizes of an offer; a lower class with a measured mean may get the widest mix."""
    if widest_ip_bytes is None or not offer.mean_only or offer.is_llq:
        return offer.sizes
    mean = offer.mean_ip_bytes
    if not _SMALLEST_BYTES < mean < widest_ip_bytes:
        return offer.sizes
    share = (mean - _SMALLEST_BYTES) / (widest_ip_bytes - _SMALLEST_BYTES)
    return (PacketShare(_SMALLEST_BYTES, 1 - share), PacketShare(widest_ip_bytes, share))
