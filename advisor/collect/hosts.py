"""Devices to be asked: an address each, and what the inventory says of it."""

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from msgspec import Struct

from advisor.collect.crypto import SshProfile
from advisor.faults import AdvisorError
from advisor.units import whole

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
        raise InventoryError(f"{_shown(text)}: neither HOST nor HOST:PORT nor [IPV6]:PORT")
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
            f"--filter: no device of {len(all_targets)} is left; keys here: {', '.join(known_keys)}"
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
            raise InventoryError(f"{first.name} and {target.name}: names that differ in too little")
    return tuple(by_folder.values())
