"""Queues below the LLQ in a full ring: their turns, conversations of fair-queue, and trains."""

import pytest
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Bursts,
    Excess,
    Framing,
    Interface,
    OnOff,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    Saturated,
    Shaper,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.flows import flows_of
from advisor.theory.queue_shares import QueueShare, queue_shares_of

GOLD = Queue("gold", QueueKind.BANDWIDTH, 60.0)
DATA = Queue("data", QueueKind.CLASS_DEFAULT, 20.0)
FAIR = replace(DATA, flow_limit_packets=16)


def stream(
    queue: Queue, arrival: Arrival, name: str = "", streams: int = 1, *, conversations: int = 1,
    precedence: int = 0,
) -> Traffic:  # fmt: skip
    sizes = SizeMix(((1000, 1.0),))
    name = name or queue.name
    return Traffic(name, queue.name, arrival, sizes, streams, conversations, precedence)


def turns(
    *traffic: Traffic,
    queues: tuple[Queue, ...] = (GOLD, DATA),
    excess: Excess = Excess.PROPORTIONAL,
) -> list[QueueShare]:
    line = Interface(800_000.0, Framing(0), TxRing(4), queues, traffic, excess=excess)
    return list(queue_shares_of(line.excess, flows_of(line), 1.0))


def test_queues_that_never_empty_have_the_wire_by_their_weights() -> None:
    gold, data = turns(stream(GOLD, Saturated()), stream(DATA, Saturated()))

    assert (gold.carried, data.carried) == pytest.approx((0.75, 0.25))


def test_schedulers_count_frame_bytes_and_the_wire_carries_cells() -> None:
    """A frame of 41 bytes takes two cells, one of 1000 takes 21: 2.6 and 1.1 bytes to a byte."""
    small, large = (
        Traffic(queue.name, queue.name, Saturated(), SizeMix(((size, 1.0),)))
        for queue, size in ((GOLD, 41), (DATA, 1000))
    )
    queues = (GOLD, replace(DATA, share_percent=60.0))
    line = Interface(800_000.0, Framing(0, cells=True), TxRing(4), queues, (small, large))
    gold, data = queue_shares_of(line.excess, flows_of(line), 1.0)

    assert gold.carried / data.carried == pytest.approx((2 * 53 / 41) / (21 * 53 / 1000))


def test_a_queue_within_its_share_leaves_the_rest() -> None:
    gold, data = turns(stream(GOLD, Poisson(30)), stream(DATA, Saturated()))

    assert (gold.carried, data.carried) == pytest.approx((0.3, 0.7))
    assert gold.rate == pytest.approx(0.75)


def test_a_short_queue_that_drops_its_bursts_leaves_its_share_to_the_others() -> None:
    short = replace(DATA, share_percent=60.0, limit_packets=2)
    gold, data = turns(
        stream(GOLD, Poisson(60)), stream(short, Bursts(3, 20, 0)), queues=(GOLD, short)
    )

    assert data.backlogged
    assert data.carried < 0.35
    assert not gold.backlogged


def test_a_short_queue_within_its_share_leaves_what_it_drops() -> None:
    """Offered 107 % of the wire, neither queue is full: the short one drops a seventh."""
    short = replace(DATA, share_percent=240.0, limit_packets=2)
    gold, data = turns(stream(GOLD, Poisson(37)), stream(short, Poisson(70)), queues=(GOLD, short))

    assert [gold.backlogged, data.backlogged] == [False, False]
    assert gold.carried == pytest.approx(0.37)
    assert data.carried < 0.68


def test_trains_that_come_slower_than_they_are_sent_lose_nothing_at_a_short_queue() -> None:
    short = replace(DATA, limit_packets=1)
    gold, data = turns(
        stream(GOLD, Saturated()), stream(short, OnOff(24, 100, 900)), queues=(GOLD, short)
    )

    assert data.carried == pytest.approx(0.024)
    assert gold.carried == pytest.approx(0.976)


def test_conversations_divide_what_their_class_gets() -> None:
    light, heavy = turns(
        stream(FAIR, Poisson(10), "light"),
        stream(FAIR, Poisson(200), "heavy", streams=4),
        queues=(GOLD, FAIR),
    )

    assert (light.copies, heavy.copies) == (1, 4)
    assert light.carried == pytest.approx(0.1)
    assert heavy.carried == pytest.approx(0.9 / 4)


def test_conversations_alike_share_the_places_of_their_class() -> None:
    (turn,) = turns(stream(FAIR, Poisson(200), conversations=20), queues=(GOLD, FAIR))

    assert turn.is_crowd
    assert turn.limit_packets == FAIR.limit_packets


RESERVED = replace(GOLD, guarantee_bps=80_000.0, share_percent=1.0)
OPEN = replace(DATA, share_percent=1.0)


@pytest.mark.parametrize(
    ("excess", "carried"),
    [
        pytest.param(Excess.EQUAL, (0.55, 0.45), id="the guarantee, and half of the rest"),
        pytest.param(Excess.UNRESERVED_FIRST, (0.1, 0.9), id="the guarantee alone"),
        pytest.param(Excess.PROPORTIONAL, (0.5, 0.5), id="weights alone"),
    ],
)
def test_guarantees_come_first_and_the_rest_by_the_rule(
    excess: Excess, carried: tuple[float, float]
) -> None:
    parts = turns(
        stream(RESERVED, Saturated()),
        stream(OPEN, Saturated()),
        queues=(RESERVED, OPEN),
        excess=excess,
    )
    assert tuple(part.carried for part in parts) == pytest.approx(carried)


def test_a_shaper_keeps_a_queue_below_its_part() -> None:
    shaped = replace(GOLD, shaper=Shaper(160_000.0, 25.0))
    parts = turns(stream(shaped, Poisson(90)), stream(DATA, Saturated()), queues=(shaped, DATA))

    assert [part.carried for part in parts] == pytest.approx([0.2, 0.8])
    assert parts[0].backlogged


def test_a_policer_takes_from_what_a_queue_is_offered() -> None:
    policed = replace(GOLD, class_policer=Policer(160_000.0, 8_000))
    gold, data = turns(
        stream(policed, Poisson(90)), stream(DATA, Saturated()), queues=(policed, DATA)
    )
    assert gold.load == pytest.approx(0.2)
    assert not gold.backlogged
    assert data.carried == pytest.approx(0.8)


def test_conversations_divide_by_their_precedence_where_the_queue_weighs_it() -> None:
    wfq = Queue("all", QueueKind.FAIR, limit_packets=40, flow_limit_packets=64, by_precedence=True)
    first, second = turns(
        replace(stream(wfq, Poisson(90), "first"), precedence=2),
        stream(wfq, Poisson(90), "second"),
        queues=(wfq,),
    )
    assert first.carried == pytest.approx(3 * second.carried)
    assert (first.limit_packets, second.limit_packets) == (30, 10)
