"""CPU001: one-minute load against the budget of the profile."""

import pytest

from advisor.device.device import Device
from advisor.device.platform_evidence import platform_of
from advisor.facts.read_config import read_facts
from advisor.ground.quantity import Basis
from advisor.ios.syntax.reader import parse_config
from advisor.lint.checks.base import Hit
from advisor.lint.checks.cpu import BusyCpu, BusyCpuParams, find_cpu_over_half
from advisor.shows.cpu import read_cpu
from advisor.shows.observations import Observations
from tests.support.verdicts import hits_of

A1 = "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%"
A2 = "CPU utilization for five seconds: 20%/10%; one minute: 12%; five minutes: 8%"
HEAD = "CPU utilization for five seconds: {}%/6%; one minute: {}%; five minutes: {}%"


def hits(budget_percent: float, *heads: str) -> list[Hit[BusyCpu]]:
    facts = read_facts(parse_config("", "r1.ios"))
    loads = [read_cpu(head, f"{n}.txt") for n, head in enumerate(heads)]
    seen = Observations(cpu=tuple(load for load in loads if load is not None))
    results = find_cpu_over_half(
        Device("r1", facts, platform_of(facts, seen, "r1"), seen), BusyCpuParams(budget_percent)
    )
    return hits_of(results)


@pytest.mark.parametrize(
    ("budget_percent", "head", "expected"),
    [
        pytest.param(50.0, A1, None, id="8 % of the first router of the seed"),
        pytest.param(50.0, A2, None, id="12 % of the second"),
        pytest.param(50.0, HEAD.format(9, 50, 9), None, id="50 % is within the budget"),
        pytest.param(50.0, HEAD.format(9, 51, 9), 51, id="51 % is over it"),
        pytest.param(60.0, HEAD.format(9, 51, 9), None, id="51 % is within 60 %"),
        pytest.param(50.0, HEAD.format(99, 12, 99), None, id="only the one-minute load counts"),
    ],
)
def test_verdict(budget_percent: float, head: str, expected: int | None) -> None:
    found = [hit.evidence.one_minute_percent for hit in hits(budget_percent, head)]

    assert found == ([] if expected is None else [expected])


def test_several_captures_give_one_hit_the_highest_first() -> None:
    (hit,) = hits(50.0, HEAD.format(1, 55, 1), A1, HEAD.format(1, 71, 1))

    assert [at.file for at in hit.at] == ["2.txt", "0.txt"]


def test_the_figure_is_measured_in_percent() -> None:
    (hit,) = hits(50.0, HEAD.format(1, 71, 1))

    assert hit.forecast is not None
    assert (hit.forecast.before.value, hit.forecast.before.unit) == (71, "%")
    assert [each.basis for each in hit.forecast.inputs] == [Basis.MEASURED]


def test_a_router_without_cpu_output_is_not_judged() -> None:
    assert hits(50.0) == []
