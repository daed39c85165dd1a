"""Laws of a plan, on made-up configurations of several generations."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.device.reading import Source, read_source
from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import same_config
from advisor.ios.syntax.reader import parse_config
from advisor.ios.syntax.tree import ConfigTree
from advisor.lint.accepted import why_not_taken
from advisor.lint.cards import load_rules
from advisor.lint.plan import RemedySelection, plan_run
from advisor.settings.values import Settings

RULES = load_rules(Settings().budgets)
ALL = RemedySelection(tuple(rule.card.id for rule in RULES))
VERSIONS = ("version 12.3", "version 12.4", "version 15.2", "version 16.9")
RINGS = ("", " tx-ring-limit 1\n", " tx-ring-limit 40\n")


@st.composite
def wred_rows(draw: st.DrawFn) -> str:
    rows = []
    for drop in draw(st.lists(st.sampled_from((1, 2, 3)), unique=True, max_size=3)):
        low, more = draw(st.integers(1, 90)), draw(st.integers(-5, 90))
        high = max(1, low + more)
        denominator = draw(st.sampled_from((2, 5, 10)))
        rows.append(f"  random-detect dscp af2{drop} {low} {high} {denominator}\n")
    weight = draw(st.sampled_from((None, 1, 9)))
    if weight is not None:
        rows.insert(0, f"  random-detect exponential-weighting-constant {weight}\n")
    return "  random-detect dscp-based\n" + "".join(rows)


@st.composite
def routers(draw: st.DrawFn) -> str:
    kbps = draw(st.sampled_from((128, 512, 2000, 45_000)))
    share = draw(st.sampled_from((10, 40, 74, 80)))
    ports = draw(st.integers(1, 3))
    outputs = "".join(
        f"interface Serial0/{port}\n bandwidth {kbps}\n clock rate {kbps}000\n"
        f" encapsulation ppp\n{draw(st.sampled_from(RINGS))} service-policy output EDGE\n"
        for port in range(ports)
    )
    return (
        f"{draw(st.sampled_from(VERSIONS))}\nhostname R1\n"
        "class-map match-all VOICE\n match ip dscp ef\n"
        "class-map match-any DATA\n match ip dscp af21 af22 af23\n"
        f"policy-map EDGE\n class VOICE\n  priority percent 15\n class DATA\n"
        f"  bandwidth percent {share}\n{draw(wred_rows())} class class-default\n  fair-queue\n"
        f"{outputs}"
    )


def snippet(lines: tuple[str, ...]) -> ConfigTree:
    return parse_config("".join(f"{line}\n" for line in lines), "paste")


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(routers())
def test_a_plan_is_taken_step_by_step_and_its_rollback_restores_all(text: str) -> None:
    source = Source("r1.ios", text.encode())
    devices = plan_run([source], RULES, Settings(), ALL).devices
    device = read_source(source, Settings()).device
    for plan in devices:
        edit = apply(device.facts.tree, snippet(plan.lines))
        back = apply(edit.tree, snippet(plan.rollback))
        assert not edit.refused
        assert not back.refused
        assert same_config(back.tree, device.facts.tree)
        assert not why_not_taken(device, device.facts.tree, plan.lines)
        assert [step.number for step in plan.steps] == list(range(1, len(plan.steps) + 1))


@pytest.mark.slow
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(routers())
def test_a_second_plan_has_nothing_of_the_first_to_do(text: str) -> None:
    (plan,) = plan_run([Source("r1.ios", text.encode())], RULES, Settings(), ALL).devices or (None,)
    if plan is None or plan.edited is None:
        return
    after = Source("r1.ios", plan.edited.after.encode())
    again = plan_run([after], RULES, Settings(), ALL).devices
    cured = {(each.rule, each.object) for step in plan.steps for each in step.cures}
    found = {
        (each.rule, each.object)
        for other in again
        for each in (*(f for step in other.steps for f in step.cures), *other.by_hand)
    }
    assert not cured & found
