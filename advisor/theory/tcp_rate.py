"""The rate of a TCP flow at a drop probability and a round trip, by formulas.

A flow that always has data sends by the formula of J. Padhye, V. Firoiu, D. Towsley and J. Kurose
(PFTK); a transfer begins with slow start.
"""

from math import log2, sqrt

from advisor.ground.units import s_from_ms
from advisor.model import Tcp

_MOST_DROP = 0.98  # numeric: beyond it time-outs double for minutes
_DUPLICATES = 3  # acknowledgements before a fast retransmit, RFC 5681


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
