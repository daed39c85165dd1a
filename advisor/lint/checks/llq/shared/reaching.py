"""Packets that reach a class of a policy-map: those that no earlier class takes."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.matched_packets import packets_of_classes
from advisor.facts.packet_set import Box, Cover
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.lint.checks.llq.shared.traffic import is_unread


class Reaching(Struct, frozen=True):
    """A class and the boxes that reach it; None where its class-map is not read in full.

    `broken`: its class-map, or what it names, does not exist: its packets are not known.
    """

    policy_class: PolicyClass
    boxes: tuple[Box, ...] | None
    broken: bool = False


def reaching(device: Device, policy: PolicyMap) -> Iterator[Reaching]:
    """Each class of a policy-map but class-default, in order."""
    classes = [each for each in policy.classes if not each.is_default]
    reached = device.derived(_Reached).by(tuple([each.name for each in classes]))
    for policy_class, (boxes, broken) in zip(classes, reached, strict=True):
        yield Reaching(policy_class, boxes, broken)


_Boxes = tuple[tuple[Box, ...] | None, bool]


class _Reached:
    """What reaches classes in an order: the same for all policies that have them."""

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
