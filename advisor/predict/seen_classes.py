"""Classes of attached output policies as `show policy-map interface` counted them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.ios.names import interface_name
from advisor.observed.observations import Observations

if TYPE_CHECKING:
    from advisor.observed.policy_map_types import (
        ChildPolicy,
        Circuit,
        ObservedClass,
        ObservedPolicy,
        PriorityQueue,
    )


class SeenClass(Struct, frozen=True):
    """One class with its object path and the policy that it stands in.

    `siblings` are all classes of that policy, this one included; `priority_queues` the queues
    that its priority classes share. `interface` and `circuit` say where the policy is attached.
    """

    label: str
    interface: str
    circuit: str | None
    policy: str
    seen: ObservedClass
    siblings: tuple[ObservedClass, ...]
    priority_queues: tuple[PriorityQueue, ...]


def latest_policies(seen: Observations) -> tuple[ObservedPolicy, ...]:
    """Output policies, of each attachment the latest capture."""
    latest = {
        (interface_name(each.interface), _number(each.circuit)): each
        for each in seen.policies
        if each.direction == "output"
    }
    return tuple(latest.values())


def seen_classes(seen: Observations) -> Iterator[SeenClass]:
    """Classes of all output policies, nested ones after the class that they stand in."""
    for policy in latest_policies(seen):
        yield from _classes(policy, policy, place_of(policy))


def place_of(policy: ObservedPolicy) -> str:
    """Object path of what a policy is attached to, as attachments of a config have it."""
    label, circuit = f"interface {interface_name(policy.interface)}", policy.circuit
    if circuit is None:
        return label
    kind = {"VC": "pvc"}.get(circuit.kind, circuit.kind.lower())
    return f"{label} > {kind} {circuit.number}"


def classes_of(policy: ObservedPolicy, name: str) -> tuple[ObservedClass, ...]:
    """Classes of the policy-map of that name: the one attached, or one nested in it."""
    waiting: list[ObservedPolicy | ChildPolicy] = [policy]
    while waiting:
        each = waiting.pop()
        if each.policy == name:
            return each.classes
        waiting += [one.child for one in each.classes if one.child is not None]
    return ()


def _classes(
    attached: ObservedPolicy, policy: ObservedPolicy | ChildPolicy, place: str
) -> Iterator[SeenClass]:
    path = f"{place} > policy {policy.policy}"
    for each in _once(policy.classes):
        label = f"{path} > class {each.name}"
        yield SeenClass(
            label=label,
            interface=interface_name(attached.interface),
            circuit=_number(attached.circuit),
            policy=policy.policy,
            seen=each,
            siblings=policy.classes,
            priority_queues=policy.priority_queues,
        )
        if each.child is not None:
            yield from _classes(attached, each.child, label)


def _once(classes: tuple[ObservedClass, ...]) -> Iterator[ObservedClass]:
    """Each class once: a 6500 prints it as counted by hardware and by software."""
    names = set()
    for each in classes:
        if each.name not in names:
            names.add(each.name)
            yield each


def _number(circuit: Circuit | None) -> str | None:
    return None if circuit is None else circuit.number


def drops_packets(each: ObservedClass) -> int | None:
    """Packets that a class dropped; None where no counter is printed.

    The queue's own total where there is one, else the sum of its WRED rows.
    """
    queue = each.queue
    if queue is not None and queue.total_drops_packets is not None:
        return queue.total_drops_packets
    rows = each.wred.rows if each.wred is not None else ()
    counts = [drop.packets for row in rows for drop in (row.random_drops, row.tail_drops) if drop]
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
