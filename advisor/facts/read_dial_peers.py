"""Dial-peers over IP, with the codecs of the voice classes that they name, and call thresholds.

Sub-commands that say nothing of calls or codecs are passed over: they are not QoS.
"""

from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Address
from typing import Final

from msgspec import Struct, field

from advisor.facts.stated import Stated
from advisor.facts.voice import CallThreshold, DialPeer
from advisor.ios.syntax.names import interface_name
from advisor.ios.syntax.tree import Line, Location
from advisor.units import whole_or_none

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
