"""One class's results at all corners, put together as figures with an interval."""

from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple, replace

from advisor.ground.quantity import Figure, Unknown, are_apart, enclosing
from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.ground.wording import NoBound, RemarkKind, remark_words
from advisor.model import Interface, QueueKind, Saturated, Traffic, wire_ms
from advisor.predict.classes.limits import counted_bps, ip_bps, why_no_bound
from advisor.theory.flows import flows_of
from advisor.theory.regimes import weak_words, words_of
from advisor.theory.solution import ClassResult, Delay

_NEVER_EMPTY = (
    "the queue is never empty: figures from one waiting packet to a full queue; if the number of "
    "waiting packets is known, state backlog_packets"
)
_OF_SHARES = (
    *(RemarkKind.SHAPE, RemarkKind.POLICE, RemarkKind.NESTED_POLICY),
    *(RemarkKind.SHARED_RING, RemarkKind.UNREAD_LINES, RemarkKind.ACCOUNT),
)
_WITHOUT_BOUND = frozenset({RemarkKind.SHORTER_QUEUE, RemarkKind.SHARED_RING})

_OR: Final = " or "  # between the methods of several corners, or of several flows


class SolvedClass(Struct, frozen=True):
    """One class. Delays in ms; the interval spans the corners and the model's own error.

    `loss`, `throughput` (of the wire) and `goodput` (of IP) are None where neither traffic nor
    `priority` says the offered rate; `weak` says why the figures may be further off than their
    interval.
    """

    name: str
    kind: str
    regime: str
    method: str  # of the delays: names of formulas, or "sampled"
    jitter_method: str  # the same of the jitter
    mean: Figure
    p50: Figure
    p95: Figure
    p99: Figure
    jitter: Figure
    least_ms: float  # own transmission of the smallest packet
    loss: Figure | None
    throughput: Figure | None
    goodput: Figure | None
    weak: tuple[str, ...]
    never_empty: bool = False  # packets always wait: the value is only the middle of the interval
    why_no_bound: NoBound | None = None  # None where the mean has a bound

    @property
    def is_priority(self) -> bool:
        return self.kind == QueueKind.PRIORITY

    @property
    def doubts(self) -> tuple[str, ...]:
        """`weak` without what the traffic itself says: that packets always wait."""
        return tuple(why for why in self.weak if why != _NEVER_EMPTY)


class Silent(Struct, frozen=True):
    """A class without a delay: it carries nothing, or none of its packets gets through."""

    name: str
    why: str
    is_idle: bool = False


class UnstatedClass(Struct, frozen=True):
    """A class whose traffic is neither stated nor measured: `delay` says what is to be stated.

    `share` (kb/s of the wire), `share_percent` (of the line) and `goodput` (kb/s of IP) are what it
    gets while it and all other such classes have packets waiting. `bound_ms` is None where nothing
    bounds the delay.
    """

    name: str
    kind: str
    delay: Unknown
    share: Figure
    share_percent: Figure
    goodput: Figure
    bound_ms: float | None
    weak: tuple[str, ...]


class CornerCase(Struct, frozen=True):
    """A class at one corner: its traffic and its results.

    `knows_backlog` says of each traffic whether the number of its waiting packets is stated.
    """

    interface: Interface
    traffic: tuple[Traffic, ...]
    results: tuple[ClassResult, ...]
    counts: bool
    knows_backlog: tuple[bool, ...]
    is_mixed: bool = False


class _Joined(Struct, frozen=True):
    """All traffic of a class at one corner as one; `short_by_ms` is the effect of a short queue."""

    case: CornerCase
    result: ClassResult
    short_by_ms: float  # where the queue is never empty: a full queue less one packet


def class_figures(
    name: str,
    cases: Sequence[CornerCase],
    *,
    rate_known: bool,
    least_bound_ms: float,
    remarks: tuple[RemarkKind, ...],
) -> SolvedClass | Silent:
    """Put the corners of a class together.

    Parameters
    ----------
    name : str
        Name of the class.
    cases : sequence of Case
        The class at every corner.
    rate_known : bool
        Whether the class offers a rate that is known, or that its `priority` reserves; else it has
        no loss, and an LLQ no throughput.
    least_bound_ms : float
        Lower limit of its bound.
    remarks : tuple of RemarkKind
        The settings that are not in the figures.
    """
    all_joined = [_joined(case) for case in cases]
    usable = [joined for joined in all_joined if isfinite(joined.result.high.mean_ms)]
    counted = [joined.result for joined in usable if joined.case.counts]
    if not counted:
        why = next((joined.result.weak for joined in all_joined if joined.result.weak), ())
        return Silent(name, weak_words(why) or "none of its packets gets through")
    kind = next(queue.kind for queue in cases[0].interface.queues if queue.name == name)
    least_ms = min(_least_ms(case) for case in cases)
    bound_ms = _most([joined.result.bound_ms for joined in usable])
    if bound_ms is not None:
        bound_ms = max(least_bound_ms, bound_ms)
    jitter_bound_ms = _most([joined.result.ipdv_bound_ms for joined in usable])
    if jitter_bound_ms is not None:
        jitter_bound_ms = max(jitter_bound_ms, least_bound_ms - least_ms)
    unbounded = [joined.case.interface for joined in usable if joined.result.bound_ms is None]
    never_empty = any(joined.short_by_ms for joined in usable)
    if not rate_known and kind is not QueueKind.PRIORITY and not _any_full(cases):
        remarks = (*remarks, RemarkKind.POLICED)
    if _WITHOUT_BOUND.intersection(remarks):
        bound_ms = jitter_bound_ms = None
    has_rate = rate_known or kind is not QueueKind.PRIORITY
    return SolvedClass(
        name=name,
        kind=kind.value,
        regime=" or ".join(dict.fromkeys(words_of(result.regime) for result in counted)),
        method=_either(result.method for result in counted),
        jitter_method=_either(result.ipdv_method for result in counted),
        mean=_delay(usable, lambda delay: delay.mean_ms, bound_ms, least_ms),
        p50=_delay(usable, lambda delay: delay.p50_ms, bound_ms, least_ms),
        p95=_delay(usable, lambda delay: delay.p95_ms, bound_ms, least_ms),
        p99=_delay(usable, lambda delay: delay.p99_ms, bound_ms, least_ms),
        jitter=_delay(usable, lambda delay: delay.ipdv_ms, jitter_bound_ms),
        least_ms=least_ms,
        loss=_loss(usable) if rate_known else None,
        throughput=_throughput(usable) if has_rate else None,
        goodput=_goodput(usable) if has_rate else None,
        weak=(*_weaknesses(usable, never_empty=never_empty), *map(remark_words, remarks)),
        never_empty=never_empty,
        why_no_bound=None if bound_ms is not None else why_no_bound(unbounded, name, remarks),
    )


def without_assumed_loss(solved: SolvedClass) -> SolvedClass:
    """Figures of an LLQ whose traffic is assumed: no loss where that may overfill its queue.

    The assumed calls begin at once and fill the rate to the last packet: what they overflow is no
    loss of calls that somebody makes.
    """
    if solved.loss is None or solved.loss.high <= 0:
        return solved
    return replace(solved, loss=None, weak=(*solved.weak, remark_words(RemarkKind.ASSUMED_LOSS)))


def _any_full(cases: Sequence[CornerCase]) -> bool:
    """Whether packets of the class always wait in its queue: no policer keeps it from that."""
    return any(isinstance(traffic.arrival, Saturated) for case in cases for traffic in case.traffic)


def unstated_class(
    name: str,
    cases: Sequence[CornerCase],
    line_bps: float,
    why: Unknown,
    remarks: tuple[RemarkKind, ...],
) -> UnstatedClass:
    """Put together what is certain of a class without known traffic: its share, and its bound.

    Parameters
    ----------
    name : str
        Name of the class.
    cases : sequence of Case
        The class at every corner, with packets always waiting.
    line_bps : float
        The line that the classes divide.
    why : Unknown
        What is not known of its traffic.
    remarks : tuple of RemarkKind
        The settings that are not in the figures of the class.
    """
    joined = [_joined(case) for case in cases]
    kind = next(queue.kind for queue in cases[0].interface.queues if queue.name == name)
    is_without = bool(_WITHOUT_BOUND.intersection(remarks))
    return UnstatedClass(
        name,
        kind.value,
        why,
        _throughput(joined),
        _of_line(joined, line_bps),
        _goodput(joined),
        None if is_without else _most([item.result.bound_ms for item in joined]),
        tuple(remark_words(remark) for remark in remarks if remark in _OF_SHARES),
    )


def _most(bounds: Sequence[float | None]) -> float | None:
    """The largest bound; None where one is not known."""
    known = [bound for bound in bounds if bound is not None]
    return max(known) if len(known) == len(bounds) else None


def _joined(case: CornerCase) -> _Joined:
    """All traffic of a class as one: delays weigh by delivered packets, losses by offered ones."""
    backlogs = [_short_by_ms(case, index) for index in range(len(case.traffic))]
    first, *others = case.results
    if not others:
        return _Joined(case, first, backlogs[0])
    names = [traffic.name for traffic in case.traffic]
    of_all = zip(case.interface.traffic, flows_of(case.interface), strict=True)
    flows = [flow for traffic, flow in of_all if traffic.name in names]
    rate_bps = case.interface.rate_bps
    delivered = [
        result.throughput_bps / rate_bps / flow.mean_ms
        for result, flow in zip(case.results, flows, strict=True)
    ]
    offered = [flow.rate_per_ms or sent for sent, flow in zip(delivered, flows, strict=True)]

    def mean(delays: Sequence[Delay]) -> Delay:
        columns = zip(*map(astuple, delays), strict=True)
        return Delay(*(_weighed(column, delivered) for column in columns))

    def lost(ratio: Callable[[ClassResult], float]) -> float:
        return _weighed([ratio(result) for result in case.results], offered)

    result = replace(
        first,
        delay=mean([result.delay for result in case.results]),
        low=mean([result.low for result in case.results]),
        high=mean([result.high for result in case.results]),
        bound_ms=_most([result.bound_ms for result in case.results]),
        ipdv_bound_ms=_most([result.ipdv_bound_ms for result in case.results]),
        loss_ratio=lost(lambda result: result.loss_ratio),
        loss_low_ratio=lost(lambda result: result.loss_low_ratio),
        loss_high_ratio=lost(lambda result: result.loss_high_ratio),
        throughput_bps=sum(result.throughput_bps for result in case.results),
        weak=next((result.weak for result in case.results if result.weak), ()),
        method=_either(result.method for result in case.results),
        ipdv_method=_either(result.ipdv_method for result in case.results),
    )
    return _Joined(case, result, max(backlogs))


def _either(methods: Iterable[str]) -> str:
    return _OR.join(dict.fromkeys(each for method in methods for each in method.split(_OR)))


def _weighed(values: Sequence[float], weights: Sequence[float]) -> float:
    known = [pair for pair in zip(values, weights, strict=True) if pair[1] > 0]
    return sum(value * weight for value, weight in known) / (sum(weights) or 1.0)


def _short_by_ms(case: CornerCase, index: int) -> float:
    """How much sooner a packet leaves if it waits alone, instead of behind a full queue."""
    traffic, result = case.traffic[index], case.results[index]
    if not isinstance(traffic.arrival, Saturated) or case.knows_backlog[index]:
        return 0.0
    if result.throughput_bps <= 0:
        return 0.0
    rate_bps = case.interface.rate_bps
    own_ms = sum(
        weight * wire_ms(size, case.interface.framing, rate_bps)
        for size, weight in traffic.sizes.bytes_and_weights
    )
    service_ms = own_ms * rate_bps / result.throughput_bps
    return (traffic.arrival.backlog_packets - 1) * service_ms


def _delay(
    joined: Sequence[_Joined],
    quantity: Callable[[Delay], float],
    bound_ms: float | None,
    least_ms: float = 0.0,
) -> Figure:
    """A figure of the delays; for a class that is never empty, the middle of short and full.

    No delay is shorter than `least_ms`, the transmission of the smallest packet.
    """
    spans = []
    for item in joined:
        result, short_ms = item.result, item.short_by_ms
        delay_ms = quantity(result.delay)
        alone_ms = max(0.0, delay_ms - short_ms)
        low_ms = max(least_ms, quantity(result.low) - short_ms)
        spans.append((low_ms, (delay_ms + alone_ms) / 2, quantity(result.high)))
    return _figure(joined, spans, "ms", bound_ms=bound_ms)


_Span: TypeAlias = tuple[float, float, float]  # low, value, high


def _figure(
    joined: Sequence[_Joined],
    spans: Sequence[_Span],
    unit: str,
    worst: Callable[[Sequence[float]], float] = max,
    bound_ms: float | None = None,
) -> Figure:
    """A figure with its span at each corner.

    Its value is the mean over the corners that count if they are alike; if they are apart the
    worst, as contested. Those of one mean and of its widest mix of sizes are alike: packets are
    between the two.
    """
    rows = zip(joined, spans, strict=True)
    counted = [(item.case.is_mixed, span[1]) for item, span in rows if item.case.counts]
    values = [value for _, value in counted]
    value, contested = sum(values) / len(values), False
    for is_mixed in (True, False) if are_apart(min(values), max(values)) else ():
        own = [value for mixed, value in counted if mixed is is_mixed]
        if own and are_apart(min(own), max(own)):
            value, contested = worst(values), True
    low, high = min([low for low, _, _ in spans]), max([high for _, _, high in spans])
    return enclosing(value, low, high, unit, bound_ms, contested=contested)


def _least_ms(case: CornerCase) -> float:
    return min(
        wire_ms(size, case.interface.framing, case.interface.rate_bps)
        for traffic in case.traffic
        for size, _ in traffic.sizes.bytes_and_weights
    )


def _loss(joined: Sequence[_Joined]) -> Figure:
    results = [item.result for item in joined]
    ratios = ((row.loss_low_ratio, row.loss_ratio, row.loss_high_ratio) for row in results)
    return _figure(joined, [_scaled(percent_from_ratio, *span) for span in ratios], "%")


def _throughput(joined: Sequence[_Joined]) -> Figure:
    results = [item.result for item in joined]
    rates = ((row.throughput_low_bps, row.throughput_bps, row.throughput_high_bps)
             for row in results)  # fmt: skip
    return _figure(joined, [_scaled(kbps_from_bps, *span) for span in rates], "kb/s", min)


def _scaled(scale: Callable[[float], float], low: float, value: float, high: float) -> _Span:
    return scale(min(low, value)), scale(value), scale(max(value, high))


def _goodput(joined: Sequence[_Joined]) -> Figure:
    cases = [item.case for item in joined]
    rates = (kbps_from_bps(ip_bps(case.interface, case.traffic, case.results)) for case in cases)
    return _figure(joined, [(rate,) * 3 for rate in rates], "kb/s", min)


def _of_line(joined: Sequence[_Joined], line_bps: float) -> Figure:
    """Share of the line that a class takes in percent, in bytes on the wire."""
    cases = [item.case for item in joined]
    counted = (counted_bps(case.interface, case.traffic, case.results) for case in cases)
    taken = (percent_from_ratio(rate_bps / line_bps) for rate_bps in counted)
    return _figure(joined, [(percent,) * 3 for percent in taken], "%", min)


def _weaknesses(joined: Sequence[_Joined], *, never_empty: bool) -> tuple[str, ...]:
    if never_empty:
        return (_NEVER_EMPTY,)
    kinds = dict.fromkeys(case.result.weak for case in joined)
    return tuple(words for weak in kinds if (words := weak_words(weak)))
