"""Calls that the dial-peers of a gateway admit."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from advisor.facts.voice import DialPeer
from advisor.settings.codecs import CodecError, load_codecs

DEFAULT_CODEC: Final = (
    "g729r8"  # of a dial-peer; recalled: Cisco IOS Voice Command Reference, codec
)


class Admitted(Struct, frozen=True):
    """Calls of one dial-peer and their codec; None where the table does not have the codec."""

    peer: DialPeer
    calls: int
    codec: str | None


def admitted(peers: Sequence[DialPeer]) -> tuple[Admitted, ...]:
    """Dial-peers that limit their calls, each with the codec that it prefers."""
    return tuple(
        Admitted(peer, peer.max_conn.value, _known(next(iter(peer.codecs), DEFAULT_CODEC)))
        for peer in peers
        if peer.max_conn is not None and not peer.is_shutdown
    )


def _known(codec: str) -> str | None:
    try:
        load_codecs().packet(codec)
    except CodecError:
        return None
    return codec
