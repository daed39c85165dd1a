"""Traffic that does not slow down when it loses packets."""

from advisor.facts.matched_packets import Matched
from advisor.facts.packet_set import Box
from advisor.ios.syntax.names import DSCPS

_EXPEDITED = frozenset((DSCPS["ef"],))  # RFC 3246, RFC 4594: voice
# Protocols of NBAR that run over UDP only. Source: Cisco's NBAR protocol list.
_UDP_PROTOCOLS = frozenset(
    ("bootp", "dhcp", "ntp", "rip", "rtcp", "rtp", "rtp-audio", "rtp-video", "snmp", "tftp", "udp")
)


def kinds_of(matched: Matched) -> tuple[str, ...]:
    """Kinds of unresponsive traffic of a class: "UDP", "voice"; none if others may be in it."""
    kinds = [_kind(box) for box in matched.most or ()]
    if None in kinds:
        return ()
    return tuple(sorted({kind for kind in kinds if kind is not None}))


def _kind(box: Box) -> str | None:
    """Kind of unresponsive traffic in a box; None if some packets may be of another kind."""
    if box.dscps <= _EXPEDITED:
        return "voice"
    by_nbar = any(
        condition.kind == "protocol" and condition.values[0] in _UDP_PROTOCOLS
        for condition in box.conditions
    )
    return "UDP" if box.protocol == "udp" or by_nbar else None
