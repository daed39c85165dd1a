"""Choices of the unknown inputs, as bottleneck and classes of WRED's model."""

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from advisor.facts.policy import Unit
from advisor.outlet.class_bandwidth import class_rate
from advisor.outlet.class_packet import LARGEST_DATA_BYTES, class_packet
from advisor.outlet.queue_limit import queue_limit
from advisor.outlet.scheduler import Scheduler, scheduler_of
from advisor.outlet.wred_groups import Group
from advisor.outlet.wred_rows import DEFAULT_DENOMINATOR, WredRow, exponent_of
from advisor.predict.wred.inputs import (
    ServedClass,
    WredRequest,
    bottleneck_bps,
    line_size,
    varied,
)
from advisor.quantity import Input
from advisor.theory.wred.interface import Bottleneck, DropProfile, TcpFlows, Unresponsive, WredClass
from advisor.units import bps_from_bytes, bytes_in_ms, ms_from_s

_IP_AND_TCP_BYTES = 40
_OVERLOAD = 2.0  # offer of a saturated class, in times of the line rate


class World(Struct, frozen=True):
    """One choice: inputs named here are at their low or high end, all others at their value."""

    ends: Mapping[str, str] = field(default_factory=dict)

    def at(self, known: Input) -> float:
        end = self.ends.get(known.name)
        return known.value if end is None else known.low if end == "low" else known.high


def worlds(request: WredRequest) -> Iterator[World]:
    """All inputs at their values, then one input at both ends, then all inputs at one end."""
    yield World()
    unknown = [known.name for known in varied(list(request.inputs.values()))]
    for name in unknown:
        yield from (World({name: end}) for end in ("low", "high"))
    if len(unknown) > 1:
        yield from (World(dict.fromkeys(unknown, end)) for end in ("low", "high"))


def model_of(request: WredRequest, world: World) -> tuple[Bottleneck, tuple[WredClass, ...]]:
    """Bottleneck and classes in one world."""
    return _bottleneck(request, world), tuple(
        _class(request, served, world)
        for served in request.classes
        if _is_there(request, served, world)
    )


def limit_input(request: WredRequest, served: ServedClass) -> Input:
    """Queue-limit of a class in packets, as it is in force with WRED."""
    limit = queue_limit(request.outlet, served.facts, request.device.platform)
    return limit.as_input(served.name, _packet(request, served))


def profile_of(
    request: WredRequest, served: ServedClass, row: WredRow, lowest: float
) -> DropProfile:
    """Thresholds of a row in packets, moved in proportion where the lowest minimum is moved."""
    packets = [
        _threshold(request, served, value, row.unit)
        for value in (row.min_threshold, row.max_threshold)
    ]
    moved = request.moves.min_packets
    if moved is not None and lowest > 0:
        packets = [value * moved / lowest for value in packets]
    denominator = DEFAULT_DENOMINATOR if row.denominator is None else row.denominator
    return DropProfile(packets[0], max(packets), denominator)


def lowest_min(request: WredRequest, served: ServedClass) -> float:
    """The lowest minimum threshold that a stated group of the class meets, in packets."""
    rows = [group.row for group in served.groups if group.row is not None]
    return min(
        (_threshold(request, served, row.min_threshold, row.unit) for row in rows), default=0.0
    )


def _scheduler(request: WredRequest) -> Scheduler:
    return scheduler_of(request.outlet, request.device.platform)[0]


def _weights(request: WredRequest) -> dict[str, float]:
    parts = _scheduler(request).parts
    shares = {name: part.share_bps for name, part in parts.items()}
    return {served.name: shares.get(served.name) or 1.0 for served in request.classes}


def _is_there(request: WredRequest, served: ServedClass, world: World) -> bool:
    return not served.assumed or world.at(request.inputs[f"load of {served.name}"]) > 0


def _bottleneck(request: WredRequest, world: World) -> Bottleneck:
    outlet = request.outlet
    framing = outlet.encapsulation
    return Bottleneck(
        bottleneck_bps(request.question) - world.at(request.inputs["llq_bps"]),
        round(sum(world.at(overhead) for overhead in outlet.line_overhead_inputs)),
        framing is not None and outlet.line_framing(framing.high).cells,
        max(1, round(world.at(request.inputs["ring_packets"]))),
    )


def _class(request: WredRequest, served: ServedClass, world: World) -> WredClass:
    wred = served.facts.wred if served.facts is not None else None
    exponent = exponent_of(wred, request.device.platform) if wred is not None else None
    return WredClass(
        served.name,
        _weights(request)[served.name],
        max(1, round(limit_input(request, served).value)),
        tuple(_groups(request, served, world)),
        exponent,
    )


def _groups(
    request: WredRequest, served: ServedClass, world: World
) -> Iterator[TcpFlows | Unresponsive]:
    if not served.groups:
        yield _load(request, served)
    lowest = lowest_min(request, served)
    for group in served.groups:
        row = group.row
        profile = profile_of(request, served, row, lowest) if row is not None else None
        size = round(world.at(packet_input(request, served, group)))
        tcp = group.stated.tcp
        if tcp is None:
            per_s = group.stated.packets_per_second or 0.0
            yield Unresponsive(group.name, per_s, size, profile)
            continue
        segment = max(1, size - _IP_AND_TCP_BYTES)
        rtt_ms = world.at(_input(request, "rtt_ms", group))
        window = world.at(_input(request, "receiver_window_bytes", group)) // segment
        yield TcpFlows(
            group.name,
            tcp.flows,
            rtt_ms,
            size,
            max(1, int(window)),
            profile,
            None if tcp.transfer_bytes is None else max(1, -(-tcp.transfer_bytes // segment)),
        )


def packet_input(request: WredRequest, served: ServedClass, group: Group) -> Input:
    """Packet size of a group: its own, else that of its class."""
    own = request.inputs.get(f"packet_bytes of {group.name}")
    return own or request.inputs[f"packet_bytes in {served.name}"]


def _input(request: WredRequest, name: str, group: Group) -> Input:
    return request.inputs.get(f"{name} of {group.name}") or request.inputs[name]


def _load(request: WredRequest, served: ServedClass) -> Unresponsive:
    """A class without groups: its offer, else more than the line."""
    offer = served.offer
    size = round(offer.mean_ip_bytes) if offer is not None and offer.sizes else LARGEST_DATA_BYTES
    if offer is not None and offer.packets_per_second is not None:
        return Unresponsive(served.name, offer.packets_per_second, size)
    packet_bps = bps_from_bytes(line_size(size, request), ms_from_s(1))
    return Unresponsive(served.name, _OVERLOAD * request.question.line_bps / packet_bps, size)


def _threshold(request: WredRequest, served: ServedClass, value: float, unit: Unit) -> float:
    """A threshold in packets; bytes and ms are converted by the class's mean packet."""
    if unit is Unit.PACKETS:
        return value
    mean_bytes = _packet(request, served).value
    if unit is Unit.BYTES:
        return value / mean_bytes
    rate = class_rate(request.outlet, served.facts) if served.facts is not None else None
    rate_bps = request.question.line_bps if rate is None else rate.value
    return bytes_in_ms(rate_bps, value) / mean_bytes


def _packet(request: WredRequest, served: ServedClass) -> Input:
    return class_packet(request.outlet, request.question.offers, served.name)
