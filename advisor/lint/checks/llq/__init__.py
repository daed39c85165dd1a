"""What the packets of a class are, which of them reach it, and what a device marks."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts import Stated
from advisor.facts.attachments import attachments
from advisor.facts.config import Facts
from advisor.facts.interface import Side
from advisor.facts.matched_packets import packets_of_classes
from advisor.facts.packet_set import (
    ALL_DSCPS,
    ALL_FAMILIES,
    ANY_PORT,
    Box,
    Condition,
    Cover,
    PortRange,
)
from advisor.facts.policy import PolicyClass, PolicyMap
from advisor.ios.syntax import Line, Location
from advisor.ios.syntax.names import DSCPS, dscp_code, dscp_name, precedence_code

# What the packets of a box are, as far as their match says: voice, signalling, video or bulk.
#
# DSCPs by RFC 4594; CS3 and AF31 for signalling by Cisco's Enterprise QoS SRND; ports of Cisco's
# voice over IP: RTP 16384-32767, H.225 1720, SCCP 2000-2002, MGCP 2427-2428, SIP 5060-5061.

EF: Final = DSCPS["ef"]
VOICE_DSCPS: Final = frozenset((EF, 44, DSCPS["cs5"]))  # 44 is voice-admit, RFC 5865
SIGNALLING_DSCPS: Final = frozenset((DSCPS["cs3"], DSCPS["af31"]))
_VOICE_PRECEDENCE: Final = 5
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


class TrafficKind(StrEnum):
    """A kind of packets that a rule on the LLQ knows."""

    VOICE = "voice"
    SIGNALLING = "signalling"
    VIDEO = "video"
    BULK = "bulk"
    CONTROL = "routing"  # CS6 and CS7


def turns_away(policy_class: PolicyClass) -> bool:
    """Whether a class has no queue and marks its packets down, polices or drops them.

    What it takes is not to be served as voice: it keeps false markings out of the LLQ.
    """
    if policy_class.queues or policy_class.child is not None:
        return False
    is_marked_down = any(map(_marks_down, policy_class.sets))
    return policy_class.drops or policy_class.police is not None or is_marked_down


def _marks_down(marked: Stated[str]) -> bool:
    """Whether `set dscp` or `set precedence` writes a marking that is not that of voice."""
    kind, *words = marked.value.split()
    value = words[-1] if words else ""  # `set atm-clp` has none
    if kind == "dscp":
        return dscp_code(value) not in {*VOICE_DSCPS, None}
    return kind == "precedence" and precedence_code(value) not in {_VOICE_PRECEDENCE, None}


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


# Packets that reach a class of a policy-map: those that no earlier class takes.


class Reaching(Struct, frozen=True):
    """A class and the boxes that reach it; None where its class-map is not read in full.

    `broken`: its class-map, or what it names, does not exist: its packets are not known.
    """

    policy_class: PolicyClass
    boxes: tuple[Box, ...] | None
    broken: bool = False


def reaching(device: Device, policy: PolicyMap) -> Iterator[Reaching]:
    """Each class of a policy-map but class-default, in order."""
    classes = [queue_class for queue_class in policy.classes if not queue_class.is_default]
    reached = device.derived(_Reached).by(tuple([queue_class.name for queue_class in classes]))
    for policy_class, (boxes, broken) in zip(classes, reached, strict=True):
        yield Reaching(policy_class, boxes, broken)


_Boxes = tuple[tuple[Box, ...] | None, bool]


class _Reached:
    """What reaches classes in an order: the same for all policies that have them."""

    def __init__(self, device: Device) -> None:
        self._packets = packets_of_classes(device.facts)
        self._by: dict[tuple[str, ...], tuple[_Boxes, ...]] = {}

    def by(self, names: tuple[str, ...]) -> tuple[_Boxes, ...]:
        """For each class the boxes that reach it, and whether it is broken."""
        if names not in self._by:
            self._by[names] = tuple(self._in_order(names))
        return self._by[names]

    def _in_order(self, names: tuple[str, ...]) -> Iterator[_Boxes]:
        before = Cover()
        for name in names:
            matched = self._packets.of(name)
            boxes = None
            if matched.most is not None and not any(map(is_unread, matched.most)):
                boxes = tuple(box for box in matched.most if box.dscps and not before.takers(box))
            yield boxes, matched.broken
            if not matched.broken and matched.most != ():
                for box in matched.sure:
                    before.add(name, box)


# What a device marks itself, and whether anything else in it marks or trusts packets.

_DSCPS_PER_PRECEDENCE: Final = 8
# Lines that mark or trust in ways that are not read: telephony of the router, CAR, policy routing,
# policers that mark, ports that trust. They may set any code.
_MARKING_HEADS: Final = (
    *("call-manager-fallback", "dial-peer voice", "mls qos"),
    *("set ip precedence", "set ip tos", "set ip dscp", "telephony-service"),
    *("voice register", "trust"),
)
_MARKING_WORDS: Final = (
    *("set-dscp-transmit", "set-prec-transmit", "set-dscp-continue", "set-prec-continue"),
    *("table", "trust"),
)


class PolicyMark(Struct, frozen=True):
    """A `set` of an attached policy and the DSCPs that its packets then have."""

    dscps: frozenset[int]
    at: Location


def marks(facts: Facts, direction: Side | None = None) -> Iterator[PolicyMark]:
    """All `set dscp` and `set precedence` of attached policies and their children.

    With a direction, only of policies that are attached there.
    """
    roots = (
        attached.attachment.policy
        for attached in attachments(facts)
        if direction in (None, attached.attachment.direction)
    )
    for policy in facts.nested_policies(*roots):
        yield from _of_policy(policy)


def _of_policy(policy: PolicyMap) -> Iterator[PolicyMark]:
    for policy_class in policy.classes:
        yield from marks_of(policy_class)


def marks_of(policy_class: PolicyClass) -> Iterator[PolicyMark]:
    """What the `set` lines of a class write."""
    for marked in policy_class.sets:
        words = marked.value.lower().split()
        if words[0] == "dscp" and (dscp := dscp_code(words[-1])) is not None:
            yield PolicyMark(frozenset((dscp,)), marked.at)
        elif words[0] == "precedence" and (code := precedence_code(words[-1])) is not None:
            low = code * _DSCPS_PER_PRECEDENCE
            yield PolicyMark(frozenset(range(low, low + _DSCPS_PER_PRECEDENCE)), marked.at)


def may_mark_otherwise(facts: Facts) -> bool:
    """Whether a line of the configuration marks or trusts packets in a way that is not read."""
    read = {mark.at.line for mark in marks(facts)}
    return any(_marks(line) for line in facts.tree.walk() if line.number not in read)


def _marks(line: Line) -> bool:
    if not line.is_command:
        return False
    text = line.text.lower()
    return text.startswith(_MARKING_HEADS) or any(word in text.split() for word in _MARKING_WORDS)
