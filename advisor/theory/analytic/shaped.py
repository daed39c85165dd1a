"""Answers for the classes behind a shaper of all traffic, while a lower class never empties.

The figures are those of `tokens.py`; here stand which interfaces they are for, and how valid they
are: measured by `tests/theory/analytic/test_shaped.py` and by drawn scenarios.
"""

from collections.abc import Iterator, Sequence
from math import pi, sqrt

from msgspec import Struct
from msgspec.structs import replace

from advisor.model import Periodic, Poisson, RingUnit, Saturated, Shaper
from advisor.theory.analytic.packets import Mix, Stream, merged, mix_of
from advisor.theory.analytic.result import Answer, Method, Outside, Validity
from advisor.theory.analytic.seen import Places, places_alone
from advisor.theory.analytic.setting import CLEARLY_OVER, Setting, is_policed, setting_of
from advisor.theory.analytic.tokens import (
    Line,
    ShapedDelay,
    Wire,
    backlog_delay,
    line_of_tokens,
    llq_delay,
)
from advisor.theory.analytic.validity import Judged, result_of
from advisor.theory.flows import Flow, SortedTraffic, case_of, flows_of, line_of
from advisor.theory.queue_shares import QueueShare

MOST_LLQ, MOST_LLQ_AT_ALL = 0.3, 0.6  # load of the LLQ on the line
# Part of the line's time that its lower packets take on the wire: of one size, and of several,
# which stand in the ring together when the line sends short ones after a long one.
MOST_OF_WIRE, MOST_OF_MIXED = 0.5, 0.15
MOST_AT_ALL, MOST_AT_ALL_MIXED = 0.8, 0.35
SURE = 4.0  # deviations of the packets that come in a Tc, which the queue of the LLQ holds
TCS_HELD = 2.0  # times what goes in a Tc that an overloaded queue holds
NEAR = 1.5  # factor between the part that waits and that above a percentile: it may be 0 or a Tc
FEW_PLACES = 3  # of a Tc, beyond which those of a call are about all of them
_EQUAL = 1e-6  # numeric

_EMPTY = "lower queues that run empty before a shaper"
_SLOW_WIRE = "a wire that is hardly faster than its shaper"


class _Shaped(Struct, frozen=True, eq=False):
    """An interface behind a shaper: its traffic on the wire and on the line, and its tokens."""

    case: SortedTraffic
    line: Setting
    tokens: Line
    lower: Mix  # on the wire


def shaped_answers(case: SortedTraffic) -> Iterator[tuple[str, Answer]]:
    """Answers for an interface whose only feature is a shaper."""
    shaper, why = case.interface.shaper, _unanswered(case)
    shaped = None if shaper is None or why else _shaped(case, shaper)
    if shaped is None or (why := _not_full(shaped)):
        for flow in case.flows:
            yield flow.traffic.name, Outside(flow.traffic.name, why or _EMPTY)
        return
    for flow, on_line in zip(case.llq, shaped.line.case.llq, strict=True):
        yield flow.traffic.name, _llq(shaped, flow, on_line)
    for flow, on_line in zip(case.lower, shaped.line.case.lower, strict=True):
        yield flow.traffic.name, _lower(shaped, flow, on_line)


def _unanswered(case: SortedTraffic) -> str | None:
    interface = case.interface
    reasons = (
        (any(queue.shaper is not None for queue in interface.queues), "a shaper of a class"),
        (case.is_fifo, "one FIFO behind a shaper"),
        (any(flow.cut for flow in case.lower), "fragments behind a shaper"),
        (
            not all(isinstance(flow.traffic.arrival, Periodic | Poisson) for flow in case.llq),
            "bursts or on/off sources in an LLQ behind a shaper",
        ),
        (any(map(is_policed, case.llq)), "the policer of the LLQ drops packets"),
    )
    return next((why for holds, why in reasons if holds), None)


def _shaped(case: SortedTraffic, shaper: Shaper) -> _Shaped | None:
    interface = line_of(case.interface, shaper)
    line = setting_of(case_of(interface, flows_of(interface)))
    on_wire = {flow.traffic.name: flow for flow in case.flows}
    sent = [(flow, load / flow.mean_ms) for flow, load, _ in line.carried if load > 0]
    if not sent:
        return None
    lower = mix_of([(on_wire[flow.traffic.name], rate) for flow, rate in sent])
    ring = case.interface.ring
    places = Places(ring.limit, ring.unit is RingUnit.PACKETS, ring.beside_wire)
    wire = Wire(
        merged([(kind.weight, kind.ms) for kind in lower.kinds]),
        max(round(places_alone(lower, places)), 1),
        case.llq_load,
    )
    sizes = [
        (rate * weight, ms)
        for flow, rate in sent
        for weight, ms in zip(flow.weights, flow.times_ms, strict=True)
    ]
    return _Shaped(case, line, line_of_tokens(shaper, sizes, line.streams, wire), lower)


def _not_full(shaped: _Shaped) -> str | None:
    """Why no lower queue keeps the shaper busy, or packets of the LLQ may find no place."""
    tokens, line = shaped.tokens, shaped.line
    lasting = (_lasts(shaped, turn) for turn in line.turns)
    most = MOST_AT_ALL if len(tokens.sizes) == 1 else MOST_AT_ALL_MIXED
    reasons = (
        (not any(lasting), _EMPTY),
        (line.llq_load > MOST_LLQ_AT_ALL, f"an LLQ of {line.llq_load:.0%} of a shaper"),
        (bool(line.streams) and shaped.lower.mean_ms > most * tokens.mean_ms, _SLOW_WIRE),
        (
            any(not _holds_a_tc(shaped, flow) for flow in shaped.case.llq),
            "more packets of the LLQ in a Tc than its queue holds",
        ),
    )
    return next((why for holds, why in reasons if holds), None)


def _lasts(shaped: _Shaped, turn: QueueShare) -> bool:
    """Whether a lower queue is never empty, or hardly ever."""
    if turn.load is None:
        return True
    of_tc = shaped.tokens.step_ms * turn.carried / turn.flows[0].mean_ms
    is_over = turn.load > CLEARLY_OVER * turn.carried
    return is_over and turn.backlogged and turn.limit_packets > TCS_HELD * of_tc


def _holds_a_tc(shaped: _Shaped, flow: Flow) -> bool:
    came = flow.rate_per_ms * shaped.tokens.step_ms
    return came + SURE * sqrt(came) <= flow.queue.limit_packets


def _llq(shaped: _Shaped, flow: Flow, on_line: Flow) -> Answer:
    """A class of the LLQ."""
    streams = zip(shaped.line.case.llq, shaped.line.streams, strict=True)
    own = next(stream for item, stream in streams if item is on_line)
    delay = llq_delay(shaped.tokens, own, flow.mean_ms)
    mean = percentiles = Validity.WITHIN_5
    why = next(_limits(shaped, on_line), "")
    if why:
        mean = percentiles = Validity.WITHIN_20
    elif why := next(_percentile_limits(shaped, delay), ""):
        percentiles = Validity.WITHIN_20
    judged = Judged(mean, percentiles, why)
    result = result_of(flow.traffic.name, delay, Method.SHAPED, judged, flow.load)
    locked = flow.traffic.streams if _is_locked(shaped.tokens, flow) else 0
    return replace(result, locked=locked, locked_ends_ms=delay.ends_ms)


def _is_locked(tokens: Line, flow: Flow) -> bool:
    """Whether calls come at the same few places of a Tc while they last."""
    arrival = flow.traffic.arrival
    if not tokens.step_ms or not isinstance(arrival, Periodic) or arrival.jitter_ms:
        return False
    ratio = flow.traffic.streams / flow.rate_per_ms / tokens.step_ms
    return any(abs(ratio * few - round(ratio * few)) < _EQUAL for few in range(1, FEW_PLACES + 1))


def _limits(shaped: _Shaped, flow: Flow) -> Iterator[str]:
    """Why the mean of an LLQ may be off by more than 5 %."""
    line = shaped.line
    if len(line.streams) > 1:
        yield "several classes in an LLQ behind a shaper"
    if not flow.fixed:
        yield "an LLQ of several sizes behind a shaper"
    if line.llq_load > MOST_LLQ:
        yield f"an LLQ of {line.llq_load:.0%} of a shaper"
    most = MOST_OF_WIRE if len(shaped.tokens.sizes) == 1 else MOST_OF_MIXED
    if shaped.lower.mean_ms > most * shaped.tokens.mean_ms:
        yield _SLOW_WIRE


def _percentile_limits(shaped: _Shaped, delay: ShapedDelay) -> Iterator[str]:
    """Why percentiles of an LLQ may be off by more than 5 %."""
    waits = dict(delay.values)["p"]
    if shaped.tokens.step_ms and any(tail / NEAR < waits < tail * NEAR for tail in (0.05, 0.01)):
        yield "about as many packets wait for the next Tc as are above a percentile"


def _lower(shaped: _Shaped, flow: Flow, on_line: Flow) -> Answer:
    """A class whose queue never empties; of others nothing is known here."""
    name, arrival = flow.traffic.name, flow.traffic.arrival
    beside = [item for item in shaped.case.lower if item.queue.name == flow.queue.name]
    is_shared = len(beside) > 1 or flow.queue.flow_limit_packets is not None
    if not isinstance(arrival, Saturated) or is_shared:
        return Outside(name, "a queue before a shaper that may run empty, or is shared")
    share = next(load for item, load, _ in shaped.line.carried if item is on_line)
    kept, line = arrival.backlog_packets, shaped.line
    variance = max(on_line.second_ms2 - on_line.mean_ms**2, 0.0) / share**2
    random_ms = _random_ms(line.streams, kept * on_line.mean_ms / share)
    variance += random_ms * on_line.mean_ms / (1 - line.llq_load) ** 3
    own = (on_line.mean_ms, flow.mean_ms)
    delay = backlog_delay(shaped.tokens, kept, share, own, kept * variance)
    judged = Judged(Validity.WITHIN_5, Validity.WITHIN_5)
    if line.streams and shaped.lower.mean_ms > MOST_OF_WIRE * shaped.tokens.mean_ms:
        judged = Judged(Validity.WITHIN_20, Validity.WITHIN_20, _SLOW_WIRE)
    elif len(shaped.case.lower) > 1 or len(shaped.tokens.sizes) > 1:
        why = "other classes or sizes beside a backlog"
        judged = Judged(Validity.WITHIN_5, Validity.WITHIN_20, why)
    carried = share * flow.mean_ms / on_line.mean_ms
    result = result_of(flow.traffic.name, delay, Method.SHAPED_BACKLOG, judged, carried)
    # Two packets leave together, or a Tc apart; the difference of two times is at most both.
    most_ms = shaped.tokens.step_ms + 2 * on_line.mean_ms / share
    ipdv_ms = min(2 * sqrt(variance / pi), most_ms)
    return replace(result, ipdv_ms=ipdv_ms, ipdv_most_ms=most_ms)


def _random_ms(streams: Sequence[Stream], time_ms: float) -> float:
    """Variance of the work per ms of the LLQ over a time: less of calls, none over their period."""
    return sum(
        stream.moment_ms(2)
        * (max(1 - time_ms / stream.period_ms, 0.0) if stream.period_ms else 1.0)
        for stream in streams
    )
