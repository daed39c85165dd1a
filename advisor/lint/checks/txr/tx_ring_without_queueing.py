"""A small ring helps only where software queues before it; else it just drops earlier."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attachments, hiding
from advisor.facts.interface import Direction, Interface, Pvc
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.txr.shared.place import RingPlace, ring_place
from advisor.lint.findings import Confidence
from advisor.outlet.carriers import carriers_of
from advisor.outlet.parts import policy_queues
from advisor.outlet.ring_homes import ring_homes


class Params(Struct, frozen=True):
    """Largest ring that counts as small, in its own unit."""

    small_ring: int


class Evidence(Struct, frozen=True):
    """The ring and where it is set."""

    limit: int
    unit: str
    place: RingPlace


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each small ring with a plain FIFO before it."""
    for home in ring_homes(device):
        if home.queues_before or home.stated.value > params.small_ring:
            continue
        if _place(home.interface, home.pvc) in device.derived(_with_policy_over):
            continue
        limit = home.stated.value
        place = ring_place(home.interface.name, home.pvc)
        evidence = Evidence(limit, home.ring.unit_of(limit), place)
        yield Hit(home.label, (home.stated.at,), evidence, Confidence.LIKELY)


def _with_policy_over(device: Device) -> frozenset[tuple[str, str]]:
    """Rings over which a tunnel, a session or a circuit with a policy sends.

    A longer ring would let other packets in before those that the policy put in order.
    """
    sources = {each.interface.name: each.source for each in hiding(device.facts).tunnels}
    over = [
        (sources.get(carrier.interface.name, carrier.interface), carrier.pvc)
        for attached in attachments(device.facts)
        if attached.attachment.direction is Direction.OUTPUT
        and _queues(device, attached.attachment.policy)
        for carrier in carriers_of(device.facts, attached)
    ]
    return frozenset(
        _place(interface, each)
        for interface, pvc in over
        for each in (None, *(interface.pvcs if pvc is None else (pvc,)))
    )


def _place(interface: Interface, pvc: Pvc | None) -> tuple[str, str]:
    """Place of a ring: a PVC has one of its own, beside that of the main interface."""
    if pvc is not None:
        return interface.name, pvc.label
    return interface.parent or interface.name, ""


def _queues(device: Device, name: str) -> bool:
    policy = device.facts.policy_map(name)
    return policy is None or policy_queues(device.facts, policy)


CHECK = Check(Params, Evidence, find)
