"""The keys that devices are known by: strict, and recorded before any password is sent."""

import os
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from advisor.collect.hosts import Target
from advisor.faults import AdvisorError

if TYPE_CHECKING:
    from paramiko import PKey, SSHClient, Transport


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
            raise UnknownHostKeyError(f"not in {self.file}; it shows {shown(key)}")
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
    """What paramiko asks about a host that it does not know itself, which is every one."""

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
