"""Results of each probe, the longest time that the model allows it, and probes that took longer."""

from collections.abc import Iterator, Sequence
from math import ceil, sqrt
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts import SlaProbe
from advisor.facts.policy import Unit
from advisor.ground.quantity import Basis, Input, Unknown, enclosing, exact, number
from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.congestion import busy_parts
from advisor.outlet.outlet import Outlet
from advisor.outlet.probe import probe_path, way_out
from advisor.predict.classes.congested import (
    CongestedCase,
    congested,
    solved_cases,
    with_ring,
)
from advisor.predict.classes.limits import longest_own_ms
from advisor.settings import ReturnPath
from advisor.shows.sla import SlaResult, Spread
from advisor.theory.ring import MAX_LIMIT

NORMAL_95: Final = 1.96  # half-width of a two-sided 95 % interval, in standard errors


class ProbeBounds(Struct, frozen=True):
    """Bounds in ms of the way there in the congested case, and of the way back.

    Each of the jitter and of the delay. In a bundle, `outlet` is the slowest member.
    """

    outlet: Outlet
    class_name: str
    jitter_ms: float
    one_way_ms: float
    back_jitter_ms: float
    back_ms: float
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
    own_ms = longest_own_ms(case.question)
    jitter_ms = one_way_ms - own_ms
    is_idle = device.return_path is ReturnPath.IDLE
    back = (0.0, own_ms) if is_idle else (jitter_ms, one_way_ms)
    return ProbeBounds(outlet, class_name, jitter_ms, one_way_ms, *back, case.solved.inputs)


def results_by_number(device: Device) -> dict[int, list[SlaResult]]:
    """The results of each operation, in the order of the captures."""
    by_number: dict[int, list[SlaResult]] = {}
    for result in device.seen.sla:
        by_number.setdefault(result.number, []).append(result)
    return by_number


# A probe that took longer than the bound of the model: one of the two is wrong.


class OverBoundParams(Struct, frozen=True):
    """Time in ms that routers add to a figure of a probe; CPU load above which they add more.

    `loss_percent` is the budget of the profile; None where it does not judge loss.
    """

    processing_ms: float
    cpu_percent: float
    loss_percent: float | None = None


class OverBound(Struct, frozen=True):
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


def find_measured_over_predicted_bound(device: Device, params: OverBoundParams) -> Found[OverBound]:
    """Yield a hit for each probe with a figure over the bound of its path, there or back.

    The path back is assumed to be like the path there, unless the user states that it is idle: the
    far end is not known.
    """
    probes = {probe.number: probe for probe in device.facts.probes}
    for operation, results in results_by_number(device).items():
        label, probe = f"ip sla {operation}", probes.get(operation)
        if probe is None:
            yield Skip(label, "the operation is not in the configuration")
            continue
        lost = _worst_loss(results, params.loss_percent)
        bounds = probe_bounds(device, probe)
        if isinstance(bounds, Unknown):
            yield _loss_hit(device, probe, lost) or Skip(label, bounds.reason)
            continue
        metrics = [metric for result in results for metric in _metrics(result, bounds, params)]
        if not metrics:
            yield Skip(label, "nothing was measured")
        metrics_over = sorted(
            (metric for metric in metrics if metric.excess_ms > 0), key=lambda m: -m.excess_ms
        )
        if metrics_over:
            hit = _over_bound(device, params, probe, bounds, metrics_over)
            yield hit if lost is None else _with_loss(hit, lost)
        elif (hit_of_loss := _loss_hit(device, probe, lost)) is not None:
            yield hit_of_loss


def _metrics(result: SlaResult, bounds: ProbeBounds, params: OverBoundParams) -> Iterator[_Metric]:
    """Figures of a result with their bounds.

    A jitter is the difference of two delays of one direction: no more than the longest wait.
    """
    there_ms, back_ms, more_ms = bounds.one_way_ms, bounds.back_ms, params.processing_ms
    figures = (
        ("RTT", result.rtt or result.moment, there_ms + back_ms, True),
        ("latency to the destination", result.latency_to_destination, there_ms, False),
        ("latency to the source", result.latency_to_source, back_ms, True),
        ("jitter to the destination", result.jitter_to_destination, bounds.jitter_ms, False),
        ("jitter to the source", result.jitter_to_source, bounds.back_jitter_ms, True),
    )
    for name, spread, bound_ms, far_end in figures:
        if spread is not None:
            yield _Metric(name, spread, bound_ms + more_ms, far_end)


def _over_bound(
    device: Device,
    params: OverBoundParams,
    probe: SlaProbe,
    bounds: ProbeBounds,
    metrics: list[_Metric],
) -> Hit[OverBound]:
    worst, outlet = metrics[0], bounds.outlet
    evidence = OverBound(
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


class _Loss(Struct, frozen=True):
    """Packets of a probe that were lost in one direction: surely more than the budget."""

    name: str
    lost: int
    sent: int
    budget_percent: float
    at: Location

    @property
    def percent(self) -> float:
        return percent_from_ratio(self.lost / self.sent)

    @property
    def words(self) -> str:
        counted = f"{self.lost} of {self.sent}"
        return f"{self.name} {number(self.percent)} % ({counted}), budget {self.budget_percent:g} %"


def _worst_loss(results: Sequence[SlaResult], budget_percent: float | None) -> _Loss | None:
    """The largest loss over the budget; None where chance may explain it.

    The packets of a direction that is not printed are lost in one of the two.
    """
    if budget_percent is None:
        return None
    found: list[_Loss] = []
    for result in results:
        loss, received = result.loss, result.rtt.samples if result.rtt is not None else None
        there, back = loss.source_to_destination_packets, loss.destination_to_source_packets
        somewhere = loss.lost_packets or 0
        sent = (received or 0) + (there or 0) + (back or 0) + somewhere
        counts = (
            ("loss to the destination", there or 0),
            ("loss to the source", back or 0),
            ("loss in one of the directions, at least", ceil(somewhere / 2)),
        )
        for name, lost in counts if received is not None else ():
            if lost and percent_from_ratio(_least_ratio(lost, sent)) > budget_percent:
                found.append(_Loss(name, lost, sent, budget_percent, result.at))
    return max(found, key=lambda loss: loss.percent, default=None)


def _least_ratio(lost: int, sent: int) -> float:
    """Lower end of the 95 % interval of a share. Source: Wilson, J. Amer. Statist. Assoc. 22."""
    ratio, spread = lost / sent, NORMAL_95**2 / sent
    half = NORMAL_95 * sqrt(ratio * (1 - ratio) / sent + spread / (4 * sent))
    return (ratio + spread / 2 - half) / (1 + spread)


def _with_loss(hit: Hit[OverBound], lost: _Loss) -> Hit[OverBound]:
    evidence = replace(hit.evidence, measured=f"{hit.evidence.measured}, {lost.words}")
    return replace(hit, evidence=evidence)


def _loss_hit(device: Device, probe: SlaProbe, lost: _Loss | None) -> Hit[OverBound] | None:
    """A hit for loss alone, of a probe in the LLQ of its output: a warning."""
    path = way_out(device, probe)
    if lost is None or isinstance(path, Unknown) or not path.is_priority:
        return None
    outlet = path.outlets[0]
    evidence = OverBound(
        number=probe.number,
        measured=lost.words,
        classes=", ".join(llq_class.name for llq_class in outlet.llq_classes),
        causes="a policer of the LLQ that drops, errors of a line, or a provider that drops",
    )
    least = percent_from_ratio(_least_ratio(lost.lost, lost.sent))
    figure = enclosing(lost.percent, least, lost.percent, "%")
    counted = exact("lost_packets", lost.lost, Basis.MEASURED, str(lost.at))
    return Hit(
        f"ip sla {probe.number}",
        (probe.at, lost.at, outlet.at),
        evidence,
        Confidence.LIKELY,
        Forecast(f"{lost.name.partition(',')[0]} of the probe", figure, None, (counted,)),
        severity=Severity.WARNING,
    )


def _causes(
    device: Device, params: OverBoundParams, bounds: ProbeBounds, worst: _Metric
) -> Iterator[str]:
    """Settings that would allow the measured time, each by its number, measured ones first."""
    yield from busy_parts(device.seen, params.cpu_percent)
    yield from _ring_needed(device, bounds, worst)
    wire = bounds.outlet.wire
    if wire is not None and bounds.rate_is_a_label:
        # Each part of a bound but the time that routers add is a transmission.
        ratio = worst.bound_ms - params.processing_ms
        ratio /= worst.spread.maximum_ms - params.processing_ms
        rates = (number(kbps_from_bps(wire.value * part)) for part in (ratio, 1.0))
        yield "a line of {} kb/s, where `bandwidth` says {}".format(*rates)
    excess = f"{number(worst.excess_ms)} ms"
    if not worst.far_end:
        yield f"{excess} in queues of the way there that no configuration shows"
    elif device.return_path is ReturnPath.IDLE:
        yield f"{excess} on a way back that is not idle, as it is stated, or at the far end"
    else:
        yield f"{excess} more at the far end or between the two ends than on the way there"


def _ring_needed(device: Device, bounds: ProbeBounds, worst: _Metric) -> Iterator[str]:
    """The ring that would allow the measured time, where no output shows the ring."""
    ring = bounds.outlet.ring
    if ring is None or ring.basis is Basis.MEASURED:
        return
    asked = congested(device, bounds.outlet)
    limits = (ring.limit_high, ring.limit_high + _MORE_UNITS)
    cases = solved_cases([with_ring(asked, limit) for limit in limits])
    found = [_bound_in(case, bounds.class_name) for case in cases]
    if None in found:
        return
    short_ms, long_ms = (bound_ms or 0.0 for bound_ms in found)
    is_both = worst.far_end and device.return_path is not ReturnPath.IDLE
    each_ms = (long_ms - short_ms) / _MORE_UNITS * (2 if is_both else 1)
    if each_ms <= 0:
        return
    needed = ring.limit_high + ceil(worst.excess_ms / each_ms)
    if needed <= MAX_LIMIT:
        where = " at both ends" if is_both else ""
        longer = f"a ring of {needed} {ring.unit_of(needed)}{where}"
        yield f"{longer}, not {ring.limit_high} ({ring.basis})"


_MORE_UNITS: Final = 8  # a bound grows by the same for each unit of the ring


def _bound_in(case: CongestedCase | Unknown, class_name: str) -> float | None:
    solved = None if isinstance(case, Unknown) else case.class_named(class_name)
    return None if solved is None else solved.mean.bound
