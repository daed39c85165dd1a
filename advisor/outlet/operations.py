"""Packets that a router sends itself: IP SLA operations, and calls; their size, load, class.

Defaults: 10 packets of a jitter operation and 60 s of frequency are Cisco's (IOS XE 16.6 ICMP path
jitter, Catalyst 4500 IP SLA guide). 20 ms between packets and 1000 packets of a simulated codec are
recalled from Cisco's IP SLA guides; of udp-jitter, other guides say 10 ms. An operation counts as
running: the load is what it sends while it is scheduled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts import SlaProbe
from advisor.facts.traffic_kinds import may_be_for_voice
from advisor.ground.quantity import Basis, Input, Unknown, count, exact
from advisor.ground.questions import derived
from advisor.ground.units import bps_from_bytes, kbps_from_bps, ms_from_s, s_from_ms
from advisor.outlet.offer import Offer, is_for, offers_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.packet_class import Packet
from advisor.outlet.probe import (
    JITTER_OPERATIONS,
    TOS_BITS_BELOW_DSCP,
    ProbePath,
    way_by_only_llq,
    way_out,
)
from advisor.settings import PacketShare, StatedBursts, Traffic
from advisor.settings.traffic_keys import CodecError, load_codecs

if TYPE_CHECKING:
    from advisor.shows.calls import CallLeg

_IP_AND_UDP_BYTES: Final = 28  # 20 + 8, also 20 + 8 of IP and ICMP
_RTP_BYTES: Final = 12
_TIMESTAMP_BYTES: Final = 40  # IP and ICMP timestamp: the packet of icmp-jitter
_JITTER_PACKETS: Final = 10
_CODEC_PACKETS: Final = 1000
_INTERVAL_MS: Final = 20.0
_FREQUENCY_S: Final = 60.0
_ECHOES: Final = ("icmp-echo", "udp-echo")


class Operation(Struct, frozen=True):
    """One operation: `packets` of `ip_bytes`, by `interval_ms`, every `frequency_s` seconds.

    `class_name` is None where the config does not decide. `basis` is CONFIGURED where all of them
    stand in the config.
    """

    number: int
    outlets: tuple[Outlet, ...]
    class_name: str | None
    ip_bytes: int
    packets: int
    interval_ms: float
    frequency_s: float
    basis: Basis
    source: str

    @property
    def is_endless(self) -> bool:
        """Whether its packets take its whole period: the next run waits for their end."""
        return self.packets > 1 and self.packets * s_from_ms(self.interval_ms) >= self.frequency_s

    @property
    def packets_per_second(self) -> float:
        """Mean rate: never more than one packet in each interval."""
        if self.is_endless:
            return 1 / s_from_ms(self.interval_ms)
        return self.packets / self.frequency_s

    @property
    def as_input(self) -> Input:
        """Mean IP load in kb/s."""
        bits_per_s = bps_from_bytes(self.ip_bytes * self.packets_per_second, ms_from_s(1))
        of = f"ip sla {self.number}" + (f" in {self.class_name}" if self.class_name else "")
        why = self.source if self.class_name else f"{self.source}; its class is not known"
        return exact(f"ip_kbps of {of}", kbps_from_bps(bits_per_s), self.basis, why)


@derived
def operations_of(device: Device) -> tuple[Operation, ...]:
    """The operations of a device whose output and packets are known."""
    found = (_operation(device, probe) for probe in device.facts.probes)
    return tuple(operation for operation in found if operation is not None)


def _operation(device: Device, probe: SlaProbe) -> Operation | None:
    ip_bytes = packet_bytes(probe)
    path = way_out(device, probe)
    if ip_bytes is None or not isinstance(path, ProbePath):
        return None
    defaults = []
    packets, interval_ms, frequency = probe.packets, probe.interval_ms, probe.frequency_s
    if probe.operation not in JITTER_OPERATIONS:
        packets, interval_ms = 1, 0.0
    if packets is None:
        packets = _JITTER_PACKETS if probe.codec is None else _CODEC_PACKETS
        defaults.append(f"{packets} packets")
    if interval_ms is None:
        interval_ms = _INTERVAL_MS
        defaults.append(f"{interval_ms:g} ms between them")
    frequency_s = _FREQUENCY_S if frequency is None else frequency.value
    if frequency is None:
        defaults.append(f"every {frequency_s:g} s")
    if frequency_s <= 0:
        return None
    words = f"{probe.at}: {packets} packets of {ip_bytes} bytes every {frequency_s:g} s"
    source = f"{words}; by default {', '.join(defaults)}" if defaults else words
    basis = Basis.DEFAULT if defaults else Basis.CONFIGURED
    return Operation(
        number=probe.number,
        outlets=path.outlets,
        class_name=path.class_name,
        ip_bytes=ip_bytes,
        packets=packets,
        interval_ms=interval_ms,
        frequency_s=frequency_s,
        basis=basis,
        source=source,
    )


def packet_bytes(probe: SlaProbe) -> int | None:
    """IP bytes of a packet of an operation; None where neither config nor a sure default says it.

    The default payloads of udp-jitter, udp-echo and icmp-echo differ by release: they are unknown.
    """
    if probe.codec is not None:
        if probe.codec_bytes is not None:
            return probe.codec_bytes + _RTP_BYTES + _IP_AND_UDP_BYTES
        try:
            _, packet = load_codecs().packet(probe.codec)
        except CodecError:
            return None
        return packet.ip_bytes
    if probe.operation == "icmp-jitter":
        return _TIMESTAMP_BYTES
    is_sized = probe.operation in (*_ECHOES, "udp-jitter")
    if not is_sized or probe.request_bytes is None:
        return None
    return probe.request_bytes.value + _IP_AND_UDP_BYTES


def operations_at(device: Device, outlet: Outlet) -> tuple[Operation, ...]:
    """The operations that leave by an output."""
    return tuple(
        operation
        for operation in operations_of(device)
        if any(leaving.policy_label == outlet.policy_label for leaving in operation.outlets)
    )


def is_for_voice(device: Device, class_name: str) -> bool:
    """Whether a class is for calls: the user states them, or its matches may be voice."""
    stated = (item for item in device.traffic if item.class_name == class_name)
    return any(item.of_calls for item in stated) or may_be_for_voice(device.facts, class_name)


@derived
def stated_traffic(device: Device) -> tuple[Traffic, ...]:
    """The user's statements, those of `ip_sla = true` as the operations of the config.

    Calls in progress count in a priority class that nobody states.
    """
    taken: set[int] = set()  # operations by their numbers: two tables may speak of one

    def expanded() -> Iterator[Traffic]:
        for statement in device.traffic:
            if statement.of_ip_sla:
                left = tuple(item for item in operations_of(device) if item.number not in taken)
                own = tuple(_operations_for(statement, left))
                taken.update(operation.number for operation in own)
                yield from (_traffic_of(statement, operation) for operation in own)
            else:
                yield statement

    stated = tuple(expanded())
    return (*stated, *_unstated_calls(device, stated))


def offers_at(device: Device, outlet: Outlet, *, congested: bool = False) -> tuple[Offer, ...]:
    """Offers of an output by what is measured and stated of its device; see `offers_of`."""
    return offers_of(outlet, stated_traffic(device), congested=congested)


def _operations_for(statement: Traffic, operations: tuple[Operation, ...]) -> Iterator[Operation]:
    for operation in operations:
        in_class = operation.class_name == statement.class_name
        if in_class and any(is_for(statement, outlet) for outlet in operation.outlets):
            yield operation


def _traffic_of(statement: Traffic, operation: Operation) -> Traffic:
    is_train = operation.packets > 1 and not operation.is_endless
    return replace(
        statement,
        sizes=(PacketShare(operation.ip_bytes, 1.0),),
        packets_per_second=operation.packets_per_second,
        arrivals="bursts" if is_train else "periodic",
        pattern=StatedBursts(operation.packets, operation.interval_ms) if is_train else None,
        source=f"ip sla {operation.number}, {operation.source}",
        of_ip_sla=False,
    )


def in_no_figure(device: Device) -> Iterator[str]:
    """Say which operations and calls are in no figure, and what is not known of each."""
    known = {operation.number for operation in operations_of(device)}
    for probe in device.facts.probes:
        if probe.number in known:
            continue
        path = way_out(device, probe)
        why = path.reason if isinstance(path, Unknown) else "its packets are not known"
        yield f"{probe.at}: ip sla {probe.number} is in no figure: {why}"
    for leg in device.seen.calls:
        way = _way_of_call(device, leg)
        if not isinstance(way, ProbePath) or not way.is_priority:
            why = way.reason if isinstance(way, Unknown) else "no priority class takes it for sure"
            yield f"{leg.at}: the call to {leg.address} is in no figure: {why}"


# Calls in progress, as `show call active voice brief` has them: streams to the far ends of their
# legs. Source: Cisco IOS Voice Command Reference, ip qos dscp: ef by default for media.

_DSCP_OF_MEDIA: Final = 46
_UDP: Final = "udp"


@derived
def calls_in_progress(device: Device) -> tuple[Traffic, ...]:
    """Calls of a codec in each priority class that takes them, in packets of the default length."""
    by_place: dict[_PlaceOfCalls, list[CallLeg]] = {}
    for leg in device.seen.calls:
        way = _way_of_call(device, leg)
        if isinstance(way, ProbePath) and way.is_priority:
            codec, _ = load_codecs().packet(leg.codec)
            name, why = way.class_name or "", _BY_ONLY_LLQ if way.is_by_only_llq else ""
            by_place.setdefault((way.outlets[0].attached_to, name, codec.name, why), []).append(leg)
    return tuple(_calls(device, place, legs) for place, legs in by_place.items())


def calls_elsewhere(device: Device) -> Mapping[str, int]:
    """Calls in progress of each codec whose output, or whose class there, is not known."""
    found: dict[str, int] = {}
    for leg in device.seen.calls:
        way = _way_of_call(device, leg)
        if isinstance(way, Unknown) or way.is_priority is None:
            name = _name_of_codec(leg.codec)
            found[name] = found.get(name, 0) + 1
    return found


def _name_of_codec(printed: str) -> str:
    """The name of a codec; as it is printed where the table has none."""
    try:
        return load_codecs().packet(printed)[0].name
    except CodecError:
        return printed


_PlaceOfCalls = tuple[str, str, str, str]  # the output, the class, the codec, why it is there
_BY_ONLY_LLQ: Final = ", by the only output with an LLQ, as no line tells their route"


def _calls(device: Device, place: _PlaceOfCalls, legs: list[CallLeg]) -> Traffic:
    interface, class_name, codec, why = place
    _, packet = load_codecs().packet(codec)
    return Traffic(
        device=device.name,
        interface=interface,
        class_name=class_name,
        sizes=(PacketShare(packet.ip_bytes, 1.0),),
        packets_per_second=len(legs) * ms_from_s(1.0) / packet.packet_ms,
        streams=len(legs),
        arrivals="periodic",
        source=f"{count(len(legs), 'call')} of {codec} in progress{why}, {legs[0].at}",
        of_calls=True,
    )


def _way_of_call(device: Device, leg: CallLeg) -> ProbePath | Unknown:
    dscp = _DSCP_OF_MEDIA if leg.tos is None else leg.tos >> TOS_BITS_BELOW_DSCP
    try:
        load_codecs().packet(leg.codec)
        destination = IPv4Address(leg.address)
    except (CodecError, ValueError) as error:
        return Unknown(str(error))
    packet = Packet(_UDP, None, destination, leg.port, dscp)
    return way_by_only_llq(device, packet, destination)


def _unstated_calls(device: Device, stated: Sequence[Traffic]) -> Iterator[Traffic]:
    for calls in calls_in_progress(device) if device.seen.calls else ():
        here = (item for item in stated if fnmatchcase(calls.interface, item.interface))
        if all(item.class_name != calls.class_name for item in here):
            yield calls


_USUAL_CODEC: Final = "g729"


def stated_calls(
    outlet: Outlet, name: str, calls: int, like: Traffic | None, source: str
) -> Traffic:
    """Calls in a class, with packets like those of a statement, else those of G.729."""
    if like is not None and like.packets_per_second:
        each_s = like.packets_per_second / like.streams
        return replace(
            like,
            streams=max(calls, 1),
            packets_per_second=each_s * calls,
            source=source,
            is_moved=True,
        )
    _, packet = load_codecs().packet(_USUAL_CODEC)
    return Traffic(
        device="*",
        interface=outlet.attached_to,
        class_name=name,
        sizes=(PacketShare(packet.ip_bytes, 1.0),) if calls else (),
        packets_per_second=calls * ms_from_s(1.0) / packet.packet_ms,
        streams=max(calls, 1),
        arrivals="periodic",
        source=source,
        is_moved=True,
        of_calls=True,
    )
