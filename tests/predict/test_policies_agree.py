"""Model and simulation, which share no code, agree on one drawn scenario of each kind of policy."""

from random import Random

import msgspec
import pytest

from advisor.predict.what_if.scenario_answers import answer_scenario
from advisor.predict.what_if.simulated import Figured
from advisor.settings.read_scenarios import read_scenarios
from tools.drawn.policies import KINDS

pytestmark = pytest.mark.slow

FAST_KBPS = 512  # on slower lines queues fill for minutes, longer than a simulation lasts
MOST_DRAWS = 100
# Without levels, shapers or generations formulas answer, which have references of their own.
BY_FORMULAS = frozenset({"one_level", "fifo_deep"})


@pytest.mark.parametrize("name", [name for name in KINDS if name not in BY_FORMULAS])
def test_the_simulated_mean_is_within_the_predicted_interval(name: str) -> None:
    random = Random(f"agree {name}")  # noqa: S311 - repeatable draws
    drafts = (KINDS[name](random) for _ in range(MOST_DRAWS))
    draft = next(each for each in drafts if each["link"]["rate_kbps"] >= FAST_KBPS)
    (scenario,) = read_scenarios(msgspec.json.encode({"id": name} | draft).decode(), name)
    answer = answer_scenario(scenario, simulated=True)
    assert answer.not_predicted is None
    assert answer.not_simulated is None
    compared = [row for row in answer.rows if row.apart is not None]
    assert compared
    judged = {Figured.MEAN, Figured.MAX}
    assert [row.name for row in compared if judged & set(row.apart or ())] == []
