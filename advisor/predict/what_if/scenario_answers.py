"""Scenarios answered by the model, and beside it by the simulation where that is asked for."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from advisor.predict.scenario import ClassRow, NotModelledError, predict_scenario
from advisor.predict.wred.scenario import GroupRow, is_of_wred, predict_wred_scenario
from advisor.settings.scenario import Scenario
from advisor.simulate import ClassResult, SimulationError, simulate

PACKETS = 100_000
REPLICATIONS = 20
SEED = 1


class ScenarioClass(Struct, frozen=True):
    """One class: the model's answer, the simulation's, or both."""

    scenario_id: str
    class_name: str
    predicted: ClassRow | None
    simulated: ClassResult | None = None


class ScenarioGroup(Struct, frozen=True):
    """One group of a scenario of TCP or WRED: the model's answer, and the simulation's if asked."""

    predicted: GroupRow
    simulated: ClassResult | None = None


class ScenarioAnswer(Struct, frozen=True):
    """Rows of one scenario, and why the model or the simulation has none where that is so."""

    rows: tuple[ScenarioClass | ScenarioGroup, ...]
    not_predicted: str | None = None
    not_simulated: str | None = None


def answer_scenario(scenario: Scenario, *, simulated: bool) -> ScenarioAnswer:
    """Predict a scenario, beside its simulation where asked, which takes seconds."""
    predicted: Sequence[ClassRow | GroupRow] = ()
    not_predicted = None
    try:
        of_wred = is_of_wred(scenario)
        predicted = predict_wred_scenario(scenario) if of_wred else predict_scenario(scenario)
    except NotModelledError as error:
        not_predicted = str(error)
    if simulated:
        try:
            rows = tuple(_beside(scenario, predicted))
        except SimulationError as error:
            return ScenarioAnswer(tuple(_alone(predicted)), not_predicted, str(error))
        return ScenarioAnswer(rows, not_predicted)
    return ScenarioAnswer(tuple(_alone(predicted)), not_predicted)


def _alone(predicted: Sequence[ClassRow | GroupRow]) -> Iterator[ScenarioClass | ScenarioGroup]:
    for row in predicted:
        if isinstance(row, GroupRow):
            yield ScenarioGroup(row)
        else:
            yield ScenarioClass(row.scenario_id, row.class_name, row)


def _beside(
    scenario: Scenario, predicted: Sequence[ClassRow | GroupRow]
) -> Iterator[ScenarioClass | ScenarioGroup]:
    rows = {row.group if isinstance(row, GroupRow) else row.class_name: row for row in predicted}
    for result in simulate(scenario, PACKETS, REPLICATIONS, SEED).classes:
        row = rows.get(result.class_name)
        if isinstance(row, GroupRow):
            yield ScenarioGroup(row, result)
        else:
            yield ScenarioClass(scenario.id, result.class_name, row, result)
