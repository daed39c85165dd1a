"""The recursion of all queues, on packets whose schedule is known by hand: one lane, times in ms."""

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec import Struct

from advisor.theory.interface import Policer
from advisor.theory.queues.packets import Kinds, Packets, QueueRow
from advisor.theory.queues.recursion import QueuesRun, run_queues
from advisor.theory.ring.ring_recursion import FAR_MS, Places


class Sent(Struct, frozen=True):
    """A packet (or its last fragment) by its queue and number, and when its last bit has left."""

    packet: str
    end_ms: float


def schedule(
    queues: Sequence[Sequence[float]],
    *,
    rows: Sequence[QueueRow],
    piece_ms: Sequence[Sequence[float]],
    steps: int,
    ring: int = 1,
) -> list[Sent]:
    """What is sent from `queues` (arrival times each); packets of a queue are of one kind."""
    due: list[float] = []
    first, names = [], []
    for number, arrivals in enumerate(queues):
        first.append([len(due)])
        names += [f"{number}.{packet}" for packet in range(len(arrivals))] + ["none"]
        due += [*arrivals, FAR_MS]
    kind = [number for number, arrivals in enumerate(queues) for _ in (*arrivals, None)]
    most = max(map(len, piece_ms))
    pieces = np.array([[*times, *([0.0] * (most - len(times)))] for times in piece_ms])
    packets = Packets(
        np.array(due),
        np.array(kind),
        np.array(first)[:, 0],
        np.array(first),
        Kinds(
            flow=np.arange(len(queues)),
            tag_step=np.array([100 / row.weight for row in rows]),
            frame_bytes=np.full(len(queues), 100.0),
            pieces=np.array([len(times) for times in piece_ms]),
            piece_ms=pieces,
            piece_units=np.ones(pieces.shape, dtype=np.int64),
        ),
        (),
    )
    run = run_queues(rows, packets, Places(ring), steps)
    return [sent for sent in _sent(run, names) if sent.end_ms < FAR_MS]


def _sent(run: QueuesRun, names: Sequence[str]) -> list[Sent]:
    return [
        Sent(names[index], end_ms)
        for step, (index, end_ms) in enumerate(
            zip(run.index[:, 0].tolist(), run.end_ms[:, 0].tolist(), strict=True)
        )
        if run.is_last is None or run.is_last[step, 0]
    ]


def row(weight: float = 1.0, limit: int = 64, policer: Policer | None = None) -> QueueRow:
    return QueueRow((), weight, limit, policer=policer)


def order(sent: Sequence[Sent]) -> list[str]:
    return [packet.packet for packet in sent]


def test_a_packet_alone_takes_its_own_time() -> None:
    sent = schedule([[], [5.0]], rows=[row(), row()], piece_ms=[[1.0], [3.0]], steps=1)

    assert sent == [Sent("1.0", 8.0)]


def test_the_llq_enters_before_older_packets_of_other_queues() -> None:
    sent = schedule([[2.0], [0.0, 1.0]], rows=[row(), row()], piece_ms=[[1.0], [3.0]], steps=3)

    assert sent == [Sent("1.0", 3.0), Sent("0.0", 4.0), Sent("1.1", 7.0)]


def test_no_packet_overtakes_another_in_the_ring() -> None:
    sent = schedule(
        [[2.0], [0.0, 1.0]], rows=[row(), row()], piece_ms=[[1.0], [3.0]], steps=3, ring=2
    )

    assert order(sent) == ["1.0", "1.1", "0.0"]


def test_queues_take_turns_by_their_weights() -> None:
    sent = schedule(
        [[], [0.0] * 6, [0.0] * 6], rows=[row(), row(2.0), row(1.0)],
        piece_ms=[[1.0], [1.0], [1.0]], steps=7,
    )  # fmt: skip

    assert order(sent) == ["1.0", "1.1", "2.0", "1.2", "1.3", "2.1", "1.4"]


def test_a_queue_that_was_empty_begins_at_the_tag_that_is_served() -> None:
    sent = schedule(
        [[], [0.0] * 4, [1.5, 1.5, 1.5]], rows=[row(), row(), row()],
        piece_ms=[[1.0], [1.0], [1.0]], steps=6,
    )  # fmt: skip

    assert order(sent) == ["1.0", "1.1", "1.2", "2.0", "1.3", "2.1"]


def test_a_full_queue_drops_what_arrives() -> None:
    sent = schedule(
        [[], [0.0, 0.1, 0.2, 0.3, 1.5]], rows=[row(), row(limit=2)], piece_ms=[[1.0], [1.0]],
        steps=5,
    )  # fmt: skip

    assert order(sent) == ["1.0", "1.1", "1.2", "1.4"]


@pytest.mark.parametrize(
    ("burst_bytes", "passed"),
    [
        pytest.param(100, ["1.0"], id="half a packet of tokens"),
        pytest.param(200, ["1.0", "0.0"], id="tokens of one packet"),
        pytest.param(400, ["1.0", "0.0", "0.1"], id="tokens of both"),
    ],
)
def test_the_policer_meters_while_the_ring_is_full(burst_bytes: int, passed: list[str]) -> None:
    policer = Policer(rate_bps=8.0, burst_bytes=burst_bytes)  # half full in a single lane
    sent = schedule(
        [[1.0, 2.0], [0.0]], rows=[row(policer=policer), row()], piece_ms=[[1.0], [5.0]], steps=3
    )

    assert order(sent) == passed


def test_the_policer_passes_all_while_the_ring_has_room() -> None:
    policer = Policer(rate_bps=8.0, burst_bytes=10)
    sent = schedule(
        [[1.0, 2.5, 4.0], []], rows=[row(policer=policer), row()], piece_ms=[[1.0], [5.0]], steps=3
    )

    assert order(sent) == ["0.0", "0.1", "0.2"]


def test_the_llq_passes_between_fragments_and_no_other_queue_does() -> None:
    sent = schedule(
        [[1.0], [0.0], [0.5]], rows=[row(), row(), row(100.0)],
        piece_ms=[[1.0], [2.0, 2.0, 1.0], [1.0]], steps=5,
    )  # fmt: skip

    assert sent == [Sent("0.0", 3.0), Sent("1.0", 6.0), Sent("2.0", 7.0)]
