"""Quality of a call: its de-jitter buffer, R and MOS."""

from msgspec import Struct

from advisor.quantity import Figure


class DeJitter(Struct, frozen=True):
    """The de-jitter buffer of the receiver: it holds the fastest packet for `hold_ms`.

    `late_percent` of the packets come later than that and are lost. Without a stated buffer it is
    the one of three with the best R: those that wait for 95 %, 99 % or all of the packets.
    """

    hold_ms: float
    late_percent: float
    is_stated: bool


class Quality(Struct, frozen=True):
    """A call over the path: R and MOS with the given de-jitter buffer, else with the best one.

    `mouth_to_ear` is packetization, look-ahead, network and buffer; `lost` is lost or late.
    `de_jitter` is the buffer of the values; other ends of the intervals may have another.
    """

    codec: str
    de_jitter: DeJitter
    mouth_to_ear: Figure
    lost: Figure
    r: Figure
    mos: Figure
    source: str
