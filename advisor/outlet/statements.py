"""Statements and counters that a device answers to, that name nothing, or are in no figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.interface import Side
from advisor.facts.policy import CLASS_DEFAULT
from advisor.facts.selectable import selectable_by_class
from advisor.ios.syntax.names import interface_name
from advisor.outlet.measured import latest_policies, number_of, place_of
from advisor.outlet.offer import classes_of, is_for, speaks_of
from advisor.outlet.operations import operations_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.parts import circuit_number
from advisor.outlet.plain import queueing_outlets
from advisor.outlet.wred_rows import codes_of, dscp_of
from advisor.settings import StatedRate, Traffic
from advisor.settings.document import nearest

if TYPE_CHECKING:
    from advisor.shows.policy_map import ObservedPolicy


# Which statements of the user a device answers to, and which name nothing that it has.

_ANY = frozenset("*?[")


class Misstated(Struct, frozen=True):
    """A statement about a device of the run that has not what it names; `said` advises a name."""

    statement: Traffic | StatedRate
    said: str


def answered_by(device: Device) -> tuple[Traffic | StatedRate, ...]:
    """Return the statements that name a class of an output of the device, or a line of it.

    One of `ip_sla` also needs an operation that leaves by that output in that class.
    """
    return (*_answered_traffic(device), *_answered_rates(device))


def _answered_rates(device: Device) -> Iterator[StatedRate]:
    names = [interface.name for interface in device.facts.interfaces]
    for rate in device.stated_rates:
        if any(fnmatchcase(name, rate.interface) for name in names):
            yield rate


def _answered_traffic(device: Device) -> tuple[Traffic, ...]:
    points = queueing_outlets(device) if device.traffic else ()
    return tuple(
        statement
        for statement in device.traffic
        if any(
            speaks_of(statement, outlet) and not _lacks_operations(device, statement, outlet)
            for outlet in points
        )
    )


def _lacks_operations(device: Device, statement: Traffic, outlet: Outlet) -> bool:
    return statement.of_ip_sla and all(
        operation.class_name != statement.class_name for operation in operations_at(device, outlet)
    )


def misstated_of(device: Device) -> tuple[Misstated, ...]:
    """Return the statements about the device whose interface or class it has not.

    Nothing is said of a device without a whole configuration: the lost part may have the name.
    """
    facts = device.facts
    is_cut = any(problem.is_cut for problem in facts.tree.problems)
    if not (device.is_ios and facts.interfaces) or is_cut or device.gaps:
        return ()
    answered = answered_by(device)
    stated: tuple[Traffic | StatedRate, ...] = (*device.traffic, *device.stated_rates)
    return tuple(
        Misstated(statement, f"{statement.source}: {_advice(device, statement)}")
        for statement in stated
        if statement not in answered
    )


def wrong_statements(devices: Iterable[Device]) -> tuple[Misstated, ...]:
    """Return the statements about devices of a run that none of the devices answers to."""
    run = tuple(devices)
    answered = {statement for device in run for statement in answered_by(device)}
    return unanswered((wrong for device in run for wrong in misstated_of(device)), answered)


def unanswered(misstated: Iterable[Misstated], answered: Iterable[object]) -> tuple[Misstated, ...]:
    """Return the first word about each statement that no device of a run answers to."""
    known = set(answered)
    first: dict[Traffic | StatedRate, Misstated] = {}
    for wrong in misstated:
        if wrong.statement not in known:
            first.setdefault(wrong.statement, wrong)
    return tuple(first.values())


def _advice(device: Device, statement: Traffic | StatedRate) -> str:
    if isinstance(statement, StatedRate):
        names = [interface.name for interface in device.facts.interfaces]
        there = nearest(statement.interface, names)
        return f"interface {statement.interface!r}: {device.name} has none; {there}"
    points = queueing_outlets(device)
    meant = [outlet for outlet in points if is_for(statement, outlet)]
    if meant:
        where = meant[0].interface.name if len(_names(meant)) == 1 else "these interfaces"
        if any(speaks_of(statement, outlet) for outlet in meant):
            return (
                f"ip_sla: no IP SLA operation of {device.name} of known route and packets is in "
                f"class {statement.class_name!r} on {where}"
            )
        classes = dict.fromkeys(name for outlet in meant for name in classes_of(outlet))
        name = statement.class_name
        return f"class {name!r}: {device.name} has none on {where}; {nearest(name, classes)}"
    name = statement.interface
    if not points:
        return f"interface {name!r}: {device.name} has no output with known queueing"
    is_there = any(name == interface.name for interface in device.facts.interfaces)
    if is_there or _ANY & set(name):
        there = ", ".join(_names(points))
        return f"interface {name!r}: {device.name} has no known queueing there, but on {there}"
    return f"interface {name!r}: {device.name} has none; {nearest(name, _names(points))}"


def _names(points: Iterable[Outlet]) -> tuple[str, ...]:
    def named() -> Iterator[str]:
        for outlet in points:
            yield outlet.interface.name
            if outlet.bundle is not None:
                yield outlet.bundle.name

    return tuple(dict.fromkeys(named()))


# Statements and counters of an output that are in no figure of it.

_CIRCUITS: Final = ("VC", "PVC", "DLCI", "EFP", "Service Instance")
_NOT_CONFIGURED: Final = ("Control Plane", "Virtual-Access")


def unused_notes(device: Device) -> Iterator[str]:
    """Say of statements and counters why no figure has them."""
    yield from _tcp_in_priority(device)
    yield from _unmatched(device)
    yield from _other_policies(device)


def _tcp_in_priority(device: Device) -> Iterator[str]:
    """TCP flows have no rate: an LLQ that carries some is predicted at its reserved rate."""
    points = queueing_outlets(device) if device.traffic else ()
    for statement in device.traffic:
        in_llq = any(
            is_for(statement, outlet)
            and any(
                llq_queue_class.name == statement.class_name
                for llq_queue_class in outlet.llq_classes
            )
            for outlet in points
        )
        if statement.tcp is not None and in_llq:
            yield (
                f"{statement.source}: tcp_flows of the priority class {statement.class_name}: TCP "
                "flows are not solved there; the class is predicted at its reserved rate"
            )


def _unmatched(device: Device) -> Iterator[str]:
    """A marking that no packet of the class has, as its class-map proves."""
    selectable = selectable_by_class(device.facts)
    for statement in _answered_traffic(device):
        dscp, name = dscp_of(statement), statement.class_name
        if dscp is None or name == CLASS_DEFAULT:
            continue
        if not codes_of(statement, dscp) & selectable(name).dscps:
            yield (
                f"{statement.source}: class {name} does not match {statement.marking}; its packets "
                "are taken for those of the class as stated"
            )


def _other_policies(device: Device) -> Iterator[str]:
    """Counters of a policy that the configuration does not attach at that place."""
    if not device.facts.interfaces:
        return
    attached = {
        (attachment.interface.name, circuit_number(attachment)): attachment.attachment.policy
        for attachment in attachments(device.facts)
        if attachment.attachment.direction is Side.OUTPUT
    }
    for counted in latest_policies(device.seen):
        if not _is_of_config(counted):
            continue
        there = attached.get((interface_name(counted.interface), number_of(counted.circuit)))
        if there != counted.policy:
            yield (
                f"{counted.at}: counters of policy-map {counted.policy} on {place_of(counted)} are "
                f"not used: the configuration has {there or 'no output policy'} there"
            )


def _is_of_config(counted: ObservedPolicy) -> bool:
    """Whether a configuration states the place: not of the control plane, of a peer or session."""
    if counted.circuit is not None and counted.circuit.kind not in _CIRCUITS:
        return False
    return not counted.interface.startswith(_NOT_CONFIGURED)
