"""Which SSH algorithms are accepted. Weak algorithms that paramiko 4 still offers are off."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from advisor.collect.transport import OneService


class SshProfile(StrEnum):
    """How old the crypto of a device may be."""

    MODERN = "modern"
    LEGACY = "legacy"


# Source: RFC 9142 (key exchange: SHA-1 and group 1 must not or should not), RFC 8332 (ssh-rsa
# signs with SHA-1), and the CBC plaintext recovery of VU#958563.
DISABLED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "kex": (
            "diffie-hellman-group1-sha1",
            "diffie-hellman-group14-sha1",
            "diffie-hellman-group-exchange-sha1",
        ),
        "ciphers": ("3des-cbc", "aes128-cbc", "aes192-cbc", "aes256-cbc"),
        "macs": ("hmac-sha1", "hmac-sha1-96", "hmac-md5", "hmac-md5-96"),
        "keys": ("ssh-rsa", "ssh-dss"),
        "pubkeys": ("ssh-rsa", "ssh-dss"),
    }
)


def disabled_algorithms(profile: SshProfile) -> dict[str, list[str]]:
    """Algorithms to switch off, in the form that paramiko takes."""
    if profile is SshProfile.LEGACY:
        return {}
    return {kind: list(names) for kind, names in DISABLED.items()}


def negotiated_old(transport: "OneService") -> tuple[str, ...]:
    """What was agreed on with a device and is off in the modern profile.

    Key exchange, signature of the host key, and ciphers and MACs of both ways.
    """
    old = {name for names in DISABLED.values() for name in names}
    algorithms = (
        transport.remote_cipher,
        transport.local_cipher,
        transport.remote_mac,
        transport.local_mac,
        transport.host_key_type,
        transport.agreed_kex,
    )
    return tuple(dict.fromkeys(name for name in algorithms if name in old))
