"""Interfaces of a device that differ in names only: two of them are judged for all.

The imaginary device has two of each kind, with stand-ins for its names, and beside it all that is
no part of such an interface. The findings of a unit depend on its names only by which of them are
equal and how they sort, and not on other units; so the findings of the imaginary device hold for
each with its own names and lines. `docs/decisions/016-alike-interfaces.md` argues it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device, with_tree
from advisor.device.peers import Fleet
from advisor.device.reading import Reading
from advisor.ground.questions import Kept
from advisor.ios.edit.likeness import (
    Names,
    Numbering,
    could_be_numbered,
    likeness,
    lines_of,
    numbered_line,
)
from advisor.ios.edit.reach import Reach
from advisor.ios.syntax import ConfigTree, Line, LineKind
from advisor.lint.accepted import masked_line
from advisor.lint.affected_part import is_told_by_config
from advisor.lint.alike_findings import (
    FILE,
    FRESH,
    HOST,
    KindTexts,
    NotAlikeError,
    dashed,
    in_json,
    kind_texts,
)
from advisor.lint.checks.lfi import free_groups
from advisor.lint.checks.ref.needed import open_names
from advisor.lint.findings import Finding, Said
from advisor.lint.judge import Key
from advisor.outlet.wires import described_rate_bps

LEAST_ALIKE: Final = 3  # that need not be judged: fewer are judged as fast as they are found
_MOST_KEPT: Final = 256  # imaginary devices: a hub of a hundred interfaces needs some 100 kB
_PORT_NAMED: Final = re.compile(r"\b(?:Se|Et|Fa|Gi|Te|AT|Hs|PO)[a-z]*\s?\d", re.IGNORECASE)

Judge = Callable[[Reading], Said | None]  # None: a rule failed
Prove = Callable[[frozenset[Key]], Mapping[Key, Finding]]  # findings of the whole device


class _Unit(Struct, frozen=True):
    """An interface with all that it alone uses."""

    lines: tuple[Line, ...]  # of the config, in their order
    names: Names

    @property
    def place(self) -> int:
        """The line of its first interface, else its first line."""
        ports = (line.number for line in self.lines if line.text.startswith("interface "))
        return next(ports, self.lines[0].number)


class _Imaginary(Struct, frozen=True):
    """A config to judge, and for each kind its stand-ins and the numbers of its lines."""

    tree: ConfigTree
    name: str
    stand_ins: tuple[tuple[str, ...], ...]  # in the order of the names of a unit
    numbers: tuple[tuple[str, ...], ...]
    common: Mapping[str, str]  # what stands there for the tokens that are of no unit
    key: tuple[object, ...]

    def reading(self, reading: Reading) -> Reading:
        """The imaginary device."""
        device = replace(reading.device, name=self.name, fleet=Fleet())
        return replace(reading, device=with_tree(device, self.tree), shown=())

    def tokens(self, kind: int) -> tuple[str, ...]:
        """Return the stand-ins for the names and the numbers of lines of a kind."""
        tokens = (*self.stand_ins[kind], *self.numbers[kind])
        return (*tokens, *map(dashed, tokens))

    @property
    def owners(self) -> dict[str, int]:
        """The kind of each token."""
        kinds = range(len(self.stand_ins))
        return {token: kind for kind in kinds for token in self.tokens(kind)}


def judged_by_alike(
    reading: Reading,
    kept_for: tuple[object, ...],
    found: frozenset[Key],
    judge: Judge,
    prove: Prove,
) -> Said | None:
    """Judge two of each kind of interface for all; None where that is not the same, or not faster.

    Parameters
    ----------
    reading
        The device.
    kept_for
        Other inputs of the judgement: the findings of an imaginary device are kept for these.
    found
        What is found on the device itself: the same must be found by two of each kind.
    judge
        Judges a device as a whole.
    prove
        Finds some findings on the device itself: those whose words depend on all of its outputs.
    """
    kinds = tuple(_units_of(reading.device).values())
    if sum(max(len(units) - 2, 0) for units in kinds) < LEAST_ALIKE:
        return None
    # Two of a kind: the only one may have other findings than one of several.
    seconds = tuple(units[1:2] for units in kinds if len(units) > 1)
    imaginary = _imaginary(reading, (*kinds, *seconds))
    if imaginary is None:
        return None
    _, texts = _KEPT.of(
        (*imaginary.key, *map(id, kept_for)),
        lambda: (kept_for, _texts(imaginary, judge(imaginary.reading(reading)), kinds)),
    )
    if texts is None:
        return None
    said = _of_all(texts, imaginary, kinds, (*kinds, *seconds), reading.device)
    of_whole = texts.keys_of_whole(said)
    proven = prove(of_whole) if of_whole else {}
    is_same = {(finding.rule, finding.object) for finding in said.findings} == found
    if not is_same or not of_whole <= proven.keys():
        return None
    findings = (
        _proven(finding, proven.get((finding.rule, finding.object))) for finding in said.findings
    )
    return replace(said, findings=tuple(findings))


def _proven(told: Finding, proven: Finding | None) -> Finding:
    """A finding as the whole device has it, where it is asked, beside what has the same lines."""
    if proven is None:
        return told
    if told.remedy is None or proven.remedy is None or not proven.remedy.lines:
        return proven
    return replace(proven, remedy=replace(proven.remedy, merged=told.remedy.merged))


def _units_of(device: Device) -> dict[str, list[_Unit]]:
    """Units by the text that they have without their names."""
    found: dict[str, list[_Unit]] = {}
    if not _is_alone(device):
        return found
    tree = device.facts.tree
    reach = Reach(tree)
    places = list(reach.units())
    elsewhere = reach.words_outside(frozenset(place for unit in places for place in unit.own))
    for unit in places:
        lines = [tree.lines[place] for place in unit.own]
        alike = likeness(lines, elsewhere, _is_inert)
        if alike is not None:
            found.setdefault(alike.text, []).append(_Unit(tuple(lines), alike.names))
    return found


def _is_alone(device: Device) -> bool:
    """Whether nothing but its configuration tells of the device, and no text is a stand-in."""
    facts, links = device.facts, device.fleet.links
    if not is_told_by_config(device) or device.traffic or could_be_numbered(facts.tree.file):
        return False
    if open_names(device):
        return False  # the nearest of the names of all units may be what was meant
    names = [interface.name for interface in facts.interfaces] if links.ends else []
    return not any(
        links.link(device.name, name) or links.doubts(device.name, name) for name in names
    )


def _is_inert(words: str) -> bool:
    """Whether a description tells no rate, names no port, and is as the device has it."""
    is_fact = described_rate_bps(words) is not None or _PORT_NAMED.search(words) is not None
    return words.isprintable() and not is_fact and masked_line((words,)) is None


def _imaginary(reading: Reading, kinds: Sequence[Sequence[_Unit]]) -> _Imaginary | None:
    device = reading.device
    tree = device.facts.tree
    owner_of = {id(line): place for place, units in enumerate(kinds) for line in units[0].lines}
    inside = {id(line) for units in kinds for unit in units for line in unit.lines}
    numbering = Numbering()
    by_name = [numbering.stand_ins(units[0].names) for units in kinds]
    if numbering.is_exhausted:
        return None
    host = _host_of(device, inside)
    name = FILE if device.name == tree.file else HOST if host else device.name
    common = {FILE: in_json(tree.file), HOST: in_json(device.name)}
    numbers: list[list[str]] = [[] for _ in kinds]
    lines: list[Line] = []
    number = 1
    for line in tree.lines:
        owner = owner_of.get(id(line))
        if owner is None and (id(line) in inside or _says_nothing(line)):
            continue
        if owner is None and could_be_numbered("".join(item.raw for item in line.walk())):
            return None
        lines.append(
            numbered_line(_hosted(line, host), by_name[owner] if owner is not None else {}, number)
        )
        for old in line.walk():
            if owner is None:
                common[str(number)] = str(old.number)
            else:
                numbers[owner].append(str(number))
            number += 1
    # The one problem of its text is that no `end` follows its last line.
    problems = tuple(replace(problem, number=number - 1) for problem in tree.problems)
    alone = replace(tree, file=FILE, lines=tuple(lines), problems=problems)
    platform = _EVIDENCE_AT.sub("", msgspec.json.encode(device.platform).decode())
    return _Imaginary(
        alone,
        name,
        tuple(tuple(found.values()) for found in by_name),
        tuple(map(tuple, numbers)),
        common,
        (
            *(alone.text(), name, platform, tree.flat, tree.is_capture),
            *(device.dialect, device.stated_platforms, problems),
        ),
    )


_EVIDENCE_AT: Final = re.compile(r'"file":"[^"]*","line":\d+')


def _says_nothing(line: Line) -> bool:
    return line.kind in (LineKind.COMMENT, LineKind.BLANK) and line.text in ("", "!")


def _host_of(device: Device, inside: set[int]) -> str | None:
    """The host name, where it stands in its own command only."""
    stated = device.facts.hostname
    if stated is None or stated.value != device.name:
        return None
    tree = device.facts.tree
    words = [
        word
        for top in tree.lines
        if id(top) not in inside
        for line in top.walk()
        for word in line.words
    ]
    return device.name if words.count(device.name) == 1 else None


def _hosted(line: Line, host: str | None) -> Line:
    if host is None or line.words != ["hostname", host]:
        return line
    return replace(line, text=f"hostname {HOST}", raw=line.raw.replace(host, HOST))


# Findings of imaginary devices, for rules and settings: with these, whose identities are in the
# key and so stay their own.
_KEPT: Final = Kept[tuple[object, ...], tuple[object, KindTexts | None]](_MOST_KEPT)


def _texts(
    imaginary: _Imaginary, said: Said | None, kinds: Sequence[Sequence[_Unit]]
) -> KindTexts | None:
    if said is None:
        return None
    several = (place for place, units in enumerate(kinds) if len(units) > 1)
    pairs = enumerate(several, start=len(kinds))
    alike = {
        token: of_first
        for second, first in pairs
        for token, of_first in zip(imaginary.tokens(second), imaginary.tokens(first), strict=True)
    }
    try:
        return kind_texts(said, imaginary.owners, len(imaginary.stand_ins), len(kinds), alike)
    except NotAlikeError:
        return None


def _of_all(
    texts: KindTexts,
    imaginary: _Imaginary,
    kinds: Sequence[Sequence[_Unit]],
    judged: Sequence[Sequence[_Unit]],
    device: Device,
) -> Said:
    """Findings of every unit, then of the lines outside units."""
    common = dict(imaginary.common)
    for units, stand_ins, numbers in zip(
        judged, imaginary.stand_ins, imaginary.numbers, strict=True
    ):
        common |= _values(units[0], stand_ins, numbers)
    said = [texts.kinds[-1].of({}, common)]
    groups = free_groups(device.facts)
    parts = list(zip(texts.kinds, kinds, imaginary.stand_ins, imaginary.numbers, strict=False))
    for unit, kind in sorted(
        ((unit, kind) for kind, (_, units, _, _) in enumerate(parts) for unit in units),
        key=lambda both: both[0].place,
    ):
        text, _, stand_ins, numbers = parts[kind]
        values = _values(unit, stand_ins, numbers)
        if text.has_fresh:
            values[FRESH] = str(next(groups))
        said.append(text.of(values, common))
    return Said(
        tuple(finding for item in said for finding in item.findings),
        tuple(skip for item in said for skip in item.skipped),
    )


def _values(unit: _Unit, stand_ins: Sequence[str], numbers: Sequence[str]) -> dict[str, str]:
    """The names and numbers of a unit, by the tokens that stand for them."""
    names = unit.names.in_order()
    values = dict(zip(stand_ins, map(in_json, names), strict=True))
    of_ports = (
        both for both in zip(stand_ins, names, strict=True) if both[1] in unit.names.of("port")
    )
    values |= {dashed(token): dashed(name) for token, name in of_ports}
    lines = (str(line.number) for line in lines_of(unit.lines))
    values.update(zip(numbers, lines, strict=True))
    return values
