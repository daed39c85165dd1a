"""How far the model is from true results, class by class, and what it has to reach."""

from collections.abc import Callable, Iterator, Sequence
from statistics import median

from msgspec import Struct

from advisor.predict.scenario import ClassRow, predict_scenario
from advisor.settings.scenario import PriorityQueue, Scenario
from tools.validation.truth import ClassTruth, ScenarioTruth, TruthError

PRINTED = 2e-5  # true results are rounded to six digits: a bound may be below one by as much


class Compared(Struct, frozen=True):
    """One class of one scenario, predicted and true; errors are ratios, 0.1 is 10 % too much."""

    family: str
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
    def inside(self) -> bool:
        """Is the true mean within low and high?"""
        low_ms, high_ms = self.predicted.mean_low_ms, self.predicted.mean_high_ms
        if low_ms is None or high_ms is None:
            return False
        return low_ms <= self.truth.mean_ms <= high_ms


def _error(predicted: float | None, truth: float) -> float:
    return -1.0 if predicted is None else predicted / truth - 1


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
    return [row for scenario, truth in pairs for row in _of_scenario(scenario, truth)]


def _of_scenario(scenario: Scenario, truth: ScenarioTruth) -> Iterator[Compared]:
    family = scenario.id.partition("-")[0]
    rows = zip(predict_scenario(scenario), scenario.traffic, truth.classes, strict=True)
    for predicted, traffic, actual in rows:
        if actual.scored:
            llq = isinstance(scenario.queue_named(traffic.queue), PriorityQueue)
            yield Compared(family, llq, predicted, actual)


class Goal(Struct, frozen=True):
    """Limits of the absolute errors of one figure; None where there is no such limit."""

    title: str
    error: Callable[[Compared], float]
    median: float
    within: float | None = None
    share: float | None = None
    worst: float | None = None
    llq: bool = True


GOALS = (
    Goal("LLQ mean", lambda row: row.mean_error, 0.03, 0.10, 0.90, 0.30),
    Goal("LLQ p95", lambda row: row.p95_error, 0.05, 0.15, 0.85, 0.40),
    Goal("LLQ p99", lambda row: row.p99_error, 0.05, 0.15, 0.85, 0.40),
    Goal("LLQ mean ipdv", lambda row: row.ipdv_error, 0.20),
    Goal("lower classes, mean", lambda row: row.mean_error, 0.05, 0.20, 0.85, llq=False),
    Goal("lower classes, mean ipdv", lambda row: row.ipdv_error, 0.20, llq=False),
)
BOUND_RATIO = 1.15  # median of bound to largest delay seen, of the LLQ
INSIDE = 0.90  # share of the true means that lie within low and high


class Reached(Struct, frozen=True):
    """What was reached of a goal; `share` is that of the errors inside the goal's limit."""

    goal: Goal
    count: int
    median: float
    share: float | None
    worst: float

    @property
    def holds(self) -> bool:
        goal = self.goal
        return (
            self.median <= goal.median
            and (goal.share is None or self.share is None or self.share >= goal.share)
            and (goal.worst is None or self.worst <= goal.worst)
        )


def reached(goal: Goal, rows: Sequence[Compared]) -> Reached | None:
    """What the rows reach of a goal; None where none of them is of its kind."""
    sizes = [abs(goal.error(row)) for row in rows if row.llq is goal.llq]
    if not sizes:
        return None
    share = None
    if goal.within is not None:
        share = sum(size <= goal.within for size in sizes) / len(sizes)
    return Reached(goal, len(sizes), median(sizes), share, max(sizes))


def bound_ratios(rows: Sequence[Compared]) -> list[float]:
    """Bound to largest delay seen, of the LLQ classes that have a bound."""
    return [row.bound_ratio for row in rows if row.llq and row.bound_ratio is not None]


def inside_share(rows: Sequence[Compared]) -> float:
    """Share of the true means that lie within low and high."""
    return sum(row.inside for row in rows) / len(rows)
