"""Tells the kind of a class's packets by its matches: voice, signalling, video, bulk, routing."""

from enum import StrEnum
from typing import Final

from advisor.facts.config import Facts
from advisor.facts.matched_packets import packets_of_classes
from advisor.facts.packet_set import ALL_DSCPS, ALL_FAMILIES, ANY_PORT, Box, Condition, PortRange
from advisor.ios.syntax.names import DSCPS, dscp_name

# Kinds of the packets of a box, as far as their match says: voice, signalling, video or bulk.
#
# DSCPs by RFC 4594; CS3 and AF31 for signalling by Cisco's Enterprise QoS SRND; ports of Cisco's
# voice over IP: RTP 16384-32767, H.225 1720, SCCP 2000-2002, MGCP 2427-2428, SIP 5060-5061.

EF: Final = DSCPS["ef"]
VOICE_DSCPS: Final = frozenset((EF, 44, DSCPS["cs5"]))  # 44 is voice-admit, RFC 5865
SIGNALLING_DSCPS: Final = frozenset((DSCPS["cs3"], DSCPS["af31"]))
_BULK_DSCPS: Final = frozenset(
    DSCPS[name] for name in ("default", "cs1", "af11", "af12", "af13", "af21", "af22", "af23")
)
_CONTROL_DSCPS: Final = frozenset(DSCPS[name] for name in ("cs6", "cs7"))
_VIDEO_DSCPS: Final = frozenset(DSCPS[name] for name in ("cs4", "af41", "af42", "af43"))
RTP_PORTS: Final = (16384, 32767)
SIGNALLING_PORTS: Final = ((1720, 1720), (2000, 2002), (2427, 2428), (5060, 5061))
SIGNALLING_NBAR: Final = frozenset(("h323", "mgcp", "sccp", "sip", "skinny"))
_MEDIA: Final = frozenset(("audio", "video"))
_VIDEO_NBAR: Final = frozenset(("cuseeme", "rtsp", "rtspplayer", "streamwork", "vdolive"))
_BULK_NBAR_WORDS: Final = """
    bittorrent cifs citrix edonkey exchange fasttrack finger ftp gnutella gopher http imap kazaa2
    lockd napster netbios nfs nntp notes novadigm pcanywhere pop3 printer rsync secure-ftp
    secure-http secure-imap secure-nntp secure-pop3 smtp socks sqlnet sqlserver sunrpc tcp tftp
    winmx xwindows
"""
_BULK_NBAR: Final = frozenset(_BULK_NBAR_WORDS.split())


# The packets inside are not known.
_TUNNELS: Final = frozenset(
    ("gre", "esp", "ahp", "ipinip", "nos", "47", "50", "51", "4", "ipsec", "l2tp", "eip")
)


class TrafficKind(StrEnum):
    """A kind of packets that a rule on the LLQ knows."""

    VOICE = "voice"
    SIGNALLING = "signalling"
    VIDEO = "video"
    BULK = "bulk"
    CONTROL = "routing"  # CS6 and CS7


def traffic_of(box: Box) -> TrafficKind | None:
    """Kind of the packets of a box; None where it may hold others, or of no known kind.

    A DSCP decides before ports do: who marks knows. A box with several kinds is of the one that
    harms voice most.
    """
    if is_unread(box):
        return None
    if box.dscps != ALL_DSCPS:
        return _by_dscp(box.dscps)
    named = [condition for condition in box.conditions if condition.kind == "protocol"]
    return _by_nbar(named[0]) if named else _by_ports(box)


def _by_ports(box: Box) -> TrafficKind | None:
    ports = (box.source_ports, box.destination_ports)
    if box.protocol is None:
        kinds = {condition.kind for condition in box.conditions}
        return TrafficKind.BULK if not kinds or "access-group" in kinds else None
    if box.protocol not in ("tcp", "udp"):
        return None
    if any(_within(port, SIGNALLING_PORTS) for port in ports):
        return TrafficKind.SIGNALLING
    if box.protocol == "tcp":
        return TrafficKind.BULK
    return TrafficKind.VOICE if any(_within(port, (RTP_PORTS,)) for port in ports) else None


def is_unread(box: Box) -> bool:
    """Whether a box stands for an access list whose entries are not read in full."""
    is_by_list = any(condition.kind == "access-group" for condition in box.conditions)
    return is_by_list and box.families == ALL_FAMILIES


def _by_dscp(dscps: frozenset[int]) -> TrafficKind | None:
    for codes, traffic in (
        (_BULK_DSCPS, TrafficKind.BULK),
        (_VIDEO_DSCPS, TrafficKind.VIDEO),
        (SIGNALLING_DSCPS, TrafficKind.SIGNALLING),
    ):
        if dscps & codes:
            return traffic
    if EF in dscps:
        return TrafficKind.VOICE
    return TrafficKind.CONTROL if dscps & _CONTROL_DSCPS else None


def _by_nbar(condition: Condition) -> TrafficKind | None:
    name, words = condition.values[0], condition.values[1:]
    if name in ("rtp", "rtp-audio"):
        return TrafficKind.VIDEO if "video" in words else TrafficKind.VOICE
    if name == "rtp-video" or name in _VIDEO_NBAR:
        return TrafficKind.VIDEO
    if name in SIGNALLING_NBAR:
        return TrafficKind.SIGNALLING
    return TrafficKind.BULK if name in _BULK_NBAR else None


def _within(ports: tuple[PortRange, ...], ranges: tuple[PortRange, ...]) -> bool:
    """Whether all of these ports are in one of the ranges."""
    if ports == ANY_PORT:
        return False
    return all(any(low <= a and b <= high for low, high in ranges) for a, b in ports)


def words_of(box: Box, traffic: TrafficKind | None) -> str:
    """A box in the words of its match, for a message: "dscp af11, af12", "TCP port 80"."""
    if box.dscps != ALL_DSCPS:
        codes = sorted(box.dscps & _codes_of(traffic) or box.dscps)
        return f"dscp {', '.join(dscp_name(code) for code in codes)}"
    named = next((condition for condition in box.conditions if condition.kind == "protocol"), None)
    if named is not None:
        # what follows the name of a protocol may be a URL, a host or a header: not for a report
        return " ".join(("protocol", named.values[0], *_MEDIA.intersection(named.values[1:2])))
    if box.protocol is None:
        return "any IP packet" if is_of_any_address(box) else "any IP packet of an address"
    return box.protocol.upper() + _port_words(box)


def is_of_any_address(box: Box) -> bool:
    """Whether neither the source nor the destination of its packets is limited."""
    return box.source == box.destination == Box().source


def _codes_of(traffic: TrafficKind | None) -> frozenset[int]:
    codes = {
        TrafficKind.BULK: _BULK_DSCPS,
        TrafficKind.VIDEO: _VIDEO_DSCPS,
        TrafficKind.SIGNALLING: SIGNALLING_DSCPS,
        TrafficKind.VOICE: frozenset((EF,)),
    }
    return codes.get(traffic, ALL_DSCPS) if traffic is not None else ALL_DSCPS


def _port_words(box: Box) -> str:
    ranges = box.destination_ports if box.destination_ports != ANY_PORT else box.source_ports
    if ranges == ANY_PORT:
        return ""
    shown = ", ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in ranges)
    return f" port {shown}"


# Which classes are for voice. `priority` makes none: it may serve video, ping or routing.


def may_be_for_voice(facts: Facts, class_name: str) -> bool:
    """Whether the matches of a class leave room for voice; true where they are not read in full."""
    most = packets_of_classes(facts).of(class_name).most
    return most is None or any(map(may_be_voice, most))


def may_be_voice(box: Box) -> bool:
    """Whether packets of a box may be voice: no marking, protocol or port names other packets.

    A list of addresses, a CoS or a QoS group names none: the packets may be those of phones.
    """
    if box.dscps != ALL_DSCPS:
        return bool(box.dscps & VOICE_DSCPS) and box.protocol in (None, "udp")
    if is_unread(box):
        return True
    named = {item.values[0] for item in box.conditions if item.kind == "protocol"}
    if (box.protocol in _TUNNELS) or named & _TUNNELS:
        return True
    if named:
        return traffic_of(box) is TrafficKind.VOICE
    if box.protocol is None:
        return bool(box.conditions) or not is_of_any_address(box)
    meets_rtp = _meets(box, (RTP_PORTS,))
    return box.protocol == "udp" and meets_rtp is not False


def may_be_signalling(box: Box) -> bool:
    """Whether packets of a box may set up calls: no marking, protocol or port names other packets.

    A list of addresses, a CoS or a QoS group names none, and a tunnel hides what is inside.
    """
    if not box.dscps & SIGNALLING_DSCPS:
        return False
    named = {item.values[0] for item in box.conditions if item.kind == "protocol"}
    if is_unread(box) or box.protocol in _TUNNELS or named & _TUNNELS:
        return True
    if named:
        return traffic_of(box) is TrafficKind.SIGNALLING
    if box.protocol is None:
        return True
    return box.protocol in ("tcp", "udp") and _meets(box, SIGNALLING_PORTS) is not False


def _meets(box: Box, wanted: tuple[tuple[int, int], ...]) -> bool | None:
    """Whether a range of ports of a box has one of the wanted; None where it names no port."""
    stated = [ranges for ranges in (box.source_ports, box.destination_ports) if ranges != ANY_PORT]
    if not stated:
        return None
    return any(
        first <= high and low <= last
        for ranges in stated
        for first, last in ranges
        for low, high in wanted
    )
