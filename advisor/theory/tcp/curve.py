"""Throughput and flight of a TCP flow against drop probability, between computed points."""

from bisect import bisect_right
from functools import lru_cache
from math import exp, log, log2

import numpy as np
from msgspec import Struct

from advisor.theory.tcp.cycle import cycle

# Numeric: the drop probabilities that are solved; between them a cubic in the logarithms.
_DROPS = (0.001, 0.003, 0.008, 0.018, 0.034, 0.057, 0.09, 0.135, 0.2, 0.3, 0.46, 0.75)
_LOG_DROPS = tuple(log(drop) for drop in _DROPS)
_TAPS = 4
_OTHERS = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))
_DENOMINATORS = tuple(
    tuple(
        (points[index] - points[a]) * (points[index] - points[b]) * (points[index] - points[c])
        for index, (a, b, c) in enumerate(_OTHERS)
    )
    for points in (
        _LOG_DROPS[first : first + _TAPS] for first in range(len(_LOG_DROPS) - _TAPS + 1)
    )
)
_TIMEOUT_STEPS = 3  # numeric: per doubling
_LONGEST_TIMEOUT_RTT = 24.0  # numeric: the longest timeout that is solved
_LAST_PACKETS = 3  # the loss of one of these has fewer than three duplicates


class FlowRate(Struct, frozen=True):
    """A flow in the mean."""

    packets_per_second: float  # every sending
    flight_packets: float  # of those that arrive
    squared_flight: float
    period_s: float  # between losses


class TcpCurve(Struct, frozen=True, eq=False):
    """A kind of TCP flow at one ratio of timeout to round trip."""

    receiver_window_packets: int
    transfer_packets: int | None
    _lines: tuple[tuple[float, ...], ...]  # logarithms at the computed points: see `_curve`

    def at(self, drop: float, rtt_s: float, rto_s: float, pause_s: float = 0.0) -> FlowRate:
        """Mean rates at a drop probability from 0 to 1, a round trip and a timeout in s.

        `pause_s` is the time between two transfers.
        """
        bounded = min(max(drop, _DROPS[0]), _DROPS[-1])
        place = log(bounded)
        first = min(max(bisect_right(_LOG_DROPS, place) - 2, 0), len(_LOG_DROPS) - _TAPS)
        weights = _cubic_weights(place, first)
        packets, turns, timeouts, squares, *opening = (
            exp(sum(weight * line[first + index] for index, weight in enumerate(weights)))
            for line in self._lines
        )
        period_s = turns * rtt_s + timeouts * rto_s
        rate, square = packets / period_s, squares * rtt_s / period_s
        window = self.receiver_window_packets
        if drop < _DROPS[0]:
            # below the first point, losses only now and then interrupt the full window
            drop_ratio = max(drop / _DROPS[0], 1e-9)
            rate = drop_ratio * rate + (1 - drop_ratio) * window / rtt_s
            square = drop_ratio * square + (1 - drop_ratio) * window**2
            period_s /= drop_ratio
        kept_ratio = 1 - min(drop, _DROPS[-1])
        if self.transfer_packets is not None:
            first_s = opening[1] * rtt_s + opening[2] * rto_s
            # too few duplicates follow the loss of one of the last packets
            late_s = min(_LAST_PACKETS * drop, 1.0) * max(1 - timeouts, 0.0) * rto_s
            rest = max(self.transfer_packets - opening[0] * kept_ratio, 0.0)
            spent_s = first_s + rest / max(rate * kept_ratio, 1e-9) + late_s + pause_s
            rate = (opening[0] + rest / kept_ratio) / spent_s
        return FlowRate(rate, rate * kept_ratio * rtt_s, square, period_s)


def _cubic_weights(place: float, first: int) -> tuple[float, ...]:
    """Weights of the four points from `first` on in the cubic through them."""
    return tuple(
        (place - _LOG_DROPS[first + a])
        * (place - _LOG_DROPS[first + b])
        * (place - _LOG_DROPS[first + c])
        / _DENOMINATORS[first][index]
        for index, (a, b, c) in enumerate(_OTHERS)
    )


def tcp_curve(
    receiver_window_packets: int,
    initial_window_packets: int,
    timeout_rtt: float,
    *,
    limited_transmit: bool,
    transfer_packets: int | None = None,
) -> TcpCurve:
    """Curve of a kind of TCP flow; the ratio of timeout to round trip is rounded to 12 %."""
    bounded = min(max(timeout_rtt, 1.0), _LONGEST_TIMEOUT_RTT)
    step = round(log2(bounded) * _TIMEOUT_STEPS)
    kind = (receiver_window_packets, initial_window_packets, limited_transmit, transfer_packets)
    return _curve(kind, step)


@lru_cache(maxsize=256)
def _curve(kind: tuple[int, int, bool, int | None], step: int) -> TcpCurve:
    window, initial_window, limited_transmit, transfer_packets = kind
    mean, opening = cycle(
        np.array(_DROPS),
        2.0 ** (step / _TIMEOUT_STEPS),
        receiver_window_packets=window,
        initial_window_packets=initial_window,
        limited_transmit=limited_transmit,
        transfer_packets=transfer_packets,
    )
    lines = [mean.packets, mean.round_trips, mean.timeouts, mean.squared_flight]
    if opening is not None:
        lines += [opening.packets, opening.round_trips, opening.timeouts]
    logs = np.log(np.maximum(np.stack(lines), 1e-12))
    return TcpCurve(window, transfer_packets, tuple(tuple(line) for line in logs.tolist()))
