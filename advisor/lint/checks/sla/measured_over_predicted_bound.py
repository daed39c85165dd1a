"""A probe that took longer than the bound of the model: one of the two is wrong."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.stated import SlaProbe
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.sla.shared.bounds import ProbeBounds, probe_bounds
from advisor.lint.findings import Confidence, Forecast, ObjectKind
from advisor.quantity import Basis, Unknown, enclosing, exact
from advisor.shows.sla.draft import SlaResult, Spread


class Params(Struct, frozen=True):
    """Time in ms that routers add to a figure of a probe; CPU load above which they add more."""

    processing_ms: float
    cpu_percent: float


class Evidence(Struct, frozen=True):
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


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
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
            yield _hit(device, params, probe, bounds, metrics_over)


def _metrics(result: SlaResult, bounds: ProbeBounds, params: Params) -> Iterator[_Metric]:
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


def _hit(
    device: Device, params: Params, probe: SlaProbe, bounds: ProbeBounds, metrics: list[_Metric]
) -> Hit[Evidence]:
    worst, outlet = metrics[0], bounds.outlet
    evidence = Evidence(
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


def _causes(device: Device, params: Params, bounds: ProbeBounds, worst: _Metric) -> Iterator[str]:
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


CHECK = Check(
    Params,
    Evidence,
    find,
    is_measured=True,
    object_kind=ObjectKind.NAME,
)
