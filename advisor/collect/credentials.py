"""Who logs in and with what. Secrets come from the environment, a keyring or a prompt."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from advisor.collect.hosts import Target
from advisor.faults import AdvisorError

if TYPE_CHECKING:
    from paramiko import PKey

KEYRING_SERVICE: Final = "advisor"
USERNAME, PASSWORD, ENABLE = "ADVISOR_USERNAME", "ADVISOR_PASSWORD", "ADVISOR_ENABLE"
KEY_PASSPHRASE: Final = "ADVISOR_KEY_PASSPHRASE"  # noqa: S105 -- the name of a variable


class CredentialsError(AdvisorError):
    """There is no user name, no secret, or a key that cannot be used; the text says which."""


class Credentials(Struct, frozen=True):
    """What one login is made with: a key, the agent, or a password. Secrets are never shown."""

    username: str
    password: str | None = None
    enable: str | None = None
    key: "PKey | None" = None
    use_agent: bool = False

    def __repr__(self) -> str:
        return f"Credentials(username={self.username!r})"

    @property
    def secrets(self) -> tuple[str, ...]:
        """Texts that no output may hold, even if a device prints them."""
        return tuple(secret for secret in (self.password, self.enable) if secret)


class Keychain(Struct):
    """Finds the credentials of each device; asks for each secret once at most.

    `ask` prompts for a secret without echo, None where nobody is there to answer.
    """

    username: str | None
    key_file: Path | None = None
    use_agent: bool = False
    ask: Callable[[str], str] | None = None
    _passwords: dict[str, str] = field(default_factory=dict)
    _key: "PKey | None" = None

    def __repr__(self) -> str:
        return f"Keychain(username={self.username!r})"

    def of(self, target: Target) -> Credentials:
        """Credentials for a device.

        Raises
        ------
        CredentialsError
            If there is no user name or no secret.
        """
        username = self.username_of(target)
        enable = os.environ.get(ENABLE) or None
        if enable is not None and not enable.isprintable():
            raise CredentialsError(f"{ENABLE}: holds characters that would be a line of their own")
        if self.key_file is not None:
            self._key = self._key or _private_key(self.key_file)
            return Credentials(username, enable=enable, key=self._key)
        if self.use_agent:
            return Credentials(username, enable=enable, use_agent=True)
        return Credentials(username, self._password(username), enable)

    def username_of(self, target: Target) -> str:
        """The flag, then the environment, then the inventory.

        Raises
        ------
        CredentialsError
            If none of them says.
        """
        username = self.username or os.environ.get(USERNAME) or target.username
        if not username:
            raise CredentialsError(
                f"{target.name}: no user name; give --username, {USERNAME} or one in the inventory"
            )
        return username

    def _password(self, username: str) -> str:
        if username not in self._passwords:
            password = os.environ.get(PASSWORD) or _from_keyring(username)
            if not password and self.ask is not None:
                password = self.ask(f"Password of {username}: ")
            if not password:
                raise CredentialsError(
                    f"no password of {username}: set {PASSWORD}, store one with"
                    f" `keyring set {KEYRING_SERVICE} {username}`, or use --key or --agent"
                )
            self._passwords[username] = password
        return self._passwords[username]


def _from_keyring(username: str) -> str | None:
    """The password that the system's keyring keeps; None where there is none, or no keyring."""
    import keyring  # noqa: PLC0415 -- where the environment does not say
    from keyring.errors import KeyringError  # noqa: PLC0415

    try:
        return keyring.get_password(KEYRING_SERVICE, username)
    except KeyringError:
        return None


def _private_key(file: Path) -> "PKey":
    from paramiko import PKey, SSHException  # noqa: PLC0415
    from paramiko.pkey import UnknownKeyType  # noqa: PLC0415

    passphrase = os.environ.get(KEY_PASSPHRASE)
    try:
        return PKey.from_path(file, passphrase.encode() if passphrase else None)
    except OSError as error:
        raise CredentialsError(f"--key {file}: {error.strerror}") from None
    except (SSHException, UnknownKeyType, ValueError, TypeError):
        raise CredentialsError(
            f"--key {file}: cannot be read; of a locked key set {KEY_PASSPHRASE}, or use --agent"
        ) from None
