"""Drops of the token bucket of a priority class while the ring is always full."""

import numpy as np
from msgspec.structs import replace

from advisor.theory.flows import Flow
from advisor.theory.interface import Bursts, OnOff, Periodic, Poisson, Saturated, Traffic
from advisor.theory.queue_chain import chain
from advisor.theory.ring.full_ring import passed_share
from advisor.units import bytes_in_ms

NOTICED = 0.01  # loss ratio from which a policer is reported, and its other end solved
# Numeric: places of a bucket that are solved; a deeper one is counted in clumps of several packets.
# That adds 3 packets lost in 100,000 at a load of 1, where the error is largest.
MOST_TOKENS = 16_384


def refused_ratio(flow: Flow) -> float:
    """Share of a flow that its token bucket drops if the ring is full whenever a packet comes.

    A bucket of b bytes that fills at a rate drops like a queue of b bytes that is sent at that
    rate: M^X/D/1/K for random packets and bursts. Periodic packets lose only their excess.
    """
    policer, arrival = flow.queue.policer, flow.traffic.arrival
    if policer is None or flow.packets_per_ms is None:
        return 0.0
    if not isinstance(arrival, Poisson | Bursts):
        return 1 - passed_share(flow)
    batch = arrival.packets_per_burst if isinstance(arrival, Bursts) else 1
    frame_bytes = float(flow.weights @ flow.frame_bytes)
    places = max(1, int(policer.burst_bytes // frame_bytes))
    clump = -(-places // MOST_TOKENS)
    batch = max(1, round(batch / clump))
    clump_ms = np.array([clump * frame_bytes / bytes_in_ms(policer.rate_bps, 1.0)])
    rate_per_ms = flow.packets_per_ms / (batch * clump)
    bucket = chain(rate_per_ms, batch, np.ones(1), clump_ms, places // clump)
    return bucket.loss_ratio


def noticed(flow: Flow) -> bool:
    """Whether the policer drops a reportable part of a flow while the ring is always full."""
    return refused_ratio(flow) > NOTICED


def passing(flow: Flow) -> Traffic:
    """The part of a flow that passes if its policer always meters."""
    traffic, kept_ratio = flow.traffic, 1 - refused_ratio(flow)
    match traffic.arrival:
        case Periodic(rate, jitter_ms):
            return replace(traffic, arrival=Periodic(rate * kept_ratio, jitter_ms))
        case Poisson(rate):
            return replace(traffic, arrival=Poisson(rate * kept_ratio))
        case Bursts(rate, packets, spacing_ms):
            fewer = max(1, round(packets * kept_ratio))
            remainder = Bursts(rate * kept_ratio * packets / fewer, fewer, spacing_ms)
            return replace(traffic, arrival=remainder)
        case OnOff() | Saturated():
            return traffic
