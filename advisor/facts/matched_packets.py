"""Packets that a class-map matches, as boxes: an upper set, and a set that is certain."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts.access_list import AccessEntry, AccessList, Ports
from advisor.facts.access_list_names import access_list_names
from advisor.facts.config import Facts
from advisor.facts.packet_set import (
    ALL_DSCPS,
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
from advisor.units import whole

_DSCPS_PER_PRECEDENCE: Final = 8
_DEEPEST_NESTING: Final = 20
_MOST_BOXES: Final = 512  # a class of more is not judged
_MOST_ENTRIES: Final = 128  # of a list that permits and denies in turns
_CLASS_MAP: Final = "class-map "
_V4: Final = frozenset((IPV4,))
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
        self._lists = access_list_names(facts)
        heads = (line.under for line in facts.unread if line.under.startswith(_CLASS_MAP))
        self._unread = frozenset(head.removeprefix(_CLASS_MAP) for head in heads)
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

    def _of_class_map(self, class_map: ClassMap, depth: int) -> Matched:
        parts = [self._of_match(match, depth) for match in class_map.matches]
        if any(part.broken for part in parts):
            return _BROKEN
        if class_map.name in self._unread:
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
                self._of_lists[first] = _of_list(self._facts.access_list(first), first)
            nested = self._of_lists[first]
        elif match.kind != "class-map":
            nested = Matched((_box(match),), (_box(match),))
        return _negated(match, nested) if match.negated else nested


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
    joined: tuple[Box, ...] = (Box(),)
    for boxes in groups:
        if len(joined) * len(boxes) > _MOST_BOXES:
            return None
        pairs = (box.both(other) for box, other in product(joined, boxes))
        joined = tuple(dict.fromkeys(box for box in pairs if box is not None))
    return joined


def _negated(match: Match, matched: Matched) -> Matched:
    """Packets that a `not` leaves; packets without a DSCP are in no box that is certain."""
    condition = frozenset((Condition("not", (match.kind, *match.values)),))
    itself = Box(conditions=condition)
    if match.kind in ("access-group", "class-map") and matched.most is not None:
        return Matched((itself,), (itself, Box(families=_V4, exceptions=matched.most)))
    if match.kind not in ("dscp", "precedence"):
        return Matched((itself,), (itself,))
    dscps = ALL_DSCPS - _dscps(match)
    boxes = () if _is_v4(match) else (Box(dscps=dscps, conditions=condition),)
    return Matched(boxes or (itself,), (itself, Box(families=_V4, dscps=dscps)))


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
    return codes if match.kind == "dscp" else _of_precedences(codes)


def _of_precedences(precedences: frozenset[int]) -> frozenset[int]:
    return frozenset(dscp for dscp in ALL_DSCPS if dscp // _DSCPS_PER_PRECEDENCE in precedences)


def _of_list(access_list: AccessList | None, name: str) -> Matched:
    """Packets that a list permits; a condition with the name of the list stands for all of them."""
    whole = Condition("access-group", (name,))
    itself = Box(conditions=frozenset((whole,)))
    entries = access_list.entries if access_list is not None else ()
    boxes = list(_entries(entries))
    if not boxes or len(boxes) > _MOST_BOXES or None in [box for _, box in boxes]:
        return Matched((itself,), (itself, *_sure(boxes)))
    most = (
        Box(box.families, box.dscps, box.protocol, box.source, box.destination,
            box.source_ports, box.destination_ports, box.conditions | {whole})
        for box in _permitted(boxes)
    )  # fmt: skip
    return Matched(tuple(most), (itself, *_sure(boxes)))


def _entries(entries: Iterable[AccessEntry]) -> Iterator[tuple[AccessEntry, Box | None]]:
    for entry in entries:
        yield entry, _of_entry(entry)


def _permitted(boxes: list[tuple[AccessEntry, Box | None]]) -> Iterator[Box]:
    """Boxes of the permits, without those that an earlier deny holds as a whole."""
    denied: list[Box] = []
    for entry, box in boxes:
        if box is None:
            continue
        if not entry.permit:
            denied.append(box)
        elif len(boxes) > _MOST_ENTRIES or not any(box.within(denied_box) for denied_box in denied):
            yield box


def _sure(boxes: list[tuple[AccessEntry, Box | None]]) -> tuple[Box, ...]:
    """Boxes of the permits, with the packets that an earlier deny can take as exceptions."""
    sure: list[Box] = []
    denied: list[Box] = []
    for entry, box in boxes[:_MOST_ENTRIES]:
        if box is None:
            if not entry.permit:
                break
        elif not entry.permit:
            denied.append(box)
        elif not any(box.within(denied_box) for denied_box in denied):
            exceptions = tuple(denied_box for denied_box in denied if not disjoint(box, denied_box))
            sure.append(replace(box, exceptions=exceptions))
    return tuple(sure)


def _of_entry(entry: AccessEntry) -> Box | None:
    """Packets that an entry takes; None if it is not read in full."""
    source, destination = addresses_of(entry.source), addresses_of(entry.destination)
    if not entry.understood or source is None or destination is None:
        return None
    dscps = ALL_DSCPS
    if entry.dscp is not None:
        dscps &= {entry.dscp}
    if entry.precedence is not None:
        dscps &= _of_precedences(frozenset({entry.precedence}))
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
