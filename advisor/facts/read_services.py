"""IP SLA probes, dial-peers and call thresholds of a configuration."""

from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Address
from itertools import pairwise
from typing import Final

from msgspec import Struct, field
from msgspec.structs import asdict

from advisor.facts import CallThreshold, DialPeer, SlaProbe, SlaSettings, Stated
from advisor.facts.ranges import SLA_MS, SLA_PACKETS, SLA_S
from advisor.facts.read_words import GrammarError, Words
from advisor.ground.units import whole, whole_or_none
from advisor.ios.syntax import Line, Location
from advisor.ios.syntax.names import interface_name

# `ip sla N`, `ip sla monitor N` and `rtr N` to SlaProbe.

_MAX_NUMBER: Final = 2**31
_MAX_TOS: Final = 255
_MAX_BYTES: Final = 65535
_MAX_PORT: Final = 65535
# `type …` of 12.x and its name in `ip sla` of 12.4(4)T and later.
_OLD_TYPES: Final = {
    "echo": "icmp-echo",
    "icmpecho": "icmp-echo",
    "jitter": "udp-jitter",
    "udpecho": "udp-echo",
    "tcpconnect": "tcp-connect",
    "pathecho": "path-echo",
    "pathjitter": "path-jitter",
}
_OPERATION_NAMES: Final = (
    "icmp-echo icmp-jitter path-echo path-jitter udp-echo udp-jitter tcp-connect http https ftp "
    "dns dhcp dlsw frame-relay voip mpls ethernet lsp video"
)
_OPERATIONS: Final = frozenset(_OPERATION_NAMES.split())
_WITH_PORT: Final = frozenset(("udp-echo", "udp-jitter", "tcp-connect"))


class SlaOperationDraft(SlaSettings):
    """A probe while its lines are read."""

    options: list[Stated[str]] = field(default_factory=list)

    def freeze(self) -> SlaProbe:
        return SlaProbe(**asdict(self) | {"options": tuple(self.options)})


def read_probe(line: Line, drafts: dict[int, SlaOperationDraft], file: str) -> None:
    """Read the section of one probe; `ip sla schedule`, `responder` and others open none."""
    at = Location(file, line.number)
    head = Words(line, at)
    if head.accept("ip"):
        head.expect("sla")
        head.accept("monitor")
    else:
        head.expect("rtr")
    try:
        number = head.whole(0, _MAX_NUMBER)
        head.end()
    except GrammarError:
        return
    draft = drafts.setdefault(number, SlaOperationDraft(number, at))
    for child in line.walk():
        if child is not line and child.is_command:
            _read_line(draft, child, Location(file, child.number))


def _read_line(draft: SlaOperationDraft, line: Line, at: Location) -> None:
    words = Words(line, at)
    try:
        if _read_setting(draft, words):
            return
    except GrammarError:
        pass  # a value that IOS would refuse: kept with the options, as text
    draft.options.append(Stated(line.text, at))


def _read_setting(draft: SlaOperationDraft, words: Words) -> bool:
    """Whether the line sets a field of the probe."""
    keyword = words.take().lower()
    if words.negated:
        return False
    if keyword == "type":
        _read_operation(draft, _old_type(words), words)
    elif keyword in _OPERATIONS:
        _read_operation(draft, keyword, words)
    elif keyword == "timeout":
        draft.timeout_ms = _stated(words, SLA_MS.high)
    elif keyword == "threshold":
        draft.threshold_ms = _stated(words, SLA_MS.high)
    elif keyword == "frequency":
        draft.frequency_s = _stated(words, SLA_S.high)
    elif keyword == "tos":
        draft.tos = words.stated_whole(0, _MAX_TOS)
    elif keyword in ("request-data-size", "request-size"):
        draft.request_bytes = words.stated_whole(0, _MAX_BYTES)
    else:
        return False
    return True


def _stated(words: Words, highest: int) -> Stated[float] | None:
    whole = words.stated_whole(0, highest)
    return None if whole is None else Stated(float(whole.value), words.at)


def _old_type(words: Words) -> str:
    word = words.take().lower()
    if words.accept("protocol"):
        words.take()  # ipIcmpEcho
    return _OLD_TYPES.get(word, word)


def _read_operation(draft: SlaOperationDraft, operation: str, words: Words) -> None:
    draft.operation = operation
    words_left = words.rest()
    values = dict(pairwise(words_left))
    draft.destination = values.get("dest-ipaddr") or values.get("target-addr")
    port = values.get("dest-port")
    if draft.destination is None and words_left:
        draft.destination = (
            words_left[1] if words_left[0] in ("get", "operation", "raw") else words_left[0]
        )
        if operation in _WITH_PORT and len(words_left) > 1:
            port = words_left[1]
    draft.destination_port = _number(port, _MAX_PORT)
    packets = values.get("num-packets") or values.get("codec-numpackets")
    draft.packets = _number(packets, SLA_PACKETS.high)
    interval = values.get("interval") or values.get("codec-interval")
    draft.interval_ms = _number(interval, SLA_MS.high)
    draft.codec = values.get("codec")
    draft.codec_bytes = _number(values.get("codec-size"), _MAX_BYTES)


def _number(word: str | None, highest: int) -> int | None:
    if word is None or not (word.isdecimal() and word.isascii() and len(word) <= len(str(highest))):
        return None
    return whole(word) if whole(word) <= highest else None


# Dial-peers over IP, with the codecs of the voice classes that they name, and call thresholds.
#
# Sub-commands that say nothing of calls or codecs are passed over: they are not QoS.

_MOST_CALLS: Final = 2_147_483_647  # max-conn, IOS Voice Command Reference


class _Peer(Struct):
    """A dial-peer as far as it is read."""

    at: Location
    max_conn: Stated[int] | None = None
    codec: str | None = None
    codec_class: str | None = None
    is_shutdown: bool = False
    target: str | None = None


class VoiceDraft(Struct):
    """Dial-peers and classes of codecs as far as they are read."""

    peers: dict[str, _Peer] = field(default_factory=dict)
    codec_classes: dict[str, dict[int, str]] = field(default_factory=dict)
    thresholds: dict[str | None, CallThreshold] = field(default_factory=dict)

    def read(self, line: Line, file: str) -> None:
        """Read a section that opens with `dial-peer` or `voice`, or a line with `call`."""
        match line.text.lower().split():
            case ["dial-peer", "voice", tag, "voip"]:
                peer = self.peers.setdefault(tag, _Peer(Location(file, line.number)))
                for child in line.commands():
                    _read_peer(peer, child, file)
            case ["voice", "class", "codec", tag]:
                preferred = self.codec_classes.setdefault(tag, {})
                preferred.update(_preferences(line))
            case ["call", "threshold", "global", "total-calls", *limits]:
                self._limit(None, limits, Location(file, line.number))
            case ["call", "threshold", "interface", *name, "int-calls", "low", low, "high", high]:
                label = interface_name(" ".join(name))
                self._limit(label, ["low", low, "high", high], Location(file, line.number))

    def _limit(self, interface: str | None, limits: list[str], at: Location) -> None:
        """Keep `low N high N`; text behind it names what happens to the calls."""
        match limits:
            case ["low", _, "high", high, *_] if (most := whole_or_none(high)) is not None:
                self.thresholds[interface] = CallThreshold(interface, most, at)

    def freeze(self) -> tuple[DialPeer, ...]:
        """The peers over IP, in their order."""
        return tuple(
            DialPeer(tag, peer.at, peer.max_conn, self._codecs(peer), peer.is_shutdown, peer.target)
            for tag, peer in self.peers.items()
        )

    def _codecs(self, peer: _Peer) -> tuple[str, ...]:
        if peer.codec is not None:
            return (peer.codec,)
        preferred = self.codec_classes.get(peer.codec_class or "", {})
        return tuple(codec for _, codec in sorted(preferred.items()))


def _read_peer(peer: _Peer, line: Line, file: str) -> None:
    match line.text.lower().split():
        case ["max-conn", number] if (count := whole_or_none(number)) and count <= _MOST_CALLS:
            peer.max_conn = Stated(count, Location(file, line.number))
        case ["no", "max-conn", *_]:
            peer.max_conn = None
        case ["codec", name, *_]:
            peer.codec = name
        case ["session", "target", to, *_]:
            peer.target = _address(to)
        case ["voice-class", "codec", tag, *_]:
            peer.codec_class = tag
        case ["shutdown"]:
            peer.is_shutdown = True
        case ["no", "shutdown"]:
            peer.is_shutdown = False


def _address(target: str) -> str | None:
    """Address of `ipv4:192.0.2.1` and `ipv4:192.0.2.1:5060`; None of another target."""
    kind, _, rest = target.partition(":")
    try:
        return str(IPv4Address(rest.partition(":")[0])) if kind == "ipv4" else None
    except AddressValueError:
        return None


def _preferences(line: Line) -> Iterator[tuple[int, str]]:
    for child in line.commands():
        match child.text.lower().split():
            case ["codec", "preference", number, name, *_] if order := whole_or_none(number):
                yield order, name
