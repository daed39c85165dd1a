"""Where user names and passwords come from, and what is known of hosts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.collect.hosts import CredentialsError, Keychain, KnownHosts, KnownHostsError, Target

R1 = Target("r1", "192.0.2.1", username="of-inventory")


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ADVISOR_USERNAME", "ADVISOR_PASSWORD", "ADVISOR_ENABLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")


def nobody_asks(prompt: str) -> str:
    raise AssertionError(prompt)


@pytest.mark.parametrize(
    ("flag", "variable", "expected"),
    [
        pytest.param("of-flag", "of-environment", "of-flag", id="the flag first"),
        pytest.param(None, "of-environment", "of-environment", id="then the environment"),
        pytest.param(None, None, "of-inventory", id="then the inventory"),
    ],
)
def test_user_name(
    flag: str | None, variable: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if variable:
        monkeypatch.setenv("ADVISOR_USERNAME", variable)
    assert Keychain(flag).username_of(R1) == expected


def test_no_user_name_is_said_with_where_it_may_be() -> None:
    with pytest.raises(CredentialsError, match="r1: no user name; give --username"):
        Keychain(None).username_of(Target("r1", "r1"))


def test_password_of_the_environment_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_PASSWORD", "pw")
    assert Keychain(None, ask=nobody_asks).of(R1).password == "pw"  # noqa: S105


def test_password_is_asked_for_once_for_a_user() -> None:
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return "typed"

    keychain = Keychain(None, ask=ask)
    assert {keychain.of(R1).password, keychain.of(R1).password} == {"typed"}
    assert asked == ["Password of of-inventory: "]


def test_secrets_are_in_no_representation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_PASSWORD", "S3ntinelX9")
    monkeypatch.setenv("ADVISOR_ENABLE", "S3ntinelX9")
    keychain = Keychain(None)
    assert "S3ntinelX9" not in repr((keychain.of(R1), keychain))


def test_enable_secret_of_two_lines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_PASSWORD", "pw")
    monkeypatch.setenv("ADVISOR_ENABLE", "x\nreload")
    with pytest.raises(CredentialsError, match="a control character"):
        Keychain(None).of(R1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(b"r1 ssh-rsa AAA\n", "key of r1 cannot be read", id="a broken key"),
        pytest.param(b"r1 \xff\xfe\n", "not text", id="bytes"),
    ],
)
def test_file_of_known_hosts_that_cannot_be_read(tmp_path: Path, text: bytes, said: str) -> None:
    (tmp_path / "known").write_bytes(text)
    with pytest.raises(KnownHostsError, match=said):
        KnownHosts(tmp_path / "known")


def test_recorded_key_is_a_line_of_its_own_for_its_owner(tmp_path: Path) -> None:
    make: Callable[[], object]
    from paramiko import ECDSAKey  # noqa: PLC0415 -- slow to load

    make = ECDSAKey.generate
    file = tmp_path / "new" / "known"
    first, second = make(), make()
    known = KnownHosts(file)
    known.record("r1", first)
    file.write_text(file.read_text("utf-8").rstrip("\n"), "utf-8")  # as an editor may leave it
    known.record("r2", second)
    again = KnownHosts(file)
    again.verify("r1", first)
    again.verify("r2", second)
    assert file.stat().st_mode & 0o777 == 0o600
