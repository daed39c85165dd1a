"""Chooses calls that are followed through a full ring packet by packet, and judges the result.

Of those that are not followed it says how consecutive delays differ.
"""

from collections.abc import Iterator, Sequence
from math import hypot, log, sqrt

from advisor.model import Bursts, Periodic, Poisson, Saturated
from advisor.theory.analytic.orbit import Delays, delays_of
from advisor.theory.analytic.packets import Mix, Pieces, Stream
from advisor.theory.analytic.phases import Clock, LowerQueue, are_few
from advisor.theory.analytic.result import Validity
from advisor.theory.analytic.ring import RingDelay, turned_ms
from advisor.theory.analytic.setting import (
    SHORT_QUEUE,
    Setting,
    flooded,
    is_independent,
    relaxation_ms,
)
from advisor.theory.analytic.validity import DEEP, Judged, is_on_off, is_short, llq_unanswered
from advisor.theory.flows import Flow
from advisor.theory.queue_shares import NOTHING

MOST_LOAD = 0.85  # of an LLQ above lower packets
# Standard error of a mean over the phases.
MOST_SCATTER, MOST_SCATTER_OF_FEW = 0.025, 0.012
MOST_SCATTER_OF_BACKLOG = 0.02
MOST_PERIODS = (8, 5)  # of few calls, in the time of a ring: with jitter, and without
LOCKED = 0.01  # squared variation of lower packets beside which few calls lock in phase
JITTERED = 0.1  # jitter, in packets of the call
# g above queues that are offered too much; above it, a queue fills a ring, and several are offered
# so much, as their shares of what is too much are not equal.
MOST_LOADING_IN_OVERLOAD, LEAST_OVERLOAD = 1.0, 1.3
SLOWLY = (0.9, 1.6)  # g, the factor of a deviation in each pass of a ring
MOST_UNLIKE = 0.25  # variation of ipdv over the phases, where a deviation does not fade
RARELY_FOUND = 0.05  # earlier packets of its stream in the ring, up to which delays are independent
RANDOMLY_FOUND = 0.25  # the same of random packets, of which any may be found
FORGOTTEN = 3.0  # longest lower packets in a period, after which sizes have blurred the slots
APART = 5.0  # relaxations in a period, after which consecutive delays are independent
BLURRED = 0.4  # deviation in slots beyond which phases of consecutive packets are independent
SWING_POWERS = 6.0  # numeric
MOST_LIGHT = 0.6  # shorter lower packets that come while one of a backlog is sent


def followed(setting: Setting) -> tuple[Delays, ...] | None:
    """Delays of all classes of an LLQ: calls, random packets, or a probe of trains alone."""
    is_train = len(setting.streams) == 1 and setting.streams[0].train is not None
    are_clocks = all(map(_is_clock, setting.case.llq))
    if not setting.is_full or not setting.turns or not (are_clocks or is_train):
        return None
    if llq_unanswered(setting):
        return None
    clocks = tuple(map(_clock, setting.case.llq, setting.streams))
    lower = lower_queues(setting)
    return delays_of(clocks, lower, setting.ring, _kept(setting), _scatter(setting))


def _scatter(setting: Setting) -> float:
    """Scatter up to which a mean holds; few calls lock in phase with lower packets of a size."""
    lower = setting.lower
    is_locked = lower is not None and lower.variance_ms2 <= LOCKED * lower.mean_ms**2
    return MOST_SCATTER_OF_FEW if is_locked and are_few(setting.streams) else MOST_SCATTER


def settled_backlog(found: Sequence[Delays]) -> Delays | None:
    """The delay of the backlog, if it was followed and its phases agree."""
    return next((delays for delays in found if delays.scatter <= MOST_SCATTER_OF_BACKLOG), None)


def _kept(setting: Setting) -> int:
    """Packets of a lone backlog whose delay is followed too: whole ones, in a ring of packets."""
    flow, *others = setting.case.lower
    if others or flow.cut or not setting.ring.is_packets:
        return 0
    arrival = flow.traffic.arrival
    if isinstance(arrival, Saturated):
        return arrival.backlog_packets
    return round(flooded(flow, setting) or 0)


def _is_clock(flow: Flow) -> bool:
    return flow.fixed and (isinstance(flow.traffic.arrival, Periodic) or is_independent(flow))


def lower_queues(setting: Setting) -> tuple[LowerQueue, ...]:
    """The queues below the LLQ, as their scheduler sends their packets."""
    sent = [(flow, load / flow.mean_ms, turn) for flow, load, turn in setting.carried]
    total = sum(rate for _, rate, _ in sent)
    queues: dict[str, list[tuple[float, float, Pieces]]] = {}
    for flow, rate, _ in sent:
        weight = flow.queue.share_percent or 1.0
        rows = zip(flow.weights, flow.frame_bytes, flow.piece_ms, flow.piece_units, strict=True)
        queues.setdefault(flow.queue.name, []).extend(
            (part * rate / total, size / weight, tuple(zip(times, units, strict=True)))
            for part, size, times, units in rows
        )
    backlogged = {flow.queue.name for flow, _, turn in sent if turn.backlogged}
    endless = {
        flow.queue.name for flow, _, _ in sent if isinstance(flow.traffic.arrival, Saturated)
    }
    return tuple(
        LowerQueue(tuple(rows), name in backlogged, name in endless)
        for name, rows in queues.items()
    )


def _clock(flow: Flow, stream: Stream) -> Clock:
    """Its packets; a policer meters all of them, as the ring is always full."""
    arrival = flow.traffic.arrival
    burst = (1, 0.0)
    if isinstance(arrival, Bursts) and stream.train is None:
        burst = (arrival.packets_per_burst, arrival.spacing_ms)
    return Clock(
        stream,
        stream.ms,
        stream.period_ms or 0.0,
        arrival.jitter_ms if isinstance(arrival, Periodic) else 0.0,
        flow.units[0],
        flow.frame_bytes[0],
        flow.queue.limit_packets,
        flow.queue.priority_policer,
        *burst,
    )


def followed_validity(setting: Setting, found: Delays) -> Judged:
    """Validity of a delay that was followed."""
    for why in _limits(setting, found):
        return Judged(Validity.WITHIN_20, Validity.WITHIN_20, why)
    if swings_up_slowly(setting):
        why = f"g = {setting.loading:.2g}: the ring swings up over more passes than are followed"
        return Judged(Validity.WITHIN_5, Validity.WITHIN_20, why)
    is_lasting = are_few(setting.streams) and setting.loading > SLOWLY[0]
    if is_lasting and found.unlike > MOST_UNLIKE:
        why = f"g = {setting.loading:.2g}: the first packets decide how far the ring swings"
        return Judged(Validity.WITHIN_5, Validity.WITHIN_20, why)
    return Judged(Validity.WITHIN_5, Validity.WITHIN_5)


def swings_up_slowly(setting: Setting) -> bool:
    """Whether a deviation of a deep ring returns little larger: it grows over many passes.

    Random packets are deviations enough of their own.
    """
    least, most = SLOWLY
    is_periodic = all(stream.period_ms for stream in setting.streams)
    return is_periodic and setting.ring.limit > DEEP and least < setting.loading < most


def passes_of_swing(setting: Setting) -> float:
    """Passes of a deep ring in which it swings up slowly; 0 where it does not.

    A deviation returns g times as large from each: after so many it has grown, or shrunk, by some
    powers of e.
    """
    if not swings_up_slowly(setting):
        return 0.0
    return SWING_POWERS / max(abs(log(setting.loading)), NOTHING)


def _limits(setting: Setting, found: Delays) -> Iterator[str]:
    if found.scatter > _scatter(setting):
        yield f"the phases of the calls decide the mean: ± {found.scatter:.0%}"
    is_few = are_few(setting.streams)
    is_calm = is_few and not any(map(_is_blurred, setting.case.llq))
    if is_few and found.terms.mean_ms > MOST_PERIODS[is_calm] * _period_ms(setting):
        yield "a ring that keeps the pattern of its first packets"
    yield from limits_of_following(setting)


def limits_of_following(setting: Setting) -> Iterator[str]:
    """Reasons, known before calls are followed, why their mean may be off by more than 5 %."""
    case = setting.case
    if setting.llq_load > MOST_LOAD:
        yield f"an LLQ of {setting.llq_load:.0%} of the wire"
    if not case.is_never_empty and is_short(setting, SHORT_QUEUE):
        yield "short queues"
    if not case.is_never_empty and any(map(is_on_off, case.lower)):
        yield "on/off sources that fill the ring only while they are on"
    if _light(setting) > MOST_LIGHT:
        yield "light lower classes that swing with the LLQ"
    is_over = case.load > LEAST_OVERLOAD or len(case.lower_queues) == 1
    is_lasting = is_over and not is_short(setting, setting.ring.limit)
    loading = setting.loading
    if not case.is_never_empty and loading > MOST_LOADING_IN_OVERLOAD and not is_lasting:
        yield f"g = {loading:.2g}: while voice swings in the ring, a lower queue may run empty"


def _is_blurred(flow: Flow) -> bool:
    arrival = flow.traffic.arrival
    return isinstance(arrival, Periodic) and arrival.jitter_ms > JITTERED * flow.mean_ms


def _period_ms(setting: Setting) -> float:
    return min((stream.period_ms or 0.0) for stream in setting.streams)


def _light(setting: Setting) -> float:
    """Packets of shorter lower classes that come while one of a backlogged class is sent.

    They take places of the ring as those of the LLQ do: with many of them it swings. Each counts by
    what it is shorter.
    """
    heavy = [flow for turn in setting.turns if turn.backlogged for flow in turn.flows]
    longest_ms = max((sqrt(flow.second_ms2) for flow in heavy), default=0.0)
    return sum(
        turn.copies * flow.rate_per_ms * max(longest_ms - flow.mean_ms, 0.0)
        for turn in setting.turns
        if not turn.backlogged
        for flow in turn.flows
    )


def ipdv_of(delay: RingDelay, setting: Setting, flow: Flow) -> float | None:
    """Mean difference of consecutive delays (IPDV); None if they depend on each other.

    Random packets depend where one finds the one before it, lower packets where they are fragments
    of one.
    """
    arrival = flow.traffic.arrival
    if setting.lower is None or len(setting.streams) > 1:
        return None
    if setting.is_full and any(item.cut for item in setting.case.lower):
        return None
    if isinstance(arrival, Periodic):
        if setting.is_full:
            return _ipdv_of_call_ms(delay, setting, setting.lower, arrival)
        return delay.law.difference_ms if _forgets(setting) else None
    found = flow.rate_per_ms * delay.terms.mean_ms
    is_drawn = isinstance(arrival, Poisson) and setting.is_full and found < RANDOMLY_FOUND
    return delay.law.difference_ms if is_drawn else None


def _ipdv_of_call_ms(
    delay: RingDelay, setting: Setting, lower: Mix, arrival: Periodic
) -> float | None:
    """The same of calls behind a full ring.

    Equal lower packets leave at fixed intervals (slots): from one packet of a stream to the next,
    the phase in the slot moves by the period less the time of the calls. If sizes or jitter blur
    the slots, the two delays are independent draws; where jitter alone does, the same calls are met
    again.
    """
    (stream,) = setting.streams
    period_ms = stream.period_ms or 0.0
    moved_ms = period_ms - stream.ms * stream.number
    is_remembered = lower.variance_ms2 and moved_ms < FORGOTTEN * lower.longest_ms
    if delay.own_found > RARELY_FOUND or is_remembered:
        return None
    by_sizes_ms = sqrt(lower.variance_ms2 * period_ms / lower.mean_ms)
    if hypot(by_sizes_ms, arrival.jitter_ms / sqrt(6)) > BLURRED * lower.mean_ms:
        is_alone = setting.ring.holds_one or stream.number == 1
        is_drawn = is_alone or by_sizes_ms > BLURRED * lower.mean_ms
        return delay.law.difference_ms if is_drawn else None
    return None if lower.variance_ms2 else turned_ms(moved_ms, lower.mean_ms, arrival.jitter_ms)


def _forgets(setting: Setting) -> bool:
    """Whether the wire forgets random work in a period: consecutive delays are two draws."""
    below = setting.below
    if below is None or below.periodic is not None:
        return False
    return (setting.streams[0].period_ms or 0.0) > APART * relaxation_ms(setting.case)
