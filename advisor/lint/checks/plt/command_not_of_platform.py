"""Commands that IOS XE or a switch does not have, or that QFP refuses."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.interface import Direction, Interface
from advisor.facts.policy import PolicyClass, Unit
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.parts import policy_queues

_ABSENT = "Cisco's models of IOS XE 16.6 to 26.1 do not have this command"
_REMOVED = "IOS XE 3.2S removed the queueing commands of interfaces"
_CONVERT = "convert `bandwidth` to `bandwidth remaining`, or take the child policy out"
_LEAF_ONLY = "a class with `bandwidth` is a leaf on QFP: it takes no child policy that queues"
_PORT_QUEUES = "its ports have queues of their own, and an output policy of it does not queue"
_PORT_QUEUED: Final = ("c2960", "c3560", "c3750")  # recalled: facts on Catalyst output policies
_SRR = "set the port queues: `srr-queue bandwidth share` and `priority-queue out`"
_METRO: Final = "me-"  # ME-C3750: its enhanced ports take hierarchical policies


class Evidence(Struct, frozen=True):
    """The command, and why the platform does not have it."""

    command: str
    platform: str
    because: str


class _Command(Struct, frozen=True):
    """A command, its place, and whether a document says that it is refused."""

    object: str
    at: Location
    command: str
    because: str
    is_refused: bool = False
    advice: str | None = None  # in place of the card's


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each command that IOS XE or a switch does not have.

    What follows only from the absence of a command in the models, or is recalled, is `info` and
    `possible`.
    """
    del params
    captured = device.facts.tree.is_capture
    of_xe = (*_of_interfaces(device), *_of_classes(device)) if device.platform.is_xe else ()
    for command in (*of_xe, *_of_switch(device)):
        sure = command.is_refused and not captured
        yield Hit(
            command.object,
            (command.at,),
            Evidence(command.command, device.platform.title, command.because),
            Confidence.LIKELY if sure else Confidence.POSSIBLE,
            severity=None if command.is_refused else Severity.INFO,
            curable=False,
            advice=command.advice,
        )


def _of_interfaces(device: Device) -> Iterator[_Command]:
    for interface in device.facts.interfaces:
        yield from _of_interface(interface)


def _of_interface(interface: Interface) -> Iterator[_Command]:
    label = f"interface {interface.name}"
    homes = [(label, interface.tx_ring_limit)]
    homes += [(f"{label} > {pvc.label}", pvc.tx_ring_limit) for pvc in interface.pvcs]
    for place, ring in homes:
        if ring is not None:
            yield _Command(place, ring.at, f"tx-ring-limit {ring.value}", _ABSENT)
    wred = interface.random_detect
    if wred is not None and wred.value:
        yield _Command(label, wred.at, "random-detect", _ABSENT)
    for line in interface.legacy_queueing:
        yield _Command(label, line.at, line.value.partition(" ")[0], _REMOVED)


def _of_classes(device: Device) -> Iterator[_Command]:
    if not device.platform.is_qfp:
        return
    for policy in device.facts.policy_maps:
        for policy_class in policy.classes:
            stated = policy_class.bandwidth
            if stated is not None and _is_rate(stated.unit) and _child_queues(device, policy_class):
                label = f"policy-map {policy.name} > class {policy_class.name}"
                yield _Command(
                    label, stated.at, "bandwidth", _LEAF_ONLY, is_refused=True, advice=_CONVERT
                )


def _of_switch(device: Device) -> Iterator[_Command]:
    """Output policies that queue, on switches whose ports schedule by themselves."""
    model = (device.platform.model_name or "").lower()
    if model.startswith(_METRO) or not any(name in model for name in _PORT_QUEUED):
        return
    for attached in attachments(device.facts):
        to, policy = attached.attachment, device.facts.policy_map(attached.attachment.policy)
        is_output = to.direction is Direction.OUTPUT
        if is_output and policy is not None and policy_queues(device.facts, policy):
            command = f"service-policy output {policy.name}"
            yield _Command(attached.label, to.at, command, _PORT_QUEUES, advice=_SRR)


def _is_rate(unit: Unit) -> bool:
    return unit in (Unit.KBPS, Unit.PERCENT)


def _child_queues(device: Device, policy_class: PolicyClass) -> bool:
    name = policy_class.child
    child = device.facts.policy_map(name.value) if name is not None else None
    return child is not None and policy_queues(device.facts, child)


CHECK = Check(NoParams, Evidence, find)
