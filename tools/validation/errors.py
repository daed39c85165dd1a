"""How far the model is from true delays, class by class, and what it has to reach."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from types import MappingProxyType

from msgspec import Struct

from advisor.predict.scenario import ClassRow, predict_scenario
from advisor.settings.scenario import FifoQueue, PriorityQueue, Queue, Scenario, SharedQueue, Stream
from tools.validation.truth import ClassTruth, ScenarioTruth, TruthError

PRINTED = 2e-5  # true results are rounded to six digits: a bound may be below one by as much
_ROUNDING_MS = 1e-9  # sums of times leave as much where packets do not differ
_PROCESS_NAMES = MappingProxyType(
    {
        "Saturated": "saturated",
        "Poisson": "Poisson",
        "PoissonBursts": "bursts",
        "OnOff": "on/off",
        "Cbr": "periodic",
    }
)


class Compared(Struct, frozen=True):
    """One class of one scenario, predicted and true; errors are ratios, 0.1 is 10 % too much.

    `features` are what the scenario is made of, such as "LFI" or "on/off".
    """

    family: str
    features: tuple[str, ...]
    llq: bool
    predicted: ClassRow
    truth: ClassTruth

    @property
    def name(self) -> str:
        return f"{self.predicted.scenario_id} {self.predicted.class_name}"

    @property
    def mean_error(self) -> float:
        return _error(self.predicted.mean_ms, self.truth.mean_ms)

    @property
    def p95_error(self) -> float:
        return _error(self.predicted.p95_ms, self.truth.p95_ms)

    @property
    def p99_error(self) -> float:
        return _error(self.predicted.p99_ms, self.truth.p99_ms)

    @property
    def ipdv_error(self) -> float:
        return _error(self.predicted.ipdv_ms, self.truth.ipdv_ms)

    @property
    def bound_ratio(self) -> float | None:
        """Bound divided by the largest delay seen; None where there is no bound."""
        bound_ms = self.predicted.bound_ms
        return None if bound_ms is None else bound_ms / self.truth.max_ms

    @property
    def breaks_bound(self) -> bool:
        ratio = self.bound_ratio
        return ratio is not None and ratio < 1 - PRINTED

    @property
    def spread(self) -> float:
        """Half-width of the true mean's own 95 % interval, relative to it."""
        return (self.truth.mean_ci95_ms or 0.0) / self.truth.mean_ms

    @property
    def inside(self) -> bool:
        """Is the true mean, give or take its own 95 % interval, within low and high?"""
        low_ms, high_ms = self.predicted.mean_low_ms, self.predicted.mean_high_ms
        if low_ms is None or high_ms is None:
            return False
        spread_ms = self.truth.mean_ci95_ms or 0.0
        return low_ms - spread_ms <= self.truth.mean_ms <= high_ms + spread_ms

    @property
    def width(self) -> float | None:
        """Width of the interval of the mean, relative to the mean; None without an interval."""
        row = self.predicted
        if row.mean_low_ms is None or row.mean_high_ms is None or not row.mean_ms:
            return None
        return (row.mean_high_ms - row.mean_low_ms) / row.mean_ms


def _error(predicted: float | None, truth: float) -> float:
    """Relative error; of a truth of nothing (packets that never differ) the absolute one in ms."""
    if predicted is None:
        return -1.0
    return predicted / truth - 1 if truth > _ROUNDING_MS else predicted


def compared(scenarios: Sequence[Scenario], truths: Sequence[ScenarioTruth]) -> list[Compared]:
    """Every scored class of the scenarios.

    Raises
    ------
    TruthError
        If the true results are not those of the scenarios, in their order.
    NotModelledError
        If the model has no answer to one of them.
    """
    if [scenario.id for scenario in scenarios] != [scenario.id for scenario in truths]:
        raise TruthError("true results are not those of the scenarios: simulate them again")
    pairs = zip(scenarios, truths, strict=True)
    return [row for scenario, truth in pairs for row in of_scenario(scenario, truth)]


def of_scenario(scenario: Scenario, truth: ScenarioTruth) -> Iterator[Compared]:
    """Every scored class of a scenario."""
    family = scenario.id.partition("-")[0]
    features = features_of(scenario)
    rows = zip(predict_scenario(scenario), scenario.traffic, truth.classes, strict=True)
    for predicted, traffic, actual in rows:
        if actual.scored:
            llq = isinstance(scenario.queue_named(traffic.queue), PriorityQueue)
            yield Compared(family, features, llq, predicted, actual)


def features_of(scenario: Scenario) -> tuple[str, ...]:
    """Parts of a scenario: its data's arrivals, its LLQ's, its queues, its wire."""
    return tuple(dict.fromkeys(_features(scenario)))


def _features(scenario: Scenario) -> Iterator[str]:
    priority = {queue.name for queue in scenario.queues if isinstance(queue, PriorityQueue)}
    for traffic in scenario.traffic:
        if isinstance(traffic, Stream):
            process = _PROCESS_NAMES[type(traffic.arrival).__name__]
            if traffic.queue not in priority:
                yield process
            elif process != "periodic":
                yield f"LLQ of {process}"
    if len(scenario.queues) - len(priority) > 1:
        yield "several classes"
    yield from filter(None, map(_queue_feature, scenario.queues))
    wire = {
        "LFI": scenario.fragmentation is not None,
        "cells": scenario.link.atm_cell_tax,
        "particles": scenario.tx_ring.unit == "particles",
    }
    yield from (name for name, is_there in wire.items() if is_there)


def _queue_feature(queue: Queue) -> str | None:
    match queue:
        case FifoQueue():
            return "FIFO"
        case SharedQueue(fair_queue=fair) if fair is not None:
            return "fair-queue"
        case PriorityQueue(policed_under_congestion=True):
            return "policed LLQ"
    return None


class Limits(Struct, frozen=True):
    """Limits of the absolute errors of one figure; None where there is no such limit."""

    median: float
    within: float | None = None
    share: float | None = None
    worst: float | None = None


class Goal(Struct, frozen=True):
    """The goal of one figure, on scenarios of the tuning kinds and of the wide kinds."""

    title: str
    error: Callable[[Compared], float]
    tuning: Limits
    wide: Limits
    llq: bool | None = True


GOALS = (
    Goal(
        "LLQ mean",
        lambda row: row.mean_error,
        Limits(0.02, 0.10, 0.90, 0.30),
        Limits(0.02, 0.10, 0.90, 0.40),
    ),
    Goal(
        "LLQ p95",
        lambda row: row.p95_error,
        Limits(0.03, 0.15, 0.90, 0.40),
        Limits(0.05, 0.15, 0.85),
    ),
    Goal(
        "LLQ p99",
        lambda row: row.p99_error,
        Limits(0.03, 0.15, 0.90, 0.40),
        Limits(0.05, 0.15, 0.85),
    ),
    Goal(
        "lower classes, mean",
        lambda row: row.mean_error,
        Limits(0.03, 0.20, 0.90),
        Limits(0.05, 0.20, 0.85),
        llq=False,
    ),
    Goal("LLQ mean ipdv", lambda row: row.ipdv_error, Limits(0.10), Limits(0.20)),
    Goal(
        "lower classes, mean ipdv",
        lambda row: row.ipdv_error,
        Limits(0.10),
        Limits(0.20),
        llq=False,
    ),
)


class Interval(Struct, frozen=True):
    """The goals of bounds and intervals on scenarios of one kind."""

    bound_ratio: float  # median of bound to largest delay seen
    inside: float = 0.95  # share of the true means that lie within low and high
    width: float = 0.35  # median of the width of low to high, relative to the mean
    width_most: float = 0.8  # the same, that nine classes of ten keep


INTERVALS: Mapping[bool, Interval] = MappingProxyType({False: Interval(1.15), True: Interval(1.4)})
MOST_WIDE = 0.9  # the share of the classes that keep `width_most`


class Reached(Struct, frozen=True):
    """Result beside a goal; `share` is that of the errors inside the goal's limit."""

    goal: Goal
    limits: Limits
    count: int
    median: float
    nine_of_ten: float
    share: float | None
    worst: float

    @property
    def holds(self) -> bool:
        limits = self.limits
        return (
            self.median <= limits.median
            and (limits.share is None or self.share is None or self.share >= limits.share)
            and (limits.worst is None or self.worst <= limits.worst)
        )


def reached(goal: Goal, rows: Sequence[Compared], *, wide: bool = False) -> Reached | None:
    """Result of the rows beside a goal; None where none of them is of its kind."""
    sizes = [abs(goal.error(row)) for row in rows if goal.llq is None or row.llq is goal.llq]
    if not sizes:
        return None
    limits, share = goal.wide if wide else goal.tuning, None
    if limits.within is not None:
        share = sum(size <= limits.within for size in sizes) / len(sizes)
    return Reached(goal, limits, len(sizes), median(sizes), ninth(sizes), share, max(sizes))


def ninth(values: Sequence[float]) -> float:
    """The value that nine of ten do not exceed.

    >>> ninth([1, 2, 3, 4, 5, 6, 7, 8, 9, 100])
    9
    """
    ordered = sorted(values)
    return ordered[max(0, -(-9 * len(ordered) // 10) - 1)]


def bound_ratios(rows: Sequence[Compared], *, llq: bool = True) -> list[float]:
    """Bound to largest delay seen, of the LLQ or of the lower classes that have a bound."""
    return [row.bound_ratio for row in rows if row.llq is llq and row.bound_ratio is not None]


def widths(rows: Sequence[Compared]) -> list[float]:
    """Relative widths of the intervals of the mean."""
    return [row.width for row in rows if row.width is not None]


def inside_share(rows: Sequence[Compared]) -> float:
    """Share of the true means that lie within low and high."""
    return sum(row.inside for row in rows) / len(rows)
