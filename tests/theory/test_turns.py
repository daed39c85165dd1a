"""Queues below the LLQ in a full ring: their turns, conversations of fair-queue, and trains."""

import pytest
from msgspec.structs import replace

from advisor.theory.flows import Flow, flows_of
from advisor.theory.interface import (
    Arrival,
    Interface,
    Poisson,
    Queue,
    QueueKind,
    Saturated,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.turns import Turn, turns_of
from advisor.theory.wire import Framing

GOLD = Queue("gold", QueueKind.BANDWIDTH, 60.0)
DATA = Queue("data", QueueKind.CLASS_DEFAULT, 20.0)
FAIR = replace(DATA, flow_limit_packets=16)


def stream(queue: Queue, arrival: Arrival, name: str = "", **more: int) -> Traffic:
    return Traffic(name or queue.name, queue.name, arrival, SizeMix(((1000, 1.0),)), **more)


def flows(*traffic: Traffic, queues: tuple[Queue, ...] = (GOLD, DATA)) -> tuple[Flow, ...]:
    return flows_of(Interface(800_000.0, Framing(0), TxRing(4), queues, traffic))


def turns(*traffic: Traffic, queues: tuple[Queue, ...] = (GOLD, DATA)) -> list[Turn]:
    return list(turns_of(flows(*traffic, queues=queues), 1.0))


def test_queues_that_never_empty_have_the_wire_by_their_weights() -> None:
    gold, data = turns(stream(GOLD, Saturated()), stream(DATA, Saturated()))

    assert (gold.carried, data.carried) == pytest.approx((0.75, 0.25))


def test_a_queue_within_its_share_leaves_the_rest() -> None:
    gold, data = turns(stream(GOLD, Poisson(30)), stream(DATA, Saturated()))

    assert (gold.carried, data.carried) == pytest.approx((0.3, 0.7))
    assert gold.rate == pytest.approx(0.75)


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
