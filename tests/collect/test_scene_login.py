"""Host keys, credentials and crypto: what is proven before a password leaves, and how often."""

from typing import TYPE_CHECKING

import asyncssh
import pytest
from msgspec.structs import replace

from advisor.collect.demo.script import DemoFault
from advisor.collect.fleet import DeviceState
from advisor.collect.hosts import Keychain, target_of
from advisor.collect.transport import SshProfile

pytestmark = pytest.mark.slow


if TYPE_CHECKING:
    from tests.collect.conftest import Scene


def test_a_host_that_is_not_known_gets_no_login(scene: "Scene") -> None:
    with scene.devices(scene.r1, known=False) as devices:
        (outcome,) = scene.collect(devices)
    assert "host key not known" in outcome.reason
    assert "SHA256:" in outcome.reason
    assert "--accept-new" in outcome.next_step
    assert devices[0].record.logins == []


def test_accept_new_records_the_key_and_then_logs_in(scene: "Scene") -> None:
    with scene.devices(scene.r1, known=False) as devices:
        (outcome,) = scene.collect(devices, accept_new=True)
    assert outcome.is_whole
    assert scene.known_hosts.read_text() == devices[0].known_hosts
    assert scene.known_hosts.stat().st_mode & 0o777 == 0o600


def test_a_key_that_changes_after_it_was_recorded_stops_before_the_password(
    scene: "Scene",
) -> None:
    with scene.devices(
        replace(scene.r1, faults=frozenset({DemoFault.KEY_CHANGES})), known=False
    ) as (router,):
        (outcome,) = scene.collect([router], accept_new=True)
    assert "host key changed" in outcome.reason
    assert (router.record.connections, router.record.logins) == (2, [])


@pytest.mark.parametrize("accept_new", [False, True], ids=["strict", "accept-new"])
def test_a_key_other_than_the_known_one_stops(scene: "Scene", accept_new: bool) -> None:
    with scene.devices(scene.r1, known=False) as (router,):
        other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode().strip()
        scene.known_hosts.write_text(f"[127.0.0.1]:{router.port} {other}\n")
        (outcome,) = scene.collect([router], accept_new=accept_new)
    assert "host key changed" in outcome.reason
    assert router.record.logins == []
    assert scene.known_hosts.read_text().count("\n") == 1


def test_old_crypto_is_refused_before_any_login(scene: "Scene") -> None:
    outcome, router = scene.one(replace(scene.r1, is_legacy=True))
    assert "no common algorithm" in outcome.reason
    assert "--ssh-profile legacy" in outcome.next_step
    assert router.record.logins == []


def test_old_crypto_is_taken_where_it_is_allowed_and_said(scene: "Scene") -> None:
    with scene.devices(replace(scene.r1, is_legacy=True)) as (router,):
        legacy = target_of(router.address, SshProfile.LEGACY)
        (outcome,) = scene.fleet().collect([legacy])
    assert outcome.state is DeviceState.COLLECTED
    (note,) = outcome.notes
    for old in ("aes128-cbc", "hmac-sha1", "ssh-rsa", "diffie-hellman-group14-sha1"):
        assert old in note


@pytest.mark.parametrize("method", ["password", "keyboard-interactive"])
def test_a_refused_login_is_tried_once(scene: "Scene", method: str) -> None:
    script = replace(scene.r1, methods=(method,), password="another")  # noqa: S106
    outcome, router = scene.one(script, limits=replace(scene.patient, retries=3))
    assert "login refused: user advisor, one try" in outcome.reason
    assert router.record.logins == [(method, "advisor", False)]


def test_a_key_file_logs_in_without_a_password(scene: "Scene") -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    file = scene.folder / "id_ed25519"
    file.write_bytes(key.export_private_key())
    public = key.export_public_key().decode()
    with scene.devices(replace(scene.r1, methods=("publickey",), authorized_keys=(public,))) as (
        router,
    ):
        fleet = scene.fleet()
        fleet.keychain = Keychain("advisor", file)
        (outcome,) = fleet.collect([target_of(router.address)])
    assert outcome.is_whole
    assert {method for method, _, _ in router.record.logins} == {"publickey"}


def test_enable_reaches_the_configuration(scene: "Scene", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_ENABLE", scene.enable)
    outcome, router = scene.one(replace(scene.r1, privilege=1, enable_password=scene.enable))
    assert outcome.is_whole
    assert router.received.count(scene.enable) == 1


def test_a_wrong_enable_password_is_tried_once(
    scene: "Scene", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_ENABLE", scene.enable)
    outcome, router = scene.one(replace(scene.r1, privilege=1, enable_password="x"))  # noqa: S106
    assert "enable refused: one try" in outcome.reason
    assert router.received.count(scene.enable) == 1


def test_a_device_behind_a_jump_host_is_reached_through_it_alone(scene: "Scene") -> None:
    with scene.devices(replace(scene.r1, forwards=True), scene.r1) as (jump, router):
        fleet = scene.fleet(jump_host=target_of(jump.address))
        (outcome,) = fleet.collect([target_of(router.address)])
    assert outcome.is_whole
    assert jump.record.forwarded == [("127.0.0.1", router.port)]
    assert (jump.received, router.record.connections) == ([], 1)
