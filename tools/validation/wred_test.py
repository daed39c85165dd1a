"""The published test of WRED on an ATM PVC: three precedences of TCP beside UDP, predicted.

What the test does not print is assumed here, the same for all of its points.
"""

from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from advisor.model import (
    DropProfile,
    Framing,
    Interface,
    Poisson,
    Queue,
    QueueKind,
    SizeMix,
    Tcp,
    Traffic,
    TxRing,
    WredAverage,
)
from advisor.theory.fixed_point import fixed_points
from advisor.theory.wred import EstimateRange, GroupForecast
from advisor.theory.wred.solver import solve_wred

NAMES = ("AF11", "AF12", "AF13")
DENOMINATORS = (10, 5, 2)
PVC_BPS = 3_560_000.0
TCP_WEIGHT, UDP_WEIGHT = 2000.0, 666.0
BALANCED = (3, 3, 3)
FLOW_COUNTS = (3, 5, 10, 15, 20)
MINIMA = (5, 10, 15, 20, 30, 45, 60, 80, 100, 120)
MIN_PACKETS = 15
_RTT_MS = 8.0
_TCP_BYTES, _HEADER_BYTES, _WINDOW_BYTES, _FILE_BYTES = 1500, 40, 32_768, 100_000
_UDP_PAYLOAD_BYTES, _UDP_HEADER_BYTES, _UDP_BPS = 576, 28, 1_500_000
RING_PACKETS = 14  # 40 particles of 512 bytes, 3 for each packet
RINGS = (1, 5, RING_PACKETS, 40)  # the test prints none: what would follow from others
_LIMIT_PACKETS = 1000  # before HQF the default queue-limit does not hold with WRED
_SEGMENT_BYTES = _TCP_BYTES - _HEADER_BYTES


class Shares(Struct, frozen=True):
    """One point of the test: flows and minimum threshold, share of each class.

    Beside it the shares by flows/p and, with WRED, by the fixed point.
    """

    flows: tuple[int, int, int]
    min_packets: float
    shares: tuple[EstimateRange, ...]
    by_flows_over_p: tuple[float, ...]
    by_fixed_point: tuple[float, ...]
    udp_payload_bps: float
    tcp_payload_bps: float


@cache
def predicted(
    flows: tuple[int, int, int],
    min_packets: float = MIN_PACKETS,
    *,
    wred: bool = True,
    ring_packets: int = RING_PACKETS,
) -> Shares:
    """Shares of the TCP bytes at one point of the test."""
    interface = _setting(flows, min_packets, wred=wred, ring_packets=ring_packets)
    *tcp, udp = solve_wred(interface).groups
    points = fixed_points(interface)
    return Shares(
        flows,
        min_packets,
        tuple(share for group in tcp if (share := group.share) is not None),
        tuple(group.share_by_flows_over_p or 0.0 for group in tcp),
        tuple(group.share or 0.0 for point in points for group in point.groups),
        _payload_bps(udp, _UDP_PAYLOAD_BYTES),
        sum(_payload_bps(group, _SEGMENT_BYTES) for group in tcp),
    )


def _setting(
    flows: tuple[int, int, int], min_packets: float, *, wred: bool, ring_packets: int
) -> Interface:
    tcp_queue = Queue("prec-only", QueueKind.BANDWIDTH, TCP_WEIGHT, _LIMIT_PACKETS)
    if wred:
        tcp_queue = replace(tcp_queue, wred=WredAverage(9))
    udp_queue = Queue("class-default", QueueKind.BANDWIDTH, UDP_WEIGHT, 64)
    tcp = Tcp(_RTT_MS, _WINDOW_BYTES // _SEGMENT_BYTES, -(-_FILE_BYTES // _SEGMENT_BYTES))
    groups = tuple(
        Traffic(
            name,
            tcp_queue.name,
            tcp,
            SizeMix(((_TCP_BYTES, 1.0),)),
            count,
            profile=DropProfile(min_packets, 2 * min_packets, denominator),
        )
        for name, count, denominator in zip(NAMES, flows, DENOMINATORS, strict=True)
    )
    per_s = _UDP_BPS / 8 / _UDP_PAYLOAD_BYTES
    sizes = SizeMix(((_UDP_PAYLOAD_BYTES + _UDP_HEADER_BYTES, 1.0),))
    udp = Traffic("UDP", udp_queue.name, Poisson(per_s), sizes)
    ring = TxRing(ring_packets)
    queues = (tcp_queue, udp_queue)
    return Interface(PVC_BPS, Framing(0, cells=True), ring, queues, (*groups, udp))


def _payload_bps(group: GroupForecast, payload_bytes: int) -> float:
    return group.packets_per_second * payload_bytes * 8


def balanced() -> tuple[Shares, ...]:
    """Three flows in each class over the minimum threshold."""
    return tuple(predicted(BALANCED, minimum) for minimum in MINIMA)


def with_many(place: int) -> tuple[Shares, ...]:
    """One class with 3 to 20 flows, the others with 3."""
    points = []
    for count in FLOW_COUNTS:
        first, second, third = (count if index == place else 3 for index in range(3))
        points.append(predicted((first, second, third)))
    return tuple(points)
