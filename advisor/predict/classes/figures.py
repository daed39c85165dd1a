"""One class's results at all corners, put together as figures with an interval."""

from collections.abc import Callable, Sequence
from math import isfinite

from msgspec import Struct
from msgspec.structs import replace

from advisor.quantity import Figure
from advisor.theory.interface import ClassResult, Delay, Interface, QueueKind, Saturated, Traffic
from advisor.theory.regimes import weak_words, words_of
from advisor.theory.wire import wire_ms
from advisor.units import kbps_from_bps, percent_from_ratio
from advisor.wording import RemarkKind, remark_words


class SolvedClass(Struct, frozen=True):
    """One class. Delays in ms; the interval spans the corners and the model's own error.

    `loss` and `throughput` (of the wire) are None where no rate is known that could be lost or
    carried; `weak` says why the figures may be further off than their interval.
    """

    name: str
    kind: str
    regime: str
    mean: Figure
    p50: Figure
    p95: Figure
    p99: Figure
    jitter: Figure
    least_ms: float  # own transmission of the smallest packet
    loss: Figure | None
    throughput: Figure | None
    weak: tuple[str, ...]
    never_empty: bool = False  # packets always wait: the value is but the middle of the interval

    @property
    def is_priority(self) -> bool:
        return self.kind == QueueKind.PRIORITY


class Silent(Struct, frozen=True):
    """A class without a delay: it carries nothing, or nothing of it gets through."""

    name: str
    why: str


class Case(Struct, frozen=True):
    """A class at one corner: what it offers and what becomes of it."""

    interface: Interface
    traffic: tuple[Traffic, ...]
    results: tuple[ClassResult, ...]
    counts: bool


class _Joined(Struct, frozen=True):
    """All traffic of a class at one corner as one; `low_ms` is what a short queue takes off."""

    result: ClassResult
    counts: bool
    short_by_ms: float  # where the queue is never empty: a full queue less one packet


def class_figures(
    name: str,
    cases: Sequence[Case],
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
        Whether the class offers a known rate; else it has no loss, and an LLQ no throughput.
    least_bound_ms : float
        Its bound is no less than this.
    remarks : tuple of RemarkKind
        What is not in the figures.
    """
    all_joined = [_joined(each) for each in cases]
    usable = [each for each in all_joined if isfinite(each.result.delay.mean_ms)]
    if not any(each.counts for each in usable):
        why = next((each.result.weak for each in all_joined if each.result.weak), ())
        return Silent(name, weak_words(why) or "nothing of it gets through")
    kind = next(q.kind for q in cases[0].interface.queues if q.name == name)
    bounds = [each.result.bound_ms for each in usable]
    bound_ms = None
    if all(each is not None for each in bounds):
        bound_ms = max(least_bound_ms, *(each for each in bounds if each is not None))
    jitter_bounds = [each.result.ipdv_bound_ms for each in usable]
    known = [each for each in jitter_bounds if each is not None]
    jitter_bound_ms = max(known) if len(known) == len(jitter_bounds) else None
    never_empty = any(each.short_by_ms for each in usable)
    if RemarkKind.SHORTER_QUEUE in remarks:
        bound_ms = jitter_bound_ms = None
    return SolvedClass(
        name=name,
        kind=kind.value,
        regime=" or ".join(
            dict.fromkeys(words_of(each.result.regime) for each in usable if each.counts)
        ),
        mean=_delay(usable, lambda delay: delay.mean_ms, bound_ms),
        p50=_delay(usable, lambda delay: delay.p50_ms, bound_ms),
        p95=_delay(usable, lambda delay: delay.p95_ms, bound_ms),
        p99=_delay(usable, lambda delay: delay.p99_ms, bound_ms),
        jitter=_delay(usable, lambda delay: delay.ipdv_ms, jitter_bound_ms),
        least_ms=min(_least_ms(each) for each in cases),
        loss=_loss(usable) if rate_known else None,
        throughput=_throughput(usable) if rate_known or never_empty else None,
        weak=(*_weaknesses(usable, never_empty=never_empty), *map(remark_words, remarks)),
        never_empty=never_empty,
    )


def _joined(case: Case) -> _Joined:
    backlogs = [_short_by_ms(case, i) for i in range(len(case.traffic))]
    first, *others = case.results
    if not others:
        return _Joined(first, case.counts, backlogs[0])
    carried = [each.throughput_bps for each in case.results]
    total = sum(carried) or 1.0

    def mean(of: Callable[[ClassResult], float]) -> float:
        return sum(of(r) * c for r, c in zip(case.results, carried, strict=True)) / total

    bounds = [each.bound_ms for each in case.results]
    known = [each for each in bounds if each is not None]
    jitter = [each.ipdv_bound_ms for each in case.results if each.ipdv_bound_ms is not None]
    result = replace(
        first,
        delay=Delay(
            mean(lambda r: r.delay.mean_ms),
            mean(lambda r: r.delay.p50_ms),
            mean(lambda r: r.delay.p95_ms),
            mean(lambda r: r.delay.p99_ms),
            mean(lambda r: r.delay.ipdv_ms),
        ),
        mean_low_ms=mean(lambda r: r.mean_low_ms),
        mean_high_ms=mean(lambda r: r.mean_high_ms),
        bound_ms=max(known) if len(known) == len(bounds) else None,
        ipdv_bound_ms=max(jitter) if len(jitter) == len(bounds) else None,
        loss_ratio=mean(lambda r: r.loss_ratio),
        loss_low_ratio=mean(_least_loss),
        loss_high_ratio=mean(_most_loss),
        throughput_bps=sum(carried),
        weak=next((each.weak for each in case.results if each.weak), ()),
    )
    return _Joined(result, case.counts, max(backlogs))


def _short_by_ms(case: Case, index: int) -> float:
    """How much sooner a packet leaves where it alone waits, and not a full queue."""
    traffic, result = case.traffic[index], case.results[index]
    if not isinstance(traffic.arrival, Saturated) or result.throughput_bps <= 0:
        return 0.0
    rate_bps = case.interface.rate_bps
    own_ms = sum(
        weight * wire_ms(size, case.interface.framing, rate_bps)
        for size, weight in traffic.sizes.bytes_and_weights
    )
    service_ms = own_ms * rate_bps / result.throughput_bps
    return (traffic.arrival.backlog_packets - 1) * service_ms


def _delay(
    joined: Sequence[_Joined], of: Callable[[Delay], float], bound_ms: float | None
) -> Figure:
    """A figure of the delays; of a class that is never empty in the middle of short and full."""
    values, lows, highs = [], [], []
    for each in joined:
        result, short_ms = each.result, each.short_by_ms
        found = of(result.delay)
        mean_ms = result.delay.mean_ms or 1.0
        least = max(0.0, found - short_ms)
        if each.counts:
            values.append((found + least) / 2)
        lows.append(least * result.mean_low_ms / mean_ms)
        highs.append(found * result.mean_high_ms / mean_ms)
    most = bound_ms if bound_ms is not None else max(highs)
    value = min(sum(values) / len(values), most)
    return Figure(value, min(*lows, value), max(min(max(highs), most), value), "ms", bound_ms)


def _least_ms(case: Case) -> float:
    return min(
        wire_ms(size, case.interface.framing, case.interface.rate_bps)
        for traffic in case.traffic
        for size, _ in traffic.sizes.bytes_and_weights
    )


def _loss(joined: Sequence[_Joined]) -> Figure:
    value = _spanned([percent_from_ratio(each.result.loss_ratio) for each in joined], joined, "%")
    low = min(percent_from_ratio(_least_loss(each.result)) for each in joined)
    high = max(percent_from_ratio(_most_loss(each.result)) for each in joined)
    return replace(value, low=low, high=high)


def _least_loss(result: ClassResult) -> float:
    return result.loss_ratio if result.loss_low_ratio is None else result.loss_low_ratio


def _most_loss(result: ClassResult) -> float:
    return result.loss_ratio if result.loss_high_ratio is None else result.loss_high_ratio


def _throughput(joined: Sequence[_Joined]) -> Figure:
    rates = [kbps_from_bps(each.result.throughput_bps) for each in joined]
    return _spanned(rates, joined, "kb/s")


def _spanned(values: Sequence[float], joined: Sequence[_Joined], unit: str) -> Figure:
    counted = [value for value, each in zip(values, joined, strict=True) if each.counts]
    return Figure(sum(counted) / len(counted), min(values), max(values), unit)


def _weaknesses(joined: Sequence[_Joined], *, never_empty: bool) -> tuple[str, ...]:
    if never_empty:
        return ("always packets waiting: from one in the queue to a full queue",)
    kinds = dict.fromkeys(each.result.weak for each in joined)
    return tuple(words for weak in kinds if (words := weak_words(weak)))
