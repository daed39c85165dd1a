"""Fixed point of one class: TCP's flight, the queue it makes, WRED's average and its drops.

Times in s, rates in packets/s. Knows one class at a given service rate; CBWFQ is `wred`'s.
"""

from collections.abc import Sequence
from math import ceil, exp, inf, log, pi, sqrt
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.roots import root
from advisor.theory.tcp.curve import TcpCurve, tcp_curve
from advisor.theory.wred.feedback import Loop, Swing, normal_above, normal_excess, swing
from advisor.theory.wred.interface import TcpFlows, Unresponsive
from advisor.theory.wred.point import ClassPoint, GroupPoint, Service, above_max, mean_drop

# Numeric: rounds and tolerances. Classes that settle do so within ten rounds.
_ROUNDS = 20
_SETTLED, _STEP = 4e-3, 0.7
_FLIGHT_SCALE, _AVERAGE_SCALE = 20, 10  # packets that count as the whole rate when it settles
_LEAST_TCP_RATIO = 0.02  # of the class's rate, at any rate of unresponsive traffic
# RFC 6298: RTO = SRTT + 4 RTTVAR, SRTT over eight samples (alpha 1/8); the mean deviation of a
# normal variable is sqrt(2/pi) of its standard deviation, 0.8.
_DEVIATIONS, _SAMPLES, _MEAN_DEVIATION = 4, 8, 0.8
_LEAST_VARIANCE = 0.05  # of the flight: losses move even a window that its receiver limits
_STEP_OF_DROP, _STEP_SQUARED = 1.2, 1.44  # numeric: of the derivative by the drop probability


class _State(Struct, frozen=True):
    """Values that a round of the iteration takes from the round before."""

    swing: Swing
    through_per_s: tuple[float, ...]  # packets/s of each group
    settled_factors: tuple[float, ...]  # factor on each group's rate for slow swings of the average
    rtt_s: tuple[float, ...]


class _Queue(Struct, frozen=True):
    """The queue that a group meets: its packets, time in queue and ring, drops at the limit."""

    packets: float
    wait_s: float
    tail_drop: float


_Curves: TypeAlias = list[tuple[TcpCurve, float] | None]


class _Class:
    """The equations of one class."""

    def __init__(self, groups: Sequence[TcpFlows | Unresponsive], service: Service) -> None:
        self.groups, self.service = tuple(groups), service
        self.base_s = [
            group.base_rtt_ms / 1000 + service.ring_s if isinstance(group, TcpFlows) else 0.0
            for group in groups
        ]

    @property
    def first_wait_s(self) -> float:
        """Wait of the first queue: between the thresholds, else half the limit."""
        profiles = [group.profile for group in self.groups if group.profile is not None]
        limit = self.service.queue_limit_packets
        packets = limit / 2
        if profiles and self.service.exponent is not None:
            low = min(profile.min_threshold_packets for profile in profiles)
            high = max(profile.max_threshold_packets for profile in profiles)
            packets = min((low + high) / 2, limit)
        return (packets + self.service.ring_packets) / self.service.packets_per_second

    def _rto_s(self, group: TcpFlows, rtt_s: float, rate: float, state: _State) -> float:
        """RFC 6298: smoothed RTT + 4 mean deviations, the latter over eight samples."""
        deviation_s = state.swing.flight_packets / self.service.packets_per_second
        forgetting = 1 - exp(-_SAMPLES / max(rate, 1e-3))
        variation_s = _MEAN_DEVIATION * deviation_s * sqrt(forgetting)
        return max(group.minimum_rto_ms / 1000, rtt_s + _DEVIATIONS * variation_s)

    def _window_packets(self, group: TcpFlows) -> int:
        """Window that a flow can fill: at most the packets that line, ring and queue hold."""
        service = self.service
        capacity_packets = service.packets_per_second * (group.base_rtt_ms / 1000 + service.ring_s)
        capacity_packets += service.ring_packets + service.queue_limit_packets
        return max(1, min(group.receiver_window_packets, ceil(capacity_packets) + 1))

    def curves(self, state: _State) -> _Curves:
        """Curve and timeout in s of each TCP group, for the round trips of the state."""
        curves: _Curves = []
        for group, rtt_s, throughput in zip(
            self.groups, state.rtt_s, state.through_per_s, strict=True
        ):
            if not isinstance(group, TcpFlows):
                curves.append(None)
                continue
            rto_s = self._rto_s(group, rtt_s, throughput / group.flows, state)
            curve = tcp_curve(
                self._window_packets(group),
                group.initial_window_packets,
                rto_s / rtt_s,
                limited_transmit=group.limited_transmit,
                transfer_packets=group.transfer_packets,
            )
            curves.append((curve, rto_s))
        return curves

    def _point(self, flight: float, state: _State, curves: _Curves) -> ClassPoint:
        """Groups' demand when the flows together have `flight` packets under way."""
        service, deviation = self.service, state.swing.flight_packets
        capacity = service.packets_per_second
        other_rate = sum(
            throughput
            for group, throughput in zip(self.groups, state.through_per_s, strict=True)
            if isinstance(group, Unresponsive)
        )
        tcp_capacity = max(capacity - other_rate, _LEAST_TCP_RATIO * capacity)
        tcp_part = tcp_capacity / capacity
        tcp_throughput = sum(state.through_per_s) - other_rate
        base_s = sum(
            base * throughput
            for base, throughput, group in zip(
                self.base_s, state.through_per_s, self.groups, strict=True
            )
            if isinstance(group, TcpFlows)
        ) / max(tcp_throughput, 1e-9)
        pipe = tcp_capacity * base_s
        ring = pipe + service.ring_packets * tcp_part
        full = ring + service.queue_limit_packets * tcp_part
        overflow = normal_excess(flight, deviation, full)
        backlog = (normal_excess(flight, deviation, pipe) - overflow) / tcp_part
        queue = (normal_excess(flight, deviation, ring) - overflow) / tcp_part
        idle = normal_excess(-flight, deviation, -pipe)
        throughput = (pipe - idle) / base_s + other_rate
        tail = min(overflow / flight, 1.0)
        groups = tuple(
            self._group(index, _Queue(queue, backlog / capacity, tail), state, curves[index])
            for index in range(len(self.groups))
        )
        return ClassPoint(groups, queue, backlog, throughput, tail, state.swing, converged=False)

    def _group(
        self, index: int, queue: _Queue, state: _State, flow: tuple[TcpCurve, float] | None
    ) -> GroupPoint:
        group = self.groups[index]
        drop = mean_drop(queue.packets, state.swing, group.profile, self.service)
        drop = 1 - (1 - drop) * (1 - queue.tail_drop)
        if flow is None or isinstance(group, Unresponsive):
            sent = 0.0 if isinstance(group, TcpFlows) else group.packets_per_second
            return GroupPoint(drop, sent, 0.0, 0.0, None)
        rtt_s = self.base_s[index] + queue.wait_s
        curve, rto_s = flow
        rate = curve.at(drop, rtt_s, rto_s, group.base_rtt_ms / 1000)
        factor = state.settled_factors[index]
        sent = rate.packets_per_second * factor * group.flows
        return GroupPoint(drop, sent, rate.flight_packets * factor, rtt_s, rate)

    def _demand(self, point: ClassPoint) -> float:
        return sum(
            member.flight_packets * group.flows
            for member, group in zip(point.groups, self.groups, strict=True)
            if isinstance(group, TcpFlows)
        )

    def balance(self, state: _State) -> ClassPoint:
        """The fixed point: the flight whose drops give the same flight."""
        curves = self.curves(state)

        def lacking(flight: float) -> float:
            return self._demand(self._point(flight, state, curves)) - flight

        windows = (
            group.flows * group.receiver_window_packets
            for group in self.groups
            if isinstance(group, TcpFlows)
        )
        least = (
            0.01
            * self.service.packets_per_second
            * min(base_s for base_s in self.base_s if base_s > 0)
        )
        return self._point(root(lacking, least, 1.0 + sum(windows)), state, curves)

    def next_state(self, point: ClassPoint, state: _State) -> _State:
        """Swings, throughputs and slow-swing factors at a point."""
        variance = forgetting = gain = flights = turns = 0.0
        factors = []
        for group, member, flow in zip(self.groups, point.groups, self.curves(state), strict=True):
            if not isinstance(group, TcpFlows) or member.rate is None or flow is None:
                factors.append(1.0)
                continue
            own_rtt = max(
                member.rate.squared_flight - member.rate.flight_packets**2,
                _LEAST_VARIANCE * member.flight_packets,
            )
            variance += group.flows * own_rtt
            forgetting += group.flows * own_rtt / member.rate.period_s
            flights += group.flows * member.flight_packets
            turns += group.flows * member.flight_packets * member.rtt_s
            elasticity = _elasticity(flow[0], member.drop, member.rtt_s, flow[1])
            loss, variation = self._response(group, point, state, member.drop, elasticity)
            gain += group.flows * member.flight_packets * loss
            convexity = 0.5 * elasticity * (elasticity + 1) * variation
            factors.append(1 + state.swing.settled_ratio * convexity)
        relaxation = forgetting / variance if variance > 0 else 1.0
        swinging = self._swing(variance, relaxation, max(gain, 0.0), turns / max(flights, 1e-9))
        return _State(
            swinging,
            tuple(member.through_per_s for member in point.groups),
            tuple(factors),
            tuple(member.rtt_s for member in point.groups),
        )

    def _response(
        self, group: TcpFlows, point: ClassPoint, state: _State, drop: float, elasticity: float
    ) -> tuple[float, float]:
        """Relative loss of flight by a packet more of the average; variation of the drops squared.

        On the slope flows follow the drop probability; above max they end.
        """
        profile, deviation = group.profile, state.swing.average_packets
        if self.service.exponent is None or profile is None or drop <= 0:
            return 0.0, 0.0
        low, high = profile.min_threshold_packets, profile.max_threshold_packets
        mean = point.queue_packets
        between_ratio = normal_above(mean, deviation, low) - normal_above(mean, deviation, high)
        rise = between_ratio / max(high - low, 1e-9) / profile.mark_probability_denominator
        place = (mean - high) / max(deviation, 1e-3)
        edge = exp(-place * place / 2) / sqrt(2 * pi) / max(deviation, 1e-3)
        edge *= above_max(mean, state.swing, high, self.service) / max(
            normal_above(mean, deviation, high), 1e-12
        )
        variation = min((rise * deviation / drop) ** 2, 1.0)
        return elasticity * rise / drop + edge, variation

    def _swing(self, variance: float, relaxation: float, gain: float, rtt_s: float) -> Swing:
        exponent = self.service.exponent
        if exponent is None:
            return Swing(sqrt(variance), 0.0, inf, 1.0)
        lag_s = 2.0**exponent / self.service.packets_per_second
        return swing(Loop(variance, relaxation, gain, max(rtt_s, 1e-3), lag_s))


def _elasticity(curve: TcpCurve, drop: float, rtt_s: float, rto_s: float) -> float:
    """Percent of flight that is lost by one more percent of drop probability."""
    if drop <= 0:
        return 0.0
    higher, lower = (
        curve.at(drop * factor, rtt_s, rto_s).flight_packets
        for factor in (_STEP_OF_DROP, 1 / _STEP_OF_DROP)
    )
    return log(lower / max(higher, 1e-12)) / log(_STEP_SQUARED)


def _blend(old: _State, new: _State) -> _State:
    def mid(old_value: float, new_value: float) -> float:
        return old_value + _STEP * (new_value - old_value)

    return replace(
        new,
        swing=Swing(
            mid(old.swing.flight_packets, new.swing.flight_packets),
            mid(old.swing.average_packets, new.swing.average_packets),
            new.swing.margin,
            mid(old.swing.settled_ratio, new.swing.settled_ratio),
        ),
        through_per_s=tuple(
            mid(first, second)
            for first, second in zip(old.through_per_s, new.through_per_s, strict=True)
        ),
        settled_factors=tuple(
            mid(first, second)
            for first, second in zip(old.settled_factors, new.settled_factors, strict=True)
        ),
    )


def _distance(first: _State, second: _State, capacity: float) -> float:
    rates = zip(first.through_per_s, second.through_per_s, strict=True)
    movements = [abs(old - new) / capacity for old, new in rates]
    movements.append(abs(first.swing.flight_packets - second.swing.flight_packets) / _FLIGHT_SCALE)
    movements.append(
        abs(first.swing.average_packets - second.swing.average_packets) / _AVERAGE_SCALE
    )
    return max(movements)


def solve_class(groups: Sequence[TcpFlows | Unresponsive], service: Service) -> ClassPoint:
    """Fixed point of a class with at least one TCP group.

    Parameters
    ----------
    groups : sequence of TcpFlows and Unresponsive
        The traffic of the class.
    service : Service
        Rate, ring and queue of the class.

    Notes
    -----
    The inner loop solves the flight (packets of TCP under way) for given swings: packets beyond the
    pipe are in ring and queue, the queue makes the drops, and the drops make the flight. The outer
    loop solves the swings for the flight. Flight and average are taken as normal variables.
    """
    equations = _Class(groups, service)
    equal_rate = service.packets_per_second / len(groups)
    throughputs = tuple(
        min(equal_rate, group.packets_per_second) if isinstance(group, Unresponsive) else equal_rate
        for group in groups
    )
    rtt_s = tuple(base + equations.first_wait_s for base in equations.base_s)
    state = _State(Swing(3.0, 1.0, inf, 0.5), throughputs, (1.0,) * len(groups), rtt_s)
    point = equations.balance(state)
    for _ in range(_ROUNDS):
        following = equations.next_state(point, state)
        distance = _distance(state, following, service.packets_per_second)
        state = _blend(state, following)
        point = equations.balance(state)
        if distance < _SETTLED:
            return replace(point, swing=following.swing, converged=True)
    return replace(point, swing=state.swing)
