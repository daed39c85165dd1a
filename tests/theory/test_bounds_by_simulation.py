"""No packet of the simulation, which shares no code with the bounds, is later than its bound.

The queues are taken as full wherever a class has one, so that queue-limits are checked too.
"""

import json
from random import Random

import pytest

from advisor.predict.scenario_interface import interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.simulate import simulate
from advisor.theory.bounds.classes import bound_ms
from advisor.theory.flows import case_of, flows_of
from tools.drawn.delay import delay_scenario
from tools.drawn.parts import Json
from tools.drawn.policies import KINDS, policy_scenario

pytestmark = pytest.mark.slow
PACKETS, REPLICATIONS = 20_000, 5


def random_of(number: int) -> Random:
    return Random(f"bounds {number}")  # noqa: S311 -- repeatable draws, no secret


DRAWN = [
    *(policy_scenario(random_of(number), number) for number in range(2 * len(KINDS))),
    *(delay_scenario(random_of(number), number) for number in range(24)),
]
ROUNDING = 1e-9


@pytest.mark.parametrize("draft", [pytest.param(each, id=each["id"]) for each in DRAWN])
def test_no_packet_is_later_than_its_bound(draft: Json) -> None:
    (scenario,) = read_scenarios(json.dumps([draft]), draft["id"])
    interface = interface_of(scenario)
    case = case_of(interface, flows_of(interface))
    result = simulate(interface_of(scenario), PACKETS, REPLICATIONS, seed=1)
    longest_ms = {
        each.class_name: each.delay.max_ms for each in result.classes if each.delay is not None
    }
    late = {
        flow.traffic.name: (longest_ms[flow.traffic.name], most_ms)
        for flow in case.flows
        if (most_ms := bound_ms(case, flow, fills=True)) is not None
        and longest_ms.get(flow.traffic.name, 0.0) > most_ms * (1 + ROUNDING)
    }
    assert late == {}
