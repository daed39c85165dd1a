"""Throughput and flight of a TCP flow against drop probability, between computed points."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, log2

import numpy as np

from advisor.model.tcp_cycle import cycle

_DROPS = (0.001, 0.0018, 0.003, 0.005, 0.008, 0.013, 0.02, 0.03, 0.042, 0.057, 0.075, 0.1)
_DROPS += (0.13, 0.17, 0.22, 0.28, 0.36, 0.46, 0.6, 0.8)
_LOG_DROPS = tuple(log(drop) for drop in _DROPS)
_TIMEOUT_STEPS = 6  # per doubling
_LONGEST_TIMEOUT_RTT = 24.0


@dataclass(frozen=True, slots=True)
class FlowRate:
    """A flow in the mean."""

    packets_per_second: float  # every sending
    flight_packets: float  # of those that arrive
    squared_flight: float
    period_s: float  # between losses


@dataclass(frozen=True, slots=True, eq=False)
class TcpCurve:
    """A kind of TCP flow at one ratio of timeout to round trip."""

    receiver_window_packets: int
    _lines: tuple[tuple[float, ...], ...]  # logarithms at the computed points: see `_curve`

    def at(self, drop: float, rtt_s: float, rto_s: float) -> FlowRate:
        """Mean rates at a drop probability from 0 to 1, a round trip and a timeout in s."""
        bounded = min(max(drop, _DROPS[0]), _DROPS[-1])
        place = log(bounded)
        right = min(max(bisect_right(_LOG_DROPS, place), 1), len(_LOG_DROPS) - 1)
        left = right - 1
        part = (place - _LOG_DROPS[left]) / (_LOG_DROPS[right] - _LOG_DROPS[left])
        packets, turns, timeouts, squares = (
            exp(line[left] + part * (line[right] - line[left])) for line in self._lines
        )
        period_s = turns * rtt_s + timeouts * rto_s
        rate, square = packets / period_s, squares * rtt_s / period_s
        window = self.receiver_window_packets
        if drop < _DROPS[0]:
            # below the first point, losses only now and then interrupt the full window
            often = max(drop / _DROPS[0], 1e-9)
            rate = often * rate + (1 - often) * window / rtt_s
            square = often * square + (1 - often) * window**2
            period_s /= often
        kept = 1 - min(drop, 1.0)
        return FlowRate(rate, rate * kept * rtt_s, square, period_s)


def tcp_curve(
    receiver_window_packets: int,
    initial_window_packets: int,
    timeout_rtt: float,
    *,
    limited_transmit: bool,
) -> TcpCurve:
    """Curve of a kind of TCP flow; the ratio of timeout to round trip is rounded to 12 %."""
    bounded = min(max(timeout_rtt, 1.0), _LONGEST_TIMEOUT_RTT)
    step = round(log2(bounded) * _TIMEOUT_STEPS)
    return _curve(receiver_window_packets, initial_window_packets, step, limited_transmit)


@lru_cache(maxsize=256)
def _curve(window: int, initial_window: int, step: int, limited_transmit: bool) -> TcpCurve:
    found = cycle(
        np.array(_DROPS),
        2.0 ** (step / _TIMEOUT_STEPS),
        receiver_window_packets=window,
        initial_window_packets=initial_window,
        limited_transmit=limited_transmit,
    )
    lines = (found.packets, found.round_trips, found.timeouts, found.squared_flight)
    logs = np.log(np.maximum(np.stack(lines), 1e-12))
    return TcpCurve(window, tuple(tuple(line) for line in logs.tolist()))
