"""Every rule of docs/simulation.md on a few packets, computed by hand.

On the link 1000 bytes take 8 ms, and the ring holds the packet on the wire alone.
"""

import pytest

from advisor.settings.scenario import (
    DefaultQueue,
    ExcessName,
    FairQueue,
    FifoQueue,
    Fragmentation,
    Queue,
    ScenarioLink,
    ScenarioPolicer,
    ScenarioShaper,
    SharedQueue,
    TxRing,
    WfqQueue,
)
from tests.simulate.trace import DATA, Arrival, llq, run, scenario

VOICE = llq("voice")
VIDEO = llq("video", level=2)
SIGNALLING = llq("signalling")
# 1000 bits come every 10 ms.
SHAPE = ScenarioShaper(rate_kbps=100, committed_burst_bits=1000)
BURSTY = ScenarioShaper(rate_kbps=100, committed_burst_bits=1000, excess_burst_bits=1000)
SMOOTH = ScenarioShaper(rate_kbps=100, committed_burst_bits=1000, refill="smooth")
BITS_1000 = 125  # bytes: 1 ms on the wire
FIFO = FifoQueue(name="all", queue_limit_packets=100)


def test_level_1_goes_before_level_2_and_level_2_before_the_others() -> None:
    arrivals = [
        Arrival(0, "data", 1000),
        Arrival(1, "data", 1000),
        Arrival(2, "video", 100),
        Arrival(3, "voice", 100),
    ]
    assert run(scenario((VOICE, VIDEO, DATA)), arrivals).delivered == [
        ("data", 8.0),
        ("voice", 8.8),
        ("video", 9.6),
        ("data", 17.6),
    ]


def test_priority_classes_of_one_level_are_one_fifo() -> None:
    arrivals = [
        Arrival(0, "data", 1000),
        Arrival(1, "signalling", 100),
        Arrival(2, "voice", 100),
        Arrival(3, "signalling", 100),
    ]
    delivered = run(scenario((VOICE, SIGNALLING, DATA)), arrivals).delivered
    assert [queue for queue, _ in delivered] == ["data", "signalling", "voice", "signalling"]


# 8 kb/s are one byte per ms: 600 of 1000 bytes at 0; 500 there at 100, 600 at 200.
@pytest.mark.parametrize(
    ("policer", "dropped"),
    [
        pytest.param(
            {"police": ScenarioPolicer(8, 1000)}, ["voice"], id="police meters every packet"
        ),
        pytest.param(
            {"priority_kbps": 8.0, "burst_bytes": 1000.0, "policed_under_congestion": True},
            [],
            id="priority N is silent on an idle link",
        ),
    ],
)
def test_policers_meter_always_or_under_congestion(
    policer: dict[str, object], dropped: list[str]
) -> None:
    arrivals = [Arrival(at_ms, "voice", 600) for at_ms in (0, 100, 200)]
    assert run(scenario((llq("voice", **policer), DATA)), arrivals).dropped == dropped


def test_priority_n_meters_only_what_finds_the_ring_full() -> None:
    policed = llq("voice", priority_kbps=8.0, burst_bytes=1000.0, policed_under_congestion=True)
    arrivals = [
        Arrival(0, "voice", 600),  # straight: no tokens
        Arrival(1, "voice", 600),  # 600 of 1000
        Arrival(2, "voice", 600),  # 401 are there
    ]
    outcome = run(scenario((policed, DATA)), arrivals)
    assert outcome.dropped == ["voice"]
    assert len(outcome.delivered) == 2


@pytest.mark.parametrize(
    ("shape", "ip_bytes", "sent_ms"),
    [
        pytest.param(SHAPE, BITS_1000, [1, 11, 21, 31], id="Bc every Tc"),
        pytest.param(BURSTY, BITS_1000, [1, 2, 11, 21], id="Bc + Be after silence"),
        pytest.param(SHAPE, 250, [2, 22, 42, 62], id="a packet of two Bc leaves a debt of one"),
        pytest.param(SHAPE, 75, [0.6, 10.6, 11.2, 20.6], id="600 bits: what is left is not lost"),
        pytest.param(BURSTY, 75, [0.6, 1.2, 1.8, 10.6], id="600 bits: three in 2000"),
        pytest.param(SMOOTH, 75, [0.6, 2.6, 8.6, 14.6], id="smooth: as soon as 600 are there"),
    ],
)
def test_a_shaper_lets_pass_what_its_bucket_holds(
    shape: ScenarioShaper, ip_bytes: int, sent_ms: list[float]
) -> None:
    arrivals = [Arrival(0, "all", ip_bytes)] * 4
    delivered = run(scenario((FIFO,), scheduler="fifo", shape=shape), arrivals).delivered
    assert [at_ms for _, at_ms in delivered] == sent_ms


def test_a_shaper_counts_the_bytes_it_is_told() -> None:
    shape = ScenarioShaper(100, 1000, counted_l2_bytes_per_packet=25)
    delivered = run(
        scenario((FIFO,), scheduler="fifo", shape=shape), [Arrival(0, "all", 100)] * 2
    ).delivered
    assert [at_ms for _, at_ms in delivered] == [0.8, 10.8]


def test_a_shaper_that_counts_cells_needs_two_for_41_bytes() -> None:
    shape = ScenarioShaper(100, 53 * 16, counts_cells=True)  # two cells come every 8.48 ms
    arrivals = [Arrival(0, "all", 41)] * 2
    delivered = run(scenario((FIFO,), scheduler="fifo", shape=shape), arrivals).delivered
    assert [at_ms for _, at_ms in delivered] == [0.328, 8.808]


def test_a_priority_packet_overtakes_what_the_parent_shaper_holds() -> None:
    arrivals = [
        Arrival(0, "data", BITS_1000),
        Arrival(1, "data", BITS_1000),
        Arrival(2, "voice", BITS_1000),
    ]
    assert run(scenario((VOICE, DATA), shape=SHAPE), arrivals).delivered == [
        ("data", 1.0),
        ("voice", 11.0),
        ("data", 21.0),
    ]


def test_a_packet_that_overtakes_the_held_one_takes_its_own_tokens_alone() -> None:
    """None are lost at the next Tc while the data waits: the shaper keeps its rate."""
    data = [Arrival(0, "data", 150)] * 4  # 1200 bits: more than the bucket, which lacks 200
    delivered = run(
        scenario((VOICE, DATA), shape=SHAPE), [*data, Arrival(12, "voice", 25)]
    ).delivered
    assert delivered == [
        ("data", 1.2),
        ("voice", 12.2),
        ("data", 21.2),
        ("data", 31.2),
        ("data", 41.2),
    ]


def test_a_small_packet_of_a_class_does_not_overtake_a_large_one_that_the_parent_holds() -> None:
    other = SharedQueue(name="other", queue_limit_packets=100, bandwidth_percent=50)
    arrivals = [
        Arrival(0, "data", 75),  # 400 bits are left
        Arrival(1, "data", 100),
        Arrival(2, "other", 25),  # 200 bits, and its tag is smaller: it goes at 10
    ]
    delivered = run(scenario((VOICE, DATA, other), shape=SHAPE), arrivals).delivered
    assert delivered == [("data", 0.6), ("other", 2.2), ("data", 10.8)]


def test_priority_n_meters_what_the_parent_shaper_holds() -> None:
    policed = llq("voice", priority_kbps=8.0, burst_bytes=125.0, policed_under_congestion=True)
    arrivals = [Arrival(0, "data", BITS_1000), Arrival(1, "voice", 100), Arrival(2, "voice", 100)]
    assert run(scenario((policed, DATA), shape=SHAPE), arrivals).dropped == ["voice"]


def test_a_shaped_class_waits_alone() -> None:
    shaped = SharedQueue(name="shaped", queue_limit_packets=100, bandwidth_percent=50, shape=SHAPE)
    arrivals = [
        Arrival(0, "shaped", BITS_1000),
        Arrival(1, "shaped", BITS_1000),
        Arrival(2, "data", 1000),
        Arrival(3, "data", 1000),
    ]
    assert run(scenario((shaped, DATA), scheduler="cbwfq"), arrivals).delivered == [
        ("shaped", 1.0),
        ("data", 10.0),
        ("shaped", 11.0),
        ("data", 19.0),
    ]


# The class of 50 % is due at 1, 17 and 33 ms: 1000 bytes take 16 ms at half the rate.
@pytest.mark.parametrize(
    ("excess", "order"),
    [
        pytest.param("unreserved_first", "bababaa", id="HQF: not due, then the unreserved class"),
        pytest.param("equal", "baaabab", id="XE: not due, then equal tags, the first named first"),
    ],
)
def test_guarantees_go_first_and_the_rest_as_the_generation_says(
    excess: ExcessName, order: str
) -> None:
    queues: tuple[Queue, ...] = (
        SharedQueue(name="a", queue_limit_packets=100, bandwidth_percent=50),
        DefaultQueue(name="b", queue_limit_packets=100),
    )
    arrivals = [
        Arrival(0, "b", 1000),
        *[Arrival(1, "a", 1000)] * 4,
        *[Arrival(1, "b", 1000)] * 2,
    ]
    delivered = run(
        scenario(queues, scheduler="cbwfq", excess_bandwidth=excess), arrivals
    ).delivered
    assert "".join(queue for queue, _ in delivered) == order


WFQ = WfqQueue(name="all", queue_limit_packets=1000)


def test_wfq_serves_in_the_order_of_published_sequence_numbers() -> None:
    """Source: W. Odom, M. Cavanaugh, Cisco QoS Exam Certification Guide, 2nd ed., figure 4-16."""
    flows = {"0": (3, 1500), "1": (5, 1000), "2": (0, 500), "3": (0, 100)}
    blocker = Arrival(0, "4", 1500)
    arrivals = [
        blocker,
        *(Arrival(1, flow, size) for flow, (_, size) in flows.items() for _ in range(4)),
    ]
    precedences = [precedence for precedence, _ in flows.values()] + [0]
    of = scenario((WFQ,), scheduler="wfq", precedences=precedences)
    order = "".join(flow for flow, _ in run(of, arrivals).delivered[1:])
    # 3.2 5.4 6.5 9.7 10.8 12.1 13.0 16.191 16.192 21.6 24.3 32.4 36.4, both 48.6, 64.8 million
    assert order == "3133103121" + "020" + "20" + "2"


def test_fair_queue_in_a_class_weighs_by_precedence_only_before_hqf() -> None:
    orders = []
    for weighted in (False, True):
        fair = DefaultQueue(
            name="all",
            queue_limit_packets=64,
            bandwidth_percent=100,
            fair_queue=FairQueue(16, weighted_by_precedence=weighted),
        )
        of = scenario((fair,), scheduler="cbwfq", precedences=(0, 5, 0))
        arrivals = [Arrival(0, "2", 1000), Arrival(1, "0", 200), Arrival(2, "1", 1000)]
        orders.append("".join(flow for flow, _ in run(of, arrivals).delivered))
    assert orders == ["201", "210"]


def test_wfq_drops_new_packets_of_a_conversation_at_the_congestive_discard_threshold() -> None:
    queue = WfqQueue(name="all", queue_limit_packets=1000, congestive_discard_threshold_packets=2)
    of = scenario((queue,), scheduler="wfq", precedences=(0, 0))
    arrivals = [Arrival(0, "0", 1000), *[Arrival(1, "0", 1000)] * 3, Arrival(2, "1", 1000)]
    outcome = run(of, arrivals)
    assert outcome.dropped == ["0"]
    assert [flow for flow, _ in outcome.delivered].count("1") == 1


def test_wfq_above_its_hold_queue_drops_the_packet_of_the_largest_sequence_number() -> None:
    queue = WfqQueue(name="all", queue_limit_packets=2)
    of = scenario((queue,), scheduler="wfq", precedences=(0, 0, 0))
    arrivals = [
        Arrival(0, "0", 1000),
        Arrival(1, "0", 1500),
        Arrival(2, "1", 1500),
        Arrival(3, "2", 100),
    ]
    outcome = run(of, arrivals)
    assert outcome.dropped == ["1"]
    assert [flow for flow, _ in outcome.delivered] == ["0", "2", "0"]


BUNDLE = ScenarioLink(rate_kbps=1500, l2_overhead_bytes_per_packet=0, member_rates_kbps=(1000, 500))


def test_a_bundle_sends_over_the_member_that_is_done_first() -> None:
    of = scenario((FIFO,), scheduler="fifo", link=BUNDLE, ring=TxRing("packets", 3))
    arrivals = [Arrival(0, "all", 1000)] * 4
    # the first member is done at 8, 16 and 24 ms, the second one at 16
    assert [at_ms for _, at_ms in run(of, arrivals).delivered] == [8.0, 16.0, 16.0, 24.0]


@pytest.mark.parametrize(
    ("fragmentation", "voice_ms"),
    [
        pytest.param(None, 17.0, id="in the order of sending"),
        pytest.param(Fragmentation(1000, 0), 8.8, id="interleaved: without a number"),
    ],
)
def test_a_bundle_delivers_in_order_what_has_a_sequence_number(
    fragmentation: Fragmentation | None, voice_ms: float
) -> None:
    of = scenario((VOICE, DATA), link=BUNDLE, fragmentation=fragmentation)
    arrivals = [Arrival(0, "data", 1000), Arrival(1, "data", 1000), Arrival(8, "voice", 100)]
    assert ("voice", voice_ms) in run(of, arrivals).delivered


@pytest.mark.parametrize(
    ("ring", "order"),
    [
        pytest.param(TxRing("packets", 1), ["data", "voice", "data", "data"], id="within"),
        pytest.param(
            TxRing("packets", 1, wire_beside_ring=True),
            ["data", "data", "voice", "data"],
            id="beside: one more is before voice",
        ),
        pytest.param(
            TxRing("particles", 3, wire_beside_ring=True),
            ["data", "data", "data", "voice"],
            id="beside: 3 particles admit two packets of 2",
        ),
    ],
)
def test_the_packet_on_the_wire_is_in_the_ring_or_beside_it(ring: TxRing, order: list[str]) -> None:
    arrivals = [*[Arrival(0, "data", 1000)] * 3, Arrival(1, "voice", 100)]
    delivered = run(scenario((VOICE, DATA), ring=ring), arrivals).delivered
    assert [queue for queue, _ in delivered] == order
