"""Each fault of a device ends in its line of the report: what is wrong, and what to do next."""

import re
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from advisor.collect.demo.script import DemoFault
from advisor.collect.fleet import DeviceState

pytestmark = pytest.mark.slow


if TYPE_CHECKING:
    from tests.collect.conftest import Scene

WHOLE, PART, NONE = DeviceState.COLLECTED, DeviceState.INCOMPLETE, DeviceState.NOT_REACHED


@pytest.mark.parametrize(
    ("fault", "state", "reason", "next_step"),
    [
        pytest.param(
            DemoFault.REFUSED, NONE, "connection refused", "transport input", id="refused"
        ),
        pytest.param(DemoFault.CLOSES, NONE, "no SSH", "check the port", id="no SSH at the port"),
        pytest.param(DemoFault.RESETS, NONE, "not reached: connection lost", "route", id="reset"),
        pytest.param(DemoFault.LOGIN_REFUSED, NONE, "login refused", "once", id="login refused"),
        pytest.param(
            DemoFault.CUT, PART, "show running-config: cut", "--resume", id="cut mid-output"
        ),
        pytest.param(
            DemoFault.GARBAGE, PART, "characters that are not text", "--resume", id="garbage"
        ),
        pytest.param(DemoFault.LOW_PRIVILEGE, PART, "privilege 7", "authorize", id="low privilege"),
        pytest.param(
            DemoFault.BOOT_MARKERS,
            PART,
            "no hostname, no version, no interface",
            "authorize",
            id="markers",
        ),
        pytest.param(
            DemoFault.UNAUTHORIZED,
            PART,
            "show running-config: missing, the AAA server refuses the command",
            "--print-authorization",
            id="a command that is not authorized",
        ),
        pytest.param(
            DemoFault.LONG_LINE, PART, "too long for IOS output", "by hand", id="a long line"
        ),
        pytest.param(
            DemoFault.NAME_CHANGES,
            PART,
            "the prompt changed: r1# became r1-new#",
            "which device answers",
            id="a name that changes in mid-session",
        ),
        pytest.param(DemoFault.ASKS_AGAIN, NONE, "it asks `Password:`", "once", id="asked again"),
        pytest.param(DemoFault.EXPIRED, NONE, "it asks `New password:`", "once", id="expired"),
        pytest.param(
            DemoFault.BANNER_IN_PIECES, WHOLE, "", "", id="a banner in pieces like prompts"
        ),
        pytest.param(DemoFault.BUSY, PART, "held back: CPU at 95 %", "less busy", id="a busy CPU"),
        pytest.param(DemoFault.BANNER_FLOOD, WHOLE, "", "", id="a flood of banner is read over"),
        pytest.param(DemoFault.ALWAYS_PAGES, WHOLE, "", "", id="pages that cannot be switched off"),
        pytest.param(DemoFault.PROMPT_IN_OUTPUT, WHOLE, "", "", id="a prompt within an output"),
        pytest.param(DemoFault.HOSTILE_NAME, WHOLE, "", "", id="a hostname of shell characters"),
        pytest.param(DemoFault.LONG_NAME, WHOLE, "", "", id="a hostname longer than a prompt"),
    ],
)
def test_fault(
    scene: "Scene", fault: DemoFault, state: DeviceState, reason: str, next_step: str
) -> None:
    outcome, _ = scene.one(replace(scene.r1, faults=frozenset({fault})))
    assert (outcome.state, reason in outcome.reason) == (state, True), outcome.reason
    assert next_step in outcome.next_step


@pytest.mark.parametrize(
    ("fault", "limits", "reason"),
    [
        pytest.param(
            DemoFault.SILENT, {"connect_s": 0.5}, "no (SSH|answer)", id="accepts and is silent"
        ),
        pytest.param(
            DemoFault.SILENT_AFTER_LOGIN, {"login_s": 2.0}, "no prompt", id="silent later"
        ),
        pytest.param(
            DemoFault.NO_PROMPT, {"login_s": 2.0}, "no prompt", id="the prompt never comes"
        ),
        pytest.param(
            DemoFault.QUESTION,
            {"login_s": 2.0},
            re.escape("it asks a question: `Reload now? [confirm]`"),
            id="a question in place of the prompt",
        ),
        pytest.param(
            DemoFault.MENU,
            {"login_s": 2.0},
            "it asks a question: `selection>`",
            id="a menu in its place",
        ),
        pytest.param(DemoFault.SLOW, {"login_s": 2.0}, "no prompt", id="one byte a second"),
    ],
)
def test_fault_that_takes_its_time(
    scene: "Scene", fault: DemoFault, limits: dict[str, Any], reason: str
) -> None:
    script = replace(scene.r1, faults=frozenset({fault}))
    outcome, router = scene.one(script, limits=replace(scene.patient, **limits))
    assert outcome.state is NONE
    assert re.search(reason, outcome.reason)
    assert scene.commands(router) == []


@pytest.mark.parametrize(
    ("command", "kept", "sessions"),
    [
        pytest.param("show controllers", "show running-config", 1, id="the last one"),
        pytest.param("show running-config", "show policy-map interface", 2, id="the config itself"),
        pytest.param("show version", "show running-config", 2, id="one ahead of the config"),
    ],
)
def test_a_command_that_hangs_costs_itself_alone(
    scene: "Scene", command: str, kept: str, sessions: int
) -> None:
    answers = {**scene.r1.answers, "show controllers": "Interface Serial0/0\nHardware is X\n"}
    script = replace(
        scene.r1, answers=answers, faults=frozenset({DemoFault.HANGS}), faulty_command=command
    )
    outcome, router = scene.one(script, limits=replace(scene.patient, command_s=1.5))
    assert outcome.state is PART
    assert outcome.reason == f"{command}: cut, time limit"
    assert "by hand" in outcome.next_step
    assert ("session 2: a command hung in the one before it" in outcome.notes) is (sessions == 2)
    assert scene.output(outcome, kept)
    assert scene.commands(router).count(command) == 1, "what hung is not asked again"
    assert router.record.connections == sessions


def test_a_device_on_which_all_hangs_gets_three_sessions(scene: "Scene") -> None:
    script = replace(scene.r1, answer_delay_s=2.0)
    outcome, router = scene.one(script, limits=replace(scene.patient, command_s=0.5))
    assert outcome.state is PART
    assert "time limit" in outcome.reason
    assert scene.commands(router) == ["show privilege", "show version", "show processes cpu"]
    assert router.record.connections == 3
    gaps = {gap.command: gap.reason for gap in scene.bundle(outcome).gaps}
    assert set(scene.plan.commands) == set(gaps), "none is lost without a word"


def test_a_second_session_that_is_refused_leaves_what_the_first_took(scene: "Scene") -> None:
    script = replace(
        scene.r1,
        faults=frozenset({DemoFault.HANGS, DemoFault.KEY_CHANGES}),
        faulty_command="show running-config",
    )
    outcome, _ = scene.one(script, limits=replace(scene.patient, command_s=1.5))
    assert outcome.state is PART
    assert outcome.reason.startswith("show running-config: cut, time limit (and ")
    reasons = {gap.command: gap.reason for gap in scene.bundle(outcome).gaps}
    assert reasons["show interfaces"].startswith("not asked: host key changed")
    assert scene.output(outcome, "show version")


def test_a_second_sample_that_hangs_leaves_the_first(scene: "Scene") -> None:
    script = replace(
        scene.r1,
        faults=frozenset({DemoFault.HANGS}),
        faulty_command="show controllers",
        answers={**scene.r1.answers, "show controllers": "Interface Serial0/0\nHardware is X\n"},
    )
    plan = replace(scene.plan, interval_s=0.2)
    outcome, router = scene.one(script, limits=replace(scene.patient, command_s=1.5), plan=plan)
    assert outcome.reason == "show controllers: cut, time limit"
    assert router.received.count("show interfaces") == 2, (
        "the rest is sampled in the second session"
    )


def test_a_prompt_within_an_output_loses_no_line(scene: "Scene") -> None:
    script = replace(scene.r1, faults=frozenset({DemoFault.PROMPT_IN_OUTPUT}))
    outcome, _ = scene.one(script)
    config = scene.output(outcome, "show running-config")
    assert "r1#\n" in config
    assert config.replace("r1#\n", "").endswith(f"bytes\n{scene.config}")


def test_a_configuration_of_60000_lines_is_whole(scene: "Scene") -> None:
    outcome, _ = scene.one(replace(scene.r1, faults=frozenset({DemoFault.LONG_CONFIG})))
    config = scene.output(outcome, "show running-config")
    assert outcome.state is WHOLE
    assert config.count("\n") == 60_003
    assert config.rstrip().endswith("\nend")


def test_a_hostile_name_stays_a_name(scene: "Scene") -> None:
    script = replace(scene.r1, faults=frozenset({DemoFault.HOSTILE_NAME}))
    outcome, _ = scene.one(script)
    assert outcome.device == "r1;$(id)`id`|&../../x"
    assert outcome.folder is not None
    assert outcome.folder.parent == scene.out
    assert sorted(each.name for each in scene.folder.iterdir()) == ["bundles", "known_hosts"]


def test_a_question_of_the_device_is_not_waited_at_for_good(scene: "Scene") -> None:
    limits = replace(scene.patient, login_s=60.0)
    script = replace(scene.r1, faults=frozenset({DemoFault.QUESTION}))
    outcome, _ = scene.one(script, limits=limits)
    assert outcome.reason.startswith("it asks a question")
    assert outcome.seconds < limits.login_s / 2


def test_nothing_of_a_line_that_is_too_long_is_kept_and_all_else_is(scene: "Scene") -> None:
    outcome, _ = scene.one(replace(scene.r1, faults=frozenset({DemoFault.LONG_LINE})))
    config = scene.output(outcome, "show running-config")
    assert "xxx" not in config
    assert config.endswith("!\n\nend\n")
    assert "policy-map EDGE" in config
