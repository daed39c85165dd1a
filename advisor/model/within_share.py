"""A lower class within its share beside others that are never empty and fill the ring."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, hypot, sqrt

from advisor.model.flows import Flow
from advisor.model.interface import Delay, Periodic, TxRing

_LEAST_HALF_WIDTH = 0.2


@dataclass(frozen=True, slots=True)
class Estimate:
    """A delay, and how far its mean may be off, relative."""

    delay: Delay
    half_width: float


@dataclass(frozen=True, slots=True)
class Carried:
    """A flow with the part of the wire that it is carried at."""

    flow: Flow
    load: float

    @property
    def packets_per_ms(self) -> float:
        return self.load / self.flow.mean_ms


def delay_within_share(
    ring: TxRing, flow: Flow, full: Sequence[Flow], carried: Sequence[Carried]
) -> Estimate:
    """Delay of a class that asks for less than its share, where others fill the ring.

    Parameters
    ----------
    ring : TxRing
        The transmit ring.
    flow : Flow
        The class, one of those in `carried`.
    full : sequence of Flow
        Lower flows that always have packets waiting.
    carried : sequence of Carried
        All flows with what they are carried at; together the whole wire.

    Notes
    -----
    In order: the rest of the packet on the wire; packets of the other classes whose tags end
    before (self-clocked fair queueing: a tag step of own s/w holds x = (s/w) / (s_i/w_i) of
    class i, whole ones of the class that was served last); own packets ahead (Pollaczek-Khinchine
    at the class's fair rate); the ring. The mix of the ring ahead of a lower packet lies between
    that of all packets and lower ones alone: these enter behind each other, when no LLQ packet
    waits. The middle is taken and the range is in the interval. Against simulation of 24 random
    interfaces: median 6 %, 85 % within 16 %, worst 35 %; 23 inside of the interval.
    """
    free = sum(each.load for each in carried if not each.flow.priority)
    others = [each for each in full if each is not flow]
    weight = flow.queue.share_percent
    tags_ms = _ahead_ms(flow, others) / max(free, 0.05)
    rest_ms = sum(each.packets_per_ms * each.flow.second_ms2 for each in carried) / 2
    fair = free * weight / (weight + sum(each.queue.share_percent for each in others))
    queue_ms = _queue_ms(flow, fair)
    mixed_ms = _ring_ms(ring, flow, carried)
    lower_only = [each for each in carried if each.flow in others]
    alone_ms = _ring_ms(ring, flow, lower_only) if lower_only else mixed_ms
    ring_ms = (mixed_ms + alone_ms) / 2
    mean_ms = rest_ms + tags_ms + queue_ms + ring_ms + flow.mean_ms
    sigma_ms = hypot(rest_ms, queue_ms * 1.5, tags_ms / 2, abs(alone_ms - mixed_ms) / sqrt(12))
    delay = Delay(mean_ms, mean_ms, mean_ms + 1.8 * sigma_ms, mean_ms + 3 * sigma_ms, sigma_ms)
    unsure_ms = abs(alone_ms - mixed_ms) / 2 + (tags_ms + rest_ms) / 2
    return Estimate(delay, max(_LEAST_HALF_WIDTH, unsure_ms / mean_ms))


def _ahead_ms(flow: Flow, others: Sequence[Flow]) -> float:
    """Time on the wire of the others' packets that are served before a packet of the class."""
    step = flow.mean_ms / flow.queue.share_percent
    steps = [each.mean_ms / each.queue.share_percent for each in others]
    rate = sum(1 / each for each in steps)
    found = 0.0  # no others: the class itself is all but full
    for each, their in zip(others, steps, strict=True):
        last = 1 / their / rate
        count = step / their
        found += each.mean_ms * (last * floor(count) + (1 - last) * count)
    return found


def _queue_ms(flow: Flow, fair: float) -> float:
    if isinstance(flow.traffic.arrival, Periodic) and flow.traffic.streams == 1:
        return 0.0
    load = min(flow.load / fair, 0.95)
    second_ms2 = flow.second_ms2 / fair**2
    return flow.rate_per_ms * second_ms2 / 2 / (1 - load)


def _ring_ms(ring: TxRing, flow: Flow, mix: Sequence[Carried]) -> float:
    """Time that the ring ahead of a packet takes, if it holds this mix."""
    units_per_ms = sum(
        each.packets_per_ms * float(each.flow.weights @ each.flow.units) for each in mix
    )
    load = sum(each.load for each in mix)
    own = float(flow.weights @ flow.units)
    other = units_per_ms / sum(each.packets_per_ms for each in mix)
    ahead = ring.limit + ring.beside_wire * other - own + (own - 1) / 2
    return max(0.0, ahead) * load / units_per_ms
