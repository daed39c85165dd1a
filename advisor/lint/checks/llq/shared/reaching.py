"""Packets that reach a class of a policy-map: those that no earlier class takes."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.matched_packets import PacketsOfClasses
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
    packets = device.derived(_packets)
    before = Cover()
    for policy_class in policy.classes:
        if policy_class.is_default:
            continue
        matched = packets.of(policy_class.name)
        boxes = None
        if matched.most is not None and not any(map(is_unread, matched.most)):
            boxes = tuple(box for box in matched.most if box.dscps and not before.takers(box))
        yield Reaching(policy_class, boxes, matched.broken)
        if not matched.broken and matched.most != ():
            for box in matched.sure:
                before.add(policy_class.name, box)


def _packets(device: Device) -> PacketsOfClasses:
    return PacketsOfClasses(device.facts)
