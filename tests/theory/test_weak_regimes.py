"""Regimes that the model knows in part: what it says of them holds in simulation."""

import pytest
from msgspec.structs import replace

from advisor.theory.interface import (
    Arrival,
    Bursts,
    ClassResult,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    SizeMix,
    Traffic,
    TxRing,
    Weakness,
)
from advisor.theory.solver import estimate, solve
from advisor.theory.wire import Framing

pytestmark = pytest.mark.slow


FRAMING = Framing(7)


def stream(name: str, arrival: Arrival, size: int, queue: str | None = None) -> Traffic:
    return Traffic(name, queue or name, arrival, SizeMix(((size, 1.0),)))


def link(rate_kbps: float, ring: int, queues: tuple[Queue, ...], *traffic: Traffic) -> Interface:
    return Interface(rate_kbps * 1000, FRAMING, TxRing(ring), queues, traffic)


def llq(rate_kbps: float, burst_bytes: float) -> Queue:
    return Queue("voice", QueueKind.PRIORITY, policer=Policer(rate_kbps * 1000, burst_bytes))


def lower(*shares: float) -> tuple[Queue, ...]:
    return tuple(Queue(f"c{i}", QueueKind.BANDWIDTH, share) for i, share in enumerate(shares))


def of(interface: Interface, name: str) -> ClassResult:
    return next(each for each in solve(interface).classes if each.name == name)


FIFO = (Queue("fifo", QueueKind.FIFO, limit_packets=1000),)
SHORT_AND_LONG = link(
    1024,
    4,
    FIFO,
    stream("short", Poisson(40), 600, "fifo"),
    stream("long", Bursts(2.0, 25, 0.0), 600, "fifo"),
)
SAME_IN_A_CLASS = replace(
    SHORT_AND_LONG, queues=(Queue("fifo", QueueKind.CLASS_DEFAULT, limit_packets=1000),)
)
VOICE = stream("voice", Periodic(200), 60)
POLICED = link(512, 2, (llq(64, 500), *lower(80)), VOICE, stream("c0", Poisson(35), 1000))
BURSTS_IN_LLQ = link(
    1024,
    2,
    (llq(200, 1500), *lower(80)),
    stream("voice", Bursts(8, 10, 0), 200),
    stream("c0", Poisson(60), 1000),
)
SPARSE_ON_OFF = link(
    256,
    10,
    (llq(150, 3000), *lower(80)),
    stream("voice", Periodic(100), 60),
    stream("c0", OnOff(24.9, 20, 17.8), 1500),
)
TWO_WITHIN = link(
    512,
    10,
    lower(10, 30, 10, 40),
    stream("c0", Poisson(100), 200),
    stream("c1", Periodic(38), 600),
    stream("c2", Poisson(50), 551),
    stream("c3", Poisson(34), 551),
)
SPACED = link(
    2048,
    10,
    FIFO,
    stream("a", Bursts(9, 25, 1.0), 200, "fifo"),
    stream("b", Bursts(38, 5, 0.0), 600, "fifo"),
)
# simulated by `advisor predict --simulate`: 200 000 packets in ten replications
MEANS = [
    pytest.param(SHORT_AND_LONG, "short", 30.2, id="single packets beside bursts, FIFO"),
    pytest.param(SHORT_AND_LONG, "long", 86.9, id="bursts beside single packets, FIFO"),
    pytest.param(SAME_IN_A_CLASS, "short", 30.2, id="single packets beside bursts, class"),
    pytest.param(SAME_IN_A_CLASS, "long", 86.9, id="bursts beside single packets, class"),
    pytest.param(POLICED, "voice", 8.33, id="LLQ over its rate below saturation"),
    pytest.param(BURSTS_IN_LLQ, "voice", 10.1, id="bursts longer than the bucket"),
    pytest.param(BURSTS_IN_LLQ, "c0", 13.1, id="what such bursts leave to the class below"),
    pytest.param(SPARSE_ON_OFF, "voice", 28.5, id="LLQ beside a source of few packets an on time"),
    pytest.param(SPARSE_ON_OFF, "c0", 58.5, id="a source of few packets an on time"),
    pytest.param(TWO_WITHIN, "c0", 1256, id="one of two overloaded classes"),
    pytest.param(TWO_WITHIN, "c1", 87.9, id="a periodic class within its share"),
    pytest.param(TWO_WITHIN, "c3", 95.6, id="one of two classes within their shares"),
    pytest.param(SPACED, "a", 17.1, id="bursts slower than the wire, faster than what is left"),
    pytest.param(SPACED, "b", 17.6, id="bursts beside slower ones"),
]
LOSSES = [
    pytest.param(POLICED, 0.078, id="calls over the rate"),
    pytest.param(BURSTS_IN_LLQ, 0.326, id="bursts longer than the bucket"),
]


@pytest.mark.parametrize(("interface", "name", "simulated_ms"), MEANS)
def test_the_simulated_mean_is_inside_the_interval(
    interface: Interface, name: str, simulated_ms: float
) -> None:
    result = of(interface, name)

    assert result.mean_low_ms <= simulated_ms <= result.mean_high_ms


@pytest.mark.parametrize(("interface", "name", "simulated_ms"), MEANS)
def test_an_interval_over_a_factor_of_2_says_why_and_is_not_everything(
    interface: Interface, name: str, simulated_ms: float
) -> None:
    result = of(interface, name)

    factor = max(result.mean_high_ms / simulated_ms, simulated_ms / result.mean_low_ms)
    assert result.weak or factor < 2
    assert factor < 15


@pytest.mark.parametrize("interface", [SHORT_AND_LONG, SAME_IN_A_CLASS], ids=["fifo", "class"])
def test_a_packet_of_a_burst_waits_behind_the_half_of_it(interface: Interface) -> None:
    own_ms = 8 * 607 / 1024
    apart_ms = of(interface, "long").delay.mean_ms - of(interface, "short").delay.mean_ms

    assert apart_ms == pytest.approx(12 * own_ms, rel=0.03)


@pytest.mark.parametrize(("interface", "simulated_ratio"), LOSSES)
def test_a_policer_below_saturation_loses_what_it_refuses_while_the_ring_is_full(
    interface: Interface, simulated_ratio: float
) -> None:
    assert of(interface, "voice").loss_ratio == pytest.approx(simulated_ratio, rel=0.1)


@pytest.mark.parametrize(("interface", "simulated_ratio"), LOSSES)
def test_its_formula_says_up_to_what_it_refuses_in_a_ring_that_is_always_full(
    interface: Interface, simulated_ratio: float
) -> None:
    result = next(each for each in estimate(interface).classes if each.name == "voice")

    assert result.loss_low_ratio == 0
    assert result.loss_high_ratio is not None
    assert 0 < simulated_ratio < result.loss_high_ratio
    assert 0 < result.loss_ratio < result.loss_high_ratio
    assert result.weak == (Weakness.POLICED,)


def test_a_policer_that_passes_all_leaves_no_doubt() -> None:
    enough = replace(POLICED, queues=(llq(200, 3000), *lower(80)))
    result = of(enough, "voice")

    assert (result.loss_ratio, result.loss_high_ratio, result.weak) == (0, None, ())


def test_random_packets_are_refused_by_a_full_ring_as_by_a_finite_queue() -> None:
    video = stream("voice", Poisson(4.65), 800)
    full = stream("c0", Poisson(80), 600)
    interface = link(256, 10, (llq(36, 5000), *lower(80)), video, full)

    assert of(interface, "voice").loss_ratio == pytest.approx(0.032, rel=0.15)  # simulated


def test_the_formula_of_a_class_just_over_its_share_says_that_its_queue_has_room() -> None:
    even = stream("c0", Periodic(78), 1000)
    interface = link(1024, 2, lower(60, 40), even, stream("c1", Poisson(120), 600))
    result = next(each for each in estimate(interface).classes if each.name == "c0")

    assert result.weak == (Weakness.JUST_OVER,)
