"""A probe that took longer than the model says any packet can: one of the two is wrong."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.sla import SlaProbe
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.sla.shared.bounds import ProbeBounds, probe_bounds
from advisor.lint.findings import Confidence, Forecast
from advisor.quantity import Basis, Figure, Unknown, exact
from advisor.shows.sla.records import SlaResult, Spread


class Params(Struct, frozen=True):
    """What routers add to a figure of a probe, in ms; load above which they add more."""

    processing_ms: float
    cpu_percent: float


class Evidence(Struct, frozen=True):
    """What was measured, what the model allows, and what could explain the difference."""

    number: int
    measured: str  # "RTT up to 400 ms, at most 164 by the model", worst first
    classes: str
    causes: str


class _Metric(Struct, frozen=True):
    """A measured figure beside its bound; `far_end` where that rests on the far end too."""

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
    """Yield a hit for each probe with a figure over the bound of its way, there or back.

    The way back is taken to be like the way there: what is at the far end is not known.
    """
    probes = {each.number: each for each in device.facts.probes}
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
        metrics = [one for result in results for one in _metrics(result, bounds, params)]
        if not metrics:
            yield Skip(label, "nothing was measured")
        over = sorted((one for one in metrics if one.excess_ms > 0), key=lambda m: -m.excess_ms)
        if over:
            yield _hit(device, params, probe, bounds, over)


def _metrics(result: SlaResult, bounds: ProbeBounds, params: Params) -> Iterator[_Metric]:
    """Figures of a result with their bounds.

    A jitter is the difference of two delays of one direction: no more than the longest wait.
    """
    one_way_ms, wait_ms, more_ms = bounds.one_way_ms, bounds.wait_ms, params.processing_ms
    latest = result.latest_rtt_ms
    single = None if latest is None else Spread(latest, latest, latest, 1)
    known = (
        ("RTT", result.rtt or single, 2 * one_way_ms, True),
        ("latency to the destination", result.latency_to_destination, one_way_ms, False),
        ("latency to the source", result.latency_to_source, one_way_ms, True),
        ("jitter to the destination", result.jitter_to_destination, wait_ms, False),
        ("jitter to the source", result.jitter_to_source, wait_ms, True),
    )
    for name, spread, bound_ms, far_end in known:
        if spread is not None:
            yield _Metric(name, spread, bound_ms + more_ms, far_end)


def _hit(
    device: Device, params: Params, probe: SlaProbe, bounds: ProbeBounds, over: list[_Metric]
) -> Hit[Evidence]:
    worst, outlet = over[0], bounds.outlet
    evidence = Evidence(
        number=probe.number,
        measured=", ".join(one.words for one in over),
        classes=", ".join(each.name for each in outlet.llq_classes),
        causes="; ".join(_causes(device, params, bounds, worst)),
    )
    spread = worst.spread
    figure = Figure(
        spread.mean_ms, spread.minimum_ms, spread.maximum_ms, "ms", bound=worst.bound_ms
    )
    results = [each for each in device.seen.sla if each.number == probe.number]
    measured = exact("maximum_ms", spread.maximum_ms, Basis.MEASURED, str(results[-1].at))
    allowed = exact("processing_ms", params.processing_ms, Basis.ASSUMED, "what routers add")
    sure = not all(one.far_end for one in over) and not bounds.rate_is_a_label
    return Hit(
        f"ip sla {probe.number}",
        (probe.at, *(each.at for each in results), outlet.at),
        evidence,
        Confidence.LIKELY if sure else Confidence.POSSIBLE,
        Forecast(f"{worst.name} of the probe", figure, None, (measured, allowed, *bounds.inputs)),
    )


def _causes(device: Device, params: Params, bounds: ProbeBounds, worst: _Metric) -> Iterator[str]:
    """What could explain the miss: what is measured first, then what is only assumed."""
    busiest = max((each.one_minute_percent for each in device.seen.cpu), default=0)
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


CHECK = Check(Params, Evidence, find, wants=("show ip sla statistics",))
