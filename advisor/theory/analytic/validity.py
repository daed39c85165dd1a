"""How far a formula may be off, by numbers of the interface.

The thresholds are measured by `python -m tools.validation.analytic`: on the sets they were chosen
with, and on scenarios drawn afterwards.
"""

from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from advisor.model import OnOff, Periodic
from advisor.theory.analytic.packets import Pairs, Stream, packets_of
from advisor.theory.analytic.result import Law, Method, Result, Terms, Validity, Values
from advisor.theory.analytic.ring import RingDelay
from advisor.theory.analytic.setting import (
    CLEARLY_OVER,
    FLOOD,
    NEARLY_ONE,
    SHORT_QUEUE,
    Setting,
    are_bursts_mixed,
    is_independent,
    is_spaced,
    overflow_ratio,
)
from advisor.theory.flows import Flow, SortedTraffic, batch_of

# g, the LLQ packets that come while a lower one is sent. So many less or more come while a ring is
# passed that is a lower packet longer or shorter: a deviation of its content returns g times as
# large, with the other sign. Draws that are independent leave out g^2 of the variance, g^4 of the
# queue; from 1 on the ring swings by itself. Calls that meet themselves swing earlier.
MOST_LOADING, MOST_LOADING_OF_MET, MOST_LOADING_AT_ALL = 0.6, 0.3, 2.5
MOST_LOAD = 0.5  # of an LLQ whose packets meet each other more than lower ones
MOST_LOAD_OF_ONE = 0.7  # the same with one place
DEEP, NEARLY_OVER = 8, 0.87  # places of a ring, and load, that keep what comes together
ABOVE = 1.05  # load at which a queue of periodic sources alone is never empty
HARDLY = 0.02  # earlier packets of its stream that a packet finds
MOST_OF_ONE = 0.25  # load of one call, of the wire that all others leave
MOST_VARIETY = 4.0  # squared coefficient of variation of the packets that are waited for
SHORT_FULL_QUEUE = 16  # packets: a lower queue in overload whose last place decides
RARELY = 0.2  # earlier packets of its stream that a packet finds
MOST_OWN = 0.5  # earlier packets of its stream that a packet finds
MOST_CALLS = 2  # streams of an LLQ beside periodic lower ones
NEARLY_FULL = 0.98  # how often a ring of particles is full
MOST_ON_OFF = 0.3  # load of on/off sources beside a queue that never empties
MOST_LLQ_OF_LOWER, MOST_LLQ_OF_TAILS = 0.4, 0.3  # load of an LLQ above a lower queue
# Squared variation of the time in which a lower packet and the LLQ above it are sent: from 1 on, a
# few large packets of the LLQ make most of a wait, and p50 lies between the waits with and without.
MOST_OF_COMPLETION = 1.0
MOST_SAVED = 0.04  # of a lower delay, by packets that pass the LLQ in a ring that swings
# How often a ring is full that packets of several sizes share, and how much the sizes vary.
RARELY_FULL, MOSTLY_FULL, LITTLE_VARIETY, SOME_VARIETY = 0.01, 0.5, 0.1, 0.3
_NEVER = 1e-6  # numeric


class Judged(Struct, frozen=True):
    """Validity of the mean and of percentiles; `why` is what limits them."""

    mean: Validity
    percentiles: Validity
    why: str = ""


class Computed(Protocol):
    """A computed delay: terms of its mean, its distribution, the numbers of its formula."""

    @property
    def terms(self) -> Terms: ...
    @property
    def law(self) -> Law: ...
    @property
    def values(self) -> Values: ...


def result_of(name: str, delay: Computed, method: Method, judged: Judged, carried: float) -> Result:
    """Make the result of a class: a delay, how far it may be off, and the load that is carried."""
    return Result(
        name=name,
        terms=delay.terms,
        law=delay.law,
        values=delay.values,
        method=method,
        mean=judged.mean,
        p95=judged.percentiles,
        p99=judged.percentiles,
        carried=carried,
        why=judged.why,
    )


def llq_unanswered(setting: Setting) -> str | None:
    """Why an LLQ is not answered beside these lower classes."""
    case = setting.case
    if setting.is_full:
        over = (
            ABOVE
            if all(isinstance(flow.traffic.arrival, Periodic) for flow in case.lower)
            else CLEARLY_OVER
        )
        if not case.is_never_empty and case.load < over and not are_random(case):
            return "periodic or on/off lower sources below saturation"
    elif any(map(is_spaced, case.lower)):
        return "lower bursts whose packets come with gaps"
    elif are_bursts_mixed(case.lower) or (
        _has_bursts(setting)
        and not setting.ring.holds_one
        and not all(stream.period_ms for stream in setting.streams)
    ):
        return "bursts beside lower packets of other sizes"
    return None


def _are_calls(setting: Setting) -> bool:
    return sum(stream.number for stream in setting.streams if stream.period_ms is not None) > 1


def _has_bursts(setting: Setting) -> bool:
    return any(batch_of(flow) > 1 for flow in setting.case.lower)


def llq_validity(stream: Stream, setting: Setting, delay: RingDelay, loading: float) -> Judged:
    """Validity for a class of an LLQ; `loading` is g."""
    if loading > MOST_LOADING_AT_ALL and not _is_without_ring(setting, delay):
        why = f"g = {loading:.2g}: the ring swings between data and voice"
        return Judged(Validity.OUTSIDE, Validity.OUTSIDE, why)
    for limit in _limits(setting, delay, loading):
        return Judged(Validity.WITHIN_20, Validity.WITHIN_20, limit)
    mean = Validity.EXACT if _is_exact(stream, setting, delay) else Validity.WITHIN_5
    for limit in _percentile_limits(setting, delay):
        return Judged(mean, Validity.WITHIN_20, limit)
    return Judged(mean, Validity.WITHIN_5)


def _is_without_ring(setting: Setting, delay: RingDelay) -> bool:
    """One place, and no stream that meets itself: the formula has no ring to approximate."""
    return setting.ring.holds_one and delay.own_found * delay.full < RARELY


def _is_exact(stream: Stream, setting: Setting, delay: RingDelay) -> bool:
    """One random class and one place, or one periodic stream that never meets itself.

    The lower packets are of one class that never empties: other classes get the time that a call
    takes, and their packets gather meanwhile. Or random packets of the LLQ find lower ones, and
    none of these is lost. No policer drops any of the LLQ. With jitter two packets of a stream come
    closer than a period.
    """
    flow, *others = setting.case.llq
    if others or overflow_ratio(flow) > _NEVER:
        return False
    if setting.ring.holds_one and stream.period_ms is None:
        if setting.is_full:
            return setting.case.is_never_empty and len(setting.case.lower) == 1
        return delay.lost < _NEVER
    is_whole = setting.ring.is_packets and setting.case.interface.fragmentation is None
    is_alone = setting.case.is_never_empty and len(setting.case.lower) == 1
    is_lone = stream.number == 1 and stream.period_ms is not None and stream.train is None
    if not is_lone or not isinstance(flow.traffic.arrival, Periodic):
        return False
    closest_ms = 1000 / flow.traffic.arrival.packets_per_s - flow.traffic.arrival.jitter_ms
    is_lone = closest_ms > 0 and delay.law.packets_still_waiting(closest_ms) < _NEVER
    return is_whole and is_lone and is_alone


def _most_loading(setting: Setting, delay: RingDelay) -> float:
    calls = all(stream.period_ms and not stream.train for stream in setting.streams)
    meets = setting.is_full and calls and delay.own_found > HARDLY
    return MOST_LOADING_OF_MET if meets else MOST_LOADING


def limits_of_setting(setting: Setting) -> Iterator[str]:
    """Reasons, known before any delay is, why the mean of an LLQ may be off by more than 5 %."""
    case, loading = setting.case, setting.loading
    yield from _burst_limits(setting)
    if setting.is_full and loading > MOST_LOADING and not setting.ring.holds_one:
        yield f"g = {loading:.2g}, over {MOST_LOADING:g}"
    if setting.llq_load > MOST_LOAD_OF_ONE:
        yield f"an LLQ of {setting.llq_load:.0%} of the wire"
    if sum(flow.load for flow in case.lower if is_on_off(flow)) > MOST_ON_OFF:
        yield "on/off sources change what the ring holds"
    if len(case.lower_queues) > 1 and is_short(setting, SHORT_QUEUE):
        yield "short queues"
    yield from _overload_limits(setting)


def _limits(setting: Setting, delay: RingDelay, loading: float) -> Iterator[str]:
    """Reasons why the mean of an LLQ may be off by more than 5 %."""
    case, bare = setting.case, _is_without_ring(setting, delay)
    yield from limits_of_setting(setting)
    if not bare:
        yield from _memory_limits(setting, delay)
    if loading > _most_loading(setting, delay) and not bare:
        yield f"g = {loading:.2g}, over {_most_loading(setting, delay):g}"
    if setting.llq_load > (MOST_LOAD_OF_ONE if bare else MOST_LOAD):
        yield f"an LLQ of {setting.llq_load:.0%} of the wire"
    if not setting.ring.is_packets and not setting.ring.holds_one and delay.full < NEARLY_FULL:
        yield "a ring of particles that is not always full"
    if case.interface.fragmentation is not None and delay.places > 1:
        if len(case.lower) > 1:
            yield "fragments of several classes follow each other"
        if not setting.is_full and not all(flow.fixed for flow in case.lower):
            yield "fragments of packets of several sizes"


def _memory_limits(setting: Setting, delay: RingDelay) -> Iterator[str]:
    if heavy_call(setting) * (1 - delay.full) > MOST_OF_ONE:
        yield "a call that hardly leaves the wire before its next packet"
    if setting.below is None or all(stream.period_ms for stream in setting.streams):
        return
    if setting.below.periodic is not None:
        yield "random packets of the LLQ beside periodic lower ones"
    if setting.below.burst > 1:
        yield "random packets of the LLQ beside lower bursts or fragments"


def _burst_limits(setting: Setting) -> Iterator[str]:
    if any(stream.burst > 1 for stream in setting.streams):
        yield "bursts in the LLQ"
    if not setting.is_full and _has_bursts(setting) and _are_calls(setting):
        yield "several calls beside bursts"
    is_cut = any(flow.cut for flow in setting.case.lower)
    if not setting.is_full and _are_calls(setting) and is_cut and not setting.ring.holds_one:
        yield "several calls beside fragments that enter the ring together"


def is_on_off(flow: Flow) -> bool:
    """Whether packets come in spurts with times of silence."""
    return isinstance(flow.traffic.arrival, OnOff)


def are_random(case: SortedTraffic) -> bool:
    """Whether all lower packets come as Poisson processes, alone or in bursts."""
    return all(map(is_independent, case.lower))


def _overload_limits(setting: Setting) -> Iterator[str]:
    case = setting.case
    if case.is_never_empty or not setting.is_full or are_random(case):
        return
    if any(map(is_on_off, case.lower)):
        yield "on/off sources that fill the ring most of the time"
    if is_short(setting, SHORT_QUEUE):
        yield "short queues"


def is_short(setting: Setting, places: int) -> bool:
    """Whether a lower queue holds fewer packets than these."""
    return any(flow.queue.limit_packets < places for flow in setting.case.lower)


def _percentile_limits(setting: Setting, delay: RingDelay) -> Iterator[str]:
    """Reasons why percentiles may be off by more than 5 %."""
    if any(map(is_on_off, setting.case.lower)):
        yield "on/off sources change what the ring holds"
    if len(setting.streams) > 1 and not setting.ring.holds_one:
        yield "percentiles of several classes in the LLQ"
    if _variety(setting) > MOST_VARIETY and not setting.ring.holds_one:
        yield "few large lower packets among small ones"
    if not setting.ring.holds_one:
        yield from _mixed_limits(setting, delay)
    if any(stream.train for stream in setting.streams) and delay.own_found > RARELY:
        yield "packets of a train find as many earlier ones as are before them"
    if setting.below is None:
        return
    if setting.below.periodic and sum(item.number for item in setting.streams) > MOST_CALLS:
        yield "several streams beside periodic lower ones"
    is_deep = setting.ring.limit > DEEP and setting.case.load > NEARLY_OVER
    if is_deep and _are_calls(setting):
        yield "calls that a long queue keeps together in the ring"
    if delay.own_found * delay.full > MOST_OWN:
        yield "packets of a stream meet earlier ones of it"


def _mixed_limits(setting: Setting, delay: RingDelay) -> Iterator[str]:
    variety = _variety(setting)
    if setting.is_full and len(setting.case.lower) > 1 and variety > LITTLE_VARIETY:
        yield "lower classes of several sizes change what the ring holds"
    if RARELY_FULL < delay.full < MOSTLY_FULL and variety > SOME_VARIETY:
        yield "packets of several sizes fill the ring now and then"


def size_variety(sizes: Pairs) -> float:
    """Squared coefficient of variation of packets' times: large with few large among small ones.

    The law takes the time of several packets that wait as a normal one.
    """
    total, first, second = (sum(weight * ms**power for weight, ms in sizes) for power in (0, 1, 2))
    return second * total / first**2 - 1


def _variety(setting: Setting) -> float:
    kinds = setting.lower.kinds if setting.lower else ()
    return size_variety([(kind.weight, kind.ms) for kind in kinds]) if kinds else 0.0


def heavy_call(setting: Setting) -> float:
    """Load of the heaviest call, as a part of the wire that all others leave."""
    calls = [stream.ms / stream.period_ms for stream in setting.streams if stream.period_ms]
    heaviest = max(calls, default=0.0)
    others = setting.llq_load - heaviest + sum(flow.load for flow in setting.case.lower)
    return heaviest / max(1 - others, _NEVER)


def lower_unanswered(setting: Setting) -> str | None:
    """Why a lower class is not answered."""
    case = setting.case
    reasons = (
        (case.is_never_empty, "its delay shows the backlog that the traffic itself keeps"),
        (len(case.lower_queues) > 1, "queues that share what they do not fill"),
        (_are_conversations(setting), "conversations of a fair-queue"),
        (not are_random(case), "periodic or on/off sources"),
        (case.load > FLOOD, "a flood of several classes"),
        (any(map(is_spaced, case.lower)), "bursts whose packets come with gaps"),
        (
            setting.llq_load > MOST_LOAD or any(stream.burst > 1 for stream in setting.streams),
            "an LLQ whose work varies much",
        ),
    )
    return next((why for holds, why in reasons if holds), None)


def _are_conversations(setting: Setting) -> bool:
    return any(flow.queue.flow_limit_packets is not None for flow in setting.case.lower)


def lower_validity(setting: Setting) -> Judged:
    """Validity for the one lower queue."""
    for why in _lower_limits(setting):
        return Judged(Validity.WITHIN_20, Validity.WITHIN_20, why)
    if _has_bursts(setting):
        return Judged(Validity.WITHIN_5, Validity.WITHIN_20, "bursts")
    if setting.llq_load > MOST_LLQ_OF_TAILS:
        return Judged(Validity.WITHIN_5, Validity.WITHIN_20, "a heavy LLQ")
    if _completion_variety(setting) > MOST_OF_COMPLETION:
        return Judged(
            Validity.WITHIN_5, Validity.WITHIN_20, "packets of the LLQ larger than lower ones"
        )
    return by_variety(packets_of(setting.case.lower).sizes)


def beside_swings(judged: Judged, setting: Setting, loading: float, saved: float) -> Judged:
    """The same, where a ring saves the lower queue this part of its delay, at the LLQ's cost.

    `loading` is g: beyond its limit the LLQ waits much less than its formula says.
    """
    if setting.ring.holds_one or loading <= MOST_LOADING or saved < MOST_SAVED:
        return judged
    swings = Validity.OUTSIDE if loading > MOST_LOADING_AT_ALL else Validity.WITHIN_20
    return Judged(swings, swings, f"g = {loading:.2g}, over {MOST_LOADING:g}")


def by_variety(sizes: Pairs) -> Judged:
    """Validity in a queue of packets of these sizes."""
    if size_variety(sizes) > MOST_VARIETY:
        return Judged(Validity.WITHIN_5, Validity.WITHIN_20, "few large packets among small ones")
    return Judged(Validity.WITHIN_5, Validity.WITHIN_5)


def _completion_variety(setting: Setting) -> float:
    """Squared variation of a completion time of a lower packet of the mean size."""
    second_ms = sum(stream.moment_ms(2) for stream in setting.streams if stream.period_ms is None)
    return second_ms / packets_of(setting.case.lower).mean_ms / (1 - setting.llq_load)


def _lower_limits(setting: Setting) -> Iterator[str]:
    """Reasons why the mean of the one lower queue may be off by more than 5 %."""
    case = setting.case
    if len(case.lower) > 1 or len(case.llq) > 1 or setting.llq_load > MOST_LLQ_OF_LOWER:
        yield "several classes, or a heavy LLQ"
    if is_short(setting, SHORT_QUEUE):
        yield "a short queue"
    if case.load > 1 and is_short(setting, SHORT_FULL_QUEUE):
        yield "a short queue that is often full"
    if case.load > NEARLY_ONE and setting.ring.limit > DEEP and setting.streams:
        yield "a ring that the LLQ fills while the queue before it overflows"
    if heavy_call(setting) > MOST_OF_ONE:
        yield "a heavy call"
    if not setting.ring.holds_one and any(flow.cut for flow in case.lower):
        yield "fragments in a ring"
    if not setting.ring.is_packets and any(max(flow.units) > 1 for flow in case.lower):
        yield "packets of several particles"
