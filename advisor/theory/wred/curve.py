"""WRED's arithmetic: drop probability, the average queue size and its time constant.

Knows no traffic. Thresholds and averages in packets.
"""

from collections.abc import Sequence

from advisor.theory.wred.interface import DropProfile, TcpFlows


def drop_probability(average_packets: float, profile: DropProfile) -> float:
    """Probability that WRED drops a packet at this average queue size.

    Notes
    -----
    0 below min, rising linearly to 1/denominator at max, 1 from max on. Source: "Test of WRED for
    Bottleneck Link" (CSELT), and the configuration guide of IOS 12.x.

    Examples
    --------
    >>> drop_probability(22.5, DropProfile(15, 30, 10))
    0.05
    >>> drop_probability(30, DropProfile(15, 30, 10))
    1.0
    """
    if average_packets >= profile.max_threshold_packets:
        return 1.0
    excess = average_packets - profile.min_threshold_packets
    width = max(profile.max_threshold_packets - profile.min_threshold_packets, 1e-9)
    return min(max(excess / width, 0.0), 1.0) / profile.mark_probability_denominator


def average_after(average_packets: float, queue_packets: float, exponent: int) -> float:
    """Average queue size after an arrival that finds `queue_packets`.

    The larger the exponent, the smaller the weight 2^-exponent of the present queue and the longer
    the memory of older samples.

    >>> average_after(10, 26, exponent=4)
    11.0
    """
    return average_packets + 2.0**-exponent * (queue_packets - average_packets)


def average_after_idle(
    average_packets: float, idle_ms: float, packet_ms: float, exponent: int
) -> float:
    """Average queue size after an idle time: as if packets of `packet_ms` had found no queue.

    >>> round(average_after_idle(20, idle_ms=512 * 4, packet_ms=4, exponent=9), 2)
    7.35
    """
    return float(average_packets * (1 - 2.0**-exponent) ** (idle_ms / packet_ms))


def time_constant_ms(exponent: int, packets_per_second: float) -> float:
    """Time in which the average follows 63 % of a step: 2^exponent packets of service.

    >>> round(time_constant_ms(9, packets_per_second=250))
    2048
    """
    return 2.0**exponent / packets_per_second * 1000


def shares_by_flows_over_p(groups: Sequence[TcpFlows]) -> tuple[float, ...]:
    """Rule of thumb: shares go as flows ÷ largest drop probability.

    Its error is several hundredths if thresholds, windows or round trips differ. If a group has no
    profile, shares go as flows. Source: "Test of WRED for Bottleneck Link" (CSELT).

    >>> profiles = (DropProfile(15, 30, 10), DropProfile(15, 30, 5), DropProfile(15, 30, 2))
    >>> groups = [TcpFlows(str(p), 3, 8, 1500, 22, p) for p in profiles]
    >>> [round(share, 3) for share in shares_by_flows_over_p(groups)]
    [0.588, 0.294, 0.118]
    """
    has_profiles = all(group.profile is not None for group in groups)
    weights = [
        group.flows
        * (group.profile.mark_probability_denominator if has_profiles and group.profile else 1.0)
        for group in groups
    ]
    return tuple(weight / sum(weights) for weight in weights)
