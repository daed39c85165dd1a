"""Figures of every class of an output in the cases that they are compared in."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import CLASS_DEFAULT
from advisor.ground.quantity import Figure, Unknown
from advisor.lint.findings import Metric
from advisor.outlet.link_rates import unheld_rate
from advisor.outlet.operations import offers_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import at_rate, policies_out
from advisor.outlet.plain import plain_outlets
from advisor.predict.classes import Question
from advisor.predict.classes.congested import congested
from advisor.predict.classes.figures import SolvedClass
from advisor.predict.classes.solved import SolvedOutlet, solved_all
from advisor.predict.wred import wred_request
from advisor.predict.wred.shares import WredShares, wred_shares
from advisor.settings import Budgets

# Whether a predicted figure moves by more than its uncertainty.

_TOLERATED_RATIO: Final = 0.05  # of the figure before
_TOLERATED_POINTS: Final = 0.1  # of percent: smaller differences print the same
_PERCENT, _MS = "%", "ms"


class Tolerance(Struct, frozen=True):
    """The largest difference that is no change: a part of the figure before, of delays also ms.

    The larger one counts.
    """

    ratio: float = _TOLERATED_RATIO
    delay_ms: float = 0.0

    def of(self, before: float, unit: str) -> float:
        """The tolerated difference from a figure, in its unit."""
        least = {_PERCENT: _TOLERATED_POINTS, _MS: self.delay_ms}.get(unit, 0.0)
        return max(self.ratio * abs(before), least)


_USUAL: Final = Tolerance()


def rises(before: Figure, after: Figure, tolerance: Tolerance = _USUAL) -> bool:
    """Whether a figure rises by more than 5 %, and by more than half the width of its interval.

    What is not known of the traffic is the same before and after: both ends of the interval that
    rise by more than 5 % are a rise, too, however wide the interval is.

    >>> rises(Figure(20.0, 10.0, 30.0, "ms"), Figure(25.0, 10.0, 40.0, "ms"))
    False
    >>> rises(Figure(20.0, 10.0, 30.0, "ms"), Figure(25.0, 14.0, 36.0, "ms"))
    True
    """
    return _goes_up(before, after, 1.0, tolerance)


def falls(before: Figure, after: Figure, tolerance: Tolerance = _USUAL) -> bool:
    """Whether a figure falls by more than its uncertainty; see `rises`.

    >>> falls(Figure(124.6, 124.6, 124.6, "ms"), Figure(124.6, 124.6, 124.6, "ms"))
    False
    """
    return _goes_up(before, after, -1.0, tolerance)


def moves(before: Figure, after: Figure, *, is_paired: bool) -> bool:
    """Whether a figure rises or falls by more than its uncertainty.

    `is_paired` is set where the difference is known for the same traffic before and after, and has
    one sign: then 5 % is enough, however wide the intervals of both figures are.
    """
    if rises(before, after) or falls(before, after):
        return True
    return is_paired and abs(after.value - before.value) > _TOLERATED_RATIO * abs(before.value)


def bound_moves(before: Figure, after: Figure) -> bool:
    """Whether the bounds of a figure differ by more than 5 %: a bound has no interval."""
    if before.bound is None or after.bound is None:
        return False
    return abs(after.bound - before.bound) > _TOLERATED_RATIO * before.bound


def _goes_up(before: Figure, after: Figure, sign: float, tolerance: Tolerance) -> bool:
    tolerated = tolerance.of(before.value, before.unit)

    def is_more(old: float, new: float) -> bool:
        return sign * (new - old) > tolerated

    if not is_more(before.value, after.value):
        return False
    if sign * (after.value - before.value) > (before.high - before.low) / 2:
        return True
    return is_more(before.low, after.low) and is_more(before.high, after.high)


# Figures of every class of an output: those that a remedy must not make worse.


class FigureSubject(Struct, frozen=True):
    """Subject of a figure: a class, or one group of its flows."""

    class_name: str
    metric: Metric
    group: str | None = None


class Known(Struct, frozen=True):
    """A figure with its budget in the same unit; None where the profile does not judge it."""

    figure: Figure
    budget: float | None = None


class FigureDoubt(Struct, frozen=True):
    """Why a figure is not known, or not well; of a class, or of all of an output."""

    why: str
    class_name: str | None = None

    def __str__(self) -> str:
        return self.why if self.class_name is None else f"{self.class_name}: {self.why}"


class OutputFigures(Struct, frozen=True):
    """Figures of an output, and why others are not known; bounds of delays by class, in ms."""

    known: Mapping[FigureSubject, Known]
    unknown: tuple[FigureDoubt, ...] = ()
    bounds_ms: Mapping[str, float] = MappingProxyType({})

    def with_goodput_of(self, other: "OutputFigures") -> "OutputFigures":
        """These figures, with the goodput of each class as the other ones have it."""
        known = {
            subject: other.known.get(subject, own) if subject.metric is Metric.GOODPUT else own
            for subject, own in self.known.items()
        }
        return OutputFigures(known, self.unknown, self.bounds_ms)

    def without(self, names: frozenset[str]) -> "OutputFigures":
        """The figures of other classes than these."""
        return OutputFigures(
            {
                subject: own
                for subject, own in self.known.items()
                if subject.class_name not in names
            },
            tuple(doubt for doubt in self.unknown if doubt.class_name not in names),
            {name: bound for name, bound in self.bounds_ms.items() if name not in names},
        )


def class_figures_of(answer: SolvedOutlet | Unknown, budgets: Budgets) -> OutputFigures:
    """Delay in ms, loss in percent and goodput in kb/s of each class of one solution.

    Goodput counts bytes of IP packets: headers of frames and fragments are a cost of the line.

    A class whose traffic is not known has the rate that it gets while it has packets waiting.
    """
    if isinstance(answer, Unknown):
        return OutputFigures({}, (FigureDoubt(answer.reason),))
    known: dict[FigureSubject, Known] = {}
    unknown: list[FigureDoubt] = []
    for solved in answer.classes:
        known |= dict(_of_class(solved, budgets))
        unknown += (FigureDoubt(why, solved.name) for why in solved.doubts)
    for unstated in answer.unstated:
        known[FigureSubject(unstated.name, Metric.GOODPUT)] = Known(unstated.goodput)
        unknown.append(FigureDoubt("its traffic is neither stated nor measured", unstated.name))
    unknown += (
        FigureDoubt(silent.why, silent.name) for silent in answer.silent if not silent.is_idle
    )
    bounds = ((solved.name, solved.mean.bound) for solved in answer.classes)
    bounds_ms = {name: bound for name, bound in bounds if bound is not None}
    return OutputFigures(known, tuple(unknown), bounds_ms)


def _of_class(solved: SolvedClass, budgets: Budgets) -> Iterator[tuple[FigureSubject, Known]]:
    budget_ms = budgets.priority_queue_ms
    if not solved.is_priority:
        budget_ms = _lower_budget_ms(solved.name, budgets)
    yield FigureSubject(solved.name, Metric.DELAY), Known(solved.mean, budget_ms)
    if solved.loss is not None:
        is_default = solved.name == CLASS_DEFAULT
        budget = None if is_default else budgets.loss_percent
        yield FigureSubject(solved.name, Metric.LOSS), Known(solved.loss, budget)
    if solved.goodput is not None:
        yield FigureSubject(solved.name, Metric.GOODPUT), Known(solved.goodput)


def _lower_budget_ms(class_name: str, budgets: Budgets) -> float | None:
    is_default = class_name == CLASS_DEFAULT
    return budgets.default_queue_ms if is_default else budgets.bandwidth_queue_ms


def flow_figures_of(device: Device, outlet: Outlet, budgets: Budgets) -> OutputFigures:
    """Drops and delay of the stated TCP flows of an output, and how much of its rate a class uses.

    Empty where no flows are stated for the device.
    """
    if not any(traffic.tcp is not None for traffic in device.traffic):
        return OutputFigures({})
    request = wred_request(device, outlet, budgets.rtt_ms)
    answer = request if isinstance(request, Unknown) else wred_shares(request)
    if isinstance(answer, Unknown):
        return OutputFigures({}, (FigureDoubt(answer.reason),))
    known: dict[FigureSubject, Known] = {}
    for shares in answer:
        known |= dict(_of_flows(shares, budgets))
    unknown = (
        FigureDoubt("the model's replications do not agree", shares.class_name)
        for shares in answer
        if not shares.converged
    )
    return OutputFigures(known, tuple(unknown))


def _of_flows(shares: WredShares, budgets: Budgets) -> Iterator[tuple[FigureSubject, Known]]:
    """Drops have no budget: they tell a TCP flow its rate, and no profile limits them."""
    name = shares.class_name
    budget_ms = _lower_budget_ms(name, budgets)
    yield FigureSubject(name, Metric.USE), Known(shares.utilization)
    for group in shares.groups:
        yield FigureSubject(name, Metric.DELAY, group.name), Known(group.delay, budget_ms)
        yield FigureSubject(name, Metric.DROPS, group.name), Known(group.drops)


# Outputs solved in the cases that figures are compared in, with goodput at the rate that is sold.
#
# The provider drops packets that a port sends beyond the rate that is sold on it: no class
# loses it where a shaper then holds the rate.

Answer = SolvedOutlet | Unknown


class SolvedCase(Struct, frozen=True):
    """One case of an output; `sold` is the same on a line of the rate that is sold.

    None where none is known below the port, or a shaper holds it.
    """

    answer: Answer
    sold: Answer | None = None

    def figures(self, budgets: Budgets) -> OutputFigures:
        """The figures of each class, its goodput at the rate that is sold."""
        own = class_figures_of(self.answer, budgets)
        if self.sold is None:
            return own
        return own.with_goodput_of(class_figures_of(self.sold, budgets))

    def is_same(self, other: "SolvedCase") -> bool:
        """Whether two cases depend on the same numbers: then no figure moves."""
        return _is_same(self.answer, other.answer) and (
            self.sold is other.sold is None or _is_same(self.sold, other.sold)
        )


def _is_same(old: Answer | None, new: Answer | None) -> bool:
    if not isinstance(old, SolvedOutlet) or not isinstance(new, SolvedOutlet):
        return False
    return old.corners == new.corners


def outputs_of(device: Device) -> dict[str, Outlet]:
    """Outputs whose classes are predicted, by the object path of what queues there."""
    return {
        outlet.policy_label: outlet for outlet in (*plain_outlets(device), *policies_out(device))
    }


def solved_cases(outputs: Sequence[tuple[Device, Outlet]]) -> list[tuple[SolvedCase, SolvedCase]]:
    """Each output with its traffic as stated or measured, and in the congested case of lint."""
    asked = [tuple(_questions(device, outlet)) for device, outlet in outputs]
    answers = iter(solved_all([question for own in asked for question in own]))
    return [_cases([next(answers) for _ in own]) for own in asked]


def _questions(device: Device, outlet: Outlet) -> Iterator[Question]:
    yield from _cases_of(device, outlet)
    sold = unheld_rate(device, outlet)
    if sold is not None:
        yield from _cases_of(device, at_rate(device, outlet, sold))


def _cases_of(device: Device, outlet: Outlet) -> tuple[Question, Question]:
    known = Question(outlet, offers_at(device, outlet), device.platform)
    return known, congested(device, outlet)


def _cases(answers: Sequence[Answer]) -> tuple[SolvedCase, SolvedCase]:
    known, saturated, *sold = answers
    if not sold:
        return SolvedCase(known), SolvedCase(saturated)
    return SolvedCase(known, sold[0]), SolvedCase(saturated, sold[1])
