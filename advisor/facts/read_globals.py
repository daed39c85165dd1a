"""All commands and sections of a configuration but interfaces, class-maps and policy-maps."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from msgspec import Struct, field

from advisor.facts import RoutesDraft, Stated
from advisor.facts.config import Area, SettingsKind
from advisor.facts.interface import Attachment
from advisor.facts.interface_draft import SharedSettings
from advisor.facts.read_access_lists import AccessListDraft, read_named, read_numbered, remove_list
from advisor.facts.read_circuits import Policies, VcDraft, read_attachment, read_vc_lines
from advisor.facts.read_dlsw import DlswDraft, read_bridge, read_dlsw, read_ring_group, remove_dlsw
from advisor.facts.read_frame_relay import MapClassDraft, read_map_class_line
from advisor.facts.read_interfaces import read_interface
from advisor.facts.read_joined_lines import read_controller
from advisor.facts.read_platform import FIRST_WORDS, PlatformWords, platform_words
from advisor.facts.read_services import SlaOperationDraft, VoiceDraft, read_probe
from advisor.facts.read_words import GrammarError, Ledger, Words, known, readers_of
from advisor.ground.records import picked
from advisor.ground.units import bps_from_kbps
from advisor.ios.syntax import Line, LineKind

_MODEMS: Final = ("shdsl", "vdsl")  # controllers whose frames IOS sends to `EthernetN`


class Globals(Struct):
    """Facts that are read so far; one reader per first word adds to them."""

    ledger: Ledger
    hostname: Stated[str] | None = None
    version: Stated[str] | None = None
    platform_lines: list[PlatformWords] = field(default_factory=list)
    switch_qos: list[Stated[str]] = field(default_factory=list)
    ip_cef: bool = False
    aggregates: set[str] = field(default_factory=set)
    access_lists: dict[str, AccessListDraft] = field(default_factory=dict)
    probes: dict[int, SlaOperationDraft] = field(default_factory=dict)
    vc_classes: dict[str, VcDraft] = field(default_factory=dict)
    map_classes: dict[str, MapClassDraft] = field(default_factory=dict)
    templates_by_name: dict[str, Policies] = field(default_factory=dict)
    timeslots_bps: dict[str, Stated[float]] = field(default_factory=dict)
    open_timeslots: dict[str, Stated[int]] = field(default_factory=dict)
    modems: dict[str, Stated[str]] = field(default_factory=dict)
    dlsw: DlswDraft = field(default_factory=DlswDraft)
    control_planes: dict[str, Policies] = field(default_factory=dict)
    voice: VoiceDraft = field(default_factory=VoiceDraft)
    routes: RoutesDraft = field(default_factory=RoutesDraft)

    def read(self, line: Line) -> None:
        """Read one line of the top level, with what stands below it."""
        if line.kind is LineKind.COMMENT:
            self.platform_lines += platform_words(line, self.ledger.file)
            return
        first = line.text.partition(" ")[0].lower()
        reader = _READERS.get(first)
        if reader is not None:
            reader(self, line)
        if first in FIRST_WORDS:
            self.platform_lines += platform_words(line, self.ledger.file)

    @property
    def templates(self) -> SharedSettings:
        """Settings that interfaces take from other sections."""
        return picked(SharedSettings, self, policies=self.templates_by_name)


def sections(reading: Globals) -> tuple[tuple[SettingsKind, str], ...]:
    """Kind and name of the sections that interfaces and circuits refer to."""
    names: Mapping[SettingsKind, Iterable[str]] = {
        SettingsKind.MAP_CLASS: reading.map_classes,
        SettingsKind.VC_CLASS: reading.vc_classes,
        SettingsKind.TEMPLATE: reading.templates_by_name,
    }
    # IOS takes one word as the name, and refuses a line with more of them.
    return tuple(
        (kind, name) for kind, defined in names.items() for name in defined if " " not in name
    )


def other_policies(reading: Globals) -> tuple[Attachment, ...]:
    """Policies of the control plane, of map-classes, vc-classes and templates."""
    sources = [
        *reading.control_planes.values(),
        *(draft.policies for draft in reading.map_classes.values()),
        *(draft.policies for draft in reading.vc_classes.values()),
        *reading.templates_by_name.values(),
    ]
    return tuple(attachment for policies in sources for attachment in policies.values())


def hostname(reading: Globals, line: Line) -> None:
    words = line.words
    if len(words) > 1:
        reading.hostname = Stated(words[1], reading.ledger.at(line))


def version(reading: Globals, line: Line) -> None:
    words = line.words
    if len(words) > 1:
        reading.version = Stated(words[1], reading.ledger.at(line))


def ip(reading: Globals, line: Line) -> None:
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


def other_family(reading: Globals, line: Line) -> None:
    if line.words[1:2] == ["access-list"]:
        read_named(line, reading.access_lists, reading.ledger.file)


def mls(reading: Globals, line: Line) -> None:
    """Keep the QoS of a switch as its text, also a `no`: no rule judges it."""
    if "mls qos" in (" ".join(line.words[:2]), " ".join(line.words[1:3])):
        reading.ledger.read(line, "", known)
        reading.switch_qos.append(Stated(line.text, reading.ledger.at(line)))


def platform(reading: Globals, line: Line) -> None:
    """Take `platform qos port-channel-aggregate 1`: the port-channel that a policy may queue on."""
    words = line.text.lower().removeprefix("no ").split()
    if words[1:3] == ["qos", "port-channel-aggregate"]:
        reading.ledger.read(line, "", known)
        change = reading.aggregates.discard if line.words[0] == "no" else reading.aggregates.add
        change("".join(words[3:4]))


def legacy_list(reading: Globals, line: Line) -> None:
    """Take the rows of priority and custom queueing: the interface that has the list is kept."""
    reading.ledger.read(line, "", known)


def access_list(reading: Globals, line: Line) -> None:
    read_numbered(line, reading.access_lists, reading.ledger.file)


def voice(reading: Globals, line: Line) -> None:
    reading.voice.read(line, reading.ledger.file)


def router(reading: Globals, line: Line) -> None:
    reading.routes.note_other(line, reading.ledger.file, 2)


def rtr(reading: Globals, line: Line) -> None:
    read_probe(line, reading.probes, reading.ledger.file)


def unnamed_interface(reading: Globals, line: Line) -> None:
    """`interface range`, which no router prints."""
    read_interface(line, {}, reading.ledger)


def defaults(reading: Globals, line: Line) -> None:
    """Report `default interface range`; one port alone is emptied where sections are grouped."""
    if line.words[1:3] == ["interface", "range"]:
        read_interface(line, {}, reading.ledger)


def controller(reading: Globals, line: Line) -> None:
    words = line.words
    if "".join(words[1:2]).lower() in _MODEMS:
        name = f"Ethernet{''.join(words[2:])}"
        reading.modems[name] = Stated(" ".join(words), reading.ledger.at(line))
    for group in read_controller(line, reading.ledger.file):
        if group.slot_kbps is None:
            reading.open_timeslots[group.interface] = Stated(group.timeslots, group.at)
        else:
            rate_bps = bps_from_kbps(group.timeslots * group.slot_kbps)
            reading.timeslots_bps[group.interface] = Stated(rate_bps, group.at)


def map_class(reading: Globals, line: Line) -> None:
    name = _template_name(reading, line, "frame-relay")
    if name is not None:
        draft = reading.map_classes.setdefault(name, MapClassDraft())
        for child in line.commands():
            reading.ledger.read(child, line.text, partial(read_map_class_line, draft))


def vc_class(reading: Globals, line: Line) -> None:
    name = _template_name(reading, line, "atm")
    if name is not None:
        draft = reading.vc_classes.setdefault(name, VcDraft())
        read_vc_lines(draft, line, line.text, reading.ledger)


def template(reading: Globals, line: Line) -> None:
    """`template NAME` of IOS XE: the policies that `source template NAME` gives an interface."""
    policies = reading.templates_by_name.setdefault(" ".join(line.words[1:]), {})
    for child in line.commands():
        if child.text.startswith(("service-policy input", "service-policy output")):
            reading.ledger.read(child, line.text, partial(_attached, policies))


def _attached(policies: Policies, words: Words) -> None:
    words.take()
    read_attachment(policies, words)


def _template_name(reading: Globals, line: Line, family: str) -> str | None:
    """Name of a map-class or vc-class of that family; None for another family's."""

    def head(words: Words) -> str:
        words.take()
        words.expect(family)
        return " ".join((words.take(), *words.rest()))

    return reading.ledger.read(line, "", head) if line.words[1:2] == [family] else None


def control_plane(reading: Globals, line: Line) -> None:
    """Read the policies of `control-plane`, `control-plane host` and the like: each has its own."""
    policies = reading.control_planes.setdefault(line.text, {})
    for child in line.commands():
        if child.text.startswith(("service-policy input", "service-policy output")):
            reading.ledger.read(child, line.text, partial(_attached, policies))


def crypto(reading: Globals, line: Line) -> None:
    """An entry of a crypto map: its `qos pre-classify` is read in `tunnels`, no other line is."""
    for child in line.commands():
        if child.text == "qos pre-classify":
            reading.ledger.read(child, "crypto map", known)


def dlsw(reading: Globals, line: Line) -> None:
    reading.ledger.read(line, "", partial(read_dlsw, reading.dlsw), Area.DLSW)


def bridging(reading: Globals, line: Line) -> None:
    """Keep the bridges of DLSw+; bridging lines that IOS would refuse are not reported."""
    words = Words(line, reading.ledger.at(line))
    read = read_ring_group if words.lower[words.position] == "source-bridge" else read_bridge
    with suppress(GrammarError):
        read(reading.dlsw, words)


def removal(reading: Globals, line: Line) -> None:
    words = line.words[1:]
    keyword, rest = " ".join(words[:1]), words[1:]
    if keyword in ("ip", "ipv6", "mac"):
        _no_ip(reading, " ".join(rest[:1]), rest[1:])
    elif keyword == "access-list":
        remove_list(rest, reading.access_lists)
    elif keyword == "rtr":
        _remove_probe(reading, rest)
    elif keyword == "dlsw":
        reading.ledger.read(line, "", partial(remove_dlsw, reading.dlsw), Area.DLSW)
    elif keyword in ("source-bridge", "bridge", "mls", "platform", "priority-list", "queue-list"):
        _READERS[keyword](reading, line)  # these take their `no` form themselves


def _no_ip(reading: Globals, keyword: str, rest: list[str]) -> None:
    if keyword == "cef":
        reading.ip_cef = reading.ip_cef and rest == ["distributed"]
    elif keyword == "access-list":
        remove_list(rest, reading.access_lists)
    elif keyword == "sla":
        _remove_probe(reading, rest)
    elif keyword == "route":
        reading.routes.remove(rest)


def _remove_probe(reading: Globals, words: list[str]) -> None:
    number = words[-1] if words else ""
    if number.isdecimal() and number.isascii():
        for probe in [probe for probe in reading.probes if str(probe) == number]:
            del reading.probes[probe]


_READERS: Final = readers_of("globals")
