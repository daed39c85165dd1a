"""True results of scenarios: those that stand in files, and those that the simulation gives."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

import msgspec
from msgspec import Struct, field

from advisor.settings.scenario import Saturated, Scenario, Stream
from advisor.simulate import ClassResult, Estimate, simulate
from advisor.units import kbps_from_bps

PACKETS = 1_000_000
REPLICATIONS = 200  # periodic streams keep their phase within one: few would see few phases
SEED = 20


class TruthError(Exception):
    """A file of true results cannot be read, or is not that of the scenarios."""


class ClassTruth(Struct, frozen=True):
    """What one class got; half-widths are those of 95 % confidence intervals.

    `scored` is false where the delay is that of a backlog which the traffic itself keeps.
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


class _Results(Struct, frozen=True):
    classes: tuple[ClassTruth, ...]


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
    return tuple(ScenarioTruth(scenario.id, scenario.results.classes) for scenario in whole)


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


def simulated(scenarios: Sequence[Scenario]) -> tuple[ScenarioTruth, ...]:
    """Simulate scenarios at length, on all processors; the same scenarios give the same results."""
    with ProcessPoolExecutor() as pool:
        return tuple(pool.map(_simulated, scenarios))


def _simulated(scenario: Scenario) -> ScenarioTruth:
    results = simulate(scenario, PACKETS, REPLICATIONS, SEED).classes
    return ScenarioTruth(scenario.id, tuple(_classes(scenario, results)))


def _classes(scenario: Scenario, results: Sequence[ClassResult]) -> Iterator[ClassTruth]:
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
