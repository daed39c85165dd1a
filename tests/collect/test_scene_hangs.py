"""A command that never ends, in all places and company: what it costs, and what the report says."""

import time
from typing import TYPE_CHECKING, Any, Final

import pytest
from msgspec.structs import replace

from advisor.collect.demo.script import DemoFault, Script
from advisor.collect.fleet import DeviceOutcome, DeviceState
from advisor.collect.hosts import target_of
from tests.collect.doors import Door, Wire
from tests.collect.sessions import ANSWERS, Hook, Spoken, router
from tests.collect.test_scene_doors import collected

if TYPE_CHECKING:
    from tests.collect.conftest import Scene

pytestmark = pytest.mark.slow

CONTROLLERS: Final = "Interface Serial0/0\nHardware is PQUICC\n"
INTERFACES: Final = "show interfaces"


def hanging(scene: "Scene", command: str = INTERFACES, **more: Any) -> Script:
    answers = {**scene.r1.answers, "show controllers": CONTROLLERS}
    faults = frozenset({DemoFault.HANGS, *more.pop("faults", ())})
    return replace(scene.r1, answers=answers, faults=faults, faulty_command=command, **more)


def limits(scene: "Scene", **more: Any) -> dict[str, Any]:
    return {"limits": replace(scene.patient, **{"command_s": 1.5, "login_s": 4.0, **more})}


def reasons(scene: "Scene", outcome: DeviceOutcome) -> dict[str, str]:
    return {gap.command: gap.reason for gap in scene.bundle(outcome).gaps}


def has_config(scene: "Scene", outcome: DeviceOutcome) -> bool:
    return scene.output(outcome, "show running-config").rstrip().endswith("end")


def test_each_session_enters_the_privileged_mode(
    scene: "Scene", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_ENABLE", scene.enable)
    outcome, device = scene.one(
        hanging(scene, privilege=1, enable_password=scene.enable), **limits(scene)
    )
    assert has_config(scene, outcome)
    assert device.received.count(scene.enable) == 2
    assert set(reasons(scene, outcome)) == {INTERFACES}


def test_each_session_goes_over_the_jump_host(scene: "Scene") -> None:
    with scene.devices(replace(scene.r1, forwards=True), hanging(scene)) as (jump, device):
        fleet = scene.fleet(jump_host=target_of(jump.address), **limits(scene))
        (outcome,) = fleet.collect([target_of(device.address)])
    assert set(reasons(scene, outcome)) == {INTERFACES}
    assert jump.record.forwarded == [("127.0.0.1", device.port)] * 2
    assert jump.record.connections == 1


def test_the_time_of_the_device_is_one_for_all_its_sessions(scene: "Scene") -> None:
    started = time.monotonic()
    outcome, device = scene.one(hanging(scene), **limits(scene, device_s=2.5, command_s=60.0))
    assert time.monotonic() - started < 10
    assert device.record.connections == 1
    assert has_config(scene, outcome)
    assert reasons(scene, outcome)["show controllers"].startswith("time limit: not asked")


def test_a_session_that_is_cut_leaves_the_configuration(scene: "Scene") -> None:
    script = replace(hanging(scene, "show controllers"), faults=frozenset({DemoFault.CUT}))
    outcome, device = scene.one(script, **limits(scene))
    assert has_config(scene, outcome)
    assert outcome.reason.startswith("show controllers: cut, session cut")
    assert device.record.connections == 1, "a device that closes is not pressed"


def test_a_device_that_hangs_holds_up_no_other(scene: "Scene") -> None:
    with scene.devices(hanging(scene), *[scene.r1] * 5) as devices:
        outcomes = scene.collect(devices, workers=2, **limits(scene))
    assert [outcome.is_whole for outcome in outcomes] == [False, *[True] * 5]
    assert max(outcome.seconds for outcome in outcomes[1:]) < outcomes[0].seconds


def test_resume_asks_the_device_that_hung_alone(scene: "Scene") -> None:
    with scene.devices(hanging(scene), scene.r1) as devices:
        scene.collect(devices, **limits(scene))
        before = [device.record.connections for device in devices]
        states = [outcome.state for outcome in scene.collect(devices, resume=True, **limits(scene))]
        after = [device.record.connections for device in devices]
    assert states == [DeviceState.INCOMPLETE, DeviceState.KEPT]
    assert after[1] == before[1]
    assert after[0] > before[0]


# Devices that do something else at the second connection.

_WAITS: Final = "Serial0/0 is up, line protocol is up\n"


def _hangs(then: Any = None) -> Hook:
    def hook(wire: Wire, _times: int) -> bool:
        wire.say(_WAITS)
        if then is not None:
            then()
        while True:
            wire.heard()

    return hook


def _sessions(*spoken: Spoken) -> Spoken:
    """Another session at each connection; the last one stays."""
    left = list(spoken)

    def session(wire: Wire) -> None:
        (left.pop(0) if left[1:] else left[0])(wire)

    return session


HANGS: Final = router(hooks={INTERFACES: _hangs()})
BUSY: Final = "CPU utilization for five seconds: 99%/9%; one minute: 60%; five minutes: 5%\n"


def _second_cpu_hangs(wire: Wire, times: int) -> bool:
    if times == 1:
        return False
    return _hangs()(wire, times)


@pytest.mark.parametrize(
    ("session", "said", "has_text"),
    [
        pytest.param(_sessions(HANGS, router()), "", True, id="all is well again"),
        pytest.param(
            _sessions(HANGS, router(prompt="r2#")),
            "not asked: r1 became r2",
            True,
            id="another device answers: nothing of it is kept",
        ),
        pytest.param(
            _sessions(HANGS, lambda wire: wire.say("\nno\n", 30.0)),
            "not asked: no prompt",
            True,
            id="no prompt any more",
        ),
        pytest.param(
            _sessions(HANGS, lambda wire: wire.say("\nReload now? [confirm]")),
            "not asked: ",
            True,
            id="a question in place of the prompt",
        ),
        pytest.param(
            router({**ANSWERS, "show processes cpu": BUSY}, {"show processes cpu": _second_cpu_hangs}),
            "time limit: not asked: `show processes cpu` ended with time limit",
            False,
            id="the look at a busy CPU hangs, in each session",
        ),
    ],
)  # fmt: skip
def test_what_the_second_session_finds_is_said(
    scene: "Scene", session: Spoken, said: str, has_text: bool
) -> None:
    door = Door(session=session)
    wait = limits(scene, cpu_wait_s=20.0, cpu_pause_s=0.05)
    (outcome,) = collected(scene, door, **wait)
    assert outcome.state is DeviceState.INCOMPLETE
    assert outcome.device == "r1"
    texts = {section.command for section in scene.bundle(outcome).sections}
    assert ("show running-config" in texts) is has_text
    assert {"show version", "show processes cpu"} <= texts
    found = reasons(scene, outcome)
    assert any(said in reason for reason in found.values()) or not said, found
    told = {*found, *texts, *scene.bundle(outcome).unsupported}
    assert told >= set(scene.plan.commands), "none is lost without a word"


def test_a_port_that_is_closed_afterwards_leaves_what_was_taken(scene: "Scene") -> None:
    door = Door()
    door.session = router(hooks={INTERFACES: _hangs(lambda: setattr(door, "closes_at_once", True))})
    (outcome,) = collected(scene, door, **limits(scene))
    assert has_config(scene, outcome)
    assert "not asked: not reached" in str(reasons(scene, outcome))
    assert door.secrets == ["demo"]


def test_a_password_that_is_refused_afterwards_is_tried_once_more_and_no_more(
    scene: "Scene",
) -> None:
    door = Door()
    door.session = router(hooks={INTERFACES: _hangs(lambda: setattr(door, "refuses", True))})
    (outcome,) = collected(scene, door, **limits(scene))
    assert has_config(scene, outcome)
    assert "not asked: login refused" in str(reasons(scene, outcome))
    assert door.secrets == ["demo", "demo"]
