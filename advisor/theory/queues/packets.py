"""The packets of all queues of an interface, drawn for a fixed set of lanes."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from advisor.theory.flows import Floats, Flow, Ints
from advisor.theory.interface import Policer
from advisor.theory.queues.arrivals import draw_arrivals
from advisor.theory.ring.ring_recursion import FAR_MS
from advisor.theory.ring.sampling import SEED


class QueueRow(Struct, frozen=True):
    """One queue: the LLQ is the first row of an interface.

    Packets that wait at the start came every `gap_ms` before it. A closed queue never empties.
    """

    flows: tuple[Flow, ...]
    weight: float
    limit_packets: int
    gap_ms: float = 0.0
    is_closed: bool = False
    policer: Policer | None = None


class Kinds(Struct, frozen=True, eq=False):
    """Packets that are alike: one size of one flow. Pieces are the fragments, at least one."""

    flow: Ints  # number of the flow
    tag_step: Floats  # frame bytes over the weight of the queue
    frame_bytes: Floats
    pieces: Ints
    piece_ms: Floats  # shape (kinds, most pieces)
    piece_units: Ints


class Packets(Struct, frozen=True, eq=False):
    """Packets in order of arrival: rows of queues one after the other, each (packets, lanes)."""

    due_ms: Floats
    kind: Ints
    begins: Ints  # flat index of the first packet of each row
    first: Ints  # flat index of the first packet that is there, shape (rows, lanes)
    kinds: Kinds
    flows: tuple[Flow, ...]

    @property
    def lanes(self) -> int:
        return int(self.first.shape[1])


def packets_of(rows: Sequence[QueueRow], waiting: Ints, horizon_ms: float, steps: int) -> Packets:
    """Draw the packets that arrive up to `horizon_ms`; a closed queue holds `steps` of them.

    `waiting`, shape (rows, lanes), are the packets of each queue that wait at the start.
    """
    lanes = waiting.shape[1]
    flows = tuple(flow for row in rows for flow in row.flows)
    kinds, kind_begins = _kinds(rows)
    generator = np.random.Generator(np.random.PCG64([SEED, lanes, steps]))
    due_parts, kind_parts, first, begins, number, size = [], [], [], [], 0, 0
    for row, present in zip(rows, waiting, strict=True):
        times_ms, row_kinds = [], []
        for flow in row.flows:
            if row.is_closed:
                times = np.zeros((steps + 1, lanes))
            else:
                times = draw_arrivals(flow, horizon_ms, lanes, generator)
            sizes = np.searchsorted(np.cumsum(flow.weights)[:-1], generator.random(times.shape))
            times_ms.append(times)
            row_kinds.append(kind_begins[number] + sizes)
            number += 1
        due_ms, kind = _in_order(times_ms, row_kinds, lanes)
        held = np.minimum(present, steps + 1)  # those behind are not sent within the run
        most = int(held.max())
        if most:
            due_ms, kind = _behind_waiting(row, present, most, due_ms, kind)
        far_ms = np.full((1, lanes), FAR_MS)
        due_parts += [due_ms.ravel(), far_ms.ravel()]
        kind_parts += [kind.ravel(), np.zeros(lanes, dtype=np.int64)]
        begins.append(size)
        first.append(size + np.arange(lanes) + (most - held) * lanes)
        size += due_ms.size + lanes
    return Packets(
        np.concatenate(due_parts),
        np.concatenate(kind_parts),
        np.array(begins),
        np.array(first),
        kinds,
        flows,
    )


def _kinds(rows: Sequence[QueueRow]) -> tuple[Kinds, list[int]]:
    """All kinds of packets, and the number of the first one of each flow."""
    most = max(len(times) for row in rows for flow in row.flows for times in flow.piece_ms)
    number: list[int] = []
    begins, piece_ms, piece_units = [], [], []
    steps, frames, pieces = [], [], []
    for row in rows:
        for flow in row.flows:
            begins.append(len(number))
            number += [len(begins) - 1] * len(flow.weights)
            frames += flow.frame_bytes.tolist()
            steps += (flow.frame_bytes / row.weight).tolist()
            pieces += [len(times) for times in flow.piece_ms]
            piece_ms += [times + (0.0,) * (most - len(times)) for times in flow.piece_ms]
            piece_units += [units + (1,) * (most - len(units)) for units in flow.piece_units]
    kinds = Kinds(
        np.array(number),
        np.array(steps),
        np.array(frames),
        np.array(pieces),
        np.array(piece_ms),
        np.array(piece_units),
    )
    return kinds, begins


def _in_order(times_ms: Sequence[Floats], kinds: Sequence[Ints], lanes: int) -> tuple[Floats, Ints]:
    if not times_ms:
        return np.zeros((0, lanes)), np.zeros((0, lanes), dtype=np.int64)
    if len(times_ms) == 1:
        return times_ms[0], kinds[0]
    times, kind = np.concatenate(times_ms), np.concatenate(kinds)
    order = np.argsort(times, axis=0)
    return np.take_along_axis(times, order, axis=0), np.take_along_axis(kind, order, axis=0)


def _behind_waiting(
    row: QueueRow, present: Ints, most: int, due_ms: Floats, kind: Ints
) -> tuple[Floats, Ints]:
    """The packets behind the first `most` of those present at the start, in sizes like them."""
    position = np.arange(most)[:, None] - most + np.minimum(present, most)
    waiting_ms = -row.gap_ms * (present - position - 0.5)
    waiting = kind[np.arange(most) % len(kind)]
    return np.concatenate([waiting_ms, due_ms]), np.concatenate([waiting, kind])
