"""Choices of what is not known, as bottleneck and classes of WRED's model."""

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from advisor.facts.policy import Unit
from advisor.outlet.class_bandwidth import class_rate
from advisor.outlet.class_packet import LARGEST_DATA_BYTES, class_packet
from advisor.outlet.queue_limit import queue_limit
from advisor.outlet.scheduler import Scheduler, scheduler_of
from advisor.outlet.wred_groups import Group
from advisor.outlet.wred_rows import DEFAULT_DENOMINATOR, WredRow
from advisor.predict.wred.inputs import Asked, AskedClass, varied, wire_size
from advisor.quantity import Input
from advisor.theory.wred.interface import Bottleneck, DropProfile, TcpFlows, Unresponsive, WredClass
from advisor.units import bps_from_bytes, bytes_in_ms, ms_from_s

DEFAULT_EXPONENT = 9  # `Exp-weight-constant: 9 (1/512)` of all trains
_IP_AND_TCP_BYTES = 40
_OVERLOAD = 2.0  # what a saturated class offers, of the line


class World(Struct, frozen=True):
    """One choice: the inputs named here stand at their low or high end, all others at the value."""

    ends: Mapping[str, str] = field(default_factory=dict)

    def at(self, given: Input) -> float:
        end = self.ends.get(given.name)
        return given.value if end is None else given.low if end == "low" else given.high


def worlds(asked: Asked) -> Iterator[World]:
    """The values, then each interval at both ends by itself, then all at one end together."""
    yield World()
    unknown = [each.name for each in varied(list(asked.inputs.values()))]
    for name in unknown:
        yield from (World({name: end}) for end in ("low", "high"))
    if len(unknown) > 1:
        yield from (World(dict.fromkeys(unknown, end)) for end in ("low", "high"))


def model_of(asked: Asked, world: World) -> tuple[Bottleneck, tuple[WredClass, ...]]:
    """Bottleneck and classes in one world."""
    return _bottleneck(asked, world), tuple(
        _class(asked, each, world) for each in asked.classes if _is_there(asked, each, world)
    )


def limit_input(asked: Asked, each: AskedClass) -> Input:
    """Queue-limit of a class in packets, as it is in force with WRED."""
    limit = queue_limit(asked.outlet, each.facts, asked.device.train.generation)
    return limit.as_input(each.name, _packet(asked, each))


def profile_of(asked: Asked, each: AskedClass, row: WredRow, lowest: float) -> DropProfile:
    """Thresholds of a row in packets, moved in proportion where the lowest minimum is moved."""
    packets = [
        _threshold(asked, each, value, row.unit) for value in (row.min_threshold, row.max_threshold)
    ]
    moved = asked.moves.min_packets
    if moved is not None and lowest > 0:
        packets = [value * moved / lowest for value in packets]
    denominator = DEFAULT_DENOMINATOR if row.denominator is None else row.denominator
    return DropProfile(packets[0], max(packets), denominator)


def lowest_min(asked: Asked, each: AskedClass) -> float:
    """The lowest minimum threshold that a stated group of the class meets, in packets."""
    rows = [group.row for group in each.groups if group.row is not None]
    return min((_threshold(asked, each, r.min_threshold, r.unit) for r in rows), default=0.0)


def _scheduler(asked: Asked) -> Scheduler:
    return scheduler_of(asked.outlet, asked.device.train)[0]


def _weights(asked: Asked) -> dict[str, float]:
    framing = asked.outlet.encapsulation
    if framing is None:
        return {each.name: 1.0 for each in asked.classes}
    names = [each.name for each in asked.classes]
    queues = _scheduler(asked).queues(names, framing.high, 0.0)
    return {queue.name: queue.share_percent or 1.0 for queue in queues}


def _is_there(asked: Asked, each: AskedClass, world: World) -> bool:
    return not each.assumed or world.at(asked.inputs[f"load of {each.name}"]) > 0


def _bottleneck(asked: Asked, world: World) -> Bottleneck:
    framing, question = asked.outlet.encapsulation, asked.question
    rate_bps = question.line_bps
    if asked.outlet.bundle_wire is not None and question.line_bps >= question.wire_bps:
        rate_bps = asked.outlet.bundle_wire.value
    return Bottleneck(
        rate_bps - world.at(asked.inputs["llq_bps"]),
        round(sum(world.at(overhead) for overhead in asked.outlet.overhead_inputs)),
        framing.high.cells if framing is not None else False,
        max(1.0, round(world.at(asked.inputs["ring_packets"]))),
    )


def _class(asked: Asked, each: AskedClass, world: World) -> WredClass:
    wred = each.facts.wred if each.facts is not None else None
    exponent = None
    if wred is not None:
        exponent = wred.exponent.value if wred.exponent is not None else DEFAULT_EXPONENT
    return WredClass(
        each.name,
        _weights(asked)[each.name],
        max(1, round(limit_input(asked, each).value)),
        tuple(_groups(asked, each, world)),
        exponent,
    )


def _groups(asked: Asked, each: AskedClass, world: World) -> Iterator[TcpFlows | Unresponsive]:
    if not each.groups:
        yield _load(asked, each)
    lowest = lowest_min(asked, each)
    for group in each.groups:
        row = group.row
        profile = profile_of(asked, each, row, lowest) if row is not None else None
        size = round(world.at(packet_input(asked, each, group)))
        tcp = group.stated.tcp
        if tcp is None:
            per_s = group.stated.packets_per_second or 0.0
            yield Unresponsive(group.name, per_s, size, profile)
            continue
        segment = max(1, size - _IP_AND_TCP_BYTES)
        rtt_ms = world.at(_input(asked, "rtt_ms", group))
        window = world.at(_input(asked, "receiver_window_bytes", group)) // segment
        yield TcpFlows(
            group.name,
            tcp.flows,
            rtt_ms,
            size,
            max(1, int(window)),
            profile,
            None if tcp.transfer_bytes is None else max(1, -(-tcp.transfer_bytes // segment)),
        )


def packet_input(asked: Asked, each: AskedClass, group: Group) -> Input:
    """Packet size of a group: its own, else that of its class."""
    own = asked.inputs.get(f"packet_bytes of {group.name}")
    return own or asked.inputs[f"packet_bytes in {each.name}"]


def _input(asked: Asked, name: str, group: Group) -> Input:
    return asked.inputs.get(f"{name} of {group.name}") or asked.inputs[name]


def _load(asked: Asked, each: AskedClass) -> Unresponsive:
    """A class without groups: what it offers, else more than the line."""
    offer = each.offer
    size = round(offer.mean_ip_bytes) if offer is not None and offer.sizes else LARGEST_DATA_BYTES
    if offer is not None and offer.packets_per_second is not None:
        return Unresponsive(each.name, offer.packets_per_second, size)
    packet_bps = bps_from_bytes(wire_size(size, asked), ms_from_s(1))
    return Unresponsive(each.name, _OVERLOAD * asked.question.line_bps / packet_bps, size)


def _threshold(asked: Asked, each: AskedClass, value: float, unit: Unit) -> float:
    """A threshold in packets: of bytes and ms those that the class's mean packet makes of them."""
    if unit is Unit.PACKETS:
        return value
    mean_bytes = _packet(asked, each).value
    if unit is Unit.BYTES:
        return value / mean_bytes
    rate = class_rate(asked.outlet, each.facts) if each.facts is not None else None
    rate_bps = asked.question.line_bps if rate is None else rate.value
    return bytes_in_ms(rate_bps, value) / mean_bytes


def _packet(asked: Asked, each: AskedClass) -> Input:
    return class_packet(asked.outlet, asked.question.offers, each.name)
