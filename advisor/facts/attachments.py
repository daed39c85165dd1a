"""Every place where a policy is attached, with the lines that enter its mode."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.facts.config import Facts
from advisor.facts.interface import Attachment, FrameRelayCircuit, Interface, Pvc


class Attached(Struct, frozen=True):
    """A `service-policy` on an interface, PVC or Frame Relay circuit, or of an NHRP group.

    `group` is the NHRP group whose spokes have the policy. `section` are the commands that enter
    its mode; `label` is the object path that findings use: "interface ATM1/0.1 > pvc 0/100".
    """

    label: str
    section: tuple[str, ...]
    interface: Interface
    pvc: Pvc | None
    circuit: FrameRelayCircuit | None
    attachment: Attachment
    group: str | None = None


def interface_line(interface: Interface) -> str:
    """The command that enters the interface, with the type word of a subinterface."""
    return f"interface {interface.name}"


def attachments(facts: Facts) -> tuple[Attached, ...]:
    """All attachments of a config, interfaces in document order."""
    return facts.derived(_attachments)


def _attachments(facts: Facts) -> tuple[Attached, ...]:
    return tuple(_found(facts))


def _found(facts: Facts) -> Iterator[Attached]:
    for interface in facts.interfaces:
        enter = interface_line(interface)
        for policy in interface.policies:
            yield Attached(enter, (enter,), interface, None, None, policy)
        for spokes in interface.group_policies:
            label = f"{enter} > nhrp group {spokes.group}"
            yield Attached(label, (enter,), interface, None, None, spokes.policy, spokes.group)
        for pvc in interface.pvcs:
            for policy in pvc.policies:
                label = f"{enter} > {pvc.label}"
                yield Attached(label, (enter, pvc.label), interface, pvc, None, policy)
        for circuit in interface.circuits:
            for policy in circuit.policies:
                label = f"{enter} > dlci {circuit.dlci}"
                section: tuple[str, ...] = (enter, f"frame-relay interface-dlci {circuit.dlci}")
                if circuit.map_class is not None and policy.at != circuit.at:
                    section = (f"map-class frame-relay {circuit.map_class.value}",)
                yield Attached(label, section, interface, None, circuit, policy)


def may_queue(facts: Facts, main: Interface, circuit: FrameRelayCircuit) -> bool:
    """Whether a circuit may have a queue of its own, and fragments of its map-class.

    It has under `frame-relay traffic-shaping` of its main interface, or before a shaper of its
    policy; the text may be a part that lacks the line, or not be understood.
    """
    stated, shaping = main.encapsulation, main.frame_relay_traffic_shaping
    if stated is None or stated.value.split()[0] != "frame-relay":
        return True
    if facts.unread_line(f"interface {main.name}", "frame-relay", "no") is not None:
        return True
    if shaping is not None and shaping.value:
        return True
    return any(_shapes(facts, attached.policy) for attached in circuit.policies)


def _shapes(facts: Facts, name: str) -> bool:
    """Whether a class of a policy shapes, or of one nested in it, or a line of it is open."""
    nested = facts.nested_policies(name)
    shapes = any(each.shape is not None for policy in nested for each in policy.classes)
    return shapes or facts.unread_in_policy(name, "shape") is not None
