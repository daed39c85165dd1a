"""Classes that take other packets than before, as the lines that decide it prove."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from advisor.facts.matched_packets import Matched, Overlaps, PacketsOfClasses
from advisor.facts.packet_set import ALL_DSCPS, IPV6, Box, Cover
from advisor.facts.policy import CLASS_DEFAULT
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.lint.change import (
    Change,
    Output,
    PredictionChange,
    Taking,
    change_of_lines,
    moved_outputs,
    port_of,
)
from advisor.lint.change.known_packets import (
    CLASS_MAP,
    KnownOrder,
    KnownSection,
    KnownTaker,
    named_in,
    reached,
)
from advisor.lint.change.snapshot import Case, Snapshot

# Whether a class keeps its packets, as the lines of two states prove it.

_OF_CALLS: Final = (None, "udp")
_EVERYTHING: Final = Matched((Box(),), (Box(),))
_Lines = Mapping[str, tuple[str, ...]]


class PacketState:
    """The packets of the class-maps of a device in one state."""

    def __init__(self, sections: Iterable[KnownSection], device: str) -> None:
        self.sections: _Lines = {
            section.path: section.lines for section in sections if section.device == device
        }
        text = "\n".join(line for lines in self.sections.values() for line in lines)
        self._packets = PacketsOfClasses(read_facts(parse_config(text)))

    def of(self, name: str) -> Matched:
        return _EVERYTHING if name == CLASS_DEFAULT else self._packets.of(name)

    def lines(self, *names: str) -> tuple[str, ...]:
        """All lines that decide what these classes take, each with its section."""
        paths = reached([f"{CLASS_MAP} {name}" for name in names], self.sections)
        return tuple(_said(path, line) for path in paths for line in self.sections[path])

    def any_of(self, name: str) -> frozenset[tuple[str, ...]] | None:
        """Return the condition of each match of a match-any, in order; None for a match-all."""
        head, *matches = self.sections.get(f"{CLASS_MAP} {name}", ("",))
        if "match-any" not in head.split():
            return None
        return frozenset(
            (
                match,
                *(
                    line
                    for path in reached(named_in(match), self.sections)
                    for line in self.sections[path]
                ),
            )
            for match in matches
        )


def _said(path: str, line: str) -> str:
    return f"{path}: {line.strip()}" if line.startswith(" ") else line


class Packets:
    """The packets of the classes of a device in two states."""

    def __init__(self, old: PacketState, new: PacketState) -> None:
        self._old, self._new = old, new
        names = self._old.sections.keys() | self._new.sections.keys()
        self._others = frozenset(
            path.partition(" ")[2]
            for path in names
            if _closure(self._old, path) != _closure(self._new, path)
        )

    def asks(self, name: str, marks: Sequence[int]) -> bool:
        """Whether a class took packets by one of these markings."""
        matched = self._old.of(name)
        boxes = matched.sure if matched.most is None else matched.most
        return any(box.dscps != ALL_DSCPS and box.dscps & set(marks) for box in boxes)

    def differ(
        self, old: KnownOrder, new: KnownOrder, name: str, servers: Sequence[str] = ()
    ) -> Taking | None:
        """How the packets of a class differ; None if they are proven to be the same.

        It loses none if the `servers` take all of them now: where none are named, the class itself
        and, of a priority class, those with priority.
        """
        above = _above(old, name), _above(new, name)
        was = self._old.lines(*above[0], name)
        has = self._new.lines(*above[1], name)
        if was == has and above[0] == above[1] and servers in ((), (name,)):
            return None
        pair = old, new
        loses = self.loses(pair, name, servers or _servers(old, new, name))
        if not loses and (servers or not self._gains(pair, name)):
            return None
        lines = _only(was, has), _only(has, was)
        if not any(lines):
            lines = _place(above[0]), _place(above[1])
        return Taking(*lines, loses=loses)

    def _gains(self, pair: tuple[KnownOrder, KnownOrder], name: str) -> bool:
        old, new = pair
        return Packets(self._new, self._old).loses((new, old), name, _servers(new, old, name))

    def loses(self, pair: tuple[KnownOrder, KnownOrder], name: str, servers: Sequence[str]) -> bool:
        """Whether packets of a class may be in none of the servers now."""
        own = self._old.of(name)
        if own.broken:  # nobody knows what it took
            return False
        is_same = self._old.lines(name) == self._new.lines(name)
        if own.most is None and not is_same:
            was, has = self._old.any_of(name), self._new.any_of(name)
            if was is None or has is None or not was <= has:
                return True
        old, new = pair
        has_ipv6 = old.has_ipv6 or new.has_ipv6
        boxes = [item if has_ipv6 else _without_ipv6(item) for item in own.most or ()]
        if name not in servers or not is_same:
            kept = self._cover(self._new, servers)
            if not all(kept.takers(box) for box in boxes if box.families):
                return True
        fresh = [self._new.of(item) for item in self._fresh(pair, name, servers)]
        if any(item.most is None and not item.broken for item in fresh):
            return True
        most = (box for item in fresh for box in item.most or ())
        seen = [item if has_ipv6 else _without_ipv6(item) for item in most]
        return self._takes_any(seen, _above(old, name), boxes)

    def _fresh(
        self, pair: tuple[KnownOrder, KnownOrder], name: str, servers: Sequence[str]
    ) -> Iterator[str]:
        """Classes above the servers that did not stand above the class, or are others now."""
        old, new = pair
        last = min((len(_above(new, server)) for server in servers), default=0)
        above = _above(old, name)
        for own in (taker.name for taker in new.takers[:last]):
            is_known = own in above and self._old.lines(own) == self._new.lines(own)
            if own not in servers and not is_known:
                yield own

    def _takes_any(self, fresh: Sequence[Box], above: Sequence[str], boxes: Sequence[Box]) -> bool:
        """Whether packets that are new above a class could be packets of calls of its boxes."""
        own, taken = Overlaps(), self._cover(self._old, above)
        for box in boxes:
            own.add(box)
        return any(_may_be_calls(box) and own.of(box) and not taken.takers(box) for box in fresh)

    def _cover(self, state: PacketState, names: Iterable[str]) -> Cover:
        """Return packets these classes surely take, by lines that mean the same in both states."""
        cover = Cover()
        for name in names:
            for box in state.of(name).sure:
                said = {
                    word
                    for condition in box.conditions
                    for word in " ".join(condition.values).split()
                }
                if not said & self._others:
                    cover.add(name, box)
        return cover


def _closure(state: PacketState, path: str) -> tuple[tuple[str, ...], ...]:
    return tuple(state.sections[item] for item in reached([path], state.sections))


def _servers(old: KnownOrder, new: KnownOrder, name: str) -> tuple[str, ...]:
    is_priority = any(taker.is_priority for taker in old.takers if taker.name == name)
    others = (taker.name for taker in new.takers if is_priority and taker.is_priority)
    return tuple(dict.fromkeys((name, *others)))


def _above(order: KnownOrder, name: str) -> tuple[str, ...]:
    names = [taker.name for taker in order.takers]
    return tuple(names[: names.index(name)]) if name in names else ()


def _place(above: Sequence[str]) -> tuple[str, ...]:
    return (f"after class {', '.join(above)}" if above else "the first class",)


def _only(lines: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    known = frozenset(others)
    return tuple(dict.fromkeys(line for line in lines if line not in known))


def _without_ipv6(box: Box) -> Box:
    return replace(box, families=box.families - {IPV6})


def _may_be_calls(box: Box) -> bool:
    """Whether packets of calls may be in a box: not if it is of TCP, or of another application."""
    applications = [
        condition.values[:1] for condition in box.conditions if condition.kind == "protocol"
    ]
    return box.protocol in _OF_CALLS and all("rtp" in "".join(own) for own in applications)


def packet_changes(old: Snapshot, new: Snapshot) -> Iterator[PredictionChange]:
    """Pair the classes of each output by their names, and compare what they take.

    A priority class that may lose packets is a change for the worse: only if all that it took is
    proven to be in a priority class now, it loses none.
    """
    before, now = _outputs(old), _outputs(new)
    went = moved_outputs(before.keys(), now.keys(), old, new)
    with_figures = {
        (queue_class.device, queue_class.output) for queue_class in old.classes
    }  # told with them
    devices = {entry.device for entry in old.orders}
    packets = {
        device: Packets(PacketState(old.sections, device), PacketState(new.sections, device))
        for device in devices
    }
    lost = {device: tuple(_lost_marks(old, new, packets[device], device)) for device in devices}
    for output, order in before.items():
        found = (output,) if output in now else went.now.get(output, ())
        for path in () if output[:2] in with_figures else went.unserved.get(output, ()):
            yield from _unserved(order, path)
        for item in found:
            yield from _of_pair(order, now[item], packets[output[0]], lost[output[0]])


def _unserved(order: KnownOrder, path: str) -> Iterator[PredictionChange]:
    """The priority classes of an interface where no policy queues any more."""
    for taker in order.takers:
        if taker.is_priority:
            yield replace(
                change_of_lines(order.device, path, taker.name, counts=True),
                change=Change.GONE,
                output_before=None if f"{order.path} > ".startswith(f"{path} > ") else order.path,
                is_unserved=True,
            )


def _outputs(state: Snapshot) -> dict[Output, KnownOrder]:
    """The policies that queue; devices of one name stand in the order of the run."""
    outputs: dict[Output, KnownOrder] = {}
    for order in state.orders:
        if not order.is_marking:
            key, number = (order.device, order.path, Case.CONGESTED), 0
            while (*key, number) in outputs:
                number += 1
            outputs[(*key, number)] = order
    return outputs


def _of_pair(
    old: KnownOrder, new: KnownOrder, packets: Packets, lost: Sequence[Taking]
) -> Iterator[PredictionChange]:
    """The classes of both policies that take other packets, each once."""
    names = {item.name for item in new.takers} - {CLASS_DEFAULT}
    for taker in old.takers:
        if taker.name not in names:
            continue
        takes = packets.differ(old, new, taker.name)
        if takes is None:
            asks = (item for item in lost if packets.asks(taker.name, item.marks))
            takes = next(asks, None)
        limits = tuple(limit for limit in new.limits if limit not in old.limits)
        if takes is None and limits and taker.is_priority:
            takes = Taking(old.limits, limits, loses=True)
        if takes is not None:
            counts = takes.loses and taker.is_priority
            change = change_of_lines(new.device, new.path, taker.name, counts=counts)
            path_before = None if old.path == new.path else old.path
            yield replace(change, output_before=path_before, takes=takes)


def _lost_marks(old: Snapshot, new: Snapshot, packets: Packets, device: str) -> Iterator[Taking]:
    """The classes on input whose packets had a marking, and may have it no more."""
    marking = [
        tuple(item for item in state.orders if item.is_marking and item.device == device)
        for state in (old, new)
    ]
    known = {
        an_object.path: an_object.is_shut for an_object in new.objects if an_object.device == device
    }
    for order in marking[0]:
        interface = order.path.partition(" > ")[0]
        if not known.get(interface, False):
            successors = tuple(_successors(order, *marking, is_gone=interface not in known))
            for taker in order.takers:
                lost = _lost(order, successors, taker, packets) if taker.marks else None
                if lost is not None:
                    yield lost


def _successors(
    order: KnownOrder,
    before: Sequence[KnownOrder],
    now: Sequence[KnownOrder],
    *,
    is_gone: bool,
) -> Iterator[KnownOrder]:
    """The policies that mark what came in at the place of one: of its port, or of a new place."""
    same = [item for item in now if item.path == order.path]
    was = {item.path for item in before}
    port = port_of(order.path)
    others = (item for item in now if port_of(item.path) == port)
    fresh = (item for item in now if item.path not in was)
    yield from same or (fresh if is_gone else others)


def _lost(
    order: KnownOrder, successors: Sequence[KnownOrder], taker: KnownTaker, packets: Packets
) -> Taking | None:
    found: Taking | None = None
    for successor in successors:
        servers = tuple(
            own.name for own in successor.takers if frozenset(taker.marks) <= frozenset(own.marks)
        )
        if servers:
            takes = packets.differ(order, successor, taker.name, servers)
            if takes is None or not takes.loses:
                return None
            found = found or replace(takes, marks=taker.marks)
    place = order.path.removeprefix("interface ")
    said = f"class {taker.name} on input of {place} sets it"
    return found or Taking((said,), ("nothing sets it there",), taker.marks, loses=True)
