"""A link of which one end fragments and the other does not."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.links import Link, LinkEnd
from advisor.facts.interface import Interface
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.carriers import bundle_of
from advisor.outlet.framing import encapsulation_of
from advisor.outlet.link_rates import far_rate
from advisor.outlet.parts import mtu_input, uninterleaved
from advisor.quantity import Figure, Input, number
from advisor.theory.interface import Framing, wire_ms

_FRAME_RELAY: Final = "frame-relay"
_DROPPED: Final = "without FRF.12 this end drops them: all large packets"


class Params(Struct, frozen=True):
    """Budget of one packet; None where the profile does not judge it."""

    serialization_ms: float | None


class Evidence(Struct, frozen=True):
    """The end of this device, the end that fragments, and what follows."""

    interface: str
    far_end: str
    signs: str
    cost: str  # "its fragments are dropped here", "voice … waits up to 23.4 ms"


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each end that does not fragment, of a link with voice whose other end does.

    Of MLPPP only where a whole packet is over the budget. LFI005 has the end that cuts and does
    not interleave.
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
        far = link.far_end(device.name)
        own = next(end for end in link.ends if end is not far)
        if not far.cuts or own.cuts or not (own.has_llq or far.has_llq):
            continue
        rate = far_rate(own) or far_rate(far)
        if rate is None:
            yield Skip(f"interface {interface.name}", "the rate of the link is not known")
            continue
        whole_ms = _whole_ms(device, interface, rate)
        is_frame_relay = _carries_frame_relay(device, interface)
        if is_frame_relay or whole_ms > budget_ms:
            cost = (
                _DROPPED if is_frame_relay else f"voice from here waits up to {number(whole_ms)} ms"
            )
            yield _hit(interface, (own, far, link), cost, (whole_ms, rate))


def _hit(
    interface: Interface,
    ends: tuple[LinkEnd, LinkEnd, Link],
    cost: str,
    timed: tuple[float, Input],
) -> Hit[Evidence]:
    (own, far, link), (whole_ms, rate) = ends, timed
    return Hit(
        f"interface {interface.name}",
        (own.at,),
        Evidence(own.interface, far.label, ", ".join(link.signs), cost),
        Confidence.LIKELY,
        Forecast(
            "serialization of the largest packet from here",
            Figure(whole_ms, whole_ms, whole_ms, "ms"),
            None,
            (rate, _mtu(interface)),
        ),
    )


def _whole_ms(device: Device, interface: Interface, rate: Input) -> float:
    """Time of a packet of the MTU with its header; bare where the encapsulation is not known."""
    main = device.facts.interface(interface.parent or "") or interface
    encapsulation = encapsulation_of(main, None)
    framing = encapsulation.high if encapsulation is not None else Framing(0)
    return wire_ms(int(_mtu(interface).value), framing, rate.value)


def _mtu(interface: Interface) -> Input:
    return mtu_input(interface.mtu_bytes)


def _carries_frame_relay(device: Device, interface: Interface) -> bool:
    main = device.facts.interface(interface.parent or "") or interface
    return main.encapsulation is not None and main.encapsulation.value.startswith(_FRAME_RELAY)


CHECK = Check(Params, Evidence, find)
