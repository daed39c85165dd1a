"""The exact recursion of a two-class interface, packet by packet, many phases side by side.

A packet enters the ring when its place becomes free, as LLQ if an LLQ packet waits by then, and
leaves it at F(n) = max(F(n-1), entry) + s. Nothing is approximated but the average over phases and
sizes, which is taken over a fixed set of lanes: the same interface always gets the same answer.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.model.flows import Floats, Ints

FAR_MS = 1e15
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Arrivals:
    """Packets of one side in order, per lane.

    `at_ms` has shape (packets + 1, lanes); its last row is FAR_MS. None: a packet always waits.
    `time_ms` (on the wire) and `units` (of the ring) have shape (packets, lanes), or are one
    number where all packets are alike.
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


@dataclass(frozen=True, slots=True)
class Places:
    """The ring: `limit` units, and `beside_wire` packets that have left it for the wire."""

    limit: int
    beside_wire: int = 0
    largest_units: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Per step and lane: whether an LLQ packet entered, and its delay from arrival to last bit.

    `due_ms` is the arrival. Neither means anything for a lower packet without arrival time.
    `index` is the packet's place in its side's arrays, laid flat; it is kept only on request.
    """

    is_llq: Bools
    delay_ms: Floats
    due_ms: Floats
    index: Ints | None


class _Side:
    """The next packet of one side in every lane; what is alike in all packets stays a number."""

    def __init__(self, arrivals: Arrivals, lanes: int) -> None:
        self.at = np.arange(lanes)
        if arrivals.first_row is not None:
            self.at += arrivals.first_row * lanes
        self._due = None if arrivals.at_ms is None else arrivals.at_ms.ravel()
        self._time = arrivals.time_ms.ravel() if isinstance(arrivals.time_ms, np.ndarray) else None
        self._units = arrivals.units.ravel() if isinstance(arrivals.units, np.ndarray) else None
        self.due = np.full(lanes, -FAR_MS)
        self.time: Floats | float = 0.0
        self.units: Ints | int = 1
        if not isinstance(arrivals.time_ms, np.ndarray):
            self.time = arrivals.time_ms
        if not isinstance(arrivals.units, np.ndarray):
            self.units = arrivals.units
        self.all_alike = self._due is None and self._time is None and self._units is None
        self.load()

    def load(self) -> None:
        if self._due is not None:
            self._due.take(self.at, out=self.due, mode="clip")
        if self._time is not None:
            self.time = self._time.take(self.at, mode="clip")
        if self._units is not None:
            self.units = self._units.take(self.at, mode="clip")


class _PacketRing:
    """Place n is free when packet n - limit has left (or begun, where the wire holds its own)."""

    def __init__(self, places: Places, lanes: int, steps: int, empty_ms: float) -> None:
        self._held = places.limit + places.beside_wire
        self._ends = np.empty((self._held + steps, lanes))
        self._ends[: self._held] = empty_ms
        self.ends = self._ends[self._held :]

    def free_at(self, step: int) -> Floats:
        row: Floats = self._ends[step]
        return row

    def put(self, step: int, start: Floats, units: Ints | int) -> None:
        """`ends` holds all that a ring of packets needs."""


class _ParticleRing:
    """Free when fewer than `limit` units are used: when the unit `limit` - 1 back has left."""

    def __init__(self, places: Places, lanes: int, steps: int, empty_ms: float) -> None:
        self._lanes = lanes
        self._beside_wire = places.beside_wire
        self._largest = places.largest_units
        rows = places.limit + (steps + 1) * places.largest_units
        self._left = np.full(rows * lanes, empty_ms)
        self._oldest = np.arange(lanes)  # the unit whose leaving frees the next place
        self._ahead = places.limit * lanes
        self.ends = np.empty((steps, lanes))

    def free_at(self, step: int) -> Floats:
        del step
        left: Floats = self._left.take(self._oldest)
        return left

    def put(self, step: int, start: Floats, units: Ints | int) -> None:
        """The packet takes its units; a following one overwrites those that it does not take."""
        left = start if self._beside_wire else self.ends[step]
        first = self._oldest + self._ahead
        for unit in range(self._largest):
            self._left[first + unit * self._lanes] = left
        self._oldest = self._oldest + np.multiply(units, self._lanes)


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
    together. With `prefill` (rows, lanes) the ring is first filled with LLQ packets where it is
    true, which are no arrivals, and else with lower ones.
    """
    first, second = _Side(llq, lanes), _Side(lower, lanes)
    mixed = places.largest_units > 1
    saturated = lower.at_ms is None
    empty_ms = 0.0 if saturated else -FAR_MS
    ring = (_ParticleRing if mixed else _PacketRing)(places, lanes, steps, empty_ms)
    dues = np.empty((steps, lanes))
    entered = np.empty((steps, lanes), dtype=bool)
    index = np.empty((steps, lanes), dtype=np.int64) if keep_index else None
    fill_rows = 0 if prefill is None else len(prefill)
    both = first.at + second.at
    last = np.zeros(lanes) if begin_ms is None else begin_ms
    latest, time = np.empty(lanes), np.empty(lanes)  # buffers: a new array costs more than a sum
    for step in range(steps):
        free, due = ring.free_at(step), dues[step]
        took = as_llq = entered[step]
        if saturated:
            np.less_equal(first.due, free, out=took)
            start, due[:] = last, first.due
            if prefill is not None and step < fill_rows:
                as_llq = took | (prefill[step] & (free <= 0))
                both -= (as_llq & ~took) * lanes  # no lower packet was taken
        else:
            np.maximum(free, second.due, out=latest)
            np.less_equal(first.due, latest, out=took)
            due[:] = second.due
            np.copyto(due, first.due, where=took)
            np.maximum(last, free, out=latest)
            start = np.maximum(latest, due, out=latest)
        if index is not None:
            index[step] = np.where(took, first.at, second.at)
        time[:] = second.time
        np.copyto(time, first.time, where=as_llq)
        last = np.add(start, time, out=ring.ends[step])
        if mixed:
            ring.put(step, start, np.where(as_llq, first.units, second.units))
        np.add(first.at, lanes, out=first.at, where=took)
        first.load()
        if not second.all_alike:
            both += lanes
            np.subtract(both, first.at, out=second.at)
            second.load()
    return Run(entered, ring.ends - dues, dues, index)
