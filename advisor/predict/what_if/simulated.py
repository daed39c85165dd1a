"""The classes of a solved output, simulated: the same cases that the prediction was made of."""

from collections.abc import Mapping, Sequence
from math import hypot

from msgspec import Struct

from advisor.predict.classes.interface_scenario import scenario_of
from advisor.predict.classes.solved import SolvedOutlet
from advisor.quantity import Figure
from advisor.simulate import ClassResult, Estimate, SimulationError, simulate
from advisor.units import percent_from_ratio

PACKETS = 100_000  # of all cases together
LEAST_PACKETS = 25_000  # of one case
REPLICATIONS = 20
SEED = 1


class SimulatedClass(Struct, frozen=True):
    """A class simulated in `cases` of what is not known; `packets` of it were delivered.

    In `silent_cases` none was, so that these are not in the figures.

    Figures are means over the cases, as the values of the prediction are, low to high their 95 %
    confidence interval over replications (equal to the value where it has none). Delays in ms,
    loss in percent. `max_ms` is the longest delay of all. A class that is never empty is
    simulated with its queue kept full.
    """

    cases: int
    silent_cases: int
    packets: int
    mean: Figure
    p95: Figure
    p99: Figure
    max_ms: float
    jitter: Figure | None
    loss: Figure | None


class NotSimulated(Struct, frozen=True):
    """Why a class has no simulation beside its prediction."""

    why: str


def simulated_classes(of: SolvedOutlet) -> Mapping[str, SimulatedClass | NotSimulated]:
    """Simulate the interfaces that the values of a prediction are the mean of.

    Interfaces that only widen the interval are left out.
    """
    interfaces = [each.interface for each in of.corners if each.counts]
    packets = max(LEAST_PACKETS, PACKETS // max(1, len(interfaces)))
    try:
        scenarios = [scenario_of(f"case {i}", each) for i, each in enumerate(interfaces, start=1)]
        results = [simulate(each, packets, REPLICATIONS, SEED).classes for each in scenarios]
    except SimulationError as error:
        return {each.name: NotSimulated(str(error)) for each in of.classes}
    return {
        each.name: _over_cases(
            [one for case in results for one in case if one.class_name == each.name]
        )
        for each in of.classes
    }


def _over_cases(results: Sequence[ClassResult]) -> SimulatedClass | NotSimulated:
    delays = [each.delay for each in results if each.delay is not None]
    if not delays:
        return NotSimulated("none of its packets got through in the time that was simulated")
    jitters = [each.ipdv_ms for each in delays if each.ipdv_ms is not None]
    losses = [each.loss_ratio for each in results if each.loss_ratio is not None]
    return SimulatedClass(
        cases=len(results),
        silent_cases=len(results) - len(delays),
        packets=sum(each.delivered_packets for each in results),
        mean=_mean([each.mean_ms for each in delays]),
        p95=_mean([each.p95_ms for each in delays]),
        p99=_mean([each.p99_ms for each in delays]),
        max_ms=max(each.max_ms for each in delays),
        jitter=_mean(jitters) if jitters else None,
        loss=_percent(_mean(losses)) if losses else None,
    )


def _mean(of: Sequence[Estimate]) -> Figure:
    """Mean of independent estimates, with what their intervals make of its own."""
    value = sum(each.value for each in of) / len(of)
    half_width = hypot(*(each.half_width or 0.0 for each in of)) / len(of)
    return Figure(value, max(0.0, value - half_width), value + half_width, "ms")


def _percent(of: Figure) -> Figure:
    low, value, high = (percent_from_ratio(each) for each in (of.low, of.value, of.high))
    return Figure(value, low, min(100.0, high), "%")
