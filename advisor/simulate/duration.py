"""How long a replication has to run, and what of it is warm-up."""

from dataclasses import dataclass

from advisor.scenario import Saturated, Scenario, Stream, TcpGroup
from advisor.simulate.arrivals import mean_rate_per_ms, mean_size_bytes
from advisor.simulate.frames import Framer
from advisor.units import bps_from_kbps, bytes_in_ms, ms_from_s

_TCP_WARM_UP_MS = ms_from_s(40)
_WARM_UP_RATIO = 0.1
_WARM_UP_QUEUES = 2  # full queues that the wire could send during the warm-up


@dataclass(frozen=True, slots=True)
class Duration:
    """Times of one replication in ms."""

    warm_up_ms: float
    measured_ms: float

    @property
    def until_ms(self) -> float:
        return self.warm_up_ms + self.measured_ms


def duration_of(scenario: Scenario, packets: float) -> Duration:
    """Duration of a replication that measures about so many packets of all classes together.

    The warm-up is a tenth of the measured time, at least the time to send two full queues, and
    40 s where TCP has to find its windows.
    """
    framer = Framer(scenario.link, scenario.tx_ring, None)
    link_bytes_per_ms = bytes_in_ms(bps_from_kbps(scenario.link.rate_kbps), 1.0)
    open_per_ms, open_bytes_per_ms, greedy_bytes = 0.0, 0.0, []
    sizes_bytes: dict[str, int] = {}
    for traffic in scenario.traffic:
        mean_bytes = framer.frame(round(_mean_ip_bytes(traffic))).wire_bytes
        sizes_bytes[traffic.queue] = max(mean_bytes, sizes_bytes.get(traffic.queue, 0))
        if isinstance(traffic, TcpGroup) or isinstance(traffic.arrival, Saturated):
            greedy_bytes.append(mean_bytes)
        else:
            streams = traffic.independent_identical_streams
            rate_per_ms = streams * mean_rate_per_ms(traffic.arrival)
            open_per_ms += rate_per_ms
            open_bytes_per_ms += rate_per_ms * mean_bytes
    per_ms = open_per_ms
    if greedy_bytes:
        spare_bytes_per_ms = max(0.0, link_bytes_per_ms - open_bytes_per_ms)
        per_ms += spare_bytes_per_ms * len(greedy_bytes) / sum(greedy_bytes)
    full_bytes = sum(
        queue.queue_limit_packets * sizes_bytes.get(queue.name, 0) for queue in scenario.queues
    )
    tcp = any(isinstance(traffic, TcpGroup) for traffic in scenario.traffic)
    measured_ms = packets / per_ms
    warm_up_ms = max(
        _WARM_UP_RATIO * measured_ms,
        _WARM_UP_QUEUES * full_bytes / link_bytes_per_ms,
        _TCP_WARM_UP_MS if tcp else 0.0,
    )
    return Duration(warm_up_ms, measured_ms)


def _mean_ip_bytes(traffic: Stream | TcpGroup) -> float:
    sizes = traffic.ip_packet_bytes
    return sizes if isinstance(sizes, int) else mean_size_bytes(sizes)
