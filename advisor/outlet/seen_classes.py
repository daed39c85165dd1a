"""Classes of attached output policies as `show policy-map interface` counted them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.ios.syntax.names import interface_name
from advisor.shows.observations import Observations

if TYPE_CHECKING:
    from advisor.shows.policy_map.records import (
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
    `is_whole` is false where a class of that policy is not understood: it is no sibling then.
    """

    label: str
    interface: str
    circuit: str | None
    policy: str
    seen: ObservedClass
    siblings: tuple[ObservedClass, ...]
    priority_queues: tuple[PriorityQueue, ...]
    is_whole: bool


def latest_policies(seen: Observations) -> tuple[ObservedPolicy, ...]:
    """Output policies; the latest capture of each attachment."""
    latest = {
        (interface_name(policy.interface), number_of(policy.circuit)): policy
        for policy in seen.policies
        if policy.direction == "output"
    }
    return tuple(latest.values())


class NestedClass(Struct, frozen=True):
    """A class of an attached policy or of a nested one; `path` are its names, outermost first.

    `siblings` are all classes of its policy-map, which is `policy`; `is_whole` is false where one
    is not understood.
    """

    policy: str
    path: tuple[str, ...]
    seen: ObservedClass
    siblings: tuple[ObservedClass, ...]
    priority_queues: tuple[PriorityQueue, ...]
    is_whole: bool


def nested_classes(
    policy: ObservedPolicy | ChildPolicy, above: tuple[str, ...] = ()
) -> Iterator[NestedClass]:
    """All classes of a policy, nested ones after the class that they stand in."""
    queues = policy.priority_queues
    for seen in _once(policy.classes):
        path = (*above, seen.name)
        yield NestedClass(policy.policy, path, seen, policy.classes, queues, not policy.unread)
        if seen.child is not None:
            yield from nested_classes(seen.child, path)


def classes_at(
    seen: Observations, place: tuple[str, str | None], policy: str
) -> tuple[ObservedClass, ...]:
    """Classes of a policy-map as they were counted at an output; empty where none were.

    Parameters
    ----------
    seen : Observations
        The show outputs of the device.
    place : tuple of str and str or None
        Interface, and circuit of it (`0/100`, a DLCI), where the policy is attached.
    policy : str
        The policy-map that queues: the attached one, or one nested in it.
    """
    counted = _policy_at(seen, place, policy)
    return counted.classes if counted is not None else ()


def unread_classes_at(
    seen: Observations, place: tuple[str, str | None], policy: str
) -> tuple[str, ...]:
    """Names of the classes of a policy-map, counted at an output, that are not understood.

    Where the policy-map is not among those that are understood, a class that is not understood
    may hold it: all of these are named. The arguments are those of `classes_at`.
    """
    counted = _policy_at(seen, place, policy)
    if counted is not None:
        return counted.unread
    attached = seen.policy(place[0], "output", place[1])
    nested = _policies_in(attached) if attached is not None else ()
    return tuple(name for member in nested for name in member.unread)


def _policy_at(
    seen: Observations, place: tuple[str, str | None], policy: str
) -> ObservedPolicy | ChildPolicy | None:
    attached = seen.policy(place[0], "output", place[1])
    nested = _policies_in(attached) if attached is not None else ()
    return next((member for member in nested if member.policy == policy), None)


def _policies_in(
    policy: ObservedPolicy | ChildPolicy,
) -> Iterator[ObservedPolicy | ChildPolicy]:
    """The policy, and those nested in its classes."""
    yield policy
    for observed in _once(policy.classes):
        if observed.child is not None:
            yield from _policies_in(observed.child)


def seen_classes(seen: Observations) -> Iterator[SeenClass]:
    """Classes of all output policies, nested ones after the class that they stand in."""
    for policy in latest_policies(seen):
        policies: dict[tuple[str, ...], str] = {}
        for nested in nested_classes(policy):
            policies[nested.path[:-1]] = nested.policy
            steps = (
                f"policy {policies[nested.path[:depth]]} > class {name}"
                for depth, name in enumerate(nested.path)
            )
            yield SeenClass(
                label=" > ".join((place_of(policy), *steps)),
                interface=interface_name(policy.interface),
                circuit=number_of(policy.circuit),
                policy=nested.policy,
                seen=nested.seen,
                siblings=nested.siblings,
                priority_queues=nested.priority_queues,
                is_whole=nested.is_whole,
            )


def place_of(policy: ObservedPolicy) -> str:
    """Object path of the place of a policy, in the form of the attachments of a config."""
    label, circuit = f"interface {interface_name(policy.interface)}", policy.circuit
    if circuit is None:
        return label
    kind = {"VC": "pvc"}.get(circuit.kind, circuit.kind.lower())
    return f"{label} > {kind} {circuit.number}"


def _once(classes: tuple[ObservedClass, ...]) -> Iterator[ObservedClass]:
    """Classes without repetition: a 6500 prints each as counted by hardware and by software."""
    names = set()
    for observed in classes:
        if observed.name not in names:
            names.add(observed.name)
            yield observed


def number_of(circuit: Circuit | None) -> str | None:
    """Number of the circuit of a counted policy; None on an interface."""
    return None if circuit is None else circuit.number


def drops_packets(observed: ObservedClass) -> int | None:
    """Packets that a class dropped; None where no counter is printed.

    The queue's own total where there is one, else the sum of its WRED rows.
    """
    queue = observed.queue
    if queue is not None and queue.total_drops_packets is not None:
        return queue.total_drops_packets
    rows = observed.wred.rows if observed.wred is not None else ()
    counts = [drop.packets for row in rows for drop in (row.random_drops, row.tail_drops) if drop]
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
