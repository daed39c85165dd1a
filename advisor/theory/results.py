"""From what the kernel has measured to the result of a class, with its interval."""

from math import inf

from msgspec import Struct

from advisor.theory.flows import Flow
from advisor.theory.interface import ClassResult, Delay, QueueKind, Regime, Weakness
from advisor.theory.kernel.results import Measured

# Two-sided 95 % of Student's law with the 7 degrees of freedom of eight replications.
STUDENT = 2.4
# What the sampling error does not show, by experiment (`python -m tools.validation.score wide`):
# replications that all begin too near or too far from the stationary state.
HALF_WIDTH = 0.03
# By experiment too (`tests/test_cli_simulated.py`): a run sees a backlog sent a few times at most,
# so its percentiles are too near the mean.
CLOSED_HALF_WIDTH = 0.05
EDGES = 8  # packets: one for each of the first windows
FEWEST = 20  # numeric: packets that show a delay


class Of(Struct, frozen=True):
    """What a class of traffic has beside its packets.

    `bound_ms` is never exceeded. A class `in_overload` carries its `share` of the wire, where that
    is known, and loses the rest. One is `starved` where priority queues leave nothing. What floods
    its queue is thinned to the `sampled_load`.
    """

    regime: Regime
    rate_bps: float
    bound_ms: float | None
    in_overload: bool
    share: float | None
    is_starved: bool
    sampled_load: float


def result_of(flow: Flow, measured: Measured, of: Of) -> ClassResult:
    """Result of a class of traffic."""
    regime, rate_bps, bound = of.regime, of.rate_bps, of.bound_ms
    if not measured.packets:
        return _without_delay(flow, measured, of)
    own_ms = _least_ms(flow)
    half_width = HALF_WIDTH if flow.packets_per_ms is not None else CLOSED_HALF_WIDTH
    low_ms, high_ms = _interval_ms(measured, half_width)
    weak = (Weakness.CLOSED,) if flow.packets_per_ms is None else ()
    if measured.packets < FEWEST:
        weak, low_ms, high_ms = (Weakness.UNSAMPLED,), own_ms, bound or inf
    top_ms = inf if bound is None else bound
    mean_ms = min(measured.mean_ms, top_ms)
    carried, loss_ratio = _carried(flow, measured, of)
    return ClassResult(
        name=flow.traffic.name,
        delay=Delay(
            mean_ms,
            min(max(measured.p50_ms, own_ms), top_ms),
            min(max(measured.p95_ms, own_ms), top_ms),
            min(max(measured.p99_ms, own_ms), top_ms),
            measured.ipdv_ms,
        ),
        mean_low_ms=min(max(low_ms, own_ms), mean_ms),
        mean_high_ms=max(min(high_ms, top_ms), mean_ms),
        bound_ms=bound,
        ipdv_bound_ms=None if bound is None else bound - own_ms,
        loss_ratio=loss_ratio,
        throughput_bps=carried * rate_bps,
        regime=regime,
        weak=weak,
    )


def _carried(flow: Flow, measured: Measured, of: Of) -> tuple[float, float]:
    """Part of the wire that a class gets, and the part of its packets that is lost."""
    carried = min(measured.carried, 1.0)  # a window may hold a part of a swing
    is_open = flow.packets_per_ms is not None
    if of.share is not None and abs(carried - of.share) * measured.packets <= EDGES * of.share:
        carried = of.share  # windows count whole packets
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


def _interval_ms(measured: Measured, half_width: float) -> tuple[float, float]:
    """The sampling error, and what the mean still moves from half to half beyond it."""
    moved_ms = abs(measured.late_ms - measured.early_ms) - 2 * STUDENT * measured.deviation_ms
    half_ms = STUDENT * measured.deviation_ms + max(moved_ms, 0.0)
    half_ms += half_width * measured.mean_ms
    return measured.mean_ms - half_ms, measured.mean_ms + half_ms


def _without_delay(flow: Flow, measured: Measured, of: Of) -> ClassResult:
    """A class whose packets do not pass, or are too rare to be seen."""
    is_closed = flow.packets_per_ms is None
    dropped = measured.policed + measured.tail_dropped
    is_starved = of.is_starved or is_closed or 0 < measured.offered <= dropped
    bound = of.bound_ms
    own_ms = flow.mean_ms if bound is None else min(flow.mean_ms, bound)
    return ClassResult(
        name=flow.traffic.name,
        delay=Delay(*(inf,) * 5) if is_starved else Delay(*(own_ms,) * 4, 0.0),
        mean_low_ms=inf if is_starved else _least_ms(flow),
        mean_high_ms=inf if is_starved or bound is None else bound,
        bound_ms=None if is_starved else bound,
        ipdv_bound_ms=None,
        loss_ratio=1.0 if is_starved else 0.0,
        throughput_bps=0.0 if is_starved else min(flow.load, 1.0) * of.rate_bps,
        regime=of.regime,
        weak=(Weakness.STARVED if is_starved else Weakness.UNSAMPLED,),
    )


def _least_ms(flow: Flow) -> float:
    return min(flow.times_ms)
