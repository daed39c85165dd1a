"""From distributions to the result of a class, with the interval of its regime."""

from collections.abc import Sequence

import numpy as np

from advisor.theory.flows import Flow
from advisor.theory.half_widths import CORRELATED, MOST_ORDERED
from advisor.theory.interface import Arrival, ClassResult, Delay, Regime, Weakness
from advisor.theory.lattice import QUANTILES, Law
from advisor.theory.offered import batch_of
from advisor.theory.regimes import REGIMES
from advisor.theory.ring.full_ring import Sample

_ROUNDING = 1e-10  # numeric: of the sums of a distribution
NOTICED_LOSS = 0.01  # loss ratio of bursts from which incomplete bursts matter
# Pairs of a stream from which their mean |difference| is taken: its relative deviation is about
# 0.75 / sqrt(pairs), 11 % with fifty.
FEW_PAIRS = 50


def of_sample(sample: Sample, fresh: float = 1.0) -> Delay:
    """Delay from the samples of the recursion.

    `fresh` is how far consecutive delays of a stream differ, 1 for independent ones. It is used
    only if the sample holds too few pairs of a stream.
    """
    delay = sample.delay_ms
    if not len(delay):
        return Delay(0.0, 0.0, 0.0, 0.0, 0.0)
    ranks = [min(len(delay) - 1, int(len(delay) * level)) for level in QUANTILES]
    values = np.sort(delay)  # several times faster than a partition
    p50, p95, p99 = (float(values[rank]) for rank in ranks)
    if len(sample.ipdv_ms) >= FEW_PAIRS:
        ipdv = float(sample.ipdv_ms.mean())
    else:
        # half the lanes away: independent draws
        ipdv = fresh * float(np.abs(delay - np.roll(delay, len(delay) // 2)).mean())
    return Delay(float(delay.mean()), p50, p95, p99, ipdv)


def sampling_error(sample: Sample) -> float:
    """Two standard errors of the mean, relative."""
    delay = sample.delay_ms
    if not len(delay):
        return 1.0
    return float(2 * delay.std() / delay.mean() / np.sqrt(len(delay) / CORRELATED))


def of_law(law: Law, ipdv_ms: float) -> Delay:
    """Delay from a distribution on a lattice."""
    p50, p95, p99 = law.quantiles_ms(*QUANTILES)
    return Delay(law.mean_ms, p50, p95, p99, ipdv_ms)


def result(
    flow: Flow,
    delay: Delay,
    regime: Regime,
    rate_bps: float,
    *,
    bound_ms: float | None,
    loss_ratio: float = 0.0,
    most_loss: float | None = None,
    carried: float | None = None,
    wider: float = 0.0,
    also_ms: Sequence[float] = (),
    weak: tuple[Weakness, ...] = (),
    half_width: float | None = None,
) -> ClassResult:
    """Combine a class's result; `carried` is its share of the wire, else load less loss.

    `half_width` is that of the regime where it is None. `most_loss` is given if the loss is between
    0 and this value. The interval of the mean includes `also_ms`.
    """
    own_ms = float(flow.times_ms.min())
    half = (REGIMES[regime].half_width if half_width is None else half_width) + wider
    load = flow.load * (1 - loss_ratio) if carried is None else carried
    low_ms = max(own_ms, min([delay.mean_ms, *also_ms]) * (1 - half))
    high_ms = max([delay.mean_ms, *also_ms]) * (1 + half)
    if delay.mean_ms > 0:  # a lattice rounds
        p50_ms, p95_ms, p99_ms = (
            max(quantile_ms, own_ms) for quantile_ms in (delay.p50_ms, delay.p95_ms, delay.p99_ms)
        )
        delay = Delay(delay.mean_ms, p50_ms, p95_ms, p99_ms, delay.ipdv_ms)
    if bound_ms is not None:
        high_ms = min(high_ms, max(bound_ms, delay.mean_ms))
        delay = Delay(
            min(delay.mean_ms, bound_ms),
            min(delay.p50_ms, bound_ms),
            min(delay.p95_ms, bound_ms),
            min(delay.p99_ms, bound_ms),
            delay.ipdv_ms,
        )
    return ClassResult(
        name=flow.traffic.name,
        delay=delay,
        mean_low_ms=min(low_ms, delay.mean_ms),
        mean_high_ms=max(high_ms, delay.mean_ms),
        bound_ms=bound_ms,
        ipdv_bound_ms=None if bound_ms is None else bound_ms - own_ms,
        # a JSON writer does not take numpy's numbers
        loss_ratio=float(loss_ratio) if loss_ratio > _ROUNDING else 0.0,
        loss_low_ratio=0.0 if most_loss is not None else None,
        loss_high_ratio=None if most_loss is None else float(most_loss),
        throughput_bps=float(load * rate_bps),
        regime=regime,
        weak=weak,
    )


def not_random(
    flows: Sequence[Flow], kinds: tuple[type[Arrival], ...], tolerated: float
) -> float | None:
    """Addition to the interval if arrivals of `kinds` are taken as independent packets.

    It is their share of the load; None up to the share `tolerated`, which the interval of the
    regime covers. Periodic sources queue less than random packets, or hardly at all; bursts queue
    more.
    """
    load = sum(flow.load for flow in flows)
    ordered_load = sum(flow.load for flow in flows if isinstance(flow.traffic.arrival, kinds))
    share = ordered_load / load if load > 0 else 0.0
    return min(share, MOST_ORDERED) if share > tolerated else None


def cut_short(flow: Flow, loss_ratio: float) -> bool:
    """Whether a queue drops so much that the bursts in it are no longer whole."""
    return batch_of(flow) > 1 and loss_ratio > NOTICED_LOSS
