"""Words of `dlsw local-peer` and `dlsw remote-peer`, and of the defaults of other peers.

Source: Cisco IOS Bridging and IBM Networking Command Reference 12.2, DLSw+ commands.
"""

from collections.abc import Callable, Mapping
from ipaddress import AddressValueError, IPv4Address
from typing import Any, Final

from msgspec.structs import replace

from advisor.facts.dlsw import LocalPeer, PeerDefaults, PeerOptions, RemotePeer, Transport
from advisor.facts.read_words import GrammarError, Words, meanings
from advisor.ground.units import whole
from advisor.ios.syntax.names import interface_name

LARGEST_FRAMES: Final = (516, 1470, 1500, 2052, 4472, 8144, 11407, 11454, 17800)
_MAX_LIST: Final = 255
_MAX_DLCI: Final = 1023
_MAX_KBPS: Final = 10_000_000

Reader = Callable[[Words], Any]


def _whole(low: int, high: int) -> Reader:
    return lambda words: words.whole(low, high)


def _is_set(words: Words) -> bool:
    del words
    return True


def largest_frame(words: Words) -> int:
    """Take an `lf`: IOS knows nine sizes, those of the source-route bridges."""
    frame_bytes = words.whole(LARGEST_FRAMES[0], LARGEST_FRAMES[-1])
    if frame_bytes not in LARGEST_FRAMES:
        raise GrammarError(f"lf {frame_bytes}: no largest frame of DLSw+")
    return frame_bytes


def _address(words: Words) -> str:
    word = words.take()
    try:
        return str(IPv4Address(word))
    except AddressValueError:
        raise GrammarError(f"{word}: not an address") from None


def _rsvp(words: Words) -> str:
    keyword = words.accept("global", "default")
    if keyword is not None:
        return keyword
    return f"{words.whole(0, _MAX_KBPS)} {words.whole(0, _MAX_KBPS)}"


_KINDS: Final[Mapping[str, Reader]] = {
    "address": _address,
    "flag": _is_set,
    "frame": largest_frame,
    "rsvp": _rsvp,
    "word": Words.take,
}


def _options(section: str) -> dict[str, tuple[str, Reader]]:
    """The field and the reader of each word of a section of `ios/grammar/facts.txt`."""
    options: dict[str, tuple[str, Reader]] = {}
    for keyword, meaning in meanings(section):
        field, kind, *highest = meaning.split()
        reader = _whole(whole(kind), whole(highest[0])) if highest else _KINDS[kind]
        options[keyword] = field, reader
    return options


_LOCAL: Final = _options("dlsw-local-peer")
_OPTIONS: Final = _options("dlsw-peer")


def read_local_peer(words: Words) -> LocalPeer:
    """`local-peer …`, after its keyword.

    Raises
    ------
    GrammarError
        If a keyword is not known or a value is out of range.
    """
    stated: dict[str, Any] = {}
    while words.peek() is not None:
        name, read = _known(_LOCAL, words)
        stated[name] = read(words)
    return LocalPeer(at=words.at, **stated)


def read_remote_peer(words: Words) -> RemotePeer:
    """`remote-peer LIST …`, after its keyword; a line cut after `backup-peer` names no peer.

    Raises
    ------
    GrammarError
        If a keyword is not known or a value is out of range.
    """
    number = words.whole(0, _MAX_LIST)
    transport = Transport(words.expect(*Transport))
    peer, dlci = _destination(transport, words)
    backup_of: str | None = None
    options = PeerOptions()
    while words.peek() is not None:
        if words.accept("backup-peer"):
            backup_of = _primary(words)
        else:
            options = _with_option(options, words)
    return RemotePeer(words.at, number, transport, peer, dlci, backup_of, options)


def read_defaults(words: Words) -> PeerDefaults:
    """`prom-peer-defaults tcp …`, after its keyword.

    Raises
    ------
    GrammarError
        If a keyword is not known or a value is out of range.
    """
    transport = words.accept(Transport.TCP, Transport.FST)
    options = PeerOptions()
    while words.peek() is not None:
        options = _with_option(options, words)
    return PeerDefaults(words.at, Transport(transport) if transport else None, options)


def _known(table: Mapping[str, tuple[str, Reader]], words: Words) -> tuple[str, Reader]:
    return table[words.expect(*table)]


def _with_option(options: PeerOptions, words: Words) -> PeerOptions:
    name, read = _known(_OPTIONS, words)
    return replace(options, **{name: read(words)})


def _destination(transport: Transport, words: Words) -> tuple[str, int | None]:
    if transport in (Transport.TCP, Transport.FST):
        return _address(words), None
    if transport is Transport.FRAME_RELAY:
        words.expect("interface")
        return _interface(words), words.whole(0, _MAX_DLCI)
    if transport is Transport.LLC2:
        words.expect("interface")
    return _interface(words), None


def _interface(words: Words) -> str:
    """Take `Serial0`, or `serial 0` with the unit as its own word."""
    name = words.take()
    if not any(letter.isdecimal() for letter in name):
        name = f"{name} {words.take()}"
    return interface_name(name)


def _primary(words: Words) -> str:
    following = words.peek()
    if following is None or following in _OPTIONS:
        return ""
    if words.accept("frame-relay"):
        words.expect("interface")
        return f"{_interface(words)} {words.whole(0, _MAX_DLCI)}"
    if words.accept("interface"):
        return _interface(words)
    return _address(words)
