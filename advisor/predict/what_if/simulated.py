"""The classes of a solved output, simulated in the same cases as its prediction."""

from collections.abc import Mapping, Sequence
from math import hypot

from msgspec import Struct
from msgspec.structs import replace

from advisor.predict.classes.figures import SolvedClass
from advisor.predict.classes.interface_scenario import scenario_of
from advisor.predict.classes.solved import SolvedOutlet
from advisor.predict.what_if.agreement import Figured, Pair, apart
from advisor.quantity import Figure, enclosing
from advisor.simulate import ClassResult, Estimate, SimulationError, simulate
from advisor.units import percent_from_ratio

PACKETS = 100_000  # of all cases together
LEAST_PACKETS = 25_000  # of one case
REPLICATIONS = 20
SEED = 1


class SimulatedClass(Struct, frozen=True, tag_field="outcome", tag="simulated"):
    """A class simulated in `cases`, one for each choice of its unknown inputs.

    `packets` is the number of its delivered packets. In `silent_cases` no packet was delivered:
    these cases are not in the figures.

    Figures are means over the cases, like the values of the prediction. Low to high is their 95 %
    confidence interval over replications (equal to the value if there is none). Delays in ms,
    loss in percent. `max_ms` is the longest delay of all. A class that is never empty is
    simulated with its queue kept full. `apart` are the figures that contradict the prediction;
    empty: they agree. Jitter is not judged: its interval is that of the inputs, not of the model.
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
    apart: tuple[Figured, ...] = ()


class NotSimulated(Struct, frozen=True, tag_field="outcome", tag="not simulated"):
    """Why a class has no simulation beside its prediction."""

    why: str


def simulated_classes(outlet: SolvedOutlet) -> Mapping[str, SimulatedClass | NotSimulated]:
    """Simulate the interfaces whose mean gives the values of a prediction.

    Interfaces that only widen the interval are left out. Each case has a seed of its own: the
    interval of the mean over cases counts them as independent.
    """
    interfaces = [corner.interface for corner in outlet.corners if corner.counts]
    packets = max(LEAST_PACKETS, PACKETS // max(1, len(interfaces)))
    try:
        scenarios = [
            scenario_of(f"case {number}", interface)
            for number, interface in enumerate(interfaces, start=1)
        ]
        results = [
            simulate(scenario, packets, REPLICATIONS, SEED + number).classes
            for number, scenario in enumerate(scenarios)
        ]
    except SimulationError as error:
        return {solved_class.name: NotSimulated(str(error)) for solved_class in outlet.classes}
    return {
        solved_class.name: _compared(
            solved_class,
            _over_cases(
                [
                    result
                    for case in results
                    for result in case
                    if result.class_name == solved_class.name
                ]
            ),
        )
        for solved_class in outlet.classes
    }


def _compared(
    solved_class: SolvedClass, again: SimulatedClass | NotSimulated
) -> SimulatedClass | NotSimulated:
    if isinstance(again, NotSimulated):
        return again
    pairs = (
        Pair(Figured.MEAN, solved_class.mean, again.mean),
        Pair(Figured.P95, solved_class.p95, again.p95),
        Pair(Figured.P99, solved_class.p99, again.p99),
        Pair(Figured.LOSS, solved_class.loss, again.loss),
    )
    return replace(again, apart=apart(pairs, solved_class.mean.bound, again.max_ms))


def _over_cases(results: Sequence[ClassResult]) -> SimulatedClass | NotSimulated:
    delays = [result.delay for result in results if result.delay is not None]
    if not delays:
        return NotSimulated("none of its packets got through in the time that was simulated")
    jitters = [delay.ipdv_ms for delay in delays if delay.ipdv_ms is not None]
    losses = [result.loss_ratio for result in results if result.loss_ratio is not None]
    return SimulatedClass(
        cases=len(results),
        silent_cases=len(results) - len(delays),
        packets=sum(result.delivered_packets for result in results),
        mean=_mean([delay.mean_ms for delay in delays]),
        p95=_mean([delay.p95_ms for delay in delays]),
        p99=_mean([delay.p99_ms for delay in delays]),
        max_ms=max(delay.max_ms for delay in delays),
        jitter=_mean(jitters) if jitters else None,
        loss=_percent(_mean(losses)) if losses else None,
    )


def _mean(estimates: Sequence[Estimate]) -> Figure:
    """Mean of independent estimates, with the interval that follows from theirs."""
    value = sum(estimate.value for estimate in estimates) / len(estimates)
    half_width = hypot(*(estimate.half_width or 0.0 for estimate in estimates)) / len(estimates)
    return enclosing(value, max(0.0, value - half_width), value + half_width, "ms")


def _percent(figure: Figure) -> Figure:
    low, value, high = (percent_from_ratio(end) for end in (figure.low, figure.value, figure.high))
    return enclosing(value, low, min(100.0, high), "%")
