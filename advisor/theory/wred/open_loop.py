"""A class with only unresponsive traffic: the drops and the content of a queue without TCP."""

from collections.abc import Sequence
from math import inf

from advisor.theory.wred.feedback import Swing
from advisor.theory.wred.interface import TcpFlows, Unresponsive
from advisor.theory.wred.point import ClassPoint, GroupPoint, Service, mean_drop

_BISECTIONS = 50  # numeric


def solve_unresponsive(groups: Sequence[TcpFlows | Unresponsive], service: Service) -> ClassPoint:
    """Fixed point without feedback: above capacity the queue rises until drops compensate.

    Below capacity there is no queue (periodic traffic; bursts are not modelled here).
    """
    offered = [group.packets_per_second for group in groups if isinstance(group, Unresponsive)]
    capacity = service.packets_per_second
    no_swing = Swing(0.0, 0.0, inf, 1.0)
    if sum(offered) <= capacity:
        points = tuple(GroupPoint(0.0, rate, 0.0, 0.0, None) for rate in offered)
        return ClassPoint(points, 0.0, 0.0, sum(offered), 0.0, no_swing, converged=True)

    def through(queue: float) -> float:
        return sum(
            rate * (1 - mean_drop(queue, no_swing, group.profile, service))
            for rate, group in zip(offered, groups, strict=True)
        )

    low, high = 0.0, float(service.queue_limit_packets)
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if through(middle) > capacity else (low, middle)
    accepted = max(through(low), 1e-9)
    # at a threshold where all drops, the average hovers: part of the packets pass
    tail = max(1 - capacity / accepted, 0.0)
    dropped = []
    for rate, group in zip(offered, groups, strict=True):
        drop = 1 - (1 - mean_drop(low, no_swing, group.profile, service)) * (1 - tail)
        dropped.append(GroupPoint(drop, rate, 0.0, 0.0, None))
    passing = sum(point.through_per_s for point in dropped)
    return ClassPoint(tuple(dropped), low, low, passing, tail, no_swing, converged=True)
