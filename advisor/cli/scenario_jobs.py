"""What `predict --scenario` does."""

from collections.abc import Sequence
from pathlib import Path

from advisor.cli.errors import Code, say
from advisor.cli.manner import manner_of
from advisor.cli.output import show
from advisor.cli.predict_jobs import show_shares
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.data import read_text
from advisor.predict.what_if.scenario_answers import (
    ScenarioClass,
    ScenarioGroup,
    answer_scenario,
)
from advisor.predict.what_if.scenario_sweep import sweep_scenarios
from advisor.predict.what_if.sweep import axes_of
from advisor.report.formats import SCENARIOS
from advisor.report.printable import printable
from advisor.report.scenarios import Answered
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.scenario import Scenario


def predict_scenarios(
    file: Path, view: View, *, simulated: bool, sweeps: Sequence[str] = ()
) -> Code:
    """Print predictions of the scenarios of a file, beside their simulation where asked.

    Incomplete where the model has no answer to one: the others are printed all the same. With
    `sweeps` the shares of TCP groups over thresholds or flows.

    Raises
    ------
    WrongUseError
        If a sweep should be simulated, or a format is that of sweeps alone.
    """
    if sweeps:
        return _swept(file, sweeps, view, simulated=simulated)
    if view.form in ("csv", "plot"):
        raise WrongUseError(f"--format {view.form}: goes with --sweep where --scenario is given")
    if view.form in ("html", "svg"):
        raise WrongUseError(f"--format {view.form}: does not go with --scenario")
    classes: list[ScenarioClass | ScenarioGroup] = []
    code = Code.CLEAN
    for scenario in read_scenarios(read_text(file), str(file)):
        if scenario.not_read:
            say(printable(f"{file}: scenario {scenario.id}: not read: {_listed(scenario)}"))
        answer = answer_scenario(scenario, simulated=simulated)
        if answer.not_predicted is not None:
            code = Code.INCOMPLETE
            say(printable(f"{file}: scenario {scenario.id}: not predicted: {answer.not_predicted}"))
        if answer.not_simulated is not None:
            say(printable(f"scenario {scenario.id}: not simulated: {answer.not_simulated}"))
        classes += answer.rows
    answered = Answered(tuple(classes), simulated)
    show(SCENARIOS.render(answered, view.form, manner_of(view)), view)
    return code


def _swept(file: Path, sweeps: Sequence[str], view: View, *, simulated: bool) -> Code:
    """Print the shares of the scenarios of a file over thresholds or flows."""
    if simulated:
        raise WrongUseError("--simulate: a point of a sweep is not simulated; leave out --sweep")
    scenarios = read_scenarios(read_text(file), str(file))
    return show_shares(sweep_scenarios(scenarios, str(file), axes_of(sweeps)), view)


def refuse_beside(
    path: str | None, interface: str | None, overrides: Sequence[str], traffic: Path | None
) -> None:
    """Refuse options of a config beside a scenario, which states its own.

    Raises
    ------
    WrongUseError
        If a path, or an option that speaks of a config, is given beside it.
    """
    values = {"PATH": path, "--interface": interface, "--set": overrides, "--traffic": traffic}
    flags = [name for name, value in values.items() if value]
    if flags:
        raise WrongUseError(f"--scenario: stands alone; leave out {', '.join(flags)}")


def _listed(scenario: Scenario) -> str:
    return ", ".join(scenario.not_read)
