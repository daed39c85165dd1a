"""FRF.12: one size for a physical interface; lines that give the right fragments."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts import Stated
from advisor.facts.interface import FrameRelayCircuit, Interface
from advisor.ground.quantity import Unknown
from advisor.ground.units import bytes_in_ms, kbps_from_bps
from advisor.lint.checks.lfi import CutLink, LabelledMember, ring_to_set, wrong_labels
from advisor.model import wire_ms
from advisor.outlet.fragments import Fragment, how_to_fragment
from advisor.outlet.framing import Layer2
from advisor.outlet.link_rates import circuit_bps, circuits_of, far_rates_bps, voice_circuits
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets

# FRF.12: one fragment size for all circuits of a physical interface, and where IOS takes it.
#
# Sources: Cisco SRND and document 20371 (the slowest circuit decides: of those with an LLQ, for
# behind the contract of another one no voice waits), the FRF.12 guide (fragments of the interface
# exclude those of a map-class and `frame-relay traffic-shaping`).

NO_CIR: Final = (
    "`frame-relay traffic-shaping` without a CIR for each circuit: the slowest rate is not known"
)
_ROUNDING: Final = 0.25  # the default of LFI002
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
    main = device.facts.main_of(outlet.interface)
    circuits = tuple(circuits_of(device, main))
    of_circuits = outlet.map_class is not None
    rates = (_of_circuits if of_circuits else _of_port)(device, outlet, main, circuits)
    if isinstance(rates, Unknown):
        return rates
    slowest_bps = min(outlet.wire_bps, *rates, *far_rates_bps(device, main))
    size = int(bytes_in_ms(slowest_bps, budget_ms)) - outlet.encapsulation.high.overhead_bytes
    if size < _LEAST_BYTES:
        return Unknown(
            f"no fragment that a voice packet fits keeps {budget_ms:g} ms: raise the rate"
        )
    whole_ms = wire_ms(int(outlet.mtu.value), outlet.encapsulation.high, outlet.wire_bps)
    if whole_ms <= budget_ms:  # no voice waits long at the port: other circuits may stay whole
        circuits = tuple(item for item in circuits if _is_cut(item) or _has(item, outlet.map_class))
    classes = _to_cut(circuits, size) if of_circuits else ()
    return FrameRelayLfi(size, classes, main.name, kbps_from_bps(slowest_bps))


def _to_cut(circuits: tuple[FrameRelayCircuit, ...], size_bytes: int) -> tuple[str, ...]:
    """Map-classes whose fragments are not right already, to what LFI002 lets pass."""
    all_names = [(item.map_class.value, item) for item in circuits if item.map_class is not None]
    wrong = [name for name, circuit in all_names if not _is_right(circuit, size_bytes)]
    return tuple(dict.fromkeys(wrong or [name for name, _ in all_names]))


def _is_cut(circuit: FrameRelayCircuit) -> bool:
    return circuit.fragment_bytes is not None


def _has(circuit: FrameRelayCircuit, map_class: str | None) -> bool:
    return circuit.map_class is not None and circuit.map_class.value == map_class


def _is_right(circuit: FrameRelayCircuit, size_bytes: int) -> bool:
    stated = circuit.fragment_bytes
    return stated is not None and abs(stated.value - size_bytes) <= size_bytes * _ROUNDING


def ends_to_change(device: Device, form: FrameRelayLfi) -> str:
    """Name the change at far ends of circuits that get fragments for the first time; else empty."""
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


def _of_circuits(
    device: Device, outlet: Outlet, main: Interface, circuits: tuple[FrameRelayCircuit, ...]
) -> tuple[float, ...] | Unknown:
    """Rates of all circuits of a physical interface whose map-classes set the fragments."""
    del outlet
    with_voice = tuple(voice_circuits(device, main))
    rates = tuple(
        rate for circuit in with_voice if (rate := circuit_bps(device, main, circuit)) is not None
    )
    if len(rates) < len(with_voice) or any(circuit.map_class is None for circuit in circuits):
        return Unknown(f"a circuit of {main.name} has no map-class with a CIR or a shaper")
    names = [circuit.map_class.value for circuit in circuits if circuit.map_class is not None]
    if any(_elsewhere(device, main, name) for name in names):
        return Unknown("a map-class of it serves circuits of another interface too")
    return rates


def _of_port(
    _: Device, outlet: Outlet, main: Interface, circuits: tuple[FrameRelayCircuit, ...]
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
    return (outlet.wire_bps,)


def has_circuit_without_cir(device: Device, outlet: Outlet) -> bool:
    """Whether Frame Relay traffic shaping holds a circuit with an LLQ to a rate nobody stated.

    IOS takes 56 kb/s for it; where its policy shapes too, no source says which of the two holds.
    """
    main = device.facts.main_of(outlet.interface)
    shaping = main.frame_relay_traffic_shaping
    if shaping is None or not shaping.value:
        return False
    return any(circuit.cir_bps is None for circuit in voice_circuits(device, main))


def _elsewhere(device: Device, main: Interface, name: str) -> bool:
    return any(
        circuit.map_class is not None and circuit.map_class.value == name
        for interface in device.facts.interfaces
        if main.name not in (interface.name, interface.parent)
        for circuit in interface.circuits
    )


# Lines that give an output which fragments already the right fragments.


class MemberRing(Struct, frozen=True):
    """A member whose ring would hold too much of the new fragments, and the ring to set."""

    name: str
    ring: int


class FragmentDelay(Struct, frozen=True):
    """The fragment delay of a bundle in its spelling, and members whose `bandwidth` is wrong.

    `delay_ms` is None where the bundle has the right delay. `rings` are those that longer fragments
    make too long.
    """

    bundle: str
    words: str
    delay_ms: int | None
    members: tuple[LabelledMember, ...]
    rings: tuple[MemberRing, ...] = ()


def resized(
    device: Device, link: CutLink, fragment: Fragment, budget_ms: float, ring_ms: float | None
) -> FrameRelayLfi | FragmentDelay | Unknown:
    """Return the values of the lines of `fragment-size.j2`, or the reason why there are none."""
    outlet = link.outlet
    if not fragment.holds_voice:
        return Unknown(
            f"raise the rate: no fragment that a voice packet fits keeps {budget_ms:g} ms"
        )
    by_hand = Unknown(how_to_fragment(outlet, fragment, budget_ms))
    if outlet.bundle is None:
        form = frame_relay_lfi(device, outlet, budget_ms)
        return by_hand if isinstance(form, Unknown) else form
    if outlet.bundle.multilink.fragment_bytes is not None:
        return Unknown(f"instead of a size in bytes: {by_hand.reason}")
    members = wrong_labels(device, outlet.bundle)
    if isinstance(members, Unknown):
        return members
    stated = outlet.bundle.multilink.fragment_delay_ms
    words = outlet.bundle.multilink.delay_words
    is_set = stated is not None and stated.value == int(budget_ms)
    if is_set and not members:
        return by_hand
    rings = tuple(_rings(device, outlet, budget_ms, ring_ms))
    return FragmentDelay(
        outlet.bundle.name, words, None if is_set else int(budget_ms), members, rings
    )


def _rings(
    device: Device, cut: Outlet, fragment_ms: float, ring_ms: float | None
) -> Iterator[MemberRing]:
    """Members with a stated ring that is too long for the new fragments; LFI007 has the others."""
    for outlet in outlets(device):
        stated = outlet.interface.tx_ring_limit
        if outlet.bundle != cut.bundle or outlet.wire is None or stated is None:
            continue
        size_bytes = bytes_in_ms(outlet.wire.value, fragment_ms)
        member = replace(outlet, fragment_bytes=Stated(size_bytes, outlet.at))
        ring = ring_to_set(device, member, ring_ms)
        if ring is not None:
            yield MemberRing(outlet.interface.name, ring)


def advice_of(device: Device, form: FrameRelayLfi | FragmentDelay) -> str:
    """Advise on the lines."""
    if isinstance(form, FrameRelayLfi):
        words = "the other end sets the size of what it sends by the same rate"
        return "; ".join(filter(None, (words, ends_to_change(device, form))))
    return (
        "IOS computes the size when the first member joins: after the lines `shutdown` all "
        "members, then `no shutdown` them, which interrupts the link"
    )
