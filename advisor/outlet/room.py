"""The bytes that a line counts beside those of a shaper before it, and the rate that leaves room.

A shaper on Ethernet counts layer 2 without FCS, preamble and gap (Cisco ASR 1000 QoS FAQ, table 1;
Cisco document 10420 of classic IOS). What a contract counts has no source: at least the FCS is
taken, at most all that the wire carries. One on a tunnel sees the packet before its port (Cisco
document 10106); which of its headers are in its bytes has no source: none and all are taken.
"""

import re
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.ground.quantity import Input, RateKind
from advisor.ios import pattern
from advisor.model import Framing, wire_bytes
from advisor.outlet.background import IMIX_MEAN_BYTES
from advisor.outlet.framing import FCS_BYTES, PPPOE_ATM_BYTES, Encapsulation, Layer2
from advisor.outlet.link_rates import is_contracted, is_of_a_service, sold_rate
from advisor.outlet.outlet import Outlet
from advisor.outlet.shaper import FRAME_RELAY_RATIO, OutletShaper
from advisor.outlet.wires import TUNNEL
from advisor.outlet.wrapping import tunnel_ways

_CELLED: Final = pattern(r"\b(?:adsl2?\+?|shdsl|atm)(?!\w)", re.IGNORECASE)
_CELLS: Final = Framing(PPPOE_ATM_BYTES, cells=True)
_ETHERNET: Final = (Layer2.ETHERNET, Layer2.TAGGED_ETHERNET)


class Carried(Struct, frozen=True):
    """The carrier of a shaper's packets: its rate, and the fewest and the most bytes of each.

    `counted` are the bytes that the shaper counts beside IP. `port` is the one of a tunnel;
    `is_open` says that what a contract counts is not known.
    """

    limit: Input
    framing: tuple[Framing, Framing]
    counted: tuple[int, int]
    sizes: tuple[int, int]  # IP bytes: of a mean packet, of the largest
    port: str | None = None
    has_esp: bool = False
    is_open: bool = False

    @property
    def ratios(self) -> tuple[float, float]:
        """Bytes on the line for one that the shaper counts: of the largest packets, of the mean."""
        (low, high), (least, most), (mean, largest) = self.framing, self.counted, self.sizes
        large = wire_bytes(largest, low) / (largest + most)
        return large, wire_bytes(mean, high) / (mean + least)

    @property
    def fitting_bps(self) -> int:
        """Rate of the shaper that leaves room for packets of the mean size, in whole kb/s."""
        return int(self.limit.value / max(self.ratios) // 1000) * 1000


def carried(device: Device, outlet: Outlet) -> Carried | None:
    """The carrier of an output's packets, where it counts more bytes than a shaper, or may."""
    framing, largest = outlet.encapsulation, outlet.largest_ip_bytes
    if framing is None:
        return None
    sizes = min(IMIX_MEAN_BYTES, largest), largest
    if outlet.interface.type == TUNNEL:
        return _by_port(device, outlet, framing, sizes)
    sold = sold_rate(device, outlet)
    is_label = sold is None or sold.kind is RateKind.BANDWIDTH_LABEL
    if sold is None or is_label or framing.kind not in _ETHERNET:
        return None
    is_sold = is_contracted(device, outlet, sold) or is_of_a_service(device, outlet, sold)
    if not is_sold and outlet.shaper_bps != sold.value:
        return None
    counted = outlet.shaper_bytes, outlet.shaper_bytes
    homes = (outlet.session, outlet.interface) if outlet.session is not None else ()
    told = [home.description for home in homes if home is not None]
    if any(item is not None and _CELLED.search(item.value) for item in told):
        return Carried(sold, (_CELLS, _CELLS), counted, sizes)
    least = Framing(framing.counted_bytes + FCS_BYTES)
    return Carried(sold, (least, framing.high), counted, sizes, is_open=True)


def _by_port(
    device: Device, outlet: Outlet, framing: Encapsulation, sizes: tuple[int, int]
) -> Carried | None:
    way, limit = tunnel_ways(device).get(outlet.interface.name), outlet.wire
    if way is None or limit is None or limit.is_label or limit.kind is RateKind.STATED:
        return None
    most = way.low_bytes + framing.port_bytes
    return Carried(
        limit,
        (framing.low, framing.high),
        (outlet.with_account(0), outlet.with_account(most)),
        sizes,
        way.port.name,
        way.high_bytes > way.header_bytes,
    )


def line_ratio(shaper: OutletShaper, limit: Input) -> float:
    """Bytes that the line of a shaper carries for one that it counts, of packets of the mean size.

    1 where the limit is a contract, whose bytes no source tells, or the line of a port that a
    tunnel leaves by, which `carried` has.
    """
    outlet, framing = shaper.outlet, shaper.outlet.encapsulation
    if framing is None or limit != shaper.wire or outlet.interface.type == TUNNEL:
        return 1.0
    if framing.kind is Layer2.FRAME_RELAY:
        return 1 / FRAME_RELAY_RATIO
    mean_bytes = min(IMIX_MEAN_BYTES, outlet.largest_ip_bytes)
    counted_bytes = mean_bytes + outlet.shaper_bytes
    return max(wire_bytes(mean_bytes, framing.high) / counted_bytes, 1.0)
