"""What was stated or counted for an output and is in no figure of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.interface import Direction
from advisor.facts.policy import CLASS_DEFAULT
from advisor.facts.selectable import selectable_by_class
from advisor.ios.syntax.names import interface_name
from advisor.outlet.offer import is_for
from advisor.outlet.parts import circuit_number
from advisor.outlet.plain_outlets import queueing_outlets
from advisor.outlet.seen_classes import latest_policies, number_of, place_of
from advisor.outlet.statements import answered_by
from advisor.outlet.wred_groups import codes_of, dscp_of

if TYPE_CHECKING:
    from advisor.shows.policy_map.records import ObservedPolicy

_CIRCUITS: Final = ("VC", "PVC", "DLCI")
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
            and any(each.name == statement.class_name for each in outlet.llq_classes)
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
    for statement in answered_by(device):
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
        (each.interface.name, circuit_number(each)): each.attachment.policy
        for each in attachments(device.facts)
        if each.attachment.direction is Direction.OUTPUT
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
