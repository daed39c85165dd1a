"""Sets of packets as boxes: a union of conjunctions of conditions on their headers.

A box knows what it certainly holds. `a in b` is said only where every packet of `a` is in `b`.
"""

from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import Final

from advisor.facts.ports import MAX_PORT

ALL_DSCPS: Final = frozenset(range(64))
IPV4, IPV6, NOT_IP = "ipv4", "ipv6", "not IP"
ALL_FAMILIES: Final = frozenset((IPV4, IPV6, NOT_IP))
_ALL_BITS: Final = 0xFFFFFFFF
_WILDCARD_WORDS: Final = 2
# Kinds of conditions that hold where any of their values does.
_OF_VALUES: Final = frozenset(("cos", "qos-group", "mpls-experimental"))

PortRange = tuple[int, int]
ANY_PORT: Final[tuple[PortRange, ...]] = ((0, MAX_PORT),)


@dataclass(frozen=True, slots=True)
class Addresses:
    """IPv4 addresses that equal `base` in all bits that are 0 in `wildcard`."""

    base: int = 0
    wildcard: int = _ALL_BITS

    def within(self, other: "Addresses") -> bool:
        """Whether the other holds all of these."""
        free = self.wildcard | other.wildcard == other.wildcard
        return free and (self.base ^ other.base) & ~other.wildcard == 0

    def both(self, other: "Addresses") -> "Addresses | None":
        """The addresses in both; None where there are none."""
        fixed = ~self.wildcard & ~other.wildcard & _ALL_BITS
        if (self.base ^ other.base) & fixed:
            return None
        base = (self.base & ~self.wildcard) | (other.base & ~other.wildcard)
        return Addresses(base & _ALL_BITS, self.wildcard & other.wildcard)


def addresses_of(spec: str) -> Addresses | None:
    """Addresses of `any`, `host A` or `A wildcard`; None for other words.

    >>> addresses_of("host 10.0.0.1").within(addresses_of("10.0.0.0 0.0.0.255"))
    True
    """
    words = spec.split()
    if words == ["any"]:
        return Addresses()
    if words[:1] == ["host"]:
        words = [*words[1:], "0.0.0.0"]  # noqa: S104 - a wildcard mask, no address to bind
    if len(words) != _WILDCARD_WORDS:
        return None
    try:
        base, wildcard = (int(IPv4Address(word)) for word in words)
    except ValueError:
        return None
    return Addresses(base & ~wildcard, wildcard)


@dataclass(frozen=True, slots=True)
class Condition:
    """What has no field of a box: `protocol http`, `input-interface …`, an access list by name."""

    kind: str
    values: tuple[str, ...]

    def implies(self, other: "Condition") -> bool:
        """Whether what meets this one always meets the other."""
        if self.kind != other.kind:
            return False
        if self.kind in _OF_VALUES:
            return set(self.values) <= set(other.values)
        if self.kind == "protocol":  # `protocol http url *.exe` is some of `protocol http`
            return self.values[: len(other.values)] == other.values
        return self.values == other.values


@dataclass(frozen=True, slots=True)
class Box:
    """Packets that meet all of these; a protocol of None is any, ports are inclusive ranges."""

    families: frozenset[str] = ALL_FAMILIES
    dscps: frozenset[int] = ALL_DSCPS
    protocol: str | None = None
    source: Addresses = Addresses()
    destination: Addresses = Addresses()
    source_ports: tuple[PortRange, ...] = ANY_PORT
    destination_ports: tuple[PortRange, ...] = ANY_PORT
    conditions: frozenset[Condition] = frozenset()

    def within_but_for_dscp(self, other: "Box") -> bool:
        """Whether the other holds all packets of this one, of the DSCPs that it holds at all."""
        return (
            self.families <= other.families
            and other.protocol in (None, self.protocol)
            and self.source.within(other.source)
            and self.destination.within(other.destination)
            and _ports_within(self.source_ports, other.source_ports)
            and _ports_within(self.destination_ports, other.destination_ports)
            and all(
                any(mine.implies(each) for mine in self.conditions) for each in other.conditions
            )
        )

    def within(self, other: "Box") -> bool:
        """Whether the other holds all packets of this one."""
        return self.dscps <= other.dscps and self.within_but_for_dscp(other)

    def both(self, other: "Box") -> "Box | None":
        """Packets in both; None where there are certainly none."""
        families, dscps = self.families & other.families, self.dscps & other.dscps
        source = self.source.both(other.source)
        destination = self.destination.both(other.destination)
        if None not in (self.protocol, other.protocol) and self.protocol != other.protocol:
            return None
        ports = [
            _both_ports(self.source_ports, other.source_ports),
            _both_ports(self.destination_ports, other.destination_ports),
        ]
        if not families or not dscps or source is None or destination is None or not all(ports):
            return None
        return Box(
            families,
            dscps,
            self.protocol or other.protocol,
            source,
            destination,
            ports[0],
            ports[1],
            self.conditions | other.conditions,
        )


def _merged(ranges: tuple[PortRange, ...]) -> list[PortRange]:
    merged: list[PortRange] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def _ports_within(some: tuple[PortRange, ...], other: tuple[PortRange, ...]) -> bool:
    wide = _merged(other)
    return all(any(low <= a and b <= high for low, high in wide) for a, b in some)


def _both_ports(one: tuple[PortRange, ...], other: tuple[PortRange, ...]) -> tuple[PortRange, ...]:
    pairs = ((max(a, c), min(b, d)) for a, b in one for c, d in other)
    return tuple((low, high) for low, high in pairs if low <= high)


def covered(box: Box, by: tuple[tuple[str, Box], ...]) -> tuple[str, ...]:
    """Names of the boxes that together hold all packets of a box; empty where they may not.

    Several boxes join by DSCP alone: each holds all packets of some of its DSCPs.

    >>> low, high = Box(dscps=frozenset({10})), Box(dscps=frozenset({12, 14}))
    >>> covered(Box(dscps=frozenset({10, 12})), (("A", low), ("B", high)))
    ('A', 'B')
    """
    left, names = box.dscps, []
    for name, other in by:
        if left & other.dscps and box.within_but_for_dscp(other):
            left -= other.dscps
            names.append(name)
        if not left:
            return tuple(dict.fromkeys(names))
    return ()
