"""Packets larger than the MTU of an output: IP cuts them before they come to its queues.

Source: RFC 791, section 3.2: every fragment but the last has a multiple of 8 bytes behind its
header. A packet that may not be fragmented is dropped by the router; nothing states which are.
"""

import math
from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from advisor.settings.values import PacketShare, StatedBacklog, StatedBursts, Traffic

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
