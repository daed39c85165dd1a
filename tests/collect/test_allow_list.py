"""What may be sent: one list, letter by letter; plans and authorizations follow from it."""

import re

import pytest

from advisor.collect.plan import (
    ALLOWED,
    SESSION_COMMANDS,
    CollectPlan,
    NotAllowedError,
    allowed,
    authorization,
    plan_of,
)
from advisor.lint.cards import load_rules, wanted_commands
from advisor.settings import Budgets

RULES = load_rules(Budgets())
CHANGING = ("configure", "reload", "write", "copy", "clear", "debug", "delete", "erase", "set")


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("configure terminal", id="configuration"),
        pytest.param("reload", id="reload"),
        pytest.param("sh ver", id="an abbreviation"),
        pytest.param("show version ", id="a blank after it"),
        pytest.param("Show version", id="another case"),
        pytest.param("show version\nreload", id="a second line"),
        pytest.param("show version\r", id="a carriage return"),
        pytest.param("show running-config | redirect flash:x", id="a pipe that writes"),
        pytest.param("show running-config | include hostname", id="a pipe that only reads"),
        pytest.param("show interfaces Serial0/0", id="an argument"),
        pytest.param("show tech-support", id="a show command that is not on it"),
        pytest.param("", id="nothing"),
        pytest.param("\x03", id="a control character"),
    ],
)
def test_anything_else_is_refused(command: str) -> None:
    with pytest.raises(NotAllowedError):
        allowed(command)


def test_refusal_does_not_repeat_what_was_refused() -> None:
    with pytest.raises(NotAllowedError) as refused:
        allowed("show running-config | include S3ntinel")
    assert "S3ntinel" not in str(refused.value)


@pytest.mark.parametrize("command", [each.command for each in ALLOWED])
def test_every_command_on_the_list_only_shows(command: str) -> None:
    assert command.startswith("show ")
    assert not set(command) & set("|\n\r;")
    assert not set(command.split()) & set(CHANGING)


def test_every_command_that_a_check_wants_is_on_the_list() -> None:
    for rule in RULES:
        for command in rule.wants:
            assert allowed(command).command == command


def test_names_in_older_trains_are_on_the_list() -> None:
    for each in ALLOWED:
        for command in (*each.older, *each.beside):
            assert allowed(command).command == command


def test_plan_begins_with_privilege_version_cpu_and_the_config() -> None:
    commands = plan_of(wanted_commands(RULES)).commands
    assert commands[:3] == ("show privilege", "show version", "show processes cpu")
    assert commands[3] == "show running-config", "no command that may hang comes before it"


def test_plan_asks_light_commands_before_heavy_ones() -> None:
    heavy = [each.is_heavy for each in plan_of(wanted_commands(RULES)).steps[4:]]
    assert heavy == sorted(heavy)


def test_plan_asks_for_what_the_selected_rules_need_alone() -> None:
    sla = [rule for rule in RULES if rule.card.id.startswith("SLA")]
    assert plan_of(wanted_commands(sla)).commands == (
        "show privilege",
        "show version",
        "show processes cpu",
        "show running-config",
        "show ip sla statistics aggregated",
        "show ip sla statistics",
    )


def test_plan_takes_counters_alone_twice() -> None:
    plan = plan_of(wanted_commands(RULES), interval_s=30.0)
    twice = {each.command for each in plan.steps if plan.is_sampled_twice(each)}
    assert {"show policy-map interface", "show interfaces"} <= twice
    assert not twice & {"show running-config", "show version", "show processes cpu"}


def test_what_may_be_sent_is_this_list_letter_by_letter() -> None:
    """A record alone sends nothing new: whoever lets a command be sent writes it here, too."""
    assert {each.command for each in ALLOWED} == {
        "show atm pvc",
        "show atm vc",
        "show class-map",
        "show controllers",
        "show dlsw circuits",
        "show dlsw peers",
        "show dlsw statistics",
        "show interfaces",
        "show ip sla monitor statistics",
        "show ip sla monitor statistics aggregated",
        "show ip sla statistics",
        "show ip sla statistics aggregated",
        "show policy-map",
        "show policy-map control-plane",
        "show policy-map interface",
        "show privilege",
        "show processes cpu",
        "show queueing",
        "show queueing fair",
        "show queueing interface",
        "show queueing random-detect",
        "show rtr collection-statistics",
        "show rtr operational-state",
        "show running-config",
        "show running-config view full",
        "show version",
    }


def test_commands_that_are_sent_to_a_busy_device_are_these() -> None:
    assert {each.command for each in ALLOWED if not each.is_heavy} == {
        "show class-map",
        "show dlsw peers",
        "show dlsw statistics",
        "show ip sla monitor statistics",
        "show ip sla monitor statistics aggregated",
        "show ip sla statistics",
        "show ip sla statistics aggregated",
        "show policy-map",
        "show policy-map control-plane",
        "show privilege",
        "show processes cpu",
        "show rtr collection-statistics",
        "show rtr operational-state",
        "show version",
    }


def test_counters_are_these() -> None:
    assert {each.command for each in ALLOWED if each.counts} == {
        "show dlsw peers",
        "show interfaces",
        "show policy-map interface",
    }


def snippets(plan: CollectPlan) -> list[str]:
    return authorization(plan.may_send).split("\n\n")


def test_privilege_snippet_is_of_exactly_the_plan() -> None:
    found = re.findall(
        r"^privilege exec level \d+ (.*)$",
        snippets(plan_of(wanted_commands(RULES)))[1],
        re.MULTILINE,
    )
    assert found == list(plan_of(wanted_commands(RULES)).may_send)


def test_view_snippet_is_of_exactly_the_plan_and_the_session() -> None:
    found = re.findall(
        r"^ commands exec include (.*)$", snippets(plan_of(wanted_commands(RULES)))[2], re.MULTILINE
    )
    assert found == [*plan_of(wanted_commands(RULES)).may_send, *SESSION_COMMANDS]


def test_tacacs_snippet_is_of_exactly_the_plan_and_the_session() -> None:
    found, word = [], ""
    for line in snippets(plan_of(wanted_commands(RULES)))[0].splitlines():
        if (command := re.match(r" +cmd = (\S+) \{", line)) is not None:
            word = command[1]
        elif (permit := re.match(r' +permit "\^(.*)<cr>\$"', line)) is not None:
            found.append(f"{word} {permit[1]}".strip())
    assert sorted(found) == sorted((*plan_of(wanted_commands(RULES)).may_send, *SESSION_COMMANDS))
