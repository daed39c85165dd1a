"""Where a configuration takes the lines of an edge: an interface, a bundle or a circuit of it."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from advisor.design.edge_demand import EdgeDemand, Layer
from advisor.design.edge_drafts import RefusedDemandError
from advisor.design.edge_lines import Form, Place
from advisor.device.device import Device
from advisor.facts.interface import Attachment, FrameRelayCircuit, Interface
from advisor.ios.syntax.tree import Line
from advisor.outlet.carriers import members_of
from advisor.outlet.outlet import Outlet
from advisor.quantity import rate_text
from advisor.units import kbps_from_bps

_OUTPUT: Final = "output"
_SNAP: Final = "aal5snap"
_ROUNDING: Final = 0.05  # a T1 of 1536 kb/s is sold as 1544
_POINT_TO_POINT: Final = (Layer.PPP, Layer.HDLC)


class Standing(Struct, frozen=True):
    """The place of the lines, and how many links are there."""

    place: Place
    links: int = 1


def standing_of(device: Device, demand: EdgeDemand) -> Standing:
    """The place of an edge in a configuration.

    Raises
    ------
    RefusedDemandError
        If the interface is none of this layer, or its lines would change what else it carries.
    """
    interface = device.facts.interface(demand.interface or "")
    if interface is None:
        raise RefusedDemandError(f"{demand.interface} is not in the configuration")
    if interface.shutdown:
        raise RefusedDemandError(f"{interface.name} is shut down", "`no shutdown` first")
    standing = _standing(device, interface, demand)
    for policy in standing.place.removed:
        if device.facts.policy_map(policy) is None:
            raise RefusedDemandError(
                f"{policy}, attached to {demand.interface}, is no policy-map: it cannot come back",
                f"`no service-policy output {policy}` first",
            )
    return standing


def must_be_the_line(outlet: Outlet, demand: EdgeDemand) -> None:
    """Refuse a rate that contradicts the line of a configuration.

    Raises
    ------
    RefusedDemandError
        If the clock, the timeslots or the circuit have another rate.
    """
    wire, stated_bps = outlet.wire, demand.line_bps
    if demand.layer is Layer.ETHERNET or wire is None or wire.is_label:
        return
    if abs(wire.value - stated_bps) > stated_bps * _ROUNDING:
        line_kbps = rate_text(kbps_from_bps(wire.value))
        raise RefusedDemandError(
            f"{outlet.interface.name} has {line_kbps} kb/s ({wire.source}), not the "
            f"{rate_text(kbps_from_bps(stated_bps))} of --link",
            f"--link {line_kbps}k",
        )


def _standing(device: Device, interface: Interface, demand: EdgeDemand) -> Standing:
    if demand.layer is Layer.MULTILINK:
        return _bundle(device, interface)
    if demand.layer is Layer.FRAME_RELAY:
        return _circuit(device, interface)
    if demand.layer is Layer.ATM:
        return _pvc(interface)
    encapsulation = interface.encapsulation.value.lower() if interface.encapsulation else ""
    if demand.layer in _POINT_TO_POINT and encapsulation.startswith("frame-relay"):
        raise RefusedDemandError(
            f"{interface.name} carries Frame Relay", "--encap frame-relay with its subinterface"
        )
    if demand.layer in _POINT_TO_POINT and interface.multilink.group is not None:
        raise RefusedDemandError(
            f"{interface.name} is of a bundle",
            f"--encap mlppp --interface Multilink{interface.multilink.group.value}",
        )
    return Standing(Place(interface.name, (interface.name,), removed=_out(interface.policies)))


def _bundle(device: Device, interface: Interface) -> Standing:
    members = members_of(device.facts, interface)
    if not members:
        raise RefusedDemandError(
            f"{interface.name} is no bundle with members", "--interface with its Multilink"
        )
    names = tuple(member.name for member in members)
    group = int(interface.name.removeprefix("Multilink"))
    removed = _out(interface.policies)
    return Standing(Place(names[0], names, group=group, removed=removed), len(names))


def _circuit(device: Device, interface: Interface) -> Standing:
    facts = device.facts
    main = facts.interface(interface.parent) if interface.parent is not None else interface
    if main is None or len(interface.circuits) != 1:
        raise RefusedDemandError(
            f"{interface.name} has {len(interface.circuits)} circuits of Frame Relay",
            "--interface with the subinterface of one frame-relay interface-dlci",
        )
    (circuit,) = interface.circuits
    is_shaping = main.frame_relay_traffic_shaping is not None
    form = Form.FRTS if is_shaping or device.platform.is_pre_hqf else Form.CIRCUIT
    if form is Form.FRTS and not is_shaping:
        _must_shape_only(device, main, circuit)
    own = _inside(device.facts.tree.walk(), circuit.at.line)
    removed = tuple(
        each.policy
        for each in circuit.policies
        if each.direction == _OUTPUT and each.at.line in own
    )
    return Standing(
        Place(
            main.name,
            (main.name,),
            home=interface.name,
            dlci=circuit.dlci,
            form=form,
            removed=removed,
        )
    )


def _must_shape_only(device: Device, main: Interface, circuit: FrameRelayCircuit) -> None:
    """Refuse traffic shaping that would shape other circuits to its default of 56 kb/s."""
    others = [
        each.dlci
        for interface in device.facts.interfaces
        if main.name in (interface.name, interface.parent)
        for each in interface.circuits
        if each.dlci != circuit.dlci and each.map_class is None
    ]
    if others:
        named = ", ".join(str(dlci) for dlci in others)
        raise RefusedDemandError(
            f"`frame-relay traffic-shaping` would shape the circuits {named} of {main.name} to "
            "the default CIR of 56 kb/s",
            f"a map-class with their CIR for {named} first",
        )


def _pvc(interface: Interface) -> Standing:
    if len(interface.pvcs) != 1:
        raise RefusedDemandError(
            f"{interface.name} has {len(interface.pvcs)} PVCs",
            "--interface with the subinterface of one PVC",
        )
    (pvc,) = interface.pvcs
    encapsulation = pvc.encapsulation.value.lower() if pvc.encapsulation is not None else _SNAP
    if pvc.carries_ppp or encapsulation != _SNAP:
        carried = "a session of PPP" if pvc.carries_ppp else encapsulation
        raise RefusedDemandError(
            f"{pvc.label} of {interface.name} carries {carried}; this design is for {_SNAP}"
        )
    main = interface.parent or interface.name
    words = pvc.label.removeprefix("pvc ")
    removed = _out(pvc.policies)
    return Standing(Place(main, (main,), home=interface.name, pvc=words, removed=removed))


def _inside(lines: Iterable[Line], number: int) -> frozenset[int]:
    """Numbers of the lines under the line with a number."""
    head = next((line for line in lines if line.number == number), None)
    return frozenset() if head is None else frozenset(child.number for child in head.children)


def _out(policies: tuple[Attachment, ...]) -> tuple[str, ...]:
    return tuple(each.policy for each in policies if each.direction == _OUTPUT)
