"""Results of classes, by a run of the kernel or by a formula: each figure with its interval."""

from collections.abc import Iterable
from math import inf, sqrt

from msgspec import Struct
from msgspec.structs import astuple, replace

from advisor.model import Interface, QueueKind, Refill
from advisor.theory.analytic import Result, Validity
from advisor.theory.analytic.setting import RARE_LOSS, is_independent, overflow_ratio
from advisor.theory.flows import Flow
from advisor.theory.kernel.threads import Measured
from advisor.theory.solution import ClassResult, Delay, Regime, Weakness

# Two-sided 95 % of Student's law, by replications: one less are its degrees of freedom.
STUDENT = {3: 4.3, 4: 3.2, 5: 2.8, 6: 2.6, 7: 2.5, 8: 2.4}
# Error beyond the sampling error, by experiment (`python -m tools.validation.score wide`):
# replications that all begin too near or too far from the stationary state.
HALF_WIDTH = 0.03
# By experiment too (`tests/test_cli_simulated.py`): a run sees a backlog sent a few times at most,
# so its percentiles are too near the mean.
CLOSED_HALF_WIDTH = 0.05
# Relative half-widths of mean, p50, p95, p99 and ipdv by validity, by experiment
# (`python -m tools.validation.analytic --intervals`).
HALF_WIDTHS = {
    Validity.EXACT: (0.005, 0.15, 0.1, 0.12, 0.3),
    Validity.WITHIN_5: (0.06, 0.15, 0.1, 0.12, 0.3),
}
CLUMP = 9.0  # packets of a class that are dropped together, by experiment
NONE_SEEN = 3.0  # mean number of independent events: 5 % of such runs see none
# Load from which a lower queue may overflow, though no run has seen it. A shorter one may below: of
# random packets it is full about as often as the load by the power of its limit.
NEAR_FULL = 0.8
EDGES = 8  # packets: one for each window, of the first ones at least
FEWEST = 20  # numeric: packets that show a delay


class KnownOfClass(Struct, frozen=True):
    """Properties of a class that are not measured from its packets.

    `bound_ms` is never exceeded. A class `in_overload` carries its `share` of the wire, where that
    is known, and loses the rest. It `is_starved` where priority queues leave nothing. What floods
    its queue is thinned to the `sampled_load`. `tc_packets` of it go in the Tc of a shaper.
    `load` is that of the wire. `student` standard errors of the mean are 95 % of it.
    """

    regime: Regime
    rate_bps: float
    bound_ms: float | None
    in_overload: bool
    share: float | None
    is_starved: bool
    sampled_load: float
    load: float
    tc_packets: float = 0.0
    student: float = STUDENT[8]


def result_of(flow: Flow, measured: Measured, of: KnownOfClass) -> ClassResult:
    """Result of a class of traffic by a run."""
    if not measured.packets:
        return _without_delay(flow, measured, of)
    least_ms, bound = least_ms_of(flow), of.bound_ms
    delay = Delay(
        *(measured.mean_ms, measured.p50_ms, measured.p95_ms, measured.p99_ms, measured.ipdv_ms)
    )
    carried, loss_ratio = _carried(flow, measured, of)
    loss_low, loss_high = _loss_interval(flow, measured, loss_ratio, of)
    if carried == of.share and of.in_overload and flow.packets_per_ms is not None:
        loss_low, loss_high = _around_share(loss_ratio)
    result = ClassResult(
        name=flow.traffic.name,
        delay=delay,
        low=delay,
        high=delay,
        bound_ms=bound,
        ipdv_bound_ms=None if bound is None else bound - least_ms,
        loss_ratio=loss_ratio,
        loss_low_ratio=loss_low,
        loss_high_ratio=loss_high,
        throughput_bps=carried * of.rate_bps,
        regime=of.regime,
        weak=(Weakness.CLOSED,) if flow.packets_per_ms is None else (),
        error_ms=measured.deviation_ms,
    )
    if measured.packets < FEWEST:
        widest = Delay(*(bound or inf,) * 5)
        none = Delay(*(least_ms,) * 4, 0.0)
        result = replace(result, weak=(Weakness.UNSAMPLED,))
        return _within(result, least_ms, (delay, none, widest))
    return _within(
        result,
        least_ms,
        (delay, *_ends(flow, measured, delay, carried, of)),
    )


def _ends(
    flow: Flow, measured: Measured, delay: Delay, carried: float, of: KnownOfClass
) -> tuple[Delay, Delay]:
    """Interval of the sampling error, plus the drift between the two halves of the run."""
    sampling_ms = of.student * measured.deviation_ms
    moved_ms = max(abs(measured.late_ms - measured.early_ms) - 2 * sampling_ms, 0.0)
    half_width = HALF_WIDTH if flow.packets_per_ms is not None else CLOSED_HALF_WIDTH
    half_width += moved_ms / measured.mean_ms if measured.mean_ms else 0.0
    ipdv_ms = of.student * measured.ipdv_deviation_ms
    below, above = (
        Delay(delay.mean_ms + side * sampling_ms, *percentiles, delay.ipdv_ms + side * ipdv_ms)
        for side, percentiles in (
            (-1, (measured.p50_low_ms, measured.p95_low_ms, measured.p99_low_ms)),
            (1, (measured.p50_high_ms, measured.p95_high_ms, measured.p99_high_ms)),
        )
    )
    low, high = _around(below, (half_width,) * 5)[0], _around(above, (half_width,) * 5)[1]
    if flow.priority or not (of.in_overload and carried):
        return low, high
    # Two times to leave at most; in a full queue a few phases may decide how they differ.
    most_ms = 2 * flow.traffic.streams * flow.mean_ms / carried
    return replace(low, ipdv_ms=0.0), replace(high, ipdv_ms=max(high.ipdv_ms, most_ms))


def knows_tail(flow: Flow, measured: Measured) -> bool:
    """Whether a run knows p95, p99 and ipdv of a class as well as a formula within 5 %.

    Those of a closed backlog only show it.
    """
    if flow.packets_per_ms is None:
        return True
    _, _, *most = HALF_WIDTHS[Validity.WITHIN_5]
    rows = (
        (measured.p95_ms, (measured.p95_high_ms - measured.p95_low_ms) / 2),
        (measured.p99_ms, (measured.p99_high_ms - measured.p99_low_ms) / 2),
        (measured.ipdv_ms, 2 * measured.ipdv_deviation_ms),
    )
    return all(error <= part * value for (value, error), part in zip(rows, most, strict=True))


def _around(delay: Delay, half_widths: Iterable[float]) -> tuple[Delay, Delay]:
    rows = list(zip(astuple(delay), half_widths, strict=True))
    low = Delay(*(value * (1 - half) for value, half in rows))
    return low, Delay(*(value * (1 + half) for value, half in rows))


def _within(
    result: ClassResult, least_ms: float, delays: tuple[Delay, Delay, Delay]
) -> ClassResult:
    """The result with delays, and their low and high ends, between its least time and its bound."""
    top_ms = inf if result.bound_ms is None else result.bound_ms
    most_ipdv_ms = inf if result.ipdv_bound_ms is None else result.ipdv_bound_ms

    def limited(delay: Delay) -> Delay:
        *times, ipdv_ms = astuple(delay)
        inside = (min(max(time_ms, least_ms), top_ms) for time_ms in times)
        return Delay(*[*inside, min(max(ipdv_ms, 0.0), max(most_ipdv_ms, 0.0))])

    value, low, high = map(limited, delays)
    return replace(result, delay=value, low=low, high=high)


def _loss_interval(
    flow: Flow, measured: Measured, loss_ratio: float, of: KnownOfClass
) -> tuple[float, float]:
    """Interval of a loss in clumps; also where no drop is seen, but some packets may be dropped."""
    may_drop = of.load > NEAR_FULL or of.load**flow.queue.limit_packets > RARE_LOSS
    if flow.priority:
        may_drop = overflow_ratio(flow) > RARE_LOSS
    if flow.packets_per_ms is None or not measured.offered or not (loss_ratio or may_drop):
        return loss_ratio, loss_ratio
    clumps = measured.offered / CLUMP
    half = 2 * sqrt(loss_ratio * (1 - loss_ratio) / clumps) + HALF_WIDTH * loss_ratio
    return max(loss_ratio - half, 0.0), min(loss_ratio + half + NONE_SEEN / clumps, 1.0)


def _around_share(loss_ratio: float) -> tuple[float, float]:
    """Interval of the loss of a class whose share of the wire is known: what it carries is it."""
    half = HALF_WIDTH * (1 - loss_ratio)
    return max(loss_ratio - half, 0.0), min(loss_ratio + half, 1.0)


def _carried(flow: Flow, measured: Measured, of: KnownOfClass) -> tuple[float, float]:
    """Part of the wire that a class gets, and the part of its packets that is lost."""
    carried = min(measured.carried, 1.0)  # a window may hold a part of a swing
    is_open = flow.packets_per_ms is not None
    edges = max(measured.replications, EDGES) * max(of.tc_packets, 1.0)
    if of.share is not None and abs(carried - of.share) * measured.packets <= edges * of.share:
        carried = of.share  # windows count whole packets, and whole intervals of a shaper
        if of.in_overload and is_open:
            return carried, max(1 - carried / flow.load, 0.0)
    if not is_open:
        return carried, measured.loss_ratio
    lost = measured.unsent_ratio if of.in_overload else measured.loss_ratio
    passed = (1 - lost) * min(of.sampled_load / flow.load, 1.0)
    drops_by_size = measured.policed or flow.queue.kind is QueueKind.FAIR
    if flow.fixed or not drops_by_size:  # else small packets pass more often
        carried = flow.load * passed  # more precise than what was seen on the wire
    return carried, 1 - passed


def _without_delay(flow: Flow, measured: Measured, of: KnownOfClass) -> ClassResult:
    """A class whose packets do not pass, or are too rare to be seen."""
    is_closed = flow.packets_per_ms is None
    dropped = measured.policed + measured.tail_dropped
    share = of.share if of.tc_packets > EDGES else None  # an interval is longer than a window
    is_starved = of.is_starved or is_closed or 0 < measured.offered <= dropped
    bound, least_ms = of.bound_ms, least_ms_of(flow)
    own_ms = flow.mean_ms if bound is None else min(flow.mean_ms, bound)
    never = Delay(*(inf,) * 5)
    lost = 1.0 if is_starved else 0.0
    return ClassResult(
        name=flow.traffic.name,
        delay=never if is_starved else Delay(*(own_ms,) * 4, 0.0),
        low=never if is_starved else Delay(*(least_ms,) * 4, 0.0),
        high=never if is_starved or bound is None else Delay(*(bound,) * 4, bound - least_ms),
        bound_ms=None if is_starved else bound,
        ipdv_bound_ms=None,
        loss_ratio=lost,
        loss_low_ratio=lost,
        loss_high_ratio=lost,
        throughput_bps=_unseen_share(flow, share, is_starved=is_starved) * of.rate_bps,
        regime=of.regime,
        weak=(Weakness.STARVED if is_starved else Weakness.UNSAMPLED,),
    )


def _unseen_share(flow: Flow, share: float | None, *, is_starved: bool) -> float:
    """Part of the wire of a class without a packet in any window."""
    if share is not None:
        return share
    return 0.0 if is_starved else min(flow.load, 1.0)


def packets_of_a_tc(flow: Flow, share: float | None, interface: Interface) -> float:
    """Packets that a full queue sends at most in the Tc of a shaper, with its share of the wire."""
    shapers = [item for item in (interface.shaper, flow.queue.shaper) if item is not None]
    steps_ms = [item.interval_ms for item in shapers if item.refill is Refill.PER_INTERVAL]
    return max(steps_ms, default=0.0) * (share or 0.0) / flow.mean_ms


def least_ms_of(flow: Flow) -> float:
    """Time on the wire of the smallest packet of a class."""
    return min(flow.times_ms)


def by_formula(
    flow: Flow, figure: Result, bound_ms: float | None, regime: Regime, rate_bps: float
) -> ClassResult:
    """Result of a class whose figures are those of a formula."""
    least_ms = least_ms_of(flow)
    delay = Delay(
        *(figure.mean_ms, figure.p50_ms, figure.p95_ms, figure.p99_ms, figure.ipdv_ms or 0.0)
    )
    lost = figure.loss_ratio
    half = figure.loss_half_width
    left_out = min(overflow_ratio(flow), RARE_LOSS) if is_independent(flow) else 0.0
    result = ClassResult(
        name=figure.name,
        delay=delay,
        low=delay,
        high=delay,
        bound_ms=bound_ms,
        ipdv_bound_ms=None if bound_ms is None else bound_ms - least_ms,
        loss_ratio=lost,
        loss_low_ratio=lost * max(1 - half, 0.0),
        loss_high_ratio=min(lost * (1 + half) + left_out, 1.0),
        throughput_bps=figure.carried * rate_bps,
        regime=regime,
        weak=(Weakness.CLOSED,) if flow.packets_per_ms is None else (),
        method=figure.method.value,
        ipdv_method=figure.method.value,
    )
    low, high = _around(delay, HALF_WIDTHS[figure.mean])
    low, high = _of_locked_calls(figure, least_ms, low, high)
    if figure.ipdv_most_ms is not None:
        low = replace(low, ipdv_ms=0.0)
        high = replace(high, ipdv_ms=figure.ipdv_most_ms)
    return _within(result, least_ms, (delay, low, high))


def _of_locked_calls(
    figure: Result, least_ms: float, low: Delay, high: Delay
) -> tuple[Delay, Delay]:
    """The ends of the delays of calls that keep their phases.

    A call that keeps its phase to periodic lower packets may meet none of them, and wait the least;
    or so many that it always waits the 99th percentile. One that keeps its place in the Tc of a
    shaper has the mean of that place. The figures of n such calls scatter less, by the square root
    of n.
    """
    if not figure.locked:
        return low, high
    part = 1 / sqrt(figure.locked)
    ends_ms = figure.locked_ends_ms or (least_ms, figure.p99_ms)
    values = {"mean_ms": figure.mean_ms, "p50_ms": figure.p50_ms, "p95_ms": figure.p95_ms}
    reach = dict.fromkeys(values, (least_ms, figure.p99_ms)) | {"mean_ms": ends_ms}
    downs = {name: part * (value - reach[name][0]) for name, value in values.items()}
    ups = {name: part * (reach[name][1] - value) for name, value in values.items()}
    downs["p99_ms"] = part * (figure.p99_ms - least_ms)
    return (
        replace(low, **{name: getattr(low, name) - ms for name, ms in downs.items()}),
        replace(high, **{name: getattr(high, name) + ms for name, ms in ups.items()}),
    )
