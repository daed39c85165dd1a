"""Checks of IP SLA probes and of their measurements."""

from collections.abc import Iterator
from math import sqrt

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts import SlaProbe
from advisor.facts.policy import Unit
from advisor.facts.selectable import selectable_by_class
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import dscp_name
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Forecast, ObjectKind
from advisor.outlet.outlet import Outlet
from advisor.outlet.probe import (
    JITTER_OPERATIONS,
    TOS_BITS_BELOW_DSCP,
    ProbePath,
    probe_path,
    way_out,
)
from advisor.predict.classes.congested import congested, solved_cases
from advisor.predict.classes.limits import longest_own_ms
from advisor.quantity import Basis, Input, Unknown, enclosing, exact
from advisor.shows.sla import SlaResult, Spread

# The longest time that the model allows a probe on its way to the neighbour.


class ProbeBounds(Struct, frozen=True):
    """Bounds in ms of one direction in the congested case: of the jitter, and of the delay.

    In a bundle, `outlet` is the slowest member.
    """

    outlet: Outlet
    jitter_ms: float
    one_way_ms: float
    inputs: tuple[Input, ...]

    @property
    def rate_is_a_label(self) -> bool:
        wire = self.outlet.wire
        return wire is not None and wire.is_label


def probe_bounds(device: Device, probe: SlaProbe) -> ProbeBounds | Unknown:
    """Bounds of a probe that is in the LLQ of a connected link, or why there are none."""
    path = probe_path(device, probe)
    if isinstance(path, Unknown):
        return path
    if not path.outlets[0].llq_classes:
        return Unknown("the output has no LLQ: no bound of the delay is known")
    if path.is_priority is None:
        return Unknown("which class takes the probe is not known")
    if not path.is_priority:
        return Unknown(f"the probe is in class {path.class_name}: no bound of its delay is known")
    worst: ProbeBounds | None = None
    for outlet in path.outlets:
        bounds = _bounds(device, outlet, path.class_name or "")
        if isinstance(bounds, Unknown):
            return bounds
        if worst is None or bounds.one_way_ms > worst.one_way_ms:
            worst = bounds
    return worst or Unknown("no output is known")


def _bounds(device: Device, outlet: Outlet, class_name: str) -> ProbeBounds | Unknown:
    if outlet.ring_idle:
        return Unknown("the queue is in a shaper, and no bound of its delay is known")
    for llq_class in outlet.llq_classes:
        priority = llq_class.priority
        if priority is not None and priority.unit is Unit.STRICT and priority.burst_bytes is None:
            return Unknown(
                f"priority of class {llq_class.name} has no rate: its own burst has no bound"
            )
    (case,) = solved_cases((congested(device, outlet),))
    if isinstance(case, Unknown):
        return case
    solved_class = case.class_named(class_name)
    if solved_class is None:
        return Unknown(f"no figures of class {class_name} are known")
    one_way_ms = solved_class.mean.bound
    if one_way_ms is None:
        return Unknown("no bound of the LLQ is known")
    # packets of a probe have one size: their transmission is no part of their jitter
    jitter_ms = one_way_ms - longest_own_ms(case.question)
    return ProbeBounds(outlet, jitter_ms, one_way_ms, case.solved.inputs)


# A probe that took longer than the bound of the model: one of the two is wrong.


class MeasuredOverPredictedBoundParams(Struct, frozen=True):
    """Time in ms that routers add to a figure of a probe; CPU load above which they add more."""

    processing_ms: float
    cpu_percent: float


class MeasuredOverPredictedBoundEvidence(Struct, frozen=True):
    """The measured figure, its bound by the model, and possible causes of the difference."""

    number: int
    measured: str  # "RTT up to 400 ms, at most 164 by the model", worst first
    classes: str
    causes: str


class _Metric(Struct, frozen=True):
    """A measured figure beside its bound; `far_end` if the bound depends on the far end too."""

    name: str
    spread: Spread
    bound_ms: float
    far_end: bool

    @property
    def excess_ms(self) -> float:
        return self.spread.maximum_ms - self.bound_ms

    @property
    def words(self) -> str:
        maximum_ms = self.spread.maximum_ms
        return f"{self.name} up to {maximum_ms:g} ms, at most {self.bound_ms:.0f} by the model"


def find_measured_over_predicted_bound(
    device: Device, params: MeasuredOverPredictedBoundParams
) -> Iterator[Hit[MeasuredOverPredictedBoundEvidence] | Skip]:
    """Yield a hit for each probe with a figure over the bound of its path, there or back.

    The path back is assumed to be like the path there: the far end is not known.
    """
    probes = {probe.number: probe for probe in device.facts.probes}
    by_number: dict[int, list[SlaResult]] = {}
    for result in device.seen.sla:
        by_number.setdefault(result.number, []).append(result)
    for number, results in by_number.items():
        label, probe = f"ip sla {number}", probes.get(number)
        if probe is None:
            yield Skip(label, "the operation is not in the configuration")
            continue
        bounds = probe_bounds(device, probe)
        if isinstance(bounds, Unknown):
            yield Skip(label, bounds.reason)
            continue
        metrics = [metric for result in results for metric in _metrics(result, bounds, params)]
        if not metrics:
            yield Skip(label, "nothing was measured")
        metrics_over = sorted(
            (metric for metric in metrics if metric.excess_ms > 0), key=lambda m: -m.excess_ms
        )
        if metrics_over:
            yield _measured_over_predicted_bound_hit(device, params, probe, bounds, metrics_over)


def _metrics(
    result: SlaResult, bounds: ProbeBounds, params: MeasuredOverPredictedBoundParams
) -> Iterator[_Metric]:
    """Figures of a result with their bounds.

    A jitter is the difference of two delays of one direction: no more than the longest wait.
    """
    one_way_ms, jitter_ms, more_ms = bounds.one_way_ms, bounds.jitter_ms, params.processing_ms
    latest = result.latest_rtt_ms
    single = None if latest is None else Spread(latest, latest, latest, 1)
    figures = (
        ("RTT", result.rtt or single, 2 * one_way_ms, True),
        ("latency to the destination", result.latency_to_destination, one_way_ms, False),
        ("latency to the source", result.latency_to_source, one_way_ms, True),
        ("jitter to the destination", result.jitter_to_destination, jitter_ms, False),
        ("jitter to the source", result.jitter_to_source, jitter_ms, True),
    )
    for name, spread, bound_ms, far_end in figures:
        if spread is not None:
            yield _Metric(name, spread, bound_ms + more_ms, far_end)


def _measured_over_predicted_bound_hit(
    device: Device,
    params: MeasuredOverPredictedBoundParams,
    probe: SlaProbe,
    bounds: ProbeBounds,
    metrics: list[_Metric],
) -> Hit[MeasuredOverPredictedBoundEvidence]:
    worst, outlet = metrics[0], bounds.outlet
    evidence = MeasuredOverPredictedBoundEvidence(
        number=probe.number,
        measured=", ".join(metric.words for metric in metrics),
        classes=", ".join(llq_class.name for llq_class in outlet.llq_classes),
        causes="; ".join(_causes(device, params, bounds, worst)),
    )
    spread = worst.spread
    figure = enclosing(spread.mean_ms, spread.minimum_ms, spread.maximum_ms, "ms")
    results = [result for result in device.seen.sla if result.number == probe.number]
    measured = exact("maximum_ms", spread.maximum_ms, Basis.MEASURED, str(results[-1].at))
    allowed = exact("processing_ms", params.processing_ms, Basis.ASSUMED, "what routers add")
    sure = not all(metric.far_end for metric in metrics) and not bounds.rate_is_a_label
    return Hit(
        f"ip sla {probe.number}",
        (probe.at, *(result.at for result in results), outlet.at),
        evidence,
        Confidence.LIKELY if sure else Confidence.POSSIBLE,
        Forecast(f"{worst.name} of the probe", figure, None, (measured, allowed, *bounds.inputs)),
    )


def _causes(
    device: Device, params: MeasuredOverPredictedBoundParams, bounds: ProbeBounds, worst: _Metric
) -> Iterator[str]:
    """Possible causes: first those that are measured, then those that are assumed."""
    busiest = max((load.one_minute_percent for load in device.seen.cpu), default=0)
    if busiest > params.cpu_percent:
        yield f"a CPU at {busiest} %"
    ring = bounds.outlet.ring
    if ring is not None and ring.basis is not Basis.MEASURED:
        yield f"a ring longer than {ring.limit_high} ({ring.basis}, not observed)"
    if bounds.rate_is_a_label:
        yield "a line slower than its `bandwidth`"
    if worst.far_end:
        yield "at the far end a longer ring, no LLQ for the answer, or a busy CPU"
    yield "queues between the two ends that neither configuration shows"


MEASURED_OVER_PREDICTED_BOUND = Check(
    MeasuredOverPredictedBoundParams,
    MeasuredOverPredictedBoundEvidence,
    find_measured_over_predicted_bound,
    is_measured=True,
    object_kind=ObjectKind.NAME,
)


# A jitter probe outside the LLQ measures another queue.


class ProbeNotInPriorityClassEvidence(Struct, frozen=True):
    """The class that takes the probe, and the LLQ that does not."""

    number: int
    operation: str
    class_name: str
    classes: str
    marking: str
    hint: str


def find_probe_not_in_priority_class(
    device: Device, params: NoParams
) -> Iterator[Hit[ProbeNotInPriorityClassEvidence] | Skip]:
    """Yield a hit for each jitter probe in another class than the LLQ.

    Silent where another jitter probe is in the LLQ of the same output: then this one measures
    its own class on purpose, unless it simulates a codec: that is voice. Echo probes test
    reachability: they are not judged.
    """
    del params
    outside: list[tuple[SlaProbe, ProbePath]] = []
    measured: set[str] = set()
    for probe in device.facts.probes:
        if probe.operation not in JITTER_OPERATIONS:
            continue
        path = way_out(device, probe)
        if isinstance(path, Unknown):
            yield Skip(f"ip sla {probe.number}", path.reason)
        elif not path.outlets[0].llq_classes:
            continue
        elif path.is_priority is None:
            yield Skip(f"ip sla {probe.number}", "which class takes the probe is not known")
        elif path.is_priority:
            measured.add(path.outlets[0].policy_label)
        else:
            outside.append((probe, path))
    for probe, path in outside:
        if probe.codec is not None or path.outlets[0].policy_label not in measured:
            yield _probe_not_in_priority_class_hit(device, probe, path)


def _probe_not_in_priority_class_hit(
    device: Device, probe: SlaProbe, path: ProbePath
) -> Hit[ProbeNotInPriorityClassEvidence]:
    outlet = path.outlets[0]
    dscp = 0 if probe.tos is None else probe.tos.value >> TOS_BITS_BELOW_DSCP
    evidence = ProbeNotInPriorityClassEvidence(
        number=probe.number,
        operation=probe.operation or "",
        class_name=path.class_name or "",
        classes=", ".join(llq_class.name for llq_class in outlet.llq_classes),
        marking=f"dscp {dscp_name(dscp)}" + ("" if probe.tos else ", as no `tos` is set"),
        hint=_hint(device, outlet),
    )
    at = (probe.tos.at if probe.tos is not None else probe.at, outlet.at)
    return Hit(f"ip sla {probe.number}", at, evidence, Confidence.LIKELY)


def _hint(device: Device, outlet: Outlet) -> str:
    """The `tos` that the LLQ matches, if it matches a DSCP."""
    selectable = selectable_by_class(device.facts)
    codes = [
        code for llq_class in outlet.llq_classes for code in selectable(llq_class.name).named_dscps
    ]
    return f"; `tos {max(codes) << TOS_BITS_BELOW_DSCP}` is in it" if codes else ""


PROBE_NOT_IN_PRIORITY_CLASS = Check(
    NoParams,
    ProbeNotInPriorityClassEvidence,
    find_probe_not_in_priority_class,
    object_kind=ObjectKind.NAME,
)


# A mean of few samples: its interval is wider than the budget that it must prove.

_NORMAL_95 = 1.96  # half-width of a two-sided 95 % interval, in standard errors


class ProbeTooFewSamplesParams(Struct, frozen=True):
    """Budget of the profile that the interval must not be wider than; None: not judged."""

    jitter_ms: float | None


class ProbeTooFewSamplesEvidence(Struct, frozen=True):
    """The figure, its samples, and the width of the interval of its mean."""

    metric: str
    mean_ms: float
    samples: int
    width_ms: float
    budget_ms: float


class _Wide(Struct, frozen=True):
    metric: str
    spread: Spread
    samples: int
    width_ms: float
    at: Location


def width_ms(spread: Spread, samples: int) -> float:
    """Width in ms of the 95 % interval of a mean, from its minimum and maximum.

    The variance is at most (max - mean) (mean - min): the interval is no wider than this. With
    few samples the normal interval is too narrow, so one that is too wide is certainly too wide.

    Source: R. Bhatia and C. Davis, A better bound on the variance, Amer. Math. Monthly 107
    (2000) 353-357.

    Examples
    --------
    >>> round(width_ms(Spread(6.0, 15.0, 31.0, 387), 387), 1)
    2.4
    """
    above_ms = max(0.0, spread.maximum_ms - spread.mean_ms)
    below_ms = max(0.0, spread.mean_ms - spread.minimum_ms)
    return 2 * _NORMAL_95 * sqrt(above_ms * below_ms / samples)


def find_probe_too_few_samples(
    device: Device, params: ProbeTooFewSamplesParams
) -> Iterator[Hit[ProbeTooFewSamplesEvidence] | Skip]:
    """Yield a hit for each operation whose mean has a wider interval than the jitter budget."""
    if params.jitter_ms is None:
        return
    by_number: dict[int, list[SlaResult]] = {}
    for result in device.seen.sla:
        by_number.setdefault(result.number, []).append(result)
    for number, results in by_number.items():
        label = f"ip sla {number}"
        means = [(name, spread, result.at) for result in results for name, spread in _means(result)]
        if any(spread.samples is None for _, spread, _ in means):
            yield Skip(label, "the number of samples is not printed")
        wide = [
            _Wide(name, spread, spread.samples, width_ms(spread, spread.samples), at)
            for name, spread, at in means
            if spread.samples
        ]
        worst = max(wide, key=lambda metric: metric.width_ms, default=None)
        if worst is not None and worst.width_ms > params.jitter_ms:
            yield _probe_too_few_samples_hit(label, worst, params.jitter_ms)


def _means(result: SlaResult) -> Iterator[tuple[str, Spread]]:
    spreads = (
        ("RTT", result.rtt),
        ("jitter to the destination", result.jitter_to_destination),
        ("jitter to the source", result.jitter_to_source),
    )
    return ((name, spread) for name, spread in spreads if spread is not None)


def _probe_too_few_samples_hit(
    label: str, worst: _Wide, budget_ms: float
) -> Hit[ProbeTooFewSamplesEvidence]:
    spread, half_ms = worst.spread, worst.width_ms / 2
    low_ms, high_ms = max(0.0, spread.mean_ms - half_ms), spread.mean_ms + half_ms
    figure = enclosing(spread.mean_ms, low_ms, high_ms, "ms", bound=spread.maximum_ms)
    samples = exact("samples", worst.samples, Basis.MEASURED, str(worst.at))
    evidence = ProbeTooFewSamplesEvidence(
        worst.metric, spread.mean_ms, worst.samples, worst.width_ms, budget_ms
    )
    return Hit(
        label,
        (worst.at,),
        evidence,
        Confidence.LIKELY,
        Forecast(f"mean {worst.metric}", figure, None, (samples,)),
    )


PROBE_TOO_FEW_SAMPLES = Check(
    ProbeTooFewSamplesParams,
    ProbeTooFewSamplesEvidence,
    find_probe_too_few_samples,
    is_measured=True,
    object_kind=ObjectKind.NAME,
)
