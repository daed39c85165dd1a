"""Whether a class keeps its packets, as the lines of two states prove it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from advisor.facts.matched_packets import Matched, Overlaps, PacketsOfClasses
from advisor.facts.packet_set import ALL_DSCPS, IPV6, Box, Cover
from advisor.facts.policy import CLASS_DEFAULT
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.lint.change.changes import Taking
from advisor.lint.change.known_packets import CLASS_MAP, KnownOrder, KnownSection, named_in, reached

_OF_CALLS: Final = (None, "udp")
_EVERYTHING: Final = Matched((Box(),), (Box(),))
_Lines = Mapping[str, tuple[str, ...]]


class State:
    """The packets of the class-maps of a device in one state."""

    def __init__(self, sections: Iterable[KnownSection], device: str) -> None:
        self.sections: _Lines = {
            each.path: each.lines for each in sections if each.device == device
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
        """What each match of a match-any reads, one after the other; None of a match-all."""
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

    def __init__(self, old: State, new: State) -> None:
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
        boxes = [each if has_ipv6 else _without_ipv6(each) for each in own.most or ()]
        if name not in servers or not is_same:
            kept = self._cover(self._new, servers)
            if not all(kept.takers(box) for box in boxes if box.families):
                return True
        fresh = [self._new.of(each) for each in self._fresh(pair, name, servers)]
        if any(each.most is None and not each.broken for each in fresh):
            return True
        most = (box for each in fresh for box in each.most or ())
        seen = [each if has_ipv6 else _without_ipv6(each) for each in most]
        return self._takes_any(seen, _above(old, name), boxes)

    def _fresh(
        self, pair: tuple[KnownOrder, KnownOrder], name: str, servers: Sequence[str]
    ) -> Iterator[str]:
        """Classes above the servers that did not stand above the class, or are others now."""
        old, new = pair
        last = min((len(_above(new, each)) for each in servers), default=0)
        above = _above(old, name)
        for own in (each.name for each in new.takers[:last]):
            is_known = own in above and self._old.lines(own) == self._new.lines(own)
            if own not in servers and not is_known:
                yield own

    def _takes_any(self, fresh: Sequence[Box], above: Sequence[str], boxes: Sequence[Box]) -> bool:
        """Whether packets that are new above a class could be packets of calls of its boxes."""
        own, taken = Overlaps(), self._cover(self._old, above)
        for box in boxes:
            own.add(box)
        return any(_may_be_calls(box) and own.of(box) and not taken.takers(box) for box in fresh)

    def _cover(self, state: State, names: Iterable[str]) -> Cover:
        """What these classes surely take, by lines that mean the same in both states."""
        cover = Cover()
        for name in names:
            for box in state.of(name).sure:
                said = {word for each in box.conditions for word in " ".join(each.values).split()}
                if not said & self._others:
                    cover.add(name, box)
        return cover


def _closure(state: State, path: str) -> tuple[tuple[str, ...], ...]:
    return tuple(state.sections[each] for each in reached([path], state.sections))


def _servers(old: KnownOrder, new: KnownOrder, name: str) -> tuple[str, ...]:
    is_priority = any(each.is_priority for each in old.takers if each.name == name)
    others = (each.name for each in new.takers if is_priority and each.is_priority)
    return tuple(dict.fromkeys((name, *others)))


def _above(order: KnownOrder, name: str) -> tuple[str, ...]:
    names = [each.name for each in order.takers]
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
    applications = [each.values[:1] for each in box.conditions if each.kind == "protocol"]
    return box.protocol in _OF_CALLS and all("rtp" in "".join(own) for own in applications)
