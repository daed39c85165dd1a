"""Random arrivals: when the packets of a stream come, and how large they are."""

from bisect import bisect
from collections.abc import Callable
from itertools import accumulate
from random import Random

from advisor.settings.scenario import (
    Arrival,
    Cbr,
    DiscreteSizes,
    FixedSize,
    OnOff,
    Poisson,
    PoissonBursts,
    Saturated,
    Sizes,
)
from advisor.units import ms_from_s


def mean_rate_per_ms(arrival: Arrival) -> float:
    """Packets per ms of one stream in the long run; 0 for a saturated stream, which has no rate.

    >>> mean_rate_per_ms(OnOff(100, mean_on_ms=300, mean_off_ms=700))
    0.03
    """
    match arrival:
        case Cbr() | Poisson():
            return 1 / ms_from_s(1 / arrival.packets_per_second)
        case PoissonBursts():
            return arrival.packets_per_burst / ms_from_s(1 / arrival.bursts_per_second)
        case OnOff():
            on_ratio = arrival.mean_on_ms / (arrival.mean_on_ms + arrival.mean_off_ms)
            return on_ratio / ms_from_s(1 / arrival.packets_per_second_while_on)
        case Saturated():
            return 0.0


def arrival_times_ms(arrival: Arrival, until_ms: float, random: Random) -> list[float]:
    """Ordered arrival times of one stream from 0 to `until_ms`; none for a saturated stream."""
    match arrival:
        case Cbr():
            times_ms = _cbr(arrival, until_ms, random)
        case Poisson():
            times_ms = _poisson(arrival.packets_per_second, until_ms, random)
        case PoissonBursts():
            spacing_ms = arrival.spacing_within_burst_ms
            starts_ms = _poisson(arrival.bursts_per_second, until_ms, random)
            burst = range(arrival.packets_per_burst)
            times_ms = [start_ms + index * spacing_ms for start_ms in starts_ms for index in burst]
        case OnOff():
            times_ms = _on_off(arrival, until_ms, random)
        case Saturated():
            times_ms = []
    # jitter above the period and bursts that overlap change the order
    return sorted(time_ms for time_ms in times_ms if time_ms < until_ms)


def _cbr(arrival: Cbr, until_ms: float, random: Random) -> list[float]:
    period_ms = ms_from_s(1 / arrival.packets_per_second)
    phase_ms = period_ms * random.random()
    jitter_ms, draw = arrival.uniform_jitter_ms, random.random
    count = range(int(until_ms / period_ms) + 1)
    if not jitter_ms:
        return [phase_ms + index * period_ms for index in count]
    return [phase_ms + index * period_ms + jitter_ms * draw() for index in count]


def _poisson(per_second: float, until_ms: float, random: Random) -> list[float]:
    rate_per_ms, draw = 1 / ms_from_s(1 / per_second), random.expovariate
    times_ms, now_ms = [], draw(rate_per_ms)
    while now_ms < until_ms:
        times_ms.append(now_ms)
        now_ms += draw(rate_per_ms)
    return times_ms


def _on_off(arrival: OnOff, until_ms: float, random: Random) -> list[float]:
    """One packet per period of accumulated on-time, started in the stationary state."""
    period_ms = ms_from_s(1 / arrival.packets_per_second_while_on)
    on_ms, off_ms = arrival.mean_on_ms, arrival.mean_off_ms
    times_ms: list[float] = []
    now_ms, until_packet_ms = 0.0, period_ms * random.random()
    if random.random() * (on_ms + off_ms) >= on_ms:
        now_ms = random.expovariate(1 / off_ms)
    while now_ms < until_ms:
        end_ms = now_ms + random.expovariate(1 / on_ms)
        packet_ms = now_ms + until_packet_ms
        while packet_ms < end_ms:
            times_ms.append(packet_ms)
            packet_ms += period_ms
        until_packet_ms = packet_ms - end_ms
        now_ms = end_ms + random.expovariate(1 / off_ms)
    return times_ms


def mean_size_bytes(sizes: Sizes) -> float:
    """Mean IP bytes of a packet.

    >>> mean_size_bytes(DiscreteSizes(((40, 1), (1500, 1))))
    770.0
    """
    match sizes:
        case FixedSize():
            return sizes.bytes
        case DiscreteSizes():
            total = sum(weight for _, weight in sizes.bytes_and_weights)
            return sum(size * weight for size, weight in sizes.bytes_and_weights) / total
        case _:
            return (sizes.min_bytes + sizes.max_bytes) / 2


def size_draw(sizes: Sizes, random: Random) -> Callable[[], int]:
    """A function that draws the IP bytes of the next packet."""
    match sizes:
        case FixedSize():
            fixed_bytes = sizes.bytes
            return lambda: fixed_bytes
        case DiscreteSizes():
            choices = [size for size, _ in sizes.bytes_and_weights]
            *thresholds, total = accumulate(weight for _, weight in sizes.bytes_and_weights)
            return lambda: choices[bisect(thresholds, total * random.random())]
        case _:
            low_bytes, count = sizes.min_bytes, sizes.max_bytes - sizes.min_bytes + 1
            return lambda: low_bytes + int(count * random.random())
