"""FRF.12: one fragment size for all circuits of a physical interface, and where IOS takes it.

Sources: Cisco SRND and document 20371 (the slowest circuit decides), the FRF.12 guide (fragments of
the interface exclude those of a map-class and `frame-relay traffic-shaping`).
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.interface import FrameRelayCircuit, Interface
from advisor.lint.checks.lfi.shared.ends import far_end, far_rate, rate_of_both
from advisor.outlet.framing import Layer2
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.quantity import Unknown
from advisor.units import bytes_in_ms, kbps_from_bps

_RECALLED_FORM: Final = ("11.", "12.0", "12.1", "12.2")  # fragments of an interface came later
NO_CIR: Final = (
    "`frame-relay traffic-shaping` without a CIR for each circuit: the slowest rate is not known"
)
_LEAST_BYTES: Final = 60  # a packet of G.729 stays whole


class FrameRelayLfi(Struct, frozen=True):
    """Fragments of `size_bytes` payload: in map-classes, or, without any, on the interface."""

    size_bytes: int
    map_classes: tuple[str, ...]
    interface: str
    slowest_kbps: float


def frame_relay_lfi(device: Device, outlet: Outlet, budget_ms: float) -> FrameRelayLfi | Unknown:
    """FRF.12 for an output, or why no lines make it."""
    if outlet.encapsulation is None or outlet.encapsulation.kind is not Layer2.FRAME_RELAY:
        return Unknown("the policy is not on Frame Relay")
    main = device.facts.interface(outlet.interface.parent or "") or outlet.interface
    circuits = tuple(_circuits(device, main))
    of_circuits = outlet.map_class is not None
    rates = (_of_circuits if of_circuits else _of_port)(device, outlet, main, circuits)
    if isinstance(rates, Unknown):
        return rates
    slowest_bps = min(outlet.wire_bps, *rates, *_of_far_ends(device, main))
    size = int(bytes_in_ms(slowest_bps, budget_ms)) - outlet.encapsulation.high.overhead_bytes
    if size < _LEAST_BYTES:
        return Unknown(
            f"no fragment that a voice packet fits keeps {budget_ms:g} ms: raise the rate"
        )
    names = (circuit.map_class.value for circuit in circuits if circuit.map_class is not None)
    classes = tuple(dict.fromkeys(names)) if of_circuits else ()
    return FrameRelayLfi(size, classes, main.name, kbps_from_bps(slowest_bps))


def ends_to_change(device: Device, form: FrameRelayLfi) -> str:
    """What the other ends of circuits need that get fragments for the first time; else empty."""
    names = tuple(dict.fromkeys(_uncut(device, form)))
    if not names:
        return ""
    return (
        "an end without FRF.12 drops fragments, which are all large packets: "
        f"the other end{'s' if len(names) > 1 else ''} of {', '.join(names)} must have it too"
    )


def _uncut(device: Device, form: FrameRelayLfi) -> Iterator[str]:
    """Interfaces of circuits that the lines fragment, and that do not fragment yet."""
    main = device.facts.interface(form.interface)
    if main is None or main.frame_relay_fragment_bytes is not None:
        return
    for interface in device.facts.interfaces:
        for circuit in interface.circuits if form.interface in _homes(interface) else ():
            name = circuit.map_class.value if circuit.map_class is not None else None
            if circuit.fragment_bytes is None and (
                not form.map_classes or name in form.map_classes
            ):
                yield interface.name


def _homes(interface: Interface) -> tuple[str | None, ...]:
    return interface.name, interface.parent


def slowest_bps(device: Device, outlet: Outlet) -> float:
    """The slowest rate that fragments of an output pass, by what is known of it.

    Its line, by what both ends state; of Frame Relay the CIRs and shapers of all circuits of the
    physical interface, whose fragments wait for each other, and the ports of the other ends too.
    """
    wire_bps = outlet.wire_bps
    if outlet.encapsulation is None or outlet.encapsulation.kind is not Layer2.FRAME_RELAY:
        if outlet.wire is None:
            return wire_bps
        return min(rate_of_both(device, outlet.interface.name, outlet.wire).value, outlet.line_bps)
    main = device.facts.interface(outlet.interface.parent or "") or outlet.interface
    rates = [_rate_bps(device, main, circuit) for circuit in _circuits(device, main)]
    known = [rate for rate in rates if rate is not None]
    return min((wire_bps, *known, *_of_far_ends(device, main)))


def _of_circuits(
    device: Device, outlet: Outlet, main: Interface, circuits: tuple[FrameRelayCircuit, ...]
) -> tuple[float, ...] | Unknown:
    """Rates of all circuits of a physical interface whose map-classes set the fragments."""
    del outlet
    rates = tuple(
        rate for circuit in circuits if (rate := _rate_bps(device, main, circuit)) is not None
    )
    if len(rates) < len(circuits):
        return Unknown(f"a circuit of {main.name} has no map-class with a CIR or a shaper")
    names = [circuit.map_class.value for circuit in circuits if circuit.map_class is not None]
    if any(_elsewhere(device, main, name) for name in names):
        return Unknown("a map-class of it serves circuits of another interface too")
    return rates


def _of_port(
    device: Device, outlet: Outlet, main: Interface, circuits: tuple[FrameRelayCircuit, ...]
) -> tuple[float, ...] | Unknown:
    """The rate of a port that fragments for all its circuits."""
    if outlet.is_frame_relay_shaped:
        return Unknown("the circuit has no map-class: without one IOS shapes it to 56 kb/s")
    if outlet.interface.is_subinterface:
        return Unknown(
            "the circuit has no map-class, which would hold the policy and the fragments"
        )
    if outlet.shaper_bps is not None:
        return Unknown("fragments of the interface exclude a policy that shapes")
    if any(circuit.map_class is not None for circuit in circuits):
        return Unknown(f"a circuit of {main.name} has a map-class, which sets fragments of its own")
    if _is_older(device):
        return Unknown("this release is not known to fragment on the interface")
    return (outlet.wire_bps,)


def _of_far_ends(device: Device, main: Interface) -> Iterator[float]:
    """Rates of the other ends of the circuits: a fragment also leaves through their ports."""
    for interface in device.facts.interfaces:
        if main.name in (interface.name, interface.parent):
            end = far_end(device, interface.name)
            if end is not None:
                line, cir = far_rate(end), end.rates.cir_bps
                yield from (rate.value for rate in (line, cir) if rate is not None)


def _circuits(device: Device, main: Interface) -> Iterator[FrameRelayCircuit]:
    for interface in device.facts.interfaces:
        if main.name in (interface.name, interface.parent):
            yield from interface.circuits


def _rate_bps(device: Device, main: Interface, circuit: FrameRelayCircuit) -> float | None:
    """Rate that a circuit is held to: its CIR under FRTS, else the shaper of its policy."""
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
    return min(shapers, default=None)


def has_circuit_without_cir(device: Device, outlet: Outlet) -> bool:
    """Whether Frame Relay traffic shaping holds a circuit beside it to a rate that nobody stated.

    IOS takes 56 kb/s for it; where its policy shapes too, no source says which of the two holds.
    """
    main = device.facts.interface(outlet.interface.parent or "") or outlet.interface
    shaping = main.frame_relay_traffic_shaping
    if shaping is None or not shaping.value:
        return False
    return any(circuit.cir_bps is None for circuit in _circuits(device, main))


def _elsewhere(device: Device, main: Interface, name: str) -> bool:
    return any(
        circuit.map_class is not None and circuit.map_class.value == name
        for interface in device.facts.interfaces
        if main.name not in (interface.name, interface.parent)
        for circuit in interface.circuits
    )


def _is_older(device: Device) -> bool:
    version = device.facts.version
    return version is None or version.value.startswith(_RECALLED_FORM)
