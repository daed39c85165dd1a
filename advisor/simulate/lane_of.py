"""From the queue of a scenario to the lane of the scheduler."""

from collections.abc import Mapping
from random import Random

from advisor.settings.scenario import (
    Police,
    PriorityQueue,
    Queue,
    Scenario,
    SharedQueue,
    WfqQueue,
    wred_of,
)
from advisor.simulate.buckets import Policer, Shaper
from advisor.simulate.lanes import Lane, PriorityLane, SharedLane
from advisor.simulate.queues import Discipline, FairFlows, Fifo
from advisor.simulate.red import AverageQueue
from advisor.units import bps_from_kbps, bytes_in_ms, ratio_from_percent


def lane_of(queue: Queue, scenario: Scenario, weights: Mapping[int, float], random: Random) -> Lane:
    """The lane of a queue; `weights` are those of the streams under weighted fair queueing."""
    limit = queue.queue_limit_packets
    match queue:
        case PriorityQueue():
            policed = queue.policed_under_congestion
            return PriorityLane(
                limit,
                queue.level,
                police=_policer(queue.police),
                policer=Policer(queue.priority_kbps, queue.burst_bytes) if policed else None,
            )
        case WfqQueue():
            threshold = queue.congestive_discard_threshold_packets
            return SharedLane(limit, FairFlows(threshold, weights, drops_worst=True))
    wred = wred_of(queue)
    red = None if wred is None else AverageQueue(wred, random)
    if not isinstance(queue, SharedQueue):
        return SharedLane(limit, Fifo(), red=red)
    return SharedLane(
        limit,
        _discipline(queue, weights),
        weight=_weight(queue, scenario),
        minimum_bytes_per_ms=_minimum_bytes_per_ms(queue, scenario),
        shaper=None if queue.shape is None else Shaper(queue.shape, scenario.link, random),
        police=_policer(queue.police),
        red=red,
    )


def _policer(police: Police | None) -> Policer | None:
    return None if police is None else Policer(police.rate_kbps, police.burst_bytes)


def _discipline(queue: SharedQueue, weights: Mapping[int, float]) -> Discipline:
    fair = queue.fair_queue
    if fair is None:
        return Fifo()
    return FairFlows(
        fair.per_flow_queue_limit_packets, weights if fair.weighted_by_precedence else {}
    )


def _weight(queue: SharedQueue, scenario: Scenario) -> float:
    """Its part of what the classes of its group share."""
    if scenario.excess_bandwidth == "equal":
        return queue.bandwidth_remaining_ratio or 1.0
    return queue.weight


def _minimum_bytes_per_ms(queue: SharedQueue, scenario: Scenario) -> float:
    """The guarantee; 0 where the percentages are only weights, or nothing is guaranteed."""
    if scenario.excess_bandwidth == "proportional" or queue.bandwidth_percent is None:
        return 0.0
    base = scenario.link if scenario.shape is None else scenario.shape
    rate_kbps = base.rate_kbps * ratio_from_percent(queue.bandwidth_percent)
    return bytes_in_ms(bps_from_kbps(rate_kbps), 1.0)
