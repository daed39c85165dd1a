"""ConfigTree to Facts: a section is read once; QoS lines that no reader takes are counted."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.facts.config import Area, Facts, SectionUse, Unread
from advisor.facts.interface import Interface
from advisor.facts.interface_draft import InterfaceDraft, SharedSettings, section_uses
from advisor.facts.policy import ClassMap, PolicyMap
from advisor.facts.read_globals import Globals, other_policies, sections
from advisor.facts.read_interfaces import interface_of_head, read_interface
from advisor.facts.read_words import QUEUEING_TYPES, Ledger, unknown
from advisor.ground.questions import question
from advisor.ios.syntax import ConfigTree, Line, LineKind
from advisor.ios.syntax.abbreviations import Doubt
from advisor.ios.syntax.detect import doubtful_lines
from advisor.ios.syntax.names import interface_name

# Lines about queueing, QoS or DLSw+ that no reader takes: they are counted, and not understood.

_FIRST_WORDS: Final = """
    class-bundle class-range class-vc custom-queue-list dlsw fair-queue hold-queue
    max-reserved-bandwidth policy-map
    priority-group priority-list priority-queue queue-limit queue-list queue-set random-detect
    random-detect-group rate-limit rcv-queue service-policy srr-queue table-map traffic-shape
    tx-limit tx-queue-limit tx-ring-limit wrr-queue vc-hold-queue queue-depth
"""
_TWO_WORDS: Final = """
    auto qos|mls qos|platform qos|ip rsvp|frame-relay traffic-shaping|frame-relay class|
    frame-relay custom-queue-list|frame-relay priority-group|frame-relay interface-queue|
    qos pre-classify|qos queue-softmax-multiplier
"""
_FIRST: Final = frozenset(_FIRST_WORDS.split())
_SECOND: Final = frozenset(
    tuple(pair.split()) for pair in " ".join(_TWO_WORDS.split()).split("|") if pair.strip()
)
_QOS_SECTIONS: Final = frozenset(
    (
        *("bridge-domain", "class", "class-map", "control-plane", "map-class", "policy-map"),
        *("pvc", "service", "template", "vc-class", "vlan"),
    )
)
_REMOVERS: Final = ("no", "default")
_GROUP_POLICY: Final = re.compile(r"(?:ip )?nhrp (?:map )?group ")


def doubts_of(top: Line) -> dict[int, Doubt]:
    """Misspelt and ambiguous commands of a section, by their identity, before a reader has them."""
    return {id(doubtful.line): doubtful.doubt for doubtful in doubtful_lines(top)}


def read_leftovers(top: Line, ledger: Ledger) -> None:
    """Report each line of a section that is about queueing, or nearly is, and that nothing read."""
    if ledger.doubts or _may_be_due(top):
        for line, under in _left_unread(top, ledger):
            area = Area.DLSW if line.text.startswith(("dlsw", "no dlsw")) else Area.QOS
            ledger.read(line, under, unknown, area)


def _left_unread(top: Line, ledger: Ledger) -> Iterator[tuple[Line, str]]:
    stack = [(top, "")]
    while stack:
        line, under = stack.pop()
        if line.kind is not LineKind.COMMAND or _is_other_type(line):
            continue
        is_due = id(line) in ledger.doubts or is_about_queueing(line.text)
        if is_due and not ledger.has(line):
            yield line, under
        if line.children:
            within = " > ".join(filter(None, (under, _leftover_head(line))))
            stack.extend((child, within) for child in reversed(line.children))


def _may_be_due(top: Line) -> bool:
    return any(is_about_queueing(line.text) for line in top.walk() if line.kind is LineKind.COMMAND)


def _leftover_head(line: Line) -> str:
    """The name of a section for a reader; any other command above a line may hold a secret."""
    words = line.words
    if words[0] == "interface":
        return f"interface {interface_name(' '.join(words[1:]))}"
    return line.text if words[0] in _QOS_SECTIONS else ""


@lru_cache(maxsize=1 << 16)  # a proof reads each line again
def is_about_queueing(text: str) -> bool:
    """Say whether a command, in whatever mode, queues, shapes, polices or belongs to DLSw+."""
    words = text.lower().split(None, 4)
    if words[0] in _REMOVERS and len(words) > 1:
        del words[0]
    return (
        words[0] in _FIRST
        or tuple(words[:2]) in _SECOND
        or ("nhrp" in words[:2] and _GROUP_POLICY.match(" ".join(words)) is not None)
    )


def _is_other_type(line: Line) -> bool:
    """Say whether a line, with all below it, belongs to a `type` that does not queue."""
    if " type " not in line.text:
        return False
    words = line.text.lower().split()
    return "type" in words[1:-1] and words[words.index("type") + 1] not in QUEUEING_TYPES


# ConfigTree to Facts; a section is read once, however often its configuration is edited.
#
# The lines that make up one interface, class-map or policy-map are read together and kept by
# their value, and so are all other lines together. After an edit only what it touched is read
# again.

Fact = TypeVar("Fact")

_MATCHES: Final = ("match-all", "match-any")
_KEPT: Final = 1 << 13  # sections; a hub has thousands


class _CountedLines(Struct, frozen=True):
    """Lines about QoS and DLSw+ of some top-level lines.

    `unread` are those that no reader understood, `leftovers` those that none took, each with the
    place of its top-level line among those that were read.
    """

    seen: int
    understood: int
    unread: tuple[tuple[int, Unread], ...]
    leftovers: tuple[tuple[int, Unread], ...]


class _Section(Struct, Generic[Fact], frozen=True, eq=False):
    """Lines about one thing. Compared by identity: the same lines give the same section."""

    fact: Fact
    counted: _CountedLines
    uses: tuple[SectionUse, ...] = ()


class _Base(Struct, frozen=True):
    """Facts without interfaces and maps, and the settings that interfaces take from them."""

    facts: Facts
    templates: SharedSettings


class _Group(Struct):
    """The places of the top-level lines that say one thing."""

    places: list[int] = field(default_factory=list)

    def lines(self, tree: ConfigTree) -> tuple[Line, ...]:
        return tuple(tree.lines[place] for place in self.places)


class _Groups(Struct):
    """The top-level lines by what they say; `removed` are sections that a later line removes."""

    named: dict[str, dict[str, _Group]] = field(
        default_factory=lambda: {"interface": {}, "class-map": {}, "policy-map": {}}
    )
    others: _Group = field(default_factory=_Group)
    removed: list[tuple[str, _Group]] = field(default_factory=list)


def read_facts(tree: ConfigTree) -> Facts:
    """Read the facts of a configuration about QoS, links, access lists, IP SLA and DLSw+.

    Repeated sections of a name are merged as IOS merges them: a later value wins, `no`
    removes. A value that IOS would refuse is left out; in a QoS or DLSw section it is `unread`.
    Never raises: any tree gives facts.
    """
    groups, file = _grouped(tree), tree.file
    base = _read_globals(groups.others.lines(tree), file)
    counted = [(groups.others, base.counted)]

    def read(kind: str, group: _Group) -> _Section[Any]:
        section = _SECTIONS[kind](group.lines(tree), file)
        counted.append((group, section.counted))
        return section

    def read_all(kind: str) -> dict[str, _Section[Any]]:
        return {name: read(kind, group) for name, group in groups.named[kind].items()}

    interfaces = read_all("interface")
    class_maps, policy_maps = read_all("class-map"), read_all("policy-map")
    for kind, group in groups.removed:
        read(kind, group)
    return replace(
        base.fact.facts,
        tree=tree,
        interfaces=tuple(
            _frozen(section, interfaces.get(section.fact.parent or ""), base)
            for section in interfaces.values()
        ),
        class_maps=tuple(section.fact for section in class_maps.values() if section.fact),
        policy_maps=tuple(section.fact for section in policy_maps.values() if section.fact),
        unread=_unread(counted),
        qos_lines_seen=sum(lines.seen for _, lines in counted),
        qos_lines_understood=sum(lines.understood for _, lines in counted),
        section_uses=tuple(use for section in interfaces.values() for use in section.uses),
    )


def _unread(counted: Iterable[tuple[_Group, _CountedLines]]) -> tuple[Unread, ...]:
    """List lines not understood, in the order of the text; then those that no reader takes."""
    unread: list[tuple[int, Unread]] = []
    leftovers: list[tuple[int, Unread]] = []
    for group, lines in counted:
        unread += ((group.places[place], line) for place, line in lines.unread)
        leftovers += ((group.places[place], line) for place, line in lines.leftovers)
    by_place = (sorted(found, key=lambda each: each[0]) for found in (unread, leftovers))
    return tuple(line for found in by_place for _, line in found)


def _grouped(tree: ConfigTree) -> _Groups:
    groups = _Groups()
    for place, line in enumerate(tree.lines):
        if line.kind is LineKind.COMMAND:
            group = _group_of(line.text, groups)
        elif line.kind is LineKind.COMMENT and ":" in line.text:
            group = groups.others
        else:
            continue
        group.places.append(place)
    return groups


def _group_of(text: str, groups: _Groups) -> _Group:
    kind, name, remover = _head(text)
    if name is None:
        return groups.others
    if remover:
        former = groups.named[kind].pop(name, None)
        groups.removed += [] if former is None else [(kind, former)]
        if remover == "no" or former is None:
            return groups.others
    return groups.named[kind].setdefault(name, _Group())


@question(_KEPT)
def _head(text: str) -> tuple[str, str | None, str]:
    """Split a command into the kind of section, its name, and the word before that empties it.

    `no` removes a section; `default interface` empties it, and the port stays.
    """
    kind, _, rest = text.partition(" ")
    kind, words = kind.lower(), rest.split()
    remover = kind if kind in _REMOVERS else ""
    if remover:
        kind, words = "".join(words[:1]), words[1:]
    if (
        kind not in _SECTIONS
        or (kind == "interface" and remover != "no" and not _is_named(words))
        or (kind != "interface" and remover == "default")
    ):
        return kind, None, remover
    if kind == "interface":
        name = interface_name(" ".join(words)) if remover else interface_of_head(text)
    elif kind == "class-map" and remover:
        name = " ".join(word for word in words if word not in _MATCHES)
    else:
        starts = kind == "class-map" and words[:1] and words[0].lower() in _MATCHES
        name = " ".join(words[1:] if starts else words)
    return kind, name, remover


def _is_named(words: Sequence[str]) -> bool:
    return bool(words) and words[0].lower() != "range"


def _counted(
    lines: Sequence[Line], file: str, read: Callable[[Line, Ledger], object]
) -> _CountedLines:
    """Read lines one after the other, and count them."""
    ledger = Ledger(file)
    unread: list[tuple[int, Unread]] = []
    leftovers: list[tuple[int, Unread]] = []
    for place, line in enumerate(lines):
        ledger.doubts = doubts_of(line)
        before = len(ledger.unread)
        read(line, ledger)
        behind = len(ledger.unread)
        read_leftovers(line, ledger)
        unread += ((place, item) for item in ledger.unread[before:behind])
        leftovers += ((place, item) for item in ledger.unread[behind:])
    return _CountedLines(ledger.seen, ledger.understood, tuple(unread), tuple(leftovers))


@question(_KEPT)
def _read_interface(lines: tuple[Line, ...], file: str) -> _Section[InterfaceDraft]:
    drafts: dict[str, InterfaceDraft] = {}
    counted = _counted(lines, file, lambda line, ledger: read_interface(line, drafts, ledger))
    (draft,) = drafts.values()
    return _Section(draft, counted, tuple(section_uses(draft)))


@question(_KEPT)
def _read_class_map(lines: tuple[Line, ...], file: str) -> _Section[ClassMap | None]:
    from advisor.facts.read_classes import (  # noqa: PLC0415 -- many configs have no class
        ClassMapDraft,
        read_class_map,
    )

    drafts: dict[str, ClassMapDraft] = {}
    counted = _counted(lines, file, lambda line, ledger: read_class_map(line, drafts, ledger))
    return _Section(next((draft.freeze() for draft in drafts.values()), None), counted)


@question(_KEPT)
def _read_policy_map(lines: tuple[Line, ...], file: str) -> _Section[PolicyMap | None]:
    from advisor.facts.read_policies import (  # noqa: PLC0415 -- many configs have no policy
        PolicyDraft,
        read_policy_map,
    )

    drafts: dict[str, PolicyDraft] = {}
    counted = _counted(lines, file, lambda line, ledger: read_policy_map(line, drafts, ledger))
    return _Section(next((draft.freeze() for draft in drafts.values()), None), counted)


_SECTIONS: Final[Mapping[str, Callable[[tuple[Line, ...], str], _Section[Any]]]] = {
    "interface": _read_interface,
    "class-map": _read_class_map,
    "policy-map": _read_policy_map,
}


@question(4)  # all that an edit of an interface, a class-map or a policy-map leaves
def _read_globals(lines: tuple[Line, ...], file: str) -> _Section[_Base]:
    reading = Globals(Ledger(file))

    def read(line: Line, ledger: Ledger) -> None:
        reading.ledger = ledger
        reading.read(line)

    counted = _counted(lines, file, read)
    return _Section(_Base(_facts(reading, file), reading.templates), counted)


def _facts(reading: Globals, file: str) -> Facts:
    return Facts(
        tree=ConfigTree(file, ()),
        hostname=reading.hostname,
        version=reading.version,
        platform_lines=tuple(reading.platform_lines),
        ip_cef=reading.ip_cef,
        interfaces=(),
        class_maps=(),
        policy_maps=(),
        access_lists=tuple(draft.freeze() for draft in reading.access_lists.values()),
        probes=tuple(draft.freeze() for draft in reading.probes.values()),
        dlsw=reading.dlsw.freeze(),
        unread=(),
        qos_lines_seen=0,
        qos_lines_understood=0,
        other_policies=other_policies(reading),
        control_plane=tuple(
            attachment
            for policies in reading.control_planes.values()
            for attachment in policies.values()
        ),
        switch_qos=tuple(reading.switch_qos),
        sections=sections(reading),
        dial_peers=reading.voice.freeze(),
        call_thresholds=tuple(reading.voice.thresholds.values()),
        channel_aggregates=tuple(sorted(reading.aggregates)),
        static_routes=tuple(reading.routes.static.values()),
        other_routes=tuple(reading.routes.others),
    )


@question(_KEPT)
def _frozen(
    section: _Section[InterfaceDraft],
    main: _Section[InterfaceDraft] | None,
    base: _Section[_Base],
) -> Interface:
    """An interface with what it takes from other sections; `main` is that of a subinterface."""
    return section.fact.freeze(main.fact if main else None, base.fact.templates)
