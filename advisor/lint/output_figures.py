"""Figures of every class of an output: those that a remedy must not make worse."""

from collections.abc import Iterator, Mapping

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


class OutputFigures(Struct, frozen=True):
    """Figures of an output, and why others are not known."""

    known: Mapping[Subject, Known]
    unknown: tuple[str, ...] = ()


def class_figures_of(answer: SolvedOutlet | Unknown, budgets: Budgets) -> OutputFigures:
    """Delay in ms, loss in percent and throughput in kb/s of each class of one solution.

    A class whose traffic is not known has the rate that it gets while it has packets waiting.
    """
    if isinstance(answer, Unknown):
        return OutputFigures({}, (answer.reason,))
    known: dict[Subject, Known] = {}
    unknown: list[str] = []
    for solved in answer.classes:
        known |= dict(_of_class(solved, budgets))
        unknown += (f"{solved.name}: {why}" for why in solved.weak)
    for unstated in answer.unstated:
        known[Subject(unstated.name, Metric.THROUGHPUT)] = Known(unstated.share)
        unknown.append(f"the traffic of {unstated.name} is neither stated nor measured")
    unknown += (f"{silent.name}: {silent.why}" for silent in answer.silent if not silent.is_idle)
    return OutputFigures(known, tuple(unknown))


def _of_class(solved: SolvedClass, budgets: Budgets) -> Iterator[tuple[Subject, Known]]:
    yield Subject(solved.name, Metric.DELAY), Known(solved.mean, _delay_budget_ms(solved, budgets))
    if solved.loss is not None:
        yield Subject(solved.name, Metric.LOSS), Known(solved.loss, budgets.loss_percent)
    if solved.throughput is not None:
        yield Subject(solved.name, Metric.THROUGHPUT), Known(solved.throughput)


def _delay_budget_ms(solved: SolvedClass, budgets: Budgets) -> float | None:
    if solved.is_priority:
        return budgets.priority_queue_ms
    is_default = solved.name == CLASS_DEFAULT
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
        return OutputFigures({}, (answer.reason,))
    known: dict[Subject, Known] = {}
    for shares in answer:
        known |= dict(_of_flows(shares, budgets))
    unknown = (
        f"{shares.class_name}: the model's replications do not agree"
        for shares in answer
        if not shares.converged
    )
    return OutputFigures(known, tuple(unknown))


def _of_flows(shares: WredShares, budgets: Budgets) -> Iterator[tuple[Subject, Known]]:
    name = shares.class_name
    yield Subject(name, Metric.USE), Known(shares.utilization)
    for group in shares.groups:
        yield Subject(name, Metric.DROPS, group.name), Known(group.drops, budgets.loss_percent)
