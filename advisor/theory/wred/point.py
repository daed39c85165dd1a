"""A class at its fixed point, and WRED's mean drops while the average swings.

Times in s, rates in packets/s.
"""

from math import exp, pi, sqrt

from msgspec import Struct

from advisor.theory.tcp.curve import FlowRate
from advisor.theory.wred.feedback import Swing, normal_above, normal_excess
from advisor.theory.wred.interface import DropProfile


class Service(Struct, frozen=True):
    """The service of a class: rate, ring and queue.

    `ring_s`: fixed time in a ring that other classes keep full. `ring_packets`: places of the ring
    that only this class fills.
    """

    packets_per_second: float
    ring_s: float
    ring_packets: float
    queue_limit_packets: int
    exponent: int | None


class GroupPoint(Struct, frozen=True):
    """A group at the fixed point. Without TCP: flight 0."""

    drop: float
    sent_per_s: float  # whole group, every sending
    flight_packets: float  # one flow
    rtt_s: float
    rate: FlowRate | None

    @property
    def through_per_s(self) -> float:
        return self.sent_per_s * (1 - self.drop)


class ClassPoint(Struct, frozen=True):
    """A class at its fixed point."""

    groups: tuple[GroupPoint, ...]
    queue_packets: float
    backlog_packets: float  # queue, and the ring where it belongs to this class
    through_per_s: float
    tail_drop: float
    swing: Swing
    converged: bool


def above_max(queue_packets: float, swing_now: Swing, limit: float, service: Service) -> float:
    """Part of the time that the average is above max.

    While the average is above max nothing is accepted: the queue, higher than the average by d,
    drains, and the average is back after twice the time of d packets. The mean d is that of a
    Rayleigh distribution, the rate of upward crossings is Rice's; the result is at most the
    probability of a normal distribution.
    """
    deviation = swing_now.average_packets
    normal = normal_above(queue_packets, deviation, limit)
    if deviation <= 0 or service.exponent is None:
        return normal
    distance = sqrt(max(swing_now.flight_packets**2 - deviation**2, 0.0))
    place = (limit - queue_packets) / deviation
    if place <= 0:
        return normal
    crossings = distance / 2.0**service.exponent / (2 * pi * deviation) * exp(-place * place / 2)
    brief = min(crossings * 2 * distance * sqrt(pi / 2), normal)
    # near max the average does not cross it only now and then: it stays near it
    return brief + (normal - brief) * max(1 - place, 0.0)


def mean_drop(
    queue_packets: float, swing_now: Swing, profile: DropProfile | None, service: Service
) -> float:
    """Mean drop probability while the average swings around the queue's mean."""
    if profile is None or service.exponent is None:
        return 0.0
    low, high = profile.min_threshold_packets, profile.max_threshold_packets
    deviation, denominator = swing_now.average_packets, profile.mark_probability_denominator
    rising = normal_excess(queue_packets, deviation, low)
    rising -= normal_excess(queue_packets, deviation, high)
    full_drop = above_max(queue_packets, swing_now, high, service)
    slope = rising / max(high - low, 1e-9) / denominator
    return min(max(slope + full_drop * (1 - 1 / denominator), 0.0), 1.0)
