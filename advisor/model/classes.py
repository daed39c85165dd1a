"""Delays of the classes below the LLQ, from the conservation of work."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.model.below import Start
from advisor.model.flows import Floats, Flow
from advisor.model.interface import Delay, Periodic, Poisson
from advisor.model.offered import Mix, mean_work_ms
from advisor.model.queue_chain import Chain

QUANTILES = (0.5, 0.95, 0.99)


def wait_of_all_ms(lower: Mix, llq: Sequence[Flow], llq_wait_ms: float, *, cut: bool) -> float:
    """Mean wait before service, by work, of all lower packets together.

    Work is conserved whatever the order: the mean work of the link is the sum over classes of
    load x wait + lambda E[s^2] / 2. Between fragments LLQ packets pass, so a cut packet's own rest
    lasts longer.
    """
    work_ms = mean_work_ms(lower, llq)
    llq_load = sum(flow.load for flow in llq)
    llq_rest = sum((flow.packets_per_ms or 0.0) * flow.second_ms2 / 2 for flow in llq)
    rest = lower.packets_per_ms * float(lower.weights @ lower.times_ms**2) / 2
    if cut:
        rest /= 1 - llq_load
    return max(0.0, (work_ms - llq_load * llq_wait_ms - llq_rest - rest) / lower.load)


def shape_of(state: Chain, start: Start, slow: float) -> tuple[Floats, Floats]:
    """Sojourn times of lower packets served in order on the slowed wire, with their masses."""
    mean_ms = float(state.weights @ state.times_ms)
    times = (np.maximum(start.present - 1, 0) + start.part) * mean_ms + mean_ms / slow
    order = np.argsort(times)
    return times[order], start.masses[order]


def scaled(times: Floats, masses: Floats, mean_ms: float, own_ms: float) -> Delay:
    """A delay of the given mean with the shape of `times` beyond the packet's own time."""
    wait = times - times[0]
    typical = float(wait @ masses) / float(masses.sum())
    factor = max(0.0, mean_ms - own_ms) / typical if typical > 0 else 0.0
    cumulated = np.cumsum(masses) / masses.sum()
    at = np.searchsorted(cumulated, QUANTILES).clip(max=len(wait) - 1)
    p50, p95, p99 = (own_ms + factor * wait[at]).tolist()
    difference = float(np.sum(cumulated[:-1] * (1 - cumulated[:-1]) * np.diff(wait)) * 2 * factor)
    return Delay(mean_ms, p50, p95, p99, difference)


def difference_of_poisson_ms(delay: Delay, flow: Flow) -> float:
    """Mean |difference| of the delays of consecutive packets of a stream, exponential gaps.

    The next packet finds what is left after the gap and adds its own time:
    ``|max(D - gap, 0) + s - D|`` with D exponential of the given mean.
    """
    rate = (flow.packets_per_ms or 0.0) / flow.traffic.streams
    gap_ms = 1 / rate
    level = (np.arange(24) + 0.5) / 24
    gaps = np.full(1, gap_ms) if isinstance(flow.traffic.arrival, Periodic) else -gap_ms * np.log(1 - level)
    own = flow.mean_ms
    delays = own - (delay.mean_ms - own) * np.log(1 - level)
    left = np.maximum(delays[:, None] - gaps, 0.0) + own - delays[:, None]
    return float(np.abs(left).mean())


@dataclass(frozen=True, slots=True)
class Share:
    """A lower class in the division of what waits before the ring: load, weight, tag step."""

    load: float
    weight: float
    tag_ms: float  # its packet's time divided by its weight


def divide_wait_ms(shares: Sequence[Share], total_ms: float) -> tuple[float, ...]:
    """Mean wait before the ring of each class under self-clocked fair queueing.

    The load-weighted mean of the waits is `total_ms` (work is conserved). A class waits in
    proportion to its tag step (a packet of step L/w is overtaken by those that end earlier) and to
    how far its load exceeds its part: the queue of a class of load rho on its part phi of the link
    is that of 1 / (1 - rho'), rho' its load over what the others leave, no less than phi.
    """
    load = sum(share.load for share in shares)
    weight = sum(share.weight for share in shares)
    raw = []
    for share in shares:
        others = [other for other in shares if other is not share]
        left = 1 - sum(min(o.load, o.weight / weight) for o in others)
        room = max(share.weight / weight, left)
        raw.append(share.tag_ms / weight + total_ms * share.load / max(room - share.load * 0.999, 1e-3))
    scale = total_ms * load / sum(s.load * r for s, r in zip(shares, raw, strict=True))
    return tuple(scale * r for r in raw)


def full_queue_ms(flow: Flow, service_ms: float, limit_packets: int, ring_ms: float) -> float:
    """Mean delay in a queue that overload keeps full, by Little's law.

    After a packet leaves, its place is empty until the next arrival: half a period of periodic
    sources, a whole mean gap of Poisson ones.
    """
    gap_ms = 1 / (flow.packets_per_ms or 1.0)
    empty = gap_ms / (2 if isinstance(flow.traffic.arrival, Periodic) else 1) / service_ms
    if isinstance(flow.traffic.arrival, Poisson):
        load = service_ms / gap_ms
        empty = min(1 / (load - 1), limit_packets / 2) if load > 1 else limit_packets / 2
    return (limit_packets - min(empty, limit_packets / 2)) * service_ms + ring_ms
