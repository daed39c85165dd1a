"""Gentle, read-only, proven whole, without secrets: each promise, by what a device received."""

import re
from time import monotonic
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from advisor.collect import Stop
from advisor.collect.connection import connected
from advisor.collect.demo.script import TerminalView
from advisor.collect.fleet import DeviceState
from advisor.collect.hosts import Credentials, KnownHosts, target_of
from advisor.collect.login import LoginGate, OneTry
from advisor.collect.plan import NotAllowedError

pytestmark = pytest.mark.slow


if TYPE_CHECKING:
    from tests.collect.conftest import Scene


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("reload", id="a command that does something"),
        pytest.param("configure terminal", id="configuration"),
        pytest.param("sh ver", id="an abbreviation"),
        pytest.param("show version ", id="a blank more"),
        pytest.param("Show version", id="a capital letter"),
        pytest.param("show version\nreload", id="a second line"),
        pytest.param("show version\rreload", id="a carriage return"),
        pytest.param("show running-config | redirect tftp://192.0.2.1/x", id="a pipe"),
        pytest.param("show tech-support", id="a show command that is not listed"),
        pytest.param("", id="nothing"),
    ],
)
def test_what_is_not_on_the_list_never_leaves(scene: "Scene", command: str) -> None:
    with scene.devices(scene.r1) as (router,):
        login = OneTry(Credentials("advisor", "demo"), LoginGate())
        session = connected(
            target_of(router.address), login, KnownHosts(scene.known_hosts), scene.patient, Stop()
        )
        with session as (shell, _):
            shell.start()
            before = bytes(router.record.raw)
            with pytest.raises(NotAllowedError):
                shell.send(command)
            assert bytes(router.record.raw) == before
            assert shell.send("show version").text.startswith("Cisco IOS Software")


def test_cheap_commands_come_first_then_the_configuration(scene: "Scene") -> None:
    outcome, router = scene.one(scene.r1)
    asked = scene.commands(router)
    assert outcome.is_whole
    assert asked[:3] == ["show privilege", "show version", "show processes cpu"]
    assert asked[3] == "show running-config"
    assert set(asked) >= set(scene.plan.commands) - {"show ip sla statistics"}


def test_a_busy_router_is_not_asked_for_what_is_heavy(scene: "Scene") -> None:
    cpu = "CPU utilization for five seconds: 51%/9%; one minute: 20%; five minutes: 5%\n"
    script = replace(scene.r1, answers={**scene.r1.answers, "show processes cpu": cpu})
    outcome, router = scene.one(script)
    heavy = {each.command for each in scene.plan.steps if each.is_heavy}
    assert heavy
    assert not heavy & set(router.received)
    assert "held back: CPU at 51 %" in outcome.reason


def test_a_router_that_calms_down_is_asked_for_the_rest(scene: "Scene") -> None:
    busy = "CPU utilization for five seconds: 99%/9%; one minute: 60%; five minutes: 5%\n"
    calm = scene.r1.answer("show processes cpu")
    script = replace(
        scene.r1,
        answers={**scene.r1.answers, "show processes cpu": busy},
        later={"show processes cpu": (busy, calm)},
    )
    limits = replace(scene.patient, cpu_wait_s=20.0, cpu_pause_s=0.05)
    outcome, router = scene.one(script, limits=limits)
    assert outcome.is_whole
    assert router.received.count("show processes cpu") == 3


@pytest.mark.parametrize(
    ("config", "lack"),
    [
        pytest.param("{config}", "", id="as it is"),
        pytest.param(
            "Current configuration : 999 bytes\n{config}", "999 bytes declared", id="size"
        ),
        pytest.param("Current configuration : 250 bytes\n{config}", "", id="200 bytes off is near"),
        pytest.param("{config}interface Serial0/1\n", "no `end`", id="no end"),
        pytest.param("% Out of memory\n", "no `end`", id="an error in its place"),
    ],
)
def test_a_configuration_is_whole_by_what_it_says_itself(
    scene: "Scene", config: str, lack: str
) -> None:
    text = config.format(config=scene.config)
    text = text.replace("end\ninterface", "interface")
    script = replace(scene.r1, answers={**scene.r1.answers, "show running-config": text})
    outcome, _ = scene.one(script)
    assert outcome.is_whole is (lack == "")
    assert lack in outcome.reason


def test_a_view_is_asked_for_the_full_configuration(scene: "Scene") -> None:
    shown = ("show privilege", "show version", "show processes cpu", "show running-config")
    view = TerminalView("audit", "vw", (*shown, "show policy-map", "show interfaces", "show ip"))
    script = replace(scene.r1, privilege=1, view=view, is_first_view=True)
    outcome, router = scene.one(script)
    assert "show running-config view full" in router.received
    assert "show running-config" not in router.received
    captured = scene.bundle(outcome)
    assert any("policy-map EDGE" in each.output for each in captured.sections)


def test_counters_are_taken_twice_for_rates(scene: "Scene") -> None:
    rules_plan = replace(scene.plan, interval_s=0.3)
    started, said = monotonic(), list[str]()
    with scene.devices(scene.r1) as devices:
        (outcome,) = scene.collect(devices, plan=rules_plan, say=lambda _, text: said.append(text))
    assert outcome.is_whole
    assert monotonic() - started >= 0.3
    assert "second sample in 0 s" in said
    counts = [each.command for each in rules_plan.steps if each.counts]
    assert all(devices[0].received.count(each) == 2 for each in counts if each in scene.r1.answers)


def test_bundles_are_for_their_owner_and_nothing_else_is_left(scene: "Scene") -> None:
    outcome, _ = scene.one(scene.r1)
    assert outcome.folder is not None
    modes = {each.stat().st_mode & 0o777 for each in outcome.folder.iterdir()}
    assert modes == {0o600}
    assert list(scene.out.iterdir()) == [outcome.folder]


SECRETS = """\
enable secret 5 $1$SENT$INELabcdefghijklmnopqr
enable password SENTINEL-1
username admin password 0 SENTINEL-2
snmp-server community SENTINEL-3 RO
tacacs-server key SENTINEL-4
key chain K
 key 1
  key-string SENTINEL-5
crypto isakmp key SENTINEL-6 address 192.0.2.1
interface Serial0/9
 ppp chap password 0 SENTINEL-7
 description see ftp://u:SENTINEL-8@192.0.2.1/x
"""


def test_no_secret_of_a_device_or_a_login_is_written(
    scene: "Scene", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_ENABLE", scene.enable)
    monkeypatch.setenv("ADVISOR_PASSWORD", "SENTINEL-9")
    banner = "contact ops, password SENTINEL-10"
    script = replace(
        scene.r1,
        answers={
            **scene.r1.answers,
            "show running-config": scene.config.replace("end\n", f"{SECRETS}end\n"),
            "show version": f"{scene.r1.answers['show version']}SENTINEL-9 {scene.enable}\n",
        },
        password="SENTINEL-9",  # noqa: S106
        exec_banner=banner,
        privilege=1,
        enable_password=scene.enable,
    )
    outcome, _ = scene.one(script)
    assert outcome.state is not DeviceState.NOT_REACHED
    assert "policy-map EDGE" in scene.output(outcome, "show running-config")
    texts = [*scene.said, repr(outcome)]
    texts += [each.read_text() for each in scene.out.rglob("*") if each.is_file()]
    leaked = re.compile(f"SENT.?INEL|{scene.enable}")
    assert [text for text in texts if leaked.search(text)] == []
