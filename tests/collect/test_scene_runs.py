"""What a whole run promises: refused logins, waits for others, its end, what is kept of before."""

# ruff: noqa: S603 -- the program is the one under test

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import pytest
from msgspec.structs import replace
from paramiko.common import AUTH_PARTIALLY_SUCCESSFUL

from advisor.collect import DeviceError, Failure
from advisor.collect.fleet import DeviceState
from advisor.collect.hosts import Target, target_of
from advisor.collect.login import LoginGate
from advisor.collect.plan import CollectPlan, allowed
from tests.collect.doors import LOOPBACK, Door, Question, Wire, doors
from tests.collect.sessions import ANSWERS, router
from tests.collect.test_scene_doors import INTERACTIVE, PASSWORD, collected

if TYPE_CHECKING:
    from tests.collect.conftest import Scene

pytestmark = pytest.mark.slow
ROOT: Final = Path(__file__).resolve().parents[2]
SHORT: Final = CollectPlan(tuple(allowed(each) for each in ("show privilege", "show version")))
NEW: Final[Question] = ("", "", (("New password: ", False),))
SECRET: Final = "pl4yed-back-secret"  # noqa: S105 -- of the loopback server


@pytest.mark.parametrize(
    "door",
    [
        pytest.param({"questions": (NEW,)}, id="another password asked for"),
        pytest.param({"refuses_at_once": True}, id="refused without a question"),
    ],
)
def test_logins_that_are_begun_and_refused_without_a_password_end_the_run_too(
    scene: "Scene", door: dict[str, Any]
) -> None:
    made = [Door(INTERACTIVE, **door) for _ in range(12)]
    outcomes = collected(scene, *made, plan=SHORT, workers=8)
    assert sum(each.begun for each in made) == 2
    reasons = sorted(outcome.reason.partition(":")[0] for outcome in outcomes)
    assert reasons == ["login refused"] * 2 + ["not tried"] * 10


@pytest.mark.parametrize(
    ("question", "said"),
    [
        pytest.param(
            ("", "", (("Password: ", False), ("OTP: ", False))),
            "and more than that",
            id="two fields",
        ),
        pytest.param(
            ("", "", (("Password: ", False),) * 50), "and more than that", id="fifty fields"
        ),
        pytest.param(
            ("", "", (("Password: ", True),)), "and would show the answer", id="an answer with echo"
        ),
        pytest.param(
            ("", "Your password has expired", (("Password: ", False),)),
            "under `Your password has expired`",
            id="an expiry above it",
        ),
    ],
)
def test_why_a_question_gets_nothing_is_said(scene: "Scene", question: Question, said: str) -> None:
    door = Door(INTERACTIVE, questions=(question,))
    (outcome,) = collected(scene, door)
    assert door.answers == []
    assert said in outcome.reason


def played_back(secret: str) -> Door:
    def session(wire: Wire) -> None:
        wire.say(f"\nhostname {secret} ?")
        wire.heard()

    return Door(session=session, password=secret)


@pytest.mark.parametrize(
    "door",
    [
        pytest.param(Door(session=router(prompt=f"{SECRET}#")), id="as its prompt"),
        pytest.param(Door(session=router(prompt=f"{SECRET.upper()}#")), id="in capitals"),
        pytest.param(played_back(SECRET), id="in a question"),
        pytest.param(
            Door(
                after_password=AUTH_PARTIALLY_SUCCESSFUL,
                methods_after_password=lambda secret: (secret, "publickey"),
            ),
            id="as a method of login",
        ),
        pytest.param(
            Door(
                INTERACTIVE,
                questions=(PASSWORD, ("", "", ((f"hostname {SECRET.upper()}?", False),))),
            ),
            id="in the next question",
        ),
    ],
)
def test_a_secret_that_is_played_back_is_nowhere(
    scene: "Scene", door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_PASSWORD", SECRET)
    limits = replace(scene.patient, login_s=2.0, command_s=5.0)
    (outcome,) = collected(scene, door, plan=SHORT, limits=limits)
    texts = [*scene.said, repr(outcome), str(outcome.device)]
    texts += [each.read_text() for each in scene.out.rglob("*") if each.is_file()]
    assert not [text for text in texts if SECRET in text.lower()]


def test_devices_that_drop_logins_that_wait_are_connected_to_again(scene: "Scene") -> None:
    made = [
        Door(session=router(), drops_unanswered_after_s=0.6, password_takes_s=0.4) for _ in range(8)
    ]
    outcomes = collected(scene, *made, plan=SHORT, workers=8)
    assert [outcome.reason for outcome in outcomes if not outcome.is_whole] == []
    assert [len(door.secrets) for door in made] == [1] * 8


@contextmanager
def dark(count: int) -> Iterator[list[Target]]:
    """Servers that announce SSH and say no more."""
    listeners = [socket.create_server((LOOPBACK, 0)) for _ in range(count)]
    lines: list[socket.socket] = []

    def serve(listener: socket.socket) -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            lines.append(line)
            line.sendall(b"SSH-2.0-Cisco-1.25\r\n")

    for listener in listeners:
        Thread(target=serve, args=(listener,), daemon=True).start()
    yield [target_of(f"{LOOPBACK}:{listener.getsockname()[1]}") for listener in listeners]
    for line in (*lines, *listeners):
        line.close()


def test_dark_devices_do_not_hold_up_the_others_one_after_the_other(scene: "Scene") -> None:
    good = Door(session=router())
    limits = replace(scene.patient, connect_s=4.0, login_s=6.0)
    with doors(good), dark(8) as silent:
        scene.known_hosts.write_text(good.known_hosts)
        targets = [*silent, target_of(good.address)]
        started = time.monotonic()
        run = scene.fleet(plan=SHORT, limits=limits).collect(targets)
        first = next(run)
        passed_s = time.monotonic() - started
        run.close()
    assert first.is_whole
    assert passed_s < len(silent) * limits.connect_s / 2


def test_devices_that_never_answer_enable_hold_up_no_other(
    scene: "Scene", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_ENABLE", scene.enable)

    def silent(wire: Wire, _: int) -> bool:
        wire.heard()
        return True

    def granted(wire: Wire, _: int) -> bool:
        wire.say("Password: ")
        wire.heard(echo=False)
        wire.say("\n")
        router(ANSWERS)(wire)
        return True

    made = [Door(session=router(hooks={"enable": silent}, prompt="r1>")) for _ in range(6)]
    good = Door(session=router(hooks={"enable": granted}, prompt="r1>"))
    limits = replace(scene.patient, connect_s=15.0, login_s=15.0)
    with doors(*made, good):
        scene.known_hosts.write_text("".join(door.known_hosts for door in (*made, good)))
        targets = [target_of(door.address) for door in (*made, good)]
        run = scene.fleet(plan=SHORT, limits=limits).collect(targets)
        first = next(run)
        run.close()
    assert (first.target, first.is_whole) == (target_of(good.address), True)


def refused(gate: LoginGate) -> None:
    with suppress(DeviceError), gate.turn("a") as turn:
        gate.begin(turn)
        raise DeviceError(Failure.LOGIN_REFUSED)


def test_a_gate_counts_what_is_begun_and_forgets_what_asks_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("advisor.collect.login._ASKING_S", 0.05)
    gate = LoginGate()
    with gate.turn("a"), gate.turn("a") as second:
        gate.begin(second)
        second.is_taken = True
    assert gate.is_proven("a")
    for _ in range(2):
        refused(gate)
    assert gate.is_closed


@pytest.mark.parametrize("retries", [0, 2])
def test_a_fleet_connects_once_and_as_often_again_as_it_is_told(
    scene: "Scene", retries: int
) -> None:
    made = [Door(closes_at_once=True), Door(closes_at_once=True), Door(session=router())]
    limits = replace(scene.patient, retries=retries, backoff_s=0.01)
    collected(scene, *made, plan=SHORT, limits=limits)
    assert [door.connections for door in made] == [retries + 1, retries + 1, 1]


@pytest.mark.parametrize(
    "name", ["a" * 70 + ".example", "a..b"], ids=["a long label", "an empty label"]
)
def test_a_name_that_is_none_is_a_device_that_is_not_found(scene: "Scene", name: str) -> None:
    (outcome,) = scene.fleet().collect([target_of(name)])
    assert outcome.reason.startswith("name not found")


def test_a_jump_host_that_is_no_name_is_said(scene: "Scene") -> None:
    fleet = scene.fleet(jump_host=target_of("a..b"))
    with pytest.raises(DeviceError) as caught:
        list(fleet.collect([target_of("r1")]))
    assert caught.value.fault is Failure.NAME


def test_a_folder_that_holds_something_else_is_said_before_anybody_is_asked(
    scene: "Scene",
) -> None:
    door = Door(session=router())
    with doors(door):
        scene.known_hosts.write_text(door.known_hosts)
        target = target_of(door.address)
        fleet = scene.fleet(plan=SHORT)
        (scene.out / target.folder).mkdir()
        (scene.out / target.folder / "notes.txt").write_text("x")
        (outcome,) = fleet.collect([target])
    assert "not part of a bundle" in outcome.reason
    assert door.connections == 0


@pytest.mark.parametrize(
    ("change", "is_kept"),
    [
        pytest.param("", True, id="the same run"),
        pytest.param("more", False, id="more is asked"),
        pytest.param("less", True, id="less is asked"),
        pytest.param("interval", False, id="a second sample is asked"),
        pytest.param("address", False, id="the name is of another device now"),
        pytest.param("empty", False, id="a manifest without commands"),
    ],
)
def test_resume_keeps_a_bundle_that_holds_what_is_asked(
    scene: "Scene", change: str, is_kept: bool
) -> None:
    commands = ("show privilege", "show version", "show processes cpu", "show interfaces")
    before = CollectPlan(tuple(map(allowed, commands)))
    after = {
        "more": CollectPlan((*before.steps, allowed("show running-config"))),
        "less": CollectPlan(before.steps[:2]),
        "interval": replace(before, interval_s=0.5),
    }.get(change, before)
    made = [Door(session=router()), Door(session=router())]
    with doors(*made):
        scene.known_hosts.write_text("".join(door.known_hosts for door in made))
        first, other = (replace(target_of(door.address), name="r1") for door in made)
        (outcome,) = scene.fleet(plan=before).collect([first])
        assert outcome.is_whole
        if change == "empty":
            manifest = scene.out / "r1" / "manifest.json"
            manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "commands": []}))
        fleet = scene.fleet(plan=after, resume=True)
        (again,) = fleet.collect([other if change == "address" else first])
    assert (again.state is DeviceState.KEPT) is is_kept


@pytest.mark.parametrize("times", [1, 3], ids=["once", "three times"])
def test_ctrl_c_ends_a_run_that_waits_for_silent_devices_and_says_so(
    scene: "Scene", times: int
) -> None:
    hanging = Door(is_silent_after_password=True)
    with doors(hanging), dark(2) as silent:
        scene.known_hosts.write_text(hanging.known_hosts)
        command = [sys.executable, "-m", "advisor", "collect", hanging.address]
        command += [target.endpoint for target in silent]
        command += ["--known-hosts", str(scene.known_hosts), "--out", str(scene.out)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "ADVISOR_USERNAME": "advisor"}
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            while not hanging.secrets:
                assert process.poll() is None
                time.sleep(0.05)
            time.sleep(1.0)
            started = time.monotonic()
            for _ in range(times):
                process.send_signal(signal.SIGINT)
                time.sleep(0.2)
            said, complaints = process.communicate(timeout=60)
    assert time.monotonic() - started < scene.patient.connect_s
    assert "interrupted: ending the run" in complaints
    assert "Traceback" not in complaints
    assert process.returncode == 130
    assert "0 of 3 devices whole" in said
