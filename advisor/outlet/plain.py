"""Outputs without a policy of their own, with the queueing that IOS gives them."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device, unread_policies
from advisor.facts.attachments import Attached, interface_line
from advisor.facts.interface import Attachment, FrameRelayCircuit, Interface, Pvc, Side
from advisor.facts.policy import PolicyMap
from advisor.ground.quantity import Basis, Input, exact
from advisor.ground.questions import derived
from advisor.ios.syntax import Location
from advisor.outlet.carriers import Carrier, bundle_of, channel_members
from advisor.outlet.outlet import Outlet, Queueing
from advisor.outlet.outlets import outlet_at, outlets
from advisor.outlet.parts import (
    is_frame_relay_shaped,
    line_base_bps,
    sum_of_wires,
)
from advisor.outlet.void_places import Lack, VoidPlace, void_places
from advisor.outlet.wires import DEFAULT_SERIAL_BANDWIDTH_BPS, wire_rate

# Outputs without a policy of their own: named, with the queueing that IOS gives them.

E1_BPS: Final = 2_048_000
_NO_DEFAULT_WFQ: Final = ("x25", "lapb", "sdlc", "sdlc-primary", "sdlc-secondary")
_SENDS_ELSEWHERE: Final = (
    *("Tunnel", "Loopback", "Null", "Vlan", "BVI", "Virtual-Template", "Virtual-Access", "Dialer"),
    "Group-Async",
)

_TOLD_ELSEWHERE: Final = (Lack.MEMBER_UP, Lack.BUNDLE)


class OutputPoint(Struct, frozen=True):
    """One output of the device: what queues there, and the rate of its wire.

    `policy` is the policy-map that queues. `basis` says whether a line states the queueing.
    """

    object_path: str
    interface_name: str
    queueing: Queueing
    policy: str | None
    wire_bps: float | None
    basis: Basis
    at: Location


class PlainOutput(Struct, frozen=True):
    """An output without a policy: its interface, and the circuit of it that has its own queue."""

    point: OutputPoint
    interface: Interface
    pvc: Pvc | None = None
    circuit: FrameRelayCircuit | None = None


def output_points(device: Device) -> tuple[OutputPoint, ...]:
    """All outputs: those with a policy first, then those without one, in document order."""
    with_policy = outlets(device)
    return (*map(_of_outlet, with_policy), *plain_outputs(device))


def plain_outputs(device: Device) -> tuple[OutputPoint, ...]:
    """Outputs where no policy queues, of interfaces that are up and carry traffic."""
    return tuple(output.point for output in plain_places(device))


@derived
def plain_places(device: Device) -> tuple[PlainOutput, ...]:
    """The outputs of `plain_outputs` with their place in the configuration."""
    return tuple(_places(device))


def default_wfq(interface: Interface) -> bool:
    """Whether WFQ is on, configured or by default: serial up to E1, not X.25 and the like.

    Source: Cisco IOS QoS Command Reference, fair-queue (WFQ); of classic IOS, not of IOS XE.
    """
    if interface.fair_queue is not None:
        return interface.fair_queue.value
    words = interface.encapsulation.value.split() if interface.encapsulation else []
    label = interface.bandwidth_bps or interface.seen_bandwidth_bps
    bandwidth_bps = label.value if label is not None else DEFAULT_SERIAL_BANDWIDTH_BPS
    serial = interface.type == "Serial" and words[:1] not in ([word] for word in _NO_DEFAULT_WFQ)
    return serial and bandwidth_bps <= E1_BPS


def _of_outlet(outlet: Outlet) -> OutputPoint:
    return OutputPoint(
        outlet.label,
        outlet.attached_to,
        Queueing.POLICY,
        outlet.queueing.name,
        outlet.wire.value if outlet.wire is not None else None,
        Basis.CONFIGURED,
        outlet.at,
    )


def _places(device: Device) -> Iterator[PlainOutput]:
    served = _served(device)
    unread_at = frozenset(_unread_at(device))
    void = [
        void_place for void_place in void_places(device) if void_place.lack not in _TOLD_ELSEWHERE
    ]
    yield from map(_void_point, void)
    silent = {
        place.home.name
        for place in void_places(device)
        if place.carries_nothing or place.attached.label == interface_line(place.home)
    }
    for interface in device.facts.interfaces:
        if interface.shutdown or interface.is_subinterface or interface.type in _SENDS_ELSEWHERE:
            continue
        if interface.name in silent:
            continue
        enter = interface_line(interface)
        bundle = bundle_of(device.facts, interface)
        if bundle is not None:
            if has_output_policy(interface):
                yield _point(device, interface, enter, Queueing.BUNDLE, Basis.CONFIGURED)
            continue
        for circuit in _circuits(device, interface, served):
            is_unread = circuit.point.object_path in unread_at
            yield _without_text(circuit) if is_unread else circuit
        if interface.name not in served and _carries_traffic(device, interface):
            output = _point(device, interface, enter, *_queueing(device, interface))
            yield _without_text(output) if interface.name in unread_at else output


def _unread_at(device: Device) -> Iterator[str]:
    """Main interfaces, and labels of circuits, with a policy that the text does not hold."""
    for place in unread_policies(device):
        attached = place.attached
        if attached is None or attached.attachment.direction is not Side.OUTPUT:
            continue
        yield place.label
        if attached.pvc is None and attached.circuit is None:
            yield attached.interface.parent or attached.interface.name


def _void_point(place: VoidPlace) -> PlainOutput:
    attached = place.attached
    interface, kind, at = attached.interface, Queueing.VOID, attached.attachment.at
    point = OutputPoint(attached.label, interface.name, kind, None, None, Basis.CONFIGURED, at)
    return PlainOutput(point, interface)


def _without_text(output: PlainOutput) -> PlainOutput:
    point = replace(output.point, queueing=Queueing.UNREAD, basis=Basis.CONFIGURED)
    return replace(output, point=point)


def _served(device: Device) -> frozenset[str]:
    """Labels of circuits, and names of main interfaces, that a known policy queues for."""
    served = set()
    for outlet in outlets(device):
        served.add(outlet.ring_key)
        if outlet.pvc is None:
            served.add(outlet.interface.parent or outlet.interface.name)
        served.add(outlet.attached_to)
        for member in channel_members(device.facts, outlet.interface):
            served.add(member.name)
        if outlet.circuit is not None and outlet.pvc is None:
            served.add(f"{interface_line(outlet.interface)} > dlci {outlet.circuit}")
    return frozenset(served)


def _up(device: Device, interface: Interface) -> Iterator[Interface]:
    """An interface and its subinterfaces that are not shut down, in their order."""
    return (item for item in device.facts.family(interface.name) if not item.shutdown)


def _circuits(
    device: Device, interface: Interface, served: frozenset[str]
) -> Iterator[PlainOutput]:
    """PVCs, and circuits under Frame Relay traffic shaping: each has a queue of its own."""
    for place in _up(device, interface):
        for pvc in place.pvcs:
            label = f"{interface_line(place)} > {pvc.label}"
            if label not in served:
                rate_bps = pvc.rate.sustained_bps if pvc.rate is not None else None
                yield PlainOutput(_of_circuit(label, place, rate_bps, pvc.at), place, pvc)
        for circuit in place.circuits if _shapes(interface) else ():
            label = f"{interface_line(place)} > dlci {circuit.dlci}"
            if label not in served:
                cir_bps = circuit.cir_bps.value if circuit.cir_bps is not None else None
                point = _of_circuit(label, place, cir_bps, circuit.at)
                if circuit.legacy_queueing:
                    point = replace(point, queueing=Queueing.LEGACY, basis=Basis.CONFIGURED)
                yield PlainOutput(point, place, None, circuit)


def _of_circuit(
    label: str, interface: Interface, rate_bps: float | None, at: Location
) -> OutputPoint:
    kind, basis = Queueing.CIRCUIT, Basis.DEFAULT
    return OutputPoint(label, interface.name, kind, None, rate_bps, basis, at)


def _carries_traffic(device: Device, interface: Interface) -> bool:
    """Whether the interface or a subinterface has an address, a bridge group or circuits."""
    return interface.type != "ATM" and any(
        other.ip_address is not None
        or other.bridge_group is not None
        or (bool(other.circuits) and not _shapes(interface))
        for other in _up(device, interface)
    )


def _shapes(interface: Interface) -> bool:
    shaping = interface.frame_relay_traffic_shaping
    return shaping is not None and shaping.value


def _queueing(device: Device, interface: Interface) -> tuple[Queueing, Basis]:
    if interface.legacy_queueing:
        return Queueing.LEGACY, Basis.CONFIGURED
    if interface.random_detect is not None:
        return Queueing.RANDOM_DETECT, Basis.CONFIGURED
    if interface.fair_queue is not None:
        is_fair = interface.fair_queue.value
        return Queueing.FAIR_QUEUE if is_fair else Queueing.FIFO, Basis.CONFIGURED
    if device.platform.may_be_xe or not device.platform.has_classic_defaults:
        return Queueing.UNKNOWN, Basis.DEFAULT
    return Queueing.FAIR_QUEUE if default_wfq(interface) else Queueing.FIFO, Basis.DEFAULT


def has_output_policy(interface: Interface) -> bool:
    """Whether a policy is attached to an interface for output."""
    return any(policy.direction is Side.OUTPUT for policy in interface.policies)


def _point(
    device: Device, interface: Interface, label: str, queueing: Queueing, basis: Basis
) -> PlainOutput:
    members = channel_members(device.facts, interface)
    wire = sum_of_wires(members) if members else wire_rate(interface, None, None)
    wire_bps = wire.value if wire is not None else None
    point = OutputPoint(label, interface.name, queueing, None, wire_bps, basis, interface.at)
    return PlainOutput(point, interface)


# Outputs without a policy as outlets: one FIFO, or weighted fair queueing of all conversations.

_FIFO_PACKETS = 40
_WFQ_PACKETS = 1000
_FIFO_SOURCE = "40 packets: `Output queue 0/40` in Cisco document 6143"
_WFQ_SOURCE = "1000 packets of all conversations: 0/1000/64 in printouts of show interfaces"
_SHAPED_WFQ_PACKETS = 600
_SHAPED_WFQ_SOURCE = (
    "600 packets of a shaped circuit with fair queueing (notes on Frame Relay traffic shaping)"
)
_HOLDQ_SOURCE = "40 packets of a shaped circuit with FIFO (notes on Frame Relay traffic shaping)"
DEFAULT_CIR_BPS = 56_000.0  # `Bc 7000, Be 0, Tc 125 ms` with it (notes, as above)


@derived
def plain_outlets(device: Device) -> tuple[Outlet, ...]:
    """The outputs without a policy whose queueing is known: FIFO or weighted fair queueing.

    A circuit of classic IOS without a policy is a FIFO unless its map-class has `fair-queue`.
    """
    outlets_of_places = (plain_outlet(device, output) for output in plain_places(device))
    return tuple(outlet for outlet in outlets_of_places if outlet is not None)


def queueing_outlets(device: Device) -> tuple[Outlet, ...]:
    """The outputs whose queueing is known: those with a policy first."""
    return (*outlets(device), *plain_outlets(device))


def plain_outlet(device: Device, output: PlainOutput) -> Outlet | None:
    """An output without a policy as an outlet; None where its queueing is not known."""
    kind = _kind(device, output)
    return None if kind is None else _outlet(device, output, kind)


def _kind(device: Device, output: PlainOutput) -> Queueing | None:
    queueing, circuit = output.point.queueing, output.circuit
    shaping = output.interface.frame_relay_traffic_shaping
    if circuit is None and shaping is not None and shaping.value:
        return None  # its circuits queue
    if queueing in (Queueing.FIFO, Queueing.FAIR_QUEUE):
        return queueing
    if queueing is not Queueing.CIRCUIT or not device.platform.has_classic_defaults:
        return None
    if circuit is not None and circuit.fair_queue is not None and circuit.fair_queue.value:
        return Queueing.FAIR_QUEUE
    return Queueing.FIFO


def _outlet(device: Device, output: PlainOutput, kind: Queueing) -> Outlet:
    point, interface = output.point, output.interface
    enter = interface_line(interface)
    section = (enter,) if output.pvc is None else (enter, output.pvc.label)
    none = Attachment("", Side.OUTPUT, point.at)
    attached = Attached(point.object_path, section, interface, output.pvc, output.circuit, none)
    carrier = Carrier(interface, output.pvc)
    is_fair = kind is Queueing.FAIR_QUEUE
    no_policy = PolicyMap("", (), point.at)
    base = outlet_at(device, attached, no_policy, carrier, is_fair=is_fair)
    main = device.facts.main_of(interface)
    shaper_bps = None
    if output.circuit is not None and is_frame_relay_shaped(attached, main):
        cir = output.circuit.cir_bps
        default_bps = DEFAULT_CIR_BPS if base.why_unread is None else None
        shaper_bps = cir.value if cir is not None else default_bps
    return replace(
        base,
        kind=kind,
        hold_queue=_hold_queue(output, kind),
        shaper_bps=shaper_bps,
        ceiling_bps=shaper_bps,
        admission_bps=shaper_bps or line_base_bps(attached, carrier, base.wire),
    )


def _hold_queue(output: PlainOutput, kind: Queueing) -> Input:
    """Packets that the queue holds; `hold-queue out` overrides the 1000 of fair queueing too."""
    name, circuit = "hold_queue_out_packets", output.circuit
    stated, words, source = output.interface.hold_queue_out_packets, "hold-queue", _FIFO_SOURCE
    if circuit is not None:
        stated, words, source = circuit.hold_queue_packets, "frame-relay holdq", _HOLDQ_SOURCE
    if stated is not None and stated.value:
        return exact(name, stated.value, Basis.CONFIGURED, f"{words}, {stated.at}")
    if kind is Queueing.FAIR_QUEUE and circuit is not None:
        return exact(name, _SHAPED_WFQ_PACKETS, Basis.DEFAULT, _SHAPED_WFQ_SOURCE)
    if kind is Queueing.FAIR_QUEUE:
        return exact(name, _WFQ_PACKETS, Basis.DEFAULT, _WFQ_SOURCE)
    return exact(name, _FIFO_PACKETS, Basis.DEFAULT, source)
