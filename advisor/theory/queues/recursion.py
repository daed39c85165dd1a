"""The exact recursion of all queues: who enters the ring when a place becomes free, lane by lane.

The LLQ enters first, then the packet with the least tag of self-clocked fair queueing (S. J.
Golestani, IEEE INFOCOM (1994) 636-646). The fragments of a packet that is being cut enter before
other lower packets. A full queue drops what arrives; the policer of the LLQ drops what its bucket
does not cover while the ring is full. The only approximation is the average over the lanes.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from advisor.theory.flows import Floats, Ints
from advisor.theory.interface import Policer
from advisor.theory.queues.packets import Packets, QueueRow
from advisor.theory.ring.ring_recursion import (
    FAR_MS,
    Bools,
    PacketRing,
    ParticleRing,
    Places,
    Ring,
)
from advisor.units import bytes_in_ms

ENDED_MS = FAR_MS / 2  # later than all packets: the sources of a lane have ended
LLQ = 0  # row of the LLQ; an interface without one has an empty row


class QueuesRun(Struct, frozen=True, eq=False):
    """Per step and lane: the packet (flat index) that entered, and when its last bit has left.

    `is_last` is false for a fragment that others of its packet follow; None if nothing is cut.
    `next_index` is the packet next in each queue at the end, shape (rows, lanes).
    """

    index: Ints
    end_ms: Floats
    is_last: Bools | None
    next_index: Ints


def run_queues(rows: Sequence[QueueRow], packets: Packets, places: Places, steps: int) -> QueuesRun:
    """Run the recursion for `steps` entries into the ring in every lane, from an empty ring."""
    lanes = packets.lanes
    queues = _Queues(rows, packets, steps)
    cut = _Cut(lanes, steps) if packets.kinds.piece_ms.shape[1] > 1 else None
    is_mixed = places.largest_units > 1
    ring: Ring = (ParticleRing if is_mixed else PacketRing)(places, lanes, steps, -FAR_MS)
    index = np.empty((steps, lanes), dtype=np.int64)
    kinds, every = packets.kinds, np.arange(lanes)
    piece_ms, piece_units = kinds.piece_ms.ravel(), kinds.piece_units.ravel() * lanes
    most_pieces = kinds.piece_ms.shape[1]
    entry_ms = last_ms = np.zeros(lanes)
    for packet, end_ms in zip(index, ring.ends, strict=True):
        free_ms = ring.free()
        queues.police(free_ms)
        first_ms = queues.due_ms.min(axis=0)
        if cut is not None:
            np.copyto(first_ms, entry_ms, where=cut.waits)
        entry_ms = np.maximum(free_ms, first_ms)
        row = queues.choose(entry_ms)
        kind = queues.next_packets(row, packet)
        if cut is None:
            piece, popped = kind * most_pieces, every
        else:
            is_llq = queues.due_ms[LLQ] <= entry_ms
            goes_on, number = cut.goes_on(is_llq, packet, kind, kinds.pieces)
            piece, popped = kind * most_pieces + number, np.flatnonzero(~goes_on)
        start_ms = np.maximum(last_ms, entry_ms)
        np.add(start_ms, piece_ms.take(piece), out=end_ms)
        if is_mixed:
            ring.put(start_ms, end_ms, piece_units.take(piece))
        queues.pop(row, popped, entry_ms)
        last_ms = end_ms
    return QueuesRun(index, ring.ends, None if cut is None else cut.is_last, queues.index)


class _Queues:
    """The packet next in each queue, shape (rows, lanes), and what the queues hold."""

    def __init__(self, rows: Sequence[QueueRow], packets: Packets, steps: int) -> None:
        shape = packets.first.shape
        self.lanes = shape[1]
        self._packets = packets
        self.index, self._kind = np.empty(shape, dtype=np.int64), np.empty(shape, dtype=np.int64)
        self.due_ms, self._step = np.empty(shape), np.empty(shape)
        self._begin_tag, self._score = np.zeros(shape), np.empty(shape)
        self._tag = np.zeros(self.lanes)  # of the packet served last
        self._look(np.arange(packets.first.size), packets.first.ravel())
        self._lane = np.arange(self.lanes)
        self._room = _Room(rows, self.lanes, steps)
        policer = rows[LLQ].policer
        self._bucket = None if policer is None else _Bucket(policer, self.lanes)

    def _look(self, places: Ints, index: Ints) -> None:
        """Packets `index` are now next; `places` are flat in (rows, lanes)."""
        kind = self._packets.kind.take(index, mode="clip")
        self.index.ravel()[places] = index
        self._kind.ravel()[places] = kind
        self.due_ms.ravel()[places] = self._packets.due_ms.take(index, mode="clip")
        self._step.ravel()[places] = self._packets.kinds.tag_step.take(kind)

    def choose(self, entry_ms: Floats) -> Ints:
        """Row of the packet that enters at `entry_ms`, per lane."""
        is_late = self.due_ms > entry_ms
        np.add(self._begin_tag, self._step, out=self._score)
        np.putmask(self._score, is_late, np.inf)
        np.putmask(self._score[LLQ], ~is_late[LLQ], -1.0)
        rows: Ints = self._score.argmin(axis=0)
        return rows

    def next_packets(self, row: Ints, packet: Ints) -> Ints:
        """Write the packets next in `row` to `packet`; their kinds."""
        places = row * self.lanes + self._lane
        self.index.take(places, out=packet)
        kind: Ints = self._kind.take(places)
        return kind

    def pop(self, row: Ints, popped: Ints, entry_ms: Floats) -> None:
        """The packets next in `row` have entered in the lanes `popped`; find their followers.

        A follower that already waits begins at the tag of its predecessor, any other at the tag
        that is served last when it arrives.
        """
        row, entry = row[popped], entry_ms[popped]
        places = row * self.lanes + popped
        tags = self._begin_tag.take(places) + self._step.take(places)
        self._tag[popped] = np.where(row == LLQ, self._tag[popped], tags)
        index = self.index.take(places) + self.lanes
        since_ms = self._room.enter(row, popped, entry)
        due_ms = self._packets.due_ms.take(index, mode="clip")
        is_policed = self._bucket is not None
        dropped = np.flatnonzero((due_ms < since_ms) & ~((row == LLQ) & is_policed))
        while len(dropped):
            index[dropped] += self.lanes
            due_ms = self._packets.due_ms.take(index[dropped], mode="clip")
            dropped = dropped[due_ms < since_ms[dropped]]
        self._look(places, index)
        self._begin_tag.ravel()[places] = self._tag[popped]
        np.copyto(self._begin_tag, self._tag, where=self.due_ms > entry_ms)
        if self._bucket is not None:
            self._bucket.undecided[popped[row == LLQ]] = True

    def police(self, free_ms: Floats) -> None:
        """Find the next LLQ packet that passes; the ring is full until `free_ms`."""
        bucket = self._bucket
        if bucket is None:
            return
        while True:
            lane = np.flatnonzero(
                bucket.undecided & (self.due_ms[LLQ] < np.minimum(free_ms, ENDED_MS))
            )
            if not len(lane):
                return
            due_ms = self.due_ms[LLQ, lane]
            frame = self._packets.kinds.frame_bytes[self._kind[LLQ, lane]]
            passes = bucket.passes(lane, due_ms, frame)
            passes &= due_ms >= self._room.since_ms(LLQ, lane)
            bucket.undecided[lane[passes]] = False
            refused = lane[~passes]
            self._look(refused, self.index[LLQ, refused] + self.lanes)


class _Room:
    """Since when a queue has room for its next packet: the entry of the one `limit` before it."""

    def __init__(self, rows: Sequence[QueueRow], lanes: int, steps: int) -> None:
        self._lanes = lanes
        self._limit = np.array(
            [steps + 1 if row.is_closed else min(row.limit_packets, steps + 1) for row in rows]
        )
        self._begin = np.concatenate([[0], np.cumsum(self._limit)[:-1]])
        self._entries_ms = np.full(int(self._limit.sum()) * lanes, -FAR_MS)
        self._count = np.zeros((len(rows), lanes), dtype=np.int64)

    def enter(self, row: Ints, lane: Ints, entry_ms: Floats) -> Floats:
        """Note entries to the ring; since when the queues have room for the next packet."""
        places = row * self._lanes + lane
        self._entries_ms[self._place(row, lane)] = np.minimum(entry_ms, ENDED_MS)
        self._count.ravel()[places] += 1
        return self.since_ms(row, lane)

    def since_ms(self, row: Ints | int, lane: Ints) -> Floats:
        since: Floats = self._entries_ms.take(self._place(row, lane))
        return since

    def _place(self, row: Ints | int, lane: Ints) -> Ints:
        turn = self._count[row, lane] % self._limit[row]
        place: Ints = (self._begin[row] + turn) * self._lanes + lane
        return place


class _Bucket:
    """The token bucket of the LLQ in every lane, from empty to full at the start."""

    def __init__(self, policer: Policer, lanes: int) -> None:
        self._bytes_per_ms = bytes_in_ms(policer.rate_bps, 1.0)
        self._most = float(policer.burst_bytes)
        self._tokens = self._most * (np.arange(lanes) + 0.5) / lanes
        self._since_ms = np.zeros(lanes)
        self.undecided = np.ones(lanes, dtype=bool)

    def passes(self, lane: Ints, at_ms: Floats, frame_bytes: Floats) -> Bools:
        """Whether the tokens cover a packet that arrives; if so, they are taken."""
        filled = self._tokens[lane] + (at_ms - self._since_ms[lane]) * self._bytes_per_ms
        filled = np.minimum(filled, self._most)
        passes: Bools = filled >= frame_bytes
        self._tokens[lane] = np.where(passes, filled - frame_bytes, filled)
        self._since_ms[lane] = at_ms
        return passes


class _Cut:
    """The packet that is being cut in every lane, and the fragment that is next."""

    def __init__(self, lanes: int, steps: int) -> None:
        self.waits = np.zeros(lanes, dtype=bool)
        self.is_last = np.ones((steps, lanes), dtype=bool)
        self._packet, self._kind = np.zeros((2, lanes), dtype=np.int64)
        self._piece = np.zeros(lanes, dtype=np.int64)
        self._step = 0

    def goes_on(self, is_llq: Bools, packet: Ints, kind: Ints, pieces: Ints) -> tuple[Bools, Ints]:
        """Put the next fragment in place of `packet` and `kind`, unless an LLQ packet enters.

        Returns the lanes where this is so, and the number of the fragment in all lanes.
        """
        goes_on: Bools = self.waits & ~is_llq
        np.copyto(packet, self._packet, where=goes_on)
        np.copyto(kind, self._kind, where=goes_on)
        number: Ints = np.where(goes_on, self._piece, 0)
        has_more = number + 1 < pieces.take(kind)
        is_lower = ~is_llq
        np.copyto(self._packet, packet, where=is_lower)
        np.copyto(self._kind, kind, where=is_lower)
        np.copyto(self._piece, number + 1, where=is_lower)
        np.copyto(self.waits, has_more, where=is_lower)
        self.is_last[self._step] = ~has_more
        self._step += 1
        return goes_on, number
