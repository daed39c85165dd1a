"""The slowest rate that the packets of an output pass: both ends of its line, and its circuits."""

from collections.abc import Iterator

from advisor.device.device import Device
from advisor.device.link_ends import LinkEnd
from advisor.facts.interface import FrameRelayCircuit, Interface
from advisor.outlet.framing import Layer2
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.wire_rate import wire_rate
from advisor.quantity import Input


def far_end(device: Device, interface: str) -> LinkEnd | None:
    """The other end of a link, where the run has it."""
    link = device.fleet.links.link(device.name, interface)
    return link.far_end(device.name) if link is not None else None


def far_rate(end: LinkEnd) -> Input | None:
    """The rate of the line as its other end states it."""
    kind = end.interface.rstrip("0123456789/.:")
    rates = end.rates
    return wire_rate(
        Interface(
            end.interface,
            end.at,
            kind,
            clock_rate_bps=rates.clock_rate_bps,
            timeslots_bps=rates.timeslots_bps,
            bandwidth_bps=rates.bandwidth_bps,
        ),
        None,
        None,
    )


def rate_of_both(device: Device, interface: str, own: Input) -> Input:
    """The rate of a line by what both of its ends state: a clock, else the lower label."""
    end = far_end(device, interface)
    far = far_rate(end) if end is not None else None
    if far is None or not own.is_label:
        return own
    return min(own, far, key=lambda rate: (rate.is_label, rate.value))


def slowest_bps(device: Device, outlet: Outlet) -> float:
    """The slowest rate that fragments of an output pass, by what is known of it.

    Its line, by what both ends state; of Frame Relay the CIRs and shapers of all circuits with an
    LLQ on the physical interface, whose fragments wait for each other, and the ports of their other
    ends too. Behind the contract of a circuit without an LLQ no voice waits: its fragments meet
    voice at the port.
    """
    wire_bps = outlet.wire_bps
    if outlet.encapsulation is None or outlet.encapsulation.kind is not Layer2.FRAME_RELAY:
        if outlet.wire is None:
            return wire_bps
        return min(rate_of_both(device, outlet.interface.name, outlet.wire).value, outlet.line_bps)
    main = device.facts.interface(outlet.interface.parent or "") or outlet.interface
    rates = [circuit_bps(device, main, circuit) for circuit in voice_circuits(device, main)]
    known = [rate for rate in rates if rate is not None]
    return min((wire_bps, outlet.line_bps, *known, *far_rates_bps(device, main)))


def far_rates_bps(device: Device, main: Interface) -> Iterator[float]:
    """Rates of the other ends of the circuits: a fragment also leaves through their ports."""
    with_voice = {circuit.at for circuit in voice_circuits(device, main)}
    for interface in device.facts.family(main.name):
        is_of_voice = not interface.circuits or any(
            circuit.at in with_voice for circuit in interface.circuits
        )
        if is_of_voice:
            end = far_end(device, interface.name)
            if end is not None:
                line, cir = far_rate(end), end.rates.cir_bps
                yield from (rate.value for rate in (line, cir) if rate is not None)


def circuits_of(device: Device, main: Interface) -> Iterator[FrameRelayCircuit]:
    """The circuits of a physical interface and of its subinterfaces."""
    for interface in device.facts.family(main.name):
        yield from interface.circuits


def voice_circuits(device: Device, main: Interface) -> tuple[FrameRelayCircuit, ...]:
    """The circuits of a physical interface whose policy has an LLQ."""
    return device.derived(_voice_circuits).get(main.name, ())


def _voice_circuits(device: Device) -> dict[str, tuple[FrameRelayCircuit, ...]]:
    places = {
        (main, outlet.place)
        for outlet in outlets(device)
        if outlet.llq_classes
        for main in (outlet.interface.name, outlet.interface.parent)
    }
    found: dict[str, list[FrameRelayCircuit]] = {}
    for interface in device.facts.interfaces:
        for main in {interface.name, interface.parent or interface.name}:
            for circuit in interface.circuits:
                if (main, (interface.name, str(circuit.dlci))) in places:
                    found.setdefault(main, []).append(circuit)
    return {main: tuple(circuits) for main, circuits in found.items()}


def circuit_bps(device: Device, main: Interface, circuit: FrameRelayCircuit) -> float | None:
    """Rate that a circuit is held to: its CIR under FRTS, else the shaper of its policy.

    A CIR whose `frame-relay traffic-shaping` is missing counts where no policy shapes: that line
    makes it the rate, and fragments that fit it are not to go before.
    """
    if circuit.map_class is None:
        return None
    shaping = main.frame_relay_traffic_shaping
    if shaping is not None and shaping.value:
        return circuit.cir_bps.value if circuit.cir_bps is not None else None
    shapers = [
        outlet.shaper_bps
        for outlet in outlets(device)
        if outlet.map_class == circuit.map_class.value and outlet.shaper_bps is not None
    ]
    stated = circuit.cir_bps.value if circuit.cir_bps is not None else None
    return min(shapers, default=stated)
