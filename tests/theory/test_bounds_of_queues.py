"""Bounds by arrival curves, tags and rings, on a wire of 800 kb/s: 100 bytes take 1 ms."""

import pytest
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Framing,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    Saturated,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.solver import solve

LLQ = Queue("llq", QueueKind.PRIORITY)
CALLS = Queue("calls", QueueKind.BANDWIDTH, 20.0)
DATA = Queue("data", QueueKind.CLASS_DEFAULT, 80.0)
KBPS = 1000.0


def stream(
    queue: Queue, arrival: Arrival, ip_bytes: int = 100, streams: int = 1, name: str = ""
) -> Traffic:
    sizes = SizeMix(((ip_bytes, 1.0),))
    return Traffic(name or queue.name, queue.name, arrival, sizes, streams)


def line(*traffic: Traffic, queues: tuple[Queue, ...], ring: int = 2) -> Interface:
    return Interface(800 * KBPS, Framing(0), TxRing(ring), queues, traffic)


def bound_of(interface: Interface, name: str) -> float | None:
    return next(each.bound_ms for each in solve(interface).classes if each.name == name)


def test_a_class_waits_for_the_ring_and_one_packet_of_its_rival() -> None:
    """Its 200 bytes of 20 % are 800 of 80 %: too few for a second packet of 1000."""
    interface = line(
        stream(CALLS, Periodic(10.0), 200), stream(DATA, Poisson(20.0), 1000), queues=(CALLS, DATA)
    )
    assert bound_of(interface, "calls") == pytest.approx(2 * 10 + 10 + 2)


def test_a_rival_sends_as_many_whole_packets_as_its_weight_allows() -> None:
    """Of 700 bytes, four for each of 200 with one packet before: 10 ms and 7."""
    interface = line(
        stream(CALLS, Periodic(10.0), 200), stream(DATA, Poisson(20.0), 700), queues=(CALLS, DATA)
    )
    assert bound_of(interface, "calls") == pytest.approx(2 * 7 + 2 * 7 + 2)


FAIR = replace(DATA, name="fair", share_percent=40.0, flow_limit_packets=16)


def mixed(small_bytes: int, large_bytes: int) -> tuple[Traffic, Traffic]:
    """Two conversations of a fair-queue, one of small packets."""
    small = stream(FAIR, Poisson(5.0), small_bytes, name="small")
    return small, stream(FAIR, Poisson(5.0), large_bytes, name="large")


def test_a_queue_is_ahead_by_what_the_head_of_a_fair_queue_became_smaller() -> None:
    """500 bytes of 40 % are 250 of 20 %: with its own 200, data sends 900, a second packet of 700.

    20 ms of ring, the fair-queue's first packet, two of data, and its own.
    """
    data = replace(DATA, share_percent=40.0)
    interface = line(
        stream(CALLS, Periodic(10.0), 200),
        stream(data, Poisson(20.0), 700),
        *mixed(500, 1000),
        queues=(CALLS, data, FAIR),
    )
    assert bound_of(interface, "calls") == pytest.approx(2 * 10 + 10 + 2 * 7 + 2)


def test_a_fair_queue_sends_small_packets_of_as_many_bytes_as_a_large_one() -> None:
    """In cells, 40 bytes take one and 1000 take 21: 25 small packets take longer.

    Beside 208 bytes of calls in 5 cells, twice the weight sends 400 bytes more.
    """
    cell_ms = 53 * 8 / 800
    interface = replace(
        line(stream(CALLS, Periodic(5.0), 200), *mixed(40, 1000), queues=(CALLS, FAIR)),
        framing=Framing(0, cells=True),
    )
    first_ms, more_ms = 1000 / 40 * cell_ms, 400 / 40 * cell_ms
    assert bound_of(interface, "calls") == pytest.approx(
        2 * 21 * cell_ms + first_ms + more_ms + 5 * cell_ms
    )


def test_a_class_waits_for_what_it_has_got_since_it_was_last_empty() -> None:
    """Two calls at once: 80 % send a packet and 1600 bytes of 1000 beside 400 of 20 %."""
    interface = line(
        stream(CALLS, Periodic(5.0), 200, streams=2),
        stream(DATA, Poisson(20.0), 1000),
        queues=(CALLS, DATA),
    )
    assert bound_of(interface, "calls") == pytest.approx(2 * 10 + (1 + 1) * 10 + 2 * 2)


def test_a_bound_that_is_mostly_own_packets_at_once_is_none() -> None:
    interface = line(
        stream(CALLS, Periodic(1.0), 200, streams=30),
        stream(DATA, Poisson(20.0), 1000),
        queues=(CALLS, DATA),
    )
    assert bound_of(interface, "calls") is None


def test_calls_overtake_a_small_packet_behind_the_largest_that_a_policer_passes() -> None:
    """1500 bytes take the wire for 15 ms and empty the bucket; 5 calls wait.

    The bucket passes 0.6 ms of work per ms. After 3.3 ms 2 ms more may wait: the last 100 bytes
    then cannot enter the ring before the calls of 20 ms come, and leave at 15 + 2 + 2 * 5 ms.
    """
    policed = replace(DATA, class_policer=Policer(480 * KBPS, 1500))
    mixed = replace(stream(DATA, Poisson(20.0)), sizes=SizeMix(((100, 0.5), (1500, 0.5))))
    interface = line(stream(LLQ, Periodic(50.0), streams=5), mixed, queues=(LLQ, policed))
    assert bound_of(interface, "data") == pytest.approx(27 - 10 / 3)


def test_a_police_statement_bounds_what_comes_at_random() -> None:
    """A full ring and 600 bytes at once; the rest comes at 80 kb/s."""
    policed = replace(LLQ, class_policer=Policer(80 * KBPS, 600))
    interface = line(
        stream(LLQ, Poisson(10.0)), stream(DATA, Saturated(), 1000), queues=(policed, DATA)
    )
    assert bound_of(interface, "llq") == pytest.approx(2 * 10 + 6)


def test_each_class_of_the_llq_is_bounded_in_its_own_way() -> None:
    """A call of 1 ms, and 500 bytes that a policer lets pass while the ring is full."""
    video = Queue("video", QueueKind.PRIORITY, priority_policer=Policer(80 * KBPS, 500))
    interface = line(
        stream(LLQ, Periodic(10.0)),
        stream(video, Poisson(10.0)),
        stream(DATA, Saturated(), 1000),
        queues=(LLQ, video, DATA),
    )
    assert bound_of(interface, "llq") == pytest.approx(2 * 10 + 1 + 5)


def test_an_llq_in_overload_sends_data_out_of_the_ring_before_its_queue_is_full() -> None:
    """1.1 ms come each ms: 20 ms of ring are sent before 30 packets wait; then 2 and 30 of 1 ms."""
    full = replace(LLQ, limit_packets=30)
    interface = line(
        stream(LLQ, Periodic(1100.0)), stream(DATA, Poisson(1.0), 1000), queues=(full, DATA)
    )
    assert bound_of(interface, "llq") == pytest.approx(2 + 30)


def test_a_short_queue_bounds_an_llq_in_overload() -> None:
    """4 packets wait behind 20 ms of ring, 5 ms after the LLQ was empty at the earliest."""
    full = replace(LLQ, limit_packets=4)
    interface = line(
        stream(LLQ, Periodic(1100.0)), stream(DATA, Poisson(1.0), 1000), queues=(full, DATA)
    )
    found = bound_of(interface, "llq")
    assert found is not None
    assert 20 < found <= 20 + 4


def test_nothing_is_overtaken_in_a_ring_that_never_fills() -> None:
    """Each source sends a packet at once: 1 ms, 5 and 10. The next of 100 bytes comes at 10 ms."""
    gold = Queue("gold", QueueKind.BANDWIDTH, 50.0)
    sources = (
        stream(LLQ, OnOff(100.0, 100.0, 100.0)),
        stream(gold, OnOff(10.0, 1000.0, 1000.0), 500),
        stream(DATA, OnOff(5.0, 1000.0, 1000.0), 1000),
    )
    deep, short = (line(*sources, queues=(LLQ, gold, DATA), ring=ring) for ring in (64, 1))
    assert bound_of(deep, "gold") == pytest.approx(1 + 5 + 10)
    assert bound_of(short, "gold") == pytest.approx(1 + 5 + 10 + 1)


@pytest.mark.parametrize(("precedence", "packets"), [(0, 1), (5, 6)])
def test_conversations_of_interface_fair_queue_share_by_precedence(
    precedence: int, packets: int
) -> None:
    """A call of precedence 5 waits for one packet; of its size 1 of 6, or as many as there are."""
    queue = Queue(
        "all", QueueKind.FAIR, limit_packets=64, flow_limit_packets=64, by_precedence=True
    )
    call = replace(stream(queue, Periodic(10.0), name="call"), precedence=5)
    bulk = replace(stream(queue, Saturated(), name="bulk"), precedence=precedence)
    interface = line(call, bulk, queues=(queue,), ring=1)
    more = {1: 0, 6: 1}[packets]  # beside the one that is always sent
    assert bound_of(interface, "call") == pytest.approx(1 + (1 + more) + 1)


def test_a_rival_of_many_sizes_may_send_those_that_take_longest_for_a_byte() -> None:
    """In cells 40 bytes need one and 41 need two: 106 wire bytes for 41 that the tags count."""
    interface = Interface(
        848 * KBPS,  # a cell takes half a ms
        Framing(0, cells=True),
        TxRing(1),
        (CALLS, replace(DATA, share_percent=20.0)),
        (
            stream(CALLS, Periodic(1.0), 40 + 48 * 3),
            Traffic("data", "data", Poisson(20.0), SizeMix(((41, 1.0), (88, 1.0)))),
        ),
    )
    ring_ms, own_ms, cell_ms = 4 * 0.5, 4 * 0.5, 0.5
    beside_ms = 2 * cell_ms * (1 + (40 + 48 * 3) / 41)
    assert bound_of(interface, "calls") == pytest.approx(ring_ms + own_ms + beside_ms)
