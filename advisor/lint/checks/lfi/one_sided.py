"""Links that one end fragments or compresses alone, where the run has both ends."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.links import Link, LinkEnd
from advisor.facts.interface import Interface
from advisor.ground.quantity import Basis, Input, exact, number, point, span
from advisor.ground.units import bits_from_bytes, kbps_from_bps
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.lfi import PacketBudget
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.model import Framing, wire_ms
from advisor.outlet.carriers import bundle_of, mtu_of
from advisor.outlet.framing import encapsulation_of
from advisor.outlet.link_rates import far_rate
from advisor.outlet.parts import mtu_input, uninterleaved
from advisor.outlet.wrapping import CRTP, Wrapping

# A link with fragments from one end only.

_FRAME_RELAY: Final = "frame-relay"
_LONGEST: Final = "serialization of the largest packet from here"


class OneSidedFragments(Struct, frozen=True):
    """The end of this device, the end that fragments, and what follows."""

    interface: str
    far_end: str
    signs: str
    cost: str  # "its fragments are dropped here", "voice … waits up to 23.4 ms"


def find_fragmentation_one_sided(device: Device, params: PacketBudget) -> Found[OneSidedFragments]:
    """Yield a hit for each end that does not fragment, of a link whose other end does.

    Of MLPPP only with voice, and where a whole packet is over the budget; Frame Relay loses packets
    at any rate. LFI005 has the end that cuts and does not interleave.
    """
    budget_ms = params.serialization_ms
    if budget_ms is None:
        return
    for interface in device.facts.interfaces:
        link = device.fleet.links.link(device.name, interface.name)
        if link is None or uninterleaved(device.facts, interface) is not None:
            continue
        if bundle_of(device.facts, interface) is not None:
            continue  # its bundle is the end, where lines made it a member
        own, far = link.from_here(device.name)
        if not far.cuts or own.cuts:
            continue
        if _carries_frame_relay(device, interface):
            yield _dropped_fragments(device, interface, (own, far, link))
            continue
        if not (own.has_llq or far.has_llq):
            continue
        rate = far_rate(own) or far_rate(far)
        if rate is None:
            yield Skip(f"interface {interface.name}", "the rate of the link is not known")
            continue
        mtu = mtu_input(mtu_of(device.facts, interface))
        whole_ms = _whole_ms(device, interface, rate, mtu)
        if whole_ms > budget_ms:
            time = Forecast(_LONGEST, point(whole_ms, "ms"), None, (rate, mtu))
            cost = f"voice from here waits up to {number(whole_ms)} ms"
            hit = _one_sided_fragments(interface, (own, far, link), cost, time)
            yield replace(hit, severity=Severity.WARNING)


def _dropped_fragments(
    device: Device, interface: Interface, ends: tuple[LinkEnd, LinkEnd, Link]
) -> Hit[OneSidedFragments]:
    """The link loses every packet that the far end cuts: an end without FRF.12 joins none."""
    _, far, _ = ends
    size = far.port_fragment_bytes
    over = "all large packets" if size is None else f"all packets over {size} bytes"
    cost = f"without FRF.12 this end drops the fragments: {over} to it are lost, small ones pass"
    main = interface.parent or interface.name
    cure = (
        f"see both ends (`show frame-relay fragment`), then give this one the size of {far.label}"
    )
    if size is not None:
        cure = f"`interface {main}`, `frame-relay fragment {size} end-to-end` on {device.name}"
    off = f"`no frame-relay fragment` on {far.label}" if size else f"none on {far.label}"
    when = "; at once, as no large packet passes today: small ones stop for a moment"
    lost = Forecast(
        f"loss of {over} from {far.label}",
        point(100.0, "%"),
        point(0.0, "%"),
        () if size is None else (exact("fragment_bytes", size, Basis.CONFIGURED, str(far.at)),),
    )
    hit = _one_sided_fragments(interface, ends, cost, lost)
    return replace(hit, advice=f"{cure}; or, until that can be done, {off}{when}")


def _one_sided_fragments(
    interface: Interface, ends: tuple[LinkEnd, LinkEnd, Link], cost: str, forecast: Forecast
) -> Hit[OneSidedFragments]:
    own, far, link = ends
    return Hit(
        f"interface {interface.name}",
        (own.at,),
        OneSidedFragments(own.interface, far.label, ", ".join(link.signs), cost),
        Confidence.LIKELY,
        forecast,
    )


def _whole_ms(device: Device, interface: Interface, rate: Input, mtu: Input) -> float:
    """Time of a packet of the MTU with its header; bare where the encapsulation is not known."""
    main = device.facts.main_of(interface)
    encapsulation = encapsulation_of(main, None)
    framing = encapsulation.high if encapsulation is not None else Framing(0)
    return wire_ms(int(mtu.value), framing, rate.value)


def _carries_frame_relay(device: Device, interface: Interface) -> bool:
    main = device.facts.main_of(interface)
    return main.encapsulation is not None and main.encapsulation.value.startswith(_FRAME_RELAY)


# RTP headers that one end compresses alone: calls have their full size both ways.

_CALL_PACKETS_PER_S: Final = 50
_FULL_SIZE: Final = "neither end compresses, by what they agree on"
_UNREAD: Final = "and cannot read what comes compressed"


class OneSidedCompression(Struct, frozen=True):
    """The end that compresses, the other one, and what follows."""

    interface: str
    far: str
    signs: str
    effect: str
    call_kbps: str


def find_header_compression_one_sided(device: Device) -> Found[OneSidedCompression]:
    """Yield a hit for each end that compresses headers of RTP, of a link whose other end does not.

    Frame Relay compresses by circuit and is not judged. Over PPP both ends agree on it first.
    """
    for interface in device.facts.interfaces:
        stated = interface.rtp_compression
        link = device.fleet.links.link(device.name, interface.name)
        if stated is None or link is None or _carries_frame_relay(device, interface):
            continue
        own, far = link.from_here(device.name)
        if far.compresses or not (own.is_two_ended and far.is_two_ended):
            continue
        kind = interface.encapsulation.value.split()[0] if interface.encapsulation else "hdlc"
        is_agreed = kind == "ppp" or interface.type == "Multilink"
        yield Hit(
            f"interface {interface.name}",
            (stated.at, far.at),
            OneSidedCompression(
                interface.name,
                far.label,
                ", ".join(link.signs),
                _FULL_SIZE if is_agreed else _UNREAD,
                span(*map(_call_kbps, (CRTP, CRTP.least or CRTP))),
            ),
            Confidence.LIKELY if is_agreed else Confidence.POSSIBLE,
        )


def _call_kbps(around: Wrapping) -> float:
    """Rate that compression takes off a call of 20 ms packets."""
    return kbps_from_bps(_CALL_PACKETS_PER_S * bits_from_bytes(-around.header_bytes))
