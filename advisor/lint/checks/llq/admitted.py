"""Calls that a gateway admits, and priority classes with a rate that carry calls."""

from collections.abc import Iterator
from ipaddress import IPv4Address
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts import DialPeer
from advisor.facts.config import Facts
from advisor.facts.interface import Interface
from advisor.facts.policy import PolicyClass
from advisor.facts.traffic_kinds import may_be_for_voice
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import parent_of
from advisor.outlet.class_bandwidth import at_link_rate, in_force, wrong_base
from advisor.outlet.framing import CallRate, call_rate, calls_within
from advisor.outlet.link_rates import service_rate
from advisor.outlet.outlet import Outlet, police_rate_bps
from advisor.outlet.outlets import at_rate, policies_out
from advisor.outlet.wrapping import CRTP
from advisor.quantity import Input, Unknown, rate_words, span
from advisor.settings.traffic_keys import CodecError, load_codecs
from advisor.units import bps_from_bytes, kbps_from_bps, ratio_from_percent

# Calls that a gateway admits: by its dial-peers, by call thresholds and by RSVP.

DEFAULT_CODEC: Final = (
    "g729r8"  # of a dial-peer; recalled: Cisco IOS Voice Command Reference, codec
)
_RESERVING: Final = ("g711ulaw", DEFAULT_CODEC)
_RSVP_DEFAULT_RATIO: Final = 0.75  # of the interface `bandwidth`
_LINK_PREFIX: Final = 30  # and longer: what is behind it is the other end, no server of a LAN


class Limit(Struct, frozen=True):
    """Calls and their codec; None where the table does not have the codec."""

    calls: int
    codec: str | None


class CallAdmission(Struct, frozen=True):
    """Calls that one kind of limit admits over an interface; None: wherever they leave."""

    by: str  # "`max-conn`"
    interface: str | None
    limits: tuple[Limit, ...]
    at: tuple[Location, ...]
    is_codec_stated: bool = True
    is_threshold: bool = False

    @property
    def calls(self) -> int:
        return sum(limit.calls for limit in self.limits)

    def is_over(self, outlet: Outlet) -> bool:
        """Whether calls that it admits may leave by this output."""
        if self.interface is None:
            return True
        homes = {outlet.attached_to, outlet.interface.name, outlet.interface.parent} - {None}
        return self.interface in homes or parent_of(self.interface) in homes


def admissions(facts: Facts) -> tuple[CallAdmission, ...]:
    """List the limits on calls: dial-peers by where they lead, thresholds, RSVP reservations."""
    return (*_of_peers(facts), *_of_thresholds(facts), *_of_reservations(facts))


def _of_peers(facts: Facts) -> Iterator[CallAdmission]:
    by_exit: dict[str | None, list[tuple[Limit, Location]]] = {}
    for peer in facts.dial_peers:
        if peer.max_conn is not None and not peer.is_shutdown:
            limit = Limit(peer.max_conn.value, _known(_codec_of(peer)))
            by_exit.setdefault(_exit(facts, peer), []).append((limit, peer.max_conn.at))
    for leaves_by, limits in by_exit.items():
        places = tuple(at for _, at in limits)
        yield CallAdmission("`max-conn`", leaves_by, tuple(item for item, _ in limits), places)


def _exit(facts: Facts, peer: DialPeer) -> str | None:
    """The interface to the gateway of a peer, where its address is that of the far end of a link.

    Another target may be a server that sets up calls and that their packets do not pass.
    """
    target = None if peer.target is None else IPv4Address(peer.target)
    for interface in facts.interfaces:
        address = interface.address
        if target is None or address is None or address.network.prefixlen < _LINK_PREFIX:
            continue
        if target in address.network and target != address.ip:
            return interface.name
    return None


def _of_thresholds(facts: Facts) -> Iterator[CallAdmission]:
    codecs = {_codec_of(peer) for peer in facts.dial_peers if not peer.is_shutdown}
    codec = codecs.pop() if len(codecs) == 1 else DEFAULT_CODEC
    is_stated = bool(facts.dial_peers) and not codecs
    for threshold in facts.call_thresholds:
        limits = (Limit(threshold.most_calls, _known(codec)),)
        places = (threshold.at,)
        yield CallAdmission(
            "`call threshold`", threshold.interface, limits, places, is_stated, is_threshold=True
        )


def _of_reservations(facts: Facts) -> Iterator[CallAdmission]:
    """RSVP where it only admits: else it takes voice out of the class, with a rate of its own.

    Source: Cisco, Quality of Service for Voice over IP, RSVP support for LLQ; Cisco IOS QoS: RSVP
    Configuration Guide, RSVP scalability enhancements.
    """
    for interface in facts.interfaces:
        if interface.rsvp is not None and interface.rsvp_only_admits is not None:
            calls = _reserved_calls(interface)
            if calls is not None:
                at = (interface.rsvp.at,)
                yield CallAdmission(
                    "`ip rsvp bandwidth`", interface.name, (calls,), at, is_codec_stated=False
                )


def _reserved_calls(interface: Interface) -> Limit | None:
    """Calls that the reservation admits at least: of the codec whose calls need the least of it.

    RSVP counts IP packets, without layer 2.
    """
    rsvp, base = interface.rsvp, interface.bandwidth_bps
    if rsvp is None:
        return None
    total_bps = rsvp.total_bps
    if total_bps is None and base is not None:
        ratio = _RSVP_DEFAULT_RATIO if rsvp.percent is None else ratio_from_percent(rsvp.percent)
        total_bps = base.value * ratio
    if total_bps is None:
        return None
    needs = []
    for codec in _RESERVING:
        _, packet = load_codecs().packet(codec)
        call_bps = bps_from_bytes(packet.ip_bytes, packet.packet_ms)
        calls = int(total_bps / call_bps)
        if calls and (rsvp.flow_bps is None or call_bps <= rsvp.flow_bps):
            needs.append((calls * call_bps, Limit(calls, codec)))
    return min(needs, key=lambda need: need[0])[1] if needs else None


def _codec_of(peer: DialPeer) -> str:
    return next(iter(peer.codecs), DEFAULT_CODEC)


def _known(codec: str) -> str | None:
    try:
        load_codecs().packet(codec)
    except CodecError:
        return None
    return codec


# Priority classes with a rate, at each output, and the calls that they carry.


class RatedClass(Struct, frozen=True):
    """A priority class with a rate at one output; `may_be_voice` unless its match proves not.

    Where a provider carries `sold` alone, and nothing in the router holds the packets to it, the
    output is judged at that rate.
    """

    outlet: Outlet
    llq_class: PolicyClass
    rate_bps: float
    may_be_voice: bool
    sold: Input | None = None

    @property
    def at(self) -> Location:
        """The line that states the rate."""
        priority, police = self.llq_class.priority, self.llq_class.police
        if priority is not None and priority.amount is not None and not self.reserved_in_vain_bps:
            return priority.at
        return police.at if police is not None else self.outlet.at

    @property
    def places(self) -> tuple[Location, ...]:
        """The line that states the rate, and the `priority` that states a larger one."""
        priority = self.llq_class.priority
        if priority is None or not self.reserved_in_vain_bps:
            return (self.at,)
        return self.at, priority.at

    @property
    def reserved_in_vain_bps(self) -> float:
        """Rate of `priority` that the `police` of the class lets no packet use."""
        return (self.outlet.priority_bps(self.llq_class) or self.rate_bps) - self.rate_bps

    def is_policed_below(self, rate_bps: float) -> bool:
        """Whether the `police` of the class drops at this rate, whatever its `priority` is."""
        police = self.llq_class.police
        if police is None or not police.drops:
            return False
        policed_bps = police_rate_bps(police, self.outlet.admission_bps)
        return policed_bps is not None and policed_bps < rate_bps

    @property
    def place(self) -> str:
        """The object path of the class at its output."""
        return f"{self.outlet.policy_label} > class {self.llq_class.name}"

    @property
    def around(self) -> str:
        """Name the sold rate that counts, and the headers around each packet; "" without any."""
        outside = self.outlet.around(self.llq_class.name)
        wrapping = f"; {outside}" if outside is not None else ""
        if self.sold is None:
            return wrapping
        sold = rate_words(kbps_from_bps(self.sold.value))
        return f"; at the {sold} of the {self.sold.kind}{wrapping}"

    def calls(self, codec: str) -> tuple[int, int]:
        """The fewest and the most calls that the policer lets pass and the line carries.

        They are of the codec's default packets, and differ where not all around them is known.
        """
        call, link = self.call(codec), self.outlet.link
        fewest, most = (
            calls_within(self.rate_bps, rate) for rate in (call.counted_bps, call.counted_low_bps)
        )
        if link is None:
            return fewest, most
        on_line = calls_within(link.value, call.wire_high_bps)
        around = self.outlet.around(self.llq_class.name)
        if around is None or around.least is None:
            return min(fewest, on_line), min(most, on_line)
        return min(fewest, on_line), min(most, calls_within(link.value, call.wire_low_bps))

    def call(self, codec: str, *, compressed: bool = False) -> CallRate:
        """Rate of one call; see `call_rate`. `compressed`: by cRTP, wherever no tunnel hides it.

        Raises
        ------
        CodecError
            If the codec is not in the table.
        """
        _, packet = load_codecs().packet(codec)
        around = self.outlet.around(self.llq_class.name) or (CRTP if compressed else None)
        return call_rate(packet, self.outlet.encapsulation, wrapping=around)


def rated_classes(device: Device) -> Iterator[RatedClass]:
    """Every priority class with a rate, where its policy queues."""
    for outlet in policies_out(device):
        yield from rated_classes_of(device, outlet)


def rated_classes_of(device: Device, stated: Outlet) -> Iterator[RatedClass]:
    """The priority classes of an output with a rate; percentages are of the rate that IOS takes."""
    sold = service_rate(device, stated)
    outlet = in_force(stated) if sold is None else at_rate(device, stated, sold)
    for llq_class in outlet.llq_classes:
        rate_bps = outlet.llq_rate_bps(llq_class)
        if rate_bps is not None:
            is_open = may_be_for_voice(device.facts, llq_class.name)
            yield RatedClass(outlet, llq_class, rate_bps, is_open, sold)


def calls_at_link_rate(device: Device, stated: Outlet) -> str:
    """The calls that priority classes carry today and once `bandwidth` is the link's; "" if alike.

    A percentage is then of the link, and not of the `bandwidth` that contradicts it.
    """
    if wrong_base(stated) is None or isinstance(stated.wrapping, Unknown):
        return ""
    pairs = zip(
        rated_classes_of(device, stated),
        rated_classes_of(device, at_link_rate(stated)),
        strict=True,
    )
    words = [
        f"class {now.llq_class.name} carries {span(*now.calls(codec))} calls of {codec} today, "
        f"{span(*then.calls(codec))} with the `bandwidth` of the line"
        for now, then in pairs
        for codec in ("G.729",)
        if now.may_be_voice and now.calls(codec) != then.calls(codec)
    ]
    return ", ".join(words)
