"""The published IP SLA measurements beside what the model says of them."""

import tomllib
from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from advisor.ground.quantity import plain
from advisor.ground.units import bps_from_kbps, s_from_ms, serialization_ms
from advisor.model import Interface
from advisor.predict.scenario import open_interface_of
from advisor.settings.scenario import Cbr, FixedSize, PoissonBursts, Scenario, Stream, UniformSizes
from advisor.theory.analytic import Outside, answer
from advisor.theory.formulas import formula_of
from advisor.theory.solver import solve
from tools.validation.truth import ScenarioTruth, TruthError

BASE_RTT_MS = 1.7  # of an idle link, the packets' own time on the wire taken off
PUBLISHED = "fixtures/published/ip_sla.toml"


class Triplet(Struct, frozen=True):
    """Minimum, average and maximum as the router prints them."""

    min_ms: float
    avg_ms: float
    max_ms: float


class Measured(Struct, frozen=True):
    """One published run."""

    scenario: str
    line_kbps: float
    tx_ring_limit: int
    background: Literal["fixed", "variable"]
    rtt_ms: tuple[float, float, float]
    jitter_ms: tuple[float, float, float]

    @property
    def rtt(self) -> Triplet:
        return Triplet(*self.rtt_ms)

    @property
    def jitter(self) -> Triplet:
        return Triplet(*self.jitter_ms)


class Run(Struct, frozen=True):
    """One run: what was measured, what the model says, and what the simulation of it gives.

    Round trips: the probe's way out through the loaded interface, its own time on the idle way
    back, and the base. `rtt_least_ms` and `rtt_bound_ms` enclose every one of them.
    """

    measured: Measured
    method: str
    formula: str
    one_way_ms: float
    rtt_least_ms: float
    rtt_ms: float
    rtt_low_ms: float
    rtt_high_ms: float
    rtt_bound_ms: float
    jitter_ms: float
    jitter_bound_ms: float
    simulated_rtt_ms: float
    simulated_rtt_max_ms: float
    simulated_jitter_ms: float

    @property
    def rtt_error(self) -> float:
        return self.rtt_ms / self.measured.rtt.avg_ms - 1

    @property
    def jitter_error(self) -> float:
        return self.jitter_ms / self.measured.jitter.avg_ms - 1


def read_measured(text: str) -> tuple[Measured, ...]:
    """Published runs of a TOML text."""
    return msgspec.convert(tomllib.loads(text)["measured"], tuple[Measured, ...])


def runs(
    measured: Sequence[Measured], scenarios: Sequence[Scenario], truths: Sequence[ScenarioTruth]
) -> tuple[Run, ...]:
    """Every published run with its scenario.

    Raises
    ------
    TruthError
        If the three are not about the same runs in the same order.
    """
    names = [run.scenario for run in measured]
    if not names == [scenario.id for scenario in scenarios] == [scenario.id for scenario in truths]:
        raise TruthError("measurements, scenarios and true results are not of the same runs")
    return tuple(map(_run, measured, scenarios, truths))


def _run(measured: Measured, scenario: Scenario, truth: ScenarioTruth) -> Run:
    own_ms = _probe_ms(scenario)
    beside_ms = BASE_RTT_MS + own_ms
    interface = open_interface_of(scenario)
    result = solve(interface).classes[0]
    bound_ms, jitter_bound_ms = _bounds_ms(scenario)
    class_truth = truth.classes[0]
    return Run(
        measured=measured,
        method=result.method,
        formula=worked_of(interface)[0],
        one_way_ms=result.delay.mean_ms,
        rtt_least_ms=beside_ms + _least_ms(scenario, own_ms, bound_ms),
        rtt_ms=beside_ms + result.delay.mean_ms,
        rtt_low_ms=beside_ms + result.low.mean_ms,
        rtt_high_ms=beside_ms + min(result.high.mean_ms, bound_ms),
        rtt_bound_ms=beside_ms + bound_ms,
        jitter_ms=result.delay.ipdv_ms,
        jitter_bound_ms=jitter_bound_ms,
        simulated_rtt_ms=beside_ms + class_truth.mean_ms,
        simulated_rtt_max_ms=beside_ms + class_truth.max_ms,
        simulated_jitter_ms=class_truth.ipdv_ms,
    )


def worked_of(interface: Interface) -> tuple[str, str]:
    """The formula of the first class with its numbers and its value; validity and g, or why not."""
    found = answer(interface)[0]
    if isinstance(found, Outside):
        return "none", found.why
    numbers = (
        f"{formula_of(found.method).with_numbers(dict(found.values))} = " if found.values else ""
    )
    return f"{numbers}{plain(found.mean_ms, 4)}", f"{found.mean}, {found.loading:.2f}"


def _probe(scenario: Scenario) -> tuple[Stream, PoissonBursts, FixedSize]:
    stream = scenario.traffic[0]
    if not isinstance(stream, Stream):
        raise TruthError(f"scenario {scenario.id}: its first traffic is no probe")
    arrival, size = stream.arrival, stream.ip_packet_bytes
    if not isinstance(arrival, PoissonBursts) or not isinstance(size, FixedSize):
        raise TruthError(f"scenario {scenario.id}: its first traffic is no probe")
    return stream, arrival, size


def _probe_ms(scenario: Scenario) -> float:
    size_bytes = _probe(scenario)[2].bytes
    return serialization_ms(size_bytes, bps_from_kbps(scenario.link.rate_kbps))


def _least_ms(scenario: Scenario, own_ms: float, bound_ms: float) -> float:
    """Shortest delay behind a full ring.

    All but the packet on the wire are ahead; as many of them as can have come in the longest delay
    are probes, the others of the smallest size of the background.
    """
    packets = scenario.tx_ring.limit - 1
    probes = min(packets, int(bound_ms / _probe(scenario)[1].spacing_within_burst_ms))
    background = scenario.traffic[1].ip_packet_bytes
    match background:
        case FixedSize(size):
            least_bytes = size
        case UniformSizes(size, _):
            least_bytes = size
        case _:
            raise TruthError(f"scenario {scenario.id}: its background has no smallest size")
    other_ms = serialization_ms(least_bytes, bps_from_kbps(scenario.link.rate_kbps))
    return own_ms + probes * min(own_ms, other_ms) + (packets - probes) * other_ms


def _bounds_ms(scenario: Scenario) -> tuple[float, float]:
    """Bounds of delay and of its variation.

    The runs of a probe never overlap, as those of a Poisson process may: what they offer is a part
    of one stream with the spacing of a run that never pauses, and that stream's bounds hold.
    """
    stream, arrival, _ = _probe(scenario)
    arrivals = Cbr(1 / s_from_ms(arrival.spacing_within_burst_ms))
    traffic = (msgspec.structs.replace(stream, arrival=arrivals), *scenario.traffic[1:])
    interface = open_interface_of(msgspec.structs.replace(scenario, traffic=traffic))
    result = solve(interface).classes[0]
    if result.bound_ms is None or result.ipdv_bound_ms is None:
        raise TruthError(f"scenario {scenario.id}: its probe has no bound")
    return result.bound_ms, result.ipdv_bound_ms
