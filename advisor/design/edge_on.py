"""Finds the place for the lines of an edge: an interface, a bundle or a circuit of it."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.edge_demand import EdgeDemand, LinkLayer, wrapped
from advisor.design.edge_drafts import RefusedDemandError
from advisor.design.edge_lines import EdgePlace, Form, mbps, shapes_by_frts
from advisor.design.edge_target import interface_of, must_be_alone
from advisor.device.device import Device, with_tree
from advisor.facts.interface import Attachment, FrameRelayCircuit, Interface
from advisor.ground.quantity import rate_text
from advisor.ground.units import kbps_from_bps
from advisor.ios.syntax import Line
from advisor.lint.trial import applied
from advisor.outlet.carriers import members_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.wires import PORT_SPEEDS_BPS, port_bps
from advisor.outlet.wrapping import Wrapping, wrapping_of

_OUTPUT: Final = "output"
_SNAP: Final = "aal5snap"
_UBR: Final = "ubr"  # and `ubr+`
_TIMESLOT_BPS: Final = (56_000, 64_000)
_ROUNDING: Final = 0.05  # a T1 of 1536 kb/s is sold as 1544
# Lines of a map-class: those of the design, and queueing that its policy replaces.
_SET_BY_DESIGN: Final = (
    *("service-policy output", "frame-relay cir", "frame-relay bc", "frame-relay be"),
    *("frame-relay mincir", "frame-relay traffic-rate", "frame-relay adaptive-shaping"),
    *("frame-relay fragment", "frame-relay fair-queue", "frame-relay custom-queue-list"),
    *("frame-relay priority-group", "frame-relay ip rtp priority", "frame-relay interface-queue"),
    *("frame-relay tc", "description", "exit"),
)


class StandingPlace(Struct, frozen=True):
    """The place of the lines, how many links are there, and what queues there now.

    `policies` are the output policies in force, those of a map-class or a vc-class too;
    `map_class` is that of the circuit.
    """

    place: EdgePlace
    links: int = 1
    policies: tuple[str, ...] = ()
    map_class: str | None = None


def standing_of(device: Device, demand: EdgeDemand) -> StandingPlace:
    """The place of an edge in a configuration.

    Raises
    ------
    RefusedDemandError
        If the interface is none of this layer, or its lines would change what else it carries.
    """
    interface = interface_of(device, demand)
    if interface.shutdown:
        raise RefusedDemandError(f"{interface.name} is shut down", "`no shutdown` first")
    must_be_alone(device, interface, demand)
    standing = _standing(device, interface, demand)
    for policy in standing.place.removed:
        if device.facts.policy_map(policy) is None:
            raise RefusedDemandError(
                f"{policy}, attached to {demand.interface}, is no policy-map: it cannot come back",
                f"`no service-policy output {policy}` first",
            )
    return standing


def within(device: Device, demand: EdgeDemand) -> EdgeDemand:
    """The demand with packets of calls as they leave: in the tunnel or crypto map of the port."""
    interface = interface_of(device, demand)
    around = wrapping_of(device, {interface.name, interface.parent or interface.name})
    if not isinstance(around, Wrapping):
        return demand
    return replace(demand, packet=wrapped(demand.packet, around))


def must_be_the_line(outlet: Outlet, demand: EdgeDemand) -> None:
    """Refuse a rate that contradicts the line of a configuration.

    Raises
    ------
    RefusedDemandError
        If the clock, the timeslots, the circuit or the port have another rate.
    """
    wire, stated_bps = outlet.wire, demand.line_bps
    slots = outlet.interface.open_timeslots
    if slots is not None:
        low, high = (slots.value * item for item in _TIMESLOT_BPS)
        if not low * (1 - _ROUNDING) <= stated_bps <= high * (1 + _ROUNDING):
            line = f"{rate_text(kbps_from_bps(low))} or {rate_text(kbps_from_bps(high))}"
            raise RefusedDemandError(
                f"{outlet.interface.name} has {line} kb/s (timeslots, {slots.at}), not the "
                f"{rate_text(kbps_from_bps(stated_bps))} of --link",
                f"--link {rate_text(kbps_from_bps(high))}k",
            )
    if wire is None or wire.is_label or abs(wire.value - stated_bps) <= stated_bps * _ROUNDING:
        return
    line, stated = (rate_text(kbps_from_bps(item)) for item in (wire.value, stated_bps))
    flag = "--port" if demand.is_shaped else "--link"
    fits = [f"{flag} {line}k"]
    if demand.layer is LinkLayer.ETHERNET and not demand.is_shaped and stated_bps < wire.value:
        fits = [f"`advisor design shape --cir {stated}k --port {line}k`"]
        if stated_bps in PORT_SPEEDS_BPS:
            fits.append(f"`speed {mbps(stated_bps)}` and `duplex full` at both ends first")
    reason = f"{outlet.interface.name} has {line} kb/s ({wire.source}), not the {stated} of {flag}"
    raise RefusedDemandError(reason, *fits)


def at_port_speed(device: Device, demand: EdgeDemand) -> Device:
    """The device with its port at the speed of --port, where it negotiates one.

    Behind a shaper the port may be slower than its kind; without one that decides what queues.
    """
    own = device.facts.interface(demand.interface or "")
    main = None if own is None else device.facts.interface(own.parent or own.name)
    if main is None or main.speed_bps is not None or not demand.is_shaped:
        return device
    most_bps = port_bps(main)
    if most_bps is None or demand.line_bps > most_bps:
        return device
    lines = (f"interface {main.name}", f" speed {mbps(demand.line_bps)}")
    return with_tree(device, applied(device.facts.tree, lines))


def _standing(device: Device, interface: Interface, demand: EdgeDemand) -> StandingPlace:
    if demand.layer is LinkLayer.MULTILINK:
        return _bundle(device, interface)
    if demand.layer is LinkLayer.FRAME_RELAY:
        return _circuit(device, interface)
    if demand.layer is LinkLayer.ATM:
        return _pvc(device, interface, demand)
    if interface.multilink.group is not None:
        raise RefusedDemandError(
            f"{interface.name} is of a bundle",
            f"--encap mlppp --interface Multilink{interface.multilink.group.value}",
        )
    removed = _out(interface.policies)
    place = EdgePlace(interface.name, (interface.name,), removed=removed, encapsulates=True)
    return StandingPlace(place, policies=removed)


def _bundle(device: Device, interface: Interface) -> StandingPlace:
    members = members_of(device.facts, interface)
    if not members:
        raise RefusedDemandError(
            f"{interface.name} is no bundle with members", "--interface with its Multilink"
        )
    names = tuple(member.name for member in members)
    group = int(interface.name.removeprefix("Multilink"))
    removed = _out(interface.policies)
    place = EdgePlace(names[0], names, group=group, removed=removed, keeps_fragments=True)
    return StandingPlace(place, len(names), removed)


def _circuit(device: Device, interface: Interface) -> StandingPlace:
    facts = device.facts
    main = facts.interface(interface.parent) if interface.parent is not None else interface
    if main is None or len(interface.circuits) != 1:
        raise RefusedDemandError(
            f"{interface.name} has {len(interface.circuits)} circuits of Frame Relay",
            "--interface with the subinterface of one frame-relay interface-dlci",
        )
    (circuit,) = interface.circuits
    is_shaping = main.frame_relay_traffic_shaping is not None
    if is_shaping and device.platform.may_be_distributed:
        raise RefusedDemandError(
            f"{main.name} has `frame-relay traffic-shaping`, which a 7500 blocks from 12.1(5)T on",
            "`no frame-relay traffic-shaping` first",
        )
    form = Form.FRTS if is_shaping or shapes_by_frts(device.platform) else Form.CIRCUIT
    if form is Form.FRTS and not is_shaping:
        _must_shape_only(device, main, circuit)
    line = _line(device, circuit.at.line)
    words = line.words[2:]
    carried = next((word for word in words if word.lower() in ("ppp", "switched")), None)
    if carried is not None:
        raise RefusedDemandError(f"DLCI {circuit.dlci} of {interface.name} is `{' '.join(words)}`")
    own = {child.number for child in line.children}
    name = circuit.map_class.value if circuit.map_class is not None else None
    place = EdgePlace(
        main.name,
        (main.name,),
        home=interface.name,
        dlci=" ".join(words),
        form=form,
        removed=_out(tuple(policy for policy in circuit.policies if policy.at.line in own)),
        kept=() if name is None else _kept(device, name, "frame-relay"),
        kept_input=() if name is None else _kept(device, name, "service-policy input"),
        fragment_bytes=_fragment(device, name, circuit),
        encapsulates=True,
    )
    return StandingPlace(place, policies=_out(circuit.policies), map_class=name)


def _kept(device: Device, map_class: str, command: str) -> tuple[str, ...]:
    """Return the arguments of a command of a map-class that a design neither sets nor replaces."""
    return tuple(
        line.text.removeprefix(f"{command} ")
        for head in device.facts.tree.commands()
        if head.words == ["map-class", "frame-relay", map_class]
        for line in head.commands()
        if line.text.startswith(f"{command} ") and not line.text.startswith(_SET_BY_DESIGN)
    )


def _fragment(device: Device, map_class: str | None, circuit: FrameRelayCircuit) -> int | None:
    """Size of the fragments of a map-class; those of an interface stay where they are."""
    heads = (line for line in device.facts.tree.commands() if line.words[2:] == [map_class])
    lines = {child.number for head in heads for child in head.children}
    stated = circuit.fragment_bytes
    return stated.value if stated is not None and stated.at.line in lines else None


def _must_shape_only(device: Device, main: Interface, circuit: FrameRelayCircuit) -> None:
    """Refuse traffic shaping that would shape other circuits to its default of 56 kb/s."""
    others = [
        item.dlci
        for interface in device.facts.interfaces
        if main.name in (interface.name, interface.parent)
        for item in interface.circuits
        if item.dlci != circuit.dlci and item.map_class is None
    ]
    if others:
        named = ", ".join(str(dlci) for dlci in others)
        raise RefusedDemandError(
            f"`frame-relay traffic-shaping` would shape the circuits {named} of {main.name} to "
            "the default CIR of 56 kb/s",
            f"a map-class with their CIR for {named} first",
        )


def _pvc(device: Device, interface: Interface, demand: EdgeDemand) -> StandingPlace:
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
    rate_bps = pvc.rate.sustained_bps if pvc.rate is not None else None
    if pvc.rate is not None and pvc.rate.service.startswith(_UBR):
        cells = int(kbps_from_bps(rate_bps or demand.line_bps))
        raise RefusedDemandError(
            f"{pvc.label} of {interface.name} is {pvc.rate.service.upper()}, which guarantees no "
            "rate: IOS takes no `priority` and no `bandwidth` on it",
            f"`vbr-nrt {cells} {cells}` first, where the carrier sells the circuit so",
        )
    if rate_bps is not None and abs(rate_bps - demand.line_bps) > rate_bps * _ROUNDING:
        kbps = rate_text(kbps_from_bps(rate_bps))
        raise RefusedDemandError(
            f"{pvc.label} of {interface.name} has {kbps} kb/s, not the "
            f"{rate_text(kbps_from_bps(demand.line_bps))} of --link",
            f"--link {kbps}k",
        )
    main = interface.parent or interface.name
    own = {child.number for child in _line(device, pvc.at.line).children}
    place = EdgePlace(
        main,
        (main,),
        home=interface.name,
        pvc=pvc.label.removeprefix("pvc "),
        removed=_out(tuple(policy for policy in pvc.policies if policy.at.line in own)),
        encapsulates=True,
        shapes_cells=rate_bps is not None,
    )
    return StandingPlace(place, policies=_out(pvc.policies))


def _line(device: Device, number: int) -> Line:
    """The line of a configuration with a number."""
    return next(line for line in device.facts.tree.walk() if line.number == number)


def _out(policies: tuple[Attachment, ...]) -> tuple[str, ...]:
    return tuple(policy.policy for policy in policies if policy.direction == _OUTPUT)
