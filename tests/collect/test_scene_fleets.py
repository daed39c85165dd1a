"""Many devices at once: who fails, who does not, and how often a password is tried."""

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Final

import pytest
from msgspec.structs import replace

from advisor.collect.allow_list import allowed
from advisor.collect.fleet import State
from advisor.collect.hosts import target_of
from advisor.collect.plan import Plan
from advisor.demo import Fault

pytestmark = pytest.mark.slow


if TYPE_CHECKING:
    from tests.collect.conftest import Scene

# A tenth of 200, one of them by authentication.
FAULTS: Final = {
    Fault.REFUSED: 4,
    Fault.CLOSES: 3,
    Fault.RESETS: 3,
    Fault.CUT: 3,
    Fault.GARBAGE: 3,
    Fault.LOW_PRIVILEGE: 3,
    Fault.LOGIN_REFUSED: 1,
}
SHORT: Final = Plan(
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
        State.COLLECTED: 180,
        State.INCOMPLETE: 9,
        State.NOT_REACHED: 11,
    }
    failed = [each for each in outcomes if not each.is_whole]
    assert all(each.reason and each.next_step for each in failed)
    assert sum(not granted for each in devices for *_, granted in each.record.logins) == 1
    assert len(list(scene.out.iterdir())) == 189


def test_after_two_refused_logins_no_other_is_tried(scene: "Scene") -> None:
    refusing = replace(scene.r1, faults=frozenset({Fault.LOGIN_REFUSED}))
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
    assert {each.state for each in outcomes} == {State.NOT_REACHED}


def test_the_others_wait_until_one_device_has_taken_the_credentials(scene: "Scene") -> None:
    refusing = replace(scene.r1, faults=frozenset({Fault.LOGIN_REFUSED}))
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
        replace(scene.r1, faults=frozenset({Fault.RESETS})),
        replace(scene.r1, faults=frozenset({Fault.CUT})),
        replace(scene.r1, faults=frozenset({Fault.LOGIN_REFUSED})),
    ) as devices:
        scene.collect(devices, limits=limits)
    assert [each.record.connections for each in devices] == [1, 3, 1, 1]
    assert any("again in 0.05 s" in each for each in scene.said)
    assert any("again in 0.1 s" in each for each in scene.said)


def test_ending_a_run_leaves_finished_bundles_whole_and_begins_no_other(scene: "Scene") -> None:
    slow = replace(scene.r1, answer_delay_s=30.0)
    with scene.devices(scene.r1, slow, slow) as devices:
        targets = [target_of(each.address) for each in devices]
        with closing(scene.fleet(workers=1).collect(targets)) as run:
            first = next(run)
    assert first.is_whole
    assert scene.bundle(first).gaps == ()
    assert [each.name for each in scene.out.iterdir()] == [first.target.folder]


def test_resume_asks_those_alone_that_are_not_whole(scene: "Scene") -> None:
    cut = replace(scene.r1, faults=frozenset({Fault.CUT}))
    with scene.devices(scene.r1, cut) as devices:
        scene.collect(devices)
        again = scene.collect(devices, resume=True)
    assert [each.state for each in again] == [State.KEPT, State.INCOMPLETE]
    assert [each.record.connections for each in devices] == [1, 2]
