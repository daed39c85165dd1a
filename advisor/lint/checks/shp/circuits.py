"""Circuits that Frame Relay traffic shaping holds to a rate that nobody wrote."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import shapes
from advisor.facts.config import SettingsKind
from advisor.facts.interface import FrameRelayCircuit, Interface
from advisor.lint.checks.base import Found, Hit, Skip, check
from advisor.lint.findings import Confidence
from advisor.outlet.carriers import wire_rate
from advisor.outlet.link_rates import described_rate_bps
from advisor.outlet.plain import DEFAULT_CIR_BPS
from advisor.quantity import rate_text
from advisor.units import kbps_from_bps


class DefaultCir(Struct, frozen=True):
    """The circuit, what leaves it without a CIR, and the rate that it gets of its port."""

    circuit: str  # "DLCI 200"
    lack: str  # "has no map-class", "has map-class BRANCH without a CIR"
    main: str
    now_kbps: str
    port: str  # ", of a port of 1536 kb/s"; empty where its rate is not known


def find_circuit_without_class(device: Device) -> Found[DefaultCir]:
    """Yield a hit for each circuit under traffic shaping that no line gives a CIR.

    A port of that rate or less is not shaped below itself, and neither is a circuit of which a line
    says that it has no more. A policy with a shaper of its own is SHP005's.
    """
    defined = {name for kind, name in device.facts.sections if kind is SettingsKind.MAP_CLASS}
    for main in device.facts.interfaces:
        shaping, wire = main.frame_relay_traffic_shaping, wire_rate(main, None, None)
        is_slow = wire is not None and wire.value <= DEFAULT_CIR_BPS
        if shaping is None or not shaping.value or main.shutdown or is_slow:
            continue
        for interface, circuit in _unrated(device, main):
            label = f"interface {interface.name} > dlci {circuit.dlci}"
            name = circuit.map_class.value if circuit.map_class is not None else None
            unread = any(line.under.startswith("map-class") for line in device.facts.unread)
            if name is not None and (unread or name not in defined):
                yield Skip(label, f"map-class {name} is not known in full")
                continue
            yield Hit(
                label,
                (circuit.at, shaping.at),
                DefaultCir(
                    f"DLCI {circuit.dlci}",
                    "has no map-class" if name is None else f"has map-class {name} without a CIR",
                    main.name,
                    rate_text(kbps_from_bps(DEFAULT_CIR_BPS)),
                    f", of a port of {rate_text(kbps_from_bps(wire.value))} kb/s" if wire else "",
                ),
                Confidence.LIKELY,
            )


def _unrated(device: Device, main: Interface) -> Iterator[tuple[Interface, FrameRelayCircuit]]:
    facts = device.facts
    for interface in facts.family(main.name):
        label, described = interface.bandwidth_bps, interface.description
        named = label.value if label is not None and interface.is_subinterface else None
        if described is not None and interface.is_subinterface:
            named = described_rate_bps(described.value) or named
        is_meant = named is not None and named <= DEFAULT_CIR_BPS
        for circuit in interface.circuits if not (interface.shutdown or is_meant) else ():
            is_shaped = any(shapes(facts, attached.policy) for attached in circuit.policies)
            if circuit.cir_bps is None and not is_shaped:
                yield interface, circuit


CIRCUIT_WITHOUT_CLASS = check(find_circuit_without_class)
