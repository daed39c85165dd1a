"""A class that asks for less than its share beside one that asks for more."""

import pytest
from msgspec.structs import replace

from advisor.model import (
    Framing,
    Interface,
    Periodic,
    Poisson,
    Queue,
    QueueKind,
    SizeMix,
    Traffic,
    TxRing,
    wire_ms,
)
from advisor.theory.solution import ClassResult
from advisor.theory.solver import solve

RATE_BPS = 1_024_000.0
FRAMING = Framing(7)
VOICE = Traffic("voice", "voice", Periodic(50.0, 1.0), SizeMix(((60, 1.0),)))


def interface(
    shares: tuple[float, float], gold_bytes: int, load: float, data_bytes: int, ring: int
) -> Interface:
    gold_per_s = load * 1000 / wire_ms(gold_bytes, FRAMING, RATE_BPS)
    data_per_s = 1200 / wire_ms(data_bytes, FRAMING, RATE_BPS)
    return Interface(
        RATE_BPS,
        FRAMING,
        TxRing(ring),
        (
            Queue("voice", QueueKind.PRIORITY),
            Queue("gold", QueueKind.BANDWIDTH, shares[0]),
            Queue("data", QueueKind.CLASS_DEFAULT, shares[1]),
        ),
        (
            VOICE,
            Traffic("gold", "gold", Poisson(gold_per_s), SizeMix(((gold_bytes, 1.0),))),
            Traffic("data", "data", Poisson(data_per_s), SizeMix(((data_bytes, 1.0),))),
        ),
    )


def gold(of: Interface) -> ClassResult:
    return next(each for each in solve(of).classes if each.name == "gold")


SIMULATED = [  # mean of 60 000 packets in six replications of `advisor predict --simulate`
    pytest.param(interface((45, 25), 600, 0.350, 1500, 3), 28.2, id="smaller packets, more weight"),
    pytest.param(interface((45, 40), 600, 0.413, 600, 1), 26.6, id="near its share, ring of one"),
    pytest.param(interface((20, 15), 200, 0.322, 600, 3), 12.2, id="small packets"),
    pytest.param(interface((60, 25), 200, 0.271, 600, 6), 19.3, id="deeper ring"),
    pytest.param(interface((30, 40), 1500, 0.156, 600, 6), 56.9, id="large packets, less weight"),
    pytest.param(interface((20, 15), 200, 0.456, 1500, 2), 18.7, id="behind large packets"),
    pytest.param(interface((45, 15), 1500, 0.298, 600, 2), 23.8, id="far below its share"),
]


@pytest.mark.parametrize(("of", "simulated_ms"), SIMULATED)
def test_the_simulated_mean_is_inside_the_interval(of: Interface, simulated_ms: float) -> None:
    result = gold(of)

    assert result.low.mean_ms <= simulated_ms <= result.high.mean_ms
    assert result.delay.mean_ms == pytest.approx(simulated_ms, rel=0.15)


def test_it_waits_longer_the_nearer_it_is_to_its_share() -> None:
    means = [
        gold(interface((45, 25), 600, load, 1500, 3)).delay.mean_ms for load in (0.2, 0.4, 0.6)
    ]

    assert means == sorted(means)
    assert means[-1] > 2 * means[0]


def test_a_single_periodic_stream_does_not_meet_its_own_packets() -> None:
    random = interface((45, 25), 600, 0.35, 1500, 3)
    voice, calm, data = random.traffic
    assert isinstance(calm.arrival, Poisson)
    even = replace(calm, arrival=Periodic(calm.arrival.packets_per_s))

    assert gold(replace(random, traffic=(voice, even, data))).delay.mean_ms < (
        gold(random).delay.mean_ms
    )
