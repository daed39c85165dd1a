"""Bytes and time of a packet on the wire: layer-2 overhead, ATM cells, particles of a ring."""

from msgspec import Struct

from advisor.units import serialization_ms

# Bit stuffing (HDLC framing, about 0.8 % for random bits) is not counted.

# ITU-T I.361 and I.363.5
CELL_BYTES = 53
CELL_PAYLOAD_BYTES = 48
AAL5_TRAILER_BYTES = 8


class Framing(Struct, frozen=True):
    """Layer-2 bytes added to an IP packet.

    If `cells` is set, `overhead_bytes` is only the encapsulation header (8 for aal5snap, 0 for
    aal5mux ip); `wire_bytes` adds the AAL5 trailer, padding and cell headers.
    """

    overhead_bytes: int
    cells: bool = False


def wire_bytes(ip_bytes: int, framing: Framing) -> int:
    """Bytes that an IP packet takes on the wire.

    Parameters
    ----------
    ip_bytes : int
        Size of the IP packet.
    framing : Framing
        Layer-2 overhead.

    Notes
    -----
    ATM: ``53 * ceil((ip + header + 8) / 48)``, the trailer of AAL5 being 8 bytes.
    Source: Cisco document 10420, "What Bytes Are Counted by IP to ATM CoS Queueing".

    Examples
    --------
    >>> wire_bytes(1500, Framing(overhead_bytes=8))
    1508
    >>> wire_bytes(1000, Framing(overhead_bytes=8, cells=True))
    1166
    """
    framed = ip_bytes + framing.overhead_bytes
    if not framing.cells:
        return framed
    return CELL_BYTES * -(-(framed + AAL5_TRAILER_BYTES) // CELL_PAYLOAD_BYTES)


def wire_ms(ip_bytes: int, framing: Framing, rate_bps: float) -> float:
    """Time on the wire in ms.

    >>> round(wire_ms(1000, Framing(0, cells=True), 1_000_000), 3)
    8.904
    """
    return serialization_ms(wire_bytes(ip_bytes, framing), rate_bps)


def particles(ip_bytes: int, overhead_bytes: int, particle_bytes: int) -> int:
    """Particles of private buffer memory that a packet takes; no cell tax, no trailer.

    >>> particles(1000, overhead_bytes=8, particle_bytes=512)
    2
    """
    return -(-(ip_bytes + overhead_bytes) // particle_bytes)
