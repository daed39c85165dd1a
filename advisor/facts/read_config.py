"""ConfigTree to Facts in one pass over the top-level lines."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Final

from msgspec import Struct, field

from advisor.facts.config import Area, Facts, SectionKind
from advisor.facts.interface import Attachment
from advisor.facts.interface_draft import InterfaceDraft, Templates
from advisor.facts.read_access_lists import (
    AccessListDraft,
    read_named,
    read_numbered,
    remove_list,
)
from advisor.facts.read_circuits import Policies, VcDraft, read_attachment, read_vc_lines
from advisor.facts.read_classes import ClassMapDraft, read_class_map
from advisor.facts.read_dial_peers import VoiceDraft
from advisor.facts.read_dlsw import (
    DlswDraft,
    read_bridge,
    read_dlsw,
    read_ring_group,
    remove_dlsw,
)
from advisor.facts.read_frame_relay import MapClassDraft, read_map_class_line
from advisor.facts.read_interfaces import read_interface
from advisor.facts.read_leftovers import note_doubts, read_leftovers
from advisor.facts.read_platform import FIRST_WORDS, PlatformLine, platform_words
from advisor.facts.read_policies import PolicyDraft, read_policy_map
from advisor.facts.read_section_uses import section_uses
from advisor.facts.read_sla import SlaDraft, read_probe
from advisor.facts.read_timeslots import read_controller
from advisor.facts.read_words import GrammarError, Ledger, Words, known
from advisor.facts.routes import RoutesDraft
from advisor.facts.stated import Stated
from advisor.ios.syntax.names import interface_name, parent_of
from advisor.ios.syntax.tree import ConfigTree, Kind, Line
from advisor.units import bps_from_kbps


class _Reading(Struct):
    """Facts that are read so far; one reader per first word adds to them."""

    ledger: Ledger
    hostname: Stated[str] | None = None
    version: Stated[str] | None = None
    platform_lines: list[PlatformLine] = field(default_factory=list)
    switch_qos: list[Stated[str]] = field(default_factory=list)
    ip_cef: bool = False
    interfaces: dict[str, InterfaceDraft] = field(default_factory=dict)
    class_maps: dict[str, ClassMapDraft] = field(default_factory=dict)
    policy_maps: dict[str, PolicyDraft] = field(default_factory=dict)
    access_lists: dict[str, AccessListDraft] = field(default_factory=dict)
    probes: dict[int, SlaDraft] = field(default_factory=dict)
    vc_classes: dict[str, VcDraft] = field(default_factory=dict)
    map_classes: dict[str, MapClassDraft] = field(default_factory=dict)
    templates: dict[str, Policies] = field(default_factory=dict)
    timeslots_bps: dict[str, Stated[float]] = field(default_factory=dict)
    open_timeslots: dict[str, Stated[int]] = field(default_factory=dict)
    dlsw: DlswDraft = field(default_factory=DlswDraft)
    control_plane: Policies = field(default_factory=dict)
    voice: VoiceDraft = field(default_factory=VoiceDraft)
    routes: RoutesDraft = field(default_factory=RoutesDraft)


def read_facts(tree: ConfigTree) -> Facts:
    """Read the facts of a configuration about QoS, links, access lists, IP SLA and DLSw+.

    Repeated sections of a name are merged as IOS merges them: a later value wins, `no`
    removes. A value that IOS would refuse is left out; in a QoS or DLSw section it is `unread`.
    Never raises: any tree gives facts.
    """
    reading = _Reading(Ledger(tree.file))
    note_doubts(tree, reading.ledger)
    for line in tree.lines:
        if line.kind is Kind.COMMAND:
            first = line.text.partition(" ")[0].lower()
            reader = _READERS.get(first)
            if reader is not None:
                reader(reading, line)
            if first in FIRST_WORDS:
                reading.platform_lines += platform_words(tree, line)
        elif line.kind is Kind.COMMENT and ":" in line.text:
            reading.platform_lines += platform_words(tree, line)
    read_leftovers(tree, reading.ledger)
    return _facts(tree, reading)


def _facts(tree: ConfigTree, reading: _Reading) -> Facts:
    templates = Templates(
        reading.vc_classes,
        reading.map_classes,
        reading.timeslots_bps,
        reading.open_timeslots,
        reading.templates,
    )
    interfaces = reading.interfaces
    ledger = reading.ledger
    return Facts(
        tree=tree,
        hostname=reading.hostname,
        version=reading.version,
        platform_lines=tuple(reading.platform_lines),
        ip_cef=reading.ip_cef,
        interfaces=tuple(
            draft.freeze(interfaces.get(parent_of(draft.name) or ""), templates)
            for draft in interfaces.values()
        ),
        class_maps=tuple(draft.freeze() for draft in reading.class_maps.values()),
        policy_maps=tuple(draft.freeze() for draft in reading.policy_maps.values()),
        access_lists=tuple(draft.freeze() for draft in reading.access_lists.values()),
        probes=tuple(draft.freeze() for draft in reading.probes.values()),
        dlsw=reading.dlsw.freeze(),
        unread=tuple(ledger.unread),
        qos_lines_seen=ledger.seen,
        qos_lines_understood=ledger.understood,
        other_policies=_other_policies(reading),
        switch_qos=tuple(reading.switch_qos),
        sections=_sections(reading),
        section_uses=section_uses(interfaces.values()),
        dial_peers=reading.voice.freeze(),
        call_thresholds=tuple(reading.voice.thresholds.values()),
        static_routes=tuple(reading.routes.static.values()),
        other_routes=tuple(reading.routes.others),
    )


def _sections(reading: _Reading) -> tuple[tuple[SectionKind, str], ...]:
    names: Mapping[SectionKind, Iterable[str]] = {
        SectionKind.MAP_CLASS: reading.map_classes,
        SectionKind.VC_CLASS: reading.vc_classes,
        SectionKind.TEMPLATE: reading.templates,
    }
    # IOS takes one word as the name, and refuses a line with more of them.
    return tuple(
        (kind, name) for kind, defined in names.items() for name in defined if " " not in name
    )


def _other_policies(reading: _Reading) -> tuple[Attachment, ...]:
    sources = [
        reading.control_plane,
        *(draft.policies for draft in reading.map_classes.values()),
        *(draft.policies for draft in reading.vc_classes.values()),
        *reading.templates.values(),
    ]
    return tuple(attachment for policies in sources for attachment in policies.values())


def _hostname(reading: _Reading, line: Line) -> None:
    words = line.words
    if len(words) > 1:
        reading.hostname = Stated(words[1], reading.ledger.at(line))


def _version(reading: _Reading, line: Line) -> None:
    words = line.words
    if len(words) > 1:
        reading.version = Stated(words[1], reading.ledger.at(line))


def _ip(reading: _Reading, line: Line) -> None:
    keyword = line.text.split(None, 2)[1:2]
    if keyword == ["access-list"]:
        read_named(line, reading.access_lists, reading.ledger.file)
    elif keyword == ["sla"]:
        read_probe(line, reading.probes, reading.ledger.file)
    elif keyword == ["route"]:
        reading.routes.read(line, reading.ledger.file)
    elif line.words[1:3] == ["local", "policy"]:
        reading.routes.note_other(line, reading.ledger.file, 3)
    elif keyword == ["cef"] and line.words[2:] in ([], ["distributed"]):
        reading.ip_cef = True


def _other_family(reading: _Reading, line: Line) -> None:
    if line.words[1:2] == ["access-list"]:
        read_named(line, reading.access_lists, reading.ledger.file)


def _mls(reading: _Reading, line: Line) -> None:
    """Keep the QoS of a switch as its text, also a `no`: no rule judges it."""
    if "mls qos" in (" ".join(line.words[:2]), " ".join(line.words[1:3])):
        reading.ledger.read(line, "", known)
        reading.switch_qos.append(Stated(line.text, reading.ledger.at(line)))


def _platform(reading: _Reading, line: Line) -> None:
    """Take `platform qos port-channel-aggregate`, whose effect is not modelled."""
    if "platform qos port-channel-aggregate" in line.text.lower():
        reading.ledger.read(line, "", known)


def _legacy_list(reading: _Reading, line: Line) -> None:
    """Take the rows of priority and custom queueing: the interface that has the list is kept."""
    reading.ledger.read(line, "", known)


def _access_list(reading: _Reading, line: Line) -> None:
    read_numbered(line, reading.access_lists, reading.ledger.file)


def _voice(reading: _Reading, line: Line) -> None:
    reading.voice.read(line, reading.ledger.file)


def _router(reading: _Reading, line: Line) -> None:
    reading.routes.note_other(line, reading.ledger.file, 2)


def _rtr(reading: _Reading, line: Line) -> None:
    read_probe(line, reading.probes, reading.ledger.file)


def _interface(reading: _Reading, line: Line) -> None:
    read_interface(line, reading.interfaces, reading.ledger)


def _class_map(reading: _Reading, line: Line) -> None:
    read_class_map(line, reading.class_maps, reading.ledger)


def _policy_map(reading: _Reading, line: Line) -> None:
    read_policy_map(line, reading.policy_maps, reading.ledger)


def _controller(reading: _Reading, line: Line) -> None:
    for group in read_controller(line, reading.ledger.file):
        if group.slot_kbps is None:
            reading.open_timeslots[group.interface] = Stated(group.timeslots, group.at)
        else:
            rate_bps = bps_from_kbps(group.timeslots * group.slot_kbps)
            reading.timeslots_bps[group.interface] = Stated(rate_bps, group.at)


def _map_class(reading: _Reading, line: Line) -> None:
    name = _template_name(reading, line, "frame-relay")
    if name is not None:
        draft = reading.map_classes.setdefault(name, MapClassDraft())
        for child in line.commands():
            reading.ledger.read(child, line.text, partial(read_map_class_line, draft))


def _vc_class(reading: _Reading, line: Line) -> None:
    name = _template_name(reading, line, "atm")
    if name is not None:
        draft = reading.vc_classes.setdefault(name, VcDraft())
        read_vc_lines(draft, line, line.text, reading.ledger)


def _template(reading: _Reading, line: Line) -> None:
    """`template NAME` of IOS XE: the policies that `source template NAME` gives an interface."""
    policies = reading.templates.setdefault(" ".join(line.words[1:]), {})
    for child in line.commands():
        if child.text.startswith(("service-policy input", "service-policy output")):
            reading.ledger.read(child, line.text, partial(_attached, policies))


def _attached(policies: Policies, words: Words) -> None:
    words.take()
    read_attachment(policies, words)


def _template_name(reading: _Reading, line: Line, family: str) -> str | None:
    """Name of a map-class or vc-class of that family; None for another family's."""

    def head(words: Words) -> str:
        words.take()
        words.expect(family)
        return " ".join((words.take(), *words.rest()))

    return reading.ledger.read(line, "", head) if line.words[1:2] == [family] else None


def _control_plane(reading: _Reading, line: Line) -> None:
    for child in line.commands():
        if child.text.startswith(("service-policy input", "service-policy output")):
            reading.ledger.read(child, line.text, partial(_attached, reading.control_plane))


def _crypto(reading: _Reading, line: Line) -> None:
    """An entry of a crypto map: its `qos pre-classify` is read in `tunnels`, no other line is."""
    for child in line.commands():
        if child.text == "qos pre-classify":
            reading.ledger.read(child, "crypto map", known)


def _dlsw(reading: _Reading, line: Line) -> None:
    reading.ledger.read(line, "", partial(read_dlsw, reading.dlsw), Area.DLSW)


def _bridging(reading: _Reading, line: Line) -> None:
    """Keep the bridges of DLSw+; bridging lines that IOS would refuse are not reported."""
    words = Words(line, reading.ledger.at(line))
    read = read_ring_group if words.lower[words.position] == "source-bridge" else read_bridge
    with suppress(GrammarError):
        read(reading.dlsw, words)


def _no(reading: _Reading, line: Line) -> None:
    words = line.words[1:]
    keyword, rest = " ".join(words[:1]), words[1:]
    if keyword in ("ip", "ipv6", "mac"):
        _no_ip(reading, " ".join(rest[:1]), rest[1:])
    elif keyword == "access-list":
        remove_list(rest, reading.access_lists)
    elif keyword == "interface":
        reading.interfaces.pop(interface_name(" ".join(rest)), None)
    elif keyword == "policy-map":
        reading.policy_maps.pop(" ".join(rest), None)
    elif keyword == "class-map":
        name_words = [word for word in rest if word not in ("match-all", "match-any")]
        reading.class_maps.pop(" ".join(name_words), None)
    elif keyword == "rtr":
        _remove_probe(reading, rest)
    elif keyword == "dlsw":
        reading.ledger.read(line, "", partial(remove_dlsw, reading.dlsw), Area.DLSW)
    elif keyword in ("source-bridge", "bridge", "mls", "platform", "priority-list", "queue-list"):
        _READERS[keyword](reading, line)  # these take their `no` form themselves


def _no_ip(reading: _Reading, keyword: str, rest: list[str]) -> None:
    if keyword == "cef":
        reading.ip_cef = reading.ip_cef and rest == ["distributed"]
    elif keyword == "access-list":
        remove_list(rest, reading.access_lists)
    elif keyword == "sla":
        _remove_probe(reading, rest)
    elif keyword == "route":
        reading.routes.remove(rest)


def _remove_probe(reading: _Reading, words: list[str]) -> None:
    number = words[-1] if words else ""
    if number.isdecimal() and number.isascii():
        for probe in [probe for probe in reading.probes if str(probe) == number]:
            del reading.probes[probe]


_READERS: Final[Mapping[str, Callable[[_Reading, Line], None]]] = MappingProxyType(
    {
        "access-list": _access_list,
        "bridge": _bridging,
        "call": _voice,
        "class-map": _class_map,
        "control-plane": _control_plane,
        "controller": _controller,
        "dial-peer": _voice,
        "crypto": _crypto,
        "dlsw": _dlsw,
        "hostname": _hostname,
        "interface": _interface,
        "ip": _ip,
        "ipv6": _other_family,
        "mac": _other_family,
        "map-class": _map_class,
        "mls": _mls,
        "no": _no,
        "platform": _platform,
        "policy-map": _policy_map,
        "priority-list": _legacy_list,
        "queue-list": _legacy_list,
        "router": _router,
        "rtr": _rtr,
        "source-bridge": _bridging,
        "template": _template,
        "vc-class": _vc_class,
        "version": _version,
        "voice": _voice,
    }
)
