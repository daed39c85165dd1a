"""Bulk data that an input policy marks like voice: it enters the LLQ of the outputs."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.interface import Side
from advisor.facts.packet_set import ALL_DSCPS, Box
from advisor.facts.policy import PolicyMap
from advisor.facts.traffic_kinds import TrafficKind, is_of_any_address, traffic_of
from advisor.ios.syntax import Location
from advisor.lint.checks.llq import marks_of, reaching


class MarkedBulk(Struct, frozen=True):
    """A class of an input policy that takes bulk data, and the DSCPs that it writes.

    `is_rest`: it takes what the other classes leave. Alone, a class-default may be of phones only.
    """

    policy: str
    class_name: str
    dscps: frozenset[int]
    at: Location
    is_rest: bool


def marked_bulk(device: Device) -> tuple[MarkedBulk, ...]:
    """All markings of bulk data by input policies."""
    return device.derived(_marked_bulk)


def _marked_bulk(device: Device) -> tuple[MarkedBulk, ...]:
    inputs = (
        attached.attachment.policy
        for attached in attachments(device.facts)
        if attached.attachment.direction is Side.INPUT
    )
    policies = device.facts.nested_policies(*dict.fromkeys(inputs))
    return tuple(mark for policy in policies for mark in _of_policy(device, policy))


def _of_policy(device: Device, policy: PolicyMap) -> Iterator[MarkedBulk]:
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
