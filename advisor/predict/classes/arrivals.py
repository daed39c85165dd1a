"""How the packets of an offer arrive, as an arrival of the queueing model."""

from advisor.outlet.offer import Offer
from advisor.settings.values import StatedBacklog, StatedBursts, StatedJitter, StatedOnOff
from advisor.theory.interface import Arrival, Bursts, OnOff, Periodic, Poisson


def arrival_of(offer: Offer) -> tuple[Arrival, int]:
    """Arrival of one stream of an offer with a known rate, and the number of streams.

    Streams without a period are one Poisson stream: their sum is one.
    """
    per_s, streams = offer.packets_per_second or 0.0, offer.streams
    match offer.pattern:
        case StatedJitter(jitter_ms):
            return Periodic(per_s / streams, jitter_ms), streams
        case StatedOnOff(on_ms, off_ms):
            peak_per_s = offer.peak_packets_per_second or 0.0
            return OnOff(peak_per_s / streams, on_ms, off_ms), streams
        case StatedBursts(packets, spacing_ms):
            return Bursts(per_s / streams / packets, packets, spacing_ms), streams
        case _:
            return (Periodic(per_s / streams), streams) if offer.periodic else (Poisson(per_s), 1)


def backlog_of(offer: Offer, most_packets: int) -> int:
    """Packets that always wait: as stated, else a full queue of `most_packets`."""
    stated = offer.pattern
    return min(stated.packets, most_packets) if isinstance(stated, StatedBacklog) else most_packets
