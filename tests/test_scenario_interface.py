"""What a file of scenarios says, as the interface that theory and simulation read."""

import pytest

from advisor.model import (
    Bursts,
    DropProfile,
    Excess,
    Framing,
    OnOff,
    Periodic,
    Policer,
    Queue,
    QueueKind,
    Refill,
    RingUnit,
    Saturated,
    Shaper,
    SizeMix,
    Tcp,
    Traffic,
    TxRing,
    WredAverage,
)
from advisor.predict.scenario_interface import interface_of
from advisor.settings import scenario as files

LINK = files.ScenarioLink(512, 8)
RING = files.TxRing("packets", 4)
STREAM = files.Stream("a", "data", files.Poisson(1), files.FixedSize(60))
POLICE, SHAPE = files.ScenarioPolicer(64, 2000), files.ScenarioShaper(128, 1280, 640, "smooth")


def queue_of(queue: files.Queue, excess: files.ExcessName = "proportional") -> Queue:
    of = files.Scenario("s", LINK, RING, "cbwfq", (queue,), (), excess_bandwidth=excess)
    return interface_of(of).queues[0]


@pytest.mark.parametrize(
    ("queue", "excess", "expected"),
    [
        pytest.param(
            files.PriorityQueue("a", 64, 128, 3200, policed_under_congestion=True, level=2),
            "proportional",
            Queue("a", QueueKind.PRIORITY, priority_policer=Policer(128_000, 3200), level=2),
            id="the policer of an LLQ has its rate and burst",
        ),
        pytest.param(
            files.PriorityQueue("a", 64, 128, 3200, policed_under_congestion=False, police=POLICE),
            "proportional",
            Queue("a", QueueKind.PRIORITY, class_policer=Policer(64_000, 2000)),
            id="a police statement meters an LLQ that congestion does not police",
        ),
        pytest.param(
            files.SharedQueue("a", 40, 25, shape=SHAPE),
            "proportional",
            Queue(
                "a",
                QueueKind.BANDWIDTH,
                25,
                40,
                shaper=Shaper(128_000, 10.0, None, 640, Refill.SMOOTH),
            ),
            id="a percentage is a weight where the rest is shared in proportion",
        ),
        pytest.param(
            files.DefaultQueue("a", 40, 25, fair_queue=files.FairQueue(16)),
            "equal",
            Queue(
                "a",
                QueueKind.CLASS_DEFAULT,
                1.0,
                40,
                flow_limit_packets=16,
                guarantee_bps=128_000,
            ),
            id="a percentage is a guarantee where the rest is shared equally",
        ),
        pytest.param(
            files.WfqQueue("a", 1000),
            "proportional",
            Queue(
                "a",
                QueueKind.FAIR,
                limit_packets=1000,
                flow_limit_packets=64,
                by_precedence=True,
            ),
            id="fair-queue of an interface weighs by precedence",
        ),
    ],
)
def test_a_queue_of_a_file_is_that_of_the_model(
    queue: files.Queue, excess: files.ExcessName, expected: Queue
) -> None:
    assert queue_of(queue, excess) == expected


@pytest.mark.parametrize(
    ("arrival", "expected"),
    [
        (files.Cbr(50, 2), Periodic(50, 2)),
        (files.PoissonBursts(2, 5, 1), Bursts(2, 5, 1)),
        (files.OnOff(90, 20, 80), OnOff(90, 20, 80)),
        (files.Saturated(7), Saturated(7)),
    ],
    ids=["a period", "bursts", "on and off", "a backlog"],
)
def test_arrivals_of_a_file_are_those_of_the_model(
    arrival: files.Arrival, expected: object
) -> None:
    stream = files.Stream("a", "data", arrival, files.UniformSizes(60, 62), 3, 4)
    queue = files.DefaultQueue("data", 64)
    of = files.Scenario("s", LINK, RING, "cbwfq", (queue,), (stream,))
    sizes = SizeMix(((60, 1.0), (61, 1.0), (62, 1.0)))
    assert interface_of(of).traffic == (Traffic("a", "data", expected, sizes, 3, 4),)  # type: ignore[arg-type]


def test_flows_of_a_file_meet_their_drop_profile() -> None:
    profiles = (files.ScenarioWredProfile("af11", 15, 30, 10),)
    queue = files.DefaultQueue("data", 64, 100, files.ScenarioWred(9, profiles, 4.0))
    group = files.TcpGroup("a", "data", 5, 60, 1500, 44, transfer_size_packets=68,
                           wred_profile="af11", delayed_ack=True)  # fmt: skip
    interface = interface_of(files.Scenario("s", LINK, RING, "cbwfq", (queue,), (group,)))
    (flows,) = interface.traffic
    assert interface.queues[0].wred == WredAverage(9, 4.0)
    assert flows.profile == DropProfile(15, 30, 10)
    assert flows.arrival == Tcp(60, 44, 68, delayed_ack=True)
    assert (flows.streams, flows.packet_bytes, interface.reacts) == (5, 1500, True)


def test_the_line_of_a_file_is_that_of_the_model() -> None:
    link = files.ScenarioLink(512, 8, atm_cell_tax=True, member_rates_kbps=(256, 256))
    shape = files.ScenarioShaper(256, 2560, counts_cells=True)
    of = files.Scenario("s", link, files.TxRing("particles", 40, 576, wire_beside_ring=True),
                        "cbwfq", (files.DefaultQueue("data", 64),), (STREAM,),
                        files.Fragmentation(640, 10), shape, "unreserved_first")  # fmt: skip
    interface = interface_of(of)
    assert (interface.rate_bps, interface.framing) == (512_000, Framing(8, cells=True))
    assert interface.ring == TxRing(40, RingUnit.PARTICLES, 576, 1)
    assert interface.shaper == Shaper(256_000, 10.0, Framing(8, cells=True))
    assert list(interface.members_bps) == [256_000, 256_000]
    assert (interface.excess, interface.reacts) == (Excess.UNRESERVED_FIRST, False)
