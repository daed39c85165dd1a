"""The fixed point of WRED and TCP: the average queue at which all flows fill the class's rate.

It explains the shares that the kernel runs: drops by the curve at one average queue, and the rate
of each flow there: a flow that always has data sends by the formula of J. Padhye, V. Firoiu,
D. Towsley and J. Kurose (PFTK); a transfer begins with slow start.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil, log2, sqrt

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.units import ms_from_s, s_from_ms
from advisor.model import DropProfile, Interface, Poisson, Queue, Tcp, Traffic
from advisor.theory.flows import Flow, flows_of, passed_share
from advisor.theory.queue_shares import queue_shares_of
from advisor.theory.shape import weighted
from advisor.theory.wred import Regime, in_queue_order, shaped_ratio, within_windows
from advisor.theory.wred.view import drop_probability

_STEPS = 2**30  # numeric: of an interval that holds the fixed point
_MOST_DROP = 0.98  # numeric: beyond it time-outs double for minutes
_DUPLICATES = 3  # acknowledgements before a fast retransmit, RFC 5681
_MIX_ROUNDS = 2  # numeric: packets of a class by group decide the time of its queue


class GroupPoint(Struct, frozen=True):
    """One group: `packets_per_second` get through; `share` is of the bytes of all TCP groups.

    `window_packets` is what one flow has under way, `timeout_ratio` the part of its losses that end
    in a time-out. TCP only: share, windows, time-outs and round trip.
    """

    name: str
    flows: int | None
    drop_ratio: float
    packets_per_second: float
    part_of_class: float
    share: float | None = None
    window_packets: float | None = None
    timeout_ratio: float | None = None
    round_trip_ms: float | None = None


class FixedPoint(Struct, frozen=True):
    """A class at its fixed point.

    `above_max_ratio` is the part of the arrivals that find the average above max, where the drops
    below max do not suffice. `rate_ratio` is the class's part of the wire, `used_ratio` the part of
    it that the groups fill, `rate_per_s` the same rate in mean packets of the class.
    """

    class_name: str
    aqs_packets: float
    above_max_ratio: float
    rate_ratio: float
    used_ratio: float
    rate_per_s: float
    groups: tuple[GroupPoint, ...]


def limit_of(regimes: Sequence[Regime]) -> Regime | None:
    """The mechanism of a class that the fixed point does not have; None where it explains.

    There nine averages in ten and nine shares of a tenth or more in ten are within 20 %
    (`tests/theory/test_fixed_point.py`).
    """
    return next((regime for regime in regimes if regime is not Regime.DIFFERENTIATION), None)


class _GroupState(Struct, frozen=True):
    drop: float
    sent_per_s: float
    work: float  # part of the wire
    round_trip_s: float


class _Served(Struct, frozen=True):
    """A class with its part of the wire, the mean times of its groups' packets, the full ring.

    `others_fill_ring`: another class always has packets waiting.
    """

    queue: Queue
    groups: tuple[Traffic, ...]
    ratio: float
    times_ms: tuple[float, ...]
    ring_ms: float
    others_fill_ring: bool

    @property
    def limit(self) -> float:
        return float(self.queue.limit_packets)

    @property
    def tcp_ratio(self) -> float:
        """Part of the wire that flows get which share a queue without WRED."""
        if not _has_tcp(self.groups):
            return 0.0
        others = sum(
            group.packets_per_s * s_from_ms(own_ms)
            for group, own_ms in zip(self.groups, self.times_ms, strict=True)
        )
        return max(self.ratio - others, 0.0)

    def end_of(self, profile: DropProfile | None) -> float:
        """The average at which every packet of a group is dropped."""
        return self.limit if profile is None else min(profile.max_threshold_packets, self.limit)

    def rows(self, aqs: float, above: float, ring: float = 1.0) -> tuple[_GroupState, ...]:
        """All groups at an average, with `above` of the arrivals beyond a max that it equals."""
        weights = [1.0] * len(self.groups)
        found: tuple[_GroupState, ...] = ()
        for _ in range(_MIX_ROUNDS):
            mean_ms = sum(map(float.__mul__, weights, self.times_ms)) / sum(weights)
            queue_ms = aqs * mean_ms / self.ratio + ring * self.ring_ms
            found = tuple(
                self._row(group, own_ms, queue_ms, self._drop(group.profile, aqs, above))
                for group, own_ms in zip(self.groups, self.times_ms, strict=True)
            )
            weights = [row.sent_per_s * (1 - row.drop) + 1e-9 for row in found]
        return found

    def used(self, aqs: float, above: float = 0.0, ring: float = 1.0) -> float:
        """Part of its rate that the class fills."""
        return sum(row.work for row in self.rows(aqs, above, ring)) / self.ratio

    def _drop(self, profile: DropProfile | None, aqs: float, above: float) -> float:
        end = self.end_of(profile)
        if aqs > end:
            return 1.0
        curve = 0.0
        if profile is not None:
            below_max = min(aqs, profile.max_threshold_packets * (1 - 1e-9))
            curve = drop_probability(below_max, profile)
        return curve + above * (1 - curve) if aqs == end else curve

    def _row(self, group: Traffic, own_ms: float, queue_ms: float, drop: float) -> _GroupState:
        if not isinstance(group.arrival, Tcp):
            sent_per_s, round_trip_s = group.packets_per_s, 0.0
        else:
            round_trip_s = s_from_ms(group.arrival.base_rtt_ms + own_ms + queue_ms)
            sent_per_s = group.streams * flow_rate_per_s(group.arrival, drop, round_trip_s)
        return _GroupState(
            drop, sent_per_s, sent_per_s * (1 - drop) * s_from_ms(own_ms), round_trip_s
        )


def fixed_points(interface: Interface) -> tuple[FixedPoint, ...]:
    """The fixed points of all classes with TCP flows under WRED, in the order of the queues."""
    interface = in_queue_order(interface)
    asked = [queue.name for queue in interface.queues if _is_asked(interface, queue)]
    # Windows that do not fill their class: others get more.
    ended: dict[str, tuple[_GroupState, ...]] = {}
    for _ in range(len(asked) + 1):
        served = _served(interface, ended)
        solved = {name: _solved(served[name]) for name in asked}
        idle = {
            name: served[name].rows(0.0, 0.0, point.ring)
            for name, point in solved.items()
            if point.used < 1 and not point.aqs
        }
        if idle.keys() <= ended.keys():
            break
        ended |= idle
    points = [_point(served[name], solved[name]) for name in asked]
    total = sum(
        group.part_of_class * point.used_ratio * point.rate_ratio
        for point in points
        for group in point.groups
        if group.flows is not None
    ) + sum(item.tcp_ratio for name, item in served.items() if name not in asked)
    return tuple(_with_shares(point, total) for point in points)


def _is_asked(interface: Interface, queue: Queue) -> bool:
    """Whether flows share one queue under WRED; with fair-queue the scheduler shares it out."""
    is_common = queue.flow_limit_packets is None and queue.wred is not None
    return is_common and _has_tcp(interface.offered_to(queue))


def _has_tcp(groups: Sequence[Traffic]) -> bool:
    return any(isinstance(group.arrival, Tcp) for group in groups)


def _with_shares(point: FixedPoint, total: float) -> FixedPoint:
    carried = point.used_ratio * point.rate_ratio / max(total, 1e-12)
    groups = tuple(
        group if group.flows is None else replace(group, share=group.part_of_class * carried)
        for group in point.groups
    )
    return replace(point, groups=groups)


def _served(line: Interface, ended: Mapping[str, tuple[_GroupState, ...]]) -> dict[str, _Served]:
    """Parts of the wire by the scheduler, where classes without a known rate are never empty."""
    interface = within_windows(line)
    states = [
        ended[queue.name][place] if queue.name in ended else None
        for queue in line.queues
        for place in range(len(line.offered_to(queue)))
    ]
    traffic = tuple(
        replace(each, arrival=Poisson(state.sent_per_s / each.streams))
        if state is not None and isinstance(each.arrival, Tcp)
        else each
        for each, state in zip(interface.traffic, states, strict=True)
    )
    flows = flows_of(replace(interface, traffic=traffic))
    room = shaped_ratio(line, line.shaper, round(max(flow.ip_bytes[0] for flow in flows)))
    first = [flow for flow in flows if flow.priority]
    room -= sum(flow.load * passed_share(flow) for flow in first)
    lower = tuple(flow for flow in flows if not flow.priority)
    turns = queue_shares_of(interface.excess, lower, max(room, 1e-6))
    ratios = dict.fromkeys((queue.name for queue in line.queues), 0.0)
    rates = dict(ratios)
    for turn in turns:
        name = turn.flows[0].queue.name
        ratios[name] += turn.copies * turn.carried
        rates[name] = max(rates[name], turn.copies * turn.rate)
    full = {turn.flows[0].queue.name for turn in turns if turn.backlogged}
    ring_ms = _ring_ms(line, flows, ratios)
    return {
        queue.name: _Served(
            queue,
            line.offered_to(queue),
            max(ratios[queue.name], rates[queue.name], 1e-9),
            tuple(flow.mean_ms for flow in flows if flow.queue.name == queue.name),
            ring_ms,
            bool(full - {queue.name}),
        )
        for queue in line.queues
    }


def _ring_ms(line: Interface, flows: Sequence[Flow], ratios: Mapping[str, float]) -> float:
    """Time in a full ring before the own sending; a shaper below the wire keeps it empty."""
    if line.shaper is not None:
        return 0.0
    names = [flow.queue.name for flow in flows]
    loads = [
        flow.load if flow.priority else ratios[name] / names.count(name)
        for flow, name in zip(flows, names, strict=True)
    ]
    per_ms = [load / flow.mean_ms for load, flow in zip(loads, flows, strict=True)]
    units = sum(
        rate * weighted(flow.weights, flow.units) for rate, flow in zip(per_ms, flows, strict=True)
    )
    places = ceil(line.ring.limit * sum(per_ms) / units) + line.ring.beside_wire
    return (places * max(len(line.members_bps), 1) - 1) * sum(loads) / sum(per_ms)


class _Solved(Struct, frozen=True):
    aqs: float
    above: float
    used: float
    ring: float = 1.0


def _solved(served: _Served) -> _Solved:
    """The average where the flows fill the rate: between thresholds, or at one that they reach."""
    if served.used(0.0) <= 1:
        if served.others_fill_ring:
            return _Solved(0.0, 0.0, served.used(0.0))
        if served.used(0.0, 0.0, 0.0) <= 1:
            return _Solved(0.0, 0.0, served.used(0.0, 0.0, 0.0), 0.0)
        ring = _filled_at(partial(served.used, 0.0, 0.0), 0.0, 1.0)
        return _Solved(0.0, 0.0, 1.0, ring)
    low = 0.0
    for end in sorted({served.end_of(group.profile) for group in served.groups}):
        if served.used(end) <= 1:
            return _Solved(_filled_at(served.used, low, end), 0.0, 1.0)
        if served.used(end, 1.0) <= 1:
            return _Solved(end, _filled_at(partial(served.used, end), 0.0, 1.0), 1.0)
        low = end
    return _Solved(low, 1.0, served.used(low, 1.0))


def _filled_at(used: Callable[[float], float], low: float, high: float) -> float:
    """The place at which a class that uses less and less of its rate fills it."""
    step = (high - low) / _STEPS
    places = range(1, _STEPS)
    unfilled = bisect_left(places, True, key=lambda place: used(low + place * step) <= 1)  # noqa: FBT003
    return low + (unfilled + 1) * step


def _point(served: _Served, solved: _Solved) -> FixedPoint:
    rows = served.rows(solved.aqs, solved.above, solved.ring)
    work = sum(row.work for row in rows)
    through = [row.sent_per_s * (1 - row.drop) for row in rows]
    groups = tuple(
        _group(group, row, row.work / work) for group, row in zip(served.groups, rows, strict=True)
    )
    return FixedPoint(
        served.queue.name,
        solved.aqs,
        solved.above,
        served.ratio,
        work / served.ratio,
        sum(through) * served.ratio / work,
        groups,
    )


def _group(group: Traffic, row: _GroupState, part: float) -> GroupPoint:
    through = row.sent_per_s * (1 - row.drop)
    if not isinstance(group.arrival, Tcp):
        return GroupPoint(group.name, None, row.drop, through, part)
    window = row.sent_per_s * row.round_trip_s / group.streams
    peak = loss_window(row.drop, float(group.arrival.receiver_window_packets))
    return GroupPoint(
        group.name,
        group.streams,
        row.drop,
        through,
        part,
        window_packets=window,
        timeout_ratio=timeout_ratio(row.drop, peak) if row.drop > 0 else 0.0,
        round_trip_ms=ms_from_s(row.round_trip_s),
    )


# The rate of a TCP flow at a drop probability and a round trip.


def greedy_rate_per_s(drop: float, round_trip_s: float, timeout_s: float, window: float) -> float:
    """Packets a second of a flow that always has data: PFTK, one acknowledgement a packet.

    Source: J. Padhye, V. Firoiu, D. Towsley, J. Kurose, ACM SIGCOMM 1998, formulas 28 to 32, b = 1.

    >>> round(greedy_rate_per_s(0.0, 0.1, 1.0, 20))
    200
    >>> round(greedy_rate_per_s(0.02, 0.1, 1.0, 44), 1)
    59.2
    """
    if drop <= 0:
        return window / round_trip_s
    drop = min(drop, _MOST_DROP)
    passed, peak = 1 - drop, loss_window(drop, window)
    late = timeout_ratio(drop, peak)
    rounds = peak / 2 + 1 if peak < window else window / 8 + passed / (drop * window) + 2
    packets = passed / drop + peak + late / passed
    return packets / (round_trip_s * rounds + late * timeout_s * _backoff(drop) / passed)


def loss_window(drop: float, window: float) -> float:
    """Packets under way when a loss is met: the receiver's window at the most.

    >>> round(loss_window(0.02, 44), 1)
    12.5
    """
    return min(1 + sqrt(8 * (1 - drop) / (3 * drop) + 1), window) if drop > 0 else window


def timeout_ratio(drop: float, window: float) -> float:
    """Part of the losses at a window that end in a time-out: too few duplicates come back.

    >>> timeout_ratio(0.1, 3)
    1.0
    >>> round(timeout_ratio(0.01, 20), 2)
    0.19
    """
    if window <= _DUPLICATES:
        return 1.0
    passed = 1 - drop
    three: float = passed**_DUPLICATES
    rest: float = passed ** (window - _DUPLICATES)
    return min(1.0, (1 - three) * (1 + three * (1 - rest)) / (1 - three * rest))


def _backoff(drop: float) -> float:
    """`f(p)` of PFTK: time-outs in a row double up to 64 times the first."""
    return 1 + drop * sum((2 * drop) ** doubled for doubled in range(6))


def flow_rate_per_s(flow: Tcp, drop: float, round_trip_s: float) -> float:
    """Packets a second that a flow sends; transfers begin with slow start.

    Source of slow start: N. Cardwell, S. Savage, T. Anderson, IEEE INFOCOM 2000.
    """
    timeout_s = max(s_from_ms(flow.minimum_rto_ms), round_trip_s)
    window = float(flow.receiver_window_packets)
    greedy = greedy_rate_per_s(drop, round_trip_s, timeout_s, window)
    packets = flow.transfer_packets
    if not packets:
        return greedy
    drop = min(drop, _MOST_DROP)
    lost = 1 - (1 - drop) ** packets  # in the transfer
    slow = min(packets, lost * (1 - drop) / drop + 1) if drop > 0 else packets
    first = min(float(flow.initial_window_packets), window)
    rounds = log2(slow / first + 1)
    doublings = log2(window / first)
    if rounds > doublings:
        rounds = doublings + (slow - (window - first)) / window
    late = timeout_ratio(drop, min(first * 2**rounds, window)) if drop > 0 else 0.0
    late_s = late * timeout_s * _backoff(drop) / (1 - drop) + (1 - late) * round_trip_s
    pause_s = s_from_ms(flow.base_rtt_ms)  # before the next transfer
    return packets / (pause_s + round_trip_s * rounds + lost * late_s + (packets - slow) / greedy)
