"""Access lists, with the fields that the match of a class-map needs."""

from msgspec import Struct

from advisor.ios.syntax.tree import Location


class Ports(Struct, frozen=True):
    """An inclusive port range of TCP or UDP."""

    low: int
    high: int


class AccessEntry(Struct, frozen=True):
    """One permit or deny.

    `dscp` and `precedence` hold numbers; `source_ports`/`destination_ports` are empty if any
    port matches. `understood` is false if the entry has words that are not read: then nothing may
    be derived from it. `narrowed_by` are conditions without a field: with any of them the entry
    matches less than its fields say.
    """

    permit: bool
    protocol: str  # "ip", "tcp", "udp", "icmp", …
    source: str  # "any", "host 10.0.0.1", "10.0.0.0 0.0.0.255"
    destination: str
    source_ports: tuple[Ports, ...]
    destination_ports: tuple[Ports, ...]
    dscp: int | None
    precedence: int | None
    understood: bool
    at: Location
    text: str
    narrowed_by: tuple[str, ...] = ()  # "established", "tos 8", "icmp echo", "fragments"


class AccessList(Struct, frozen=True):
    """A numbered or named IP access list; `at` is its first line."""

    name: str
    entries: tuple[AccessEntry, ...]
    at: Location
