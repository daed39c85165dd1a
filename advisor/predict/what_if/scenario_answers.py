"""Scenarios answered by the model and, on request, by the simulation."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.units import kbps_from_bps
from advisor.model import Interface
from advisor.predict.scenario import (
    ClassRow,
    GroupRow,
    NotModelledError,
    predict_scenario,
    predict_wred_scenario,
)
from advisor.predict.scenario_interface import interface_of
from advisor.predict.what_if.simulated import (
    PACKETS,
    REPLICATIONS,
    SEED,
    Figured,
    FigurePair,
    Span,
    apart,
    throughput_span,
)
from advisor.settings.scenario import Scenario
from advisor.simulate import ClassSummary, Estimate, SimulationError, simulate
from advisor.theory.check import FormulaCheck, checks_of


class Estimated(Struct, frozen=True):
    """A simulated figure and the half-width of its 95 % confidence interval, if it has one."""

    value: float
    half_width: float | None

    @property
    def span(self) -> Span:
        """The confidence interval; the value alone without one."""
        half_width = self.half_width or 0.0
        return Span(self.value - half_width, self.value + half_width)


class SimulatedRow(Struct, frozen=True):
    """Simulated figures of a class or group. None: nothing was delivered or offered.

    `packets` is the number of delivered packets, `share` the part of the wire bytes of all TCP.
    """

    packets: int
    throughput_wire_kbps: float
    loss_ratio: Estimated | None = None
    share: Estimated | None = None
    mean_ms: Estimated | None = None
    p50_ms: Estimated | None = None
    p95_ms: Estimated | None = None
    p99_ms: Estimated | None = None
    max_ms: float | None = None
    ipdv_ms: Estimated | None = None
    ipdv_max_ms: float | None = None
    throughput_half_width_kbps: float | None = None


class ScenarioRow(Struct, frozen=True):
    """One class, or one group of TCP or WRED: the model's answer, the simulation's, or both."""

    scenario_id: str
    name: str
    predicted: ClassRow | GroupRow | None
    simulated: SimulatedRow | None = None
    check: FormulaCheck | None = None

    @property
    def apart(self) -> tuple[Figured, ...] | None:
        """Figures in which they contradict each other; empty: they agree. None: one is missing."""
        row, simulated = self.predicted, self.simulated
        if row is None or simulated is None:
            return None
        if isinstance(row, ClassRow):
            pairs = (
                _pair(Figured.MEAN, row.mean_low_ms, row.mean_high_ms, simulated.mean_ms),
                _pair(Figured.P95, row.p95_low_ms, row.p95_high_ms, simulated.p95_ms),
                _pair(Figured.P99, row.p99_low_ms, row.p99_high_ms, simulated.p99_ms),
                _pair(Figured.IPDV, row.ipdv_low_ms, row.ipdv_high_ms, simulated.ipdv_ms),
                _pair(Figured.LOSS, row.loss_low_ratio, row.loss_high_ratio, simulated.loss_ratio),
                _throughputs(row, simulated),
            )
            return apart(pairs, row.bound_ms, simulated.max_ms)
        if row.share is None:
            return None
        return apart((_pair(Figured.SHARE, row.share_low, row.share_high, simulated.share),))


def _pair(
    name: Figured, low: float | None, high: float | None, simulated: Estimated | None
) -> FigurePair:
    predicted = None if low is None or high is None else Span(low, high)
    return FigurePair(name, predicted, None if simulated is None else simulated.span)


def _throughputs(row: ClassRow, simulated: SimulatedRow) -> FigurePair:
    low, high = row.throughput_wire_low_kbps, row.throughput_wire_high_kbps
    predicted = None if low is None or high is None else Span(low, high)
    span = throughput_span(simulated.throughput_wire_kbps, simulated.throughput_half_width_kbps)
    return FigurePair(Figured.THROUGHPUT, predicted, span)


class ScenarioAnswer(Struct, frozen=True):
    """Rows of one scenario, and why the model or the simulation has none where that is so."""

    rows: tuple[ScenarioRow, ...]
    not_predicted: str | None = None
    not_simulated: str | None = None


def answer_scenario(
    scenario: Scenario, *, simulated: bool, checked: bool = False
) -> ScenarioAnswer:
    """Predict a scenario; if `simulated`, simulate it too, which takes seconds.

    If `checked`, each mean is by formula and by a run of the kernel.
    """
    interface = interface_of(scenario)
    predicted: Mapping[str, ClassRow | GroupRow] = {}
    passed: Mapping[str, SimulatedRow] = {}
    checks: Mapping[str, FormulaCheck] = {}
    not_predicted = not_simulated = None
    try:
        if interface.reacts:
            predicted = {row.group: row for row in predict_wred_scenario(scenario)}
        else:
            predicted = {row.class_name: row for row in predict_scenario(scenario)}
            checks = _checks(interface) if checked else {}
    except NotModelledError as error:
        not_predicted = str(error)
    if simulated:
        try:
            results = simulate(interface, PACKETS, REPLICATIONS, SEED).classes
            passed = {result.class_name: _simulated(result) for result in results}
        except SimulationError as error:
            not_simulated = str(error)
    rows = (
        ScenarioRow(scenario.id, name, predicted.get(name), passed.get(name), checks.get(name))
        for name in passed or predicted
    )
    return ScenarioAnswer(tuple(rows), not_predicted, not_simulated)


def _checks(interface: Interface) -> Mapping[str, FormulaCheck]:
    names = [traffic.name for traffic in interface.traffic]
    return dict(zip(names, checks_of(interface), strict=True))


def _simulated(result: ClassSummary) -> SimulatedRow:
    delay = result.delay
    row = SimulatedRow(
        packets=result.delivered_packets,
        throughput_wire_kbps=kbps_from_bps(result.throughput_wire_bps.value),
        loss_ratio=_estimated(result.loss_ratio),
        share=_estimated(result.tcp_share_ratio),
        throughput_half_width_kbps=kbps_from_bps(result.throughput_wire_bps.half_width or 0.0),
    )
    if delay is None:
        return row
    return replace(
        row,
        mean_ms=_estimated(delay.mean_ms),
        p50_ms=_estimated(delay.p50_ms),
        p95_ms=_estimated(delay.p95_ms),
        p99_ms=_estimated(delay.p99_ms),
        max_ms=delay.max_ms,
        ipdv_ms=_estimated(delay.ipdv_ms),
        ipdv_max_ms=delay.ipdv_max_ms,
    )


def _estimated(estimate: Estimate | None) -> Estimated | None:
    return None if estimate is None else Estimated(estimate.value, estimate.half_width)
