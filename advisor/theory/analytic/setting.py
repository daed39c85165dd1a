"""An interface as the formulas take it, and why they answer none of its classes."""

from collections.abc import Sequence
from math import exp, expm1, factorial, floor, fsum, log

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.units import bytes_in_ms
from advisor.model import Bursts, OnOff, Periodic, Poisson, QueueKind, RingUnit
from advisor.theory.analytic.number import exceeds
from advisor.theory.analytic.packets import (
    Arrivals,
    Mix,
    Stream,
    arrivals_of,
    is_train,
    merged,
    mix_of,
    stream_of,
)
from advisor.theory.analytic.seen import MOST_NUMBERS, Places
from advisor.theory.flows import Flow, SortedTraffic, batch_of, passed_share
from advisor.theory.queue_shares import LEAST_LEFT, QueueShare, shares_below_llq
from advisor.theory.shape import weighted
from advisor.theory.solution import Feature

MOST_LLQ = 0.95  # load of an LLQ that is answered at all
RARE_LOSS, NEVER_LOST = 1e-3, 1e-6  # of a policer: a formula leaves out less; less is none
AT_ONCE = 0.2  # spacing in a burst, as a part of a packet's time, up to which it comes at once
FLOOD = 3.0  # load from which a queue hardly ever has a place free
RARELY_EMPTY = 7.0  # exponent of that probability
CLEARLY_OVER = 1.15  # load at which some of several queues, or of periodic sources, is never empty
SHORT_QUEUE = 8  # packets: a lower queue whose limit decides who is let in, or that often empties
MOST_PERIODS = 8  # after which the phases of two sources are the same again
_EQUAL = 1e-6  # numeric
_MOST_EXPONENT, _HALVES = 50.0, 40  # numeric: of a tail
_MOST_SUMMED, _ENDLESS = 12, 500.0  # numeric: packets of a bucket; an exponent
NEARLY_RANDOM = 10.0  # relaxations of the wire in a period
MOST_JITTER = 0.3  # of a period, up to which a packet comes in its own
MOST_STREAMS = 60  # numeric: periodic lower streams
NEARLY_ONE = 0.97  # load up to which more than `MOST_NUMBERS` are never there

_BEYOND = {
    Feature.SHAPER: "a shaper delays the packets",
    Feature.LEVELS: "several priority levels",
    Feature.POLICE: "a policer that always meters",
    Feature.PRECEDENCE: "fair queueing by IP precedence",
    Feature.EXCESS: "guarantees, beside excess bandwidth that is not shared in proportion",
    Feature.SPURTS: "on/off sources in the LLQ",
    Feature.BUNDLE: "a multilink bundle",
    Feature.DEEP: "a ring of more than 2048 packets or particles",
}


class Setting(Struct, frozen=True, eq=False):
    """An interface with an LLQ, or without one.

    `lower` are the lower packets in its ring, None without any. `below` are those packets as
    arrivals; None where they fill the wire, or come in a way that no formula has. `turns` are the
    shares of the wire of the lower queues, `carried` those of their flows.
    """

    case: SortedTraffic
    streams: tuple[Stream, ...]
    lower: Mix | None
    below: Arrivals | None
    ring: Places
    turns: tuple[QueueShare, ...] = ()
    carried: tuple[tuple[Flow, float, QueueShare], ...] = ()

    @property
    def is_full(self) -> bool:
        """Whether a lower queue never empties, as far as the formulas know."""
        return self.below is None

    @property
    def llq_load(self) -> float:
        return sum(stream.load for stream in self.streams)

    @property
    def loading(self) -> float:
        """g: mean number of LLQ packets that come while one lower packet is sent.

        The lower packet is one that an LLQ packet meets.
        """
        if self.lower is None:
            return 0.0
        return sum(stream.per_ms for stream in self.streams) * 2 * self.lower.residual_ms


def setting_of(case: SortedTraffic) -> Setting:
    """The setting of sorted traffic."""
    interface, lower = case.interface, case.lower
    ring = interface.ring
    places = Places(ring.limit, ring.unit is RingUnit.PACKETS, ring.beside_wire)
    streams = tuple(map(stream_of, case.llq))
    if not lower:
        return Setting(case, streams, None, None, places)
    turns = shares_below_llq(case)
    is_over = any(turn.backlogged for turn in turns)
    carried = tuple(
        (flow, turn.copies * (turn.carried_of(flow) if is_over else flow.load), turn)
        for turn in turns
        for flow in turn.flows
    )
    sent = [(flow, load / flow.mean_ms) for flow, load, _ in carried]
    return Setting(case, streams, mix_of(sent), _below(case), places, turns, carried)


def flooded(flow: Flow, setting: Setting) -> float | None:
    """Mean packets in the queue of the only lower class, where a flood of random ones fills it.

    A load x keeps it full up to x / (2 (x - 1)) free places.
    """
    if setting.case.load <= FLOOD or len(setting.case.lower) > 1 or not is_independent(flow):
        return None
    over = flow.load / (1 - setting.llq_load)
    return max(flow.queue.limit_packets - over / 2 / (over - 1), 0.0)


def _below(case: SortedTraffic) -> Arrivals | None:
    lower = case.lower
    if _is_always_full(case):
        return None
    periodic = _of_periodic(lower[0]) if len(lower) == 1 and case.load < 1 else None
    if periodic is None and all(
        is_independent(flow) or _is_nearly_random(flow, case) for flow in lower
    ):
        queues = {flow.queue.name: flow.queue.limit_packets for flow in lower}
        return arrivals_of([(flow, flow.rate_per_ms) for flow in lower], sum(queues.values()))
    return periodic


def _is_always_full(case: SortedTraffic) -> bool:
    """Whether random packets over the line leave a queue empty with hardly any probability.

    It falls by the load for each place (M/M/1/K).
    """
    if case.load > FLOOD:
        return True
    places = min(flow.queue.limit_packets for flow in case.lower)
    if case.load >= CLEARLY_OVER and places >= SHORT_QUEUE:
        return True
    return case.load > 1 and len(case.lower_queues) == 1 and places * log(case.load) > RARELY_EMPTY


def _of_periodic(flow: Flow) -> Arrivals | None:
    """Periodic lower packets of one size, as far as jitter leaves them so."""
    arrival, streams = flow.traffic.arrival, flow.traffic.streams
    if not isinstance(arrival, Periodic) or not flow.fixed or flow.cut or streams > MOST_STREAMS:
        return None
    period_ms = streams / flow.rate_per_ms
    if arrival.jitter_ms > MOST_JITTER * period_ms:
        return None
    arrivals = arrivals_of([(flow, flow.rate_per_ms)], flow.queue.limit_packets)
    return replace(arrivals, periodic=(streams, period_ms))


def _is_nearly_random(flow: Flow, case: SortedTraffic) -> bool:
    """Whether periodic streams are random packets to the wire, which forgets early in a period.

    The variance of their work in a time t is that of random packets, times 1 - t / period.
    """
    if not isinstance(flow.traffic.arrival, Periodic):
        return False
    return flow.traffic.streams / flow.rate_per_ms > NEARLY_RANDOM * relaxation_ms(case)


def locked_calls(flow: Flow, case: SortedTraffic) -> int:
    """Calls of a class that keep their phases to all lower packets; 0 where any of them drifts.

    Without jitter they do, where a few of one period are as long as some of the other.
    """
    if not case.lower or not all(map(_is_strict, (flow, *case.lower))):
        return 0
    own_ms = flow.traffic.streams / flow.rate_per_ms
    ratios = [item.traffic.streams / item.rate_per_ms / own_ms for item in case.lower]
    is_locked = all(
        any(abs(ratio * few - round(ratio * few)) < _EQUAL for few in range(1, MOST_PERIODS + 1))
        for ratio in ratios
    )
    return flow.traffic.streams if is_locked else 0


def _is_strict(flow: Flow) -> bool:
    arrival = flow.traffic.arrival
    return isinstance(arrival, Periodic) and not arrival.jitter_ms


def relaxation_ms(case: SortedTraffic) -> float:
    """Time in which the wire forgets: residual work by the square of what is left of it."""
    residuals = sum(flow.rate_per_ms * flow.second_ms2 * batch_of(flow) for flow in case.flows) / 2
    return residuals / max(1 - case.load, LEAST_LEFT) ** 2


def is_independent(flow: Flow) -> bool:
    """Whether packets come as a Poisson process, alone or in bursts."""
    return isinstance(flow.traffic.arrival, Poisson | Bursts)


# Why no formula answers.


def beyond(case: SortedTraffic) -> str | None:
    """Why no class of the interface is answered; None if some may be."""
    parts = sorted(case.parts, key=lambda part: part.value)
    if parts:
        return _BEYOND[parts[0]]
    reasons = (
        (
            any(flow.queue.kind is QueueKind.FAIR for flow in case.flows),
            "fair queueing of the whole interface",
        ),
        (
            any(isinstance(flow.traffic.arrival, OnOff) for flow in case.llq),
            _BEYOND[Feature.SPURTS],
        ),
        (case.llq_load > MOST_LLQ, "an LLQ that takes nearly all of the wire"),
        (_are_too_many(case), "more packets near saturation than are told apart"),
    )
    return next((why for holds, why in reasons if holds), None)


def is_spaced(flow: Flow) -> bool:
    """Whether packets of a burst come with gaps that matter."""
    arrival = flow.traffic.arrival
    if not isinstance(arrival, Bursts) or arrival.packets_per_burst == 1:
        return False
    if flow.priority and is_train(flow):
        return False
    return arrival.spacing_ms > AT_ONCE * flow.mean_ms


def _are_too_many(case: SortedTraffic) -> bool:
    queues = {flow.queue.name: flow.queue.limit_packets for flow in case.lower}
    held = case.interface.ring.limit + sum(queues.values())
    return held > MOST_NUMBERS and case.load > NEARLY_ONE and all(map(is_independent, case.lower))


def are_bursts_mixed(flows: Sequence[Flow]) -> bool:
    """Whether bursts stand beside packets of other sizes, so that a packet has no common law."""
    return len({flow.mean_ms for flow in flows}) > 1 and any(batch_of(flow) > 1 for flow in flows)


def is_policed(flow: Flow) -> bool:
    """Whether the policer of a full ring drops more than hardly any packets."""
    return passed_share(flow) < 1 or overflow_ratio(flow) > RARE_LOSS


def overflow_ratio(flow: Flow) -> float:
    """How often the bucket of a policer that always meters lacks tokens for a packet.

    Its bucket is a queue that holds so many bytes. Of random packets of one size the part is that
    of a policer (`refused`). Of calls it is about that in which the work of nD/D/1 is too much, of
    other random packets that of an exponential tail (H. Cramér): with the decay d, as many come in
    the mean as exp(d * bytes) makes good, rate * d = per_ms * (E[exp(d * bytes)] - 1).
    """
    policer = flow.queue.priority_policer
    if policer is None:
        return 0.0
    mean_bytes = weighted(flow.weights, flow.frame_bytes)
    rate = bytes_in_ms(policer.rate_bps, 1.0)  # per ms
    room = policer.burst_bytes - mean_bytes
    if room < 0:
        return 1.0
    if isinstance(flow.traffic.arrival, Periodic):
        others, period_ms = flow.traffic.streams - 1, flow.traffic.streams / flow.rate_per_ms
        return exceeds(room / mean_bytes, others, rate * period_ms / mean_bytes)
    if is_of_random_packets(flow):
        return refused(flow.rate_per_ms * mean_bytes / rate, room / mean_bytes)
    if flow.rate_per_ms * mean_bytes >= rate:
        return 1.0
    batch = batch_of(flow)
    sizes = merged(tuple(zip(flow.weights, flow.frame_bytes, strict=True)))
    bursts = [(weight * flow.rate_per_ms / batch, size * batch) for weight, size in sizes]
    ratio = exp(-_decay(bursts, rate) * room) * flow.rate_per_ms * mean_bytes / rate
    return ratio if ratio > NEVER_LOST else 0.0


def lost_at_bucket(flow: Flow) -> float:
    """Part of random packets that a policer drops which meters all of them.

    Of one size it is what a bucket refuses. Of others the tokens that its bucket lacks are the work
    of a queue, between none and the bucket: a Brownian motion with the drift x - 1 at a load x. Its
    upper end lets (x - 1) / (1 - exp(-d)) of work go in the mean, d the drift by half of the
    variance over the bucket (J. Harrison, Brownian Motion and Stochastic Flow Systems, 1985, 5.6).
    """
    policer = flow.queue.priority_policer
    if policer is None or is_of_random_packets(flow):
        return overflow_ratio(flow)
    mean_bytes = weighted(flow.weights, flow.frame_bytes)
    second = weighted(flow.weights, [size**2 for size in flow.frame_bytes])
    room = policer.burst_bytes * mean_bytes / second / batch_of(flow)
    over = 1 - bytes_in_ms(policer.rate_bps, 1.0) / (flow.rate_per_ms * mean_bytes)
    exponent = 2 * over * room
    if abs(exponent) < _EQUAL:
        return 1 / (2 * room)
    return over / -expm1(-exponent) if exponent > -_MOST_EXPONENT else 0.0


def is_of_random_packets(flow: Flow) -> bool:
    """Whether packets of one size come at random, each alone."""
    return isinstance(flow.traffic.arrival, Poisson) and flow.fixed


def refused(load: float, room: float) -> float:
    """Part of random packets of one size that finds more than so many in a bucket.

    By level crossing: the tokens that are missing, x packets, have a density g(x) that is solved
    from nothing up, whatever the limit. Its integral up to `room`, with the probability of nothing
    as 1, is load * G; a packet passes with G / (1 + load * G). Far up G grows geometrically.

    >>> round(refused(0.5, 0.0), 6)
    0.333333
    """
    if load * min(room, _MOST_SUMMED + 1) > _ENDLESS:
        return 1 - 1 / load
    beyond = max(int(room) - _MOST_SUMMED, 0)
    last, middle, first = (_passed(load, room - beyond - back) for back in range(3))
    if beyond and last - middle > NEVER_LOST * last:
        growth = log((last - middle) / (middle - first))
        further = min(beyond * growth, _MOST_EXPONENT)
        rows = beyond if abs(growth) < _EQUAL else exp(growth) * expm1(further) / expm1(growth)
        last += (last - middle) * rows
    lost = 1 - 1 / (1 / last + load)
    return lost if lost > NEVER_LOST else 0.0


def _passed(load: float, room: float) -> float:
    terms = (load * (number - room) for number in range(floor(room) + 1))
    return fsum(term**number / factorial(number) * exp(-term) for number, term in enumerate(terms))


def _decay(bursts: Sequence[tuple[float, float]], rate: float) -> float:
    """Decay of the tail, by bisection; `bursts` are numbers and bytes per ms."""
    low, high = 0.0, _MOST_EXPONENT / max(size for _, size in bursts)
    for _ in range(_HALVES):
        middle = (low + high) / 2
        if sum(number * expm1(middle * size) for number, size in bursts) < rate * middle:
            low = middle
        else:
            high = middle
    return low
