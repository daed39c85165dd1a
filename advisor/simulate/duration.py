"""How long a replication has to run, and which part of it is measured."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.settings.scenario import PriorityQueue, Saturated, Scenario, Stream, TcpGroup
from advisor.simulate.arrivals import mean_rate_per_ms, mean_size_bytes
from advisor.simulate.frames import Framer
from advisor.units import bps_from_kbps, bytes_in_ms, ms_from_s

_TCP_WARM_UP_MS = ms_from_s(40)
_SETTLE_RATIO = 0.1
_SETTLE_QUEUES = 5  # full queues or rings that the wire can send in the settling time
_MOST_FILLING_MS = ms_from_s(60)


class Duration(Struct, frozen=True):
    """Times of one replication: packets that arrive between warm-up and run-out are measured.

    Traffic continues in the run-out, so that earlier packets are delivered under the same load.
    """

    warm_up_ms: float
    measured_ms: float
    run_out_ms: float

    @property
    def until_ms(self) -> float:
        return self.warm_up_ms + self.measured_ms + self.run_out_ms


def duration_of(scenario: Scenario, packets: float) -> Duration:
    """Duration of a replication that measures about so many packets of all classes together.

    Warm-up and run-out both take a tenth of the measured time, at least the time to send five full
    queues or rings (at most the measured time). The warm-up also lasts until the bucket of an LLQ
    that is offered more than its rate has emptied, and until what is offered beyond the rate has
    filled the queues and has been sent (at most 60 s). TCP gets 40 s to find its windows.
    """
    link_kbps = scenario.link.rate_kbps
    rate_kbps = link_kbps if scenario.shape is None else min(link_kbps, scenario.shape.rate_kbps)
    link_bytes_per_ms = bytes_in_ms(bps_from_kbps(rate_kbps), 1.0)
    wire_bytes = [_mean_wire_bytes(scenario, traffic) for traffic in scenario.traffic]
    sizes = list(zip(scenario.traffic, wire_bytes, strict=True))
    measured_ms = packets / _packets_per_ms(scenario, wire_bytes, link_bytes_per_ms)
    full_bytes = sum(
        queue.queue_limit_packets
        * max(
            (size_bytes for traffic, size_bytes in sizes if traffic.queue == queue.name), default=0
        )
        for queue in scenario.queues
    )
    rings = max(1, len(scenario.link.member_rates_kbps))
    full_bytes = max(full_bytes, rings * scenario.tx_ring.limit * max(wire_bytes))
    queues_ms = min(measured_ms, _SETTLE_QUEUES * full_bytes / link_bytes_per_ms)
    settle_ms = max(_SETTLE_RATIO * measured_ms, queues_ms)
    excess = _offered_bytes_per_ms(scenario, wire_bytes) - link_bytes_per_ms
    fill_ms = full_bytes / excess + full_bytes / link_bytes_per_ms if excess > 0 else 0.0
    filling_ms = max(fill_ms, _buckets_ms(scenario))
    warm_up_ms = max(settle_ms, min(_MOST_FILLING_MS, filling_ms))
    tcp = any(isinstance(traffic, TcpGroup) for traffic in scenario.traffic)
    return Duration(max(warm_up_ms, _TCP_WARM_UP_MS) if tcp else warm_up_ms, measured_ms, settle_ms)


def _buckets_ms(scenario: Scenario) -> float:
    """Time until the fullest bucket has emptied: none lasts where the rate is not exceeded."""
    overhead_bytes = scenario.link.l2_overhead_bytes_per_packet
    longest_ms = 0.0
    for queue in scenario.queues:
        if not isinstance(queue, PriorityQueue) or not queue.policed_under_congestion:
            continue
        offered_bytes_per_ms = sum(
            traffic.independent_identical_streams
            * mean_rate_per_ms(traffic.arrival)
            * (mean_size_bytes(traffic.ip_packet_bytes) + overhead_bytes)
            for traffic in scenario.traffic
            if isinstance(traffic, Stream) and traffic.queue == queue.name
        )
        excess = offered_bytes_per_ms - bytes_in_ms(bps_from_kbps(queue.priority_kbps), 1.0)
        if excess > 0:
            longest_ms = max(longest_ms, queue.burst_bytes / excess)
    return longest_ms


def _offered_bytes_per_ms(scenario: Scenario, wire_bytes: Sequence[int]) -> float:
    """What streams of known rate offer the link."""
    return sum(
        traffic.independent_identical_streams * mean_rate_per_ms(traffic.arrival) * size_bytes
        for traffic, size_bytes in zip(scenario.traffic, wire_bytes, strict=True)
        if isinstance(traffic, Stream) and not isinstance(traffic.arrival, Saturated)
    )


def _packets_per_ms(
    scenario: Scenario, wire_bytes: Sequence[int], link_bytes_per_ms: float
) -> float:
    """Packets that arrive per ms; traffic that fills the link shares the remaining rate."""
    open_per_ms, spare_bytes_per_ms = 0.0, link_bytes_per_ms
    filling_bytes = []
    for traffic, size_bytes in zip(scenario.traffic, wire_bytes, strict=True):
        if isinstance(traffic, TcpGroup) or isinstance(traffic.arrival, Saturated):
            filling_bytes.append(size_bytes)
        else:
            streams = traffic.independent_identical_streams
            rate_per_ms = streams * mean_rate_per_ms(traffic.arrival)
            open_per_ms += rate_per_ms
            spare_bytes_per_ms -= rate_per_ms * size_bytes
    if not filling_bytes:
        return open_per_ms
    mean_bytes = sum(filling_bytes) / len(filling_bytes)
    return open_per_ms + max(0.0, spare_bytes_per_ms) / mean_bytes


def _mean_wire_bytes(scenario: Scenario, traffic: Stream | TcpGroup) -> int:
    sizes = traffic.ip_packet_bytes
    ip_bytes = sizes if isinstance(sizes, int) else round(mean_size_bytes(sizes))
    return Framer(scenario.link, scenario.tx_ring, None).frame(ip_bytes).wire_bytes
