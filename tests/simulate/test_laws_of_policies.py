"""Levels, shapers and shares obey what theory proves and what was measured in public."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.predict.scenario_interface import interface_of
from advisor.settings.scenario import (
    DefaultQueue,
    ExcessName,
    FifoQueue,
    FixedSize,
    Poisson,
    PriorityQueue,
    Queue,
    Saturated,
    Scenario,
    ScenarioLink,
    ScenarioShaper,
    SharedQueue,
    Stream,
    TxRing,
    WfqQueue,
)
from advisor.simulate import ClassSummary, simulate
from tests.simulate.trace import Arrival, llq, run, scenario

pytestmark = pytest.mark.slow

RING = TxRing(unit="packets", limit=1)
FULL = Saturated(backlog_packets_kept_in_queue=10)
FIFO = FifoQueue(name="all", queue_limit_packets=1000)


def results(
    rate_kbps: float,
    queues: tuple[Queue, ...],
    streams: tuple[Stream, ...],
    *,
    excess: ExcessName = "proportional",
    shape: ScenarioShaper | None = None,
    packets: int = 20_000,
    link: ScenarioLink | None = None,
) -> list[ClassSummary]:
    of = Scenario(
        id="law",
        link=link or ScenarioLink(rate_kbps=rate_kbps, l2_overhead_bytes_per_packet=0),
        tx_ring=RING,
        scheduler="fifo"
        if FIFO in queues
        else "wfq"
        if isinstance(queues[0], WfqQueue)
        else "llq+cbwfq",
        queues=queues,
        traffic=streams,
        shape=shape,
        excess_bandwidth=excess,
    )
    return list(simulate(interface_of(of), packets, 8, seed=3).classes)


def stream(queue: Queue, arrival: Poisson | Saturated, **keys: object) -> Stream:
    said = {"class_name": queue.name, "ip_packet_bytes": FixedSize(1000)} | keys
    return Stream(queue=queue.name, arrival=arrival, **said)  # type: ignore[arg-type]


def kbps(result: ClassSummary) -> float:
    return result.throughput_wire_bps.value / 1000


def test_three_priorities_wait_as_cobham_says() -> None:
    """Source: A. Cobham, Priority assignment in waiting line problems, Oper. Res. 2 (1954)."""
    high, low = llq("high"), llq("low", level=2)
    data = DefaultQueue(name="data", queue_limit_packets=500, bandwidth_percent=50)
    queues: tuple[PriorityQueue | DefaultQueue, ...] = (high, low, data)
    found = results(
        1000, queues, tuple(stream(queue, Poisson(30)) for queue in queues), packets=60_000
    )
    load, residual_ms = 0.24, 3 * 0.24 * 8 / 2
    for place, result in enumerate(found):
        wait_ms = residual_ms / (1 - place * load) / (1 - (place + 1) * load)
        assert result.delay is not None
        mean = result.delay.mean_ms
        assert mean.half_width is not None
        assert abs(mean.value - 8 - wait_ms) <= max(1.6 * mean.half_width, 0.01 * mean.value)


def shared(name: str, percent: float | None = None, ratio: float | None = None) -> SharedQueue:
    return SharedQueue(name, 100, bandwidth_percent=percent, bandwidth_remaining_ratio=ratio)


@pytest.mark.parametrize(
    ("excess", "classes", "expected_kbps"),
    [
        pytest.param(
            "proportional",
            (shared("a", 20), shared("b", 30), shared("c", 50)),
            (400, 600, 1000),
            id="proportional",
        ),
        pytest.param(
            "proportional",
            (shared("a", 20), shared("b", 30)),
            (800, 1200),
            id="proportional without a third class",
        ),
        pytest.param(
            "unreserved_first",
            (shared("a", 20), shared("b", 30), shared("c")),
            (400, 600, 1000),
            id="HQF",
        ),
        pytest.param(
            "unreserved_first",
            (shared("a", 20), shared("b", 30)),
            (800, 1200),
            id="HQF without a class that has no guarantee",
        ),
        pytest.param(
            "unreserved_first",
            (shared("a", 40), shared("b", ratio=1), shared("c", ratio=3)),
            (800, 300, 900),
            id="HQF: remaining ratio",
        ),
        pytest.param(
            "equal",
            (shared("a", 20), shared("b", 30), shared("c")),
            (733, 933, 333),
            id="XE",
        ),
        pytest.param(
            "equal", (shared("a", ratio=1), shared("b", ratio=4)), (400, 1600), id="XE: ratio"
        ),
    ],
)
def test_saturated_classes_share_as_their_generation_says(
    excess: ExcessName, classes: tuple[SharedQueue, ...], expected_kbps: tuple[float, ...]
) -> None:
    found = results(2000, classes, tuple(stream(one, FULL) for one in classes), excess=excess)
    assert [kbps(result) for result in found] == pytest.approx(list(expected_kbps), rel=0.01)


def test_hqf_shares_are_those_measured_on_15_0_1_m() -> None:
    """Source: blog.ipspace.net 2009/11, first HQF impressions: 418k, 613k and 997k of 2 Mb/s."""
    classes = (shared("a", 20), shared("b", 30), shared("c"))
    streams = tuple(stream(one, FULL) for one in classes)
    found = results(2000, classes, streams, excess="unreserved_first")
    assert [kbps(result) for result in found] == pytest.approx([418, 613, 997], rel=0.05)


def test_a_guarantee_is_a_part_of_the_parent_shapers_rate() -> None:
    classes = (shared("a", 20), shared("b"))
    streams = tuple(stream(one, FULL) for one in classes)
    shape = ScenarioShaper(1000, 20_000, refill="smooth")
    found = results(10_000, classes, streams, excess="unreserved_first", shape=shape)
    assert [kbps(result) for result in found] == pytest.approx([200, 800], rel=0.01)


@pytest.mark.parametrize("refill", ["per_interval", "smooth"])
def test_a_shaped_class_gets_its_rate_and_the_others_the_rest(refill: str) -> None:
    shape = ScenarioShaper(300, 12_000, refill=refill)  # type: ignore[arg-type]
    capped = SharedQueue("capped", 100, bandwidth_percent=50, shape=shape)
    free = shared("free", 50)
    found = results(2000, (capped, free), (stream(capped, FULL), stream(free, FULL)))
    assert [kbps(result) for result in found] == pytest.approx([300, 1700], rel=0.01)


@pytest.mark.parametrize(
    ("low", "high", "ratio"), [(0, 1, 2), (0, 3, 4), (0, 5, 6.0004), (3, 7, 2)]
)
def test_wfq_conversations_share_by_precedence(low: int, high: int, ratio: float) -> None:
    queue = WfqQueue(name="all", queue_limit_packets=1000)
    streams = tuple(
        stream(queue, FULL, class_name=str(precedence), precedence=precedence)
        for precedence in (low, high)
    )
    lower, higher = results(2000, (queue,), streams)
    assert kbps(higher) / kbps(lower) == pytest.approx(ratio, rel=0.02)


def test_a_bundle_of_unlike_members_carries_the_sum_of_their_rates() -> None:
    link = ScenarioLink(1500, 0, member_rates_kbps=(1000, 500))
    (result,) = results(1500, (FIFO,), (stream(FIFO, FULL),), link=link)
    assert kbps(result) == pytest.approx(1500, rel=0.01)


def test_a_smooth_shaper_of_one_packet_is_a_slow_link() -> None:
    """Its bucket holds one packet: packets leave it as from M/D/1 at its rate, one wire time off."""
    shape = ScenarioShaper(100, 8000, refill="smooth")
    (result,) = results(
        10_000, (FIFO,), (stream(FIFO, Poisson(0.0075 * 1000)),), shape=shape, packets=60_000
    )
    assert result.delay is not None
    mean = result.delay.mean_ms
    assert mean.half_width is not None
    # waits of M/D/1 with service of 80 ms and load 0.6, then 0.8 ms on the wire
    expected_ms = 0.6 * 80 / (2 * 0.4) + 0.8
    assert abs(mean.value - expected_ms) <= max(1.6 * mean.half_width, 0.01 * expected_ms)


GAPS_AND_SIZES = st.lists(
    st.tuples(st.floats(0, 60), st.integers(20, 300)), min_size=2, max_size=30
)


@given(
    GAPS_AND_SIZES,
    st.sampled_from(["per_interval", "smooth"]),
    st.integers(200, 4000),
    st.integers(0, 4000),
)
def test_no_window_holds_more_than_rate_bucket_and_one_packet(
    gaps_and_sizes: list[tuple[float, int]], refill: str, committed: int, excess: int
) -> None:
    shape = ScenarioShaper(100, committed, excess, refill)  # type: ignore[arg-type]
    link = ScenarioLink(
        rate_kbps=1e6, l2_overhead_bytes_per_packet=0
    )  # a wire time of nearly nothing
    of = scenario((FIFO,), scheduler="fifo", shape=shape, link=link)
    now_ms, arrivals = 0.0, []
    for gap_ms, size in gaps_and_sizes:
        now_ms += gap_ms
        arrivals.append(Arrival(now_ms, "all", size))
    sent = run(of, arrivals).delivered
    assert len(sent) == len(arrivals)
    largest_bits = 8 * max(size for _, size in gaps_and_sizes)
    step_bits = committed if refill == "per_interval" else 0
    for (first, (_, start_ms)), (last, (_, end_ms)) in combinations(enumerate(sent), 2):
        bits = 8 * sum(size for _, size in gaps_and_sizes[first : last + 1])
        most_bits = 100 * (end_ms - start_ms) + committed + excess + step_bits + largest_bits
        assert bits <= most_bits + 1


@given(
    st.lists(
        st.tuples(
            st.floats(0, 5),
            st.sampled_from(["high", "low", "a", "b"]),
            st.integers(20, 1500),
        ),
        max_size=40,
    ),
    st.sampled_from(["proportional", "unreserved_first", "equal"]),
)
def test_the_wire_never_rests_while_a_packet_waits_unshaped(
    drawn: list[tuple[float, str, int]], excess: ExcessName
) -> None:
    queues: tuple[Queue, ...] = (
        *(llq("high"), llq("low", level=2), shared("a", 40)),
        shared("b", 20 if excess == "proportional" else None),
    )
    now_ms, arrivals, free_ms, ends_ms = 0.0, [], 0.0, []
    for gap_ms, queue, size in drawn:
        now_ms += gap_ms
        arrivals.append(Arrival(now_ms, queue, size))
        free_ms = max(free_ms, now_ms) + size * 0.008
        ends_ms.append(free_ms)
    outcome = run(scenario(queues, excess_bandwidth=excess), arrivals)
    assert len(outcome.delivered) + len(outcome.dropped) == len(arrivals)
    if ends_ms:
        assert max(at_ms for _, at_ms in outcome.delivered) == pytest.approx(ends_ms[-1], abs=1e-5)
