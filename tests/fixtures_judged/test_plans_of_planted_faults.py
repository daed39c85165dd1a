"""Routers with many planted faults: they are found, and a plan leaves those for a human."""

import pytest

from advisor.device.reading import Source, read_source
from advisor.ios.edit.apply import apply
from advisor.ios.syntax.reader import parse_config
from advisor.lint.findings import Finding, Level
from advisor.lint.plan import DevicePlan, Plan, RemedySelection, plan_run
from advisor.lint.run import review
from advisor.settings import Settings
from advisor.settings.file import read_traffic
from tests.fixtures_judged.test_judged import EXPECTED, FIXTURES, RULES, JudgedFile

THIRTY = "configs/planted/7206-hub-thirty-faults.ios"
OTHER = "configs/planted/3845-hqf-aggregation.ios"
SAME_FAULT = {"TXR002"}  # the slow line without fragments is LFI001
NOT_PLANTED = {"LLQ016", "SHP006", "SHP007"}  # lines without a policy; contracts, circuits over
ALL = RemedySelection(tuple(rule.card.id for rule in RULES))


def judged_of(path: str) -> JudgedFile:
    (judged,) = (each for each in EXPECTED.file if each.path == path)
    return judged


def keys(findings: tuple[Finding, ...]) -> set[tuple[str, str]]:
    return {(each.rule, each.object) for each in findings}


class Planned:
    """A router with faults, its plan, and its configuration with the plan pasted."""

    def __init__(self, path: str) -> None:
        traffic = read_traffic(FIXTURES / (judged_of(path).traffic or ""))
        self.settings = Settings(traffic=traffic.stated.traffic)
        self.path = path
        source = Source(path, (FIXTURES / path).read_bytes())
        self.run: Plan = plan_run([source], RULES, self.settings, ALL)
        (made,) = self.run.devices
        self.plan: DevicePlan = made
        tree = read_source(source, self.settings).device.facts.tree
        edit = apply(tree, parse_config("\n".join((*made.lines, "")), "paste"))
        assert not edit.refused
        self.pasted = edit.tree.text()

    def linted(self, text: str) -> set[tuple[str, str]]:
        return keys(review([Source(self.path, text.encode())], RULES, self.settings).findings)


@pytest.fixture(scope="module", params=[THIRTY, OTHER], ids=["pre-HQF hub", "HQF aggregation"])
def planned(request: pytest.FixtureRequest) -> Planned:
    return Planned(request.param)


def test_the_faults_are_thirty_of_thirty_rules() -> None:
    found = (each.rule for each in judged_of(THIRTY).finding)
    rules = [rule for rule in found if rule not in NOT_PLANTED]

    assert len(rules) == len(set(rules))
    assert len(set(rules) - SAME_FAULT) == 30


def test_with_the_plan_pasted_only_those_for_a_human_are_left(planned: Planned) -> None:
    assert planned.linted(planned.pasted) == keys(planned.plan.by_hand)


def test_few_are_left_for_a_human(planned: Planned) -> None:
    by_hand = [each for each in planned.plan.by_hand if each.rule not in NOT_PLANTED]

    assert len(by_hand) <= {THIRTY: 7, OTHER: 10}[planned.path]


def test_those_for_a_human_are_marked_manual_with_what_to_do(planned: Planned) -> None:
    remedies = [each.remedy for each in planned.plan.by_hand]

    assert {each.level for each in remedies if each is not None} == {Level.MANUAL}
    assert all(each is not None and each.advice for each in remedies)


def test_every_finding_is_in_the_plan_once(planned: Planned) -> None:
    cured = [finding for step in planned.plan.steps for finding in step.cures]

    told = sorted((each.rule, each.object) for each in (*cured, *planned.plan.by_hand))
    assert told == sorted(keys(planned.run.verdict.findings))


def test_the_rollback_restores_the_faults(planned: Planned) -> None:
    rollback = parse_config("\n".join((*planned.plan.rollback, "")), "rollback")
    restored = apply(parse_config(planned.pasted, planned.path), rollback).tree.text()

    assert planned.linted(restored) == keys(planned.run.verdict.findings)
