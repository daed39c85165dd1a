"""An interface of the model as a scenario is the same interface."""

import pytest
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Bursts,
    Excess,
    Fragmentation,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    Refill,
    RingUnit,
    Saturated,
    Shaper,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.model.wire import Framing
from advisor.predict.scenario import interface_of
from advisor.predict.scenario_queues import scenario_of

LLQ = Queue("VOICE", QueueKind.PRIORITY, limit_packets=64, policer=Policer(64_000.0, 1600.0))
DATA = Queue("DATA", QueueKind.BANDWIDTH, 25.0, 40)
REST = Queue("class-default", QueueKind.CLASS_DEFAULT, 75.0, 64, flow_limit_packets=16)
PARTICLES = TxRing(40, RingUnit.PARTICLES, 576)


def traffic(queue: Queue, arrival: Arrival) -> Traffic:
    return Traffic(queue.name, queue.name, arrival, SizeMix(((60, 1.0), (1500, 2.0))), 2, 3)


WAN = Interface(
    rate_bps=512_000.0,
    framing=Framing(8),
    ring=TxRing(4),
    queues=(LLQ, DATA, REST),
    traffic=(
        traffic(LLQ, Periodic(50.0, 2.0)),
        traffic(DATA, Poisson(5.0)),
        traffic(REST, Saturated(20)),
    ),
)


@pytest.mark.parametrize(
    "interface",
    [
        pytest.param(WAN, id="LLQ, a class and class-default"),
        pytest.param(replace(WAN, ring=PARTICLES, framing=Framing(8, cells=True)), id="ATM"),
        pytest.param(replace(WAN, fragmentation=Fragmentation(640, 10)), id="LFI"),
        pytest.param(
            replace(WAN, queues=(DATA, REST), traffic=(traffic(DATA, OnOff(90.0, 20.0, 80.0)),)),
            id="no LLQ, on and off",
        ),
        pytest.param(
            replace(
                WAN,
                queues=(Queue("all", QueueKind.FIFO),),
                traffic=(Traffic("all", "all", Bursts(2.0, 5, 1.0), SizeMix(((500, 1.0),))),),
            ),
            id="FIFO, bursts",
        ),
        pytest.param(replace(WAN, ring=replace(PARTICLES, beside_wire=1)), id="particles + wire"),
        pytest.param(
            replace(WAN, shaper=Shaper(256_000.0, 25.0, Framing(14), 6400.0)), id="a shaper"
        ),
        pytest.param(
            replace(
                WAN,
                queues=tuple(
                    replace(queue, police=Policer(64_000.0, 1500.0), level=1)
                    if queue.kind is QueueKind.PRIORITY
                    else replace(queue, shaper=Shaper(128_000.0, 4.0, None, 0.0, Refill.SMOOTH))
                    for queue in WAN.queues
                ),
            ),
            id="police, and a shaper of a class",
        ),
        pytest.param(
            replace(
                WAN,
                queues=tuple(
                    queue
                    if queue.kind is QueueKind.PRIORITY
                    else replace(queue, guarantee_bps=WAN.rate_bps / 4, share_percent=1.0)
                    for queue in WAN.queues
                ),
                excess=Excess.EQUAL,
            ),
            id="a guarantee, and equal parts of the rest",
        ),
        pytest.param(
            replace(
                WAN,
                queues=(
                    Queue(
                        "all",
                        QueueKind.FAIR,
                        limit_packets=1000,
                        flow_limit_packets=64,
                        by_precedence=True,
                    ),
                ),
                traffic=(
                    Traffic("all", "all", Poisson(2.0), SizeMix(((500, 1.0),)), precedence=5),
                ),
            ),
            id="fair queueing of the interface",
        ),
    ],
)
def test_back_from_its_scenario_an_interface_is_the_same(interface: Interface) -> None:
    assert interface_of(scenario_of("case", interface)) == interface
