"""Many runs of the recursion at once: one numpy call per step for all of their lanes.

A call costs the same for a hundred lanes as for a thousand, so runs of about the same length are
laid side by side. The result of each lane equals that of a single run, to the last bit.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from advisor.theory.extent import MOST_VALUES, bounded
from advisor.theory.flows import Floats, Ints
from advisor.theory.ring.ring_recursion import (
    FAR_MS,
    PER_PACKET,
    Arrivals,
    Bools,
    ParticleRing,
    Places,
    Ring,
    Run,
    Side,
    index_behind,
    run,
    run_behind,
)

T = TypeVar("T", np.float64, np.int64, np.bool_)
LONGER = 1.3  # longest run of a group over its shortest
MOST_LANES = 1024  # the data of more lanes do not fit into the processor's cache


class Request(Struct, frozen=True, eq=False):
    """Arguments of `run` for a lower side that always has a packet waiting."""

    places: Places
    llq: Arrivals
    lower: Arrivals
    lanes: int
    steps: int
    prefill: Bools | None
    keep_index: bool


def run_all(requests: Sequence[Request]) -> list[Run]:
    """Run all requests; see `run`."""
    run_by_index: dict[int, Run] = {}
    for group in _groups(requests):
        runs = _together([requests[index] for index in group])
        run_by_index.update(zip(group, runs, strict=True))
    return [run_by_index[index] for index in range(len(requests))]


def _groups(requests: Sequence[Request]) -> Iterator[list[int]]:
    """Requests of similar rings and about the same length."""
    order = sorted(
        range(len(requests)), key=lambda index: (_likeness(requests[index]), requests[index].steps)
    )
    group: list[int] = []
    for index in order:
        if group:
            first = requests[group[0]]
            lanes = sum(requests[member].lanes for member in group)
            if (
                _likeness(requests[index]) != _likeness(first)
                or requests[index].steps > LONGER * first.steps
                or lanes + requests[index].lanes > MOST_LANES
            ):
                yield group
                group = []
        group.append(index)
    if group:
        yield group


def _likeness(request: Request) -> tuple[int, int, bool, tuple[bool, ...]]:
    kinds = tuple(
        np.ndim(values) == PER_PACKET
        for side in (request.llq, request.lower)
        for values in (side.time_ms, side.units)
    )
    places = request.places
    beside_units = places.beside_wire if places.largest_units > 1 else 0
    return places.largest_units, beside_units, request.keep_index, kinds


class _UnevenRing:
    """Rings of packets, with a depth per lane."""

    def __init__(self, content: Ints, steps: int) -> None:
        deepest, lanes = int(content.max()), len(content)
        bounded("packets of a ring in all lanes", MOST_VALUES, deepest + steps, lanes)
        ends = np.empty((deepest + steps, lanes))
        ends[:deepest] = 0.0
        self._flat = ends.ravel()
        self._next = np.arange(lanes) + (deepest - content) * lanes
        self._row = np.full(lanes, lanes)
        self._free = np.empty(lanes)
        self.ends = ends[deepest:]

    def free(self) -> Floats:
        self._flat.take(self._next, None, self._free, "clip")
        np.add(self._next, self._row, out=self._next)
        return self._free

    def put(self, start: Floats, end: Floats, places: Ints) -> None:
        """`ends` holds all that a ring of packets needs."""


def _together(requests: Sequence[Request]) -> list[Run]:
    (first, *rest) = requests
    if not rest:
        return [_alone(first)]
    lanes = [request.lanes for request in requests]
    total, steps = sum(lanes), max(request.steps for request in requests)
    mixed = first.places.largest_units > 1
    llq_side = Side(_arrivals([request.llq for request in requests], lanes), total, steps)
    lower_side = Side(_arrivals([request.lower for request in requests], lanes), total, steps)
    is_llq_entry = np.empty((steps, total), dtype=bool)
    ring = _ring([request.places for request in requests], lanes, steps, mixed=mixed)
    prefill = _padded([_filled(request) for request in requests], fill=False)
    run_behind(ring, llq_side, lower_side, is_llq_entry, np.zeros(total), prefill, mixed=mixed)
    due_ms = llq_side.due[:-1]
    delay = ring.ends - due_ms
    runs = []
    for request, end in zip(requests, np.cumsum(lanes).tolist(), strict=True):
        window = slice(None, request.steps), slice(end - request.lanes, end)
        index = index_behind(is_llq_entry[window]) if request.keep_index else None
        runs.append(Run(is_llq_entry[window], delay[window], due_ms[window], index))
    return runs


def _alone(request: Request) -> Run:
    return run(
        request.places,
        request.llq,
        request.lower,
        request.lanes,
        steps=request.steps,
        prefill=request.prefill,
        keep_index=request.keep_index,
    )


def _ring(places: Sequence[Places], lanes: Sequence[int], steps: int, *, mixed: bool) -> Ring:
    limits = np.repeat([ring.limit for ring in places], lanes)
    if mixed:
        deepest = replace(places[0], limit=int(limits.max()))
        return ParticleRing(deepest, len(limits), steps, 0.0, limits)
    return _UnevenRing(limits + np.repeat([ring.beside_wire for ring in places], lanes), steps)


def _arrivals(sides: Sequence[Arrivals], lanes: Sequence[int]) -> Arrivals:
    """Arrivals side by side."""
    times_ms = [side.at_ms for side in sides if side.at_ms is not None]
    times = [np.asarray(side.time_ms) for side in sides]
    units = [np.asarray(side.units) for side in sides]
    return Arrivals(
        _padded(times_ms, FAR_MS) if times_ms else None,
        _beside(times, lanes, 0.0),
        _beside(units, lanes, 1),
    )


def _beside(values: Sequence[NDArray[T]], lanes: Sequence[int], fill: float) -> NDArray[T]:
    if values[0].ndim == PER_PACKET:
        return _padded(values, fill)
    rows = [np.broadcast_to(row, count) for row, count in zip(values, lanes, strict=True)]
    return np.concatenate(rows)


def _filled(request: Request) -> Bools:
    if request.prefill is None:
        return np.zeros((0, request.lanes), dtype=bool)
    return request.prefill


def _padded(tables: Sequence[NDArray[T]], fill: float) -> NDArray[T]:
    """Tables (rows, lanes) side by side, the shorter ones filled up."""
    rows, total = max(map(len, tables)), sum(table.shape[1] for table in tables)
    padded = np.full((rows, total), fill, tables[0].dtype)
    begin = 0
    for table in tables:
        padded[: len(table), begin : begin + table.shape[1]] = table
        begin += table.shape[1]
    return padded
