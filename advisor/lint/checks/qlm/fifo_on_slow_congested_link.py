"""A slow, congested link with one queue for all: a keystroke waits behind a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.interface import Direction, Interface
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.carriers import wire_rate
from advisor.outlet.measured import congestion_signs
from advisor.outlet.plain import E1_BPS
from advisor.quantity import Basis, Figure, Input, RateKind, exact, rate_text
from advisor.units import kbps_from_bps, percent_from_ratio

if TYPE_CHECKING:
    from advisor.shows.interfaces.reader import ObservedInterface

# Encapsulations known to take `fair-queue`: not X.25, LAPB, compressed PPP, SDLC (Cisco IOS QoS
# command reference, fair-queue), nor STUN and BSTUN, which carry SDLC.
_WITH_FAIR_QUEUE: Final = (None, "hdlc", "ppp", "frame-relay")
_NO_FAIR_QUEUE: Final = "attach a policy-map with a queueing class-default"
_SHAPED: Final = (
    "Frame Relay traffic shaping queues in its circuits: `fair-queue` belongs in the class-default "
    "of a policy of their map-class"
)


class Params(Struct, frozen=True):
    """Load of the link, in percent, at which it counts as congested."""

    load_percent: float


class Evidence(Struct, frozen=True):
    """The link and the signs of its congestion."""

    interface: str
    rate_kbps: str
    seen: str


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each slow FIFO interface with drops or a high load."""
    if not device.seen.interfaces:
        return
    busy_names = _otherwise_queued(device)
    for interface in device.facts.interfaces:
        observed = device.seen.interface(interface.name)
        if observed is None or interface.shutdown or interface.is_subinterface:
            continue
        if interface.name in busy_names or not _is_fifo(interface, observed):
            continue
        signs = congestion_signs(observed, params.load_percent)
        if not signs:
            continue
        label, rate = f"interface {interface.name}", _rate(interface, observed)
        if rate is None:
            yield Skip(label, "the rate of the link is not known")
        elif rate.value <= E1_BPS:
            yield _hit(interface, observed, rate, signs)


def _otherwise_queued(device: Device) -> frozenset[str]:
    """Interfaces with an output policy on them, on a subinterface or on a circuit."""
    names = {
        attached.interface.parent or attached.interface.name
        for attached in attachments(device.facts)
        if attached.attachment.direction is Direction.OUTPUT
    }
    members = {
        interface.name
        for interface in device.facts.interfaces
        if interface.multilink.group or interface.random_detect
    }
    lists = {interface.name for interface in device.facts.interfaces if interface.legacy_queueing}
    return frozenset(names | members | lists)


def _is_fifo(interface: Interface, observed: ObservedInterface) -> bool:
    """Whether a FIFO was seen, or `no fair-queue` is set if no strategy is printed."""
    fair = interface.fair_queue.value if interface.fair_queue is not None else None
    strategy = observed.queues.strategy
    if fair or strategy is None:
        return fair is False
    return strategy.strip().lower() == "fifo"


def _rate(interface: Interface, observed: ObservedInterface) -> Input | None:
    rate = wire_rate(interface, None, None)
    if rate is not None or observed.bandwidth_bps is None:
        return rate
    source, kind = f"BW, {observed.at}", RateKind.BANDWIDTH_LABEL
    return exact("wire_rate_bps", observed.bandwidth_bps, Basis.MEASURED, source, kind)


def _hit(
    interface: Interface, observed: ObservedInterface, rate: Input, signs: list[str]
) -> Hit[Evidence]:
    words = interface.encapsulation.value.split() if interface.encapsulation else []
    kind = words[0] if words else None
    shaping = interface.frame_relay_traffic_shaping
    is_shaped = shaping is not None and shaping.value
    is_plain = kind in _WITH_FAIR_QUEUE and interface.compress is None
    takes_it = interface.type == "Serial" and is_plain and not is_shaped
    evidence = Evidence(
        interface.name,
        rate_text(kbps_from_bps(rate.value)),
        " and ".join(signs),
    )
    return Hit(
        f"interface {interface.name}",
        (interface.at, observed.at),
        evidence,
        Confidence.LIKELY if rate.is_label else Confidence.CERTAIN,
        _forecast(observed, rate),
        curable=takes_it,
        advice=None if takes_it else _SHAPED if is_shaped else _NO_FAIR_QUEUE,
    )


def _forecast(observed: ObservedInterface, rate: Input) -> Forecast | None:
    load = observed.txload_ratio if observed.txload_ratio is not None else observed.load_ratio
    if load is None:
        return None
    percent = percent_from_ratio(load)
    measured = exact("load_ratio", load, Basis.MEASURED, str(observed.at))
    return Forecast("load", Figure(percent, percent, percent, "%"), None, (measured, rate))


CHECK = Check(Params, Evidence, find)
