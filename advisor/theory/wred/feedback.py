"""How far queue and average swing around their means: TCP's noise in WRED's control loop.

Linear: flows as a first-order lag behind the drop probability, one round trip late, the average
as another. Knows no traffic but its numbers.
"""

from functools import lru_cache
from math import erf, exp, inf, pi, sqrt

import numpy as np
from msgspec import Struct

from advisor.theory.tcp.growth import Floats

# Part of the critical gain. At the critical gain the linear swing has no bound; in fact drops do
# not fall below 0 and windows not below 1. The part is stated, not derived (docs/model.md).
_LARGEST_PART = 0.85


class Loop(Struct, frozen=True):
    """The control loop of one class.

    `variance` is the variance of the flows' packets in flight at a constant drop probability.
    `relaxation_per_s` is the rate at which they return to the mean. `gain` is the number of packets
    in flight that one more packet of the average removes, once the flows have settled.
    """

    variance: float
    relaxation_per_s: float
    gain: float
    rtt_s: float
    time_constant_s: float


class Swing(Struct, frozen=True):
    """Standard deviations in packets; `margin`: critical gain ÷ gain, inf without feedback."""

    flight_packets: float
    average_packets: float
    margin: float
    settled_ratio: float  # part of the average's swing that is slow enough for the flows to follow


@lru_cache(maxsize=1)
def _frequencies() -> tuple[Floats, Floats]:
    per_s = np.logspace(-2.5, 2.3, 180)  # numeric: 0.003 to 200 radians a second
    return per_s, np.gradient(per_s)


def swing(loop: Loop) -> Swing:
    """Deviations of flight and average in a closed loop.

    Notes
    -----
    W' = -k (W + G a(t - RTT)) + noise, T a' = W - a. Var W is the integral of 2 k V divided by
    |(iw + k)(1 + L)|^2 over frequency, L = k G exp(-iw RTT) / ((iw + k)(1 + iw T)) the loop. The
    loop swings for ever where |L| is 1 at a phase of half a turn. After the linear analysis of RED
    by C. Hollot, V. Misra, D. Towsley and W. Gong, IEEE INFOCOM 2001.
    """
    per_s, width = _frequencies()
    relaxation, lag_s = loop.relaxation_per_s, loop.time_constant_s
    turn = 1j * per_s
    plain_response = (
        relaxation * np.exp(-turn * loop.rtt_s) / ((turn + relaxation) * (1 + turn * lag_s))
    )
    phase = np.unwrap(np.angle(plain_response))
    critical = 1 / float(np.abs(plain_response[int(np.argmax(phase < -pi))]))
    gain = min(loop.gain, _LARGEST_PART * critical)
    noise = 2 * relaxation * loop.variance / pi
    flight = noise / np.abs((turn + relaxation) * (1 + gain * plain_response)) ** 2
    average = flight / (1 + (per_s * lag_s) ** 2)
    slow_response = average / (1 + (per_s / relaxation) ** 2)
    averaged = float((average * width).sum())
    return Swing(
        sqrt(float((flight * width).sum())),
        sqrt(averaged),
        critical / loop.gain if loop.gain > 0 else inf,
        float((slow_response * width).sum()) / averaged if averaged > 0 else 1.0,
    )


def normal_above(mean: float, deviation: float, limit: float) -> float:
    """Probability that a normal variable is above a limit.

    >>> normal_above(0.0, 1.0, 0.0)
    0.5
    """
    if deviation <= 0:
        return 1.0 if mean > limit else 0.0
    return 0.5 * (1 - erf((limit - mean) / deviation / sqrt(2)))


def normal_excess(mean: float, deviation: float, limit: float) -> float:
    """Mean excess of a normal variable above a limit; the excess is 0 below the limit.

    >>> round(normal_excess(0.0, 1.0, 0.0), 4)
    0.3989
    """
    if deviation <= 0:
        return max(mean - limit, 0.0)
    place = (mean - limit) / deviation
    bell = exp(-place * place / 2) / sqrt(2 * pi)
    return deviation * bell + (mean - limit) * normal_above(mean, deviation, limit)
