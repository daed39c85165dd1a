"""Parts of a device: an interface with all that it uses, beside a few others that use the same.

A class-map that nothing uses is a part, too.

What rules find at an interface depends on what it uses and on who else uses it, not on how many do.
A remedy whose lines stay at one interface is proven on its part, so a proof costs as much at a hub
of a thousand interfaces as at one of ten. A part speaks for the device where the rules find the
same in it, with the same numbers; elsewhere the device is asked.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device, with_edit, with_tree
from advisor.facts.dlsw import Dlsw
from advisor.ground.questions import derived
from advisor.ios.edit.reach import Reach, SectionKey, section_key
from advisor.ios.syntax import ConfigTree, ProblemKind
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Hit
from advisor.lint.judge import Key, judge, keys_of
from advisor.lint.void import voids_of
from advisor.outlet.outlets import outlets
from advisor.shows.observations import Observations

_LEAST_UNITS: Final = 8  # a device with fewer is as small as a part
_MOST_KIN: Final = 4  # subinterfaces that are one part with their main interface
_MOST_KEPT: Final = 16  # parts, with all that was asked of them
_MOST_BESIDE: Final = (4, 24)  # others beside an interface for each section that they share
_Found = Mapping[int, Collection[Key]]  # by the number of the unit


class AffectedPart(Struct, frozen=True, eq=False):
    """A device with a part of the configuration, and what is found at the interface it is about.

    `own` are the sections that this interface alone uses, or the class-map that nothing uses;
    `taken` are those of the whole device.
    """

    device: Device
    own: frozenset[SectionKey]
    taken: frozenset[SectionKey]
    known: frozenset[Key]

    def holds(self, lines: Iterable[str]) -> bool:
        """Whether lines change sections of its interface alone, or make new ones."""
        keys = {section_key(line) for line in lines if not line.startswith(" ")}
        return None not in keys and all(key in self.own or key not in self.taken for key in keys)

    def is_about(self, subjects: Iterable[str]) -> bool:
        """Whether objects are at its interface, or new."""
        keys = map(key_of_object, subjects)
        return all(key in self.own or key not in self.taken for key in keys)


def key_of_object(subject: str) -> SectionKey:
    """The section of an object path: ("interface", "Serial0/0") for `interface Serial0/0 > …`."""
    kind, *words = subject.split(" > ", 1)[0].split() or [""]
    name = "" if not words else words[0] if kind == "interface" else words[-1]
    return kind, name


def part_of(device: Device, subject: str, rules: Sequence[Rule]) -> AffectedPart | None:
    """The part of the device that an object is in; None where only the device speaks for it."""
    parts = _parts(device)
    return parts.of(subject, rules) if parts is not None else None


def place_in_parts(device: Device, subject: str) -> int:
    """The place of an object's part among all: proofs in this order make each part once."""
    parts = _parts(device)
    return -1 if parts is None else parts.unit_of(key_of_object(subject))


def part_with(
    device: Device, rule: Rule, hit: Hit[Any], rules: Sequence[Rule]
) -> AffectedPart | None:
    """The part in which the same is found as on the device, and void by the same cause."""
    part = part_of(device, hit.object, rules)
    if part is None or _unnumbered(hit) not in _hits_of(part.device, rule, rules):
        return None
    key = rule.card.id, hit.object
    own, whole = voids_of(part.device, rules).get(key), voids_of(device, rules).get(key)
    return part if own == whole else None


def _hits_of(device: Device, rule: Rule, rules: Sequence[Rule]) -> list[Hit[Any]]:
    return [_unnumbered(hit) for other, hit in judge(device, rules).pairs if other is rule]


def _unnumbered(hit: Hit[Any]) -> Hit[Any]:
    """A hit without the number of a bundle to make: the next free one is another one in a part."""
    return hit if hit.bundle is None else replace(hit, bundle=None, evidence=None)


@derived
def _rings(device: Device) -> frozenset[tuple[str, str, bool, bool]]:
    """Each output with what the others before its ring make of it."""
    return frozenset(
        (outlet.policy_label, outlet.ring_key, outlet.shares_ring, outlet.ring_idle)
        for outlet in outlets(device)
    )


def fills_rings_alike(before: Device, after: Device) -> bool:
    """Whether an edit leaves what is sent to rings that several outputs share."""
    return _sent(before) == _sent(after)


def _sent(device: Device) -> frozenset[tuple[str, str, float | None]]:
    return frozenset(
        (outlet.policy_label, outlet.ring_key, outlet.ceiling_bps)
        for outlet in outlets(device)
        if outlet.shares_ring
    )


class PastedPart(Struct, frozen=True, eq=False):
    """Effect of a paste at one interface: the device, the config before, and lines, of its part."""

    device: Device
    start: ConfigTree
    lines: tuple[str, ...]


class SplitPaste(Struct, frozen=True, eq=False):
    """A paste by the interfaces that its lines change; `shared` are numbers of all other lines."""

    parts: tuple[PastedPart, ...]
    shared: frozenset[int]


def split_paste(device: Device, start: Device, end: Device, lines: Sequence[str]) -> SplitPaste:
    """Cut a paste into what it does at each interface; what it does to all is in each part.

    Parameters
    ----------
    device
        The device as it was captured.
    start, end
        The device when the paste begins, and when it ends.
    lines
        The paste, indented.
    """
    parts = _parts(start)
    everything = frozenset(range(len(lines)))
    if parts is None:
        return SplitPaste((), everything)
    blocks = list(_blocks(lines))
    units = [parts.unit_with(end, section_key(lines[block[0]])) for block in blocks]
    shared = frozenset(
        n for block, unit in zip(blocks, units, strict=True) if unit < 0 for n in block
    )
    pasted: dict[int, list[int]] = defaultdict(list)
    for block, unit in zip(blocks, units, strict=True):
        if unit >= 0:
            pasted[unit] += block
    return SplitPaste(
        tuple(
            parts.pasted(device, unit, tuple(lines[n] for n in sorted({*own, *shared})))
            for unit, own in pasted.items()
        ),
        shared,
    )


def _blocks(lines: Sequence[str]) -> Iterator[range]:
    """The numbers of each top-level line with all below it."""
    heads = [number for number, line in enumerate(lines) if not line.startswith(" ")]
    yield from (range(a, b) for a, b in pairwise((*heads, len(lines))))


def is_told_by_config(device: Device) -> bool:
    """Whether nothing but its configuration tells of a device, interface by interface.

    That it has no `end` is as true of each part. Other problems are at lines that a part may lack.
    """
    facts = device.facts
    is_known = device.seen != Observations() or device.gaps or facts.probes
    is_sna = device.transactions is not None or facts.dlsw != Dlsw()
    is_misread = any(problem.kind is not ProblemKind.NO_END for problem in facts.tree.problems)
    if not device.is_ios or is_known or is_sna or is_misread:
        return False
    # A tunnel may leave from the interface with an address.
    return not any(interface.type == "Tunnel" for interface in facts.interfaces)


@derived
def _parts(device: Device) -> "_Parts | None":
    facts = device.facts
    if len(facts.interfaces) + len(facts.class_maps) < _LEAST_UNITS:
        return None
    if not is_told_by_config(device):
        return None
    parts = _Parts(device)
    return parts if parts.is_worth_it else None


class _Parts:
    """The parts of a device, each made when it is asked for."""

    def __init__(self, device: Device) -> None:
        self._device, self._tree = device, device.facts.tree
        self._reach = Reach(self._tree, _MOST_KIN)
        self._units = list(self._reach.units())
        self._unit_of = {
            key: number
            for number, unit in enumerate(self._units)
            for key in map(self._reach.key_at, unit.own)
            if key is not None
        }
        self._places: dict[SectionKey | None, list[int]] = defaultdict(list)
        for place in range(len(self._tree.lines)):
            self._places[self._reach.key_at(place)].append(place)
        self._taken = frozenset(key for key in self._places if key is not None)
        self._kept: OrderedDict[tuple[int, int], tuple[Sequence[Rule], AffectedPart | None]] = (
            OrderedDict()
        )
        self._by_rules: dict[int, tuple[Sequence[Rule], _Found, Mapping[int, Sequence[int]]]] = {}
        self._everywhere = frozenset(
            place for place in range(len(self._tree.lines)) if self._reach.is_everywhere(place)
        )

    @property
    def is_worth_it(self) -> bool:
        return len(self._units) >= _LEAST_UNITS

    def unit_of(self, key: SectionKey | None) -> int:
        """The number of the unit that alone uses a section; -1 where there is none."""
        return -1 if key is None else self._unit_of.get(key, -1)

    def unit_with(self, end: Device, key: SectionKey | None) -> int:
        """The unit of a section; of a new one the unit that uses it at the end of a paste."""
        later = None if key is None or key in self._taken else _parts(end)
        if later is None:
            return self.unit_of(key)
        number = later.unit_of(key)
        units = set(map(self.unit_of, later.own_keys(number))) - {-1} if number >= 0 else set()
        return units.pop() if len(units) == 1 else -1

    def own_keys(self, number: int) -> frozenset[SectionKey]:
        keys = map(self._reach.key_at, self._units[number].own)
        return frozenset(key for key in keys if key is not None)

    def pasted(self, device: Device, number: int, lines: tuple[str, ...]) -> PastedPart:
        """A paste at a unit, on the part of the config that it begins with, and of the device."""
        places = self._places_of(number, self._any_beside, _MOST_BESIDE[0])
        start = self._with(places)
        if self._tree is device.facts.tree:
            return PastedPart(with_edit(device, start), start, lines)
        keys = {self._reach.key_at(place) for place in places}
        keys |= {section_key(line) for line in lines if not line.startswith(" ")}
        before = _parts(device)
        own = before.with_keys(keys) if before is not None else device.facts.tree
        return PastedPart(with_edit(device, own), start, lines)

    def with_keys(self, keys: Collection[SectionKey | None]) -> ConfigTree:
        """The config with sections of some keys, and with what has none."""
        places = {place for key in keys for place in self._places.get(key, ())}
        return self._with(self._everywhere | places)

    @cached_property
    def _any_beside(self) -> Mapping[int, Sequence[int]]:
        return self._beside({})

    def _with(self, places: Collection[int]) -> ConfigTree:
        return replace(self._tree, lines=tuple(self._tree.lines[place] for place in sorted(places)))

    def of(self, subject: str, rules: Sequence[Rule]) -> AffectedPart | None:
        number = self.unit_of(key_of_object(subject))
        if number < 0:
            return None
        kept = number, id(rules)
        if kept not in self._kept:
            self._kept[kept] = rules, self._made(number, rules)
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(kept)
        return self._kept[kept][1]

    def _made(self, number: int, rules: Sequence[Rule]) -> AffectedPart | None:
        found, beside = self._of_rules(rules)
        own, rings = self.own_keys(number), _rings(self._device)
        for most in _MOST_BESIDE:
            device = with_tree(self._device, self._with(self._places_of(number, beside, most)))
            if not _rings(device) <= rings:
                continue  # more circuits fill the ring
            known = keys_of(judge(device, rules).pairs)
            if {key for key in known if key_of_object(key[1]) in own} == found.get(number, set()):
                return AffectedPart(device, own, self._taken, known)
        return None

    def _places_of(self, number: int, beside: Mapping[int, Sequence[int]], most: int) -> set[int]:
        """Sections of a unit and of those beside it, with what all share."""
        units = {number}
        for place in self._units[number].shared:
            others = [other for other in beside.get(place, ()) if other != number]
            units.update(others[:most])
        places = {
            place for unit in units for place in (*self._units[unit].own, *self._units[unit].shared)
        }
        return places | self._everywhere

    def _of_rules(self, rules: Sequence[Rule]) -> tuple[_Found, Mapping[int, Sequence[int]]]:
        """Find the hits at each unit, and the units to show beside each shared section."""
        if id(rules) not in self._by_rules:
            found: dict[int, set[Key]] = defaultdict(set)
            for rule, subject in keys_of(judge(self._device, rules).pairs):
                found[self.unit_of(key_of_object(subject))].add((rule, subject))
            self._by_rules[id(rules)] = rules, found, self._beside(found)
        return self._by_rules[id(rules)][1:]

    def _beside(self, found: _Found) -> Mapping[int, Sequence[int]]:
        """Users of each shared section, in turn of each set of rules that find something there."""
        users: dict[int, dict[frozenset[str], list[int]]] = defaultdict(dict)
        for number, unit in enumerate(self._units):
            kind = frozenset(rule for rule, _ in found.get(number, ()))
            for place in unit.shared:
                alike = users[place].setdefault(kind, [])
                if len(alike) <= _MOST_BESIDE[-1]:
                    alike.append(number)
        return {
            place: [
                number
                for turn in zip_longest(*kinds.values())
                for number in turn
                if number is not None
            ]
            for place, kinds in users.items()
        }
