"""Finds the statements that decide, by the lines of a policy, which packets a class takes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.config import Facts
from advisor.facts.interface import Side
from advisor.facts.policy import CLASS_DEFAULT, ClassMap, PolicyClass
from advisor.facts.selectable import selectable_by_class
from advisor.ios.syntax import ConfigTree, Line
from advisor.lint.checks.llq import set_marks
from advisor.outlet.class_bandwidth import reserved_bps
from advisor.outlet.framing import Layer2
from advisor.outlet.link_rates import far_end
from advisor.outlet.outlet import Outlet, Queueing

# DSCPs whose packets all end in one class of a policy, as its match lines prove it.

_ALL: Final = frozenset(range(64))
_PER_PRECEDENCE: Final = 8
_CLASS_MAP: Final = "class-map "


def taken_dscps(facts: Facts, class_names: Sequence[str]) -> Mapping[str, tuple[int, ...]]:
    """Codes of each class of a policy, in the order of its classes.

    A code that an earlier class may take, or that a match-all narrows, belongs to no class.
    """
    selectable, asked = selectable_by_class(facts), frozenset[int]()
    heads = (line.under for line in facts.unread)
    not_read = {head.removeprefix(_CLASS_MAP) for head in heads if head.startswith(_CLASS_MAP)}
    taken: dict[str, tuple[int, ...]] = {}
    for name in class_names:
        class_map = facts.class_map(name)
        if name == CLASS_DEFAULT:
            continue
        own = selectable(name)
        named = own.named_dscps | {
            code for code in own.dscps if code // _PER_PRECEDENCE in own.named_precedences
        }
        if class_map is None or name in not_read or _asks_more(class_map):
            named = frozenset()
        taken[name] = tuple(sorted(named - asked))
        asked |= own.dscps
    return {**taken, CLASS_DEFAULT: tuple(sorted(_ALL - asked))}


def _asks_more(class_map: ClassMap) -> bool:
    return class_map.match_all and len(class_map.matches) > 1


# Statements that decide which packets a class takes: its lines, the lists they name, marks.

_LIMIT, _DROP = "rate-limit output ", "drop"
CLASS_MAP: Final = "class-map"
_LIST: Final = "access-list"
_GROUP: Final = "object-group"


class KnownTaker(Struct, frozen=True):
    """A class of a policy; `marks` are the DSCPs that it sets.

    `reserved_bps` is the rate of its `priority` or `bandwidth`. Of a policy that queues, `taken`
    are the DSCPs whose packets all end in the class.
    """

    name: str
    is_priority: bool = False
    marks: tuple[int, ...] = ()
    reserved_bps: float | None = None
    taken: tuple[int, ...] = ()

    @property
    def leaves_as(self) -> tuple[int, ...]:
        """The DSCPs that its packets leave with; none where they are not known."""
        return self.marks or self.taken


class KnownFragments(Struct, frozen=True):
    """How an output cuts packets: by FRF.12, or by MLPPP that interleaves; None: by a delay."""

    is_frf12: bool
    size_bytes: float | None = None


class KnownOrder(Struct, frozen=True):
    """The classes of a policy in their order; none of one that is not read.

    Of a policy that queues, `path` is that of its output; of one that marks, of where it is
    attached. `has_ipv6` tells that interfaces of the device have IPv6. `far_cuts` tells whether the
    other end of its link cuts packets; None where the run does not have that end. `limits` are the
    lines by which CAR drops packets of the output.
    """

    device: str
    path: str
    takers: tuple[KnownTaker, ...]
    is_marking: bool = False
    has_ipv6: bool = False
    fragments: KnownFragments | None = None
    far_cuts: bool | None = None
    limits: tuple[str, ...] = ()


class KnownSection(Struct, frozen=True):
    """The lines of a class-map, an access list or an object-group: `path` is kind and name."""

    device: str
    path: str
    lines: tuple[str, ...]


def orders_of(device: Device, outputs: Mapping[str, Outlet]) -> Iterator[KnownOrder]:
    """The policies that queue, and those that mark packets on input."""
    has_ipv6 = any(
        line.text.startswith("ipv6 ")
        for own in device.facts.tree.commands()
        if own.words[:1] == ["interface"]
        for line in own.children
    )
    for path, outlet in outputs.items():
        if outlet.kind is Queueing.POLICY:
            above = _marks_above(outlet)
            taken = taken_dscps(
                device.facts, [queue_class.name for queue_class in outlet.queueing.classes]
            )
            queued = tuple(
                KnownTaker(
                    queue_class.name,
                    is_priority=queue_class.priority is not None,
                    reserved_bps=reserved_bps(outlet, queue_class),
                    marks=_marks(queue_class) or above,
                    taken=taken.get(queue_class.name, ()),
                )
                for queue_class in outlet.queueing.classes
            )
            cut, far = _fragments(outlet), far_end(device, outlet.attached_to)
            yield KnownOrder(
                device.name,
                path,
                queued,
                has_ipv6=has_ipv6,
                fragments=cut,
                far_cuts=far.cuts if far is not None else None,
                limits=tuple(_limits(outlet)),
            )
        elif outlet.kind is Queueing.UNREAD:
            yield KnownOrder(device.name, path, (), has_ipv6=has_ipv6)
    for attachment in attachments(device.facts):
        if attachment.attachment.direction is Side.INPUT and not attachment.interface.shutdown:
            for path, takers in _marking(
                device.facts, attachment.label, attachment.attachment.policy, ()
            ):
                yield KnownOrder(device.name, path, takers, is_marking=True, has_ipv6=has_ipv6)


def _limits(outlet: Outlet) -> Iterator[str]:
    """Lines of CAR on output; one that drops nothing is none."""
    for stated in outlet.interface.legacy_queueing:
        if stated.value.startswith(_LIMIT) and _DROP in stated.value.split():
            yield stated.value


def _fragments(outlet: Outlet) -> KnownFragments | None:
    size = outlet.fragment_bytes
    if size is not None and outlet.encapsulation is not None:
        is_frf12 = outlet.encapsulation.kind is Layer2.FRAME_RELAY
        return KnownFragments(is_frf12, size.value)
    place = outlet.bundle or outlet.session or outlet.interface
    interleave = place.multilink.interleave
    return KnownFragments(is_frf12=False) if interleave is not None and interleave.value else None


def _marking(
    facts: Facts, path: str, name: str, above: tuple[str, ...]
) -> Iterator[tuple[str, tuple[KnownTaker, ...]]]:
    policy = facts.policy_map(name)
    if policy is None or name in above:
        return
    takers = tuple(KnownTaker(item.name, marks=_marks(item)) for item in policy.classes)
    if any(taker.marks for taker in takers):
        yield path, takers
    for queue_class in policy.classes:
        if queue_class.child is not None:
            below = f"{path} > class {queue_class.name}"
            yield from _marking(facts, below, queue_class.child.value, (*above, name))


def _marks_above(outlet: Outlet) -> tuple[int, ...]:
    """DSCPs that the class around a child sets."""
    for queue_class in outlet.policy.classes if outlet.policy is not outlet.queueing else ():
        if queue_class.child is not None and queue_class.child.value == outlet.queueing.name:
            return _marks(queue_class)
    return ()


def _marks(policy_class: PolicyClass) -> tuple[int, ...]:
    """DSCPs that `set dscp` and `set precedence` give to the packets of a class."""
    return tuple(sorted({code for mark in set_marks(policy_class) for code in mark.dscps}))


def sections_of(device: Device, orders: Sequence[KnownOrder]) -> Iterator[KnownSection]:
    """The sections that the classes of these policies are made of, each once."""
    by_path = _by_path(device.facts.tree)
    names = {f"{CLASS_MAP} {taker.name}" for order in orders for taker in order.takers}
    for path in reached(sorted(names), by_path):
        yield KnownSection(device.name, path, tuple(by_path[path]))


def reached(paths: Iterable[str], sections: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """These sections and all that they name, in the order in which they are named."""
    found: dict[str, None] = {}
    waiting = list(reversed(tuple(paths)))
    while waiting:
        path = waiting.pop()
        if path not in found and path in sections:
            found[path] = None
            waiting += reversed([item for line in sections[path] for item in named_in(line)])
    return tuple(found)


def named_in(line: str) -> Iterator[str]:
    """The sections that a line names."""
    words = line.split()
    if "match" in words[:1]:
        rest = [word for word in words[1:] if word != "not"]
        if rest[:1] == ["access-group"] and len(rest) > 1:
            yield f"{_LIST} {rest[-1]}"
        elif rest[:1] == [CLASS_MAP] and len(rest) > 1:
            yield f"{CLASS_MAP} {rest[-1]}"
    for word, name in pairwise(words):
        if word in (_GROUP, "group-object"):
            yield f"{_GROUP} {name}"


def _by_path(tree: ConfigTree) -> dict[str, list[str]]:
    by_path: dict[str, list[str]] = defaultdict(list)
    for line in tree.commands():
        path = _path(line.words)
        if path is not None:
            by_path[path] += _lines(line)
    return by_path


def _path(words: Sequence[str]) -> str | None:
    match words:
        case ["class-map", *_, name]:
            return f"{CLASS_MAP} {name}"
        case (
            ["access-list", name, *_]
            | ["ipv6", "access-list", name, *_]
            | ["ip" | "mac", "access-list", _, name, *_]
        ):
            return f"{_LIST} {name}"
        case ["object-group", _, name, *_]:
            return f"{_GROUP} {name}"
    return None


def _lines(line: Line) -> Iterator[str]:
    """A line and those below it, but remarks: they take no packet."""
    for number, own in enumerate(line.walk()):
        words = own.text.split()
        if own.is_command and "remark" not in words[:3] and words[:1] != ["description"]:
            yield f" {own.text}" if number else own.text
