"""How far shares, delay and loss of TCP groups under WRED are from simulated ones."""

from collections.abc import Iterator, Sequence
from statistics import median

import msgspec
from msgspec import Struct

from advisor.predict.scenario_interface import interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.scenario import Scenario
from advisor.simulate import simulate
from advisor.theory.wred import EstimateRange, GroupForecast, Regime
from advisor.theory.wred.solver import solve_wred
from tools.validation.truth import TruthError

_PACKETS, _REPLICATIONS, _SEED = 300_000, 20, 20
_NEVER = 1e-4  # a loss ratio below it is none


class GroupTruth(Struct, frozen=True):
    """One TCP group, simulated; the share is of the bytes of all TCP groups.

    What ends in `ci95` is the half-width of the figure's own 95 % interval.
    """

    group: str
    share: float
    mean_ms: float
    loss_ratio: float
    share_ci95: float | None = None
    mean_ci95_ms: float | None = None
    loss_ci95: float | None = None


class WredTruth(Struct, frozen=True):
    """The TCP groups of one scenario."""

    id: str
    groups: tuple[GroupTruth, ...]


class _AnyGroup(Struct, frozen=True):
    group: str
    share: float | None = None
    mean_ms: float | None = None
    loss_ratio: float | None = None
    share_ci95: float | None = None
    mean_ci95_ms: float | None = None
    loss_ci95: float | None = None


class _Results(Struct, frozen=True):
    groups: tuple[_AnyGroup, ...]


class _WithResults(Struct, frozen=True):
    id: str
    results: _Results


class WredCompared(Struct, frozen=True):
    """One TCP group, predicted and true."""

    scenario: str
    predicted: GroupForecast
    truth: GroupTruth
    regimes: tuple[Regime, ...]
    converged: bool

    @property
    def name(self) -> str:
        return f"{self.scenario} {self.truth.group}"

    @property
    def share(self) -> EstimateRange:
        return self.predicted.share or EstimateRange(0.0, 0.0, 1.0)

    @property
    def share_error(self) -> float:
        return self.share.estimate - self.truth.share

    @property
    def rule_error(self) -> float:
        return (self.predicted.share_by_flows_over_p or 0.0) - self.truth.share

    @property
    def delay_error(self) -> float:
        return self.predicted.mean_ms.estimate / self.truth.mean_ms - 1

    @property
    def loss_error(self) -> float:
        return self.predicted.loss_ratio.estimate / max(self.truth.loss_ratio, _NEVER) - 1

    @property
    def inside(self) -> bool:
        """Is the true share, give or take its own interval, within low and high?"""
        return _within(self.share, self.truth.share, self.truth.share_ci95)

    @property
    def delay_inside(self) -> bool:
        return _within(self.predicted.mean_ms, self.truth.mean_ms, self.truth.mean_ci95_ms)

    @property
    def loss_inside(self) -> bool:
        return _within(self.predicted.loss_ratio, self.truth.loss_ratio, self.truth.loss_ci95)

    @property
    def width(self) -> float:
        """Width of the interval of the share, in parts of all TCP bytes."""
        return self.share.high - self.share.low


def _within(span: EstimateRange, value: float, spread: float | None) -> bool:
    return span.low - (spread or 0.0) <= value <= span.high + (spread or 0.0)


def wred_truth(scenarios: Sequence[Scenario]) -> str:
    """JSON of the TCP groups of the scenarios, simulated."""
    truths = [WredTruth(scenario.id, tuple(_simulated(scenario))) for scenario in scenarios]
    return msgspec.json.format(msgspec.json.encode(truths), indent=1).decode() + "\n"


def _simulated(scenario: Scenario) -> Iterator[GroupTruth]:
    for result in simulate(interface_of(scenario), _PACKETS, _REPLICATIONS, _SEED).classes:
        share, loss, delay = result.tcp_share_ratio, result.loss_ratio, result.delay
        if share is not None and loss is not None and delay is not None:
            figures = (share, delay.mean_ms, loss)
            yield GroupTruth(
                result.class_name,
                *(_short(figure.value) for figure in figures),
                *(_short(figure.half_width or 0.0) for figure in figures),
            )


def _short(value: float) -> float:
    return float(f"{value:.5g}")


def read_wred_truth(text: str, file: str) -> tuple[WredTruth, ...]:
    """True groups of a file that holds them alone, or in the results of its scenarios.

    Raises
    ------
    TruthError
        If the text is neither.
    """
    try:
        return msgspec.json.decode(text, type=tuple[WredTruth, ...])
    except msgspec.ValidationError:
        pass
    except msgspec.DecodeError as error:
        raise TruthError(f"{file}: {error}") from error
    try:
        scenarios = msgspec.json.decode(text, type=tuple[_WithResults, ...])
    except msgspec.DecodeError as error:
        raise TruthError(f"{file}: {error}") from error
    return tuple(
        WredTruth(scenario.id, tuple(_tcp(scenario.results.groups))) for scenario in scenarios
    )


def _tcp(groups: Sequence[_AnyGroup]) -> Iterator[GroupTruth]:
    for group in groups:
        if group.share is not None and group.mean_ms is not None and group.loss_ratio is not None:
            spreads = (group.share_ci95, group.mean_ci95_ms, group.loss_ci95)
            yield GroupTruth(group.group, group.share, group.mean_ms, group.loss_ratio, *spreads)


def wred_compared(text: str, truth_text: str, file: str) -> list[WredCompared]:
    """All TCP groups of the scenarios of a text, predicted and true.

    Raises
    ------
    TruthError
        If the truth is not that of the scenarios.
    """
    truths = {truth.id: truth for truth in read_wred_truth(truth_text, file)}
    rows: list[WredCompared] = []
    for scenario in read_scenarios(text, file):
        if scenario.id not in truths:
            raise TruthError(f"{file}: no true results of {scenario.id}")
        rows += _rows(scenario, truths[scenario.id])
    return rows


def _rows(scenario: Scenario, truth: WredTruth) -> Iterator[WredCompared]:
    forecast = solve_wred(interface_of(scenario))
    forecasts = {group.name: group for group in forecast.groups}
    queues = {stream.class_name: stream.queue for stream in scenario.traffic}
    classes = {wred_class.name: wred_class for wred_class in forecast.classes}
    for group in truth.groups:
        regimes = classes[queues[group.group]].regimes
        yield WredCompared(scenario.id, forecasts[group.group], group, regimes, forecast.converged)


class WredGoal(Struct, frozen=True):
    """One line of the summary."""

    figure: str
    goal: str
    said: str
    holds: bool


_MIDDLE, _SMALL, _MOST_SMALL = 0.010, 0.05, 0.95  # shares: median, and most within
_WORST = {False: 0.10, True: 0.12}  # of the tuning kinds, of the wide kinds
_DELAY, _LOSS = 0.10, 0.20  # medians, relative
_INSIDE = 0.95


def wred_goals(rows: Sequence[WredCompared], *, wide: bool = False) -> tuple[WredGoal, ...]:
    """Errors beside their goals, collapses and all."""
    shares = sorted(abs(row.share_error) for row in rows)
    small = sum(error <= _SMALL for error in shares) / len(shares)
    middle, worst = median(shares), shares[-1]
    delay = median(abs(row.delay_error) for row in rows)
    lossy = [abs(row.loss_error) for row in rows if row.truth.loss_ratio > 10 * _NEVER]
    loss = median(lossy) if lossy else 0.0
    rule = median(abs(row.rule_error) for row in rows)
    return (
        WredGoal("share, median error", f"{_MIDDLE:.3f}", f"{middle:.4f}", middle <= _MIDDLE),
        WredGoal(
            f"share within {_SMALL:g}", _ratio(_MOST_SMALL), _ratio(small), small >= _MOST_SMALL
        ),
        WredGoal("share, worst", f"{_WORST[wide]:.2f}", f"{worst:.3f}", worst <= _WORST[wide]),
        WredGoal("share by flows/p, median", "(for comparison)", f"{rule:.4f}", holds=True),
        WredGoal("delay, median error", _ratio(_DELAY), f"{delay:.1%}", delay <= _DELAY),
        WredGoal("loss, median error", _ratio(_LOSS), f"{loss:.1%}", loss <= _LOSS),
        *(
            WredGoal(f"true {name} within low-high", _ratio(_INSIDE), _ratio(part), part >= _INSIDE)
            for name, part in (
                ("share", sum(row.inside for row in rows) / len(rows)),
                ("delay", sum(row.delay_inside for row in rows) / len(rows)),
                ("loss", sum(row.loss_inside for row in rows) / len(rows)),
            )
        ),
        WredGoal(
            "width of the share's low-high, median",
            "(for comparison)",
            f"{median(row.width for row in rows):.3f}",
            holds=True,
        ),
    )


def _ratio(value: float) -> str:
    return f"{value:.0%}"
