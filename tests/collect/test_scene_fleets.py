"""Many devices at once: who fails, who does not, and how often a password is tried."""

from collections import Counter
from contextlib import closing
from threading import Event
from typing import TYPE_CHECKING, Any, Final

import pytest
from msgspec.structs import replace

from advisor.capture.sections import Capture
from advisor.collect import bundles
from advisor.collect.demo.script import DemoFault, renamed
from advisor.collect.fleet import DeviceState
from advisor.collect.hosts import target_of
from advisor.collect.plan import CollectPlan, allowed
from advisor.shows.redact import redact_capture
from tests.collect.doors import Door, doors

pytestmark = pytest.mark.slow


if TYPE_CHECKING:
    from tests.collect.conftest import Scene

# A tenth of 200, one of them by authentication.
FAULTS: Final = {
    DemoFault.REFUSED: 4,
    DemoFault.CLOSES: 3,
    DemoFault.RESETS: 3,
    DemoFault.CUT: 3,
    DemoFault.GARBAGE: 3,
    DemoFault.LOW_PRIVILEGE: 3,
    DemoFault.LOGIN_REFUSED: 1,
}
SHORT: Final = CollectPlan(
    tuple(
        allowed(each)
        for each in ("show privilege", "show version", "show processes cpu", "show running-config")
    )
)


def test_two_hundred_devices_of_which_a_tenth_fails(scene: "Scene") -> None:
    faults = [fault for fault, count in FAULTS.items() for _ in range(count)]
    scripts = [scene.r1] * 200
    for number, fault in enumerate(faults, start=1):
        scripts[number * 9] = replace(scene.r1, faults=frozenset({fault}))
    with scene.devices(*scripts) as devices:
        outcomes = scene.collect(devices, plan=SHORT, workers=32)
    assert Counter(each.state for each in outcomes) == {
        DeviceState.COLLECTED: 180,
        DeviceState.INCOMPLETE: 9,
        DeviceState.NOT_REACHED: 11,
    }
    failed = [each for each in outcomes if not each.is_whole]
    assert all(each.reason and each.next_step for each in failed)
    assert sum(not granted for each in devices for *_, granted in each.record.logins) == 1
    assert len(list(scene.out.iterdir())) == 189


def test_after_two_refused_logins_no_other_is_tried(scene: "Scene") -> None:
    refusing = replace(scene.r1, faults=frozenset({DemoFault.LOGIN_REFUSED}))
    with scene.devices(scene.r1, *[refusing] * 20) as devices:
        outcomes = scene.collect(devices, plan=SHORT, workers=8)
    logins = [granted for each in devices for *_, granted in each.record.logins]
    assert sorted(logins) == [False, False, True]
    assert outcomes[0].is_whole
    assert Counter(each.reason.split(":")[0] for each in outcomes[1:]) == {
        "login refused": 2,
        "not tried": 18,
    }


def test_credentials_that_are_wrong_everywhere_are_tried_twice(scene: "Scene") -> None:
    wrong = replace(scene.r1, password="another")  # noqa: S106
    with scene.devices(*[wrong] * 20) as devices:
        outcomes = scene.collect(devices, plan=SHORT, workers=8)
    assert sum(len(each.record.logins) for each in devices) == 2
    assert {each.state for each in outcomes} == {DeviceState.NOT_REACHED}


def test_the_others_wait_until_one_device_has_taken_the_credentials(scene: "Scene") -> None:
    refusing = replace(scene.r1, faults=frozenset({DemoFault.LOGIN_REFUSED}))
    with scene.devices(refusing, scene.r1, scene.r1) as devices:
        outcomes = scene.fleet(plan=SHORT).collect([target_of(each.address) for each in devices])
        assert next(outcomes).target == target_of(devices[0].address)
        assert [each.record.connections for each in devices] == [1, 0, 0]
        assert all(each.is_whole for each in outcomes)


def test_the_others_do_not_wait_for_the_outputs_of_the_first(scene: "Scene") -> None:
    slow = replace(scene.r1, answer_delay_s=1.0)
    with scene.devices(slow, scene.r1) as devices:
        outcomes = scene.fleet(plan=SHORT).collect([target_of(each.address) for each in devices])
        assert next(outcomes).target == target_of(devices[1].address)
        assert all(each.is_whole for each in outcomes)


def test_a_connection_is_tried_again_and_a_login_is_not(scene: "Scene") -> None:
    limits = replace(scene.patient, retries=2, backoff_s=0.05)
    with scene.devices(
        scene.r1,
        replace(scene.r1, faults=frozenset({DemoFault.RESETS})),
        replace(scene.r1, faults=frozenset({DemoFault.CUT})),
        replace(scene.r1, faults=frozenset({DemoFault.LOGIN_REFUSED})),
    ) as devices:
        scene.collect(devices, limits=limits)
    assert [each.record.connections for each in devices] == [1, 3, 1, 1]
    assert any("again in 0.05 s" in each for each in scene.said)
    assert any("again in 0.1 s" in each for each in scene.said)


def test_ending_a_run_leaves_finished_bundles_whole_and_begins_no_other(scene: "Scene") -> None:
    slow = replace(scene.r1, answer_delay_s=2.0)  # as first, it is the one that ends
    with scene.devices(scene.r1, slow, slow) as devices:
        targets = [target_of(each.address) for each in devices]
        with closing(scene.fleet(workers=1).collect(targets)) as run:
            first = next(run)
    assert first.is_whole
    assert scene.bundle(first).gaps == ()
    assert [each.name for each in scene.out.iterdir()] == [first.target.folder]


def test_resume_asks_those_alone_that_are_not_whole(scene: "Scene") -> None:
    cut = replace(scene.r1, faults=frozenset({DemoFault.CUT}))
    with scene.devices(scene.r1, cut) as devices:
        scene.collect(devices)
        again = scene.collect(devices, resume=True)
    assert [each.state for each in again] == [DeviceState.KEPT, DeviceState.INCOMPLETE]
    assert [each.record.connections for each in devices] == [1, 2]


def test_a_wrong_enable_secret_reaches_two_devices_of_thirty(
    scene: "Scene", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_ENABLE", scene.enable)
    wrong = replace(scene.r1, privilege=1, enable_password="another")  # noqa: S106
    with scene.devices(*[wrong] * 30) as devices:
        outcomes = scene.collect(devices, plan=SHORT, workers=20)
    assert sum(each.received.count(scene.enable) for each in devices) == 2
    assert Counter(outcome.reason.split(":")[0] for outcome in outcomes)["enable refused"] == 2
    told = [
        outcome
        for outcome in outcomes
        if any("`enable` was not tried" in note for note in outcome.notes)
    ]
    assert len(told) == 28


def test_an_enable_secret_that_is_right_reaches_all(
    scene: "Scene", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_ENABLE", scene.enable)
    right = replace(scene.r1, privilege=1, enable_password=scene.enable)
    with scene.devices(*[right] * 12) as devices:
        outcomes = scene.collect(devices, plan=SHORT, workers=8)
    assert {outcome.state for outcome in outcomes} == {DeviceState.COLLECTED}


def test_a_device_that_is_slow_to_log_in_does_not_hold_up_the_others(scene: "Scene") -> None:
    slow = Door(is_silent_after_password=True)
    limits = replace(scene.patient, connect_s=1.0, login_s=20.0)
    with doors(slow), scene.devices(*[scene.r1] * 3) as devices:
        known = slow.known_hosts + "".join(each.known_hosts for each in devices)
        scene.known_hosts.write_text(known)
        addresses = [slow.address, *(each.address for each in devices)]
        with closing(
            scene.fleet(plan=SHORT, limits=limits).collect([target_of(each) for each in addresses])
        ) as run:
            first = [next(run) for _ in devices]
    assert {each.state for each in first} == {DeviceState.COLLECTED}


def test_a_device_whose_outputs_take_long_to_redact_is_not_written(scene: "Scene") -> None:
    limits = replace(scene.patient, redact_s=0.0)
    outcome, _ = scene.one(scene.r1, limits=limits)
    assert outcome.reason == "not redacted in time: over 0 s"
    assert outcome.next_step
    assert list(scene.out.iterdir()) == []


def test_a_device_that_prints_without_end_is_cut_and_asked_no_more(scene: "Scene") -> None:
    flood = {**scene.r1.answers, "show version": "x" * 79 + "\n" + ("y" * 79 + "\n") * 3000}
    limits = replace(scene.patient, output_bytes=100_000)
    outcome, router = scene.one(replace(scene.r1, answers=flood), limits=limits)
    assert outcome.state is DeviceState.INCOMPLETE
    assert "over 100000 bytes" in outcome.reason
    assert scene.commands(router) == ["show privilege", "show version"]


def test_the_outputs_of_a_device_together_have_a_limit(scene: "Scene") -> None:
    limits = replace(scene.patient, device_bytes=10)
    outcome, router = scene.one(scene.r1, limits=limits)
    assert outcome.state is DeviceState.INCOMPLETE
    assert "too much output" in outcome.reason
    assert scene.commands(router) == ["show privilege"]


def test_a_device_that_is_being_redacted_holds_up_no_other(
    scene: "Scene", monkeypatch: pytest.MonkeyPatch
) -> None:
    others_done = Event()

    def redacted(capture: Capture, *rest: Any) -> Capture:
        if capture.device == "slow":
            assert others_done.wait(20)
        return redact_capture(capture, *rest)

    monkeypatch.setattr(bundles, "redact_capture", redacted)
    with scene.devices(renamed(scene.r1, "slow"), scene.r1, scene.r1) as devices:
        targets = [target_of(each.address) for each in devices]
        run = scene.fleet(plan=SHORT).collect(targets)
        first = [next(run).device, next(run).device]
        others_done.set()
        last = next(run)
    assert first == ["r1", "r1"]
    assert (last.device, last.is_whole) == ("slow", True)
