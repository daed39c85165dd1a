"""Dial-peers of a voice gateway: how many calls each admits, and with which codec."""

from msgspec import Struct

from advisor.facts.stated import Stated
from advisor.ios.syntax.tree import Location


class DialPeer(Struct, frozen=True):
    """`dial-peer voice 100 voip`; a setting that is missing is None."""

    tag: str
    at: Location
    max_conn: Stated[int] | None = None
    codecs: tuple[str, ...] = ()  # as the peer, or its `voice class codec`, prefers them
    is_shutdown: bool = False
