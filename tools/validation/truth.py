"""True results of scenarios: those that stand in files, and those that the simulation gives."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import isnan, nan

import msgspec
from msgspec import Struct, field

from advisor.ground.units import kbps_from_bps
from advisor.predict.scenario_interface import interface_of
from advisor.settings.scenario import Saturated, Scenario, Stream
from advisor.simulate import ClassSummary, Estimate, simulate

PACKETS = 1_000_000
REPLICATIONS = 200  # periodic streams keep their phase within one: few would see few phases
SEED = 20
LONG_REPLICATIONS = 40  # of three times the packets: queues near a full line fill slowly


class TruthError(Exception):
    """A file of true results cannot be read, or is not that of the scenarios."""


class ClassTruth(Struct, frozen=True):
    """Result of one class; half-widths are those of 95 % confidence intervals.

    `scored` is false where the delay is that of a backlog which the traffic itself keeps, and where
    nothing or next to nothing is delivered.
    """

    class_name: str = field(name="class")
    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float
    ipdv_ms: float
    throughput_wire_kbps: float
    mean_ci95_ms: float | None = None
    p95_ci95_ms: float | None = None
    p99_ci95_ms: float | None = None
    ipdv_ci95_ms: float | None = None
    loss_ratio: float | None = None
    measured_packets: int | None = None
    scored: bool = True


class ScenarioTruth(Struct, frozen=True):
    """True results of one scenario, in the order of its traffic."""

    id: str
    classes: tuple[ClassTruth, ...]


class _GivenClass(Struct, frozen=True):
    """A class as files of other programs give it: no delay where nothing was delivered."""

    class_name: str = field(name="class")
    throughput_wire_kbps: float
    mean_ms: float | None = None
    p50_ms: float | None = None
    p95_ms: float | None = None
    p99_ms: float | None = None
    max_ms: float | None = None
    ipdv_ms: float | None = None
    mean_ci95_ms: float | None = None
    p95_ci95_ms: float | None = None
    p99_ci95_ms: float | None = None
    ipdv_ci95_ms: float | None = None
    loss_ratio: float | None = None
    measured_packets: int | None = None
    scored: bool = True


class _Results(Struct, frozen=True):
    classes: tuple[_GivenClass, ...]


class _WithResults(Struct, frozen=True):
    id: str
    results: _Results


def read_truth(text: str, file: str) -> tuple[ScenarioTruth, ...]:
    """True results of a file that holds them alone.

    Raises
    ------
    TruthError
        If the text is no such JSON.
    """
    try:
        return msgspec.json.decode(text, type=tuple[ScenarioTruth, ...])
    except msgspec.DecodeError as error:
        raise TruthError(f"{file}: {error}") from error


def read_results(text: str, file: str) -> tuple[ScenarioTruth, ...]:
    """True results that stand in the scenarios of a file.

    Raises
    ------
    TruthError
        If the text is no such JSON.
    """
    try:
        whole = msgspec.json.decode(text, type=tuple[_WithResults, ...])
    except msgspec.DecodeError as error:
        raise TruthError(f"{file}: {error}") from error
    return tuple(
        ScenarioTruth(scenario.id, tuple(map(_known, scenario.results.classes)))
        for scenario in whole
    )


def _known(given: _GivenClass) -> ClassTruth:
    """A class whose figures are all there, or one that is not scored."""
    figures = (given.mean_ms, given.p50_ms, given.p95_ms, given.p99_ms, given.max_ms, given.ipdv_ms)
    mean, p50, p95, p99, largest, ipdv = (nan if value is None else value for value in figures)
    is_known = not any(map(isnan, (mean, p50, p95, p99, largest, ipdv)))
    return ClassTruth(
        class_name=given.class_name,
        mean_ms=mean,
        p50_ms=p50,
        p95_ms=p95,
        p99_ms=p99,
        max_ms=largest,
        ipdv_ms=ipdv,
        throughput_wire_kbps=given.throughput_wire_kbps,
        mean_ci95_ms=given.mean_ci95_ms,
        p95_ci95_ms=given.p95_ci95_ms,
        p99_ci95_ms=given.p99_ci95_ms,
        ipdv_ci95_ms=given.ipdv_ci95_ms,
        loss_ratio=given.loss_ratio,
        measured_packets=given.measured_packets,
        scored=given.scored and is_known,
    )


def written(truths: Sequence[ScenarioTruth]) -> str:
    """JSON of true results: one line a scenario, six digits."""
    lines = (msgspec.json.encode(_rounded(truth)).decode("utf-8") for truth in truths)
    return "[\n " + ",\n ".join(lines) + "\n]\n"


def _rounded(truth: ScenarioTruth) -> object:
    def short(value: object) -> object:
        return float(f"{value:.6g}") if isinstance(value, float) else value

    rows = [msgspec.to_builtins(result) for result in truth.classes]
    return {
        "id": truth.id,
        "classes": [{key: short(value) for key, value in row.items()} for row in rows],
    }


def simulated(scenarios: Sequence[Scenario], *, slow: bool = False) -> tuple[ScenarioTruth, ...]:
    """Simulate scenarios at length, on all processors; the same scenarios give the same results.

    `slow` is for queues that take long to fill: fewer and longer replications of more packets.
    """
    work = partial(
        _simulated,
        packets=3 * PACKETS if slow else PACKETS,
        replications=LONG_REPLICATIONS if slow else REPLICATIONS,
    )
    with ProcessPoolExecutor() as pool:
        return tuple(pool.map(work, scenarios))


def _simulated(scenario: Scenario, packets: int, replications: int) -> ScenarioTruth:
    results = simulate(interface_of(scenario), packets, replications, SEED).classes
    return ScenarioTruth(scenario.id, tuple(_classes(scenario, results)))


def _classes(scenario: Scenario, results: Sequence[ClassSummary]) -> Iterator[ClassTruth]:
    for traffic, result in zip(scenario.traffic, results, strict=True):
        delay = result.delay
        if delay is None or delay.ipdv_ms is None:
            raise TruthError(f"scenario {scenario.id}: class {result.class_name} delivers too few")
        filling = isinstance(traffic, Stream) and isinstance(traffic.arrival, Saturated)
        yield ClassTruth(
            class_name=result.class_name,
            mean_ms=delay.mean_ms.value,
            p50_ms=delay.p50_ms.value,
            p95_ms=delay.p95_ms.value,
            p99_ms=delay.p99_ms.value,
            max_ms=delay.max_ms,
            ipdv_ms=delay.ipdv_ms.value,
            throughput_wire_kbps=kbps_from_bps(result.throughput_wire_bps.value),
            mean_ci95_ms=delay.mean_ms.half_width,
            p95_ci95_ms=delay.p95_ms.half_width,
            p99_ci95_ms=delay.p99_ms.half_width,
            ipdv_ci95_ms=delay.ipdv_ms.half_width,
            loss_ratio=_value(result.loss_ratio),
            measured_packets=result.delivered_packets,
            scored=not filling,
        )


def _value(estimate: Estimate | None) -> float | None:
    return None if estimate is None else estimate.value
