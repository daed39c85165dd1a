"""Calls that a gateway admits: by its dial-peers, by call thresholds and by RSVP."""

from collections.abc import Iterator
from ipaddress import IPv4Address
from typing import Final

from msgspec import Struct

from advisor.facts import DialPeer
from advisor.facts.config import Facts
from advisor.facts.interface import Interface
from advisor.ground.units import bps_from_bytes, ratio_from_percent
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import parent_of
from advisor.outlet.outlet import Outlet
from advisor.settings.traffic_keys import CodecError, load_codecs

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


def largest_packet_bytes(facts: Facts) -> int | None:
    """The largest IP packet of the codecs that dial-peers prefer; None where none states one."""
    active = (peer for peer in facts.dial_peers if peer.codecs and not peer.is_shutdown)
    known = (codec for peer in active if (codec := _known(_codec_of(peer))) is not None)
    return max((load_codecs().packet(codec)[1].ip_bytes for codec in known), default=None)


def _known(codec: str) -> str | None:
    try:
        load_codecs().packet(codec)
    except CodecError:
        return None
    return codec
