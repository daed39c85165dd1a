"""What a voice gateway admits: calls of its dial-peers with their codec, and call thresholds."""

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
    target: str | None = None  # address of `session target ipv4:192.0.2.1`


class CallThreshold(Struct, frozen=True):
    """`call threshold`: the calls from which new ones are refused, of an interface or of all.

    Source: Cisco IOS Voice Command Reference, call threshold (`interface … int-calls`, `global
    total-calls`).
    """

    interface: str | None  # None: of the gateway
    most_calls: int
    at: Location
