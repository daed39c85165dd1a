"""Laws of a plan, on made-up routers of several platforms, generations and encapsulations."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from advisor.device.device import with_tree
from advisor.device.reading import Source, read_source
from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import same_config
from advisor.ios.edit.keys import meaning_of
from advisor.ios.syntax import ConfigTree, Line
from advisor.ios.syntax.modes import GLOBAL
from advisor.ios.syntax.reader import parse_config
from advisor.lint.accepted import why_not_taken
from advisor.lint.cards import load_rules
from advisor.lint.findings import Finding
from advisor.lint.plan import DevicePlan, RemedySelection, plan_run
from advisor.lint.trial import applied
from advisor.settings import Settings
from tests.support.drawn_routers import MASK, routers
from tests.support.worse_classes import predicted, worse_figures

CONFIGS = sorted((Path(__file__).parents[2] / "fixtures" / "configs").rglob("*.ios"))
RULES = load_rules(Settings().budgets)
ALL = RemedySelection(tuple(rule.card.id for rule in RULES))

pytestmark = pytest.mark.slow
over_routers = settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
over_some_routers = settings(over_routers, max_examples=15)


def plan_of(text: str) -> DevicePlan | None:
    """The plan of a router, where there is one."""
    devices = plan_run([Source("r1.ios", text.encode())], RULES, Settings(), ALL).devices
    return devices[0] if devices else None


def tree_of(text: str) -> ConfigTree:
    return parse_config(text, "r1.ios")


def snippet(lines: tuple[str, ...]) -> ConfigTree:
    return parse_config("".join(f"{line}\n" for line in lines), "paste")


def remedied(plan: DevicePlan) -> tuple[Finding, ...]:
    """The findings that steps of a plan cure, each with a remedy in lines."""
    cured = (finding for step in plan.steps for finding in step.cures)
    return tuple(finding for finding in cured if finding.remedy and finding.remedy.lines)


@over_routers
@given(routers())
def test_a_plan_is_taken_step_by_step_and_its_rollback_restores_all(text: str) -> None:
    plan = plan_of(text)
    if plan is None:
        return
    device = read_source(Source("r1.ios", text.encode()), Settings()).device
    edit = apply(device.facts.tree, snippet(plan.lines))
    back = apply(edit.tree, snippet(plan.rollback))
    assert not edit.refused
    assert not back.refused
    assert same_config(back.tree, device.facts.tree)
    assert not why_not_taken(device, device.facts.tree, plan.lines)
    assert [step.number for step in plan.steps] == list(range(1, len(plan.steps) + 1))


def entered_twice(lines: tuple[str, ...]) -> list[str]:
    """Settings that lines enter again, each with its mode."""
    found: list[tuple[tuple[str, ...], tuple[str, ...], str]] = []
    stack: list[tuple[tuple[str, ...], str, Line]]
    stack = [((), GLOBAL, node) for node in snippet(lines).commands()]
    while stack:
        path, mode, node = stack.pop()
        meaning, nested = meaning_of(mode, node.text), list(node.commands())
        stack += [((*path, node.text), meaning.opens or "", child) for child in nested]
        if not nested and not meaning.negative:
            found.append((path, meaning.key, node.text))
    places = Counter((path, key) for path, key, _ in set(found))
    return [" > ".join((*path, *key)) for (path, key), times in places.items() if times > 1]


AF_BY_PRECEDENCE = """version 12.4
hostname r1
class-map match-any ORDERS
 match dscp af31 af32 af33
policy-map OUT
 class ORDERS
  bandwidth 500
  random-detect
interface Serial0/0
 bandwidth 2048
 clock rate 2048000
 encapsulation ppp
 service-policy output OUT
end
"""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(AF_BY_PRECEDENCE, id="rows of another kind, which are off the target too"),
        *(
            pytest.param(path.read_bytes().decode(errors="replace"), id=path.stem)
            for path in CONFIGS
        ),
    ],
)
def test_a_plan_enters_a_setting_once(text: str) -> None:
    plan = plan_of(text)
    assert plan is None or entered_twice(plan.lines) == []


@over_routers
@given(routers())
def test_a_plan_of_any_router_enters_a_setting_once(text: str) -> None:
    plan = plan_of(text)
    assert plan is None or entered_twice(plan.lines) == []


NAMED = ("policy-map", "class-map", "map-class", "access-list", "ip access-list")
EXAMPLES = [
    pytest.param(example.bad, id=f"{rule.card.id} {number}")
    for rule in RULES
    for number, example in enumerate(rule.card.example, start=1)
    if rule.card.remedy is not None
]


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_way_back_removes_a_name_after_all_that_names_it(text: str) -> None:
    plan = plan_of(text)
    if plan is None:
        return
    device = read_source(Source("r1.ios", text.encode()), Settings()).device
    tree = applied(device.facts.tree, plan.lines)
    for number, line in enumerate(plan.rollback):
        if line.startswith(tuple(f"no {kind} " for kind in NAMED)):
            left = applied(tree, plan.rollback[: number + 1])
            naming = [node for node in left.walk() if line.split()[-1] in node.words[1:]]
            assert [node.text for node in naming if not node.text.startswith(NAMED)] == []


@over_some_routers
@given(routers())
def test_a_second_plan_has_nothing_of_the_first_to_do(text: str) -> None:
    plan = plan_of(text)
    if plan is None or plan.edited is None:
        return
    again = plan_of(plan.edited.after)
    cured = {(each.rule, each.object) for step in plan.steps for each in step.cures}
    left = () if again is None else (*again.by_hand, *(f for s in again.steps for f in s.cures))
    assert not cured & {(each.rule, each.object) for each in left}


@over_some_routers
@given(routers())
def test_a_class_that_a_plan_makes_worse_is_named(text: str) -> None:
    plan = plan_of(text)
    if plan is None or not plan.steps:
        return
    device = read_source(Source("r1.ios", text.encode()), Settings()).device
    before = predicted(device)
    after = predicted(with_tree(device, applied(device.facts.tree, plan.lines)))
    named = {(effect.object, effect.metric) for effect in plan.worse}
    kept = before.keys() & after.keys()  # a policy that moves to a bundle takes its classes along
    for output, name in sorted(kept):
        for metric in worse_figures(before[output, name], after[output, name]):
            assert any(
                said.startswith(output) and said.endswith(name) and metric is about
                for said, about in named
            )


@over_some_routers
@given(routers())
def test_every_line_of_a_remedy_changes_the_configuration(text: str) -> None:
    plan = plan_of(text)
    for finding in () if plan is None else remedied(plan):
        assert finding.remedy is not None
        lines = finding.remedy.lines
        whole = apply(tree_of(text), snippet(lines)).tree
        for number, line in enumerate(lines):
            if opens_mode(lines, number):
                continue
            without = apply(tree_of(text), snippet((*lines[:number], *lines[number + 1 :])))
            assert without.refused or not same_config(without.tree, whole), line


def opens_mode(lines: tuple[str, ...], number: int) -> bool:
    """Whether lines of a deeper mode follow a line of a snippet."""
    following = lines[number + 1 : number + 2]
    return any(indent(line) > indent(lines[number]) for line in following)


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@over_some_routers
@given(routers(is_masked=True))
def test_a_masked_line_is_neither_moved_nor_restored(text: str) -> None:
    plan = plan_of(text)
    if plan is not None:
        assert not [line for line in (*plan.lines, *plan.rollback) if MASK in line]
