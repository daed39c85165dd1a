"""The exact recursion of a two-class interface, packet by packet, many phases side by side.

A packet enters the ring when its place becomes free, as LLQ if an LLQ packet waits by then, and
leaves it at F(n) = max(F(n-1), entry) + s. The only approximation is the average over phases and
sizes, which is taken over a fixed set of lanes: the same interface always gets the same answer.
"""

from itertools import chain, repeat
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from advisor.theory.extent import MOST_VALUES, bounded
from advisor.theory.flows import Floats, Ints

FAR_MS = 1e15  # numeric: a time that never comes
PER_PACKET = 2  # dimensions of arrays whose values differ between the packets of a lane
Bools = NDArray[np.bool_]


class Arrivals(Struct, frozen=True, eq=False):
    """Packets of one side in order, per lane.

    `at_ms` has shape (packets + 1, lanes); its last row is FAR_MS. None: a packet always waits.
    `time_ms` (on the wire) and `units` (of the ring) have shape (packets, lanes); if all packets
    are equal they are one number, or have shape (lanes,).
    """

    at_ms: Floats | None
    time_ms: Floats | float
    units: Ints | int
    first_row: Ints | None = None  # per lane: where it starts

    @property
    def due_ms(self) -> Floats:
        """`at_ms` of a side that has times."""
        if self.at_ms is None:
            raise ValueError("a side that always has a packet waiting has no arrival times")
        return self.at_ms


class Places(Struct, frozen=True):
    """The ring: `limit` units, and `beside_wire` packets that have left it for the wire."""

    limit: int
    beside_wire: int = 0
    largest_units: int = 1


class Run(Struct, frozen=True, eq=False):
    """Per step and lane: whether an LLQ packet entered, and its delay from arrival to last bit.

    `due_ms` is the arrival. Delay and arrival mean nothing for a lower packet without arrival time.
    `index` is the packet's place in the flat arrays of its side; it is kept only on request, and
    means nothing for the packets of a lower side without arrival times.
    """

    is_llq: Bools
    delay_ms: Floats
    due_ms: Floats
    index: Ints | None


class Side:
    """The next packet of one side in every lane; values that all packets share are read once.

    `due[step]` is the arrival of the packet that is next at a step.
    """

    def __init__(self, arrivals: Arrivals, lanes: int, steps: int) -> None:
        self.begin = np.arange(lanes)
        if arrivals.first_row is not None:
            self.begin += arrivals.first_row * lanes
        self.at = self.begin.copy()
        time, places = np.asarray(arrivals.time_ms), np.asarray(arrivals.units) * lanes
        bounded("packets in all lanes", MOST_VALUES, steps + 1, lanes)
        self.due = np.empty((steps + 1, lanes))
        self.time, self.places = np.empty(lanes), np.empty(lanes, dtype=np.int64)
        self._due = None if arrivals.at_ms is None else arrivals.at_ms.ravel()
        self._time = self._places = None
        if time.ndim == PER_PACKET:
            self._time = time.ravel()
        else:
            self.time[:] = time
        if places.ndim == PER_PACKET:
            self._places = places.ravel()
        else:
            self.places[:] = places
        self.all_alike = self._due is None and self._time is None and self._places is None
        self.load(self.due[0])

    def load(self, due: Floats) -> None:
        """Look at the packet at `at`, and write its arrival to `due`."""
        if self._due is not None:
            self._due.take(self.at, None, due, "clip")
        if self._time is not None:
            self._time.take(self.at, None, self.time, "clip")
        if self._places is not None:
            self._places.take(self.at, None, self.places, "clip")


class PacketRing:
    """Place n is free when packet n - limit has left (or begun, if the wire is beside the ring)."""

    def __init__(self, places: Places, lanes: int, steps: int, empty_ms: float) -> None:
        content = places.limit + places.beside_wire
        bounded("packets of a ring in all lanes", MOST_VALUES, content + steps, lanes)
        ends = np.empty((content + steps, lanes))
        ends[:content] = empty_ms
        self._free = iter(ends)
        self.ends = ends[content:]

    def free(self) -> Floats:
        row: Floats = next(self._free)
        return row

    def put(self, start: Floats, end: Floats, places: Ints) -> None:
        """`ends` holds all that a ring of packets needs."""


class ParticleRing:
    """Free when fewer than `limit` units are used: when the unit `limit` - 1 back has left."""

    def __init__(
        self,
        places: Places,
        lanes: int,
        steps: int,
        empty_ms: float,
        limits: Ints | None = None,  # per lane, none beyond that of `places`
    ) -> None:
        self._beside_wire = places.beside_wire
        rows = places.limit + (steps + 1) * places.largest_units
        bounded("particles in all lanes", MOST_VALUES, rows, lanes)
        self._left = np.full(rows * lanes, empty_ms)
        # row i: unit i and those behind it that the largest packet would take
        size = self._left.itemsize
        shape = ((rows - places.largest_units) * lanes, places.largest_units)
        self._taken = np.lib.stride_tricks.as_strided(self._left, shape, (size, size * lanes))
        self._oldest = np.arange(lanes)  # the unit whose leaving frees the next place
        self._newest = self._oldest + (places.limit if limits is None else limits) * lanes
        self.ends = np.empty((steps, lanes))

    def free(self) -> Floats:
        left: Floats = self._left.take(self._oldest)
        return left

    def put(self, start: Floats, end: Floats, places: Ints) -> None:
        """The packet takes its units; a following one overwrites those that it does not take."""
        self._taken[self._newest] = (start if self._beside_wire else end)[:, None]
        np.add(self._oldest, places, out=self._oldest)
        np.add(self._newest, places, out=self._newest)


class Ring(Protocol):
    """When places of a ring become free."""

    ends: Floats  # when each packet has left the wire, shape (steps, lanes)

    def free(self) -> Floats:
        """When the next place is free, per lane."""

    def put(self, start: Floats, end: Floats, places: Ints) -> None:
        """A packet is sent from `start` to `end` and took `places` x lanes."""


def run(
    places: Places,
    llq: Arrivals,
    lower: Arrivals,
    lanes: int,
    *,
    steps: int,
    prefill: Bools | None = None,
    begin_ms: Floats | None = None,
    keep_index: bool = False,
) -> Run:
    """Run the recursion for `steps` packets in each of `lanes` lanes, from an empty ring.

    The wire is free from `begin_ms` on (0 where None). A lower side without arrival times always
    has a packet waiting. The LLQ is FIFO. Fragments are packets of the lower side that arrive
    together. With `prefill` (rows, lanes) the ring of a lower side without arrival times is first
    filled: with LLQ packets where it is true (these are no arrivals), else with lower packets.
    """
    first, second = Side(llq, lanes, steps), Side(lower, lanes, steps)
    saturated = lower.at_ms is None
    empty_ms = 0.0 if saturated else -FAR_MS
    mixed = places.largest_units > 1
    ring: Ring = (ParticleRing if mixed else PacketRing)(places, lanes, steps, empty_ms)
    entered = np.empty((steps, lanes), dtype=bool)
    begin = np.zeros(lanes) if begin_ms is None else begin_ms
    if saturated:
        run_behind(ring, first, second, entered, begin, prefill, mixed=mixed)
        due = first.due[:-1]
    else:
        _run_open(ring, first, second, entered, begin, mixed=mixed)
        due = second.due[:-1]
        np.copyto(due, first.due[:-1], where=entered)
    index = _index(first.begin, second.begin, entered) if keep_index else None
    return Run(entered, ring.ends - due, due, index)


def _run_open(
    ring: Ring, first: Side, second: Side, entered: Bools, last: Floats, *, mixed: bool
) -> None:
    """Both sides have arrival times."""
    lanes = len(last)
    step = np.full(lanes, lanes)
    begin = first.at + second.at
    both = begin + lanes * np.arange(1, len(entered) + 1)[:, None]  # of the two, after each step
    start, moved = np.empty(lanes), np.empty_like(begin)  # buffers: a new array costs more
    first_steps, second_steps = (
        zip(side.due, side.due[1:], strict=False) for side in (first, second)
    )
    for took, end, taken, (due, next_due), (lower_due, next_lower_due) in zip(
        entered, ring.ends, both, first_steps, second_steps, strict=True
    ):
        np.maximum(ring.free(), lower_due, out=start)
        np.less_equal(due, start, out=took)
        # an LLQ packet that came later than the lower one, but in time, begins at `last`
        np.minimum(due, lower_due, out=start)
        np.maximum(start, last, out=start)
        np.add(start, second.time, out=end)
        np.putmask(end, took, start + first.time)
        if mixed:
            ring.put(start, end, np.where(took, first.places, second.places))
        np.add(first.at, step, out=moved)
        np.putmask(first.at, took, moved)
        np.subtract(taken, first.at, out=second.at)
        first.load(next_due)
        second.load(next_lower_due)
        last = end


def run_behind(  # noqa: PLR0917 -- the state of the recursion
    ring: Ring,
    first: Side,
    second: Side,
    entered: Bools,
    last: Floats,
    prefill: Bools | None,
    *,
    mixed: bool,
) -> None:
    """Run with a lower packet that always waits: a place is taken when it becomes free.

    Writes `entered` and the state of `ring` and `first`.
    """
    lanes = len(last)
    both, step = first.at + second.at, np.full(lanes, lanes)
    moved = np.empty_like(both)
    fills = chain([] if prefill is None else prefill, repeat(None))
    for took, end, due, next_due, fill in zip(
        entered, ring.ends, first.due, first.due[1:], fills, strict=False
    ):
        free = ring.free()
        np.less_equal(due, free, out=took)
        as_llq = took
        if fill is not None:
            as_llq = took | (fill & (free <= 0))
            both -= (as_llq & ~took) * lanes  # no lower packet was taken
        np.add(last, second.time, out=end)
        np.putmask(end, as_llq, last + first.time)
        if mixed:
            ring.put(last, end, np.where(as_llq, first.places, second.places))
        np.add(first.at, step, out=moved)
        np.putmask(first.at, took, moved)
        first.load(next_due)
        if not second.all_alike:
            np.add(both, step, out=both)
            np.subtract(both, first.at, out=second.at)
            second.load(second.due[0])
        last = end


def _index(first: Ints, second: Ints, entered: Bools) -> Ints:
    """Place of each packet in the flat arrays of its side, which begin at `first` and `second`."""
    steps, lanes = entered.shape
    llq_before: Ints = np.cumsum(entered, axis=0) - entered  # LLQ packets before each step
    lower_index = second + (np.arange(steps)[:, None] - llq_before) * lanes
    index: Ints = np.where(entered, first + llq_before * lanes, lower_index)
    return index


def index_behind(entered: Bools) -> Ints:
    """Place of each LLQ packet in its flat arrays; for lower packets it means nothing."""
    lane = np.arange(entered.shape[1])
    return _index(lane, lane, entered)
