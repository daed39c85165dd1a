"""What is offered: how much of the wire, in what groups, and how much it varies."""

from collections.abc import Sequence
from math import expm1

from advisor.theory.flows import Flow
from advisor.theory.interface import Bursts, OnOff, Periodic, Policer
from advisor.theory.shape import weighted
from advisor.units import bps_from_bytes, bytes_in_ms, s_from_ms

# Packets per on time up to which on/off sources are taken as independent packets: one or two
# packets are no train.
FEW_PACKETS = 2.0
# Load of periodic packets of one size up to which no queue lasts longer than a period: 1, less the
# rounding error of a sum of floats.
CRITICAL_LOAD = 1 - 1e-9


def batch_of(flow: Flow) -> int:
    """Packets of one burst that come faster than they are sent and pass; 1 without bursts."""
    arrival = flow.traffic.arrival
    if isinstance(arrival, Bursts) and arrival.spacing_ms < flow.mean_ms:
        return max(1, round(arrival.packets_per_burst * passed_share(flow)))
    return 1


def batch_of_all(flows: Sequence[Flow]) -> int:
    """Packets of equal bursts that bring the residual work of all flows together."""
    rate = sum(flow.rate_per_ms for flow in flows)
    if not rate:
        return 1
    others_ms2 = sum(flow.rate_per_ms * (batch_of(flow) - 1) * flow.mean_ms**2 for flow in flows)
    return max(1, round(1 + others_ms2 / rate / mean_ms_of(flows) ** 2))


def mean_ms_of(flows: Sequence[Flow]) -> float:
    """Mean time on the wire of the packets of flows of known rate."""
    return sum(flow.load for flow in flows) / sum(flow.rate_per_ms for flow in flows)


def packets_per_on_time(flow: Flow) -> float | None:
    """Mean number of packets that an on/off source sends while on; None for other sources."""
    arrival = flow.traffic.arrival
    if not isinstance(arrival, OnOff):
        return None
    return s_from_ms(arrival.mean_on_ms) * arrival.peak_packets_per_s


def sends_trains(flow: Flow) -> bool:
    """Whether a flow is on/off in trains: with few packets per on time it is nearly Poisson."""
    packets = packets_per_on_time(flow)
    return packets is not None and packets > FEW_PACKETS


def passed_share(flow: Flow) -> float:
    """Most of a flow that its token buckets pass over a long time, as a part of its work.

    A packet that is larger than a bucket never passes. Of a train of packets passes what the
    bucket holds when it is full and gets meanwhile. Of a burst to the LLQ passes what its queue
    holds, and what is sent meanwhile.
    """
    if not flow.rate_per_ms:
        return 1.0
    arrival, queue = flow.traffic.arrival, flow.queue
    policers = [each for each in (queue.policer, queue.police) if each is not None]
    shares = [_passed_by(policer, flow) for policer in policers]
    if flow.priority and isinstance(arrival, Bursts):
        packets = arrival.packets_per_burst
        sent = 1 + (packets - 1) * arrival.spacing_ms / flow.mean_ms
        shares.append((queue.limit_packets + sent) / packets)
    return min(1.0, *shares) if shares else 1.0


def _passed_by(policer: Policer, flow: Flow) -> float:
    mean_bytes = weighted(flow.weights, flow.frame_bytes)
    offered_bps = bps_from_bytes(mean_bytes * flow.rate_per_ms, 1.0)
    fits = [
        weight * time_ms
        for weight, time_ms, frame_bytes in zip(
            flow.weights, flow.times_ms, flow.frame_bytes, strict=True
        )
        if frame_bytes <= policer.burst_bytes
    ]
    passed = min(policer.rate_bps / offered_bps, sum(fits) / flow.mean_ms)
    match flow.traffic.arrival:
        case Bursts(_, packets, spacing_ms):
            held = policer.burst_bytes + bytes_in_ms(policer.rate_bps, (packets - 1) * spacing_ms)
            return min(passed, held / (packets * mean_bytes))
        case OnOff(peak_per_s, on_ms, _):
            offered = peak_per_s * s_from_ms(on_ms) * mean_bytes
            got = bytes_in_ms(policer.rate_bps, on_ms)
            if got >= offered:
                return passed
            lacks = offered - got  # in a mean on time; those are exponential
            held = got + lacks * -expm1(-policer.burst_bytes / lacks)
            return min(passed, held / offered)
        case _:
            return passed


def residual_ms(flow: Flow) -> float:
    """Half the variance of a flow's work per ms; periodic flows as if they were random.

    What token buckets drop does not count.
    """
    return (
        flow.rate_per_ms
        * passed_share(flow)
        * (
            (flow.second_ms2 - flow.mean_ms**2) / 2
            + (_gap_variance(flow) / 2 + (batch_of(flow) - 1) / 2) * flow.mean_ms**2
        )
    )


def remembered_residual_ms(flow: Flow, relaxation_ms: float) -> float:
    """As `residual_ms`, of a queue that remembers `relaxation_ms`.

    The variance of n periodic streams over a time t is that of Poisson arrivals times
    ``1 - t / period`` (a Brownian bridge), so it vanishes where the queue remembers a period.
    """
    if not isinstance(flow.traffic.arrival, Periodic):
        return residual_ms(flow)
    period_ms = flow.traffic.streams / flow.rate_per_ms
    return residual_ms(flow) * max(0.0, 1 - relaxation_ms / period_ms)


def _gap_variance(flow: Flow) -> float:
    """Variance of the gaps of an on/off source over their squared mean; 1 for any other flow.

    A gap holds a Poisson number of exponential off times.
    """
    arrival = flow.traffic.arrival
    if not isinstance(arrival, OnOff):
        return 1.0
    gap_ms = 1 / s_from_ms(arrival.peak_packets_per_s)
    on_ms, off_ms = arrival.mean_on_ms, arrival.mean_off_ms
    return 2 * off_ms**2 * on_ms / (gap_ms * (on_ms + off_ms) ** 2)
