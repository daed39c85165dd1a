"""Voice calls on a link: the rate that one takes as IOS counts it, and on the wire.

Source of the sums: Cisco's table of the bandwidth of a call by codec (IP packet and layer 2, times
packets per second); what is counted, Cisco document 10420.
"""

from typing import Final

from msgspec import Struct

from advisor.outlet.framing import Encapsulation
from advisor.outlet.wrapping import Wrapping
from advisor.settings.traffic_keys import VoicePacket
from advisor.theory.interface import Framing, wire_bytes
from advisor.units import bps_from_bytes

_COMPRESSED_BYTES: Final = 38  # 40 bytes of IP, UDP and RTP become 2 with cRTP (RFC 2508)


class CallRate(Struct, frozen=True):
    """Rate of one call in one direction, bit/s.

    `counted_bps` is what `priority` and its policer count; the other two are the ends of what the
    wire carries, with FCS, flags and cells.
    """

    counted_bps: float
    wire_low_bps: float
    wire_high_bps: float


def call_rate(
    packet: VoicePacket,
    encapsulation: Encapsulation | None,
    *,
    compressed: bool = False,
    header_bytes: int = 0,
    wrapping: Wrapping | None = None,
) -> CallRate:
    """Rate of a call of a codec's packets over an encapsulation; of bare IP where it is None.

    With `compressed`, cRTP takes 38 bytes off each packet, also of those that IOS counts (12.2(2)T
    and later); not within a `wrapping`, whose bytes are counted. `header_bytes` are those of the
    one fragment header of each packet under FRF.12.
    """
    size = packet.ip_bytes - (_COMPRESSED_BYTES if compressed and wrapping is None else 0)
    size = header_bytes + (size if wrapping is None else wrapping.outside(size))
    counted = size + (encapsulation.counted_bytes if encapsulation is not None else 0)
    bare = Framing(0)
    ends = (encapsulation.low, encapsulation.high) if encapsulation is not None else (bare, bare)
    low, high = (bps_from_bytes(wire_bytes(size, end), packet.packet_ms) for end in ends)
    return CallRate(bps_from_bytes(counted, packet.packet_ms), low, high)


def calls_within(rate_bps: float, call_bps: float) -> int:
    """Whole calls that a rate carries.

    >>> calls_within(128_000, 25_600)
    5
    """
    return int(rate_bps / call_bps + 1e-9)
