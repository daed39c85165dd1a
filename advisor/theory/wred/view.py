"""A class under WRED as the replications saw it: its drops, its queue, its surroundings."""

from collections.abc import Sequence
from statistics import fmean

from msgspec import Struct

from advisor.ground.units import ms_from_s
from advisor.model import DropProfile, Excess, Interface, Queue, QueueKind, Tcp, Traffic
from advisor.theory.wred import packet_wire_ms, shaped_ratio
from advisor.theory.wred.runs import Batch, GroupCounts, QueueCounts, RatioEstimate, ratio

# WRED's arithmetic: drop probability, the average queue size and its time constant.
#
# Knows no traffic. Thresholds and averages in packets.


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


def shares_by_flows_over_p(groups: Sequence[Traffic]) -> tuple[float, ...]:
    """Rule of thumb: shares go as flows ÷ largest drop probability.

    Its error is several hundredths if thresholds, windows or round trips differ. If a group has no
    profile, shares go as flows. Source: "Test of WRED for Bottleneck Link" (CSELT).

    >>> from advisor.model import SizeMix
    >>> profiles = (DropProfile(15, 30, 10), DropProfile(15, 30, 5), DropProfile(15, 30, 2))
    >>> tcp, size = Tcp(8, 22), SizeMix(((1500, 1.0),))
    >>> groups = [Traffic(str(p), "data", tcp, size, 3, profile=p) for p in profiles]
    >>> [round(share, 3) for share in shares_by_flows_over_p(groups)]
    [0.588, 0.294, 0.118]
    """
    has_profiles = all(group.profile is not None for group in groups)
    weights = [
        group.streams
        * (group.profile.mark_probability_denominator if has_profiles and group.profile else 1.0)
        for group in groups
    ]
    return tuple(weight / sum(weights) for weight in weights)


# A class as the replications saw it, with its surroundings.

# Loss ratio below which drops do not rule the windows: by 1.22 / sqrt(p) (M. Mathis et al., ACM CCR
# 27, 1997) a flow that loses one packet in 500 keeps 27 under way; receiver windows without scaling
# end at 12 to 44.
RARE_DROP = 2e-3


class GroupView(Struct, frozen=True):
    """A group over all replications."""

    traffic: Traffic
    seen: tuple[GroupCounts, ...]
    wire_ms: float
    link: RatioEstimate  # part of the time that its packets are on the wire
    packets_per_ms: float  # that get through

    @property
    def loss(self) -> RatioEstimate:
        return ratio([row.dropped for row in self.seen], [row.offered for row in self.seen])

    @property
    def delay_ms(self) -> RatioEstimate | None:
        """Time in the interface; None if nothing got through."""
        sent = [row.sent for row in self.seen]
        return ratio([row.delay_ms for row in self.seen], sent) if any(sent) else None


class ClassView(Struct, frozen=True):
    """A class over all replications.

    `capacity_ratio` is the part of the link that it can count on: its weight's, or what the others
    leave.
    """

    queue: Queue
    groups: tuple[GroupView, ...]
    queues: tuple[QueueCounts, ...]
    times_ms: tuple[float, ...]
    capacity_ratio: float

    @property
    def tcp(self) -> list[GroupView]:
        return [group for group in self.groups if isinstance(group.traffic.arrival, Tcp)]

    @property
    def used_ratio(self) -> float:
        """Part of the link that the class uses."""
        return sum(group.link.value for group in self.groups)

    @property
    def utilization_ratio(self) -> float:
        return self.used_ratio / max(self.capacity_ratio, 1e-9)

    @property
    def offered(self) -> float:
        return sum(row.offered for group in self.groups for row in group.seen)

    @property
    def loss_ratio(self) -> float:
        dropped = sum(row.dropped for group in self.groups for row in group.seen)
        return dropped / max(self.offered, 1.0)

    @property
    def tail_drop_ratio(self) -> float:
        dropped = sum(row.tail_dropped for group in self.groups for row in group.seen)
        return dropped / max(self.offered, 1.0)

    @property
    def above_max_ratio(self) -> float:
        """Part of the arrivals that find the average above every maximum threshold."""
        above = sum(queue.above_ratio for queue in self.queues)
        return above / len(self.queues)

    def of_queue(self, values: Sequence[float]) -> RatioEstimate:
        """Mean over time of a figure of the queue, one value for each replication."""
        weighted = [value * ms for value, ms in zip(values, self.times_ms, strict=True)]
        return ratio(weighted, self.times_ms)

    @property
    def packet_ms(self) -> float:
        """Mean time of the class's packets on the wire."""
        sent = sum(row.sent for group in self.groups for row in group.seen)
        work_ms = sum(row.work_ms for group in self.groups for row in group.seen)
        if sent:
            return work_ms / sent
        return sum(group.wire_ms for group in self.groups) / len(self.groups)

    @property
    def time_constant_ms(self) -> float | None:
        """Time constant of the average; None without WRED, and where the class sends nothing."""
        if self.queue.wred is None or self.capacity_ratio <= 0:
            return None
        rate_per_s = self.capacity_ratio / self.packet_ms * ms_from_s(1)
        return time_constant_ms(self.queue.wred.exponent, rate_per_s)

    @property
    def round_trip_ms(self) -> float | None:
        """Mean round trip of the TCP flows, queue included; None without any."""
        flows, total_ms = 0, 0.0
        for group in self.groups:
            traffic, delay = group.traffic, group.delay_ms
            if isinstance(traffic.arrival, Tcp):
                own_ms = traffic.arrival.base_rtt_ms + (delay.value if delay else 0.0)
                flows, total_ms = flows + traffic.streams, total_ms + traffic.streams * own_ms
        return total_ms / flows if flows else None


def views_of(interface: Interface, seen: Sequence[Batch]) -> tuple[ClassView, ...]:
    """The classes in their order."""
    times_ms = tuple(one.measured_ms for one in seen)
    views = [
        _group(interface, traffic, [one.groups[place] for one in seen], times_ms)
        for place, traffic in enumerate(interface.traffic)
    ]
    groups = [
        tuple(view for view in views if view.traffic.queue == queue.name)
        for queue in interface.queues
    ]
    used = [sum(group.link.value for group in own) for own in groups]
    return tuple(
        ClassView(
            queue,
            groups[index],
            tuple(one.queues[index] for one in seen),
            times_ms,
            _capacity_ratio(interface, used, index),
        )
        for index, queue in enumerate(interface.queues)
    )


def _group(
    line: Interface, traffic: Traffic, rows: Sequence[GroupCounts], times_ms: Sequence[float]
) -> GroupView:
    link = ratio([row.work_ms for row in rows], times_ms)
    per_ms = ratio([row.sent for row in rows], times_ms).value
    return GroupView(traffic, tuple(rows), packet_wire_ms(line, traffic.packet_bytes), link, per_ms)


def _capacity_ratio(line: Interface, used: Sequence[float], index: int) -> float:
    """Part of the wire's time that a class can count on; shapers leave less of it."""
    own = line.queues[index]
    size = round(fmean(traffic.packet_bytes for traffic in line.offered_to(own)))
    wire, most = (shaped_ratio(line, shaper, size) for shaper in (line.shaper, own.shaper))
    if _goes_first(own):
        return min(wire, most)
    first = sum(part for part, queue in zip(used, line.queues, strict=True) if _goes_first(queue))
    lower = [queue for queue in line.queues if not _goes_first(queue)]
    guarantee = _guaranteed_ratio(line, lower, own, wire - first)
    return min(max(guarantee, wire - (sum(used) - used[index])), most)


def _guaranteed_ratio(line: Interface, lower: Sequence[Queue], own: Queue, left: float) -> float:
    """Part of the wire's time that a queue has of `left` while all queues are busy."""
    floors = sum(queue.guarantee_bps for queue in lower) / line.rate_bps
    takers = lower
    if line.excess is Excess.UNRESERVED_FIRST:
        takers = [queue for queue in lower if not queue.guarantee_bps] or lower
    total = sum(queue.share_percent for queue in takers)
    spare = max(left - floors, 0.0) * own.share_percent / total if own in takers else 0.0
    return own.guarantee_bps / line.rate_bps + spare


def _goes_first(queue: Queue) -> bool:
    return queue.kind is QueueKind.PRIORITY
