"""Devices to be asked: their addresses, the keys they are known by, and who logs in."""

import os
import re
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from advisor.collect.transport import SshProfile
from advisor.ground.faults import AdvisorError
from advisor.ground.units import whole

if TYPE_CHECKING:
    from paramiko import PKey, SSHClient, Transport


# Devices to be asked: an address each, and what the inventory says of it.

SSH_PORT: Final = 22
LARGEST_PORT: Final = 65535
_IN_BRACKETS: Final = re.compile(r"\[([0-9A-Fa-f:.%\w]+)\](?::([0-9]{1,5}))?")
_WITH_PORT: Final = re.compile(r"([^:\s\[\]@]+)(?::([0-9]{1,5}))?")
_HOST_ALONE: Final = re.compile(r"([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\S{0,253})?")
_NOT_IN_A_FOLDER: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_FOLDER: Final = 80
_DIGEST_DIGITS: Final = 8


class InventoryError(AdvisorError):
    """An inventory, a host or a filter that cannot be used; the text says which and why."""


class Target(Struct, frozen=True):
    """One device: its name in the inventory, and where and as whom to log in.

    `labels` are the groups and the plain data of the inventory, for filters. `has_password` says
    that the inventory holds one, which is not used.
    """

    name: str
    address: str
    port: int = SSH_PORT
    username: str | None = None
    profile: SshProfile = SshProfile.MODERN
    labels: tuple[tuple[str, str], ...] = ()
    has_password: bool = False

    def __repr__(self) -> str:  # labels are whatever an inventory holds
        return f"Target({self.name!r}, {self.endpoint!r})"

    @property
    def known_as(self) -> str:
        """The name of the device in a file of known hosts."""
        return self.address if self.port == SSH_PORT else f"[{self.address}]:{self.port}"

    @property
    def endpoint(self) -> str:
        """Address and port, for a report."""
        host = f"[{self.address}]" if ":" in self.address else self.address
        return host if self.port == SSH_PORT else f"{host}:{self.port}"

    @property
    def folder(self) -> str:
        """A name for the bundle's folder that any file system takes, for any name of a device.

        >>> Target("127.0.0.1:2222", "127.0.0.1", 2222).folder
        '127.0.0.1_2222'
        """
        stem = _NOT_IN_A_FOLDER.sub("_", self.name).strip("._")[:_LONGEST_FOLDER]
        is_endpoint = self.name == self.endpoint == f"{self.address}:{self.port}"
        if stem and (stem == self.name or is_endpoint):
            return stem
        return f"{stem or 'device'}-{sha256(self.name.encode()).hexdigest()[:_DIGEST_DIGITS]}"


def target_of(text: str, profile: SshProfile = SshProfile.MODERN) -> Target:
    """Read HOST, HOST:PORT, or an IPv6 address in brackets with or without a port.

    Raises
    ------
    InventoryError
        If it is none of them.

    Examples
    --------
    >>> target_of("[2001:db8::1]:2222").port
    2222
    """
    parts = _IN_BRACKETS.fullmatch(text) or _WITH_PORT.fullmatch(text)
    bare_ipv6 = text.count(":") > 1 and re.fullmatch(r"[0-9A-Fa-f:.]+", text)
    if parts is None and not bare_ipv6:
        raise InventoryError(f"{_shown(text)}: write HOST, HOST:PORT or [IPV6]:PORT")
    address, port = (parts[1], parts[2]) if parts is not None else (text, None)
    if not address.isprintable():
        raise InventoryError(f"{_shown(text)}: a host has no control characters")
    number = SSH_PORT if port is None else whole(port)
    if not 0 < number <= LARGEST_PORT:
        raise InventoryError(f"{_shown(text)}: port {number} is not in 1 to {LARGEST_PORT}")
    return Target(text, address, number, profile=profile)


def _shown(text: str) -> str:
    """The host of a text that is none, where one can be told: a password may stand beside it.

    >>> _shown("bob:Zq9xPw@192.0.2.1"), _shown("192.0.2.1 bob Zq9xPw")
    ("'192.0.2.1'", 'a host')
    """
    host = _HOST_ALONE.fullmatch(text.rpartition("@")[2])
    return "a host" if host is None else repr(host[1])


def filtered(targets: Iterable[Target], conditions: Iterable[str]) -> tuple[Target, ...]:
    """Take the devices that meet all conditions, each KEY=VALUE.

    A key is `name`, `group`, or one of the plain data of the inventory. Of a key that is given
    twice, one of the values must be met.

    Raises
    ------
    InventoryError
        If a condition has no `=`, or no device is left.
    """
    values_by_key: dict[str, set[str]] = {}
    for condition in conditions:
        key, sign, value = condition.partition("=")
        if not sign or not key.strip():
            raise InventoryError(f"--filter {condition}: takes KEY=VALUE, like role=wan")
        values_by_key.setdefault(key.strip(), set()).add(value.strip())
    all_targets = tuple(targets)
    matches = tuple(
        target
        for target in all_targets
        if all(_meets(target, key, values) for key, values in values_by_key.items())
    )
    if all_targets and not matches:
        known_keys = sorted({key for target in all_targets for key, _ in target.labels} | {"name"})
        raise InventoryError(
            f"--filter: no device of {len(all_targets)} matches; the inventory has the keys "
            f"{', '.join(known_keys)}"
        )
    return matches


def _meets(target: Target, key: str, values: set[str]) -> bool:
    if key == "name":
        return target.name in values
    return any(label == key and value in values for label, value in target.labels)


def refuse_doubles(targets: Iterable[Target]) -> tuple[Target, ...]:
    """Each device once; two names of one bundle folder are refused.

    Raises
    ------
    InventoryError
        If two devices would be written to one folder.
    """
    by_folder: dict[str, Target] = {}
    for target in targets:
        first = by_folder.setdefault(target.folder.lower(), target)
        if (first.name, first.endpoint) != (target.name, target.endpoint):
            raise InventoryError(
                f"{first.name} and {target.name}: these names give the same bundle folder; "
                "rename one"
            )
    return tuple(by_folder.values())


# The keys that devices are known by: strict, and recorded before any password is sent.


class KnownHostsError(AdvisorError):
    """The file of known hosts cannot be read or written; the text says why."""


class HostKeyError(Exception):
    """The key of a device is not the one it is known by. No password was sent."""


class UnknownHostKeyError(HostKeyError):
    """The device is in no file of known hosts."""


class ChangedHostKeyError(HostKeyError):
    """The device is known by another key."""


class KnownHosts:
    """A file of known hosts as OpenSSH writes it. Safe to use from many threads."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = Lock()
        # Loaded where something is asked over SSH.
        from paramiko import HostKeys  # noqa: PLC0415
        from paramiko.hostkeys import InvalidHostKey  # noqa: PLC0415

        self._keys: HostKeys = HostKeys()
        try:
            self._keys.load(str(self.file))
        except FileNotFoundError:
            pass  # nothing is known yet
        except OSError as error:
            raise KnownHostsError(f"{self.file}: {error.strerror}") from None
        except InvalidHostKey as error:
            host = error.line.split(" ", 1)[0]
            raise KnownHostsError(f"{self.file}: the key of {host} cannot be read") from None
        except UnicodeDecodeError:
            raise KnownHostsError(f"{self.file}: not text in UTF-8") from None

    def keys_of(self, name: str) -> dict[str, "PKey"]:
        """Keys by their type; empty where the host is not known."""
        with self._lock:
            keys = self._keys.lookup(name)
            return dict(keys.items()) if keys is not None else {}

    def verify(self, name: str, key: "PKey") -> None:
        """Compare the key that a host shows with the one it is known by.

        Raises
        ------
        HostKeyError
            If they differ, or the host is not known.
        """
        keys = self.keys_of(name)
        if not keys:
            raise UnknownHostKeyError(f"not in {self.file}; the device shows {shown(key)}")
        if keys.get(key.get_name()) != key:
            known_key = keys.get(key.get_name()) or next(iter(keys.values()))
            raise ChangedHostKeyError(f"known by {shown(known_key)}, now shows {shown(key)}")

    def record(self, name: str, key: "PKey") -> None:
        """Add a host that is not known yet, for good: appended to the file, 0600 if it is new.

        Raises
        ------
        KnownHostsError
            If the file cannot be written.
        """
        line = f"{name} {key.get_name()} {key.get_base64()}\n"
        with self._lock:
            try:
                self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
                handle = os.open(self.file, flags, 0o600)
                with os.fdopen(handle, "r+b") as file:
                    size = file.seek(0, os.SEEK_END)
                    if size and (file.seek(size - 1), file.read(1))[1] != b"\n":
                        line = f"\n{line}"
                    file.write(line.encode())  # in one write: two runs may append at once
            except OSError as error:
                raise KnownHostsError(f"{self.file}: {error.strerror}") from None
            self._keys.add(name, key.get_name(), key)


def shown(key: "PKey") -> str:
    """Type and SHA-256 fingerprint of a key, as OpenSSH prints them."""
    return f"{key.get_name()} {key.fingerprint}"


class Strict:
    """Answers paramiko about a host that it does not know itself, which is every one."""

    def __init__(self, known_hosts: KnownHosts, target: Target) -> None:
        self._known, self._target = known_hosts, target

    def missing_host_key(self, client: "SSHClient", hostname: str, key: "PKey") -> None:
        """Accept the key that the device is known by.

        Raises
        ------
        HostKeyError
            For any other.
        """
        del client, hostname
        self._known.verify(self._target.known_as, key)


def prefer_known_types(transport: "Transport", keys: dict[str, "PKey"]) -> None:
    """Ask the host for a key of a type that it is known by; else it might show another one."""
    options: Any = transport.get_security_options()
    algorithms = tuple(options.key_types)
    preferred = tuple(algorithm for algorithm in algorithms if _type_of(algorithm) in keys)
    options.key_types = (
        *preferred,
        *(algorithm for algorithm in algorithms if algorithm not in preferred),
    )


def _type_of(algorithm: str) -> str:
    """The type of key that an algorithm signs with: RSA keys sign in three ways."""
    return "ssh-rsa" if algorithm.startswith("rsa-sha2-") else algorithm


# The user and the secret of a login. Secrets come from the environment, a keyring or a prompt.

KEYRING_SERVICE: Final = "advisor"
USERNAME, PASSWORD, ENABLE = "ADVISOR_USERNAME", "ADVISOR_PASSWORD", "ADVISOR_ENABLE"
KEY_PASSPHRASE: Final = "ADVISOR_KEY_PASSPHRASE"  # noqa: S105 -- the name of a variable


class CredentialsError(AdvisorError):
    """There is no user name, no secret, or a key that cannot be used; the text says which."""


class Credentials(Struct, frozen=True):
    """Means of one login: a key, the agent, or a password. Secrets are never shown."""

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
            raise CredentialsError(f"{ENABLE}: holds a control character")
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
            f"--key {file}: cannot be read; for a locked key set {KEY_PASSPHRASE}, or use --agent"
        ) from None
