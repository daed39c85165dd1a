"""Which packets reach a class, which classes turn them away, and what a device marks."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts import Stated
from advisor.facts.attachments import attached_policies
from advisor.facts.config import Facts
from advisor.facts.interface import Side
from advisor.facts.matched_packets import packets_of_classes
from advisor.facts.packet_set import ALL_DSCPS, Box, Cover
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.facts.traffic_kinds import (
    VOICE_DSCPS,
    TrafficKind,
    is_of_any_address,
    is_unread,
    traffic_of,
)
from advisor.ground.questions import derived
from advisor.ios.syntax import Line, Location
from advisor.ios.syntax.names import dscp_code, precedence_code
from advisor.lint.checks.base import begins_as, rows_of, words_of

_VOICE_PRECEDENCE: Final = 5


def turns_away(policy_class: PolicyClass) -> bool:
    """Whether a class has no queue and marks its packets down, polices or drops them.

    What it takes is not to be served as voice: it keeps false markings out of the LLQ.
    """
    if policy_class.queues or policy_class.child is not None:
        return False
    is_marked_down = any(map(_marks_down, policy_class.sets))
    return policy_class.drops or policy_class.police is not None or is_marked_down


def _marks_down(marked: Stated[str]) -> bool:
    """Whether `set dscp` or `set precedence` writes a marking that is not that of voice."""
    kind, *words = marked.value.split()
    value = words[-1] if words else ""  # `set atm-clp` has none
    if kind == "dscp":
        return dscp_code(value) not in {*VOICE_DSCPS, None}
    return kind == "precedence" and precedence_code(value) not in {_VOICE_PRECEDENCE, None}


# Packets that reach a class of a policy-map: those that no earlier class takes.


class Reaching(Struct, frozen=True):
    """A class and the boxes that reach it; None where its class-map is not read in full.

    `broken`: its class-map, or what it names, does not exist: its packets are not known.
    """

    policy_class: PolicyClass
    boxes: tuple[Box, ...] | None
    broken: bool = False


def reaching(device: Device, policy: PolicyMap) -> Iterator[Reaching]:
    """Each class of a policy-map but class-default, in order."""
    classes = [queue_class for queue_class in policy.classes if not queue_class.is_default]
    reached = _reached(device).by(tuple([queue_class.name for queue_class in classes]))
    for policy_class, (boxes, broken) in zip(classes, reached, strict=True):
        yield Reaching(policy_class, boxes, broken)


_Boxes = tuple[tuple[Box, ...] | None, bool]


class _Reached:
    """Packets that reach classes in an order: the same for all policies that have them."""

    def __init__(self, device: Device) -> None:
        self._packets = packets_of_classes(device.facts)
        self._by: dict[tuple[str, ...], tuple[_Boxes, ...]] = {}

    def by(self, names: tuple[str, ...]) -> tuple[_Boxes, ...]:
        """For each class the boxes that reach it, and whether it is broken."""
        if names not in self._by:
            self._by[names] = tuple(self._in_order(names))
        return self._by[names]

    def _in_order(self, names: tuple[str, ...]) -> Iterator[_Boxes]:
        before = Cover()
        for name in names:
            matched = self._packets.of(name)
            boxes = None
            if matched.most is not None and not any(map(is_unread, matched.most)):
                boxes = tuple(box for box in matched.most if box.dscps and not before.takers(box))
            yield boxes, matched.broken
            if not matched.broken and matched.most != ():
                for box in matched.sure:
                    before.add(name, box)


@derived
def _reached(device: Device) -> _Reached:
    return _Reached(device)


# Marks of the device itself, and whether anything else in it marks or trusts packets.

_DSCPS_PER_PRECEDENCE: Final = 8


class PolicyMark(Struct, frozen=True):
    """A mark of an attached policy and the DSCPs that its packets then have."""

    dscps: frozenset[int]
    at: Location


def marks(facts: Facts, direction: Side | None = None) -> Iterator[PolicyMark]:
    """All `set dscp`, `set precedence` and policers that mark of attached policies and children.

    With a direction, only of policies that are attached there.
    """
    for policy in attached_policies(facts, direction):
        for policy_class in policy.classes:
            yield from marks_of(policy_class)


def marks_of(policy_class: PolicyClass) -> Iterator[PolicyMark]:
    """Yield the marks that a class's `set` lines write, and its policer to conforming packets."""
    yield from _conforming(policy_class)
    yield from set_marks(policy_class)


def set_marks(policy_class: PolicyClass) -> Iterator[PolicyMark]:
    """Yield the marks that `set dscp` and `set precedence` of a class write."""
    for marked in policy_class.sets:
        words = marked.value.lower().split()
        if words[0] == "dscp" and (dscp := dscp_code(words[-1])) is not None:
            yield PolicyMark(frozenset((dscp,)), marked.at)
        elif words[0] == "precedence" and (code := precedence_code(words[-1])) is not None:
            low = code * _DSCPS_PER_PRECEDENCE
            yield PolicyMark(frozenset(range(low, low + _DSCPS_PER_PRECEDENCE)), marked.at)


def _conforming(policy_class: PolicyClass) -> Iterator[PolicyMark]:
    """Yield the marks that a policer writes into the packets below its rate."""
    police = policy_class.police
    words = (police.conform or "").lower().split() if police is not None else []
    if police is not None and words[:1] == ["set-dscp-transmit"]:
        code = dscp_code(words[-1])
        if code is not None:
            yield PolicyMark(frozenset((code,)), police.at)


@derived
def may_mark_otherwise(facts: Facts) -> bool:
    """Whether a line of the configuration marks or trusts packets in a way that is not read."""
    if not facts.tree.may_hold(*rows_of("mark-or-trust"), *words_of("mark-or-trust-words")):
        return False
    read = {mark.at.line for mark in marks(facts)}
    return any(_marks(line) for line in facts.tree.walk() if line.number not in read)


def _marks(line: Line) -> bool:
    if not line.is_command:
        return False
    text = line.text.lower()
    other_words = words_of("mark-or-trust-words")
    return begins_as("mark-or-trust", text) or not other_words.isdisjoint(text.split())


# Bulk data that an input policy marks like voice: it enters the LLQ of the outputs.


class MarkedBulk(Struct, frozen=True):
    """A class of an input policy that takes bulk data, and the DSCPs that it writes.

    `is_rest`: it takes what the other classes leave. Alone, a class-default may be of phones only.
    """

    policy: str
    class_name: str
    dscps: frozenset[int]
    at: Location
    is_rest: bool


@derived
def marked_bulk(device: Device) -> tuple[MarkedBulk, ...]:
    """All markings of bulk data by input policies."""
    policies = attached_policies(device.facts, Side.INPUT)
    return tuple(mark for policy in policies for mark in _of_one_policy(device, policy))


def _of_one_policy(device: Device, policy: PolicyMap) -> Iterator[MarkedBulk]:
    bulk = {
        member.policy_class.name
        for member in reaching(device, policy)
        if any(_is_bulk(box) for box in member.boxes or ())
    }
    for policy_class in policy.classes:
        if policy_class.is_default or policy_class.name in bulk:
            is_rest = policy_class.is_default and len(policy.classes) > 1
            for mark in marks_of(policy_class):
                name = policy_class.name
                yield MarkedBulk(policy.name, name, mark.dscps, mark.at, is_rest)


def _is_bulk(box: Box) -> bool:
    """Whether a box holds bulk data for sure: an address alone may be that of phones."""
    is_named = box.protocol is not None or box.dscps != ALL_DSCPS or is_of_any_address(box)
    return is_named and traffic_of(box) is TrafficKind.BULK
