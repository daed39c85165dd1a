"""The stated offers of the congested case: each lower class always has packets waiting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from advisor.settings.values import PacketShare

if TYPE_CHECKING:
    from advisor.outlet.offer import Offer
    from advisor.outlet.outlet import Outlet


def filled(outlet: Outlet, offers: Sequence[Offer]) -> list[Offer]:
    """The offers, with the bulk of each lower class never empty; a class of rate 0 stays so.

    The bulk are the offers without a known rate: the others keep their rates then, for a flow that
    sends little takes no share of a backlog. Where all rates are known, the bulk of a FIFO is the
    mix of its packets by these rates, and under fair queueing, which serves conversations alike,
    the offer of the largest load.
    """
    filled_offers = [offer for offer in offers if offer.is_llq]
    for name in dict.fromkeys(offer.class_name for offer in offers if not offer.is_llq):
        own = [offer for offer in offers if offer.class_name == name]
        if all(offer.packets_per_second == 0 for offer in own):
            filled_offers += own
        elif any(offer.packets_per_second is None for offer in own):
            filled_offers += (_waiting(offer) if _lacks_rate(offer) else offer for offer in own)
        elif outlet.is_fair(name):
            most = max(own, key=_load)
            filled_offers += (_waiting(offer) if offer is most else offer for offer in own)
        else:
            filled_offers.append(_waiting(_mixed(own)))
    return filled_offers


def _lacks_rate(offer: Offer) -> bool:
    return offer.packets_per_second is None


def _waiting(offer: Offer) -> Offer:
    return replace(offer, packets_per_second=None, always_waits=True)


def _load(offer: Offer) -> float:
    """IP bytes of an offer in a second; 0 where its rate is not known."""
    return offer.mean_ip_bytes * (offer.packets_per_second or 0.0)


def _mixed(offers: Sequence[Offer]) -> Offer:
    """The packets of offers of one class as one offer, by their rates."""
    if len(offers) == 1:
        return offers[0]
    total_per_s = sum(offer.packets_per_second or 0.0 for offer in offers)
    shares: dict[int, float] = defaultdict(float)
    for offer in offers:
        part = (offer.packets_per_second or 0.0) / total_per_s
        for size in offer.sizes if part else ():
            shares[size.ip_bytes] += size.share * part
    return replace(
        max(offers, key=_load),
        sizes=tuple(PacketShare(ip_bytes, share) for ip_bytes, share in shares.items()),
        source="; ".join(dict.fromkeys(offer.source for offer in offers)),
        pattern=None,
    )
