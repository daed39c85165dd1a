"""Layer-2 bytes of an encapsulation, voice calls as they are counted, packets over the MTU."""

import math
from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts.interface import Interface, Pvc
from advisor.ground.quantity import Basis, Input, span
from advisor.ground.units import bps_from_bytes
from advisor.model import Framing, wire_bytes
from advisor.outlet.carriers import sends
from advisor.outlet.wrapping import TunnelWay, Wrapping
from advisor.settings import PacketShare, StatedBacklog, StatedBursts, Traffic
from advisor.settings.traffic_keys import VoicePacket

# Layer-2 bytes of an encapsulation: on the wire, and as IOS counts them.
#
# Sources give an interval for the wire. Counters, shapers, policers and admission count fewer
# bytes.

FRF12_HEADER_BYTES: Final = 4  # UI, NLPID and sequence number of each fragment (FRF.12, recalled)
_ETHERNET = frozenset(
    {
        "Ethernet",
        "FastEthernet",
        "GigabitEthernet",
        "TenGigabitEthernet",
        "TwoGigabitEthernet",
        "FiveGigabitEthernet",
        "Port-channel",
        "BVI",
        "Vlan",
    }
)


class Layer2(StrEnum):
    """Kinds of layer 2 that differ in what they can do and in the bytes that they add."""

    MULTILINK_PPP = "multilink PPP"
    PPP = "ppp"
    HDLC = "hdlc"
    FRAME_RELAY = "frame-relay"
    ETHERNET = "arpa"
    TAGGED_ETHERNET = "dot1q"
    AAL5 = "aal5"

    @property
    def fragments(self) -> bool:
        """Whether LFI is possible: MLPPP (a PPP or HDLC end can change to it) and Frame Relay."""
        return self not in (Layer2.ETHERNET, Layer2.TAGGED_ETHERNET)


# Layer-2 bytes that IOS counts: its own header without FCS, flags, trailers and cells. Sources:
# Cisco document 10420 (12 with AAL5 SNAP: the header of 8 and 4 internal bytes); Cisco's codec
# table (6 with MLPPP); a capture (14 with Ethernet); recalled (4 with PPP, HDLC, Frame Relay).
_INTERNAL_ATM_BYTES = 4
_COUNTED_BYTES = {
    Layer2.MULTILINK_PPP: 6,
    Layer2.ETHERNET: 14,
    Layer2.TAGGED_ETHERNET: 18,
    Layer2.PPP: 4,
    Layer2.HDLC: 4,
    Layer2.FRAME_RELAY: 4,
}


class Encapsulation(Struct, frozen=True):
    """Framing in the best and the worst case that sources state, and the source of the framing.

    `counted_bytes` are the layer-2 bytes that IOS counts for a packet: in `show policy-map
    interface`, in a policer, a shaper and for admission. `around` are the headers of a tunnel that
    the policy stands on, `port_bytes` those of its port: all of them may be counted, or none.
    """

    name: str
    kind: Layer2
    low: Framing
    high: Framing
    basis: Basis
    source: str
    counted_bytes: int
    around: Wrapping | None = None
    port_bytes: int = 0

    def counted_ends(self, ip_bytes: int) -> tuple[int, int]:
        """The fewest and the most bytes that IOS counts of an IP packet."""
        low, high = self.low.counted_bytes, self.high.counted_bytes
        if low is None or high is None:
            low = high = self.counted_bytes
        if self.around is not None:
            return ip_bytes + low, self.around.outside(ip_bytes) + self.port_bytes
        return ip_bytes + low, ip_bytes + high

    @property
    def open_count(self) -> str | None:
        """Words for why a packet may count as more or fewer bytes; None where it does not."""
        if self.low.counted_bytes is None:
            return None
        counted = span(*self.counted_ends(_VOICE_BYTES[0]))
        why = "some have a tag"
        if self.around is not None:
            why = f"no source says which headers of {self.around.through} are counted"
        return f"a packet of {_VOICE_BYTES[0]} bytes counts as {counted}: {why}"

    @property
    def overhead_input(self) -> Input:
        """Bytes around an IP packet on the wire, without the bytes of the cells."""
        low, high = self.low.overhead_bytes, self.high.overhead_bytes
        name = "overhead_bytes_before_cells" if self.high.cells else "overhead_bytes"
        source = f"{self.name}: {self.source}"
        return Input(name, (low + high) / 2, low, high, self.basis, source)


def _framed(
    name: str, kind: Layer2, ends: tuple[int, int], basis: Basis, source: str
) -> Encapsulation:
    low, high = (Framing(end) for end in ends)
    return Encapsulation(name, kind, low, high, basis, source, _COUNTED_BYTES[kind])


_PPPOE = frozenset({"pppoe-client", "pppoe"})
_PPPOE_BYTES, FCS_BYTES, _TAG_BYTES = 8, 4, 4
PPPOE_ATM_BYTES = 10 + 14 + _PPPOE_BYTES  # bridged LLC/SNAP, Ethernet
_FLAGS = "7 or 8 bytes, with a shared flag or not; without bit stuffing"


def encapsulation_of(
    interface: Interface, pvc: Pvc | None, *, session: bool = False
) -> Encapsulation | None:
    """Encapsulation of an output; None where the kind of interface is not known.

    `session` says that a PPP session of a Dialer or Virtual-Template runs over it. An Ethernet
    port without an address in the pool of a Dialer sends packets of such sessions alone.

    Sources: AAL5 per Cisco document 10420; PPP, HDLC and Frame Relay headers with FCS and one or
    two flags; MLPPP 6 (Cisco's codec table, plus framing) to 13 bytes (Cisco SRND, RFC 1990);
    Ethernet with preamble and gap 38 bytes, 4 more with each tag (IEEE 802.3); PPPoE 8 bytes more
    (RFC 2516), in ATM with the bridged header and perhaps the FCS (RFC 2684). Frame Relay Forum
    FRF.12: a frame that is not cut end to end has no header of a fragment.
    """
    if pvc is not None or interface.type == "ATM":
        return _over_atm(pvc)
    stated = interface.encapsulation
    words = stated.value.lower().split() if stated else []
    basis = Basis.CONFIGURED if stated else Basis.DEFAULT
    if interface.type == "Multilink" or interface.multilink.group is not None:
        kind, source = Layer2.MULTILINK_PPP, "RFC 1990; Cisco SRND counts 13"
        return _framed(kind.value, kind, (10, 13), Basis.CONFIGURED, source)
    if interface.type in _ETHERNET:
        is_session = session or bool(interface.pool_memberships and not interface.ip_address)
        framed = _over_ethernet(words, basis, is_session=is_session)
        is_secured = interface.macsec is not None and interface.macsec.value
        return _secured(framed) if is_secured else framed
    by_default = ["hdlc"] if interface.is_serial_line else []
    words = words or by_default
    for kind in (Layer2.PPP, Layer2.FRAME_RELAY, Layer2.HDLC):
        if words[:1] == [kind.value]:
            return _framed(" ".join(words), kind, (7, 8), basis, _FLAGS)
    return None


def encapsulation_at(
    place: Interface, family: Sequence[Interface], pvc: Pvc | None, *, session: bool
) -> Encapsulation | None:
    """Encapsulation of all that leaves by an output: on a port, of its family.

    A port without an address sends the packets of its subinterfaces, with their tags.
    """
    if session or pvc is not None or place.is_subinterface or place.type not in _ETHERNET:
        return encapsulation_of(place, pvc, session=session)
    senders = [
        other
        for other in family
        if not other.shutdown and (sends(other) or (other.is_subinterface and other.encapsulation))
    ]
    framings = [encapsulation_of(sender, None) for sender in senders or (place,)]
    known = [framing for framing in framings if framing is not None]
    least = min(known, key=_counted)
    most = max(known, key=_counted)
    if least.counted_bytes == most.counted_bytes:
        return least
    low, high = (
        replace(end, counted_bytes=framing.counted_bytes)
        for end, framing in ((least.low, least), (most.high, most))
    )
    return replace(least, name=f"{least.name} or {most.name}", low=low, high=high)


def _counted(framing: Encapsulation) -> int:
    return framing.counted_bytes


def _over_ethernet(words: Sequence[str], basis: Basis, *, is_session: bool) -> Encapsulation:
    """Ethernet with one tag or two (`dot1q 10 second-dot1q 20`), of PPPoE sessions or not."""
    is_tagged = words[:1] in (["dot1q"], ["isl"]) and "native" not in words
    kind = Layer2.TAGGED_ETHERNET if is_tagged else Layer2.ETHERNET
    more = _TAG_BYTES if "second-dot1q" in words else 0
    name, source = kind.value, "IEEE 802.3"
    if is_session:
        more += _PPPOE_BYTES
        name, source = f"{name} pppoe", f"{source}, RFC 2516"
    size = (42 if is_tagged else 38) + more
    framed = _framed(name, kind, (size, size), basis, source)
    return replace(framed, counted_bytes=framed.counted_bytes + more)


def _secured(framed: Encapsulation) -> Encapsulation:
    """MACsec: a tag of 8 or 16 bytes and 16 to check on the wire; no source has IOS count them."""
    low, high = (
        replace(end, overhead_bytes=end.overhead_bytes + more)
        for end, more in ((framed.low, 24), (framed.high, 32))
    )
    name, source = f"{framed.name} macsec", f"{framed.source}, 802.1AE"
    return replace(framed, name=name, low=low, high=high, source=source)


def through_tunnel(
    port: Encapsulation | None, way: TunnelWay, *, is_qfp: bool
) -> Encapsulation | None:
    """Framing of what leaves by a tunnel: that of its port, with the headers of the tunnel.

    No source says which of them a policy on the tunnel counts: none, or all; on QFP those of the
    port too, as Cisco's guide of Per-Tunnel QoS has it (recalled). The value between is the header
    of the tunnel.
    """
    if port is None:
        return None
    port_bytes = port.counted_bytes if is_qfp else 0
    low, high = (
        replace(end, overhead_bytes=end.overhead_bytes + more, counted_bytes=counted)
        for end, more, counted in (
            (port.low, way.low_bytes, 0),
            (port.high, way.high_bytes, way.high_bytes + port_bytes),
        )
    )
    return replace(
        port,
        name=f"tunnel over {port.name}",
        low=low,
        high=high,
        source=f"{port.source}; RFC 2784, 2890, 2003, 4303",
        counted_bytes=way.header_bytes,
        around=way.around,
        port_bytes=port_bytes,
    )


def _is_pppoe(session: str) -> bool:
    """Whether `pppoe-client dial-pool-number 1`, `protocol pppoe` or the like carries it."""
    return not _PPPOE.isdisjoint(session.lower().split()[:2])


def _over_atm(pvc: Pvc | None) -> Encapsulation:
    if pvc is None:
        return _aal5(None)
    if pvc.session is not None and _is_pppoe(pvc.session.value):
        return _pppoe_over_atm()
    return _aal5(pvc.encapsulation.value if pvc.encapsulation is not None else None)


def _pppoe_over_atm() -> Encapsulation:
    low, high = (
        Framing(size, cells=True) for size in (PPPOE_ATM_BYTES, PPPOE_ATM_BYTES + FCS_BYTES)
    )
    counted_bytes = PPPOE_ATM_BYTES + _INTERNAL_ATM_BYTES
    source = "RFC 2516, RFC 2684: the FCS is kept or not"
    basis = Basis.CONFIGURED
    return Encapsulation("aal5snap pppoe", Layer2.AAL5, low, high, basis, source, counted_bytes)


def _aal5(stated: str | None) -> Encapsulation:
    source = "Cisco document 10420"
    basis = Basis.CONFIGURED if stated else Basis.DEFAULT
    words = stated.lower().split() if stated else ["aal5snap"]
    header = {"aal5snap": 8, "aal5mux": 0, "aal5ciscoppp": 4}.get(words[0], 8)
    if "ppp" in words[1:]:
        header = 2
    framing = Framing(header, cells=True)
    counted_bytes = header + _INTERNAL_ATM_BYTES
    return Encapsulation(
        " ".join(words), Layer2.AAL5, framing, framing, basis, source, counted_bytes
    )


# Voice calls on a link: the rate that one takes as IOS counts it, and on the wire.
#
# Source of the sums: Cisco's table of the bandwidth of a call by codec (IP packet and layer 2,
# times packets per second); what is counted, Cisco document 10420.


class CallRate(Struct, frozen=True):
    """Rate of one call in one direction, bit/s.

    `counted_bps` is the most that `priority` and its policer count, `counted_low_bps` the least;
    the other two are the ends of what the wire carries, with FCS, flags and cells.
    """

    counted_bps: float
    counted_low_bps: float
    wire_low_bps: float
    wire_high_bps: float


def call_rate(
    packet: VoicePacket,
    encapsulation: Encapsulation | None,
    *,
    wrapping: Wrapping | None = None,
) -> CallRate:
    """Rate of a call of a codec's packets over an encapsulation; of bare IP where it is None.

    The bytes of a `wrapping` are counted: of a tunnel, of cRTP.
    """
    inside = packet.ip_bytes
    sizes = (inside, inside) if wrapping is None else wrapping.ends(inside)
    low_bytes, high_bytes = sizes
    if encapsulation is not None:
        low_bytes, _ = encapsulation.counted_ends(low_bytes)
        _, high_bytes = encapsulation.counted_ends(high_bytes)
    low, high = (bps_from_bytes(size, packet.packet_ms) for size in (low_bytes, high_bytes))
    bare = Framing(0)
    ends = (encapsulation.low, encapsulation.high) if encapsulation is not None else (bare, bare)
    on_wire = map(wire_bytes, sizes, ends)
    return CallRate(high, low, *(bps_from_bytes(size, packet.packet_ms) for size in on_wire))


def calls_within(rate_bps: float, call_bps: float) -> int:
    """Whole calls that a rate carries.

    >>> calls_within(128_000, 25_600)
    5
    """
    return int(rate_bps / call_bps + 1e-9)


_CALL_PACKETS_PER_S = 50  # of 20 ms, the default
_VOICE_BYTES = (60, 256)  # of G.729, to G.711 with a tunnel around, as IOS counts them


def whole_calls_bps(rate_bps: float, counted_bytes: float) -> float:
    """Rate of the whole calls behind a measured mean; the mean itself where no call has its packet.

    A mean of 4.4 calls is one of 5 at times, and the policer takes packets from all of them.

    >>> whole_calls_bps(112_000, 64), whole_calls_bps(112_000, 1000)
    (128000.0, 112000.0)
    """
    if not _VOICE_BYTES[0] <= counted_bytes <= _VOICE_BYTES[1]:
        return float(rate_bps)
    call_bps = bps_from_bytes(counted_bytes, 1000 / _CALL_PACKETS_PER_S)
    return math.ceil(rate_bps / call_bps - 1e-9) * call_bps


# Packets larger than the MTU of an output: IP cuts them before they come to its queues.
#
# Source: RFC 791, section 3.2: every fragment but the last has a multiple of 8 bytes behind its
# header. A packet that may not be fragmented is dropped by the router; nothing states which are.

_HEADER_BYTES = 20
_UNIT_BYTES = 8


def fragments_of(ip_bytes: int, mtu_bytes: int) -> tuple[int, ...]:
    """Sizes of the fragments of a packet in their order; the packet itself where it fits.

    >>> fragments_of(9000, 1500)
    (1500, 1500, 1500, 1500, 1500, 1500, 120)
    >>> fragments_of(1500, 1500)
    (1500,)
    """
    piece_bytes = (mtu_bytes - _HEADER_BYTES) // _UNIT_BYTES * _UNIT_BYTES
    if ip_bytes <= mtu_bytes or piece_bytes <= 0:
        return (ip_bytes,)
    data_bytes = ip_bytes - _HEADER_BYTES
    whole = math.ceil(data_bytes / piece_bytes) - 1
    last_bytes = data_bytes - whole * piece_bytes
    return (*[piece_bytes + _HEADER_BYTES] * whole, last_bytes + _HEADER_BYTES)


def in_fragments(stated: Traffic, mtu_bytes: int) -> tuple[Traffic, ...]:
    """The stated packets as they come to the queues; the statement itself where all of them fit.

    Fragments of independent packets come at once: packets of so many fragments are bursts of so
    many then. Those of a stated burst follow each other within it, those of periodic packets are
    spread over the period: assumed.
    """
    if all(size.ip_bytes <= mtu_bytes for size in stated.sizes):
        return (stated,)
    if stated.arrivals != "poisson" or stated.packets_per_second is None:
        return (_cut(stated, mtu_bytes),)
    alike: dict[int, list[PacketShare]] = defaultdict(list)
    for size in stated.sizes:
        alike[len(fragments_of(size.ip_bytes, mtu_bytes))].append(size)
    return tuple(_bursts(stated, count, sizes, mtu_bytes) for count, sizes in alike.items())


def _bursts(stated: Traffic, count: int, sizes: Sequence[PacketShare], mtu_bytes: int) -> Traffic:
    """The packets of `count` fragments: independent as all are, at their part of the rate."""
    share = sum(size.share for size in sizes)
    one = replace(
        stated,
        sizes=tuple(PacketShare(size.ip_bytes, size.share / share) for size in sizes),
        packets_per_second=(stated.packets_per_second or 0.0) * share,
    )
    if count == 1:
        return one
    return _cut(replace(one, arrivals="bursts", pattern=StatedBursts(1, 0.0)), mtu_bytes)


def _cut(stated: Traffic, mtu_bytes: int) -> Traffic:
    shares: dict[int, float] = defaultdict(float)
    for size in stated.sizes:
        for fragment in fragments_of(size.ip_bytes, mtu_bytes):
            shares[fragment] += size.share
    of_each = sum(shares.values())  # fragments of a packet, in the mean
    per_s, pattern = stated.packets_per_second, stated.pattern
    if isinstance(pattern, StatedBursts):
        packets = round(pattern.packets * of_each)
        pattern = StatedBursts(packets, pattern.spacing_ms * pattern.packets / packets)
    elif isinstance(pattern, StatedBacklog):
        pattern = StatedBacklog(round(pattern.packets * of_each))
    return replace(
        stated,
        sizes=tuple(PacketShare(ip_bytes, part / of_each) for ip_bytes, part in shares.items()),
        packets_per_second=None if per_s is None else per_s * of_each,
        pattern=pattern,
    )
