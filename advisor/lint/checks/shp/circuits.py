"""Several shapers of one port: circuits at a rate nobody wrote, shaped twice, or over the port."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import Attached, attachments, shapes
from advisor.facts.config import Facts, SettingsKind
from advisor.facts.interface import FrameRelayCircuit, Interface, Side
from advisor.facts.policy import Shape
from advisor.ground.quantity import Basis, Input, RateKind, count, exact, rate_text, rate_words
from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.findings import Confidence
from advisor.outlet.link_rates import why_wire_not_compared
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.outlet.parts import behind_tunnels, is_virtual, only_shapes
from advisor.outlet.plain import DEFAULT_CIR_BPS
from advisor.outlet.wires import TUNNEL, described_rate_bps, wire_rate
from advisor.outlet.wrapping import tunnel_ways

# A circuit without a CIR, which Frame Relay traffic shaping holds to the default of IOS.


class DefaultCir(Struct, frozen=True):
    """The circuit, what leaves it without a CIR, and the rate that it gets of its port."""

    circuit: str  # "DLCI 200"
    lack: str  # "has no map-class", "has map-class BRANCH without a CIR"
    main: str
    now_kbps: str
    port: str  # ", of a port of 1536 kb/s"; empty where its rate is not known


def find_circuit_without_class(device: Device) -> Found[DefaultCir]:
    """Yield a hit for each circuit under traffic shaping that no line gives a CIR.

    Not judged: a port of that rate or less, and a circuit that a line says to have no more, or
    that an output shows with another rate. SHP005 has policies with a shaper of their own.
    """
    defined = {name for kind, name in device.facts.sections if kind is SettingsKind.MAP_CLASS}
    for main in device.facts.interfaces:
        shaping = main.frame_relay_traffic_shaping
        if shaping is None or not shaping.value or main.shutdown:
            continue
        wire = wire_rate(main, None, None)
        if wire is not None and wire.value <= DEFAULT_CIR_BPS:
            continue
        for interface, circuit in _unrated(device, main):
            label = f"interface {interface.name} > dlci {circuit.dlci}"
            name = circuit.map_class.value if circuit.map_class is not None else None
            unread = any(line.under.startswith("map-class") for line in device.facts.unread)
            shaper = device.seen.shaper(interface.name, str(circuit.dlci))
            if shaper is not None and shaper.rate_bps != DEFAULT_CIR_BPS:
                continue
            if shaper is None and name is not None and (unread or name not in defined):
                yield Skip(label, f"map-class {name} is not known in full")
                continue
            yield Hit(
                label,
                (circuit.at, shaping.at, *((shaper.at,) if shaper is not None else ())),
                DefaultCir(
                    f"DLCI {circuit.dlci}",
                    "has no map-class" if name is None else f"has map-class {name} without a CIR",
                    main.name,
                    rate_text(kbps_from_bps(DEFAULT_CIR_BPS)),
                    f", of a port of {rate_text(kbps_from_bps(wire.value))} kb/s" if wire else "",
                ),
                Confidence.LIKELY if shaper is None else Confidence.CERTAIN,
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
            shaper, cir = device.seen.shaper(interface.name, str(circuit.dlci)), circuit.cir_bps
            is_stated = cir is not None and (shaper is None or cir.at != shaper.at)
            if not is_stated and not is_shaped:
                yield interface, circuit


# Frame Relay traffic shaping of the interface, and a shaper of a policy on the same circuits.

_PRINTED: Final = ". The device printed both lines, so its IOS takes them"
_FRAGMENTS: Final = "frame-relay fragment "
_TO_PORT: Final = (
    "take `frame-relay fragment` off the interface and state it in the map-classes of the circuits "
    "that shape, at both ends, or take the shaper off the circuit"
)


class TwoShapers(Struct, frozen=True):
    """The policy that shapes, what IOS does not take beside it, and a reason to doubt it."""

    policy_map: str
    other: str
    doubt: str


def find_frts_and_mqc_mixed(device: Device) -> Found[TwoShapers]:
    """Yield a hit for each policy with a shaper beside what shapes or cuts all circuits.

    A capture proves that IOS took both lines: there the hit is `possible`.
    """
    captured = device.facts.tree.is_capture
    for attached in attachments(device.facts):
        main = device.facts.main_of(attached.interface)
        is_output = attached.attachment.direction is Side.OUTPUT
        other = _other(attached, main)
        if not is_output or other is None or _is_off(attached, main):
            continue
        policy = attached.attachment.policy
        shape = _shape(device.facts, policy)
        if shape is not None:
            words, at = other
            yield Hit(
                attached.label,
                (shape.at, at, attached.attachment.at),
                TwoShapers(policy, words, _PRINTED if captured else ""),
                Confidence.POSSIBLE if captured else Confidence.LIKELY,
                advice=_TO_PORT if words.startswith(_FRAGMENTS) else None,
                refused=(attached.attachment.at,),
            )


def _other(attached: Attached, main: Interface) -> tuple[str, Location] | None:
    """Find a command beside a shaper of the policy that IOS does not take, and its place."""
    shaping, fragments = main.frame_relay_traffic_shaping, main.frame_relay_fragment_bytes
    if shaping is not None and shaping.value:
        return f"frame-relay traffic-shaping of {main.name} shapes the same circuits", shaping.at
    if attached.circuit is not None and fragments is not None:
        return f"{_FRAGMENTS}of {main.name} cuts the packets of all its circuits", fragments.at
    return None


def _is_off(attached: Attached, main: Interface) -> bool:
    return attached.interface.shutdown or main.shutdown


def _shape(facts: Facts, name: str) -> Shape | None:
    """The first shaper of a policy, or of a policy nested in it."""
    classes = (item for policy in facts.nested_policies(name) for item in policy.classes)
    return next((item.shape for item in classes if item.shape is not None), None)


# Shapers of one port that let more pass together than its line carries.


class ShapersOverPort(Struct, frozen=True):
    """The port, its shapers together, and its line."""

    interface: str
    shapers: str  # "2 shapers"
    total: str
    line: str
    percent: str


class _Port(Struct, frozen=True):
    """A port and the outputs that shape before it, one for each place."""

    home: str
    line: Input | None
    shaped: tuple[Outlet, ...]
    is_held: bool  # a shaper of all packets is the line: one shaper above it is enough


def find_shapers_oversubscribe_port(device: Device) -> Found[ShapersOverPort]:
    """Yield a hit for each port with an LLQ in a shaper where all shapers sum to more than its line

    A shaper above the line lets the line pass (SHP002). A port that queues by itself without a
    shaper is not judged; PLC002 has tunnels whose port queues again.
    """
    with_llq = {outlet.place for outlet in policies_out(device) if outlet.llq_classes}
    for port in _ports(device):
        if len(port.shaped) < (1 if port.is_held else 2) or with_llq.isdisjoint(
            item.place for item in port.shaped
        ):
            continue
        label, line = f"interface {port.home}", port.line
        if line is None:
            yield Skip(label, port.shaped[0].why_rate_unknown)
        elif (why_not := why_wire_not_compared(device, line)) is not None:
            yield Skip(label, why_not)
        elif (total_bps := _passed_bps(port, line.value)) > line.value:
            yield Hit(
                label,
                tuple(item.at for item in port.shaped),
                ShapersOverPort(
                    port.home,
                    count(len(port.shaped), "shaper"),
                    rate_words(kbps_from_bps(total_bps)),
                    rate_words(kbps_from_bps(line.value)),
                    f"{percent_from_ratio(total_bps / line.value):.0f}",
                ),
                Confidence.POSSIBLE if line.is_label else Confidence.LIKELY,
            )
    lost = _without_port(device)
    if len(lost) > 1:
        yield Skip(lost[0].policy_label, f"the port of {len(lost)} shaped tunnels is not known")


def _without_port(device: Device) -> list[Outlet]:
    """The shaped tunnels with an LLQ whose port is not known."""
    ways = tunnel_ways(device)
    return [
        outlet
        for outlet in policies_out(device)
        if outlet.interface.type == TUNNEL and outlet.interface.name not in ways
        if outlet.ceiling_bps is not None and outlet.llq_classes
    ]


def _ports(device: Device) -> Iterator[_Port]:
    """The ports of all shapers: of tunnels, the ports that their packets leave by.

    A port that only shapes is slower than its wire to the tunnels behind it.
    """
    at_place = {outlet.place: outlet for outlet in reversed(policies_out(device))}
    all_outlets = tuple(reversed(at_place.values()))
    ways, again = tunnel_ways(device), _queued_again(device)
    alone = {
        item.interface.name: item
        for item in all_outlets
        if item.interface.name not in ways and item.circuit is None and only_shapes(item.policy)
    }
    found: dict[str, list[Outlet]] = {}
    for outlet in all_outlets:
        key, way = outlet.ring_key, ways.get(outlet.interface.name)
        if way is not None:
            key = way.port.name if way.port.name in alone else device.facts.main_of(way.port).name
        if outlet.interface.name not in again:
            found.setdefault(key, []).append(outlet)
    for key, shaped in found.items():
        first, outer = shaped[0], alone.get(key)
        home, line = first.interface.parent or first.interface.name, first.wire
        inner = [item for item in shaped if item.interface.name in ways]
        if inner:
            home, line = key, inner[0].wire
        inner = [item for item in shaped if item is not outer]
        is_outside = outer is not None and bool(inner)
        if outer is not None and is_outside:
            line = _slower(line, outer)
        judged = inner if is_outside else shaped
        if not any(_queues_at_port(item) for item in judged):
            shapers = tuple(item for item in judged if _is_shaped(item))
            is_held = line is not None and line.kind is RateKind.SHAPER
            yield _Port(home, line, shapers, is_held)


def _is_shaped(outlet: Outlet) -> bool:
    return bool(outlet.ceiling_bps) and not outlet.is_never_full


def _queues_at_port(outlet: Outlet) -> bool:
    """Whether a policy queues at the rate of its port.

    One without a shaper on a tunnel, a subinterface or a session queues no packet, or at most adds
    to what the shapers beside it let pass.
    """
    home = outlet.session or outlet.interface
    return not _is_shaped(outlet) and outlet.circuit is None and not is_virtual(home)


def _queued_again(device: Device) -> set[str]:
    """The tunnels whose packets wait in classes of their port again."""
    behind = (behind_tunnels(device.facts, of_groups=is_group) for is_group in (False, True))
    return {item.interface.name for ports in behind for _, tunnels in ports for item in tunnels}


def _slower(wire: Input | None, outer: Outlet) -> Input | None:
    """The wire of a port, or the shaper of all its packets where that is slower."""
    shaped_bps = outer.ceiling_bps
    if shaped_bps is None or (wire is not None and wire.value <= shaped_bps):
        return wire
    return exact("link_rate_bps", shaped_bps, Basis.CONFIGURED, "shape", RateKind.SHAPER)


def _passed_bps(port: _Port, line_bps: float) -> float:
    """Sum of the rates that shapers let pass: each no more than a wire, whose shaper SHP002 has."""
    rates = (item.ceiling_bps or line_bps for item in port.shaped)
    return sum(rates if port.is_held else (min(rate, line_bps) for rate in rates))
