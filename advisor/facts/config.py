"""All facts of one configuration."""

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from typing import TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts import AccessList, CallThreshold, DialPeer, SlaProbe, Stated, StaticRoute
from advisor.facts.dlsw import Dlsw
from advisor.facts.interface import Attachment, Interface
from advisor.facts.policy import ClassMap, PolicyClass, PolicyMap
from advisor.facts.ranges import Range
from advisor.facts.read_platform import PlatformWords
from advisor.ground.quantity import Input
from advisor.ground.questions import question
from advisor.ios.syntax import ConfigTree, Location
from advisor.ios.syntax.abbreviations import Doubt


class Area(StrEnum):
    """Section of a config whose lines coverage counts."""

    QOS = "qos"
    INTERFACE = "interface"
    ACCESS_LIST = "access-list"
    IP_SLA = "ip sla"
    DLSW = "dlsw"


class Unread(Struct, frozen=True):
    """A line of a QoS or DLSw section that the grammar does not know (rule PRS001)."""

    area: Area
    text: str
    under: str  # its section: "policy-map EDGE > class VOICE"
    at: Location
    takes: Range | None = None  # set if a number of the line is outside of it
    doubt: Doubt | None = None  # set if a word is nearly a keyword, or short for several

    @property
    def range_words(self) -> str:
        """Name the range that IOS takes; "" where no number is outside of one."""
        return (
            f" (it takes {self.takes.low} to {self.takes.high})" if self.takes is not None else ""
        )

    def may_set(self, keywords: Collection[str]) -> bool:
        """Whether its second word is one of these, or was masked: `<removed>`."""
        return any(word in keywords or word[0] == "<" for word in self.text.lower().split()[1:2])


class SettingsKind(StrEnum):
    """Section whose settings interfaces and circuits take by its name: the words that open it."""

    MAP_CLASS = "map-class frame-relay"
    VC_CLASS = "vc-class atm"
    TEMPLATE = "template"


class SectionUse(Struct, frozen=True):
    """A line that names a section of settings; `label` is the object path of the user."""

    kind: SettingsKind
    name: str
    statement: str
    label: str
    at: Location


# With a dict: the look-ups by name are made once and kept.
class Facts(Struct, frozen=True, dict=True):
    """Typed reading of a ConfigTree. Mappings are by name, in document order."""

    tree: ConfigTree
    hostname: Stated[str] | None
    version: Stated[str] | None  # "12.4", "15.7" as in `version 12.4`
    platform_lines: tuple[PlatformWords, ...]  # what names a platform, or what only some print
    ip_cef: bool
    interfaces: tuple[Interface, ...]
    class_maps: tuple[ClassMap, ...]
    policy_maps: tuple[PolicyMap, ...]
    access_lists: tuple[AccessList, ...]
    probes: tuple[SlaProbe, ...]
    dlsw: Dlsw
    unread: tuple[Unread, ...]
    qos_lines_seen: int
    qos_lines_understood: int
    other_policies: tuple[Attachment, ...] = ()  # of the control plane, map-classes, vc-classes
    control_plane: tuple[Attachment, ...] = ()
    switch_qos: tuple[Stated[str], ...] = ()  # `mls qos …`: kept, not judged
    sections: tuple[tuple[SettingsKind, str], ...] = ()  # those that are defined
    section_uses: tuple[SectionUse, ...] = ()
    dial_peers: tuple[DialPeer, ...] = ()  # over IP
    call_thresholds: tuple[CallThreshold, ...] = ()
    channel_aggregates: tuple[str, ...] = ()  # numbers of port-channels on which IOS XE queues
    static_routes: tuple[StaticRoute, ...] = ()  # IPv4, of the global table
    other_routes: tuple[Stated[str], ...] = ()  # "router ospf": routes that no line here holds

    @cached_property
    def policy_classes(self) -> tuple[tuple[PolicyMap, PolicyClass], ...]:
        """Each class of each policy-map, with that policy-map."""
        return tuple((policy, own) for policy in self.policy_maps for own in policy.classes)

    @cached_property
    def unread_class_maps(self) -> frozenset[str]:
        """Class-maps with lines outside of the grammar, which may match more packets."""
        heads = (line.under.partition(" ") for line in self.unread)
        return frozenset(name for kind, _, name in heads if kind == "class-map")

    @cached_property
    def _policy_maps(self) -> dict[str, PolicyMap]:
        return {policy.name: policy for policy in reversed(self.policy_maps)}

    @cached_property
    def _class_maps(self) -> dict[str, ClassMap]:
        return {class_map.name: class_map for class_map in reversed(self.class_maps)}

    @cached_property
    def _access_lists(self) -> dict[str, AccessList]:
        return {access_list.name: access_list for access_list in reversed(self.access_lists)}

    @cached_property
    def _interfaces(self) -> dict[str, Interface]:
        return {interface.name: interface for interface in reversed(self.interfaces)}

    @cached_property
    def _families(self) -> dict[str, list[Interface]]:
        found: dict[str, list[Interface]] = {}
        for interface in self.interfaces:
            for main in {interface.name, interface.parent or interface.name}:
                found.setdefault(main, []).append(interface)
        return found

    @cached_property
    def access_list_names(self) -> frozenset[str]:
        """Lists that `match access-group` may refer to: IP, IPv6 and MAC, also unread ones."""
        names = {access_list.name for access_list in self.access_lists}
        for line in self.tree.starting("access-list", "ip", "ipv6", "mac"):
            if "access-list" not in line.text:
                continue  # most lines: routes
            match line.words:
                case (
                    ["access-list", name, *_]
                    | ["ipv6", "access-list", name, *_]
                    | ["ip" | "mac", "access-list", _, name, *_]
                ):
                    names.add(name)
        return frozenset(names)

    def unread_line(self, under: str, *commands: str) -> Unread | None:
        """The last line of a section that is one of these commands, and is not understood.

        What it sets is not known: neither its own value nor the default of the command.
        """
        return next(
            (
                line
                for line in reversed(self.unread)
                if line.under == under and line.text.lower().split(None, 1)[0] in commands
            ),
            None,
        )

    def unread_in_policy(self, name: str, *commands: str) -> Unread | None:
        """`unread_line` of a class of a policy-map, or of one that is nested in it."""
        for policy in self.nested_policies(name):
            for queue_class in policy.classes:
                line = self.unread_line(policy.path_of(queue_class.name), *commands)
                if line is not None:
                    return line
        return None

    def unread_of_policy(self, name: str) -> Unread | None:
        """The first line of a policy-map, or of one nested in it, that is not understood."""
        under = (
            {f"policy-map {policy.name}" for policy in self.nested_policies(name)}
            if self.unread
            else ()
        )
        lines = (
            line
            for line in self.unread
            for label in under
            if line.under == label or line.under.startswith(f"{label} > ")
        )
        return next(lines, None)

    def policy_map(self, name: str) -> PolicyMap | None:
        """The policy-map of that name; names are case-sensitive in IOS."""
        return self._policy_maps.get(name)

    def nested_policies(self, *roots: str) -> Iterator[PolicyMap]:
        """The policy-maps of these names and all below them, each once, level by level."""
        waiting, seen = [*roots], set[str]()
        while waiting:
            policy = self.policy_map(waiting.pop(0))
            if policy is not None and policy.name not in seen:
                seen.add(policy.name)
                yield policy
                waiting += policy.children

    def class_map(self, name: str) -> ClassMap | None:
        """The class-map of that name."""
        return self._class_maps.get(name)

    def access_list(self, name: str) -> AccessList | None:
        """The access list of that name or number."""
        return self._access_lists.get(name)

    def interface(self, name: str) -> Interface | None:
        """The interface of that full name."""
        return self._interfaces.get(name)

    def main_of(self, interface: Interface) -> Interface:
        """The main interface of a subinterface; itself where it is none or the text lacks it."""
        return self.interface(interface.parent or "") or interface

    def family(self, main: str) -> Sequence[Interface]:
        """The interface of that name and its subinterfaces, in document order."""
        return self._families.get(main, ())


# Values with their places renumbered: what states the same on other lines is equal then.

V = TypeVar("V")
_WITH_PLACES = (Struct, tuple)  # what may have places in it


@question(64)
def unplaced(value: V) -> V:
    """A value with its places renumbered; see `Unplaced`."""
    return Unplaced().of(value)


class Unplaced:
    """Renumbers the places of one value: its lines are the first, the second… that it names.

    Two places stay two, and an object that is found twice stays one: what is told apart by its line
    is still told apart. The words of an input are left out, which name lines too.

    >>> from advisor.facts import Stated
    >>> Unplaced().of((Stated(5, Location("r1.cfg", 7)), Stated(6, Location("r1.cfg", 7))))
    (Stated(value=5, at=Location(file='', line=1)), Stated(value=6, at=Location(file='', line=1)))
    """

    def __init__(self, start: int = 0) -> None:
        self._start = start  # the number of places that were named before
        self._places: dict[Location, Location] = {}
        self._made: dict[int, object] = {}  # by the identity of parts of the value, which lives on

    def of(self, value: V) -> V:
        """The value, or a part of it, with its places renumbered."""
        if isinstance(value, Location):
            number = self._start + len(self._places) + 1
            return cast("V", self._places.setdefault(value, Location("", number)))
        if isinstance(value, Struct):
            if id(value) not in self._made:
                is_kept = isinstance(value, PolicyMap | Interface)
                self._made[id(value)] = (self._of_kept if is_kept else self._of_struct)(value)
            return cast("V", self._made[id(value)])
        if isinstance(value, tuple) and value:
            return cast("V", tuple(map(self.of, value)))
        return value

    def _of_kept(self, value: Struct) -> Struct:
        """A part that many values share: renumbered once, unless it has a place from before."""
        made, places = _renumbered(value, self._start + len(self._places))
        if not self._places.keys().isdisjoint(places):
            return self._of_struct(value)
        for place in places:
            self.of(place)
        return made

    def _of_struct(self, value: Struct) -> Struct:
        changes: dict[str, object] = {"source": ""} if isinstance(value, Input) else {}
        for name in value.__struct_fields__:
            old = getattr(value, name)
            if isinstance(old, _WITH_PLACES):
                changes[name] = self.of(old)
        return replace(value, **changes) if changes else value


@question(4096)  # interfaces and policies of a large hub
def _renumbered(value: Struct, start: int) -> tuple[Struct, tuple[Location, ...]]:
    """A value behind a number of other places, and its places in their order."""
    unplaced = Unplaced(start)
    made = unplaced._of_struct(value)  # noqa: SLF001 -- its own
    return made, tuple(unplaced._places)  # noqa: SLF001
