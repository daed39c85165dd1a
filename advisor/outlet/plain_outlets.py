"""Outputs without a policy as outlets: one FIFO, or weighted fair queueing of all conversations."""

from collections.abc import Iterator

from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.attachments import Attached, interface_line
from advisor.facts.interface import Attachment, Direction
from advisor.facts.policy import PolicyMap
from advisor.outlet.carriers import Carrier
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlet_at, outlets
from advisor.outlet.parts import is_frame_relay_shaped, line_base_bps
from advisor.outlet.plain import PlainOutput, plain_places
from advisor.outlet.queueing import Queueing
from advisor.quantity import Basis, Input, exact

_FIFO_PACKETS = 40
_WFQ_PACKETS = 1000
_FIFO_SOURCE = "40 packets: `Output queue 0/40` in Cisco document 6143"
_WFQ_SOURCE = "1000 packets of all conversations: 0/1000/64 in printouts of show interfaces"
_SHAPED_WFQ_PACKETS = 600
_SHAPED_WFQ_SOURCE = (
    "600 packets of a shaped circuit with fair queueing (notes on Frame Relay traffic shaping)"
)
_HOLDQ_SOURCE = "40 packets of a shaped circuit with FIFO (notes on Frame Relay traffic shaping)"
_DEFAULT_CIR_BPS = 56_000.0  # `Bc 7000, Be 0, Tc 125 ms` with it (notes, as above)


def plain_outlets(device: Device) -> tuple[Outlet, ...]:
    """The outputs without a policy whose queueing is known: FIFO or weighted fair queueing.

    A circuit of classic IOS without a policy is a FIFO unless its map-class has `fair-queue`.
    """
    return device.derived(_plain_outlets)


def queueing_outlets(device: Device) -> tuple[Outlet, ...]:
    """The outputs whose queueing is known: those with a policy first."""
    return (*outlets(device), *plain_outlets(device))


def _plain_outlets(device: Device) -> tuple[Outlet, ...]:
    return tuple(_outlets(device))


def _outlets(device: Device) -> Iterator[Outlet]:
    for output in plain_places(device):
        kind = _kind(device, output)
        if kind is not None:
            yield _outlet(device, output, kind)


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
    none = Attachment("", Direction.OUTPUT, point.at)
    attached = Attached(point.object_path, section, interface, output.pvc, output.circuit, none)
    carrier = Carrier(interface, output.pvc)
    is_fair = kind is Queueing.FAIR_QUEUE
    no_policy = PolicyMap("", (), point.at)
    base = outlet_at(device, attached, no_policy, carrier, is_fair=is_fair)
    main = device.facts.interface(interface.parent or "") or interface
    shaper_bps = None
    if output.circuit is not None and is_frame_relay_shaped(attached, main):
        cir = output.circuit.cir_bps
        default_bps = _DEFAULT_CIR_BPS if base.why_unread is None else None
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
