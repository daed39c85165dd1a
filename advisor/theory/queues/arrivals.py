"""Arrival times of a flow in independent lanes, from the stationary state of its sources."""

import numpy as np

from advisor.theory.flows import Floats, Flow
from advisor.theory.interface import Bursts, OnOff, Periodic
from advisor.theory.ring.ring_recursion import FAR_MS

DEVIATIONS, SPARE = 5.0, 12  # numeric: more packets than the mean that are drawn


def draw_arrivals(
    flow: Flow, horizon_ms: float, lanes: int, generator: np.random.Generator
) -> Floats:
    """Arrival times of all streams from 0 to about `horizon_ms`, sorted, shape (packets, lanes)."""
    arrival, streams, rate = flow.traffic.arrival, flow.traffic.streams, flow.rate_per_ms
    match arrival:
        case Periodic(_, jitter_ms):
            period_ms = streams / rate
            rows = int((horizon_ms + jitter_ms) / period_ms) + 2
            phases = np.sort(generator.random((streams, lanes)), axis=0)
            times_ms = (np.arange(rows)[:, None, None] + phases) * period_ms - jitter_ms
            if not jitter_ms:
                return times_ms.reshape(-1, lanes)
            times_ms += jitter_ms * generator.random(times_ms.shape)
        case Bursts(_, packets, spacing_ms):
            length_ms = (packets - 1) * spacing_ms
            starts_ms = _random(rate / packets, horizon_ms + length_ms, lanes, generator)
            steps_ms = np.arange(packets)[:, None] * spacing_ms - length_ms
            times_ms = starts_ms[:, None, :] + steps_ms
        case OnOff():
            times_ms = _trains(arrival, streams, horizon_ms, lanes, generator)
        case _:
            return _random(rate, horizon_ms, lanes, generator)
    # packets before the start are gone; rows must be equally long
    return np.sort(np.where(times_ms < 0, FAR_MS, times_ms).reshape(-1, lanes), axis=0)


def _random(
    rate_per_ms: float, until_ms: float, lanes: int, generator: np.random.Generator
) -> Floats:
    """A Poisson process."""
    mean = rate_per_ms * until_ms
    rows = int(mean + DEVIATIONS * np.sqrt(mean)) + SPARE
    times: Floats = np.cumsum(generator.standard_exponential((rows, lanes)), axis=0) / rate_per_ms
    return times


def _trains(
    arrival: OnOff, streams: int, horizon_ms: float, lanes: int, generator: np.random.Generator
) -> Floats:
    """On/off sources with one packet per 1/peak of the time that they are on.

    A gap between packets holds a Poisson number of exponential off times, so packets are a renewal
    process. At the start a source is at a random moment of its on time, or of an off time.
    """
    gap_ms, on_ms, off_ms = (
        1000 / arrival.peak_packets_per_s,
        arrival.mean_on_ms,
        arrival.mean_off_ms,
    )
    on_ratio = on_ms / (on_ms + off_ms)
    most = horizon_ms / gap_ms
    memory_ms = on_ms * off_ms / (on_ms + off_ms)
    variance = most**2 * on_ratio * (1 - on_ratio) * min(1.0, 2 * memory_ms / horizon_ms)
    rows = int(min(most, most * on_ratio + DEVIATIONS * np.sqrt(variance))) + SPARE
    shape = (rows, streams, lanes)
    gaps_ms = gap_ms + off_ms * generator.standard_gamma(generator.poisson(gap_ms / on_ms, shape))
    part = generator.random(shape[1:])
    is_off = generator.random(shape[1:]) >= on_ratio
    off_times = generator.poisson(part * gap_ms / on_ms) + is_off
    gaps_ms[0] = part * gap_ms + off_ms * generator.standard_gamma(off_times)
    times: Floats = np.cumsum(gaps_ms, axis=0)
    return times
