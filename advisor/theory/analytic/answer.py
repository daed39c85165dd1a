"""Chooses a formula for each class of an interface, and states its validity.

Notation: the LLQ are the priority queues, `lower` all others. A *place* of the ring is the room of
one lower packet. A *turn* is the share of the wire that a lower queue gets. `Setting` holds the
inputs of the formulas; docs/model.md derives them.
"""

from collections.abc import Iterator, Sequence
from math import log10, pi, sqrt
from typing import TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.questions import question
from advisor.model import Interface, OnOff, Periodic, RingUnit, Saturated
from advisor.theory.analytic.calls import (
    followed,
    followed_validity,
    ipdv_of,
    limits_of_following,
    settled_backlog,
    swings_up_slowly,
)
from advisor.theory.analytic.lower import OneOf, QueueDelay, Slowed, fifo_delay, lower_delay
from advisor.theory.analytic.number import wait_parts
from advisor.theory.analytic.orbit import Delays
from advisor.theory.analytic.packets import Mix, Stream, arrivals_of, packets_of
from advisor.theory.analytic.result import (
    Answer,
    Law,
    Method,
    Outside,
    Part,
    Result,
    Terms,
    Validity,
    Values,
    stretched,
)
from advisor.theory.analytic.ring import RingDelay, ring_delay
from advisor.theory.analytic.seen import Places, places_alone, remembered
from advisor.theory.analytic.setting import (
    Setting,
    are_bursts_mixed,
    beyond,
    flooded,
    is_independent,
    is_of_random_packets,
    is_policed,
    is_spaced,
    locked_calls,
    lost_at_bucket,
    setting_of,
)
from advisor.theory.analytic.shaped import shaped_answers
from advisor.theory.analytic.validity import (
    MOST_LOADING,
    Judged,
    beside_swings,
    by_variety,
    limits_of_setting,
    llq_unanswered,
    llq_validity,
    lower_unanswered,
    lower_validity,
    result_of,
)
from advisor.theory.flows import Flow, SortedTraffic, batch_of, case_of, flows_of
from advisor.theory.solution import Feature

RARE_FULL = 3e-3  # how often a ring is full at most, where a policer would then drop packets
MOST_FIFO = 0.9  # load at which a FIFO hardly overflows a ring of particles
MOST_PERIODIC = 0.25  # load of periodic sources in a FIFO
# Relative half-widths of a loss that is followed, by experiment, and of that of a policer.
FOLLOWED_LOSS, POLICER_LOSS = 0.4, 0.02
# The same of a FIFO that calls share, for each decade below 1: the law takes calls as random
# packets, which run a queue over more often. By experiment too.
LOSS_OF_A_DECADE = 0.33
_WITHIN_5 = Judged(Validity.WITHIN_5, Validity.WITHIN_5)
_RARE = 1e-6  # numeric


FIGURES = (Validity.EXACT, Validity.WITHIN_5)  # accurate enough to be the printed figure


def is_figure(found: Answer) -> TypeGuard[Result]:
    """Whether mean, p95 and p99 of an answer are accurate enough to be the printed figure."""
    if isinstance(found, Outside):
        return False
    return all(validity in FIGURES for validity in (found.mean, found.p95, found.p99))


@question(512)
def answer(interface: Interface) -> tuple[Answer, ...]:
    """Analytic answer for every class, in the order of the interface's traffic.

    Raises
    ------
    ModelError
        If the interface cannot be modelled as described.
    """
    return _answers(interface, figures_alone=False)


@question(512)
def figures(interface: Interface) -> tuple[Result | None, ...]:
    """The answers that are figures to print, without the work on those that can be none."""
    answers = _answers(interface, figures_alone=True)
    return tuple(found if is_figure(found) else None for found in answers)


def _answers(interface: Interface, *, figures_alone: bool) -> tuple[Answer, ...]:
    flows = flows_of(interface)
    case = case_of(interface, flows)
    if Feature.SHAPER in case.parts <= {Feature.SHAPER, Feature.EXCESS}:
        found_behind = dict(shaped_answers(case))
        return tuple(found_behind[flow.traffic.name] for flow in flows)
    why = beyond(case)
    if why is not None:
        return tuple(Outside(flow.traffic.name, why) for flow in flows)
    found = _in_one_queue(case) if case.is_fifo else _in_classes(case, figures_alone=figures_alone)
    answers = dict(found)
    return tuple(answers[flow.traffic.name] for flow in flows)


def _in_classes(case: SortedTraffic, *, figures_alone: bool) -> Iterator[tuple[str, Answer]]:
    setting = setting_of(case)
    rows = list(_by_closed_forms(setting, figures_alone=figures_alone))
    below = None
    if _may_follow(setting, [answered for _, answered, _ in rows], figures_alone=figures_alone):
        found = followed(setting)
        if found is not None:
            rows = list(_followed(setting, rows, found))
            if all(is_figure(answered) for _, answered, _ in rows):
                below = settled_backlog(found[len(rows) :])
    llq = [delay for _, _, delay in rows if delay is not None]
    yield from ((flow.traffic.name, answered) for flow, answered, _ in rows)
    for flow in case.lower:
        lower = _lower(flow, setting, llq, below, figures_alone=figures_alone)
        yield flow.traffic.name, lower


def _may_follow(setting: Setting, closed: Sequence[Answer], *, figures_alone: bool) -> bool:
    """Whether to follow packets: where no closed form is a figure.

    For figures alone, not where none can come of it.
    """
    are_trains = any(stream.train for stream in setting.streams)  # no formula has their ipdv
    if setting.lower is None or (all(map(is_figure, closed)) and not are_trains):
        return False
    if figures_alone and swings_up_slowly(setting):  # no percentile of them is
        return False
    if not any(limits_of_following(setting)):
        return True
    return not figures_alone and not any(map(is_figure, closed))


_Row = tuple[Flow, Answer, RingDelay | None]  # with the ring delay, if lower packets share the ring


def _followed(setting: Setting, rows: Sequence[_Row], found: Sequence[Delays]) -> Iterator[_Row]:
    """Answers for the priority classes whose packets are followed one after another."""
    for (flow, _, closed), stream, delays in zip(rows, setting.streams, found, strict=False):
        if setting.lower is None:
            continue
        delay = closed or _ring_delay(stream, setting, setting.lower)
        lost, half = _lost(flow, delays, setting)
        carried = stream.load * (1 - lost)
        delay = replace(
            delay,
            terms=delays.terms,
            law=delays.law,
            in_ring=carried / stream.ms * delays.terms.ring_ms,
            values=(
                *delay.values,  # of what stands in the ring: Little's law leads from it to the mean
                ("lambda", sum(item.per_ms for item in setting.streams) * (1 - lost)),
                ("w", delays.terms.queue_ms),
                ("c", delays.terms.ring_ms),
                ("s", delays.terms.sending_ms),
            ),
        )
        judged = followed_validity(setting, delays)
        result = replace(
            result_of(flow.traffic.name, delay, Method.FOLLOWED, judged, carried),
            loading=setting.loading,
            ipdv_ms=delays.ipdv_ms,
            loss_ratio=lost,
            loss_half_width=half,
        )
        yield flow, result, None if lost else delay


def _lost(flow: Flow, delays: Delays, setting: Setting) -> tuple[float, float]:
    """Loss of a class that is followed, and its half-width.

    Of random packets near the rate of a policer it is that of the bucket: it takes longer to run
    empty than packets are followed. Of one size, and always metered, it is exact.
    """
    beside = [item for item in setting.case.llq if item.queue is flow.queue]
    if not is_independent(flow) or len(beside) > 1 or not is_policed(flow):
        return delays.loss_ratio, FOLLOWED_LOSS
    if is_of_random_packets(flow) and setting.case.is_never_empty:
        return lost_at_bucket(flow), POLICER_LOSS
    return max(lost_at_bucket(flow), delays.loss_ratio), FOLLOWED_LOSS


def _by_closed_forms(setting: Setting, *, figures_alone: bool) -> Iterator[_Row]:
    case = setting.case
    # one lower class may be a figure below an LLQ that is none
    is_none = figures_alone and len(case.lower) > 1 and any(limits_of_setting(setting))
    for flow, stream in zip(case.llq, setting.streams, strict=True):
        name = flow.traffic.name
        if setting.lower is None:
            why = _lost_packets(setting, _full_alone(setting))
            yield flow, Outside(name, why) if why else _alone(flow, setting), None
            continue
        if why := llq_unanswered(setting):
            yield flow, Outside(name, why), None
            continue
        if is_none:
            yield flow, Outside(name, "no figure"), None
            continue
        delay = _ring_delay(stream, setting, setting.lower)
        if why := _lost_packets(setting, delay.full):
            yield flow, Outside(name, why), None
            continue
        loading = _loading(setting, delay)
        judged = llq_validity(stream, setting, delay, loading)
        method = Method.RING_FULL if setting.is_full else Method.RING
        result = replace(
            result_of(name, delay, method, judged, stream.load),
            loading=loading,
            locked=locked_calls(flow, case),
        )
        if is_figure(result):
            result = replace(result, ipdv_ms=ipdv_of(delay, setting, flow))
        yield flow, result, delay


def _lost_packets(setting: Setting, full: float) -> str | None:
    """Why packets of the LLQ come in bursts, or are lost, as no closed form has them."""
    llq = setting.case.llq
    if any(batch_of(flow) > flow.queue.limit_packets for flow in llq):
        return "bursts longer than the queue of the LLQ"
    if full > RARE_FULL and any(map(is_policed, llq)):
        return "the policer of the LLQ drops packets"
    if any(map(is_spaced, llq)):
        return "bursts whose packets come with gaps"
    return None


def _full_alone(setting: Setting) -> float:
    """How often an LLQ alone fills the ring at most: where it does, its policer meters."""
    held = max(int(setting.ring.limit / max(stream.units for stream in setting.streams)), 1)
    if all(stream.period_ms for stream in setting.streams):
        return float(sum(stream.number for stream in setting.streams) > held)
    return min(setting.llq_load, 1.0) ** held


def _ring_delay(stream: Stream, setting: Setting, lower: Mix) -> RingDelay:
    return ring_delay(stream, setting.streams, lower, setting.ring, setting.below)


def _loading(setting: Setting, delay: RingDelay) -> float:
    """g, weighted with how often the ring is full."""
    return setting.loading * sqrt(delay.full)


def _alone(flow: Flow, setting: Setting) -> Answer:
    """An LLQ without lower traffic: its packets wait for each other; the ring is irrelevant."""
    name, case, stream = flow.traffic.name, setting.case, setting.streams[0]
    arrival = flow.traffic.arrival
    if all(map(is_independent, case.llq)) and not are_bursts_mixed(case.llq):
        places = flow.queue.limit_packets + case.interface.ring.limit
        delay = _one_queue(flow, case.llq, places)
        return result_of(name, delay, Method.ALONE, _WITHIN_5, flow.load)
    if len(case.llq) > 1 or not isinstance(arrival, Periodic) or stream.period_ms is None:
        return Outside(name, "several classes with periodic sources, alone")
    if not flow.fixed or (arrival.jitter_ms and stream.number > 1):
        return Outside(name, "periodic packets with jitter or of several sizes, alone")
    if stream.period_ms - arrival.jitter_ms < flow.mean_ms:
        return Outside(name, "jitter that brings a packet to the one before it")
    if stream.number > flow.queue.limit_packets + 1:
        return Outside(name, "more calls than their queue holds")
    parts = tuple(wait_parts(stream.number - 1, stream.period_ms, flow.mean_ms))
    terms = Terms(Law(parts).mean_ms, 0.0, flow.mean_ms)
    exact = Judged(Validity.EXACT, Validity.WITHIN_5)
    values = (("V", terms.queue_ms), ("P", 0.0), ("k", 0.0), ("s", flow.mean_ms))
    worked = _Worked(terms, Law(parts).later(flow.mean_ms), values)
    return result_of(name, worked, Method.ALONE, exact, flow.load)


def _lower(
    flow: Flow,
    setting: Setting,
    llq: Sequence[RingDelay],
    below: Delays | None,
    *,
    figures_alone: bool,
) -> Answer:
    """The only lower queue, below an LLQ whose own delay is known; `below` if it is followed."""
    name = flow.traffic.name
    arrival = flow.traffic.arrival
    kept = arrival.backlog_packets if isinstance(arrival, Saturated) else flooded(flow, setting)
    if kept is not None and len(llq) == len(setting.streams):
        found = _backlog(flow, setting, llq, kept)
        return found if below is None else _followed_backlog(found, below)
    why = lower_unanswered(setting) if kept is None else None
    if why is None and len(llq) < len(setting.streams):
        why = "the LLQ above it is not answered"
    if why is not None or setting.lower is None:
        return Outside(name, why or "nothing is offered")
    judged = lower_validity(setting)
    if figures_alone and judged.percentiles not in FIGURES:
        return Outside(name, judged.why)
    arrivals = packets_of(setting.case.lower)
    slowed = _slowed(setting, setting.lower, llq)
    held = setting.ring.limit / (1.0 if setting.ring.is_packets else setting.lower.units)
    held = max(held - max((delay.in_ring for delay in llq), default=0.0), 1.0)
    before_last_ms = sum(
        weight * sum(times[:-1]) for weight, times in zip(flow.weights, flow.piece_ms, strict=True)
    )
    delay = lower_delay(arrivals, slowed, flow.queue.limit_packets + held, before_last_ms)
    loading = max((_loading(setting, one) for one in llq), default=0.0)
    judged = beside_swings(judged, setting, loading, dict(delay.values)["c"] / delay.terms.mean_ms)
    carried = flow.load * (1 - delay.loss_ratio)
    result = result_of(name, delay, Method.LOWER, judged, carried)
    return replace(result, loss_ratio=delay.loss_ratio, loading=loading)


def _followed_backlog(found: Answer, below: Delays) -> Answer:
    """The backlog, with the law that was followed: it swings with the LLQ in the ring."""
    if isinstance(found, Outside):
        return found
    law = stretched(below.law.parts, found.mean_ms)
    five = Validity.WITHIN_5
    return replace(found, law=law, mean=five, p95=five, p99=five, why="", ipdv_ms=below.ipdv_ms)


def _backlog(flow: Flow, setting: Setting, llq: Sequence[RingDelay], kept: float) -> Answer:
    """A class whose queue never empties: its backlog, then the ring, by Little's law."""
    name, lower = flow.traffic.name, setting.lower
    turns = [turn for turn in setting.turns for item in turn.flows if item is flow]
    is_shared = not turns or len(turns[0].flows) > 1 or flow.queue.flow_limit_packets is not None
    if lower is None or is_shared or flow.cut:
        return Outside(name, "a backlog that shares its queue, or is cut")
    carried = turns[0].carried_of(flow)
    places = llq[0].places if llq else places_alone(lower, setting.ring)
    for stream, delay in zip(setting.streams, llq, strict=True):
        part = delay.in_ring * stream.per_ms / sum(item.per_ms for item in setting.streams)
        places -= (part + stream.load) * setting.ring.taken(stream.units, lower.units)
    ring_ms = places * lower.mean_ms / (1 - setting.llq_load)
    terms = Terms(kept * flow.mean_ms / carried, max(ring_ms - flow.mean_ms, 0.0), flow.mean_ms)
    variance = max(flow.second_ms2 - flow.mean_ms**2, 0.0) / carried**2
    variance += _random(setting)[0] * flow.mean_ms / (1 - setting.llq_load) ** 3
    ring_ms2 = max((delay.law.variance_ms2 for delay in llq), default=0.0)
    law = Law((Part(1.0, terms.mean_ms, sqrt(kept * variance + ring_ms2), 0.0),))
    judged = _backlog_validity(setting, llq)
    values = (
        ("k", kept),
        ("s", flow.mean_ms),
        ("c", carried),
        ("P", places),
        ("s_l", lower.mean_ms),
        ("rho_v", setting.llq_load),
    )
    result = result_of(name, _Worked(terms, law, values), Method.BACKLOG, judged, carried)
    is_endless = isinstance(flow.traffic.arrival, Saturated)
    lost = 0.0 if is_endless else 1 - carried / flow.load
    # The difference of two normal times to leave; that of any two is their sum at most.
    most_ms = 2 * flow.mean_ms / carried
    ipdv_ms = min(2 * sqrt(variance / pi), most_ms)
    return replace(result, loss_ratio=lost, ipdv_ms=ipdv_ms, ipdv_most_ms=most_ms)


def _backlog_validity(setting: Setting, llq: Sequence[RingDelay]) -> Judged:
    swings = [_loading(setting, delay) > MOST_LOADING for delay in llq]
    if any(swings):
        return Judged(Validity.WITHIN_20, Validity.WITHIN_20, "the LLQ swings in the ring")
    if any(isinstance(flow.traffic.arrival, OnOff) for flow in setting.case.lower):
        return Judged(Validity.WITHIN_20, Validity.WITHIN_20, "on/off sources beside a backlog")
    if len(setting.case.lower) > 1 or any(stream.burst > 1 for stream in setting.streams):
        return Judged(Validity.WITHIN_5, Validity.WITHIN_20, "other classes beside a backlog")
    return _WITHIN_5


def _random(setting: Setting) -> tuple[float, float]:
    """Second and third moments of the times of packets that the LLQ gets at random in a ms."""
    streams = [stream for stream in setting.streams if stream.period_ms is None]
    return (
        sum(stream.moment_ms(2) for stream in streams),
        sum(stream.moment_ms(3) for stream in streams),
    )


def _slowed(setting: Setting, lower: Mix, llq: Sequence[RingDelay]) -> Slowed:
    """How the LLQ slows the lower queue, with the means over all streams of the LLQ."""
    residual_ms = sum(stream.moment_ms(2) / 2 for stream in setting.streams)
    longer_ms = 0.0
    for stream, delay in zip(setting.streams, llq, strict=True):
        one = ring_delay(stream, setting.streams, lower, Places(1), setting.below)
        part = stream.load / setting.llq_load
        longer_ms += (delay.terms.mean_ms - one.terms.mean_ms) * part
    return Slowed(setting.llq_load, _random(setting), residual_ms, max(longer_ms, 0.0))


def _in_one_queue(case: SortedTraffic) -> Iterator[tuple[str, Answer]]:
    """One FIFO for everything."""
    why = _fifo_unanswered(case)
    if why is not None:
        yield from ((flow.traffic.name, Outside(flow.traffic.name, why)) for flow in case.lower)
        return
    calls = [flow for flow in case.lower if isinstance(flow.traffic.arrival, Periodic)]
    judged = by_variety(packets_of(case.lower).sizes)
    if sum(flow.load for flow in calls) > MOST_PERIODIC:
        judged = Judged(Validity.WITHIN_20, Validity.WITHIN_20, "periodic sources")
    ring = case.interface.ring
    delays = [
        (flow, _one_queue(flow, case.lower, flow.queue.limit_packets + ring.limit))
        for flow in case.lower
    ]
    carried = sum(flow.load * (1 - delay.loss_ratio) for flow, delay in delays if flow in calls)
    at_random = sum(flow.load for flow in case.lower if flow not in calls)
    for flow, delay in delays:
        lost = delay.loss_ratio
        if calls and flow not in calls:  # of the work that the wire does, calls take their part
            lost = max(1 - (case.load * (1 - lost) - carried) / at_random, 0.0)
        result = result_of(flow.traffic.name, delay, Method.FIFO, judged, flow.load * (1 - lost))
        half = result.loss_half_width
        if calls and 0 < lost < 1:
            half = max(half, -log10(lost) * LOSS_OF_A_DECADE)
        yield flow.traffic.name, replace(result, loss_ratio=lost, loss_half_width=half)


def _fifo_unanswered(case: SortedTraffic) -> str | None:
    reasons = (
        (not any(map(is_independent, case.lower)), "one FIFO of periodic or on/off sources"),
        (any(map(is_spaced, case.lower)), "bursts whose packets come with gaps"),
        (are_bursts_mixed(case.lower), "bursts beside packets of other sizes"),
        (
            case.interface.ring.unit is RingUnit.PARTICLES and case.load > MOST_FIFO,
            "a ring of particles that overflows into a FIFO",
        ),
        (
            any(isinstance(flow.traffic.arrival, OnOff) for flow in case.lower),
            "on/off sources in one FIFO",
        ),
    )
    return next((why for holds, why in reasons if holds), None)


def _one_queue(flow: Flow, flows: Sequence[Flow], places: int) -> QueueDelay:
    """Delay of a class in one FIFO of all these flows.

    Of its own periodic stream, only the packets that are still in the queue count as load.
    """
    rates = [(item, item.rate_per_ms) for item in flows]
    one = None
    if isinstance(flow.traffic.arrival, Periodic):
        one_per_ms = flow.rate_per_ms / flow.traffic.streams
        others = [(item, rate - one_per_ms * (item is flow)) for item, rate in rates]
        beside = arrivals_of([(item, rate) for item, rate in others if rate > _RARE * one_per_ms])
        residual_ms = beside.second_ms / 2
        kept = remembered(flow.mean_ms, 1 / one_per_ms, beside.load, residual_ms) / flow.mean_ms
        rates = [(item, rate + kept * (item is flow)) for item, rate in others]
        one = OneOf(1 / one_per_ms, beside)
    arrivals = arrivals_of([(item, rate) for item, rate in rates if rate > 0])
    own = tuple(zip(flow.weights, flow.times_ms, strict=True))
    return fifo_delay(own, arrivals, places, (batch_of(flow) - 1) / 2, one)


class _Worked(Struct, frozen=True):
    """A computed delay: terms of its mean, its distribution, the numbers of its formula."""

    terms: Terms
    law: Law
    values: Values
