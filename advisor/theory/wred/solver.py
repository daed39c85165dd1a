"""WRED and TCP on one interface: shares, drops and delay of every group, with their ranges.

`solve_wred` joins the fixed points of the classes by CBWFQ. Numbers in, numbers out:
`advisor.predict` translates the configuration of a router.
"""

from collections.abc import Sequence

from msgspec import Struct

from advisor.theory.wire import Framing, wire_bytes
from advisor.theory.wred.class_queue import solve_class
from advisor.theory.wred.collapse import Aftermath, Herd, aftermath
from advisor.theory.wred.curve import time_constant_ms
from advisor.theory.wred.forecast import forecast
from advisor.theory.wred.interface import (
    Bottleneck,
    TcpFlows,
    Unresponsive,
    WredClass,
    WredForecast,
    WredModelError,
)
from advisor.theory.wred.open_loop import solve_unresponsive
from advisor.theory.wred.point import ClassPoint, Service
from advisor.theory.wred.view import ClassView
from advisor.units import s_from_ms, serialization_ms

_SHARING_ROUNDS = 6  # numeric
_MOST_UNSETTLED = 2  # numeric: capacities that are tried for a class that does not settle
_SETTLED_RATIO = 1e-3  # numeric: of the link
_LEAST_RATIO = 0.01  # numeric: of the link, for a class that gets nothing
# Utilization that the herd never exceeds again: below it the regime is named, and the intervals
# include it. From an experiment, `benchmarks/wred_vs_truth.py`.
_NEAR_COLLAPSE_RATIO = 0.75
_COLLAPSED_RATIO = 0.5  # more is lost than kept
_LEAST_WINDOW_PACKETS = 2  # slow-start threshold after a timeout: all flows return to it
_HERD_WORTH_A_LOOK = 0.5  # least windows over room: with less there is no loss to repeat
_SETTLED_CONSTANTS = 3  # e^-3 is 5 %


class _Solved(Struct, frozen=True):
    point: ClassPoint
    packet_s: float
    capacity_ratio: float


def solve_wred(bottleneck: Bottleneck, classes: Sequence[WredClass]) -> WredForecast:
    """Shares, loss and delay of TCP and unresponsive groups behind one interface.

    Parameters
    ----------
    bottleneck : Bottleneck
        Rate, framing and ring.
    classes : sequence of WredClass
        CBWFQ classes, or the only queue; each with at least one group.

    Returns
    -------
    WredForecast
        In the order given. `converged` False: the iteration did not settle, use only the ranges.

    Raises
    ------
    WredModelError
        If a rate, window, count or threshold can describe no interface.

    Notes
    -----
    Per class a fixed point of the packets that the TCP flows have under way, the queue they make,
    WRED's average with its swing (`wred_feedback`) and the drops, which make the flight of NewReno
    flows by a Markov chain of their losses (`tcp_cycle`). A class gets its weight's part of the
    link, and the rate that the others leave. Not modelled: delayed acknowledgements, SACK, ECN,
    phase effects of drop-tail queues. Transfers below about 50 packets are up to 30 % too fast.
    """
    _check(bottleneck, classes)
    total = sum(wred_class.weight for wred_class in classes)
    guarantees = [wred_class.weight / total for wred_class in classes]
    used_ratios = list(guarantees)
    answers = [
        _solve(bottleneck, wred_class, ratio, is_alone=len(classes) == 1, packet_s_before=None)
        for wred_class, ratio in zip(classes, guarantees, strict=True)
    ]
    failures = [int(not first_answer.point.converged) for first_answer in answers]
    for _ in range(_SHARING_ROUNDS if len(classes) > 1 else 0):
        movement = 0.0
        for index, wred_class in enumerate(classes):
            free_ratio = 1 - sum(used_ratios[:index]) - sum(used_ratios[index + 1 :])
            capacity = max(guarantees[index], free_ratio)
            has_moved = abs(capacity - answers[index].capacity_ratio) > _SETTLED_RATIO / 2
            if has_moved and failures[index] < _MOST_UNSETTLED:
                answers[index] = _solve(
                    bottleneck,
                    wred_class,
                    capacity,
                    is_alone=False,
                    packet_s_before=answers[index].packet_s,
                )
                failures[index] += not answers[index].point.converged
            ratio_now = answers[index].point.through_per_s * answers[index].packet_s
            movement = max(movement, abs(ratio_now - used_ratios[index]))
            used_ratios[index] = ratio_now
        if movement < _SETTLED_RATIO:
            break
    pairs = zip(classes, answers, strict=True)
    return forecast(
        [_view(bottleneck, wred_class, answer, len(classes)) for wred_class, answer in pairs]
    )


def packet_seconds(bottleneck: Bottleneck, group: TcpFlows | Unresponsive) -> float:
    """Time in s of one of the group's packets on the wire."""
    framing = Framing(bottleneck.overhead_bytes, bottleneck.cells)
    return s_from_ms(serialization_ms(wire_bytes(group.packet_bytes, framing), bottleneck.rate_bps))


def _mean_packet_s(
    bottleneck: Bottleneck, wred_class: WredClass, point: ClassPoint | None
) -> float:
    weights = [1.0] * len(wred_class.groups)
    if point is not None:
        weights = [max(group.through_per_s, 1e-9) for group in point.groups]
    times = [packet_seconds(bottleneck, group) for group in wred_class.groups]
    return sum(weight * time_s for weight, time_s in zip(weights, times, strict=True)) / sum(
        weights
    )


def _solve(
    bottleneck: Bottleneck,
    wred_class: WredClass,
    ratio: float,
    *,
    is_alone: bool,
    packet_s_before: float | None,
) -> _Solved:
    packet_s = packet_s_before or _mean_packet_s(bottleneck, wred_class, None)
    ratio = max(ratio, _LEAST_RATIO)
    ring_s = 0.0 if is_alone else bottleneck.ring_packets * packet_s
    ring_packets = bottleneck.ring_packets if is_alone else 0.0
    mixed = len({group.packet_bytes for group in wred_class.groups}) > 1
    for _ in range(3 if mixed else 1):
        service = Service(
            ratio / packet_s,
            ring_s,
            ring_packets,
            wred_class.queue_limit_packets,
            wred_class.exponent,
        )
        if any(isinstance(group, TcpFlows) for group in wred_class.groups):
            point = solve_class(wred_class.groups, service)
        else:
            point = solve_unresponsive(wred_class.groups, service)
        packet_s = _mean_packet_s(bottleneck, wred_class, point)
    return _Solved(point, packet_s, ratio)


def _view(
    bottleneck: Bottleneck, wred_class: WredClass, answer: _Solved, classes: int
) -> ClassView:
    rate = answer.capacity_ratio / answer.packet_s
    ring_s = 0.0 if classes == 1 else bottleneck.ring_packets * answer.packet_s
    constant_ms = (
        None if wred_class.exponent is None else time_constant_ms(wred_class.exponent, rate)
    )
    herd = _herd(bottleneck, wred_class, answer, is_alone=classes == 1)
    tcp = [group for group in wred_class.groups if isinstance(group, TcpFlows)]
    highest = max(
        (group.profile.max_threshold_packets for group in tcp if group.profile), default=0.0
    )
    room = rate * _base_s(tcp, ring_s) + (bottleneck.ring_packets if classes == 1 else 0) + highest
    least = _LEAST_WINDOW_PACKETS * sum(group.flows for group in tcp)
    is_near = herd is not None and herd.utilization_ratio < _NEAR_COLLAPSE_RATIO
    return ClassView(
        wred_class,
        answer.point,
        answer.packet_s,
        answer.capacity_ratio,
        ring_s,
        bottleneck.ring_packets,
        tuple(packet_seconds(bottleneck, group) for group in wred_class.groups),
        constant_ms,
        herd if is_near else None,
        collapsed=herd is not None and herd.utilization_ratio < _COLLAPSED_RATIO and least > room,
    )


def _base_s(tcp: Sequence[TcpFlows], ring_s: float) -> float:
    flows = sum(group.flows for group in tcp)
    return sum(s_from_ms(group.base_rtt_ms) * group.flows for group in tcp) / max(flows, 1) + ring_s


def _herd(
    bottleneck: Bottleneck, wred_class: WredClass, answer: _Solved, *, is_alone: bool
) -> Aftermath | None:
    tcp = [group for group in wred_class.groups if isinstance(group, TcpFlows)]
    profiles = [group.profile for group in tcp if group.profile is not None]
    if wred_class.exponent is None or not profiles:
        return None
    rate = answer.capacity_ratio / answer.packet_s
    ring_s = 0.0 if is_alone else bottleneck.ring_packets * answer.packet_s
    ring = bottleneck.ring_packets if is_alone else 0.0
    room = (
        rate * _base_s(tcp, ring_s)
        + ring
        + max(profile.max_threshold_packets for profile in profiles)
    )
    least = _LEAST_WINDOW_PACKETS * sum(group.flows for group in tcp)
    if least < _HERD_WORTH_A_LOOK * room or _forgets(tcp, wred_class.exponent, rate):
        return None
    herds = [
        Herd(
            group.flows,
            s_from_ms(group.base_rtt_ms) + ring_s,
            group.receiver_window_packets,
            s_from_ms(group.minimum_rto_ms),
            group.profile,
        )
        for group in tcp
    ]
    return aftermath(
        herds,
        packets_per_second=rate,
        ring_packets=ring,
        queue_limit_packets=wred_class.queue_limit_packets,
        exponent=wred_class.exponent,
    )


def _forgets(tcp: Sequence[TcpFlows], exponent: int, rate: float) -> bool:
    """Whether the average has settled once the timers of all flows end.

    It then starts anew with them, and they get out of step: three time constants leave 5 %.
    """
    waited_s = min(s_from_ms(group.minimum_rto_ms) for group in tcp)
    return waited_s > _SETTLED_CONSTANTS * s_from_ms(time_constant_ms(exponent, rate))


def _check(bottleneck: Bottleneck, classes: Sequence[WredClass]) -> None:
    if bottleneck.rate_bps <= 0 or bottleneck.ring_packets < 1:
        raise WredModelError("the rate must be above 0 and the ring hold at least 1 packet")
    if not classes:
        raise WredModelError("there is no class")
    for wred_class in classes:
        if not wred_class.groups:
            raise WredModelError(f"class {wred_class.name}: there is no traffic in it")
        if wred_class.weight <= 0 or wred_class.queue_limit_packets < 1:
            raise WredModelError(f"class {wred_class.name}: weight and queue-limit must be above 0")
        if wred_class.exponent is not None and not 1 <= wred_class.exponent <= 16:  # noqa: PLR2004
            raise WredModelError(
                f"class {wred_class.name}: exponent {wred_class.exponent}, must be 1 to 16"
            )
        for group in wred_class.groups:
            _check_group(wred_class.name, group)


def _check_group(class_name: str, group: TcpFlows | Unresponsive) -> None:
    place = f"class {class_name}, group {group.name}"
    if isinstance(group, TcpFlows):
        counts = (group.flows, group.receiver_window_packets, group.initial_window_packets)
        if min(counts) < 1 or group.base_rtt_ms <= 0 or group.minimum_rto_ms <= 0:
            raise WredModelError(f"{place}: flows, windows, RTT and RTO must be above 0")
    elif group.packets_per_second <= 0:
        raise WredModelError(f"{place}: packets per second must be above 0")
    if group.packet_bytes < 1:
        raise WredModelError(f"{place}: packets of {group.packet_bytes} bytes")
    profile = group.profile
    if profile is None:
        return
    if not 0 <= profile.min_threshold_packets <= profile.max_threshold_packets:
        raise WredModelError(f"{place}: thresholds must be min <= max, and not below 0")
    if profile.mark_probability_denominator < 1:
        raise WredModelError(f"{place}: the denominator must be at least 1")
