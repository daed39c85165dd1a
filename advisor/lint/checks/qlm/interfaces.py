"""Queues of interfaces: one FIFO for all, a deep hold-queue, queueing older than MQC."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts import Stated
from advisor.facts.attachments import attachments
from advisor.facts.interface import Interface, Side
from advisor.facts.policy import CLASS_DEFAULT, Unit
from advisor.ground.quantity import Basis, Input, RateKind, count, exact, number, point, rate_text
from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.lint.checks.base import Found, Hit, LoadParams, Skip, rows_of
from advisor.lint.checks.qlm import range_words
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_service import LEAST_TCP_PACKETS, ClassService, class_packet
from advisor.outlet.congestion import congestion_signs
from advisor.outlet.operations import offers_at
from advisor.outlet.outlet import Outlet, Queueing
from advisor.outlet.plain import E1_BPS, plain_outlet, plain_places
from advisor.outlet.wires import wire_rate

if TYPE_CHECKING:
    from advisor.shows.interfaces.reader import ObservedInterface


# A slow, congested link with one queue for all: a keystroke waits behind a file.

# Encapsulations known to take `fair-queue`: not X.25, LAPB, compressed PPP, SDLC (Cisco IOS QoS
# command reference, fair-queue), nor STUN and BSTUN, which carry SDLC.
_WITH_FAIR_QUEUE: Final = (None, "hdlc", "ppp", "frame-relay")
_NO_FAIR_QUEUE: Final = "attach a policy-map with a queueing class-default"
_OF_DLSW: Final = "; the sessions of DLSw+ that leave here wait in it too"
_SHAPED: Final = (
    "Frame Relay traffic shaping queues in its circuits: `fair-queue` belongs in the class-default "
    "of a policy of their map-class"
)


class BusyFifo(Struct, frozen=True):
    """The link and the signs of its congestion."""

    interface: str
    rate_kbps: str
    seen: str
    sessions: str  # "; the sessions of DLSw+ that leave here wait in it too"; or empty


def find_fifo_on_slow_congested_link(device: Device, params: LoadParams) -> Found[BusyFifo]:
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
            sessions = _OF_DLSW if device.facts.dlsw.remote_peers else ""
            yield _hit(interface, observed, rate, signs, sessions)


def _otherwise_queued(device: Device) -> frozenset[str]:
    """Interfaces with an output policy on them, on a subinterface or on a circuit."""
    names = {
        attached.interface.parent or attached.interface.name
        for attached in attachments(device.facts)
        if attached.attachment.direction is Side.OUTPUT
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
    interface: Interface, observed: ObservedInterface, rate: Input, signs: list[str], sessions: str
) -> Hit[BusyFifo]:
    words = interface.encapsulation.value.split() if interface.encapsulation else []
    kind = words[0] if words else None
    shaping = interface.frame_relay_traffic_shaping
    is_shaped = shaping is not None and shaping.value
    is_plain = kind in _WITH_FAIR_QUEUE and interface.compress is None
    takes_it = interface.type == "Serial" and is_plain and not is_shaped
    evidence = BusyFifo(
        interface.name,
        rate_text(kbps_from_bps(rate.value)),
        " and ".join(signs),
        sessions,
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
    return Forecast("load", point(percent, "%"), None, (measured, rate))


# A hold-queue of a slow FIFO that lets packets wait longer than the budget.


class DeepHoldQueueParams(Struct, frozen=True):
    """Budget of the profile for the queue of all traffic; None where it does not judge it."""

    default_queue_ms: float | None


class DeepHoldQueue(Struct, frozen=True):
    """The queue, its time, and the limit that the budget allows."""

    interface: str
    packets: str
    delay_ms: str
    rate_kbps: str
    budget_ms: float
    limit: int


def find_hold_queue_too_deep(device: Device, params: DeepHoldQueueParams) -> Found[DeepHoldQueue]:
    """Yield a hit for each slow interface with a FIFO whose stated hold-queue is too long."""
    budget_ms = params.default_queue_ms
    is_stated = any(port.hold_queue_out_packets is not None for port in device.facts.interfaces)
    for output in plain_places(device) if is_stated and budget_ms is not None else ():
        stated = output.interface.hold_queue_out_packets
        if stated is None or output.circuit is not None:
            continue
        outlet = plain_outlet(device, output)
        if outlet is None or outlet.kind is not Queueing.FIFO:
            continue
        link = outlet.link
        if link is None:
            yield Skip(outlet.policy_label, "the rate of the link is not known")
        elif link.value <= E1_BPS:
            yield from _judged(device, outlet, link, stated, budget_ms or 0.0)


def _judged(
    device: Device, outlet: Outlet, link: Input, stated: Stated[int], budget_ms: float
) -> Iterator[Hit[DeepHoldQueue]]:
    offers = offers_at(device, outlet)
    service = ClassService(link, class_packet(outlet, offers, CLASS_DEFAULT), outlet)
    delay = service.queue_ms(stated.value, Unit.PACKETS)
    if delay.low <= budget_ms or stated.value <= LEAST_TCP_PACKETS:
        return
    limit = service.packets_within(budget_ms)
    evidence = DeepHoldQueue(
        outlet.interface.name,
        str(stated.value),
        range_words(delay),
        rate_text(kbps_from_bps(link.value)),
        budget_ms,
        limit,
    )
    packets = exact("hold_queue_out_packets", stated.value, Basis.CONFIGURED, str(stated.at))
    yield Hit(
        outlet.policy_label,
        (stated.at,),
        evidence,
        Confidence.LIKELY,
        Forecast(
            "longest queue of the interface",
            delay,
            service.queue_ms(limit, Unit.PACKETS),
            (packets, link, service.mean_packet),
        ),
    )


# Queueing older than MQC: read, kept, and not judged.

_CAR: Final = "rate-limit"
_KINDS: Final = dict(row.split(" > ") for row in rows_of("old-queueing"))


class OldQueueing(Struct, frozen=True):
    """The interface, the kind of queueing, and its lines."""

    interface: str
    kind: str
    lines: str  # "1 line", "2 lines"
    seen: str  # "; its policers dropped 31 of 900 packets for output (3.44 %)"; or empty


def find_legacy_queueing_not_judged(device: Device) -> Found[OldQueueing]:
    """Yield a hit for each interface and kind of legacy queueing."""
    for interface in device.facts.interfaces:
        by_kind: dict[str, list[Location]] = {}
        for stated in interface.legacy_queueing:
            by_kind.setdefault(_kind(stated.value), []).append(stated.at)
        for kind, places in by_kind.items():
            yield Hit(
                f"interface {interface.name} > {kind}",
                tuple(places),
                OldQueueing(
                    interface.name,
                    _KINDS.get(kind, kind),
                    count(len(places), "line"),
                    _policed(device, interface.name) if kind == _CAR else "",
                ),
                Confidence.CERTAIN,
            )


def _policed(device: Device, name: str) -> str:
    """Drops of the policers of an interface in each direction, in words; empty where none."""
    limits = [item for item in device.seen.rate_limits if interface_name(item.interface) == name]
    said = ""
    for direction in ("input", "output"):
        own = [item for item in limits if item.direction == direction]
        dropped, packets = (
            sum(item.dropped_packets for item in own),
            sum(item.seen_packets for item in own),
        )
        if dropped:
            percent = number(percent_from_ratio(dropped / packets))
            said += f"; its policers dropped {dropped} of {packets} packets for {direction}"
            said += f" ({percent} %)"
    return said


def _kind(line: str) -> str:
    """The command that a line opens with: two words where these are a kind, else one."""
    words = line.lower().split()
    both = " ".join(words[:2])
    return both if both in _KINDS else words[0]
