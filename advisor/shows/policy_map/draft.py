"""A policy and a class of it while their lines are read, by the rules of `lines.txt`."""

import re
from collections.abc import Callable
from enum import Enum, auto
from functools import cache
from importlib import import_module
from types import NoneType
from typing import Any, Final, get_args, get_origin, get_type_hints

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from advisor.ground.units import whole
from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.shows.output import number_readers
from advisor.shows.policy_map import (
    ChildPolicy,
    Circuit,
    ClassFigures,
    Count,
    Direction,
    Mark,
    ObservedClass,
    ObservedPolicy,
    QueueSize,
    ShownMatch,
    ShownPolicer,
    ShownPriorityQueue,
    ShownQueue,
    ShownWred,
    ShownWredRow,
)

# A class of a policy while its lines are read.


class ClassPart(Enum):
    """The part of a class that decides the meaning of a line."""

    HEAD = auto()
    QUEUE = auto()
    WRED = auto()
    ECN = auto()
    AFD = auto()
    SHAPING = auto()
    POLICE = auto()
    SET = auto()
    COMPRESS = auto()


class Draft(ClassFigures):
    """All figures of one class that have been read.

    `line_at` is the line that is being read. `counters` holds the numbers of lines like
    `(pkts output/bytes output) 0/0` under their label. `outcome` is the outcome of the policer
    whose actions follow. `child_policy` is the name of a nested policy that IOS prints elsewhere.
    """

    part: ClassPart = ClassPart.HEAD
    matches: list[ShownMatch] = field(default_factory=list)
    queue_limit: QueueSize | None = None
    conversation: int | None = None
    counters: dict[str, int | None] = field(default_factory=dict)
    wred_rows: dict[str, ShownWredRow] = field(default_factory=dict)
    mean_depth: int | None = None
    threshold_units: tuple[str, ...] = ("packets",)
    policers: list[ShownPolicer] = field(default_factory=list)
    outcome: str = ""
    marks: list[Mark] = field(default_factory=list)
    child_policy: str | None = None
    line_at: Location | None = None

    def note_drops(self, *counters: int | None) -> None:
        """Keep the line that is being read as that of the drops, where it counts any."""
        if any(counters):
            self.drops_at = self.line_at


def number(digits: str | None) -> int | None:
    """A counter; None if it is missing, or negative because it wrapped."""
    return None if digits is None or digits.startswith("-") else whole(digits)


def count(packets: str | None, octets: str | None) -> Count | None:
    """Packets and bytes; None if neither is printed."""
    return None if packets is None and octets is None else Count(number(packets), number(octets))


def size(amount: int | None, unit: str) -> QueueSize | None:
    """A queue length in the unit that IOS prints."""
    return None if amount is None else QueueSize(**{unit: amount})


def _pair(draft: Draft, packets: str, octets: str) -> Count | None:
    counters = draft.counters
    if packets not in counters and octets not in counters:
        return None
    return Count(counters.get(packets), counters.get(octets))


def _queue(draft: Draft) -> ShownQueue | None:
    counters, limit = draft.counters, draft.queue_limit
    if limit is None and draft.conversation is None and not counters:
        return None
    in_bytes = limit is not None and limit.bytes is not None
    return ShownQueue(
        limit=limit,
        depth=size(counters.get("depth"), "bytes" if in_bytes else "packets"),
        conversation=draft.conversation,
        total_drops_packets=counters.get("total drops"),
        dropped_bytes=counters.get("bytes drops"),
        no_buffer_drops_packets=counters.get("no-buffer drops"),
        flow_drops_packets=counters.get("flowdrops"),
        other_drops_packets=counters.get("other drops"),
        total_drops_unstated=counters.get("drops of a switch"),
        matched=_pair(draft, "pkts matched", "bytes matched"),
        queued=_pair(draft, "pkts queued", "bytes queued"),
        output=_pair(draft, "pkts output", "bytes output"),
    )


def settled_wred(draft: Draft) -> ShownWred | None:
    """WRED of a draft. A mean depth without a unit has the unit of the thresholds."""
    if draft.wred is None:
        return None
    wred = replace(draft.wred, rows=tuple(draft.wred_rows.values()))
    if draft.mean_depth is None:
        return wred
    return replace(wred, mean_depth=size(draft.mean_depth, draft.threshold_units[0]))


def stated(draft: Draft, kind: type[Struct]) -> dict[str, Any]:
    """The figures of a draft under the names of the fields of a record."""
    names = set(kind.__struct_fields__)
    return {name: value for name, value in asdict(draft).items() if name in names}


def observed_class(draft: Draft) -> ObservedClass:
    """The finished class."""
    return ObservedClass(
        **stated(draft, ObservedClass)
        | {
            "matches": tuple(draft.matches),
            "queue": _queue(draft),
            "wred": settled_wred(draft),
            "policers": tuple(draft.policers),
            "marks": tuple(draft.marks),
        }
    )


def priority_queue(draft: Draft) -> ShownPriorityQueue:
    """The finished queue of a priority level."""
    level = draft.priority.level if draft.priority is not None else None
    return ShownPriorityQueue(level, _queue(draft) or ShownQueue(), draft.at, draft.drops_at)


# Rules for the lines of a class: a row of `lines.txt` and the function that reads its match.

Take = Callable[[Draft, re.Match[str]], None]


class LineRule(Struct, frozen=True):
    """A line of a class: its pattern and what it adds. With `part` it applies in that part only."""

    pattern: re.Pattern[str]
    take: Take
    part: ClassPart | None


_LETTERS: Final = re.compile(r"[A-Za-z][A-Za-z-]*")
_DIGIT: Final = re.compile(r"-?\d")


class Rules:
    """Rules, indexed by the first word of their lines."""

    def __init__(self, *sections: str) -> None:
        self._by_first: dict[str, list[LineRule]] = {}
        for section in sections:
            for row in layout("shows/policy_map/lines.txt").sections[section]:
                words, _, part = row.words.partition(" in ")
                pattern = re.compile(row.pattern, re.IGNORECASE)
                rule = LineRule(pattern, _take(row.meaning), ClassPart[part] if part else None)
                for first in words.split():
                    self._by_first.setdefault(first, []).append(rule)

    def take(self, draft: Draft, text: str) -> bool:
        """Add a line to a draft; False if no rule knows the line."""
        letters = _LETTERS.match(text)
        first = letters[0].lower() if letters else "0" if _DIGIT.match(text) else text[0]
        for rule in self._by_first.get(first, ()):
            if rule.part is None or rule.part is draft.part:
                match = rule.pattern.fullmatch(text)
                if match is not None:
                    rule.take(draft, match)
                    return True
        return False


rules_of = cache(Rules)


def _take(meaning: str) -> Take:
    """The function that a row names."""
    word, _, rest = meaning.partition(" ")
    if word == "skip":
        return _skip
    if word == "begin":
        return into(None, ClassPart[rest])
    if word == "counted":
        return _counted(rest.split(", "))
    if word in ("into", "new"):
        field, *parts = rest.removesuffix(" ecn").split()
        known = {"ecn": True} if rest.endswith(" ecn") else {}
        begins = ClassPart[parts[0]] if parts else None
        return into(field, begins, is_new=word == "new", **known)
    module, _, name = word.partition(".")
    take: Take = getattr(import_module(f"advisor.shows.policy_map.{module}"), name)
    return take


def _skip(_draft: Draft, _match: re.Match[str]) -> None:
    """Skip a known line without figures: a heading, a column title."""


def into(
    field: str | None, begins: ClassPart | None = None, *, is_new: bool = False, **known: object
) -> Take:
    """A line whose named groups are the figures of a record of the class, under their names.

    Of a field with several records, it is the last one, or one that is new.
    """
    hint = get_type_hints(Draft)[field] if field else None
    record = next((kind for kind in get_args(hint) if kind is not NoneType), None)

    def take(draft: Draft, match: re.Match[str]) -> None:
        draft.part = draft.part if begins is None else begins
        if field is None or record is None:
            return
        figures = {**_figures(record, match), **known}
        draft.note_drops(figures.get("exceed_drops_packets"))
        stated = getattr(draft, field)
        if get_origin(hint) is not list:
            setattr(draft, field, replace(stated or record(), **figures))
        elif is_new:
            stated.append(record(**figures))
        elif stated:
            stated[-1] = replace(stated[-1], **figures)

    return take


def _figures(record: type[Struct], match: re.Match[str]) -> dict[str, Any]:
    """The groups that take part in a match: numbers and words, by the fields of the record."""
    printed = {name.rstrip("_"): text for name, text in match.groupdict().items() if text}
    numbers = number_readers(record)
    return {
        name: number(text) if name in numbers else text.lower() for name, text in printed.items()
    }


def _counted(labels: list[str]) -> Take:
    """A line whose groups are counters with these labels."""

    def take(draft: Draft, match: re.Match[str]) -> None:
        draft.counters.update(zip(labels, map(number, match.groups()), strict=True))

    return take


# A policy of `show policy-map interface` while its classes are read.

CLASS_DEFAULT: Final = "class-default"
NO_COLUMN: Final = -1


class OpenPolicy(Struct):
    """The classes of a policy so far, and the one that is being read.

    `column` is the column of its first line, `class_column` that of its classes. `is_flat` of a
    nested policy whose indentation is lost: its lines start where those of its parent start.
    `unread` are the names of classes that are not understood. `has_default` from class-default on,
    which IOS prints last.
    """

    name: str
    column: int
    at: Location
    direction: Direction = "output"
    is_flat: bool = False
    had_flat_child: bool = False
    class_column: int = NO_COLUMN
    classes: list[ObservedClass] = field(default_factory=list)
    queues: list[ShownPriorityQueue] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    draft: Draft | None = None
    has_default: bool = False
    in_hardware: bool | None = None

    def begin(self, draft: Draft, column: int) -> None:
        """Begin a class, or a priority queue, which has no name."""
        self.settle()
        if draft.name:
            self.class_column = column
            self.has_default = self.has_default or draft.name == CLASS_DEFAULT
        draft.in_hardware = self.in_hardware
        self.draft = draft

    def settle(self) -> None:
        """Finish the class or priority queue that is being read."""
        if self.draft is not None:
            if self.draft.name:
                self.classes.append(observed_class(self.draft))
            else:
                self.queues.append(priority_queue(self.draft))
            self.draft = None

    def lose(self, names: tuple[str, ...]) -> None:
        """Drop the class that is being read, and note the names that are not known."""
        self.unread += names
        self.draft = None

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of all classes so far, also of those that are not understood."""
        draft = () if self.draft is None else (self.draft.name,)
        return (*(observed.name for observed in self.classes), *self.unread, *draft)

    def child(self) -> ChildPolicy:
        """The finished policy, nested in a class."""
        self.settle()
        return ChildPolicy(
            self.name, tuple(self.classes), tuple(self.queues), self.at, tuple(self.unread)
        )

    def attached(self, interface: str, circuit: Circuit | None) -> ObservedPolicy:
        """The finished policy, attached to an interface."""
        self.settle()
        return ObservedPolicy(
            interface=interface,
            circuit=circuit,
            direction=self.direction,
            policy=self.name,
            classes=tuple(self.classes),
            priority_queues=tuple(self.queues),
            at=self.at,
            unread=tuple(self.unread),
        )
