"""Classes and WRED groups of an output, simulated, and whether that contradicts the prediction."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from math import floor, hypot, inf

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.quantity import Figure, enclosing
from advisor.ground.units import kbps_from_bps, percent_from_ratio, s_from_ms
from advisor.model import Interface
from advisor.predict.classes.figures import SolvedClass
from advisor.predict.classes.solved import SolvedOutlet
from advisor.predict.wred import WredRequest
from advisor.predict.wred.input_ends import InputEnds, model_of
from advisor.predict.wred.shares import GroupShare
from advisor.simulate import ClassSummary, Estimate, SimulationError, simulate
from advisor.theory.wred import packet_wire_ms

# Whether a simulation contradicts a prediction: figure by figure, with both intervals.


class Figured(StrEnum):
    """A figure that a prediction and its simulation both have."""

    MEAN = "mean"
    P95 = "p95"
    P99 = "p99"
    IPDV = "ipdv"
    LOSS = "loss"
    THROUGHPUT = "throughput"
    SHARE = "share"
    DROPS = "drops"
    DELAY = "delay"
    MAX = "longest delay"


class Span(Struct, frozen=True):
    """An interval: the predicted one, or the 95 % confidence interval of a simulation."""

    low: float
    high: float


class FigurePair(Struct, frozen=True):
    """One figure, predicted and simulated; None where one of them has no such figure."""

    name: Figured
    predicted: Figure | Span | None
    simulated: Figure | Span | None


def apart(
    pairs: Iterable[FigurePair], bound_ms: float | None = None, max_ms: float | None = None
) -> tuple[Figured, ...]:
    """Figures whose two intervals do not meet, and a longest delay above the bound.

    Empty: model and simulation agree. At 95 % confidence about one of twenty figures at the edge of
    its interval is apart by chance.
    """
    return tuple(_apart(pairs, bound_ms, max_ms))


def _apart(
    pairs: Iterable[FigurePair], bound_ms: float | None, max_ms: float | None
) -> Iterator[Figured]:
    for pair in pairs:
        predicted, simulated = pair.predicted, pair.simulated
        if predicted is None or simulated is None:
            continue
        if simulated.high < predicted.low or simulated.low > predicted.high:
            yield pair.name
    if bound_ms is not None and max_ms is not None and max_ms > bound_ms * (1 + _ROUNDING):
        yield Figured.MAX


_ROUNDING = 1e-9  # a delay that reaches its bound exactly
WINDOW = 0.01  # of a throughput: packets that are sent across the end of a simulated window


def throughput_span(value: float, half_width: float | None) -> Span:
    """Interval of a simulated throughput, with the packets at the ends of its windows."""
    half = (half_width or 0.0) + WINDOW * value
    return Span(value - half, value + half)


# The classes of a solved output, simulated in the same cases as its prediction.

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
    loss in percent, throughput in kb/s of the wire. `max_ms` is the longest delay of all. A class
    that is never empty is simulated with its queue kept full. `apart` are the figures that
    contradict the prediction; empty: they agree. Jitter is not judged: its interval is that of the
    inputs, not of the model.
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
    throughput: Figure | None = None
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
        results = [
            simulate(_by_queue(interface), packets, REPLICATIONS, SEED + number).classes
            for number, interface in enumerate(interfaces)
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


def _by_queue(interface: Interface) -> Interface:
    """The interface with all traffic of a queue as one class."""
    traffic = tuple(replace(item, name=item.queue) for item in interface.traffic)
    return replace(interface, traffic=traffic)


def _compared(
    solved_class: SolvedClass, again: SimulatedClass | NotSimulated
) -> SimulatedClass | NotSimulated:
    if isinstance(again, NotSimulated):
        return again
    pairs = (
        FigurePair(Figured.MEAN, solved_class.mean, again.mean),
        FigurePair(Figured.P95, solved_class.p95, again.p95),
        FigurePair(Figured.P99, solved_class.p99, again.p99),
        FigurePair(Figured.LOSS, solved_class.loss, again.loss),
        FigurePair(Figured.THROUGHPUT, solved_class.throughput, _span(again.throughput)),
    )
    return replace(again, apart=apart(pairs, solved_class.mean.bound, again.max_ms))


def _span(throughput: Figure | None) -> Span | None:
    if throughput is None:
        return None
    return throughput_span(throughput.value, throughput.high - throughput.value)


def _over_cases(results: Sequence[ClassSummary]) -> SimulatedClass | NotSimulated:
    delays = [result.delay for result in results if result.delay is not None]
    if not delays:
        return NotSimulated("none of its packets got through in the time that was simulated")
    jitters = [delay.ipdv_ms for delay in delays if delay.ipdv_ms is not None]
    losses = [result.loss_ratio for result in results if result.loss_ratio is not None]
    rate = _mean([result.throughput_wire_bps for result in results])
    half_kbps = kbps_from_bps(rate.half_width or 0.0)
    kbps = kbps_from_bps(rate.value)
    return SimulatedClass(
        cases=len(results),
        silent_cases=len(results) - len(delays),
        packets=sum(result.delivered_packets for result in results),
        mean=_ms(_mean([delay.mean_ms for delay in delays])),
        p95=_ms(_mean([delay.p95_ms for delay in delays])),
        p99=_ms(_mean([delay.p99_ms for delay in delays])),
        max_ms=max(delay.max_ms for delay in delays),
        jitter=_ms(_mean(jitters)) if jitters else None,
        loss=_percent(_mean(losses), most=100.0) if losses else None,
        throughput=enclosing(kbps, max(kbps - half_kbps, 0.0), kbps + half_kbps, "kb/s"),
    )


def _mean(estimates: Sequence[Estimate]) -> Estimate:
    """Mean of independent estimates, with the interval that follows from theirs."""
    value = sum(estimate.value for estimate in estimates) / len(estimates)
    half_width = hypot(*(estimate.half_width or 0.0 for estimate in estimates)) / len(estimates)
    return Estimate(value, half_width)


def _ms(estimate: Estimate) -> Figure:
    half_width = estimate.half_width or 0.0
    low, high = max(0.0, estimate.value - half_width), estimate.value + half_width
    return enclosing(estimate.value, low, high, "ms")


def _percent(ratio: Estimate | None, most: float = inf) -> Figure | None:
    if ratio is None:
        return None
    half_width = percent_from_ratio(ratio.half_width or 0.0)
    value = percent_from_ratio(ratio.value)
    low, high = max(0.0, value - half_width), min(most, value + half_width)
    return enclosing(value, low, high, "%")


# The WRED groups of an output, simulated at the values of all inputs, TCP included.

MEASURED_S = 60.0  # of one replication; its warm-up takes 40 s more, to find the windows
MOST_REPLICATIONS, LEAST_REPLICATIONS = 8, 2
_WHOLE_S = 100.0
_MOST_PACKETS = 1_200_000  # of all replications, warm-up included: some 20 s of computing


class SimulatedGroup(Struct, frozen=True):
    """One group. Share of the bytes of all TCP and drops in percent, delay in ms.

    Low to high is the 95 % confidence interval over replications. None where nothing was sent.
    """

    name: str
    share: Figure | None
    drops: Figure | None
    delay: Figure | None

    def apart_from(self, predicted: GroupShare) -> tuple[Figured, ...]:
        """Figures that contradict the prediction of the group; empty: they agree."""
        return apart(
            (
                FigurePair(Figured.SHARE, predicted.share, self.share),
                FigurePair(Figured.DROPS, predicted.drops, self.drops),
                FigurePair(Figured.DELAY, predicted.delay, self.delay),
            )
        )


class SimulatedShares(Struct, frozen=True, tag_field="outcome", tag="simulated"):
    """Groups of a class in their order, over replications of `measured_s` seconds each."""

    replications: int
    measured_s: float
    groups: tuple[SimulatedGroup, ...]


def simulated_shares(request: WredRequest) -> Mapping[str, SimulatedShares] | NotSimulated:
    """Simulate the output at the values of its inputs, by the names of its classes."""
    interface = model_of(request, InputEnds())
    sizes = [traffic.packet_bytes for traffic in interface.traffic]
    mean_ms = packet_wire_ms(interface, round(sum(sizes) / max(1, len(sizes))))
    per_s = 1 / s_from_ms(mean_ms)
    replications = min(MOST_REPLICATIONS, floor(_MOST_PACKETS / (per_s * _WHOLE_S)))
    if replications < LEAST_REPLICATIONS:
        return NotSimulated(f"{per_s:.0f} packets a second: it would take minutes")
    packets = max(replications, round(per_s * MEASURED_S * replications))
    simulation = simulate(interface, packets, replications, SEED)
    groups: dict[str, list[SimulatedGroup]] = {}
    for traffic, result in zip(interface.traffic, simulation.classes, strict=True):
        groups.setdefault(traffic.queue, []).append(_group(traffic.name, result))
    measured_s = s_from_ms(simulation.measured_ms)
    return {
        name: SimulatedShares(replications, measured_s, tuple(simulated))
        for name, simulated in groups.items()
    }


def _group(name: str, result: ClassSummary) -> SimulatedGroup:
    return SimulatedGroup(
        name,
        _percent(result.tcp_share_ratio),
        _percent(result.loss_ratio),
        None if result.delay is None else _ms(result.delay.mean_ms),
    )
