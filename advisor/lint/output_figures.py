"""Figures of every class of an output: those that a remedy must not make worse."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import CLASS_DEFAULT
from advisor.lint.findings import Metric
from advisor.outlet.outlet import Outlet
from advisor.predict.classes.figures import SolvedClass
from advisor.predict.classes.solved import SolvedOutlet
from advisor.predict.wred.inputs import wred_request
from advisor.predict.wred.shares import WredShares, wred_shares
from advisor.quantity import Figure, Unknown
from advisor.settings.values import Budgets


class Subject(Struct, frozen=True):
    """What a figure is of: a class, or one group of its flows."""

    class_name: str
    metric: Metric
    group: str | None = None


class Known(Struct, frozen=True):
    """A figure with its budget in the same unit; None where the profile does not judge it."""

    figure: Figure
    budget: float | None = None


class Doubt(Struct, frozen=True):
    """Why a figure is not known, or not well; of a class, or of all of an output."""

    why: str
    class_name: str | None = None

    def __str__(self) -> str:
        return self.why if self.class_name is None else f"{self.class_name}: {self.why}"


class OutputFigures(Struct, frozen=True):
    """Figures of an output, and why others are not known; bounds of delays by class, in ms."""

    known: Mapping[Subject, Known]
    unknown: tuple[Doubt, ...] = ()
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
        return OutputFigures({}, (Doubt(answer.reason),))
    known: dict[Subject, Known] = {}
    unknown: list[Doubt] = []
    for solved in answer.classes:
        known |= dict(_of_class(solved, budgets))
        unknown += (Doubt(why, solved.name) for why in solved.doubts)
    for unstated in answer.unstated:
        known[Subject(unstated.name, Metric.GOODPUT)] = Known(unstated.goodput)
        unknown.append(Doubt("its traffic is neither stated nor measured", unstated.name))
    unknown += (Doubt(silent.why, silent.name) for silent in answer.silent if not silent.is_idle)
    bounds = ((solved.name, solved.mean.bound) for solved in answer.classes)
    bounds_ms = {name: bound for name, bound in bounds if bound is not None}
    return OutputFigures(known, tuple(unknown), bounds_ms)


def _of_class(solved: SolvedClass, budgets: Budgets) -> Iterator[tuple[Subject, Known]]:
    budget_ms = budgets.priority_queue_ms
    if not solved.is_priority:
        budget_ms = _lower_budget_ms(solved.name, budgets)
    yield Subject(solved.name, Metric.DELAY), Known(solved.mean, budget_ms)
    if solved.loss is not None:
        is_default = solved.name == CLASS_DEFAULT
        budget = None if is_default else budgets.loss_percent
        yield Subject(solved.name, Metric.LOSS), Known(solved.loss, budget)
    if solved.goodput is not None:
        yield Subject(solved.name, Metric.GOODPUT), Known(solved.goodput)


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
        return OutputFigures({}, (Doubt(answer.reason),))
    known: dict[Subject, Known] = {}
    for shares in answer:
        known |= dict(_of_flows(shares, budgets))
    unknown = (
        Doubt("the model's replications do not agree", shares.class_name)
        for shares in answer
        if not shares.converged
    )
    return OutputFigures(known, tuple(unknown))


def _of_flows(shares: WredShares, budgets: Budgets) -> Iterator[tuple[Subject, Known]]:
    """Drops have no budget: they tell a TCP flow its rate, and no profile limits them."""
    name = shares.class_name
    budget_ms = _lower_budget_ms(name, budgets)
    yield Subject(name, Metric.USE), Known(shares.utilization)
    for group in shares.groups:
        yield Subject(name, Metric.DELAY, group.name), Known(group.delay, budget_ms)
        yield Subject(name, Metric.DROPS, group.name), Known(group.drops)
