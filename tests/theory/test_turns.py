"""Queues below the LLQ in a full ring: their turns, conversations of fair-queue, and trains."""

import pytest
from msgspec.structs import replace

from advisor.theory.classes.own_fluid import own_fluid
from advisor.theory.classes.turns import FullRing, Turn, turns_of
from advisor.theory.flows import Flow, flows_of
from advisor.theory.interface import (
    Arrival,
    Interface,
    OnOff,
    Poisson,
    Queue,
    QueueKind,
    Saturated,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.wire import Framing

GOLD = Queue("gold", QueueKind.BANDWIDTH, 60.0)
DATA = Queue("data", QueueKind.CLASS_DEFAULT, 20.0)
FAIR = replace(DATA, flow_limit_packets=16)
PACKET_MS = 1000 * 8 / 800  # of 1000 bytes on the wire at 800 kb/s
AT_ONCE = FullRing(0.0, 0.0)


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


def fluid(arrival: OnOff, limit: int, rate: float) -> tuple[float, float]:
    """Mean delay and loss of a source whose queue has `rate` of the wire."""
    (flow,) = flows(stream(DATA, arrival))
    turn = Turn((flow,), flow.load, flow.load, rate, (rate, rate), limit)
    answer = own_fluid(turn, AT_ONCE, flow, rate)
    return answer.delay.mean_ms, answer.loss_ratio


def test_a_train_waits_as_a_fluid_of_one_source_in_closed_form() -> None:
    """P(work > x | on) is exp(-z x) with ``z = 1 / (on (peak - room)) - 1 / (off room)``."""
    room, on_ms, off_ms = 0.5, 200.0, 300.0
    z = 1 / (on_ms * (1.0 - room)) - 1 / (off_ms * room)
    mean_ms, loss = fluid(OnOff(100.0, on_ms, off_ms), 2000, room)

    assert mean_ms == pytest.approx(1 / z / room + PACKET_MS / room, rel=0.02)
    assert loss == pytest.approx(0.0, abs=1e-6)


def test_a_train_slower_than_its_turn_does_not_wait() -> None:
    assert fluid(OnOff(40.0, 200.0, 300.0), 64, 0.5) == pytest.approx((PACKET_MS / 0.5, 0.0))


def test_a_short_queue_loses_what_a_train_brings_too_much() -> None:
    _, loss = fluid(OnOff(100.0, 2000.0, 3000.0), 1, 0.5)

    assert loss == pytest.approx(0.5, abs=0.03)
