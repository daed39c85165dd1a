"""The forms of an IP packet on its way out: frame, fragments, cells, places in the ring."""

from typing import NamedTuple

from advisor.settings.scenario import Fragmentation, Link, TxRing
from advisor.units import bps_from_kbps, serialization_ms

_CELL_BYTES = 53
_CELL_PAYLOAD_BYTES = 48
_AAL5_TRAILER_BYTES = 8


class Piece(NamedTuple):
    """A packet, or a fragment of one, that enters the ring as a unit."""

    wire_ms: float
    ring_units: int


class Frame(NamedTuple):
    """A packet for queues, ring and wire; scheduler and policer count `frame_bytes`.

    With more than one piece, LFI cuts it.
    """

    frame_bytes: int
    ip_bytes: int
    wire_bytes: int
    pieces: tuple[Piece, ...]


class Packet(NamedTuple):
    """A packet that has arrived; `stream` is the simulated stream, `number` counts TCP packets."""

    arrival_ms: float
    stream: int
    frame: Frame
    conversation: int
    number: int = 0


class Framer:
    """Frames of the packets of one queue, remembered by size."""

    def __init__(self, link: Link, ring: TxRing, fragmentation: Fragmentation | None) -> None:
        self._link = link
        self._rate_bps = bps_from_kbps(link.rate_kbps)
        self._particle_bytes = ring.particle_bytes if ring.unit == "particles" else None
        self._fragmentation = fragmentation
        self._seen: dict[int, Frame] = {}

    def frame(self, ip_bytes: int) -> Frame:
        """The frame of a packet with this number of IP bytes."""
        frame = self._seen.get(ip_bytes)
        if frame is None:
            frame = self._seen[ip_bytes] = self._cut(ip_bytes)
        return frame

    def _cut(self, ip_bytes: int) -> Frame:
        overhead_bytes = self._link.l2_overhead_bytes_per_packet
        framed = [ip_bytes + overhead_bytes]
        lfi = self._fragmentation
        if lfi is not None and ip_bytes > lfi.fragment_ip_bytes:
            whole, rest = divmod(ip_bytes, lfi.fragment_ip_bytes)
            carried = [lfi.fragment_ip_bytes] * whole + [rest] * (rest > 0)
            framed = [part_bytes + lfi.overhead_bytes_per_fragment for part_bytes in carried]
        on_wire = [self._wire_bytes(frame) for frame in framed]
        pieces = tuple(
            Piece(serialization_ms(wire, self._rate_bps), self._ring_units(frame))
            for wire, frame in zip(on_wire, framed, strict=True)
        )
        return Frame(ip_bytes + overhead_bytes, ip_bytes, sum(on_wire), pieces)

    def _wire_bytes(self, frame_bytes: int) -> int:
        if not self._link.atm_cell_tax:
            return frame_bytes
        return cells_bytes(frame_bytes)

    def _ring_units(self, frame_bytes: int) -> int:
        return 1 if self._particle_bytes is None else -(-frame_bytes // self._particle_bytes)


def cells_bytes(frame_bytes: int) -> int:
    """Bytes of the ATM cells that carry a frame and its AAL5 trailer.

    >>> cells_bytes(40)
    53
    """
    return _CELL_BYTES * -(-(frame_bytes + _AAL5_TRAILER_BYTES) // _CELL_PAYLOAD_BYTES)
