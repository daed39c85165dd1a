"""Sets of packets as boxes: a union of conjunctions of conditions on their headers.

An answer is certain: `a` is within `b` only if every packet of `a` is in `b`.
"""

from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Address
from itertools import product
from typing import Any, Final

from msgspec import Struct

from advisor.facts.ranges import MAX_PORT

ALL_DSCPS: Final = frozenset(range(64))
IPV4, IPV6, NOT_IP = "ipv4", "ipv6", "not IP"
ALL_FAMILIES: Final = frozenset((IPV4, IPV6, NOT_IP))
_ALL_BITS: Final = 0xFFFFFFFF
_WILDCARD_WORDS: Final = 2
# Kinds of conditions that hold if any of their values does; a packet has one value of each.
_OF_VALUES: Final = frozenset(
    ("cos", "cos inner", "qos-group", "mpls-experimental", "input-interface")
)

PortRange = tuple[int, int]
_Shape = tuple[str | None, int, int]  # protocol, wildcards of source and destination
_Key = tuple[Any, ...]
ANY_PORT: Final[tuple[PortRange, ...]] = ((0, MAX_PORT),)


class Addresses(Struct, frozen=True):
    """IPv4 addresses that equal `base` in all bits that are 0 in `wildcard`."""

    base: int = 0
    wildcard: int = _ALL_BITS

    def within(self, other: "Addresses") -> bool:
        """Whether the other holds all of these."""
        free = self.wildcard | other.wildcard == other.wildcard
        return free and (self.base ^ other.base) & ~other.wildcard == 0

    def both(self, other: "Addresses") -> "Addresses | None":
        """The addresses in both; None if there are none."""
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
        words = [*words[1:], "0.0.0.0"]  # noqa: S104 - a wildcard mask, not an address to bind
    if len(words) != _WILDCARD_WORDS:
        return None
    try:
        base, wildcard = (int.from_bytes(IPv4Address(word).packed) for word in words)
    except AddressValueError:
        return None
    return Addresses(base & ~wildcard, wildcard)


class Condition(Struct, frozen=True):
    """A match without a field in a box: `protocol http`, `input-interface …`, a named list."""

    kind: str
    values: tuple[str, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """Key that this condition shares with all conditions that imply it."""
        if self.kind in _OF_VALUES:
            return (self.kind,)
        return (self.kind, *(self.values[:1] if self.kind == "protocol" else self.values))

    def implies(self, other: "Condition") -> bool:
        """Whether packets that meet this condition always meet the other."""
        if self.kind != other.kind:
            return False
        if self.kind in _OF_VALUES:
            return set(self.values) <= set(other.values)
        if self.kind == "protocol":  # `protocol http url *.exe` is some of `protocol http`
            return self.values[: len(other.values)] == other.values
        return self.values == other.values

    def excludes(self, other: "Condition") -> bool:
        """Whether no packet meets both: they name other values of the same field."""
        same = self.kind == other.kind and self.kind in _OF_VALUES
        return same and not set(self.values) & set(other.values)


class Box(Struct, frozen=True):
    """Packets that meet all of these; a protocol of None is any, ports are inclusive ranges.

    Packets of the boxes of `exceptions` may be missing from it.
    """

    families: frozenset[str] = ALL_FAMILIES
    dscps: frozenset[int] = ALL_DSCPS
    protocol: str | None = None
    source: Addresses = Addresses()
    destination: Addresses = Addresses()
    source_ports: tuple[PortRange, ...] = ANY_PORT
    destination_ports: tuple[PortRange, ...] = ANY_PORT
    conditions: frozenset[Condition] = frozenset()
    exceptions: "tuple[Box, ...]" = ()

    def within_except_dscp(self, other: "Box") -> bool:
        """Whether the other holds all packets of this one that have a DSCP of the other."""
        return (
            self.families <= other.families
            and other.protocol in (None, self.protocol)
            and self.source.within(other.source)
            and self.destination.within(other.destination)
            and _ports_within(self.source_ports, other.source_ports)
            and _ports_within(self.destination_ports, other.destination_ports)
            and all(
                any(condition.implies(required) for condition in self.conditions)
                for required in other.conditions
            )
            and all(disjoint(self, box) for box in other.exceptions)
        )

    def within(self, other: "Box") -> bool:
        """Whether the other holds all packets of this one."""
        return self.dscps <= other.dscps and self.within_except_dscp(other)

    @property
    def is_excepted(self) -> bool:
        """Whether one of its exceptions holds all of its packets."""
        return any(self.within(box) for box in self.exceptions)

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
        if any(a.excludes(b) for a in self.conditions for b in other.conditions):
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
            self.exceptions + other.exceptions,
        )


def disjoint(box: Box, other: Box) -> bool:
    """Whether no packet is in both, by a quick comparison of the fields."""
    return (
        not box.dscps & other.dscps
        or not box.families & other.families
        or (None not in (box.protocol, other.protocol) and box.protocol != other.protocol)
        or _apart(box.source, other.source)
        or _apart(box.destination, other.destination)
        or not _both_ports(box.source_ports, other.source_ports)
        or not _both_ports(box.destination_ports, other.destination_ports)
    )


def _apart(addresses: Addresses, other: Addresses) -> bool:
    return bool((addresses.base ^ other.base) & ~addresses.wildcard & ~other.wildcard)


def _merged(ranges: tuple[PortRange, ...]) -> list[PortRange]:
    merged: list[PortRange] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def _ports_within(ranges: tuple[PortRange, ...], other: tuple[PortRange, ...]) -> bool:
    wide = _merged(other)
    return all(any(low <= a and b <= high for low, high in wide) for a, b in ranges)


def _both_ports(
    ranges: tuple[PortRange, ...], other: tuple[PortRange, ...]
) -> tuple[PortRange, ...]:
    if ranges == ANY_PORT:
        return other
    if other == ANY_PORT:
        return ranges
    pairs = ((max(a, c), min(b, d)) for a, b in ranges for c, d in other)
    return tuple((low, high) for low, high in pairs if low <= high)


class Cover:
    """Boxes by name in the order in which they take packets; finds those that hold a given box.

    The search uses keys that a box within them must share: their addresses under their wildcards,
    a single port, a condition. So the cost of one more box does not depend on their number.
    """

    def __init__(self) -> None:
        self._by_key: dict[_Key, list[tuple[Box, int]]] = {}
        self._shapes: dict[_Shape, None] = {}
        self._names: list[str] = []

    def add(self, name: str, box: Box) -> None:
        """Take the packets of a box from all later boxes; one that is taken itself adds nothing."""
        if self.takers(box):
            return
        shape = (box.protocol, box.source.wildcard, box.destination.wildcard)
        self._shapes.setdefault(shape)
        conditions = sorted(condition.key for condition in box.conditions)
        key = (
            shape,
            box.source.base,
            box.destination.base,
            _single(box.source_ports),
            _single(box.destination_ports),
            conditions[0] if conditions else None,
        )
        self._by_key.setdefault(key, []).append((box, len(self._names)))
        self._names.append(name)

    def takers(self, box: Box) -> tuple[str, ...]:
        """Names of boxes that together hold all packets of a box; empty if some may be outside.

        Several boxes join only by DSCP: every one holds all packets of some of its DSCPs.

        >>> cover = Cover()
        >>> cover.add("A", Box(dscps=frozenset({10})))
        >>> cover.add("B", Box(dscps=frozenset({12, 14})))
        >>> cover.takers(Box(dscps=frozenset({10, 12})))
        ('A', 'B')
        """
        dscps_left, names = box.dscps, []
        for candidate, place in sorted(self._around(box), key=lambda pair: pair[1]):
            if dscps_left & candidate.dscps and box.within_except_dscp(candidate):
                dscps_left -= candidate.dscps
                names.append(self._names[place])
            if not dscps_left:
                return tuple(dict.fromkeys(names))
        return ()

    def _around(self, box: Box) -> Iterator[tuple[Box, int]]:
        """The boxes that may hold packets of a box, with their places."""
        source_ports = {_single(box.source_ports), None}
        destination_ports = {_single(box.destination_ports), None}
        conditions = {*(condition.key for condition in box.conditions), None}
        ports = tuple(product(source_ports, destination_ports, conditions))
        source, destination = box.source, box.destination
        for shape in self._shapes:
            protocol, of_source, of_destination = shape
            is_wider = source.wildcard | of_source == of_source
            if protocol not in (None, box.protocol) or not is_wider:
                continue
            bases = (source.base & ~of_source, destination.base & ~of_destination)
            for fields in ports:
                found = self._by_key.get((shape, *bases, *fields))
                if found is not None:
                    yield from found


def _single(ports: tuple[PortRange, ...]) -> int | None:
    """The port, if there is only one."""
    return ports[0][0] if len(ports) == 1 and ports[0][0] == ports[0][1] else None
