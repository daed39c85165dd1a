"""A router with thirty planted faults: they are found, and its plan leaves those for a human."""

import pytest

from advisor.device.reading import Source, read_source
from advisor.ios.edit.apply import apply
from advisor.ios.syntax.reader import parse_config
from advisor.lint.findings import Finding, Level
from advisor.lint.plan import DevicePlan, Plan, RemedySelection, plan_run
from advisor.lint.run import review
from advisor.settings.load import read_traffic
from advisor.settings.values import Settings
from tests.fixtures_judged.test_judged import EXPECTED, FIXTURES, RULES

PATH = "configs/planted/7206-hub-thirty-faults.ios"
TRAFFIC = FIXTURES / "traffic" / "regional-hub.toml"
SETTINGS = Settings(traffic=read_traffic(TRAFFIC).stated.traffic)
SAME_FAULT = {"TXR002"}  # the slow line without fragments is LFI001
MOST_BY_HAND = 8


@pytest.fixture(scope="module")
def run() -> Plan:
    source = Source(PATH, (FIXTURES / PATH).read_bytes())
    selection = RemedySelection(tuple(rule.card.id for rule in RULES))
    return plan_run([source], RULES, SETTINGS, selection)


@pytest.fixture(scope="module")
def plan(run: Plan) -> DevicePlan:
    (made,) = run.devices
    return made


@pytest.fixture(scope="module")
def pasted(plan: DevicePlan) -> str:
    """The configuration with the lines of the plan pasted."""
    device = read_source(Source(PATH, (FIXTURES / PATH).read_bytes()), SETTINGS).device
    edit = apply(device.facts.tree, parse_config("\n".join((*plan.lines, "")), "paste"))
    assert not edit.refused
    return edit.tree.text()


def keys(findings: tuple[Finding, ...]) -> set[tuple[str, str]]:
    return {(each.rule, each.object) for each in findings}


def test_the_faults_are_thirty_of_thirty_rules() -> None:
    (judged,) = (each for each in EXPECTED.file if each.path == PATH)

    rules = [each.rule for each in judged.finding]
    assert len(rules) == len(set(rules))
    assert len(set(rules) - SAME_FAULT) == 30


def test_with_the_plan_pasted_only_those_for_a_human_are_left(
    plan: DevicePlan, pasted: str
) -> None:
    verdict = review([Source(PATH, pasted.encode())], RULES, SETTINGS)

    assert keys(verdict.findings) == keys(plan.by_hand)
    assert len(plan.by_hand) <= MOST_BY_HAND


def test_those_for_a_human_are_marked_manual(plan: DevicePlan) -> None:
    levels = {each.remedy.level for each in plan.by_hand if each.remedy is not None}

    assert levels == {Level.MANUAL}
    assert all(each.remedy is not None and each.remedy.advice for each in plan.by_hand)


def test_every_finding_is_in_the_plan_once(run: Plan, plan: DevicePlan) -> None:
    cured = [finding for step in plan.steps for finding in step.cures]

    told = sorted((each.rule, each.object) for each in (*cured, *plan.by_hand))
    assert told == sorted(keys(run.verdict.findings))


def test_the_rollback_restores_the_faults(run: Plan, plan: DevicePlan, pasted: str) -> None:
    rollback = parse_config("\n".join((*plan.rollback, "")), "rollback")
    restored = apply(parse_config(pasted, PATH), rollback).tree.text()

    verdict = review([Source(PATH, restored.encode())], RULES, SETTINGS)
    assert keys(verdict.findings) == keys(run.verdict.findings)
