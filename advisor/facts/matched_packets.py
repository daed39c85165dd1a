"""Packets that access lists and class-maps take, as boxes: an upper set, and a certain one."""

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts import AccessEntry, AccessList, Ports
from advisor.facts.config import Facts
from advisor.facts.packet_set import (
    ALL_DSCPS,
    ALL_FAMILIES,
    ANY_PORT,
    IPV4,
    IPV6,
    Box,
    Condition,
    PortRange,
    addresses_of,
    disjoint,
)
from advisor.facts.policy import ClassMap, Match
from advisor.facts.selectable import dscps_of
from advisor.ground.questions import derived
from advisor.ground.units import whole

# Which boxes of a growing set overlap a box, without comparing it with all of them.

_Shape = tuple[int, int]  # wildcards of source and destination
_Bases = tuple[int, int]


class _BoxGroup(Struct):
    """Boxes of one shape, and tables of them by the bits that boxes of another shape fix too."""

    boxes: list[Box]
    tables: dict[_Shape, dict[_Bases, list[Box]]]


class Overlaps:
    """Boxes in the order in which they were added; finds those that share packets with a box.

    Addresses that overlap agree in the bits that both fix. So one table for each pair of shapes
    finds them: the cost grows with the number of different wildcards, not with that of boxes.
    """

    def __init__(self) -> None:
        self._groups: dict[_Shape, _BoxGroup] = {}

    def add(self, box: Box) -> None:
        """Add one more box."""
        shape = (box.source.wildcard, box.destination.wildcard)
        group = self._groups.setdefault(shape, _BoxGroup([], {}))
        group.boxes.append(box)
        for other, table in group.tables.items():
            table.setdefault(_bases(box, shape, other), []).append(box)

    def of(self, box: Box) -> list[Box]:
        """The boxes that may share packets with this one: none of them is surely disjoint."""
        shape = (box.source.wildcard, box.destination.wildcard)
        found = []
        for own, group in self._groups.items():
            table = group.tables.get(shape)
            if table is None:
                table = group.tables[shape] = {}
                for member in group.boxes:
                    table.setdefault(_bases(member, own, shape), []).append(member)
            candidates = table.get(_bases(box, own, shape), ())
            found += [candidate for candidate in candidates if not disjoint(box, candidate)]
        return found


def _bases(box: Box, shape: _Shape, other: _Shape) -> _Bases:
    """Addresses of a box in the bits that boxes of both shapes fix."""
    return (
        box.source.base & ~(shape[0] | other[0]),
        box.destination.base & ~(shape[1] | other[1]),
    )


# Packets that an access list permits, as boxes: an upper set, and a set that is certain.

_DSCPS_PER_PRECEDENCE: Final = 8
_MOST_BOXES: Final = 20_000  # a longer list stands for itself only
_MOST_EXCEPTIONS: Final = 64  # denies before one permit: beyond them it is not certain
_V4: Final = frozenset((IPV4,))


class Permitted(Struct, frozen=True):
    """Boxes that hold all packets of a list, and boxes whose packets are all permitted."""

    most: tuple[Box, ...]
    sure: tuple[Box, ...]


def packets_of_list(access_list: AccessList | None, name: str) -> Permitted:
    """Packets that a list permits; a condition with the name of the list stands for all of them.

    The first entry that takes a packet decides. A permit is a box without the packets that earlier
    denies take: they are its exceptions.
    """
    whole = frozenset((Condition("access-group", (name,)),))
    itself = Box(conditions=whole)
    entries = access_list.entries if access_list is not None else ()
    if not entries or len(entries) > _MOST_BOXES:
        return Permitted((itself,), (itself,))
    boxes = [(entry.permit, _of_entry(entry)) for entry in entries]
    permits = tuple(_permits(boxes))
    sure = (itself, *(permit.box for permit in permits if permit.is_sure))
    if None in [box for _, box in boxes]:
        return Permitted((itself,), sure)
    most = (replace(permit.box, conditions=permit.box.conditions | whole) for permit in permits)
    return Permitted(tuple(most), sure)


class _Permit(Struct, frozen=True):
    """Packets of a permit that earlier denies leave.

    `is_sure`: exactly those; else more denies may take packets of it than its exceptions say.
    """

    box: Box
    is_sure: bool


def _permits(boxes: Iterable[tuple[bool, Box | None]]) -> Iterator[_Permit]:
    denied, is_open = Overlaps(), False
    for is_permit, box in boxes:
        if box is None:
            is_open = is_open or not is_permit  # a deny that is not read may take anything
        elif not is_permit:
            denied.add(box)
        else:
            exceptions = denied.of(box)
            if any(box.within(exception) for exception in exceptions):
                continue
            known = len(exceptions) <= _MOST_EXCEPTIONS
            kept = replace(box, exceptions=tuple(exceptions)) if known and exceptions else box
            yield _Permit(kept, known and not is_open)


def _of_entry(entry: AccessEntry) -> Box | None:
    """Packets that an entry takes; None if it is not read in full."""
    source, destination = addresses_of(entry.source), addresses_of(entry.destination)
    if not entry.understood or source is None or destination is None:
        return None
    dscps = ALL_DSCPS
    if entry.dscp is not None:
        dscps &= {entry.dscp}
    if entry.precedence is not None:
        low = entry.precedence * _DSCPS_PER_PRECEDENCE
        dscps &= frozenset(range(low, low + _DSCPS_PER_PRECEDENCE))
    return Box(
        families=_V4,
        dscps=dscps,
        protocol=None if entry.protocol == "ip" else entry.protocol,
        source=source,
        destination=destination,
        source_ports=_ranges(entry.source_ports),
        destination_ports=_ranges(entry.destination_ports),
        conditions=frozenset(Condition("entry", (words,)) for words in entry.narrowed_by),
    )


def _ranges(ports: tuple[Ports, ...]) -> tuple[PortRange, ...]:
    return tuple((port_range.low, port_range.high) for port_range in ports) or ANY_PORT


# Packets that a class-map matches, as boxes: an upper set, and a set that is certain.

_DEEPEST_NESTING: Final = 20
_IP: Final = frozenset((IPV4, IPV6))
_RTP: Final = frozenset((Condition("even ports", ()),))


class Matched(Struct, frozen=True):
    """Packets of a match. `most` None: not known; `sure` is empty if nothing is certain.

    `broken`: it names a missing definition, and the packets that IOS then matches are not known.
    """

    most: tuple[Box, ...] | None
    sure: tuple[Box, ...]
    broken: bool = False


_UNKNOWN: Final = Matched(None, ())
_BROKEN: Final = Matched(None, (), broken=True)


class PacketsOfClasses:
    """Packets of the class-maps of a config; each is resolved once."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._lists = facts.access_list_names
        self._known: dict[str, Matched] = {}
        self._of_lists: dict[str, Matched] = {}

    def of(self, name: str, depth: int = 0) -> Matched:
        """Packets of a class-map by its name."""
        matched = self._known.get(name)
        if matched is None:
            self._known[name] = _UNKNOWN  # for a class-map that names itself through nesting
            class_map = self._facts.class_map(name)
            matched = _BROKEN
            if class_map is not None and class_map.matches and depth < _DEEPEST_NESTING:
                matched = self._of_class_map(class_map, depth)
            self._known[name] = matched
        return matched

    def contradiction(self, class_map: ClassMap) -> tuple[Match, ...]:
        """The first matches of a match-all that no packet meets together; empty if some may.

        Two where two contradict each other, else as many as are needed from the first on. A match
        that no packet meets by itself, such as of a list without a permit, is one.
        """
        if not class_map.match_all or self.of(class_map.name).most != ():
            return ()
        parts = [self._of_match(match, 0) for match in class_map.matches]
        matches = class_map.matches
        for size in (1, 2):
            for places in combinations(range(len(parts)), size):
                if _all([parts[place] for place in places]).most == ():
                    return tuple(matches[place] for place in places)
        sizes = range(1, len(parts) + 1)
        size = next((size for size in sizes if _all(parts[:size]).most == ()), len(parts))
        return matches[:size]

    def _of_class_map(self, class_map: ClassMap, depth: int) -> Matched:
        parts = [self._of_match(match, depth) for match in class_map.matches]
        if any(part.broken for part in parts):
            return _BROKEN
        if class_map.name in self._facts.unread_class_maps:
            parts.append(_UNKNOWN)
        return _all(parts) if class_map.match_all else _any(parts)

    def _of_match(self, match: Match, depth: int) -> Matched:
        first = match.values[0] if match.values else ""
        nested = Matched((), ())
        if match.kind == "class-map":
            nested = self.of(first, depth + 1)
        elif match.kind == "access-group" and first not in self._lists:
            nested = _BROKEN
        if nested.broken:
            return _BROKEN
        if match.kind == "access-group":
            if first not in self._of_lists:
                permitted = packets_of_list(self._facts.access_list(first), first)
                self._of_lists[first] = Matched(permitted.most, permitted.sure)
            nested = self._of_lists[first]
        elif match.kind != "class-map":
            nested = Matched((_box(match),), (_box(match),))
        return _negated(match, nested) if match.negated else nested


@derived
def packets_of_classes(facts: Facts) -> PacketsOfClasses:
    """The packets of a config's class-maps, kept as long as its facts."""
    return PacketsOfClasses(facts)


def _any(parts: list[Matched]) -> Matched:
    most = None
    if all(part.most is not None for part in parts):
        most = tuple(box for part in parts for box in part.most or ())
        most = most if len(most) <= _MOST_BOXES else None
    sure = tuple(box for part in parts for box in part.sure)
    return Matched(most, sure[:_MOST_BOXES])


def _all(parts: list[Matched]) -> Matched:
    known_boxes = [part.most for part in parts if part.most is not None]
    most = _joined(known_boxes) if known_boxes else None
    return Matched(most, _joined([part.sure for part in parts]) or ())


def _joined(groups: list[tuple[Box, ...]]) -> tuple[Box, ...] | None:
    """Packets that are in a box of every group; None if there are too many combinations."""
    joined = groups[0]
    for boxes in groups[1:]:
        if len(joined) * len(boxes) > _MOST_BOXES:
            return None
        pairs = (box.both(other) for box, other in product(joined, boxes))
        kept = (box for box in pairs if box is not None and not box.is_excepted)
        joined = tuple(dict.fromkeys(kept))
    return joined


def _negated(match: Match, matched: Matched) -> Matched:
    """Packets that a `not` leaves; packets without a DSCP are in no box that is certain."""
    condition = frozenset((Condition("not", (match.kind, *match.values)),))
    itself = Box(conditions=condition)
    if match.kind in ("access-group", "class-map") and matched.most is not None:
        return Matched((itself,), (itself, Box(families=_V4, exceptions=matched.most)))
    if match.kind not in ("dscp", "precedence"):
        return Matched((itself,), (itself,))
    asked, dscps = _V4 if _is_v4(match) else _IP, ALL_DSCPS - _dscps(match)
    others = Box(families=ALL_FAMILIES - asked, conditions=condition)
    boxes = (others, Box(families=asked, dscps=dscps, conditions=condition))
    return Matched(boxes if dscps else (others,), (itself, Box(families=_V4, dscps=dscps)))


def _box(match: Match) -> Box:
    if match.kind == "any":
        return Box()
    if match.kind in ("dscp", "precedence"):
        return Box(families=_V4 if _is_v4(match) else _IP, dscps=_dscps(match))
    first = match.values[0].lower() if match.values else ""
    if match.kind == "protocol" and match.values == ("ip",):
        return Box(families=_V4)
    # `match cos inner 1` is of another tag than `match cos 1`, with the same values
    kind = f"{match.kind} inner" if "inner" in match.text.split() else match.kind
    condition = frozenset((Condition(kind, match.values),))
    if match.kind == "rtp":  # even UDP ports, starting at the first
        low, more = (whole(value) for value in match.values)
        ports = ((low, low + more),)
        return Box(_V4, protocol="udp", destination_ports=ports, conditions=_RTP)
    if match.kind == "protocol":
        condition = frozenset((Condition("protocol", (first, *match.values[1:])),))
    return Box(conditions=condition)


def _is_v4(match: Match) -> bool:
    """`match ip dscp` takes only IPv4, `match dscp` IPv6 too."""
    words = match.text.lower().split()
    return "ip" in words[1:3]  # after `match` or `match not`


def _dscps(match: Match) -> frozenset[int]:
    codes = frozenset(whole(value) for value in match.values)
    return codes if match.kind == "dscp" else dscps_of(codes)
