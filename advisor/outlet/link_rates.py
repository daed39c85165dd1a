"""The slowest rate that packets of an output pass, and the rate that a provider sells."""

from collections.abc import Iterator
from typing import Final

from advisor.device.device import Device
from advisor.device.links import LinkEnd
from advisor.device.platforms import Family
from advisor.facts.interface import FrameRelayCircuit, Interface
from advisor.ground.quantity import Basis, Input, RateKind, exact
from advisor.ground.questions import derived
from advisor.ground.records import picked
from advisor.ground.wording import rate_source
from advisor.ios.syntax import Location
from advisor.outlet.framing import Layer2
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.wires import (
    described_rate_bps,
    is_of_port,
    is_outdated,
    says_contract,
    says_service,
    stated_rate,
    wire_rate,
)

# The slowest rate that the packets of an output pass: both ends of its line, and its circuits.


def far_end(device: Device, interface: str) -> LinkEnd | None:
    """The other end of a link, where the run has it."""
    link = device.fleet.links.link(device.name, interface)
    return link.far_end(device.name) if link is not None else None


def far_rate(end: LinkEnd) -> Input | None:
    """The rate of the line as its other end states it; the name of a port states none."""
    kind = end.interface.rstrip("0123456789/.:")
    port = picked(Interface, end.rates, name=end.interface, at=end.at, type=kind)
    rate = wire_rate(port, None, None)
    return None if rate is not None and rate.kind is RateKind.PORT else rate


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
    main = device.facts.main_of(outlet.interface)
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
            yield from end_rates_bps(device, interface.name)


def end_rates_bps(device: Device, interface: str) -> Iterator[float]:
    """Rates of the other end of a link: its line, and the CIR of its circuit."""
    end = far_end(device, interface)
    rates = (far_rate(end), end.rates.cir_bps) if end is not None else ()
    yield from (rate.value for rate in rates if rate is not None)


def circuits_of(device: Device, main: Interface) -> Iterator[FrameRelayCircuit]:
    """The circuits of a physical interface and of its subinterfaces."""
    for interface in device.facts.family(main.name):
        yield from interface.circuits


def voice_circuits(device: Device, main: Interface) -> tuple[FrameRelayCircuit, ...]:
    """The circuits of a physical interface whose policy has an LLQ."""
    return _voice_circuits(device).get(main.name, ())


@derived
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


# The rate that rules compare settings with.

_OF_THE_HOST: Final = "the port of a lab image runs at the rate of its host"


def why_not_compared(device: Device, outlet: Outlet) -> str | None:
    """Why no setting is compared with the link rate of an output; None where it is known."""
    link = outlet.link
    if link is None:
        return outlet.why_rate_unknown
    return _OF_THE_HOST if _is_nominal(device, link) else None


def why_wire_not_compared(device: Device, wire: Input) -> str | None:
    """The same of a wire."""
    return _OF_THE_HOST if _is_nominal(device, wire) else None


def _is_nominal(device: Device, rate: Input) -> bool:
    """Whether a rate is that of the name of a port, of an image whose ports are no hardware."""
    return rate.kind is RateKind.PORT and device.platform.family is Family.LAB


# The rate that a provider sells on a port, where the configuration names one below the port.
#
# No command states it to IOS: a description, the `bandwidth` of an Ethernet, or the CIR of a
# circuit that nothing shapes are the only signs of it.

_ROUNDING: Final = 0.95  # of the port: 950 Mb/s on a gigabit are the port


def sold_rate(device: Device, outlet: Outlet) -> Input | None:
    """The rate below the port that the user, descriptions, `bandwidth` or a CIR name, else None.

    A description wins over `bandwidth`, which routing protocols use as well. Where the description
    of the interface and that of the Dialer over it differ, the smaller one counts. On Frame Relay
    it is the contract of a circuit: another number there is the rate of the line.
    """
    wire = outlet.bundle_wire or outlet.wire
    if wire is None:
        return None
    rates: tuple[Input, ...] = ()
    circuit, homes = circuit_of(outlet), _homes(device, outlet)
    most_bps = wire.value * _ROUNDING
    stated = tuple(rate for rate in map(stated_rate, homes) if rate and rate.value < most_bps)
    if stated and outlet.bundle is None:
        rates = stated
    elif circuit is not None and not outlet.is_frame_relay_shaped and circuit.cir_bps is not None:
        cir = circuit.cir_bps
        rates = (_rate(cir.value, RateKind.CIR, cir.at),)
    elif is_frame_relay(outlet):
        rates = tuple(rate for _, rate in _described(_homes_of_circuit(device, outlet)))
    elif is_of_port(wire, outlet.interface):
        rates = tuple(rate for _, rate in _described(homes) or _labels(homes))
    below = [rate for rate in rates if rate.value < most_bps]
    return min(below, key=lambda rate: rate.value, default=None)


def is_contracted(device: Device, outlet: Outlet, sold: Input) -> bool:
    """Whether what names a rate below the port says that it is the contract.

    A number in the prose of a description may be of a bundle, an old line or another site; where
    `bandwidth` is the same number, both mean this line.
    """
    if sold.kind is not RateKind.DESCRIPTION or _is_labelled(device, outlet, sold):
        return True
    return all(map(says_contract, _telling(device, outlet, sold)))


def is_of_a_service(device: Device, outlet: Outlet, sold: Input) -> bool:
    """Whether the description says that its rate is of a service, or `bandwidth` agrees with it.

    A port that no shaper holds gets one for this number: a room, a cable or a LAN has one too.
    """
    return _is_labelled(device, outlet, sold) or all(
        map(says_service, _telling(device, outlet, sold))
    )


def _is_labelled(device: Device, outlet: Outlet, sold: Input) -> bool:
    """Whether `bandwidth` is the number of a description that is of this line, as it is now."""
    if any(map(is_outdated, _telling(device, outlet, sold))):
        return False
    return any(label.value == sold.value for _, label in _labels(_homes(device, outlet)))


def _telling(device: Device, outlet: Outlet, sold: Input) -> list[str]:
    """The descriptions that name a sold rate."""
    stated = [home.description for home in _homes(device, outlet) if home.description is not None]
    return [item.value for item in stated if described_rate_bps(item.value) == sold.value]


def places_of_rate(device: Device, outlet: Outlet, sold: Input) -> tuple[Location, ...]:
    """The lines of its interfaces that name a sold rate; the user's statement is none of them."""
    if sold.kind is RateKind.STATED:
        return ()
    homes = _homes(device, outlet)
    named = _described(homes) if sold.kind is RateKind.DESCRIPTION else _labels(homes)
    return tuple(at for at, rate in named if rate.value == sold.value)


def is_of_the_main_interface(device: Device, outlet: Outlet, sold: Input) -> bool:
    """Whether the main interface alone names a sold rate, and other outputs below it share it."""
    own = (outlet.interface,)
    if outlet.interface.parent is None or any(
        rate.value == sold.value
        for rate in (
            *filter(None, map(stated_rate, own)),
            *(rate for _, rate in (*_described(own), *_labels(own))),
        )
    ):
        return False
    family = device.facts.family(outlet.interface.parent)
    return sum(interface.is_subinterface and not interface.shutdown for interface in family) > 1


def service_rate(device: Device, outlet: Outlet) -> Input | None:
    """The sold rate that holds the packets of an output; None where the router does, or in doubt.

    A number in prose, or a `bandwidth` that may be a metric of routing, is in doubt.
    """
    sold = unheld_rate(device, outlet) if outlet.circuit is None else None
    if sold is None or sold.kind is RateKind.STATED:
        return sold
    if sold.kind is not RateKind.DESCRIPTION:
        return None
    return sold if is_of_a_service(device, outlet, sold) else None


def unheld_rate(device: Device, outlet: Outlet) -> Input | None:
    """The rate that is sold on the port of an output whose policy lets more pass; else None."""
    sold = sold_rate(device, outlet)
    if sold is None or (outlet.ceiling_bps is not None and outlet.ceiling_bps <= sold.value):
        return None
    return sold


def circuit_of(outlet: Outlet) -> FrameRelayCircuit | None:
    """The Frame Relay circuit of an output."""
    return next(
        (circuit for circuit in outlet.interface.circuits if str(circuit.dlci) == outlet.circuit),
        None,
    )


def is_frame_relay(outlet: Outlet) -> bool:
    """Whether a Frame Relay network, which has a CIR, carries the packets."""
    return outlet.encapsulation is not None and outlet.encapsulation.kind is Layer2.FRAME_RELAY


def _homes(device: Device, outlet: Outlet) -> tuple[Interface, ...]:
    """The interface of the ring, and what the policy stands on: a Dialer, a subinterface."""
    main = device.facts.interface(outlet.interface.parent or "")
    homes = (outlet.interface, outlet.session, main)
    return tuple(home for home in homes if home is not None)


def _homes_of_circuit(device: Device, outlet: Outlet) -> tuple[Interface, ...]:
    """The interfaces whose description names the contract of the one circuit that they have."""
    own, main = outlet.interface, device.facts.main_of(outlet.interface)
    alone = ((own, len(own.circuits)), (main, len(tuple(circuits_of(device, main)))))
    homes = dict.fromkeys(home for home, circuits in alone if circuits < 2)  # noqa: PLR2004
    return tuple(
        home
        for home in homes
        if home.description is not None and says_contract(home.description.value)
    )


def _described(homes: tuple[Interface, ...]) -> list[tuple[Location, Input]]:
    stated = [home.description for home in homes if home.description is not None]
    return [
        (item.at, _rate(rate_bps, RateKind.DESCRIPTION, item.at))
        for item in stated
        if (rate_bps := described_rate_bps(item.value)) is not None
    ]


def _labels(homes: tuple[Interface, ...]) -> list[tuple[Location, Input]]:
    labels = [home.bandwidth_bps for home in homes if home.bandwidth_bps is not None]
    return [(label.at, _rate(label.value, RateKind.BANDWIDTH_LABEL, label.at)) for label in labels]


def _rate(rate_bps: float, kind: RateKind, at: object) -> Input:
    return exact("sold_rate_bps", rate_bps, Basis.CONFIGURED, rate_source(kind, at), kind)
